/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alias WAY - a loop over rows that have pointers of their own, with a coefficient, a number a loop
 * and a constant array that are read through pointers; WAY says which of them share memory. Prints
 * all cells. With "lines", a number a row and loop; with "border" and a number, a copy of all cells
 * in so many loops.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, M = N + 2, T = 7 };

static double *row_of[M], **u, *other[M], **v, scale = 0.2, series[T], weight[M * M];
static double *factor = &scale, *pace = series, *w = weight;
static struct {
    unsigned flag : 3;
    double half;
} options = {1, 0.5};
static double lines[T][M], (*line)[M] = lines;
static double most = 40;
double *end = &most;

static void run(void)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                v[i][j] = u[i][j] +
                          factor[0] * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] -
                                       4 * u[i][j]) +
                          options.half * options.flag * pace[t] * w[i * M + j] + end[0];
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}

static void run_lines(void)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                v[i][j] =
                    0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + line[t][i];
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}

/* The copy brings the border of v with it, which the second loop is the first to read. */
static void run_whole(int loops)
{
#pragma scop
    for (int t = 0; t < loops; t++) {
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + pace[t];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "apart";
    static double *whole; /* also where nothing leads to it */

    whole = calloc(M * M, sizeof *whole);
    for (int i = 0; i < M; i++) {
        row_of[i] =
            strcmp(how, "one piece") == 0 ? whole + (M - 1 - i) * M : calloc(M, sizeof **row_of);
        /* With room before it, in which a series may begin. */
        other[i] = (double *)calloc(M + T, sizeof **other) + T;
        for (int j = 0; j < M; j++) {
            other[i][j] = row_of[i][j] = i * 7 % 11 + j * 5 % 13;
            if (strncmp(how, "border", 6) == 0)
                other[i][j] = i * 3 % 7 - j;
            weight[i * M + j] = i * j % 7;
        }
    }
    u = row_of;
    v = other;
    for (int t = 0; t < T; t++)
        for (int i = 0; i < M; i++)
            lines[t][i] = (series[t] = 0.01 * t) + i;
    if (strcmp(how, "periodic") == 0) {
        u[0] = u[N];
        u[N + 1] = u[1];
    } else if (strcmp(how, "coefficient") == 0) {
        factor = &u[5][6];
        u[5][6] = 0.1;
    } else if (strcmp(how, "coefficient in the border") == 0) {
        factor = &u[0][6];
        u[0][6] = 0.1;
    } else if (strcmp(how, "series") == 0) {
        pace = u[7] + 3;
    } else if (strcmp(how, "last of the series") == 0) {
        pace = v[7] + 2 - T;
        for (int t = 0; t + 1 < T; t++)
            pace[t] = 0.25 * t;
    } else if (strcmp(how, "constant") == 0) {
        double *both = calloc(2 * M * M, sizeof *both);
        for (int i = 0; i < M * M; i++)
            both[i] = 1.0 / (i + 1);
        w = both;
        v[9] = both + M * N + N - 3;
    } else if (strcmp(how, "lines that share") == 0) {
        double *both = calloc((T + 1) * M, sizeof *both);
        line = (double(*)[M])(void *)both;
        v[9] = both + (T - 1) * M + N - 3;
    } else if (strcmp(how, "value") == 0) {
        end = &v[N][N];
        *end = 0.125;
    } else if (strcmp(how, "rows") == 0) {
        v[4] = u[5];
    } else if (strcmp(how, "half a row") == 0) {
        v[4] = u[5] + N / 2;
        u[5] = realloc(u[5], 2 * M * sizeof **u);
        v[4] = memset(u[5] + N / 2, 0, M * sizeof **u);
    } else if (strcmp(how, "edge") == 0) {
        v[0] = u[0];
        v[N + 1] = u[N + 1];
    }
    if (strncmp(how, "border", 6) == 0)
        run_whole(atoi(how + 6));
    else if (strncmp(how, "lines", 5) == 0)
        run_lines();
    else
        run();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            printf("%a %a\n", u[i][j], v[i][j]);
    return 0;
}
