/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * box_tile.h - the boxes of a multigrid level as tiles of the model: which tile of a given height
 * is best, if boxes may be cut.
 */
#ifndef GZ_BOX_TILE_H
#define GZ_BOX_TILE_H

#include "gzmodel.h"

/* What a tile may be. */
typedef struct box_rules {
    int boxes;        /* a side of the domain, at every level */
    int whole;        /* non-zero: the tile is a box with its ghost zone, however large */
    double max_cells; /* otherwise: of a starting tile, ghost zone included */
} box_rules;

typedef struct box_tile {
    gz_config cfg; /* with kernel restarts */
    gz_prediction prediction;
    double cells; /* of the starting tile */
} box_tile;

/* Elements of the largest starting tile that fits a thread block: threads, and shared memory if
 * the device states it. */
double box_tile_room(const gz_device *dev, const gz_app *app);

/* The tile of least CPL at height `h` on boxes of `box` cells a side, among those whose committed
 * lengths come from halving the box any number of times (the longest in the lower dimensions if
 * several are as good). Non-zero if there is one. */
int box_tile_best(const gz_device *dev, const gz_app *app, const box_rules *rules, int box, int h,
                  box_tile *best);

/* The greatest height at which a ghost zone takes no more than the whole neighbouring box. */
int box_tile_deepest(const gz_app *app, int box);

/* The best height on such boxes, each in its best tile; 0 if not even height 1 has one. `one`
 * gets the tile of height 1. */
int box_tile_height(const gz_device *dev, const gz_app *app, const box_rules *rules, int box,
                    box_tile *one, box_tile *best);

#endif
