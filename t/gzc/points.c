/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * points.c - time loops that set or change single cells beside their sweep: sources of waves, by
 * all ways in which a state finds its place. Prints sums over all arrays.
 *
 *     points N M T
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
static void wave(int n, int m, int T)
{
    float(*a)[m] = floats(n, m, 71), (*b)[m] = floats(n, m, 72), (*c)[m];
    float *w = floats(1, T, 73), dt = 0.3f;
    int sx = n / 2, sy[2] = {2, m - 2};
    double last = 7;
#pragma scop
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
#pragma endscop
    printf("%a\n", last);
    SHOW(a, b);
}

/* Planes that take turns; the cells at the edges read the one that is set, from the other side. */
static void planes(int n, int m, int T)
{
    double(*p)[n][m] = doubles(2 * n, m, 74);
    int *q = made((size_t)T + 1, sizeof *q);
    for (int t = 0; t <= T; t++)
        q[t] = t % 3;
#pragma scop
    for (int t = 0; t < T; t++) {
        int now = t % 2, next = 1 - now;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                p[next][i][j] = 0.25 * (p[now][(i + 1) % n][j] + p[now][(i - 1 + n) % n][j] +
                                        p[now][i][(j + 1) % m] + p[now][i][(j - 1 + m) % m]);
        p[next][0][m - 1] = p[next][0][m - 1] * q[t] + q[t];
    }
#pragma endscop
    SHOW(p);
}

/* Three planes by linear indices that nobody takes apart. */
static void ring(int n, int m, int T)
{
    float(*u)[n * m] = floats(3 * n, m, 75);
    int source = (n / 3) * m + m / 2;
    for (int plane = 1; plane < 3; plane++)
        memcpy(u[plane], u[0], square(n, m, sizeof **u));
#pragma scop
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            u[(t + 2) % 3][i * m + j] =
                1.5f * u[(t + 1) % 3][i * m + j] - u[t % 3][i * m + j] +
                0.1f * (u[(t + 1) % 3][i * m + j - 1] + u[(t + 1) % 3][(i - 1) * m + j]);
        u[(t + 2) % 3][source] += sinf(0.1f * (float)t);
    }
#pragma endscop
    SHOW(u);
}

/* Copies: what is copied from has the cell, or lacks it. */
static void copies(int n, int m, int T)
{
    double *a = doubles(n, m, 76), *b = doubles(n, m, 77), *d = doubles(n, m, 78), rate = 0.5;
    int t;
    memcpy(b, a, square(n, m, sizeof *a));
#pragma scop
    for (t = 0; t < T; t++) {
        EACH_INNER (i, j)
            b[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i + 1) * m + j]);
        b[2 * m + 3] += rate;
        EACH_INNER (i, j)
            a[i * m + j] = b[i * m + j];
        a[2 * m + 3] *= 1 - 0.1 * t;
    }
#pragma endscop
    printf("%d\n", t);
    SHOW(a, b);
    memcpy(d, a, square(n, m, sizeof *a));
#pragma scop
    for (t = 0; t < T; t++) {
        EACH_INNER (i, j)
            d[i * m + j] = 0.5 * (a[i * m + j - 1] + a[(i + 1) * m + j]) - b[i * m + j];
        d[2 * m + 3] += cos(t);
        memcpy(b, a, square(n, m, sizeof *a));
        memcpy(a, d, square(n, m, sizeof *a));
    }
#pragma endscop
    SHOW(a, b, d);
}

/* In one dimension, of whole numbers, in three pointers, with the border set behind. */
static void line(int n, int T)
{
    int *now = made((size_t)n, sizeof *now), *last = made((size_t)n, sizeof *last);
    int *next = made((size_t)n, sizeof *next), *swap;
    int t = 0;
#pragma scop
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
#pragma endscop
    SHOW(now, last, next);
}

/* Before the sweep, for each way in which what it reads has got there. */
static void sooner(int n, int m, int T)
{
    float(*p)[n][m] = floats(3 * n, m, 79), *w = floats(1, T, 80);
    double *a = doubles(n, m, 81), *b = doubles(n, m, 82), *swap;
    int t = 5;
    for (int plane = 1; plane < 3; plane++)
        memcpy(p[plane], p[0], square(n, m, sizeof ***p));
#pragma scop
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
#pragma endscop
    SHOW(p);
#pragma scop
    while (t < 2 * T) {
        swap = a;
        a = b;
        b = swap;
        if (t < T + 3)
            b[n / 2 * m + 2] -= w[t - T];
        EACH_INNER (i, j)
            a[i * m + j] = 0.25 * (b[i * m + j - 1] + b[i * m + j + 1] + b[(i - 1) * m + j] +
                                   b[(i + 1) * m + j]);
        t++;
    }
#pragma endscop
    SHOW(a, b);
#pragma scop
    for (t = 0; t < T; t++) {
        a[(n - 2) * m + 2] = exp(-t);
        memcpy(b, a, square(n, m, sizeof *a));
        b[(n / 2) * m + 2]++;
        EACH_INNER (i, j)
            a[i * m + j] = 0.25 * (b[i * m + j - 1] + b[i * m + j + 1] + b[(i - 1) * m + j] +
                                   b[(i + 1) * m + j]);
    }
#pragma endscop
    SHOW(a, b);
#pragma scop
    for (t = 0; t < T; t++) {
        a[(n - 2) * m + 2] += w[t];
        EACH_INNER (i, j)
            b[i * m + j] = 0.25 * (a[i * m + j - 1] + a[i * m + j + 1] + a[(i - 1) * m + j] +
                                   a[(i + 1) * m + j]);
        EACH_INNER (i, j)
            a[i * m + j] = b[i * m + j];
    }
#pragma endscop
    SHOW(a, b);
}

int main(int argc, char **argv)
{
    SIZES
    wave(n, m, T), planes(n, m, T), ring(n, m, T), copies(n, m, T), line(n, T), sooner(n, m, T);
    return 0;
}
