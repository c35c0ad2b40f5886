/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of a busy multiprocessor's load and store unit to shared memory, bytes/s.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <limits.h>

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double round_s;
    int status = gzc_measure_slope(state, gzc_run_once, INT_MAX / 4, &round_s, error);
    samples[0] = gzc_bench_lanes(state) * sizeof(float) / round_s;
    return status;
}

static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    const float before[] = {1, -1}, after[] = {1, 1};
    return gzc_bench_prove(state, state->context->to, before, after, sizeof before, gzc_run_once, 1,
                           error);
}

const struct gzc_bench gzc_bench_shared_bandwidth = {
    .name = "shared memory",
    .properties = {{.key = "shared_bandwidth", .name = "bandwidth of shared memory"}},
    .sources = {{.name = "local_reads", .text = gzc_local_reads_knl, .local_bytes = 12 << 10}},
    .gz2 = true,
    .lacks_cpu = "a core has no local memory of its own",
    .prepare = gzc_bench_prepare_rounds,
    .check = check,
    .run = run,
    .how = "reading rows of 32 words again and again",
};
