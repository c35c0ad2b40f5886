/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * borders.c - time loops that set cells beyond the domain beside the sweep: to the nearest cell, to
 * the opposite one, to numbers. Prints sums over all arrays, which tell what C leaves beyond, too.
 *
 *     borders N M T
 */
#include "values.h"

/* The nearest cell, behind the exchange of the pointers, corners by way of sides. */
static void insulated(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 51), (*v)[m] = doubles(n, m, 52);
    int i = -1, j = -2, t;
#pragma scop
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                v[i][j] =
                    u[i][j] + 0.2 * (u[i - 1][j - 1] + u[i + 1][j] + u[i][j - 1] - 3 * u[i][j]);
        double(*w)[m] = u;
        u = v;
        v = w;
        for (j = 0; j < m; j++) {
            u[0][j] = u[1][j];
            u[n - 1][j] = u[n - 2][j];
        }
        for (i = 0; i < n; i++) {
            u[i][0] = u[i][1];
            u[i][m - 1] = u[i][m - 2];
        }
    }
#pragma endscop
    printf("%d %d %d\n", t, i, j);
    SHOW(u, v);
}

/* Before the sweep, in an order in which corners hold what sides held some loops ago. */
static void before(int n, int m, int T)
{
    float *u = floats(n, m, 53), *v = floats(n, m, 54), *w;
#pragma scop
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
#pragma endscop
    SHOW(u, v);
}

/* The opposite cells of two layers, of what a copy brings back whole. */
static void around(int n, int T)
{
    double *u = doubles(1, n, 55), *v = doubles(1, n, 56);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 2; i < n - 2; i++)
            v[i] = 0.5 * (u[i - 2] + u[i + 1]) - 0.1 * u[i + 2];
        v[0] = v[n - 4];
        v[1] = v[n - 3];
        v[n - 2] = v[2];
        v[n - 1] = v[3];
        memcpy(u, v, (size_t)n * sizeof *u);
    }
#pragma endscop
    SHOW(u, v);
}

/* Numbers, of which the last ones stay in the corners. */
static void held(int n, int m, int T)
{
    double *u = doubles(n, m, 57), *v = doubles(n, m, 58), hot = 0.75;
#pragma scop
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
#pragma endscop
    SHOW(u, v);
}

/* A wave between free ends; a point is set now and then. */
static void wave(int n, int T)
{
    double *now = doubles(1, n, 59), *last = doubles(1, n, 60), *next = doubles(1, n, 61), *swap;
#pragma scop
    for (int t = 0; t < 3 * T; t++) {
        if (t % 7 == 3) {
            now[0] = 2;
        }
        for (int i = 1; i < n - 1; i++)
            next[i] = 1.5 * now[i] + 0.25 * (now[i - 1] + now[i + 1]) - last[i];
        swap = last;
        last = now;
        now = next;
        next = swap;
        now[0] = now[1];
        now[n - 1] = now[n - 2];
    }
#pragma endscop
    SHOW(now, last, next);
}

/* In a function, of a loop that counts by while. */
static void sides(double *u, int n)
{
    u[0] = u[1];
    u[n - 1] = u[n - 2];
}

static void functions(int n, int T)
{
    double *u = doubles(1, n, 62), *v = doubles(1, n, 63), *w;
    int t = 0;
#pragma scop
    while (t < T) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        sides(v, n);
        w = u;
        u = v;
        v = w;
        t++;
    }
#pragma endscop
    SHOW(u, v);
}

int main(int argc, char **argv)
{
    SIZES
    insulated(n, m, T), before(n, m, T), around(n, T), held(n, m, T), wave(n, T), functions(n, T);
    return 0;
}
