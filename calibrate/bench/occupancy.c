/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exponent of the norm in which gz2 joins latency and bandwidths: from a copy of
 * device memory by one block on each multiprocessor, by half of those that fit, and by all.
 * One group's copy waits for latency, all groups' for bandwidth; the exponent says how softly the
 * one gives way to the other.
 */
#include "bench.h"

#include "calibrate_embedded.h"
#include "knee.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

struct own {
    double resident[GZC_KNEE_POINTS]; /* groups on a multiprocessor */
    long amount[GZC_KNEE_POINTS];     /* of each, chosen at the first run */
};

static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    const struct gzc_context *context = state->context;
    struct own *own = state->own;
    bool known;
    if (context->device->info.is_cpu) {
        snprintf(state->why, sizeof state->why, "a core runs one block at a time");
        return 0;
    }
    int status = gzc_bench_compile(state, 0, context->threads, error);
    if (status != 0)
        return status;
    int all = gzc_resident(context->device, state->kernel.program, &known);
    int each = all / context->device->info.units;
    if (!known)
        snprintf(state->why, sizeof state->why,
                 "the driver does not say how many blocks a multiprocessor holds");
    else if (each < 3)
        snprintf(state->why, sizeof state->why,
                 "a multiprocessor holds only %d blocks of %d threads", each, context->threads);
    own->resident[0] = 1;
    own->resident[1] = (each + 1) / 2;
    own->resident[2] = each;
    gzc_copy_arguments(state);
    return 0;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    struct own *own = state->own;
    double chunk_s[GZC_KNEE_POINTS], exponent;
    int status = 0;
    for (int k = 0; k < GZC_KNEE_POINTS && status == 0; k++) {
        state->kernel.launch.groups = (int)own->resident[k] * state->context->device->info.units;
        state->kernel.amount = own->amount[k];
        status = gzc_measure_slope(state, gzc_copy_on, 1 << 20, &chunk_s[k], error);
        own->amount[k] = state->kernel.amount;
    }
    if (status == 0 && gzc_knee_fit(own->resident, chunk_s, &exponent))
        samples[0] = exponent;
    return status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    const struct own *own = state->own;
    (void)property;
    snprintf(text, size, "copy by 1, %g and %g blocks of %d threads on each multiprocessor",
             own->resident[1], own->resident[2], state->context->threads);
}

const struct gzc_bench gzc_bench_occupancy = {
    .name = "copy at three occupancies",
    .properties = {{.key = "term_norm", .name = "norm's exponent"}},
    .sources = {{"copy", gzc_copy_knl}},
    .gz2 = true,
    .own_bytes = sizeof(struct own),
    .prepare = prepare,
    .run = run,
    .note = note,
};
