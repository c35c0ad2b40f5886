/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry.h"

#include "files.h"
#include "ranks_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPU_THREADS = 256, GROUPS_A_UNIT = 4 };

struct gzk_carrier {
    struct gzk_device *device;
    struct gzk_program *program;
    int threads;
};

static int make_program(struct gzk_carrier *carrier, enum gzk_type type, struct gzk_error *error)
{
    const struct gzk_backend *backend = carrier->device->backend;
    struct gzk_program_spec spec = {.name = "gz_carry", .threads = carrier->threads};
    char *text = cli_text("#define GZ_T %s\n#define GZ_THREADS %d\n#line 1 \"prelude\"\n%s#line 1 "
                          "\"carry.knl\"\n%s",
                          gzk_type_name(type), carrier->threads, backend->prelude, gzk_carry_knl);
    if (!text)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    spec.text = text;
    int status = backend->program_new(carrier->device, &spec, &carrier->program, error);
    free(text);
    return status;
}

int gzk_carrier_new(struct gzk_device *device, enum gzk_type type, struct gzk_carrier **made,
                    struct gzk_error *error)
{
    struct gzk_carrier *carrier = calloc(1, sizeof *carrier);
    int most = device->info.max_threads;

    if (!carrier)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    carrier->device = device;
    carrier->threads = device->info.is_cpu ? 1 : most < GPU_THREADS ? most : GPU_THREADS;
    int status = make_program(carrier, type, error);
    if (status != 0) {
        gzk_carrier_free(carrier);
        return status;
    }
    *made = carrier;
    return 0;
}

void gzk_carrier_free(struct gzk_carrier *carrier)
{
    if (carrier)
        carrier->device->backend->program_free(carrier->device, carrier->program);
    free(carrier);
}

struct gzk_area gzk_area_in(struct gzk_buffer *array, const int size[3], const int begin[3])
{
    size_t row = (size_t)begin[2] * (size_t)size[1] + (size_t)begin[1];
    return (struct gzk_area){array, row * (size_t)size[0] + (size_t)begin[0], size[0], size[1]};
}

struct gzk_area gzk_area_packed(struct gzk_buffer *array, size_t at, const int extent[3])
{
    return (struct gzk_area){array, at, extent[0], extent[1]};
}

/* Groups enough to keep the device busy, of one thread's or a CPU's core's work each at least. */
static int groups_for(const struct gzk_carrier *carrier, int count)
{
    const struct gzk_device_info *info = &carrier->device->info;
    int most = info->is_cpu ? GROUPS_A_UNIT * info->units : (count - 1) / carrier->threads + 1;
    return most < 1 ? 1 : most < count ? most : count;
}

struct gzk_launch gzk_carrier_launch(const struct gzk_carrier *carrier, struct gzk_area from,
                                     struct gzk_area to, const int extent[3])
{
    int count = extent[0] * extent[1] * extent[2];
    const struct gzk_arg args[] = {
        gzk_arg_buffer(from.array), gzk_arg_buffer(to.array), gzk_arg_int((int)from.at),
        gzk_arg_int(from.row),      gzk_arg_int(from.plane),  gzk_arg_int((int)to.at),
        gzk_arg_int(to.row),        gzk_arg_int(to.plane),    gzk_arg_int(extent[0]),
        gzk_arg_int(extent[1]),     gzk_arg_int(count)};
    struct gzk_launch launch = {.groups = groups_for(carrier, count),
                                .count = (int)(sizeof args / sizeof *args)};
    memcpy(launch.args, args, sizeof args);
    return launch;
}

int gzk_carrier_run(const struct gzk_carrier *carrier, const struct gzk_launch *launches, int count,
                    const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    double seconds;
    return carrier->device->backend->run(carrier->device, carrier->program, launches, (size_t)count,
                                         GZ_SYNC_RESTART, stop, &seconds, error);
}
