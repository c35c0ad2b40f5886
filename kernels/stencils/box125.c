/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * box125 - the 125-point box of radius 2 with constant coefficients, Jacobi sweeps, periodic edges.
 * [Basu's dissertation, Fig. 1.2(d); weights as for star7, ten of them by symmetry]
 */
#include "smoother.h"

/* By the distances along the axes, in any order: 000, 001, 011, 111, 002, 012, 112, 022, 122, 222;
 * there are 1, 6, 12, 8, 6, 24, 24, 12, 24 and 8 such cells. */
GZK_WEIGHTS(0.3, 0.04, 0.01, 0.01, 0.01, 0.004, 0.002, 0.002, 0.001, 0.001)

/* The four cells at distances a and b in two axes, and at dz in z. */
static inline double xy(const struct gzk_near *u, int a, int b, int dz)
{
    return gzk_at(u, -a, -b, dz) + gzk_at(u, a, -b, dz) + gzk_at(u, -a, b, dz) +
           gzk_at(u, a, b, dz);
}
static inline double xz(const struct gzk_near *u, int a, int c)
{
    return gzk_at(u, -a, 0, -c) + gzk_at(u, a, 0, -c) + gzk_at(u, -a, 0, c) + gzk_at(u, a, 0, c);
}
static inline double yz(const struct gzk_near *u, int b, int c)
{
    return gzk_at(u, 0, -b, -c) + gzk_at(u, 0, b, -c) + gzk_at(u, 0, -b, c) + gzk_at(u, 0, b, c);
}

/* The eight at distances a, b and c. */
static inline double xyz(const struct gzk_near *u, int a, int b, int c)
{
    return xy(u, a, b, -c) + xy(u, a, b, c);
}

/* The twelve at distance a along two axes. */
static inline double diagonal(const struct gzk_near *u, int a)
{
    return xy(u, a, a, 0) + xz(u, a, a) + yz(u, a, a);
}

/* The 24 at distance a along two axes and b along the third. */
static inline double two_and_one(const struct gzk_near *u, int a, int b)
{
    return xyz(u, a, a, b) + xyz(u, a, b, a) + xyz(u, b, a, a);
}

static inline double next(const struct gzk_near *u, long turn)
{
    double knights =
        xy(u, 1, 2, 0) + xy(u, 2, 1, 0) + xz(u, 1, 2) + xz(u, 2, 1) + yz(u, 1, 2) + yz(u, 2, 1);
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) + weights[1] * gzk_axes(u, 1) +
           weights[2] * diagonal(u, 1) + weights[3] * xyz(u, 1, 1, 1) +
           weights[4] * gzk_axes(u, 2) + weights[5] * knights + weights[6] * two_and_one(u, 1, 2) +
           weights[7] * diagonal(u, 2) + weights[8] * two_and_one(u, 2, 1) +
           weights[9] * xyz(u, 2, 2, 2);
}

GZK_SMOOTHER(box125, 0, .summary = "125-point box, constant coefficients (Jacobi sweeps)",
             .radius = {2, 2, 2}, .coefficients = 10, .operations = 134,
             .reads = {125, 5, 0, false}, .default_block = {12, 12, 12},
             .set_coefficients = set_coefficients, .fill = gzk_smoother_fill);
