/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * grayscott - two substances that react with each other and spread, explicit steps of 1 on a grid
 * that repeats. [Pearson, Complex patterns in a simple system, Science 1993]
 */
#include "stencil.h"

static void set_coefficients(struct gzk_data *data)
{
    double *c = data->coefficients, feed = 0.04, kill = 0.06;
    c[0] = 0.16;
    c[1] = 0.08;
    c[2] = feed;
    c[3] = feed + kill;
}

/* Near (1, 0), the state without v, which is stable. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    double *u = data->state, *v = u + data->cells;
    GZK_EACH_CELL (data, cell) {
        u[cell.own] = 1 - 0.5 * gzk_random_double(seed, cell.grid);
        v[cell.own] = 0.25 * gzk_random_double(seed + 1, cell.grid);
    }
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const double *c = data->coefficients, *u = from, *v = u + data->cells;
    double *next_u = to, *next_v = next_u + data->cells;
    int nx = data->size[0], ny = data->size[1];
    (void)loop;

    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int row = y * nx, i = row + x, west = row + (x + nx - 1) % nx,
                east = row + (x + 1) % nx;
            int north = (y + ny - 1) % ny * nx + x, south = (y + 1) % ny * nx + x;
            double spread_u = u[west] + u[east] + u[north] + u[south] - 4 * u[i];
            double spread_v = v[west] + v[east] + v[north] + v[south] - 4 * v[i];
            double reaction = u[i] * v[i] * v[i];
            next_u[i] = u[i] + (c[0] * spread_u - reaction + c[2] * (1 - u[i]));
            next_v[i] = v[i] + (c[1] * spread_v + reaction - c[3] * v[i]);
        }
}

GZK_STENCIL(grayscott, .summary = "the reaction of Gray and Scott, two fields", .dim = 2,
            .radius = {1, 1, 0}, GZK_TYPE(GZK_DOUBLE), .edge = GZK_EDGES(PERIODIC), .fields = 2,
            .coefficients = 4, .operations = 23, .reads = {10, 6, 0, true}, .ulp_per_loop = 16,
            .default_size = {1024, 1024, 1}, .default_block = {20, 20, 1},
            .set_coefficients = set_coefficients, .fill = fill, .fills_parts = true,
            .reference = reference);
