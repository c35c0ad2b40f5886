/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "numbers.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cli_sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, compare);
}

double cli_quantile(const double *ascending, size_t n, double q)
{
    if (n == 0)
        return (double)NAN;
    double place = q * (double)(n - 1);
    size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
    return ascending[below] + (place - (double)below) * (ascending[above] - ascending[below]);
}

double cli_spread(const double *ascending, size_t n)
{
    return (cli_quantile(ascending, n, 0.75) - cli_quantile(ascending, n, 0.25)) /
           cli_quantile(ascending, n, 0.5);
}

double cli_tried(const double *ascending, size_t n)
{
    return cli_quantile(ascending, n, 0.25);
}

/* What the variable of rank k (from 0) among n of a standard normal distribution is expected to be
 * [Blom 1958]. */
static double expected(size_t k, size_t n)
{
    return gsl_cdf_ugaussian_Pinv(((double)k + 0.625) / ((double)n + 0.25));
}

double cli_try_scatter(const double *ascending, size_t n)
{
    size_t half = n / 2;
    return n < 2 ? (double)NAN
                 : log(ascending[half] / ascending[0]) / (expected(half, n) - expected(0, n));
}

double cli_tried_scatter(const double *ascending, size_t n)
{
    /* Of the lower quartile of n standard normal variables, by the covariances of their ranks; and
     * for many. */
    static const double deviation[] = {1, 1, 0.739, 0.624, 0.571, 0.558};
    static const double many = 1.3626;
    double one = cli_try_scatter(ascending, n);
    return one * (n <= 5 ? deviation[n] : many / sqrt((double)n));
}

double cli_product(int n, const double *lengths)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= lengths[i];
    return product;
}

void cli_lengths_text(int n, const double *lengths, char *text, size_t size)
{
    size_t used = 0;
    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < n && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.15g", i ? "x" : "", lengths[i]);
}
