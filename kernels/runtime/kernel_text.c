/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_text.h"

#include "data.h"
#include "diskcache.h"
#include "embedded.h"
#include "tiles.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    FILE *to;
    uint64_t *sum; /* unless NULL, it is only summed up */
};

static void append_text(struct text *text, const char *more)
{
    if (text->sum)
        *text->sum = gzk_sum(*text->sum, more, strlen(more));
    else
        fputs(more, text->to);
}

/* Appends some lines. */
__attribute__((format(printf, 2, 3))) static void append(struct text *text, const char *format, ...)
{
    char lines[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(lines, sizeof lines, format, args);
    va_end(args);
    append_text(text, lines);
}

/* Under this name the compiler's messages show what follows. */
#define NAMED "#line 1 \"%s\"\n"

/* Appends a constant part. The checksum takes its address, which no other part has. */
static void append_part(struct text *text, struct gzk_part part)
{
    if (!part.name)
        return;
    append(text, NAMED, part.name);
    if (text->sum)
        *text->sum = gzk_sum(*text->sum, &part.text, sizeof part.text);
    else
        append_text(text, part.text);
}

static bool all_kept(const struct gzk_stencil *stencil)
{
    for (int i = 0; i < stencil->dim; i++)
        if (!gzk_edges[stencil->edge[i]].borders)
            return false;
    return true;
}

static void append_defines(struct text *text, const struct gzk_config *config)
{
    static const char *const axes = "XYZ";
    const struct gzk_stencil *stencil = config->stencil;

    append(text, "#define GZ_T %s\n", gzk_type_name(stencil->type));
    for (int i = 0; i < 3; i++)
        append(text, "#define GZ_B%c %d\n#define GZ_R%c %d\n#define GZ_T%c %d\n", axes[i],
               gzk_tile_extent(config, i), axes[i], stencil->radius[i], axes[i],
               config->threads[i]);
    append(text,
           "#define GZ_DIMENSIONS %d\n#define GZ_FLAT %d\n#define GZ_H %d\n"
           "#define GZ_COEF_ARRAYS %d\n#define GZ_STEP_ARRAYS %d\n#define GZ_STEP_VALUES %d\n"
           "#define GZ_COEFS %d\n#define GZ_OLDER %d\n#define GZ_FIELDS %d\n"
           "#define GZ_BORDERS %d\n#define GZ_ALL_KEPT %d\n"
           "#define GZ_FIXED_ARRAYS (GZ_COEF_ARRAYS + GZ_BORDERS)\n"
           "#define GZ_LOCAL_TILES (%d * GZ_FIELDS + GZ_COEF_ARRAYS)\n",
           stencil->dim, gzk_is_flat(config), config->height, stencil->coefficient_arrays,
           stencil->step_arrays, stencil->step_values,
           stencil->coefficients > 0 ? stencil->coefficients : 1, stencil->older,
           gzi_fields(&stencil->shape), gzk_border_arrays(stencil), all_kept(stencil),
           gzk_variants[config->variant].local_states);
    if (gzk_measures(config))
        append(text, "#define GZ_MEASURED %d\n", stencil->measure);
    append(text, "#define GZ_TILE (GZ_BX * GZ_BY * GZ_BZ)\n"
                 "#define GZ_THREADS (GZ_TX * GZ_TY * GZ_TZ)\n");
}

/* Whether a plain kernel's threads are a GPU's. */
static bool walks(const struct gzk_config *config)
{
    const int *threads = config->threads;
    return config->variant == GZK_NAIVE && threads[0] * threads[1] * threads[2] > 1;
}

/* The coefficient arrays, a bit each, that the body reads around its cell, as far as its text
 * shows: all but those whose last three arguments are 0 in each call. Only comments give one
 * argument. */
static unsigned arrays_around(const char *body)
{
    unsigned around = 0;
    if (strstr(body, "##"))
        return ~0u;
    for (const char *at = strstr(body, "COEF_AT"); at; at = strstr(at + 1, "COEF_AT")) {
        int array = -1, length = 0;
        char next = 0;
        (void)sscanf(at, "COEF_AT ( %d , 0 , 0 , 0 )%n", &array, &length);
        if (length > 0 || (sscanf(at, "COEF_AT ( %d %c", &array, &next) == 2 && next == ')'))
            continue;
        if (next != ',' || array < 0)
            return ~0u;
        around |= array < 32 ? 1u << array : 0;
    }
    return around;
}

/* What only streamed tiles need. */
static void append_stream_defines(struct text *text, const struct gzk_config *config)
{
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil);
    const gzi_tile tile = gzk_tile_of(config);
    const gzi_layout layout = gzi_stream_layout(&tile);

    append(text,
           "#define GZ_BV %ld\n#define GZ_BS %d\n#define GZ_RV %d\n"
           "#define GZ_RS %d\n#define GZ_TV %d\n#define GZ_ALIGN %d\n#define GZ_ZERO_ROWS %d\n"
           "#define GZ_RESIDENT_GROUPS %.0f\n#define GZ_COLUMN_CELLS %s\n",
           layout.plane_rows, config->block[axis], stencil->dim == 3 ? stencil->radius[1] : 0,
           stencil->radius[axis], layout.thread_rows, layout.align, layout.zero_rows,
           gzi_resident_blocks(&tile), layout.column_cells > 0 ? "GZ_PITCH" : "0");
    if (!config->columns) {
        append(text, "#define GZ_TOGETHER %d\n", gzi_rows_together(&tile));
        return;
    }
    /* Which cells outside the grid are copied across the stream, and follow along it. */
    const struct gzk_edge_info *x = &gzk_edges[stencil->edge[0]];
    const struct gzk_edge_info *v = &gzk_edges[stencil->edge[stencil->dim == 3 ? 1 : 2]];
    const struct gzk_edge_info *s = &gzk_edges[stencil->edge[axis]];
    append(text,
           "#define GZ_COPIES_X %d\n#define GZ_COPIES_V %d\n#define GZ_FOLLOWS_S %d\n"
           "#define GZ_ARRAYS_AROUND 0x%xu\n",
           !x->images && !x->known, !v->images && !v->known, !s->images && !s->borders,
           arrays_around(stencil->body));
}

/* The edge rule of a dimension, under that dimension's names: those of the grid, or x, v and s of a
 * streamed tile. */
static void append_edge(struct text *text, const struct gzk_edge_info *edge, char axis,
                        bool streamed)
{
    append(text, "#undef GZ_AXIS\n#define GZ_AXIS(name) name##_%c\n", axis);
    append_part(text, edge->device);
    append_part(text, edge->follows);
    if (streamed && !edge->images)
        append_part(text, (struct gzk_part){"edge_stream_inside.knl", gzk_edge_stream_inside_knl});
    if (streamed)
        append_part(text, edge->streamed);
}

static void append_edges(struct text *text, const struct gzk_stencil *stencil)
{
    for (int i = 0; i < 3; i++)
        append_edge(text, &gzk_edges[stencil->edge[i]], "xyz"[i], false);
    append_part(text, (struct gzk_part){"edge.knl", gzk_edge_knl});
}

/* The body between what it may read and what comes next. */
static void append_body(struct text *text, const struct gzk_stencil *stencil, const char *access,
                        const char *access_text)
{
    append_part(text, (struct gzk_part){access, access_text});
    append(text, NAMED, stencil->name);
    append_text(text, stencil->body);
}

static void append_stream(struct text *text, const struct gzk_config *config)
{
    const struct gzk_stencil *stencil = config->stencil;
    int along = gzk_stream_axis(stencil), across = along == 2 ? 1 : 2;
    const gzi_tile tile = gzk_tile_of(config);

    append_part(text, (struct gzk_part){"stream_layout.knl", gzk_stream_layout_knl});
    if (config->columns) {
        append_part(text, (struct gzk_part){"column_layout.knl", gzk_column_layout_knl});
    } else {
        append_part(text, (struct gzk_part){"ring_layout.knl", gzk_ring_layout_knl});
        append_part(text, stencil->older ? (struct gzk_part){"two_rings.knl", gzk_two_rings_knl}
                          : gzi_stream_layout(&tile).compact
                              ? (struct gzk_part){"one_ring.knl", gzk_one_ring_knl}
                              : (struct gzk_part){"level_rings.knl", gzk_level_rings_knl});
    }
    append_edge(text, &gzk_edges[stencil->edge[0]], 'x', true);
    append_edge(text, &gzk_edges[stencil->edge[across]], 'v', true);
    append_edge(text, &gzk_edges[stencil->edge[along]], 's', true);
    append_part(text, (struct gzk_part){"stream_tile.knl", gzk_stream_tile_knl});
    append_part(text, (struct gzk_part){"access.knl", gzk_access_knl});
    if (config->columns) {
        append_body(text, stencil, "access_column.knl", gzk_access_column_knl);
        return;
    }
    if (config->bypass)
        append_part(text, (struct gzk_part){"store_row_bypass.knl", gzk_store_row_bypass_knl});
    else
        append_part(text, (struct gzk_part){"store_row.knl", gzk_store_row_knl});
    append_body(text, stencil, "access_stream.knl", gzk_access_stream_knl);
    if (!config->cpu)
        append_part(text, (struct gzk_part){"ring_inside.knl", gzk_ring_inside_knl});
}

/* The body as it reads a tile; or device memory, inside the grid, at its edges and for several
 * cells. */
static void append_bodies(struct text *text, const struct gzk_config *config, bool tile)
{
    const struct gzk_stencil *stencil = config->stencil;
    const gzi_tile of = gzk_tile_of(config);
    append_part(text, (struct gzk_part){"access.knl", gzk_access_knl});
    if (tile) {
        append_body(text, stencil, "access_tile.knl", gzk_access_tile_knl);
    } else {
        append_body(text, stencil, "access_inside.knl", gzk_access_inside_knl);
        append_body(text, stencil, "access_edge.knl", gzk_access_edge_knl);
        if (walks(config) && gzi_cells_together(&of) > 1)
            append_body(text, stencil, "access_walk.knl", gzk_access_walk_knl);
    }
}

/* All that comes before the kernel. */
static void begin(struct text *text, const struct gzk_config *config, const char *prelude)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];

    append_part(text, (struct gzk_part){"specialisation", ""});
    append_defines(text, config);
    if (variant->streamed)
        append_stream_defines(text, config);
    if (walks(config)) {
        const gzi_tile tile = gzk_tile_of(config);
        append(text, "#define GZ_TOGETHER %d\n", gzi_cells_together(&tile));
    }
    append_part(text, (struct gzk_part){"prelude", prelude});
    if (config->cpu)
        append_part(text, (struct gzk_part){"prelude_cpu.cl", gzk_prelude_cpu_cl});
    append_part(text, (struct gzk_part){"span.knl", gzk_span_knl});
    if (gzk_measures(config))
        append_part(text, (struct gzk_part){"measure.knl", gzk_measure_knl});
    if (variant->streamed) {
        append_stream(text, config);
    } else {
        append_edges(text, config->stencil);
        append_bodies(text, config, variant->local_states > 0);
    }
}

static void append_all(struct text *text, const struct gzk_config *config, const char *prelude)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    bool measures = gzk_measures(config), watches = gzk_watches(config);

    begin(text, config, prelude);
    if (measures)
        append_part(text, (struct gzk_part){"stream_measured.knl", gzk_stream_measured_knl});
    else if (watches)
        append_part(text,
                    variant->streamed
                        ? (struct gzk_part){"stream_watched.knl", gzk_stream_watched_knl}
                        : (struct gzk_part){"trapezoid_watched.knl", gzk_trapezoid_watched_knl});
    if (variant->streamed && !config->columns)
        append_part(text, (struct gzk_part){"stream_alone.knl", gzk_stream_alone_knl});
    append_part(text, config->columns
                          ? (struct gzk_part){"stream_column.knl", gzk_stream_column_knl}
                          : variant->device);
    if (measures)
        append_part(text, (struct gzk_part){"restart_measured.knl", gzk_restart_measured_knl});
    else if (watches)
        append_part(text, (struct gzk_part){"restart_watched.knl", gzk_restart_watched_knl});
    else if (!variant->kernel)
        append_part(text, gzk_syncs[config->sync].device);
}

char *gzk_kernel_text_of(const struct gzk_config *config, const char *prelude,
                         const struct gzk_part *parts, int count)
{
    char *bytes = NULL;
    size_t length;
    struct text text = {.to = open_memstream(&bytes, &length)};

    if (!text.to)
        return NULL;
    if (!parts)
        append_all(&text, config, prelude);
    else
        begin(&text, config, prelude);
    for (int k = 0; k < count; k++)
        append_part(&text, parts[k]);
    bool broken = ferror(text.to) != 0;
    if (fclose(text.to) == 0 && !broken)
        return bytes;
    free(bytes);
    return NULL;
}

char *gzk_kernel_text(const struct gzk_config *config, const char *prelude)
{
    return gzk_kernel_text_of(config, prelude, NULL, 0);
}

const char *gzk_kernel_name(const struct gzk_config *config)
{
    const char *own = gzk_variants[config->variant].kernel;
    return own ? own : gzk_syncs[config->sync].kernel;
}

uint64_t gzk_kernel_key(const struct gzk_config *config)
{
    uint64_t sum = GZK_SUM_OF_NONE;
    struct text text = {.sum = &sum};
    double bytes = gzk_store_bytes(config);
    append_all(&text, config, "");
    append_text(&text, gzk_kernel_name(config));
    sum = gzk_sum(sum, &bytes, sizeof bytes);
    return gzk_sum(sum, &config->contract, sizeof config->contract);
}
