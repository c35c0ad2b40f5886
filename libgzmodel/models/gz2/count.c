/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * count.c - what is counted of a tile, by parameter, of which the model is the sum of value times
 * count in each term: what tiles have in common, device memory, and a CPU's work.
 */
#include "gz2_parts.h"

#include <math.h>

/* Vectors that a streamed tile's rows are computed by at once: what compilers unroll them to. */
enum { STREAM_VECTORS = 4 };

/* Clearing a row of a tile, or a cell, over copying it: it is stored, but not loaded. */
static const double clearing = 0.5;

/* Words of 4 bytes of an element: rows are copied as vectors of bytes. */
static double words_of(const gz_shape *stencil)
{
    return stencil->bytes / 4.0;
}

/* Bytes from one row of the grid to the next; 0 in one dimension. */
static double rows_apart(const gzi_gz2_stage *st)
{
    return st->stencil->dim > 1 ? st->stencil->bytes * (double)st->config->grid[0] : 0;
}

double gzi_gz2_iterations(const gzi_gz2_stage *st, int shrink)
{
    double n = 1;
    for (int i = 0; i < thread_dim(st->model, st->config); i++) {
        int cells = st->config->block[i] - 2 * st->stencil->radius[i] * shrink;
        n *= (cells + st->config->threads[i] - 1) / st->config->threads[i];
    }
    return n;
}

/* Cells of a block less 2 j radii in the dimensions from `from` on. */
static double shrunk(const gzi_gz2_stage *st, int j, int from)
{
    double n = 1;
    for (int i = from; i < st->stencil->dim; i++)
        n *= st->config->block[i] - 2 * st->stencil->radius[i] * j;
    return n;
}

/* The share of traffic that leaves the last cache if it is to hold so many bytes. */
static gzi_gz2_level beyond_cache(const gzi_gz2 *model, double bytes)
{
    return gzi_gz2_level_make(bytes, model->value[GZI_GZ2_EFFECTIVE_CACHE],
                              model->device.sharpness);
}

/* Of three time levels tiles write both states to other arrays, and what has no tile the new one
 * over the older. */
gzi_gz2_level gzi_gz2_stage_level(const gzi_gz2_stage *st, double height)
{
    const gz_shape *s = st->stencil;
    double written = gzi_states(s) - (st->config->variant == GZ_VARIANT_NAIVE ? 2.0 * s->older : 0);
    return beyond_cache(st->model,
                        s->bytes * st->cells *
                            (written + gzi_loaded(s) + s->step_arrays * height)); /* [gz2 4] */
}

/* Cells of a row of `cells` that fill no whole group of so many vectors. */
static double vector_remainder(const gzi_gz2_stage *st, double cells, int vectors)
{
    double lanes = floor(st->model->device.vector / st->stencil->bytes);
    return lanes > 1 ? fmod(floor(cells), lanes * vectors) : 0; /* [gz2 17] */
}

/* Half a row of so many bytes arrives while its tile's other rows are computed; with so many
 * streams half of them are lost. */
static const double prefetch_bytes = 8192, prefetch_streams = 10;

/* Rows of so many bytes are half short: two lines of a cache, before a prefetcher follows. It
 * follows within a page. */
static const double short_bytes = 128, page_bytes = 4096;

/* e: the share of a tile's traffic with device memory that a prefetcher has fetched ahead. */
static double prefetched_share(const gzi_gz2_stage *st)
{
    const gz_shape *s = st->stencil;
    double streams = gzi_states(s) + gzi_loaded(s) + (double)s->step_arrays * st->config->height;
    double row = s->bytes * (st->config->block[0] - 2.0 * s->radius[0] * st->config->height);
    if (st->config->variant != GZ_VARIANT_TRAPEZOID || !st->core)
        return 0;
    for (int i = 1; i < s->dim; i++)
        streams *= st->config->block[i];
    return gzi_gz2_level_make(prefetch_bytes, row, 2).value * /* [gz2 20] */
           gzi_gz2_level_make(prefetch_streams, streams, 8).value;
}

/* s: how far a tile's rows are short ones, of which a byte from device memory takes longer. */
static double short_rows(const gzi_gz2_stage *st)
{
    const gz_shape *s = st->stencil;
    double row = s->bytes * (st->config->block[0] - 2.0 * s->radius[0] * st->config->height);
    if (st->config->variant != GZ_VARIANT_TRAPEZOID || !st->core)
        return 0;
    double apart = fmin(1, rows_apart(st) / page_bytes);
    return gzi_gz2_level_make(short_bytes, row, 2).value * apart; /* [gz2 21] */
}

/* Whether the runtime dispatches the tiles to a CPU's cores, stage by stage. */
static int is_dispatched(const gzi_gz2_stage *st)
{
    return st->model->device.warp == 1 && st->config->sync != GZ_SYNC_FENCE;
}

/* The share of what a core's tiles touch that another core took in the stage before, if there was
 * one: who comes first takes the next piece. */
static double transferred_share(const gzi_gz2_stage *st)
{
    return is_dispatched(st) ? (1 - 1.0 / st->model->device.units) *
                                   gzi_gz2_between(st->config, st->config->height)
                             : 0;
}

/* Bytes of two layers of blocks without local memory, between which lies what both read. */
static double layers_bytes(const gzi_gz2_stage *st)
{
    const gz_shape *s = st->stencil;
    double cells = 2.0 * st->config->block[s->dim - 1];
    for (int i = 0; i < s->dim - 1; i++)
        cells *= (double)st->config->grid[i];
    return s->bytes * cells * (gzi_states(s) - s->older + gzi_loaded(s) + s->step_arrays);
}

void gzi_gz2_make_stage(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_tile *tile,
                        const gzi_geometry *geometry, int alone, gzi_gz2_stage *st)
{
    const gz_shape *s = &model->stencil;
    int naive = config->variant == GZ_VARIANT_NAIVE;
    *st = (gzi_gz2_stage){
        .model = model,
        .stencil = s,
        .config = config,
        .tile = tile,
        .geometry = geometry,
        .core = gzi_gz2_is_core(model, config),
        .alone = alone,
        .cells = 1,
        .dram = config->variant == GZ_VARIANT_STREAM ? GZI_GZ2_STREAM_BANDWIDTH
                : naive                              ? GZI_GZ2_NAIVE_BANDWIDTH
                                                     : GZI_GZ2_EFFECTIVE_BANDWIDTH,
        .stores = gzi_states(s) - (naive ? s->older : 0),
        .warps = ceil(product(config->threads, thread_dim(model, config)) / model->device.warp)};
    for (int i = 0; i < s->dim; i++)
        st->cells *= (double)config->grid[i];
    st->transferred = transferred_share(st);
    st->prefetched = prefetched_share(st);
    st->short_share = short_rows(st);
    st->stage = gzi_gz2_stage_level(st, config->height);
    if (naive && model->device.warp > 1)
        st->layers = beyond_cache(model, layers_bytes(st)); /* [gz2 18] */
    if (s->step_arrays > 0)
        st->run = beyond_cache(
            model, s->bytes * st->cells *
                       (2.0 * (gzi_states(s) - s->older) + config->loops)); /* [gz2 5] */
}

void gzi_gz2_count_memory(const gzi_gz2_stage *st, double committed, double computed, double again,
                          double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    double x = s->bytes, moved = (gzi_loaded(s) + st->stores) * committed;
    double read = s->step_arrays * computed;
    double bytes = x * (moved * st->stage.value + read * st->run.value +
                        again * st->layers.value); /* [gz2 18] */
    double longer = 1 + st->short_share * (GZI_GZ2_SHORT_TIMES - 1);
    double demand = (1 - st->prefetched) * longer; /* [gz2 19] */
    double tau = st->model->value[st->dram] * demand +
                 st->model->value[GZI_GZ2_AHEAD_BANDWIDTH] * st->prefetched;
    count[st->dram] = bytes * demand;
    count[GZI_GZ2_AHEAD_BANDWIDTH] = bytes * st->prefetched;
    count[GZI_GZ2_EFFECTIVE_CACHE] =
        tau * x *
        (moved * st->stage.by_cache + read * st->run.by_cache + again * st->layers.by_cache);
}

/* What it costs that a tile that commits `committed` cells is dispatched to whichever core is free:
 * the old state and the new are in another one's caches, where there is room, or in the last cache.
 */
static void count_exchange(const gzi_gz2_stage *st, double committed,
                           double count[GZI_GZ2_PARAMETERS])
{
    enum { STATES = 2 };
    double bytes =
        STATES * gzi_states(st->stencil) * st->stencil->bytes * committed * st->transferred;
    count[GZI_GZ2_CORE_EXCHANGE] = bytes * (1 - st->stage.value); /* [gz2 22] */
    count[GZI_GZ2_EFFECTIVE_CACHE] -=
        st->model->value[GZI_GZ2_CORE_EXCHANGE] * bytes * st->stage.by_cache;
}

/* As count_tile, of a streamed tile of these classes. */
static void count_streamed(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                           double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded, loaded = tile[0]->loaded * loaded_rows;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = gzi_loaded(s), x = s->bytes;
    double rows = 0, cells = 0, remainder = 0;

    for (int k = 0; k < st->config->height; k++) {
        double row = tile[0]->level[k];
        double rows_of_level = tile[1]->level[k] * (s->dim == 3 ? tile[2]->level[k] : 1);
        rows += rows_of_level;
        cells += row * rows_of_level;
        remainder += vector_remainder(st, row, STREAM_VECTORS) * rows_of_level;
    }
    count[GZI_GZ2_STREAM_COPY] = x * a * loaded;                                   /* [gz2 11] */
    count[GZI_GZ2_STREAM_CELL_TIME] = cells;                                       /* [gz2 12] */
    count[GZI_GZ2_STREAM_REST_TIME] = remainder;                                   /* [gz2 13] */
    count[GZI_GZ2_STREAM_ROW] = sqrt(gzi_all_reads(s)) * (rows + a * loaded_rows); /* [gz2 14] */
    gzi_gz2_count_memory(st, committed, cells, 0, count);
    count_exchange(st, committed, count);
}

/* As count_tile, of a block without local memory. */
static void count_naive(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                        double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    double rows = tile[1]->committed * tile[2]->committed, cells = tile[0]->committed * rows;

    count[GZI_GZ2_NAIVE_CELL_TIME] = cells;                   /* [gz2 15] */
    count[GZI_GZ2_NAIVE_ROW] = sqrt(gzi_all_reads(s)) * rows; /* [gz2 16] */
    gzi_gz2_count_memory(st, cells, cells, 0, count);
    count_exchange(st, cells, count);
}

/* What is counted of one tile on a CPU, by parameter. EFFECTIVE_CACHE's is d time / d C. */
static void count_tile(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                       double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded;
    double computed_rows = tile[1]->computed * tile[2]->computed;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = gzi_loaded(s),
           h = st->config->height;
    double loaded = tile[0]->loaded * loaded_rows;
    double steps = h * tile[0]->computed * computed_rows;
    double words = words_of(s);

    count[GZI_GZ2_COPY_CELL] = words * (a * loaded + st->stores * committed); /* [gz2 6] */
    count[GZI_GZ2_COPY_ROW] = a * loaded_rows + st->stores * committed_rows;  /* [gz2 7] */
    count[GZI_GZ2_COPY_EDGE] = a * tile[0]->outside * loaded_rows;            /* [gz2 8] */
    if (st->config->sync != GZ_SYNC_FENCE) {
        count[GZI_GZ2_COPY_CELL] += clearing * words * (shrunk(st, 0, 0) - shrunk(st, 1, 0));
        count[GZI_GZ2_COPY_ROW] += clearing * shrunk(st, 0, 1);
    }
    count[GZI_GZ2_CELL_TIME] = steps; /* [gz2 9] */
    count[GZI_GZ2_REST_TIME] =
        st->mean ? 0
                 : h * vector_remainder(st, tile[0]->computed, 1) * computed_rows; /* [gz2 10] */
    gzi_gz2_count_memory(st, committed, steps, 0, count);
    count_exchange(st, committed, count);
}

/* What is counted of a tile of the classes x, y, z. */
void gzi_gz2_count_class(const gzi_gz2_stage *st, int x, int y, int z,
                         double count[GZI_GZ2_PARAMETERS])
{
    const gzi_geometry *g = st->geometry;
    const gzi_class *tile[3] = {&g->axis[0].of[x], &g->axis[1].of[y], &g->axis[2].of[z]};
    if (st->model->device.warp > 1) {
        gzi_gz2_count_on_gpu(st, tile, count);
        return;
    }
    switch (st->config->variant) {
    case GZ_VARIANT_TRAPEZOID:
        count_tile(st, tile, count);
        break;
    case GZ_VARIANT_STREAM:
        count_streamed(st, tile, count);
        break;
    case GZ_VARIANT_NAIVE:
        count_naive(st, tile, count);
        break;
    }
}
