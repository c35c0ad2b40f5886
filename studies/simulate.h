/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simulate.h - adaptive selection of the height (Section 5.4.2) on an application that takes
 * exactly the model's time.
 */
#ifndef GZ_SIMULATE_H
#define GZ_SIMULATE_H

#include "gzmodel.h"

enum { SIMULATE_MAX_LOOPS = 30 };

typedef struct simulation {
    int n_stages;
    int loops[SIMULATE_MAX_LOOPS]; /* of each stage */
    double speedup;                /* time of as many loops at h = 1 over the time taken */
} simulation;

/* Runs `loops` (at most SIMULATE_MAX_LOOPS) loops with kernel restarts, starting at height `start`,
 * two stages a probe. Errors as gz_predict and gz_adapt_start. */
gz_status simulate(const gz_device *dev, const gz_app *app, const gz_config *cfg, int start,
                   int loops, simulation *out);

#endif
