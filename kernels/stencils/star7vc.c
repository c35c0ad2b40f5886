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

GZK_SMOOTHER(star7vc, 3, .summary = "7-point star, variable coefficients (Jacobi sweeps)",
             .radius = {1, 1, 1}, .operations = 17, .reads = {7, 3, 6, true},
             .default_block = {8, 8, 8}, .fill = gzk_flow_fill);
