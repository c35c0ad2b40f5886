/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translated_systems.c - what users' programs have, as annotated loops: waves, electromagnetic
 * fields, a reaction, and a loop that ends when a state has converged. Compiled and run as
 * translated.c. Arguments: wave2, wave3, fdtd, grayscott or converge; cells along an edge; loops of
 * a call.
 */
#include "translated.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The wave equation, of fourth order in space, with a velocity that differs from cell to cell. */
static void wave_2d(int n, int steps, float u[3][n][n], float factor[n][n])
{
#pragma scop
    for (int t = 1; t <= steps; t++)
#pragma omp parallel for
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < n - 2; j++)
                u[(t + 1) % 3][i][j] =
                    2.0F * u[t % 3][i][j] - u[(t + 2) % 3][i][j] +
                    factor[i][j] * (16.0F * (u[t % 3][i - 1][j] + u[t % 3][i + 1][j] +
                                             u[t % 3][i][j - 1] + u[t % 3][i][j + 1]) -
                                    (u[t % 3][i - 2][j] + u[t % 3][i + 2][j] + u[t % 3][i][j - 2] +
                                     u[t % 3][i][j + 2]) -
                                    60.0F * u[t % 3][i][j]);
#pragma endscop
}

static void wave_3d(int n, int steps, float u[3][n][n][n], float factor[n][n][n])
{
#pragma scop
    for (int t = 1; t <= steps; t++)
#pragma omp parallel for
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < n - 2; j++)
                for (int k = 2; k < n - 2; k++)
                    u[(t + 1) % 3][i][j][k] =
                        2.0F * u[t % 3][i][j][k] - u[(t + 2) % 3][i][j][k] +
                        factor[i][j][k] * (16.0F * (u[t % 3][i - 1][j][k] + u[t % 3][i + 1][j][k] +
                                                    u[t % 3][i][j - 1][k] + u[t % 3][i][j + 1][k] +
                                                    u[t % 3][i][j][k - 1] + u[t % 3][i][j][k + 1]) -
                                           (u[t % 3][i - 2][j][k] + u[t % 3][i + 2][j][k] +
                                            u[t % 3][i][j - 2][k] + u[t % 3][i][j + 2][k] +
                                            u[t % 3][i][j][k - 2] + u[t % 3][i][j][k + 2]) -
                                           90.0F * u[t % 3][i][j][k]);
#pragma endscop
}

/* PolyBench's FDTD: a source on one side, the electric field, then the magnetic one, in place. */
static void fdtd(int n, int steps, float ex[n][n], float ey[n][n], float hz[n][n],
                 float source[steps])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            ey[0][j] = source[t];
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                ey[i][j] = ey[i][j] - 0.5F * (hz[i][j] - hz[i - 1][j]);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                ex[i][j] = ex[i][j] - 0.5F * (hz[i][j] - hz[i][j - 1]);
#pragma omp parallel for
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                hz[i][j] = hz[i][j] - 0.7F * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
}

/* Gray and Scott's reaction of two substances, written to two arrays, which change places. */
static void gray_scott(int n, int steps, double *arrays[4])
{
    double(*u)[n] = (double(*)[n])arrays[0], (*v)[n] = (double(*)[n])arrays[1];
    double(*next_u)[n] = (double(*)[n])arrays[2], (*next_v)[n] = (double(*)[n])arrays[3];
    const double feed = 0.04, kill = 0.06, spread_u = 0.16, spread_v = 0.08;
#pragma scop
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double reacted = u[i][j] * v[i][j] * v[i][j];
                next_u[i][j] = u[i][j] +
                               spread_u * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] -
                                           4 * u[i][j]) -
                               reacted + feed * (1 - u[i][j]);
                next_v[i][j] = v[i][j] +
                               spread_v * (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1] -
                                           4 * v[i][j]) +
                               reacted - (feed + kill) * v[i][j];
            }
        double(*swap)[n] = u;
        u = next_u;
        next_u = swap;
        swap = v;
        v = next_v;
        next_v = swap;
    }
#pragma endscop
}

/* Laplace's equation until a loop changes no cell by more than `limit`, or the loops are done. */
static void converge(int n, int steps, double a[n][n], double b[n][n], double limit)
{
    double change = 2 * limit;
    int loops = 0;
#pragma scop
    while (change > limit && loops < steps) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                change = fmax(change, fabs(b[i][j] - a[i][j]));
            }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
        loops++;
    }
#pragma endscop
}

enum { ARRAYS = 4 };

/* An array of `count` numbers, the same in `planes` planes, smooth enough for all equations. */
static void *made(size_t count, size_t size, int planes, double scale)
{
    char *array = malloc(count * size * (size_t)planes);
    if (!array)
        exit(1);
    for (int p = 0; p < planes; p++)
#pragma omp parallel for
        for (size_t i = 0; i < count; i++) {
            double value = scale * (double)(i * 7 % 1013 + i / 1021 % 17) / 1030;
            size_t at = (size_t)p * count + i;
            if (size == sizeof(float))
                ((float *)(void *)array)[at] = (float)value;
            else
                ((double *)(void *)array)[at] = value;
        }
    return array;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "wave2";
    int n = argc > 2 ? atoi(argv[2]) : 4096, loops = argc > 3 ? atoi(argv[3]) : 60;
    bool is_wave = strncmp(name, "wave", 4) == 0, is_cube = strcmp(name, "wave3") == 0;
    bool is_float = is_wave || strcmp(name, "fdtd") == 0;
    size_t cells = (size_t)n * (size_t)n * (is_cube ? (size_t)n : 1);
    double seconds[CALLS];
    void *array[ARRAYS];
    double *reals[ARRAYS];
    float *source = made((size_t)loops, sizeof *source, 1, 1);
    for (int i = 0; i < ARRAYS; i++)
        array[i] = reals[i] = made(cells, is_float ? sizeof(float) : sizeof(double),
                                   is_wave && i == 0 ? 3 : 1, is_wave && i == 1 ? 0.01 : 1);
    for (int call = 0; call < CALLS; call++) {
        double begin = now();
        if (is_cube)
            wave_3d(n, loops, array[0], array[1]);
        else if (is_wave)
            wave_2d(n, loops, array[0], array[1]);
        else if (is_float)
            fdtd(n, loops, array[0], array[1], array[2], source);
        else if (strcmp(name, "grayscott") == 0)
            gray_scott(n, loops, reals);
        else
            converge(n, loops, array[0], array[1], 1e-30);
        seconds[call] = (now() - begin) / loops;
    }
    show(seconds);
    for (int i = 0; i < ARRAYS; i++)
        free(array[i]);
    free(source);
    return 0;
}
