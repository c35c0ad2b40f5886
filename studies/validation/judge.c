/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge.c - how good the model is on a table of measurements (see judge.h).
 */
#include "judge.h"

#include "numbers.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half-width of a 95 % interval in standard deviations. */
static const double z95 = 1.959963984540054;

/* What a regret of at most 5 % is: the paper's claim. */
static const double small_regret = 0.05;

/* ---------------------------------------------------------------------------------------- order */

static int compare_lengths(const double *a, const double *b, int dim)
{
    for (int i = 0; i < dim; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* By application, grid and block: what two modes of one configuration share. */
static int compare_place(const measured_row *a, const measured_row *b)
{
    if (a->app != b->app)
        return a->app - b->app;
    int order = compare_lengths(a->cfg.data_length, b->cfg.data_length, GZ_MAX_DIM);
    return order ? order : compare_lengths(a->cfg.block_len, b->cfg.block_len, GZ_MAX_DIM);
}

static int compare_curve(const measured_row *a, const measured_row *b)
{
    int order = compare_place(a, b);
    return order ? order : (int)a->cfg.sync - (int)b->cfg.sync;
}

static int is_left_out(judge_rule rule, const measured_row *row)
{
    return row->quality == MEASURED_NOISY ||
           (rule == JUDGE_STRICT && row->quality != MEASURED_QUIET);
}

judge_rule judge_rule_of(const measured *t)
{
    size_t points = 0, quiet = 0;
    for (size_t k = 0; k < t->n_rows; k++) {
        points += t->rows[k].kind == MEASURED_SWEEP;
        quiet += t->rows[k].kind == MEASURED_SWEEP && t->rows[k].quality == MEASURED_QUIET;
    }
    return 2 * quiet >= points ? JUDGE_STRICT : JUDGE_RELAXED;
}

static int compare_points(const void *a, const void *b)
{
    const judge_point *x = a, *y = b;
    if (x->left_out != y->left_out)
        return x->left_out - y->left_out;
    int order = compare_curve(x->row, y->row);
    return order ? order : x->row->height - y->row->height;
}

/* --------------------------------------------------------------------------------------- points */

static gz_status explain(const gz_device *dev, const gz_app *app, const measured_row *row,
                         gz_status status, gz_error *error)
{
    char size[96], block[96];
    gz_error why;
    cli_lengths_text(app->dim, row->cfg.data_length, size, sizeof size);
    cli_lengths_text(app->dim, row->cfg.block_len, block, sizeof block);
    snprintf(error->text, sizeof error->text,
             "%s, %s, grid %s, block %s, height %d: the model cannot predict it: %.200s", app->name,
             gz_name(GZ_SYNCS, row->cfg.sync), size, block, row->height,
             gz_check(dev, app, &row->cfg, &why) ? why.text : gz_strerror(status));
    return status;
}

gz_device judge_device(const measured *table, judge_options options, const measured_row *row)
{
    gz_device device = table->device;
    const gz_app *app = &table->apps[row->app].app;
    /* What is read, and the result. */
    double arrays = app->stencil_arrays.value + app->elements_per_op.value + 1;
    double bytes = arrays * app->element_size.value * cli_product(app->dim, row->cfg.data_length);
    if (options.by_cache && table->device.cache_bandwidth.value > 0 &&
        bytes <= table->device.cache_size.value) {
        device.mem_bandwidth.value = table->device.cache_bandwidth.value;
        device.mem_bandwidth.sd = 0;
    }
    return device;
}

static gz_status predict(const measured *table, judge_options options, judge_point *point,
                         gz_error *error)
{
    const gz_device device = judge_device(table, options, point->row);
    const measured_row *row = point->row;
    const gz_app *app = &table->apps[row->app].app;
    gz_uncertainty sure;
    gz_status status = gz_predict(&device, app, &row->cfg, row->height, &point->predicted, NULL);
    if (!status)
        status = gz_propagate(&device, app, &row->cfg, row->height, z95, &sure, NULL);
    if (status)
        return explain(&device, app, row, status, error);
    memcpy(point->seconds, sure.seconds, sizeof point->seconds);
    return GZ_OK;
}

/* --------------------------------------------------------------------------------------- curves */

double judge_time(const judge *j, const judge_curve *curve, double height)
{
    const judge_point *p = j->points + curve->first;
    size_t k = 0;
    while (k + 1 < curve->n && p[k + 1].row->height <= height)
        k++;
    if (height <= p[k].row->height || k + 1 == curve->n)
        return p[k].row->seconds;
    double share =
        log(height / p[k].row->height) / log((double)p[k + 1].row->height / p[k].row->height);
    return exp(log(p[k].row->seconds) + share * log(p[k + 1].row->seconds / p[k].row->seconds));
}

static int highest(const judge *j, const judge_curve *curve)
{
    return j->points[curve->first + curve->n - 1].row->height;
}

/* The measured height nearest to `h` in ratio. */
static int nearest(const judge *j, const judge_curve *curve, int h)
{
    const judge_point *p = j->points + curve->first;
    int found = p[0].row->height;
    for (size_t k = 1; k < curve->n; k++)
        if (fabs(log((double)p[k].row->height / h)) < fabs(log((double)found / h)))
            found = p[k].row->height;
    return found;
}

/* Time over the best, less 1, of JUDGE_LOOPS loops under adaptive selection, if each stage took
 * what the curve says. */
static double simulate(const judge *j, const judge_curve *curve, int start)
{
    gz_adapt state;
    double total = 0;
    gz_adapt_start(&state, start, highest(j, curve), 0, NULL);
    for (int left = JUDGE_LOOPS; left > 0;) {
        int h = gz_adapt_next(&state, left);
        double stage = h * judge_time(j, curve, h);
        gz_adapt_report(&state, h, stage, NULL);
        total += stage;
        left -= h;
    }
    return total / (JUDGE_LOOPS * curve->best_s) - 1;
}

static double spearman(const judge *j, const judge_curve *curve)
{
    enum { LEAST = 4 };
    double correlation = (double)NAN,
           *values = curve->n < LEAST ? NULL : calloc(4 * curve->n, sizeof(double));
    if (values) {
        for (size_t k = 0; k < curve->n; k++) {
            values[k] = j->points[curve->first + k].predicted.cpl;
            values[curve->n + k] = j->points[curve->first + k].row->seconds;
        }
        correlation =
            gsl_stats_spearman(values, 1, values + curve->n, 1, curve->n, values + 2 * curve->n);
        free(values);
    }
    return correlation;
}

static gz_status judge_curve_of(const judge *j, judge_curve *c, gz_error *error)
{
    const measured *t = j->table;
    const judge_point *p = j->points + c->first;
    const gz_app *app = &t->apps[c->at->app].app;
    const gz_device device = judge_device(t, j->options, c->at);
    gz_bounds bounds = {.upper = highest(j, c)};
    gz_optimum best;
    gz_uncertainty sure;
    gz_status status = gz_optimize(&device, app, &c->at->cfg, &bounds, &best, NULL);
    if (!status)
        status = gz_propagate(&device, app, &c->at->cfg, best.integer, z95, &sure, NULL);
    if (status)
        return explain(&device, app, c->at, status, error);
    c->best = p[0].row->height;
    c->best_s = p[0].row->seconds;
    for (size_t k = 1; k < c->n; k++)
        if (p[k].row->seconds < c->best_s) {
            c->best = p[k].row->height;
            c->best_s = p[k].row->seconds;
        }
    c->chosen = nearest(j, c, best.integer);
    c->moved = c->chosen != best.integer;
    c->regret = judge_time(j, c, c->chosen) / c->best_s - 1;
    c->one = p[0].row->height == 1 ? p[0].row->seconds / c->best_s - 1 : (double)NAN;
    double sum = 0;
    int lowest = p[0].row->height, most = highest(j, c);
    for (int h = lowest; h <= most; h++)
        sum += judge_time(j, c, h);
    c->random = sum / (most - lowest + 1) / c->best_s - 1;
    c->from_one = lowest == 1 ? simulate(j, c, 1) : (double)NAN;
    c->from_model = simulate(j, c, c->chosen);
    c->correlation = spearman(j, c);
    /* The interval takes no account of the bound at which the measurements end. */
    c->height_covered =
        c->best >= (sure.integer[0] < highest(j, c) ? sure.integer[0] : highest(j, c)) &&
        c->best <= sure.integer[1];
    return GZ_OK;
}

static double at_fixed(const judge *j, const judge_curve *c, int h)
{
    int most = highest(j, c);
    return judge_time(j, c, h < most ? h : most) / c->best_s - 1;
}

static int best_fixed(const judge *j)
{
    int most = 1, found = 1;
    double least = HUGE_VAL;
    for (size_t k = 0; k < j->n_curves; k++)
        most = highest(j, &j->curves[k]) > most ? highest(j, &j->curves[k]) : most;
    for (int h = 1; h <= most; h++) {
        double sum = 0;
        for (size_t k = 0; k < j->n_curves; k++)
            sum += log1p(at_fixed(j, &j->curves[k], h));
        if (sum < least) {
            least = sum;
            found = h;
        }
    }
    return found;
}

/* ---------------------------------------------------------------------------------------- parts */

int judge_shows(const measured *t, const measured_row *row, judge_part part)
{
    const gz_app *app = &t->apps[row->app].app;
    double here = cli_product(app->dim, row->cfg.data_length);
    if (part == JUDGE_SYNC)
        return row->kind == MEASURED_SYNC;
    if (row->kind != MEASURED_SWEEP)
        return 0;
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *other = &t->rows[k];
        double there = cli_product(app->dim, other->cfg.data_length);
        if (other->app == row->app && other->kind == MEASURED_SWEEP &&
            (part == JUDGE_MEMORY ? there > here : there < here))
            return 0;
    }
    return part == JUDGE_MEMORY ? row->height == 1 : row->height > 1;
}

/* -------------------------------------------------------------------------------------- verdict */

/* Numbers to take a quantile of; NaN is not taken in. */
typedef struct bag {
    double *values;
    size_t n;
} bag;

static void put(bag *b, double x)
{
    if (!isnan(x))
        b->values[b->n++] = x;
}

static double quantile(bag *b, double q)
{
    cli_sort(b->values, b->n);
    return cli_quantile(b->values, b->n, q);
}

static double median(bag *b)
{
    double m = quantile(b, 0.5);
    b->n = 0;
    return m;
}

static int belongs(const measured_row *row, int app)
{
    return app < 0 || row->app == app;
}

/* Curves k and k + 1 are the same place with restarts and with fences. */
static int is_pair(const judge *j, size_t k)
{
    return k + 1 < j->n_curves && j->curves[k].at->cfg.sync == GZ_SYNC_RESTART &&
           j->curves[k + 1].at->cfg.sync == GZ_SYNC_FENCE &&
           compare_place(j->curves[k].at, j->curves[k + 1].at) == 0;
}

/* Both modes at their best, each at its own height: whether the model names the faster one. */
static int names_faster(const judge *j, size_t k)
{
    const judge_curve *restart = &j->curves[k], *fence = restart + 1;
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (int y = 0; y < 2; y++)
        for (size_t i = 0; i < restart[y].n; i++)
            least[y] = fmin(least[y], j->points[restart[y].first + i].predicted.cpl);
    return (least[1] < least[0]) == (fence->best_s < restart->best_s);
}

/* Real adaptive runs of one kind against the best of their curve, into `b`. */
static void put_real(const judge *j, int app, measured_kind kind, bag *b)
{
    for (size_t r = 0; r < j->table->n_rows; r++) {
        const measured_row *row = &j->table->rows[r];
        if (row->kind != kind || !belongs(row, app))
            continue;
        for (size_t k = 0; k < j->n_curves; k++)
            if (compare_curve(j->curves[k].at, row) == 0)
                put(b, row->seconds / j->curves[k].best_s - 1);
    }
}

static void judge_points_of(const judge *j, int app, bag *b, judge_verdict *v)
{
    size_t covered = 0;
    for (size_t k = 0; k < j->n_points; k++) {
        const judge_point *p = &j->points[k];
        if (!belongs(p->row, app))
            continue;
        if (k >= j->n_sound) {
            v->noisy++;
            continue;
        }
        v->points++;
        covered += p->row->seconds >= p->seconds[0] && p->row->seconds <= p->seconds[1];
        put(b, p->predicted.seconds_per_loop / p->row->seconds);
    }
    v->coverage = v->points ? (double)covered / (double)v->points : (double)NAN;
    v->ratio = quantile(b, 0.5);
    for (size_t k = 0; k < b->n; k++)
        b->values[k] = fabs(b->values[k] - 1);
    v->error[1] = quantile(b, 0.95);
    v->error[0] = median(b);
}

/* The median over the curves of a member of judge_curve, by its offset. */
static double curves_median(const judge *j, int app, size_t offset, bag *b)
{
    for (size_t k = 0; k < j->n_curves; k++)
        if (belongs(j->curves[k].at, app)) {
            double x;
            memcpy(&x, (const char *)&j->curves[k] + offset, sizeof x);
            put(b, x);
        }
    return median(b);
}

static void judge_curves_of(const judge *j, int app, bag *b, judge_verdict *v)
{
    size_t small = 0, covered = 0, hits = 0;
    for (size_t k = 0; k < j->n_curves; k++) {
        const judge_curve *c = &j->curves[k];
        if (!belongs(c->at, app))
            continue;
        v->curves++;
        v->moved += c->moved != 0;
        small += c->regret <= small_regret;
        covered += c->height_covered != 0;
        put(b, c->regret);
        if (is_pair(j, k)) {
            v->sync_choices++;
            hits += names_faster(j, k) != 0;
        }
    }
    v->regret[1] = quantile(b, 0.95);
    v->regret[2] = quantile(b, 1);
    v->regret[0] = median(b);
    v->within_5 = v->curves ? (double)small / (double)v->curves : (double)NAN;
    v->height_coverage = v->curves ? (double)covered / (double)v->curves : (double)NAN;
    v->sync_hits = v->sync_choices ? (double)hits / (double)v->sync_choices : (double)NAN;
    for (size_t k = 0; k < j->n_curves; k++)
        if (belongs(j->curves[k].at, app))
            put(b, at_fixed(j, &j->curves[k], j->fixed_height));
    v->fixed = median(b);
    v->one = curves_median(j, app, offsetof(judge_curve, one), b);
    v->random = curves_median(j, app, offsetof(judge_curve, random), b);
    v->from_one = curves_median(j, app, offsetof(judge_curve, from_one), b);
    v->from_model = curves_median(j, app, offsetof(judge_curve, from_model), b);
    v->correlation = curves_median(j, app, offsetof(judge_curve, correlation), b);
    put_real(j, app, MEASURED_FROM_ONE, b);
    v->real_from_one = median(b);
    put_real(j, app, MEASURED_FROM_MODEL, b);
    v->real_from_model = median(b);
}

/* Medians of predicted over measured for points at which one component stands out: see judge_part.
 */
static gz_status judge_parts_of(const judge *j, int app, bag *b, judge_verdict *v)
{
    const measured *t = j->table;
    for (int part = 0; part < JUDGE_PARTS; part++) {
        for (size_t k = 0; k < t->n_rows; k++) {
            gz_prediction p;
            const measured_row *row = &t->rows[k];
            const gz_app *a = &t->apps[row->app].app;
            if (!belongs(row, app) || is_left_out(j->options.rule, row) ||
                !judge_shows(t, row, (judge_part)part))
                continue;
            const gz_device device = judge_device(t, j->options, row);
            gz_status status = gz_predict(&device, a, &row->cfg, row->height, &p, NULL);
            if (status)
                return status;
            put(b, p.seconds_per_loop / row->seconds);
        }
        v->part[part] = median(b);
    }
    return GZ_OK;
}

/* Drops curves of a single height, in which nothing can be chosen. */
static void keep_comparable(judge *j)
{
    size_t kept = 0;
    for (size_t k = 0; k < j->n_curves; k++)
        if (j->curves[k].n > 1)
            j->curves[kept++] = j->curves[k];
    j->n_curves = kept;
}

static gz_status judge_all(judge *j, gz_error *error)
{
    for (size_t k = 0; k < j->n_sound; k++) {
        if (k == 0 || compare_curve(j->points[k - 1].row, j->points[k].row) != 0)
            j->curves[j->n_curves++] = (judge_curve){.first = k, .at = j->points[k].row};
        j->curves[j->n_curves - 1].n++;
    }
    keep_comparable(j);
    for (size_t k = 0; k < j->n_curves; k++) {
        gz_status status = judge_curve_of(j, &j->curves[k], error);
        if (status)
            return status;
    }
    j->fixed_height = best_fixed(j);
    bag b = {.values = calloc(j->table->n_rows, sizeof *b.values)};
    if (!b.values)
        return GZ_ENOMEM;
    gz_status status = GZ_OK;
    for (int app = -1; app < j->table->n_apps; app++) {
        judge_verdict *v = app < 0 ? &j->all : &j->app[app];
        judge_points_of(j, app, &b, v);
        judge_curves_of(j, app, &b, v);
        if (!status)
            status = judge_parts_of(j, app, &b, v);
    }
    free(b.values);
    return status;
}

gz_status judge_table(const measured *table, judge_options options, judge *out, gz_error *error)
{
    gz_status status = GZ_OK;
    *error = (gz_error){{0}};
    *out = (judge){.table = table,
                   .options = options,
                   .points = calloc(table->n_rows, sizeof *out->points),
                   .curves = calloc(table->n_rows, sizeof *out->curves)};
    if (!out->points || !out->curves)
        status = GZ_ENOMEM;
    for (size_t k = 0; k < table->n_rows && !status; k++) {
        if (table->rows[k].kind != MEASURED_SWEEP)
            continue;
        judge_point *point = &out->points[out->n_points++];
        point->row = &table->rows[k];
        point->left_out = is_left_out(options.rule, point->row);
        status = predict(table, options, point, error);
        out->n_sound += !point->left_out;
    }
    if (!status) {
        qsort(out->points, out->n_points, sizeof *out->points, compare_points);
        status = judge_all(out, error);
    }
    if (status && !error->text[0])
        snprintf(error->text, sizeof error->text, "%s", gz_strerror(status));
    if (status)
        judge_free(out);
    return status;
}

void judge_free(judge *j)
{
    free(j->points);
    free(j->curves);
    *j = (judge){0};
}
