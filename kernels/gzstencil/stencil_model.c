/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_model.h"

#include "data.h"
#include "defaults.h"
#include "modelled.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One stage of a configuration of the kernels as gz2 has it, whatever the device's
 * limit on threads; false if it has no such variant. */
static bool to_model(const struct gzk_config *config, gz_config *cfg)
{
    if (!gzk_to_model(config, GZ_MODEL_GZ2, cfg))
        return false;
    cfg->beyond = 1;
    cfg->loops = config->height;
    return true;
}

static void set_cell_time(gz_app *app, gz_variant variant, double seconds)
{
    static const char *const names[] = {[GZ_VARIANT_TRAPEZOID] = "cell_time",
                                        [GZ_VARIANT_STREAM] = "stream_cell_time",
                                        [GZ_VARIANT_NAIVE] = "naive_cell_time"};
    gz_app_set(app, names[variant], seconds);
}

/* Whether gz2 describes `config`, with a time of an element unless that is 0. */
static bool describes(const gz_device *model, const struct gzk_config *config, double cell_time)
{
    gz_config cfg;
    gz_app app;

    if (!to_model(config, &cfg))
        return false;
    gzk_describe_uncounted(config->stencil, config->stencil->operations, &app);
    if (cell_time > 0)
        set_cell_time(&app, cfg.variant, cell_time);
    return gz_check(model, &app, &cfg, NULL) == GZ_OK;
}

bool gzk_model_takes_profile(const gz_device *model, const struct gzk_device *device,
                             const struct gzk_config *config)
{
    const double any = 1e-9;
    return device->info.is_cpu && describes(model, config, any);
}

bool gzk_model_needs_profile(const gz_device *model, const struct gzk_device *device,
                             const struct gzk_config *config)
{
    return gzk_model_takes_profile(model, device, config) && !describes(model, config, 0);
}

/* A run whose time the model must meet. */
struct timed {
    const gz_device *model;
    gz_app app;
    gz_config cfg;
    int height;
    double seconds;
};

/* By how much the prediction exceeds the time that was measured, for the logarithm of the time of
 * an element; NaN if there is none. */
static double excess(double log_time, void *of)
{
    struct timed *timed = of;
    gz_prediction out;

    set_cell_time(&timed->app, timed->cfg.variant, exp(log_time));
    if (gz_predict(timed->model, &timed->app, &timed->cfg, timed->height, &out, NULL) != GZ_OK)
        return (double)NAN;
    return log(out.seconds_per_loop / timed->seconds);
}

double gzk_model_cell_time(const gz_device *model, const struct gzk_config *config, double seconds)
{
    enum { MOST_STEPS = 100 };
    const double least = log(1e-13), most = log(1e-5), width = 1e-6;
    struct timed timed = {.model = model, .height = config->height, .seconds = seconds};
    gsl_function function = {excess, &timed};

    if (!to_model(config, &timed.cfg))
        return 0;
    gzk_describe_uncounted(config->stencil, config->stencil->operations, &timed.app);
    /* The solver ends the process if there is no root between its ends. */
    double low = excess(least, &timed), high = excess(most, &timed);
    if (!isfinite(low) || !(high > 0))
        return 0;
    if (low >= 0)
        return exp(least);
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return 0;
    gsl_root_fsolver_set(solver, &function, least, most);
    for (int i = 0; i < MOST_STEPS; i++)
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS ||
            gsl_root_fsolver_x_upper(solver) - gsl_root_fsolver_x_lower(solver) < width)
            break;
    double found = exp(gsl_root_fsolver_root(solver));
    gsl_root_fsolver_free(solver);
    return found;
}

/* Says which model predicted a configuration, and why. */
static void say_model(const gz_device *model, const gz_app *app, gz_config cfg, gz_error *text)
{
    gz_error why;
    const char *name = gz_name(GZ_MODELS, cfg.model);
    cfg.model = GZ_MODEL_AUTO;
    gz_model_for(model, app, &cfg, &why);
    snprintf(text->text, sizeof text->text, "model %s: %.480s", name, why.text);
}

/* The tiles to choose from: any of the grid that the device has room for. */
static gz_tune_request request_of(const struct gzk_config *config, const struct gzk_device *device)
{
    gz_tune_request request = {.syncs = 1U << GZ_SYNC_RESTART,
                               .loops = (double)config->loops,
                               .limits = {.shared_bytes = (double)device->info.local_bytes,
                                          .arrays_held = gzk_arrays_held(config->stencil),
                                          .height_max = (double)config->loops}};
    for (int i = 0; i < config->stencil->dimensions; i++)
        request.data_length[i] = config->size[i];
    return request;
}

int gzk_choose_by_model(const gz_device *model, const struct gzk_device *device,
                        const struct gzk_profile *profile, struct gzk_config *config,
                        double *predicted_s, gz_error *reason)
{
    enum { CANDIDATES = 32 };
    gz_candidate best[CANDIDATES];
    const gz_device own = gzk_model_of(model, device);
    const gz_tune_request request = request_of(config, device);
    gz_app app;
    size_t found;

    gzk_describe_uncounted(config->stencil, config->stencil->operations, &app);
    for (int v = 0; v < 3 && profile; v++)
        if (profile->cell_time[v] > 0)
            set_cell_time(&app, (gz_variant)v, profile->cell_time[v]);
    if (gzk_search_tiles(&own, &app, &request, config, best, CANDIDATES, &found, reason) != GZ_OK)
        return -1;
    for (size_t i = 0; i < found; i++) {
        struct gzk_config tried = *config;
        if (gzk_from_model(&best[i], device, &tried)) {
            *config = tried;
            *predicted_s = best[i].seconds_per_loop;
            say_model(&own, &app, best[i].config, reason);
            return 0;
        }
    }
    snprintf(reason->text, sizeof reason->text,
             "the device cannot run any of the model's candidates");
    return -1;
}

bool gzs_ways_new(const struct gzk_device *device, const struct gzk_config *config,
                  struct gzk_ways *ways)
{
    /* Each costs a kernel to compile: fewer than gzrun tries, for a gain that is worth it. */
    enum { CANDIDATES = 400, MOST = 8 };
    const gz_tuner_request few = {.gain = 0.01, .most = MOST, .once = 1};
    const gz_tune_request request = request_of(config, device);
    gz_device own;
    gz_app app;
    size_t found = 0, kept = 0;

    *ways = (struct gzk_ways){.candidates = calloc(CANDIDATES, sizeof *ways->candidates)};
    gzk_describe_uncounted(config->stencil, config->stencil->operations, &app);
    if (!ways->candidates || !gzk_generic_device(&device->info, device->info.is_cpu, &own) ||
        gz_ideas(&own, &app, &request, ways->candidates, CANDIDATES, &found, NULL, NULL) != GZ_OK)
        found = 0;
    for (size_t k = 0; k < found; k++) {
        struct gzk_config runs = *config;
        if (gzk_from_model(&ways->candidates[k], device, &runs))
            ways->candidates[kept++] = ways->candidates[k];
    }
    if (kept > 0 &&
        gz_tuner_new(&own, &app, ways->candidates, kept, &few, &ways->tuner, NULL) == GZ_OK)
        return true;
    gzs_ways_free(ways);
    return false;
}

void gzs_ways_free(struct gzk_ways *ways)
{
    gz_tuner_free(ways->tuner);
    free(ways->candidates);
    *ways = (struct gzk_ways){0};
}
