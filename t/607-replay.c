/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 607-replay - the tuner replayed on the kept tables of two-core CPUs, 96 grids: what it loses
 * after how many runs, against the model's ranking alone; by the files completed by the built-in
 * one, or by that alone; and on an AMD W7800's, by the 2011 model.
 */
#include "data.h"
#include "defaults.h"
#include "gzmodel/parameters.h"
#include "judge.h"
#include "numbers.h"
#include "registry.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { TABLES = 6, ROWS = 8000 };

/* The tuner (gz_tuner_new) gets the time of each point that it chooses. Regret is the measured time
 * of the best of its runs over the best of the grid, less 1. Every grid of a table is a problem. */
enum { REPLAY_RUNS = 12 };

typedef struct replay {
    size_t problems;
    double runs;         /* after which it stops by itself, in the mean */
    double median, high; /* regret then; 95th percentile */
    double tuner, model; /* the 95th percentile after REPLAY_RUNS, and by the model's order alone */
} replay;

typedef struct problem {
    const gz_device *dev;
    const gz_app *app;
    size_t n;
    const judge_point **points;
    gz_candidate *candidates;
    double best; /* the least time, s */
} problem;

/* The points of grid `number`, into a problem with room for all points. */
static void collect(const judge_point *points, size_t n, int number, problem *out)
{
    out->n = 0;
    out->best = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        const judge_point *p = &points[i];
        if (p->number[JUDGE_GRID] != number)
            continue;
        out->dev = &p->table->device;
        out->app = &p->table->apps[p->row->app].app;
        gz_candidate *c = &out->candidates[out->n];
        *c = (gz_candidate){.way = gzi_way_of(out->dev, out->app, &p->row->cfg, p->row->height),
                            .model = GZ_MODEL_GZ2,
                            .seconds_per_loop = p->predicted};
        out->points[out->n++] = p;
        out->best = fmin(out->best, p->seconds);
    }
}

static int by_prediction(const void *a, const void *b)
{
    const judge_point *x = *(const judge_point *const *)a, *y = *(const judge_point *const *)b;
    if (isnan(x->predicted) || isnan(y->predicted))
        return isnan(x->predicted) - isnan(y->predicted);
    return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

/* The regret of the points that the model finds fastest. */
static double by_model(problem *p)
{
    double best = HUGE_VAL;
    qsort(p->points, p->n, sizeof *p->points, by_prediction);
    for (size_t k = 0; k < p->n && k < REPLAY_RUNS; k++)
        best = fmin(best, p->points[k]->seconds);
    return best / p->best - 1;
}

/* As the tuner says, until it stops. */
static gz_status run_tuner(const problem *p, const gz_tuner_request *request,
                           gz_tuner_result *result, gz_error *error)
{
    gz_tuner *tuner;
    gz_tuner_step step;
    gz_status status = gz_tuner_new(p->dev, p->app, p->candidates, p->n, request, &tuner, error);
    while (!status) {
        status = gz_tuner_next(tuner, &step, error);
        if (status || step.known)
            break;
        const judge_point *asked = p->points[step.candidate];
        double scatter = measured_scatter(asked->row);
        status = gz_tuner_tell(tuner, step.candidate, asked->seconds, isnan(scatter) ? 0 : scatter,
                               error);
    }
    if (!status)
        status = gz_tuner_best(tuner, result, error);
    gz_tuner_free(tuner);
    return status;
}

static double quantile(double *values, size_t n, double share)
{
    cli_sort(values, n);
    return cli_quantile(values, n, share);
}

/* Replays points that are numbered and predicted (judge_predict); what the model does not describe
 * takes part. */
static gz_status replay_make(const judge_point *points, size_t n, replay *out, gz_error *error)
{
    enum { GRIDS = 100 };
    static const judge_point *chosen[ROWS];
    static gz_candidate candidates[ROWS];
    static const gz_tuner_request most = {.gain = -1, .most = REPLAY_RUNS, .once = 1},
                                  usual = {.once = 1};
    double stopped[GRIDS], tuner[GRIDS], model[GRIDS];
    problem p = {.points = chosen, .candidates = candidates};
    gz_tuner_result result;
    gz_status status = GZ_OK;
    size_t grids = 0;
    *out = (replay){.problems = 0};
    for (collect(points, n, 0, &p); p.n > 0 && grids < GRIDS && !status;
         collect(points, n, (int)grids, &p)) {
        status = run_tuner(&p, &most, &result, error);
        tuner[grids] = result.seconds / p.best - 1;
        if (!status)
            status = run_tuner(&p, &usual, &result, error);
        stopped[grids] = result.seconds / p.best - 1;
        out->runs += (double)result.runs;
        model[grids++] = by_model(&p);
    }
    out->problems = grids;
    out->runs /= (double)grids;
    out->median = quantile(stopped, grids, 0.5);
    out->high = quantile(stopped, grids, 0.95);
    out->tuner = quantile(tuner, grids, 0.95);
    out->model = quantile(model, grids, 0.95);
    return status;
}

/* ------------------------------------------------------------------------------------- tables */

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
        n += judge_points(&table[t], points + n);
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
    gz_status status = replay_make(chosen, kept, out, &error);
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
    tap_ok(r.tuner < 0.5 * r.model, "it beats the model alone: %.1f and %.1f %% after %d runs",
           100 * r.tuner, 100 * r.model, REPLAY_RUNS);
    tap_ok(replay_on(n, true, &r) && r.problems == 96, "all variants");
    tap_ok(r.median < 0.001 && r.high < 0.06 && r.runs < 9.8,
           "of which most are not predicted: after %.1f runs at %.1f / %.1f %%, and may at 9.8, "
           "0 / 6",
           r.runs, 100 * r.median, 100 * r.high);
    open = open_table("amd-w7800", &table[TABLES]);
    n = open ? predict(&table[TABLES], 1, GZ_MODEL_MENG2011) : 0;
    tap_ok(n > 0 && replay_on(n, true, &r) && r.tuner < 0.01,
           "an AMD W7800, by the 2011 model: the best, or within 1 %%, after 12 runs: %.1f %%",
           100 * r.tuner);
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
