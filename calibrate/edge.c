/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edge.h"

#include <gsl/gsl_multimin.h>
#include <math.h>

/* By how much the largest sizes must be slower than the smallest for an edge to be in sight. */
static const double in_sight = 1.2;

/* An edge at the largest size is none that was seen. */
static const double within = 0.75;

static const double least_sharpness = 1, most_sharpness = 16;

struct points {
    const double *bytes, *seconds;
    int n;
};

static double share_beyond(double bytes, double cache, double sharpness)
{
    return 1 / (1 + pow(cache / bytes, sharpness));
}

/* The best `inside` and `beyond`, both at least 0, at a cache and sharpness; the sum of squares. */
static double solve(const struct points *p, struct gzc_edge *edge)
{
    double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0, squares = 0;
    for (int i = 0; i < p->n; i++) {
        double a = 1 / p->seconds[i];
        double b = a * share_beyond(p->bytes[i], edge->cache, edge->sharpness);
        aa += a * a;
        ab += a * b;
        bb += b * b;
        a1 += a;
        b1 += b;
    }
    double determinant = aa * bb - ab * ab;
    edge->inside = determinant > 0 ? (a1 * bb - b1 * ab) / determinant : a1 / aa;
    edge->beyond = determinant > 0 ? (b1 * aa - a1 * ab) / determinant : 0;
    if (edge->inside < 0) {
        edge->inside = 0;
        edge->beyond = b1 / bb;
    } else if (edge->beyond < 0) {
        edge->inside = a1 / aa;
        edge->beyond = 0;
    }
    for (int i = 0; i < p->n; i++) {
        double time =
            edge->inside + edge->beyond * share_beyond(p->bytes[i], edge->cache, edge->sharpness);
        squares += (time / p->seconds[i] - 1) * (time / p->seconds[i] - 1);
    }
    return squares;
}

/* A point of the search, ln cache and ln sharpness, kept within the bounds. */
static void place(const struct points *p, double ln_cache, double ln_sharpness,
                  struct gzc_edge *edge)
{
    edge->cache = fmin(fmax(exp(ln_cache), p->bytes[0]), p->bytes[p->n - 1]);
    edge->sharpness = fmin(fmax(exp(ln_sharpness), least_sharpness), most_sharpness);
}

static double cost(const gsl_vector *x, void *points)
{
    struct gzc_edge edge;
    place(points, gsl_vector_get(x, 0), gsl_vector_get(x, 1), &edge);
    return solve(points, &edge);
}

/* Nelder and Mead's search from the best of a grid. */
static void refine(struct points *p, struct gzc_edge *edge)
{
    enum { STEPS = 400 };
    gsl_vector *x = gsl_vector_alloc(2), *step = gsl_vector_alloc(2);
    gsl_multimin_fminimizer *search =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, 2);
    gsl_multimin_function function = {.f = cost, .n = 2, .params = p};
    if (x && step && search) {
        gsl_vector_set(x, 0, log(edge->cache));
        gsl_vector_set(x, 1, log(edge->sharpness));
        gsl_vector_set_all(step, 0.1);
        gsl_multimin_fminimizer_set(search, &function, x, step);
        for (int k = 0; k < STEPS && gsl_multimin_fminimizer_size(search) > 1e-7; k++)
            if (gsl_multimin_fminimizer_iterate(search) != 0)
                break;
        place(p, gsl_vector_get(search->x, 0), gsl_vector_get(search->x, 1), edge);
    }
    if (search)
        gsl_multimin_fminimizer_free(search);
    gsl_vector_free(x);
    gsl_vector_free(step);
}

bool gzc_edge_fit(const double *bytes, const double *seconds, int n, struct gzc_edge *edge)
{
    enum { CACHES = 48, SHARPNESSES = 12, LEAST = 6 };
    struct points p = {bytes, seconds, n};
    double best = HUGE_VAL;
    for (int i = 0; i < n; i++)
        if (!(seconds[i] > 0))
            return false;
    if (n < LEAST || seconds[n - 1] + seconds[n - 2] < in_sight * (seconds[0] + seconds[1]))
        return false;
    for (int c = 0; c <= CACHES; c++)
        for (int s = 0; s <= SHARPNESSES; s++) {
            struct gzc_edge at;
            place(&p, log(bytes[0]) + log(bytes[n - 1] / bytes[0]) * c / CACHES,
                  log(most_sharpness / least_sharpness) * s / SHARPNESSES, &at);
            double squares = solve(&p, &at);
            if (squares < best) {
                best = squares;
                *edge = at;
            }
        }
    refine(&p, edge);
    solve(&p, edge);
    return edge->beyond > 0 && edge->cache < within * bytes[n - 1];
}
