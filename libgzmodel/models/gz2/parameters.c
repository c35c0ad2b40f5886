/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parameters.c - the quantities of a device and an application that the parameters' values come
 * from.
 */
#include "gz2_contract.h"
#include "gz2_parts.h"
#include "quantities.h"

#include <math.h>

#define ROW(ID, key, symbol, unit, range, on, slot, term, per, ...) [GZI_GZ2_##ID] = GZI_PER_##per,
static const gzi_per per_of[GZI_GZ2_PARAMETERS] = {GZI_OWN(ROW)};

int gzi_gz2_is_for(gzi_gz2_parameter parameter, const gz_device *dev)
{
    unsigned kind = gzi_is_cpu(dev) ? GZI_ON_CPU : GZI_ON_GPU;
    return (gzi_quantities[GZI_P_OWN + (int)parameter].about.fit.devices & kind) != 0;
}

/* A parameter from a quantity: its value, or the seconds of a byte or an instruction. */
static gzi_gz2_source source_of(int param, gzi_per per, const gz_quantity *q, double units)
{
    if (!gzi_stated(q))
        return (gzi_gz2_source){.param = -1};
    double factor = per == GZI_PER_ALL ? units : 1;
    return per == GZI_PER_TIME
               ? (gzi_gz2_source){.param = param, .factor = 1, .value = q->value}
               : (gzi_gz2_source){
                     .param = param, .inverse = 1, .factor = factor, .value = factor / q->value};
}

/* What a GPU's parameters come from, if neither device nor application states them: cycles, usual
 * of today's, another device's quantity in cycles, and warp instructions of a warp for each cell
 * [Meng and Skadron, Eq. 14]. */
static void suppose(gzi_gz2_sources *s, const gz_device *dev, const gz_app *app)
{
    static const struct {
        gzi_gz2_parameter of;
        double cycles;
    } usual[] = {{GZI_GZ2_INSTRUCTION_LATENCY, 4},
                 {GZI_GZ2_BARRIER_LATENCY, 30},
                 {GZI_GZ2_ISSUE_RATE, 1.0 / 4},
                 {GZI_GZ2_SHARED_BANDWIDTH, 1.0 / 128}};
    static const struct {
        gzi_gz2_parameter of;
        int param;
    } counted[] = {{GZI_GZ2_LOAD_INSTS, GZ_P_INSTS_PER_SM_MISC},
                   {GZI_GZ2_COMPUTE_INSTS, GZ_P_INSTS_PER_SM_ITER}};
    enum { PROFILE_WARP = 32 };
    double clock = dev->clock_rate.value, latency = dev->uncontended_latency.value;
    double each = PROFILE_WARP * gzi_stated_or(&app->profile_sm_count, dev->sm_count.value) /
                  app->profile_elements.value;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (s->of[usual[k].of].param < 0)
            s->of[usual[k].of] = (gzi_gz2_source){.param = -1,
                                                  .cycles = 1,
                                                  .factor = usual[k].cycles,
                                                  .value = usual[k].cycles / clock};
    if (s->of[GZI_GZ2_LOAD_LATENCY].param < 0)
        s->of[GZI_GZ2_LOAD_LATENCY] = (gzi_gz2_source){
            .param = GZ_P_UNCONTENDED_LATENCY, .cycles = 1, .factor = 1, .value = latency / clock};
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++)
        if (s->of[counted[k].of].param < 0)
            s->of[counted[k].of] =
                (gzi_gz2_source){.param = counted[k].param,
                                 .factor = each,
                                 .value = each * gz_param_value(NULL, app, NULL, counted[k].param)};
}

/* What the time of an element comes from on a CPU if the application does not state its own: the
 * device's time of an element read. */
static void by_what_it_reads(gzi_gz2_sources *s, const gz_app *app)
{
    static const struct {
        gzi_gz2_parameter of, from;
    } by_reads[] = {{GZI_GZ2_CELL_TIME, GZI_GZ2_READ_TIME},
                    {GZI_GZ2_STREAM_CELL_TIME, GZI_GZ2_STREAM_READ_TIME},
                    {GZI_GZ2_NAIVE_CELL_TIME, GZI_GZ2_NAIVE_READ_TIME}};
    double words = gzi_tile_reads(app) * app->element_size.value / 4;
    for (size_t k = 0; k < sizeof by_reads / sizeof *by_reads; k++)
        if (s->of[by_reads[k].of].param < 0 && s->of[by_reads[k].from].param >= 0) {
            s->of[by_reads[k].of] = s->of[by_reads[k].from];
            s->of[by_reads[k].of].factor *= words;
            s->of[by_reads[k].of].value *= words; /* [gz2 38] */
        }
}

void gzi_gz2_make_sources(const gz_device *dev, const gz_app *app, gzi_gz2_sources *s)
{
    static const struct {
        gzi_gz2_parameter of, from;
    } absent[] = {{GZI_GZ2_RUN_LAUNCH, GZI_GZ2_STAGE_LAUNCH},
                  {GZI_GZ2_AHEAD_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH},
                  {GZI_GZ2_STREAM_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH},
                  {GZI_GZ2_NAIVE_BANDWIDTH, GZI_GZ2_EFFECTIVE_BANDWIDTH},
                  {GZI_GZ2_STREAM_STAGE_INSTS, GZI_GZ2_STAGE_INSTS},
                  {GZI_GZ2_STREAM_LOAD_INSTS, GZI_GZ2_LOAD_INSTS},
                  {GZI_GZ2_STREAM_STEP_INSTS, GZI_GZ2_STEP_INSTS},
                  {GZI_GZ2_STREAM_COMPUTE_INSTS, GZI_GZ2_COMPUTE_INSTS},
                  {GZI_GZ2_NAIVE_STAGE_INSTS, GZI_GZ2_STAGE_INSTS},
                  {GZI_GZ2_NAIVE_COMPUTE_INSTS, GZI_GZ2_COMPUTE_INSTS}};
    const double units = dev->sm_count.value;
    const gz_quantity none = {0, 0, GZ_ORIGIN_NONE};

    /* A CPU's copies in and out of the caches are in its times. */
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_parameter of = (gzi_gz2_parameter)j;
        const gz_quantity *q = gzi_gz2_is_for(of, dev) ? gzi_own(dev, app, of) : &none;
        s->of[j] = source_of(GZI_P_OWN + j, per_of[j], q, units);
    }
    if (s->of[GZI_GZ2_EFFECTIVE_BANDWIDTH].param < 0)
        s->of[GZI_GZ2_EFFECTIVE_BANDWIDTH] =
            source_of(GZ_P_MEM_BANDWIDTH, GZI_PER_ALL, &dev->mem_bandwidth, units);
    if (gzi_is_cpu(dev))
        by_what_it_reads(s, app);
    else
        suppose(s, dev, app);
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        if (s->of[absent[k].of].param < 0)
            s->of[absent[k].of] = s->of[absent[k].from];
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
                                 : gzi_stated_or(&dev->max_blocks_per_sm, dev->blocks_per_sm.value),
                   .threads = gzi_stated_or(&dev->max_threads_per_sm, 0),
                   .registers = gzi_stated_or(&dev->registers_per_sm, 0),
                   .local_unit = gzi_is_cpu(dev) ? 0 : gzi_stated_or(&dev->shared_mem_per_sm, 0),
                   .local_group = gzi_stated_or(&dev->shared_mem_per_block, 0),
                   .local_step = gzi_stated_or(&dev->shared_mem_step, 0),
                   .vector = gzi_is_cpu(dev) ? GZI_GZ2_VECTOR : 0,
                   .sharpness = gzi_stated_or(gzi_own(dev, app, GZI_GZ2_CACHE_SHARPNESS),
                                              gzi_is_cpu(dev) ? 4 : 8)},
        .stencil = gzi_shape_of(app),
        .registers = whole(gzi_stated_or(&app->registers_per_thread, 0)),
    };
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        model->value[j] = s->of[j].value;
}

void gzi_gz2_of_files(const gz_device *dev, const gz_app *app, gzi_gz2 *model)
{
    gzi_gz2_sources s;
    gzi_gz2_make_sources(dev, app, &s);
    gzi_gz2_make_model(dev, app, &s, model);
}
