/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bandwidth of device memory, bytes/s, read plus written: copies one array to another that no
 * cache holds.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <stdio.h>

/* Chunks copied so far. */
struct own {
    int64_t copied;
};

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct gzc_kernel *kernel = &state->kernel;
    int status = gzc_bench_compile(state, 0, context->threads, error);
    if (status != 0)
        return status;
    kernel->launch.groups = gzc_bench_fill(state);
    gzc_kernel_buffer(kernel, context->from);
    gzc_kernel_buffer(kernel, context->to);
    gzc_kernel_long(kernel, (int64_t)(context->stream_bytes / GZC_CHUNK_BYTES));
    gzc_kernel_long(kernel, 0);
    gzc_kernel_long(kernel, 0);
    return 0;
}

/* Copies as many chunks as the amount says, on from where the last copy ended, so that what is
 * copied has left the cache since it was last touched. */
static int copy(struct gzc_bench_state *state, long amount, double *seconds,
                struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct own *own = state->own;
    struct gzk_launch launch = state->kernel.launch;
    launch.args[3].l = own->copied;
    launch.args[4].l = own->copied += amount;
    return context->device->backend->run(context->device, state->kernel.program, &launch, 1,
                                         GZ_SYNC_RESTART, context->stop, seconds, error);
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double chunk_s;
    int status = gzc_measure_slope(state, copy, 1 << 20, &chunk_s, error);
    samples[0] = 2.0 * GZC_CHUNK_BYTES / chunk_s;
    return status;
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
    .sources = {{"copy", gzc_copy_knl}},
    .own_bytes = sizeof(struct own),
    .prepare = prepare,
    .run = run,
    .note = note,
};
