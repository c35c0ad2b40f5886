/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * probes.c - time loops that add up, compare and print what each leaves in single cells: cells that
 * data choose, conditions on what is computed, rows with their ends, buffers that are printed.
 * Prints what it finds, and sums over all arrays.
 *
 *     probes N M T
 */
#include "values.h"

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
#pragma scop
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
#pragma endscop
    printf("%a %a %d %d\n", sum, found->most, found->when, found->hits);
}

static void chosen(int n, int m, int T, double *a, double *b, const int *at, double *heard)
{
    double *c;
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        for (int r = 0; r < at[0]; r++)
            heard[t * at[0] + r] = a[at[r + 1]];
    }
#pragma endscop
    SHOW(heard);
}

static void conditions(int n, int m, int T, double *a, double *b, double *heard)
{
    double *c, row[9] = {0};
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        if (a[m + 1] > 0.3)
            printf("%d: %a\n", t, a[2 * m + 2]);
        if (a[m + 2] < 0.6)
            heard[t] = a[m + 2] - heard[t];
    }
#pragma endscop
    SHOW(heard);
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        for (int j = 0; j < m; j++)
            heard[t * m + j] = a[2 * m + j];
    }
#pragma endscop
    SHOW(heard);
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        for (int j = 1; j < 4; j++)
            row[j] += a[2 * m + j];
        for (int j = 1; j < 4; j++)
            printf(" %a", row[j]);
        puts("");
    }
#pragma endscop
    show("row", row, sizeof row);
    SHOW(a);
}

/* What is found of cells decides on the sweeps: the loops stay. */
static void feeds(int n, int m, int T, double *a, double *b)
{
    double *c, scale = 1;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = scale * 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        c = a;
        a = b;
        b = c;
        scale += 0.5 * a[m + 1];
    }
#pragma endscop
    SHOW(a);
}

/* A table that is read in some time steps only. */
static void late(int n, int m, int T, double *a, double *b, const int *at, double *heard)
{
    double *c, *table = doubles(1, T, 4);
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        if (t >= 3)
            for (int r = 0; r < at[0]; r++)
                heard[t * at[0] + r] = a[at[r + 1]] * table[t - 3];
    }
#pragma endscop
    SHOW(heard);
}

int main(int argc, char **argv)
{
    SIZES
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2), *heard = doubles(m, T, 3);
    int at[] = {3, m + 1, 2 * m + 2, m + 3};
    struct found found = {0, -1, 0};
    numbers(n, m, T, (double(*)[m])u, (double(*)[m])v, &found);
    chosen(n, m, T, u, v, at, heard);
    conditions(n, m, T, u, v, heard);
    feeds(n, m, T, u, v);
    late(n, m, T, u, v, at, heard);
    return 0;
}
