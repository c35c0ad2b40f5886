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
