/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry.h"

#include "files.h"
#include "ranks_texts.h"

#include <string.h>

enum { GPU_THREADS = 256, GROUPS_A_UNIT = 4 };

int gzk_carrier_make(struct gzk_device *device, enum gzk_type type, struct gzk_carrier *carrier,
                     struct gzk_error *error)
{
    int most = device->info.max_threads < GPU_THREADS ? device->info.max_threads : GPU_THREADS;
    int threads = device->info.is_cpu ? 1 : most;
    const struct gzk_program_spec spec = {
        .text = cli_text("#define GZ_T %s\n#define GZ_THREADS %d\n#line 1 \"prelude\"\n%s"
                         "#line 1 \"carry.knl\"\n%s",
                         gzk_type_name(type), threads, device->backend->prelude, gzk_carry_knl),
        .name = "gz_carry",
        .threads = threads};

    *carrier = (struct gzk_carrier){.device = device, .threads = threads};
    return gzk_device_build(device, spec, &carrier->program, error);
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
