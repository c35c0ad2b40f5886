/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models side by side on synthetic tables whose answers are known: a perfect table, a table in
 * which the model's choices are the worst, scatter and floor by closed forms, shares of intervals
 * that hold, and what is said of a model that the files have too little for.
 */
#include "both.h"
#include "tap.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { HEIGHTS = 6, TILES = 2, MAX_ROWS = 100 };

static measured table;
static measured_row rows[MAX_ROWS];

static void start(void)
{
    table = (measured){.format = 2, .n_apps = 1, .rows = rows};
    memcpy(table.apps[0].name, "hotspot", sizeof "hotspot");
    if (gz_device_open("gtx280", &table.device, NULL) ||
        gz_app_open("hotspot", NULL, &table.apps[0].app, NULL))
        exit(1);
}

/* A point with three tries, a relative `scatter` of their logarithms apart. */
static measured_row *add(int tile, gz_sync sync, int height, double seconds, double scatter)
{
    measured_row *row = &rows[table.n_rows++];
    *row = (measured_row){.cfg = {.data_length = {1000, 1000},
                                  .block_len = {20 + 4 * tile, 20},
                                  .sync = sync,
                                  .beyond = 1},
                          .height = height,
                          .loops = 60};
    for (int k = -1; k <= 1; k++)
        measured_add_try(row, seconds * exp(k * scatter), 0.01, 5);
    return row;
}

static double predicted(const measured_row *row)
{
    gz_prediction p;
    if (gz_predict(&table.device, &table.apps[0].app, &row->cfg, row->height, &p, NULL))
        exit(1);
    return p.seconds_per_loop;
}

/* Two tiles in both modes, which take `factor` times what the model predicts, to the power `power`.
 */
static void add_all(double factor, double power)
{
    for (int tile = 0; tile < TILES; tile++)
        for (int y = GZ_SYNC_RESTART; y <= GZ_SYNC_FENCE; y++)
            for (int h = 1; h <= HEIGHTS; h++) {
                double p = predicted(add(tile, (gz_sync)y, h, 1, 0));
                table.n_rows--;
                add(tile, (gz_sync)y, h, factor * pow(p, power), 0);
            }
}

static both judged(int model)
{
    both b;
    gz_error error;
    if (both_judge(&table, model, &b, &error)) {
        tap_note("%s", error.text);
        exit(1);
    }
    return b;
}

static void perfect(void)
{
    start();
    add_all(1, 1);
    both b = judged(GZ_MODEL_MENG2011);
    const second_verdict *v = &b.of[0].all;
    tap_ok(v->points == table.n_rows && v->curves == 4 && v->pairs == 2 && v->problems == 1,
           "%zu points, %zu curves, %zu pairs, %zu problem", v->points, v->curves, v->pairs,
           v->problems);
    tap_ok(v->error[1] < 1e-12 && v->height[1] < 1e-12 && v->joint[1] < 1e-12 &&
               v->joint_five[1] < 1e-12 && v->mode_within_2 == 1,
           "times as predicted: no error, no regret");
    tap_ok(b.all.known && b.all.error[1] < 1e-12 && b.all.height[1] < 1e-12 &&
               b.all.joint[1] < 1e-12,
           "tries that agree: the floor is 0");
    tap_ok(memcmp(&b.of[0].app[0], v, sizeof *v) == 0, "one application is all of them");
    both_free(&b);
    for (size_t k = 0; k < table.n_rows; k++)
        rows[k].seconds *= 1.3;
    b = judged(GZ_MODEL_MENG2011);
    tap_close(b.of[0].all.error[0], 1 - 1 / 1.3, 1e-12, "1.3 times as long: that error");
    tap_ok(b.of[0].all.joint[1] < 1e-12, "and still no regret");
    both_free(&b);
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
    both b = judged(GZ_MODEL_MENG2011);
    const second_verdict *v = &b.of[0].all;
    tap_close(v->joint[0], most / best - 1, 1e-9,
              "the model's order upside down: the worst joint regret");
    tap_close(chosen_of(1), most, 1e-9, "which is that of its first by brute force");
    tap_close(v->joint_five[0], chosen_of(5) / best - 1, 1e-9, "and the best of its first five");
    tap_ok(v->joint_five[0] < v->joint[0], "is better");
    both_free(&b);
}

static void floors(void)
{
    /* The tries lie one standard deviation apart; of three normal ones the two fastest lie 0.8463
     * apart, 3 / (2 sqrt(pi)), and their mean, the quartile, has a deviation of 0.6244 [tables of
     * order statistics]. */
    static const double scatter = 0.05, apart = 0.02, of_three = 0.625 / 0.8463;
    start();
    const measured_row *row = add(0, GZ_SYNC_RESTART, 1, 1e-3, scatter);
    tap_close(row->seconds, 1e-3 * (1 + exp(-scatter)) / 2, 1e-12,
              "three tries: their lower quartile");
    tap_close(measured_scatter(row), of_three * scatter, 1e-9,
              "and the scatter of a lower quartile of three");
    add(0, GZ_SYNC_RESTART, 2, 1e-3 * (1 + apart), scatter);
    both b = judged(GZ_MODEL_MENG2011);
    /* The second is faster by chance: ln(t1 / t2) is normal, E[max(0, e^D - 1)] a closed form. */
    double sd = sqrt(2) * of_three * scatter, mean = -log(1 + apart);
    double expected = exp(mean + sd * sd / 2) * gsl_cdf_ugaussian_P((mean + sd * sd) / sd) -
                      gsl_cdf_ugaussian_P(mean / sd);
    tap_ok(fabs(b.all.height[0] - expected) < 5 * sd / sqrt((double)BOTH_DRAWS),
           "floor of the regret of a choice of two: %.4f, %.4f by the closed form", b.all.height[0],
           expected);
    tap_ok(b.all.height[0] > 0 && b.all.height[0] == b.all.joint[0],
           "the same of the joint choice");
    tap_close(b.all.scatter[0], of_three * scatter, 1e-9, "which states the scatter");
    double first = b.all.height[0];
    both_free(&b);
    b = judged(GZ_MODEL_MENG2011);
    tap_ok(b.all.height[0] == first, "and is the same again");
    both_free(&b);
    rows[1].tries = 1;
    b = judged(GZ_MODEL_MENG2011);
    tap_ok(!b.all.known, "half of the points with one try: no floor");
    both_free(&b);
    add(0, GZ_SYNC_RESTART, 3, 2e-3, scatter);
    b = judged(GZ_MODEL_MENG2011);
    tap_ok(b.all.known && b.all.one_try == 1 && b.all.scatter[1] < scatter,
           "fewer: theirs is taken as the others'");
    both_free(&b);
    table.n_rows--;
    table.format = 1;
    rows[1].quality = MEASURED_NOISY;
    b = judged(GZ_MODEL_MENG2011);
    tap_ok(b.n == 1, "of format 1, noisy points do not count");
    both_free(&b);
}

static void intervals(void)
{
    second_point points[4];
    second_verdict v;
    for (int k = 0; k < 4; k++)
        points[k] = (second_point){.height = k + 1,
                                   .pair = -1,
                                   .seconds = 1,
                                   .predicted = 1.1,
                                   .low = k == 0 ? 1.05 : 0.9,
                                   .high = 1.2};
    second_judge(points, 4, (double)NAN, &v);
    tap_close(v.coverage, 0.75, 1e-12, "three of four in their intervals");
    for (int k = 0; k < 4; k++)
        points[k].high = 0;
    second_judge(points, 4, 0.2, &v);
    tap_close(v.coverage, 1, 1e-12, "one half-width for all");
    second_judge(points, 4, (double)NAN, &v);
    tap_ok(isnan(v.coverage), "no interval, no share");
}

static void lacking(void)
{
    both b;
    gz_error error;
    start();
    add_all(1, 1);
    table.device.effective_cache = (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    b = judged(-1);
    tap_ok(b.n_models == BOTH_MODELS && !b.of[GZ_MODEL_MENG2011].missing.text[0] &&
               strstr(b.of[GZ_MODEL_GZ2].missing.text, "gz2 needs"),
           "what a model lacks is said, and the other judged: %s", b.of[GZ_MODEL_GZ2].missing.text);
    both_free(&b);
    tap_ok(both_judge(&table, GZ_MODEL_GZ2, &b, &error) != GZ_OK && strstr(error.text, "gz2 needs"),
           "asked for alone, it is an error");
}

int main(void)
{
    tap_plan(6 + 4 + 9 + 3 + 2);
    perfect();
    worst();
    floors();
    intervals();
    lacking();
    return tap_done();
}
