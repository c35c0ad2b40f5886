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
#define EXCHANGE                                                                                   \
    old = u;                                                                                       \
    u = v;                                                                                         \
    v = old;

static void tell(const char *name, const double *u, int n, double a, double b)
{
    const double numbers[] = {a, b};
    show(name, u, (size_t)n * sizeof *u);
    show(name, numbers, sizeof numbers);
}

static void down(double *u, double *v, int n, int T)
{
    double *old;
    int t;
#pragma gz trapezoid
    for (t = T; t > 0; t--) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + 1.0 / t;
        EXCHANGE
    }
    tell("down", u, n, t, 0);
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

static void doubles_count(double *u, double *v, int n, int T)
{
    double *old, dt = 0.1, end = T * dt, s = dt;
    int loops = 0;
    float f = 0;
#pragma gz trapezoid
    while (s < end) {
        s += dt;
        SWEEP
        EXCHANGE
        loops++;
        f += 0.1f;
    }
    tell("a double before the sweep", u, n, s, loops + f);
    s = 0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        const double half = 0.5 * s;
        for (int i = 1; i < n - 1; i++)
            v[i] = half * u[i - 1] + t;
        EXCHANGE
        if (t % 3 == 1)
            f += (float)u[1];
        s += dt;
    }
    tell("used in the sweep, with looks", u, n, s, f);
    s = 0.25;
#pragma gz trapezoid
    for (int t = 0; t < T; t++, s *= 1.1) {
        for (int i = 1; i < n - 1; i++)
            u[i] = u[i] + s * (v[i + 1] - v[i]);
        for (int i = 1; i < n - 1; i++)
            v[i] = v[i] + s * (u[i] - u[i - 1]);
    }
    tell("used for two arrays", u, n, s, v[n / 2]);
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

/* The time loop stays in the program for what stands beside the sweep. */
static void beside(double *u, double *v, int n, int T)
{
    double *old, t = 0, sum = 0;
    int left = 0, loops = 0;
#pragma gz trapezoid
    for (int k = 0; k < T; k++) {
        if (k == T / 2)
            sum += t;
        t += 0.5;
        if (t == 2.5)
            sum += u[3];
        loops++;
        SWEEP
        EXCHANGE
        sum *= 0.75;
        if (k % 4 == 1)
            sum += u[1] + t;
        left += k;
        if (left % 5 == 0)
            sum += u[2];
    }
    tell("looks among what is set", u, n, t, sum + left + loops);
}

/* What stays in the program: the loop has no end, or its counter lies in what it sets. */
static void stays(int *a, int *b, int n, int T)
{
    int *old, *k = &a[n / 2];
#pragma gz trapezoid
    for (*k = 0; *k < T; (*k) += 2) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2 + 1;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    old = a;
    SHOW(old);
}

/* Prints numbers in each loop, which the sweeps use, too. */
static void prints(double *u, double *v, int n, int T)
{
    double *old, now = 0;
    FILE *out = stdout;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        fprintf(out, "loop %d  of %d,", t, T);
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + t * now;
        now += 0.125;
        printf(" now %a\n", now);
        EXCHANGE
    }
    tell("printed", u, n, now, 0);
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

static void heads(int n, int m, int T)
{
    int k = T + 6;
    double(*u)[m] = doubles(n, m, 1), (*v)[m] = doubles(n, m, 2), most;
#pragma gz trapezoid
    while (k-- > 0) {
        STEP(k, )
        BACK
    }
    printf("%d\n", k);
    SHOW(u);
    k = 4 * T;
#pragma gz trapezoid
    do {
        most = 0;
        STEP(0, most = fmax(most, fabs(v[i][j] - u[i][j])))
        BACK
    } while (--k > 0 && most > 0.01);
    printf("%d %a\n", k, most);
    SHOW(u);
}

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
    int *a = made((size_t)n, sizeof *a), *b = made((size_t)n, sizeof *b);
    struct grid grid = {.n = n, .end = T};
    for (int i = 0; i < n; i++)
        a[i] = i % 7, b[i] = 0;
    down(u, v, n, T), steps(u, v, n, T), doubles_count(u, v, n, T), in_memory(&grid, u, v, &k),
        beside(u, v, n, T), prints(u, v, n, T), stays(a, b, n, T), heads(rows, m, T),
        breaks(rows, m, T);
    return 0;
}
