/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The latency of device memory, s: one access that waits for the one before.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "output.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128 }; /* from one element of the chase to the next: no line is longer */

/* One cycle through all lines of an array in random order (Sattolo's shuffle), so that no
 * prefetcher can guess the next. */
static int lay_chain(const struct gzc_context *context, struct gzk_error *error)
{
    size_t step = LINE_BYTES / sizeof(int32_t), lines = context->stream_bytes / LINE_BYTES;
    int32_t *next = cli_room(context->stream_bytes, 1);
    uint32_t *order = cli_room(lines, sizeof *order);
    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = gzk_random(1, i) % i;
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < lines; i++)
        next[order[i] * step] = (int32_t)(order[(i + 1) % lines] * step);
    int status = context->device->backend->write(context->device, context->from, next,
                                                 context->stream_bytes, error);
    free(next);
    free(order);
    return status;
}

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    const struct gzk_backend *backend = context->device->backend;
    struct gzc_kernel *kernel = &state->kernel;
    int status = gzc_bench_compile(state, 0, 1, error);
    if (status == 0) /* where the chase is */
        status = backend->buffer_new(context->device, sizeof(int32_t), &state->scratch, error);
    if (status == 0)
        status = backend->fill(context->device, state->scratch, 0, sizeof(int32_t), error);
    if (status == 0)
        status = lay_chain(context, error);
    kernel->launch.groups = 1;
    gzc_kernel_add(kernel, gzk_arg_buffer(context->from));
    gzc_kernel_add(kernel, gzk_arg_buffer(state->scratch));
    gzc_kernel_add(kernel, gzk_arg_long(0));
    return status;
}

/* The chase goes on where it stopped, so it comes back to a line only after all others. But other
 * benchmarks read the same array: a GPU's cache is filled with the other array before each chase.
 * (A CPU takes far longer to write that much than to chase.) */
static int chase(struct gzc_bench_state *state, long amount, double *seconds,
                 struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    int status = context->device->info.is_cpu
                     ? 0
                     : context->device->backend->fill(context->device, context->to, 0,
                                                      context->stream_bytes, error);
    return status == 0 ? gzc_run_once(state, amount, seconds, error) : status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    long lines = (long)(state->context->stream_bytes / LINE_BYTES);
    return gzc_measure_slope(state, chase, lines / 2, &samples[0], error);
}

/* A step of the chase goes where the first element says. */
static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    const int32_t begin = 0;
    int32_t next;
    int status = device->backend->read(device, state->context->from, &next, sizeof next, error);
    return status == 0
               ? gzc_bench_prove(state, state->scratch, &begin, &next, sizeof next, chase, 1, error)
               : status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)property;
    snprintf(text, size, "pointer chase through %.0f MiB in random order",
             (double)state->context->stream_bytes / (1 << 20));
}

const struct gzc_bench gzc_bench_latency = {
    .name = "memory latency",
    .properties =
        {{.key = "uncontended_latency", .name = "memory latency", .time = true, .needed = true}},
    .sources = {{.name = "chase", .text = gzc_chase_knl}},
    .prepare = prepare,
    .check = check,
    .run = run,
    .note = note,
};
