/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * old.c - loops of all kinds in C of 1989, for 737-gzc-dialects: nothing is declared behind a
 * statement or in the head of a loop.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 22 };

#define EACH_INNER(i, j)                                                                           \
    for (i = 1; i < n - 1; i++)                                                                    \
        for (j = 1; j < n - 1; j++)
#define SWEEP_LINE                                                                                 \
    for (i = 1; i < n - 1; i++)                                                                    \
    v[i] = 0.5 * (u[i - 1] + u[i + 1])
#define EXCHANGE                                                                                   \
    swap = u;                                                                                      \
    u = v;                                                                                         \
    v = swap
#define AROUND(a) (0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]))

static double plane[2][N][N], first[N][N], second[N][N], seen[64];

static void fill(double *to, int count, int seed)
{
    int i;
    for (i = 0; i < count; i++)
        to[i] = (i * 37 + seed * 11) % 101 / 7.0;
}

static void print(const char *name, const double *from, int count)
{
    double sum = 0;
    int i;
    for (i = 0; i < count; i++)
        sum = sum * 0.75 + from[i];
    printf("%s %.17g\n", name, sum);
}

static void planes(int T)
{
    int t, i = 0, j = 0;
#pragma scop
    for (t = 0; t < T; t++)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                plane[(t + 1) % 2][i][j] =
                    0.5 * plane[t % 2][i - 1][j] + 0.25 * plane[t % 2][i][j + 1];
#pragma endscop
    printf("%d %d %d\n", t, i, j);
}

static void copies_of_memory(int T)
{
    int t, i, j;
#pragma scop
    for (t = 0; t < T; t++) {
        memcpy(second, first, sizeof first);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                first[i][j] = 0.5 * second[i - 1][j] + 0.25 * second[i][j + 1];
    }
#pragma endscop
}

static void three_pointers(int n, int T, double *older, double *old, double *now)
{
    double *turn;
    int t, i;
#pragma scop
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            now[i] = 2 * old[i] - older[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
        turn = older;
        older = old;
        old = now;
        now = turn;
    }
#pragma endscop
    print("three pointers", old, n);
}

static void looked_at(int n, int T)
{
    int t, i, j;
#pragma scop
    for (t = 0; t < T; t++) {
        EACH_INNER (i, j)
            second[i][j] = AROUND(first);
        EACH_INNER (i, j)
            first[i][j] = second[i][j];
        if (t % 3 == 0) {
            double middle = first[4][5];
            printf("%d: %.17g\n", t, middle);
        }
    }
#pragma endscop
}

static void bordered(int n, int T, double *u, double *v)
{
    double *swap;
    int t, i;
#pragma scop
    for (t = 0; t < T; t++) {
        SWEEP_LINE;
        v[0] = v[1];
        v[n - 1] = v[n - 2];
        EXCHANGE;
    }
#pragma endscop
    print("bordered", u, n);
}

static void received(int n, int T, double *u, double *v)
{
    double *swap;
    int t, i;
#pragma scop
    for (t = 0; t < T; t++) {
        SWEEP_LINE;
        EXCHANGE;
        seen[t] = u[3];
    }
#pragma endscop
    print("received", seen, T);
}

static void converging(int n, int T)
{
    double most = 1;
    int t = 0, i, j;
#pragma scop
    while (most > 0.2 && t < T) {
        most = 0;
        EACH_INNER (i, j) {
            second[i][j] = AROUND(first);
            most =
                fabs(second[i][j] - first[i][j]) > most ? fabs(second[i][j] - first[i][j]) : most;
        }
        EACH_INNER (i, j)
            first[i][j] = second[i][j];
        t++;
    }
#pragma endscop
    printf("%d %.17g\n", t, most);
}

static void fields(int n, int T, double *e, double *h)
{
    int t, i;
#pragma scop
    for (t = 0; t < T; t++) {
        e[0] = seen[t];
        for (i = 1; i < n; i++)
            e[i] += 0.5 * (h[i - 1] - h[i]);
        for (i = 0; i < n - 1; i++)
            h[i] += 0.5 * (e[i] - e[i + 1]);
    }
#pragma endscop
}

static void step(const double *u, double *v, int n)
{
    int i;
    SWEEP_LINE;
}

static void written_out(int n, int T, double *u, double *v)
{
    int t;
#pragma scop
    for (t = 0; t < T; t++) {
        step(u, v, n);
        step(v, u, n);
    }
#pragma endscop
}

int main(void)
{
    static double a[64], b[64], c[64];
    int n = N, T = 7;
    fill(plane[0][0], 2 * N * N, 1), fill(first[0], N * N, 2), fill(second[0], N * N, 2),
        fill(a, 64, 3), fill(b, 64, 3), fill(c, 64, 3);
    planes(T), copies_of_memory(T), three_pointers(60, T, a, b, c), looked_at(n, T),
        bordered(60, T, a, b), received(60, T, a, b), converging(n, 9), fields(60, T, a, c),
        written_out(60, T, a, b), print("planes", plane[0][0], 2 * N * N),
        print("first", first[0], N * N), print("second", second[0], N * N), print("a", a, 64),
        print("b", b, 64), print("c", c, 64);
    return 0;
}
