/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The core clock, Hz, while every multiprocessor is busy: on a CPU by a chain of dependent
 * operations, under CUDA by the multiprocessors' own counters.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "output.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHAIN, TICKS }; /* the sources */

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    const struct gzk_backend *backend = context->device->backend;
    struct gzc_kernel *kernel = &state->kernel;
    bool cpu = context->device->info.is_cpu;
    if (!cpu && backend != &gzk_cuda) {
        snprintf(state->why, sizeof state->why, "OpenCL shows no device clock; the nominal one");
        return 0;
    }
    int status = gzc_bench_compile(state, cpu ? CHAIN : TICKS, context->threads, error);
    if (status != 0)
        return status;
    kernel->launch.groups = cpu ? context->device->info.units : gzc_bench_fill(state);
    if (!cpu) {
        size_t bytes = (size_t)kernel->launch.groups * 4 * sizeof(int64_t);
        status = backend->buffer_new(context->device, bytes, &state->scratch, error);
        gzc_kernel_add(kernel, gzk_arg_buffer(state->scratch));
    }
    gzc_kernel_add(kernel, gzk_arg_buffer(context->to));
    gzc_kernel_add(kernel, gzk_arg_long(0));
    return status;
}

/* The ratio of the two counters that every group read before and after. */
static int clock_from_ticks(struct gzc_bench_state *state, double *hz, struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    int groups = state->kernel.launch.groups, used = 0;
    int64_t *ticks = cli_room((size_t)groups * 4, sizeof *ticks);
    double *ratio = cli_room((size_t)groups, sizeof *ratio), seconds;
    int status = gzc_choose_amount(state, gzc_run_once, LONG_MAX / 4, error);
    if (status == 0)
        status = gzc_run_once(state, state->kernel.amount, &seconds, error);
    if (status == 0)
        status = device->backend->read(device, state->scratch, ticks,
                                       (size_t)groups * 4 * sizeof *ticks, error);
    for (int g = 0; g < groups && status == 0; g++) {
        int64_t cycles = ticks[4 * g + 2] - ticks[4 * g], ns = ticks[4 * g + 3] - ticks[4 * g + 1];
        if (cycles > 0 && ns > 0)
            ratio[used++] = 1e9 * (double)cycles / (double)ns;
    }
    if (used > 0)
        gsl_sort(ratio, 1, (size_t)used);
    *hz = used > 0 ? gsl_stats_median_from_sorted_data(ratio, 1, (size_t)used) : (double)NAN;
    free(ticks);
    free(ratio);
    return status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double step_s;
    if (!state->context->device->info.is_cpu)
        return clock_from_ticks(state, &samples[0], error);
    int status = gzc_measure_slope(state, gzc_run_once, LONG_MAX / 4, &step_s, error);
    samples[0] = 2 / step_s;
    return status;
}

/* A step of the chain, 7 = (1 + 2) ^ 4, or of the kernel with the counters. */
static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    const int32_t before[] = {1, 2, 4, -1}, after[] = {1, 2, 4, 7};
    const float sum[] = {0.5F, 2, -1}, next[] = {0.5F, 2, 3};
    bool cpu = state->context->device->info.is_cpu;
    return gzc_bench_prove(state, state->context->to, cpu ? (const void *)before : sum,
                           cpu ? (const void *)after : next, cpu ? sizeof before : sizeof sum,
                           gzc_run_once, 1, error);
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)property;
    snprintf(text, size, "%s",
             state->context->device->info.is_cpu
                 ? "chain of dependent operations on all cores, one cycle each assumed"
                 : "clock64 over globaltimer with all multiprocessors busy");
}

const struct gzc_bench gzc_bench_clock = {
    .name = "clock",
    .properties = {{.key = "clock_rate", .name = "clock", .steady = true}},
    .sources = {[CHAIN] = {.name = "chain", .text = gzc_chain_knl},
                [TICKS] = {.name = "ticks", .text = gzc_ticks_knl}},
    .prepare = prepare,
    .check = check,
    .run = run,
    .note = note,
};
