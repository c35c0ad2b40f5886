/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warp instructions in double precision of a busy multiprocessor, 1/s.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    struct gzk_error refused;
    if (*state->context->stop)
        return gzk_fail(error, GZK_FAILED, "interrupted");
    if (gzc_bench_prepare_rounds(state, &refused) != 0)
        snprintf(state->why, sizeof state->why, "there is no double precision: %.150s",
                 refused.text);
    return 0;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double each_s;
    int status = gzc_measure_adds(state, &each_s, error);
    samples[0] = 1 / each_s;
    return status;
}

static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    const double before[] = {1, -1}, after[] = {1, GZC_ADDS};
    return gzc_bench_prove(state, state->context->to, before, after, sizeof before, gzc_run_once, 1,
                           error);
}

const struct gzc_bench gzc_bench_fp64_rate = {
    .name = "double precision",
    .properties = {{.key = "fp64_rate", .name = "instructions in double precision"}},
    .sources = {{.name = "add", .text = gzc_add_knl, .type = "double"}},
    .gz2 = true,
    .lacks_cpu = "a core's costs are those of cells",
    .prepare = prepare,
    .check = check,
    .run = run,
    .how = GZC_HOW_ADDS,
};
