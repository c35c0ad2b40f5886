/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tiling.h - what a tiling is: how tiles cover a grid, what each loads, computes in each loop and
 * commits, where it lies in local memory, and which threads compute it. Models predict by it, and
 * the runtime configures its kernels by it. A tiling is a file tilings/NAME.c that defines one
 * gzi_tiling, and a row of the table in tilings.c.
 *
 * Dimension 0 is the fastest varying one. A tile's work is the product over the dimensions of
 * its extents there, a stage's the sum over the tiles, which is the product of the axes'
 * sums; and the tiles of an axis come in few classes (cut by the grid's beginning, inner, cut by
 * its end). So nothing here takes longer with more tiles.
 */
#ifndef GZI_TILING_H
#define GZI_TILING_H

#include "gzmodel/parameters.h"
#include "shape.h"

/* Where the planes of a streamed tile lie that a cell depends on: what suits device and stencil;
 * rings in local memory; or registers, each thread its columns, with local memory for one plane a
 * loop. */
typedef enum gzi_planes { GZI_PLANES_ANY, GZI_PLANES_RING, GZI_PLANES_COLUMNS } gzi_planes;

/* Elements that computing a cell reads from its tile; if the application does not say, a star's. */
double gzi_tile_reads(const gz_app *app);

/* The shape of an application; what it does not state is a star's. */
gz_shape gzi_shape_of(const gz_app *app);

/* A configuration at a whole height, with the threads that go with it. Lengths that are no whole
 * numbers, which no exact model accepts, are cut off. */
gz_way gzi_way_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h);

/* Sets all that a way states. */
void gzi_take_way(gz_config *cfg, const gz_way *way);

/* A stencil's grid cut into tiles. */
typedef struct gzi_tile {
    GZI_HAS(gz_shape, shape, GZ_SHAPE_MEMBERS)
    GZI_HAS(gz_way, way, GZ_WAY_MEMBERS)
    long size[GZ_MAX_DIM]; /* grid, cells, >= 1 */
    int loops;  /* of this stage: the height or, of a run's last one, fewer; 0: the height */
    int states; /* copies of the state in local memory: 2, of which one is read and one written, or
                   1; of a streamed tile not read */
    int cpu;    /* STREAM: whether rows are computed by one thread, as vectors, and no columns lie
                   in registers */
    gzi_planes planes; /* STREAM: as requested */
    int columns;       /* STREAM: whether each thread's columns along the stream lie in its
                          registers, and not in rings in local memory */
} gzi_tile;

/* The most loops of a streamed tile whose geometry is described. */
enum { GZI_LEVELS = 64 };

/* Tiles that follow each other along one axis and have the same extents, cells. Whole numbers,
 * unless classes were merged: then means, whose sums are still exact. */
typedef struct gzi_class {
    long first, tiles; /* number of the first, and how many */
    double loaded;     /* of each array that is loaded with the tile; without local memory: read */
    double outside;    /* TRAPEZOID: of these, cells that lie outside the grid */
    double computed;   /* in each loop; STREAM: in the first */
    double committed;
    /* STREAM, in the last dimension: planes that the tile walks along, those included that let the
     * levels catch up beyond the grid's end; the sum of level[]; and barriers, one after loading a
     * plane and one after computing it at a level, or with columns in registers one a step. */
    double walked, planes, barriers;
    /* With columns in registers, of the dimensions across the stream: cells of the tile's extent
     * that are written to local memory; copies of cells outside the grid that follow
     * from these; and how many these are. */
    double held, copies, ends;
    /* Cells computed at level k, in its k-th loop, at [k - 1]; and of dimension 1 of three, with
     * columns in registers, neighbours in further rows that lie in the same thread's registers. */
    double level[GZI_LEVELS], beside[GZI_LEVELS];
} gzi_class;

enum { GZI_CLASSES = 8 };

/* One axis: its tiles by class, in their order, and the sums over all tiles. */
typedef struct gzi_axis {
    long tiles;  /* size / step, rounded up */
    long step;   /* what a tile that is not cut commits */
    int classes; /* at most GZI_CLASSES */
    int merged;  /* non-zero: there were more, and the cut ones of an end share the last class of
                    theirs */
    double loaded, computed, committed;
    double level[GZI_LEVELS]; /* STREAM */
    gzi_class of[GZI_CLASSES];
} gzi_axis;

typedef struct gzi_geometry {
    gzi_axis axis[GZ_MAX_DIM]; /* those that the grid lacks have one tile of one cell */
    double tiles;
} gzi_geometry;

/* A stage of all tiles, cells of one array. */
typedef struct gzi_counts {
    double loaded, committed;
    double computed; /* in all loops of the stage */
    double barriers; /* STREAM: of all tiles */
} gzi_counts;

typedef struct gzi_tiling {
    const char *name; /* "trapezoid" */

    /* In whole numbers: the fewest dimensions, and the most loops of a stage. */
    int least_dim, most_loops;
    int streamed; /* whether loops differ in what they compute: gzi_class's level[] */

    /* What a whole tile commits along dimension i; and how far beyond it a tile reaches, so that
     * farther ones from the grid's end are not cut. */
    long (*step)(const gzi_tile *tile, int i);
    long (*reach)(const gzi_tile *tile, int i);
    /* The extents of tile k along dimension i, from `loaded` on; what does not apply stays 0. */
    void (*extents)(const gzi_tile *tile, int i, long k, gzi_class *out);

    /* Local memory that a block needs, elements; 0 without a tile. */
    double (*local_elements)(const gzi_tile *tile);
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

/* The heights of a configuration whose lengths are in range and whose variant exists (ghost.c):
 * whether a tile is left at height 1, GZ_OK, GZ_EBLOCK or GZ_ECONFIG; the pole, which heights are
 * below; the largest whole height; and whether a height is feasible, decided without rounding. */
gz_status gzi_check_tile(const gz_app *app, const gz_config *cfg, gz_error *error);
double gzi_pole(const gz_app *app, const gz_config *cfg);
double gzi_height_max(const gz_app *app, const gz_config *cfg);
int gzi_feasible(const gz_app *app, const gz_config *cfg, double h);

/* The tile of a shape, run so on a grid; of a streamed one on a GPU, columns lie in registers where
 * there is room for them. */
gzi_tile gzi_tile_make(const gz_shape *shape, const gz_way *way, const long size[GZ_MAX_DIM],
                       int cpu);

/* The tile of a configuration at a whole height. */
gzi_tile gzi_tile_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h);

/* ----------------------------------------------------------------------------------- classes.c */

/* Computes the geometry. Zero; -1 if a length, radius or number of loops is out of its range, or if
 * the height leaves nothing to commit. */
int gzi_geometry_make(const gzi_tiling *tiling, const gzi_tile *tile, gzi_geometry *out);

/* What a stage of all tiles does. */
gzi_counts gzi_stage_counts(const gzi_tiling *tiling, const gzi_tile *tile, const gzi_geometry *g);

/* The axis that a grid lacks: one tile of one cell. */
void gzi_axis_none(gzi_axis *axis);

/* How many tiles of the classes class[i] of the axes have numbers below `end`, in the order in
 * which the kernels number them, dimension 0 first. */
double gzi_geometry_before(const gzi_geometry *g, const int class[GZ_MAX_DIM], double end);

/* How many of the `n` tiles beginning with number `first`, whose numbers count `stride` tiles each,
 * leave each remainder modulo `workers`: adds to remainder[0..workers-1]. */
void gzi_remainders(long first, long n, long stride, int workers, double *remainder);

/* --------------------------------------------------------------------------------- trapezoid.c */

/* The sums over a trapezoid's tiles along axis i, and one class of all tiles with their means, in a
 * time that does not depend on the tiles. For what gzi_geometry_make accepts. */
void gzi_axis_mean(const gzi_tile *tile, int i, gzi_axis *axis);

/* Lower bounds of the same sums at all heights from the tile's to `highest`, which still commits a
 * cell. The tiles are those of the tile's height, the fewest; more height means as many or more,
 * each with more around it. */
void gzi_axis_least(const gzi_tile *tile, int i, int highest, gzi_axis *axis);

/* And the same smooth in every length, for the 2011 model: prod_i DataLength_i, elements. */
double gzi_grid_elements(const gz_app *app, const gz_config *cfg);

/* V = prod_i blk_len_i, elements of the starting tile. */
double gzi_starting_tile(const gz_app *app, const gz_config *cfg);

/* Q = prod_i (blk_len_i - HaloWidth_i), elements on which a loop of the trapezoid operates. */
double gzi_operated_tile(const gz_app *app, const gz_config *cfg);

/* P(h) = prod_i (blk_len_i - HaloWidth_i h), elements of the committed tile. */
gz_jet gzi_committed_tile(const gz_app *app, const gz_config *cfg, double h);

/* ---------------------------------------------------------------------------------- streamed.c */

/* How a streamed tile lies in local memory, elements. kernels/device/stream_layout.knl states the
 * same for the kernels. */
typedef struct gzi_layout {
    int align;              /* to a multiple of which the parts of a row are rounded up */
    long first_column;      /* of a row, the first cell that is committed */
    long pitch;             /* from one row to the next */
    long plane_rows;        /* rows of a plane, 1 in two dimensions */
    int planes;             /* of one level */
    int coefficient_planes; /* of the ring of a coefficient array */
    int thread_rows;        /* rows of threads */
    int zero_rows;          /* rows of zeros, read in place of what lies outside the grid */
    long column_cells;      /* room for each column's place in the grid */
    int compact;            /* whether all levels share one ring of planes with more rows */
    double elements;        /* in all; may exceed any memory */
} gzi_layout;

gzi_layout gzi_stream_layout(const gzi_tile *tile);

/* Cells to which the parts of a row are rounded up: whole rows begin on lines of the cache, which
 * are also the widest vectors. */
int gzi_row_align(const gzi_tile *tile);

/* ----------------------------------------------------------------------------------- threads.c */

/* Threads of a naive block on a GPU, at most, unless they are given: with more, each has fewer
 * cells that share what they read. */
enum { GZI_NAIVE_THREADS = 256 };

/* Halves the threads of a block, those along dimension 0 last, because neighbours in a row share
 * memory transactions, until there are at most `most`. */
void gzi_limit_threads(int dim, double most, double threads[GZ_MAX_DIM]);

/* Sets the threads of a streamed tile, and `columns` by them: one along its stream and, of whole
 * rows, one in all; else one a column of the tile or fewer, at most `most`, and few enough to have
 * registers for their columns, if these may lie there. */
void gzi_set_stream_threads(gzi_tile *tile, double most);

/* The threads of a configuration's block in dimension i: those that are given; else on a CPU one,
 * whose core runs a block's cells one after the other, on a GPU one a cell, and one along a stream.
 */
double gzi_threads_in(const gz_device *dev, const gz_app *app, const gz_config *cfg, int i);

/* Sets the threads for cfg's tile at height h, at most `most`: on a CPU one; on a GPU one a cell,
 * or fewer; of a streamed tile as above. */
void gzi_set_threads(const gz_device *dev, const gz_app *app, double most, int h, gz_config *cfg);

/* Columns of a streamed tile along the stream for each of its threads. */
double gzi_thread_columns(const gzi_tile *tile);

/* The most that may lie in registers: each has a bit in a word, and their code is unrolled. */
enum { GZI_MOST_COLUMNS = 8 };

/* Registers of 32 bits that a thread of a streamed tile takes on a GPU, estimated, with its columns
 * in registers; that it takes with its planes in rings: 96, or with rows together 80 and what
 * these hold of a plane if that is more, but for blocks of many threads only half of what these
 * could have beyond 64 (NVRTC's kernels take 0.65 to 1.35 times as many for sm_75 to sm_90, for
 * sm_100 0.5 to 1.65: t/323-ring-registers.c); and that it may have, if a multiprocessor has one
 * block at a time. */
double gzi_column_registers(const gzi_tile *tile);
double gzi_ring_registers(const gzi_tile *tile);
double gzi_most_registers(const gzi_tile *tile);

/* Blocks at a time that a streamed tile's kernel is compiled for: with columns of floats, of two
 * time levels, as many as have room for an eighth less than these registers, otherwise 1. And what
 * it then takes. */
double gzi_resident_blocks(const gzi_tile *tile);
double gzi_stream_registers(const gzi_tile *tile);

/* Whether columns in registers have room there: those of fences are fewer where there are few. */
int gzi_columns_fit(const gzi_tile *tile);

/* Whether the columns of a streamed tile of this block and these threads may lie in registers, and
 * have room there: what the kernels do unless a layout is requested. Boxes, which read other planes
 * outside their own column, keep rings. */
int gzi_takes_columns(const gzi_tile *tile);

/* The rows of a plane that a thread of a streamed tile in rings computes together on a GPU, inside
 * the grid: 1, 2 or 4, as many as what they read has registers for. */
int gzi_rows_together(const gzi_tile *tile);

/* And the cells along the last dimension that a thread without local memory does: as many of 1, 2,
 * 4 and 8 as divide its own, if it has the registers that NVRTC's kernels then take. */
int gzi_cells_together(const gzi_tile *tile);

/* Cells that a ring's thread computes of a plane of a level, from 1 to the height; of level 0,
 * those of the whole tile. */
double gzi_ring_trips(const gzi_tile *tile, int level);

/* ------------------------------------------------------------------------------------ pieces.c */

/* Which streamed tiles are worth trying. */
typedef struct gzi_pieces {
    gzi_tile tile;      /* grid and stencil of all of them; its threads, if those of the first
                           dimension are not 0; else each has those that go with it */
    double units;       /* of the device that take whole tiles, at least 1 */
    double threads;     /* of a block, at most */
    double local_bytes; /* local memory of a block; 0: no limit */
    long warp;          /* of which rows of threads are multiples; 0: 32 */
    long length;        /* of all pieces; 0: what is worth trying */
    double block_max[GZ_MAX_DIM]; /* of a tile, ghost zone included; 0: no limit */
} gzi_pieces;

/* Sets the tile of a configuration, its extent along the stream included. */
void gzi_set_piece(const gzi_tile *tile, gz_config *cfg);

/* What is called for each tile.
 * GZ_EHEIGHT: the device has no room for it, nor for others with the same plane. */
typedef gz_status gzi_piece_visitor(void *with, const gzi_tile *tile);

/* Calls `visit` with every tile of a height that is worth trying until one call fails; returns its
 * status. Whole rows are parts of the grid's, rounded up to lines of the cache; else rows are
 * multiples of warps. In three dimensions the planes have as many rows as fit, and larger numbers
 * of parts: two with whole rows, else eleven, since columns in registers need fewer rows than may
 * fit. Pieces are the whole stream and its halves, quarters, ... while there are fewer than four
 * tiles for a unit. For two or three dimensions. */
gz_status gzi_visit_pieces(const gzi_pieces *pieces, int height, gzi_piece_visitor *visit,
                           void *with);

#endif
