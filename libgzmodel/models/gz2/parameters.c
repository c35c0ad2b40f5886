/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parameters.c - the parameters' terms, and the quantities of a device and an application that
 * their values come from.
 */
#include "gz2_contract.h"
#include "gz2_parts.h"
#include "quantities.h"

#include <math.h>

enum per { TIME, ALL, ONE };
enum { CPU = 1, GPU = 2, BOTH = CPU | GPU };

#define ROW(ID, key, symbol, unit, range, on, slot, term, per, ...)                                \
    [GZI_GZ2_##ID] = {GZI_GZ2_##slot, per, on},
static const struct {
    gzi_gz2_term term;
    enum per per;
    int on;
} rows[GZI_GZ2_PARAMETERS] = {GZI_OWN(ROW)};

gzi_gz2_term gzi_gz2_term_of(gzi_gz2_parameter parameter)
{
    return rows[parameter].term;
}

static double stated_or(const gz_quantity *q, double otherwise)
{
    return gzi_stated(q) ? q->value : otherwise;
}

/* A parameter from a quantity: its value, or the seconds of a byte. */
static gzi_gz2_source source_of(int param, enum per per, const gz_quantity *q, double units)
{
    if (!gzi_stated(q))
        return (gzi_gz2_source){-1, 0, -1, 0};
    return per == TIME ? (gzi_gz2_source){param, 0, -1, q->value}
                       : (gzi_gz2_source){param, 1, -1, (per == ALL ? units : 1) / q->value};
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

/* What the time of an element comes from, if the application does not state its own: on CPUs the
 * device's time of an element read, on GPUs its rate and latency of instructions. */
static void computing(gzi_gz2_sources *s, const gz_device *dev, const gz_app *app)
{
    static const struct {
        gzi_gz2_parameter of, from;
    } by_reads[] = {{GZI_GZ2_CELL_TIME, GZI_GZ2_READ_TIME},
                    {GZI_GZ2_STREAM_CELL_TIME, GZI_GZ2_STREAM_READ_TIME},
                    {GZI_GZ2_NAIVE_CELL_TIME, GZI_GZ2_NAIVE_READ_TIME}};
    double words = reads_of(app) * app->element_size.value / 4;
    for (size_t k = 0; k < sizeof by_reads / sizeof *by_reads; k++)
        if (s->of[by_reads[k].of].param < 0 && s->of[by_reads[k].from].param >= 0) {
            s->of[by_reads[k].of] = s->of[by_reads[k].from];
            s->of[by_reads[k].of].value *= words; /* [gz2 38] */
        }
    if (gzi_is_cpu(dev))
        return;
    const gz_quantity *latency = gzi_own(dev, app, GZI_GZ2_INSTRUCTION_LATENCY);
    const gz_quantity *rate = gzi_own(dev, app, GZI_GZ2_ISSUE_RATE);
    if (s->of[GZI_GZ2_CHAIN_TIME].param < 0 && gzi_stated(latency))
        s->of[GZI_GZ2_CHAIN_TIME] =
            (gzi_gz2_source){GZI_P(INSTRUCTION_LATENCY), 0, GZ_P_INSTS_PER_SM_ITER,
                             instructions(dev, app) * latency->value};
    if (s->of[GZI_GZ2_ISSUE_TIME].param < 0 && gzi_stated(rate))
        s->of[GZI_GZ2_ISSUE_TIME] = (gzi_gz2_source){GZI_P(ISSUE_RATE), 1, GZ_P_INSTS_PER_SM_ITER,
                                                     instructions(dev, app) / rate->value};
}

void gzi_gz2_make_sources(const gz_device *dev, const gz_app *app, gzi_gz2_sources *s)
{
    static const struct {
        gzi_gz2_parameter of, from;
    } absent[] = {{GZI_GZ2_RUN_LAUNCH, GZI_GZ2_STAGE_LAUNCH},
                  {GZI_GZ2_AHEAD_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH},
                  {GZI_GZ2_STREAM_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH},
                  {GZI_GZ2_NAIVE_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH}};
    const double units = dev->sm_count.value;
    const gz_quantity none = {0, 0, GZ_ORIGIN_NONE};

    /* A CPU's copies in and out of the caches are in its times. */
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        int is_on = rows[j].on & (gzi_is_cpu(dev) ? CPU : GPU);
        const gz_quantity *q = gzi_own(dev, app, (gzi_gz2_parameter)j);
        s->of[j] = source_of(GZI_P_OWN + j, rows[j].per, is_on ? q : &none, units);
    }
    if (s->of[GZI_GZ2_EFFECTIVE_BANDWIDTH].param < 0)
        s->of[GZI_GZ2_EFFECTIVE_BANDWIDTH] =
            source_of(GZ_P_MEM_BANDWIDTH, ALL, &dev->mem_bandwidth, units);
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        if (s->of[absent[k].of].param < 0)
            s->of[absent[k].of] = s->of[absent[k].from];
    if (s->of[GZI_GZ2_TERM_NORM].param < 0)
        s->of[GZI_GZ2_TERM_NORM].value = 3;
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
                   .sharpness = stated_or(gzi_own(dev, app, GZI_GZ2_CACHE_SHARPNESS),
                                          gzi_is_cpu(dev) ? 4 : 8)},
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
