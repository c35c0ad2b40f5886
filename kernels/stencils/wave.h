/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave.h - what the stencils of the wave equation share: u'' = v^2 laplace(u) at constant density,
 * explicit steps of second order in time, differences of second or fourth order in space, zero
 * beyond the edges. The coefficient array is (v step / distance)^2 of each cell.
 */
#ifndef GZK_WAVE_H
#define GZK_WAVE_H

#include "stencil.h"

/* The Laplacian's weights: the cell's, and those of the cells at distances 1 and 2 along the axes.
 * [Fornberg, Generation of finite difference formulas, Math. Comp. 1988, Table 1] */
static inline void gzk_wave_weights(struct gzk_data *data, int dimensions, int order)
{
    float *c = data->coefficients;
    c[0] = (order == 4 ? -2.5F : -2.0F) * (float)dimensions;
    c[1] = order == 4 ? 4.0F / 3.0F : 1.0F;
    if (order == 4)
        c[2] = -1.0F / 12.0F;
}

/* States in [0, 1), and squared velocities in [1/20, 1/5), which keep every stencil here stable:
 * their product with the Laplacian's largest eigenvalue, 16 in three dimensions, stays below 4. */
static inline void gzk_wave_fill(struct gzk_data *data, uint64_t seed)
{
    float *u = data->state, *older = data->older, *velocity = data->aux;
    GZK_EACH_CELL (data, cell) {
        u[cell.own] = gzk_random_float(seed, cell.grid);
        older[cell.own] = gzk_random_float(seed + 1, cell.grid);
        velocity[cell.own] = 0.05F + 0.15F * gzk_random_float(seed + 2, cell.grid);
    }
}

/* A cell of a state and how far it lies from the grid's first and last one in each dimension. */
struct gzk_wave_cell {
    const float *at;
    int before[3], behind[3];
};

/* The element at distance d in dimension i, whose neighbours lie `apart`. */
static inline float gzk_wave_at(const struct gzk_wave_cell *cell, int i, long apart, int d)
{
    return d >= -cell->before[i] && d <= cell->behind[i] ? cell->at[d * apart] : 0.0F;
}

/* The cells at distance d along the axes. */
static inline float gzk_wave_axes(const struct gzk_wave_cell *cell, const long apart[3],
                                  int dimensions, int d)
{
    float sum = gzk_wave_at(cell, 0, apart[0], -d) + gzk_wave_at(cell, 0, apart[0], d) +
                gzk_wave_at(cell, 1, apart[1], -d) + gzk_wave_at(cell, 1, apart[1], d);
    return dimensions < 3
               ? sum
               : sum + gzk_wave_at(cell, 2, apart[2], -d) + gzk_wave_at(cell, 2, apart[2], d);
}

/* One loop. Always inlined, so that dimensions and order are constants in each reference. */
static inline __attribute__((always_inline)) void
gzk_wave_sweep(const struct gzk_data *data, int dimensions, int order, const void *from, void *to)
{
    const int *n = data->size;
    const long apart[3] = {1, n[0], (long)n[0] * n[1]};
    const float *c = data->coefficients, *velocity = data->aux, *u = from;
    float *out = to;

    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, u++, out++, velocity++) {
                struct gzk_wave_cell cell = {
                    u, {x, y, z}, {n[0] - 1 - x, n[1] - 1 - y, n[2] - 1 - z}};
                float laplacian = c[0] * *u + c[1] * gzk_wave_axes(&cell, apart, dimensions, 1);
                if (order == 4)
                    laplacian = laplacian + c[2] * gzk_wave_axes(&cell, apart, dimensions, 2);
                *out = 2.0F * *u - *out + *velocity * laplacian;
            }
}

/* The stencil `name` of so many dimensions and that order; `...` as in GZK_STENCIL. */
#define GZK_WAVE_STENCIL(name, dimensions, order, ...)                                             \
    static void set_coefficients(struct gzk_data *data)                                            \
    {                                                                                              \
        gzk_wave_weights(data, dimensions, order);                                                 \
    }                                                                                              \
    static void reference(const struct gzk_data *data, long loop, const void *from, void *to)      \
    {                                                                                              \
        (void)loop;                                                                                \
        gzk_wave_sweep(data, dimensions, order, from, to);                                         \
    }                                                                                              \
    GZK_STENCIL(name, .dim = (dimensions), GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(ZERO),           \
                .older = true, .coefficient_arrays = 1, .ulp_per_loop = 64,                        \
                .set_coefficients = set_coefficients, .fill = gzk_wave_fill, .fills_parts = true,  \
                .reference = reference, __VA_ARGS__)

#endif
