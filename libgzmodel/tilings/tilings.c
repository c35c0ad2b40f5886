/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tilings.c - the table of tilings, and what follows from any of them.
 */
#include "tiling.h"

const gzi_tiling *const gzi_tilings[GZI_TILINGS] = {
    [GZ_VARIANT_TRAPEZOID] = &gzi_trapezoid,
    [GZ_VARIANT_STREAM] = &gzi_stream,
    [GZ_VARIANT_NAIVE] = &gzi_naive,
};

gzi_tile gzi_tile_of(const gz_app *app, const gz_config *cfg, double h)
{
    gzi_tile tile = {.dim = app->dim, .height = h, .stream_len = cfg->stream_len};
    for (int i = 0; i < app->dim; i++) {
        tile.size[i] = cfg->data_length[i];
        tile.block[i] = cfg->block_len[i];
        tile.radius[i] = app->halo_width[i] / 2;
    }
    return tile;
}

gzi_counts gzi_stage_counts(const gzi_tiling *tiling, const gzi_tile *tile)
{
    gzi_counts counts = {1, 1, 0, 1};
    for (int i = 0; i < tile->dim; i++) {
        gzi_extent total = tiling->total(tile, i, 1);
        counts.tiles *= tiling->tiles(tile, i);
        counts.loaded *= total.loaded;
        counts.committed *= total.committed;
    }
    for (double loop = 1; loop <= tile->height; loop++) {
        double computed = 1;
        for (int i = 0; i < tile->dim; i++)
            computed *= tiling->total(tile, i, loop).computed;
        counts.computed += computed;
    }
    return counts;
}
