/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judge on synthetic tables, whose regret, error, coverage, rank correlation and floor are
 * known: times are made from a model's own predictions, or written down; choices by brute force,
 * floors by closed forms, cross-fitted regrets by hand.
 */
#include "gzmodel/parameters.h"
#include "numbers.h"
#include "tap.h"
#include "verdict.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { HEIGHTS = 6, TILES = 2, MAX_ROWS = 200 };

static measured table;
static measured_row rows[MAX_ROWS];

static void start(void)
{
    table = (measured){.n_apps = 2, .rows = rows, .about = (char[]){""}};
    memcpy(table.apps[0].name, "hotspot", sizeof "hotspot");
    memcpy(table.apps[1].name, "pathfinder", sizeof "pathfinder");
    if (gz_device_open("gtx280", &table.device, NULL) ||
        gz_app_open("hotspot", NULL, &table.apps[0].app, NULL) ||
        gz_app_open("pathfinder", NULL, &table.apps[1].app, NULL))
        exit(1);
}

/* A point with three tries, `scatter` in the logarithm apart, of which the least comes last. */
static measured_row *add(int app, int tile, gz_sync sync, int height, double seconds,
                         double scatter)
{
    measured_row *row = &rows[table.n_rows++];
    *row = (measured_row){.app = app,
                          .cfg = {.data_length = {1000, 1000},
                                  .block_len = {20 + 4 * tile, 20},
                                  .sync = sync,
                                  .beyond = 1},
                          .height = height,
                          .loops = 60};
    if (app == 1)
        row->cfg =
            (gz_config){.data_length = {1000000}, .block_len = {256}, .sync = sync, .beyond = 1};
    memcpy(row->tile, row->cfg.block_len, sizeof row->tile);
    for (int k = 1; k >= -1; k--)
        measured_add_try(row, seconds * exp(k * scatter), 0.01, 5);
    return row;
}

static double predicted(const measured_row *row)
{
    gz_prediction p;
    if (gz_predict(&table.device, &table.apps[row->app].app, &row->cfg, row->height, &p, NULL))
        exit(1);
    return p.seconds_per_loop;
}

/* A curve that takes `factor` times what the 2011 model predicts, to the power `power`. */
static void add_curve(int app, int tile, gz_sync sync, double factor, double power)
{
    for (int h = 1; h <= HEIGHTS; h++) {
        double p = predicted(add(app, tile, sync, h, 1, 0));
        table.n_rows--;
        add(app, tile, sync, h, factor * pow(p, power), 0);
    }
}

static void add_all(double factor, double power)
{
    for (int tile = 0; tile < TILES; tile++)
        for (int y = GZ_SYNC_RESTART; y <= GZ_SYNC_FENCE; y++)
            add_curve(0, tile, (gz_sync)y, factor, power);
}

/* The points, by the 2011 model; how many. */
static size_t points_of(judge_point *points)
{
    gz_error missing[REPORT_VARIANTS] = {{{0}}};
    size_t n = judge_points(&table, points);
    if (judge_predict(points, n, GZ_MODEL_MENG2011, missing) != n)
        exit(1);
    return n;
}

static judge_verdict judged(void)
{
    judge_point points[MAX_ROWS];
    judge_verdict v;
    size_t n = points_of(points);
    judge(points, n, &v);
    return v;
}

static judge_floor noise(void)
{
    judge_point points[MAX_ROWS];
    judge_floor f;
    judge_noise(points, judge_points(&table, points), &f);
    return f;
}

static void perfect(void)
{
    start();
    add_all(1, 1);
    judge_verdict v = judged();
    tap_ok(v.of[JUDGE_points] == (double)table.n_rows && v.of[JUDGE_curves] == 4 &&
               v.of[JUDGE_tiles] == 2 && v.of[JUDGE_grids] == 1,
           "%g points, %g curves, %g tiles, %g grid", v.of[JUDGE_points], v.of[JUDGE_curves],
           v.of[JUDGE_tiles], v.of[JUDGE_grids]);
    tap_ok(v.of[JUDGE_error_95] < 1e-12 && v.of[JUDGE_height] < 1e-12 &&
               v.of[JUDGE_joint] < 1e-12 && v.of[JUDGE_joint_five] < 1e-12 &&
               v.of[JUDGE_mode_within_2] == 1 && v.of[JUDGE_within_5] == 1,
           "times as predicted: no error, no regret");
    tap_close(v.of[JUDGE_correlation], 1, 1e-12, "rank correlation 1");
    tap_ok(isnan(v.of[JUDGE_height_95]) && isnan(v.of[JUDGE_joint_95]),
           "no 95th percentile of a regret on one grid");
    judge_floor f = noise();
    tap_ok(f.known && f.verdict.of[JUDGE_error_95] < 1e-12 && f.verdict.of[JUDGE_height] < 1e-12 &&
               f.verdict.of[JUDGE_joint] < 1e-12,
           "tries that agree: the floor is 0");
    for (size_t k = 0; k < table.n_rows; k++)
        rows[k].seconds *= 1.3;
    v = judged();
    tap_close(v.of[JUDGE_error], 1 - 1 / 1.3, 1e-12, "1.3 times as long: that error");
    tap_close(v.of[JUDGE_ratio], 1 / 1.3, 1e-12, "and predicted over measured");
    tap_ok(v.of[JUDGE_joint] < 1e-12 && v.of[JUDGE_coverage] == 1,
           "still no regret, and all within the model's own error");
}

/* By brute force: the measured time of the first, or the best of the first five, by the model. */
static double chosen_of(int first)
{
    int taken[MAX_ROWS] = {0};
    double best = HUGE_VAL;
    for (int i = 0; i < first; i++) {
        size_t found = 0;
        double least = HUGE_VAL;
        for (size_t k = 0; k < table.n_rows; k++)
            if (!taken[k] && predicted(&rows[k]) < least) {
                least = predicted(&rows[k]);
                found = k;
            }
        taken[found] = 1;
        best = fmin(best, rows[found].seconds);
    }
    return best;
}

static void worst(void)
{
    start();
    add_all(1e-6, -1);
    double best = HUGE_VAL, most = 0;
    for (size_t k = 0; k < table.n_rows; k++) {
        best = fmin(best, rows[k].seconds);
        most = fmax(most, rows[k].seconds);
    }
    judge_verdict v = judged();
    tap_close(v.of[JUDGE_correlation], -1, 1e-12,
              "slowest when it should be fastest: correlation -1");
    tap_close(v.of[JUDGE_joint], most / best - 1, 1e-9, "and the worst joint regret");
    tap_close(chosen_of(1), most, 1e-9, "which is that of its first by brute force");
    tap_close(v.of[JUDGE_joint_five], chosen_of(5) / best - 1, 1e-9,
              "and the best of its first five");
    tap_ok(v.of[JUDGE_joint_five] < v.of[JUDGE_joint], "is better");
}

/* Times in seconds for HotSpot, for which the model chooses 2 in this configuration. */
static void written_down(void)
{
    start();
    add(0, 0, GZ_SYNC_RESTART, 4, 3, 0);
    add(0, 0, GZ_SYNC_RESTART, 1, 4, 0);
    add(0, 0, GZ_SYNC_RESTART, 2, 2.5, 0);
    add(0, 0, GZ_SYNC_RESTART, 5, 2, 0);
    judge_verdict v = judged();
    tap_close(v.of[JUDGE_height], 0.25, 1e-12, "the model's 2 instead of the best, 5: regret 25 %");
    tap_close(v.of[JUDGE_one], 1, 1e-12, "height 1: 100 %");
    tap_ok(v.of[JUDGE_constant] == 0, "the best constant height is the best");
    tap_ok(v.of[JUDGE_tiles] == 0 && isnan(v.of[JUDGE_mode_within_2]), "one mode: none to choose");
    for (int k = 0; k < 4; k++)
        rows[k].tries = 1;
    rows[3].quality = MEASURED_NOISY;
    v = judged();
    tap_ok(v.of[JUDGE_points] == 3 && v.of[JUDGE_height] == 0,
           "of points with one try the noisy ones do not count");
    rows[0].tries = rows[1].tries = rows[2].tries = 3;
    v = judged();
    tap_ok(v.of[JUDGE_points] == 4, "where most have more, all do");
}

static void modes(void)
{
    start();
    add_curve(0, 0, GZ_SYNC_RESTART, 1, 1);
    add_curve(0, 0, GZ_SYNC_FENCE, 10, 1);
    int right = predicted(&rows[1]) < predicted(&rows[1 + HEIGHTS]);
    judge_verdict v = judged();
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t k = 0; k < table.n_rows; k++)
        least[rows[k].cfg.sync] = fmin(least[rows[k].cfg.sync], predicted(&rows[k]));
    right = least[GZ_SYNC_RESTART] <= least[GZ_SYNC_FENCE];
    tap_ok(v.of[JUDGE_tiles] == 1 && v.of[JUDGE_mode_within_2] == right,
           "fences ten times as slow: right if the model says restarts");
}

/* Every third point a little inside its interval, the others a little outside. */
static void coverage(void)
{
    start();
    table.device.mem_bandwidth.sd = 0.05 * table.device.mem_bandwidth.value;
    add_curve(0, 0, GZ_SYNC_RESTART, 1, 1);
    double narrow = HUGE_VAL, wide = 0;
    for (size_t k = 0; k < table.n_rows; k++) {
        gz_uncertainty u;
        if (gz_propagate(&table.device, &table.apps[0].app, &rows[k].cfg, rows[k].height,
                         1.959963984540054, &u, NULL))
            exit(1);
        rows[k].seconds = k % 3 == 0   ? u.seconds[1] * 0.999
                          : k % 3 == 1 ? u.seconds[1] * 1.001
                                       : u.seconds[0] * 0.999;
        narrow = fmin(narrow, sqrt(u.seconds[1] / u.seconds[0]));
        wide = fmax(wide, sqrt(u.seconds[1] / u.seconds[0]));
    }
    judge_verdict v = judged();
    tap_close(v.of[JUDGE_coverage], 1 / 3., 1e-12, "a third of the points in their intervals");
    tap_ok(v.of[JUDGE_width] >= narrow && v.of[JUDGE_width] <= wide && narrow > 1,
           "which reach to a factor of %.3f", v.of[JUDGE_width]);
}

static void adaptive(void)
{
    start();
    for (int h = 1; h <= HEIGHTS; h++)
        add(0, 0, GZ_SYNC_RESTART, h, 3, 0);
    add(0, 0, GZ_SYNC_RESTART, 2, 6, 0)->kind = MEASURED_FROM_ONE;
    add(0, 0, GZ_SYNC_RESTART, 2, 4.5, 0)->kind = MEASURED_FROM_MODEL;
    judge_verdict v = judged();
    tap_ok(fabs(v.of[JUDGE_from_one]) < 1e-12 && fabs(v.of[JUDGE_from_model]) < 1e-12,
           "adaptive selection on a flat curve costs nothing");
    tap_close(v.of[JUDGE_real_from_one], 1, 1e-12, "a real run from 1 that took twice the best");
    tap_close(v.of[JUDGE_real_from_model], 0.5, 1e-12, "and one from the model's height");
    /* Two stages at 1, then ever higher with all else equal: 1 costs twice for two of 30 loops. */
    rows[0].seconds = 6;
    v = judged();
    tap_close(v.of[JUDGE_from_one], 2 / 30., 1e-12, "simulated from 1: two slow loops of thirty");
}

static void floors(void)
{
    /* The tries lie one standard deviation apart; of three normal ones the two fastest lie 0.8463
     * apart, 3 / (2 sqrt(pi)), and their mean, the quartile, has a deviation of 0.6244 [tables of
     * order statistics]. */
    static const double scatter = 0.05, apart = 0.02, of_three = 0.625 / 0.8463;
    start();
    const measured_row *row = add(0, 0, GZ_SYNC_RESTART, 1, 1e-3, scatter);
    tap_close(row->seconds, 1e-3 * (1 + exp(-scatter)) / 2, 1e-12,
              "three tries: their lower quartile");
    tap_close(measured_scatter(row), of_three * scatter, 1e-9,
              "and the scatter of a lower quartile of three");
    add(0, 0, GZ_SYNC_RESTART, 2, 1e-3 * (1 + apart), scatter);
    judge_floor f = noise();
    /* The other is faster by chance: ln(t1 / t2) is normal, E[max(0, e^D - 1)] a closed form. */
    double sd = sqrt(2) * of_three * scatter, mean = -log(1 + apart);
    double expected = exp(mean + sd * sd / 2) * gsl_cdf_ugaussian_P((mean + sd * sd) / sd) -
                      gsl_cdf_ugaussian_P(mean / sd);
    tap_ok(fabs(f.verdict.of[JUDGE_height] - expected) < 5 * sd / sqrt((double)JUDGE_DRAWS),
           "floor of the regret of a choice of two: %.4f, %.4f by the closed form",
           f.verdict.of[JUDGE_height], expected);
    tap_ok(f.verdict.of[JUDGE_height] > 0 &&
               f.verdict.of[JUDGE_height] == f.verdict.of[JUDGE_joint],
           "the same of the joint choice");
    tap_close(f.scatter[0], of_three * scatter, 1e-9, "which states the scatter");
    double first = f.verdict.of[JUDGE_height];
    f = noise();
    tap_ok(f.verdict.of[JUDGE_height] == first, "and is the same again");
    rows[1].tries = 1;
    f = noise();
    tap_ok(!f.known, "half of the points with one try: no floor");
    add(0, 0, GZ_SYNC_RESTART, 3, 2e-3, scatter);
    f = noise();
    tap_ok(f.known && f.one_try == 1, "fewer: theirs is taken as the others'");
}

/* Two heights whose tries change places: by the even tries one is the better, by the odd ones the
 * other. */
static void crossed(void)
{
    start();
    measured_row *a = add(0, 0, GZ_SYNC_RESTART, 1, 1, 0), *b = add(0, 0, GZ_SYNC_RESTART, 2, 1, 0);
    const double of_a[] = {1, 4, 1, 4}, of_b[] = {3, 2, 3, 2};
    memcpy(a->each, of_a, sizeof of_a);
    memcpy(b->each, of_b, sizeof of_b);
    a->tries = b->tries = 4;
    a->seconds = 1;
    b->seconds = 2;
    bool first = predicted(a) < predicted(b);
    judge_verdict v = judged();
    /* The best by the even tries is a, by the odd ones b; each is timed by the other half. */
    double expected = first ? ((4. / 4 - 1) + (1. / 3 - 1)) / 2 : ((2. / 4 - 1) + (3. / 3 - 1)) / 2;
    tap_close(v.of[JUDGE_joint_cross], expected, 1e-12,
              "cross-fitted, a choice may be better than the best");
    double among = ((4. / 4 - 1) + (3. / 3 - 1)) / 2;
    tap_close(v.of[JUDGE_joint_five_cross], among, 1e-12,
              "and the best of all, chosen alike, loses nothing");
    a->tries = 1;
    v = judged();
    tap_ok(isnan(v.of[JUDGE_joint_cross]) == first, "without tries of the choice there is none");
}

static void lacking(void)
{
    static report r;
    start();
    table.n_apps = 1;
    add_all(1, 1);
    *gz_param_quantity(&table.device, NULL, gz_param_by_name("effective_cache")) =
        (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    report_make(&table, 1, &r);
    tap_ok(r.n_models == REPORT_MODELS && r.of[0].described == table.n_rows &&
               r.of[1].described == 0 && strstr(r.of[1].missing[0].text, "gz2 needs"),
           "what a model lacks is said, and the other judged: %s", r.of[1].missing[0].text);
    tap_ok(r.n_columns == 2 && memcmp(&r.of[0].verdict[0], &r.of[0].verdict[1],
                                      JUDGE_constant * sizeof(double)) == 0,
           "one application is all of them");
    report_free(&r);
}

/* Tables together: each grid is one of its own. */
static void together(void)
{
    static report r;
    static measured two[2];
    start();
    table.n_apps = 1;
    add_all(1, 1);
    two[0] = two[1] = table;
    report_make(two, 2, &r);
    tap_ok(r.of[0].verdict[1].of[JUDGE_grids] == 2 &&
               r.of[0].verdict[1].of[JUDGE_points] == 2. * (double)table.n_rows,
           "two tables: %g points on %g grids", r.of[0].verdict[1].of[JUDGE_points],
           r.of[0].verdict[1].of[JUDGE_grids]);
    report_free(&r);
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
}

int main(void)
{
    perfect();
    worst();
    written_down();
    modes();
    coverage();
    adaptive();
    floors();
    crossed();
    lacking();
    together();
    quality();
    return tap_done();
}
