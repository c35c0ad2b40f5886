/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tile_share.h"

#include "tiling.h"

/* A tile of that side, inside a grid that it does not reach the ends of. */
static gzi_tile tile_of(const tile_case *of, double side)
{
    enum { GRID = 1000000000 };
    gzi_tile tile = {.dim = of->dim,
                     .height = (int)of->height,
                     .piece = (long)of->piece,
                     .bytes = 1,
                     .states = 2,
                     .columns = of->register_bytes > 0};
    for (int i = 0; i < of->dim; i++) {
        tile.size[i] = GRID;
        tile.block[i] = (int)side;
        tile.radius[i] = (int)of->radius;
    }
    return tile;
}

static int fits(const gzi_tiling *tiling, const tile_case *of, double side)
{
    gzi_tile tile = tile_of(of, side);
    double column = of->height * (2 * of->radius + 1) * of->element_bytes;
    if (tile.columns && column * (of->dim == 3 ? side * side : side) > of->register_bytes)
        return 0;
    return tiling->local_elements(&tile) * of->element_bytes <= of->local_bytes;
}

int tile_share_of(const tile_case *of, tile_share *share)
{
    const gzi_tiling *tiling = gzi_tiling_of(of->variant);
    double least = 2 * of->radius * of->height + 1, beyond = least;
    double loaded = 1, committed = 1, computed = 0;

    if (of->height > GZI_LEVELS || !fits(tiling, of, least))
        return 0;
    while (fits(tiling, of, beyond))
        beyond *= 2;
    for (double fitting = least; beyond - fitting > 1;) {
        double middle = fitting + (double)(long)((beyond - fitting) / 2);
        if (fits(tiling, of, middle))
            fitting = middle;
        else
            beyond = middle;
    }
    share->side = beyond - 1;

    /* Far enough from the grid's start that no ghost zone reaches it. */
    gzi_tile tile = tile_of(of, share->side);
    enum { INSIDE = 100 };
    gzi_class does[GZ_MAX_DIM];
    for (int i = 0; i < of->dim; i++) {
        tiling->extents(&tile, i, INSIDE, &does[i]);
        loaded *= does[i].loaded;
        committed *= does[i].committed;
    }
    for (int loop = 0; loop < tile.height; loop++) {
        double in_loop = 1;
        for (int i = 0; i < of->dim; i++)
            in_loop *= tiling->streamed ? does[i].level[loop] : does[i].computed;
        computed += in_loop;
    }
    share->useful = committed / loaded;
    share->work = computed / (committed * of->height);
    return 1;
}
