/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * poisson - Jacobi sweeps for Poisson's equation -laplace(u) = f on the unit square. [Paper,
 * Section 5.1] The paper gives no more than a 3x3 stencil and one array, which it says of HotSpot's
 * five points too; so this is the five-point operator, and the source, having no array, is uniform.
 */
#include "stencil.h"

static const float source = 1.0F; /* f, per squared unit of length; assumed */

static void set_coefficients(struct gzk_data *data)
{
    float *coefficients = data->coefficients;
    float spacing = 1.0F / (float)data->size[0];
    coefficients[0] = source * spacing * spacing;
    coefficients[1] = 0.25F;
}

/* A guess between 0 and 1. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    float *u = data->state;
    GZK_EACH_CELL (data, cell)
        u[cell.own] = gzk_random_float(seed, cell.grid);
}

/* The rows around a cell's. */
struct rows {
    const float *north, *here, *south;
};

/* The next value of cell x of a row, whose neighbours are cells `west` and `east`. */
static inline float next(struct rows rows, float rise, float quarter, int x, int west, int east)
{
    return (rows.north[x] + rows.south[x] + rows.here[west] + rows.here[east] + rise) * quarter;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const float *c = data->coefficients;
    float rise = c[0], quarter = c[1];
    int nx = data->size[0], ny = data->size[1], last = nx - 1;
    (void)loop;

    for (int y = 0; y < ny; y++) {
        const float *here = (const float *)from + (size_t)y * (size_t)nx;
        struct rows rows = {.north = y > 0 ? here - nx : here,
                            .here = here,
                            .south = y < ny - 1 ? here + nx : here};
        float *restrict out = (float *)to + (size_t)y * (size_t)nx;

        /* The ends apart, so that the loop between them has no branch. */
        out[0] = next(rows, rise, quarter, 0, 0, last > 0 ? 1 : 0);
        for (int x = 1; x < last; x++)
            out[x] = next(rows, rise, quarter, x, x - 1, x + 1);
        if (last > 0)
            out[last] = next(rows, rise, quarter, last, last - 1, last);
    }
}

GZK_STENCIL(
    poisson,
    .summary = "Poisson's equation with a uniform source, five-point Laplacian (Jacobi sweeps)",
    .dim = 2, .radius = {1, 1, 0}, GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(CLAMP), .coefficients = 2,
    .operations = 5, .reads = {4, 2, 0, true}, .ulp_per_loop = 2, .default_size = {2000, 2000, 1},
    .default_block = {20, 20, 1}, .set_coefficients = set_coefficients, .fill = fill,
    .fills_parts = true, .reference = reference);
