/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of device memory, bytes/s, read plus written: copies one array to another that no
 * cache holds.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

/* Where the range of chunks stands among copy.knl's arguments. */
enum { COPY_FROM = 3, COPY_TO = 4 };

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct gzc_kernel *kernel = &state->kernel;
    int status = gzc_bench_compile_full(state, error);
    gzc_kernel_add(kernel, gzk_arg_buffer(context->from));
    gzc_kernel_add(kernel, gzk_arg_buffer(context->to));
    gzc_kernel_add(kernel, gzk_arg_long((int64_t)(context->stream_bytes / GZC_CHUNK_BYTES)));
    gzc_kernel_add(kernel, gzk_arg_long(0));
    gzc_kernel_add(kernel, gzk_arg_long(0));
    return status;
}

/* Copies as many chunks as the amount says, on from where the last copy ended, so that what is
 * copied has left the cache since it was last touched. */
static int copy_on(struct gzc_bench_state *state, long amount, double *seconds,
                   struct gzk_error *error)
{
    struct gzk_launch *launch = &state->kernel.launch;
    launch->args[COPY_FROM].l = launch->args[COPY_TO].l;
    launch->args[COPY_TO].l += amount;
    return gzc_launch(state, launch, seconds, error);
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double chunk_s;
    int status = gzc_measure_slope(state, copy_on, 1 << 20, &chunk_s, error);
    samples[0] = 2.0 * GZC_CHUNK_BYTES / chunk_s;
    return status;
}

/* The first chunk begins with what was there. */
static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    int32_t from, before;
    int status = device->backend->read(device, state->context->from, &from, sizeof from, error);
    before = ~from;
    return status == 0 ? gzc_bench_prove(state, state->context->to, &before, &from, sizeof from,
                                         copy_on, 1, error)
                       : status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    (void)property;
    snprintf(text, size, "copy of %.0f MiB, read plus written",
             (double)state->context->stream_bytes / (1 << 20));
}

const struct gzc_bench gzc_bench_bandwidth = {
    .name = "memory bandwidth",
    .properties = {{.key = "mem_bandwidth", .name = "memory bandwidth", .needed = true}},
    .sources = {{.name = "copy", .text = gzc_copy_knl}},
    .prepare = prepare,
    .check = check,
    .run = run,
    .note = note,
};
