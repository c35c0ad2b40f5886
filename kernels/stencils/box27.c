/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * box27 - the 27-point box with constant coefficients, Jacobi sweeps, periodic edges. [Basu's
 * dissertation, Fig. 1.2(c); weights as for star7]
 */
#include "smoother.h"

/* The cell, its neighbours across faces, edges and corners. */
GZK_WEIGHTS(0.28, 0.06, 0.02, 0.015)

/* The two cells beside the middle one of a row. */
static inline double ends(const struct gzk_near *u, int dy, int dz)
{
    return gzk_at(u, -1, dy, dz) + gzk_at(u, 1, dy, dz);
}

static inline double next(const struct gzk_near *u, long turn)
{
    double faces = ends(u, 0, 0) + gzk_at(u, 0, -1, 0) + gzk_at(u, 0, 1, 0) + gzk_at(u, 0, 0, -1) +
                   gzk_at(u, 0, 0, 1);
    double edges = ends(u, -1, 0) + ends(u, 1, 0) + ends(u, 0, -1) + ends(u, 0, 1) +
                   gzk_at(u, 0, -1, -1) + gzk_at(u, 0, 1, -1) + gzk_at(u, 0, -1, 1) +
                   gzk_at(u, 0, 1, 1);
    double corners = ends(u, -1, -1) + ends(u, 1, -1) + ends(u, -1, 1) + ends(u, 1, 1);
    (void)turn;
    return weights[0] * gzk_at(u, 0, 0, 0) + weights[1] * faces + weights[2] * edges +
           weights[3] * corners;
}

GZK_SMOOTHER(box27, 0, .summary = "27-point box, constant coefficients (Jacobi sweeps)",
             .radius = {1, 1, 1}, .coefficients = 4, .operations = 30, .reads = {27, 3, 0, false},
             .default_block = {8, 8, 8}, .set_coefficients = set_coefficients,
             .fill = gzk_smoother_fill);
