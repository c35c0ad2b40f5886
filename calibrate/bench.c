/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Most benchmarks have the same form: a kernel, or a row of launches, does an amount of work that
 * is an argument; the amount is chosen once so that the longest point takes sample_s; the slope of
 * time over amount is the sample.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "files.h"
#include "output.h"
#include "registry.h"
#include "tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 4,          /* amounts of work on a line */
    REPEATS = 6,         /* runs of each, of which the least disturbed counts */
    ENOUGH = 12,         /* times sample_s: after two repeats, no more if that much must be spent */
    SCRATCH_BYTES = 128, /* of an empty kernel; no cache's line is longer */
    UNKNOWN_PER_UNIT = 8 /* blocks per multiprocessor without a query, the paper's Table 1 */
};

/* ------------------------------------------------------------------------------------ kernels */

char *gzc_kernel_text(const char *prelude, const struct gzc_source *source, int threads, int lanes)
{
    return cli_text(
        "#define GZ_T %s\n#define GZ_THREADS %d\n"
        "#define GZ_LANES %d\n#define GZ_ADDS %d\n#define GZ_CHUNK %d\n#line 1 \"prelude\"\n"
        "%s\n#line 1 \"stretch.knl\"\n%s\n#line 1 \"%s.knl\"\n%s",
        source->type ? source->type : "float", threads, lanes, (int)GZC_ADDS,
        (int)(GZC_CHUNK_BYTES / sizeof(int32_t)), prelude, gzc_stretch_knl, source->name,
        source->text);
}

int gzc_bench_compile_text(struct gzc_bench_state *state, char *text, const char *name, int threads,
                           size_t local_bytes, struct gzk_error *error)
{
    const struct gzk_program_spec spec = {
        .text = text, .name = name, .threads = threads, .local_bytes = local_bytes};
    if (!*state->context->stop)
        return gzk_device_build(state->context->device, spec, &state->kernel.program, error);
    free(text);
    return gzk_fail(error, GZK_FAILED, "interrupted");
}

int gzc_bench_compile(struct gzc_bench_state *state, int number, int threads,
                      struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    const struct gzc_source *source = &state->bench->sources[number];
    char entry[40];
    snprintf(entry, sizeof entry, "gz_%s", source->name);
    return gzc_bench_compile_text(
        state, gzc_kernel_text(context->device->backend->prelude, source, threads, context->lanes),
        entry, threads, source->local_bytes, error);
}

int gzc_bench_compile_empty(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    int status = gzc_bench_compile(state, 0, context->reference_threads, error);
    if (status == 0)
        status = context->device->backend->buffer_new(context->device, SCRATCH_BYTES,
                                                      &state->scratch, error);
    state->kernel.launch.groups = context->concurrent;
    gzc_kernel_add(&state->kernel, gzk_arg_buffer(state->scratch));
    gzc_kernel_add(&state->kernel, gzk_arg_int(0));
    return status;
}

/* ---------------------------------------------------------------------------------- launching */

void gzc_kernel_add(struct gzc_kernel *kernel, struct gzk_arg argument)
{
    kernel->launch.args[kernel->launch.count++] = argument;
}

int gzc_resident(struct gzk_device *device, const struct gzk_program *program, bool *known)
{
    struct gzk_error ignored;
    int groups = 0;
    *known = device->backend->resident(device, program, &groups, &ignored) == 0 && groups > 0;
    return *known ? groups : UNKNOWN_PER_UNIT * device->info.units;
}

int gzc_bench_fill(const struct gzc_bench_state *state)
{
    bool known;
    return gzc_resident(state->context->device, state->kernel.program, &known);
}

int gzc_bench_compile_full(struct gzc_bench_state *state, struct gzk_error *error)
{
    int status = gzc_bench_compile(state, 0, state->context->threads, error);
    if (status == 0)
        state->kernel.launch.groups = gzc_bench_fill(state);
    return status;
}

int gzc_bench_prepare_rounds(struct gzc_bench_state *state, struct gzk_error *error)
{
    int status = gzc_bench_compile_full(state, error);
    gzc_kernel_add(&state->kernel, gzk_arg_buffer(state->context->to));
    gzc_kernel_add(&state->kernel, gzk_arg_int(0));
    return status;
}

double gzc_bench_lanes(const struct gzc_bench_state *state)
{
    const struct gzc_context *context = state->context;
    return (double)context->lanes * context->threads * state->kernel.launch.groups /
           context->device->info.units;
}

int gzc_launch(const struct gzc_bench_state *state, const struct gzk_launch *launch,
               double *seconds, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    return context->device->backend->run(context->device, state->kernel.program, launch, 1,
                                         GZ_SYNC_RESTART, context->stop, seconds, error);
}

int gzc_launch_row(const struct gzc_bench_state *state, const struct gzk_launch *gate, long count,
                   gz_sync sync, double *seconds, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    size_t all = (size_t)count + (gate != NULL);
    struct gzk_launch *launches = cli_room(all, sizeof *launches);
    for (size_t i = 0; i < all; i++)
        launches[i] = gate && i == 0 ? *gate : state->kernel.launch;
    int status = context->device->backend->run(context->device, state->kernel.program, launches,
                                               all, sync, context->stop, seconds, error);
    free(launches);
    return status;
}

int gzc_run_once(struct gzc_bench_state *state, long amount, double *seconds,
                 struct gzk_error *error)
{
    struct gzk_launch launch = state->kernel.launch;
    struct gzk_arg *last = &launch.args[launch.count - 1];
    if (last->kind == GZK_ARG_INT)
        last->i = (int32_t)amount;
    else
        last->l = amount;
    return gzc_launch(state, &launch, seconds, error);
}

int gzc_bench_prove(struct gzc_bench_state *state, struct gzk_buffer *buffer, const void *before,
                    const void *after, size_t bytes, gzc_runner *run, long amount,
                    struct gzk_error *error)
{
    enum { MOST_BYTES = 256 };
    struct gzk_device *device = state->context->device;
    char there[MOST_BYTES] = {0};
    double seconds;
    int status = device->backend->write(device, buffer, before, bytes, error);
    if (status == 0)
        status = run(state, amount, &seconds, error);
    if (status == 0)
        status = device->backend->read(device, buffer, there, bytes, error);
    if (status == 0 && memcmp(there, after, bytes) != 0)
        status = gzk_fail(error, GZK_FAILED,
                          "%s: the kernel of the benchmark \"%s\" computes wrongly or nothing",
                          device->info.address, state->bench->name);
    return status == 0 ? device->backend->fill(device, buffer, 0, bytes, error) : status;
}

int gzc_prove_empty(struct gzc_bench_state *state, struct gzk_error *error)
{
    const int32_t before = 0, after = -1;
    return gzc_bench_prove(state, state->kernel.launch.args[0].buffer, &before, &after,
                           sizeof before, gzc_run_once, after, error);
}

/* -------------------------------------------------------------------------------------- lines */

int gzc_choose_amount(struct gzc_bench_state *state, gzc_runner *run, long most,
                      struct gzk_error *error)
{
    struct gzc_kernel *kernel = &state->kernel;
    double seconds = 0, sample_s = state->context->sample_s;
    if (kernel->amount > 0)
        return 0;
    for (kernel->amount = POINTS;; kernel->amount *= 2) {
        int status = run(state, kernel->amount, &seconds, error);
        /* The first run also pays for what is done once, such as touching memory. */
        if (status == 0 && kernel->amount == POINTS)
            status = run(state, kernel->amount, &seconds, error);
        if (status != 0) {
            kernel->amount = 0;
            return status;
        }
        if (seconds >= sample_s / 4 || kernel->amount > most / 2)
            break;
    }
    double scale = seconds > 0 ? sample_s / seconds : 1;
    double amount = fmin(fmax((double)kernel->amount * scale, POINTS), (double)most);
    kernel->amount = (long)amount / POINTS * POINTS;
    return 0;
}

int gzc_measure_line(struct gzc_bench_state *state, gzc_runner *run, long most,
                     struct gzc_line *line, struct gzk_error *error)
{
    double amount[POINTS], least[POINTS], repeat_s = 0; /* undisturbed */
    double enough_s = ENOUGH * state->context->sample_s;
    int status = gzc_choose_amount(state, run, most, error);
    for (int p = 0; p < POINTS; p++)
        least[p] = HUGE_VAL;
    /* Up and down by turns, so that drift does not look like a slope. */
    for (int r = 0; r < REPEATS && (r < 2 || r * repeat_s < enough_s); r++) {
        for (int k = 0; k < POINTS && status == 0; k++) {
            int p = r % 2 ? POINTS - 1 - k : k;
            double seconds = 0;
            amount[p] = (double)(state->kernel.amount / POINTS * (p + 1));
            status = run(state, (long)amount[p], &seconds, error);
            least[p] = fmin(least[p], seconds);
        }
        repeat_s = 0;
        for (int p = 0; p < POINTS; p++)
            repeat_s += least[p];
    }
    if (status != 0)
        return status;
    if (!gzc_fit_line(amount, least, POINTS, line))
        return gzk_fail(error, GZK_FAILED, "the timings of %s do not fit a line",
                        state->context->device->info.address);
    return 0;
}

int gzc_measure_slope(struct gzc_bench_state *state, gzc_runner *run, long most, double *slope,
                      struct gzk_error *error)
{
    struct gzc_line line;
    int status = gzc_measure_line(state, run, most, &line, error);
    *slope = status == 0 && line.slope.value > 0 ? line.slope.value : (double)NAN;
    return status;
}

int gzc_measure_adds(struct gzc_bench_state *state, double *each_s, struct gzk_error *error)
{
    int status = gzc_measure_slope(state, gzc_run_once, INT32_MAX / 4, each_s, error);
    *each_s /= GZC_ADDS * gzc_bench_lanes(state) / GZC_WARP;
    return status;
}

/* ------------------------------------------------------------------------------ the benchmarks */

int gzc_bench_open(struct gzc_bench_state *state, const struct gzc_bench *bench,
                   struct gzc_context *context, struct gzk_error *error)
{
    *state = (struct gzc_bench_state){.bench = bench, .context = context};
    const char *lack = context->device->info.is_cpu ? bench->lacks_cpu : NULL;
    state->own = cli_room(bench->own_bytes, 1);
    if (lack) {
        snprintf(state->why, sizeof state->why, "%s", lack);
        return 0;
    }
    int status = bench->prepare(state, error);
    return status == 0 && !state->why[0] && bench->check ? bench->check(state, error) : status;
}

int gzc_bench_run(struct gzc_bench_state *state, double samples[GZC_BENCH_PROPERTIES],
                  struct gzk_error *error)
{
    for (int p = 0; p < GZC_BENCH_PROPERTIES; p++)
        samples[p] = (double)NAN;
    return state->why[0] ? 0 : state->bench->run(state, samples, error);
}

void gzc_bench_close(struct gzc_bench_state *state)
{
    if (!state->bench)
        return;
    struct gzk_device *device = state->context->device;
    device->backend->buffer_free(device, state->scratch);
    free(state->own);
    *state = (struct gzc_bench_state){0};
}

/* --------------------------------------------------------------------------------- the context */

void gzc_reference_config(const struct gzk_device *device, gz_sync sync, struct gzk_config *config)
{
    const struct gzk_stencil *stencil = gzk_stencil_find("hotspot");
    *config = (struct gzk_config){.stencil = stencil,
                                  .variant = GZK_TRAPEZOID,
                                  .sync = sync,
                                  .height = 1,
                                  .loops = 1,
                                  .contract = true};
    memcpy(config->size, stencil->default_size, sizeof config->size);
    memcpy(config->block, stencil->default_block, sizeof config->block);
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
}

static int ask_reference(struct gzc_context *context, struct gzk_error *error)
{
    struct gzk_config config;
    struct gzk_geometry geometry;
    const struct gzk_program *reference;
    bool known;
    gzc_reference_config(context->device, GZ_SYNC_RESTART, &config);
    int status = gzk_geometry_make(&config, &geometry, error);
    if (status == 0)
        status = gzk_device_program(context->device, &config, &reference, error);
    if (status != 0)
        return status;
    context->concurrent = gzc_resident(context->device, reference, &known);
    context->reference_threads = geometry.thread_count;
    return 0;
}

static size_t clamp_bytes(size_t bytes, size_t least, size_t most)
{
    bytes = bytes < least ? least : bytes;
    bytes = bytes > most ? most : bytes;
    return bytes < GZC_CHUNK_BYTES ? GZC_CHUNK_BYTES : bytes / GZC_CHUNK_BYTES * GZC_CHUNK_BYTES;
}

int gzc_context_open(struct gzc_context *context, struct gzk_device *device, double sample_s,
                     const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    const struct gzk_device_info *info = &device->info;
    const struct gzk_backend *backend = device->backend;
    size_t most = info->memory_bytes / 8;
    *context = (struct gzc_context){.device = device, .stop = stop, .sample_s = sample_s};
    /* A CPU's compiler makes vectors of a thread's sums, so one thread has four warps' worth; a GPU
     * has many threads to hide latency with. */
    context->threads = info->is_cpu ? 1 : info->max_threads < 256 ? info->max_threads : 256;
    context->lanes = info->is_cpu ? 4 * GZC_WARP : 8;
    /* Indices into the arrays are 32-bit. */
    if (most > (size_t)1 << 32)
        most = (size_t)1 << 32;
    /* A CPU's cache may be that of a whole server, and takes a while to walk through. */
    context->stream_bytes =
        clamp_bytes((info->is_cpu ? 2 : 4) * info->cache_bytes, (size_t)64 << 20, most);
    int status = backend->buffer_new(device, context->stream_bytes, &context->from, error);
    if (status == 0)
        status = backend->buffer_new(device, context->stream_bytes, &context->to, error);
    if (status == 0)
        status = backend->fill(device, context->from, 0, context->stream_bytes, error);
    if (status == 0)
        status = backend->fill(device, context->to, 0, context->stream_bytes, error);
    return status == 0 ? ask_reference(context, error) : status;
}

void gzc_context_close(struct gzc_context *context)
{
    if (!context->device)
        return;
    const struct gzk_backend *backend = context->device->backend;
    backend->buffer_free(context->device, context->from);
    backend->buffer_free(context->device, context->to);
    *context = (struct gzc_context){0};
}
