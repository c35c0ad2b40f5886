/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * styles.c - loops written in the many ways in which programs are: temporaries, functions that
 * number the elements, copies by memcpy, loops by while, for t/725-gzc-styles.t. Prints a sum over
 * the bits of every array that a loop writes. Arguments: the extents and the number of loops.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned sum_of(const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    unsigned sum = 5381;
    while (count-- > 0)
        sum = sum * 33 + *b++;
    return sum;
}

static double noise(size_t i)
{
    unsigned long x = (i + 1) * 0x9e3779b97f4a7c15UL;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9UL;
    return (double)(x >> 12) * 0x1p-52;
}

static void *made(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        exit(1);
    return memory;
}

static double *doubles(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    double *array = made(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = noise(seed * 1000003 + i);
    return array;
}

static float *floats(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    float *array = made(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = (float)noise(seed * 1000003 + i);
    return array;
}

static void show(const char *name, const void *array, size_t bytes)
{
    printf("%s %08x\n", name, sum_of(array, bytes));
}

/* A temporary of each cell, declared where it is set. */
static void temporaries(int n, int m, int T)
{
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2), *old;
    double r = 0.2;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                const double here = u[i * m + j];
                double across = u[i * m + j - 1] - 2 * here + u[i * m + j + 1], along;
                along = u[(i - 1) * m + j] + u[(i + 1) * m + j];
                along -= 2 * here;
                float rounded = across * r;
                v[i * m + j] = here + rounded + r * along;
            }
        old = u;
        u = v;
        v = old;
    }
#pragma endscop
    show("temporaries", u, (size_t)n * (size_t)m * sizeof *u);
    show("temporaries", v, (size_t)n * (size_t)m * sizeof *v);
    free(u);
    free(v);
}

/* Declared far away, set in branches, used for nothing else. */
static void declared_outside(int n, int m, int T)
{
    float(*a)[n][m] = (float(*)[n][m])floats(2 * n, m, 3);
    float up, down, left, right;
    int count;
    bool high;
    int i, j, t;
#pragma scop
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
#pragma endscop
    show("declared outside", a, 2 * (size_t)n * (size_t)m * sizeof(float));
    free(a);
}

/* Temporaries that are subscripts: neighbours on a torus, a linear index, one name used twice. */
static void torus(int n, int m, int T)
{
    int(*life)[m] = made((size_t)n * (size_t)m, sizeof(int));
    int(*next)[m] = made((size_t)n * (size_t)m, sizeof(int));
    int(*weight)[m] = made((size_t)n * (size_t)m, sizeof(int));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            life[i][j] = noise((size_t)(i * m + j)) > 0.5;
            weight[i][j] = (int)(3 * noise((size_t)(7 + i * m + j)));
        }
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = (i - 1 + n) % n, down = (i + 1) % n, k = j - 1;
                if (k < 0)
                    k = m - 1;
                int sum = life[up][k] + life[i][k] + life[down][k] + weight[i][k];
                k = j + 1;
                if (k == m)
                    k = 0;
                sum += life[up][k] + life[i][k] + life[down][k] - weight[i][k];
                sum = sum + life[up][j] + life[down][j];
                if (life[i][j])
                    next[i][j] = sum == 2 || sum == 3;
                else
                    next[i][j] = sum == 3;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                life[i][j] = next[i][j];
    }
#pragma endscop
    show("torus", life, (size_t)n * (size_t)m * sizeof(int));
    free(life);
    free(next);
    free(weight);
}

static inline int at(int columns, int row, int column)
{
    return row * columns + column;
}

/* A function that numbers the elements, and the number in a temporary. */
static void numbered(int n, int m, int T)
{
    double *u = doubles(n, m, 4), *v = doubles(n, m, 5), *k = doubles(n, m, 6);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int here = i * m + j, below = here + m;
                v[at(m, i, j)] = 0.2 * (u[here - 1] + u[here + 1] + u[at(m, i - 1, j)] + u[below] +
                                        k[here] * u[here]) -
                                 k[at(m, i, j + 1)];
            }
        double *w = u;
        u = v;
        v = w;
    }
#pragma endscop
    show("numbered", u, (size_t)n * (size_t)m * sizeof *u);
    show("numbered", v, (size_t)n * (size_t)m * sizeof *v);
    free(u);
    free(v);
    free(k);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]), T = atoi(argv[3]);
    temporaries(n, m, T);
    declared_outside(n, m, T);
    torus(n, m, T);
    numbered(n, m, T);
    return 0;
}
