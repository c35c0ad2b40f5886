/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_model - what the library costs: a prediction, a gradient, an optimum and a tuning, each
 * over one call of pow. Every time is the median of interleaved repetitions, with half the
 * interquartile range as its spread.
 */
#include "cases.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { REPETITIONS = 15, CASES = 2000 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static test_case cases[CASES];
static double heights[CASES], powers[CASES];
static test_case tuned[3]; /* in 1, 2 and 3 dimensions */

/* Results go here, so that no call can be left out. */
static volatile double sink;

static void prepare(void)
{
    static const int benchmark[] = {PATHFINDER, HOTSPOT, CELL};
    gsl_rng *rng = seeded_rng();
    for (int k = 0; k < CASES; k++) {
        cases[k] = random_case(rng);
        heights[k] = gz_pole(&cases[k].app, &cases[k].cfg) * uniform(rng, 0.05, 0.95);
        powers[k] = uniform(rng, 0.1, 3);
    }
    gsl_rng_free(rng);
    for (int k = 0; k < 3; k++)
        tuned[k] = benchmark_case(benchmark[k], GZ_SYNC_RESTART);
}

static double run_pow(int k)
{
    return pow(heights[k], powers[k]);
}

static double run_predict(int k)
{
    gz_prediction p = {.cpl = 0};
    gz_predict(&cases[k].dev, &cases[k].app, &cases[k].cfg, heights[k], &p, NULL);
    return p.cpl;
}

static double run_gradient(int k)
{
    gz_gradient g = {.cpl = 0};
    gz_predict_gradient(&cases[k].dev, &cases[k].app, &cases[k].cfg, heights[k], &g, NULL);
    return g.dcpl_dp[GZ_P_CPI];
}

static double run_optimize(int k)
{
    gz_optimum best = {.continuous = 0};
    gz_optimize(&cases[k].dev, &cases[k].app, &cases[k].cfg, NULL, &best, NULL);
    return best.continuous;
}

/* The best five tiles with 16 KB of local memory. */
static double run_tune(int k)
{
    const test_case *c = &tuned[k];
    gz_tune_request request = {.limits = {.threads = 0}};
    gz_candidate candidates[5];
    size_t found;
    memcpy(request.data_length, c->cfg.data_length, sizeof request.data_length);
    return gz_tune(&c->dev, &c->app, &request, candidates, 5, &found, NULL) ? 0 : candidates[0].cpl;
}

/* Each works through `items` cases. */
static const struct {
    const char *name;
    double (*run)(int k); /* returns something that depends on all its work */
    int items;
} jobs[] = {{"pow", run_pow, CASES},
            {"gz_predict", run_predict, CASES},
            {"gz_predict_gradient", run_gradient, CASES},
            {"gz_optimize", run_optimize, CASES},
            {"gz_tune", run_tune, 3}};
enum { JOBS = sizeof jobs / sizeof *jobs };

int main(int argc, char **argv)
{
    static double seconds[JOBS][REPETITIONS];
    double pow_s = 0;
    (void)argv;
    if (argc > 1) {
        fprintf(stderr, "model: takes no arguments\n");
        return 2;
    }
    prepare();
    for (int k = -1; k < REPETITIONS; k++) /* the first round warms up */
        for (int j = 0; j < JOBS; j++) {
            double start = now_s(), sum = 0;
            for (int i = 0; i < jobs[j].items; i++)
                sum += jobs[j].run(i);
            sink = sum;
            if (k >= 0)
                seconds[j][k] = (now_s() - start) / jobs[j].items;
        }
    for (int j = 0; j < JOBS; j++) {
        gsl_sort(seconds[j], 1, REPETITIONS);
        double median = gsl_stats_median_from_sorted_data(seconds[j], 1, REPETITIONS);
        double low = gsl_stats_quantile_from_sorted_data(seconds[j], 1, REPETITIONS, 0.25);
        double high = gsl_stats_quantile_from_sorted_data(seconds[j], 1, REPETITIONS, 0.75);
        pow_s = j == 0 ? median : pow_s;
        printf("%-20s %10.1f ns +- %.1f, %.1f calls of pow\n", jobs[j].name, 1e9 * median,
               1e9 * (high - low) / 2, median / pow_s);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fprintf(stderr, "model: cannot write to standard output\n");
    return 1;
}
