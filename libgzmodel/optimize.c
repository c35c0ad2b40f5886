/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * optimize.c - the best height of a tile, by a bracketed Newton iteration on GSL's root finder.
 *
 * In h alone, CPL(h) = c_h / h + c_p / P(h) + c_hp / (h P(h)) with positive coefficients (see
 * gradient.c). Each term is log-convex on (0, pole), so the minimiser is unique and is the root of
 * dCPL/dh. Written with epsilon(h) = -P'/P = sum_i w_i / (b_i - w_i h), that root is where
 *
 *     G = ln( h epsilon(h) ) + ln( c_p h + c_hp ) - ln( c_h P(h) + c_hp ) = 0,
 *
 * the logarithm of what grows with h over what it saves. G rises monotonically; and over
 * u = ln( h / (pole - h) ) it is close to a straight line: its slope tends to a constant on either
 * side. So Newton's method in u converges in a few steps from anywhere, and no u is beyond the
 * pole: the map from u to h takes the whole line into (0, pole). A bracket kept from the signs of G
 * catches what Newton might still do wrong; lengths beside the pole are computed from the distance
 * to it, so nothing cancels there.
 */
#include "meng2011.h"
#include "quantities.h"

#include <gsl/gsl_roots.h>
#include <limits.h>
#include <math.h>

/* Largest |u| looked at: h and its distance to the pole down to 1e-147 of the pole, whose squares
 * are still normal numbers. */
#define U_LIMIT 338.0

/* Newton ends when its next step in u would be smaller than this times max(1, |u|). */
#define STEP_TOLERANCE 4e-15

/* What is accepted as an interior minimiser: |d ln CPL / d ln h| up to this, and Newton's next step
 * in u up to that. The first alone accepts any height where CPL is flat over decades. */
#define OPTIMALITY_TOLERANCE 1e-9
#define ROOT_TOLERANCE 1e-12

#define MAX_STEPS 200

/* GSL's Newton solver, kept on the stack so that an optimum allocates nothing and cannot run out of
 * memory (GSL would abort). Its state is two doubles today; NULL where a later GSL needs more than
 * four. */
struct newton {
    double state[4];
    gsl_root_fdfsolver solver;
};

static gsl_root_fdfsolver *start_newton(struct newton *newton)
{
    if (gsl_root_fdfsolver_newton->size > sizeof newton->state)
        return NULL;
    newton->solver = (gsl_root_fdfsolver){
        .type = gsl_root_fdfsolver_newton, .fdf = NULL, .root = 0, .state = newton->state};
    return &newton->solver;
}

/* The state of one search: the function, and what its evaluations have taught. */
struct search {
    gzi_reduced form;
    double pole;
    double slack[GZ_MAX_DIM]; /* b_i - w_i pole, >= 0 */
    double lower, upper;      /* bracket of the root, in u */
    int evaluations;
    /* of the last evaluation: */
    double u, g, slope; /* G and dG/du */
    double h, share;    /* height, and 1 - h/pole */
    double optimality;  /* |d ln CPL / d ln h| */
};

static void start_search(struct search *s, const gz_app *app, const gz_config *cfg)
{
    const double *b = s->form.block_len, *w = s->form.halo_width;
    int first = 0; /* the dimension that runs out first */
    for (int i = 1; i < s->form.dim; i++)
        if (b[i] * w[first] < b[first] * w[i])
            first = i;
    s->pole = gz_pole(app, cfg);
    /* Multiplied out, so that whole numbers give exactly 0 where a dimension ends at the pole. */
    for (int i = 0; i < s->form.dim; i++)
        s->slack[i] = fmax(0, b[i] * w[first] - b[first] * w[i]) / w[first];
    s->lower = -U_LIMIT;
    s->upper = U_LIMIT;
    s->evaluations = 0;
}

/* Evaluates G and its slope at u and narrows the bracket. GSL asks for value and slope one by one
 * where it starts; the second time is free. */
static void evaluate(struct search *s, double u)
{
    if (s->evaluations > 0 && u == s->u)
        return;
    const gzi_reduced *f = &s->form;
    double odds = exp(u), share = 1 / (1 + odds); /* h / (pole - h), and 1 - h/pole */
    double distance = s->pole * share, h = odds * distance;
    double p = 1, epsilon = 0, epsilon2 = 0;
    for (int i = 0; i < f->dim; i++) {
        double w = f->halo_width[i];
        double rest = w > 0 ? s->slack[i] + w * distance : f->block_len[i];
        p *= rest;
        epsilon += w / rest;
        epsilon2 += w / rest * (w / rest);
    }
    double grows = f->per_p * h + f->per_hp, saves = f->per_h * p + f->per_hp;
    s->u = u;
    s->h = h;
    s->share = share;
    /* One logarithm of a ratio near 1 is exact to rounding at the root; three where it overflows.
     */
    double ratio = h * epsilon * (grows / saves);
    s->g = isnormal(ratio) ? log(ratio) : log(h * epsilon) + log(grows) - log(saves);
    s->slope = share * (1 + h * epsilon2 / epsilon + f->per_p * h / grows +
                        f->per_h * p / saves * h * epsilon);
    s->optimality = fabs(h * epsilon * grows - saves) / (f->per_h * p + grows);
    s->evaluations++;
    if (s->g > 0)
        s->upper = fmin(s->upper, u);
    else
        s->lower = fmax(s->lower, u);
}

static double gsl_f(double u, void *search)
{
    struct search *s = search;
    evaluate(s, u);
    return s->g;
}

static double gsl_df(double u, void *search)
{
    struct search *s = search;
    evaluate(s, u);
    return s->slope;
}

static void gsl_fdf(double u, void *search, double *g, double *slope)
{
    struct search *s = search;
    evaluate(s, u);
    *g = s->g;
    *slope = s->slope;
}

/* Where to start: G = 0 with the powers of 1 - h/pole taken as one, a quadratic in h/pole. */
static double first_guess(const struct search *s)
{
    const gzi_reduced *f = &s->form;
    double p = 1, narrow = 0, sum = 0;
    for (int i = 0; i < f->dim; i++) {
        double ratio = f->halo_width[i] / f->block_len[i];
        p *= f->block_len[i];
        narrow = fmax(narrow, ratio);
        sum += ratio;
    }
    double dims = sum / narrow; /* as many dimensions as wear the tile down equally fast */
    double x = f->per_p * s->pole / f->per_hp, y = 1 + f->per_h * p / f->per_hp;
    double b = (dims + 1) * y;
    double fraction = 2 * y / (b + sqrt(b * b + 4 * dims * x * y));
    double u = log(fraction / (1 - fraction));
    return isfinite(u) ? fmin(fmax(u, -U_LIMIT / 2), U_LIMIT / 2) : 0;
}

/* Solves G(u) = 0; on success the last evaluation of `s` is at the root. */
static gz_status solve(struct search *s, gsl_root_fdfsolver *solver)
{
    gsl_function_fdf function = {gsl_f, gsl_df, gsl_fdf, s};
    gsl_root_fdfsolver_set(solver, &function, first_guess(s));
    for (int step = 0; step < MAX_STEPS; step++) {
        double move = -s->g / s->slope;
        if (fabs(move) <= STEP_TOLERANCE * fmax(1, fabs(s->u)))
            break;
        double next = s->u + move;
        if (next > s->lower && next < s->upper)
            gsl_root_fdfsolver_iterate(solver);
        else if (next == s->u)
            break;
        else /* Newton left the bracket: halve it instead */
            gsl_root_fdfsolver_set(solver, &function, (s->lower + s->upper) / 2);
    }
    int accepted = s->optimality <= OPTIMALITY_TOLERANCE && fabs(s->g) <= ROOT_TOLERANCE * s->slope;
    return accepted ? GZ_OK : GZ_ECONVERGE;
}

/* d ln CPL / d ln h at h, from the reduced form. */
static double elasticity(const gzi_reduced *f, double h)
{
    double p = 1, epsilon = 0;
    for (int i = 0; i < f->dim; i++) {
        double rest = fma(-f->halo_width[i], h, f->block_len[i]);
        p *= rest;
        epsilon += f->halo_width[i] / rest;
    }
    double grows = f->per_p * h + f->per_hp, saves = f->per_h * p + f->per_hp;
    return (h * epsilon * grows - saves) / (f->per_h * p + grows);
}

/* Heights allowed: the bounds that were asked for, cut to what is feasible. */
struct range {
    double lower, upper; /* as asked for; 0 and infinity where nothing was */
    double below_pole;   /* the largest feasible double */
    int first, last;     /* whole */
};

static gz_status range_of(const gz_app *app, const gz_config *cfg, const gz_bounds *bounds,
                          struct range *range)
{
    double highest = gz_height_max(app, cfg);
    range->lower = 0;
    range->upper = HUGE_VAL;
    range->below_pole = nextafter(gz_pole(app, cfg), 0);
    while (!gzi_height_feasible(app, cfg, range->below_pole))
        range->below_pole = nextafter(range->below_pole, 0);
    if (bounds && bounds->lower > 0)
        range->lower = bounds->lower;
    if (bounds && bounds->upper > 0 && bounds->upper < range->below_pole)
        range->upper = bounds->upper;
    if (bounds && (isnan(bounds->lower) || isnan(bounds->upper)))
        return GZ_EHEIGHT;
    double first = fmax(1, ceil(range->lower)), last = fmin(highest, floor(range->upper));
    if (!(first <= last) || last > INT_MAX)
        return GZ_EHEIGHT;
    range->first = (int)first;
    range->last = (int)last;
    return GZ_OK;
}

/* The continuous minimiser within the range, from the unbounded one that `s` has found; that one
 * may be closer to the pole than the doubles are. */
static void place_continuous(const struct search *s, const struct range *range, gz_optimum *out)
{
    out->stop = s->h < range->lower   ? GZ_STOP_LOWER
                : s->h > range->upper ? GZ_STOP_UPPER
                                      : GZ_STOP_INTERIOR;
    out->continuous = fmin(fmin(fmax(s->h, range->lower), range->upper), range->below_pole);
    out->optimality = s->optimality;
    if (out->stop != GZ_STOP_INTERIOR)
        out->optimality = fabs(elasticity(&s->form, out->continuous));
    out->cpl = gzi_reduced_cpl(&s->form, out->continuous);
    out->evaluations = s->evaluations;
}

static int clamp(double value, const struct range *range)
{
    return (int)fmin(fmax(value, range->first), range->last);
}

/* The paper's rule and the best whole height. By convexity the latter is a neighbour of the
 * continuous minimiser. */
static void place_whole(const struct search *s, const struct range *range, gz_optimum *out)
{
    double below = floor(out->continuous);
    int low = clamp(below, range), high = clamp(below + 1, range);
    out->truncated = low;
    out->integer = gzi_reduced_cpl(&s->form, high) < gzi_reduced_cpl(&s->form, low) ? high : low;
    out->height_max = range->last;
    out->speedup = gzi_reduced_cpl(&s->form, 1) / gzi_reduced_cpl(&s->form, out->integer);
}

/* Whether all that the search computes stays a normal number. */
static int form_is_sound(const gzi_reduced *form, double pole)
{
    double volume = 1;
    for (int i = 0; i < form->dim; i++)
        volume *= form->block_len[i];
    return isnormal(form->per_h) && isnormal(form->per_hp) && isfinite(form->per_p * pole) &&
           isfinite(form->per_h * volume) && isfinite(form->per_h * volume + form->per_hp) &&
           isfinite(form->per_p * pole + form->per_hp);
}

/* gz_optimize after its checks, with a solver to use; leaves out->prediction alone. */
static gz_status optimize_height(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                 const gz_bounds *bounds, gsl_root_fdfsolver *solver,
                                 gz_optimum *out)
{
    struct range range;
    gz_status status = range_of(app, cfg, bounds, &range);
    if (status)
        return status;
    struct search s = {.form = gzi_reduce(dev, app, cfg)};
    start_search(&s, app, cfg);
    if (!form_is_sound(&s.form, s.pole))
        return GZ_EOVERFLOW;
    status = solve(&s, solver);
    if (status)
        return status;
    place_continuous(&s, &range, out);
    place_whole(&s, &range, out);
    return GZ_OK;
}

gz_status gz_optimize_many(const gz_device *dev, const gz_app *app, size_t n, const gz_config *cfg,
                           const gz_bounds *bounds, gz_optimum *out, gz_status *status)
{
    if (n && (!cfg || !out))
        return GZ_EARGUMENT;
    struct newton newton;
    gsl_root_fdfsolver *solver = start_newton(&newton);
    if (!solver)
        return GZ_ENOMEM;
    gz_status common = gzi_check_model(dev, app, NULL);
    gz_status first = GZ_OK;
    for (size_t k = 0; k < n; k++) {
        gz_status one = common ? common : gzi_check_config(dev, app, cfg + k, NULL);
        if (!one)
            one = optimize_height(dev, app, cfg + k, bounds, solver, out + k);
        if (!one)
            one = gzi_predict(dev, app, cfg + k, out[k].integer, &out[k].prediction);
        if (status)
            status[k] = one;
        if (!first)
            first = one;
    }
    return first;
}

gz_status gz_optimize(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                      const gz_bounds *bounds, gz_optimum *out)
{
    return gz_optimize_many(dev, app, 1, cfg, bounds, out, NULL);
}

/* -------------------------------------------------------------------------------------- tile */

/* The search for a tile. Shapes are visited with the longest first extent first. */
struct tiling {
    const gz_device *dev;
    const gz_app *app;
    gz_config cfg; /* the shape being looked at */
    double cap[GZ_MAX_DIM], step[GZ_MAX_DIM];
    double rest[GZ_MAX_DIM]; /* most elements that the later dimensions can have together */
    gsl_root_fdfsolver *solver;
    gz_tile *best;
    double best_cpl;
};

/* The largest multiple of `step` that is at most `length`. */
static double multiple(double length, double step)
{
    return floor(length / step) * step;
}

/* Optimises the height of one complete shape and keeps it if it is better. */
static gz_status try_shape(struct tiling *tiling)
{
    gz_optimum optimum;
    gz_status status =
        optimize_height(tiling->dev, tiling->app, &tiling->cfg, NULL, tiling->solver, &optimum);
    if (!status)
        status = gzi_predict(tiling->dev, tiling->app, &tiling->cfg, optimum.integer,
                             &optimum.prediction);
    if (status)
        return status;
    tiling->best->shapes++;
    if (optimum.prediction.cpl < tiling->best_cpl) {
        tiling->best_cpl = optimum.prediction.cpl;
        tiling->best->optimum = optimum;
        for (int i = 0; i < tiling->app->dim; i++)
            tiling->best->block_len[i] = tiling->cfg.block_len[i];
    }
    return GZ_OK;
}

/* Tries the lengths of dimension i and those after it, with room for `volume` elements. The last
 * dimension takes all that is left. A length that leaves the others no more than a longer one does,
 * or no more that they can use, would lose to that one, so it is passed over. */
static gz_status try_lengths(struct tiling *tiling, int i, double volume)
{
    double halo = tiling->app->halo_width[i], step = tiling->step[i];
    int last = i == tiling->app->dim - 1;
    double length = multiple(fmin(tiling->cap[i], volume), step);
    while (length > halo && length >= 1) {
        double left = floor(volume / length);
        tiling->cfg.block_len[i] = length;
        gz_status status = last ? try_shape(tiling) : try_lengths(tiling, i + 1, left);
        if (status || last || left >= tiling->rest[i])
            return status;
        length = fmin(length - step, multiple(floor(volume / (left + 1)), step));
    }
    return GZ_OK;
}

static int whole_limit(double value)
{
    return value >= 0 && value <= GZI_DATA_LENGTH_MAX && value == floor(value);
}

/* Elements a tile may have, from the limits; 0 where they make no sense. */
static double tile_room(const gz_app *app, const gz_tile_limits *limits)
{
    if (!whole_limit(limits->threads) || !whole_limit(limits->shared_bytes) ||
        !whole_limit(limits->arrays_held))
        return 0;
    for (int i = 0; i < app->dim; i++)
        if (!whole_limit(limits->block_max[i]) || !whole_limit(limits->block_step[i]))
            return 0;
    double room = HUGE_VAL;
    if (limits->threads > 0)
        room = limits->threads;
    double held = limits->arrays_held > 0 ? limits->arrays_held : app->stencil_arrays.value + 1;
    if (limits->shared_bytes > 0)
        room = fmin(room, floor(limits->shared_bytes / (app->element_size.value * held)));
    return isfinite(room) ? room : 0;
}

/* The most that each dimension can have, and those after it; what all can have together. */
static double reach(struct tiling *tiling, const gz_tile_limits *limits)
{
    double all = 1;
    for (int i = tiling->app->dim - 1; i >= 0; i--) {
        tiling->step[i] = fmax(1, limits->block_step[i]);
        tiling->cap[i] = fmin(floor(tiling->cfg.data_length[i]), GZI_BLOCK_LEN_MAX);
        if (limits->block_max[i] > 0)
            tiling->cap[i] = fmin(tiling->cap[i], limits->block_max[i]);
        tiling->rest[i] = all;
        all *= multiple(tiling->cap[i], tiling->step[i]);
    }
    return all;
}

gz_tile_limits gz_tile_limits_of(const gz_device *dev)
{
    gz_tile_limits limits = {.threads = dev->max_threads_per_block.value};
    if (dev->shared_mem_per_block.origin != GZ_ORIGIN_NONE)
        limits.shared_bytes = dev->shared_mem_per_block.value;
    return limits;
}

gz_status gz_optimize_tile(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           const gz_tile_limits *limits, gz_tile *out)
{
    gz_status status = gzi_check_model(dev, app, NULL);
    if (!status && (!cfg || !limits || !out))
        status = GZ_EARGUMENT;
    if (!status)
        status = gzi_check_grid(dev, app, cfg, NULL);
    if (status)
        return status;
    double room = tile_room(app, limits);
    struct tiling tiling = {dev, app, *cfg, .best = out, .best_cpl = HUGE_VAL};
    if (room < reach(&tiling, limits) && room > GZ_TILE_MAX && app->dim > 1)
        return GZ_ELIMITS;
    struct newton newton;
    tiling.solver = start_newton(&newton);
    if (!tiling.solver)
        return GZ_ENOMEM;
    *out = (gz_tile){.shapes = 0};
    status = try_lengths(&tiling, 0, room);
    return status ? status : out->shapes ? GZ_OK : GZ_ELIMITS;
}
