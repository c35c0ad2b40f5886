/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * optimize.c - the best height of a tile, by the model's own minimiser, or by trying every whole
 * height, which serves any model, smooth or not.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "tiling.h"

#include <limits.h>
#include <math.h>

/* The heights that `bounds` (may be NULL) leave, for a configuration that gz_check accepts. */
static gz_status heights_of(const gz_app *app, const gz_config *cfg, const gz_bounds *bounds,
                            gzi_heights *heights, gz_error *error)
{
    double highest = gzi_height_max(app, cfg);
    *heights = (gzi_heights){.upper = HUGE_VAL, .pole = gzi_pole(app, cfg)};
    heights->below_pole = nextafter(heights->pole, 0);
    while (!gzi_feasible(app, cfg, heights->below_pole))
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

gz_status gzi_value_at(const gzi_model *model, const gz_device *dev, const gz_app *app,
                       const gz_config *cfg, int h, const void *work, gzi_value *out,
                       gz_error *error)
{
    gz_prediction p;
    if (model->value && work)
        return model->value(work, cfg, h, out, error);
    gz_status status = gzi_predict(model, dev, app, cfg, h, &p, error);
    *out = (gzi_value){p.cpl, p.seconds_per_loop};
    return status;
}

/* Heights that are looked at together, and those of them that a bound holds for. */
enum { TOGETHER = 1024 };
struct span {
    int first, last; /* places in the list */
    double bound;
};

/* The search of try_heights. */
struct trial {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    const gz_config *cfg;
    const void *work;
    double worst;      /* CPL above which a height is of no interest */
    gzi_value best;    /* at the best height so far */
    int integer;       /* that height; 0: none yet */
    int evaluations;   /* predictions made */
    gz_status refused; /* why the first height that the device has no room for was left out */
    gz_error why;
    int height[TOGETHER], n;    /* heights to look at, ascending */
    struct span span[TOGETHER]; /* of these, what is still to be looked at */
    int spans;
};

static gz_status try_height(struct trial *t, int h)
{
    gzi_value value;
    gz_error *say = t->refused ? NULL : &t->why;
    gz_status status = gzi_value_at(t->model, t->dev, t->app, t->cfg, h, t->work, &value, say);
    t->evaluations++;
    if (status && !t->refused)
        t->refused = status;
    if (status)
        return status == GZ_EHEIGHT ? GZ_OK : status;
    if (!t->integer || value.cpl < t->best.cpl || (value.cpl == t->best.cpl && h < t->integer)) {
        t->best = value;
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

/* Adds heights that may still win. */
static void add_span(struct trial *t, int first, int last)
{
    struct span span = {first, last, 0};
    if (t->model->least && t->work)
        span.bound = t->model->least(t->work, t->cfg, t->height[first], t->height[last]);
    if (span.bound < HUGE_VAL && may_win(t, span.bound))
        t->span[t->spans++] = span;
}

/* Tries the heights in t, branching and bounding: the span with the least bound is halved first,
 * until none is left whose bound is under the best. */
static gz_status try_some(struct trial *t)
{
    gz_status status = GZ_OK;
    t->spans = 0;
    if (t->n > 0)
        add_span(t, 0, t->n - 1);
    while (!status && t->spans > 0) {
        int next = 0;
        for (int k = 1; k < t->spans; k++)
            if (t->span[k].bound < t->span[next].bound)
                next = k;
        struct span span = t->span[next];
        if (!may_win(t, span.bound))
            break;
        t->span[next] = t->span[--t->spans];
        int middle = span.first + (span.last - span.first) / 2;
        if (span.first == span.last) {
            status = try_height(t, t->height[middle]);
        } else {
            add_span(t, span.first, middle);
            add_span(t, middle + 1, span.last);
        }
    }
    t->n = 0;
    return status;
}

/* Looks at a height, or keeps it for later with others. */
static gz_status look_at(struct trial *t, int h)
{
    t->height[t->n++] = h;
    return t->n == TOGETHER ? try_some(t) : GZ_OK;
}

/* The height after `h`: the next one up to HEIGHTS_ALL, beyond that a fiftieth higher. */
enum { HEIGHTS_ALL = 256 };
static double height_after(double h)
{
    return h < HEIGHTS_ALL ? h + 1 : ceil(1.02 * h);
}

static gz_status try_all(struct trial *t, const gzi_heights *heights)
{
    gz_status status = GZ_OK;
    for (double h = heights->first; h <= heights->last && !status; h = height_after(h))
        status = look_at(t, (int)h);
    if (!status)
        status = try_some(t);
    if (!status && t->integer > HEIGHTS_ALL) {
        /* those passed over on both sides of the best */
        int last = (int)fmin(heights->last, height_after(t->integer));
        int first = (int)fmax(heights->first, floor(t->integer / 1.02));
        for (int h = first; h <= last && !status; h++)
            status = look_at(t, h);
        if (!status)
            status = try_some(t);
    }
    /* Nothing has been tried of a tile that is refused at all heights: for the reason. */
    if (!status && !t->evaluations && t->worst == HUGE_VAL)
        status = try_height(t, heights->first);
    return status;
}

/* Tries whole heights for one of a CPL up to `worst`; t->integer stays 0 if there is none. */
static gz_status try_heights(struct trial *t, const gzi_model *model, const gz_device *dev,
                             const gz_app *app, const gz_config *cfg, const gzi_heights *heights,
                             double worst, const void *work, gz_error *error)
{
    enum { HEIGHTS_MAX = 1000000 };
    double tried = (double)heights->last - heights->first + 1;
    t->model = model;
    t->dev = dev;
    t->app = app;
    t->cfg = cfg;
    t->work = work;
    t->worst = worst;
    t->integer = t->evaluations = t->n = 0;
    t->refused = GZ_OK;
    t->why.text[0] = '\0';
    if (tried > HEIGHTS_MAX)
        return gzi_fail(error, GZ_EHEIGHT, "%.0f heights to try: the bounds must leave at most %d",
                        tried, (int)HEIGHTS_MAX);
    gz_status status = try_all(t, heights);
    return status || (!t->integer && t->refused)
               ? gzi_fail(error, status ? status : t->refused, "%s", t->why.text)
               : GZ_OK;
}

/* The smallest CPL of whole heights; all of `out` except out->prediction. Up to 256 every height is
 * tried, beyond that one in fifty, and then all those around the best. Heights whose lower bounds
 * show that they are not the best are left out, the most promising tried first. */
static gz_status best_whole(const gzi_model *model, const gz_device *dev, const gz_app *app,
                            const gz_config *cfg, const gzi_heights *heights, void *work,
                            gz_optimum *out, gz_error *error)
{
    struct trial t;
    gz_status status = try_heights(&t, model, dev, app, cfg, heights, HUGE_VAL, work, error);
    if (status)
        return status;
    *out = (gz_optimum){.stop = GZ_STOP_WHOLE,
                        .height_max = heights->last,
                        .integer = t.integer,
                        .evaluations = t.evaluations,
                        .cpl = t.best.cpl};
    gzi_value one;
    int refused = gzi_value_at(model, dev, app, cfg, 1, work, &one, NULL);
    out->speedup = refused ? (double)NAN : one.cpl / out->cpl;
    out->continuous = out->truncated = out->integer;
    return GZ_OK;
}

gz_status gzi_optimize_below(const gzi_model *model, const gz_device *dev, const gz_app *app,
                             const gz_config *cfg, const gz_bounds *bounds, double worst,
                             void *work, int *integer, gzi_value *out, gz_error *error)
{
    gz_optimum optimum;
    gzi_heights heights;
    *integer = 0;
    if (model->minimise) {
        gz_status status = gzi_optimize(model, dev, app, cfg, bounds, work, &optimum, error);
        if (!status) {
            *integer = optimum.integer;
            *out = (gzi_value){optimum.prediction.cpl, optimum.prediction.seconds_per_loop};
        }
        return status;
    }
    struct trial t;
    gz_status status = heights_of(app, cfg, bounds, &heights, error);
    if (!status)
        status = try_heights(&t, model, dev, app, cfg, &heights, worst, work, error);
    if (status)
        return status;
    *integer = t.integer;
    *out = t.integer ? t.best : (gzi_value){HUGE_VAL, HUGE_VAL};
    return GZ_OK;
}

gz_status gzi_work_new(const gzi_model *model, const gz_device *dev, const gz_app *app, void **work,
                       gz_error *error)
{
    *work = NULL;
    if (!model->work_new)
        return GZ_OK;
    *work = model->work_new(dev, app);
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
    gz_status status = heights_of(app, cfg, bounds, &heights, error);
    if (!status && model->minimise)
        status = model->minimise(dev, app, cfg, &heights, work, out, error);
    else if (!status)
        status = best_whole(model, dev, app, cfg, &heights, work, out, error);
    return status ? status
                  : gzi_predict(model, dev, app, cfg, out->integer, &out->prediction, error);
}

gz_status gz_optimize(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                      const gz_bounds *bounds, gz_optimum *out, gz_error *error)
{
    gz_config room;
    void *work = NULL;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = gz_check(dev, app, cfg, error);
    if (!status && !out)
        status = gzi_fail_null(error, "room for an optimum");
    const gzi_model *model = status ? NULL : gzi_model_of(cfg->model);
    if (!status)
        status = gzi_work_new(model, dev, app, &work, error);
    if (!status)
        status = gzi_optimize(model, dev, app, cfg, bounds, work, out, error);
    gzi_work_free(model, work);
    return status;
}
