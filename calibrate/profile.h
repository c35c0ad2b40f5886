/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * profile.h - what a stencil's own instructions cost on a device: the once-per-thread part and the
 * part of each loop, separated without touching the kernel.
 *
 * One kernel, compiled for its tallest trapezoid, runs s = 1, 2, ... loops of it, since the number
 * of loops is an argument. Everything but the loops stays the same, so a line over s has the loops'
 * part as its slope and the rest as its intercept.
 *
 * The model multiplies instructions by CPI, and by V or Q over N [Eqs. 15, 16]. So what is found
 * per trapezoid, divided by V or Q, times N / M, is InstsPerSM. (For the once-per-thread part the
 * paper leaves the redundant threads of its profiling run in: its value is V/Q times this one.)
 */
#ifndef GZC_PROFILE_H
#define GZC_PROFILE_H

#include "counters.h"
#include "estimate.h"
#include "timing.h"

/* A stencil's profiling run. */
struct gzc_profile;

/* Prepares `stencil` at its default block: two grids, of few and many tiles, that stay in the
 * device's cache (if it states none, 4 MiB) together with all that a loop reads. */
int gzc_profile_open(struct gzk_device *device, const struct gzk_stencil *stencil,
                     struct gzc_profile **profile, struct gzk_error *error);
void gzc_profile_close(struct gzc_profile *profile);

/* The stencil. */
const struct gzk_stencil *gzc_profile_stencil(const struct gzc_profile *profile);

/* N, cells of the larger grid. */
double gzc_profile_elements(const struct gzc_profile *profile);

/* Blocks of this stencil that run at once on one multiprocessor; `*known` as in gzc_resident. */
int gzc_profile_blocks_per_sm(const struct gzc_profile *profile, bool *known);

/* The shape of the run, for notes. */
void gzc_profile_describe(const struct gzc_profile *profile, char *text, size_t size);

/* What a cell costs one multiprocessor: each of V cells once per trapezoid, each of Q in each loop.
 * In seconds, or in warp instructions. */
struct gzc_costs {
    struct gzc_estimate misc, iter;
};

/* One sample in time, s per cell, each point the least disturbed of a few. Includes what the data
 * cost that come from the cache, and nothing of the launch. Spoiled by data that do not stay in the
 * cache, and by too few tiles to fill the device. */
int gzc_profile_time(struct gzc_profile *profile, const volatile sig_atomic_t *stop,
                     struct gzc_costs *costs, struct gzk_error *error);

/* By counters, warp instructions per cell, and conflicts per warp instruction. Spoiled by nothing
 * but code that differs between the tallest trapezoid and a lower one. */
int gzc_profile_count(struct gzc_profile *profile, struct gzc_counters *counters,
                      const volatile sig_atomic_t *stop, struct gzc_costs *costs,
                      double *conflict_rate, struct gzk_error *error);

#endif
