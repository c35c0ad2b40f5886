/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a node of a CUDA graph costs, s: an empty kernel after another, as in restart.c.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

enum { LAUNCHES = 240 }; /* in one graph, at most */

/* As many launches in a graph as the amount says. */
static int run_graph(struct gzc_bench_state *state, long amount, double *seconds,
                     struct gzk_error *error)
{
    return gzc_launch_row(state, NULL, amount, GZ_SYNC_GRAPH, seconds, error);
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    struct gzk_error mine;
    /* Always the same number, as of the restarts. */
    state->kernel.amount = LAUNCHES;
    int status = gzc_measure_slope(state, run_graph, LAUNCHES, &samples[0], &mine);
    if (status == GZK_INVALID) {
        snprintf(state->why, sizeof state->why, "%.199s", mine.text);
        return 0;
    }
    if (status != 0)
        *error = mine;
    return status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)property;
    snprintf(text, size, "empty kernels of %d blocks in one CUDA graph",
             state->context->concurrent);
}

const struct gzc_bench gzc_bench_graph = {
    .name = "graph node",
    .properties = {{.key = "graph_overhead", .name = "graph node", .time = true}},
    .sources = {{.name = "empty", .text = gzc_empty_knl}},
    .prepare = gzc_bench_compile_empty,
    .check = gzc_prove_empty,
    .run = run,
    .note = note,
};
