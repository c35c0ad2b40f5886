/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tiles.h"

#include "data.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int gzk_max_height(const struct gzk_stencil *stencil, const int block[3])
{
    int height = INT_MAX;
    for (int i = 0; i < 3; i++)
        if (stencil->radius[i] > 0 && (block[i] - 1) / (2 * stencil->radius[i]) < height)
            height = (block[i] - 1) / (2 * stencil->radius[i]);
    return height > 0 ? height : 0;
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

static int tiles_of(const struct gzk_config *config, int i)
{
    return (config->size[i] - 1) / committed_extent(config, i) + 1;
}

bool gzk_is_flat(const struct gzk_config *config)
{
    /* [CUDA C++ Programming Guide, technical specifications] */
    static const int most = 65535;
    return tiles_of(config, 1) > most || tiles_of(config, 2) > most;
}

gzi_tile gzk_tile_of(const struct gzk_config *config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    const long size[3] = {config->size[0], config->size[1], config->size[2]};
    gz_way way = config->way;

    way.variant = variant->tiling;
    for (int i = 0; i < 3; i++)
        way.block[i] = gzk_tile_extent(config, i);
    if (variant->streamed)
        way.piece = committed_extent(config, gzk_stream_axis(config->stencil));
    gzi_tile tile = gzi_tile_make(&config->stencil->shape, &way, size, config->cpu);
    tile.states = variant->local_states;
    tile.columns = config->columns;
    tile.planes = config->layout;
    /* Only tiles of any height compute images. */
    for (int i = 0; i < tile.dim && !variant->any_height; i++)
        if (tile.edge[i] == GZ_EDGE_PERIODIC)
            tile.edge[i] = GZ_EDGE_CLAMP;
    return tile;
}

/* Whether launches may tell more than the state. */
static bool tells(const struct gzk_config *config)
{
    return gzk_variants[config->variant].streamed && !config->columns &&
           config->sync == GZ_SYNC_RESTART &&
           config->stencil->radius[gzk_stream_axis(config->stencil)] > 0;
}

bool gzk_measures(const struct gzk_config *config)
{
    return config->stencil->measure && tells(config) && !config->stencil->older;
}

bool gzk_watches(const struct gzk_config *config)
{
    bool trapezoid = config->variant == GZK_TRAPEZOID && config->sync == GZ_SYNC_RESTART;
    return config->watches && (tells(config) || trapezoid) && !config->stencil->measure;
}

/* ------------------------------------------------------------------------------- local memory */

size_t gzk_local_array(double bytes)
{
    static const double alignment = 128, most = 1e18;
    return (size_t)fmin(alignment * ceil(bytes / alignment), most);
}

double gzk_store_bytes(const struct gzk_config *config)
{
    gzi_tile tile = gzk_tile_of(config);
    return gzi_tiling_of(gzk_variants[config->variant].tiling)->local_elements(&tile) * tile.bytes;
}

size_t gzk_key_bytes(const struct gzk_stencil *stencil)
{
    return stencil->measure == 2 ? sizeof(int32_t) : sizeof(int64_t);
}

size_t gzk_local_bytes(const struct gzk_config *config)
{
    const int *threads = config->threads;
    size_t bytes = gzk_local_array(gzk_store_bytes(config));
    if (gzk_measures(config))
        bytes += gzk_local_array((double)gzk_key_bytes(config->stencil) * threads[0] * threads[1] *
                                 threads[2]);
    return bytes;
}

/* ---------------------------------------------------------------------------- streamed tiles */

int gzk_stream_axis(const struct gzk_stencil *stencil)
{
    return stencil->dim - 1;
}

bool gzk_stream_takes_columns(const struct gzk_config *config, bool is_cpu)
{
    gzi_tile tile = gzk_tile_of(config);
    if (!gzk_variants[config->variant].streamed)
        return false;
    tile.cpu = is_cpu;
    return gzi_takes_columns(&tile);
}

bool gzk_stream_spills(const struct gzk_config *config, bool is_cpu)
{
    gzi_tile tile = gzk_tile_of(config);
    return config->columns && !is_cpu && !gzi_columns_fit(&tile);
}

int gzk_stream_max_height(const struct gzk_config *config, size_t local_bytes, bool is_cpu)
{
    struct gzk_config lower = *config;
    for (lower.height = config->height - 1; lower.height > 0; lower.height--) {
        /* Laid out as at that height. */
        lower.columns = gzk_stream_takes_columns(&lower, is_cpu);
        if (gzk_local_bytes(&lower) <= local_bytes && !gzk_stream_spills(&lower, is_cpu))
            break;
    }
    return lower.height;
}

/* Refuses what streamed tiles do not do. */
static int check_stream(const struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_stencil *stencil = config->stencil;
    gzi_tile tile = gzk_tile_of(config);
    int axis = gzk_stream_axis(stencil);

    if (stencil->dim < 2)
        return gzk_fail(error, GZK_INVALID,
                        "variant stream: %s has one dimension, but a streamed tile walks along the "
                        "last of two or three; use trapezoid, whose ghost zone is a small part "
                        "of a line",
                        stencil->name);
    if (config->threads[axis] != 1)
        return gzk_fail(error, GZK_INVALID,
                        "%d threads in dimension %d: tiles of variant stream walk along it: "
                        "must be 1",
                        config->threads[axis], axis + 1);
    if (config->columns && !stencil->reads.own_column)
        return gzk_fail(
            error, GZK_INVALID,
            "layout columns: %s reads other planes beside its own column, which lies in "
            "another thread's registers; use ring",
            stencil->name);
    if (config->columns && gzi_thread_columns(&tile) > GZI_MOST_COLUMNS)
        return gzk_fail(
            error, GZK_INVALID,
            "layout columns: %.0f columns of the tile for each thread: must be at most %d; "
            "give more --threads",
            gzi_thread_columns(&tile), (int)GZI_MOST_COLUMNS);
    if (config->bypass && (config->threads[0] != 1 || !config->cpu))
        return gzk_fail(error, GZK_INVALID,
                        "%d threads in dimension 1: stores that bypass the cache need a CPU: must "
                        "be 1",
                        config->threads[0]);
    return 0;
}

/* Refuses what the variant does not support. */
static int check_variant(const struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];

    if (variant->streamed && check_stream(config, error) != 0)
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
                        "block %d in x: variant %s needs a block that spans the grid, %d elements",
                        config->block[0], variant->name, config->size[0]);
    if (variant->whole_rows && config->threads[0] != 1)
        return gzk_fail(
            error, GZK_INVALID,
            "%d threads in x: variant %s has one thread for each line of elements along x: "
            "must be 1",
            config->threads[0], variant->name);
    for (int i = 0; variant->thread_per_cell && i < 3; i++) {
        if (config->threads[i] != config->block[i])
            return gzk_fail(
                error, GZK_INVALID,
                "%d threads in dimension %d: variant %s has one thread for each element: "
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
        if (i >= stencil->dim &&
            (config->size[i] > 1 || config->block[i] > 1 || config->threads[i] > 1))
            return gzk_fail(error, GZK_INVALID,
                            "grid, block and threads: %s has only %d dimension%s", stencil->name,
                            stencil->dim, stencil->dim > 1 ? "s" : "");
        cells *= config->size[i];
        threads *= config->threads[i];
        /* 64-bit, since a height may be anything. */
        if ((long long)config->block[i] - 2LL * stencil->radius[i] * config->height < 1 &&
            gzk_variants[config->variant].ghost_in_block) {
            int most = gzk_max_height(stencil, config->block);
            if (most < 1)
                return gzk_fail(
                    error, GZK_INVALID,
                    "block %d in dimension %d leaves nothing to commit: must be at least %d",
                    config->block[i], i + 1, 2 * stencil->radius[i] + 1);
            return gzk_fail(error, GZK_INVALID,
                            "height %d leaves nothing to commit of a block of %d in dimension %d: "
                            "at most %d with this block",
                            config->height, config->block[i], i + 1, most);
        }
        tile_cells *= gzk_tile_extent(config, i);
        geometry->committed[i] = committed_extent(config, i);
        geometry->tiles[i] = tiles_of(config, i);
        tiles *= geometry->tiles[i];
    }
    /* The kernels index one array, with its ghost zone, by 32-bit integers. */
    if (cells > 1 << 30)
        return gzk_fail(
            error, GZK_INVALID,
            "a grid of %.0f elements: must be at most %d, which the kernels' indices can hold",
            cells, 1 << 30);
    if (tile_cells > 1 << 24 && !gzk_variants[config->variant].on_host &&
        !gzk_variants[config->variant].streamed)
        return gzk_fail(error, GZK_INVALID, "a block of %.0f elements: must be at most %d",
                        tile_cells, 1 << 24);
    if (threads > 65536)
        return gzk_fail(error, GZK_INVALID, "%.0f threads: must be at most 65536", threads);
    geometry->tile_count = (int)tiles;
    geometry->flat = gzk_is_flat(config);
    geometry->tile_cells = (int)tile_cells;
    geometry->thread_count = (int)threads;
    geometry->local_bytes = gzk_local_bytes(config);
    return check_variant(config, error);
}

/* Adds what `stages` stages of `loops` loops do. */
static void add_stages(const struct gzk_config *config, double stages, long loops,
                       struct gzk_counts *counts)
{
    const gzi_tiling *tiling = gzi_tiling_of(gzk_variants[config->variant].tiling);
    const struct gzk_stencil *stencil = config->stencil;
    gzi_tile tile = gzk_tile_of(config);
    gzi_counts stage = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    gzi_geometry geometry;

    if (stages <= 0 || loops <= 0)
        return;
    tile.loops = (int)loops;
    if (gzi_geometry_make(tiling, &tile, &geometry) == 0)
        stage = gzi_stage_counts(tiling, &tile, &geometry);
    /* Tiles of any height load and commit the older state with the other; else each cell reads its
     * own and overwrites it. */
    int whole = gzk_variants[config->variant].any_height ? tile.older : 0, own = tile.older - whole;
    counts->loaded +=
        stages * ((gzi_loaded(&stencil->shape) - own) * stage.loaded + own * stage.committed);
    counts->step += stages * stencil->step_arrays * stage.computed;
    counts->operations += stages * stage.computed;
    counts->committed += stages * (gzi_fields(&tile.shape) + whole) * stage.committed;
}

struct gzk_counts gzk_count(const struct gzk_config *config)
{
    struct gzk_counts counts = {0};
    add_stages(config, (double)(config->loops / config->height), config->height, &counts);
    add_stages(config, 1, config->loops % config->height, &counts);
    return counts;
}

void gzk_default_block(struct gzk_config *config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    for (int i = 0; i < 3; i++)
        if (variant->on_host || (variant->whole_rows && i == 0))
            config->block[i] = config->size[i];
}

void gzk_limit_block(struct gzk_config *config, int max_threads)
{
    double block[3];
    if (!gzk_variants[config->variant].thread_per_cell)
        return;
    for (int i = 0; i < 3; i++)
        block[i] = config->block[i];
    gzi_limit_threads(3, max_threads, block);
    for (int i = 0; i < 3; i++)
        config->block[i] = (int)block[i];
}

/* The threads that go with a streamed tile, and where its columns lie. */
static void set_stream_threads(struct gzk_config *config, int most)
{
    gzi_tile tile = gzk_tile_of(config);
    gzi_set_stream_threads(&tile, most);
    for (int i = 0; i < config->stencil->dim; i++)
        config->threads[i] = tile.threads[i];
    config->columns = tile.columns;
}

void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    bool naive = config->variant == GZK_NAIVE && !is_cpu && max_threads > GZI_NAIVE_THREADS;
    double threads[3];

    is_cpu &= config->layout != GZI_PLANES_COLUMNS || !variant->streamed;
    for (int i = 0; i < 3; i++) {
        bool alone = variant->on_host || (variant->whole_rows && i == 0) ||
                     (is_cpu && !variant->thread_per_cell && !variant->whole_rows);
        threads[i] = alone ? 1 : config->block[i];
    }
    if (!variant->thread_per_cell && !variant->streamed)
        gzi_limit_threads(3, naive ? GZI_NAIVE_THREADS : max_threads, threads);
    for (int i = 0; i < 3; i++)
        config->threads[i] = (int)threads[i];
    config->cpu = is_cpu && variant->streamed;
    config->columns = false;
    if (variant->streamed)
        set_stream_threads(config, max_threads);
}

struct gzk_extents_text gzk_extents_text(const int extents[3], int dimensions)
{
    struct gzk_extents_text text;
    int length = snprintf(text.text, sizeof text.text, "%d", extents[0]);
    for (int i = 1; i < dimensions; i++)
        length +=
            snprintf(text.text + length, sizeof text.text - (size_t)length, "x%d", extents[i]);
    return text;
}
