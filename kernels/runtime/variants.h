/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * variants.h - what a kernel consists of besides the stencil's body: how its tiles work
 * (the variant), how its blocks are synchronised, and what lies outside the grid. Each is a
 * row of a table beside a file of device code in kernels/device; a new one is a row and a file.
 */
#ifndef GZK_VARIANTS_H
#define GZK_VARIANTS_H

#include "gzmodel.h"
#include "stencil.h"

/* A file of device code. */
struct gzk_part {
    const char *name; /* as the compiler's messages show it; NULL for none */
    const char *text;
};

/* Values of gz_variant: those that the library has tilings of, and the kernels' own. */
#define GZK_TRAPEZOID GZ_VARIANT_TRAPEZOID /* tiles with ghost zones, `height` loops per stage */
#define GZK_STREAM GZ_VARIANT_STREAM /* tiles that walk along the slowest dimension, likewise */
#define GZK_NAIVE GZ_VARIANT_NAIVE   /* the baseline: no tile, one loop per launch */
#define GZK_COLUMN ((gz_variant)3)   /* with a thread for each line of cells along x */
#define GZK_CELL ((gz_variant)4)     /* with a thread for each cell, on a CPU too */
#define GZK_SHARED ((gz_variant)5)   /* the same, block and ghost cells in local memory */
#define GZK_SERIAL ((gz_variant)6)   /* the serial reference on the host, without a device */

/* The bit of a variant that models may describe; 0 of the kernels' own. */
static inline unsigned gzk_model_variant(gz_variant variant)
{
    return variant <= GZK_NAIVE ? 1U << variant : 0;
}

/* What is particular to a variant. */
struct gzk_variant_info {
    const char *name, *summary; /* of one line */
    struct gzk_part device;     /* its device code; follows the body */
    const char *kernel;         /* the kernel in it; NULL if the synchronisation's file has it */
    int local_states;           /* tiles of the state in local memory; 0: neighbours are read from
                                   device memory */
    bool ghost_in_block;        /* whether the block counts the ghost zone, as the paper's does */
    bool any_height;            /* whether a stage may be more than one loop */
    bool thread_per_cell;       /* threads are as many as the block has cells */
    bool whole_rows;            /* a block spans the grid in x, and a thread the block */
    bool streamed;              /* whether tiles walk along the slowest dimension; see tiles.h */
    bool on_host;               /* needs no device, and has no kernel */
    gz_variant tiling;          /* how its tiles cover the grid */
};

/* By gz_variant. */
extern const struct gzk_variant_info gzk_variants[];
extern const int gzk_variant_count;

/* How the launches of a run reach the device. */
enum gzk_launching {
    GZK_LAUNCH_EACH,     /* one launch per stage, one after the other */
    GZK_LAUNCH_RESIDENT, /* a single launch, all of whose groups are resident and wait at a barrier
                            after each stage */
    GZK_LAUNCH_RECORDED  /* one launch per stage, recorded once and launched together */
};

/* A synchronisation mode, which gz_name names. */
struct gzk_sync_info {
    enum gzk_launching launching;
    struct gzk_part device; /* the kernel around the variant's device code */
    const char *kernel;     /* its name */
};

/* By gz_sync. */
extern const struct gzk_sync_info gzk_syncs[];
extern const int gzk_sync_count;

/* What lies outside the grid in one dimension. Device code is compiled for each dimension. */
struct gzk_edge_info {
    const char *name;
    struct gzk_part device;  /* what an index outside the grid means */
    struct gzk_part follows; /* device code that follows it: how a tile's cells outside the grid get
                                their values */
    struct gzk_part streamed; /* likewise, for tiles that walk along a dimension */
    bool borders;             /* whether the buffers' borders are arrays of their own */
    bool known;               /* whether cells outside the grid are known without a load */
    bool images;              /* whether they are cells like any other, loaded and computed */
};

/* By gz_edge. */
extern const struct gzk_edge_info gzk_edges[];
extern const int gzk_edge_count;

#endif
