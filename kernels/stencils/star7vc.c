/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star7vc - the 7-point star with variable coefficients, Jacobi sweeps, periodic edges: the
 * divergence of a flow, whose coefficients lie on the cells' faces in three arrays. [Basu's
 * dissertation, Listing 1.2 as Jacobi sweeps, Fig. 1.2(e); the coefficients are assumed]
 */
#include "smoother.h"

static inline double next(const struct gzk_near *near, long turn)
{
    const struct gzk_near *u = near, *x = near + 1, *y = near + 2, *z = near + 3;
    double here = gzk_at(u, 0, 0, 0);
    (void)turn;
    return gzk_at(x, 1, 0, 0) * (gzk_at(u, 1, 0, 0) - here) -
           gzk_at(x, 0, 0, 0) * (here - gzk_at(u, -1, 0, 0)) +
           gzk_at(y, 0, 1, 0) * (gzk_at(u, 0, 1, 0) - here) -
           gzk_at(y, 0, 0, 0) * (here - gzk_at(u, 0, -1, 0)) +
           gzk_at(z, 0, 0, 1) * (gzk_at(u, 0, 0, 1) - here) -
           gzk_at(z, 0, 0, 0) * (here - gzk_at(u, 0, 0, -1));
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    gzk_periodic_sweep(data, loop, 3, next, from, to);
}

GZK_STENCIL(star7vc, .summary = "7-point star, variable coefficients (Jacobi sweeps)",
            .dimensions = 3, .radius = {1, 1, 1}, .type = GZK_DOUBLE, .edge = GZK_EDGES(PERIODIC),
            .coefficient_arrays = 3, .operations = 17, .reads = {7, 3, 6, true}, .ulp_per_loop = 4,
            .default_size = {128, 128, 128}, .default_block = {8, 8, 8}, .fill = gzk_flow_fill,
            .fills_parts = true, .reference = reference);
