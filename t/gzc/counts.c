/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counts.c - time loops that count in many ways (down, by other steps, in a double, in memory, in
 * several variables at once) and end by breaks, flags and what cells compute, in all places of a
 * time step, for t/723-gzc-programs.t. Prints what every loop leaves. Arguments: the extents and
 * the number of loops.
 */
#include "values.h"

#include <math.h>

struct grid {
    double *u, *v, end, now;
    int n, time, most;
};

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);

static void tell(const char *name, const double *u, int n, double a, double b)
{
    const double numbers[] = {a, b};
    show(name, u, (size_t)n * sizeof *u);
    show(name, numbers, sizeof numbers);
}

static void steps(double *u, double *v, int n, int T)
{
    double *old;
    unsigned char small;
    int t, s, by = 1 + T / 3;
    double most = T - 0.5;
#pragma gz trapezoid
    for (t = 1, s = 0; t < 1 << T; t *= 2, s += 2) {
        SWEEP
        EXCHANGE
    }
    tell("doubled", u, n, t, s);
#pragma gz trapezoid
    for (t = 0; t < 2 * T; t += by) {
        SWEEP
        EXCHANGE
    }
    tell("by a variable", u, n, t, by);
#pragma gz trapezoid
    for (small = 250; small > 5; small++) {
        SWEEP
        EXCHANGE
    }
    tell("around", u, n, small, 0);
#pragma gz trapezoid
    for (t = 0; t < most; t++) {
        SWEEP
        EXCHANGE
    }
    tell("below a double", u, n, t, 0);
}

static void in_memory(struct grid *g, double *u, double *v, int *k)
{
    double *old;
    int n = g->n;
    g->most = *k;
#pragma gz trapezoid
    for (*k = 0; *k < g->most; (*k)++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + *k;
        EXCHANGE
    }
    tell("behind a pointer", u, n, *k, 0);
    g->now = 0;
#pragma gz trapezoid
    while (g->now < g->end) {
        SWEEP
        EXCHANGE
        g->now += 0.25;
    }
    tell("a double in a structure", u, n, g->now, 0);
}

/* The sweep of a plane, with what is done in each cell behind it, and its copy back. */
#define STEP(more, ...)                                                                            \
    EACH_INNER (i, j) {                                                                            \
        v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + more;                                   \
        __VA_ARGS__;                                                                               \
    }
#define BACK                                                                                       \
    EACH_INNER (i, j)                                                                              \
        u[i][j] = v[i][j];

static void breaks(int n, int m, int T)
{
    int t;
    const double eps[3] = {1e30, 0.1, 1e-9};
    for (int e = 0; e < 3; e++) {
        double(*u)[m] = doubles(n, m, 1), (*v)[m] = doubles(n, m, 2), most = 7, low = 100;
        long all = 3;
        unsigned char few = 9;
        /* The copy back is left out of the last time step. */
#pragma gz trapezoid
        for (t = 0; t < 100; t++) {
            most = 0;
            STEP(0, most = fmax(most, fabs(v[i][j] - u[i][j])))
            if (most < eps[e])
                break;
            BACK
        }
        printf("%d %a\n", t, most);
        SHOW(u, v);
        u = doubles(n, m, 3);
        v = doubles(n, m, 4);
        t = 0;
        /* The least, guarded; a break by the number of the turn before, at the top. */
#pragma gz trapezoid
        for (;;) {
            if (low < eps[e] || t > 30)
                break;
            low = 5;
            STEP(0.01, if (u[i][j] > 0.2 && fabs(v[i][j]) < low) low = fabs(v[i][j]))
            BACK t++;
        }
        printf("%d %a\n", t, low);
        SHOW(u, v);
        t = 0;
        most = 50;
        /* Two nests, one number; columns narrower than the cells. */
#pragma gz trapezoid
        while (most > eps[e] * 0.5 && t < 40) {
            most = 0;
            STEP(0.01, )
            for (int i = 2; i < n - 3; i++)
                for (int j = 1; j < m - 1; j++)
                    if (fabs(v[i][j] - u[i][j]) > most)
                        most = fabs(v[i][j] - u[i][j]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 2; j++)
                    most = fmax(most, 0.5 * fabs(v[i][j] - u[i][j + 1]));
            BACK t++;
        }
        printf("%d %a\n", t, most);
        SHOW(u, v);
        /* Sums kept over all time steps, one of them printed now and then. */
#pragma gz trapezoid
        for (t = 0; t < T + 9; t++) {
            STEP(0.01, all += v[i][j] > u[i][j])
            BACK if (t % 4 == 1) printf("%d %ld\n", t, all);
        }
        printf("%d %ld\n", t, all);
        SHOW(u, v);
#pragma gz trapezoid
        for (t = 0; t < T + 9; t++) {
            STEP(0.01, if (v[i][j] > u[i][j]) few++)
            BACK
        }
        printf("%d %d\n", t, few);
        SHOW(u, v);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int rows = atoi(argv[1]), m = atoi(argv[2]), n = rows * m, T = atoi(argv[3]), k = T;
    double *u = doubles(n, 1, 1), *v = doubles(n, 1, 2);
    struct grid grid = {.n = n, .end = T};
    steps(u, v, n, T), in_memory(&grid, u, v, &k), breaks(rows, m, T);
    return 0;
}
