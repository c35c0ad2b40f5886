/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tiles.h - the tiles of a configuration, and what they load, compute and commit, as the library's
 * tilings have them.
 */
#ifndef GZK_TILES_H
#define GZK_TILES_H

#include "config.h"
#include "error.h"
#include "tiling.h"

struct gzk_geometry {
    int committed[3];   /* cells of a tile that are committed: block - 2 radius height */
    int tiles[3];       /* tiles in each dimension: size / committed, rounded up */
    int tile_count;     /* the model's T, as whole tiles */
    bool flat;          /* see gzk_is_flat */
    int tile_cells;     /* the model's V: the block's cells, with what ghost cells are around it */
    int thread_count;   /* threads of a block */
    size_t local_bytes; /* see gzk_local_bytes */
};

/* What one run has to load and compute, counted over its whole tiles on its real grid; what the
 * 2011 model approximates with fractions of tiles. Cells computed include those to which the parts
 * of a streamed tile's rows are rounded up. */
struct gzk_counts {
    double loaded;     /* elements loaded with tiles [Eq. 8: stages NumStencilArrays T V] */
    double step;       /* elements read in the loops [Eq. 10: loops NumElemPerOp T Q] */
    double operations; /* cells computed [loops T Q] */
    double committed;  /* elements committed [Eq. 9: stages T P] */
};

/* The tile as the tilings have it, of the tiling that the variant's row names; config->columns says
 * whether its threads keep columns in registers. */
gzi_tile gzk_tile_of(const struct gzk_config *config);

/* Fills `geometry`; GZK_INVALID if no cell would be committed, or the grid, tile or number of
 * threads is out of range. A device's own limits are not checked. */
int gzk_geometry_make(const struct gzk_config *config, struct gzk_geometry *geometry,
                      struct gzk_error *error);

/* Counts what a run of `config` does, exact also for a last stage of fewer loops: of a variant with
 * a tile in local memory and, if it streams, of at most GZI_LEVELS loops a stage. */
struct gzk_counts gzk_count(const struct gzk_config *config);

/* The largest height at which `block` commits anything; 0 if none. */
int gzk_max_height(const struct gzk_stencil *stencil, const int block[3]);

/* Whether there are more tiles in y or z than a launch may have blocks there, so that those of a
 * launch are numbered in one dimension. Of a possible geometry. */
bool gzk_is_flat(const struct gzk_config *config);

/* A tile's extent in dimension `i`, ghost zone included. */
int gzk_tile_extent(const struct gzk_config *config, int i);

/* Whether launches also tell the largest measure of each loop: those of streamed tiles in rings,
 * one a stage. */
bool gzk_measures(const struct gzk_config *config);

/* Whether launches also tell what each loop leaves in the cells that are watched: likewise, and
 * those of trapezoids, of a stencil without a measure. */
bool gzk_watches(const struct gzk_config *config);

/* ------------------------------------------------------------------------------- local memory */

/* What an array of so many bytes takes: each may begin where the largest type may, at a multiple of
 * 128 bytes, as in PoCL, which ends the program if its device has less than all of them take. */
size_t gzk_local_array(double bytes);

/* The states and arrays of a tile in local memory, bytes. */
double gzk_store_bytes(const struct gzk_config *config);

/* A key of measure.knl. */
size_t gzk_key_bytes(const struct gzk_stencil *stencil);

/* All arrays of a block in local memory but a fence's flag, which not every backend has there:
 * those and the keys of a measure. */
size_t gzk_local_bytes(const struct gzk_config *config);

/* ----------------------------------------------------------------------------- streamed tiles */

/* The dimension along which the tiles of `stencil` walk: its slowest. */
int gzk_stream_axis(const struct gzk_stencil *stencil);

/* Whether a tile of this block and these threads has its columns in registers: if that was
 * requested, or on a GPU if the stencil allows it and the registers suffice. */
bool gzk_stream_takes_columns(const struct gzk_config *config, bool is_cpu);

/* Whether a tile needs columns in more registers than a GPU's threads may have. On a CPU they are
 * memory like any other. */
bool gzk_stream_spills(const struct gzk_config *config, bool is_cpu);

/* The largest height below config->height at which a tile of the same block fits `local_bytes` and,
 * on a GPU, the registers; 0 if there is none. */
int gzk_stream_max_height(const struct gzk_config *config, size_t local_bytes, bool is_cpu);

/* Extents as people write them, in as many dimensions as the stencil has: "20x20". */
struct gzk_extents_text {
    char text[40];
};
struct gzk_extents_text gzk_extents_text(const int extents[3], int dimensions);

#endif
