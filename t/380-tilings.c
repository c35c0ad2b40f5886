/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 380-tilings - the model's tilings are the kernels' geometry: tiles, what they load, compute and
 * commit, local memory and the highest height, on random stencils and grids with every kind of
 * edge; the sums without a loop equal the sums over all tiles; and if the tiles divide the grid,
 * the smooth geometry of the 2011 model equals the one in whole numbers.
 */
#include "cases.h"
#include "registry.h"
#include "stream.h"
#include "tap.h"
#include "tiles.h"
#include "tiling.h"

#define CASES 4000

/* A random stencil of ours, run in a random way that the variant accepts. */
struct run {
    struct gzk_stencil stencil;
    struct gzk_config config;
    gzi_tile tile;
};

static const gzi_edge edges[] = {[GZK_EDGE_CLAMP] = GZI_EDGE_CLAMP,
                                 [GZK_EDGE_ZERO] = GZI_EDGE_ZERO,
                                 [GZK_EDGE_PERIODIC] = GZI_EDGE_PERIODIC};

static void random_run(gsl_rng *rng, struct run *run, enum gzk_variant variant)
{
    int dim = (int)whole(rng, 1, 3), height = variant == GZK_NAIVE ? 1 : (int)whole(rng, 1, 6);
    *run = (struct run){.stencil = *gzk_stencil_find("hotspot")};
    run->stencil.dimensions = dim;
    for (int i = 0; i < 3; i++)
        run->stencil.edge[i] = (enum gzk_edge)whole(rng, 0, 2);
    run->stencil.coefficient_arrays = (int)whole(rng, 0, 3);
    run->config = (struct gzk_config){.stencil = &run->stencil,
                                      .variant = variant,
                                      .size = {1, 1, 1},
                                      .block = {1, 1, 1},
                                      .threads = {1, 1, 1},
                                      .height = height,
                                      .loops = height};
    run->tile = (gzi_tile){.dim = dim, .height = height};
    for (int i = 0; i < 3; i++) {
        int radius = i < dim ? (int)whole(rng, 0, 3) : 0;
        int committed = (int)log_uniform(rng, 1, 40);
        run->stencil.radius[i] = radius;
        if (i >= dim)
            continue;
        run->config.size[i] = (int)log_uniform(rng, 1, 200);
        run->config.block[i] = committed + (variant == GZK_NAIVE ? 0 : 2 * radius * height);
        run->tile.size[i] = run->config.size[i];
        run->tile.block[i] = run->config.block[i];
        run->tile.radius[i] = radius;
        run->tile.edge[i] = edges[run->stencil.edge[i]];
    }
}

static int same(double a, double b)
{
    return fabs(a - b) < 0.5; /* both whole */
}

/* The sums over all tiles of one dimension, by a loop. */
static int sums_hold(const gzi_tiling *tiling, const gzi_tile *tile, int i)
{
    gzi_extent sum = {0, 0, 0}, all = tiling->total(tile, i, 1);
    double n = tiling->tiles(tile, i);
    for (double k = 0; k < n; k++) {
        gzi_extent one = tiling->extent(tile, i, k, 1);
        sum.loaded += one.loaded;
        sum.computed += one.computed;
        sum.committed += one.committed;
    }
    return same(sum.loaded, all.loaded) && same(sum.computed, all.computed) &&
           same(sum.committed, all.committed) && same(all.committed, tile->size[i]);
}

static void trapezoids(gsl_rng *rng)
{
    int compared = 0, tiles = 0, counts = 0, sums = 0, local = 0, heights = 0, edge[3] = {0};
    for (int k = 0; k < CASES; k++) {
        struct run run;
        struct gzk_geometry geometry;
        struct gzk_error error;
        random_run(rng, &run, GZK_TRAPEZOID);
        if (gzk_geometry_make(&run.config, &geometry, &error) != 0)
            continue; /* too many cells for the kernels */
        compared++;
        edge[run.stencil.edge[0]]++;
        gzi_counts mine = gzi_stage_counts(&gzi_trapezoid, &run.tile);
        struct gzk_counts theirs = gzk_count(&run.config);
        tiles += !same(mine.tiles, geometry.tile_count);
        counts += !same(mine.loaded * (1 + run.stencil.coefficient_arrays), theirs.loaded) ||
                  !same(mine.computed, theirs.operations) ||
                  !same(mine.committed, theirs.committed);
        for (int i = 0; i < run.tile.dim; i++)
            sums += !sums_hold(&gzi_trapezoid, &run.tile, i);
        local += !same(gzi_trapezoid.local_elements(&run.tile, 2, run.stencil.coefficient_arrays) *
                           (double)sizeof(float),
                       (double)geometry.local_bytes);

        gz_app app = {.dim = run.tile.dim};
        gz_config cfg = {.beyond = 1};
        int wide = 0;
        for (int i = 0; i < app.dim; i++) {
            app.halo_width[i] = 2 * run.tile.radius[i];
            cfg.block_len[i] = run.tile.block[i];
            wide |= app.halo_width[i] > 0;
        }
        if (wide)
            heights += gz_height_max(&app, &cfg) != gzk_max_height(&run.stencil, run.config.block);
    }
    tap_ok(compared > CASES / 2 && edge[0] && edge[1] && edge[2], "%d runs, every kind of edge",
           compared);
    tap_ok(!tiles, "as many tiles as the kernels");
    tap_ok(!counts, "loaded, computed and committed elements");
    tap_ok(!sums, "the sums without a loop are those over the tiles");
    tap_ok(!local, "local memory");
    tap_ok(!heights, "the highest height");
}

/* Streamed tiles in pieces of any length. */
static void streams(gsl_rng *rng)
{
    int compared = 0, tiles = 0, counts = 0, sums = 0, local = 0, barriers = 0, whole_ones = 0;
    int columns = 0;
    for (int k = 0; k < CASES; k++) {
        struct run run;
        struct gzk_geometry geometry;
        struct gzk_error error;
        random_run(rng, &run, GZK_STREAM);
        int last = run.tile.dim - 1, h = run.config.height;
        run.tile.stream_len = run.config.block[last] - 2 * run.stencil.radius[last] * h;
        run.tile.columns = (int)whole(rng, 0, 1) && run.stencil.radius[last] > 0;
        run.config.columns = run.tile.columns != 0;
        for (int i = 0; i < last && run.config.columns; i++)
            run.config.threads[i] = run.config.block[i];
        if (gzk_geometry_make(&run.config, &geometry, &error) != 0)
            continue; /* one dimension, or too many cells for the kernels */
        compared++;
        columns += run.config.columns;
        gzi_counts mine = gzi_stage_counts(&gzi_stream, &run.tile);
        struct gzk_counts theirs = gzk_count(&run.config);
        tiles += !same(mine.tiles, geometry.tile_count);
        counts += !same(mine.loaded * (1 + run.stencil.coefficient_arrays), theirs.loaded) ||
                  !same(mine.computed, theirs.operations) ||
                  !same(mine.committed, theirs.committed);
        for (int i = 0; i < run.tile.dim; i++)
            sums += !sums_hold(&gzi_stream, &run.tile, i);
        local += !same(gzi_stream.local_elements(&run.tile, 2, run.stencil.coefficient_arrays) *
                           (double)sizeof(float),
                       (double)geometry.local_bytes);
        /* Images have whole ghost zones; so barriers are alike if the pieces are. */
        if (run.tile.edge[last] == GZI_EDGE_PERIODIC &&
            run.config.size[last] % (int)run.tile.stream_len == 0) {
            whole_ones++;
            barriers += !same(gzi_stream.barriers(&run.tile) * mine.tiles,
                              gzk_stream_barriers(&run.config));
        }
    }
    tap_ok(compared > CASES / 2 && columns > CASES / 8,
           "streamed: %d runs, %d with columns in registers", compared, columns);
    tap_ok(!tiles, "as many tiles as the kernels");
    tap_ok(!counts, "loaded, computed and committed elements");
    tap_ok(!sums, "the sums without a loop are those over the tiles");
    tap_ok(!local, "local memory");
    tap_ok(whole_ones > 0 && !barriers, "barriers (%d runs)", whole_ones);
}

static void naive(gsl_rng *rng)
{
    int wrong = 0, sums = 0;
    for (int k = 0; k < CASES / 4; k++) {
        struct run run;
        struct gzk_geometry geometry;
        struct gzk_error error;
        random_run(rng, &run, GZK_NAIVE);
        if (gzk_geometry_make(&run.config, &geometry, &error) != 0)
            continue;
        gzi_counts mine = gzi_stage_counts(&gzi_naive, &run.tile);
        double cells = (double)run.config.size[0] * run.config.size[1] * run.config.size[2];
        wrong += !same(mine.tiles, geometry.tile_count) || !same(mine.committed, cells) ||
                 !same(mine.computed, cells) || mine.loaded != 0 || geometry.local_bytes != 0 ||
                 gzi_naive.local_elements(&run.tile, 2, 1) != 0;
        for (int i = 0; i < run.tile.dim; i++)
            sums += !sums_hold(&gzi_naive, &run.tile, i);
    }
    tap_ok(!wrong && !sums, "without tiles: as many blocks, and every cell once");
}

/* Tiles that divide the grid: T, and V, Q, P per tile inside, are the same in both geometries. */
static void smooth(gsl_rng *rng)
{
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        struct run run;
        random_run(rng, &run, GZK_TRAPEZOID);
        gz_app app = {.dim = run.tile.dim};
        gz_config cfg = {.beyond = 1};
        for (int i = 0; i < app.dim; i++) {
            run.tile.edge[i] = GZI_EDGE_PERIODIC; /* no tile is cut short */
            double committed = run.tile.block[i] - 2 * run.tile.radius[i] * run.tile.height;
            run.tile.size[i] = committed * whole(rng, 1, 9);
            app.halo_width[i] = 2 * run.tile.radius[i];
            cfg.block_len[i] = run.tile.block[i];
            cfg.data_length[i] = run.tile.size[i];
        }
        gzi_counts exact = gzi_stage_counts(&gzi_trapezoid, &run.tile);
        double t =
            gzi_grid_elements(&app, &cfg) / gzi_committed_tile(&app, &cfg, run.tile.height).v;
        wrong += fabs(t - exact.tiles) > 1e-9 * t ||
                 fabs(t * gzi_starting_tile(&app, &cfg) - exact.loaded) > 1e-9 * exact.loaded ||
                 fabs(t * gzi_operated_tile(&app, &cfg) * run.tile.height - exact.computed) >
                     1e-9 * exact.computed;
    }
    tap_ok(!wrong, "if tiles divide the grid, the smooth geometry is the whole one");
}

int main(void)
{
    tap_plan(6 + 6 + 1 + 1);
    gsl_rng *rng = seeded_rng();
    trapezoids(rng);
    streams(rng);
    naive(rng);
    smooth(rng);
    gsl_rng_free(rng);
    return tap_done();
}
