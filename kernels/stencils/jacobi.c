/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jacobi - Jacobi sweeps for Poisson's equation -laplace(u) = f on [-1,1]^2, f = 1 where |x| and
 * |y| are at most 0.5 and 0 elsewhere, u = 0 on the edges and as the first guess. [The code of
 * GPUSquad's course project, after jacobi.cc of the lecture notes chr_lecture.pdf, Math 228A,
 * Berkeley]
 *
 * The project's m x n points include the edges, which never change; a grid here holds the
 * (m-2) x (n-2) points between them, and zero edges replace the rest.
 */
#include "stencil.h"

/* The first and last cell in which the coordinate's magnitude is at most 0.5. Cell i is point i + 1
 * of 0..m-1, where m is extent + 2; its coordinate is 2 (i + 1) / (m - 1) - 1. */
static void set_source(int extent, float *first, float *last)
{
    int intervals = extent + 1;
    *first = (float)((intervals + 3) / 4 - 1);
    *last = (float)(3 * intervals / 4 - 1);
}

static void set_coefficients(struct gzk_data *data)
{
    float *c = data->coefficients;
    float dx = 2.0F / (float)(data->size[0] + 1), dy = 2.0F / (float)(data->size[1] + 1);

    c[0] = 1.0F / (dx * dx);
    c[1] = 1.0F / (dy * dy);
    c[2] = 1.0F / (2.0F * (c[0] + c[1]));
    set_source(data->size[0], &c[3], &c[4]);
    set_source(data->size[1], &c[5], &c[6]);
}

static void fill(struct gzk_data *data, uint64_t seed)
{
    float *u = data->state;
    (void)seed;
    for (size_t i = 0; i < data->cells; i++)
        u[i] = 0.0F;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const float *c = data->coefficients, *u = from;
    int nx = data->size[0], ny = data->size[1];
    float *restrict out = to;
    (void)loop;

    for (int y = 0; y < ny; y++) {
        int lit_row = (float)y >= c[5] && (float)y <= c[6];
        for (int x = 0; x < nx; x++, u++) {
            float west = x > 0 ? u[-1] : 0.0F, east = x < nx - 1 ? u[1] : 0.0F;
            float north = y > 0 ? u[-nx] : 0.0F, south = y < ny - 1 ? u[nx] : 0.0F;
            float source = lit_row && (float)x >= c[3] && (float)x <= c[4] ? 1.0F : 0.0F;
            *out++ = (source + c[0] * (west + east) + c[1] * (north + south)) * c[2];
        }
    }
}

GZK_STENCIL(jacobi,
            .summary = "Poisson's equation with a square source, zero edges (Jacobi sweeps)",
            .dim = 2, .radius = {1, 1, 0}, GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(ZERO),
            .coefficients = 7, .operations = 11, .reads = {4, 2, 0, true}, .ulp_per_loop = 4,
            .default_size = {1022, 1022, 1}, .default_block = {20, 20, 1},
            .set_coefficients = set_coefficients, .fill = fill, .fills_parts = true,
            .reference = reference);
