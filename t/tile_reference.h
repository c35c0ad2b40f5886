/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tile_reference.h - tiles counted cell by cell, slow and obvious, by what tiling.h says that they
 * load, compute and commit.
 */
#ifndef TILE_REFERENCE_H
#define TILE_REFERENCE_H

#include "tiling.h"

/* A tile, in each dimension: what a gzi_class of it has. Unless it is streamed, all loops compute
 * as much as the first, at level[.][0]. */
typedef struct counted_tile {
    double loaded[3], outside[3], committed[3], level[3][GZI_LEVELS], walked;
    double held[3], copies[3], ends[3], beside[GZI_LEVELS];
} counted_tile;

/* Tiles along dimension i. */
long count_tiles(const gzi_tiling *tiling, const gzi_tile *tile, int i);

/* Tile number k of dimension i. */
void count_tile(const gzi_tiling *tiling, const gzi_tile *tile, int i, long k, counted_tile *out);

/* Elements of local memory of a block, from the rows that lie there. */
double count_elements(const gzi_tiling *tiling, const gzi_tile *tile);

#endif
