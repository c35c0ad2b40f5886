/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "embedded.h"
#include "stream.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gzk_variant_info gzk_variants[] = {
    [GZK_TRAPEZOID] = {.name = "trapezoid",
                       .summary = "tiles with ghost zones in local memory, any height",
                       .local_states = 2,
                       .ghost_in_block = true,
                       .any_height = true},
    [GZK_STREAM] = {.name = "stream",
                    .summary = "tiles that walk along the slowest dimension, any height",
                    .local_states = 1,
                    .ghost_in_block = true,
                    .any_height = true,
                    .streamed = true},
    [GZK_NAIVE] = {.name = "naive",
                   .summary = "neighbours read from device memory, threads as the device likes"},
    [GZK_COLUMN] = {.name = "column",
                    .summary = "naive, a thread for each line of cells along x",
                    .whole_rows = true},
    [GZK_CELL] = {.name = "cell",
                  .summary = "naive, a thread for each cell",
                  .thread_per_cell = true},
    [GZK_SHARED] = {.name = "shared",
                    .summary = "a thread for each cell, block and ghost cells in local memory",
                    .local_states = 1,
                    .thread_per_cell = true},
    [GZK_SERIAL] = {.name = "serial",
                    .summary = "the serial reference on the host, no device",
                    .on_host = true},
};
const int gzk_variant_count = sizeof gzk_variants / sizeof *gzk_variants;

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

/* The tile's extent, and the part of it that is committed. */
static int tile_extent(const struct gzk_config *config, int i)
{
    bool counted = gzk_variants[config->variant].ghost_in_block;
    return config->block[i] + (counted ? 0 : 2 * ghost(config, i));
}
static int committed_extent(const struct gzk_config *config, int i)
{
    return tile_extent(config, i) - 2 * ghost(config, i);
}

/* Refuses what the variant does not do. */
static int check_variant(const struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];

    if (variant->streamed && gzk_stream_check(config, error) != 0)
        return GZK_INVALID;
    if (!variant->any_height && config->height != 1)
        return gzk_fail(error, GZK_INVALID,
                        "height %d: variant %s computes one loop at a time, height 1",
                        config->height, variant->name);
    if (!variant->any_height && config->sync == GZK_FENCE)
        return gzk_fail(error, GZK_INVALID,
                        "sync fence: variant %s is launched once per loop; restart or graph",
                        variant->name);
    if (variant->whole_rows && config->block[0] != config->size[0])
        return gzk_fail(error, GZK_INVALID,
                        "a block of %d cells in x: that of variant %s spans the grid, %d cells",
                        config->block[0], variant->name, config->size[0]);
    if (variant->whole_rows && config->threads[0] != 1)
        return gzk_fail(error, GZK_INVALID,
                        "%d threads in x: variant %s has one for each line of cells along x",
                        config->threads[0], variant->name);
    for (int i = 0; variant->thread_per_cell && i < 3; i++) {
        if (config->threads[i] != config->block[i])
            return gzk_fail(error, GZK_INVALID,
                            "%d threads in dimension %d: variant %s has one for each of the "
                            "block's %d cells",
                            config->threads[i], i + 1, variant->name, config->block[i]);
        if (variant->local_states && config->block[i] < config->stencil->radius[i])
            return gzk_fail(error, GZK_INVALID,
                            "a block of %d in dimension %d: variant %s needs at least the "
                            "radius, %d, since each thread loads one ghost cell at most",
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
        return gzk_fail(error, GZK_INVALID, "height %d: a height is at least 1", config->height);
    if (config->loops < 1)
        return gzk_fail(error, GZK_INVALID, "loops %ld: at least 1 is needed", config->loops);
    for (int i = 0; i < 3; i++) {
        if (config->size[i] < 1 || config->block[i] < 1 || config->threads[i] < 1)
            return gzk_fail(error, GZK_INVALID,
                            "grid, block and threads must be at least 1 in every dimension");
        if (i >= stencil->dimensions &&
            (config->size[i] > 1 || config->block[i] > 1 || config->threads[i] > 1))
            return gzk_fail(error, GZK_INVALID, "%s has %d dimension%s, no more", stencil->name,
                            stencil->dimensions, stencil->dimensions > 1 ? "s" : "");
        cells *= config->size[i];
        threads *= config->threads[i];
        /* 64-bit, since a height may be anything. */
        if ((long long)config->block[i] - 2LL * stencil->radius[i] * config->height < 1 &&
            gzk_variants[config->variant].ghost_in_block) {
            int most = gzk_max_height(stencil, config->block);
            if (most < 1)
                return gzk_fail(error, GZK_INVALID,
                                "a block of %d in dimension %d leaves nothing to commit: at least "
                                "%d are needed",
                                config->block[i], i + 1, 2 * stencil->radius[i] + 1);
            return gzk_fail(error, GZK_INVALID,
                            "height %d leaves nothing to commit of a block of %d in dimension %d: "
                            "at most %d with this block",
                            config->height, config->block[i], i + 1, most);
        }
        tile_cells *= tile_extent(config, i);
        geometry->committed[i] = committed_extent(config, i);
        geometry->tiles[i] = (config->size[i] - 1) / geometry->committed[i] + 1;
        tiles *= geometry->tiles[i];
    }
    /* The kernels index one array, with its ghost zone, by 32-bit integers. */
    if (cells > 1 << 30)
        return gzk_fail(error, GZK_INVALID,
                        "a grid of %.0f cells: at most %d fit the kernels' "
                        "indices",
                        cells, 1 << 30);
    if (tile_cells > 1 << 24 && !gzk_variants[config->variant].on_host &&
        !gzk_variants[config->variant].streamed)
        return gzk_fail(error, GZK_INVALID, "a block of %.0f cells: at most %d", tile_cells,
                        1 << 24);
    if (threads > 65536)
        return gzk_fail(error, GZK_INVALID, "%.0f threads: at most 65536", threads);
    geometry->tile_count = (int)tiles;
    geometry->tile_cells = (int)tile_cells;
    geometry->thread_count = (int)threads;
    if (gzk_variants[config->variant].streamed)
        geometry->local_bytes = (size_t)gzk_stream_local_bytes(config);
    else if (gzk_variants[config->variant].local_states)
        geometry->local_bytes =
            (size_t)geometry->tile_cells *
            (size_t)(gzk_variants[config->variant].local_states + stencil->still_arrays) *
            gzk_type_bytes(stencil->type);
    geometry->stages = (config->loops - 1) / config->height + 1;
    return check_variant(config, error);
}

/* Adds up, over the tiles of dimension `i`, the cells loaded, computed in each loop, and committed.
 */
static void count_dimension(const struct gzk_config *config, int i, double *loaded,
                            double *computed, double *committed)
{
    int radius = config->stencil->radius[i], size = config->size[i];
    int block = tile_extent(config, i), skirt = ghost(config, i), step = block - 2 * skirt;

    *loaded = *computed = *committed = 0;
    for (int first = 0; first < size; first += step) {
        /* A trapezoid loads and computes the images of cells beyond periodic edges that it needs.
         */
        bool images =
            config->stencil->edge == GZK_EDGE_PERIODIC && config->variant == GZK_TRAPEZOID;
        int needed = images ? smaller(block, size - first + 2 * skirt) : block;
        int lo = images ? radius : larger(radius, skirt - first);
        int hi = images ? needed - radius : smaller(block - radius, size - first + skirt);
        /* What lies outside fixed edges is known without a load. */
        *loaded += config->stencil->edge == GZK_EDGE_ZERO
                       ? smaller(block, size - first + skirt) - larger(0, skirt - first)
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
        .fresh = loops * config->stencil->fresh_arrays * computed,
        .operations = loops * computed,
        .committed = stages * committed,
    };
}

void gzk_default_block(struct gzk_config *config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    for (int i = 0; i < 3; i++)
        if (variant->on_host || (variant->whole_rows && i == 0))
            config->block[i] = config->size[i];
}

void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    for (int i = 0; i < 3; i++) {
        bool alone = variant->on_host || (variant->whole_rows && i == 0) ||
                     (is_cpu && !variant->thread_per_cell && !variant->whole_rows);
        config->threads[i] = alone ? 1 : config->block[i];
    }
    if (variant->thread_per_cell)
        return;
    config->cpu = is_cpu && variant->streamed;
    if (variant->streamed)
        config->threads[gzk_stream_axis(config->stencil)] = 1;
    /* Rows keep their threads longest, because neighbours in x share memory transactions. */
    for (int i = 2; i >= 0;) {
        long long threads = (long long)config->threads[0] * config->threads[1];
        if (threads * config->threads[2] <= max_threads)
            break;
        if (config->threads[i] > 1)
            config->threads[i] = (config->threads[i] + 1) / 2;
        else
            i--;
    }
}

const char *gzk_kernel_name(const struct gzk_config *config)
{
    switch (config->variant) {
    case GZK_TRAPEZOID:
    case GZK_STREAM:
        return config->sync == GZK_FENCE ? "gz_stages" : "gz_stage";
    case GZK_SHARED:
        return "gz_shared_loop";
    default:
        return "gz_naive";
    }
}

struct text {
    char *bytes;
    size_t length, room;
    bool broken;
};

static void append(struct text *text, const char *more)
{
    size_t length = strlen(more);
    if (text->broken)
        return;
    if (text->length + length + 1 > text->room) {
        size_t room = 2 * (text->length + length + 1);
        char *bytes = realloc(text->bytes, room);
        if (!bytes) {
            text->broken = true;
            return;
        }
        text->bytes = bytes;
        text->room = room;
    }
    memcpy(text->bytes + text->length, more, length + 1);
    text->length += length;
}

/* Appends a part under its own name, which is what the compiler's messages then show. */
static void append_part(struct text *text, const char *name, const char *part)
{
    char line[100];
    snprintf(line, sizeof line, "#line 1 \"%s\"\n", name);
    append(text, line);
    append(text, part);
}

/* What only streamed tiles need. */
static void append_stream_defines(struct text *text, const struct gzk_config *config)
{
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil);
    struct gzk_stream_layout layout;
    char line[300];

    gzk_stream_layout_of(config, &layout);
    snprintf(line, sizeof line,
             "#define GZ_DIMENSIONS %d\n#define GZ_BV %d\n#define GZ_BS %d\n#define GZ_RV %d\n"
             "#define GZ_RS %d\n#define GZ_TV %d\n#define GZ_ALIGN %d\n#define GZ_ZERO_ROWS %d\n",
             stencil->dimensions, layout.plane_rows, config->block[axis],
             stencil->dimensions == 3 ? stencil->radius[1] : 0, stencil->radius[axis],
             layout.thread_rows, layout.align, layout.zero_rows);
    append(text, line);
    append(text, layout.column_cells > 0 ? "#define GZ_COLUMN_CELLS GZ_PITCH\n"
                                         : "#define GZ_COLUMN_CELLS 0\n");
}

static void append_defines(struct text *text, const struct gzk_config *config)
{
    static const char *const axes = "XYZ";
    const struct gzk_stencil *stencil = config->stencil;
    char line[100];

    snprintf(line, sizeof line, "#define GZ_T %s\n", gzk_type_name(stencil->type));
    append(text, line);
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "#define GZ_B%c %d\n#define GZ_R%c %d\n#define GZ_T%c %d\n",
                 axes[i], tile_extent(config, i), axes[i], stencil->radius[i], axes[i],
                 config->threads[i]);
        append(text, line);
    }
    snprintf(line, sizeof line, "#define GZ_H %d\n#define GZ_STILLS %d\n#define GZ_FRESHES %d\n",
             config->height, stencil->still_arrays, stencil->fresh_arrays);
    append(text, line);
    snprintf(line, sizeof line, "#define GZ_COEFS %d\n", larger(stencil->coefficients, 1));
    append(text, line);
    snprintf(line, sizeof line, "#define GZ_LOCAL_TILES (%d + GZ_STILLS)\n",
             gzk_variants[config->variant].local_states);
    append(text, line);
    append(text, "#define GZ_TILE (GZ_BX * GZ_BY * GZ_BZ)\n"
                 "#define GZ_THREADS (GZ_TX * GZ_TY * GZ_TZ)\n");
}

static void append_stream(struct text *text, const struct gzk_config *config)
{
    append_part(text, "stream_layout.knl", gzk_stream_layout_knl);
    if (config->stencil->edge == GZK_EDGE_PERIODIC)
        append_part(text, "edge_stream_periodic.knl", gzk_edge_stream_periodic_knl);
    else
        append_part(text, "edge_stream_copy.knl", gzk_edge_stream_copy_knl);
    append_part(text, "access_stream.knl", gzk_access_stream_knl);
    append_part(text, config->stencil->name, config->stencil->body);
    if (config->bypass)
        append_part(text, "store_row_bypass.knl", gzk_store_row_bypass_knl);
    else
        append_part(text, "store_row.knl", gzk_store_row_knl);
    append_part(text, "stream.knl", gzk_stream_knl);
}

char *gzk_kernel_text(const struct gzk_config *config, const char *prelude)
{
    static const struct {
        const char *name, *text, *copies;
    } edges[] = {
        [GZK_EDGE_CLAMP] = {"edge_clamp.knl", gzk_edge_clamp_knl, gzk_edge_copy_knl},
        [GZK_EDGE_ZERO] = {"edge_zero.knl", gzk_edge_zero_knl, gzk_edge_copy_knl},
        [GZK_EDGE_PERIODIC] = {"edge_periodic.knl", gzk_edge_periodic_knl, ""},
    };
    struct text text = {0};

    append_part(&text, "specialisation", "");
    append_defines(&text, config);
    if (gzk_variants[config->variant].streamed)
        append_stream_defines(&text, config);
    append_part(&text, "prelude", prelude);
    if (config->cpu)
        append_part(&text, "prelude_cpu.cl", gzk_prelude_cpu_cl);
    append_part(&text, "span.knl", gzk_span_knl);
    append_part(&text, edges[config->stencil->edge].name, edges[config->stencil->edge].text);
    append_part(&text, "edge_copy.knl", edges[config->stencil->edge].copies);
    if (!gzk_variants[config->variant].local_states) {
        append_part(&text, "access_inside.knl", gzk_access_inside_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        append_part(&text, "access_edge.knl", gzk_access_edge_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        append_part(&text, "naive.knl", gzk_naive_knl);
    } else if (gzk_variants[config->variant].streamed) {
        append_stream(&text, config);
        if (config->sync == GZK_FENCE)
            append_part(&text, "fence.knl", gzk_fence_knl);
        else
            append_part(&text, "restart.knl", gzk_restart_knl);
    } else {
        append_part(&text, "access_tile.knl", gzk_access_tile_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        if (config->variant == GZK_SHARED) {
            append_part(&text, "shared.knl", gzk_shared_knl);
        } else {
            append_part(&text, "trapezoid.knl", gzk_trapezoid_knl);
            if (config->sync == GZK_FENCE)
                append_part(&text, "fence.knl", gzk_fence_knl);
            else
                append_part(&text, "restart.knl", gzk_restart_knl);
        }
    }
    if (text.broken) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
