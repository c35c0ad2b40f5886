/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tiling.h - what a tiling is: how tiles cover a grid, and what each loads, computes in each loop
 * and commits. A tiling is a file tilings/NAME.c that defines one gzi_tiling, and a row of the
 * table in tilings.c. The kernels' geometry is tested to be the same (t/380-tilings.c).
 *
 * Dimension 0 is the fastest varying one. Counts are doubles that hold whole numbers exactly, up to
 * 2^53. "The tile" of dimension i means its extent there: what a tile does is the product over the
 * dimensions, what a stage does the sum over the tiles, so both can be had without a loop over all
 * tiles.
 */
#ifndef GZI_TILING_H
#define GZI_TILING_H

#include "gzmodel.h"

/* What a stencil reads beyond the grid's end, which decides what a tile there loads. */
typedef enum gzi_edge {
    GZI_EDGE_CLAMP,   /* the nearest element: a tile loads its whole extent */
    GZI_EDGE_ZERO,    /* a fixed value, which is not loaded */
    GZI_EDGE_PERIODIC /* the other end: images are loaded, and computed, if they are needed */
} gzi_edge;

/* A way to tile a grid, in whole numbers. */
typedef struct gzi_tile {
    int dim;
    gzi_edge edge[GZ_MAX_DIM];
    double size[GZ_MAX_DIM];   /* grid, elements */
    double block[GZ_MAX_DIM];  /* starting tile, elements */
    double radius[GZ_MAX_DIM]; /* of the stencil, elements: half of the halo width */
    double height;             /* loops of a stage */
    double stream_len;         /* of a streamed tile's pieces, elements; 0: the grid's length */
    int columns;               /* whether its columns along the stream lie in registers */
    int compact;               /* whether all loops' planes lie in one ring */
} gzi_tile;

/* What one tile does along one dimension, or all tiles along it together, elements. */
typedef struct gzi_extent {
    double loaded;    /* of each array that is loaded with the tile, once a stage */
    double computed;  /* in one loop */
    double committed; /* once a stage */
} gzi_extent;

/* A stage of all tiles, elements of one array. */
typedef struct gzi_counts {
    double tiles;
    double loaded, computed, committed; /* computed: in all loops of the stage */
} gzi_counts;

typedef struct gzi_tiling {
    const char *name, *summary; /* "trapezoid"; one line */

    /* Whether a tile is left at height 1, for lengths in range: GZ_OK, GZ_EBLOCK or GZ_ECONFIG. */
    gz_status (*check)(const gz_app *app, const gz_config *cfg, gz_error *error);

    /* Heights are below the pole; the largest whole one; and whether one is feasible, decided
     * without rounding. */
    double (*pole)(const gz_app *app, const gz_config *cfg);
    double (*height_max)(const gz_app *app, const gz_config *cfg);
    int (*feasible)(const gz_app *app, const gz_config *cfg, double h);

    /* Tiles along dimension i; what tile k along it does in loop `loop` (1..height) of a stage; and
     * what all tiles along it do. */
    double (*tiles)(const gzi_tile *tile, int i);
    gzi_extent (*extent)(const gzi_tile *tile, int i, double k, double loop);
    gzi_extent (*total)(const gzi_tile *tile, int i, double loop);

    /* Local memory that a block needs for `states` copies of the state (2: one that is read and one
     * that is written) and `arrays` constant arrays, elements; 0 without a tile. */
    double (*local_elements)(const gzi_tile *tile, double states, double arrays);

    /* Barriers within a block for one tile in one stage. */
    double (*barriers)(const gzi_tile *tile);
} gzi_tiling;

/* The table, by gz_variant (tilings.c); NULL in a row whose tiling this library lacks. */
enum { GZI_TILINGS = GZ_VARIANT_NAIVE + 1 };
extern const gzi_tiling *const gzi_tilings[GZI_TILINGS];

/* The tiling of a variant; NULL if this library has none of that number. */
static inline const gzi_tiling *gzi_tiling_of(gz_variant variant)
{
    return (unsigned)variant < GZI_TILINGS ? gzi_tilings[variant] : NULL;
}

extern const gzi_tiling gzi_trapezoid, gzi_stream, gzi_naive;

/* The tile of a configuration at whole height h; edges are clamped. */
gzi_tile gzi_tile_of(const gz_app *app, const gz_config *cfg, double h);

/* A whole stage. */
gzi_counts gzi_stage_counts(const gzi_tiling *tiling, const gzi_tile *tile);

/* ----------------------------------------------------------------------------------- columns.c */

/* What decides whether the columns of a streamed tile lie in registers. */
typedef struct gzi_columns {
    int star;              /* whether the device and the stencil allow it */
    double height, radius; /* radius along the stream */
    double words, arrays;  /* of 4 bytes, of an element; coefficient arrays */
    double coefficients;   /* the same for all elements */
    double x, rows;        /* columns of a thread beside each other, and rows of them */
    double threads;        /* of a block */
} gzi_columns;

/* Those of a streamed tile at height h; threads of 0 are one for each column. */
gzi_columns gzi_columns_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h);

/* Registers that a thread takes with its columns in registers. */
double gzi_column_registers(const gzi_columns *c);

/* Registers that it takes with its planes in rings. */
double gzi_ring_registers(const gzi_columns *c);

/* Whether the kernels keep them there. */
int gzi_takes_columns(const gzi_columns *c);

/* Sets the threads for cfg's tile, at most `limit`: one per element, or fewer; a streamed tile has
 * one along its stream, and on a CPU one in all, whose rows are vectors; on a GPU few enough to
 * have registers for its columns at height h, if they may lie there. */
void gzi_set_threads(const gz_device *dev, const gz_app *app, double limit, double h,
                     gz_config *cfg);

/* ------------------------------------------------- trapezoid.c: the same, smooth in every length
 */

/* prod_i DataLength_i, elements. */
double gzi_grid_elements(const gz_app *app, const gz_config *cfg);

/* V = prod_i blk_len_i, elements of the starting tile. */
double gzi_starting_tile(const gz_app *app, const gz_config *cfg);

/* Q = prod_i (blk_len_i - HaloWidth_i), elements on which a loop of the trapezoid operates. */
double gzi_operated_tile(const gz_app *app, const gz_config *cfg);

/* P(h) = prod_i (blk_len_i - HaloWidth_i h), elements of the committed tile. */
gz_jet gzi_committed_tile(const gz_app *app, const gz_config *cfg, double h);

#endif
