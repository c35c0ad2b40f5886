/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star7vc - the 7-point star with variable coefficients, Jacobi sweeps, periodic edges: the
 * divergence of a flow, whose coefficients lie on the cells' faces in three arrays. [Basu's
 * dissertation, Listing 1.2 as Jacobi sweeps, Fig. 1.2(e); the coefficients are assumed]
 */
#include "smoother.h"

static inline double next(const struct gzk_near *near, long turn)
{
    (void)turn;
    return gzk_flow(near);
}

GZK_PERIODIC_REFERENCE(3)

GZK_STENCIL(star7vc, .summary = "7-point star, variable coefficients (Jacobi sweeps)", .dim = 3,
            .radius = {1, 1, 1}, GZK_TYPE(GZK_DOUBLE), .edge = GZK_EDGES(PERIODIC),
            .coefficient_arrays = 3, .operations = 17, .reads = {7, 3, 6, true}, .ulp_per_loop = 4,
            .default_size = {128, 128, 128}, .default_block = {8, 8, 8}, .fill = gzk_flow_fill,
            .fills_parts = true, .reference = reference);
