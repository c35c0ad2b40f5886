/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * smoother.h - what the three-dimensional smoothers share: their first states, and the serial sweep
 * of their references, over state and coefficient arrays in double, with periodic edges and radius
 * 1 or 2.
 */
#ifndef GZK_SMOOTHER_H
#define GZK_SMOOTHER_H

#include "stencil.h"

#include <string.h>

enum { GZK_FAR = 2, GZK_REACH = 2 * GZK_FAR + 1, GZK_MAX_ARRAYS = 3 };

/* One array around a cell. */
struct gzk_near {
    const double *rows[GZK_REACH][GZK_REACH]; /* by dz and dy, from -GZK_FAR on */
    int x[GZK_REACH];                         /* the places in a row, by dx */
};

/* A cell's next value. `near` is the state, then the coefficient arrays; `turn` is the sum of the
 * cell's coordinates and the number of the loop. */
typedef double gzk_next(const struct gzk_near *near, long turn);

/* The element at that distance, which lies within the stencil's radius. */
static inline double gzk_at(const struct gzk_near *near, int dx, int dy, int dz)
{
    return near->rows[dz + GZK_FAR][dy + GZK_FAR][near->x[dx + GZK_FAR]];
}

/* The coordinate inside the grid that `i`, at most 2 outside, is an image of. */
static inline int gzk_wrap(int i, int extent)
{
    return ((i % extent) + extent) % extent;
}

static inline void gzk_near_row(struct gzk_near *near, const double *array, const int size[3],
                                int y, int z)
{
    for (int dz = -GZK_FAR; dz <= GZK_FAR; dz++)
        for (int dy = -GZK_FAR; dy <= GZK_FAR; dy++) {
            int row = gzk_wrap(z + dz, size[2]) * size[1] + gzk_wrap(y + dy, size[1]);
            near->rows[dz + GZK_FAR][dy + GZK_FAR] = array + (size_t)row * (size_t)size[0];
        }
}

/* Always inlined, so that `next` is not a call and `arrays` is constant in each reference. */
static inline __attribute__((always_inline)) void gzk_periodic_sweep(const struct gzk_data *data,
                                                                     long loop, int arrays,
                                                                     gzk_next *next,
                                                                     const void *from, void *to)
{
    const int *size = data->size;
    double *restrict out = to;

    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++) {
            struct gzk_near near[1 + GZK_MAX_ARRAYS];
            gzk_near_row(&near[0], from, size, y, z);
            for (int k = 0; k < arrays; k++)
                gzk_near_row(&near[1 + k], (const double *)data->aux + (size_t)k * data->stride,
                             size, y, z);
            for (int x = 0; x < size[0]; x++) {
                int inside = x >= GZK_FAR && x < size[0] - GZK_FAR;
                for (int d = 0; d < GZK_REACH; d++) {
                    int at = inside ? x + d - GZK_FAR : gzk_wrap(x + d - GZK_FAR, size[0]);
                    for (int k = 0; k <= arrays; k++)
                        near[k].x[d] = at;
                }
                *out++ = next(near, x + y + z + loop);
            }
        }
}

/* The stencil `name`, whose cells' next values `next` computes, with so many coefficient arrays;
 * `...` as in GZK_STENCIL. */
#define GZK_SMOOTHER(name, arrays, ...)                                                            \
    static void reference(const struct gzk_data *data, long loop, const void *from, void *to)      \
    {                                                                                              \
        gzk_periodic_sweep(data, loop, arrays, next, from, to);                                    \
    }                                                                                              \
    GZK_STENCIL(name, .dim = 3, GZK_TYPE(GZK_DOUBLE), .edge = GZK_EDGES(PERIODIC),                 \
                .coefficient_arrays = (arrays), .ulp_per_loop = 4,                                 \
                .default_size = {128, 128, 128}, .fills_parts = true, .reference = reference,      \
                __VA_ARGS__)

/* Defines the constant coefficients `weights`. */
#define GZK_WEIGHTS(...)                                                                           \
    static const double weights[] = {__VA_ARGS__};                                                 \
    static void set_coefficients(struct gzk_data *data)                                            \
    {                                                                                              \
        memcpy(data->coefficients, weights, sizeof weights);                                       \
    }

/* The six cells at distance d along the axes. */
static inline double gzk_axes(const struct gzk_near *u, int d)
{
    return gzk_at(u, -d, 0, 0) + gzk_at(u, d, 0, 0) + gzk_at(u, 0, -d, 0) + gzk_at(u, 0, d, 0) +
           gzk_at(u, 0, 0, -d) + gzk_at(u, 0, 0, d);
}

/* The flow into a cell through its faces: coefficients times differences. */
static inline double gzk_flow(const struct gzk_near *near)
{
    const struct gzk_near *u = near, *x = near + 1, *y = near + 2, *z = near + 3;
    double here = gzk_at(u, 0, 0, 0);
    return gzk_at(x, 1, 0, 0) * (gzk_at(u, 1, 0, 0) - here) -
           gzk_at(x, 0, 0, 0) * (here - gzk_at(u, -1, 0, 0)) +
           gzk_at(y, 0, 1, 0) * (gzk_at(u, 0, 1, 0) - here) -
           gzk_at(y, 0, 0, 0) * (here - gzk_at(u, 0, -1, 0)) +
           gzk_at(z, 0, 0, 1) * (gzk_at(u, 0, 0, 1) - here) -
           gzk_at(z, 0, 0, 0) * (here - gzk_at(u, 0, 0, -1));
}

/* A state of numbers in [0, 1). */
static inline void gzk_smoother_fill(struct gzk_data *data, uint64_t seed)
{
    double *u = data->state;
    GZK_EACH_CELL (data, cell)
        u[cell.own] = gzk_random_double(seed, cell.grid);
}

/* The same with the coefficients on the cells' faces, between 1/24 and 1/12: twelve differences'
 * terms of at most 1/12 keep the state from growing, and none is 0. */
static inline void gzk_flow_fill(struct gzk_data *data, uint64_t seed)
{
    double *beta = data->aux;
    gzk_smoother_fill(data, seed);
    for (size_t k = 0; k < 3; k++)
        GZK_EACH_CELL (data, cell)
            beta[k * data->stride + cell.own] =
                (1 + gzk_random_double(seed + 1, k * data->grid.stride + cell.grid)) / 24;
}

#endif
