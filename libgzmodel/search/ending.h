/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GZI_ENDING_H
#define GZI_ENDING_H

#include "gzmodel/searches.h"

/* The time of a loop, s, of a run that its data end after `loops` (0: infinitely many), from its
 * time `plain` without an end, s, of a run of so many by restarts. */
double gzi_ending_seconds(const gz_device *dev, double loops, int height, int states, double plain);

/* gz_tune; with `states` gz_tune_ending, of streamed tiles by restarts; 0: of a run of known
 * length. */
gz_status gzi_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                   int states, gz_candidate *out, size_t n, size_t *found, gz_error *error);

#endif
