/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trapezoid.c - the geometry of a tile with ghost zones: Eqs. 3, 19 and 20. The print's product
 * indices vary (0..D-1, 1..D, 0..D); every product here runs over the D dimensions.
 */
#include "meng2011.h"

#include <math.h>

double gzi_grid_elements(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->data_length[i];
    return elements;
}

double gzi_starting_tile(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->block_len[i];
    return elements;
}

double gzi_operated_tile(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->block_len[i] - app->halo_width[i];
    return elements;
}

gz_jet gzi_committed_tile(const gz_app *app, const gz_config *cfg, double h)
{
    gz_jet product = gzi_jet(1);
    for (int i = 0; i < app->dim; i++) {
        /* fma: the remainder is rounded once, which is what counts beside the pole */
        gz_jet length = {fma(-app->halo_width[i], h, cfg->block_len[i]), -app->halo_width[i], 0};
        product = gzi_jet_mul(product, length);
    }
    return product;
}

gz_jet gzi_trapezoids(const gz_app *app, const gz_config *cfg, gz_jet committed)
{
    return gzi_jet_scale(gzi_grid_elements(app, cfg), gzi_jet_inverse(committed)); /* [Eq. 3] */
}

double gzi_cost_effect(const gz_app *app, const gz_config *cfg, gz_jet committed)
{
    return committed.v / gzi_operated_tile(app, cfg); /* [Eq. 19] */
}

double gz_pole(const gz_app *app, const gz_config *cfg)
{
    double pole = HUGE_VAL;
    for (int i = 0; i < app->dim; i++)
        if (app->halo_width[i] > 0)
            pole = fmin(pole, cfg->block_len[i] / app->halo_width[i]); /* [Eq. 20] */
    return pole;
}

int gzi_height_feasible(const gz_app *app, const gz_config *cfg, double h)
{
    for (int i = 0; i < app->dim; i++)
        if (!(fma(-app->halo_width[i], h, cfg->block_len[i]) > 0)) /* [Eq. 20] */
            return 0;
    return 1;
}

double gz_height_max(const gz_app *app, const gz_config *cfg)
{
    double h = ceil(gz_pole(app, cfg));
    while (h > 1 && !gzi_height_feasible(app, cfg, h))
        h--;
    return h;
}
