/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * programs.h - what the programs of programs.c share. Arrays lie between pages that nobody may
 * touch, so that a read beyond one does not go unseen; each program runs in a process of its own.
 */
#ifndef GZC_PROGRAMS_H
#define GZC_PROGRAMS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>
#endif
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int program; /* that runs, for what it prints */

static inline double noise(size_t i)
{
    unsigned long x = (i + 1) * 0x9e3779b97f4a7c15UL;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9UL;
    return (double)(x >> 12) * 0x1p-52;
}

/* An array that ends, or by its seed begins, at such a page. */
static __attribute__((noinline)) void *fenced(size_t bytes, int seed)
{
    enum { PAGE = 4096 };
    size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    char *at = (char *)mmap(NULL, room + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == (char *)MAP_FAILED || mprotect(at + PAGE, room, PROT_READ | PROT_WRITE) != 0)
        exit(3);
    return at + PAGE + (seed % 2 ? 0 : room - bytes);
}

#define ARRAY(type, expression)                                                                    \
    static __attribute__((noinline, unused)) type *type##_array(size_t count, int seed)            \
    {                                                                                              \
        type *array = (type *)fenced(count * sizeof *array, seed);                                 \
        for (size_t i = 0; i < count; i++) {                                                       \
            double x = noise((size_t)seed * 1000003 + i);                                          \
            array[i] = (type)(expression);                                                         \
        }                                                                                          \
        return array;                                                                              \
    }
ARRAY(double, x)
ARRAY(float, x)
ARRAY(int, x * 100)
ARRAY(short, x * 100 - 50)
ARRAY(long, x * 100)
ARRAY(unsigned, x * 100)
ARRAY(uint8_t, x * 100)
ARRAY(int8_t, x * 100 - 50)
ARRAY(uint16_t, x * 100)
ARRAY(bool, x > 0.5)

/* Pointers to the rows of an array. */
static __attribute__((noinline, unused)) double **pointers(int rows)
{
    return (double **)fenced((size_t)rows * sizeof(double *), rows);
}

/* An array of any whole type, or of quarters. */
#define MAKE(type, name, count, seed)                                                              \
    type *name = (type *)fenced((size_t)(count) * sizeof(type), seed);                             \
    for (size_t o_ = 0; o_ < (size_t)(count); o_++)                                                \
    name[o_] = (type)((int)(noise((size_t)(seed)*1000003 + o_) * 130 - 30))

static __attribute__((noinline)) void show(const char *name, const void *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    unsigned sum = 5381;
    for (size_t i = 0; i < count; i++)
        sum = sum * 33 + b[i];
    printf("%d %s %08x\n", program, name, sum);
}
#define SHOW(value) show(#value, &value, sizeof value)

/* Runs a program, on its own so that its end is not that of all, unless a device is to be opened
 * only once. */
static inline void run(int number, void (*function)(int, int, int, int), const int *sizes)
{
    int status;
    if (getenv("GZ_ONE_PROCESS")) {
        program = number;
        function(sizes[0], sizes[1], sizes[2], sizes[3]);
        return;
    }
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    program = number;
    if (child == 0) {
        if (getenv("GZ_NAMES"))
            fprintf(stderr, "program %d\n", number); /* for what is told of it */
        /* processor time, which other processes do not take; a device compiles first */
        const rlim_t most = getenv("GZ_DEVICE") ? 300 : 10;
        const struct rlimit processor = {most, most + 1};
        setrlimit(RLIMIT_CPU, &processor);
        alarm(600); /* who waits for ever takes none */
        function(sizes[0], sizes[1], sizes[2], sizes[3]);
        fflush(stdout);
        _exit(0);
    }
    if (child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status))
        printf("%d ended by signal %d\n", number, WTERMSIG(status));
}

#endif
