/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks LX LY LZ [VARIABLE VALUE]... - runs of libgzstencil that are divided among ranks, so many
 * along each axis, of boxes that differ: after every piece the part that each rank has, and its
 * neighbours' cells around it, are those of the same run undivided, to the bit. Then what is
 * refused, on all ranks; with variables, which are set on the last rank alone, what comes of them.
 * Rank 0 prints a line for each.
 */
#include "gzstencil.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 11, MOST_BYTES = 8 };

static const char *const mean[] = {"GZ_UPDATE\n{\n    return 0.25 * (AT(-1, 0, 0) + AT(1, 0, 0) + "
                                   "AT(0, -1, 0) + AT(0, 1, 0));\n}\n",
                                   0};
static const char *const wave[] = {
    "GZ_UPDATE\n{\n    return 2 * AT(0, 0, 0) - OLDER + 0.2 * (AT(-1, 0, 0) + AT(1, 0, 0) + AT(0, "
    "-1, 0) - 3 * AT(0, 0, 0));\n}\n",
    0};
static const char *const row[] = {
    "GZ_UPDATE\n{\n    return (AT(-2, 0, 0) + AT(0, 0, 0) + AT(1, 0, 0)) % "
    "1001 + STEP_AT(0) + (CELL",
    "_X * 3 + (int)LOOP) % 5;\n}\n", 0};
static const char *const star[] = {
    "GZ_UPDATE\n{\n    return COEF(0) * AT(0, 0, 0) + COEF_AT(0, 1, 0, 0) * (AT(-1, 0, 0) - AT(1, "
    "0, 0)) + "
    "COEF_AT(1, 0, 0, -1) * (AT(0, -1, 0) - AT(0, 1, 0)) + 0.1f * (AT(0, 0, -1) - AT(0, 0, 1)) + "
    "0.001f * (float)((CELL_X + CELL_Y + CELL_Z) % 2);\n}\n",
    0};

/* A stencil of a body, in so many dimensions, of a radius, a type and so many operations. */
#define STENCIL(of, axes, reach, kind, count, ...)                                                 \
    {                                                                                              \
        .body = of, .dimensions = axes,                                                            \
        .radius = {reach, axes > 1 ? reach : 0, axes > 2 ? reach : 0}, .type = GZ_STENCIL_##kind,  \
        .operations = count, __VA_ARGS__                                                           \
    }
enum {
    KEEP = GZ_STENCIL_KEEP,
    ROUND = GZ_STENCIL_PERIODIC,
    CLAMP = GZ_STENCIL_CLAMP,
    ZERO = GZ_STENCIL_ZERO
};

static const struct {
    const char *name;
    int depth;
    struct gz_stencil stencil;
} cases[] = {
    {"kept edges", 3, STENCIL(mean, 2, 1, DOUBLE, 4, .edge = {KEEP, KEEP}, .buffers = 1)},
    {"two buffers", 2, STENCIL(mean, 2, 1, DOUBLE, 4, .edge = {KEEP, KEEP}, .buffers = 2)},
    {"round and clamped, in trapezoids", 0,
     STENCIL(mean, 2, 1, DOUBLE, 4, .edge = {ROUND, CLAMP}, .buffers = 1, .height = 3)},
    {"three levels, both results", 3,
     STENCIL(wave, 2, 1, DOUBLE, 6, .edge = {KEEP, ZERO}, .buffers = 3)},
    {"a row with arrays of each loop, and places", 2,
     STENCIL(row, 1, 2, INT, 4, .edge = {ZERO}, .step_arrays = 1, .buffers = 1)},
    {"a round row", 3, STENCIL(row, 1, 2, INT, 4, .edge = {ROUND}, .step_arrays = 1, .buffers = 1)},
    {"coefficient arrays and colours", 2,
     STENCIL(star, 3, 1, FLOAT, 9, .edge = {KEEP, ROUND, ZERO}, .coefficients = 1,
             .constant_arrays = 2, .buffers = 1)},
};

static MPI_Comm world;
static int rank;

/* One rank's arrays in the undivided ones: `size` cells from `first` on, rims included. */
struct part {
    const struct gz_stencil *stencil;
    int layout[3], place[3], rim[3];
    long extent[3], whole[3]; /* without rims */
    long first[3], size[3], all[3];
};

/* Boxes of 8, 9, 10, 8, ... cells. */
static long box(int place)
{
    return 8 + place % 3;
}

/* In fewer dimensions all ranks stand along those that there are. */
static struct part part_of(const struct gz_stencil *stencil, const int layout[3])
{
    struct part p = {.stencil = stencil, .layout = {layout[0], layout[1], layout[2]}};
    for (int d = stencil->dimensions; d < 3; d++) {
        p.layout[0] *= layout[d];
        p.layout[d] = 1;
    }
    for (int d = 0, left = rank; d < 3; left /= p.layout[d++]) {
        int has = d < stencil->dimensions;
        p.rim[d] = has && stencil->edge[d] == GZ_STENCIL_KEEP ? stencil->radius[d] : 0;
        p.place[d] = left % p.layout[d];
        p.extent[d] = has ? box(p.place[d]) : 1;
        for (int k = 0; k < p.layout[d]; k++) {
            p.first[d] += has && k < p.place[d] ? box(k) : 0;
            p.whole[d] += has ? box(k) : 1;
        }
        p.size[d] = p.extent[d] + 2 * p.rim[d];
        p.all[d] = p.whole[d] + 2 * p.rim[d];
    }
    return p;
}

static size_t bytes_of(const struct part *p)
{
    return p->stencil->type == GZ_STENCIL_DOUBLE ? 8 : 4;
}

/* A number for cell `i` of an array. */
static void number(const struct part *p, long i, int seed, void *to)
{
    uint32_t bits = ((uint32_t)i * 2654435761u) ^ ((uint32_t)seed * 40503u + 977u);
    int whole = (int)((bits >> 8) % 1000);
    float single = (float)whole / 999;
    double wide = (double)whole / 999;
    memcpy(to,
           p->stencil->type == GZ_STENCIL_INT     ? (void *)&whole
           : p->stencil->type == GZ_STENCIL_FLOAT ? (void *)&single
                                                  : (void *)&wide,
           bytes_of(p));
}

/* Where cell `i` of the rank's arrays is in the undivided ones; -1 if another rank fills it. */
static long home(const struct part *p, long i, int *others)
{
    long at[3] = {i % p->size[0], i / p->size[0] % p->size[1], i / p->size[0] / p->size[1]};
    *others = 0;
    for (int d = 0; d < 3; d++) {
        *others |= (at[d] < p->rim[d] && p->place[d] > 0) ||
                   (at[d] >= p->size[d] - p->rim[d] && p->place[d] + 1 < p->layout[d]);
        at[d] += p->first[d];
    }
    return (at[2] * p->all[1] + at[1]) * p->all[0] + at[0];
}

/* Fills an array of the undivided grid, or of the rank's part of it: there with nonsense in the
 * cells of other ranks. */
static void fill(const struct part *p, void *array, int divided, int seed)
{
    const long *size = divided ? p->size : p->all;
    for (long i = 0; array && i < size[0] * size[1] * size[2]; i++) {
        int others = 0;
        char *cell = (char *)array + bytes_of(p) * (size_t)i;
        number(p, divided ? home(p, i, &others) : i, seed, cell);
        if (others)
            memset(cell, 0x7b, bytes_of(p));
    }
}

static void fill_all(const struct part *p, gz_stencil_run *run, int divided, int seed)
{
    fill(p, gz_stencil_buffer(run, 0), divided, seed);
    if (p->stencil->buffers > 1)
        fill(p, gz_stencil_buffer(run, 1), divided, seed + 1);
    for (int k = 0; k < p->stencil->constant_arrays; k++)
        fill(p, gz_stencil_constant(run, k), divided, seed + 2 + k);
    for (long loop = 0; loop < LOOPS && p->stencil->step_arrays; loop++)
        fill(p, gz_stencil_step(run, 0, loop), divided, seed + 10 + (int)loop);
    if (p->stencil->coefficients)
        gz_stencil_float(run, 0, 0.3f);
}

static long differing(const struct part *p, gz_stencil_run *whole, gz_stencil_run *part)
{
    long wrong = 0, all;
    for (int age = 0; age < (p->stencil->buffers == 3 ? 2 : 1); age++) {
        const char *want = gz_stencil_result(whole, age), *have = gz_stencil_result(part, age);
        for (long i = 0; i < p->size[0] * p->size[1] * p->size[2]; i++) {
            int others;
            size_t there = bytes_of(p) * (size_t)home(p, i, &others),
                   here = bytes_of(p) * (size_t)i;
            wrong += !want || !have || memcmp(want + there, have + here, bytes_of(p)) != 0;
        }
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, world);
    return all;
}

static void say(const char *what, const char *verdict, const char *why)
{
    if (rank == 0)
        printf("%s: %s%s%s\n", what, verdict, why ? ": " : "", why ? why : "");
}

/* In pieces, two times. */
static void run_case(int k, const int layout[3])
{
    static const long pieces[] = {0, 1, 4, 2, 4};
    struct gz_stencil stencil = cases[k].stencil;
    struct part p = part_of(&stencil, layout);
    struct gz_stencil_ranks ranks = {
        &world, {p.layout[0], p.layout[1], p.layout[2]}, cases[k].depth};
    gz_stencil_run *whole = gz_stencil_open(&stencil, p.whole, LOOPS);
    gz_stencil_run *part = gz_stencil_open_ranks(&stencil, p.extent, LOOPS, &ranks);
    long wrong = 0;
    int done = gz_stencil_ready(whole) && gz_stencil_ready(part);

    for (int seed = 0; seed < 200 && done; seed += 100) {
        fill_all(&p, whole, 0, seed);
        fill_all(&p, part, 1, seed);
        done = gz_stencil_put(whole) && gz_stencil_put(part);
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces && done; i++) {
            done = gz_stencil_advance(whole, pieces[i]) && gz_stencil_advance(part, pieces[i]) &&
                   gz_stencil_get(whole) && gz_stencil_get(part);
            if (done && (i > 0 || stencil.buffers < 3))
                wrong += differing(&p, whole, part);
        }
    }
    say(cases[k].name,
        !done   ? "failed"
        : wrong ? "different"
                : "same",
        done                       ? NULL
        : *gz_stencil_reason(part) ? gz_stencil_reason(part)
                                   : gz_stencil_reason(whole));
    gz_stencil_close(part);
    gz_stencil_close(whole);
}

/* Opens in a way that is wrong, or with a rank that cannot; all ranks have a reason, and go on. */
static void refuse(const char *what, const struct gz_stencil *stencil, const long extent[3],
                   long loops, const struct gz_stencil_ranks *ranks)
{
    gz_stencil_run *run = gz_stencil_open_ranks(stencil, extent, loops, ranks);
    int refused = !gz_stencil_ready(run) && !gz_stencil_put(run) && !gz_stencil_advance(run, 1) &&
                  !gz_stencil_get(run) && *gz_stencil_reason(run),
        all;
    MPI_Allreduce(&refused, &all, 1, MPI_INT, MPI_MIN, world);
    say(what, all ? "refused" : "taken", gz_stencil_reason(run));
    gz_stencil_close(run);
}

/* A rank cannot do what the others can: all say so, when it shows. */
static void fail(const char *what, const int layout[3])
{
    struct part p = part_of(&cases[0].stencil, layout);
    struct gz_stencil_ranks ranks = {&world, {p.layout[0], p.layout[1], 1}, 2};
    gz_stencil_run *run = gz_stencil_open_ranks(&cases[0].stencil, p.extent, LOOPS, &ranks);
    int ready = gz_stencil_ready(run), put, failed, all;
    fill_all(&p, run, 1, 0);
    put = gz_stencil_put(run);
    failed = !gz_stencil_advance(run, 1) && !gz_stencil_get(run) && gz_stencil_original(run);
    MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_MIN, world);
    say(what,
        !all    ? "computed"
        : put   ? "advance failed"
        : ready ? "put failed"
                : "refused",
        gz_stencil_reason(run));
    gz_stencil_close(run);
}

static void refuse_all(const int layout[3], int count)
{
    struct gz_stencil stencil = cases[0].stencil, odd_one = stencil;
    struct part p = part_of(&stencil, layout);
    struct gz_stencil_ranks right = {&world, {p.layout[0], p.layout[1], 1}, 2}, bad = right;
    long odd[3] = {p.extent[0] + (rank == 0), p.extent[1], 1};

    refuse("no communicator", &stencil, p.extent, LOOPS, NULL);
    bad.layout[1]++;
    refuse("a layout", &stencil, p.extent, LOOPS, &bad);
    bad = right;
    bad.depth = 11;
    if (count > 1)
        refuse("a depth", &stencil, p.extent, LOOPS, &bad);
    bad.depth = 2 + (rank == count - 1);
    if (count > 1)
        refuse("a depth of one rank", &stencil, p.extent, LOOPS, &bad);
    if (p.layout[1] > 1)
        refuse("an extent of one rank", &stencil, odd, LOOPS, &right);
    odd_one.dimensions = 9;
    refuse("a stencil", &odd_one, p.extent, LOOPS, &right);
    refuse("a domain", &stencil, (const long[3]){0, 0, 0}, LOOPS, &right);
}

int main(int argc, char **argv)
{
    int count, layout[3] = {1, 1, 1};
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &count);
    for (int d = 0; d < 3 && d + 1 < argc; d++)
        layout[d] = atoi(argv[d + 1]);
    if (argc > 4) {
        for (int k = 4; k + 1 < argc && rank == count - 1; k += 2)
            setenv(argv[k], argv[k + 1], 1);
        fail(argv[4], layout);
    } else {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            run_case((int)k, layout);
        refuse_all(layout, count);
    }
    MPI_Finalize();
    return 0;
}
