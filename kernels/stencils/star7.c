/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star7 - the 7-point star with constant coefficients, Jacobi sweeps, periodic edges. [P. Basu,
 * Compiler Optimizations and Autotuning for Stencils and Geometric Multigrid, dissertation,
 * University of Utah, 2016, Listing 1.1, which leaves the weights open; these add up to 1, so that
 * a sweep is an average and no number of loops overflows]
 */
#include "stencil_functions.h"

#include "periodic.h"

enum { WEIGHTS = 2 };
static const double weights[WEIGHTS] = {0.4, 0.1};

void gzk_star7_coefficients(struct gzk_data *data)
{
    for (int i = 0; i < WEIGHTS; i++)
        ((double *)data->coefficients)[i] = weights[i];
}

/* Numbers between 0 and 1. */
void gzk_smoother_fill(struct gzk_data *data, uint64_t seed)
{
    double *u = data->state;
    for (size_t i = 0; i < data->cells; i++)
        u[i] = gzk_unit(seed, i);
}

static inline double next(const struct gzk_near *u, long turn)
{
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) +
           weights[1] * (gzk_at(u, -1, 0, 0) + gzk_at(u, 1, 0, 0) + gzk_at(u, 0, -1, 0) +
                         gzk_at(u, 0, 1, 0) + gzk_at(u, 0, 0, -1) + gzk_at(u, 0, 0, 1));
}

void gzk_star7_reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    gzk_periodic_sweep(data, loop, 0, next, from, to);
}
