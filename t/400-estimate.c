/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The estimators on synthetic data with known answers: bias, and how often the stated interval
 * holds the truth, under noise, outliers and drift.
 */
#include "estimate.h"
#include "tap.h"

#include <gsl/gsl_randist.h>

enum { TRIALS = 2000 };

static gsl_rng *rng;

static int holds(struct gzc_estimate e, double truth)
{
    return fabs(e.value - truth) <= GZC_Z95 * e.sd;
}

/* Times: a truth of 10, noise of 0.3 that is symmetric, and with `outliers` every ninth sample, at
 * a random place, disturbed by up to ten times the truth. */
static void samples(double *out, int n, int outliers)
{
    for (int i = 0; i < n; i++)
        out[i] = 10 + gsl_ran_gaussian(rng, 0.3);
    if (outliers)
        out[gsl_rng_uniform_int(rng, (unsigned long)n)] += 100 * gsl_rng_uniform(rng);
}

/* The share of trials in which the interval of the median holds the truth, and its mean value. */
static double median_coverage(int n, int outliers, double *mean)
{
    double x[GZC_MAX_SAMPLES], held = 0;
    *mean = 0;
    for (int t = 0; t < TRIALS; t++) {
        samples(x, n, outliers);
        struct gzc_estimate e = gzc_median(x, n);
        held += holds(e, 10);
        *mean += e.value / TRIALS;
    }
    return held / TRIALS;
}

static void medians(void)
{
    static const int counts[] = {5, 9, 15, 40};
    double mean, coverage;
    for (int k = 0; k < 4; k++) {
        coverage = median_coverage(counts[k], 0, &mean);
        tap_ok(coverage > 0.92 && coverage < 0.995, "median of %d: interval holds the truth: %.3f",
               counts[k], coverage);
        tap_ok(fabs(mean - 10) < 0.02, "median of %d: no bias (%.4f)", counts[k], mean);
    }
    coverage = median_coverage(9, 1, &mean);
    tap_ok(coverage > 0.92, "one outlier in nine: the interval still holds the truth: %.3f",
           coverage);
    tap_ok(fabs(mean - 10) < 0.1, "one outlier in nine: mean of the medians %.4f", mean);

    double few[GZC_MAX_SAMPLES], many[GZC_MAX_SAMPLES];
    samples(few, 9, 0);
    samples(many, 60, 0);
    tap_ok(gzc_median(many, 60).sd < gzc_median(few, 9).sd, "more samples, a narrower interval");
    tap_ok(gzc_median(few, 1).sd == 0 && gzc_median(few, 1).value == few[0], "one sample: itself");
}

/* A first-order process: each sample keeps `memory` of the one before. */
static void resembling(void)
{
    double x[21];
    int held = 0;
    const double memory = 0.6;
    for (int t = 0; t < TRIALS; t++) {
        double state = gsl_ran_gaussian(rng, 1);
        for (int i = 0; i < 21; i++) {
            x[i] = 10 + state;
            state = memory * state + sqrt(1 - memory * memory) * gsl_ran_gaussian(rng, 1);
        }
        held += holds(gzc_median(x, 21), 10);
    }
    /* Without the widening it would be 0.75. */
    tap_ok(held > 0.87 * TRIALS, "samples that resemble the one before: held in %d of %d", held,
           TRIALS);
}

/* Rounds of which a burst of load, at any time, makes `length` in a row slower by up to `most`
 * times, each by another factor. */
static void bursts(int n, int length, double most)
{
    double x[GZC_MAX_SAMPLES], mean = 0;
    int held = 0;
    for (int t = 0; t < TRIALS; t++) {
        int from = (int)gsl_rng_uniform_int(rng, (unsigned long)(n - length + 1));
        samples(x, n, 0);
        for (int i = from; i < from + length; i++)
            x[i] *= 1 + (most - 1) * gsl_rng_uniform(rng);
        struct gzc_estimate e = gzc_median(x, n);
        held += holds(e, 10);
        mean += e.value / TRIALS;
    }
    tap_ok(held > 0.9 * TRIALS, "%d rounds, %d in a burst of load: held in %d of %d", n, length,
           held, TRIALS);
    tap_ok(fabs(mean - 10) < 0.03 * 10, "and no further off than the noise (%.3f)", mean);
}

static void drifts(void)
{
    double x[9];
    int seen = 0, cried = 0;
    for (int t = 0; t < TRIALS; t++) {
        samples(x, 9, 0);
        cried += gzc_median(x, 9).drifting;
        for (int i = 0; i < 9; i++)
            x[i] += 0.3 * i;
        struct gzc_estimate e = gzc_median(x, 9);
        seen += e.drifting;
    }
    tap_ok(cried < TRIALS / 50, "no drift: seen in %d of %d", cried, TRIALS);
    tap_ok(seen > TRIALS * 8 / 10, "drift of one sigma a sample: seen in %d of %d", seen, TRIALS);
    for (int i = 0; i < 9; i++)
        x[i] = 10 + i;
    struct gzc_estimate e = gzc_median(x, 9);
    tap_ok(e.drifting && holds(e, 10.001) && holds(e, 17.999),
           "a drift's interval covers its whole range");
}

/* y = 5 + 2 x at x = 1..8, twice, with noise of 0.2; `outliers` points are disturbed upwards. */
static void lines(int outliers, const char *name)
{
    double x[16], y[16], slope = 0, intercept = 0, slope_sd = 0;
    int held_slope = 0, held_intercept = 0;
    for (int t = 0; t < TRIALS; t++) {
        struct gzc_line line;
        for (int i = 0; i < 16; i++) {
            x[i] = 1 + i % 8;
            y[i] = 5 + 2 * x[i] + gsl_ran_gaussian(rng, 0.2);
        }
        for (int k = 0; k < outliers; k++)
            y[gsl_rng_uniform_int(rng, 16)] += 100 * gsl_rng_uniform(rng);
        if (!gzc_fit_line(x, y, 16, &line))
            return;
        held_slope += holds(line.slope, 2);
        held_intercept += holds(line.intercept, 5);
        slope += line.slope.value / TRIALS;
        slope_sd += line.slope.sd / TRIALS;
        intercept += line.intercept.value / TRIALS;
    }
    tap_ok(held_slope > 0.9 * TRIALS && slope_sd < 0.3,
           "%s: the slope's interval holds the truth in %d of %d, mean sd %.3f", name, held_slope,
           TRIALS, slope_sd);
    tap_ok(held_intercept > 0.9 * TRIALS, "%s: the intercept's in %d of %d", name, held_intercept,
           TRIALS);
    tap_ok(fabs(slope - 2) < 0.01 && fabs(intercept - 5) < 0.05, "%s: no bias (%.4f, %.4f)", name,
           slope, intercept);
}

static void exact_and_degenerate(void)
{
    double x[] = {1e9, 2e9, 3e9, 4e9}, y[] = {3, 5, 7, 9};
    struct gzc_line line;
    struct gzc_estimate c[3];
    tap_ok(gzc_fit_line(x, y, 4, &line), "a perfect line is fitted");
    tap_close(line.slope.value, 2e-9, 1e-9, "its slope, with x in billions");
    tap_close(line.intercept.value, 1, 1e-9, "its intercept");
    tap_ok(line.slope.sd < 1e-12, "and it is sure");
    tap_ok(!gzc_fit_line(x, y, 2, &line), "two points make no interval");
    tap_ok(!gzc_fit_line((double[]){1, 1, 1, 1}, y, 4, &line), "one x makes no slope");
    tap_ok(!gzc_fit_line(x, (double[]){1, (double)NAN, 2, 3}, 4, &line), "NaN is refused");
    tap_ok(!gzc_fit((double[]){0, 0, 0, 0}, y, 4, 1, c), "a column of zeros is refused");

    /* t = 4 + 3 T + 0.5 s T */
    double rows[3 * 6], t[6];
    for (int i = 0; i < 6; i++) {
        double tiles = i % 2 ? 20 : 10, steps = 1 + i / 2;
        rows[3 * i] = 1;
        rows[3 * i + 1] = tiles;
        rows[3 * i + 2] = steps * tiles;
        t[i] = 4 + 3 * tiles + 0.5 * steps * tiles;
    }
    tap_ok(gzc_fit(rows, t, 6, 3, c), "three coefficients are fitted");
    tap_ok(fabs(c[0].value - 4) < 1e-9 && fabs(c[1].value - 3) < 1e-9 &&
               fabs(c[2].value - 0.5) < 1e-9,
           "to %g, %g, %g", c[0].value, c[1].value, c[2].value);

    struct gzc_estimate q = gzc_divide((struct gzc_estimate){.value = 6, .sd = 0.3},
                                       (struct gzc_estimate){.value = 2, .sd = 0.1});
    tap_close(q.value, 3, 1e-15, "a quotient");
    tap_close(q.sd, 3 * hypot(0.05, 0.05), 1e-12, "and its deviation");
    tap_ok(isnan(gzc_divide(q, (struct gzc_estimate){.value = 0}).value), "not by zero");
    tap_close(gzc_multiply(q, q).value, 9, 1e-15, "a product");
}

int main(void)
{
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 4);
    medians();
    resembling();
    bursts(21, 4, 5);
    bursts(21, 7, 5);
    bursts(21, 7, 1.5);
    bursts(7, 2, 5);
    drifts();
    lines(0, "noise");
    lines(2, "noise and outliers");
    exact_and_degenerate();
    gsl_rng_free(rng);
    return tap_done();
}
