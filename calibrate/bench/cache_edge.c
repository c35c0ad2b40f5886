/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last cache's effective size, bytes, and the bandwidth of device memory beyond it, bytes/s:
 * copies of 16 sizes again and again, all units busy. The driver's sizes of caches are not
 * used: a virtual machine's may be the whole server's. The bandwidth is that of the time beyond
 * what a copy inside the cache takes, as gz2 adds the two.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "edge.h"

#include <math.h>
#include <stdio.h>

enum {
    SIZES = 16,
    LINE = 32, /* elements, as in stretch.knl */
    SWEEPS = 3,
    REPEATS = 2,        /* of each size, of which the least disturbed counts */
    SMALLEST = 2 << 20, /* bytes read plus written: about what cores' own caches hold on a CPU,
                           and less than any last cache */
};

/* On a CPU, whose cache may be a whole server's. */
static const double most_of_cpu = 512 << 20;

struct own {
    double most; /* bytes of the largest copy, read plus written */
};

/* Twice a stream's array, and on a CPU more, as far as memory and the driver allow. */
static double most_bytes(const struct gzc_context *context)
{
    const struct gzk_device_info *info = &context->device->info;
    double streams = 2.0 * (double)context->stream_bytes, room = (double)info->memory_bytes / 8;
    if (info->max_buffer_bytes > 0)
        room = fmin(room, (double)info->max_buffer_bytes);
    return floor(fmin(fmax(streams, info->is_cpu ? most_of_cpu : 0), fmax(room, 2 * SMALLEST)) /
                 256) *
           256;
}

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct gzc_kernel *kernel = &state->kernel;
    struct own *own = state->own;
    own->most = most_bytes(context);
    const struct gzk_backend *backend = context->device->backend;
    int status = gzc_bench_compile_full(state, error);
    if (status == 0)
        status = backend->buffer_new(context->device, (size_t)own->most, &state->scratch, error);
    if (status == 0)
        status = backend->fill(context->device, state->scratch, 0, (size_t)own->most, error);
    gzc_kernel_add(kernel, gzk_arg_buffer(state->scratch));
    gzc_kernel_add(kernel, gzk_arg_buffer(state->scratch));
    gzc_kernel_add(kernel, gzk_arg_long(0));
    gzc_kernel_add(kernel, gzk_arg_int(0));
    gzc_kernel_add(kernel, gzk_arg_long((int64_t)(own->most / 2 / sizeof(int32_t))));
    /* A GPU's first caches would hide the last one; a CPU's stencils have what their cores hold. */
    gzc_kernel_add(kernel, gzk_arg_int(!context->device->info.is_cpu));
    return status;
}

/* Seconds per byte of copies that touch `bytes`, after one that only says how many of them take as
 * long as a sample should. */
static int time_size(struct gzc_bench_state *state, double bytes, double *per_byte,
                     struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct gzk_launch launch = state->kernel.launch;
    double count = floor(bytes / 2 / sizeof(int32_t));
    int passes = 1, status = 0;
    launch.args[2].l = (int64_t)count;
    *per_byte = HUGE_VAL;
    for (int r = 0; r <= REPEATS && status == 0; r++) {
        double seconds = 0;
        launch.args[3].i = passes;
        status = gzc_launch(state, &launch, &seconds, error);
        if (r == 0 && seconds < context->sample_s)
            passes = (int)ceil(fmin(context->sample_s / fmax(seconds, 1e-9), 1e6));
        if (r > 0)
            *per_byte = fmin(*per_byte, seconds / (2 * sizeof(int32_t) * count * passes));
    }
    return status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    double bytes[SIZES], per_byte[SIZES];
    double most = ((const struct own *)state->own)->most;
    struct gzc_edge edge;
    int status = 0;
    for (int k = 0; k < SIZES; k++) {
        bytes[k] = SMALLEST * pow(most / SMALLEST, (double)k / (SIZES - 1));
        per_byte[k] = HUGE_VAL;
    }
    /* Each size several times, some time apart: what disturbs one sweep leaves another alone. */
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < SIZES && status == 0; k++) {
            double seconds;
            status = time_size(state, bytes[k], &seconds, error);
            per_byte[k] = fmin(per_byte[k], seconds);
        }
    if (status == 0 && gzc_edge_fit(bytes, per_byte, SIZES, &edge)) {
        samples[0] = edge.cache;
        samples[1] = 1 / edge.beyond;
        samples[2] = edge.sharpness;
    }
    return status;
}

/* Copies one line to behind it. */
static int copy_line(struct gzc_bench_state *state, long passes, double *seconds,
                     struct gzk_error *error)
{
    struct gzk_launch launch = state->kernel.launch;
    launch.args[2].l = launch.args[4].l = LINE;
    launch.args[3].i = (int32_t)passes;
    return gzc_launch(state, &launch, seconds, error);
}

static int check(struct gzc_bench_state *state, struct gzk_error *error)
{
    int32_t before[LINE + 1], after[LINE + 1];
    for (int i = 0; i <= LINE; i++)
        before[i] = after[i] = 5 + i;
    after[LINE] = after[0];
    return gzc_bench_prove(state, state->scratch, before, after, sizeof before, copy_line, 1,
                           error);
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    static const char *const what[GZC_BENCH_PROPERTIES] = {
        "where time per byte is half-way", "of the time beyond that inside the cache",
        "of the step between the two"};
    snprintf(text, size, "copies of %d sizes from %.0f to %.0f MiB, all units busy: %s", (int)SIZES,
             (double)SMALLEST / (1 << 20), ((const struct own *)state->own)->most / (1 << 20),
             what[property]);
}

const struct gzc_bench gzc_bench_cache_edge = {
    .name = "cache's edge",
    .properties = {{.key = "effective_cache", .name = "last cache's effective size"},
                   {.key = "effective_bandwidth", .name = "bandwidth beyond the cache"},
                   {.key = "cache_sharpness", .name = "sharpness of the cache's edge"}},
    .sources = {{.name = "refill", .text = gzc_refill_knl}},
    .gz2 = true,
    .own_bytes = sizeof(struct own),
    .prepare = prepare,
    .check = check,
    .run = run,
    .note = note,
};
