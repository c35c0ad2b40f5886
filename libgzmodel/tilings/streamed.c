/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streamed.c - tiles that cover all dimensions but the last and walk along that one (2.5-D and
 * N.5-D blocking): when plane p is loaded, loop k computes plane p - k radius from a ring of 2
 * radius + 1 planes of loop k - 1. A tile has a ghost zone across the stream as a trapezoid has,
 * and one at the two ends of each piece of stream_len planes. [Nguyen et al., 3.5-D blocking, SC
 * 2010]
 *
 * Unlike a trapezoid's, a loop computes only what later loops need; but along the first dimension
 * all loops compute as much as the first, since rows of a constant length suit vectors and warps.
 * Cells outside the grid are not loaded, unless they are images.
 */
#include "check.h"
#include "ghost.h"
#include "tiling.h"

#include <math.h>

/* ------------------------------------------------------------------------------------- heights */

/* The dimensions across the stream, in which a block has extents of its own. */
static int across(const gz_app *app)
{
    return app->dim - 1;
}

static gz_status check(const gz_app *app, const gz_config *cfg, gz_error *error)
{
    if (app->dim < 2)
        return gzi_fail(
            error, GZ_ECONFIG,
            "variant stream: the application has one dimension: must have two or three");
    return gzi_ghost_check(app, cfg, across(app), error);
}

static double pole(const gz_app *app, const gz_config *cfg)
{
    return gzi_ghost_pole(app, cfg, across(app));
}

static int feasible(const gz_app *app, const gz_config *cfg, double h)
{
    return gzi_ghost_feasible(app, cfg, across(app), h);
}

static double height_max(const gz_app *app, const gz_config *cfg)
{
    return gzi_ghost_height_max(app, cfg, across(app));
}

/* ------------------------------------------------------------------------------------ geometry */

static int is_stream(const gzi_tile *tile, int i)
{
    return i == tile->dim - 1;
}

/* What a whole tile commits. */
static double step(const gzi_tile *tile, int i)
{
    if (!is_stream(tile, i))
        return tile->block[i] - 2 * tile->radius[i] * tile->height;
    return tile->stream_len > 0 ? tile->stream_len : tile->size[i];
}

static double tiles(const gzi_tile *tile, int i)
{
    return ceil(tile->size[i] / step(tile, i));
}

/* How far beyond its committed elements a tile computes in loop `loop`, on either side: of rows as
 * far as the first loop, but with columns in registers nothing in the last. */
static double reach(const gzi_tile *tile, int i, double loop)
{
    int as_first = i == 0 && !(tile->columns && loop == tile->height);
    return tile->radius[i] * (tile->height - (as_first ? 1 : loop));
}

/* Elements of tile k with `wide` more on either side, those that exist or are images. */
static double window(const gzi_tile *tile, int i, double k, double wide)
{
    double first = k * step(tile, i), left = tile->size[i] - first;
    if (tile->edge[i] == GZI_EDGE_PERIODIC)
        return fmin(step(tile, i), left) + 2 * wide;
    return fmin(step(tile, i) + wide, left) + fmin(wide, first);
}

static gzi_extent extent(const gzi_tile *tile, int i, double k, double loop)
{
    return (gzi_extent){.loaded = window(tile, i, k, tile->radius[i] * tile->height),
                        .computed = window(tile, i, k, reach(tile, i, loop)),
                        .committed = fmin(step(tile, i), tile->size[i] - k * step(tile, i))};
}

/* The sum of window() over all tiles. */
static double windows(const gzi_tile *tile, int i, double wide)
{
    double n = tiles(tile, i), c = step(tile, i);
    if (tile->edge[i] == GZI_EDGE_PERIODIC)
        return tile->size[i] + 2 * wide * n;
    return gzi_sum_of_min(n, c + wide, tile->size[i], c) + gzi_sum_of_min(n, wide, c * (n - 1), c);
}

static gzi_extent total(const gzi_tile *tile, int i, double loop)
{
    return (gzi_extent){.loaded = windows(tile, i, tile->radius[i] * tile->height),
                        .computed = windows(tile, i, reach(tile, i, loop)),
                        .committed = tile->size[i]};
}

/* --------------------------------------------------------------------------------- local memory */

/* A ring for each loop's input and for each constant array, a row through which results go, for one
 * row of threads; guards beside the first and last row; and what the edge rules need: rows of
 * zeros along the stream, each column's place in the grid. `states` plays no part.
 *
 * One thread of a CPU has one ring for all loops and needs no row for results: loop k's plane lies
 * where the one lay that loop k - 1 reads no more, a few rows before it, as many in all as there
 * are loops. */
static double ring_elements(const gzi_tile *tile, double plane, double rows, double arrays)
{
    int last = tile->dim - 1;
    double h = tile->height, radius = tile->radius[last], row = tile->block[0];
    double states = tile->compact ? (2 * radius * h + 1) * (plane + h * row)
                                  : h * (2 * radius + 1) * plane + row;
    double constants = arrays * ((h + 1) * radius + 1) * plane;
    double edge_rows = (tile->edge[last] == GZI_EDGE_ZERO ? rows : 0) +
                       (tile->edge[0] == GZI_EDGE_PERIODIC ? 1 : 0);
    return states + constants + edge_rows * row + 2 * tile->radius[0];
}

/* With columns in registers: of each loop's input a plane for even and one for odd steps; for each
 * constant array a ring with a plane more, since one is written while others are read, and rows of
 * zeros, if the edge rule needs them. */
static double column_elements(const gzi_tile *tile, double plane, double rows, double arrays)
{
    int last = tile->dim - 1;
    double h = tile->height, radius = tile->radius[last];
    double zeros = tile->edge[last] == GZI_EDGE_ZERO ? rows * tile->block[0] : 0;
    return 2 * h * plane + arrays * (((h + 1) * radius + 2) * plane + zeros);
}

static double local_elements(const gzi_tile *tile, double states, double arrays)
{
    (void)states;
    double plane = tile->block[0], rows = 1;
    if (tile->dim == 3) {
        plane *= tile->block[1];
        rows = 2 * tile->radius[1] + 1;
    }
    return tile->columns ? column_elements(tile, plane, rows, arrays)
                         : ring_elements(tile, plane, rows, arrays);
}

/* Of a piece with whole ghost zones: one after loading each plane, one after each loop on it. With
 * columns in registers, one for all loops, of steps that are a multiple of the planes that a cell
 * depends on. */
static double barriers(const gzi_tile *tile)
{
    int last = tile->dim - 1;
    double h = tile->height, radius = tile->radius[last], length = step(tile, last);
    if (tile->columns)
        return ceil((length + 2 * radius * h) / (2 * radius + 1)) * (2 * radius + 1);
    return (length + 2 * radius * h) + (h * length + radius * h * (h - 1));
}

const gzi_tiling gzi_stream = {
    .name = "stream",
    .summary = "tiles that walk along the last dimension, any height",
    .check = check,
    .pole = pole,
    .height_max = height_max,
    .feasible = feasible,
    .tiles = tiles,
    .extent = extent,
    .total = total,
    .local_elements = local_elements,
    .barriers = barriers,
};
