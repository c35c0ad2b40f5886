/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "factors.h"

#include "modelled.h"
#include "output.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Their quantities, and the ranges that they have a meaning in. Below the least sigma the memory
 * has no part in any time. */
static const struct {
    int param;
    double paper, least, low, high;
} factors[GZC_FACTORS] = {[GZC_SIGMA] = {GZ_P_DIMENSION_PENALTY, 5, 0.01, 1, HUGE_VAL},
                          [GZC_MU] = {GZ_P_FENCE_EXPOSURE, 0.5, 0, 0, 1},
                          [GZC_BETA] = {GZ_P_LATENCY_HIDING, 0.5, 0, 0, 1}};

/* A fit of some of the factors. */
struct work {
    struct gzc_fit fit;
    enum gzc_factor factor[GZC_FACTORS]; /* whose these are */
    struct gzc_fit_run *runs;
};

static void add_unknown(struct work *w, enum gzc_factor factor)
{
    double value = gz_param_value(&w->fit.dev, NULL, NULL, factors[factor].param);
    double start = value > 0 ? value : factors[factor].paper;
    w->factor[w->fit.unknown_count] = factor;
    w->fit.unknown[w->fit.unknown_count++] =
        (struct gzc_unknown){.param = factors[factor].param,
                             .app = -1,
                             .like = -1,
                             .start = start,
                             .prior = 1e6,
                             .least = factors[factor].least / start};
}

/* Whether a run depends on a factor. */
static bool depends(const struct work *w, const struct gzc_fit_run *run, enum gzc_factor factor)
{
    return factor == GZC_SIGMA ? w->fit.apps[run->app].dim > 1
           : factor == GZC_MU  ? run->cfg.sync == GZ_SYNC_FENCE
                               : true;
}

static bool any_depends(const struct work *w, enum gzc_factor factor)
{
    for (int i = 0; i < w->fit.run_count; i++)
        if (depends(w, &w->runs[i], factor))
            return true;
    return false;
}

/* The deviations, at least those of fits that leave out one stencil at a time. */
static void jackknife(const struct work *w, struct gzc_estimate *found)
{
    enum { LEAST = 3 };
    double value[GZC_FACTORS][GZC_MAX_APPS];
    int groups[GZC_FACTORS] = {0};
    bool *use = cli_room((size_t)w->fit.run_count, sizeof *use);
    for (int a = 0; a < w->fit.app_count; a++) {
        struct work less = *w;
        int kept = 0;
        const struct gzc_fit_run *one = NULL;
        for (int i = 0; i < w->fit.run_count; i++) {
            use[i] = w->runs[i].app != a;
            kept += use[i];
            one = use[i] ? one : &w->runs[i];
        }
        if (!one || kept <= w->fit.unknown_count || !gzc_fit_solve(&less.fit, use))
            continue;
        for (int f = 0; f < w->fit.unknown_count; f++)
            if (depends(w, one, w->factor[f]))
                value[f][groups[f]++] = less.fit.unknown[f].value;
    }
    free(use);
    for (int f = 0; f < w->fit.unknown_count; f++) {
        double mean = 0, square = 0;
        int g = groups[f];
        for (int k = 0; k < g; k++)
            mean += value[f][k] / g;
        for (int k = 0; k < g; k++)
            square += (value[f][k] - mean) * (value[f][k] - mean);
        if (g >= LEAST)
            found[f].sd = fmax(found[f].sd, gsl_cdf_tdist_Pinv(0.975, g - 1) / GZC_Z95 *
                                                sqrt(square * (g - 1) / g));
    }
}

/* Takes an unknown out of the fit, its quantity at `value`. */
static void fix(struct work *w, int f, double value)
{
    gz_param_quantity(&w->fit.dev, NULL, w->fit.unknown[f].param)->value = value;
    for (int k = f; k + 1 < w->fit.unknown_count; k++) {
        w->fit.unknown[k] = w->fit.unknown[k + 1];
        w->factor[k] = w->factor[k + 1];
    }
    w->fit.unknown_count--;
}

/* Fits the unknowns; one that leaves its range is put to the end of it, and the others are fitted
 * once more. */
static bool fit_within(struct work *w, struct gzc_fitted *fitted)
{
    bool solved = false, again = true;
    while (again && w->fit.unknown_count > 0 && w->fit.run_count > w->fit.unknown_count &&
           gzc_fit_solve(&w->fit, NULL)) {
        struct gzc_estimate found[GZC_FACTORS];
        for (int f = 0; f < w->fit.unknown_count; f++)
            found[f] =
                (struct gzc_estimate){.value = w->fit.unknown[f].value, .sd = w->fit.unknown[f].sd};
        jackknife(w, found);
        again = false;
        solved = true;
        fitted->misfit = sqrt(w->fit.cost / w->fit.run_count);
        for (int f = w->fit.unknown_count - 1; f >= 0; f--) {
            enum gzc_factor factor = w->factor[f];
            double inside = fmin(fmax(found[f].value, factors[factor].low), factors[factor].high);
            bool at_end = found[f].value != inside;
            if (factor == GZC_SIGMA)
                fitted->free_sigma = found[f].value;
            /* The slopes at an end of its range do not give a share's deviation. */
            if (factor != GZC_SIGMA && (at_end || w->fit.unknown[f].at_bound))
                found[f].sd = 0;
            fitted->factor[factor] = (struct gzc_estimate){.value = inside, .sd = found[f].sd};
            if (at_end)
                fix(w, f, inside);
            again = again || at_end;
        }
    }
    return solved;
}

static void set_tau(struct work *w, gz_tau tau)
{
    for (int i = 0; i < w->fit.run_count; i++)
        w->runs[i].cfg.tau = tau;
}

bool gzc_factors_solve(const gz_device *dev, gz_app *apps, int app_count,
                       const struct gzc_fit_run *runs, int n, struct gzc_fitted *fitted)
{
    struct work *w = cli_room(1, sizeof *w);
    *fitted = (struct gzc_fitted){.free_sigma = (double)NAN, .misfit = (double)NAN};
    for (int f = 0; f < GZC_FACTORS; f++)
        fitted->factor[f] = (struct gzc_estimate){.value = (double)NAN};
    w->runs = cli_room((size_t)n, sizeof *runs);
    memcpy(w->runs, runs, (size_t)n * sizeof *runs);
    w->fit = (struct gzc_fit){.dev = *dev,
                              .apps = apps,
                              .app_count = app_count,
                              .by_logarithms = true,
                              .runs = w->runs,
                              .run_count = n};
    set_tau(w, GZ_TAU_PRINTED);
    if (any_depends(w, GZC_SIGMA))
        add_unknown(w, GZC_SIGMA);
    if (any_depends(w, GZC_MU))
        add_unknown(w, GZC_MU);
    bool solved = fit_within(w, fitted);
    double misfit = fitted->misfit;
    set_tau(w, GZ_TAU_SCALED);
    w->fit.unknown_count = 0;
    add_unknown(w, GZC_BETA);
    bool scaled = fit_within(w, fitted);
    fitted->misfit = misfit;
    free(w->runs);
    free(w);
    return solved || scaled;
}

/* --------------------------------------------------------------------------------------- runs */

/* Grids on which launches, which have a quantity of their own, do not take most of the time. */
static bool is_long(const struct gzk_config *config)
{
    static const double least_cells = 1 << 17;
    return (double)config->size[0] * config->size[1] * config->size[2] >= least_cells;
}

int gzc_factors_runs(const struct gzc_runs *runs, struct gzc_fit_run *out)
{
    int n = 0;
    for (int i = 0; i < runs->n; i++) {
        const struct gzk_config *config = &runs->config[i];
        struct gzc_fit_run made = {.app = runs->app[i],
                                   .group = runs->app[i],
                                   .height = config->height,
                                   .seconds = gzc_runs_time(runs, i)};
        if (config->variant != GZK_TRAPEZOID || !(made.seconds > 0) || !is_long(config) ||
            !gzk_to_model(config, GZ_MODEL_MENG2011, &made.cfg))
            continue;
        made.cfg.beyond = 1;
        out[n++] = made;
    }
    return n;
}

void gzc_factors_fit(const struct gzc_runs *runs, const struct gzc_request *request,
                     struct gzc_calibration *result)
{
    struct gzc_fitted fitted;
    gz_device dev;
    char free_sigma[60] = "";
    const char *const at_end = ", at the end of its range";
    gz_app *apps = cli_room((size_t)result->app_count, sizeof *apps);
    struct gzc_fit_run *made = cli_room((size_t)runs->n, sizeof *made);
    gzc_device_of(&result->device, &dev, NULL);
    for (int a = 0; a < result->app_count; a++)
        gzc_app_of(&result->apps[a], &apps[a], NULL);
    int n = gzc_factors_runs(runs, made);
    bool solved = gzc_factors_solve(&dev, apps, result->app_count, made, n, &fitted);
    free(apps);
    free(made);
    if (!solved) {
        request->warn("--fit: the runs determine none of the factors; the paper's are kept");
        return;
    }
    if (fitted.free_sigma < 1)
        snprintf(free_sigma, sizeof free_sigma, ", at its bound (%.2g without)", fitted.free_sigma);
    for (int f = 0; f < GZC_FACTORS; f++)
        if (isfinite(fitted.factor[f].value))
            result->device.entries[factors[f].param] = gzc_entry_of(
                fitted.factor[f].value, fitted.factor[f].sd, GZ_ORIGIN_FITTED,
                "%d runs of %d stencils%s; predictions are off by a factor of %.3g (rms)", n,
                result->app_count,
                f == GZC_BETA                                                ? ", with --tau scaled"
                : f == GZC_SIGMA                                             ? free_sigma
                : fitted.factor[f].value == 0 || fitted.factor[f].value == 1 ? at_end
                                                                             : "",
                exp(fitted.misfit));
}
