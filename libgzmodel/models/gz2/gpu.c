/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gpu.c - what is counted of a tile on a GPU: a warp's instructions, what the load and store unit,
 * the last cache and device memory move, and the chain of one block.
 */
#include "gz2_parts.h"

#include <math.h>

/* Requests to device memory that a block waits for one after the other: its loads, and its stores
 * before another block takes its place. */
enum { REQUESTS = 2 };

/* A warp's part of a tile: iterations of its threads that load and compute, loops or levels of
 * planes that begin, and barriers and requests that it waits for. */
struct warp_work {
    double loads, steps, computing, barriers, requests;
};

/* The parameters of a variant's instructions; of naive ones, which load no tile, not all. */
static const struct {
    gzi_gz2_parameter stage, load, step, compute;
} insts[] = {[GZ_VARIANT_TRAPEZOID] = {GZI_GZ2_STAGE_INSTS, GZI_GZ2_LOAD_INSTS, GZI_GZ2_STEP_INSTS,
                                       GZI_GZ2_COMPUTE_INSTS},
             [GZ_VARIANT_STREAM] = {GZI_GZ2_STREAM_STAGE_INSTS, GZI_GZ2_STREAM_LOAD_INSTS,
                                    GZI_GZ2_STREAM_STEP_INSTS, GZI_GZ2_STREAM_COMPUTE_INSTS},
             [GZ_VARIANT_NAIVE] = {GZI_GZ2_NAIVE_STAGE_INSTS, GZI_GZ2_LOAD_INSTS,
                                   GZI_GZ2_STEP_INSTS, GZI_GZ2_NAIVE_COMPUTE_INSTS}};

/* Issue, double precision and the chain, of a variant. */
static void count_warp(const gzi_gz2_stage *st, const struct warp_work *w,
                       double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_parameter stage = insts[st->config->variant].stage,
                            load = insts[st->config->variant].load,
                            step = insts[st->config->variant].step,
                            compute = insts[st->config->variant].compute;
    count[stage] = 1;
    count[load] = w->loads;
    count[step] = w->steps;
    count[compute] = w->computing;
    count[GZI_GZ2_FP64_INSTS] = w->computing;
    double n = st->model->value[stage] + st->model->value[load] * w->loads +
               st->model->value[step] * w->steps +
               st->model->value[compute] * w->computing; /* [gz2 29] */
    count[GZI_GZ2_ISSUE_RATE] = st->warps * n;           /* [gz2 30] */
    count[GZI_GZ2_FP64_RATE] =
        st->warps * st->model->value[GZI_GZ2_FP64_INSTS] * w->computing; /* [gz2 31] */
    count[GZI_GZ2_LOAD_LATENCY] = w->requests;                           /* [gz2 34] */
    count[GZI_GZ2_INSTRUCTION_LATENCY] = n;
    count[GZI_GZ2_BARRIER_LATENCY] = w->barriers;
}

/* Bytes that the load and store unit could move while it serves a group's requests, so many a
 * thread: of shared memory, and of device memory, of which each row that a warp spans takes as long
 * as a whole one. */
static double requested(const gzi_gz2_stage *st, double shared, double global)
{
    double warp = st->model->device.warp, rows = ceil(warp / st->config->threads[0]);
    return st->stencil->bytes * st->warps * warp * (shared + rows * global);
}

/* Elements that a thread reads for a cell if it computes some together that follow each other along
 * a dimension of this radius: what several read is read once. Of those along it stars read the
 * cell's own column only, others a box's. */
static double reads_together(const gz_shape *s, int radius, int together)
{
    double reads = gzi_all_reads(s), state = s->reads.state, beside = 2.0 * radius;
    double common = s->reads.own_column ? fmin(beside * gzi_fields(s), state - 1)
                                        : state * beside / (beside + 1);
    return reads - common * (1 - 1.0 / together);
}

static void count_trapezoid(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                            double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    double h = st->config->height, a = gzi_loaded(s), one = gzi_gz2_iterations(st, 1);
    double loaded = tile[0]->loaded * tile[1]->loaded * tile[2]->loaded;
    double committed = tile[0]->committed * tile[1]->committed * tile[2]->committed;
    double cells = h * tile[0]->computed * tile[1]->computed * tile[2]->computed;
    const struct warp_work w = {.loads = gzi_gz2_iterations(st, 0),
                                .steps = h,
                                .computing = h * one,
                                .barriers = h,
                                .requests = REQUESTS + (s->step_arrays > 0 ? h : 0)};
    count_warp(st, &w, count);
    count[GZI_GZ2_SHARED_BANDWIDTH] = requested(
        st, a * w.loads + (gzi_all_reads(s) + gzi_fields(s)) * w.computing + st->stores * one,
        a * w.loads + s->step_arrays * w.computing + st->stores * one); /* [gz2 32] */
    count[GZI_GZ2_CACHE_BANDWIDTH] =
        s->bytes * (a * loaded + st->stores * committed + s->step_arrays * cells); /* [gz2 33] */
    gzi_gz2_count_memory(st, committed, cells, 0, count);
}

/* ---------------------------------------------------------------------------------- streamed */

/* What a streamed tile with columns in registers accesses in local memory, elements: its planes are
 * written, and cells outside the grid that follow from others copied, in every step; neighbours in
 * the cell's own plane are read, those in rows of the same thread's excepted, unless rows are
 * copied. */
static double column_accesses(const gzi_gz2_stage *st, const gzi_class *const tile[3])
{
    const gz_shape *s = st->stencil;
    const gzi_class *x = tile[0], *y = tile[1], *along = tile[s->dim - 1];
    int three = s->dim == 3;
    double arrays = along->loaded * (gzi_loaded(s) - gzi_states(s)), held = x->held;
    double rows = three ? y->held : 1, row_copies = three ? y->copies : 0;
    double row_ends = three ? y->ends : 0;
    double copied = (held + x->copies) * (rows + row_copies) - held * rows;
    double copied_from = held * rows - (held - x->ends) * (rows - row_ends);
    double fields = gzi_fields(s);
    double accesses =
        held * rows * (fields * along->planes + arrays) +
        (copied + copied_from) * (fields * along->walked * st->config->height + arrays);
    double reads = fmax(0, gzi_all_reads(s) - s->reads.column);

    for (int k = 0; k < st->config->height; k++) {
        double planes = along->level[k], row = x->level[k];
        double of_plane = three ? y->level[k] : 1;
        double beside = three ? fields * y->beside[k] : 0;
        accesses += planes * row * fmax(0, of_plane * reads - beside);
    }
    return accesses;
}

/* What a warp of a streamed tile does. */
struct stream_work {
    struct warp_work warp;
    double inner; /* RING: iterations that compute levels before the last */
};

/* Rings wait for each plane that enters and for each level's; what the last level reads is
 * overwritten before another barrier only if it is the first, or if there are coefficient arrays.
 * Columns have planes fetched ahead. */
static struct stream_work ring_work(const gzi_gz2_stage *st, const gzi_class *along)
{
    int last = st->config->height - 1;
    double levels = st->config->height -
                    (st->config->height > 1 && gzi_loaded(st->stencil) == gzi_fields(st->stencil));
    struct stream_work w = {.warp = {.loads = along->loaded * gzi_gz2_iterations(st, 0),
                                     .barriers = along->walked * (1 + levels), /* [gz2 34] */
                                     .steps = along->planes,
                                     .requests = REQUESTS + along->loaded}};
    for (int k = 0; k < last; k++)
        w.inner += along->level[k] * gzi_ring_trips(st->tile, k + 1);
    w.warp.computing = w.inner + along->level[last] * gzi_ring_trips(st->tile, last + 1);
    return w;
}

static struct stream_work column_work(const gzi_gz2_stage *st, const gzi_class *const tile[3])
{
    const int dim = st->stencil->dim;
    const gzi_class *along = tile[dim - 1];
    double per_row = own_columns(st->config, 0), threads = st->config->threads[1];
    struct stream_work w = {
        .warp = {.loads = along->loaded * per_row * (dim == 3 ? tile[1]->held / threads : 1),
                 .barriers = along->walked,
                 .steps = along->planes,
                 .requests = REQUESTS + (st->stencil->step_arrays > 0 ? along->loaded : 0)}};
    for (int k = 0; k < st->config->height; k++)
        w.warp.computing +=
            along->level[k] * per_row * (dim == 3 ? tile[1]->level[k] / threads : 1);
    return w;
}

static void count_stream(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                         double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    const struct stream_work w =
        st->tile->columns ? column_work(st, tile) : ring_work(st, tile[s->dim - 1]);
    double a = gzi_loaded(s), cells = 0, accessed;
    double loaded = tile[0]->loaded * tile[1]->loaded * tile[2]->loaded;
    double committed = tile[0]->committed * tile[1]->committed * tile[2]->committed;

    for (int k = 0; k < st->config->height; k++)
        cells += tile[0]->level[k] * tile[1]->level[k] * (s->dim == 3 ? tile[2]->level[k] : 1);
    if (st->tile->columns) {
        accessed = s->bytes * column_accesses(st, tile);
    } else {
        accessed = requested(st,
                             a * w.warp.loads +
                                 reads_together(s, s->radius[1], gzi_rows_together(st->tile)) *
                                     w.warp.computing +
                                 gzi_fields(s) * w.inner,
                             0);
    }
    double moved = a * loaded + st->stores * committed + s->step_arrays * cells;
    count_warp(st, &w.warp, count);
    count[GZI_GZ2_SHARED_BANDWIDTH] = accessed + s->bytes * moved; /* [gz2 35] */
    count[GZI_GZ2_CACHE_BANDWIDTH] = s->bytes * moved;             /* [gz2 33] */
    gzi_gz2_count_memory(st, committed, cells, 0, count);
}

/* ------------------------------------------------------------------------------ without a tile */

static void count_naive(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                        double count[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = st->stencil;
    const gzi_class *along = tile[s->dim - 1];
    double cells = tile[0]->committed * tile[1]->committed * tile[2]->committed;
    double loaded = tile[0]->loaded * tile[1]->loaded * tile[2]->loaded;
    double again = cells / along->committed * (along->loaded - along->committed);
    const struct warp_work w = {.computing = gzi_gz2_iterations(st, 0), .requests = REQUESTS};
    double reads = reads_together(s, s->radius[s->dim - 1], gzi_cells_together(st->tile));
    count_warp(st, &w, count);
    count[GZI_GZ2_SHARED_BANDWIDTH] =
        requested(st, 0, (reads + s->step_arrays + gzi_fields(s)) * w.computing); /* [gz2 36] */
    count[GZI_GZ2_CACHE_BANDWIDTH] =
        s->bytes *
        (gzi_fields(s) * loaded + (gzi_loaded(s) + s->step_arrays) * cells); /* [gz2 37] */
    gzi_gz2_count_memory(st, cells, cells, gzi_fields(s) * again, count);
}

void gzi_gz2_count_on_gpu(const gzi_gz2_stage *st, const gzi_class *const tile[3],
                          double count[GZI_GZ2_PARAMETERS])
{
    switch (st->config->variant) {
    case GZ_VARIANT_TRAPEZOID:
        count_trapezoid(st, tile, count);
        break;
    case GZ_VARIANT_STREAM:
        count_stream(st, tile, count);
        break;
    case GZ_VARIANT_NAIVE:
        count_naive(st, tile, count);
        break;
    }
}
