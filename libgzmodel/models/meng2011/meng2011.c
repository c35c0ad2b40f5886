/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * meng2011.c - the model of J. Meng, K. Skadron, "A Performance Study for Iterative Stencil Loops
 * on GPUs with Ghost Zone Optimizations", Int. J. Parallel Programming 39 (2011) 115-142, behind
 * the contract of models/model.h.
 */
#include "meng2011.h"

static const gzi_term terms[GZI_TERMS] = {
    [GZI_GLB_SYNC] = {"GlbSync", "synchronising the blocks"},
    [GZI_LOAD_STEN] = {"LoadSten", "loading the tiles"},
    [GZI_COMMIT] = {"Commit", "storing the results"},
    [GZI_MISC_COMP] = {"MiscComp", "instructions once per thread and stage"},
    [GZI_ITER_COMP] = {"IterComp", "instructions of the stencil"},
    [GZI_ITER_MEM] = {"IterMem", "loads within the stencil"},
};

const gzi_model gzi_meng2011 = {
    .name = "meng2011",
    .summary = "Meng and Skadron's equations of 2011, smooth in every count",
    .terms = terms,
    .term_count = GZI_TERMS,
    .variants = 1u << GZ_VARIANT_TRAPEZOID,
    .larger_tile_never_worse = 1,
    .predict = gzi_cpl_predict,
    .curve = gzi_cpl_curve,
    .gradient = gzi_cpl_gradient,
    .minimise = gzi_newton,
    .work_new = gzi_newton_new,
    .work_free = gzi_newton_free,
    .fence_rule = gzi_fence_rule,
};
