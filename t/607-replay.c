/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 607-replay - the tuner replayed on the kept tables of two-core CPUs, 96 grids: what it loses
 * after how many runs, against the model's ranking alone and random choice; and on an AMD W7800's,
 * by the 2011 model.
 */
#include "replay.h"
#include "tap.h"

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

/* Puts the built-in file of any CPU in the place of the tables' own, with what a driver states, and
 * stencils that were not calibrated. */
static void forget_calibration(measured *table)
{
    static const char *const stated[] = {"sm_count", "shared_mem_per_block", "cache_size",
                                         "effective_cache"};
    static const char *const own[] = {"cell_time", "stream_cell_time", "naive_cell_time",
                                      "rest_time", "stream_rest_time"};
    static const struct {
        const char *name;
        double reads;
    } apps[] = {{"pathfinder", 3}, {"hotspot", 6}, {"poisson", 5}, {"cell", 27}};
    gz_device generic;
    gz_device_open("generic-cpu", &generic, NULL);
    for (size_t k = 0; k < sizeof stated / sizeof *stated; k++)
        if (gz_get(&table->device, stated[k]) > 0)
            gz_set(&generic, stated[k], gz_get(&table->device, stated[k]));
    table->device = generic;
    for (int a = 0; a < table->n_apps; a++) {
        gz_app *app = &table->apps[a].app;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            *gz_param_quantity(NULL, app, gz_param_by_name(own[k])) = (gz_quantity){0};
        for (size_t k = 0; k < sizeof apps / sizeof *apps; k++)
            if (strcmp(table->apps[a].name, apps[k].name) == 0)
                gz_app_set(app, "tile_reads", apps[k].reads);
    }
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
    tap_plan(8);
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
    for (int t = 0; t < TABLES; t++)
        forget_calibration(&table[t]);
    n = predict(table, TABLES, GZ_MODEL_GZ2);
    replayed = replay_on(n, true, &r);
    tap_ok(
        replayed && r.median < 0.001 && r.high < 0.02 && r.runs < 11.5,
        "by the built-in file of any CPU, all variants: after %.1f runs at %.1f / %.1f %%, and may "
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
