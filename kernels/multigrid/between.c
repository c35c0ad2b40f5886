/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "between.h"

#include "data.h"
#include "kernel_text.h"
#include "multigrid_texts.h"

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
                   [GZM_NORM_KERNEL] = {{"norm.knl", gzm_norm_knl}, "gz_norm", 4},
                   [GZM_ROUND_KERNEL] = {{"norm.knl", gzm_norm_knl}, "gz_norm", 4},
                   [GZM_CORRECT_KERNEL] = {{"correct.knl", gzm_correct_knl}, "gz_correct", 0}};
    bool rounds = kernel == GZM_ROUND_KERNEL;
    const struct gzk_part parts[] = {
        {"rounds", rounds ? "#define GZM_ROUNDS 1\n" : "#define GZM_ROUNDS 0\n"},
        {"operators.h", gzm_operators_h},
        {"level.knl", gzm_level_knl},
        {"coarse.knl", gzm_coarse_knl},
        kernels[kernel].part};
    int elements = kernels[kernel].half_rows * between->block[0] / 2 + 2;
    return (struct gzk_program_spec){.text = gzk_kernel_text_of(between, prelude, parts, 5),
                                     .name = kernels[kernel].name,
                                     .threads = between->threads[0],
                                     .local_bytes =
                                         (size_t)elements * gzk_type_bytes(between->stencil->type)};
}
