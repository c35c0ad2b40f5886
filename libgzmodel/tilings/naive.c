/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * naive.c - the degenerate tiling: a tile is what a block commits, it has no ghost zone and no
 * local memory, neighbours are read from device memory, and a stage is one loop.
 */
#include "ghost.h"

static long step(const gzi_tile *tile, int i)
{
    return tile->block[i];
}

static long reach(const gzi_tile *tile, int i)
{
    return tile->radius[i];
}

/* What is read is the block and the radius on either side. */
static void extents(const gzi_tile *tile, int i, long k, gzi_class *out)
{
    long first = k * tile->block[i];
    out->loaded = (double)gzi_window(tile, i, first, tile->block[i], tile->radius[i]);
    out->computed = out->committed = (double)gzi_smaller(tile->block[i], tile->size[i] - first);
}

static double local_elements(const gzi_tile *tile)
{
    (void)tile;
    return 0;
}

const gzi_tiling gzi_naive = {
    .name = "naive",
    .least_dim = 1,
    .most_loops = 1,
    .step = step,
    .reach = reach,
    .extents = extents,
    .local_elements = local_elements,
};
