/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star7vc - the 7-point star with variable coefficients, Jacobi sweeps, periodic edges: the
 * divergence of a flow, whose coefficients lie on the cells' faces in three arrays. [Basu's
 * dissertation, Listing 1.2 as Jacobi sweeps, Fig. 1.2(e); the coefficients are assumed]
 */
#include "stencil_functions.h"

#include "periodic.h"

/* Coefficients between 1/24 and 1/12: twelve differences' terms of at most 1/12 keep the state from
 * growing, and none is 0. */
void gzk_flow_fill(struct gzk_data *data, uint64_t seed)
{
    double *beta = data->aux;
    gzk_smoother_fill(data, seed);
    for (size_t i = 0; i < 3 * data->stride; i++)
        beta[i] = (1 + gzk_unit(seed + 1, i)) / 24;
}

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

void gzk_star7vc_reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    gzk_periodic_sweep(data, loop, 3, next, from, to);
}
