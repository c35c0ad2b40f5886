/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drift.h - gz2's own benchmarks, which run before everything else and after it: what moved
 * meanwhile, moved while the runs were made.
 */
#ifndef GZC_DRIFT_H
#define GZC_DRIFT_H

#include "rounds.h"

/* Runs the benchmarks `times` more times, less often if `budget_s` does not suffice, and estimates
 * from all samples. */
int gzc_drift_bench(struct gzc_rounds *rounds, double budget_s, int times, struct gzk_error *error);

/* Where the cache's size or the bandwidth beyond it moved by half from the first `before` samples
 * to the others, neither is the true one while the runs were made: the estimate becomes the
 * geometric mean of the two medians, with a deviation whose 95 % interval holds both. `text` says
 * that something else used the device, and what moved first; it is empty if nothing did. */
void gzc_drift_settle(struct gzc_rounds *rounds, int before, char *text, size_t size);

#endif
