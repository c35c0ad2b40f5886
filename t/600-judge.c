/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judge of the model on synthetic tables, whose regret, error, coverage, rank correlation and
 * hits are known: times are made from the model's own predictions, or written down.
 */
#include "judge.h"
#include "numbers.h"
#include "tap.h"

enum { HEIGHTS = 6, MAX_ROWS = 200 };

static measured table;
static measured_row rows[MAX_ROWS];

static void start(void)
{
    table = (measured){.n_apps = 2, .rows = rows};
    memcpy(table.apps[0].name, "hotspot", sizeof "hotspot");
    memcpy(table.apps[1].name, "pathfinder", sizeof "pathfinder");
    if (gz_device_open("gtx280", &table.device, NULL) ||
        gz_app_open("hotspot", NULL, &table.apps[0].app, NULL) ||
        gz_app_open("pathfinder", NULL, &table.apps[1].app, NULL))
        exit(1);
}

static measured_row *add(int app, gz_sync sync, int height, double seconds)
{
    measured_row *row = &rows[table.n_rows++];
    *row = (measured_row){.app = app,
                          .cfg = {.data_length = {1000, 1000}, .block_len = {20, 20}, .sync = sync},
                          .height = height,
                          .loops = 8,
                          .runs = 5,
                          .seconds = seconds,
                          .spread = 0.01};
    if (app == 1)
        row->cfg = (gz_config){.data_length = {1000000}, .block_len = {256}, .sync = sync};
    return row;
}

static double predicted(int app, gz_sync sync, int height)
{
    gz_prediction p;
    measured_row row = *add(app, sync, height, 1);
    table.n_rows--;
    if (gz_predict(&table.device, &table.apps[app].app, &row.cfg, height, &p, NULL))
        exit(1);
    return p.seconds_per_loop;
}

/* A curve that takes `factor` times what is predicted, to the power `power`. */
static void add_curve(int app, gz_sync sync, double factor, double power)
{
    for (int h = 1; h <= HEIGHTS; h++)
        add(app, sync, h, factor * pow(predicted(app, sync, h), power));
}

static judge judged_by(judge_options options)
{
    judge j;
    gz_error error;
    if (judge_table(&table, options, &j, &error)) {
        tap_note("%s", error.text);
        exit(1);
    }
    return j;
}

/* All tables here are of quiet points and noisy ones, so both rules agree. */
static judge judged(void)
{
    return judged_by((judge_options){.rule = JUDGE_STRICT});
}

static void perfect(void)
{
    start();
    add_curve(0, GZ_SYNC_RESTART, 1, 1);
    add_curve(0, GZ_SYNC_FENCE, 1, 1);
    add_curve(1, GZ_SYNC_RESTART, 1, 1);
    judge j = judged();
    tap_ok(j.n_curves == 3 && j.all.points == 18 && j.all.noisy == 0 && j.all.moved == 0,
           "a perfect table: all is counted");
    tap_ok(j.all.regret[0] == 0 && j.all.regret[2] == 0 && j.all.within_5 == 1, "no regret");
    tap_ok(j.all.error[0] == 0 && j.all.error[1] == 0 && j.all.ratio == 1, "no error");
    tap_close(j.all.correlation, 1, 1e-12, "rank correlation 1");
    tap_ok(j.all.sync_choices == 1 && j.all.sync_hits == 1, "the cheaper mode is named");
    tap_ok(j.all.height_coverage == 1, "the best heights are those predicted");
    tap_ok(j.app[0].curves == 2 && j.app[1].curves == 1, "by application");
    judge_free(&j);
}

static void scaled(void)
{
    start();
    add_curve(0, GZ_SYNC_RESTART, 2, 1);
    judge j = judged();
    tap_close(j.all.error[0], 0.5, 1e-12, "twice the time: error 50 %");
    tap_close(j.all.ratio, 0.5, 1e-12, "and predicted over measured 0.5");
    tap_ok(j.all.regret[0] == 0 && j.all.coverage == 0 && isnan(j.all.sync_hits),
           "no regret, nothing covered, no modes to choose from");
    judge_free(&j);
}

static void upside_down(void)
{
    start();
    add_curve(0, GZ_SYNC_RESTART, 1e-6, -1);
    judge j = judged();
    double least = HUGE_VAL, most = 0;
    for (int h = 1; h <= HEIGHTS; h++) {
        least = fmin(least, predicted(0, GZ_SYNC_RESTART, h));
        most = fmax(most, predicted(0, GZ_SYNC_RESTART, h));
    }
    tap_close(j.all.correlation, -1, 1e-12, "slowest when it should be fastest: correlation -1");
    tap_close(j.all.regret[0], most / least - 1, 1e-12, "and the largest regret there is");
    judge_free(&j);
}

/* Times in seconds for HotSpot, for which the model chooses 2 in this configuration. */
static void written_down(void)
{
    start();
    add(0, GZ_SYNC_RESTART, 4, 3);
    add(0, GZ_SYNC_RESTART, 1, 4);
    add(0, GZ_SYNC_RESTART, 2, 2.5);
    add(0, GZ_SYNC_RESTART, 5, 2);
    add(0, GZ_SYNC_RESTART, 6, 0.1)->quality = MEASURED_NOISY;
    judge j = judged();
    double at_3 = 2.5 * pow(3 / 2.5, log(1.5) / log(2));
    tap_ok(j.curves[0].chosen == 2 && j.curves[0].best == 5 && j.all.noisy == 1 &&
               j.all.points == 4,
           "written down: the model's 2, the best 5, and the noisy 6 left out");
    tap_close(j.all.regret[0], 0.25, 1e-12, "regret 25 %");
    tap_close(j.all.one, 1, 1e-12, "height 1: 100 %");
    tap_close(j.all.random, (4 + 2.5 + at_3 + 3 + 2) / 5 / 2 - 1, 1e-12,
              "a random height, with 3 interpolated");
    tap_ok(j.fixed_height == 5 && j.all.fixed == 0, "the best fixed height is 5, of no regret");
    judge_free(&j);

    rows[2].quality = MEASURED_NOISY;
    j = judged();
    tap_ok(j.curves[0].moved && j.curves[0].chosen != 2 && j.all.moved == 1,
           "a noisy point at the model's height: a neighbour is taken instead");
    judge_free(&j);
}

static void modes(void)
{
    start();
    add_curve(0, GZ_SYNC_RESTART, 1, 1);
    add_curve(0, GZ_SYNC_FENCE, 10, 1);
    add_curve(1, GZ_SYNC_RESTART, 1, 1);
    add_curve(1, GZ_SYNC_FENCE, 10, 1);
    judge j = judged();
    int hits[2];
    for (int app = 0; app < 2; app++) {
        double least[2] = {HUGE_VAL, HUGE_VAL};
        for (int h = 1; h <= HEIGHTS; h++) {
            least[0] = fmin(least[0], predicted(app, GZ_SYNC_RESTART, h));
            least[1] = fmin(least[1], predicted(app, GZ_SYNC_FENCE, h));
        }
        hits[app] = least[0] <= least[1];
    }
    tap_ok(j.app[0].sync_hits == hits[0] && j.app[1].sync_hits == hits[1] &&
               j.all.sync_hits == (hits[0] + hits[1]) / 2.0,
           "fences ten times as slow: a hit if the model says restarts");
    judge_free(&j);
}

/* Every third point a little inside its interval, the others a little outside. */
static void coverage(void)
{
    start();
    table.device.mem_bandwidth.sd = 0.05 * table.device.mem_bandwidth.value;
    add_curve(0, GZ_SYNC_RESTART, 1, 1);
    for (size_t k = 0; k < table.n_rows; k++) {
        gz_uncertainty u;
        if (gz_propagate(&table.device, &table.apps[0].app, &rows[k].cfg, rows[k].height,
                         1.959963984540054, &u, NULL))
            exit(1);
        rows[k].seconds = k % 3 == 0   ? u.seconds[1] * 0.999
                          : k % 3 == 1 ? u.seconds[1] * 1.001
                                       : u.seconds[0] * 0.999;
    }
    judge j = judged();
    tap_close(j.all.coverage, 1 / 3., 1e-12, "a third of the points in their intervals");
    judge_free(&j);
}

static void adaptive(void)
{
    start();
    for (int h = 1; h <= HEIGHTS; h++)
        add(0, GZ_SYNC_RESTART, h, 3);
    add(0, GZ_SYNC_RESTART, 2, 6)->kind = MEASURED_FROM_ONE;
    add(0, GZ_SYNC_RESTART, 2, 4.5)->kind = MEASURED_FROM_MODEL;
    judge j = judged();
    tap_ok(fabs(j.all.from_one) < 1e-12 && fabs(j.all.from_model) < 1e-12,
           "adaptive selection on a flat curve costs nothing");
    tap_close(j.all.real_from_one, 1, 1e-12, "a real run from 1 that took twice the best");
    tap_close(j.all.real_from_model, 0.5, 1e-12, "and one from the model's height");
    judge_free(&j);

    /* Two stages at 1, then ever higher with all else equal: 1 costs twice for two of 30 loops. */
    rows[0].seconds = 6;
    j = judged();
    tap_close(j.all.from_one, 2 / 30., 1e-12, "simulated from 1: two slow loops of thirty");
    judge_free(&j);
}

static void quality(void)
{
    double values[] = {4, 1, 3, 2, 5};
    cli_sort(values, 5);
    tap_close(cli_quantile(values, 5, 0.25), 2, 1e-12, "a quartile");
    tap_ok(isnan(cli_quantile(values, 0, 0.5)), "no quantile of nothing");
    tap_ok(measured_quality_of(0.019, 5) == MEASURED_QUIET &&
               measured_quality_of(0.05, 5) == MEASURED_NOISY &&
               measured_quality_of(0.05, 10) == MEASURED_AVERAGED,
           "quiet by its spread, sound by its runs, or noisy");

    start();
    for (int h = 1; h <= HEIGHTS; h++)
        add(0, GZ_SYNC_RESTART, h, 1)->quality = MEASURED_NOISY;
    judge j = judged();
    tap_ok(j.n_curves == 0 && j.all.noisy == 6 && isnan(j.all.regret[0]),
           "a table of noisy points gives no verdict");
    judge_free(&j);

    gz_error error;
    add(0, GZ_SYNC_GRAPH, 1, 1);
    tap_ok(judge_table(&table, (judge_options){0}, &j, &error) == GZ_EDEVICE &&
               strstr(error.text, "graph") != NULL,
           "a mode that the device file does not describe is an error with a reason");
}

/* Averaged points count by the relaxed rule only; the strict one is the headline while it leaves
 * half of the points. */
static void rules(void)
{
    start();
    for (int h = 1; h <= HEIGHTS; h++)
        add(0, GZ_SYNC_RESTART, h,
            h == 3   ? 1
            : h == 2 ? 3
                     : 2)
            ->quality = h == 3 ? MEASURED_AVERAGED : MEASURED_QUIET;
    judge strict = judged_by((judge_options){.rule = JUDGE_STRICT});
    judge relaxed = judged_by((judge_options){.rule = JUDGE_RELAXED});
    tap_ok(strict.all.points == 5 && strict.all.noisy == 1 && relaxed.all.points == 6,
           "averaged points count by the relaxed rule only");
    tap_close(strict.all.regret[0], 0.5, 1e-12, "without the averaged best: regret 50 %");
    tap_close(relaxed.all.regret[0], 2, 1e-12, "with it: 200 %");
    judge_free(&strict);
    judge_free(&relaxed);
    for (int k = 0; k < 3; k++)
        rows[k].quality = MEASURED_AVERAGED;
    tap_ok(judge_rule_of(&table) == JUDGE_STRICT, "half of the points quiet: the strict rule");
    rows[3].quality = MEASURED_NOISY;
    tap_ok(judge_rule_of(&table) == JUDGE_RELAXED, "fewer: the relaxed one");
}

/* A grid of 1000x1000 floats in three arrays, two read and one written, is 12 MB. */
static void cache(void)
{
    const judge_options by_cache = {JUDGE_STRICT, 1};
    start();
    table.device.cache_size.value = 12e6;
    table.device.cache_bandwidth.value = 10 * table.device.mem_bandwidth.value;
    gz_device fast = table.device;
    fast.mem_bandwidth.value = table.device.cache_bandwidth.value;
    for (int h = 1; h <= HEIGHTS; h++) {
        gz_prediction p;
        measured_row *row = add(0, GZ_SYNC_RESTART, h, 1);
        if (gz_predict(&fast, &table.apps[0].app, &row->cfg, h, &p, NULL))
            exit(1);
        row->seconds = p.seconds_per_loop;
    }
    judge j = judged_by(by_cache);
    tap_ok(j.all.error[1] == 0, "times of a cache, predicted with its bandwidth: no error");
    judge_free(&j);
    j = judged();
    tap_ok(j.all.error[0] > 0.1, "which is an option, and not the rule: %.2f", j.all.error[0]);
    judge_free(&j);
    table.device.cache_size.value = 11.9e6;
    j = judged_by(by_cache);
    tap_ok(j.all.error[0] > 0.1, "nor for a grid that the cache does not hold");
    judge_free(&j);
}

int main(void)
{
    tap_plan(37);
    perfect();
    scaled();
    upside_down();
    written_down();
    modes();
    coverage();
    adaptive();
    rules();
    cache();
    quality();
    return tap_done();
}
