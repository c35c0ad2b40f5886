/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forms.c - a loop of every form, type, edge and dimension, for t/720-gzc-runs.t: prints a sum over
 * the bits of every array that a loop writes, and the final values of its variables. Arguments: the
 * extents and the number of loops.
 */
#include "values.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Two planes, each with a border of its own; a domain that is not centred. */
static void parity(int n, int m, int T)
{
    double(*A)[n][m] = doubles(2 * n, m, 1);
    int t = 0, i = 0, j = 0;
#pragma gz trapezoid
    for (t = 0; t < T; t++)
        for (i = 1; i < n - 2; i++)
            for (j = 2; j < m; j++)
                A[(t + 1) % 2][i][j] = 0.3 * (A[t % 2][i - 1][j] + A[t % 2][i + 2][j - 2]) -
                                       A[t % 2][i][j - 1] / 7 + A[t % 2][i + 1][j];
    printf("%d %d %d\n", t, i, j);
    SHOW(A);
}

/* Two sweeps that differ, three dimensions, pointers to pointers. */
static void sweeps(int n, int T)
{
    double *flat[2] = {doubles(n * n, n, 5), doubles(n * n, n, 6)};
    double ***A[2];
    for (int p = 0; p < 2; p++) {
        A[p] = made((size_t)n, sizeof **A);
        for (int i = 0; i < n; i++) {
            A[p][i] = made((size_t)n, sizeof ***A);
            for (int j = 0; j < n; j++)
                A[p][i][j] = flat[p] + ((size_t)i * (size_t)n + (size_t)j) * (size_t)n;
        }
    }
    double ***u = A[0], ***v = A[1];
    int t = 0, i = 0, j = 0, k = 0;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    v[i][j][k] = 0.125 * (u[i + 1][j][k] - 2.0 * u[i][j][k] + u[i - 1][j][k]) +
                                 0.125 * (u[i][j + 1][k] - u[i][j - 1][k]) + u[i][j][k + 1];
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                for (k = 1; k < n - 1; k++)
                    u[i][j][k] = 0.5 * (v[i][j][k - 1] + v[i][j][k]) * t;
    }
    printf("%d %d %d %d\n", t, i, j, k);
    SHOW(flat[0], flat[1]);
}

/* Clamped indices, per-step arrays, a function: Rodinia's pathfinder in form. */
static int least(int x, int y)
{
    return x < y ? x : y;
}
static void clamped(int n, int T)
{
    int *a = ints(1, n, 9, 10), *b = ints(1, n, 10, 10), *walls = ints(n, T + 1, 11, 10);
    int(*wall)[n] = (int(*)[n])walls, *swap;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int x = 0; x < n; x++)
            b[x] =
                least(MIN(a[x == 0 ? 0 : x - 1], a[x]), a[x == n - 1 ? n - 1 : x + 1]) + wall[t][x];
        swap = a;
        a = b;
        b = swap;
    }
    SHOW(a, b);
}

/* Wrapped by a ternary and by a remainder; a constant array read at a distance. */
static void wrapped(int n, int m, int T)
{
    double(*A)[n][m] = doubles(2 * n, m, 15);
    double(*k)[m] = doubles(n, m, 16);
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[(t + 1) % 2][i][j] = 0.4 * A[t % 2][i == 0 ? n - 1 : i - 1][j] +
                                       A[t % 2][i == n - 1 ? 0 : i + 1][j] * k[i][(j + 1) % m] -
                                       A[t % 2][i][(j + 1) % m] +
                                       0.1 * A[t % 2][i][(j + m - 1) % m] * k[i][j];
    SHOW(A);
}

/* Zero beyond the edges; constant arrays that run along one axis, are transposed or shifted. */
static void zero(int n, int T)
{
    double(*A)[n][n] = doubles(2 * n, n, 17);
    double(*k)[n] = doubles(n, n, 18), *w = doubles(1, n + 1, 19);
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[(t + 1) % 2][i][j] = (i > 0 ? A[t % 2][i - 1][j] : 0.0) * w[j + 1] +
                                       (j < n - 1 ? A[t % 2][i][j + 1] * k[j][i] : 0.0);
    SHOW(A);
}

/* Colours by a guard, in one sweep with the time and in two sweeps. */
static void coloured(int n, int m, int T)
{
    double(*A)[m] = doubles(n, m, 20);
    float *b = floats(1, n, 21);
    int t = 0, i = 0, j = 0;
#pragma gz trapezoid
    for (t = 0; t < T; t++)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                if ((i + j + t) % 2 == 0)
                    A[i][j] += 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] - A[i][j + 1]);
    printf("%d %d %d\n", t, i, j);
#pragma scop
    for (unsigned turn = 0; turn < (unsigned)T; turn++) /* whose negative is large */
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                if ((i + j + turn) % 2 == 0)
                    A[i][j] += 0.125 * (A[i - 1][j] + A[i + 1][j] - A[i][j - 1] + A[i][j + 1]);
#pragma endscop
    SHOW(A);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            if (i % 2 == 1)
                b[i] = 0.5f * (b[i - 1] + b[i + 1]);
        for (i = 1; i < n - 1; i++) {
            if (i % 2 == 0)
                b[i] = 0.4f * (b[i - 1] + b[i + 1]);
        }
    }
    SHOW(b);
}

/* Guards in a program of two arrays, an if with an else, and a guard by the state. */
static void guarded(int n, int m, int T)
{
    double(*A)[n][m] = doubles(2 * n, m, 22);
    int(*life)[n][m] = ints(2 * n, m, 23, 10);
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (i != j && (i < 3 || j > 2))
                    A[(t + 1) % 2][i][j] = 0.5 * (A[t % 2][i - 1][j] - A[t % 2][i][j + 1]);
    SHOW(A);
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (life[t % 2][i][j] % 2 == 1)
                    life[(t + 1) % 2][i][j] = life[t % 2][i - 1][j] + life[t % 2][i][j + 1] > 8;
                else if (life[t % 2][i][j] > 4)
                    life[(t + 1) % 2][i][j] = -life[t % 2][i + 1][j] / 2;
                else
                    life[(t + 1) % 2][i][j] = life[t % 2][i][j - 1] + 3;
    SHOW(life);
}

static void scalars(int n, int T, long big, unsigned odd, double fine, float coarse)
{
    int(*B)[n] = ints(2, n, 25, 10);
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            B[(t + 1) % 2][i] = (int)(B[t % 2][i - 1] * fine) + (int)(big >> 40) % 7 +
                                (int)(odd % 5u) + (int)(coarse * 3) - B[t % 2][i + 1] % 3;
    SHOW(B);
}

/* Three time levels: in two arrays, whose borders differ; in three planes of a ring; and two fields
 * in turn. */
static void waves(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 26), (*v)[m] = doubles(n, m, 27);
    double(*c)[m] = doubles(n, m, 28), (*first)[m] = u, (*w)[m];
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 2 * u[i][j] - v[i][j] +
                          0.1 * c[i][j] * (u[i - 1][j] + u[i + 1][j] - 4 * u[i][j] + u[i][j + 1]);
        w = u;
        u = v;
        v = w;
    }
    printf("%d\n", u == first);
    SHOW(u, v);

    double(*p)[n] = doubles(3, n, 32);
#pragma gz trapezoid
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < n; i++)
            p[(t + 1) % 3][i] = p[t % 3][i == 0 ? n - 1 : i - 1] - p[(t - 1) % 3][i] * 0.5 + t;
    SHOW(p);

    double *e = doubles(1, n, 33), *h = doubles(1, n, 34);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            h[i] = h[i] - 0.5 * (e[i + 1] - e[i]);
        for (int i = 1; i < n - 1; i++)
            e[i] = 0.99 * e[i] - 0.5 * (h[i] - h[i - 1]);
    }
    SHOW(e, h);
}

int main(int argc, char **argv)
{
    SIZES
    parity(n, m, T), sweeps(n < 20 ? n : 20, T), clamped(n, T), wrapped(n, m, T), zero(n, T),
        coloured(n, m, T), guarded(n, m, T),
        scalars(n, T, 0x123456789abcdef, 4000000000u, 1.0 / 3, 0.7f), waves(n, m, T);
    return 0;
}
