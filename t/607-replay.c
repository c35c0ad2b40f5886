/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 607-replay - the tuner replayed on the kept tables of two-core CPUs, 96 grids: what it loses
 * after how many runs, against the model's ranking alone and random choice; by the files
 * completed by the built-in one, or by that alone; and on an AMD W7800's, by the 2011 model.
 */
#include "data.h"
#include "defaults.h"
#include "gzmodel/parameters.h"
#include "judge.h"
#include "numbers.h"
#include "registry.h"
#include "tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* The tuner (gz_tuner_new) gets the time of each point that it chooses; its regret against the best
 * measured point is noted after each run. For comparison, in the same number of runs:
 * the model's ranking alone, the process without a model, and random choice. Every grid of a table
 * is a problem. */
enum { REPLAY_RUNS = 20 };

typedef enum replay_way {
    REPLAY_TUNER,   /* model and process */
    REPLAY_MODEL,   /* the model's first ones */
    REPLAY_PROCESS, /* the process, with the times' mean in place of a model */
    REPLAY_RANDOM,
    REPLAY_WAYS
} replay_way;

/* Regret of one way over all problems: the measured time of the best of its runs over the best of
 * the grid, less 1. */
typedef struct replay_regret {
    double median[REPLAY_RUNS], high[REPLAY_RUNS]; /* after 1, 2, ... runs; 95th percentile */
} replay_regret;

typedef struct replay {
    size_t problems;
    replay_regret way[REPLAY_WAYS];
    /* Where the tuner stops by itself. */
    double runs, most_runs; /* mean, and the most */
    double median, high;    /* regret */
} replay;

/* Random choice, and the process without a model, whose first run is one, are drawn so often. */
enum { DRAWS = 5, SEED = 1 };

/* One grid. */
typedef struct problem {
    const gz_device *dev;
    const gz_app *app;
    size_t n;
    const judge_point **points;
    gz_candidate *candidates;
    double best; /* the least time, s */
} problem;

/* The regrets of one way: one for each problem, draw and number of runs. */
typedef struct tally {
    size_t n;
    double *after[REPLAY_RUNS];
} tally;

static void candidate_of(const judge_point *p, gz_candidate *c)
{
    *c = (gz_candidate){
        .config = p->row->cfg, .height = p->row->height, .seconds_per_loop = p->predicted};
    c->config.model = GZ_MODEL_GZ2;
}

/* The points of grid `number`, into a problem with room for all points. */
static void collect(const judge_point *points, size_t n, int number, problem *out)
{
    out->n = 0;
    out->best = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        if (points[i].grid != number)
            continue;
        out->dev = &points[i].table->device;
        out->app = &points[i].table->apps[points[i].row->app].app;
        candidate_of(&points[i], &out->candidates[out->n]);
        out->points[out->n++] = &points[i];
        out->best = fmin(out->best, points[i].seconds);
    }
}

/* In random order, and all of one prediction: the mean of the times. */
static void forget_model(problem *p, gsl_rng *random)
{
    double mean = 0;
    gsl_ran_shuffle(random, p->points, p->n, sizeof *p->points);
    for (size_t k = 0; k < p->n; k++)
        mean += log(p->points[k]->seconds) / (double)p->n;
    for (size_t k = 0; k < p->n; k++) {
        candidate_of(p->points[k], &p->candidates[k]);
        p->candidates[k].seconds_per_loop = exp(mean);
        p->candidates[k].config.model = GZ_MODEL_MENG2011;
    }
}

/* After run `run` of a problem the best time is `best`; a way that has no more points stays. */
static void note(tally *t, const problem *p, size_t run, double best)
{
    for (size_t k = run; k < REPLAY_RUNS; k++)
        t->after[k][t->n] = best / p->best - 1;
}

/* In the order in which the points stand. */
static void run_in_order(const problem *p, tally *t)
{
    double best = HUGE_VAL;
    for (size_t k = 0; k < p->n && k < REPLAY_RUNS; k++) {
        best = fmin(best, p->points[k]->seconds);
        note(t, p, k, best);
    }
    t->n++;
}

static int by_prediction(const void *a, const void *b)
{
    const judge_point *x = *(const judge_point *const *)a, *y = *(const judge_point *const *)b;
    if (isnan(x->predicted) || isnan(y->predicted))
        return isnan(x->predicted) - isnan(y->predicted);
    return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

/* As the tuner says, until it stops. */
static gz_status run_tuner(const problem *p, const gz_tuner_request *request, tally *t,
                           gz_tuner_result *result, gz_error *error)
{
    gz_tuner *tuner;
    gz_tuner_step step;
    double best = HUGE_VAL;
    gz_status status = gz_tuner_new(p->dev, p->app, p->candidates, p->n, request, &tuner, error);
    for (size_t run = 0; !status; run++) {
        status = gz_tuner_next(tuner, &step, error);
        if (status || step.known)
            break;
        const judge_point *asked = p->points[step.candidate];
        double scatter = measured_scatter(asked->row);
        best = fmin(best, asked->seconds);
        if (t && run < REPLAY_RUNS)
            note(t, p, run, best);
        status = gz_tuner_tell(tuner, step.candidate, asked->seconds, isnan(scatter) ? 0 : scatter,
                               error);
    }
    if (t)
        t->n++;
    if (!status)
        status = gz_tuner_best(tuner, result, error);
    gz_tuner_free(tuner);
    return status;
}

/* All ways on one problem. */
static gz_status run_all(problem *p, double gain, gsl_rng *random, tally *t, tally *stopped,
                         replay *out, gz_error *error)
{
    const gz_tuner_request to_the_end = {.gain = -1, .most = REPLAY_RUNS, .once = 1},
                           usual = {.gain = gain, .once = 1};
    gz_tuner_result result;
    gz_status status = run_tuner(p, &to_the_end, &t[REPLAY_TUNER], &result, error);
    if (!status)
        status = run_tuner(p, &usual, NULL, &result, error);
    if (!status) {
        stopped->after[0][stopped->n++] = result.seconds / p->best - 1;
        out->runs += (double)result.runs;
        out->most_runs = fmax(out->most_runs, (double)result.runs);
    }
    qsort(p->points, p->n, sizeof *p->points, by_prediction);
    run_in_order(p, &t[REPLAY_MODEL]);
    for (int draw = 0; draw < DRAWS && !status; draw++) {
        forget_model(p, random);
        run_in_order(p, &t[REPLAY_RANDOM]);
        status = run_tuner(p, &to_the_end, &t[REPLAY_PROCESS], &result, error);
    }
    return status;
}

static void quantiles(double *values, size_t n, double *median, double *high)
{
    cli_sort(values, n);
    *median = cli_quantile(values, n, 0.5);
    *high = cli_quantile(values, n, 0.95);
}

/* Replays points that are numbered and predicted (judge_predict); what the model does not describe
 * takes part. `gain` as in gz_tuner_request. GZ_OK, GZ_ENOMEM or what the tuner returns. */
static gz_status replay_make(const judge_point *points, size_t n, double gain, replay *out,
                             gz_error *error)
{
    int grids = 0;
    for (size_t i = 0; i < n; i++)
        grids = points[i].grid >= grids ? points[i].grid + 1 : grids;
    size_t each = (size_t)grids * DRAWS + 1;
    problem p = {.points = malloc((n + 1) * sizeof *p.points),
                 .candidates = malloc((n + 1) * sizeof *p.candidates)};
    double *room = malloc((REPLAY_WAYS + 1) * REPLAY_RUNS * each * sizeof *room);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    tally t[REPLAY_WAYS + 1] = {{0}};
    gz_status status = p.points && p.candidates && room && random ? GZ_OK : GZ_ENOMEM;
    *out = (replay){.problems = (size_t)grids};
    for (int w = 0; w <= REPLAY_WAYS && !status; w++)
        for (int k = 0; k < REPLAY_RUNS; k++)
            t[w].after[k] = room + (size_t)(w * REPLAY_RUNS + k) * each;
    if (!status)
        gsl_rng_set(random, SEED);
    for (int grid = 0; grid < grids && !status; grid++) {
        collect(points, n, grid, &p);
        status = run_all(&p, gain, random, t, &t[REPLAY_WAYS], out, error);
    }
    if (!status) {
        for (int w = 0; w < REPLAY_WAYS; w++)
            for (int k = 0; k < REPLAY_RUNS; k++)
                quantiles(t[w].after[k], t[w].n, &out->way[w].median[k], &out->way[w].high[k]);
        quantiles(t[REPLAY_WAYS].after[0], t[REPLAY_WAYS].n, &out->median, &out->high);
        out->runs /= (double)grids;
    }
    free(p.points);
    free(p.candidates);
    free(room);
    if (random)
        gsl_rng_free(random);
    return status;
}

/* ------------------------------------------------------------------------------------- tables */

enum { TABLES = 6, ROWS = 8000 };
static const char *const tables[TABLES] = {"pocl-epyc-2core",        "pocl-epyc-2core-disturbed",
                                           "pocl-xeon-2core-second", "pocl-xeon-2core-third",
                                           "pocl-xeon-2core-fourth", "pocl-xeon-2core-fifth"};

static bool open_table(const char *name, measured *table)
{
    const char *source = getenv("GZ_SOURCE");
    char path[600];
    gz_error error;
    snprintf(path, sizeof path, "%s/studies/results/%s/validation.tsv", source ? source : ".",
             name);
    bool is_read = measured_read(path, table, &error) == GZ_OK;
    if (!is_read)
        tap_note("%s", error.text);
    return is_read;
}

static judge_point points[ROWS], chosen[ROWS];

/* The points of tables by a model, predicted; how many. */
static size_t predict(const measured *table, int n_tables, gz_model model)
{
    gz_error missing[GZ_VARIANT_NAIVE + 1] = {{{0}}};
    size_t n = 0;
    for (int t = 0; t < n_tables; t++)
        n += judge_points(&table[t], true, points + n);
    judge_predict(points, n, model, missing);
    return n;
}

static bool replay_on(size_t n, bool all_variants, replay *out)
{
    size_t kept = 0;
    gz_error error = {{0}};
    for (size_t i = 0; i < n; i++)
        if (all_variants || points[i].row->kind == MEASURED_SWEEP)
            chosen[kept++] = points[i];
    judge_number(chosen, kept);
    gz_status status = replay_make(chosen, kept, 0, out, &error);
    if (status)
        tap_note("%s", error.text);
    return status == GZ_OK;
}

/* Completes the tables' files by the built-in one of any CPU, or puts that in their place. */
static void take_generic(measured *table, bool all)
{
    static const char *const own[] = {"cell_time", "stream_cell_time", "naive_cell_time",
                                      "rest_time", "stream_rest_time"};
    gz_device *dev = &table->device;
    const struct gzk_device_info info = {
        .is_cpu = true,
        .units = (int)gz_get(dev, "sm_count"),
        .local_bytes = (size_t)gz_get(dev, "shared_mem_per_block"),
        .cache_bytes = (size_t)gz_get(dev, "effective_cache"),
    };
    if (all)
        gzk_generic_device(&info, true, dev);
    else
        gzk_complete_device(&info, dev);
    for (int a = 0; a < table->n_apps; a++) {
        gz_app *app = &table->apps[a].app;
        for (size_t k = 0; all && k < sizeof own / sizeof *own; k++)
            *gz_param_quantity(NULL, app, gz_param_by_name(own[k])) = (gz_quantity){0};
        gzk_describe_reads(gzk_stencil_find(table->apps[a].name), app);
    }
}

/* All variants, at every point predicted; whether it is done. */
static bool replay_by_generic(measured *table, bool all, size_t *n, replay *r)
{
    for (int t = 0; t < TABLES; t++)
        take_generic(&table[t], all);
    *n = predict(table, TABLES, GZ_MODEL_GZ2);
    for (size_t i = 0; i < *n; i++)
        if (isnan(points[i].predicted))
            return false;
    return replay_on(*n, true, r);
}

static double high(const replay *r, replay_way way, int runs)
{
    return r->way[way].high[runs - 1];
}

int main(void)
{
    static measured table[TABLES + 1];
    replay r;
    bool open = true, replayed;
    for (int t = 0; t < TABLES; t++)
        open = open && open_table(tables[t], &table[t]);
    size_t n = open ? predict(table, TABLES, GZ_MODEL_GZ2) : 0;
    tap_ok(n > 0 && replay_on(n, false, &r) && r.problems == 96, "96 grids are replayed");
    tap_ok(r.median < 0.001 && r.high < 0.03 && r.runs < 7.5,
           "trapezoids: it stops after %.1f runs at %.1f / %.1f %%, and may at 7.5, 0 / 3", r.runs,
           100 * r.median, 100 * r.high);
    tap_ok(high(&r, REPLAY_TUNER, 5) < 0.75 * high(&r, REPLAY_MODEL, 5) &&
               high(&r, REPLAY_TUNER, 10) < 0.5 * high(&r, REPLAY_MODEL, 10) &&
               high(&r, REPLAY_MODEL, 10) < 0.5 * high(&r, REPLAY_PROCESS, 10) &&
               high(&r, REPLAY_PROCESS, 10) < high(&r, REPLAY_RANDOM, 10),
           "it beats the model alone, that the process alone, and that random choice");
    tap_ok(replay_on(n, true, &r) && r.problems == 96, "all variants");
    tap_ok(r.median < 0.001 && r.high < 0.06 && r.runs < 9.8,
           "of which most are not predicted: after %.1f runs at %.1f / %.1f %%, and may at 9.8, "
           "0 / 6",
           r.runs, 100 * r.median, 100 * r.high);
    open = open_table("amd-w7800", &table[TABLES]);
    n = open ? predict(&table[TABLES], 1, GZ_MODEL_MENG2011) : 0;
    tap_ok(n > 0 && replay_on(n, true, &r) && high(&r, REPLAY_TUNER, 12) < 0.01,
           "an AMD W7800, by the 2011 model: the best, or within 1 %%, after 12 runs: %.1f %%",
           100 * high(&r, REPLAY_TUNER, 12));
    replayed = replay_by_generic(table, false, &n, &r);
    tap_ok(
        replayed && r.median < 0.001 && r.high < 0.02 && r.runs < 8.5,
        "files completed by the built-in one of any CPU, all variants: after %.1f runs at %.1f / "
        "%.1f %%, and may at 8.5, 0 / 2",
        r.runs, 100 * r.median, 100 * r.high);
    replayed = replay_by_generic(table, true, &n, &r);
    tap_ok(replayed && r.median < 0.001 && r.high < 0.02 && r.runs < 11.5,
           "by that alone: after %.1f runs at %.1f / %.1f %%, and may "
           "at 11.5, 0 / 2",
           r.runs, 100 * r.median, 100 * r.high);
    for (size_t i = 0; i < n; i++)
        points[i].predicted *= 5;
    replayed = replay_on(n, true, &r);
    tap_ok(replayed && r.median < 0.001 && r.high < 0.03,
           "and as well if all its predictions are 5 times too slow: %.1f runs, %.1f / %.1f %%",
           r.runs, 100 * r.median, 100 * r.high);
    for (int t = 0; t <= TABLES; t++)
        measured_free(&table[t]);
    return tap_done();
}
