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

GZK_PERIODIC_REFERENCE(0)

GZK_STENCIL(star7, .summary = "7-point star, constant coefficients (Jacobi sweeps)", .dim = 3,
            .radius = {1, 1, 1}, GZK_TYPE(GZK_DOUBLE), .edge = GZK_EDGES(PERIODIC),
            .coefficients = 2, .operations = 8, .reads = {7, 3, 0, true}, .ulp_per_loop = 4,
            .default_size = {128, 128, 128}, .default_block = {8, 8, 8},
            .set_coefficients = set_coefficients, .fill = gzk_smoother_fill, .fills_parts = true,
            .reference = reference);
