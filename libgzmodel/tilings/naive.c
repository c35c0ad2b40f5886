/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * naive.c - the degenerate tiling: a tile is what a block commits, it has no ghost zone and no
 * local memory, neighbours are read from device memory, and a stage is one loop.
 */
#include "check.h"
#include "ghost.h"

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

static long step(const gzi_tile *tile, int i)
{
    return tile->block[i];
}

static long reach(const gzi_tile *tile, int i)
{
    return tile->radius[i];
}

/* What is read is the block and the radius on either side. */
static void extents(const gzi_tile *tile, int i, long k, gzi_class *out)
{
    long first = k * tile->block[i];
    out->loaded = (double)gzi_window(tile, i, first, tile->block[i], tile->radius[i]);
    out->computed = out->committed = (double)gzi_smaller(tile->block[i], tile->size[i] - first);
}

static double local_elements(const gzi_tile *tile)
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
    .least_dim = 1,
    .most_loops = 1,
    .step = step,
    .reach = reach,
    .extents = extents,
    .local_elements = local_elements,
};
