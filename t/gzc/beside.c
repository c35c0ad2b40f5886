/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * beside.c - what time loops do beside their sweeps, for t/723-gzc-programs.t: they set single
 * cells and borders, hand on what receivers see, add up, compare and print it. Prints what was
 * handed on and sums over all arrays. Arguments: the extents and the number of loops.
 */
#include "values.h"

#include <math.h>

static double ricker(double x)
{
    return (1 - 2 * x * x) * exp(-x * x);
}

/* On both sides of the exchange, two of them at one cell, in two types. */
static void source(int n, int m, int T)
{
    float(*a)[m] = floats(n, m, 71), (*b)[m] = floats(n, m, 72), (*c)[m];
    float *w = floats(1, T, 73), dt = 0.3f;
    int sx = n / 2, sy[2] = {2, m - 2};
    double last = 7;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            b[i][j] = 2 * a[i][j] - b[i][j] +
                      0.1f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
        float pulse = dt * dt * w[t], twice;
        b[sx][sy[0]] += pulse;
        twice = pulse + ricker(t);
        if (t > 2)
            b[1][m - 3] -= 2 * twice;
        b[sx][sy[1]] = b[sx][sy[1]] - ricker(0.3 * t) * 2 + 1;
        c = a;
        a = b;
        b = c;
        a[sx][sy[0]] -= (t < 3 ? w[t] : 0.125);
        a[1][1]++;
        last = w[t] * 0.1;
        a[1][1] += last;
    }
    printf("%a\n", last);
    SHOW(a, b);
}

/* Before the sweep, in an order in which corners hold what sides held some loops ago. */
static void before(int n, int m, int T)
{
    float *u = floats(n, m, 53), *v = floats(n, m, 54), *w;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < m; j++) {
            u[j] = u[m + j];
            u[(n - 1) * m + j] = u[(n - 2) * m + j];
        }
        for (int i = 1; i < n - 1; i++) {
            u[i * m] = u[i * m + 1];
            u[i * m + m - 1] = u[i * m + m - 2];
        }
        EACH_INNER (i, j)
            v[i * m + j] = 0.25f * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] +
                                    u[(i + 1) * m + j]);
        w = u;
        u = v;
        v = w;
    }
    SHOW(u, v);
}

/* Three time levels and a source; receivers by lists of places, along a row, and one of the older
 * state. */
static void receivers(int n, int m, int T)
{
    enum { MOST = 5 };
    float(*old)[m] = floats(n, m, 11), (*now)[m] = floats(n, m, 12), (*was)[m];
    float *w = floats(1, T, 13), *trace = floats(MOST, T, 14), *row = floats(m, T, 15),
          *late = floats(1, T, 16);
    int x[MOST] = {1, n / 2, n - 2, n / 2, 2}, y[MOST] = {1, m / 2, m - 2, m / 3, 2}, count = MOST,
        r = 0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            old[i][j] = 2 * now[i][j] - old[i][j] +
                        0.1f * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] -
                                4 * now[i][j]);
        late[t] = now[n / 2][2];
        old[2][m - 3] += w[t];
        for (r = 0; r < count; r++)
            trace[r * T + t] = old[x[r]][y[r]];
        was = now;
        now = old;
        old = was;
        for (int j = 1; j < m - 1; j++)
            row[t * m + j] = 0.5f * (now[1][j] + now[2][j]) - (t > 2 ? row[(t - 1) * m + j] : 0);
    }
    printf("%d\n", r);
    SHOW(trace, row, late, old, now);
}

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +    \
                                   a[i * m + j + 1]);                                              \
    c = a;                                                                                         \
    a = b;                                                                                         \
    b = c;

static void conditions(int n, int m, int T, double *a, double *b, double *heard)
{
    double *c, row[9] = {0};
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        SWEEP
        if (a[m + 1] > 0.3)
            printf("%d: %a\n", t, a[2 * m + 2]);
        if (a[m + 2] < 0.6)
            heard[t] = a[m + 2] - heard[t];
    }
    SHOW(heard);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        SWEEP
        for (int j = 1; j < 4; j++)
            row[j] += a[2 * m + j];
        for (int j = 1; j < 4; j++)
            printf(" %a", row[j]);
        puts("");
    }
    show("row", row, sizeof row);
    SHOW(a);
}

/* A table that is read in some time steps only. */
static void late(int n, int m, int T, double *a, double *b, const int *at, double *heard)
{
    double *c, *table = doubles(1, T, 4);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        SWEEP
        if (t >= 3)
            for (int r = 0; r < at[0]; r++)
                heard[t * at[0] + r] = a[at[r + 1]] * table[t - 3];
    }
    SHOW(heard);
}

int main(int argc, char **argv)
{
    SIZES
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2), *heard = doubles(m, T, 3);
    int at[] = {3, m + 1, 2 * m + 2, m + 3};
    before(n, m, T);
    if (n < 6 || m < 6)
        return 0;
    source(n, m, T), receivers(n, m, T), conditions(n, m, T, u, v, heard);
    late(n, m, T, u, v, at, heard);
    return 0;
}
