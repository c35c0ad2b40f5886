/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jet.h - jets: a value with its first and second derivative in the height, and their sums,
 * products and quotients.
 */
#ifndef GZI_JET_H
#define GZI_JET_H

#include "gzmodel/parameters.h"

static inline gz_jet gzi_jet(double constant)
{
    return (gz_jet){constant, 0, 0};
}

static inline gz_jet gzi_jet_scale(double factor, gz_jet a)
{
    return (gz_jet){factor * a.v, factor * a.d1, factor * a.d2};
}

static inline gz_jet gzi_jet_add(gz_jet a, gz_jet b)
{
    return (gz_jet){a.v + b.v, a.d1 + b.d1, a.d2 + b.d2};
}

static inline gz_jet gzi_jet_mul(gz_jet a, gz_jet b)
{
    return (gz_jet){a.v * b.v, a.d1 * b.v + a.v * b.d1, a.d2 * b.v + 2 * a.d1 * b.d1 + a.v * b.d2};
}

static inline gz_jet gzi_jet_inverse(gz_jet a)
{
    double inverse = 1 / a.v, slope = -a.d1 * inverse * inverse;
    return (gz_jet){inverse, slope, -(a.d2 * inverse + 2 * a.d1 * slope) * inverse};
}

/* a(h) / h */
static inline gz_jet gzi_jet_per_h(gz_jet a, double h)
{
    double v = a.v / h, d1 = (a.d1 - v) / h;
    return (gz_jet){v, d1, (a.d2 - 2 * d1) / h};
}

#endif
