/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one warp instruction (32 additions) costs a busy multiprocessor, s.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double round_s;
    int status = gzc_measure_slope(state, gzc_run_once, INT32_MAX / 2, &round_s, error);
    samples[0] = round_s / (GZC_ADDS * gzc_bench_lanes(state) / GZC_WARP);
    return status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)state;
    (void)property;
    snprintf(text, size, "independent additions, 32 to a warp instruction");
}

const struct gzc_bench gzc_bench_instruction = {
    .name = "instruction",
    .properties = {{.key = "cpi", .name = "instruction", .time = true, .needed = true}},
    .sources = {{.name = "add", .text = gzc_add_knl}},
    .prepare = gzc_bench_prepare_rounds,
    .run = run,
    .note = note,
};
