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

/* One height of gzi_try_heights. */
struct trial {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    const gz_config *cfg;
    gz_status refused; /* why the first height that the device has no room for was left out */
    gz_error why;
};

static gz_status try_height(struct trial *t, int h, gz_optimum *out)
{
    gz_prediction p;
    gz_error why;
    gz_status status = t->model->predict(t->dev, t->app, t->cfg, h, &p, &why);
    out->evaluations++;
    if (status && !t->refused) {
        t->refused = status;
        t->why = why;
    }
    if (status)
        return status == GZ_EHEIGHT ? GZ_OK : status;
    if (p.cpl < out->cpl || (p.cpl == out->cpl && h < out->integer)) {
        out->cpl = p.cpl;
        out->integer = h;
    }
    return GZ_OK;
}

/* The height after `h`: the next one up to HEIGHTS_ALL, beyond that a fiftieth higher. */
enum { HEIGHTS_ALL = 256 };
static double height_after(double h)
{
    return h < HEIGHTS_ALL ? h + 1 : ceil(1.02 * h);
}

gz_status gzi_try_heights(const gzi_model *model, const gz_device *dev, const gz_app *app,
                          const gz_config *cfg, const gzi_heights *heights, gz_optimum *out,
                          gz_error *error)
{
    struct trial t = {.model = model, .dev = dev, .app = app, .cfg = cfg};
    double tried = (double)heights->last - heights->first + 1;
    gz_status status = GZ_OK;
    if (tried > GZ_HEIGHTS_MAX)
        return gzi_fail(error, GZ_EHEIGHT, "%.0f heights to try: the bounds must leave at most %d",
                        tried, GZ_HEIGHTS_MAX);
    *out = (gz_optimum){.stop = GZ_STOP_WHOLE, .height_max = heights->last, .cpl = HUGE_VAL};
    for (double h = heights->first; h <= heights->last && !status; h = height_after(h))
        status = try_height(&t, (int)h, out);
    if (!status && out->integer > HEIGHTS_ALL) {
        /* those passed over on both sides of the best */
        int last = (int)fmin(heights->last, height_after(out->integer));
        for (int h = (int)(out->integer / 1.02); h <= last && !status; h++)
            if (h >= heights->first)
                status = try_height(&t, h, out);
    }
    if (status || !out->integer)
        return gzi_fail(error, status ? status : t.refused, "%s", t.why.text);
    gz_prediction one;
    out->speedup = model->predict(dev, app, cfg, 1, &one, NULL) ? (double)NAN : one.cpl / out->cpl;
    out->continuous = out->truncated = out->integer;
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
