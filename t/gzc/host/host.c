/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * host.c - libgzstencil's interface on the host, cell by cell, for programs that
 * gzc made: fast enough for many thousands of small programs. The bodies are compiled as C of
 * their own: with GZ_BODIES=print a program writes each body that it comes by to standard error,
 * and with GZ_BODIES=FILE.so it runs them from there. What it does not do is what a device does
 * otherwise than C, nor what the library does; some of the programs run on a device for that.
 */
#include "gzstencil.h"

#include "cell.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_SPANS = 4096 };

struct gz_stencil_run {
    const struct gz_stencil *facts;
    struct cell cell;
    size_t bytes; /* of an element */
    size_t cells;
    char *buffer[2], *kept[2]; /* kept: as they were filled */
    char *constant, *step, *values;
    char *result[2];
    char coefficients[128 * 8];
    long loops;
    struct {
        const char *low, *high;
        int written;
    } span[HOST_SPANS];
    int spans, ready, done;
    int trying;          /* its original loops run first, up to GZ_FIRST of them */
    long tried, stopped; /* that have run; when they were told to stop */
    void (*update)(const struct cell *, void *);
    long double (*measure)(const struct cell *, const void *);
    long double *measures; /* of the loops that have run */
    long measured;
    size_t watched[HOST_SPANS]; /* places in buffer 0, bytes */
    long watches;
    char *seen; /* of each loop, those before the first in front */
};

static size_t host_bytes(const struct gz_stencil *s)
{
    return s->type == GZ_STENCIL_DOUBLE ? sizeof(double) : sizeof(int);
}

/* Values of a cell. */
static size_t host_fields(const struct gz_stencil *s)
{
    return s->fields > 1 ? (size_t)s->fields : 1;
}

static int host_rim(const struct gz_stencil *s, int axis)
{
    return s->edge[axis] == GZ_STENCIL_KEEP ? s->radius[axis] : 0;
}

/* Writes a body as C to standard error; however often it is met, it is compiled once. */
static void host_print(const struct gz_stencil *s)
{
    static const char *const types[] = {"int", "float", "double"};
    fprintf(stderr,
            "#ifndef GZ_BODY_%d\n#define GZ_BODY_%d\n"
            "#define GZ_T %s\n#define GZ_LINE %d\n#define gz_measured %s\n#include \"body.h\"\n",
            s->line, s->line, types[s->type], s->line, s->measure == 4 ? "long" : "double");
    for (int i = 0; s->body[i]; i++)
        fputs(s->body[i], stderr);
    fputs("\n#endif\n", stderr);
}

void host_find(struct gz_stencil_run *run, const char *bodies)
{
    char name[40];
    void *library = dlopen(bodies, RTLD_NOW);
    snprintf(name, sizeof name, "update_%d", run->facts->line);
    *(void **)&run->update = library ? dlsym(library, name) : NULL;
    snprintf(name, sizeof name, "measure_%d", run->facts->line);
    *(void **)&run->measure = library && run->facts->measure ? dlsym(library, name) : NULL;
}

void host_make(struct gz_stencil_run *run)
{
    const struct gz_stencil *s = run->facts;
    size_t grid = run->cells * run->bytes;
    for (int i = 0; i < 2; i++)
        run->buffer[i] = calloc(run->cells * host_fields(s), run->bytes);
    run->constant = calloc((size_t)s->constant_arrays + 2, grid);
    run->values = calloc((size_t)s->step_values * (size_t)run->loops + 1, run->bytes);
    run->step = calloc((size_t)s->step_arrays * (size_t)run->loops + 1, grid);
}

/* The loops of the run before, of which the first original ones were stopped. */
static const struct gz_stencil *host_stopped;

gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                                 int usable)
{
    const char *bodies = getenv("GZ_BODIES");
    gz_stencil_run *run = calloc(1, sizeof *run);
    int fits = usable > 0 && loops > 0 && bodies;
    run->facts = stencil;
    run->loops = loops;
    run->bytes = host_bytes(stencil);
    run->cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        int used = axis < stencil->dimensions;
        fits = fits && (!used || (extent[axis] > 0 && extent[axis] < 1000));
        run->cell.size[axis] = used ? (int)extent[axis] + 2 * host_rim(stencil, axis) : 1;
        run->cell.edge[axis] = used ? stencil->edge[axis] : GZ_STENCIL_ZERO;
        run->cells *= fits ? (size_t)run->cell.size[axis] : 0;
    }
    if (fits && strcmp(bodies, "print") == 0)
        host_print(stencil);
    else if (fits)
        host_find(run, bodies);
    run->ready = run->update != NULL;
    run->trying = run->ready && getenv("GZ_FIRST") && host_stopped != stencil;
    host_stopped = NULL;
    if (run->ready)
        host_make(run);
    return run;
}

int gz_stencil_ready(const gz_stencil_run *run)
{
    return run->ready;
}

int gz_stencil_usable(gz_stencil_run *run, int usable)
{
    run->ready = run->ready && usable > 0;
    for (int i = 0; i < run->spans; i++)
        for (int j = 0; j < i; j++)
            if ((run->span[i].written || run->span[j].written) &&
                run->span[i].low < run->span[j].high && run->span[j].low < run->span[i].high)
                run->ready = 0;
    run->trying = run->trying && run->ready;
    run->ready = run->ready && !run->trying;
    return run->ready;
}

void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other, unsigned long bytes,
                     int written)
{
    const char *a = one, *b = other;
    if (run->spans == HOST_SPANS)
        run->ready = 0;
    if (!run->ready)
        return;
    run->span[run->spans].low = a < b ? a : b;
    run->span[run->spans].high = (a < b ? b : a) + bytes;
    run->span[run->spans++].written = written;
}

void *gz_stencil_values(gz_stencil_run *run, long loop)
{
    return run->values + (size_t)loop * (size_t)run->facts->step_values * run->bytes;
}

void *gz_stencil_buffer(gz_stencil_run *run, int buffer)
{
    return run->buffer[buffer];
}

void *gz_stencil_constant(gz_stencil_run *run, int k)
{
    return run->constant + (size_t)k * run->cells * run->bytes;
}

void *gz_stencil_step(gz_stencil_run *run, int k, long loop)
{
    return run->step +
           ((size_t)loop * (size_t)run->facts->step_arrays + (size_t)k) * run->cells * run->bytes;
}

int gz_stencil_row(gz_stencil_run *run, void *to, const void *to_last, const void *from,
                   const void *from_last)
{
    (void)run, (void)to, (void)to_last, (void)from, (void)from_last;
    return 0;
}

/* Where an element is among those that are watched, or their number. */
static long host_watched(const gz_stencil_run *run, long element)
{
    long i = 0;
    while (i < run->watches && run->watched[i] != (size_t)element * run->bytes)
        i++;
    return i;
}

void gz_stencil_watch(gz_stencil_run *run, long element)
{
    long i = run->ready ? host_watched(run, element) : 0;
    if (i == HOST_SPANS || element < 0 || (size_t)element >= run->cells * host_fields(run->facts))
        run->ready = 0;
    if (!run->ready)
        return;
    run->watched[i] = (size_t)element * run->bytes;
    run->watches += i == run->watches;
}

/* What is watched, after so many loops. */
static void host_see(gz_stencil_run *run, long loops)
{
    for (long i = 0; i < run->watches; i++)
        memcpy(run->seen + (size_t)(loops * run->watches + i) * run->bytes,
               run->buffer[loops % 2] + run->watched[i], run->bytes);
}

void gz_stencil_hear(gz_stencil_run *run, int pass, void *at, unsigned long bytes, const char *name)
{
    (void)run, (void)pass, (void)at, (void)bytes, (void)name;
}

const void *gz_stencil_seen(gz_stencil_run *run, long loop, long element)
{
    return run->seen +
           (size_t)((loop + 1) * run->watches + host_watched(run, element)) * run->bytes;
}

void gz_stencil_copied(gz_stencil_run *run)
{
    (void)run;
}

void host_put(gz_stencil_run *run, int first, const void *value, size_t bytes)
{
    memcpy(run->coefficients + (size_t)first * run->bytes, value, bytes);
}

void gz_stencil_double(gz_stencil_run *run, int first, double value)
{
    host_put(run, first, &value, sizeof value);
}

void gz_stencil_float(gz_stencil_run *run, int first, float value)
{
    if (run->facts->type == GZ_STENCIL_DOUBLE)
        gz_stencil_double(run, first, value);
    else
        host_put(run, first, &value, sizeof value);
}

void gz_stencil_int(gz_stencil_run *run, int first, long value)
{
    int bits = (int)(unsigned int)value;
    if (run->facts->type == GZ_STENCIL_DOUBLE)
        gz_stencil_double(run, first, (double)value);
    else
        host_put(run, first, &bits, sizeof bits);
}

void gz_stencil_long(gz_stencil_run *run, int first, long value)
{
    if (run->facts->type != GZ_STENCIL_DOUBLE)
        host_put(run, first, &value, sizeof value);
    else if (labs(value) <= 1L << 53)
        gz_stencil_double(run, first, (double)value);
    else
        run->ready = 0;
}

void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value)
{
    if (run->facts->type != GZ_STENCIL_DOUBLE)
        host_put(run, first, &value, sizeof value);
    else if (value <= 1UL << 53)
        gz_stencil_double(run, first, (double)value);
    else
        run->ready = 0;
}

/* Whether a cell is one of the rim, which no loop writes. */
int host_keeps(const gz_stencil_run *run)
{
    const int at[3] = {run->cell.x, run->cell.y, run->cell.z};
    for (int axis = 0; axis < run->facts->dimensions; axis++) {
        int rim = host_rim(run->facts, axis);
        if (at[axis] < rim || at[axis] >= run->cell.size[axis] - rim)
            return 1;
    }
    return 0;
}

void host_loop(gz_stencil_run *run, long loop)
{
    struct cell *c = &run->cell;
    char *to = run->buffer[(loop + 1) % 2];
    c->from = run->buffer[loop % 2];
    c->loop = loop;
    for (c->field = 0; c->field < (int)host_fields(run->facts); c->field++)
        for (c->z = 0; c->z < c->size[2]; c->z++)
            for (c->y = 0; c->y < c->size[1]; c->y++)
                for (c->x = 0; c->x < c->size[0]; c->x++, to += run->bytes)
                    if (!host_keeps(run)) {
                        c->older = to;
                        run->update(c, to);
                    }
}

/* What is done before the first loop. */
void host_start(gz_stencil_run *run)
{
    const struct gz_stencil *s = run->facts;
    struct cell *c = &run->cell;
    if (s->buffers == 1)
        memcpy(run->buffer[1], run->buffer[0], run->cells * host_fields(s) * run->bytes);
    for (int i = 0; i < 2; i++)
        memcpy(run->constant + ((size_t)s->constant_arrays + (size_t)i) * run->cells * run->bytes,
               run->buffer[i], run->cells * run->bytes);
    c->cells = run->cells;
    c->constant = run->constant;
    c->step = run->step;
    c->step_arrays = s->step_arrays;
    c->values = run->values;
    c->step_values = s->step_values;
    c->coefficients = run->coefficients;
}

int gz_stencil_execute(gz_stencil_run *run)
{
    if (!run->ready)
        return 0;
    host_start(run);
    run->seen = calloc((size_t)((run->loops + 1) * run->watches) + 1, run->bytes);
    host_see(run, 0);
    for (long loop = 0; loop < run->loops; loop++) {
        host_loop(run, loop);
        host_see(run, loop + 1);
    }
    for (int age = 0; age < 2; age++)
        run->result[age] = run->buffer[(run->loops + age) % 2];
    return run->done = 1;
}

/* Two cells' measures, or those of several: of whole numbers, which a long double holds, the sum
 * modulo 2^64; of zeros that are compared one without a sign, if there is one. */
static long double joined(int measure, long double one, long double other)
{
    if (measure == 4)
        return (long)((unsigned long)(long)one + (unsigned long)(long)other);
    if (measure == 3)
        return (double)one + (double)other;
    if (isnan(one) || isnan(other))
        return NAN;
    return other > one || (other == one && !signbit(other)) ? other : one;
}

/* What a loop finds, the cells taken in the other order than C does. */
long double host_found(gz_stencil_run *run, long loop)
{
    const char *to = run->buffer[(loop + 1) % 2];
    struct cell *c = &run->cell;
    int measure = run->facts->measure;
    long double found = measure > 2 ? 0 : -HUGE_VALL;
    size_t at = run->cells;
    for (c->z = c->size[2] - 1; c->z >= 0; c->z--)
        for (c->y = c->size[1] - 1; c->y >= 0; c->y--)
            for (c->x = c->size[0] - 1; c->x >= 0; c->x--) {
                at--;
                if (!host_keeps(run))
                    found = joined(measure, found, run->measure(c, to + at * run->bytes));
            }
    return found;
}

int gz_stencil_measure(gz_stencil_run *run, long loop, void *found)
{
    run->ready = run->ready && run->measure && loop < run->loops && loop <= run->measured;
    if (!run->ready)
        return 0;
    if (loop == 0 && run->measured == 0)
        host_start(run);
    if (loop == run->measured) {
        run->measures = realloc(run->measures, (size_t)++run->measured * sizeof *run->measures);
        host_loop(run, loop);
        run->measures[loop] = host_found(run, loop);
    }
    if (run->facts->measure == 4)
        *(long *)found = (long)run->measures[loop];
    else
        *(double *)found = (double)run->measures[loop];
    return run->ready = !isnan(run->measures[loop]);
}

int gz_stencil_settle(gz_stencil_run *run, long loops)
{
    if (!run->ready || loops < 1 || loops > run->measured || loops < run->measured - 1)
        return 0;
    run->loops = loops;
    for (int age = 0; age < 2; age++)
        run->result[age] = run->buffer[(loops + age) % 2];
    return run->done = 1;
}

const void *gz_stencil_result(const gz_stencil_run *run, int age)
{
    return run->result[age];
}

int gz_stencil_original(const gz_stencil_run *run)
{
    return run->trying || !run->done;
}

int gz_stencil_go(gz_stencil_run *run)
{
    const char *first = getenv("GZ_FIRST");
    if (run->trying && run->tried >= atol(first)) {
        run->stopped = run->tried;
        return 0;
    }
    run->tried++;
    return 1;
}

int gz_stencil_checking(const gz_stencil_run *run)
{
    (void)run;
    return 0;
}

void gz_stencil_compare(gz_stencil_run *run)
{
    (void)run;
}

void gz_stencil_compare_variable(gz_stencil_run *run, const char *name, const void *original,
                                 const void *found, unsigned long bytes)
{
    (void)run, (void)name, (void)original, (void)found, (void)bytes;
}

/* One line, so that it can be counted how many ran otherwise than by their own loops. */
void gz_stencil_end(gz_stencil_run *run)
{
    if (!run)
        return;
    if (run->done)
        fprintf(stderr, "%d ran\n", run->facts->line);
    if (run->stopped)
        fprintf(stderr, "%d stopped after %ld\n", run->facts->line, run->stopped);
    host_stopped = run->stopped ? run->facts : NULL;
    void *const all[] = {run->buffer[0], run->buffer[1], run->constant, run->values,
                         run->step,      run->measures,  run->seen,     run};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}
