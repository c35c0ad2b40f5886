/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * knee.h - how latency and bandwidth join as more blocks share a multiprocessor. Pure.
 */
#ifndef GZC_KNEE_H
#define GZC_KNEE_H

#include <stdbool.h>

enum { GZC_KNEE_POINTS = 3 };

/* The largest exponent that is distinguished from a sharp bend. */
extern const double gzc_knee_most;

/* The exponent p >= 1 of s(R) = [(lambda / R)^p + beta^p]^(1/p), gz2's norm, through
 * the times (s per byte, say, > 0) of one group, more and still more of them on a multiprocessor
 * (`resident`, ascending from 1). At most gzc_knee_most; at least 1, also where the times bend more
 * softly. False if the numbers are not such, or if bandwidth is not in sight: if the most groups
 * take less than a tenth more than their share of one group's time. */
bool gzc_knee_fit(const double resident[GZC_KNEE_POINTS], const double seconds[GZC_KNEE_POINTS],
                  double *exponent);

#endif
