/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fdtd2d - Maxwell's equations in two dimensions, the electric field in the plane (TE).
 */
#include "fdtd.h"

static void fill(struct gzk_data *data, uint64_t seed)
{
    gzk_fdtd_fill(data, 3, seed);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const float *ex = from, *ey = ex + data->cells, *hz = ey + data->cells, *ce = data->aux;
    const float ch = ((const float *)data->coefficients)[0];
    float *next_ex = to, *next_ey = next_ex + data->cells, *next_hz = next_ey + data->cells;
    int nx = data->size[0], ny = data->size[1];
    (void)loop;

    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int i = y * nx + x;
            next_ex[i] = ex[i] + ce[i] * (hz[i] - (y > 0 ? hz[i - nx] : 0));
            next_ey[i] = ey[i] - ce[i] * (hz[i] - (x > 0 ? hz[i - 1] : 0));
        }
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int i = y * nx + x;
            float across = (y < ny - 1 ? next_ex[i + nx] : 0) - next_ex[i];
            float along = (x < nx - 1 ? next_ey[i + 1] : 0) - next_ey[i];
            next_hz[i] = hz[i] + ch * (across - along);
        }
}

GZK_STENCIL(fdtd2d, .summary = "Maxwell's equations by Yee's scheme, three fields", .dim = 2,
            .radius = {1, 1, 0}, GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(ZERO), .fields = 3,
            .coefficients = 1, .coefficient_arrays = 1, .operations = 11, .reads = {9, 6, 3, true},
            .ulp_per_loop = 64, .default_size = {1024, 1024, 1}, .default_block = {20, 20, 1},
            .set_coefficients = gzk_fdtd_coefficients, .fill = fill, .fills_parts = true,
            .reference = reference);
