/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* The largest rank k such that the k-th smallest and k-th largest of n samples enclose the median
 * with at least 95 %; 1 if even the extremes do not. */
static int enclosing_rank(int n)
{
    int k = 1;
    while (2 * (k + 1) <= n && 1 - 2 * gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n) >= 0.95)
        k++;
    return k;
}

/* Mann and Kendall's test for a trend, two-sided at 1 %, by its normal approximation. */
static bool has_trend(const double *samples, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            s += (samples[j] > samples[i]) - (samples[j] < samples[i]);
    double variance = n * (n - 1.0) * (2.0 * n + 5) / 18;
    return n >= 5 && fabs(s) - 1 > gsl_cdf_ugaussian_Pinv(0.995) * sqrt(variance);
}

/* By how much an interval for independent samples must be widened for these, which may resemble the
 * one before: by the autocorrelation of neighbours, of their ranks, so that outliers do not matter.
 */
static double dependence(const double *samples, int n)
{
    double rank[GZC_MAX_SAMPLES], both = 0, each = 0;
    for (int i = 0; i < n; i++) {
        rank[i] = 0;
        for (int j = 0; j < n; j++)
            rank[i] += 0.5 * ((samples[j] < samples[i]) - (samples[j] > samples[i]));
        each += rank[i] * rank[i];
        both += i > 0 ? rank[i] * rank[i - 1] : 0;
    }
    double r = each > 0 ? fmin(both / each, 0.9) : 0;
    return r > 0 ? sqrt((1 + r) / (1 - r)) : 1;
}

struct gzc_estimate gzc_median(const double *samples, int n)
{
    double sorted[GZC_MAX_SAMPLES];
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    gsl_sort(sorted, 1, (size_t)n);
    struct gzc_estimate out = {.drifting = has_trend(samples, n)};
    int k = out.drifting ? 1 : enclosing_rank(n);
    out.value = gsl_stats_median_from_sorted_data(sorted, 1, (size_t)n);
    out.sd = (sorted[n - k] - sorted[k - 1]) / (2 * GZC_Z95);
    if (!out.drifting)
        out.sd *= dependence(samples, n);
    return out;
}

static bool all_finite(const double *values, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* The fit proper, with GSL's errors returned and not fatal. */
static bool fit(const gsl_matrix *x, const gsl_vector *y, int p, struct gzc_estimate *out)
{
    double c_store[GZC_MAX_COEFFICIENTS], cov_store[GZC_MAX_COEFFICIENTS * GZC_MAX_COEFFICIENTS];
    gsl_vector_view c = gsl_vector_view_array(c_store, (size_t)p);
    gsl_matrix_view cov = gsl_matrix_view_array(cov_store, (size_t)p, (size_t)p);
    gsl_multifit_robust_workspace *work =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, x->size1, (size_t)p);
    if (!work)
        return false;
    int status = gsl_multifit_robust(x, y, &c.vector, &cov.matrix, work);
    gsl_multifit_robust_stats stats = gsl_multifit_robust_statistics(work);
    gsl_multifit_robust_free(work);
    /* Not converged in GSL's hundred steps means that a point sits on the edge of being an outlier;
     * either answer is right. */
    if (status != GSL_SUCCESS && status != GSL_EMAXITER)
        return false;
    /* GSL mixes the plain residuals into its sigma, which a single outlier blows up; the robust one
     * alone keeps the intervals right with outliers and without. */
    double student = gsl_cdf_tdist_Pinv(0.975, (double)((int)x->size1 - p)) / GZC_Z95;
    double robust = stats.sigma > 0 ? stats.sigma_rob / stats.sigma : 1;
    for (int j = 0; j < p; j++) {
        out[j] = (struct gzc_estimate){
            .value = c_store[j], .sd = student * robust * sqrt(fmax(cov_store[j * p + j], 0))};
        if (!isfinite(out[j].value) || !isfinite(out[j].sd))
            return false;
    }
    return true;
}

bool gzc_fit(const double *x, const double *y, int n, int p, struct gzc_estimate *coefficients)
{
    if (p < 1 || p > GZC_MAX_COEFFICIENTS || n <= p || !all_finite(x, n * p) || !all_finite(y, n))
        return false;
    /* Columns of very different size (1 and 1e9 bytes, say) are brought to one, for the
     * decomposition's sake. */
    double scale[GZC_MAX_COEFFICIENTS] = {0};
    gsl_matrix *scaled = gsl_matrix_alloc((size_t)n, (size_t)p);
    if (!scaled)
        return false;
    for (int j = 0; j < p; j++) {
        for (int i = 0; i < n; i++)
            scale[j] = fmax(scale[j], fabs(x[i * p + j]));
        for (int i = 0; i < n; i++)
            gsl_matrix_set(scaled, (size_t)i, (size_t)j,
                           scale[j] > 0 ? x[i * p + j] / scale[j] : 0);
    }
    gsl_vector_const_view right = gsl_vector_const_view_array(y, (size_t)n);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    bool fitted = fit(scaled, &right.vector, p, coefficients);
    gsl_set_error_handler(handler);
    gsl_matrix_free(scaled);
    for (int j = 0; j < p && fitted; j++) {
        fitted = scale[j] > 0;
        coefficients[j].value /= scale[j];
        coefficients[j].sd /= scale[j];
    }
    return fitted;
}

bool gzc_fit_line(const double *x, const double *y, int n, struct gzc_line *line)
{
    double rows[2 * GZC_MAX_SAMPLES];
    struct gzc_estimate c[2];
    bool varies = false;
    if (n < 1 || n > GZC_MAX_SAMPLES)
        return false;
    for (int i = 0; i < n; i++) {
        rows[2 * i] = 1;
        rows[2 * i + 1] = x[i];
        varies = varies || x[i] != x[0];
    }
    if (!varies || !gzc_fit(rows, y, n, 2, c))
        return false;
    *line = (struct gzc_line){.intercept = c[0], .slope = c[1]};
    return true;
}

static struct gzc_estimate combine(double value, struct gzc_estimate a, struct gzc_estimate b)
{
    double relative = hypot(a.sd / a.value, b.sd / b.value);
    return (struct gzc_estimate){
        .value = value, .sd = fabs(value) * relative, .drifting = a.drifting || b.drifting};
}

struct gzc_estimate gzc_multiply(struct gzc_estimate a, struct gzc_estimate b)
{
    if (a.value == 0 || b.value == 0)
        return (struct gzc_estimate){.value = 0};
    return combine(a.value * b.value, a, b);
}

struct gzc_estimate gzc_divide(struct gzc_estimate a, struct gzc_estimate b)
{
    if (b.value == 0)
        return (struct gzc_estimate){.value = (double)NAN, .sd = (double)NAN};
    if (a.value == 0)
        return (struct gzc_estimate){.value = 0, .sd = a.sd / fabs(b.value)};
    return combine(a.value / b.value, a, b);
}
