/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * time.c - from counts to seconds: the shares of traffic, the terms joined, a stage's
 * synchronisation.
 */
#include "gz2_parts.h"

#include <math.h>

#define ROW(ID, key, symbol, unit, range, on, slot, ...) [GZI_GZ2_##ID] = GZI_GZ2_##slot,
static const gzi_gz2_term term_of[GZI_GZ2_PARAMETERS] = {GZI_OWN(ROW)};

gzi_gz2_term gzi_gz2_term_of(gzi_gz2_parameter parameter)
{
    return term_of[parameter];
}

int gzi_gz2_is_core(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    int core = 1;
    for (int i = 0; i < thread_dim(model, config); i++)
        core &= config->threads[i] <= 1;
    return core && model->device.warp == 1;
}

/* u of a group from its terms: a core does one thing after the other; a GPU's units work at the
 * same time. */
static double join(const gzi_gz2 *model, const double term[GZI_GZ2_TERMS])
{
    double squares = 0;
    if (model->device.warp <= 1)
        return term[GZI_GZ2_WORK] + term[GZI_GZ2_MEMORY];
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_MEMORY; s++)
        squares += term[s] * term[s];
    return sqrt(squares); /* [gz2 23] */
}

gzi_gz2_level gzi_gz2_level_make(double bytes, double cache, double sharpness)
{
    gzi_gz2_level level = {1, 0};
    if (!(bytes > 0))
        return (gzi_gz2_level){0, 0};
    if (cache > 0) {
        double ratio = pow(cache / bytes, sharpness);
        level.value = 1 / (1 + ratio); /* [gz2 3] */
        /* da/dC = -m a (1 - a) / C; 1 - a computed without cancellation. */
        double others = isinf(ratio) ? 1 : ratio / (1 + ratio);
        level.by_cache = -(sharpness * level.value * others) / cache;
    }
    return level;
}

double gzi_gz2_between(const gzi_gz2_config *config, double height)
{
    return fmax(0, 1 - height * config->run_share);
}

double gzi_gz2_group_time(const gzi_gz2_stage *st, const double count[GZI_GZ2_PARAMETERS],
                          double resident, double by[GZI_GZ2_TERMS])
{
    const gzi_gz2 *model = st->model;
    double term[GZI_GZ2_TERMS + 1] = {0};
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        if (model->value[j] != 0)
            term[term_of[j]] += model->value[j] * count[j];
    term[GZI_GZ2_SYNC] = 0;
    term[GZI_GZ2_LATENCY] /= resident;
    double u = join(model, term);
    for (int s = 0; !st->alone && s < GZI_GZ2_TERMS; s++)
        by[s] = model->device.warp <= 1 ? 1 : u > 0 ? term[s] / u : 0;
    return u;
}

/* Adds `weight` such groups to the prediction of a stage. */
void gzi_gz2_add_groups(const gzi_gz2_stage *st, const double count[GZI_GZ2_PARAMETERS],
                        double resident, double weight, gzi_gz2_prediction *out)
{
    const gzi_gz2 *model = st->model;
    double by[GZI_GZ2_TERMS];
    out->seconds += weight * gzi_gz2_group_time(st, count, resident, by);
    if (st->alone)
        return;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_term term = term_of[j];
        double part = term == GZI_GZ2_LATENCY ? count[j] / resident : count[j];
        if (term != GZI_GZ2_SYNC && term != GZI_GZ2_TERMS)
            out->slope[j] += weight * by[term] * part;
    }
    out->slope[GZI_GZ2_EFFECTIVE_CACHE] +=
        weight * by[GZI_GZ2_MEMORY] * count[GZI_GZ2_EFFECTIVE_CACHE];
    /* One more instruction of a warp is issued by all of a group's, and lengthens each one's chain.
     */
    double issue = by[GZI_GZ2_WORK] * st->warps * model->value[GZI_GZ2_ISSUE_RATE];
    double chain = by[GZI_GZ2_LATENCY] * model->value[GZI_GZ2_INSTRUCTION_LATENCY] / resident;
    for (int j = GZI_GZ2_STAGE_INSTS; j < GZI_GZ2_FP64_INSTS; j++)
        out->slope[j] += weight * (issue + chain) * count[j];
    out->slope[GZI_GZ2_FP64_INSTS] += weight * by[GZI_GZ2_FP64] * st->warps *
                                      model->value[GZI_GZ2_FP64_RATE] * count[GZI_GZ2_FP64_INSTS];
}

/* What a stage's synchronisation counts. */
void gzi_gz2_count_sync(const gzi_gz2_stage *st, gzi_gz2_prediction *out)
{
    const gzi_gz2 *model = st->model;
    const gzi_gz2_config *config = st->config;
    double groups = fmin(out->tiles, model->device.units * out->resident);
    double between = gzi_gz2_between(config, config->height);
    switch (config->sync) {
    case GZ_SYNC_RESTART:
        out->slope[GZI_GZ2_STAGE_LAUNCH] = between;
        break;
    case GZ_SYNC_GRAPH:
        out->slope[GZI_GZ2_STAGE_GRAPH] = between;
        break;
    case GZ_SYNC_FENCE:
        /* One group waits for nobody. */
        out->slope[GZI_GZ2_STAGE_FENCE] = groups > 1 ? between : 0;
        out->slope[GZI_GZ2_RUN_FENCE] = 1 - between;
        break;
    }
    out->slope[GZI_GZ2_RUN_LAUNCH] = 1 - between;
    for (int j = GZI_GZ2_STAGE_LAUNCH; j <= GZI_GZ2_RUN_FENCE; j++)
        out->seconds += model->value[j] * out->slope[j]; /* [gz2 2] */
}
