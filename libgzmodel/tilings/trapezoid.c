/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trapezoid.c - tiles with ghost zones: a tile starts as block_len, a halo's width less of it is
 * valid after each loop, and what is valid after the last is committed (Section 3.3, the second
 * way: every loop computes all but one radius at the tile's rim, valid or not). The paper's product
 * indices vary (0..D-1, 1..D, 0..D); every product here runs over the D dimensions.
 */
#include "ghost.h"
#include "jet.h"

#include <limits.h>
#include <math.h>

/* ------------------------------------------------------------------------------ smooth geometry */

double gzi_grid_elements(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->data_length[i];
    return elements;
}

double gzi_starting_tile(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->block_len[i];
    return elements;
}

double gzi_operated_tile(const gz_app *app, const gz_config *cfg)
{
    double elements = 1;
    for (int i = 0; i < app->dim; i++)
        elements *= cfg->block_len[i] - app->halo_width[i];
    return elements;
}

gz_jet gzi_committed_tile(const gz_app *app, const gz_config *cfg, double h)
{
    gz_jet product = gzi_jet(1);
    for (int i = 0; i < app->dim; i++) {
        /* fma: the remainder is rounded once, which matters near the pole */
        gz_jet length = {fma(-app->halo_width[i], h, cfg->block_len[i]), -app->halo_width[i], 0};
        product = gzi_jet_mul(product, length);
    }
    return product;
}

/* ---------------------------------------------------------------------------- in whole numbers */

/* The ghost zone on one side, and what a whole tile commits. */
static long ghost(const gzi_tile *tile, int i)
{
    return (long)tile->radius[i] * tile->height;
}

static long step(const gzi_tile *tile, int i)
{
    return tile->block[i] - 2 * ghost(tile, i);
}

static void extents(const gzi_tile *tile, int i, long k, gzi_class *out)
{
    long block = tile->block[i], radius = tile->radius[i], zone = ghost(tile, i);
    long left = tile->size[i] - k * step(tile, i); /* from the first cell that is committed on */
    /* Where the grid begins and ends, in the tile's coordinates. */
    long begin = zone - k * step(tile, i), end = left + zone;
    long inside = gzi_smaller(block, end) - gzi_larger(0, begin), loaded = block;
    /* Where computing may begin and end. */
    long low = radius, high = block - radius;

    switch (tile->edge[i]) {
    case GZ_EDGE_CLAMP:
        low = gzi_larger(low, begin);
        high = gzi_smaller(high, end);
        break;
    case GZ_EDGE_ZERO:
        loaded = inside;
        low = gzi_larger(low, begin);
        high = gzi_smaller(high, end);
        break;
    case GZ_EDGE_KEEP:
        loaded = inside;
        low = gzi_larger(low, begin + radius);
        high = gzi_smaller(high, end - radius);
        break;
    case GZ_EDGE_PERIODIC:
        loaded = gzi_smaller(block, end + zone);
        high = loaded - radius;
        break;
    }
    out->loaded = (double)loaded;
    out->outside = (double)(loaded - inside);
    out->computed = (double)gzi_larger(high - low, 0);
    out->committed = (double)gzi_smaller(step(tile, i), left);
}

static double local_elements(const gzi_tile *tile)
{
    double elements = tile->states * gzi_fields(&tile->shape) + tile->coefficient_arrays;
    for (int i = 0; i < tile->dim; i++)
        elements *= (double)tile->block[i];
    return elements;
}

/* --------------------------------------------------------------------------- means and bounds */

/* The sum over k = 0 .. n-1 of what `most` - k `by` is above 0. */
static double falling(long most, long by, long n)
{
    long m = most > 0 ? gzi_smaller(n, (most - 1) / by + 1) : 0;
    return (double)m * ((double)most - 0.5 * (double)by * (double)(m - 1));
}

/* One class of all tiles, the mean of them. */
static void set_mean(gzi_axis *axis, double outside)
{
    double n = (double)axis->tiles;
    axis->classes = 1;
    axis->merged = 1;
    axis->of[0].first = 0;
    axis->of[0].tiles = axis->tiles;
    axis->of[0].loaded = axis->loaded / n;
    axis->of[0].outside = outside / n;
    axis->of[0].computed = axis->computed / n;
    axis->of[0].committed = axis->committed / n;
}

void gzi_axis_mean(const gzi_tile *tile, int i, gzi_axis *axis)
{
    long block = tile->block[i], radius = tile->radius[i], zone = ghost(tile, i);
    long size = tile->size[i], by = step(tile, i), tiles = (size - 1) / by + 1;
    long beyond = tiles * by - size; /* of the last tile */
    double n = (double)tiles, outside = 0;
    /* What the ends cut off: of the tiles, and of what they compute, which ends before that. */
    double cut = falling(zone, by, tiles) + falling(beyond + zone, by, tiles);
    double less = falling(zone - radius, by, tiles) + falling(beyond + zone - radius, by, tiles);

    axis->tiles = tiles;
    axis->step = by;
    axis->loaded = n * (double)block;
    axis->computed = n * (double)(block - 2 * radius);
    axis->committed = (double)size;
    if (tile->edge[i] == GZ_EDGE_PERIODIC) {
        axis->loaded -= (double)beyond;
        axis->computed -= (double)beyond;
        outside = cut - (double)beyond;
    } else {
        axis->computed -= less;
        if (tile->edge[i] == GZ_EDGE_CLAMP)
            outside = cut;
        else
            axis->loaded -= cut;
    }
    set_mean(axis, outside);
}

void gzi_axis_least(const gzi_tile *tile, int i, int highest, gzi_axis *axis)
{
    long block = tile->block[i], radius = tile->radius[i], zone = ghost(tile, i);
    long size = tile->size[i], tiles = (size - 1) / step(tile, i) + 1;
    /* A tile with a neighbour loads and computes this at least; only the last may have less. */
    long least = block - 2 * radius * highest;
    double n = (double)tiles, sides = (double)gzi_larger(2 * tiles - 3, 0), outside = 0;

    axis->tiles = tiles;
    axis->step = least;
    axis->loaded = (double)size + sides * (double)gzi_smaller(zone, least);
    axis->computed = (double)size + sides * (double)gzi_smaller(zone - radius, least);
    axis->committed = (double)size;
    if (tile->edge[i] == GZ_EDGE_CLAMP) {
        axis->loaded = n * (double)block;
        outside = 2 * (double)zone;
    } else if (tile->edge[i] == GZ_EDGE_PERIODIC) {
        axis->loaded = (double)size + 2 * n * (double)zone;
        axis->computed = (double)size + 2 * n * (double)(zone - radius);
        outside = 2 * (double)zone;
    }
    set_mean(axis, outside);
}

const gzi_tiling gzi_trapezoid = {
    .name = "trapezoid",
    .least_dim = 1,
    .most_loops = INT_MAX,
    .step = step,
    .reach = ghost,
    .extents = extents,
    .local_elements = local_elements,
};
