/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parameters.c - the parameters: names, units, terms, and the quantities of a device and an
 * application that their values come from.
 */
#include "gz2_contract.h"
#include "gz2_parts.h"
#include "quantities.h"

#include <float.h>
#include <math.h>

static const struct {
    const char *name, *unit;
    gzi_gz2_term term;
} parameters[GZI_GZ2_PARAMETERS] = {
    [GZI_GZ2_LAUNCH] = {"launch", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_GRAPH] = {"graph", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_FENCE] = {"fence", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_RUN] = {"run", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_RUN_FENCE] = {"run_fence", "s", GZI_GZ2_SYNC},
    [GZI_GZ2_COPY_CELL] = {"copy_cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_COPY_ROW] = {"copy_row", "s", GZI_GZ2_WORK},
    [GZI_GZ2_COPY_EDGE] = {"copy_edge", "s", GZI_GZ2_WORK},
    [GZI_GZ2_GROUP] = {"group", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_LOAD] = {"load", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_BARRIER] = {"barrier", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_BARRIER_WARP] = {"barrier_warp", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_LINE] = {"line", "s", GZI_GZ2_LINES},
    [GZI_GZ2_SHARED] = {"shared", "s/B", GZI_GZ2_LOCAL},
    [GZI_GZ2_L2] = {"l2", "s/B", GZI_GZ2_CACHED},
    [GZI_GZ2_DRAM] = {"dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_STREAM_COPY] = {"stream_copy", "s/B", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_ROWS] = {"stream_rows", "s", GZI_GZ2_WORK},
    [GZI_GZ2_NAIVE_ROWS] = {"naive_rows", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_DRAM] = {"stream_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_NAIVE_DRAM] = {"naive_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_EXCHANGE] = {"exchange", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_AHEAD_DRAM] = {"ahead_dram", "s/B", GZI_GZ2_MEMORY},
    [GZI_GZ2_CACHE] = {"cache", "B", GZI_GZ2_TERMS},
    [GZI_GZ2_NORM] = {"norm", "1", GZI_GZ2_TERMS},
    [GZI_GZ2_CELL] = {"cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_REST] = {"rest", "s", GZI_GZ2_WORK},
    [GZI_GZ2_CHAIN] = {"chain", "s", GZI_GZ2_LATENCY},
    [GZI_GZ2_ISSUE] = {"issue", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_CELL] = {"stream_cell", "s", GZI_GZ2_WORK},
    [GZI_GZ2_STREAM_REST] = {"stream_rest", "s", GZI_GZ2_WORK},
    [GZI_GZ2_NAIVE_CELL] = {"naive_cell", "s", GZI_GZ2_WORK},
};

const char *gzi_gz2_name(gzi_gz2_parameter parameter)
{
    return parameters[parameter].name;
}

const char *gzi_gz2_unit(gzi_gz2_parameter parameter)
{
    return parameters[parameter].unit;
}

gzi_gz2_term gzi_gz2_term_of(gzi_gz2_parameter parameter)
{
    return parameters[parameter].term;
}

static double stated_or(const gz_quantity *q, double otherwise)
{
    return gzi_stated(q) ? q->value : otherwise;
}

/* A parameter that is a quantity; 0 if it is absent. */
static void direct(gzi_gz2_sources *s, gzi_gz2_parameter j, int param, const gz_quantity *q)
{
    s->of[j] =
        gzi_stated(q) ? (gzi_gz2_source){param, 0, -1, q->value} : (gzi_gz2_source){-1, 0, -1, 0};
}

/* Seconds a byte of one unit while all are busy, from a bandwidth of the device or, with units = 1,
 * of the unit. */
static void bandwidth(gzi_gz2_sources *s, gzi_gz2_parameter j, int param, const gz_quantity *q,
                      double units)
{
    if (gzi_stated(q))
        s->of[j] = (gzi_gz2_source){param, 1, -1, units / q->value};
}

/* Warp instructions of a warp in a loop [Meng and Skadron, Eq. 14], for devices that state how long
 * one takes. */
static double instructions(const gz_device *dev, const gz_app *app)
{
    double sms = stated_or(&app->profile_sm_count, dev->sm_count.value);
    return app->insts_per_sm_iter.value * 32 * sms / app->profile_elements.value;
}

/* Elements that an operation reads from the tile: if the application does not say, a star's. */
static double reads_of(const gz_app *app)
{
    double star = app->stencil_arrays.value;
    for (int i = 0; i < app->dim; i++)
        star += app->halo_width[i];
    return stated_or(&app->tile_reads, star);
}

/* Computing an element: the application's own time, or else the device's of an element read. */
static void element(gzi_gz2_sources *s, gzi_gz2_parameter j, int param, const gz_quantity *own,
                    int of_read, const gz_quantity *read, const gz_app *app)
{
    direct(s, j, param, own);
    if (gzi_stated(own) || !gzi_stated(read))
        return;
    double words = reads_of(app) * app->element_size.value / 4; /* [gz2 38] */
    s->of[j] = (gzi_gz2_source){of_read, 0, -1, words * read->value};
}

static void computing(gzi_gz2_sources *s, const gz_device *dev, const gz_app *app)
{
    direct(s, GZI_GZ2_REST, GZ_P_REST_TIME, &app->rest_time);
    direct(s, GZI_GZ2_CHAIN, GZ_P_CHAIN_TIME, &app->chain_time);
    direct(s, GZI_GZ2_ISSUE, GZ_P_ISSUE_TIME, &app->issue_time);
    direct(s, GZI_GZ2_STREAM_REST, GZ_P_STREAM_REST_TIME, &app->stream_rest_time);
    element(s, GZI_GZ2_CELL, GZ_P_CELL_TIME, &app->cell_time, GZ_P_READ_TIME, &dev->read_time, app);
    element(s, GZI_GZ2_STREAM_CELL, GZ_P_STREAM_CELL_TIME, &app->stream_cell_time,
            GZ_P_STREAM_READ_TIME, &dev->stream_read_time, app);
    element(s, GZI_GZ2_NAIVE_CELL, GZ_P_NAIVE_CELL_TIME, &app->naive_cell_time,
            GZ_P_NAIVE_READ_TIME, &dev->naive_read_time, app);
    if (gzi_is_cpu(dev))
        return;
    if (!gzi_stated(&app->chain_time) && gzi_stated(&dev->instruction_latency))
        s->of[GZI_GZ2_CHAIN] =
            (gzi_gz2_source){GZ_P_INSTRUCTION_LATENCY, 0, GZ_P_INSTS_PER_SM_ITER,
                             instructions(dev, app) * dev->instruction_latency.value};
    if (!gzi_stated(&app->issue_time) && gzi_stated(&dev->issue_rate))
        s->of[GZI_GZ2_ISSUE] = (gzi_gz2_source){GZ_P_ISSUE_RATE, 1, GZ_P_INSTS_PER_SM_ITER,
                                                instructions(dev, app) / dev->issue_rate.value};
}

void gzi_gz2_make_sources(const gz_device *dev, const gz_app *app, gzi_gz2_sources *s)
{
    double units = dev->sm_count.value;

    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        s->of[j] = (gzi_gz2_source){-1, 0, -1, 0};
    direct(s, GZI_GZ2_LAUNCH, GZ_P_STAGE_LAUNCH, &dev->stage_launch);
    direct(s, GZI_GZ2_GRAPH, GZ_P_STAGE_GRAPH, &dev->stage_graph);
    direct(s, GZI_GZ2_FENCE, GZ_P_STAGE_FENCE, &dev->stage_fence);
    direct(s, GZI_GZ2_RUN, GZ_P_STAGE_LAUNCH, &dev->stage_launch);
    if (gzi_stated(&dev->run_launch))
        direct(s, GZI_GZ2_RUN, GZ_P_RUN_LAUNCH, &dev->run_launch);
    direct(s, GZI_GZ2_RUN_FENCE, GZ_P_RUN_FENCE, &dev->run_fence);
    direct(s, GZI_GZ2_COPY_CELL, GZ_P_COPY_CELL, &dev->copy_cell);
    direct(s, GZI_GZ2_COPY_ROW, GZ_P_COPY_ROW, &dev->copy_row);
    direct(s, GZI_GZ2_COPY_EDGE, GZ_P_COPY_EDGE, &dev->copy_edge);
    direct(s, GZI_GZ2_EXCHANGE, GZ_P_CORE_EXCHANGE, &dev->core_exchange);
    direct(s, GZI_GZ2_GROUP, GZ_P_BLOCK_LATENCY, &dev->block_latency);
    direct(s, GZI_GZ2_LOAD, GZ_P_LOAD_LATENCY, &dev->load_latency);
    direct(s, GZI_GZ2_BARRIER, GZ_P_BARRIER_LATENCY, &dev->barrier_latency);
    direct(s, GZI_GZ2_BARRIER_WARP, GZ_P_BARRIER_WARP, &dev->barrier_warp);
    direct(s, GZI_GZ2_LINE, GZ_P_LINE_STORE, &dev->line_store);
    direct(s, GZI_GZ2_CACHE, GZ_P_EFFECTIVE_CACHE, &dev->effective_cache);
    direct(s, GZI_GZ2_NORM, GZ_P_TERM_NORM, &dev->term_norm);
    if (!gzi_stated(&dev->term_norm))
        s->of[GZI_GZ2_NORM].value = 3;
    bandwidth(s, GZI_GZ2_DRAM, GZ_P_MEM_BANDWIDTH, &dev->mem_bandwidth, units);
    bandwidth(s, GZI_GZ2_DRAM, GZ_P_EFFECTIVE_BANDWIDTH, &dev->effective_bandwidth, units);
    direct(s, GZI_GZ2_STREAM_COPY, GZ_P_STREAM_COPY, &dev->stream_copy);
    direct(s, GZI_GZ2_STREAM_ROWS, GZ_P_STREAM_ROW, &dev->stream_row);
    direct(s, GZI_GZ2_NAIVE_ROWS, GZ_P_NAIVE_ROW, &dev->naive_row);
    s->of[GZI_GZ2_STREAM_DRAM] = s->of[GZI_GZ2_NAIVE_DRAM] = s->of[GZI_GZ2_DRAM];
    s->of[GZI_GZ2_AHEAD_DRAM] = s->of[GZI_GZ2_DRAM];
    bandwidth(s, GZI_GZ2_AHEAD_DRAM, GZ_P_AHEAD_BANDWIDTH, &dev->ahead_bandwidth, units);
    bandwidth(s, GZI_GZ2_NAIVE_DRAM, GZ_P_NAIVE_BANDWIDTH, &dev->naive_bandwidth, units);
    bandwidth(s, GZI_GZ2_STREAM_DRAM, GZ_P_STREAM_BANDWIDTH, &dev->stream_bandwidth, units);
    if (!gzi_is_cpu(dev)) {
        /* A CPU's copies in and out of the cache are in copy_cell. */
        bandwidth(s, GZI_GZ2_L2, GZ_P_CACHE_BANDWIDTH, &dev->cache_bandwidth, units);
        bandwidth(s, GZI_GZ2_SHARED, GZ_P_SHARED_BANDWIDTH, &dev->shared_bandwidth, 1);
    }
    computing(s, dev, app);
}

static int whole(double value)
{
    return (int)fmin(value, 1e9);
}

void gzi_gz2_make_model(const gz_device *dev, const gz_app *app, const gzi_gz2_sources *s,
                        gzi_gz2 *model)
{
    *model = (gzi_gz2){
        .device = {.units = whole(dev->sm_count.value),
                   .warp = whole(dev->warp_size.value),
                   .blocks = gzi_is_cpu(dev)
                                 ? 1
                                 : stated_or(&dev->max_blocks_per_sm, dev->blocks_per_sm.value),
                   .threads = stated_or(&dev->max_threads_per_sm, 0),
                   .registers = stated_or(&dev->registers_per_sm, 0),
                   .local_unit = gzi_is_cpu(dev) ? 0 : stated_or(&dev->shared_mem_per_sm, 0),
                   .local_group = stated_or(&dev->shared_mem_per_block, 0),
                   .local_step = stated_or(&dev->shared_mem_step, 0),
                   .line = stated_or(&dev->cache_line, 128),
                   .vector = gzi_is_cpu(dev) ? GZI_GZ2_VECTOR : 0,
                   .sharpness = stated_or(&dev->cache_sharpness, gzi_is_cpu(dev) ? 4 : 8)},
        .stencil = {.dim = app->dim,
                    .bytes = whole(app->element_size.value),
                    .loaded = whole(app->stencil_arrays.value),
                    .per_step = whole(app->elements_per_op.value),
                    .reads = whole(reads_of(app)),
                    .column_reads =
                        whole(stated_or(&app->column_reads, app->halo_width[app->dim - 1] + 1)),
                    .registers = whole(stated_or(&app->registers_per_thread, 0)),
                    .clears = 1,
                    .star = app->own_column.value > 0,
                    .coefficients = whole(app->coefficients.value)},
    };
    const gz_quantity *edge[3] = {&app->edge_rule, &app->edge_rule_1, &app->edge_rule_2};
    for (int i = 0; i < app->dim; i++) {
        model->stencil.radius[i] = (int)(app->halo_width[i] / 2);
        model->stencil.edge[i] = (gzi_edge)whole(stated_or(edge[i], app->edge_rule.value));
    }
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        model->value[j] = s->of[j].value;
}

void gzi_gz2_of_files(const gz_device *dev, const gz_app *app, gzi_gz2 *model)
{
    gzi_gz2_sources s;
    gzi_gz2_make_sources(dev, app, &s);
    gzi_gz2_make_model(dev, app, &s, model);
}

int gzi_gz2_quantity(gzi_gz2_parameter parameter)
{
    static const int quantity[GZI_GZ2_PARAMETERS] = {[GZI_GZ2_LAUNCH] = GZ_P_STAGE_LAUNCH,
                                                     [GZI_GZ2_GRAPH] = GZ_P_STAGE_GRAPH,
                                                     [GZI_GZ2_FENCE] = GZ_P_STAGE_FENCE,
                                                     [GZI_GZ2_COPY_CELL] = GZ_P_COPY_CELL,
                                                     [GZI_GZ2_COPY_ROW] = GZ_P_COPY_ROW,
                                                     [GZI_GZ2_COPY_EDGE] = GZ_P_COPY_EDGE,
                                                     [GZI_GZ2_REST] = GZ_P_REST_TIME,
                                                     [GZI_GZ2_GROUP] = GZ_P_BLOCK_LATENCY,
                                                     [GZI_GZ2_LOAD] = GZ_P_LOAD_LATENCY,
                                                     [GZI_GZ2_BARRIER] = GZ_P_BARRIER_LATENCY,
                                                     [GZI_GZ2_BARRIER_WARP] = GZ_P_BARRIER_WARP,
                                                     [GZI_GZ2_LINE] = GZ_P_LINE_STORE,
                                                     [GZI_GZ2_SHARED] = -1,
                                                     [GZI_GZ2_L2] = -1,
                                                     [GZI_GZ2_DRAM] = -1,
                                                     [GZI_GZ2_STREAM_COPY] = GZ_P_STREAM_COPY,
                                                     [GZI_GZ2_STREAM_DRAM] = -1,
                                                     [GZI_GZ2_NAIVE_DRAM] = -1,
                                                     [GZI_GZ2_AHEAD_DRAM] = -1,
                                                     [GZI_GZ2_STREAM_CELL] = GZ_P_STREAM_CELL_TIME,
                                                     [GZI_GZ2_NAIVE_CELL] = GZ_P_NAIVE_CELL_TIME,
                                                     [GZI_GZ2_EXCHANGE] = GZ_P_CORE_EXCHANGE,
                                                     [GZI_GZ2_RUN] = GZ_P_RUN_LAUNCH,
                                                     [GZI_GZ2_STREAM_ROWS] = GZ_P_STREAM_ROW,
                                                     [GZI_GZ2_NAIVE_ROWS] = GZ_P_NAIVE_ROW,
                                                     [GZI_GZ2_STREAM_REST] = GZ_P_STREAM_REST_TIME,
                                                     [GZI_GZ2_RUN_FENCE] = GZ_P_RUN_FENCE,
                                                     [GZI_GZ2_CACHE] = GZ_P_EFFECTIVE_CACHE,
                                                     [GZI_GZ2_NORM] = GZ_P_TERM_NORM,
                                                     [GZI_GZ2_CELL] = GZ_P_CELL_TIME,
                                                     [GZI_GZ2_CHAIN] = GZ_P_CHAIN_TIME,
                                                     [GZI_GZ2_ISSUE] = GZ_P_ISSUE_TIME};
    return quantity[parameter];
}
