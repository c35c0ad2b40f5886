/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "second.h"

#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 5, MAX_HEIGHT = 64 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of n values; NaN for none. Sorts them. */
static double quantile(double *values, size_t n, double q)
{
    if (n == 0)
        return (double)NAN;
    qsort(values, n, sizeof *values, ascending);
    return cli_quantile(values, n, q);
}

/* The points of one number, chosen among by the model. */
typedef struct choice {
    double best;                        /* smallest measured time */
    double chosen;                      /* measured time of the smallest predicted */
    double predicted[FIRST], of[FIRST]; /* the model's first five, and what they took */
    int found;
    int best_mode, chosen_mode;
    double best_of_mode[3];
} choice;

static void consider(choice *c, const second_point *p)
{
    int at = c->found;
    if (c->found == 0 || p->seconds < c->best) {
        c->best = p->seconds;
        c->best_mode = p->mode;
    }
    if (c->best_of_mode[p->mode] == 0 || p->seconds < c->best_of_mode[p->mode])
        c->best_of_mode[p->mode] = p->seconds;
    if (isnan(p->predicted))
        return;
    while (at > 0 && p->predicted < c->predicted[at - 1])
        at--;
    if (at >= FIRST)
        return;
    if (c->found < FIRST)
        c->found++;
    for (int i = c->found - 1; i > at; i--) {
        c->predicted[i] = c->predicted[i - 1];
        c->of[i] = c->of[i - 1];
    }
    c->predicted[at] = p->predicted;
    c->of[at] = p->seconds;
    if (at == 0)
        c->chosen_mode = p->mode;
    c->chosen = c->of[0];
}

static double best_of_five(const choice *c)
{
    double best = (double)INFINITY;
    for (int i = 0; i < c->found; i++)
        best = fmin(best, c->of[i]);
    return best;
}

/* A number of a point: its curve, pair or problem. */
typedef int number_of(const second_point *p);
static int curve_of(const second_point *p)
{
    return p->curve;
}
static int pair_of(const second_point *p)
{
    return p->pair;
}
static int problem_of(const second_point *p)
{
    return p->problem;
}

static choice *choices(const second_point *points, size_t n, number_of *number, size_t *count)
{
    choice *all;
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (number(&points[i]) >= (int)*count)
            *count = (size_t)number(&points[i]) + 1;
    all = calloc(*count ? *count : 1, sizeof *all);
    for (size_t i = 0; all && i < n; i++)
        if (number(&points[i]) >= 0)
            consider(&all[number(&points[i])], &points[i]);
    return all;
}

static void regrets(const choice *all, size_t count, double *work, double out[3], double five[2])
{
    size_t k = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].found)
            work[k++] = all[i].chosen / all[i].best - 1;
    out[0] = quantile(work, k, 0.5);
    out[1] = quantile(work, k, 0.95);
    out[2] = quantile(work, k, 1);
    k = 0;
    for (size_t i = 0; five && i < count; i++)
        if (all[i].found)
            work[k++] = best_of_five(&all[i]) / all[i].best - 1;
    if (five) {
        five[0] = quantile(work, k, 0.5);
        five[1] = quantile(work, k, 0.95);
    }
}

/* The best constant height: that with the least sum of logarithms of regrets, in which a curve
 * without it takes its highest below. */
static void constant_height(const second_point *points, size_t n, const choice *curve,
                            size_t curves, double *work, second_verdict *out)
{
    double least = (double)INFINITY;
    for (int h = 1; h < MAX_HEIGHT; h++) {
        double sum = 0;
        for (size_t c = 0; c < curves; c++)
            work[c] = 0;
        /* work: height taken, then its time */
        for (size_t i = 0; i < n; i++) {
            const second_point *p = &points[i];
            double *taken = &work[p->curve], *time = &work[curves + (size_t)p->curve];
            if (p->height <= h && p->height > *taken) {
                *taken = p->height;
                *time = p->seconds;
            }
        }
        for (size_t c = 0; c < curves; c++)
            if (work[c] > 0)
                sum += log(work[curves + c] / curve[c].best);
        if (sum < least) {
            size_t k = 0;
            least = sum;
            double *regret = work + 2 * curves;
            for (size_t c = 0; c < curves; c++)
                if (work[c] > 0)
                    regret[k++] = work[curves + c] / curve[c].best - 1;
            out->constant = quantile(regret, k, 0.5);
            out->constant_95 = quantile(regret, k, 0.95);
        }
    }
}

int second_judge(const second_point *points, size_t n, double half_width, second_verdict *out)
{
    double *work = malloc((3 * n + 1) * sizeof *work), *ratio = malloc((n + 1) * sizeof *ratio);
    size_t covered = 0, stated = 0, right = 0, within = 0, k = 0;
    choice *curve, *pair, *problem;

    memset(out, 0, sizeof *out);
    curve = choices(points, n, curve_of, &out->curves);
    pair = choices(points, n, pair_of, &out->pairs);
    problem = choices(points, n, problem_of, &out->problems);
    if (work && ratio && curve && pair && problem) {
        for (size_t i = 0; i < n; i++) {
            if (points[i].used || isnan(points[i].predicted))
                continue;
            ratio[out->points] = points[i].predicted / points[i].seconds;
            work[out->points] = fabs(ratio[out->points] - 1);
            int own = points[i].high > 0;
            covered +=
                own ? points[i].low <= points[i].seconds && points[i].seconds <= points[i].high
                    : fabs(log(ratio[out->points])) <= half_width;
            stated += own || !isnan(half_width);
            out->points++;
        }
        out->coverage = stated ? (double)covered / (double)stated : (double)NAN;
        out->error[0] = quantile(work, out->points, 0.5);
        out->error[1] = quantile(work, out->points, 0.95);
        out->bias = quantile(ratio, out->points, 0.5);
        regrets(curve, out->curves, work, out->height, NULL);
        constant_height(points, n, curve, out->curves, work, out);
        double joint[3], mode[3];
        regrets(pair, out->pairs, work, mode, NULL);
        regrets(problem, out->problems, work, joint, out->joint_five);
        memcpy(out->mode, mode, sizeof out->mode);
        memcpy(out->joint, joint, sizeof out->joint);
        for (size_t i = 0; i < out->pairs; i++) {
            right += pair[i].chosen_mode == pair[i].best_mode;
            within += pair[i].best_of_mode[pair[i].chosen_mode] <= 1.02 * pair[i].best;
        }
        out->mode_right = out->pairs ? (double)right / (double)out->pairs : (double)NAN;
        out->mode_within_2 = out->pairs ? (double)within / (double)out->pairs : (double)NAN;
        k = 1;
    }
    free(work);
    free(ratio);
    free(curve);
    free(pair);
    free(problem);
    return k ? 0 : -1;
}
