/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate.h - statistics of measurements: from samples to a value and its uncertainty. Depends on
 * no device.
 *
 * A standard deviation here is stated so that value +- 1.96 sd contains the true value 19 times out
 * of 20 even with few samples, which is how gz_propagate reads it: Student's factor, or the width
 * of a distribution-free interval, is already in it.
 *
 * None of this can see an error that all samples share, such as a clock that runs slow throughout.
 */
#ifndef GZC_ESTIMATE_H
#define GZC_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

/* The normal distribution's quantile that the stated standard deviations are made for. */
#define GZC_Z95 1.959963984540054

struct gzc_estimate {
    double value;
    double sd;     /* of `value`, same unit */
    bool drifting; /* the samples rise or fall with time, so `sd` covers their whole range */
};

enum { GZC_MAX_SAMPLES = 64 };

/* The median of `n` samples, 1 <= n <= GZC_MAX_SAMPLES, in the order in which they were taken. `sd`
 * comes from the narrowest pair of order statistics that holds the true median with 95 % whatever
 * the distribution; with fewer than 6 samples from the extremes, which hold it with 1 - 2^(1-n);
 * with one sample it is 0.
 *
 * Outliers: from 9 samples on, one in each tail does no harm. Drift: judged by Mann and Kendall's
 * test at 1 %, which needs 5 samples. Samples that resemble the one before widen the interval, by
 * their autocorrelation. Spoiled by more than one outlier in nine on the same side, and by what
 * changes more slowly than the whole measurement lasts. */
struct gzc_estimate gzc_median(const double *samples, int n);

enum { GZC_MAX_COEFFICIENTS = 3 };

/* A linear model y = sum_j coefficient_j x_j, fitted robustly: Tukey's biweight, iteratively
 * reweighted. `x` has `n` rows of `p` columns. `sd_j` by the fit's own covariance with Student's
 * factor for n - p degrees of freedom. False if n <= p, p > GZC_MAX_COEFFICIENTS, the columns
 * depend on each other, or a number is not finite.
 *
 * Harmless: up to about a quarter of the points off by any amount, unless they share the largest
 * x. Spoiled by a curve, which a line through its middle hides; by noise that grows with x (the
 * value stays right, sd is then of the middle); by drift while x grows, so vary x both ways. */
bool gzc_fit(const double *x, const double *y, int n, int p, struct gzc_estimate *coefficients);

/* The straight line y = intercept + slope x, likewise. */
struct gzc_line {
    struct gzc_estimate intercept, slope;
};
bool gzc_fit_line(const double *x, const double *y, int n, struct gzc_line *line);

/* Values derived from independent ones, to first order: a product's, a quotient's relative
 * variances add. A zero factor gives 0 with 0; a zero divisor gives NaN. */
struct gzc_estimate gzc_multiply(struct gzc_estimate a, struct gzc_estimate b);
struct gzc_estimate gzc_divide(struct gzc_estimate a, struct gzc_estimate b);

#endif
