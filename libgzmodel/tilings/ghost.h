/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ghost.h - what tilings share: extents in whole numbers.
 */
#ifndef GZI_GHOST_H
#define GZI_GHOST_H

#include "tiling.h"

static inline long gzi_smaller(long a, long b)
{
    return a < b ? a : b;
}

static inline long gzi_larger(long a, long b)
{
    return a > b ? a : b;
}

/* Cells along dimension i of a tile that commits `step` from `first` on, with `wide` more on either
 * side, as far as they exist or are images. */
static inline long gzi_window(const gzi_tile *tile, int i, long first, long step, long wide)
{
    long size = tile->size[i], end = gzi_smaller(first + step, size) + wide, from = first - wide;
    if (tile->edge[i] == GZ_EDGE_PERIODIC)
        return end - from;
    return gzi_smaller(end, size) - gzi_larger(from, 0);
}

#endif
