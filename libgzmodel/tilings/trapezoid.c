/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trapezoid.c - tiles with ghost zones: a tile starts as block_len, a halo's width less of it is
 * valid after each loop, and what is valid after the last is committed (Section 3.3, the second
 * way: every loop computes all but one radius at the tile's rim, valid or not). The paper's product
 * indices vary (0..D-1, 1..D, 0..D); every product here runs over the D dimensions.
 */
#include "ghost.h"
#include "jet.h"
#include "tiling.h"

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
        /* fma: the remainder is rounded once, which is what counts beside the pole */
        gz_jet length = {fma(-app->halo_width[i], h, cfg->block_len[i]), -app->halo_width[i], 0};
        product = gzi_jet_mul(product, length);
    }
    return product;
}

/* --------------------------------------------------------------------------------------- heights
 */

static gz_status check(const gz_app *app, const gz_config *cfg, gz_error *error)
{
    return gzi_ghost_check(app, cfg, app->dim, error);
}

static double pole(const gz_app *app, const gz_config *cfg)
{
    return gzi_ghost_pole(app, cfg, app->dim);
}

static int feasible(const gz_app *app, const gz_config *cfg, double h)
{
    return gzi_ghost_feasible(app, cfg, app->dim, h);
}

static double height_max(const gz_app *app, const gz_config *cfg)
{
    return gzi_ghost_height_max(app, cfg, app->dim);
}

/* ---------------------------------------------------------------------------- in whole numbers */

/* The ghost zone on one side, and what a whole tile commits. */
static double ghost(const gzi_tile *tile, int i)
{
    return tile->radius[i] * tile->height;
}

static double step(const gzi_tile *tile, int i)
{
    return tile->block[i] - 2 * ghost(tile, i);
}

static double tiles(const gzi_tile *tile, int i)
{
    return ceil(tile->size[i] / step(tile, i));
}

/* A tile's extents as the minimum of two things that fall with its number: what its own length and
 * what the grid's end leaves; and for some a lower end that the grid's start cuts. */
static gzi_extent extent(const gzi_tile *tile, int i, double k, double loop)
{
    (void)loop; /* every loop computes the same */
    double block = tile->block[i], radius = tile->radius[i], zone = ghost(tile, i);
    double first = k * step(tile, i), left = tile->size[i] - first; /* committed from `first` on */
    gzi_extent does = {.loaded = block, .committed = fmin(step(tile, i), left)};
    if (tile->edge[i] == GZI_EDGE_PERIODIC) {
        does.loaded = fmin(block, left + 2 * zone);
        does.computed = does.loaded - 2 * radius;
        return does;
    }
    double low = fmax(radius, zone - first), high = fmin(block - radius, left + zone);
    does.computed = fmax(high - low, 0);
    if (tile->edge[i] == GZI_EDGE_ZERO)
        does.loaded = fmin(block, left + zone) - fmax(0, zone - first);
    return does;
}

static gzi_extent total(const gzi_tile *tile, int i, double loop)
{
    (void)loop;
    double block = tile->block[i], radius = tile->radius[i], zone = ghost(tile, i);
    double size = tile->size[i], c = step(tile, i), n = tiles(tile, i);
    gzi_extent all = {.loaded = n * block, .committed = size};
    if (tile->edge[i] == GZI_EDGE_PERIODIC) {
        all.loaded = gzi_sum_of_min(n, block, size + 2 * zone, c);
        all.computed = all.loaded - 2 * radius * n;
        return all;
    }
    /* the sum of max(a, b - c k) is n b's and a's in turn: max(a, x) = a + x - min(a, x) */
    double slope = c * n * (n - 1) / 2;
    double low = n * radius + (n * zone - slope) - gzi_sum_of_min(n, radius, zone, c);
    all.computed = gzi_sum_of_min(n, block - radius, size + zone, c) - low;
    if (tile->edge[i] == GZI_EDGE_ZERO)
        all.loaded = gzi_sum_of_min(n, block, size + zone, c) -
                     ((n * zone - slope) - gzi_sum_of_min(n, 0, zone, c));
    return all;
}

static double local_elements(const gzi_tile *tile, double states, double arrays)
{
    double elements = states + arrays;
    for (int i = 0; i < tile->dim; i++)
        elements *= tile->block[i];
    return elements;
}

/* One after loading, one after each loop. */
static double barriers(const gzi_tile *tile)
{
    return 1 + tile->height;
}

const gzi_tiling gzi_trapezoid = {
    .name = "trapezoid",
    .summary = "tiles with ghost zones in local memory, any height",
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
