/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fdtd.h - what the stencils of Yee's scheme share: the coefficient array is each cell's step over
 * its permittivity and the distance of cells, the coefficient the same with the permeability; all
 * fields, and the array, are zero beyond the grid, whose ends therefore conduct. [Yee, Numerical
 * solution of initial boundary value problems involving Maxwell's equations, 1966]
 */
#ifndef GZK_FDTD_H
#define GZK_FDTD_H

#include "stencil.h"

/* The product of both factors stays below 1/3, as three dimensions need it. */
static inline void gzk_fdtd_coefficients(struct gzk_data *data)
{
    ((float *)data->coefficients)[0] = 0.5F;
}

static inline void gzk_fdtd_fill(struct gzk_data *data, int fields, uint64_t seed)
{
    float *state = data->state, *factor = data->aux;
    GZK_EACH_CELL (data, cell) {
        factor[cell.own] = 0.25F + 0.25F * gzk_random_float(seed, cell.grid);
        for (size_t f = 0; f < (size_t)fields; f++)
            state[f * data->cells + cell.own] = gzk_random_float(seed + 1 + f, cell.grid);
    }
}

#endif
