/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "kernel_text.h"
#include "multigrid_texts.h"

#include <stdlib.h>

struct gzk_config gzm_between(const struct gzk_stencil *residual, const int size[3],
                              const struct gzk_device_info *device, int threads)
{
    enum { CPU_ROW = 512, CPU_ROWS = 8, GPU_ROW = 256, GPU_ROWS = 2 };
    bool is_cpu = device->is_cpu;
    int row = 64, rows = is_cpu ? CPU_ROWS : GPU_ROWS;
    while (row < size[0] && row < (is_cpu ? CPU_ROW : GPU_ROW))
        row *= 2;
    if (threads == 0)
        threads = is_cpu ? 1 : row;
    return (struct gzk_config){
        .stencil = residual,
        .variant = GZK_NAIVE,
        .sync = GZ_SYNC_RESTART,
        .size = {size[0], size[1], size[2]},
        .block = {row, rows, rows},
        .threads = {threads < device->max_threads ? threads : device->max_threads, 1, 1},
        .height = 1,
        .loops = 1};
}

struct gzk_program_spec gzm_between_spec(const struct gzk_config *between, const char *prelude,
                                         enum gzm_kernel kernel)
{
    static const struct {
        struct gzk_part part;
        const char *name;
        int half_rows; /* of local memory, and two elements more */
    } kernels[] = {[GZM_RESTRICT_KERNEL] = {{"restrict.knl", gzm_restrict_knl}, "gz_restrict", 8},
                   [GZM_PROLONG_KERNEL] = {{"prolong.knl", gzm_prolong_knl}, "gz_prolong", 1},
                   [GZM_NORM_KERNEL] = {{"norm.knl", gzm_norm_knl}, "gz_norm", 4}};
    const struct gzk_part parts[] = {{"operators.h", gzm_operators_h},
                                     {"coarse.knl", gzm_coarse_knl},
                                     {"level.knl", gzm_level_knl},
                                     kernels[kernel].part};
    int elements = kernels[kernel].half_rows * between->block[0] / 2 + 2;
    return (struct gzk_program_spec){.text = gzk_kernel_text_of(between, prelude, parts, 4),
                                     .name = kernels[kernel].name,
                                     .threads = between->threads[0],
                                     .local_bytes =
                                         (size_t)elements * (size_t)between->stencil->bytes};
}

void gzm_kernels_make(struct gzm *mg)
{
    mg->between =
        gzm_between(&mg->residual, mg->setup.problem.size, &mg->device->info, mg->setup.threads);
    for (int k = 0; k < GZM_KERNELS && mg->status == 0; k++)
        mg->status = gzk_device_build(
            mg->device,
            gzm_between_spec(&mg->between, mg->device->backend->prelude, (enum gzm_kernel)k),
            &mg->programs[k], mg->error);
    gzm_maxima_make(mg);
}

int gzm_groups(const struct gzm *mg, const struct gzm_level *level, int i)
{
    return (level->data.size[i] - 1) / mg->between.block[i] + 1;
}

/* The elements that count for a norm. */
static void add_box(const struct gzm_level *level, struct gzk_launch *what)
{
    const struct gzk_domain *part = &level->share.part;
    bool divided = level->share.divided;
    for (int end = 0; end < 2; end++)
        for (int d = 0; d < 3; d++)
            what->args[what->count++] = gzk_arg_int(
                divided ? part->lead[d] + end * part->box.extent[d] : end * level->data.size[d]);
}

void gzm_run(struct gzm *mg, struct gzm_level *level, const struct gzk_program *program,
             const struct gzk_launch *launch)
{
    double seconds;
    level->spent.launches += mg->status == 0;
    GZM_TRY(mg, mg->device->backend->run(mg->device, program, launch, 1, GZ_SYNC_RESTART,
                                         mg->setup.stop, &seconds, mg->error));
}

void gzm_launch(struct gzm *mg, struct gzm_level *level, enum gzm_kernel kernel,
                struct gzk_buffer *const more[])
{
    struct gzk_launch what = {.groups = gzm_groups(mg, level, 0),
                              .groups_y = gzm_groups(mg, level, 1),
                              .groups_z = gzm_groups(mg, level, 2)};

    gzk_session_arguments(level->session, &what);
    for (int i = 0; more[i]; i++)
        what.args[what.count++] = gzk_arg_buffer(more[i]);
    if (kernel == GZM_NORM_KERNEL)
        add_box(level, &what);
    gzm_run(mg, level, mg->programs[kernel], &what);
}

void gzm_read(struct gzm *mg, const struct gzk_buffer *from, void *to, size_t bytes)
{
    GZM_TRY(mg, mg->device->backend->read(mg->device, from, to, bytes, mg->error));
}

void gzm_write(struct gzm *mg, struct gzk_buffer *to, const void *from, size_t bytes)
{
    GZM_TRY(mg, mg->device->backend->write(mg->device, to, from, bytes, mg->error));
}

void gzm_clear(struct gzm *mg, struct gzk_buffer *buffer, size_t bytes)
{
    GZM_TRY(mg, mg->device->backend->fill(mg->device, buffer, 0, bytes, mg->error));
}

void *gzm_room(struct gzm *mg, size_t bytes)
{
    void *room = mg->status == 0 ? calloc(1, bytes) : NULL;
    if (!room)
        GZM_TRY(mg, gzk_fail(mg->error, GZK_FAILED, "out of host memory"));
    return room;
}
