/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * optimize.c - the best height of a tile, by the model's own minimiser, or by trying every whole
 * height, which serves any model, smooth or not.
 */
#include "check.h"
#include "model.h"
#include "tiling.h"

#include <limits.h>
#include <math.h>

gz_status gzi_heights_of(const gz_app *app, const gz_config *cfg, const gz_bounds *bounds,
                         gzi_heights *heights, gz_error *error)
{
    const gzi_tiling *tiling = gzi_tiling_of(cfg->variant);
    double highest = tiling->height_max(app, cfg);
    *heights = (gzi_heights){.upper = HUGE_VAL, .pole = tiling->pole(app, cfg)};
    heights->below_pole = nextafter(heights->pole, 0);
    while (!tiling->feasible(app, cfg, heights->below_pole))
        heights->below_pole = nextafter(heights->below_pole, 0);
    if (bounds && (isnan(bounds->lower) || isnan(bounds->upper)))
        return gzi_fail(error, GZ_EHEIGHT,
                        "a bound on the height is NaN: must be a number of loops, or 0 for none");
    if (bounds && bounds->lower > 0)
        heights->lower = bounds->lower;
    if (bounds && bounds->upper > 0 && bounds->upper < heights->below_pole)
        heights->upper = bounds->upper;
    double first = fmax(1, ceil(heights->lower)), last = fmin(highest, floor(heights->upper));
    if (!(first <= last) || last > INT_MAX)
        return gzi_fail(error, GZ_EHEIGHT,
                        "the bounds leave no whole height: must leave one from 1 to %.9g",
                        fmin(highest, INT_MAX));
    heights->first = (int)first;
    heights->last = (int)last;
    return GZ_OK;
}

/* The search of gzi_try_heights. */
struct trial {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    const gz_config *cfg;
    double worst;       /* CPL above which a height is of no interest */
    gz_prediction best; /* at the best height so far */
    int integer;        /* that height; 0: none yet */
    int evaluations;    /* predictions made */
    gz_status refused;  /* why the first height that the device has no room for was left out */
    gz_error why;
};

static gz_status try_height(struct trial *t, int h)
{
    gz_prediction p;
    gz_error why;
    gz_status status = gzi_predict(t->model, t->dev, t->app, t->cfg, h, &p, &why);
    t->evaluations++;
    if (status && !t->refused) {
        t->refused = status;
        t->why = why;
    }
    if (status)
        return status == GZ_EHEIGHT ? GZ_OK : status;
    if (!t->integer || p.cpl < t->best.cpl || (p.cpl == t->best.cpl && h < t->integer)) {
        t->best = p;
        t->integer = h;
    }
    return GZ_OK;
}

/* Whether a height with this lower bound may still be the best, or as good. */
static int may_win(const struct trial *t, double bound)
{
    static const double rounding = 1 + 1e-12;
    return bound <= rounding * t->worst && (!t->integer || bound <= rounding * t->best.cpl);
}

/* Heights that are bounded together. */
enum { TOGETHER = 64 };

/* These heights, at most TOGETHER: the one with the least bound first, until none is left whose
 * bound is under the best. */
static gz_status try_some(struct trial *t, const int *heights, int n)
{
    double bound[TOGETHER] = {0};
    gz_status status = GZ_OK;
    if (t->model->least)
        t->model->least(t->dev, t->app, t->cfg, heights, (size_t)n, bound);
    while (!status) {
        int next = -1;
        for (int k = 0; k < n; k++)
            if (bound[k] < HUGE_VAL && (next < 0 || bound[k] < bound[next]))
                next = k;
        if (next < 0 || !may_win(t, bound[next]))
            break;
        bound[next] = HUGE_VAL;
        status = try_height(t, heights[next]);
    }
    return status;
}

/* The height after `h`: the next one up to HEIGHTS_ALL, beyond that a fiftieth higher. */
enum { HEIGHTS_ALL = 256 };
static double height_after(double h)
{
    return h < HEIGHTS_ALL ? h + 1 : ceil(1.02 * h);
}

static gz_status try_all(struct trial *t, const gzi_heights *heights)
{
    int list[TOGETHER], n = 0;
    gz_status status = GZ_OK;
    for (double h = heights->first; h <= heights->last && !status; h = height_after(h)) {
        list[n++] = (int)h;
        if (n == TOGETHER || height_after(h) > heights->last) {
            status = try_some(t, list, n);
            n = 0;
        }
    }
    if (!status && t->integer > HEIGHTS_ALL) {
        /* those passed over on both sides of the best */
        int last = (int)fmin(heights->last, height_after(t->integer));
        int first = (int)fmax(heights->first, floor(t->integer / 1.02));
        for (int h = first; h <= last && !status; h++) {
            list[n++] = h;
            if (n == TOGETHER || h == last) {
                status = try_some(t, list, n);
                n = 0;
            }
        }
    }
    return status;
}

static gz_status few_enough(const gzi_heights *heights, gz_error *error)
{
    double tried = (double)heights->last - heights->first + 1;
    return tried > GZ_HEIGHTS_MAX
               ? gzi_fail(error, GZ_EHEIGHT,
                          "%.0f heights to try: the bounds must leave at most %d", tried,
                          GZ_HEIGHTS_MAX)
               : GZ_OK;
}

gz_status gzi_try_heights(const gzi_model *model, const gz_device *dev, const gz_app *app,
                          const gz_config *cfg, const gzi_heights *heights, gz_optimum *out,
                          gz_error *error)
{
    struct trial t = {.model = model, .dev = dev, .app = app, .cfg = cfg, .worst = HUGE_VAL};
    gz_status status = few_enough(heights, error);
    if (status)
        return status;
    status = try_all(&t, heights);
    if (status || !t.integer)
        return gzi_fail(error, status ? status : t.refused, "%s", t.why.text);
    *out = (gz_optimum){.stop = GZ_STOP_WHOLE,
                        .height_max = heights->last,
                        .integer = t.integer,
                        .evaluations = t.evaluations,
                        .cpl = t.best.cpl};
    gz_prediction one;
    out->speedup = model->predict(dev, app, cfg, 1, &one, NULL) ? (double)NAN : one.cpl / out->cpl;
    out->continuous = out->truncated = out->integer;
    return GZ_OK;
}

gz_status gzi_optimize_below(const gzi_model *model, const gz_device *dev, const gz_app *app,
                             const gz_config *cfg, const gz_bounds *bounds, double worst,
                             void *work, int *integer, gz_prediction *out, gz_error *error)
{
    gz_optimum optimum;
    gzi_heights heights;
    *integer = 0;
    if (model->minimise) {
        gz_status status = gzi_optimize(model, dev, app, cfg, bounds, work, &optimum, error);
        if (!status) {
            *integer = optimum.integer;
            *out = optimum.prediction;
        }
        return status;
    }
    struct trial t = {.model = model, .dev = dev, .app = app, .cfg = cfg, .worst = worst};
    gz_status status = gzi_heights_of(app, cfg, bounds, &heights, error);
    if (!status)
        status = few_enough(&heights, error);
    if (status)
        return status;
    status = try_all(&t, &heights);
    if (status || (!t.integer && t.refused))
        return gzi_fail(error, status ? status : t.refused, "%s", t.why.text);
    *integer = t.integer;
    if (t.integer)
        *out = t.best;
    return GZ_OK;
}

gz_status gzi_work_new(const gzi_model *model, void **work, gz_error *error)
{
    *work = NULL;
    if (!model->work_new)
        return GZ_OK;
    *work = model->work_new();
    return *work ? GZ_OK : gzi_fail(error, GZ_ENOMEM, "out of memory");
}

void gzi_work_free(const gzi_model *model, void *work)
{
    if (work)
        model->work_free(work);
}

gz_status gzi_optimize(const gzi_model *model, const gz_device *dev, const gz_app *app,
                       const gz_config *cfg, const gz_bounds *bounds, void *work, gz_optimum *out,
                       gz_error *error)
{
    gzi_heights heights;
    gz_status status = gzi_heights_of(app, cfg, bounds, &heights, error);
    if (!status && model->minimise)
        status = model->minimise(dev, app, cfg, &heights, work, out, error);
    else if (!status)
        status = gzi_try_heights(model, dev, app, cfg, &heights, out, error);
    for (int k = 0; k < 4; k++)
        out->reserved[k] = 0;
    return status ? status
                  : gzi_predict(model, dev, app, cfg, out->integer, &out->prediction, error);
}

/* One of many: checks and optimises, with the workspace of the last model that was used. */
struct solver {
    const gzi_model *model;
    void *work;
};

static gz_status optimize_one(struct solver *solver, const gz_device *dev, const gz_app *app,
                              const gz_config *cfg, const gz_bounds *bounds, gz_optimum *out,
                              gz_error *error)
{
    gz_status status = gzi_check_config(dev, app, cfg, error);
    const gzi_model *model = status ? NULL : gzi_model_of(cfg->model);
    if (!status && model != solver->model) {
        gzi_work_free(solver->model, solver->work);
        solver->model = model;
        status = gzi_work_new(model, &solver->work, error);
    }
    return status ? status : gzi_optimize(model, dev, app, cfg, bounds, solver->work, out, error);
}

gz_status gz_optimize_many(const gz_device *dev, const gz_app *app, size_t n, const gz_config *cfg,
                           const gz_bounds *bounds, gz_optimum *out, gz_status *status,
                           gz_error *error)
{
    if (n && !cfg)
        return gzi_fail_null(error, "configuration");
    if (n && !out)
        return gzi_fail_null(error, "room for an optimum");
    gz_error why;
    gz_status common = gzi_check_model(dev, app, NULL, &why), first = GZ_OK;
    struct solver solver = {NULL, NULL};
    for (size_t k = 0; k < n; k++) {
        gz_status one = common;
        if (!one)
            one = optimize_one(&solver, dev, app, cfg + k, bounds, out + k, first ? NULL : &why);
        if (status)
            status[k] = one;
        if (one && !first)
            first = gzi_fail(error, one, "%s", why.text);
    }
    gzi_work_free(solver.model, solver.work);
    return first;
}

gz_status gz_optimize(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                      const gz_bounds *bounds, gz_optimum *out, gz_error *error)
{
    return gz_optimize_many(dev, app, 1, cfg, bounds, out, NULL, error);
}
