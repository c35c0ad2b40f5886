/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * newton.c - the best height of a tile, by a bracketed Newton iteration on GSL's root finder.
 *
 * In h alone, CPL(h) = c_h / h + c_p / P(h) + c_hp / (h P(h)) with positive coefficients (see
 * monomials.h). Each term is log-convex on (0, pole), so the minimiser is unique and is the root of
 * dCPL/dh. Written with epsilon(h) = -P'/P = sum_i w_i / (b_i - w_i h), that root is where
 *
 *     G = ln( h epsilon(h) ) + ln( c_p h + c_hp ) - ln( c_h P(h) + c_hp ) = 0,
 *
 * the logarithm of what grows with h over what it saves. G rises monotonically; and over
 * u = ln( h / (pole - h) ) it is close to a straight line: its slope tends to a constant on either
 * side. So Newton's method in u converges in a few steps from anywhere, and no u is beyond the
 * pole: the map from u to h takes the whole line into (0, pole). A bracket kept from the signs of G
 * catches what Newton might still do wrong; lengths near the pole are computed from the distance
 * to it, so nothing cancels there.
 */
#include "fail.h"
#include "monomials.h"

#include <gsl/gsl_roots.h>
#include <math.h>

/* Largest |u| looked at: h and its distance to the pole down to 1e-147 of the pole, whose squares
 * are still normal numbers. */
#define U_LIMIT 338.0

/* Newton ends when its next step in u would be smaller than this times max(1, |u|). */
#define STEP_TOLERANCE 4e-15

/* What is accepted as an interior minimiser: |d ln CPL / d ln h| up to this, and Newton's next step
 * in u up to that. The first alone accepts any height if CPL is flat over decades. */
#define OPTIMALITY_TOLERANCE 1e-9
#define ROOT_TOLERANCE 1e-12

#define MAX_STEPS 200

/* The state of one search: the function, and the bracket found from its evaluations. */
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

static void start_search(struct search *s, double pole)
{
    const double *b = s->form.block_len, *w = s->form.halo_width;
    int first = 0; /* the dimension that runs out first */
    for (int i = 1; i < s->form.dim; i++)
        if (b[i] * w[first] < b[first] * w[i])
            first = i;
    s->pole = pole;
    /* Multiplied out, so that whole numbers give exactly 0 if a dimension ends at the pole. */
    for (int i = 0; i < s->form.dim; i++)
        s->slack[i] = fmax(0, b[i] * w[first] - b[first] * w[i]) / w[first];
    s->lower = -U_LIMIT;
    s->upper = U_LIMIT;
    s->evaluations = 0;
}

/* Evaluates G and its slope at u and narrows the bracket. GSL calls for value and slope separately
 * when it starts; the second call is free. */
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
    /* One logarithm of a ratio near 1 is exact to rounding at the root; three if it overflows. */
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

/* The starting point: G = 0 with the powers of 1 - h/pole taken as one, a quadratic in h/pole. */
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
    double dims = sum / narrow; /* how many dimensions with the largest ratio have this sum */
    double x = f->per_p * s->pole / f->per_hp, y = 1 + f->per_h * p / f->per_hp;
    double b = (dims + 1) * y;
    double fraction = 2 * y / (b + sqrt(b * b + 4 * dims * x * y));
    double u = log(fraction / (1 - fraction));
    return isfinite(u) ? fmin(fmax(u, -U_LIMIT / 2), U_LIMIT / 2) : 0;
}

/* Solves G(u) = 0; if it returns 1, the last evaluation of `s` is at the root. */
static int solve(struct search *s, gsl_root_fdfsolver *solver)
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
    return s->optimality <= OPTIMALITY_TOLERANCE && fabs(s->g) <= ROOT_TOLERANCE * s->slope;
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

/* The continuous minimiser within the heights, from the unbounded one that `s` has found; that one
 * may be closer to the pole than the doubles are. */
static void place_continuous(const struct search *s, const gzi_heights *heights, gz_optimum *out)
{
    out->stop = s->h < heights->lower   ? GZ_STOP_LOWER
                : s->h > heights->upper ? GZ_STOP_UPPER
                                        : GZ_STOP_INTERIOR;
    out->continuous = fmin(fmin(fmax(s->h, heights->lower), heights->upper), heights->below_pole);
    out->optimality = s->optimality;
    if (out->stop != GZ_STOP_INTERIOR)
        out->optimality = fabs(elasticity(&s->form, out->continuous));
    out->cpl = gzi_reduced_cpl(&s->form, out->continuous);
    out->evaluations = s->evaluations;
}

static int clamp(double value, const gzi_heights *heights)
{
    return (int)fmin(fmax(value, heights->first), heights->last);
}

/* The paper's rule and the best whole height. By convexity the latter is a neighbour of the
 * continuous minimiser. */
static void place_whole(const struct search *s, const gzi_heights *heights, gz_optimum *out)
{
    double below = floor(out->continuous);
    int low = clamp(below, heights), high = clamp(below + 1, heights);
    out->truncated = low;
    out->integer = gzi_reduced_cpl(&s->form, high) < gzi_reduced_cpl(&s->form, low) ? high : low;
    out->height_max = heights->last;
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

void *gzi_newton_new(const gz_device *dev, const gz_app *app)
{
    (void)dev, (void)app;
    return gsl_root_fdfsolver_alloc(gsl_root_fdfsolver_newton);
}

void gzi_newton_free(void *work)
{
    gsl_root_fdfsolver_free(work);
}

gz_status gzi_newton(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                     const gzi_heights *heights, void *work, gz_optimum *out, gz_error *error)
{
    struct search s = {.form = gzi_reduce(dev, app, cfg)};
    start_search(&s, heights->pole);
    if (!form_is_sound(&s.form, s.pole))
        return gzi_fail_overflow(error);
    if (!solve(&s, work))
        return gzi_fail(error, GZ_ECONVERGE,
                        "the optimality condition could not be met: |d ln CPL / d ln h| is %g at "
                        "h = %g",
                        s.optimality, s.h);
    place_continuous(&s, heights, out);
    place_whole(&s, heights, out);
    return GZ_OK;
}
