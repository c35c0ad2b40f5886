/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * star13 - the 13-point star of radius 2 with constant coefficients, Jacobi sweeps, periodic edges.
 * [Basu's dissertation, Fig. 1.2(b); weights as for star7]
 */
#include "smoother.h"

enum { WEIGHTS = 3 };
static const double weights[WEIGHTS] = {0.28, 0.1, 0.02};

static void set_coefficients(struct gzk_data *data)
{
    for (int i = 0; i < WEIGHTS; i++)
        ((double *)data->coefficients)[i] = weights[i];
}

/* The six cells at distance d along the axes. */
static inline double axes(const struct gzk_near *u, int d)
{
    return gzk_at(u, -d, 0, 0) + gzk_at(u, d, 0, 0) + gzk_at(u, 0, -d, 0) + gzk_at(u, 0, d, 0) +
           gzk_at(u, 0, 0, -d) + gzk_at(u, 0, 0, d);
}

static inline double next(const struct gzk_near *u, long turn)
{
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) + weights[1] * axes(u, 1) + weights[2] * axes(u, 2);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    gzk_periodic_sweep(data, loop, 0, next, from, to);
}

GZK_STENCIL(star13, .summary = "13-point star of radius 2, constant coefficients (Jacobi sweeps)",
            .dimensions = 3, .radius = {2, 2, 2}, .type = GZK_DOUBLE, .edge = GZK_EDGES(PERIODIC),
            .coefficients = 3, .operations = 15, .reads = {13, 5, 0, true}, .ulp_per_loop = 4,
            .default_size = {128, 128, 128}, .default_block = {12, 12, 12},
            .set_coefficients = set_coefficients, .fill = gzk_smoother_fill, .fills_parts = true,
            .reference = reference);
