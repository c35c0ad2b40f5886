/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search.c - lower bounds of the exact model's times, by which searches leave heights and tiles
 * out.
 */
#define WAYS 0
#include "relax_time.h"

#include <math.h>

void gzi_gz2_least(const gzi_gz2 *model, const gzi_gz2_config *config, const int *heights, size_t n,
                   double *seconds)
{
    for (size_t k = 0; k < n; k++) {
        dual tile[3] = {{0}}, height = constant(heights[k]);
        int room = 1;
        for (int i = 0; i < model->stencil.dim; i++) {
            tile[i] = constant(config->block[i] - 2.0 * model->stencil.radius[i] * height.v);
            room = room && tile[i].v >= 1;
        }
        seconds[k] = config->variant != GZI_GZ2_TRAPEZOID ? 0
                     : room ? relaxed(model, config, height, tile, NULL).v
                            : (double)INFINITY;
    }
}
