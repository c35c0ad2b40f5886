/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edge.h"

#include <math.h>

/* By how much the largest sizes must be slower than the smallest for an edge to be in sight. */
static const double in_sight = 1.2;

/* An edge at the largest size is none that was seen. */
static const double within = 0.75;

static const double most_sharpness = 16; /* the least is 1 */

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
    edge->sharpness = fmin(fmax(exp(ln_sharpness), 1), most_sharpness);
}

bool gzc_edge_fit(const double *bytes, const double *seconds, int n, struct gzc_edge *edge)
{
    enum { CACHES = 24, SHARPNESSES = 6, LEAST = 6, ROUNDS = 24 };
    struct points p = {bytes, seconds, n};
    for (int i = 0; i < n; i++)
        if (!(seconds[i] > 0))
            return false;
    if (n < LEAST || seconds[n - 1] + seconds[n - 2] < in_sight * (seconds[0] + seconds[1]))
        return false;
    /* On a grid of both in logarithms, then on ever smaller ones about the best. */
    double cache = log(bytes[n - 1] / bytes[0]) / 2, sharpness = log(most_sharpness) / 2;
    double best = HUGE_VAL, best_cache = log(bytes[0]) + cache, best_sharpness = sharpness;
    for (int round = 0; round < ROUNDS; round++, cache /= 2, sharpness /= 2) {
        double middle_cache = best_cache, middle_sharpness = best_sharpness;
        for (int c = -CACHES; c <= CACHES; c++)
            for (int s = -SHARPNESSES; s <= SHARPNESSES; s++) {
                double at_cache = middle_cache + cache * c / CACHES;
                double at_sharpness = middle_sharpness + sharpness * s / SHARPNESSES;
                struct gzc_edge at;
                place(&p, at_cache, at_sharpness, &at);
                double squares = solve(&p, &at);
                if (squares >= best)
                    continue;
                best = squares;
                best_cache = at_cache;
                best_sharpness = at_sharpness;
                *edge = at;
            }
    }
    return edge->beyond > 0 && edge->cache < within * bytes[n - 1];
}
