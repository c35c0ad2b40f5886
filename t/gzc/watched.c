/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * watched NAME NX NY NZ LOOPS CELLS SEED - runs LOOPS loops of a stencil at once with so many
 * random cells watched, some twice, and compares what is seen there, to the bit, with an open run
 * that copies its state back after each loop, and with what that sees. If there is no device, it
 * says so and exits with 77.
 */
#include "gzstencil.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const plain[] = {
    "GZ_UPDATE\n{\n    return 0.5 * AT(0, 0, 0) + 0.124 * (AT(-1, 0, 0) "
    "+ AT(1, 0, 0) + AT(0, -1, 0) + AT(0, 1, 0));\n}\n",
    0};
static const char *const wave[] = {
    "GZ_UPDATE\n{\n    return 2.0f * AT(0, 0, 0) - OLDER + 0.1f * (AT(-2, "
    "0, 0) + AT(1, 0, 0) + AT(0, -1, 0) + AT(0, 2, 0) - 4.0f * AT(0, 0, "
    "0));\n}\n",
    0};
static const char *const pair[] = {
    "GZ_UPDATE\n{\n    if (THIS == 0)\n        return 0.9f * FIELD(0, 0, 0, 0) + 0.1f * FIELD(1, "
    "1, 0, "
    "-1);\n    return 0.5f * (FIELD(1, 0, 0, 0) + FIELD(0, 0, -1, 1));\n}\n",
    0};
static const char *const whole[] = {
    "GZ_UPDATE\n{\n    return (3 * AT(0, 0, 0) + AT(-1, 0, 0) + 5 * AT(0, "
    "0, 1) + CELL_X) % 1009;\n}\n",
    0};
static const char *const line[] = {
    "GZ_UPDATE\n{\n    return 0.5 * AT(0, 0, 0) + 0.25 * AT(-2, 0, 0) + 0.2 * AT(1, 0, 0);\n}\n",
    0};
/* One of a name that is its body's, in so many dimensions, of a type and so many operations. */
#define STENCIL(name, axes, kind, count, ...)                                                      \
    {                                                                                              \
        .file = #name, .body = name, .dimensions = axes, .type = GZ_STENCIL_##kind,                \
        .operations = count, __VA_ARGS__                                                           \
    }
enum {
    KEEP = GZ_STENCIL_KEEP,
    ROUND = GZ_STENCIL_PERIODIC,
    CLAMP = GZ_STENCIL_CLAMP,
    ZERO = GZ_STENCIL_ZERO
};
static const struct gz_stencil stencils[] = {
    STENCIL(line, 1, DOUBLE, 5, .radius = {2}, .edge = {KEEP}, .buffers = 2),
    STENCIL(plain, 2, DOUBLE, 6, .radius = {1, 1}, .edge = {KEEP, KEEP}, .buffers = 2),
    STENCIL(wave, 2, FLOAT, 8, .radius = {2, 2}, .edge = {KEEP, KEEP}, .buffers = 3),
    STENCIL(pair, 3, FLOAT, 4, .radius = {1, 1, 1}, .edge = {ROUND, CLAMP, ROUND}, .buffers = 1,
            .fields = 2),
    STENCIL(whole, 3, INT, 7, .radius = {1, 1, 1}, .edge = {ZERO, KEEP, CLAMP}, .buffers = 1)};

static const struct gz_stencil *stencil;
static long extent[3], loops, cells;
static size_t bytes, elements;
static unsigned seed;

static unsigned next(void)
{
    seed = seed * 1103515245U + 12345U;
    return seed >> 8;
}

/* The grid's elements, rims and fields included. */
static void count(void)
{
    bytes = stencil->type == GZ_STENCIL_DOUBLE ? sizeof(double) : sizeof(float);
    elements = stencil->fields ? (size_t)stencil->fields : 1;
    for (int axis = 0; axis < stencil->dimensions; axis++)
        elements *=
            (size_t)(extent[axis] +
                     (stencil->edge[axis] == GZ_STENCIL_KEEP ? 2 * stencil->radius[axis] : 0));
}

static void set(void *to, size_t i)
{
    double value = (double)(next() % 1000) / 999;
    int number = (int)(next() % 1000);
    float single = (float)value;
    const void *from = stencil->type == GZ_STENCIL_DOUBLE  ? (const void *)&value
                       : stencil->type == GZ_STENCIL_FLOAT ? (const void *)&single
                                                           : &number;
    memcpy((char *)to + i * bytes, from, bytes);
}

/* Those that are watched of a run, whose buffers are filled with the same numbers each time. */
static void fill(gz_stencil_run *run, unsigned from, const size_t *watched)
{
    char *state = gz_stencil_buffer(run, 0);
    for (long i = 0; i < cells; i++)
        gz_stencil_watch(run, (long)watched[i]);
    seed = from;
    for (size_t i = 0; i < elements; i++)
        set(state, i);
    for (size_t i = 0; i < elements; i++)
        set(gz_stencil_buffer(run, 1), i);
}

static void leave(const gz_stencil_run *run, const char *what, int status)
{
    fprintf(stderr, "%s: %s\n", what, gz_stencil_reason(run));
    exit(status);
}

static int compare(gz_stencil_run *run, long loop, const size_t *watched, const char *state)
{
    for (long i = 0; i < cells; i++) {
        const void *seen = gz_stencil_seen(run, loop, (long)watched[i]);
        if (!seen || memcmp(seen, state + watched[i] * bytes, bytes) != 0)
            return printf("cell %zu after loop %ld differs\n", watched[i], loop), 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    for (size_t i = 0; i < sizeof stencils / sizeof *stencils; i++)
        stencil = strcmp(stencils[i].file, argv[1]) == 0 ? &stencils[i] : stencil;
    if (!stencil)
        return 2;
    for (int axis = 0; axis < 3; axis++)
        extent[axis] = atol(argv[2 + axis]);
    loops = atol(argv[5]);
    cells = atol(argv[6]);
    seed = (unsigned)atol(argv[7]);
    count();
    size_t *watched = malloc((size_t)cells * sizeof *watched);
    if (!watched)
        return 1;
    for (long i = 0; i < cells; i++)
        watched[i] = i % 5 == 4 ? watched[i - 1] : next() % elements;
    unsigned from = seed;
    const long one = (long)watched[0];

    gz_stencil_run *run = gz_stencil_begin(stencil, extent, loops, 1);
    if (!gz_stencil_ready(run))
        leave(run, "begin", 77);
    gz_stencil_usable(run, 1);
    fill(run, from, watched);
    if (!gz_stencil_execute(run))
        leave(run, "execute", 1);
    gz_stencil_run *open = gz_stencil_open(stencil, extent, loops);
    if (!gz_stencil_ready(open))
        leave(open, "open", 1);
    fill(open, from, watched);
    if (!gz_stencil_put(open) || !gz_stencil_get(open))
        leave(open, "put", 1);
    int differs = compare(run, -1, watched, gz_stencil_result(open, 0)) ||
                  gz_stencil_seen(run, loops, one) || gz_stencil_seen(run, 0, (long)elements) ||
                  gz_stencil_seen(run, -2, one) || gz_stencil_seen(run, 0, -1);
    for (long loop = 0; loop < loops && !differs; loop++) {
        if (!gz_stencil_advance(open, 1) || !gz_stencil_get(open))
            leave(open, "advance", 1);
        differs = compare(run, loop, watched, gz_stencil_result(open, 0)) ||
                  compare(open, loop, watched, gz_stencil_result(open, 0)) ||
                  gz_stencil_seen(open, loop + 1, one);
    }
    gz_stencil_close(open);
    gz_stencil_end(run);
    free(watched);
    return differs;
}
