/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one warp instruction (32 additions) costs a busy multiprocessor, s.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    int status = gzc_bench_compile(state, 0, state->context->threads, error);
    if (status != 0)
        return status;
    state->kernel.launch.groups = gzc_bench_fill(state);
    gzc_kernel_buffer(&state->kernel, state->context->to);
    gzc_kernel_int(&state->kernel, 0);
    return 0;
}

/* Warp instructions of one multiprocessor in one round of add.knl. */
static double adds_per_round(const struct gzc_bench_state *state)
{
    const struct gzc_context *context = state->context;
    double additions = 16.0 * context->lanes * context->threads * state->kernel.launch.groups;
    return additions / GZC_WARP / context->device->info.units;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double round_s;
    int status = gzc_measure_slope(state, gzc_run_once, INT32_MAX / 2, &round_s, error);
    samples[0] = round_s / adds_per_round(state);
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
    .sources = {{"add", gzc_add_knl}},
    .prepare = prepare,
    .run = run,
    .note = note,
};
