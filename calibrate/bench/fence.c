/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a barrier of all blocks by memory fences costs, over the number of blocks [Eq. 18]: s
 * per block, and what that line would cost without blocks.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "files.h"
#include "kernel_text.h"
#include "tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS = 6, /* numbers of blocks on the line */
    MOST_ROUNDS = 1000000
};

/* How long a group waits at a barrier before it gives up, nanoseconds. */
static const int64_t patience = INT64_C(700000000);

/* Arrivals, and whether a group gave up. */
typedef uint32_t counters[2];

struct own {
    int blocks; /* that may run at once */
};

/* The stencil's own kernel with the fence, followed by one that has nothing but barriers. */
static char *make_text(const struct gzk_config *config, const char *prelude)
{
    char *stencil = gzk_kernel_text(config, prelude);
    char *text =
        stencil ? cli_text("%s\n#line 1 \"barriers.knl\"\n%s", stencil, gzc_barriers_knl) : NULL;
    free(stencil);
    return text;
}

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    struct gzc_kernel *kernel = &state->kernel;
    struct own *own = state->own;
    struct gzk_config config;
    struct gzk_geometry geometry;
    struct gzk_error refused;
    gzc_reference_config(device, GZ_SYNC_FENCE, &config);
    int status = gzk_geometry_make(&config, &geometry, error);
    if (status == 0)
        status = gzc_bench_compile_text(state, make_text(&config, device->backend->prelude),
                                        "gz_barriers", geometry.thread_count, geometry.local_bytes,
                                        error);
    if (status == 0)
        status = device->backend->buffer_new(device, sizeof(counters), &state->scratch, error);
    if (status != 0)
        return status;
    if (device->backend->resident(device, kernel->program, &own->blocks, &refused) != 0)
        snprintf(state->why, sizeof state->why, "%.199s", refused.text);
    else if (own->blocks < 2)
        snprintf(state->why, sizeof state->why,
                 "only one block runs at a time, so no barrier of several blocks is possible");
    gzc_kernel_add(kernel, gzk_arg_buffer(state->scratch));
    gzc_kernel_add(kernel, gzk_arg_int(0));
    gzc_kernel_add(kernel, gzk_arg_long(patience));
    return 0;
}

/* As many barriers as the amount says. */
static int run_barriers(struct gzc_bench_state *state, long amount, double *seconds,
                        struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    const struct gzk_backend *backend = device->backend;
    counters count;
    struct gzk_launch launch = state->kernel.launch;
    launch.args[1].i = (int32_t)amount;
    int status = backend->fill(device, state->scratch, 0, sizeof count, error);
    if (status == 0)
        status = backend->run(device, state->kernel.program, &launch, 1, GZ_SYNC_FENCE,
                              state->context->stop, seconds, error);
    if (status == 0)
        status = backend->read(device, state->scratch, count, sizeof count, error);
    if (status == 0 && count[1] == 0 && count[0] != (uint32_t)launch.groups * (uint32_t)amount)
        status = gzk_fail(error, GZK_FAILED, "%u arrivals of %d blocks at %ld barriers", count[0],
                          launch.groups, amount);
    if (status == 0 && count[1] != 0)
        status = gzk_fail(error, GZK_FAILED, "%d blocks did not all run at once", launch.groups);
    return status;
}

/* A line through the time of one barrier at several numbers of blocks. */
static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    const struct own *own = state->own;
    double blocks[2 * POINTS], barrier_s[2 * POINTS];
    int n = 0, points = own->blocks < POINTS ? own->blocks : POINTS;
    for (int k = 1; k <= 2 * points; k++) {
        struct gzc_line line;
        struct gzk_error mine;
        /* The amount is chosen for the most blocks, whose barrier is slowest: they come first. */
        int place = k <= points ? points + 1 - k : k - points;
        state->kernel.launch.groups = own->blocks * place / points;
        int status = gzc_measure_line(state, run_barriers, MOST_ROUNDS, &line, &mine);
        if (status != 0 && !*state->context->stop) {
            snprintf(state->why, sizeof state->why, "%.199s", mine.text);
            return 0;
        }
        if (status != 0) {
            *error = mine;
            return status;
        }
        blocks[n] = state->kernel.launch.groups;
        barrier_s[n++] = line.slope.value;
    }
    struct gzc_line line;
    if (gzc_fit_line(blocks, barrier_s, n, &line)) {
        samples[0] = line.slope.value;
        samples[1] = line.intercept.value;
    }
    return 0;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    const struct own *own = state->own;
    snprintf(text, size, "%s over 1 to %d blocks", property == 0 ? "slope" : "intercept",
             own->blocks);
}

const struct gzc_bench gzc_bench_fence = {
    .name = "memory fence",
    .properties = {{.key = "fence_overhead",
                    .name = "memory fence's slope",
                    .time = true,
                    .positive = true,
                    .paper = 210.3},
                   {.key = "fence_intercept", .name = "memory fence's intercept", .time = true}},
    .own_bytes = sizeof(struct own),
    .prepare = prepare,
    .run = run,
    .note = note,
};
