/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_model - what the library costs, in ratios taken within one run: a prediction against one
 * call of pow, the optimiser against trying all whole heights; then absolute times. Every time is
 * the median of interleaved repetitions, with half the interquartile range as its spread.
 */
#include "cases.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REPETITIONS 15
#define CASES 2000
#define MILLION 1000000

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Results go here, so that no call can be left out. */
static volatile double sink;

struct timing {
    double median_s, spread_s; /* of one item */
};

/* Jobs whose repetitions are interleaved: each works through `items` items. */
struct job {
    const char *name;
    double (*run)(void); /* returns something that depends on all its work */
    double items;
    struct timing timing;
};

static void time_in_turns(struct job *jobs, int n)
{
    static double seconds[8][REPETITIONS];
    for (int k = -1; k < REPETITIONS; k++) /* the first round warms up */
        for (int j = 0; j < n; j++) {
            double start = now_s();
            sink = jobs[j].run();
            if (k >= 0)
                seconds[j][k] = (now_s() - start) / jobs[j].items;
        }
    for (int j = 0; j < n; j++) {
        gsl_sort(seconds[j], 1, REPETITIONS);
        jobs[j].timing.median_s = gsl_stats_median_from_sorted_data(seconds[j], 1, REPETITIONS);
        jobs[j].timing.spread_s =
            (gsl_stats_quantile_from_sorted_data(seconds[j], 1, REPETITIONS, 0.75) -
             gsl_stats_quantile_from_sorted_data(seconds[j], 1, REPETITIONS, 0.25)) /
            2;
    }
}

static void print_times(const struct job *jobs, int n)
{
    for (int j = 0; j < n; j++)
        printf("  %-46s %10.1f ns +- %.1f\n", jobs[j].name, jobs[j].timing.median_s * 1e9,
               jobs[j].timing.spread_s * 1e9);
}

static double ratio(const struct job *a, const struct job *b)
{
    return a->timing.median_s / b->timing.median_s;
}

/* ------------------------------------------------------------------------------- what is worked on
 */

static test_case cases[CASES];
static double heights[CASES], powers[CASES];

/* One device and application, many configurations. */
static test_case shared;
static gz_config configs[CASES];
static gz_optimum optima[CASES];

static void prepare(void)
{
    gsl_rng *rng = seeded_rng();
    for (int k = 0; k < CASES; k++) {
        cases[k] = random_case(rng);
        heights[k] = gz_pole(&cases[k].app, &cases[k].cfg) * uniform(rng, 0.05, 0.95);
        powers[k] = uniform(rng, 0.1, 3);
    }
    shared = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    for (int k = 0; k < CASES; k++) {
        configs[k] = shared.cfg;
        configs[k].sync = (gz_sync)(k % 2);
        configs[k].beyond = 1;
        for (int i = 0; i < 2; i++) {
            configs[k].data_length[i] = whole(rng, 500, 5000);
            configs[k].block_len[i] = whole(rng, 8, 32);
        }
    }
    gsl_rng_free(rng);
}

static double run_pow(void)
{
    double sum = 0;
    for (int k = 0; k < CASES; k++)
        sum += pow(heights[k], powers[k]);
    return sum;
}

static double run_predict(void)
{
    double sum = 0;
    gz_prediction p = {.cpl = 0};
    for (int k = 0; k < CASES; k++) {
        gz_predict(&cases[k].dev, &cases[k].app, &cases[k].cfg, heights[k], &p, NULL);
        sum += p.cpl;
    }
    return sum;
}

static double run_gradient(void)
{
    double sum = 0;
    gz_gradient g = {.cpl = 0};
    for (int k = 0; k < CASES; k++) {
        gz_predict_gradient(&cases[k].dev, &cases[k].app, &cases[k].cfg, heights[k], &g, NULL);
        sum += g.dcpl_dp[GZ_P_CPI];
    }
    return sum;
}

static double run_optimize(void)
{
    double sum = 0;
    gz_optimum best = {.continuous = 0};
    for (int k = 0; k < CASES; k++) {
        gz_optimize(&cases[k].dev, &cases[k].app, &cases[k].cfg, NULL, &best, NULL);
        sum += best.continuous;
    }
    return sum;
}

static double all_heights(const test_case *c)
{
    double least = HUGE_VAL, highest = gz_height_max(&c->app, &c->cfg);
    for (double h = 1; h <= highest; h++) {
        gz_prediction p;
        if (gz_predict(&c->dev, &c->app, &c->cfg, h, &p, NULL) == GZ_OK)
            least = fmin(least, p.cpl);
    }
    return least;
}

static double run_all_heights(void)
{
    double sum = 0;
    for (int k = 0; k < CASES; k++)
        sum += all_heights(cases + k);
    return sum;
}

/* ---------------------------------------------------------------------------------------- many */

static double run_optimize_all(void)
{
    for (int k = 0; k < CASES; k++)
        gz_optimize(&shared.dev, &shared.app, configs + k, NULL, optima + k, NULL);
    return optima[CASES - 1].cpl;
}

static void million(void)
{
    double start = now_s(), sum = 0;
    for (int done = 0; done < MILLION; done += CASES)
        sum += run_optimize_all();
    double seconds = now_s() - start;
    sink = sum;
    printf("  a million configurations optimised in %.2f s (aim: about 1)\n", seconds);
}

/* -------------------------------------------------------------------------------------- tuning */

static test_case tile_case;
static gz_candidate candidates[5];
static size_t found;

static double run_tune(void)
{
    gz_tune_request request = {.limits = {.threads = 0}};
    memcpy(request.data_length, tile_case.cfg.data_length, sizeof request.data_length);
    gz_tune(&tile_case.dev, &tile_case.app, &request, candidates, 5, &found, NULL);
    return candidates[0].cpl;
}

static void tunings(void)
{
    static const int benchmark[] = {PATHFINDER, HOTSPOT, CELL};
    for (int dim = 1; dim <= 3; dim++) {
        tile_case = benchmark_case(benchmark[dim - 1], GZ_SYNC_RESTART);
        struct job job = {"", run_tune, 1, {0, 0}};
        time_in_turns(&job, 1);
        printf("  %d-D, %s, 16 KB of local memory: %8.1f us +- %.1f; best %d", dim,
               benchmark_names[benchmark[dim - 1]], job.timing.median_s * 1e6,
               job.timing.spread_s * 1e6, candidates[0].way.block[0]);
        for (int i = 1; i < dim; i++)
            printf("x%d", candidates[0].way.block[i]);
        printf(", height %d, %s\n", candidates[0].way.height,
               gz_name(GZ_SYNCS, candidates[0].way.sync));
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fprintf(stderr, "model: takes no arguments\n");
        return 2;
    }
    prepare();

    struct job one[] = {{"pow", run_pow, CASES, {0, 0}},
                        {"gz_predict", run_predict, CASES, {0, 0}},
                        {"gz_predict_gradient", run_gradient, CASES, {0, 0}}};
    time_in_turns(one, 3);
    printf("\nOne call, %d random cases:\n", CASES);
    print_times(one, 3);
    printf("  a prediction costs %.1f calls of pow, a gradient %.1f\n", ratio(one + 1, one),
           ratio(one + 2, one));

    struct job best[] = {
        {"gz_optimize", run_optimize, CASES, {0, 0}},
        {"trying all whole heights with gz_predict", run_all_heights, CASES, {0, 0}}};
    time_in_turns(best, 2);
    printf("\nOne optimum, the same cases:\n");
    print_times(best, 2);
    printf("  all heights take %.1f times as long (aim: an optimum under 1000 ns)\n",
           ratio(best + 1, best));
    million();

    printf("\nBlock shape, height and synchronisation, the best five (gz_tune):\n");
    tunings();
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    fprintf(stderr, "model: cannot write to standard output\n");
    return 1;
}
