/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translated.h - what the programs that translated.sh compiles have in common: time.
 */
#ifndef TRANSLATED_H
#define TRANSLATED_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 6 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints the median time per loop of all calls but the first, and that of the first, s. */
static void show(double seconds[CALLS])
{
    double first = seconds[0];
    qsort(seconds + 1, CALLS - 1, sizeof *seconds, ascending);
    printf("%.6g %.6g\n", seconds[1 + (CALLS - 1) / 2], first);
}

#endif
