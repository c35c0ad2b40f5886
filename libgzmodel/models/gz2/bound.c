/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bound.c - a lower bound of the exact model, for searches.
 */
#include "gz2_parts.h"

#include <math.h>
#include <string.h>

/* The mean tile at the configuration's height, or the least at any from `low` on, and the number of
 * tiles at the largest; -1 if there is none. */
static int make_mean(gzi_tile tile, const gzi_gz2_config *config, int low, gzi_geometry *geometry,
                     double *most)
{
    tile.height = low;
    geometry->tiles = *most = 1;
    for (int i = 0; i < 3; i++) {
        if (i >= tile.dim) {
            gzi_axis_none(&geometry->axis[i]);
            continue;
        }
        int radius = tile.radius[i];
        if (config->variant == GZ_VARIANT_NAIVE) {
            /* What it reads, a cell's radius wider, is what a tile of one loop loads. */
            tile.block[i] += 2 * radius;
            if (tile.edge[i] != GZ_EDGE_PERIODIC)
                tile.edge[i] = GZ_EDGE_ZERO;
        }
        long step = tile.block[i] - 2L * radius * config->height;
        if (step < 1)
            return -1;
        if (low < config->height)
            gzi_axis_least(&tile, i, config->height, &geometry->axis[i]);
        else
            gzi_axis_mean(&tile, i, &geometry->axis[i]);
        geometry->tiles *= (double)geometry->axis[i].tiles;
        *most *= (double)((tile.size[i] - 1) / step + 1);
    }
    return 0;
}

double gzi_gz2_bound(const gzi_gz2 *model, const gzi_gz2_config *config, int low)
{
    double count[GZI_GZ2_PARAMETERS] = {0}, most, workers;
    int several = low < config->height;
    gzi_gz2_prediction p;
    gzi_geometry mean;
    gzi_gz2_stage st;

    /* Rows that are fetched ahead do not grow with the height. */
    if (config->variant == GZ_VARIANT_STREAM || (several && gzi_gz2_is_core(model, config)))
        return 0;
    const gzi_tile tile = gzi_gz2_tile_of(model, config);
    memset(&p, 0, sizeof p);
    p.resident = gzi_gz2_resident(model, config, &tile);
    if (!(p.resident >= 1) || (config->variant == GZ_VARIANT_NAIVE && config->height != 1) ||
        make_mean(tile, config, low, &mean, &most))
        return (double)INFINITY;
    p.tiles = mean.tiles;
    gzi_gz2_make_stage(model, config, &tile, &mean, 1, &st);
    st.mean = 1;
    if (several && model->stencil.step_arrays > 0) {
        st.stage = gzi_gz2_stage_level(&st, low);
        st.transferred = 0; /* what the caches hold falls with the height */
    }
    gzi_gz2_count_sync(&st, &p);
    workers = fmin(model->device.units, most);
    if (mean.tiles < most || gzi_gz2_one_by_one(&st, p.resident, workers)) {
        gzi_gz2_count_class(&st, 0, 0, 0, count);
        gzi_gz2_add_groups(&st, count, p.resident, mean.tiles / workers, &p);
    } else {
        gzi_gz2_waves(&st, &p);
    }
    return p.seconds / config->height;
}
