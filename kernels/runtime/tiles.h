/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tiles.h - the tiles of a configuration, and what they load, compute and commit.
 */
#ifndef GZK_TILES_H
#define GZK_TILES_H

#include "config.h"
#include "error.h"

struct gzk_geometry {
    int committed[3];   /* cells of a tile that are committed: block - 2 radius height */
    int tiles[3];       /* tiles in each dimension: size / committed, rounded up */
    int tile_count;     /* the model's T, as whole tiles */
    int tile_cells;     /* the model's V: the block's cells, with what ghost cells are around it */
    int thread_count;   /* threads of a work-group */
    size_t local_bytes; /* local memory of a work-group: one or two states and the coefficient
                           arrays */
    long stages;        /* launches or barriers: loops / height, rounded up */
};

/* What one run has to load and compute, counted over its whole tiles on its real grid; what the
 * model approximates with fractions of tiles. */
struct gzk_counts {
    double loaded;     /* elements loaded with tiles [Eq. 8: stages NumStencilArrays T V] */
    double step;       /* elements read in the loops [Eq. 10: loops NumElemPerOp T Q] */
    double operations; /* cells computed [loops T Q] */
    double committed;  /* elements committed [Eq. 9: stages T P] */
};

/* Fills `geometry`; GZK_INVALID if no cell would be committed, or the grid, tile or number of
 * threads is out of range. A device's own limits are not checked. */
int gzk_geometry_make(const struct gzk_config *config, struct gzk_geometry *geometry,
                      struct gzk_error *error);

/* Counts what a run of `config`, a variant with a tile in local memory, does. */
struct gzk_counts gzk_count(const struct gzk_config *config);

/* The largest height at which `block` commits anything; 0 if none. */
int gzk_max_height(const struct gzk_stencil *stencil, const int block[3]);

/* A tile's extent in dimension `i`, ghost zone included. */
int gzk_tile_extent(const struct gzk_config *config, int i);

#endif
