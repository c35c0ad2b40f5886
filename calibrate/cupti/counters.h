/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counters.h - hardware counters of NVIDIA GPUs: CUPTI's range profiler, opened at run time.
 *
 * Needs compute capability 7.5, CUPTI 13 and the driver's permission, each of which may be missing;
 * the error then says in one line what and what to do, and the caller goes on without.
 */
#ifndef GZC_COUNTERS_H
#define GZC_COUNTERS_H

#include "error.h"

#include <stddef.h>

/* What is counted, over all multiprocessors. */
enum gzc_counter {
    GZC_WARP_INSTRUCTIONS, /* warp instructions executed */
    GZC_BANK_CONFLICTS,    /* extra passes through shared memory */
    GZC_COUNTERS
};

/* The metric's name in CUPTI. */
const char *gzc_counter_metric(enum gzc_counter counter);

/* Opens CUPTI's library, without using it: GZK_NO_DEVICE if there is none, or if this program
 * was built without its headers. */
int gzc_counters_load(struct gzk_error *error);

/* For tests, without a driver: how many passes over a kernel all counters together take on a chip,
 * by name ("GH100"). */
int gzc_counters_passes(const char *chip, size_t *passes, struct gzk_error *error);

struct gzc_counters;

/* Starts counting on CUDA device `index`, whose context `context` is current. GZK_NO_DEVICE if
 * there is nothing to count with, GZK_FAILED if it is not permitted or fails. */
int gzc_counters_open(int index, void *context, struct gzc_counters **counters,
                      struct gzk_error *error);
void gzc_counters_close(struct gzc_counters *counters);

/* Counts the last kernel that `work` launches, of GZC_MAX_RANGES at most: a driver may fill memory
 * by a kernel of its own first. CUPTI runs each kernel once a pass and restores memory in between.
 * A failure of `work` is passed on. */
enum { GZC_MAX_RANGES = 8 };
int gzc_counters_count(struct gzc_counters *counters, int (*work)(void *, struct gzk_error *),
                       void *argument, double counts[GZC_COUNTERS], struct gzk_error *error);

#endif
