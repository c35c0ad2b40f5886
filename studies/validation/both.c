/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "both.h"

#include "numbers.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half-width of a 95 % interval in standard deviations. */
static const double z95 = 1.959963984540054;

/* --------------------------------------------------------------------------------------- points */

static int counts(const measured *t, const measured_row *row)
{
    return row->kind == MEASURED_SWEEP && (t->format > 1 || row->quality != MEASURED_NOISY);
}

static int same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

/* Numbers curves (all but the height), pairs (and the mode) and problems (and the tile). */
static void number(second_point *points, size_t n, const measured_row *const *row)
{
    int curves = 0, pairs = 0, problems = 0;
    for (size_t i = 0; i < n; i++) {
        second_point *p = &points[i];
        p->curve = p->pair = p->problem = -1;
        for (size_t k = 0; k < i && p->curve < 0; k++) {
            if (row[k]->app != row[i]->app ||
                !same_lengths(row[k]->cfg.data_length, row[i]->cfg.data_length))
                continue;
            p->problem = points[k].problem;
            if (!same_lengths(row[k]->cfg.block_len, row[i]->cfg.block_len))
                continue;
            p->pair = points[k].pair;
            if (row[k]->cfg.sync == row[i]->cfg.sync)
                p->curve = points[k].curve;
        }
        p->curve = p->curve < 0 ? curves++ : p->curve;
        p->pair = p->pair < 0 ? pairs++ : p->pair;
        p->problem = p->problem < 0 ? problems++ : p->problem;
    }
}

static void set_points(both *b)
{
    for (size_t i = 0; i < b->table->n_rows; i++) {
        const measured_row *r = &b->table->rows[i];
        if (!counts(b->table, r))
            continue;
        b->row[b->n] = r;
        b->points[b->n++] = (second_point){.height = r->height,
                                           .mode = (int)r->cfg.sync,
                                           .seconds = r->seconds,
                                           .predicted = (double)NAN,
                                           .low = (double)NAN,
                                           .high = (double)NAN};
    }
    number(b->points, b->n, b->row);
}

/* The points of one application (-1: all) into `out`, numbered anew; how many. */
static size_t points_of(const both *b, const second_point *from, int app, second_point *out,
                        const measured_row **row)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (app < 0 || b->row[i]->app == app) {
            row[n] = b->row[i];
            out[n++] = from[i];
        }
    if (app >= 0)
        number(out, n, row);
    return n;
}

/* ---------------------------------------------------------------------------------------- floor */

static gz_status add_floor(const second_point *points, const double *scatter, size_t n,
                           second_point *drawn, both_floor *f)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gz_status status = random ? GZ_OK : GZ_ENOMEM;
    if (random)
        gsl_rng_set(random, BOTH_SEED);
    for (int draw = 0; draw < BOTH_DRAWS && !status; draw++) {
        second_verdict v;
        for (size_t i = 0; i < n; i++) {
            drawn[i] = points[i];
            drawn[i].predicted = points[i].seconds;
            drawn[i].seconds *= exp(gsl_ran_gaussian(random, scatter[i]));
        }
        if (second_judge(drawn, n, (double)NAN, &v)) {
            status = GZ_ENOMEM;
            break;
        }
        for (int q = 0; q < 2; q++) {
            f->error[q] += v.error[q] / BOTH_DRAWS;
            f->height[q] += v.height[q] / BOTH_DRAWS;
            f->joint[q] += v.joint[q] / BOTH_DRAWS;
            f->joint_five[q] += v.joint_five[q] / BOTH_DRAWS;
        }
        f->mode_within_2 += v.mode_within_2 / BOTH_DRAWS;
    }
    gsl_rng_free(random);
    return status;
}

static gz_status floor_of(const both *b, int app, both_floor *f)
{
    second_point *points = calloc(2 * b->n + 1, sizeof *points);
    const measured_row **row = calloc(b->n + 1, sizeof *row);
    double *scatter = calloc(2 * b->n + 2, sizeof *scatter);
    gz_status status = points && row && scatter ? GZ_OK : GZ_ENOMEM;
    *f = (both_floor){.known = 0};
    if (!status) {
        size_t n = points_of(b, b->points, app, points, row);
        double *sorted = scatter + b->n + 1;
        size_t known = 0;
        for (size_t i = 0; i < n; i++) {
            scatter[i] = measured_scatter(row[i]);
            if (!isnan(scatter[i]))
                sorted[known++] = scatter[i];
        }
        f->one_try = n - known;
        f->known = 2 * known > n;
        if (f->known) {
            cli_sort(sorted, known);
            f->scatter[0] = cli_quantile(sorted, known, 0.5);
            f->scatter[1] = cli_quantile(sorted, known, 0.95);
            for (size_t i = 0; i < n; i++)
                scatter[i] = isnan(scatter[i]) ? f->scatter[0] : scatter[i];
            status = add_floor(points, scatter, n, points + b->n, f);
        }
    }
    free(points);
    free(row);
    free(scatter);
    return status;
}

/* --------------------------------------------------------------------------------------- models */

/* Predicts every point by a model, with its interval. */
static gz_status predict_all(const both *b, gz_model model, second_point *points, gz_error *error)
{
    for (size_t i = 0; i < b->n; i++) {
        const measured_row *r = b->row[i];
        const measured_app *a = &b->table->apps[r->app];
        gz_config cfg = r->cfg;
        gz_prediction p;
        gz_uncertainty sure;
        gz_error why = {{0}};
        cfg.model = model;
        points[i] = b->points[i];
        gz_status status = gz_predict(&b->table->device, &a->app, &cfg, r->height, &p, &why);
        if (!status)
            status = gz_propagate(&b->table->device, &a->app, &cfg, r->height, z95, &sure, &why);
        if (status) {
            snprintf(error->text, sizeof error->text, "%s cannot predict %s, %s: %.200s",
                     gz_name(GZ_MODELS, model), a->name, gz_name(GZ_SYNCS, cfg.sync),
                     why.text[0] ? why.text : gz_strerror(status));
            return status;
        }
        points[i].predicted = p.seconds_per_loop;
        points[i].low = sure.seconds[0];
        points[i].high = sure.seconds[1];
    }
    return GZ_OK;
}

static gz_status judge_model(const both *b, both_model *m, second_point *points)
{
    const measured_row **row = calloc(b->n + 1, sizeof *row);
    second_point *some = calloc(b->n + 1, sizeof *some);
    gz_status status = row && some ? GZ_OK : GZ_ENOMEM;
    for (int app = -1; app < b->table->n_apps && !status; app++) {
        size_t n = points_of(b, points, app, some, row);
        if (second_judge(some, n, (double)NAN, app < 0 ? &m->all : &m->app[app]))
            status = GZ_ENOMEM;
    }
    for (size_t i = 0; i < b->n && !status; i++)
        m->predicted[i] = points[i].predicted;
    free(row);
    free(some);
    return status;
}

static gz_status add_model(both *b, gz_model model, int only)
{
    both_model *m = &b->of[b->n_models++];
    second_point *points = calloc(b->n + 1, sizeof *points);
    m->model = model;
    m->predicted = calloc(b->n + 1, sizeof *m->predicted);
    gz_status status = points && m->predicted ? GZ_OK : GZ_ENOMEM;
    if (!status) {
        gz_status lacks = predict_all(b, model, points, &m->missing);
        if (lacks && (only || lacks == GZ_ENOMEM))
            status = lacks;
        else if (!lacks)
            status = judge_model(b, m, points);
    }
    free(points);
    return status;
}

gz_status both_judge(const measured *table, int model, both *out, gz_error *error)
{
    gz_status status = GZ_OK;
    *error = (gz_error){{0}};
    *out = (both){.table = table,
                  .row = calloc(table->n_rows + 1, sizeof *out->row),
                  .points = calloc(table->n_rows + 1, sizeof *out->points)};
    if (!out->row || !out->points)
        status = GZ_ENOMEM;
    if (!status)
        set_points(out);
    for (int app = -1; app < table->n_apps && !status; app++)
        status = floor_of(out, app, app < 0 ? &out->all : &out->app[app]);
    for (int k = 0; k < BOTH_MODELS && !status; k++)
        if (model < 0 || k == model)
            status = add_model(out, (gz_model)k, model >= 0);
    if (status) {
        const char *why = out->n_models ? out->of[out->n_models - 1].missing.text : "";
        snprintf(error->text, sizeof error->text, "%s", *why ? why : gz_strerror(status));
        both_free(out);
    }
    return status;
}

void both_free(both *b)
{
    for (int k = 0; k < b->n_models; k++)
        free(b->of[k].predicted);
    free(b->row);
    free(b->points);
    *b = (both){0};
}
