/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a kernel restart costs, s: an empty kernel after another, of as many blocks as run
 * concurrently [Eq. 17].
 */
#include "bench.h"

#include "calibrate_embedded.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    LAUNCHES = 240,    /* in a row, always: queues make the cost depend on the number */
    FEW_LAUNCHES = 16, /* in a short one */
    PAIRS = 25,        /* of a long and a short row, of which the median counts */
    FREE_PAIRS = 5     /* the same without a gate */
};

struct own {
    int32_t gate_spins; /* of the kernel before a row of empty ones; 0: not chosen yet */
    bool free;          /* the next row has none */
    double free_s;      /* a restart without one, on a GPU; the last round's */
};

/* Empty kernels in a row, behind one that is not empty (the gate), in whose time all others are
 * enqueued: the kernels of stencils are long enough for the next to wait in the queue. Without it,
 * a GPU waits for the host; and on a CPU the thread that enqueues and those that execute compete
 * for the same cores, and according to who is ahead a kernel costs several times more in some rows
 * than in others. What remains there is that other programs keep cores awake, which spares waking
 * them: on a busy machine the cost is smaller. */
static int run_row(struct gzc_bench_state *state, long amount, double *seconds,
                   struct gzk_error *error)
{
    const struct own *own = state->own;
    struct gzk_launch gate = state->kernel.launch;
    /* One block, so that a core is left to enqueue from. */
    gate.args[1].i = own->gate_spins;
    gate.groups = 1;
    return gzc_launch_row(state, own->gate_spins > 0 && !own->free ? &gate : NULL, amount,
                          GZ_SYNC_RESTART, seconds, error);
}

/* Pairs of a long row and a short one after it, so that a slow clock slows both; what comes before
 * and after the empty kernels is the same in both and drops out. The median is one restart. */
static int run_pairs(struct gzc_bench_state *state, int pairs, double *restart_s,
                     struct gzk_error *error)
{
    double more[PAIRS], row[2] = {0, 0};
    int status = 0;
    for (int r = 0; r < pairs && status == 0; r++) {
        status = run_row(state, LAUNCHES, &row[0], error);
        if (status == 0)
            status = run_row(state, FEW_LAUNCHES, &row[1], error);
        more[r] = row[0] - row[1];
    }
    if (status == 0)
        *restart_s = gsl_stats_median(more, 1, (size_t)pairs) / (LAUNCHES - FEW_LAUNCHES);
    return status;
}

/* A gate as long as a sample; on a GPU twice as long as the host takes for a row, if that is more.
 */
static int choose_gate(struct gzc_bench_state *state, struct gzk_error *error)
{
    struct own *own = state->own;
    double row_s = 0, sample_s = state->context->sample_s;
    int status = gzc_choose_amount(state, gzc_run_once, INT32_MAX / 2, error);
    own->free = true;
    for (int r = 0; r < 2 && status == 0 && !state->context->device->info.is_cpu; r++)
        status = run_row(state, LAUNCHES, &row_s, error);
    own->free = false;
    double spins = (double)state->kernel.amount * fmax(1, 2 * row_s / sample_s);
    own->gate_spins = (int32_t)fmin(spins, INT32_MAX / 2);
    return status;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    struct own *own = state->own;
    int status = own->gate_spins == 0 ? choose_gate(state, error) : 0;
    if (status == 0)
        status = run_pairs(state, PAIRS, &samples[0], error);
    if (status == 0 && !state->context->device->info.is_cpu) {
        own->free = true;
        status = run_pairs(state, FREE_PAIRS, &own->free_s, error);
        own->free = false;
    }
    return status;
}

static void note(const struct gzc_bench_state *state, int property, char *text, size_t size)
{
    const struct own *own = state->own;
    (void)property;
    int at = snprintf(text, size,
                      "%d empty kernels of %d blocks in a row, over %d of them, all enqueued "
                      "beforehand",
                      (int)LAUNCHES, state->context->concurrent, (int)FEW_LAUNCHES);
    if (own->free_s > 0 && at > 0 && (size_t)at < size)
        snprintf(text + at, size - (size_t)at, "; %.3g us each as the host enqueues them",
                 1e6 * own->free_s);
}

const struct gzc_bench gzc_bench_restart = {
    .name = "kernel restart",
    .properties =
        {{.key = "launch_overhead", .name = "kernel restart", .time = true, .needed = true}},
    .sources = {{.name = "empty", .text = gzc_empty_knl}},
    .own_bytes = sizeof(struct own),
    .prepare = gzc_bench_compile_empty,
    .check = gzc_prove_empty,
    .run = run,
    .note = note,
};
