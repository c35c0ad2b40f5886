/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes.h - the tiles that limits leave, visited one after the other.
 */
#ifndef GZI_SHAPES_H
#define GZI_SHAPES_H

#include "gzmodel.h"

/* Which tiles are visited: by whole lengths, multiples of `step`. */
typedef struct gzi_shapes {
    int dim;
    double halo[GZ_MAX_DIM];                  /* a length must exceed it */
    double cap[GZ_MAX_DIM], step[GZ_MAX_DIM]; /* the largest length, and what it is a multiple of */
    double rest[GZ_MAX_DIM]; /* most elements that the later dimensions can have together */
    double room;             /* most elements in all */
    int largest_only; /* leave out tiles that lose to a larger one, if a larger one never loses */
} gzi_shapes;

/* Fills `shapes` from limits, for what gzi_check_grid accepts. `threads`: those of a block, which
 * limit the tile's elements; 0 if they do not. GZ_ELIMITS if the limits are out of range, leave no
 * tile, or, if only the largest count, leave more than can be searched by their own steps. */
gz_status gzi_shapes_of(const gz_app *app, const gz_config *cfg, const gz_tile_limits *limits,
                        double threads, int largest_only, gzi_shapes *shapes, gz_error *error);

/* Calls `visit` with each tile's lengths, in descending order of the first, until one call fails;
 * returns its status. If all tiles count and there are more than GZ_SHAPES_MAX, it is called with
 * those whose lengths lie a factor of sqrt(2) apart, then with the neighbours of the best of them,
 * by ever smaller steps; some more than once. `*cost` distinguishes them: `visit` sets it for
 * a tile that can be used. Before each call it is the cost from which on a tile is of no interest
 * to the search, for which `visit` may leave it as it is; HUGE_VAL: there is none yet. */
gz_status gzi_visit_shapes(const gzi_shapes *shapes,
                           gz_status (*visit)(void *with, const double block_len[GZ_MAX_DIM],
                                              double *cost),
                           void *with);

/* Whether no length can grow by its step, the others staying, within the limits. */
int gzi_shape_is_largest(const gzi_shapes *shapes, const double block_len[GZ_MAX_DIM]);

#endif
