/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a barrier of a block's own threads takes, s: of a group of one warp, and of each warp
 * more; one group on each multiprocessor, which does nothing else.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 4 /* numbers of warps */ };

struct own {
    int warps[POINTS];
    struct gzk_program *program[POINTS]; /* a block's size is compiled in */
    long amount[POINTS];                 /* of each, chosen at the first run */
};

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    const struct gzk_device_info *info = &context->device->info;
    struct own *own = state->own;
    int most = info->warp > 0 ? info->max_threads / info->warp : 0, status = 0;
    if (info->is_cpu)
        snprintf(state->why, sizeof state->why, "a core runs the threads of a block in order");
    else if (most < POINTS)
        snprintf(state->why, sizeof state->why,
                 "the driver does not say how many threads issue together");
    if (state->why[0])
        return 0;
    for (int k = 0; k < POINTS && status == 0; k++) {
        own->warps[k] = 1 + (most - 1) * k / (POINTS - 1);
        status = gzc_bench_compile(state, 0, own->warps[k] * info->warp, error);
        own->program[k] = state->kernel.program;
        state->kernel.program = NULL;
    }
    if (status != 0 && !*context->stop) {
        snprintf(state->why, sizeof state->why, "%.199s", error->text);
        status = 0;
    }
    state->kernel.launch.groups = info->units;
    gzc_kernel_buffer(&state->kernel, context->to);
    gzc_kernel_int(&state->kernel, 0);
    return status;
}

static void end(struct gzc_bench_state *state)
{
    struct own *own = state->own;
    struct gzk_device *device = state->context->device;
    for (int k = 0; k < POINTS; k++)
        device->backend->program_free(device, own->program[k]);
}

/* A line through the time of one barrier over the warps beyond the first. */
static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    struct own *own = state->own;
    struct gzc_kernel *kernel = &state->kernel;
    double more[POINTS], barrier_s[POINTS];
    struct gzc_line line;
    int status = 0;
    for (int k = 0; k < POINTS && status == 0; k++) {
        more[k] = own->warps[k] - 1;
        kernel->program = own->program[k];
        kernel->amount = own->amount[k];
        status = gzc_measure_slope(state, gzc_run_once, INT_MAX / 4, &barrier_s[k], error);
        own->amount[k] = kernel->amount;
        kernel->program = NULL;
    }
    if (status == 0 && gzc_fit_line(more, barrier_s, POINTS, &line)) {
        samples[0] = line.intercept.value;
        samples[1] = line.slope.value;
    }
    return status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    const struct own *own = state->own;
    snprintf(text, size, "%s over 1 to %d warps of one block on each multiprocessor",
             property == 0 ? "intercept" : "slope", own->warps[POINTS - 1]);
}

const struct gzc_bench gzc_bench_group_barrier = {
    .name = "barrier of a block",
    .properties = {{.key = "barrier_latency", .name = "barrier of one warp", .positive = true},
                   {.key = "barrier_warp",
                    .name = "barrier's time for each warp more",
                    .positive = true}},
    .sources = {{"group_barriers", gzc_group_barriers_knl}},
    .gz2 = true,
    .own_bytes = sizeof(struct own),
    .prepare = prepare,
    .end = end,
    .run = run,
    .note = note,
};
