/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_geometry.h - the exact, integer geometry of overlapped tiles on a grid, as the kernels
 * compute it (kernels: span.knl, edge_*.knl, trapezoid.knl). What is summed over tiles is a product
 * of sums over the axes, and tiles of one axis come in few classes (cut by the grid's beginning,
 * inner, cut by its end), so nothing here costs more with more tiles.
 */
#ifndef GZI_GEOMETRY_H
#define GZI_GEOMETRY_H

/* What a tile does beyond the grid's edge. */
typedef enum gzi_gz2_edge {
    GZI_GZ2_EDGE_CLAMP,   /* loads the nearest cells inside, computes cells of the grid only */
    GZI_GZ2_EDGE_ZERO,    /* loads and computes cells of the grid only */
    GZI_GZ2_EDGE_PERIODIC /* loads and computes the images that it needs */
} gzi_gz2_edge;

/* A grid cut into tiles. Cells; dimension 0 is the fastest varying one. */
typedef struct gzi_gz2_tiling {
    int dim;       /* 1..3; what follows is read for the first `dim` dimensions only */
    long grid[3];  /* N_i, >= 1 */
    int block[3];  /* b_i, starting tile, ghost zone included, > 2 r_i h */
    int radius[3]; /* r_i, >= 0 */
    int height;    /* h, loops of a stage, >= 1 */
    gzi_gz2_edge edge[3];
    int columns; /* of streamed tiles: 0, or rows that a thread owns, which keeps its columns
                    along the stream in registers */
} gzi_gz2_tiling;

/* Tiles in a row of one axis with the same extents. Whole numbers, unless classes were merged: then
 * means, whose sums are still exact. */
typedef struct gzi_tile_class {
    long first, tiles; /* index of the first, and how many */
    double loaded;     /* L_i, cells */
    double outside;    /* of these, cells that lie outside the grid */
    double computed;   /* Q_i, cells of each loop */
    double committed;  /* P_i, cells */
} gzi_tile_class;

enum { GZI_AXIS_CLASSES = 8 };

/* One axis: its tiles by class, in their order, and the sums over all tiles. */
typedef struct gzi_axis {
    long tiles;  /* ceil(N_i / t_i) */
    int step;    /* t_i = b_i - 2 r_i h, what a tile that is not cut commits */
    int classes; /* at most GZI_AXIS_CLASSES */
    int merged;  /* non-zero: there were more, and the cut ones of an end
                    share the last class of theirs */
    gzi_tile_class of[GZI_AXIS_CLASSES];
    double loaded, computed, committed; /* sums over the tiles, cells */
} gzi_axis;

typedef struct gzi_geometry {
    gzi_axis axis[3];                   /* those that the tiling lacks have one tile of one cell */
    double tiles;                       /* T */
    double loaded, computed, committed; /* sums of L_k, Q_k, P_k over the tiles, cells */
    double loaded_rows, computed_rows,
        committed_rows; /* of L'_k, Q'_k, P'_k: without dimension 0 */
} gzi_geometry;

/* The extents of tile number `k` of axis `i`. */
void gzi_axis_tile(const gzi_gz2_tiling *tiling, int i, long k, gzi_tile_class *tile);

/* The sums over the tiles of axis `i`, and one class of all tiles with their means, in a time that
 * does not depend on the tiles. For what gzi_geometry_make accepts. */
void gzi_axis_mean(const gzi_gz2_tiling *tiling, int i, gzi_axis *axis);

/* Lower bounds of the same sums at all heights from the tiling's to `highest`, which still commits
 * a cell. The tiles are those of the tiling's height, the fewest; more height means as many or
 * more, each with more around it. */
void gzi_axis_least(const gzi_gz2_tiling *tiling, int i, int highest, gzi_axis *axis);

/* The axis that a tiling lacks: one tile of one cell. */
void gzi_axis_none(gzi_axis *axis);

/* Computes the geometry. Zero; -1 if a length, radius or height is out of its range, or if the
 * height leaves nothing to commit. */
int gzi_geometry_make(const gzi_gz2_tiling *tiling, gzi_geometry *out);

/* The largest height at which the block commits at least one cell; 0 if there is none. */
int gzi_geometry_height_max(int dim, const int block[3], const int radius[3]);

/* How many tiles of the classes class[i] of the axes have numbers below `end`, in the order in
 * which the kernels number them, dimension 0 first. */
double gzi_geometry_before(const gzi_geometry *g, const int class[3], double end);

/* How many of the `n` tiles beginning with number `first`, whose numbers count `stride` tiles each,
 * leave each remainder modulo `workers`: adds to remainder[0..workers-1]. */
void gzi_remainders(long first, long n, long stride, int workers, double *remainder);

/* --------------------------------------------------------------------------- stream_geometry.c
 * Streamed tiles: they cover all dimensions but the last and walk along that one, in pieces;
 * level k = 1..h computes, across the stream, h - k radii more on either side than is committed,
 * and along rows (dimension 0) all levels as much as the first, rounded up to whole lines; with
 * columns in registers the last level computes what is committed. And blocks without local memory,
 * of which a stage is one loop. */

/* The highest streamed tile that is described. */
enum { GZI_STREAM_HEIGHT = 64 };

/* What the classes of a gzi_geometry have besides: of axis i and class c. */
typedef struct gzi_levels {
    int height;
    /* Cells computed at level k, at [k - 1]. */
    double level[3][GZI_AXIS_CLASSES][GZI_STREAM_HEIGHT];
    /* Of the last dimension: planes that the tile walks along, those included that let the levels
     * catch up beyond the grid's end. */
    double walked[GZI_AXIS_CLASSES];
    /* Of the last dimension: the sum of level[] over the levels. */
    double planes[GZI_AXIS_CLASSES];
    /* Rows computed in all levels by a tile of class y in dimension 1 and z in dimension 2. */
    double rows[GZI_AXIS_CLASSES][GZI_AXIS_CLASSES];
    /* With columns in registers. Of the last dimension: steps, `walked` rounded up to the 2 r + 1
     * planes by which they are unrolled; each has one barrier. */
    double steps[GZI_AXIS_CLASSES];
    /* Of the others: cells of the tile's extent that are written to local memory; copies beside
     * them, of cells outside the grid that follow from these; and how many these are. */
    double held[3][GZI_AXIS_CLASSES], copies[3][GZI_AXIS_CLASSES], ends[3][GZI_AXIS_CLASSES];
    /* Of dimension 1 in three: neighbours in rows beside those computed at level k that lie in the
     * same thread's registers, at [k - 1]. */
    double beside[3][GZI_AXIS_CLASSES][GZI_STREAM_HEIGHT];
} gzi_levels;

/* The geometry of streamed tiles of 2 or 3 dimensions; `block` of the last is not read: a piece has
 * `piece` planes (0: all). `align`: cells to which a row's parts are rounded up, >= 1. A class'
 * `computed` is that of the first level. Zero; -1 as gzi_geometry_make, or the height is above
 * GZI_STREAM_HEIGHT. */
int gzi_stream_make(const gzi_gz2_tiling *tiling, long piece, int align, gzi_geometry *out,
                    gzi_levels *stream);

/* Local memory of a group, elements: a ring of 2 r + 1 planes for each level's input, one of
 * (h + 1) r + 1 for each of `arrays` coefficient arrays, rows for results and for what the edge
 * rule needs. With columns in registers: two planes for each level's input, a ring of
 * (h + 1) r + 2 for each coefficient array, with the rows that the edge rule needs. `thread_rows`:
 * rows of threads, 1 in two dimensions. */
double gzi_stream_elements(const gzi_gz2_tiling *tiling, int align, int arrays, int thread_rows);

/* The geometry of blocks that are what they commit, at height 1; `loaded` is what they read: their
 * cells and the radius on either side, as far as it is inside the grid or has images there. */
int gzi_naive_make(const gzi_gz2_tiling *tiling, gzi_geometry *out);

#endif
