/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * beside.c - what time loops do beside their sweeps, for t/723-gzc-programs.t: they set single
 * cells and borders, hand on what receivers see, add up, compare and print it. Prints what was
 * handed on and sums over all arrays. Arguments: the extents and the number of loops.
 */
#include "values.h"

#include <math.h>

static size_t square(int n, int m, size_t bytes)
{
    return (size_t)n * (size_t)m * bytes;
}

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

/* Copies: what is copied from has the cell, or lacks it. */
static void copies(int n, int m, int T)
{
    double *a = doubles(n, m, 76), *b = doubles(n, m, 77), rate = 0.5;
    int t;
    memcpy(b, a, square(n, m, sizeof *a));
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        EACH_INNER (i, j)
            b[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i + 1) * m + j]);
        b[2 * m + 3] += rate;
        EACH_INNER (i, j)
            a[i * m + j] = b[i * m + j];
        a[2 * m + 3] *= 1 - 0.1 * t;
    }
    printf("%d\n", t);
    SHOW(a, b);
}

/* In one dimension, of whole numbers, in three pointers, with the border set behind. */
static void line(int n, int T)
{
    int *now = made((size_t)n, sizeof *now), *last = made((size_t)n, sizeof *last);
    int *next = made((size_t)n, sizeof *next), *swap;
    int t = 0;
#pragma gz trapezoid
    while (t < T) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i - 1] + now[i + 1] - last[i];
        next[n / 2] += t % 5 + 1;
        swap = last;
        last = now;
        now = next;
        next = swap;
        now[n / 3] = now[n / 3] * 0.5;
        now[0] = now[1];
        now[n - 1] = now[n - 2];
        t++;
    }
    SHOW(now, last, next);
}

/* Before the sweep, for each way in which what it reads has got there. */
static void sooner(int n, int m, int T)
{
    float(*p)[n][m] = floats(3 * n, m, 79), *w = floats(1, T, 80);
    double *a = doubles(n, m, 81), *b = doubles(n, m, 82);
    int t;
    for (int plane = 1; plane < 3; plane++)
        memcpy(p[plane], p[0], square(n, m, sizeof ***p));
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        p[t % 3][n / 2][m / 2] = p[t % 3][n / 2][m / 2] + 0.5 * w[t];
        EACH_INNER (i, j)
            p[(t + 1) % 3][i][j] = 1.5f * p[t % 3][i][j] - p[(t + 2) % 3][i][j] +
                                   0.1f * (p[t % 3][i - 1][j] + p[t % 3][i][j + 1]);
        if (t % 4 < 2) {
            p[(t + 1) % 3][n / 2][m / 2] *= 0.5f;
            p[(t + 1) % 3][n - 2][m / 2] += w[t] / 2;
        }
    }
    SHOW(p);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        a[(n - 2) * m + 2] += w[t];
        EACH_INNER (i, j)
            b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] +
                                   a[(i + 1) * m + j]);
        EACH_INNER (i, j)
            a[i * m + j] = b[i * m + j];
    }
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

/* The opposite cells of two layers, of what a copy brings back whole. */
static void around(int n, int T)
{
    double *u = doubles(1, n, 55), *v = doubles(1, n, 56);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 2; i < n - 2; i++)
            v[i] = 0.5 * (u[i - 2] + u[i + 1]) - 0.1 * u[i + 2];
        v[0] = v[n - 4];
        v[1] = v[n - 3];
        v[n - 2] = v[2];
        v[n - 1] = v[3];
        memcpy(u, v, (size_t)n * sizeof *u);
    }
    SHOW(u, v);
}

/* Numbers, of which the last ones stay in the corners. */
static void held(int n, int m, int T)
{
    double *u = doubles(n, m, 57), *v = doubles(n, m, 58), hot = 0.75;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            v[i * m + j] = 0.25 * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] +
                                   u[(i + 1) * m + j]);
        EACH_INNER (i, j)
            u[i * m + j] = v[i * m + j];
        for (int i = 0; i < n; i++) {
            u[i * m] = -0.0;
            u[i * m + m - 1] = hot;
        }
        for (int j = 1; j < m - 1; j++) {
            u[j] = 1;
            u[(n - 1) * m + j] = 0;
        }
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

static void back(int n, int m, int T)
{
    double(*a)[m] = doubles(n, m, 31), (*b)[m] = doubles(n, m, 32);
    double *before = doubles(1, T, 33), *behind = doubles(1, T, 34);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        before[t] = a[2][2];
        EACH_INNER (i, j)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        printf("%d  %a %a\n", t, b[1][1], a[1][1]);
        EACH_INNER (i, j)
            a[i][j] = b[i][j];
        behind[t] += a[2][2] + a[1][m - 2];
    }
    SHOW(before, behind, a, b);
}

/* Now and then, some of it never. */
static void intervals(int n, int m, int T)
{
    float(*a)[m] = floats(n, m, 81), (*b)[m] = floats(n, m, 82), (*c)[m];
    float *probe = floats(2, T, 83), *never = NULL, *line = floats(m, T, 84);
    int *nowhere = NULL, every = 3, r = 9, k = 9;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        if (never)
            for (k = 0; k < nowhere[0]; k++)
                never[t] = b[nowhere[k + 1]][1];
        probe[2 * t] = b[1][2];
        if (t % every == 1) {
            for (r = 1; r < m - 1; r++)
                line[t / every * m + r] = b[n / 2][r];
            printf("%d: %a\n", t, b[n / 2][1]);
        }
        c = a;
        a = b;
        b = c;
        if (every > 1 && t % 2)
            probe[2 * t + 1] = a[n - 2][m - 2] - b[1][1];
    }
    printf("%d %d\n", r, k);
    SHOW(probe, line, a, b);
}

/* A time that counts beside the loops, which are counted down. */
static void counted(int n, int m, int T)
{
    double(*a)[m] = doubles(n, m, 91), (*b)[m] = doubles(n, m, 92), (*c)[m];
    double *probe = doubles(2, T, 93), time = 0.25;
    int left = T;
#pragma gz trapezoid
    while (left > 0) {
        left--;
        EACH_INNER (i, j)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        c = a;
        a = b;
        b = c;
        probe[left] = a[1][1];
        probe[T + left] = time + a[n - 2][1];
        time += 0.125;
    }
    printf("%a\n", time);
    SHOW(probe, a, b);
}

/* Several arrays, with ifs that see what was handed on. */
static void fields(int n, int m, int T)
{
    float(*e)[m] = floats(n, m, 51), (*h)[m] = floats(n, m, 52);
    float *w = floats(1, T, 53), *seen = floats(2, T, 54), *held = floats(1, T, 55);
    int rx = n / 2, ry = m - 2;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        held[t] = h[rx][1];
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                e[i][j] += 0.5f * (h[i][j] - h[i][j - 1]);
        e[1][1] += w[t];
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                h[i][j] += 0.5f * (e[i][j + 1] - e[i + 1][j]);
        seen[t] = e[rx][ry];
        seen[T + t] = h[rx][ry] - e[1][1];
        if (t % 4 == 3)
            printf("%a %a\n", seen[t], seen[T + t - 1]);
    }
    SHOW(seen, held, e, h);
}

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +    \
                                   a[i * m + j + 1]);                                              \
    c = a;                                                                                         \
    a = b;                                                                                         \
    b = c;

struct found {
    double most;
    int when, hits;
};

static void numbers(int n, int m, int T, double (*u)[m], double (*v)[m], struct found *found)
{
    double(*old)[m], sum = 0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        old = u;
        u = v;
        v = old;
        for (int r = 0; r < 4; r++)
            sum += u[r % 2 + 1][r / 2 + 1];
        if (u[3][3] > found->most) {
            found->most = u[3][3];
            found->when = t;
        }
        found->hits += u[2][2] > 0.5;
        if (t % 7 == 3)
            printf("%d %a %a\n", t, sum, found->most);
    }
    printf("%a %a %d %d\n", sum, found->most, found->when, found->hits);
}

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

/* What is found of cells decides on the sweeps: the loops stay. */
static void feeds(int n, int m, int T, double *a, double *b)
{
    double *c, scale = 1;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = scale * 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        c = a;
        a = b;
        b = c;
        scale += 0.5 * a[m + 1];
    }
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
    struct found found = {0, -1, 0};
    before(n, m, T), held(n, m, T);
    if (n < 6 || m < 6)
        return 0;
    around(n, T), source(n, m, T), copies(n, m, T), line(n, T), sooner(n, m, T);
    receivers(n, m, T), back(n, m, T), intervals(n, m, T), counted(n, m, T), fields(n, m, T);
    numbers(n, m, T, (double(*)[m])u, (double(*)[m])v, &found);
    conditions(n, m, T, u, v, heard), feeds(n, m, T, u, v), late(n, m, T, u, v, at, heard);
    return 0;
}
