/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "numbers.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 5, MAX_HEIGHT = 64, MODES = 3 };

/* Half-width of a 95 % interval in standard deviations. */
static const double z95 = 1.959963984540054;

/* What a small regret is: the paper's claim. */
static const double small_regret = 0.05;

/* --------------------------------------------------------------------------------------- points */

static bool same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

bool judge_same_grid(const measured_row *a, const measured_row *b)
{
    return a->app == b->app && same_lengths(a->cfg.data_length, b->cfg.data_length);
}

bool judge_same_tile(const measured_row *a, const measured_row *b)
{
    return judge_same_grid(a, b) && a->cfg.variant == b->cfg.variant &&
           same_lengths(a->tile, b->tile);
}

bool judge_same_curve(const measured_row *a, const measured_row *b)
{
    return judge_same_tile(a, b) && a->cfg.sync == b->cfg.sync;
}

size_t judge_points(const measured *table, bool all_variants, judge_point *out)
{
    size_t n = 0, single = 0, points = 0, sound = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->rows[i].kind == MEASURED_SWEEP) {
            single += table->rows[i].tries < 2;
            sound += table->rows[i].quality != MEASURED_NOISY;
            points++;
        }
    bool all = 2 * single < points || sound == 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const measured_row *r = &table->rows[i];
        if ((all_variants ? measured_is_point(r->kind) : r->kind == MEASURED_SWEEP) &&
            (all || r->quality != MEASURED_NOISY))
            out[n++] = (judge_point){.table = table,
                                     .row = r,
                                     .seconds = r->seconds,
                                     .predicted = (double)NAN,
                                     .low = (double)NAN,
                                     .high = (double)NAN};
    }
    judge_number(out, n);
    return n;
}

void judge_number(judge_point *points, size_t n)
{
    int curves = 0, tiles = 0, grids = 0;
    for (size_t i = 0; i < n; i++) {
        judge_point *p = &points[i];
        bool trapezoid = p->row->kind == MEASURED_SWEEP;
        p->curve = p->tile = p->grid = -1;
        for (size_t k = 0; k < i && p->curve < 0; k++) {
            const judge_point *q = &points[k];
            if (q->table != p->table || !judge_same_grid(q->row, p->row))
                continue;
            p->grid = q->grid;
            if (!trapezoid || !judge_same_tile(q->row, p->row))
                continue;
            p->tile = q->tile;
            if (judge_same_curve(q->row, p->row))
                p->curve = q->curve;
        }
        p->curve = p->curve < 0 && trapezoid ? curves++ : p->curve;
        p->tile = p->tile < 0 && trapezoid ? tiles++ : p->tile;
        p->grid = p->grid < 0 ? grids++ : p->grid;
    }
}

static gz_status predict(judge_point *p, gz_model model, gz_error *why)
{
    const measured_row *r = p->row;
    const gz_device *dev = &p->table->device;
    const gz_app *app = &p->table->apps[r->app].app;
    gz_config cfg = r->cfg;
    gz_prediction predicted;
    gz_uncertainty sure;
    cfg.model = model;
    *why = (gz_error){{0}};
    p->predicted = p->low = p->high = (double)NAN;
    gz_status status = gz_predict(dev, app, &cfg, r->height, &predicted, why);
    if (!status)
        status = gz_propagate(dev, app, &cfg, r->height, z95, &sure, why);
    if (status)
        return status;
    p->predicted = predicted.seconds_per_loop;
    p->low = sure.seconds[0];
    p->high = sure.seconds[1];
    return GZ_OK;
}

size_t judge_predict(judge_point *points, size_t n, gz_model model, gz_error *missing)
{
    size_t described = 0;
    for (size_t i = 0; i < n; i++) {
        gz_error why, *first = &missing[points[i].row->cfg.variant];
        gz_status status = predict(&points[i], model, &why);
        described += status == GZ_OK;
        if (status && !first->text[0])
            snprintf(first->text, sizeof first->text, "%s cannot predict %s, %s: %.200s",
                     gz_name(GZ_MODELS, model), points[i].table->apps[points[i].row->app].name,
                     gz_name(GZ_SYNCS, points[i].row->cfg.sync),
                     why.text[0] ? why.text : gz_strerror(status));
    }
    return described;
}

/* ------------------------------------------------------------------------------------ quantiles */

/* Numbers to take quantiles of; NaN is not taken in. */
typedef struct bag {
    double *values;
    size_t n;
} bag;

static void put(bag *b, double x)
{
    if (!isnan(x))
        b->values[b->n++] = x;
}

/* The median and the 95th percentile; empties the bag. */
static void spread(bag *b, double out[2])
{
    cli_sort(b->values, b->n);
    out[0] = cli_quantile(b->values, b->n, 0.5);
    out[1] = cli_quantile(b->values, b->n, 0.95);
    b->n = 0;
}

static double median(bag *b)
{
    double both[2];
    spread(b, both);
    return both[0];
}

static double share(size_t part, size_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

/* -------------------------------------------------------------------------------------- choices */

/* The points of one curve, tile or grid, chosen among by the model: places among the points. */
typedef struct choice {
    size_t found, first[FIRST]; /* the model's first five */
    size_t best, best_of_mode[MODES];
    size_t described;         /* points that the model describes */
    unsigned variants, modes; /* bits of those seen, of the described ones */
} choice;

static void consider(choice *c, const judge_point *points, size_t i)
{
    const judge_point *p = &points[i];
    unsigned mode = p->row->cfg.sync;
    size_t at = c->found;
    if (isnan(p->predicted))
        return;
    if (c->described++ == 0 || p->seconds < points[c->best].seconds)
        c->best = i;
    if (!(c->modes & 1u << mode) || p->seconds < points[c->best_of_mode[mode]].seconds)
        c->best_of_mode[mode] = i;
    c->modes |= 1u << mode;
    c->variants |= 1u << p->row->cfg.variant;
    while (at > 0 && p->predicted < points[c->first[at - 1]].predicted)
        at--;
    if (at >= FIRST)
        return;
    c->found += c->found < FIRST;
    for (size_t k = c->found - 1; k > at; k--)
        c->first[k] = c->first[k - 1];
    c->first[at] = i;
}

/* A number of a point: its curve, tile or grid, by its place in the point. */
static int number_of(const judge_point *p, size_t place)
{
    return *(const int *)(const void *)((const char *)p + place);
}

/* The choices, to be freed; NULL without memory. */
static choice *choices(const judge_point *points, size_t n, size_t place, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (number_of(&points[i], place) >= (int)*count)
            *count = (size_t)number_of(&points[i], place) + 1;
    choice *all = calloc(*count + 1, sizeof *all);
    for (size_t i = 0; all && i < n; i++)
        if (number_of(&points[i], place) >= 0)
            consider(&all[number_of(&points[i], place)], points, i);
    return all;
}

static double regret(const judge_point *points, const choice *c, size_t chosen)
{
    return points[chosen].seconds / points[c->best].seconds - 1;
}

/* The best measured of the first five. */
static size_t best_of_five(const judge_point *points, const choice *c)
{
    size_t best = c->first[0];
    for (size_t k = 1; k < c->found; k++)
        if (points[c->first[k]].seconds < points[best].seconds)
            best = c->first[k];
    return best;
}

/* -------------------------------------------------------------------------- cross-fitted regret */

/* A point's time by every second of its tries, from number `from` on; NaN if there are none. */
static double half_time(const judge_point *p, int from)
{
    double each[MEASURED_MAX_TRIES];
    size_t n = 0;
    for (int k = from; k < p->row->tries; k += 2)
        each[n++] = p->row->each[k];
    cli_sort(each, n);
    return cli_tried(each, n);
}

/* The point of least time by one half among those that the other half has timed, too: of a grid, or
 * of the model's first `among`. `n` if there is none. */
static size_t best_by_half(const judge_point *points, size_t n, int grid, const choice *c,
                           size_t among, int half)
{
    size_t best = n;
    double least = HUGE_VAL;
    for (size_t k = 0; k < (c ? among : n); k++) {
        size_t i = c ? c->first[k] : k;
        double time = half_time(&points[i], half);
        if (points[i].grid == grid && points[i].row->tries > 1 && !isnan(points[i].predicted) &&
            time < least) {
            least = time;
            best = i;
        }
    }
    return best;
}

/* The cross-fitted loss on a grid of the best of the model's first `among`; NaN without tries. */
static double cross_regret(const judge_point *points, size_t n, const choice *c, size_t among)
{
    double sum = 0;
    for (int half = 0; half < 2; half++) {
        int grid = points[c->best].grid;
        size_t best = best_by_half(points, n, grid, NULL, 0, half),
               own = best_by_half(points, n, grid, c, among < c->found ? among : c->found, half);
        if (best == n || own == n)
            return (double)NAN;
        sum += half_time(&points[own], 1 - half) / half_time(&points[best], 1 - half) - 1;
    }
    return sum / 2;
}

/* --------------------------------------------------------------------------------------- curves */

/* A curve's points that the model describes, ascending in height. */
typedef struct heights {
    const judge_point *at[MAX_HEIGHT];
    size_t n;
} heights;

static int by_height(const void *a, const void *b)
{
    const judge_point *const *x = a, *const *y = b;
    return (*x)->row->height - (*y)->row->height;
}

static void collect(const judge_point *points, size_t n, int number, heights *c)
{
    c->n = 0;
    for (size_t i = 0; i < n && c->n < MAX_HEIGHT; i++)
        if (points[i].curve == number && !isnan(points[i].predicted))
            c->at[c->n++] = &points[i];
    qsort(c->at, c->n, sizeof c->at[0], by_height);
}

/* Time per loop at any height within the range of a curve: measured, or interpolated between
 * neighbours in logarithms. */
static double time_at(const heights *c, double height)
{
    size_t k = 0;
    while (k + 1 < c->n && c->at[k + 1]->row->height <= height)
        k++;
    const judge_point *p = c->at[k];
    if (height <= p->row->height || k + 1 == c->n)
        return p->seconds;
    const judge_point *q = c->at[k + 1];
    double part = log(height / p->row->height) / log((double)q->row->height / p->row->height);
    return exp(log(p->seconds) + part * log(q->seconds / p->seconds));
}

/* Regret of adaptive selection from a height, if each stage took what the curve says. */
static double simulate(const heights *c, int start, double best_s)
{
    gz_adapt state;
    double total = 0;
    gz_adapt_start(&state, start, c->at[c->n - 1]->row->height, 0, NULL);
    for (int left = JUDGE_LOOPS; left > 0;) {
        int h = gz_adapt_next(&state, left);
        double stage = h * time_at(c, h);
        gz_adapt_report(&state, h, stage, NULL);
        total += stage;
        left -= h;
    }
    return total / (JUDGE_LOOPS * best_s) - 1;
}

static double correlation(const heights *c)
{
    enum { LEAST = 4 };
    double predicted[MAX_HEIGHT], seconds[MAX_HEIGHT], work[2 * MAX_HEIGHT];
    for (size_t k = 0; k < c->n; k++) {
        predicted[k] = c->at[k]->predicted;
        seconds[k] = c->at[k]->seconds;
    }
    return c->n < LEAST ? (double)NAN : gsl_stats_spearman(predicted, 1, seconds, 1, c->n, work);
}

/* A run under adaptive selection on the device, over the best of its curve. */
static double real_regret(const judge_point *best, measured_kind kind)
{
    for (size_t k = 0; k < best->table->n_rows; k++) {
        const measured_row *r = &best->table->rows[k];
        if (r->kind == kind && judge_same_curve(r, best->row))
            return r->seconds / best->seconds - 1;
    }
    return (double)NAN;
}

/* What is asked of each curve: one number, NaN if it has none. */
typedef enum question { ONE, CORRELATION, FROM_ONE, FROM_MODEL, REAL_ONE, REAL_MODEL } question;

static double answer(const judge_point *points, const choice *c, const heights *own, question q)
{
    const judge_point *best = &points[c->best];
    bool has_one = own->n > 0 && own->at[0]->row->height == 1;
    switch (q) {
    case ONE:
        return has_one ? own->at[0]->seconds / best->seconds - 1 : (double)NAN;
    case CORRELATION:
        return correlation(own);
    case FROM_ONE:
        return has_one && own->n > 1 ? simulate(own, 1, best->seconds) : (double)NAN;
    case FROM_MODEL:
        return own->n > 1 ? simulate(own, points[c->first[0]].row->height, best->seconds)
                          : (double)NAN;
    case REAL_ONE:
        return real_regret(best, MEASURED_FROM_ONE);
    default:
        return real_regret(best, MEASURED_FROM_MODEL);
    }
}

/* The medians of what is asked of every curve. */
static void ask_curves(const judge_point *points, size_t n, const choice *all, size_t count, bag *b,
                       judge_verdict *v)
{
    double *const into[] = {&v->one,        &v->correlation,   &v->from_one,
                            &v->from_model, &v->real_from_one, &v->real_from_model};
    for (size_t q = 0; q < sizeof into / sizeof *into; q++) {
        for (size_t k = 0; k < count; k++) {
            heights own;
            collect(points, n, (int)k, &own);
            if (all[k].found)
                put(b, answer(points, &all[k], &own, (question)q));
        }
        *into[q] = median(b);
    }
}

/* The best constant height: that with the least sum of logarithms of regrets, in which a curve
 * without it takes its highest below. `taken` and `time` have room for one a curve. */
static void constant_height(const judge_point *points, size_t n, const choice *all, size_t count,
                            double *taken, double *time, bag *b, double out[2])
{
    double least = HUGE_VAL;
    for (int h = 1; h < MAX_HEIGHT; h++) {
        double sum = 0;
        memset(taken, 0, count * sizeof *taken);
        for (size_t i = 0; i < n; i++)
            if (points[i].curve >= 0 && points[i].row->height <= h &&
                points[i].row->height > taken[points[i].curve]) {
                taken[points[i].curve] = points[i].row->height;
                time[points[i].curve] = points[i].seconds;
            }
        for (size_t c = 0; c < count; c++)
            sum += taken[c] > 0 && all[c].found ? log(time[c] / points[all[c].best].seconds) : 0;
        if (sum >= least)
            continue;
        least = sum;
        for (size_t c = 0; c < count; c++)
            if (taken[c] > 0 && all[c].found)
                put(b, time[c] / points[all[c].best].seconds - 1);
        spread(b, out);
    }
}

/* -------------------------------------------------------------------------------------- verdict */

static void judge_times(const judge_point *points, size_t n, bag *b, judge_verdict *v)
{
    size_t covered = 0, stated = 0;
    for (size_t i = 0; i < n; i++) {
        const judge_point *p = &points[i];
        if (p->used || isnan(p->predicted))
            continue;
        v->points++;
        stated += p->high > 0;
        covered += p->low <= p->seconds && p->seconds <= p->high;
        put(b, fabs(p->predicted / p->seconds - 1));
    }
    spread(b, v->error);
    for (size_t i = 0; i < n; i++)
        if (!points[i].used)
            put(b, points[i].predicted / points[i].seconds);
    v->ratio = median(b);
    for (size_t i = 0; i < n; i++)
        if (!points[i].used && points[i].low > 0)
            put(b, sqrt(points[i].high / points[i].low));
    v->width = median(b);
    v->coverage = share(covered, stated);
}

static void judge_heights(const judge_point *points, const choice *all, size_t count, bag *b,
                          judge_verdict *v)
{
    size_t small = 0;
    for (size_t k = 0; k < count; k++) {
        if (!all[k].found)
            continue;
        v->curves++;
        small += regret(points, &all[k], all[k].first[0]) <= small_regret;
        put(b, regret(points, &all[k], all[k].first[0]));
    }
    spread(b, v->height);
    v->within_5 = share(small, v->curves);
}

static void judge_modes(const judge_point *points, const choice *all, size_t count,
                        judge_verdict *v)
{
    size_t within = 0;
    for (size_t k = 0; k < count; k++) {
        const choice *c = &all[k];
        if (!c->found || !(c->modes & (c->modes - 1)))
            continue;
        unsigned mode = points[c->first[0]].row->cfg.sync;
        v->tiles++;
        within += regret(points, c, c->best_of_mode[mode]) <= 0.02;
    }
    v->mode_within_2 = share(within, v->tiles);
}

static void judge_grids(const judge_point *points, size_t n, const choice *all, size_t count,
                        bool cross, bag *b, judge_verdict *v)
{
    size_t several = 0, right = 0, timed = 0;
    double sum[2] = {0, 0};
    for (size_t k = 0; k < count; k++) {
        const choice *c = &all[k];
        if (!c->found)
            continue;
        v->grids++;
        put(b, regret(points, c, c->first[0]));
        if (c->variants & (c->variants - 1)) {
            several++;
            right += points[c->first[0]].row->cfg.variant == points[c->best].row->cfg.variant;
        }
        double first = cross ? cross_regret(points, n, c, 1) : (double)NAN;
        double five = cross ? cross_regret(points, n, c, FIRST) : (double)NAN;
        if (!isnan(first) && !isnan(five)) {
            timed++;
            sum[0] += first;
            sum[1] += five;
        }
    }
    spread(b, v->joint);
    v->variant_right = share(right, several);
    v->joint_cross = timed ? sum[0] / (double)timed : (double)NAN;
    v->joint_five_cross = timed ? sum[1] / (double)timed : (double)NAN;
    for (size_t k = 0; k < count; k++)
        if (all[k].found)
            put(b, regret(points, &all[k], best_of_five(points, &all[k])));
    spread(b, v->joint_five);
}

/* `whole`: with what a floor does not state. */
static gz_status judge_all(const judge_point *points, size_t n, bool whole, judge_verdict *out)
{
    size_t curves, tiles, grids;
    choice *curve = choices(points, n, offsetof(judge_point, curve), &curves),
           *tile = choices(points, n, offsetof(judge_point, tile), &tiles),
           *grid = choices(points, n, offsetof(judge_point, grid), &grids);
    double *work = malloc((3 * n + 1) * sizeof *work);
    gz_status status = curve && tile && grid && work ? GZ_OK : GZ_ENOMEM;
    *out = (judge_verdict){0};
    if (!status) {
        bag b = {.values = work};
        judge_times(points, n, &b, out);
        judge_heights(points, curve, curves, &b, out);
        judge_modes(points, tile, tiles, out);
        judge_grids(points, n, grid, grids, whole, &b, out);
        if (whole) {
            out->constant[0] = out->constant[1] = (double)NAN;
            ask_curves(points, n, curve, curves, &b, out);
            constant_height(points, n, curve, curves, work + n, work + 2 * n, &b, out->constant);
        }
        if (out->grids < JUDGE_ENOUGH)
            out->height[1] = out->constant[1] = out->joint[1] = out->joint_five[1] = (double)NAN;
    }
    free(curve);
    free(tile);
    free(grid);
    free(work);
    return status;
}

gz_status judge(const judge_point *points, size_t n, judge_verdict *out)
{
    return judge_all(points, n, true, out);
}

/* ---------------------------------------------------------------------------------------- floor */

static gz_status draw_all(const judge_point *points, const double *scatter, size_t n,
                          judge_point *drawn, judge_verdict *mean)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gz_status status = random ? GZ_OK : GZ_ENOMEM;
    if (random)
        gsl_rng_set(random, JUDGE_SEED);
    for (int draw = 0; draw < JUDGE_DRAWS && !status; draw++) {
        judge_verdict v;
        for (size_t i = 0; i < n; i++) {
            drawn[i] = points[i];
            drawn[i].predicted = points[i].seconds;
            drawn[i].seconds *= exp(gsl_ran_gaussian(random, scatter[i]));
        }
        status = judge_all(drawn, n, false, &v);
        for (int q = 0; q < 2 && !status; q++) {
            mean->error[q] += v.error[q] / JUDGE_DRAWS;
            mean->height[q] += v.height[q] / JUDGE_DRAWS;
            mean->joint[q] += v.joint[q] / JUDGE_DRAWS;
            mean->joint_five[q] += v.joint_five[q] / JUDGE_DRAWS;
        }
        mean->mode_within_2 += v.mode_within_2 / JUDGE_DRAWS;
    }
    gsl_rng_free(random);
    return status;
}

gz_status judge_noise(const judge_point *points, size_t n, judge_floor *out)
{
    judge_point *drawn = calloc(n + 1, sizeof *drawn);
    double *scatter = calloc(2 * n + 1, sizeof *scatter);
    bag known = {.values = scatter + n};
    gz_status status = drawn && scatter ? GZ_OK : GZ_ENOMEM;
    *out = (judge_floor){.known = false};
    for (size_t i = 0; i < n && !status; i++)
        put(&known, scatter[i] = measured_scatter(points[i].row));
    out->one_try = n - known.n;
    out->known = !status && 2 * known.n > n;
    if (out->known) {
        spread(&known, out->scatter);
        for (size_t i = 0; i < n; i++)
            scatter[i] = isnan(scatter[i]) ? out->scatter[0] : scatter[i];
        status = draw_all(points, scatter, n, drawn, &out->verdict);
    }
    free(drawn);
    free(scatter);
    return status;
}
