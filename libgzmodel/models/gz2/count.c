/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * count.c - what is counted of a tile, by parameter: the model is the sum of value times count in
 * each term.
 */
#include "gz2_parts.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Vectors that a streamed tile's rows are computed by at once: what compilers unroll them to. */
enum { STREAM_VECTORS = 4 };

/* Clearing a row of a tile, or a cell, over copying it: it is stored, but not loaded. */
static const double clearing = 0.5;

/* Words of 4 bytes of an element: rows are copied as vectors of bytes. */
static double words_of(const gzi_gz2_stencil *stencil)
{
    return stencil->bytes / 4.0;
}

/* Bytes from one row of the grid to the next; 0 in one dimension. */
static double rows_apart(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->stencil.dim > 1 ? model->stencil.bytes * (double)config->grid[0] : 0;
}

/* Iterations of a group's threads over a block, less 2 `shrink` radii in every dimension in which
 * it has threads. */
static double iterations(const gzi_gz2 *model, const gzi_gz2_config *config, int shrink)
{
    double n = 1;
    for (int i = 0; i < thread_dim(model, config); i++) {
        int cells = config->block[i] - 2 * model->stencil.radius[i] * shrink;
        n *= (cells + config->threads[i] - 1) / config->threads[i];
    }
    return n;
}

/* Cells of a block less 2 j radii in the dimensions from `from` on. */
static double shrunk(const gzi_gz2 *model, const gzi_gz2_config *config, int j, int from)
{
    double n = 1;
    for (int i = from; i < model->stencil.dim; i++)
        n *= config->block[i] - 2 * model->stencil.radius[i] * j;
    return n;
}

/* Cache lines written by requests for a row of `cells` cells by segments of `threads` neighbours,
 * each segment anywhere in its first line. Of the `mean` of several rows at most as many as these
 * have in the mean. */
static double lines(const gzi_gz2 *model, const gzi_gz2_config *config, int mean, double cells)
{
    double share = fmin(1, model->stencil.bytes / model->device.line);
    double segments = cells / config->threads[0];
    segments = mean ? fmax(1, segments) : ceil(segments);
    return segments * (1 - share) + cells * share; /* [gz2 31] */
}

/* What a stage touches, and what a run touches that is new in every loop, bytes. */
double gzi_gz2_stage_bytes(const gzi_gz2 *model, double cells, double height)
{
    const gzi_gz2_stencil *s = &model->stencil;
    return s->bytes * cells * (1.0 + s->loaded + s->per_step * height); /* [gz2 4] */
}

/* Cells of a row of `cells` that fill no whole group of so many vectors. */
static double vector_remainder(const gzi_gz2 *model, double cells, int vectors)
{
    double lanes = floor(model->device.vector / model->stencil.bytes);
    return lanes > 1 ? fmod(floor(cells), lanes * vectors) : 0; /* [gz2 17] */
}

/* Iterations of a streamed tile's threads over a plane of each level: of rows all that the first
 * level computes, across them what the level does. */
static void make_level_iterations(const gzi_gz2 *model, const gzi_gz2_config *config,
                                  gzi_gz2_common *c)
{
    const int *radius = model->stencil.radius;
    double row = ceil((config->block[0] - 2.0 * radius[0]) / config->threads[0]);
    for (int k = 1; k <= config->height; k++)
        c->level_iterations[k - 1] =
            model->stencil.dim < 3
                ? row
                : row * ceil((config->block[1] - 2.0 * radius[1] * k) / config->threads[1]);
}

/* Half a row of so many bytes arrives while its tile's other rows are computed; with so many
 * streams half of them are lost. */
static const double prefetch_bytes = 8192, prefetch_streams = 10;

/* Rows of so many bytes are half short: two lines of a cache, before a prefetcher follows. It
 * follows within a page. */
static const double short_bytes = 128, page_bytes = 4096;

/* e: the share of a tile's traffic with device memory that a prefetcher has fetched ahead. */
static double prefetched_share(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double streams = 1.0 + s->loaded + (double)s->per_step * config->height;
    double row = s->bytes * (config->block[0] - 2.0 * s->radius[0] * config->height);
    if (config->variant != GZI_GZ2_TRAPEZOID || !gzi_gz2_is_core(model, config))
        return 0;
    for (int i = 1; i < s->dim; i++)
        streams *= config->block[i];
    return gzi_gz2_level_make(prefetch_bytes, row, 2).value * /* [gz2 20] */
           gzi_gz2_level_make(prefetch_streams, streams, 8).value;
}

/* s: how far a tile's rows are short ones, of which a byte from device memory takes longer. */
static double short_rows(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double row = s->bytes * (config->block[0] - 2.0 * s->radius[0] * config->height);
    if (config->variant != GZI_GZ2_TRAPEZOID || !gzi_gz2_is_core(model, config))
        return 0;
    double apart = fmin(1, rows_apart(model, config) / page_bytes);
    return gzi_gz2_level_make(short_bytes, row, 2).value * apart; /* [gz2 21] */
}

/* Whether the runtime dispatches the tiles to a CPU's cores, stage by stage. */
static int is_dispatched(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->device.warp == 1 && config->mode != GZI_GZ2_FENCES;
}

/* The share of what a core's tiles touch that another core took in the stage before, if there was
 * one: who comes first takes the next piece. */
static double transferred_share(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return is_dispatched(model, config)
               ? (1 - 1.0 / model->device.units) * gzi_gz2_between(config, config->height)
               : 0;
}

void gzi_gz2_make_common(const gzi_gz2 *model, const gzi_gz2_config *config,
                         const gzi_gz2_ready *ready, gzi_gz2_common *c)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double cells = 1;

    memset(c, 0, offsetof(gzi_gz2_common, level_iterations));
    c->ready = ready;
    c->mean = 0;
    c->columns = gzi_gz2_columns(model, config);
    c->dram = config->variant == GZI_GZ2_STREAM  ? GZI_GZ2_STREAM_BANDWIDTH
              : config->variant == GZI_GZ2_NAIVE ? GZI_GZ2_NAIVE_BANDWIDTH
                                                 : GZI_GZ2_EFFECTIVE_BANDWIDTH;
    c->transferred = transferred_share(model, config);
    c->prefetched = prefetched_share(model, config);
    c->short_share = short_rows(model, config);
    if (config->variant == GZI_GZ2_STREAM)
        make_level_iterations(model, config, c);
    for (int i = 0; i < s->dim; i++)
        cells *= (double)config->grid[i];
    c->load_iterations = iterations(model, config, 0) + s->per_step * iterations(model, config, 1);
    if (config->variant == GZI_GZ2_NAIVE) {
        c->step_iterations = iterations(model, config, 0);
    } else {
        c->step_iterations = config->height * iterations(model, config, 1); /* [gz2 30] */
    }
    c->warps = ceil(product(config->threads, thread_dim(model, config)) / model->device.warp);
    c->stage = gzi_gz2_level_make(gzi_gz2_stage_bytes(model, cells, config->height),
                                  model->value[GZI_GZ2_EFFECTIVE_CACHE], model->device.sharpness);
    if (s->per_step > 0)
        c->run = gzi_gz2_level_make(s->bytes * cells * (2.0 + config->loops), /* [gz2 5] */
                                    model->value[GZI_GZ2_EFFECTIVE_CACHE], model->device.sharpness);
}

/* Device memory's traffic of a tile that commits `committed` cells, `computed` in all loops. */
static void count_memory(const gzi_gz2 *model, const gzi_gz2_common *c, double committed,
                         double computed, double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double x = s->bytes, moved = (s->loaded + 1.0) * committed;
    double read = s->per_step * computed;
    double bytes = x * (moved * c->stage.value + read * c->run.value); /* [gz2 18] */
    double longer = 1 + c->short_share * (GZI_GZ2_SHORT_TIMES - 1);
    double demand = (1 - c->prefetched) * longer; /* [gz2 19] */
    double tau =
        model->value[c->dram] * demand + model->value[GZI_GZ2_AHEAD_BANDWIDTH] * c->prefetched;
    count[c->dram] = bytes * demand;
    count[GZI_GZ2_AHEAD_BANDWIDTH] = bytes * c->prefetched;
    count[GZI_GZ2_EFFECTIVE_CACHE] = tau * x * (moved * c->stage.by_cache + read * c->run.by_cache);
}

/* What it costs that a tile that commits `committed` cells is dispatched to whichever core is free:
 * the old state and the new are in another one's caches, where there is room, or in the last cache.
 */
static void count_exchange(const gzi_gz2 *model, const gzi_gz2_common *c, double committed,
                           double count[GZI_GZ2_PARAMETERS])
{
    enum { STATES = 2 };
    double bytes = STATES * model->stencil.bytes * committed * c->transferred;
    count[GZI_GZ2_CORE_EXCHANGE] = bytes * (1 - c->stage.value); /* [gz2 22] */
    count[GZI_GZ2_EFFECTIVE_CACHE] -=
        model->value[GZI_GZ2_CORE_EXCHANGE] * bytes * c->stage.by_cache;
}

/* What a streamed tile with columns in registers accesses in local memory, elements: its planes are
 * written, and cells outside the grid that follow from others copied, in every step; neighbours in
 * the cell's own plane are read, those in rows of the same thread's excepted, unless rows are
 * copied. */
static double column_accesses(const gzi_gz2 *model, const gzi_gz2_config *config,
                              const gzi_class *const tile[3])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *x = tile[0], *y = tile[1], *along = tile[s->dim - 1];
    int three = s->dim == 3;
    double arrays = along->loaded * (s->loaded - 1), held = x->held;
    double rows = three ? y->held : 1, row_copies = three ? y->copies : 0;
    double row_ends = three ? y->ends : 0;
    double copied = (held + x->copies) * (rows + row_copies) - held * rows;
    double copied_from = held * rows - (held - x->ends) * (rows - row_ends);
    double accesses = held * rows * (along->planes + arrays) +
                      (copied + copied_from) * (along->steps * config->height + arrays);
    double reads = fmax(0, s->reads - s->column_reads);

    for (int k = 0; k < config->height; k++) {
        double planes = along->level[k], row = x->level[k];
        double of_plane = three ? y->level[k] : 1;
        double beside = three ? y->beside[k] : 0;
        accesses += planes * row * fmax(0, of_plane * reads - beside);
    }
    return accesses;
}

/* As count_streamed, with columns in registers: what differs from rings. */
static void count_columns(const gzi_gz2 *model, const gzi_gz2_config *config,
                          const gzi_gz2_common *c, const gzi_class *const tile[3],
                          double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *along = tile[s->dim - 1];
    double planes = along->loaded, steps = along->steps, issued = 0, x = s->bytes;
    double per_row = own_columns(config, 0);

    for (int k = 0; k < config->height; k++)
        issued +=
            along->level[k] * per_row * (s->dim == 3 ? tile[1]->level[k] / config->threads[1] : 1);
    count[GZI_GZ2_LOAD_LATENCY] = 1 + s->per_step * planes;
    count[GZI_GZ2_BARRIER_LATENCY] = count[GZI_GZ2_BARRIER_WARP] = count[GZI_GZ2_CHAIN_TIME] = 0;
    double barrier =
        model->value[GZI_GZ2_BARRIER_LATENCY] + model->value[GZI_GZ2_BARRIER_WARP] * (c->warps - 1);
    if (model->value[GZI_GZ2_LOAD_LATENCY] * (planes - 1) >
        barrier * steps + model->value[GZI_GZ2_CHAIN_TIME] * along->planes) {
        count[GZI_GZ2_LOAD_LATENCY] += planes - 1; /* [gz2 35] */
    } else {
        count[GZI_GZ2_BARRIER_LATENCY] = steps;
        count[GZI_GZ2_BARRIER_WARP] = steps * (c->warps - 1);
        count[GZI_GZ2_CHAIN_TIME] = along->planes;
    }
    count[GZI_GZ2_ISSUE_TIME] = issued * c->warps;
    count[GZI_GZ2_SHARED_BANDWIDTH] = x * column_accesses(model, config, tile);
}

/* As count_tile, of a streamed tile of these classes. */
static void count_streamed(const gzi_gz2 *model, const gzi_gz2_config *config,
                           const gzi_gz2_common *c, const gzi_class *const tile[3],
                           double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *along = tile[s->dim - 1];
    int read = s->per_step;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded, loaded = tile[0]->loaded * loaded_rows;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = s->loaded, x = s->bytes;
    double rows = 0, cells = 0, computing = 0, remainder = 0;
    double barriers = along->walked + along->planes;

    for (int k = 0; k < config->height; k++) {
        double row = tile[0]->level[k];
        double rows_of_level = tile[1]->level[k] * (s->dim == 3 ? tile[2]->level[k] : 1);
        computing += along->level[k] * c->level_iterations[k];
        rows += rows_of_level;
        cells += row * rows_of_level;
        remainder += vector_remainder(model, row, STREAM_VECTORS) * rows_of_level;
    }
    count[GZI_GZ2_STREAM_COPY] = x * a * loaded;                           /* [gz2 11] */
    count[GZI_GZ2_STREAM_CELL_TIME] = cells;                               /* [gz2 12] */
    count[GZI_GZ2_STREAM_REST_TIME] = remainder;                           /* [gz2 13] */
    count[GZI_GZ2_STREAM_ROW] = sqrt(s->reads) * (rows + a * loaded_rows); /* [gz2 14] */
    count[GZI_GZ2_BLOCK_LATENCY] = 1;
    count[GZI_GZ2_LOAD_LATENCY] =
        along->loaded *
        (iterations(model, config, 0) + read * iterations(model, config, 1)); /* [gz2 34] */
    count[GZI_GZ2_BARRIER_LATENCY] = barriers;
    count[GZI_GZ2_BARRIER_WARP] = barriers * (c->warps - 1);
    count[GZI_GZ2_LINE_STORE] = committed_rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_SHARED_BANDWIDTH] = x * (a * loaded + committed + cells * (s->reads + 1.0));
    count[GZI_GZ2_CACHE_BANDWIDTH] = x * (a * loaded + committed + read * cells);
    count[GZI_GZ2_CHAIN_TIME] = computing;
    count[GZI_GZ2_ISSUE_TIME] = computing * c->warps;
    count_memory(model, c, committed, cells, count);
    count_exchange(model, c, committed, count);
    if (c->columns)
        count_columns(model, config, c, tile, count);
}

/* As count_tile, of a block without local memory: the state's neighbours are read once, since the
 * first-level cache has them for the others. */
static void count_naive(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_gz2_common *c,
                        const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double rows = tile[1]->committed * tile[2]->committed, cells = tile[0]->committed * rows;
    double loaded = tile[0]->loaded * tile[1]->loaded * tile[2]->loaded;
    int read = s->loaded - 1 + s->per_step;

    count[GZI_GZ2_NAIVE_CELL_TIME] = cells;           /* [gz2 15] */
    count[GZI_GZ2_NAIVE_ROW] = sqrt(s->reads) * rows; /* [gz2 16] */
    count[GZI_GZ2_BLOCK_LATENCY] = 1;
    count[GZI_GZ2_LOAD_LATENCY] = (1 + s->per_step) * c->step_iterations; /* [gz2 36] */
    count[GZI_GZ2_LINE_STORE] = rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_CACHE_BANDWIDTH] = s->bytes * (loaded + (read + 1) * cells); /* [gz2 37] */
    count[GZI_GZ2_CHAIN_TIME] = c->step_iterations;
    count[GZI_GZ2_ISSUE_TIME] = c->step_iterations * c->warps;
    count_memory(model, c, cells, cells, count);
    count_exchange(model, c, cells, count);
}

/* What is counted of one tile, by parameter: the model is the sum of value times count in each
 * term. Counts of latency are of one group, not yet over R. CACHE's is d time / d C. */
static void count_tile(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_gz2_common *c,
                       const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded;
    double computed_rows = tile[1]->computed * tile[2]->computed;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = s->loaded, h = config->height;
    double loaded = tile[0]->loaded * loaded_rows;
    double steps = h * tile[0]->computed * computed_rows, x = s->bytes;
    int read = s->per_step;

    double words = words_of(s);

    count[GZI_GZ2_COPY_CELL] = words * (a * loaded + committed);   /* [gz2 6] */
    count[GZI_GZ2_COPY_ROW] = a * loaded_rows + committed_rows;    /* [gz2 7] */
    count[GZI_GZ2_COPY_EDGE] = a * tile[0]->outside * loaded_rows; /* [gz2 8] */
    if (s->clears && config->mode != GZI_GZ2_FENCES) {
        count[GZI_GZ2_COPY_CELL] +=
            clearing * words * (shrunk(model, config, 0, 0) - shrunk(model, config, 1, 0));
        count[GZI_GZ2_COPY_ROW] += clearing * shrunk(model, config, 0, 1);
    }
    count[GZI_GZ2_BLOCK_LATENCY] = 1;
    count[GZI_GZ2_LOAD_LATENCY] = c->load_iterations; /* [gz2 29] */
    count[GZI_GZ2_BARRIER_LATENCY] = h;
    count[GZI_GZ2_BARRIER_WARP] = h * (c->warps - 1);
    count[GZI_GZ2_LINE_STORE] = committed_rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_SHARED_BANDWIDTH] =
        x * (a * loaded + committed + steps * (s->reads + 1.0));                  /* [gz2 32] */
    count[GZI_GZ2_CACHE_BANDWIDTH] = x * (a * loaded + committed + read * steps); /* [gz2 33] */
    count[GZI_GZ2_CELL_TIME] = steps;                                             /* [gz2 9] */
    count[GZI_GZ2_REST_TIME] =
        c->mean ? 0
                : h * vector_remainder(model, tile[0]->computed, 1) * computed_rows; /* [gz2 10] */
    count[GZI_GZ2_CHAIN_TIME] = c->step_iterations;
    count[GZI_GZ2_ISSUE_TIME] = c->step_iterations * c->warps;
    count_memory(model, c, committed, steps, count);
    count_exchange(model, c, committed, count);
}

/* What is counted of a tile of the classes x, y, z. */
void gzi_gz2_count_class(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                         const gzi_gz2_common *c, int x, int y, int z,
                         double count[GZI_GZ2_PARAMETERS])
{
    const gzi_class *tile[3] = {&g->axis[0].of[x], &g->axis[1].of[y], &g->axis[2].of[z]};
    switch (config->variant) {
    case GZI_GZ2_TRAPEZOID:
        count_tile(model, config, c, tile, count);
        break;
    case GZI_GZ2_STREAM:
        count_streamed(model, config, c, tile, count);
        break;
    case GZI_GZ2_NAIVE:
        count_naive(model, config, c, tile, count);
        break;
    }
}
