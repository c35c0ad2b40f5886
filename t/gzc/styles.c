/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * styles.c - loops written in several ways in which programs are, for t/723-gzc-programs.t:
 * temporaries, branches, functions that exchange, planes, structures, constant extents. Prints a
 * sum over the bits of every array that a loop writes. Arguments: the extents and the number of
 * loops.
 */
#include "values.h"

#include <stdbool.h>

/* Declared far away, set in branches, used for nothing else. */
static void declared_outside(int n, int m, int T)
{
    float(*a)[n][m] = floats(2 * n, m, 3);
    float up, down, left, right;
    int count;
    bool high;
    int i, j, t;
#pragma gz trapezoid
    for (t = 0; t < T; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++) {
                if (i == 0)
                    up = 0.25f;
                else
                    up = a[t % 2][i - 1][j];
                down = i == n - 1 ? 0.5f : a[t % 2][i + 1][j];
                left = 0;
                right = 0;
                if (j > 0)
                    left = a[t % 2][i][j - 1];
                if (j < m - 1)
                    right = a[t % 2][i][j + 1];
                count = 0;
                if (up > left)
                    count++;
                if (down > right) {
                    count += 2;
                }
                high = count > 1;
                a[(t + 1) % 2][i][j] =
                    high ? 0.25f * (up + left + right - down) : 0.5f * up + count;
            }
    SHOW(a);
}

static void exchange(double **x, double **y)
{
    double *old = *x;
    *x = *y;
    *y = old;
}

struct planes {
    double *now, *next;
    int n, m;
};

static void exchanged(int n, int m, int T)
{
    double *u = doubles(n, m, 13), *v = doubles(n, m, 14);
    struct planes planes = {doubles(n, m, 15), doubles(n, m, 16), n, m}, *p = &planes;
    double *other;
    {
#pragma gz trapezoid
#pragma omp for ordered
        for (int t = 0; t < T; t++) {
            EACH_INNER (i, j)
                v[i * m + j] = 0.5 * u[i * m + j + 1] + 0.25 * u[(i - 1) * m + j];
            exchange(&v, &u);
        }
    }
    for (int i = 0; i < n * m; i++)
        u[i] += 1;
    SHOW(u, v);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < p->n - 1; i++)
            for (int j = 1; j < p->m - 1; j++)
                p->next[i * p->m + j] =
                    0.5 * p->now[i * p->m + j + 1] + 0.25 * p->now[(i - 1) * p->m + j];
        other = p->now;
        p->now = p->next;
        p->next = other;
    }
    SHOW(planes.now, planes.next);
}

/* Planes by number, chosen by variables that change places and by one that changes between 0 and
 * 1. */
static void planes(int n, int m, int T)
{
    double(*u)[n][m] = doubles(2 * n, m, 21);
    float(*w)[n][m] = floats(2 * n, m, 22);
#pragma gz trapezoid
    for (int t = 0; t < T; t += 2) {
        EACH_INNER (i, j)
            u[1][i][j] = 0.25 * (u[0][i - 1][j] + u[0][i][j + 1]) + t;
        EACH_INNER (i, j)
            u[0][i][j] = 0.25 * (u[1][i - 1][j] + u[1][i][j + 1]) - t;
    }
    SHOW(u);
    int cur = 1, next = 0, aside = 9;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            u[next][i][j] = u[cur][i][j - 1] + 0.5 * u[cur][i + 1][j] - 0.25 * u[next][i][j];
        aside = cur;
        cur = next;
        next = aside;
    }
    printf("%d %d %d\n", cur, next, aside);
    SHOW(u);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        const int new = cur ^ 1;
        EACH_INNER (i, j)
            w[new][i][j] = 0.5f * w[cur][i][j] + 0.25f * w[!new][i + 1][j];
        cur = new;
    }
    printf("%d\n", cur);
    SHOW(w);
}

/* Constant extents, around the grid; the copy goes through all rows by one index. */
enum { WIDE = 70, LONG = 66 };
static void ring(int T)
{
    static double u[WIDE * LONG], v[WIDE * LONG];
    for (int i = 0; i < WIDE * LONG; i++)
        u[i] = v[i] = i * 37 % 101 / 7.0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < WIDE; i++)
            for (int j = 0; j < LONG; j++)
                v[i * LONG + j] = 0.25 * (u[i * LONG + (j + 1) % LONG] +
                                          u[(i + WIDE - 1) % WIDE * LONG + j] - u[i * LONG + j]);
        for (int i = 0; i < WIDE * LONG; i++)
            u[i] = v[i];
    }
    show("ring u", u, sizeof u);
    show("ring v", v, sizeof v);
}

int main(int argc, char **argv)
{
    SIZES
    declared_outside(n, m, T), exchanged(n, m, T), planes(n, m, T), ring(T);
    return 0;
}
