/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * meng2011.c - the model of J. Meng, K. Skadron, "A Performance Study for Iterative Stencil Loops
 * on GPUs with Ghost Zone Optimizations", Int. J. Parallel Programming 39 (2011) 115-142, behind
 * the contract of models/model.h.
 */
#include "meng2011.h"

static const gzi_term terms[GZI_TERMS] = {
    [GZ_TERM_GLB_SYNC] = {"GlbSync", "synchronising the blocks"},
    [GZ_TERM_LOAD_STEN] = {"LoadSten", "loading the tiles"},
    [GZ_TERM_COMMIT] = {"Commit", "storing the results"},
    [GZ_TERM_MISC_COMP] = {"MiscComp", "instructions once per thread and stage"},
    [GZ_TERM_ITER_COMP] = {"IterComp", "instructions of the stencil"},
    [GZ_TERM_ITER_MEM] = {"IterMem", "loads within the stencil"},
};

/* What Eqs. 1 to 32 read, and the limits on a block. */
static const short reads[] = {GZ_P_CLOCK_RATE,
                              GZ_P_MEM_BANDWIDTH,
                              GZ_P_UNCONTENDED_LATENCY,
                              GZ_P_SM_COUNT,
                              GZ_P_BLOCKS_PER_SM,
                              GZ_P_CPI,
                              GZ_P_LAUNCH_OVERHEAD,
                              GZ_P_FENCE_OVERHEAD,
                              GZ_P_FENCE_EXPOSURE,
                              GZ_P_LATENCY_HIDING,
                              GZ_P_DIMENSION_PENALTY,
                              GZ_P_MAX_THREADS_PER_BLOCK,
                              GZ_P_GRAPH_OVERHEAD,
                              GZ_P_SHARED_MEM_PER_BLOCK,
                              GZ_P_ELEMENT_SIZE,
                              GZ_P_STENCIL_ARRAYS,
                              GZ_P_ELEMENTS_PER_OP,
                              GZ_P_PROFILE_SM_COUNT,
                              GZ_P_PROFILE_ELEMENTS,
                              GZ_P_INSTS_PER_SM_MISC,
                              GZ_P_INSTS_PER_SM_ITER,
                              GZ_P_BANK_CONFLICT_RATE,
                              -1};

/* The model's own error covers 95 % of the times of each kept table: on an AMD W7800 0.49, on
 * simulated GPUs at most 0.36; on CPUs, for which it was not made, 0.65 to 0.85. [studies/results,
 * t/612-coverage.c] */
static double form_sd(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    (void)app;
    (void)cfg;
    return dev->warp_size.value == 1 ? 0.85 : 0.5;
}

const gzi_model gzi_meng2011 = {
    .name = "meng2011",
    .terms = terms,
    .term_count = GZI_TERMS,
    .variants = 1u << GZ_VARIANT_TRAPEZOID,
    .larger_tile_never_worse = 1,
    .reads = reads,
    .predict = gzi_cpl_predict,
    .form_sd = form_sd,
    .curve = gzi_cpl_curve,
    .gradient = gzi_cpl_gradient,
    .minimise = gzi_newton,
    .work_new = gzi_newton_new,
    .work_free = gzi_newton_free,
    .fence_rule = gzi_fence_rule,
};
