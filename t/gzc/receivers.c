/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * receivers.c - time loops that hand on what each leaves in single cells: receivers of waves,
 * probes, lines of them, output, in all forms in which a state finds its place. Prints what was
 * handed on, and sums over all arrays.
 *
 *     receivers N M T
 */
#include "values.h"

#include <math.h>

/* Three time levels and a source; receivers by lists of places, along a row, and one of the older
 * state. */
static void wave(int n, int m, int T)
{
    enum { MOST = 5 };
    float(*old)[m] = floats(n, m, 11), (*now)[m] = floats(n, m, 12), (*was)[m];
    float *w = floats(1, T, 13), *trace = floats(MOST, T, 14), *row = floats(m, T, 15),
          *late = floats(1, T, 16);
    int x[MOST] = {1, n / 2, n - 2, n / 2, 2}, y[MOST] = {1, m / 2, m - 2, m / 3, 2}, count = MOST,
        r = 0;
#pragma scop
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
#pragma endscop
    printf("%d\n", r);
    SHOW(trace, row, late, old, now);
}

/* By turns of planes; with variables of loops that sweeps use, too. */
static void planes(int n, int m, int T)
{
    double(*p)[n][m] = doubles(2 * n, m, 21);
    double(*probe)[T] = doubles(3, T, 22);
    int i = 0, j = 0, t;
#pragma scop
    for (t = 0; t < T; t++) {
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                p[(t + 1) % 2][i][j] =
                    0.25 * (p[t % 2][(i + 1) % n][j] + p[t % 2][(i - 1 + n) % n][j] +
                            p[t % 2][i][(j + 1) % m] + p[t % 2][i][(j - 1 + m) % m]);
        for (i = 0; i < 2; i++)
            probe[i][t] = p[(t + 1) % 2][i * (n - 1)][m - 1];
        probe[2][t] = p[t % 2][0][0] + t;
    }
#pragma endscop
    printf("%d %d %d\n", i, j, t);
    SHOW(probe, p);
}

/* A copy back, and output of each loop. */
static void back(int n, int m, int T)
{
    double(*a)[m] = doubles(n, m, 31), (*b)[m] = doubles(n, m, 32);
    double *before = doubles(1, T, 33), *behind = doubles(1, T, 34);
#pragma scop
    for (int t = 0; t < T; t++) {
        before[t] = a[2][2];
        EACH_INNER (i, j)
            b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        printf("%d  %a %a\n", t, b[1][1], a[1][1]);
        EACH_INNER (i, j)
            a[i][j] = b[i][j];
        behind[t] += a[2][2] + a[1][m - 2];
    }
#pragma endscop
    SHOW(before, behind, a, b);
}

/* A copy first. */
static void first(int n, int m, int T)
{
    float(*a)[m] = floats(n, m, 41), (*b)[m] = floats(n, m, 42);
    float *probe = floats(2, T, 43);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = a[i][j];
        EACH_INNER (i, j)
            a[i][j] = 0.2f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1] + b[i][j]);
        for (int k = 0; k < 2; k++)
            probe[2 * t + k] = a[1 + k][m - 2];
    }
#pragma endscop
    SHOW(probe, a, b);
}

/* Now and then, some of it never. */
static void intervals(int n, int m, int T)
{
    float(*a)[m] = floats(n, m, 81), (*b)[m] = floats(n, m, 82), (*c)[m];
    float *probe = floats(2, T, 83), *never = NULL, *line = floats(m, T, 84);
    int *nowhere = NULL, every = 3, r = 9, k = 9;
#pragma scop
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
#pragma endscop
    printf("%d %d\n", r, k);
    SHOW(probe, line, a, b);
}

/* A time that counts beside the loops, which are counted down. */
static void counted(int n, int m, int T)
{
    double(*a)[m] = doubles(n, m, 91), (*b)[m] = doubles(n, m, 92), (*c)[m];
    double *probe = doubles(2, T, 93), time = 0.25;
    int left = T;
#pragma scop
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
#pragma endscop
    printf("%a\n", time);
    SHOW(probe, a, b);
}

/* Several arrays, with ifs that see what was handed on. */
static void fields(int n, int m, int T)
{
    float(*e)[m] = floats(n, m, 51), (*h)[m] = floats(n, m, 52);
    float *w = floats(1, T, 53), *seen = floats(2, T, 54), *held = floats(1, T, 55);
    int rx = n / 2, ry = m - 2;
#pragma scop
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
#pragma endscop
    SHOW(seen, held, e, h);
}

/* One dimension, whose magnetic field lies between the electric one's places. */
static void line(int n, int m, int T)
{
    double *ez = doubles(n, m, 101), *hy = doubles(n, m, 102), imp0 = 377,
           *late = doubles(1, T, 103);
    int size = n * m, t, k = 0;
#pragma scop
    for (t = 0; t < T; t++) {
        hy[size - 1] = hy[size - 2];
        for (k = 0; k < size - 1; k++)
            hy[k] = hy[k] + (ez[k + 1] - ez[k]) / imp0;
        ez[0] = ez[1];
        for (k = 1; k < size; k++)
            ez[k] = ez[k] + (hy[k] - hy[k - 1]) * imp0;
        ez[5] += exp(-(t - 3.) * (t - 3.));
        printf("%g\n", ez[size / 2]);
        late[t] = hy[1] * ez[size - 2];
    }
#pragma endscop
    printf("%d %d\n", t, k);
    SHOW(late, ez, hy);
}

/* Three dimensions; what is handed on lies where the point is set, behind that. */
static void volume(int n, int m, int T)
{
    double(*a)[n][m] = doubles(n * n, m, 61), (*b)[n][m] = doubles(n * n, m, 62), (*c)[n][m];
    double *probe = doubles(2, T, 63), *w = doubles(1, T, 64);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int k = 1; k < n - 1; k++)
            EACH_INNER (i, j)
                b[k][i][j] = 0.15 * (a[k - 1][i][j] + a[k + 1][i][j] + a[k][i - 1][j] +
                                     a[k][i + 1][j] + a[k][i][j - 1] + a[k][i][j + 1]);
        b[1][1][1] += w[t];
        probe[t] = b[1][1][1];
        probe[T + t] = a[1][1][1];
        c = a;
        a = b;
        b = c;
    }
#pragma endscop
    SHOW(probe, a, b);
}

int main(int argc, char **argv)
{
    SIZES
    wave(n, m, T), planes(n, m, T), back(n, m, T), first(n, m, T), intervals(n, m, T),
        counted(n, m, T), fields(n, m, T), line(n, m, T), volume(n, m, T);
    return 0;
}
