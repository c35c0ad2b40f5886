/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stream.h"

#include "data.h"
#include "reads.h"

#include <math.h>
#include <string.h>

/* A row's parts begin on lines of a CPU's cache, which are also its widest vectors. */
enum { LINE_BYTES = 64 };

/* A thread's columns each have a bit in a word, and their code is unrolled. */
enum { MOST_COLUMNS = 8 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

int gzk_stream_axis(const struct gzk_stencil *stencil)
{
    return stencil->dimensions - 1;
}

int gzk_stream_columns(const struct gzk_config *config)
{
    int columns = 1;
    for (int i = 0; i < gzk_stream_axis(config->stencil); i++)
        columns *= (config->block[i] - 1) / config->threads[i] + 1;
    return columns;
}

/* The dimension across the stream and a row: none in two dimensions, whose rows are planes. */
static bool has_rows(const struct gzk_stencil *stencil)
{
    return stencil->dimensions == 3;
}

static int aligned(int cells, int align)
{
    return (cells + align - 1) / align * align;
}

void gzk_stream_layout_of(const struct gzk_config *config, struct gzk_stream_layout *layout)
{
    const struct gzk_stencil *stencil = config->stencil;
    int bytes = (int)gzk_type_bytes(stencil->type), axis = gzk_stream_axis(stencil);
    int align = config->cpu ? LINE_BYTES / bytes : 1, h = config->height;
    int ghost = stencil->radius[0] * h, inner = stencil->radius[0] * (h - 1);
    int committed = config->block[0] - 2 * ghost, radius = stencil->radius[axis];
    int guard = aligned(stencil->radius[0], align);
    const struct gzk_edge_info *along = &gzk_edges[stencil->edge[axis]];

    memset(layout, 0, sizeof *layout);
    layout->align = align;
    layout->first_column = aligned(ghost, align);
    layout->first_computed = layout->first_column - aligned(inner, align);
    layout->last_computed = layout->first_column + aligned(committed + inner, align);
    layout->pitch = layout->first_column + aligned(committed + ghost, align);
    layout->plane_rows = has_rows(stencil) ? config->block[1] : 1;
    layout->slots = 2 * radius + 1;
    /* In registers, a plane of each level for even and one for odd steps; and the arrays' newest
     * plane is written while others are read. */
    layout->planes = config->columns ? 2 : layout->slots;
    layout->coef_slots = (h + 1) * radius + (config->columns ? 2 : 1);
    layout->thread_rows = has_rows(stencil) ? config->threads[1] : 1;
    layout->zero_rows = !along->known || along->borders ? 0
                        : has_rows(stencil)             ? 2 * stencil->radius[1] + 1
                                                        : 1;
    layout->column_cells = gzk_edges[stencil->edge[0]].images ? layout->pitch : 0;
    /* One thread needs no row for its results either: they are computed in the ring that all levels
     * share. */
    layout->compact = config->cpu && has_rows(stencil) && config->threads[1] == 1;
    double states = (double)h * layout->planes * layout->plane_rows;
    int rows = layout->thread_rows + layout->zero_rows;
    if (layout->compact) {
        states = (2.0 * radius * h + 1) * (layout->plane_rows + h);
        rows = layout->zero_rows;
    }
    /* In registers, results and places lie there too, and zeros replace coefficient arrays only. */
    if (config->columns) {
        layout->column_cells = guard = 0;
        rows = layout->zero_rows * stencil->coefficient_arrays;
    }

    double coefs = (double)stencil->coefficient_arrays * layout->coef_slots * layout->plane_rows;
    double padded = 2.0 * guard + (states + coefs + rows) * layout->pitch;
    while ((long long)padded % align != 0)
        padded++;
    layout->elements = padded + layout->column_cells;
}

double gzk_stream_local_bytes(const struct gzk_config *config)
{
    struct gzk_stream_layout layout;
    gzk_stream_layout_of(config, &layout);
    return layout.elements * (double)gzk_type_bytes(config->stencil->type);
}

double gzk_stream_registers(const struct gzk_config *config)
{
    /* What NVRTC's kernels took for sm_75 to sm_100. */
    enum { WORD = 4, ADDRESSES = 34, LEVEL = 2, ARRAYS = 12, PLACES = 5, COEFFICIENT = 2 };
    const struct gzk_stencil *stencil = config->stencil;
    int radius = stencil->radius[gzk_stream_axis(stencil)];
    double words = (double)gzk_type_bytes(stencil->type) / WORD;
    double values =
        (double)config->height * (2 * radius + 1) + 3 * radius - 2 + stencil->coefficient_arrays;
    return ADDRESSES + LEVEL * config->height + (stencil->coefficient_arrays > 0 ? ARRAYS : 0) +
           COEFFICIENT * stencil->coefficients +
           gzk_stream_columns(config) * (PLACES + words * values);
}

/* Of a multiprocessor's registers, but no more than an instruction can name. They are given to four
 * warps at a time, eight to each thread. [CUDA's occupancy calculator] */
double gzk_stream_most_registers(const struct gzk_config *config)
{
    enum { REGISTERS = 65536, MOST_REGISTERS = 255, TOGETHER = 4 * 32, UNIT = 8 };
    double threads = (double)config->threads[0] * config->threads[1] * config->threads[2];
    double given = ceil(threads / TOGETHER) * TOGETHER;
    return fmin(MOST_REGISTERS, floor(REGISTERS / given / UNIT) * UNIT);
}

bool gzk_stream_spills(const struct gzk_config *config, bool is_cpu)
{
    return config->columns && !is_cpu &&
           gzk_stream_registers(config) > gzk_stream_most_registers(config);
}

int gzk_stream_max_height(const struct gzk_config *config, size_t local_bytes, bool is_cpu)
{
    struct gzk_config lower = *config;
    for (lower.height = config->height - 1; lower.height > 0; lower.height--) {
        /* Laid out as at that height. */
        lower.columns = gzk_stream_takes_columns(&lower, is_cpu);
        if (gzk_stream_local_bytes(&lower) <= (double)local_bytes &&
            !gzk_stream_spills(&lower, is_cpu))
            break;
    }
    return lower.height;
}

bool gzk_stream_takes_columns(const struct gzk_config *config, bool is_cpu)
{
    if (!gzk_variants[config->variant].streamed || config->layout != GZK_LAYOUT_DEVICE)
        return gzk_variants[config->variant].streamed && config->layout == GZK_LAYOUT_COLUMNS;
    return !is_cpu && gzk_reads_own_column(config->stencil) &&
           gzk_stream_columns(config) <= MOST_COLUMNS &&
           gzk_stream_registers(config) <= gzk_stream_most_registers(config);
}

int gzk_stream_check(const struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil);

    if (stencil->dimensions < 2)
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
    if (config->columns && !gzk_reads_own_column(stencil))
        return gzk_fail(
            error, GZK_INVALID,
            "layout columns: %s reads other planes beside its own column, which lies in "
            "another thread's registers; use ring",
            stencil->name);
    if (config->columns && gzk_stream_columns(config) > MOST_COLUMNS)
        return gzk_fail(
            error, GZK_INVALID,
            "layout columns: %d columns of the tile for each thread: must be at most %d; "
            "give more --threads",
            gzk_stream_columns(config), (int)MOST_COLUMNS);
    if (config->bypass && (config->threads[0] != 1 || !config->cpu))
        return gzk_fail(error, GZK_INVALID,
                        "%d threads in dimension 1: stores that bypass the cache need a CPU: must "
                        "be 1",
                        config->threads[0]);
    return 0;
}

/* What a tile does in one dimension: cells loaded, cells computed at level k, cells committed. */
static void part(const struct gzk_config *config, const struct gzk_stream_layout *layout, int i,
                 int first, int k, int steps, int *loaded, int *computed, int *committed)
{
    const struct gzk_stencil *stencil = config->stencil;
    int radius = stencil->radius[i], size = config->size[i];
    int inside = config->block[i] - 2 * radius * config->height; /* committed by a whole tile */
    int end = smaller(first + inside, size);
    bool images = gzk_edges[stencil->edge[i]].images;
    int ghost = radius * steps, rest = radius * (steps - k);

    *committed = end - first;
    /* A tile cut by the grid's end needs one ghost zone more than the cells that it commits; under
     * periodic edges these are images, otherwise they do not exist. Ghost cells of the next tile
     * exist, and a tile has room for those of its own height only. */
    int last = smaller(first + inside, images ? end : size);
    *loaded = smaller(last + ghost, images ? last + ghost : size) -
              larger(first - ghost, images ? first - ghost : 0);
    if (i == 0) {
        int from = first - (layout->first_column - layout->first_computed);
        int to = first + layout->last_computed - layout->first_column;
        if (images)
            to = smaller(to,
                         first + aligned(smaller(inside + radius * config->height, size - first) +
                                             radius * (config->height - 1),
                                         layout->align));
        else
            to = smaller(smaller(to, size), first + inside + radius * config->height);
        *computed = to - larger(from, images ? from : 0);
        /* With columns in registers, the last level computes what is committed. */
        if (config->columns && k == steps)
            *computed = *committed;
    } else {
        *computed = smaller(last + rest, images ? last + rest : size) -
                    larger(first - rest, images ? first - rest : 0);
    }
}

/* Adds what the stage of `steps` loops does, of the tiles of all dimensions: the counts of a tile
 * are products over the dimensions, and so are the sums over all tiles. */
static void add_stage(const struct gzk_config *config, int steps, struct gzk_counts *counts)
{
    struct gzk_stream_layout layout;
    gzk_stream_layout_of(config, &layout);

    for (int k = 1; k <= steps; k++) {
        double loaded = 1, computed = 1, committed = 1;
        for (int i = 0; i < config->stencil->dimensions; i++) {
            double sums[3] = {0};
            int inside = config->block[i] - 2 * config->stencil->radius[i] * config->height;
            for (int first = 0; first < config->size[i]; first += inside) {
                int l, c, p;
                part(config, &layout, i, first, k, steps, &l, &c, &p);
                sums[0] += l;
                sums[1] += c;
                sums[2] += p;
            }
            loaded *= sums[0];
            computed *= sums[1];
            committed *= sums[2];
        }
        counts->operations += computed;
        counts->step += config->stencil->step_arrays * computed;
        if (k == 1) {
            counts->loaded += gzk_stencil_arrays(config->stencil) * loaded;
            counts->committed += committed;
        }
    }
}

struct gzk_counts gzk_stream_count(const struct gzk_config *config)
{
    struct gzk_counts counts = {0}, one = {0};
    double whole = (double)(config->loops / config->height);

    if (whole > 0)
        add_stage(config, config->height, &one);
    counts = (struct gzk_counts){.loaded = whole * one.loaded,
                                 .step = whole * one.step,
                                 .operations = whole * one.operations,
                                 .committed = whole * one.committed};
    if (config->loops % config->height)
        add_stage(config, (int)(config->loops % config->height), &counts);
    return counts;
}

/* Barriers of a stage: of each tile one after loading each plane, also of those beyond the last
 * that let the levels catch up, and one after each plane of each level; with columns in registers
 * one for all levels, of steps that are unrolled by the slots. */
static double stage_barriers(const struct gzk_config *config, int steps)
{
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil), radius = stencil->radius[axis];
    int inside = config->block[axis] - 2 * radius * config->height;
    bool images = gzk_edges[stencil->edge[axis]].images;
    struct gzk_stream_layout layout;
    double barriers = 0, tiles = 1;

    gzk_stream_layout_of(config, &layout);
    for (int first = 0; first < config->size[axis]; first += inside) {
        int l, c, p, begin = first - radius * steps;
        int walked = smaller(first + inside, config->size[axis]) + radius * steps -
                     (images ? begin : larger(begin, 0));
        barriers += config->columns ? aligned(walked, layout.slots) : walked;
        for (int k = 1; k <= steps && !config->columns; k++) {
            part(config, &layout, axis, first, k, steps, &l, &c, &p);
            barriers += c;
        }
    }
    for (int i = 0; i < axis; i++)
        tiles *=
            (config->size[i] - 1) / (config->block[i] - 2 * stencil->radius[i] * config->height) +
            1;
    return tiles * barriers;
}

double gzk_stream_barriers(const struct gzk_config *config)
{
    double barriers = 0;
    if (config->loops >= config->height)
        barriers =
            (double)(config->loops / config->height) * stage_barriers(config, config->height);
    if (config->loops % config->height)
        barriers += stage_barriers(config, (int)(config->loops % config->height));
    return barriers;
}
