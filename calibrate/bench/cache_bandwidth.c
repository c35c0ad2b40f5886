/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of the largest cache, bytes/s: reads again and again what that cache holds and the
 * caches of single cores do not.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

enum {
    SWEEP_BYTES = 16 << 20, /* at most; no core has a cache of its own of that size */
    LINE = 32               /* elements, as in stretch.knl */
};

static size_t sweep_bytes(const struct gzc_bench_state *state)
{
    size_t half = state->context->device->info.cache_bytes / 2;
    return half > SWEEP_BYTES ? SWEEP_BYTES : half;
}

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct gzc_kernel *kernel = &state->kernel;
    if (sweep_bytes(state) == 0) {
        snprintf(state->why, sizeof state->why, "the device states no cache");
        return 0;
    }
    int status = gzc_bench_compile_full(state, error);
    gzc_kernel_add(kernel, gzk_arg_buffer(context->from));
    gzc_kernel_add(kernel, gzk_arg_buffer(context->to));
    gzc_kernel_add(kernel, gzk_arg_long((int64_t)(sweep_bytes(state) / sizeof(int32_t))));
    gzc_kernel_add(kernel, gzk_arg_int(0));
    return status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double pass_s;
    int status = gzc_measure_slope(state, gzc_run_once, 1 << 20, &pass_s, error);
    samples[0] = (double)sweep_bytes(state) / pass_s;
    return status;
}

/* Sweeps one line, which the last group reads in the first pass and the first one in the last. */
static int sweep_line(struct gzc_bench_state *state, long passes, double *seconds,
                      struct gzk_error *error)
{
    struct gzk_arg *count = &state->kernel.launch.args[2];
    int64_t all = count->l;
    count->l = LINE;
    int status = gzc_run_once(state, passes, seconds, error);
    count->l = all;
    return status;
}

/* The first thread's sum over a line. */
static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    uint32_t line[LINE], sum = 0;
    int status =
        context->device->backend->read(context->device, context->from, line, sizeof line, error);
    if (status != 0)
        return status;
    for (int i = 0; i < LINE; i += context->threads)
        sum += line[i];
    uint32_t before = ~sum;
    return gzc_bench_prove(state, context->to, &before, &sum, sizeof sum, sweep_line,
                           state->kernel.launch.groups, error);
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)property;
    snprintf(text, size, "reading %.1f MiB again and again",
             (double)sweep_bytes(state) / (1 << 20));
}

const struct gzc_bench gzc_bench_cache_bandwidth = {
    .name = "cache bandwidth",
    .properties = {{.key = "cache_bandwidth", .name = "cache bandwidth"}},
    .sources = {{.name = "sweep", .text = gzc_sweep_knl}},
    .prepare = prepare,
    .check = check,
    .run = run,
    .note = note,
};
