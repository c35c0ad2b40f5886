/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one warp instruction (32 additions) costs a busy multiprocessor, s.
 */
#include "bench.h"

#include "calibrate_embedded.h"

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    return gzc_measure_adds(state, &samples[0], error);
}

static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    const float before[] = {1, -1}, after[] = {1, GZC_ADDS};
    return gzc_bench_prove(state, state->context->to, before, after, sizeof before, gzc_run_once, 1,
                           error);
}

const struct gzc_bench gzc_bench_instruction = {
    .name = "instruction",
    .properties = {{.key = "cpi", .name = "instruction", .time = true, .needed = true}},
    .sources = {{.name = "add", .text = gzc_add_knl}},
    .prepare = gzc_bench_prepare_rounds,
    .check = check,
    .run = run,
    .how = GZC_HOW_ADDS,
};
