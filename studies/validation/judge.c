/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "numbers.h"
#include "output.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 5, MAX_HEIGHT = 64 };

/* Half-width of a 95 % interval in standard deviations. */
static const double z95 = 1.959963984540054;

#define ABOUT(name, statistic, form, meaning)                                                      \
    [JUDGE_##name] = {#name, meaning, JUDGE_##statistic, JUDGE_##form},
const struct judge_about judge_about[JUDGE_LINES] = {JUDGE_MEASURES(ABOUT)};

/* What a small regret is: the paper's claim. */
static const double small_regret = 0.05;

/* --------------------------------------------------------------------------------------- points */

static bool same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

bool judge_same(enum judge_set set, const measured_row *a, const measured_row *b)
{
    return a->app == b->app && same_lengths(a->cfg.data_length, b->cfg.data_length) &&
           (set == JUDGE_GRID ||
            (a->cfg.variant == b->cfg.variant && same_lengths(a->tile, b->tile))) &&
           (set != JUDGE_CURVE || a->cfg.sync == b->cfg.sync);
}

size_t judge_points(const measured *table, judge_point *out)
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
        if (measured_is_point(r->kind) && (all || r->quality != MEASURED_NOISY))
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
    int count[JUDGE_SETS] = {0};
    for (size_t i = 0; i < n; i++)
        for (int s = 0; s < JUDGE_SETS; s++) {
            judge_point *p = &points[i];
            p->number[s] = -1;
            if (s != JUDGE_GRID && p->row->kind != MEASURED_SWEEP)
                continue;
            for (size_t k = 0; k < i && p->number[s] < 0; k++)
                if (points[k].table == p->table &&
                    judge_same((enum judge_set)s, points[k].row, p->row))
                    p->number[s] = points[k].number[s];
            p->number[s] = p->number[s] < 0 ? count[s]++ : p->number[s];
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

/* ----------------------------------------------------------------------------------- statistics */

/* The numbers that each measure is made of. */
typedef struct numbers {
    double *of; /* room for so many of each */
    size_t room, n[JUDGE_LINES];
} numbers;

/* Adds one; NaN is none. */
static void put(numbers *all, enum judge_measure measure, double x)
{
    if (!isnan(x))
        all->of[(size_t)measure * all->room + all->n[measure]++] = x;
}

/* All measures in turn, since a 95th percentile is of the numbers that its median has sorted. */
static void conclude(numbers *all, judge_verdict *v)
{
    for (int m = 0; m < JUDGE_LINES; m++) {
        double *of = all->of + (size_t)m * all->room, sum = 0;
        size_t n = all->n[m];
        switch (judge_about[m].statistic) {
        case JUDGE_NUMBER:
            v->of[m] = (double)n;
            break;
        case JUDGE_MEAN:
            for (size_t k = 0; k < n; k++)
                sum += of[k];
            v->of[m] = n ? sum / (double)n : (double)NAN;
            break;
        case JUDGE_MEDIAN:
            cli_sort(of, n);
            v->of[m] = cli_quantile(of, n, 0.5);
            break;
        default:
            v->of[m] = judge_about[m].statistic == JUDGE_95 || all->n[JUDGE_grids] >= JUDGE_ENOUGH
                           ? cli_quantile(of - all->room, all->n[m - 1], 0.95)
                           : (double)NAN;
        }
    }
}

/* -------------------------------------------------------------------------------------- choices */

/* A point that the model describes, in a curve, a tile or a grid of that number. */
typedef struct placed {
    int number;
    const judge_point *p;
} placed;

/* By number; then as the model chooses, the earlier of equals first. */
static int by_choice(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->p->predicted != y->p->predicted)
        return x->p->predicted < y->p->predicted ? -1 : 1;
    return (x->p > y->p) - (x->p < y->p);
}

/* The points in sets of one kind; how many. */
static size_t place(const judge_point *points, size_t n, int kind, placed *out)
{
    size_t placed_n = 0;
    for (size_t i = 0; i < n; i++)
        if (points[i].number[kind] >= 0 && !isnan(points[i].predicted))
            out[placed_n++] = (placed){points[i].number[kind], &points[i]};
    qsort(out, placed_n, sizeof *out, by_choice);
    return placed_n;
}

/* How many of the `n` belong to the set of the first. */
static size_t set_size(const placed *at, size_t n)
{
    size_t size = 0;
    while (size < n && at[size].number == at->number)
        size++;
    return size;
}

/* The fastest of a model's first `n`, the earlier of equals. */
static const judge_point *best_of(const placed *at, size_t n)
{
    const judge_point *best = at->p;
    for (size_t k = 1; k < n; k++)
        if (at[k].p->seconds < best->seconds ||
            (at[k].p->seconds == best->seconds && at[k].p < best))
            best = at[k].p;
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

/* The fastest point by one half among a model's first `n` that both halves have timed, the earlier
 * of equals; NULL if there is none. */
static const judge_point *best_by_half(const placed *at, size_t n, int half)
{
    const judge_point *best = NULL;
    double least = HUGE_VAL;
    for (size_t k = 0; k < n; k++) {
        const judge_point *p = at[k].p;
        double time = half_time(p, half);
        if (p->row->tries > 1 && (time < least || (time == least && p < best))) {
            least = time;
            best = p;
        }
    }
    return best;
}

/* The cross-fitted loss on a grid of `n` points of the best of the model's first `among`; NaN
 * without tries. */
static double cross_regret(const placed *at, size_t n, size_t among)
{
    double sum = 0;
    for (int half = 0; half < 2; half++) {
        const judge_point *best = best_by_half(at, n, half), *own = best_by_half(at, among, half);
        if (!best || !own)
            return (double)NAN;
        sum += half_time(own, 1 - half) / half_time(best, 1 - half) - 1;
    }
    return sum / 2;
}

/* --------------------------------------------------------------------------------------- curves */

/* A curve's points, ascending in height. */
typedef struct heights {
    const judge_point *at[MAX_HEIGHT];
    size_t n;
} heights;

static int by_height(const void *a, const void *b)
{
    const judge_point *const *x = a, *const *y = b;
    return (*x)->row->height - (*y)->row->height;
}

static heights heights_of(const placed *at, size_t n)
{
    heights c = {.n = n < MAX_HEIGHT ? n : MAX_HEIGHT};
    for (size_t k = 0; k < c.n; k++)
        c.at[k] = at[k].p;
    qsort(c.at, c.n, sizeof c.at[0], by_height);
    return c;
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
        if (r->kind == kind && judge_same(JUDGE_CURVE, r, best->row))
            return r->seconds / best->seconds - 1;
    }
    return (double)NAN;
}

static void judge_curve(const placed *at, size_t n, bool whole, numbers *all)
{
    const judge_point *best = best_of(at, n);
    double best_s = best->seconds, regret = at->p->seconds / best_s - 1;
    put(all, JUDGE_curves, 1);
    put(all, JUDGE_height, regret);
    put(all, JUDGE_within_5, regret <= small_regret);
    if (!whole)
        return;
    const heights own = heights_of(at, n);
    bool has_one = own.at[0]->row->height == 1;
    put(all, JUDGE_one, has_one ? own.at[0]->seconds / best_s - 1 : (double)NAN);
    put(all, JUDGE_correlation, correlation(&own));
    put(all, JUDGE_from_one, has_one && n > 1 ? simulate(&own, 1, best_s) : (double)NAN);
    put(all, JUDGE_from_model, n > 1 ? simulate(&own, at->p->row->height, best_s) : (double)NAN);
    put(all, JUDGE_real_from_one, real_regret(best, MEASURED_FROM_ONE));
    put(all, JUDGE_real_from_model, real_regret(best, MEASURED_FROM_MODEL));
}

/* The regret of a constant height on each curve, or of the highest below where that is missing; the
 * sum of their logarithms. */
static double constant_regrets(const placed *at, size_t n, int height, numbers *all)
{
    double sum = 0;
    all->n[JUDGE_constant] = 0;
    for (size_t size; n > 0; at += size, n -= size) {
        const judge_point *taken = NULL;
        size = set_size(at, n);
        for (size_t k = 0; k < size; k++)
            if (at[k].p->row->height <= height &&
                (!taken || at[k].p->row->height > taken->row->height))
                taken = at[k].p;
        if (!taken)
            continue;
        double over = taken->seconds / best_of(at, size)->seconds;
        sum += log(over);
        put(all, JUDGE_constant, over - 1);
    }
    return sum;
}

/* The best constant height is that with the least sum of logarithms of regrets. */
static void judge_constant(const placed *at, size_t n, numbers *all)
{
    double least = HUGE_VAL;
    int best = 1;
    for (int h = 1; h < MAX_HEIGHT; h++) {
        double sum = constant_regrets(at, n, h, all);
        best = sum < least ? h : best;
        least = fmin(least, sum);
    }
    constant_regrets(at, n, best, all);
}

/* -------------------------------------------------------------------------------------- verdict */

static void judge_times(const judge_point *points, size_t n, numbers *all)
{
    for (const judge_point *p = points; p < points + n; p++) {
        if (isnan(p->predicted))
            continue;
        put(all, JUDGE_points, 1);
        put(all, JUDGE_error, fabs(p->predicted / p->seconds - 1));
        put(all, JUDGE_ratio, p->predicted / p->seconds);
        if (p->high > 0)
            put(all, JUDGE_coverage, p->low <= p->seconds && p->seconds <= p->high);
        if (p->low > 0)
            put(all, JUDGE_width, sqrt(p->high / p->low));
    }
}

static void judge_tile(const placed *at, size_t n, numbers *all)
{
    unsigned modes = 0;
    double own_s = HUGE_VAL; /* in the mode that the model chooses */
    for (size_t k = 0; k < n; k++) {
        modes |= 1u << at[k].p->row->cfg.sync;
        if (at[k].p->row->cfg.sync == at->p->row->cfg.sync)
            own_s = fmin(own_s, at[k].p->seconds);
    }
    if (!(modes & (modes - 1)))
        return;
    put(all, JUDGE_tiles, 1);
    put(all, JUDGE_mode_within_2, own_s / best_of(at, n)->seconds - 1 <= 0.02);
}

static void judge_grid(const placed *at, size_t n, bool whole, numbers *all)
{
    const judge_point *best = best_of(at, n);
    size_t among = n < FIRST ? n : FIRST;
    unsigned variants = 0;
    for (size_t k = 0; k < n; k++)
        variants |= 1u << at[k].p->row->cfg.variant;
    put(all, JUDGE_grids, 1);
    put(all, JUDGE_joint, at->p->seconds / best->seconds - 1);
    put(all, JUDGE_joint_five, best_of(at, among)->seconds / best->seconds - 1);
    if (variants & (variants - 1))
        put(all, JUDGE_variant_right, at->p->row->cfg.variant == best->row->cfg.variant);
    double first = whole ? cross_regret(at, n, 1) : (double)NAN;
    double five = whole ? cross_regret(at, n, among) : (double)NAN;
    if (!isnan(first) && !isnan(five)) {
        put(all, JUDGE_joint_cross, first);
        put(all, JUDGE_joint_five_cross, five);
    }
}

/* `whole`: with what a floor does not state. */
static void judge_all(const judge_point *points, size_t n, bool whole, judge_verdict *out)
{
    numbers all = {.of = cli_room((n + 1) * JUDGE_LINES, sizeof *all.of), .room = n + 1};
    placed *at = cli_room(n, sizeof *at);
    judge_times(points, n, &all);
    for (int kind = 0; kind < JUDGE_SETS; kind++) {
        size_t left = place(points, n, kind, at), size;
        if (kind == JUDGE_CURVE && whole)
            judge_constant(at, left, &all);
        for (const placed *set = at; left > 0; set += size, left -= size) {
            size = set_size(set, left);
            if (kind == JUDGE_CURVE)
                judge_curve(set, size, whole, &all);
            else if (kind == JUDGE_TILE)
                judge_tile(set, size, &all);
            else
                judge_grid(set, size, whole, &all);
        }
    }
    conclude(&all, out);
    free(all.of);
    free(at);
}

void judge(const judge_point *points, size_t n, judge_verdict *out)
{
    judge_all(points, n, true, out);
}

/* ---------------------------------------------------------------------------------------- floor */

static void draw_all(const judge_point *points, const double *scatter, size_t n,
                     judge_verdict *mean)
{
    judge_point *drawn = cli_room(n, sizeof *drawn);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (!random)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    gsl_rng_set(random, JUDGE_SEED);
    for (int draw = 0; draw < JUDGE_DRAWS; draw++) {
        judge_verdict v;
        for (size_t i = 0; i < n; i++) {
            drawn[i] = points[i];
            drawn[i].predicted = points[i].seconds;
            drawn[i].seconds *= exp(gsl_ran_gaussian(random, scatter[i]));
        }
        judge_all(drawn, n, false, &v);
        for (int m = 0; m < JUDGE_LINES; m++)
            if (judge_about[m].form == JUDGE_FLOORED)
                mean->of[m] += v.of[m] / JUDGE_DRAWS;
    }
    gsl_rng_free(random);
    free(drawn);
}

void judge_noise(const judge_point *points, size_t n, judge_floor *out)
{
    double *scatter = cli_room(2 * n, sizeof *scatter), *known = scatter + n;
    size_t n_known = 0;
    *out = (judge_floor){.known = false};
    for (size_t i = 0; i < n; i++) {
        scatter[i] = measured_scatter(points[i].row);
        if (!isnan(scatter[i]))
            known[n_known++] = scatter[i];
    }
    out->one_try = n - n_known;
    out->known = 2 * n_known > n;
    if (out->known) {
        cli_sort(known, n_known);
        out->scatter[0] = cli_quantile(known, n_known, 0.5);
        out->scatter[1] = cli_quantile(known, n_known, 0.95);
        for (size_t i = 0; i < n; i++)
            scatter[i] = isnan(scatter[i]) ? out->scatter[0] : scatter[i];
        draw_all(points, scatter, n, &out->verdict);
    }
    free(scatter);
}
