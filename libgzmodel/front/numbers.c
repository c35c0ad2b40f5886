/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "numbers.h"

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

/* Of n standard normal variables, n from 2 on: what the one of rank n / 2 (from 0) is expected to
 * exceed the smallest by, by integrals of its density; and the standard deviation of their lower
 * quartile, from a million draws each. */
enum { MOST = 16 };
static const double normal_range[MOST - 1] = {1.1284, 0.8463, 1.3264, 1.1630, 1.4688,
                                              1.3522, 1.5761, 1.4850, 1.6614, 1.5864,
                                              1.7318, 1.6680, 1.7915, 1.7359, 1.8433};
static const double normal_quartile[MOST - 1] = {0.737, 0.625, 0.570, 0.558, 0.494,
                                                 0.455, 0.435, 0.432, 0.399, 0.377,
                                                 0.366, 0.365, 0.343, 0.329, 0.322};

static size_t place_of(size_t n)
{
    return (n < MOST ? n : MOST) - 2;
}

double cli_try_scatter(const double *ascending, size_t n)
{
    return n < 2 ? (double)NAN : log(ascending[n / 2] / ascending[0]) / normal_range[place_of(n)];
}

double cli_tried_scatter(const double *ascending, size_t n)
{
    return n < 2 ? (double)NAN : cli_try_scatter(ascending, n) * normal_quartile[place_of(n)];
}

double cli_product(int n, const double *lengths)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= lengths[i];
    return product;
}

struct cli_lengths_text cli_lengths_text(int n, const double *lengths)
{
    struct cli_lengths_text of = {""};
    size_t used = 0;
    for (int i = 0; i < n && used < sizeof of.text; i++)
        used += (size_t)snprintf(of.text + used, sizeof of.text - used, "%s%.15g", i ? "x" : "",
                                 lengths[i]);
    return of;
}
