/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bounds.h - what a GPU's quantities can be. A calibration beyond is kept, since no bound is a law,
 * but said to be doubtful.
 */
#ifndef GZC_BOUNDS_H
#define GZC_BOUNDS_H

#include "request.h"

/* Warns of each quantity of a GPU's file that is beyond its bounds, in a line with its value, what
 * it was held against, and the bounds. */
void gzc_bounds_check(const struct gzc_file *file, const struct gzc_request *request);

#endif
