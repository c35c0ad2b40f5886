/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * config.h - one way to run a stencil, and what it is unless given.
 */
#ifndef GZK_CONFIG_H
#define GZK_CONFIG_H

#include "tiling.h"
#include "variants.h"

#include <stdbool.h>

struct gzk_config {
    const struct gzk_stencil *stencil;
    GZI_HAS(gz_way, way, GZ_WAY_MEMBERS) /* a block includes the ghost zone if the variant says so,
                                      also along a stream, where it says what `piece` would */
    int size[3]; /* cells of the grid, 1 in the dimensions that the stencil lacks */
    long loops;  /* loops in all, at least 1; of a run that its data end, those that are expected */
    int ending;  /* of such a run: the states that are results, 1 or 2; else 0 */
    gzi_planes layout; /* of a streamed tile, as requested; the next three follow */
    bool cpu;    /* whether a streamed tile is laid out for a CPU, its rows on lines of the cache */
    bool bypass; /* whether a streamed tile's results bypass the CPU's cache */
    bool columns;  /* whether threads of a streamed tile keep its columns along the stream in
                      registers */
    bool contract; /* may a multiplication and an addition round once? */
    bool watches;  /* are cells watched? */
};

/* The variant's own block if it leaves no choice, before the threads are set: the grid's rows,
 * or the grid. */
void gzk_default_block(struct gzk_config *config);

/* A smaller block, if the variant has a thread for each element and the device does not take so
 * many. */
void gzk_limit_block(struct gzk_config *config, int max_threads);

/* Threads for `config->block` on a device that takes `max_threads`: one thread per cell where
 * that many fit (of a naive block 256), else fewer; a single one on a CPU, whose compiler
 * vectorises a thread's rows. What the variant prescribes comes first. */
void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu);

#endif
