/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 607-replay - the tuner replayed on the kept tables of two-core CPUs, 96 grids: what it loses
 * after how many runs, against the model's ranking alone and random choice; by the files
 * completed by the built-in one, or by that alone; and on an AMD W7800's, by the 2011 model.
 */
#include "data.h"
#include "defaults.h"
#include "registry.h"
#include "replay.h"
#include "tap.h"

#include <math.h>

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
    tap_plan(9);
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
