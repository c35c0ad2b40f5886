/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stream.h - the geometry of streamed tiles: how they lie in local memory, and what they load,
 * compute and commit. kernels/device/stream_layout.knl states the layout for the kernels.
 */
#ifndef GZK_STREAM_H
#define GZK_STREAM_H

#include "tiles.h"

/* The dimension along which the tiles of `stencil` walk: its slowest. */
int gzk_stream_axis(const struct gzk_stencil *stencil);

/* How a tile lies in local memory, in elements. */
struct gzk_stream_layout {
    int align;          /* to a multiple of which the parts of a row are rounded up */
    int first_column;   /* of a row, the first cell that is committed */
    int first_computed; /* the cells that every loop computes: [first_computed, last_computed) */
    int last_computed;
    int pitch;        /* from one row to the next */
    int plane_rows;   /* rows of a plane, 1 in two dimensions */
    int slots;        /* planes that a cell depends on */
    int planes;       /* planes of one level in local memory */
    int coef_slots;   /* planes of the ring of a coefficient array */
    int thread_rows;  /* rows of threads */
    int zero_rows;    /* rows of zeros, read in place of what lies outside the grid */
    int column_cells; /* room for each column's place in the grid */
    bool compact;     /* whether all levels share one ring of planes with more rows */
    double elements;  /* in all; may exceed any memory */
};

void gzk_stream_layout_of(const struct gzk_config *config, struct gzk_stream_layout *layout);

/* Columns of the tile along the stream for which each thread has registers, if it has. */
int gzk_stream_columns(const struct gzk_config *config);

/* Registers of 32 bits that a thread then needs, estimated. */
double gzk_stream_registers(const struct gzk_config *config);

/* Whether a tile of this block and these threads has its columns in registers: if that was
 * requested, or on a GPU if the stencil allows it and the registers suffice. */
bool gzk_stream_takes_columns(const struct gzk_config *config, bool is_cpu);

/* Local memory of a work-group in bytes. */
double gzk_stream_local_bytes(const struct gzk_config *config);

/* Registers of 32 bits that each thread of a group may have on a GPU that runs one group at a time.
 */
double gzk_stream_most_registers(const struct gzk_config *config);

/* Whether a tile needs columns in more registers than a GPU's threads may have. On a CPU they are
 * memory like any other. */
bool gzk_stream_spills(const struct gzk_config *config, bool is_cpu);

/* The largest height below config->height at which a tile of the same block fits `local_bytes` and,
 * on a GPU, the registers; 0 if there is none. */
int gzk_stream_max_height(const struct gzk_config *config, size_t local_bytes, bool is_cpu);

/* Refuses what streamed tiles do not do. */
int gzk_stream_check(const struct gzk_config *config, struct gzk_error *error);

/* As gzk_count, exact also for a last stage of fewer loops; cells are those that the kernel
 * computes, including those to which a row's parts are rounded up. */
struct gzk_counts gzk_stream_count(const struct gzk_config *config);

/* Barriers that each work-item of a run executes in its tiles, summed over all tiles and stages;
 * those that keep stages apart do not count. */
double gzk_stream_barriers(const struct gzk_config *config);

#endif
