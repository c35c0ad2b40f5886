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

static inline void *made(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        exit(1);
    return memory;
}

/* With zeros behind, which loops that name their corners read on a grid of one row or column. */
static inline double *doubles(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    double *array = made(count + (size_t)(n + m), sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = noise(seed * 1000003 + i);
    return array;
}

static inline float *floats(int n, int m, size_t seed)
{
    size_t count = (size_t)n * (size_t)m;
    float *array = made(count, sizeof *array);
    for (size_t i = 0; i < count; i++)
        array[i] = (float)noise(seed * 1000003 + i);
    return array;
}

static inline void show(const char *name, const void *array, size_t bytes)
{
    printf("%s %08x\n", name, sum_of(array, bytes));
}

#endif
