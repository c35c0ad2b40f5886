/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * naive.c - the degenerate tiling: a tile is what a block commits, it has no ghost zone and no
 * local memory, neighbours are read from device memory, and a stage is one loop.
 */
#include "check.h"
#include "tiling.h"

#include <math.h>

static gz_status check(const gz_app *app, const gz_config *cfg, gz_error *error)
{
    (void)app, (void)cfg, (void)error; /* every block leaves a tile */
    return GZ_OK;
}

/* One loop per stage, so heights end before 2. */
static double pole(const gz_app *app, const gz_config *cfg)
{
    (void)app, (void)cfg;
    return 2;
}

static double height_max(const gz_app *app, const gz_config *cfg)
{
    (void)app, (void)cfg;
    return 1;
}

static int feasible(const gz_app *app, const gz_config *cfg, double h)
{
    (void)app, (void)cfg;
    return h < 2;
}

static double tiles(const gzi_tile *tile, int i)
{
    return ceil(tile->size[i] / tile->block[i]);
}

static gzi_extent extent(const gzi_tile *tile, int i, double k, double loop)
{
    (void)loop;
    double own = fmin(tile->block[i], tile->size[i] - k * tile->block[i]);
    return (gzi_extent){.computed = own, .committed = own};
}

static gzi_extent total(const gzi_tile *tile, int i, double loop)
{
    (void)loop;
    return (gzi_extent){.computed = tile->size[i], .committed = tile->size[i]};
}

static double local_elements(const gzi_tile *tile, double states, double arrays)
{
    (void)tile, (void)states, (void)arrays;
    return 0;
}

static double barriers(const gzi_tile *tile)
{
    (void)tile;
    return 0;
}

const gzi_tiling gzi_naive = {
    .name = "naive",
    .summary = "no ghost zone: one loop a stage, neighbours read from device memory",
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
