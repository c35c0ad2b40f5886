/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * poisson - Jacobi sweeps for Poisson's equation -laplace(u) = f on the unit square. [Paper,
 * Section 5.1] The paper gives no more than a 3x3 stencil and one array, which it says of HotSpot's
 * five points too; so this is the five-point operator, and the source, having no array, is uniform.
 */
#include "stencil_functions.h"

static const float source = 1.0F; /* f, per squared unit of length; assumed */

void gzk_poisson_coefficients(struct gzk_data *data)
{
    float *coefficients = data->coefficients;
    float spacing = 1.0F / (float)data->size[0];
    coefficients[0] = source * spacing * spacing;
    coefficients[1] = 0.25F;
}

/* A guess between 0 and 1. */
void gzk_poisson_fill(struct gzk_data *data, uint64_t seed)
{
    float *u = data->state;
    for (size_t i = 0; i < data->cells; i++)
        u[i] = (float)(gzk_random(seed, i) >> 40) / 16777216.0F;
}

void gzk_poisson_reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const float *c = data->coefficients;
    int nx = data->size[0], ny = data->size[1];
    (void)loop;

    for (int y = 0; y < ny; y++) {
        const float *row = (const float *)from + (size_t)y * (size_t)nx;
        const float *north = y > 0 ? row - nx : row;
        const float *south = y < ny - 1 ? row + nx : row;
        float *out = (float *)to + (size_t)y * (size_t)nx;

        for (int x = 0; x < nx; x++) {
            float west = row[x > 0 ? x - 1 : 0], east = row[x < nx - 1 ? x + 1 : x];
            out[x] = (north[x] + south[x] + west + east + c[0]) * c[1];
        }
    }
}
