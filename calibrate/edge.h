/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edge.h - where the last cache ends, from time per byte over size. Pure.
 */
#ifndef GZC_EDGE_H
#define GZC_EDGE_H

#include <stdbool.h>

/* Time per byte = inside + beyond / (1 + (cache / size)^sharpness), gz2's a(Z). */
struct gzc_edge {
    double inside, beyond; /* s per byte: of what the cache holds; what it takes longer beyond */
    double cache;          /* bytes, at which half of `beyond` is reached */
    double sharpness;
};

/* Fits it to `n` sizes (bytes, ascending) and times per byte (s, > 0) by least squares of relative
 * differences, `inside` and `beyond` not negative, the cache within the sizes, the sharpness from 1
 * to 16. False if n < 6, or if the largest sizes do not take at least a fifth longer than the
 * smallest, or half-way lies beyond three quarters of the largest: then no edge is in sight. */
bool gzc_edge_fit(const double *bytes, const double *seconds, int n, struct gzc_edge *edge);

#endif
