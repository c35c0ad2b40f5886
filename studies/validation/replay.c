/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay.h"

#include "numbers.h"
#include "output.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

gz_status replay_make(const judge_point *points, size_t n, double gain, replay *out,
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

/* ---------------------------------------------------------------------------------------- report
 */

static const char *const names[REPLAY_WAYS] = {"tuner", "model", "process", "random"};

/* What is replayed: trapezoids alone, whose predictions every table has, or everything. */
typedef struct scope {
    const char *name;
    bool all_variants;
    replay found;
} scope;
enum { SCOPES = 2 };

static int write_table(const report *r, const scope *scopes, const char *folder)
{
    static const sheet_column columns[] = {
        {"points", "text", "trapezoids: alone; all: all variants"},
        {"way", "text",
         "tuner: model and process; model: its first ones; process: without a model; random"},
        {"runs", "1", "measured"},
        {"median", "1", "regret of the best of them, median"},
        {"high", "1", "95th percentile"},
        {"stops", "1", "mean runs after which the tuner stops by itself"}};
    sheet s;
    sheet_head(&s, &r->tables[0], "tuner: regret over measured runs, on all tables together",
               columns, SHEET_COLUMNS(columns));
    for (const scope *c = scopes; c < scopes + SCOPES; c++)
        for (int w = 0; w < REPLAY_WAYS; w++)
            for (int k = 0; k < REPLAY_RUNS; k++)
                fprintf(s.to, "%s\t%s\t%d\t%.6g\t%.6g\t%.6g\n", c->name, names[w], k + 1,
                        c->found.way[w].median[k], c->found.way[w].high[k], c->found.runs);
    return sheet_write(&s, folder, "tuner.tsv");
}

static void print(const scope *c, const char *model)
{
    static const int shown[] = {1, 3, 5, 8, 10, 15, 20};
    enum { SHOWN = sizeof shown / sizeof *shown };
    const replay *found = &c->found;
    printf("\nThe tuner on %zu grids, %s, by %s: stops after %.1f runs in the mean, %.0f at most; "
           "regret %.1f %%, 95th percentile %.1f %%.\nRegret after so many runs, median / 95th "
           "percentile in %%:\n%-9s",
           found->problems, c->all_variants ? "all variants" : "trapezoids", model, found->runs,
           found->most_runs, 100 * found->median, 100 * found->high, "");
    for (int k = 0; k < SHOWN; k++)
        printf("%14d", shown[k]);
    for (int w = 0; w < REPLAY_WAYS; w++) {
        printf("\n%-9s", names[w]);
        for (int k = 0; k < SHOWN; k++)
            printf("%7.1f /%5.1f", 100 * found->way[w].median[shown[k] - 1],
                   100 * found->way[w].high[shown[k] - 1]);
    }
    putchar('\n');
}

int replay_report(const report *r, const char *folder)
{
    const report_model *m = &r->of[r->n_models - 1];
    scope scopes[SCOPES] = {{"trapezoids", false, {0}}, {"all", true, {0}}};
    judge_point *points = malloc((r->n + 1) * sizeof *points);
    gz_error error = {{0}};
    gz_status status = points ? GZ_OK : GZ_ENOMEM;
    for (scope *c = scopes; c < scopes + SCOPES && !status; c++) {
        size_t n = 0;
        for (size_t i = 0; i < r->n; i++)
            if (c->all_variants || m->points[i].row->kind == MEASURED_SWEEP)
                points[n++] = m->points[i];
        judge_number(points, n);
        status = replay_make(points, n, 0, &c->found, &error);
    }
    free(points);
    if (status)
        return cli_fail(CLI_FAILED, "%s", error.text[0] ? error.text : gz_strerror(status));
    for (const scope *c = scopes; c < scopes + SCOPES; c++)
        print(c, gz_name(GZ_MODELS, m->model));
    return folder ? write_table(r, scopes, folder) : CLI_DONE;
}
