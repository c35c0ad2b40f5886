/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * time.c - from counts to seconds: the shares of traffic, the norm of the terms, a stage's
 * synchronisation.
 */
#include "gz2_parts.h"

#include <math.h>

int gzi_gz2_is_core(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    /* A streamed tile walks along the last dimension. */
    int dim = model->stencil.dim - (config->variant == GZI_GZ2_STREAM), core = 1;
    for (int i = 0; i < dim; i++)
        core &= config->threads[i] <= 1;
    return core && model->device.warp == 1;
}

double gzi_gz2_norm_value(const double term[GZI_GZ2_TERMS], double p)
{
    double largest = 0, sum = 0;
    int several = 0;

    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        several += term[s] > 0;
        largest = fmax(largest, term[s]);
    }
    /* The norm of one term is the term, whatever p; so CPUs need no pow. */
    if (several <= 1)
        return largest + term[GZI_GZ2_MEMORY];
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
        if (term[s] > 0)
            sum += pow(term[s] / largest, p);
    return largest * pow(sum, 1 / p) + term[GZI_GZ2_MEMORY]; /* [gz2 23] */
}

void gzi_gz2_norm_make(const double term[GZI_GZ2_TERMS], double p, gzi_gz2_norm *out)
{
    double largest = 0, sum = 0, entropy = 0;
    int several = 0;

    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        several += term[s] > 0;
        largest = fmax(largest, term[s]);
    }
    *out = (gzi_gz2_norm){0};
    out->by[GZI_GZ2_MEMORY] = 1;
    if (several <= 1) {
        for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
            out->by[s] = several == 0 || term[s] > 0 || p <= 1 ? 1 : 0;
        out->value = largest + term[GZI_GZ2_MEMORY];
        return;
    }
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++)
        if (term[s] > 0)
            sum += pow(term[s] / largest, p);
    double norm = largest * pow(sum, 1 / p);
    for (int s = GZI_GZ2_LATENCY; s <= GZI_GZ2_CACHED; s++) {
        double relative = term[s] / norm;
        out->by[s] = relative > 0 ? pow(relative, p - 1) : p <= 1;
        if (relative > 0)
            entropy += relative * out->by[s] * log(relative);
    }
    /* d ln norm / dp = sum_s w_s ln(v_s / norm) / p with w_s = (v_s / norm)^p. */
    out->by_p = norm * entropy / p;
    out->value = norm + term[GZI_GZ2_MEMORY];
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

/* A tile's u(R) alone. */
double gzi_gz2_group_seconds(const gzi_gz2_ready *ready, const double count[GZI_GZ2_PARAMETERS],
                             double resident)
{
    double term[GZI_GZ2_TERMS + 1] = {0};
    for (int k = 0; k < ready->used; k++)
        term[ready->of[k].term] +=
            ready->model.value[ready->of[k].parameter] * count[ready->of[k].parameter];
    term[GZI_GZ2_LATENCY] /= resident;
    return gzi_gz2_norm_value(term, ready->model.value[GZI_GZ2_TERM_NORM]);
}

/* A tile's u(R), its norm's derivatives in `norm`. */
double gzi_gz2_group_time(const gzi_gz2 *model, const double count[GZI_GZ2_PARAMETERS],
                          double resident, gzi_gz2_norm *norm)
{
    double term[GZI_GZ2_TERMS + 1] = {0};
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        term[gzi_gz2_term_of((gzi_gz2_parameter)j)] += model->value[j] * count[j];
    term[GZI_GZ2_SYNC] = 0;
    term[GZI_GZ2_LATENCY] /= resident;
    gzi_gz2_norm_make(term, model->value[GZI_GZ2_TERM_NORM], norm);
    return norm->value;
}

/* Adds `weight` such groups to the prediction of a stage. */
void gzi_gz2_add_groups(const gzi_gz2 *model, const double count[GZI_GZ2_PARAMETERS],
                        double resident, double weight, gzi_gz2_prediction *out)
{
    gzi_gz2_norm norm;
    out->seconds += weight * gzi_gz2_group_time(model, count, resident, &norm);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_term term = gzi_gz2_term_of((gzi_gz2_parameter)j);
        double part = term == GZI_GZ2_LATENCY ? count[j] / resident : count[j];
        if (term != GZI_GZ2_SYNC && term != GZI_GZ2_TERMS)
            out->slope[j] += weight * norm.by[term] * part;
    }
    out->slope[GZI_GZ2_EFFECTIVE_CACHE] += weight * count[GZI_GZ2_EFFECTIVE_CACHE];
    out->slope[GZI_GZ2_TERM_NORM] += weight * norm.by_p;
}

/* What a stage's synchronisation counts. */
void gzi_gz2_count_sync(const gzi_gz2 *model, const gzi_gz2_config *config, gzi_gz2_prediction *out)
{
    double groups = fmin(out->tiles, model->device.units * out->resident);
    double between = gzi_gz2_between(config, config->height);
    switch (config->mode) {
    case GZI_GZ2_RESTARTS:
        out->slope[GZI_GZ2_STAGE_LAUNCH] = between;
        break;
    case GZI_GZ2_GRAPHS:
        out->slope[GZI_GZ2_STAGE_GRAPH] = between;
        break;
    case GZI_GZ2_FENCES:
        /* One group waits for nobody. */
        out->slope[GZI_GZ2_STAGE_FENCE] = groups > 1 ? between : 0;
        out->slope[GZI_GZ2_RUN_FENCE] = 1 - between;
        break;
    }
    out->slope[GZI_GZ2_RUN_LAUNCH] = 1 - between;
    for (int j = GZI_GZ2_STAGE_LAUNCH; j <= GZI_GZ2_RUN_FENCE; j++)
        out->seconds += model->value[j] * out->slope[j]; /* [gz2 2] */
}
