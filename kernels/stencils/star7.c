/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star7 - the 7-point star with constant coefficients, Jacobi sweeps, periodic edges. [P. Basu,
 * Compiler Optimizations and Autotuning for Stencils and Geometric Multigrid, dissertation,
 * University of Utah, 2016, Listing 1.1, which leaves the weights open; these add up to 1, so that
 * a sweep is an average and no number of loops overflows]
 */
#include "smoother.h"

GZK_WEIGHTS(0.4, 0.1)

static inline double next(const struct gzk_near *u, long turn)
{
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) + weights[1] * gzk_axes(u, 1);
}

GZK_SMOOTHER(star7, 0, .summary = "7-point star, constant coefficients (Jacobi sweeps)",
             .radius = {1, 1, 1}, .coefficients = 2, .operations = 8, .reads = {7, 3, 0, true},
             .default_block = {8, 8, 8}, .set_coefficients = set_coefficients,
             .fill = gzk_smoother_fill);
