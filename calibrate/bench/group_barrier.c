/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of a barrier of a block's own threads, s: of one block of 8 warps on each
 * multiprocessor, which does nothing else.
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <limits.h>
#include <stdio.h>

enum { WARPS = 8 };

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzk_device_info *info = &state->context->device->info;
    if (info->warp <= 0 || info->max_threads < WARPS * info->warp) {
        snprintf(state->why, sizeof state->why,
                 "the driver does not say how many threads issue together");
        return 0;
    }
    int status = gzc_bench_compile(state, 0, WARPS * info->warp, error);
    state->kernel.launch.groups = info->units;
    gzc_kernel_add(&state->kernel, gzk_arg_buffer(state->context->to));
    gzc_kernel_add(&state->kernel, gzk_arg_int(0));
    return status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    return gzc_measure_slope(state, gzc_run_once, INT_MAX / 4, &samples[0], error);
}

const struct gzc_bench gzc_bench_group_barrier = {
    .name = "barrier of a block",
    .properties = {{.key = "barrier_latency", .name = "barrier of a block", .positive = true}},
    .sources = {{.name = "group_barriers", .text = gzc_group_barriers_knl}},
    .gz2 = true,
    .lacks_cpu = "a core runs the threads of a block in order",
    .prepare = prepare,
    .check = gzc_prove_empty,
    .run = run,
    .how = "one block of 8 warps on each multiprocessor",
};
