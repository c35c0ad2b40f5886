/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unknowns.h"

#include <math.h>

static const struct gzc_kind kinds[] = {
    {GZ_P_STREAM_COPY, 5e-11, .cpu = true, .variant = GZ_VARIANT_STREAM},
    {GZ_P_STREAM_BANDWIDTH, 1e10, .cpu = true, .inverse = true, .variant = GZ_VARIANT_STREAM,
     .from = GZ_P_EFFECTIVE_BANDWIDTH},
    {GZ_P_STREAM_CELL_TIME, 3e-10, .cpu = true, .of_stencil = true, .variant = GZ_VARIANT_STREAM},
    {GZ_P_STREAM_REST_TIME, 5e-10, .cpu = true, .of_stencil = true, .variant = GZ_VARIANT_STREAM,
     .like = GZ_P_STREAM_CELL_TIME},
    {GZ_P_STREAM_ROW, 5e-9, .cpu = true, .variant = GZ_VARIANT_STREAM},
    {GZ_P_NAIVE_BANDWIDTH, 1e10, .cpu = true, .inverse = true, .variant = GZ_VARIANT_NAIVE,
     .from = GZ_P_EFFECTIVE_BANDWIDTH},
    {GZ_P_NAIVE_CELL_TIME, 1e-9, .cpu = true, .of_stencil = true, .variant = GZ_VARIANT_NAIVE},
    {GZ_P_NAIVE_ROW, 5e-9, .cpu = true, .variant = GZ_VARIANT_NAIVE},
    {GZ_P_STAGE_LAUNCH, 5e-6, .cpu = true, .gpu = true, .one_mode = true, .mode = GZ_SYNC_RESTART,
     .cycles = GZ_P_LAUNCH_OVERHEAD},
    {GZ_P_STAGE_GRAPH, 2e-6, .cpu = true, .gpu = true, .one_mode = true, .mode = GZ_SYNC_GRAPH,
     .cycles = GZ_P_GRAPH_OVERHEAD},
    {GZ_P_STAGE_FENCE, 1e-7, .cpu = true, .gpu = true, .one_mode = true, .mode = GZ_SYNC_FENCE},
    {GZ_P_RUN_LAUNCH, 2e-5, .cpu = true, .gpu = true},
    {GZ_P_RUN_FENCE, 5e-6, .cpu = true, .gpu = true, .one_mode = true, .mode = GZ_SYNC_FENCE},
    {GZ_P_COPY_CELL, 3e-10, .cpu = true},
    {GZ_P_COPY_ROW, 1e-8, .cpu = true},
    {GZ_P_COPY_EDGE, 3e-10, .cpu = true},
    {GZ_P_CORE_EXCHANGE, 2e-11, .cpu = true, .one_mode = true, .mode = GZ_SYNC_RESTART},
    {GZ_P_LOAD_LATENCY, 5e-7, .gpu = true},
    {GZ_P_LINE_STORE, 1e-9, .gpu = true},
    {GZ_P_EFFECTIVE_BANDWIDTH, 1e10, .cpu = true, .gpu = true, .inverse = true,
     .from = GZ_P_MEM_BANDWIDTH},
    {GZ_P_AHEAD_BANDWIDTH, 1e10, .cpu = true, .inverse = true, .from = GZ_P_EFFECTIVE_BANDWIDTH},
    {GZ_P_CELL_TIME, 5e-10, .cpu = true, .of_stencil = true},
    {GZ_P_REST_TIME, 5e-10, .cpu = true, .of_stencil = true, .like = GZ_P_CELL_TIME},
    {GZ_P_CHAIN_TIME, 1e-7, .gpu = true, .of_stencil = true},
    {GZ_P_ISSUE_TIME, 1e-8, .gpu = true, .of_stencil = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Deviations of the priors over their starts: orders of magnitude, but as much as its value of what
 * a benchmark measured; and the least of the bandwidth's time, since a bandwidth is not infinite.
 *
 * A benchmark's copy of a row has been off by a factor of four from what the runs say. On the kept
 * tables a width of 1 errs by 9.7 and 16.6 % in the median, 40 and 48 % at the 95th percentile, as
 * without any prior (9.5 and 15.3 %; 41 and 47 %), if the benchmark is of that day or of another;
 * 0.5 gains 2 % at that percentile from the first, and loses 9 from the second; 0.2 loses 31. */
static const double weak = 10, measured_prior = 1, least_share = 0.05;

static bool was_run(const struct gzc_fit *fit, const struct gzc_kind *kind, int app)
{
    for (int i = 0; i < fit->run_count; i++) {
        const gz_config *cfg = &fit->runs[i].cfg;
        if (cfg->variant == kind->variant && (!kind->one_mode || cfg->sync == kind->mode) &&
            (app < 0 || fit->runs[i].app == app))
            return true;
    }
    return false;
}

static gz_quantity *quantity_of(struct gzc_fit *fit, int param, int app)
{
    return gz_param_quantity(&fit->dev, app < 0 ? NULL : &fit->apps[app], param);
}

/* The value of a device's quantity, if it is stated; else 0. */
static double stated(const gz_device *dev, int param)
{
    double value = param == 0 ? 0 : gz_param_value(dev, NULL, NULL, param);
    return value > 0 ? value : 0;
}

/* What was measured of a quantity, itself or as what it takes after; 0 if nothing was. */
static double measured(const gz_device *dev, const struct gzc_kind *kind)
{
    double value = kind->of_stencil ? 0 : stated(dev, kind->param);
    if (value > 0 || kind->from == 0)
        return value;
    double other = stated(dev, kind->from);
    return (other > 0 ? other : stated(dev, GZ_P_MEM_BANDWIDTH));
}

/* Where a quantity's fit starts. */
static double start_of(const gz_device *dev, const struct gzc_kind *kind)
{
    double value = measured(dev, kind);
    if (!(value > 0))
        value = stated(dev, kind->cycles) / dev->clock_rate.value;
    return value > 0 ? value : kind->start;
}

static void add_unknown(struct gzc_fit *fit, const struct gzc_kind *kind, int app,
                        struct gzc_unknowns *all)
{
    double start = start_of(&all->before, kind);
    if (fit->unknown_count == GZC_UNKNOWNS)
        return;
    all->kind[fit->unknown_count] = kind;
    all->unknown[fit->unknown_count++] =
        (struct gzc_unknown){.param = kind->param,
                             .app = app,
                             .inverse = kind->inverse,
                             .start = start,
                             .prior = measured(&all->before, kind) > 0 ? measured_prior : weak,
                             .least = kind->inverse ? least_share : 0,
                             .like = kind->like ? kind->like : -1};
    *quantity_of(fit, kind->param, app) = (gz_quantity){start, 0, GZ_ORIGIN_FITTED};
}

void gzc_unknowns_drop(struct gzc_fit *fit, struct gzc_unknowns *all, int which)
{
    const struct gzc_unknown *u = &all->unknown[which];
    *quantity_of(fit, u->param, u->app) =
        u->app < 0 ? *gz_param_quantity(&all->before, NULL, u->param) : (gz_quantity){0};
    fit->unknown_count--;
    for (int k = which; k < fit->unknown_count; k++) {
        all->unknown[k] = all->unknown[k + 1];
        all->kind[k] = all->kind[k + 1];
    }
}

/* Drops the runs that the model is not defined for, and the unknowns that no run depends on: of a
 * single core, what bytes from other cores take. */
static void keep_what_counts(struct gzc_fit *fit, struct gzc_unknowns *all)
{
    bool counts[GZC_UNKNOWNS] = {false};
    int kept = 0;
    gz_gradient gradient;
    for (int i = 0; i < fit->run_count; i++) {
        if (isnan(gzc_fit_predict(fit, &fit->runs[i], &gradient)))
            continue;
        for (int j = 0; j < fit->unknown_count; j++) {
            const struct gzc_unknown *u = &all->unknown[j];
            counts[j] = counts[j] || ((u->app < 0 || u->app == fit->runs[i].app) &&
                                      gradient.dcpl_dp[u->param] != 0);
        }
        fit->runs[kept++] = fit->runs[i];
    }
    fit->run_count = kept;
    for (int j = fit->unknown_count - 1; j >= 0; j--)
        if (!counts[j])
            gzc_unknowns_drop(fit, all, j);
}

void gzc_unknowns_make(struct gzc_fit *fit, bool is_cpu, struct gzc_unknowns *all)
{
    fit->unknowns = all->unknown;
    fit->unknown_count = 0;
    all->before = fit->dev;
    for (size_t k = 0; k < KINDS; k++)
        for (int a = 0; a < (kinds[k].of_stencil ? fit->app_count : 1); a++) {
            int app = kinds[k].of_stencil ? a : -1;
            if ((is_cpu ? kinds[k].cpu : kinds[k].gpu) && was_run(fit, &kinds[k], app))
                add_unknown(fit, &kinds[k], app, all);
        }
    keep_what_counts(fit, all);
}

void gzc_unknowns_forget(gz_device *dev, gz_app *apps, int app_count)
{
    for (size_t k = 0; k < KINDS; k++)
        for (int a = 0; a < (kinds[k].of_stencil ? app_count : 1); a++) {
            gz_quantity *q =
                gz_param_quantity(dev, kinds[k].of_stencil ? &apps[a] : NULL, kinds[k].param);
            if (q->origin == GZ_ORIGIN_FITTED)
                *q = (gz_quantity){0, 0, GZ_ORIGIN_NONE};
        }
}
