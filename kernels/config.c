/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "embedded.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The ghost zone's width on each side: none for the baseline. */
static int ghost(const struct gzk_config *config, int i)
{
    return config->variant == GZK_NAIVE ? 0 : config->stencil->radius[i] * config->height;
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
    if (config->variant == GZK_NAIVE && config->height != 1)
        return gzk_fail(error, GZK_INVALID,
                        "height %d: the naive kernel runs one loop per launch, height 1",
                        config->height);
    if (config->variant == GZK_NAIVE && config->sync == GZK_FENCE)
        return gzk_fail(error, GZK_INVALID,
                        "sync fence: the naive kernel is launched once per loop; restart or graph");
    for (int i = 0; i < 3; i++) {
        if (config->size[i] < 1 || config->block[i] < 1 || config->threads[i] < 1)
            return gzk_fail(error, GZK_INVALID,
                            "grid, block and threads must be at least 1 in every dimension");
        if (i >= stencil->dimensions &&
            (config->size[i] > 1 || config->block[i] > 1 || config->threads[i] > 1))
            return gzk_fail(error, GZK_INVALID, "%s has %d dimension%s, no more", stencil->name,
                            stencil->dimensions, stencil->dimensions > 1 ? "s" : "");
        cells *= config->size[i];
        tile_cells *= config->block[i];
        threads *= config->threads[i];
        /* 64-bit, since a height may be anything. */
        if ((long long)config->block[i] - 2LL * stencil->radius[i] * config->height < 1 &&
            config->variant == GZK_TRAPEZOID) {
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
        geometry->committed[i] = config->block[i] - 2 * ghost(config, i);
        geometry->tiles[i] = (config->size[i] - 1) / geometry->committed[i] + 1;
        tiles *= geometry->tiles[i];
    }
    /* The kernels index one array, with its ghost zone, by 32-bit integers. */
    if (cells > 1 << 30)
        return gzk_fail(error, GZK_INVALID,
                        "a grid of %.0f cells: at most %d fit the kernels' "
                        "indices",
                        cells, 1 << 30);
    if (tile_cells > 1 << 24)
        return gzk_fail(error, GZK_INVALID, "a block of %.0f cells: at most %d", tile_cells,
                        1 << 24);
    if (threads > 65536)
        return gzk_fail(error, GZK_INVALID, "%.0f threads: at most 65536", threads);
    geometry->tile_count = (int)tiles;
    geometry->tile_cells = (int)tile_cells;
    geometry->thread_count = (int)threads;
    if (config->variant == GZK_TRAPEZOID)
        geometry->local_bytes = (size_t)geometry->tile_cells * (size_t)(2 + stencil->still_arrays) *
                                gzk_type_bytes(stencil->type);
    geometry->stages = (config->loops - 1) / config->height + 1;
    return 0;
}

/* Adds up, over the tiles of dimension `i`, the cells loaded, computed in each loop, and committed.
 */
static void count_dimension(const struct gzk_config *config, int i, double *loaded,
                            double *computed, double *committed)
{
    int radius = config->stencil->radius[i], block = config->block[i], size = config->size[i];
    int skirt = ghost(config, i), step = block - 2 * skirt;

    *loaded = *computed = *committed = 0;
    for (int first = 0; first < size; first += step) {
        int periodic = config->stencil->edge == GZK_EDGE_PERIODIC;
        int lo = periodic ? radius : larger(radius, skirt - first);
        int hi = periodic ? block - radius : smaller(block - radius, size - first + skirt);
        /* What lies outside fixed edges is known without a load. */
        *loaded += config->stencil->edge == GZK_EDGE_ZERO
                       ? smaller(block, size - first + skirt) - larger(0, skirt - first)
                       : block;
        *computed += larger(hi - lo, 0);
        *committed += smaller(step, size - first);
    }
}

struct gzk_counts gzk_count(const struct gzk_config *config)
{
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

void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu)
{
    for (int i = 0; i < 3; i++)
        config->threads[i] = is_cpu ? 1 : config->block[i];
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
    if (config->variant == GZK_NAIVE)
        return "gz_naive";
    return config->sync == GZK_FENCE ? "gz_stages" : "gz_stage";
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

static void append_defines(struct text *text, const struct gzk_config *config)
{
    static const char *const axes = "XYZ";
    const struct gzk_stencil *stencil = config->stencil;
    char line[100];

    snprintf(line, sizeof line, "#define GZ_T %s\n", gzk_type_name(stencil->type));
    append(text, line);
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "#define GZ_B%c %d\n#define GZ_R%c %d\n#define GZ_T%c %d\n",
                 axes[i], config->block[i], axes[i], stencil->radius[i], axes[i],
                 config->threads[i]);
        append(text, line);
    }
    snprintf(line, sizeof line, "#define GZ_H %d\n#define GZ_STILLS %d\n#define GZ_FRESHES %d\n",
             config->height, stencil->still_arrays, stencil->fresh_arrays);
    append(text, line);
    snprintf(line, sizeof line, "#define GZ_COEFS %d\n", larger(stencil->coefficients, 1));
    append(text, line);
    append(text, "#define GZ_TILE (GZ_BX * GZ_BY * GZ_BZ)\n"
                 "#define GZ_LOCAL_TILES (2 + GZ_STILLS)\n"
                 "#define GZ_THREADS (GZ_TX * GZ_TY * GZ_TZ)\n");
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
    append_part(&text, "prelude", prelude);
    append_part(&text, "span.knl", gzk_span_knl);
    append_part(&text, edges[config->stencil->edge].name, edges[config->stencil->edge].text);
    append_part(&text, "edge_copy.knl", edges[config->stencil->edge].copies);
    if (config->variant == GZK_NAIVE) {
        append_part(&text, "access_inside.knl", gzk_access_inside_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        append_part(&text, "access_edge.knl", gzk_access_edge_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        append_part(&text, "naive.knl", gzk_naive_knl);
    } else {
        append_part(&text, "access_tile.knl", gzk_access_tile_knl);
        append_part(&text, config->stencil->name, config->stencil->body);
        append_part(&text, "trapezoid.knl", gzk_trapezoid_knl);
        if (config->sync == GZK_FENCE)
            append_part(&text, "fence.knl", gzk_fence_knl);
        else
            append_part(&text, "restart.knl", gzk_restart_knl);
    }
    if (text.broken) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
