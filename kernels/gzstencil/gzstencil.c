/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzstencil.h"

#include "choice.h"
#include "host.h"
#include "plan.h"
#include "serial.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes to be copied; `at` are to be copied before them. */
struct row {
    char *to;
    const char *from;
    size_t bytes, at;
};

struct gz_stencil_run {
    const struct gz_stencil *facts;
    struct gzk_stencil stencil; /* the same for the kernels */
    struct gzk_data data;
    long loops;
    bool ready;                     /* the arrays are there */
    bool done;                      /* results are there */
    bool checking;                  /* GZ_CHECK */
    bool original;                  /* the original loops must run */
    void *other;                    /* buffer 1, as data.state is buffer 0; on a CPU the kernels
                                       work on both as they are */
    void *copy[2];                  /* results by age, if the buffers must stay as they were filled;
                                       else NULL */
    const void *result[2];          /* by age */
    const char *low[32], *high[32]; /* spans of arrays */
    bool written[32];
    int spans;
    struct row *rows; /* to be copied, and how many there are and may be */
    size_t row_count, row_room;
    size_t compared, wrong;
    char reason[512]; /* why the original loops run */
    struct gzk_choice choice;
    /* Of an open run: the arrays on the device, the loops that have run since they were put there,
     * and their time. */
    bool open, chosen;
    struct gzk_session *session;
    struct gzk_plan *plan;
    long at;
    double seconds;
};

/* ------------------------------------------------------------------------------------ shared */

/* One device and its compiled programs for the whole process; runs take turns. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gzk_device *device;
static bool device_tried;
static char device_reason[256];

/* A body put together from its pieces, kept so that programs are found by its address. */
struct body {
    struct body *next;
    const char *const *pieces;
    bool two;
    char text[];
};
static struct body *bodies;

static const volatile sig_atomic_t never;

static bool asked(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static struct gzk_device *the_device(void)
{
    struct gzk_error error;
    if (device_tried)
        return device;
    device_tried = true;
    const char *address = getenv("GZ_DEVICE");
    if (gzk_device_open(address && *address ? address : NULL, &device, &error) != 0) {
        device = NULL;
        snprintf(device_reason, sizeof device_reason, "%.250s", error.text);
    }
    return device;
}

/* Threads that arrays are prepared on. */
static int host_threads(void)
{
    return device->info.is_cpu ? device->info.units : 1;
}

static const char *body_of(const char *const *pieces, bool two)
{
    size_t length = 1;
    const char *define = two ? "#define GZ_TWO_BORDERS 1\n" : "";
    for (struct body *b = bodies; b; b = b->next)
        if (b->pieces == pieces && b->two == two)
            return b->text;
    for (int i = 0; pieces[i]; i++)
        length += strlen(pieces[i]);
    length += strlen(define);
    struct body *body = malloc(sizeof *body + length);
    if (!body)
        return NULL;
    strcpy(body->text, define);
    char *end = body->text + strlen(define);
    for (int i = 0; pieces[i]; i++) {
        size_t piece = strlen(pieces[i]);
        memcpy(end, pieces[i], piece + 1);
        end += piece;
    }
    body->pieces = pieces;
    body->two = two;
    body->next = bodies;
    bodies = body;
    return body->text;
}

/* -------------------------------------------------------------------------------------- begin */

static void give_up(gz_stencil_run *run, const char *reason)
{
    if (!run->original)
        snprintf(run->reason, sizeof run->reason, "%.500s", reason);
    run->original = true;
    run->ready = false;
}

/* Cells of the grid on either side of the domain. */
static int rim_of(const struct gz_stencil *facts, int axis)
{
    return facts->edge[axis] == GZ_STENCIL_KEEP ? facts->radius[axis] : 0;
}

/* Constant arrays for borders, and those before them with what cells hold that a guard leaves out,
 * if there are two buffers. */
static size_t border_arrays(const gz_stencil_run *run)
{
    return (size_t)gzk_border_arrays(&run->stencil);
}

static bool keeps(const gz_stencil_run *run)
{
    return run->facts->buffers == 2 && run->facts->guarded;
}

static size_t kept_arrays(const gz_stencil_run *run)
{
    return keeps(run) ? 2 : 0;
}

static int set_extent(gz_stencil_run *run, const long extent[3])
{
    const struct gz_stencil *facts = run->facts;
    double cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        long all = 1;
        if (axis < facts->dimensions) {
            if (extent[axis] < 1)
                return give_up(run, "the domain is empty"), -1;
            if (extent[axis] > INT_MAX / 2)
                return give_up(run, "the domain is too large"), -1;
            all = extent[axis] + 2 * rim_of(facts, axis);
        }
        run->data.size[axis] = (int)all;
        cells *= (double)all;
    }
    if (cells > 1 << 30)
        return give_up(run, "the domain is too large"), -1;
    run->data.cells = (size_t)cells;
    run->data.stride = (run->data.cells + 31) / 32 * 32;
    run->data.loops = run->loops;
    return 0;
}

static size_t state_bytes(const gz_stencil_run *run)
{
    return run->data.cells * gzk_type_bytes(run->stencil.type);
}

/* Bytes of all arrays but the states; 0 if they are too many. */
static size_t aux_bytes(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    size_t arrays = (size_t)facts->constant_arrays + kept_arrays(run) + border_arrays(run);
    size_t steps, total, bytes;

    if (__builtin_mul_overflow((size_t)run->loops, (size_t)facts->step_arrays, &steps) ||
        __builtin_add_overflow(arrays, steps, &total) ||
        __builtin_mul_overflow(total, run->data.stride * gzk_type_bytes(run->stencil.type), &bytes))
        return 0;
    return bytes > 0 ? bytes : sizeof(double); /* no driver takes nothing */
}

/* An array that will be filled. */
static void *new_array(size_t bytes)
{
    void *array = gzk_host_new(bytes);
    gzk_host_huge(array, bytes);
    gzk_host_touch(array, bytes, host_threads());
    return array;
}

/* Of the borders' arrays, little more than the borders is touched. */
static void *new_aux(const gz_stencil_run *run, size_t bytes)
{
    const struct gz_stencil *facts = run->facts;
    void *aux = gzk_host_new(bytes);
    size_t filled = ((size_t)facts->constant_arrays + kept_arrays(run)) * run->data.stride;
    filled *= gzk_type_bytes(run->stencil.type);
    gzk_host_huge(aux, facts->step_arrays ? bytes : filled);
    gzk_host_touch(aux, filled, host_threads());
    return aux;
}

/* Arrays for results beside those that are filled. */
static int make_copies(gz_stencil_run *run)
{
    for (int age = 0; age < 2; age++)
        run->copy[age] = new_array(state_bytes(run));
    if (run->copy[0] && run->copy[1])
        return 0;
    return give_up(run, "out of memory"), -1;
}

static int make_arrays(gz_stencil_run *run)
{
    size_t bytes = aux_bytes(run);

    if (bytes == 0)
        return give_up(run, "the per-step arrays are too large"), -1;
    run->data.state = new_array(state_bytes(run));
    run->other = new_array(state_bytes(run));
    run->data.aux = new_aux(run, bytes);
    run->data.coefficients = calloc(GZK_MAX_COEFFICIENTS, gzk_type_bytes(run->stencil.type));
    if (run->data.state && run->other && run->data.aux && run->data.coefficients)
        return 0;
    return give_up(run, "out of memory"), -1;
}

static void describe(gz_stencil_run *run)
{
    static const enum gzk_type types[] = {GZK_INT, GZK_FLOAT, GZK_DOUBLE};
    static const enum gzk_edge edges[] = {GZK_EDGE_CLAMP, GZK_EDGE_ZERO, GZK_EDGE_PERIODIC,
                                          GZK_EDGE_KEEP};
    const struct gz_stencil *facts = run->facts;
    struct gzk_stencil *stencil = &run->stencil;

    stencil->abi = GZK_STENCIL_ABI;
    stencil->size = sizeof *stencil;
    stencil->name = "gzc";
    stencil->dimensions = facts->dimensions;
    stencil->type = types[facts->type];
    for (int axis = 0; axis < 3; axis++)
        stencil->edge[axis] = edges[facts->edge[axis]];
    stencil->coefficients = facts->coefficients;
    stencil->coefficient_arrays = facts->constant_arrays;
    stencil->step_arrays = facts->step_arrays;
    stencil->operations = facts->operations;
    if (facts->contract && stencil->type != GZK_INT)
        stencil->ulp_per_loop = (facts->operations + 1) * (facts->contract > 1 ? 16 : 1);
    memcpy(stencil->radius, facts->radius, sizeof stencil->radius);
}

gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                                 int usable)
{
    gz_stencil_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->facts = stencil;
    run->loops = loops;
    describe(run);
    if (!usable)
        give_up(run, "the sweeps run over different domains");
    else if (usable == GZ_STENCIL_OTHER_BORDER)
        give_up(run, "the copy back brings another border than the one that is read first");
    else if (usable == GZ_STENCIL_SMALL_DOMAIN)
        give_up(run, "the domain is smaller than the stencil");
    else if (usable == GZ_STENCIL_IN_PARALLEL)
        give_up(run, "every thread of an OpenMP region runs it");
    else if (usable == GZ_STENCIL_OTHER_LOOPS)
        give_up(run,
                "the conditions of its loops, in their types, do not count from bound to bound");
    else if (loops < 1)
        give_up(run, "there is nothing to do");
    else if (set_extent(run, extent) == 0) {
        pthread_mutex_lock(&lock);
        bool there = the_device() != NULL;
        pthread_mutex_unlock(&lock);
        if (!there)
            give_up(run, device_reason);
        else if (make_arrays(run) == 0)
            run->ready = true;
    }
    run->checking = run->ready && asked("GZ_CHECK");
    if (run->checking)
        make_copies(run);
    return run;
}

int gz_stencil_ready(const gz_stencil_run *run)
{
    return run && run->ready;
}

static bool overlap(const gz_stencil_run *run)
{
    for (int i = 0; i < run->spans; i++)
        for (int j = 0; j < i; j++)
            if ((run->written[i] || run->written[j]) && run->low[i] <= run->high[j] &&
                run->low[j] <= run->high[i])
                return true;
    return false;
}

int gz_stencil_usable(gz_stencil_run *run, int usable)
{
    if (!usable)
        give_up(run, "rows of the array overlap");
    else if (overlap(run))
        give_up(run, "arrays overlap");
    return run->ready;
}

/* ------------------------------------------------------------------------------------ arrays */

void *gz_stencil_buffer(gz_stencil_run *run, int buffer)
{
    return buffer == 0 ? run->data.state : run->other;
}

static void *aux_array(gz_stencil_run *run, size_t k)
{
    return (char *)run->data.aux + k * run->data.stride * gzk_type_bytes(run->stencil.type);
}

void *gz_stencil_constant(gz_stencil_run *run, int k)
{
    return aux_array(run, (size_t)k);
}

void *gz_stencil_step(gz_stencil_run *run, int k, long loop)
{
    return aux_array(run, (size_t)run->facts->constant_arrays + kept_arrays(run) +
                              border_arrays(run) + (size_t)loop * (size_t)run->facts->step_arrays +
                              (size_t)k);
}

void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other, int written)
{
    int most = sizeof run->low / sizeof *run->low;
    const char *a = one, *b = other;
    if (!run || !run->ready || run->spans == most)
        return;
    run->low[run->spans] = a < b ? a : b;
    run->high[run->spans] = (a < b ? b : a) + gzk_type_bytes(run->stencil.type) - 1;
    run->written[run->spans++] = written != 0;
}

/* Adds bytes to what is to be copied; -1 if memory is short. */
static int add_bytes(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    struct row *last = run->row_count > 0 ? &run->rows[run->row_count - 1] : NULL;

    if (last && last->to + last->bytes == to && last->from + last->bytes == from) {
        last->bytes += bytes;
        return 0;
    }
    if (run->row_count == run->row_room) {
        size_t room = run->row_room ? 2 * run->row_room : 1024;
        struct row *rows = realloc(run->rows, room * sizeof *rows);
        if (!rows)
            return -1;
        run->rows = rows;
        run->row_room = room;
        last = run->row_count > 0 ? &run->rows[run->row_count - 1] : NULL;
    }
    run->rows[run->row_count++] = (struct row){to, from, bytes, last ? last->at + last->bytes : 0};
    return 0;
}

/* Whether only the borders are read of what is put into buffer 1. */
static bool needs_only_border(const gz_stencil_run *run)
{
    return !run->done && !run->open && !run->checking && !keeps(run);
}

/* Adds the ends of a row of buffer 1 that lie on the border, if it is not there as a whole; 1 if
 * that is enough. */
static int add_ends(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    const int *size = run->data.size, *radius = run->stencil.radius;
    size_t element = gzk_type_bytes(run->stencil.type), end = (size_t)radius[0] * element;
    size_t row = (size_t)size[0] * element, at = (size_t)(to - (char *)run->other);
    int y = (int)(at / row % (size_t)size[1]), z = (int)(at / row / (size_t)size[1]);
    bool outer =
        y < radius[1] || y >= size[1] - radius[1] || z < radius[2] || z >= size[2] - radius[2];

    if (border_arrays(run) == 0)
        return 1;
    if (outer || at % row != 0 || bytes != row || 2 * end >= row)
        return 0;
    return add_bytes(run, to, from, end) == 0 &&
           add_bytes(run, to + row - end, from + row - end, end) == 0;
}

int gz_stencil_row(gz_stencil_run *run, void *to, const void *to_last, const void *from,
                   const void *from_last)
{
    ptrdiff_t length = (const char *)to_last - (char *)to;
    if (!run || length < 0 || (const char *)from_last - (const char *)from != length)
        return 0;
    size_t bytes = (size_t)length + gzk_type_bytes(run->stencil.type);
    char *other = run->other;
    bool is_other = other && (char *)to >= other && (char *)to < other + state_bytes(run);
    if (is_other && needs_only_border(run) && add_ends(run, to, from, bytes))
        return 1;
    return add_bytes(run, to, from, bytes) == 0;
}

/* Copies bytes [first, last) of all. */
static void copy_part(void *of, size_t first, size_t last)
{
    const gz_stencil_run *run = of;
    for (size_t i = 0; i < run->row_count; i++) {
        const struct row *row = &run->rows[i];
        size_t begin = first > row->at ? first - row->at : 0;
        size_t end = last > row->at ? last - row->at : 0;
        if (end > row->bytes)
            end = row->bytes;
        if (begin < end)
            memcpy(row->to + begin, row->from + begin, end - begin);
    }
}

void gz_stencil_copied(gz_stencil_run *run)
{
    const size_t worth_threads = (size_t)2 << 20;
    if (!run || run->row_count == 0)
        return;
    const struct row *last = &run->rows[run->row_count - 1];
    size_t bytes = last->at + last->bytes;
    gzk_host_parallel(copy_part, run, bytes, bytes < worth_threads ? 1 : host_threads());
    run->row_count = 0;
}

/* ------------------------------------------------------------------------------ coefficients */

static void put_bytes(gz_stencil_run *run, int first, const void *value, size_t bytes)
{
    memcpy((char *)run->data.coefficients + (size_t)first * gzk_type_bytes(run->stencil.type),
           value, bytes);
}

/* Of an array of doubles a coefficient is the value itself, as far as a double holds it. */
static void put_whole(gz_stencil_run *run, int first, double value, bool exact)
{
    if (!exact)
        give_up(run, "a whole number is too large for a double");
    else
        put_bytes(run, first, &value, sizeof value);
}

static bool in_double(long value)
{
    return value >= -(1L << 53) && value <= 1L << 53;
}

void gz_stencil_int(gz_stencil_run *run, int first, long value)
{
    int bits = (int)(unsigned int)value;
    if (!run || !run->ready)
        return;
    if (value < INT_MIN || value > (long)UINT_MAX)
        give_up(run, "a whole number is too large");
    else if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, true);
    else
        put_bytes(run, first, &bits, sizeof bits);
}

void gz_stencil_long(gz_stencil_run *run, int first, long value)
{
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, in_double(value));
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value)
{
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, value <= 1UL << 53);
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_float(gz_stencil_run *run, int first, float value)
{
    double wide = (double)value;
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_bytes(run, first, &wide, sizeof wide);
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_double(gz_stencil_run *run, int first, double value)
{
    if (run && run->ready)
        put_bytes(run, first, &value, sizeof value);
}

/* ---------------------------------------------------------------------------------------- run */

/* Copies the cells that are closer to an end of the grid than the radius. */
static void copy_border(const gz_stencil_run *run, void *to, const void *from)
{
    const int *size = run->data.size, *radius = run->stencil.radius;
    size_t bytes = gzk_type_bytes(run->stencil.type), row = (size_t)size[0] * bytes, at = 0;
    size_t end = (size_t)radius[0] * bytes;

    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++, at += row) {
            bool outer = y < radius[1] || y >= size[1] - radius[1] || z < radius[2] ||
                         z >= size[2] - radius[2] || 2 * end >= row;
            memcpy((char *)to + at, (const char *)from + at, outer ? row : end);
            if (!outer)
                memcpy((char *)to + at + row - end, (const char *)from + at + row - end, end);
        }
}

/* Puts the borders, and what kept cells hold if there are two buffers, where the kernels look for
 * them. */
static void set_borders(gz_stencil_run *run)
{
    size_t constants = (size_t)run->facts->constant_arrays, first = constants + kept_arrays(run);

    run->stencil.coefficient_arrays = (int)first;
    if (keeps(run)) {
        gzk_host_copy(aux_array(run, constants), run->data.state, state_bytes(run), host_threads());
        gzk_host_copy(aux_array(run, constants + 1), run->other, state_bytes(run), host_threads());
    }
    if (border_arrays(run) > 0) {
        copy_border(run, aux_array(run, first), run->data.state);
        copy_border(run, aux_array(run, first + 1),
                    run->facts->buffers == 2 ? run->other : run->data.state);
    }
}

/* Runs more loops of a plan; the last one alone if the state before it is a result too. */
static int advance(gz_stencil_run *run, struct gzk_plan *plan, long loops, struct gzk_error *error)
{
    const long parts[2] = {run->facts->both ? loops - 1 : loops, run->facts->both ? 1 : 0};
    int status = 0;

    for (int i = 0; i < 2 && loops > 0 && status == 0; i++) {
        double seconds;
        status = gzk_plan_advance(plan, run->at, parts[i], &never, &seconds, error);
        run->at += parts[i];
        run->seconds += seconds;
    }
    if (run->at > 0)
        run->choice.measured_s = run->seconds / (double)run->at;
    return status;
}

/* Gets the state of that age to where the caller finds it. */
static int fetch(gz_stencil_run *run, struct gzk_session *session, int age, struct gzk_error *error)
{
    void *to = run->copy[age] ? run->copy[age] : gzk_session_place(session, age);
    if (!to)
        to = age == 0 ? run->data.state : run->other;
    run->result[age] = to;
    return age == 0 ? gzk_session_read(session, to, error)
                    : gzk_session_read_before(session, to, error);
}

/* Prepares the arrays and chooses how they are to be run. */
static int prepare(gz_stencil_run *run, struct gzk_error *error)
{
    const struct gz_stencil *facts = run->facts;
    int status = 0;

    run->stencil.body = body_of(facts->body, keeps(run));
    if (!run->stencil.body)
        return gzk_fail(error, GZK_FAILED, "out of memory");
    set_borders(run);
    if (!run->chosen)
        status = gzk_choose(device, &run->stencil, &run->data, facts->height, facts->contract != 0,
                            &run->choice, error);
    run->chosen = status == 0;
    return status;
}

static int run_on_device(gz_stencil_run *run, struct gzk_error *error)
{
    struct gzk_session *session = NULL;
    struct gzk_plan *plan = NULL;
    int status = prepare(run, error);

    if (status == 0)
        status =
            gzk_session_in_place(device, &run->stencil, &run->data, run->other, &session, error);
    if (status == 0)
        status = gzk_plan_new(session, &run->choice.config, &plan, error);
    if (status == 0)
        status = advance(run, plan, run->loops, error);
    if (status == 0)
        status = fetch(run, session, 0, error);
    if (status == 0 && run->facts->both)
        status = fetch(run, session, 1, error);
    gzk_plan_free(plan);
    gzk_session_free(session);
    return status;
}

int gz_stencil_execute(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    int status = run_on_device(run, &error);
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        give_up(run, error.text);
        return 0;
    }
    run->done = true;
    run->original = run->checking;
    return !run->checking;
}

const void *gz_stencil_result(const gz_stencil_run *run, int age)
{
    return run->result[age];
}

int gz_stencil_original(const gz_stencil_run *run)
{
    return !run || run->original;
}

int gz_stencil_checking(const gz_stencil_run *run)
{
    return run && run->done && run->checking;
}

void gz_stencil_compare(gz_stencil_run *run, int buffer, int age)
{
    size_t bytes = gzk_type_bytes(run->stencil.type);
    const char *found = gz_stencil_buffer(run, buffer), *expected = run->result[age];
    if (run->facts->contract) {
        struct gzk_serial serial = {
            .stencil = &run->stencil, .data = &run->data, .loops = run->loops};
        struct gzk_comparison comparison;
        gzk_compare(&serial, expected, found, true, &comparison);
        run->compared += run->data.cells;
        run->wrong += comparison.wrong;
        return;
    }
    for (size_t i = 0; i < run->data.cells; i++, run->compared++)
        if (memcmp(found + i * bytes, expected + i * bytes, bytes) != 0)
            run->wrong++;
}

/* ---------------------------------------------------------------------------------- open runs */

gz_stencil_run *gz_stencil_open(const struct gz_stencil *stencil, const long extent[3], long loops)
{
    gz_stencil_run *run = gz_stencil_begin(stencil, extent, loops, 1);
    if (run) {
        run->open = true;
        if (run->ready && !run->checking)
            make_copies(run);
        run->checking = false;
    }
    return run;
}

static void leave_device(gz_stencil_run *run)
{
    gzk_plan_free(run->plan);
    gzk_session_free(run->session);
    run->plan = NULL;
    run->session = NULL;
}

int gz_stencil_put(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->open || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    leave_device(run);
    run->at = 0;
    run->seconds = 0;
    int status = prepare(run, &error);
    if (status == 0)
        status = gzk_session_new(device, &run->stencil, &run->data, &run->session, &error);
    if (status == 0)
        status = gzk_plan_new(run->session, &run->choice.config, &run->plan, &error);
    if (status == 0)
        status = gzk_session_reset(run->session, &error);
    if (status != 0)
        leave_device(run);
    pthread_mutex_unlock(&lock);
    if (status != 0)
        give_up(run, error.text);
    return status == 0;
}

int gz_stencil_advance(gz_stencil_run *run, long loops)
{
    struct gzk_error error;
    if (!run || !run->session || !run->ready)
        return 0;
    if (loops < 0 || loops > run->loops - run->at) {
        snprintf(run->reason, sizeof run->reason,
                 "%ld loops after %ld: must be at least 0, and at most %ld in all", loops, run->at,
                 run->loops);
        return 0;
    }
    pthread_mutex_lock(&lock);
    int status = advance(run, run->plan, loops, &error);
    pthread_mutex_unlock(&lock);
    if (status != 0)
        give_up(run, error.text);
    return status == 0;
}

int gz_stencil_get(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->session || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    int status = fetch(run, run->session, 0, &error);
    if (status == 0 && run->at > 0 && run->facts->both)
        status = fetch(run, run->session, 1, &error);
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        give_up(run, error.text);
        return 0;
    }
    if (run->at == 0) {
        memcpy(run->copy[1], run->other, state_bytes(run));
        run->result[1] = run->copy[1];
    }
    run->done = true;
    return 1;
}

const char *gz_stencil_reason(const gz_stencil_run *run)
{
    return run ? run->reason : "out of memory";
}

void gz_stencil_close(gz_stencil_run *run)
{
    gz_stencil_end(run);
}

/* ---------------------------------------------------------------------------------------- end */

static void report_check(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    if (run->wrong > 0)
        fprintf(stderr, "gzstencil: %s:%d: check failed: %zu of %zu elements differ\n", facts->file,
                facts->line, run->wrong, run->compared);
    else
        fprintf(stderr, "gzstencil: %s:%d: check passed: %zu elements are equal%s\n", facts->file,
                facts->line, run->compared, facts->contract ? " within the bound" : "");
}

static void report(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    const struct gzk_config *config = &run->choice.config;
    char size[64] = "", predicted[40] = "", tried[60] = "";

    for (int axis = facts->dimensions - 1, at = 0; axis >= 0; axis--)
        at += snprintf(size + at, sizeof size - (size_t)at, "%d%s", run->data.size[axis],
                       axis ? "x" : "");
    if (run->choice.predicted_s > 0)
        snprintf(predicted, sizeof predicted, ", predicted %.3g", run->choice.predicted_s);
    if (run->choice.tried_s > 0)
        snprintf(tried, sizeof tried, ", %s %.3g",
                 run->choice.from_cache ? "tried by an earlier process" : "tried",
                 run->choice.tried_s);
    if (run->done)
        fprintf(stderr,
                "gzstencil: %s:%d: %s, %ld loops on %s: %s, block %dx%dx%d, height %d, %.3g s a "
                "loop%s%s\n",
                facts->file, facts->line, size, run->open ? run->at : run->loops,
                device->info.address, gzk_variants[config->variant].name, config->block[0],
                config->block[1], config->block[2], config->height, run->choice.measured_s,
                predicted, tried);
    else
        fprintf(stderr, "gzstencil: %s:%d: the original loops run: %s\n", facts->file, facts->line,
                run->reason);
}

static void free_arrays(gz_stencil_run *run)
{
    gzk_host_free(run->data.state, state_bytes(run));
    gzk_host_free(run->other, state_bytes(run));
    gzk_host_free(run->data.aux, aux_bytes(run));
    free(run->data.coefficients);
    free(run->rows);
    for (int age = 0; age < 2; age++)
        gzk_host_free(run->copy[age], state_bytes(run));
}

void gz_stencil_end(gz_stencil_run *run)
{
    if (!run)
        return;
    if (gz_stencil_checking(run))
        report_check(run);
    if (asked("GZ_REPORT"))
        report(run);
    if (run->session) {
        pthread_mutex_lock(&lock);
        leave_device(run);
        pthread_mutex_unlock(&lock);
    }
    free_arrays(run);
    free(run);
}
