/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tiles.h"

#include "data.h"
#include "stream.h"

#include <limits.h>
#include <string.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

int gzk_max_height(const struct gzk_stencil *stencil, const int block[3])
{
    int height = INT_MAX;
    for (int i = 0; i < 3; i++)
        if (stencil->radius[i] > 0)
            height = smaller(height, (block[i] - 1) / (2 * stencil->radius[i]));
    return larger(height, 0);
}

/* The ghost zone's width on each side: none without a tile. */
static int ghost(const struct gzk_config *config, int i)
{
    return gzk_variants[config->variant].local_states ? config->stencil->radius[i] * config->height
                                                      : 0;
}

int gzk_tile_extent(const struct gzk_config *config, int i)
{
    bool counted = gzk_variants[config->variant].ghost_in_block;
    return config->block[i] + (counted ? 0 : 2 * ghost(config, i));
}

/* The part of a tile's extent that is committed. */
static int committed_extent(const struct gzk_config *config, int i)
{
    return gzk_tile_extent(config, i) - 2 * ghost(config, i);
}

/* Refuses what the variant does not support. */
static int check_variant(const struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];

    if (variant->streamed && gzk_stream_check(config, error) != 0)
        return GZK_INVALID;
    if (!variant->any_height && config->height != 1)
        return gzk_fail(error, GZK_INVALID,
                        "height %d: variant %s computes one loop at a time: must be 1",
                        config->height, variant->name);
    if (!variant->any_height && gzk_syncs[config->sync].launching == GZK_LAUNCH_RESIDENT)
        return gzk_fail(error, GZK_INVALID,
                        "sync %s: variant %s is launched once per loop: must be restart or graph",
                        gz_name(GZ_SYNCS, config->sync), variant->name);
    if (variant->whole_rows && config->block[0] != config->size[0])
        return gzk_fail(error, GZK_INVALID,
                        "block %d in x: variant %s needs a block that spans the grid, %d cells",
                        config->block[0], variant->name, config->size[0]);
    if (variant->whole_rows && config->threads[0] != 1)
        return gzk_fail(
            error, GZK_INVALID,
            "%d threads in x: variant %s has one thread for each line of cells along x: "
            "must be 1",
            config->threads[0], variant->name);
    for (int i = 0; variant->thread_per_cell && i < 3; i++) {
        if (config->threads[i] != config->block[i])
            return gzk_fail(error, GZK_INVALID,
                            "%d threads in dimension %d: variant %s has one thread for each cell: "
                            "must be %d, as the block",
                            config->threads[i], i + 1, variant->name, config->block[i]);
        if (variant->local_states && config->block[i] < config->stencil->radius[i])
            return gzk_fail(error, GZK_INVALID,
                            "block %d in dimension %d: each thread of variant %s loads at most one "
                            "ghost cell: must be at least the radius, %d",
                            config->block[i], i + 1, variant->name, config->stencil->radius[i]);
    }
    return 0;
}

int gzk_geometry_make(const struct gzk_config *config, struct gzk_geometry *geometry,
                      struct gzk_error *error)
{
    const struct gzk_stencil *stencil = config->stencil;
    double cells = 1, tile_cells = 1, tiles = 1, threads = 1;

    memset(geometry, 0, sizeof *geometry);
    if (config->height < 1)
        return gzk_fail(error, GZK_INVALID, "height %d: must be at least 1", config->height);
    if (config->loops < 1)
        return gzk_fail(error, GZK_INVALID, "loops %ld: must be at least 1", config->loops);
    for (int i = 0; i < 3; i++) {
        if (config->size[i] < 1 || config->block[i] < 1 || config->threads[i] < 1)
            return gzk_fail(error, GZK_INVALID,
                            "grid, block and threads must be at least 1 in every dimension");
        if (i >= stencil->dimensions &&
            (config->size[i] > 1 || config->block[i] > 1 || config->threads[i] > 1))
            return gzk_fail(error, GZK_INVALID,
                            "grid, block and threads: %s has only %d dimension%s", stencil->name,
                            stencil->dimensions, stencil->dimensions > 1 ? "s" : "");
        cells *= config->size[i];
        threads *= config->threads[i];
        /* 64-bit, since a height may be anything. */
        if ((long long)config->block[i] - 2LL * stencil->radius[i] * config->height < 1 &&
            gzk_variants[config->variant].ghost_in_block) {
            int most = gzk_max_height(stencil, config->block);
            if (most < 1)
                return gzk_fail(
                    error, GZK_INVALID,
                    "block %d in dimension %d leaves nothing to commit: must be at least "
                    "%d",
                    config->block[i], i + 1, 2 * stencil->radius[i] + 1);
            return gzk_fail(error, GZK_INVALID,
                            "height %d leaves nothing to commit of a block of %d in dimension %d: "
                            "at most %d with this block",
                            config->height, config->block[i], i + 1, most);
        }
        tile_cells *= gzk_tile_extent(config, i);
        geometry->committed[i] = committed_extent(config, i);
        geometry->tiles[i] = (config->size[i] - 1) / geometry->committed[i] + 1;
        tiles *= geometry->tiles[i];
    }
    /* The kernels index one array, with its ghost zone, by 32-bit integers. */
    if (cells > 1 << 30)
        return gzk_fail(
            error, GZK_INVALID,
            "a grid of %.0f cells: must be at most %d, which the kernels' indices can hold", cells,
            1 << 30);
    if (tile_cells > 1 << 24 && !gzk_variants[config->variant].on_host &&
        !gzk_variants[config->variant].streamed)
        return gzk_fail(error, GZK_INVALID, "a block of %.0f cells: must be at most %d", tile_cells,
                        1 << 24);
    if (threads > 65536)
        return gzk_fail(error, GZK_INVALID, "%.0f threads: must be at most 65536", threads);
    geometry->tile_count = (int)tiles;
    geometry->tile_cells = (int)tile_cells;
    geometry->thread_count = (int)threads;
    if (gzk_variants[config->variant].streamed)
        geometry->local_bytes = (size_t)gzk_stream_local_bytes(config);
    else if (gzk_variants[config->variant].local_states)
        geometry->local_bytes =
            (size_t)geometry->tile_cells *
            (size_t)(gzk_variants[config->variant].local_states + stencil->coefficient_arrays) *
            gzk_type_bytes(stencil->type);
    geometry->stages = (config->loops - 1) / config->height + 1;
    return check_variant(config, error);
}

/* Adds up, over the tiles of dimension `i`, the cells loaded, computed in each loop, and committed.
 */
static void count_dimension(const struct gzk_config *config, int i, double *loaded,
                            double *computed, double *committed)
{
    const struct gzk_edge_info *edge = &gzk_edges[config->stencil->edge[i]];
    int radius = config->stencil->radius[i], size = config->size[i];
    int block = gzk_tile_extent(config, i), ghosts = ghost(config, i), step = block - 2 * ghosts;

    *loaded = *computed = *committed = 0;
    for (int first = 0; first < size; first += step) {
        /* A trapezoid loads and computes the images of cells beyond periodic edges that it needs.
         */
        bool images = edge->images && gzk_variants[config->variant].any_height;
        int needed = images ? smaller(block, size - first + 2 * ghosts) : block;
        int rim = edge->borders ? radius : 0;
        int lo = images ? radius : larger(radius, ghosts - first + rim);
        int hi = images ? needed - radius : smaller(block - radius, size - first + ghosts - rim);
        /* What lies outside fixed edges is known without a load. */
        *loaded += edge->known ? smaller(block, size - first + ghosts) - larger(0, ghosts - first)
                               : needed;
        *computed += larger(hi - lo, 0);
        *committed += smaller(step, size - first);
    }
}

struct gzk_counts gzk_count(const struct gzk_config *config)
{
    if (gzk_variants[config->variant].streamed)
        return gzk_stream_count(config);

    double loaded = 1, computed = 1, committed = 1;
    double loops = (double)config->loops;
    double stages = (double)((config->loops - 1) / config->height + 1);

    for (int i = 0; i < 3; i++) {
        double l, c, p;
        count_dimension(config, i, &l, &c, &p);
        loaded *= l;
        computed *= c;
        committed *= p;
    }
    return (struct gzk_counts){
        .loaded = stages * gzk_stencil_arrays(config->stencil) * loaded,
        .step = loops * config->stencil->step_arrays * computed,
        .operations = loops * computed,
        .committed = stages * committed,
    };
}
