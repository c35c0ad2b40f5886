/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translated.c - what users' programs have, as annotated loops: heat, waves, electromagnetic
 * fields, a reaction, and a loop that ends when a state has converged. translated.sh compiles it as
 * it stands with OpenMP, and after gzc. Arguments: a name of `kinds`; cells along an edge; loops of
 * a call. Prints the median time per loop of all calls but the first, and that of the first, s.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In a plate whose diffusivity differs from cell to cell. */
static void heat_2d(int n, int steps, float plate[2][n][n], float diffusivity[n][n], float step)
{
#pragma scop
    for (int t = 0; t < steps; t++)
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                plate[(t + 1) % 2][i][j] =
                    plate[t % 2][i][j] +
                    step * diffusivity[i][j] *
                        (plate[t % 2][i - 1][j] + plate[t % 2][i + 1][j] + plate[t % 2][i][j - 1] +
                         plate[t % 2][i][j + 1] - 4 * plate[t % 2][i][j]);
#pragma endscop
}

/* In a cube, in double. */
static void heat_3d(int n, int steps, double cube[2][n][n][n], double step)
{
#pragma scop
    for (int t = 0; t < steps; t++)
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    cube[(t + 1) % 2][i][j][k] =
                        cube[t % 2][i][j][k] +
                        step * (cube[t % 2][i - 1][j][k] + cube[t % 2][i + 1][j][k] +
                                cube[t % 2][i][j - 1][k] + cube[t % 2][i][j + 1][k] +
                                cube[t % 2][i][j][k - 1] + cube[t % 2][i][j][k + 1] -
                                6 * cube[t % 2][i][j][k]);
#pragma endscop
}

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

/* Gray and Scott's reaction of two substances, with double buffering by swapped pointers. */
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

enum { ARRAYS = 4, CALLS = 6 };

enum { HEAT2, HEAT3, WAVE2, WAVE3, FDTD, GRAY_SCOTT, CONVERGE, KINDS };
static const struct kind {
    const char *name;
    bool is_cube, is_double;
    int arrays, planes; /* planes of the first array; the others have one */
    double scale;       /* of the second array */
} kinds[KINDS] = {[HEAT2] = {"heat2", false, false, 2, 2, 1},
                  [HEAT3] = {"heat3", true, true, 1, 2, 1},
                  [WAVE2] = {"wave2", false, false, 2, 3, 0.01},
                  [WAVE3] = {"wave3", true, false, 2, 3, 0.01},
                  [FDTD] = {"fdtd", false, false, 3, 1, 1},
                  [GRAY_SCOTT] = {"grayscott", false, true, 4, 1, 1},
                  [CONVERGE] = {"converge", false, true, 2, 1, 1}};

static void call(int kind, int n, int loops, void *array[ARRAYS], float *source)
{
    switch (kind) {
    case HEAT2:
        heat_2d(n, loops, array[0], array[1], 0.2F);
        break;
    case HEAT3:
        heat_3d(n, loops, array[0], 0.125);
        break;
    case WAVE2:
        wave_2d(n, loops, array[0], array[1]);
        break;
    case WAVE3:
        wave_3d(n, loops, array[0], array[1]);
        break;
    case FDTD:
        fdtd(n, loops, array[0], array[1], array[2], source);
        break;
    case GRAY_SCOTT:
        gray_scott(n, loops, (double *[]){array[0], array[1], array[2], array[3]});
        break;
    default:
        converge(n, loops, array[0], array[1], 1e-30);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int kind = HEAT2, n = argc > 2 ? atoi(argv[2]) : 1024, loops = argc > 3 ? atoi(argv[3]) : 48;
    while (argc > 1 && kind < CONVERGE && strcmp(kinds[kind].name, argv[1]) != 0)
        kind++;
    const struct kind *k = &kinds[kind];
    size_t cells = (size_t)n * (size_t)n * (k->is_cube ? (size_t)n : 1);
    size_t size = k->is_double ? sizeof(double) : sizeof(float);
    double seconds[CALLS];
    void *array[ARRAYS] = {NULL};
    float *source = made((size_t)loops, sizeof *source, 1, 1);
    for (int i = 0; i < k->arrays; i++)
        array[i] = made(cells, size, i == 0 ? k->planes : 1, i == 1 ? k->scale : 1);
    for (int i = 0; i < CALLS; i++) {
        double begin = now();
        call(kind, n, loops, array, source);
        seconds[i] = (now() - begin) / loops;
    }
    qsort(seconds + 1, CALLS - 1, sizeof *seconds, ascending);
    printf("%.6g %.6g\n", seconds[1 + (CALLS - 1) / 2], seconds[0]);
    for (int i = 0; i < k->arrays; i++)
        free(array[i]);
    free(source);
    return 0;
}
