/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * config.h - one way to run a stencil, and what follows from it: the geometry of its trapezoids and
 * the text of its kernel.
 */
#ifndef GZK_CONFIG_H
#define GZK_CONFIG_H

#include "error.h"
#include "stencils.h"

#include <stdbool.h>

enum gzk_variant {
    GZK_TRAPEZOID, /* tiles with ghost zones in local memory, `height` loops per stage */
    GZK_STREAM,    /* tiles that walk along the slowest dimension, `height` loops per stage */
    GZK_NAIVE,     /* the baseline: no tile, one loop per launch */
    GZK_COLUMN,    /* the baseline with a thread for each line of cells along x */
    GZK_CELL,      /* the baseline with a thread for each cell, on a CPU too */
    GZK_SHARED,    /* the same with its block and ghost cells in local memory */
    GZK_SERIAL     /* the serial reference on the host, without a device */
};

enum gzk_sync {
    GZK_RESTART, /* one launch per stage */
    GZK_FENCE,   /* one launch; its groups meet after each stage */
    GZK_GRAPH    /* the launches of GZK_RESTART, recorded once and launched together */
};

/* What is particular to a variant. */
struct gzk_variant_info {
    const char *name, *summary; /* of one line */
    int local_states;           /* tiles of the state in local memory; 0: neighbours are read from
                                   device memory */
    bool ghost_in_block;        /* whether the block counts the ghost zone, as the paper's does */
    bool any_height;            /* whether a stage may be more than one loop */
    bool thread_per_cell;       /* threads are as many as the block has cells */
    bool whole_rows;            /* a block spans the grid in x, and a thread the block */
    bool streamed;              /* whether tiles walk along the slowest dimension; see stream.h */
    bool on_host;               /* needs no device, and has no kernel */
};

/* By enum gzk_variant. */
extern const struct gzk_variant_info gzk_variants[];
extern const int gzk_variant_count;

struct gzk_config {
    const struct gzk_stencil *stencil;
    enum gzk_variant variant;
    enum gzk_sync sync;
    int size[3];    /* cells of the grid, 1 in the dimensions that the stencil lacks */
    int block[3];   /* cells of the starting tile, ghost zone included where the variant says so;
                       likewise */
    int threads[3]; /* threads of a work-group, each of which takes every threads[i]-th cell */
    int height;     /* loops per stage, at least 1; most variants know only 1 */
    long loops;     /* loops in all, at least 1 */
    bool cpu;    /* whether a streamed tile is laid out for a CPU, its rows on lines of the cache */
    bool bypass; /* whether a streamed tile's results bypass the CPU's cache */
    bool contract; /* may a multiplication and an addition round once? */
};

struct gzk_geometry {
    int committed[3];   /* cells of a tile that are committed: block - 2 radius height */
    int tiles[3];       /* tiles in each dimension: size / committed, rounded up */
    int tile_count;     /* the model's T, as whole tiles */
    int tile_cells;     /* the model's V: the block's cells, with what ghost cells are around it */
    int thread_count;   /* threads of a work-group */
    size_t local_bytes; /* local memory of a work-group: one or two states and the still arrays */
    long stages;        /* launches or meetings: loops / height, rounded up */
};

/* What one run has to load and compute, counted over its whole tiles on its real grid; what the
 * model approximates with fractions of tiles. */
struct gzk_counts {
    double loaded;     /* elements loaded with tiles [Eq. 8: stages NumStencilArrays T V] */
    double fresh;      /* elements read in the loops [Eq. 10: loops NumElemPerOp T Q] */
    double operations; /* cells computed [loops T Q] */
    double committed;  /* elements committed [Eq. 9: stages T P] */
};

/* Fills `geometry`; GZK_INVALID where no cell would be committed, or the grid, tile or number of
 * threads is out of range. Knows no device's limits. */
int gzk_geometry_make(const struct gzk_config *config, struct gzk_geometry *geometry,
                      struct gzk_error *error);

/* Counts what a run of `config`, a variant with a tile in local memory, does. */
struct gzk_counts gzk_count(const struct gzk_config *config);

/* The variant's own block where it leaves no choice, before the threads are set: the grid's rows,
 * or the grid. */
void gzk_default_block(struct gzk_config *config);

/* A work-group for `config->block` on a device that takes `max_threads`: one thread per cell where
 * that many fit, else fewer; a single one on a CPU, whose compiler vectorises a thread's rows. What
 * the variant prescribes comes first. */
void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu);

/* The largest height at which `block` commits anything; 0 if none. */
int gzk_max_height(const struct gzk_stencil *stencil, const int block[3]);

/* The kernel's whole text after `prelude`, the backend's definitions of the common subset; of a
 * variant that has a kernel. To be freed; NULL where memory is short. */
char *gzk_kernel_text(const struct gzk_config *config, const char *prelude);

/* The name of the kernel in that text. */
const char *gzk_kernel_name(const struct gzk_config *config);

#endif
