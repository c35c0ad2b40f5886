/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star13 - the 13-point star of radius 2 with constant coefficients, Jacobi sweeps, periodic edges.
 * [Basu's dissertation, Fig. 1.2(b); weights as for star7]
 */
#include "smoother.h"

GZK_WEIGHTS(0.28, 0.1, 0.02)

static inline double next(const struct gzk_near *u, long turn)
{
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) + weights[1] * gzk_axes(u, 1) +
           weights[2] * gzk_axes(u, 2);
}

GZK_SMOOTHER(star13, 0,
             .summary = "13-point star of radius 2, constant coefficients (Jacobi sweeps)",
             .radius = {2, 2, 2}, .coefficients = 3, .operations = 15, .reads = {13, 5, 0, true},
             .default_block = {12, 12, 12}, .set_coefficients = set_coefficients,
             .fill = gzk_smoother_fill);
