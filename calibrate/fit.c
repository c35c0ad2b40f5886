/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit.h"

#include "bench.h"
#include "registry.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The factors as free variables: a positive one by its logarithm, a share by its logit, so that no
 * step leaves the range. */
static double to_free(enum gzc_factor factor, double value)
{
    if (factor == GZC_SIGMA)
        return log(value);
    double inside = fmin(fmax(value, 0.01), 0.99);
    return log(inside / (1 - inside));
}

static double from_free(enum gzc_factor factor, double u)
{
    return factor == GZC_SIGMA ? exp(u) : 1 / (1 + exp(-u));
}

static gz_quantity *quantity_of(gz_device *dev, enum gzc_factor factor)
{
    if (factor == GZC_SIGMA)
        return &dev->dimension_penalty;
    return factor == GZC_MU ? &dev->fence_exposure : &dev->latency_hiding;
}

struct problem {
    gz_device dev;
    gz_tau tau;
    int factor_count;
    enum gzc_factor factors[GZC_FACTORS];
    const struct gzc_observation *observations;
};

static int residuals(const gsl_vector *u, void *argument, gsl_vector *out)
{
    struct problem *problem = argument;
    for (int k = 0; k < problem->factor_count; k++)
        quantity_of(&problem->dev, problem->factors[k])->value =
            from_free(problem->factors[k], gsl_vector_get(u, (size_t)k));
    for (size_t i = 0; i < out->size; i++) {
        const struct gzc_observation *o = &problem->observations[i];
        gz_config cfg = o->cfg;
        gz_prediction prediction;
        cfg.tau = problem->tau;
        if (gz_predict(&problem->dev, o->app, &cfg, o->height, &prediction, NULL) != GZ_OK)
            return GSL_EDOM;
        gsl_vector_set(out, i, log(prediction.seconds_per_loop / o->seconds_per_loop));
    }
    return GSL_SUCCESS;
}

/* What a finished fit found: the free variables, their deviations by its covariance, and the root
 * mean square that remains. */
struct solution {
    double u[GZC_FACTORS], sd[GZC_FACTORS]; /* in the order of problem.factors */
    double misfit;
};

/* How far the free variables go. Beyond, the memory or the fence has no part in any time, or
 * nothing else has, and how far beyond means nothing. */
static const double least_u = -4.6; /* sigma 0.01, a share of 0.01 */

static bool take(const struct problem *problem, gsl_multifit_nlinear_workspace *work, int n,
                 struct solution *solution)
{
    int p = problem->factor_count, freedom = n - p;
    double square = 0, store[GZC_FACTORS * GZC_FACTORS];
    gsl_matrix_view covariance = gsl_matrix_view_array(store, (size_t)p, (size_t)p);
    gsl_blas_ddot(gsl_multifit_nlinear_residual(work), gsl_multifit_nlinear_residual(work),
                  &square);
    gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, &covariance.matrix);
    double scale = gsl_cdf_tdist_Pinv(0.975, freedom) / GZC_Z95 * sqrt(square / freedom);
    bool finite = true;
    for (int k = 0; k < p; k++) {
        solution->u[k] =
            fmin(fmax(gsl_vector_get(gsl_multifit_nlinear_position(work), (size_t)k), least_u),
                 -least_u);
        solution->sd[k] = scale * sqrt(store[k * p + k]);
        finite = finite && isfinite(solution->u[k]) && isfinite(solution->sd[k]);
    }
    solution->misfit = sqrt(square / n);
    return finite;
}

static bool solve(struct problem *problem, int n, struct solution *solution)
{
    size_t p = (size_t)problem->factor_count;
    double start[GZC_FACTORS];
    if (n <= problem->factor_count || p == 0)
        return false;
    for (size_t k = 0; k < p; k++)
        start[k] =
            to_free(problem->factors[k], quantity_of(&problem->dev, problem->factors[k])->value);
    gsl_vector_view u = gsl_vector_view_array(start, p);
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf function = {.f = residuals, .n = (size_t)n, .p = p, .params = problem};
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, (size_t)n, p);
    int info, status = work ? gsl_multifit_nlinear_init(&u.vector, &function, work) : GSL_ENOMEM;
    if (status == GSL_SUCCESS)
        status = gsl_multifit_nlinear_driver(100, 1e-8, 1e-8, 0, NULL, NULL, &info, work);
    /* No progress means that the last point cannot be improved on, which is where it should stop.
     */
    bool solved =
        (status == GSL_SUCCESS || status == GSL_ENOPROG) && take(problem, work, n, solution);
    if (work)
        gsl_multifit_nlinear_free(work);
    gsl_set_error_handler(handler);
    return solved;
}

/* Whether an observation depends on a factor. */
static bool depends(const struct gzc_observation *o, enum gzc_factor factor)
{
    return factor == GZC_SIGMA ? o->app->dim > 1
           : factor == GZC_MU  ? o->cfg.sync == GZ_SYNC_FENCE
                               : true;
}

/* Widens the deviations of `solution` to those of fits that leave out one stencil at a time. */
static void jackknife(const struct problem *problem, int n, struct solution *solution)
{
    enum { MOST = GZC_MAX_APPS, LEAST = 3 };
    double u[GZC_FACTORS][MOST];
    int groups[GZC_FACTORS] = {0};
    struct gzc_observation *kept = calloc((size_t)n, sizeof *kept);
    for (int i = 0; kept && i < n; i++) {
        const gz_app *out = problem->observations[i].app;
        int n_kept = 0, first = 1;
        for (int k = 0; k < n; k++) {
            first = first && !(k < i && problem->observations[k].app == out);
            if (problem->observations[k].app != out)
                kept[n_kept++] = problem->observations[k];
        }
        struct problem less = *problem;
        struct solution without;
        less.observations = kept;
        if (!first || !solve(&less, n_kept, &without))
            continue;
        for (int f = 0; f < problem->factor_count; f++)
            if (depends(&problem->observations[i], problem->factors[f]) && groups[f] < MOST)
                u[f][groups[f]++] = without.u[f];
    }
    free(kept);
    for (int f = 0; f < problem->factor_count && kept; f++) {
        double mean = 0, square = 0;
        int g = groups[f];
        for (int k = 0; k < g; k++)
            mean += u[f][k] / g;
        for (int k = 0; k < g; k++)
            square += (u[f][k] - mean) * (u[f][k] - mean);
        if (g >= LEAST)
            solution->sd[f] = fmax(solution->sd[f], gsl_cdf_tdist_Pinv(0.975, g - 1) / GZC_Z95 *
                                                        sqrt(square * (g - 1) / g));
    }
}

/* Fits `problem` and puts what it finds into `fitted`. */
static bool fit(struct problem *problem, int n, struct gzc_fitted *fitted, struct solution *found)
{
    if (!solve(problem, n, found))
        return false;
    jackknife(problem, n, found);
    for (int k = 0; k < problem->factor_count; k++) {
        enum gzc_factor factor = problem->factors[k];
        struct gzc_estimate *e = &fitted->factor[factor];
        double u = found->u[k], reach = GZC_Z95 * found->sd[k];
        e->value = from_free(factor, u);
        e->sd = found->sd[k] * e->value;
        if (factor == GZC_SIGMA)
            continue;
        /* A share's interval never leaves its range. Where it has run to an end, it is there, and
         * not 0.01 off; how sure that is, the slopes there cannot tell. */
        bool at_end = fabs(u) >= -least_u;
        e->value = at_end ? rint(e->value) : e->value;
        e->sd = at_end
                    ? 0
                    : (from_free(factor, u + reach) - from_free(factor, u - reach)) / (2 * GZC_Z95);
    }
    return true;
}

bool gzc_fit_observations(const gz_device *dev, const struct gzc_observation *observations, int n,
                          struct gzc_fitted *fitted)
{
    struct problem printed = {.dev = *dev, .tau = GZ_TAU_PRINTED, .observations = observations};
    struct solution found = {.misfit = (double)NAN};
    bool flat = true, fenced = false;
    for (int i = 0; i < n; i++) {
        flat = flat && !depends(&observations[i], GZC_SIGMA);
        fenced = fenced || depends(&observations[i], GZC_MU);
    }
    *fitted = (struct gzc_fitted){.free_sigma = (double)NAN};
    for (int f = 0; f < GZC_FACTORS; f++)
        fitted->factor[f] = (struct gzc_estimate){.value = (double)NAN};
    if (!flat)
        printed.factors[printed.factor_count++] = GZC_SIGMA;
    if (fenced)
        printed.factors[printed.factor_count++] = GZC_MU;
    bool solved = fit(&printed, n, fitted, &found);
    fitted->misfit = found.misfit;
    fitted->free_sigma = fitted->factor[GZC_SIGMA].value;
    printed.dev = *dev; /* the last step of a fit may not be its best */
    if (solved && fitted->free_sigma < 1) {
        fitted->factor[GZC_SIGMA] = (struct gzc_estimate){.value = 1, .sd = found.sd[0]};
        printed.dev.dimension_penalty.value = 1;
        printed.factors[0] = GZC_MU;
        printed.factor_count = fenced;
        if (fenced && fit(&printed, n, fitted, &found))
            fitted->misfit = found.misfit;
    }
    struct problem scaled = {.dev = *dev,
                             .tau = GZ_TAU_SCALED,
                             .factor_count = 1,
                             .factors = {GZC_BETA},
                             .observations = observations};
    for (int f = 0; f < GZC_BETA; f++)
        if (isfinite(fitted->factor[f].value))
            quantity_of(&scaled.dev, (enum gzc_factor)f)->value = fitted->factor[f].value;
    return fit(&scaled, n, fitted, &found) || solved;
}

/* --------------------------------------------------------------------------------------- runs */

enum { HEIGHTS = 3, LOOPS = 12, RUNS = 3 };

/* Largest short grid's cells: a run takes some milliseconds on any device. */
static const double most_cells = 1 << 20;

/* Bytes that a loop touches on the other grid, over the cache's; and the share of the device's
 * memory that its largest array may take. */
static const double beyond_cache = 1.25, array_share = 0.1;

/* The default size, halved until it is short enough. */
static void short_size(const struct gzk_stencil *stencil, int size[3])
{
    memcpy(size, stencil->default_size, 3 * sizeof *size);
    while ((double)size[0] * size[1] * size[2] > most_cells)
        for (int i = 0; i < stencil->dimensions; i++)
            size[i] = (size[i] + 1) / 2;
}

/* A grid beyond the cache; false if the cache is unknown or the memory too small. */
static bool long_size(const struct gzk_stencil *stencil, const struct gzk_device_info *info,
                      int size[3])
{
    double cells =
        beyond_cache * (double)info->cache_bytes / (double)gzk_stencil_bytes_per_cell(stencil);
    double arrays = fmax(1, gzk_aux_arrays(stencil, HEIGHTS));
    for (int i = 0; i < 3; i++)
        size[i] =
            i < stencil->dimensions ? (int)ceil(pow(cells, 1. / stencil->dimensions) / 8) * 8 : 1;
    return cells > most_cells && cells * arrays * (double)gzk_type_bytes(stencil->type) <
                                     array_share * (double)info->memory_bytes;
}

/* Whether a height commits a quarter of the tile; higher ones take long on a long grid. */
static bool commits_enough(const struct gzk_config *config)
{
    double share = 1;
    for (int i = 0; i < config->stencil->dimensions; i++)
        share *= 1 - 2.0 * config->stencil->radius[i] * config->height / config->block[i];
    return share >= 0.25;
}

/* Times one stencil at several heights in one mode; adds to the observations. */
static int observe(struct gzk_session *session, const struct gzk_config *base, const gz_app *app,
                   const struct gzc_request *request, struct gzc_observation *observations, int *n,
                   struct gzk_error *error)
{
    struct gzk_config config = *base;
    struct gzk_timing timing;
    gz_config cfg = {.sync = base->sync, .beyond = 1};
    int highest = gzk_max_height(base->stencil, base->block), status = 0;
    for (int i = 0; i < base->stencil->dimensions; i++) {
        cfg.data_length[i] = base->size[i];
        cfg.block_len[i] = base->block[i];
    }
    for (config.height = 1; config.height <= HEIGHTS && config.height <= highest; config.height++) {
        if (base->loops < LOOPS) { /* a long grid: one stage, or two at height 1 */
            config.loops = config.height > 1 ? config.height : 2;
            if (config.height > 1 && !commits_enough(&config))
                break;
        }
        status = gzk_time_config(session, &config,
                                 &(struct gzk_effort){.runs = RUNS, .stop = request->stop}, &timing,
                                 error);
        if (status != 0)
            return status;
        observations[(*n)++] =
            (struct gzc_observation){app, cfg, config.height, timing.seconds_per_loop};
    }
    return 0;
}

/* One stencil on one grid, on which a run has at most `loops` loops; by fence too if `fence`. */
static int observe_grid(struct gzk_device *device, const int size[3], long loops, bool fence,
                        const struct gzk_stencil *stencil, const gz_app *app,
                        const struct gzc_request *request, struct gzc_observation *observations,
                        int *n, struct gzk_error *error)
{
    struct gzk_config config = {
        .stencil = stencil, .variant = GZK_TRAPEZOID, .loops = loops, .contract = true};
    struct gzk_data data;
    struct gzk_session *session = NULL;
    memcpy(config.size, size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_threads(&config, device->info.max_threads, device->info.is_cpu);
    if (gzk_data_new(&data, stencil, config.size, loops, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    int status = gzk_session_new(device, stencil, &data, &session, error);
    if (status == 0) {
        config.sync = GZ_SYNC_RESTART;
        status = observe(session, &config, app, request, observations, n, error);
    }
    if (status == 0 && fence) {
        struct gzk_error refused;
        config.sync = GZ_SYNC_FENCE;
        /* Devices without a fence say so here; what was observed before stays. */
        if (observe(session, &config, app, request, observations, n, &refused) == GZK_FAILED &&
            *request->stop)
            status = GZK_FAILED;
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    return status;
}

static int observe_app(struct gzk_device *device, const struct gzk_stencil *stencil,
                       const gz_app *app, const struct gzc_request *request,
                       struct gzc_observation *observations, int *n, struct gzk_error *error)
{
    int size[3];
    short_size(stencil, size);
    int status =
        observe_grid(device, size, LOOPS, true, stencil, app, request, observations, n, error);
    if (status == 0 && !request->quick && long_size(stencil, &device->info, size))
        status = observe_grid(device, size, HEIGHTS, false, stencil, app, request, observations, n,
                              error);
    return status;
}

/* The structures that the library predicts with, by way of the files' own texts. */
static int read_back(const struct gzc_calibration *result, gz_device *dev, gz_app *apps,
                     struct gzk_error *error)
{
    gz_error why;
    char *text = gzc_device_text(&result->device, &why);
    int status = text && gz_device_parse(text, strlen(text), "device", dev, &why) == GZ_OK
                     ? 0
                     : gzk_fail(error, GZK_FAILED, "%s", why.text);
    gz_text_free(text);
    for (int a = 0; a < result->app_count && status == 0; a++) {
        text = gzc_app_text(&result->apps[a], &why);
        if (!text || gz_app_parse(text, strlen(text), "application", &apps[a], &why) != GZ_OK)
            status = gzk_fail(error, GZK_FAILED, "%s", why.text);
        gz_text_free(text);
    }
    return status;
}

struct gzc_fit_runs {
    struct gzc_observation observations[GZC_SECOND_MAX]; /* fewer if made for this fit alone */
    gz_app apps[GZC_MAX_APPS];                           /* to which the observations point */
    int n;
};

int gzc_fit_observe(struct gzk_device *device, const struct gzc_request *request,
                    const struct gzc_calibration *result, struct gzc_fit_runs **made,
                    struct gzk_error *error)
{
    struct gzc_fit_runs *runs = calloc(1, sizeof *runs);
    int status = runs ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
    *made = runs;
    for (int a = 0; a < result->app_count && status == 0; a++) {
        cli_progress_step(request->progress, 4, "fitting");
        status = observe_app(
            device, request->stencil ? request->stencil : gzk_stencil_find(result->apps[a].stem),
            &runs->apps[a], request, runs->observations, &runs->n, error);
    }
    return status;
}

/* Grids on which launches, which have a quantity of their own, do not take most of the time. */
static bool is_long(const struct gzk_config *config)
{
    static const double least_cells = 1 << 17;
    return (double)config->size[0] * config->size[1] * config->size[2] >= least_cells;
}

int gzc_fit_of_second(const struct gzc_second_runs *second, const gz_app *apps,
                      struct gzc_observation *observations)
{
    int n = 0;
    for (int i = 0; i < second->n; i++) {
        const struct gzc_second_run *run = &second->run[i];
        double seconds = gzc_second_time(run, second->tries);
        gz_config cfg = {.sync = run->config.sync, .beyond = 1};
        for (int k = 0; k < run->config.stencil->dimensions; k++) {
            cfg.data_length[k] = run->config.size[k];
            cfg.block_len[k] = run->config.block[k];
        }
        if (run->config.variant == GZK_TRAPEZOID && seconds > 0 && is_long(&run->config))
            observations[n++] =
                (struct gzc_observation){&apps[run->app], cfg, run->config.height, seconds};
    }
    return n;
}

int gzc_fit_share(const struct gzc_second_runs *second, const struct gzc_request *request,
                  const struct gzc_calibration *result, struct gzc_fit_runs **made,
                  struct gzk_error *error)
{
    struct gzc_fit_runs *runs = calloc(1, sizeof *runs);
    *made = runs;
    if (!runs)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    cli_progress_step(request->progress, 4 * result->app_count, "fitting");
    runs->n = gzc_fit_of_second(second, runs->apps, runs->observations);
    return 0;
}

void gzc_fit_free(struct gzc_fit_runs *runs)
{
    free(runs);
}

int gzc_fit_factors(struct gzc_fit_runs *runs, const struct gzc_request *request,
                    struct gzc_calibration *result, struct gzk_error *error)
{
    static const int places[GZC_FACTORS] = {[GZC_SIGMA] = GZ_P_DIMENSION_PENALTY,
                                            [GZC_MU] = GZ_P_FENCE_EXPOSURE,
                                            [GZC_BETA] = GZ_P_LATENCY_HIDING};
    struct gzc_fitted fitted;
    gz_device dev;
    char free_sigma[60] = "";
    const char *const at_end = ", at the end of its range";
    int status = read_back(result, &dev, runs->apps, error);
    bool solved = status == 0 && gzc_fit_observations(&dev, runs->observations, runs->n, &fitted);
    if (solved && fitted.free_sigma < 1)
        snprintf(free_sigma, sizeof free_sigma, ", at its bound (%.2g without)", fitted.free_sigma);
    if (status == 0 && !solved)
        request->warn("--fit: the runs determine none of the factors; the paper's are kept");
    else if (status == 0)
        for (int f = 0; f < GZC_FACTORS; f++)
            if (isfinite(fitted.factor[f].value))
                result->device.entries[places[f]] = gzc_entry_of(
                    fitted.factor[f].value, fitted.factor[f].sd, GZ_ORIGIN_FITTED,
                    "%d runs of %d stencils%s; predictions are off by a factor of %.3g (rms)",
                    runs->n, result->app_count,
                    f == GZC_BETA    ? ", with --tau scaled"
                    : f == GZC_SIGMA ? free_sigma
                    : fitted.factor[f].value == 0 || fitted.factor[f].value == 1 ? at_end
                                                                                 : "",
                    exp(fitted.misfit));
    return status;
}
