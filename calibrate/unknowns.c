/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unknowns.h"

#include <math.h>

/* Deviations of the priors over their starts: orders of magnitude, but as much as its value of what
 * a benchmark measured; and the least of the bandwidth's time, since a bandwidth is not infinite.
 *
 * No benchmark copies tiles: one was off by a factor of four from what the runs say of a row, and
 * on the kept tables fits about it erred by 9.7 and 16.6 % in the median, 40 and 48 % at the 95th
 * percentile, without it by 9.5 and 15.3 %, 41 and 47 %. */
static const double weak = 10, measured_prior = 1, least_share = 0.05;

/* Whether a parameter is an application's. */
static bool is_of_stencil(int param)
{
    gz_app app;
    return gz_param_quantity(NULL, &app, param) != NULL;
}

static bool was_run(const struct gzc_fit *fit, const gz_param_fit *how, int app)
{
    for (int i = 0; i < fit->run_count; i++) {
        const gz_config *cfg = &fit->runs[i].cfg;
        if (cfg->variant == how->variant && (!how->syncs || how->syncs & 1u << cfg->sync) &&
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
    double value = gz_param_value(dev, NULL, NULL, param);
    return value > 0 ? value : 0;
}

int gzc_unknowns_source(const gz_device *dev, int param)
{
    const gz_param_fit *how = &gz_param_about(param)->fit;
    if (stated(dev, param) > 0)
        return param;
    if (how->after > 0 && stated(dev, how->after) > 0)
        return how->after;
    return how->inverse && stated(dev, GZ_P_MEM_BANDWIDTH) > 0 ? GZ_P_MEM_BANDWIDTH : -1;
}

/* Whether what a quantity starts from is in its unit; else it is in cycles. */
static bool same_unit(int param, int source)
{
    return source == param || gz_param_about(param)->fit.inverse;
}

/* Where a quantity's fit starts. */
static double start_of(const gz_device *dev, int param)
{
    int source = gzc_unknowns_source(dev, param);
    if (source < 0)
        return gz_param_about(param)->fit.start;
    return stated(dev, source) / (same_unit(param, source) ? 1 : dev->clock_rate.value);
}

/* The width of its prior over that. */
static double prior_of(const gz_device *dev, int param)
{
    int source = gzc_unknowns_source(dev, param);
    return source >= 0 && same_unit(param, source) ? measured_prior : weak;
}

static void add_unknown(struct gzc_fit *fit, int param, int app)
{
    const gz_param_fit *how = &gz_param_about(param)->fit;
    if (fit->unknown_count == GZC_UNKNOWNS)
        return;
    fit->unknown[fit->unknown_count++] =
        (struct gzc_unknown){.param = param,
                             .app = app,
                             .inverse = how->inverse,
                             .start = start_of(&fit->before, param),
                             .prior = prior_of(&fit->before, param),
                             .least = how->inverse ? least_share : 0,
                             .like = how->like ? how->like : -1};
    *quantity_of(fit, param, app) =
        (gz_quantity){start_of(&fit->before, param), 0, GZ_ORIGIN_FITTED};
}

void gzc_unknowns_drop(struct gzc_fit *fit, int which)
{
    const struct gzc_unknown *u = &fit->unknown[which];
    *quantity_of(fit, u->param, u->app) =
        u->app < 0 ? *gz_param_quantity(&fit->before, NULL, u->param) : (gz_quantity){0};
    fit->unknown_count--;
    for (int k = which; k < fit->unknown_count; k++)
        fit->unknown[k] = fit->unknown[k + 1];
}

/* Drops the runs that the model is not defined for, and the unknowns that no run depends on: of a
 * single core, what bytes from other cores take. */
static void keep_what_counts(struct gzc_fit *fit)
{
    bool counts[GZC_UNKNOWNS] = {false};
    int kept = 0;
    gz_gradient gradient;
    for (int i = 0; i < fit->run_count; i++) {
        if (isnan(gzc_fit_predict(fit, &fit->runs[i], &gradient)))
            continue;
        for (int j = 0; j < fit->unknown_count; j++) {
            const struct gzc_unknown *u = &fit->unknown[j];
            counts[j] = counts[j] || ((u->app < 0 || u->app == fit->runs[i].app) &&
                                      gradient.dcpl_dp[u->param] != 0);
        }
        fit->runs[kept++] = fit->runs[i];
    }
    fit->run_count = kept;
    for (int j = fit->unknown_count - 1; j >= 0; j--)
        if (!counts[j])
            gzc_unknowns_drop(fit, j);
}

void gzc_unknowns_make(struct gzc_fit *fit, bool is_cpu)
{
    fit->unknown_count = 0;
    fit->before = fit->dev;
    for (int param = 0; param < gz_param_count(); param++) {
        const gz_param_fit *how = &gz_param_about(param)->fit;
        bool of_stencil = is_of_stencil(param);
        for (int a = 0; a < (of_stencil ? fit->app_count : 1); a++) {
            int app = of_stencil ? a : -1;
            if (how->start > 0 && how->devices & (is_cpu ? 1 : 2) && was_run(fit, how, app))
                add_unknown(fit, param, app);
        }
    }
    keep_what_counts(fit);
}
