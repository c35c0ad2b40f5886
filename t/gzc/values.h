/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * values.h - what programs that gzc translates share in its tests: arrays of made-up values, and
 * the sum over an array's bits that they print.
 */
#ifndef GZC_VALUES_H
#define GZC_VALUES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline unsigned sum_of(const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    unsigned sum = 5381;
    while (count-- > 0)
        sum = sum * 33 + *b++;
    return sum;
}

static inline double noise(size_t i)
{
    unsigned long x = (i + 1) * 0x9e3779b97f4a7c15UL;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9UL;
    return (double)(x >> 12) * 0x1p-52;
}

/* The arrays that a program makes, all kept until it ends. */
static struct {
    const void *at;
    size_t bytes;
} kept_arrays[128];
static int kept_count;

/* Memory set to zero, for the elements and some behind them. */
static inline void *made_with(size_t count, size_t size, size_t behind)
{
    void *memory = calloc(count + behind ? count + behind : 1, size);
    if (!memory || kept_count == 128)
        exit(1);
    kept_arrays[kept_count].at = memory;
    kept_arrays[kept_count++].bytes = count * size;
    return memory;
}

static inline void *made(size_t count, size_t size)
{
    return made_with(count, size, 0);
}

/* With zeros behind, which loops that name their corners read on a grid of one row or column. */
static inline void *doubles(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    double *array = made_with(count, sizeof *array, (size_t)(n + m));
    for (size_t i = 0; i < count; i++)
        array[i] = noise(seed * 1000003 + i);
    return array;
}

static inline void *floats(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    float *array = made(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = (float)noise(seed * 1000003 + i);
    return array;
}

static inline void *ints(int n, int m, size_t seed, int most)
{
    size_t count = (size_t)n * (size_t)m;
    int *array = made(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = (int)(most * noise(seed * 1000003 + i));
    return array;
}

static __attribute__((unused)) void show(const char *name, const void *array, size_t bytes)
{
    printf("%s %08x\n", name, sum_of(array, bytes));
}

/* Each of these arrays, by the pointers that lead there now. */
static inline void show_all(const char *name, const void *const *arrays)
{
    for (; *arrays; arrays++) {
        int k = kept_count - 1;
        while (kept_arrays[k].at != *arrays)
            k--;
        show(name, *arrays, kept_arrays[k].bytes);
    }
}
#define SHOW(...) show_all(__func__, (const void *const[]){__VA_ARGS__, NULL})

/* The cells that have neighbours. */
#define EACH_INNER(i, j)                                                                           \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

/* Exchanges two arrays by a third pointer. */
#define EXCHANGE                                                                                   \
    old = u;                                                                                       \
    u = v;                                                                                         \
    v = old;

/* Exchanges two pointers. */
#define SWAP(a, b)                                                                                 \
    do {                                                                                           \
        __typeof__(a) third_ = a;                                                                  \
        a = b;                                                                                     \
        b = third_;                                                                                \
    } while (0)

/* The arguments of a program: the extents and the number of loops. */
#define SIZES                                                                                      \
    if (argc != 4)                                                                                 \
        return 2;                                                                                  \
    const int n = atoi(argv[1]), m = atoi(argv[2]), T = atoi(argv[3]);

#endif
