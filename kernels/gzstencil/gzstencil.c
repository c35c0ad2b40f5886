/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzstencil.h"

#include "arrays.h"
#include "caller.h"
#include "choice.h"
#include "compare.h"
#include "divided.h"
#include "host.h"
#include "known.h"
#include "memory.h"
#include "numbers.h"
#include "own_grid.h"
#include "plan.h"
#include "settings.h"
#include "si.h"
#include "spans.h"
#include "trial.h"
#include "watch.h"
#include "way.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
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
    struct gzs_known *known; /* NULL if the facts are wrong */
    const char *file;        /* where its loop stands */
    int line;
    const struct gz_stencil *facts;    /* its own */
    const struct gzk_stencil *stencil; /* the same for the kernels */
    struct gzk_data data;
    size_t element_bytes, state_bytes;
    long loops;
    bool ready;    /* the arrays are there */
    bool done;     /* results are there */
    bool checking; /* GZ_CHECK */
    bool original; /* the original loops must run */
    bool usual;    /* for a reason that needs no word: nothing to do, or they are faster */
    bool faster;   /* the original loops are, if nothing else forbids the device */
    struct gzs_chosen way;
    double begun_s; /* when the way began */
    struct trial {
        bool on;          /* the way is timed by its first few loops */
        long done, since; /* loops that have run; those before `since_s` */
        double since_s, loop_s;
        bool given_up; /* for the other way */
    } trial;
    bool later_border;   /* from the second loop on, the border is that of buffer 1 */
    atomic_bool busy;    /* a call of a thread is in it */
    atomic_bool clashed; /* another's came meanwhile */
    void *other;   /* buffer 1, as data.state is buffer 0; on a CPU the kernels work on both as
                      they are */
    void *next[2]; /* of three time levels, what such kernels compute from these two */
    void *copy[3]; /* results by age, if the buffers must stay as they were filled, or have no place
                      for them; else NULL */
    const void *result[3]; /* by age */
    struct gzs_spans spans, written;
    struct gzs_watch watch;
    struct gzs_heard heard[2]; /* what was there, and what was set */
    struct row *rows;          /* to be copied, and how many there are and may be */
    size_t row_count, row_room;
    struct gzs_check check;
    char reason[512]; /* why the original loops run */
    struct gzk_choice choice;
    /* Of an open run: the arrays on the device, the loops that have run since they were put there,
     * and their time. */
    bool open, chosen;
    struct gzs_divided *divided; /* among ranks; NULL if it is not */
    struct gzk_session *session;
    struct gzk_plan *plan;
    long at;
    double seconds, made_s; /* the latter: of the device, choosing and compiling */
    union gzk_found *found; /* of a run whose data end it, by the loops that have run */
    size_t found_room;
};

/* ------------------------------------------------------------------------------------ shared */

/* One device and its compiled programs for the whole process; runs take turns. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gzk_device *device;
static bool device_tried;
static int device_turn; /* this process's among those of an MPI program on this machine */
static char device_reason[256];

static const volatile sig_atomic_t never;

static struct gzk_device *the_device(void)
{
    struct gzk_error error;
    if (device_tried)
        return device;
    device_tried = true;
    const char *given = getenv("GZ_DEVICE"), *address = given && *given ? given : NULL;
    char next[40];
    if (!address && device_turn > 0)
        address = gzk_device_in_turn(device_turn, next);
    if (gzk_device_open(address, &device, &error) != 0) {
        device = NULL;
        snprintf(device_reason, sizeof device_reason, "%.250s", error.text);
    } else {
        device->before_program = gzk_try;
    }
    return device;
}

/* Threads that arrays are prepared on. */
static int host_threads(void)
{
    return device->info.is_cpu ? device->info.units : gzk_host_threads();
}

/* --------------------------------------------------------------------------------- a run's user */

static void give_up(gz_stencil_run *run, const char *reason)
{
    if (!run->original)
        snprintf(run->reason, sizeof run->reason, "%.500s", reason);
    run->original = true;
    run->ready = false;
}

static const char two_threads[] = "two threads used the run at the same time";

/* Begins a call that changes the run; false if there is none, or another thread is in one. */
static inline bool enter(gz_stencil_run *run)
{
    if (!run)
        return false;
    if (atomic_exchange_explicit(&run->busy, true, memory_order_acquire)) {
        atomic_store(&run->clashed, true);
        return false;
    }
    if (atomic_load_explicit(&run->clashed, memory_order_relaxed))
        give_up(run, two_threads);
    return true;
}

static void leave(gz_stencil_run *run)
{
    atomic_store_explicit(&run->busy, false, memory_order_release);
}

/* As enter, of a run that may go on; of one whose arrays are there. */
static inline bool enter_begun(gz_stencil_run *run)
{
    if (!enter(run))
        return false;
    if (run->ready)
        return true;
    leave(run);
    return false;
}

static inline bool enter_ready(gz_stencil_run *run)
{
    if (!enter_begun(run))
        return false;
    if (!run->faster)
        return true;
    leave(run);
    return false;
}

/* Takes the device for this thread, unless it forbids that: then the run is given up. */
static bool take_device(gz_stencil_run *run)
{
    const char *reason = gzs_caller_forbids();
    if (reason)
        return give_up(run, reason), false;
    pthread_mutex_lock(&lock);
    return true;
}

/* As take_device; if a rank of those that go together cannot, none does. */
static bool take_devices(gz_stencil_run *run)
{
    struct gzk_error error = {0};
    bool mine = take_device(run);
    if (!run->divided)
        return mine;
    bool all = gzs_divided_agree(run->divided, mine ? 0 : GZK_FAILED, &error) == 0;
    if (mine && !all) {
        pthread_mutex_unlock(&lock);
        give_up(run, error.text);
    }
    return all;
}

/* Gives it back; whether all went well. */
static bool give_back_device(gz_stencil_run *run, int status, const struct gzk_error *error)
{
    pthread_mutex_unlock(&lock);
    if (status != 0)
        give_up(run, error->text);
    return status == 0;
}

/* -------------------------------------------------------------------------------------- begin */

/* Cells of the grid on either side of the domain. */
static int rim_of(const struct gz_stencil *facts, int axis)
{
    return facts->edge[axis] == GZ_STENCIL_KEEP ? facts->radius[axis] : 0;
}

/* Constant arrays for borders, behind the others. */
static int border_arrays(const gz_stencil_run *run)
{
    return gzk_border_arrays(run->stencil);
}

static int set_extent(gz_stencil_run *run, const long extent[3])
{
    const struct gz_stencil *facts = run->facts;
    double cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        long all = 1;
        if (axis < facts->dimensions) {
            if (extent[axis] < 1)
                return run->usual = true, give_up(run, "the domain is empty"), -1;
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
    run->element_bytes = gzk_type_bytes(run->stencil->type);
    run->state_bytes = gzk_state_bytes(run->stencil, &run->data);
    return 0;
}

/* Bytes of all arrays but the states; 0 if they are too many. */
static size_t aux_bytes(const gz_stencil_run *run)
{
    size_t elements = gzk_step_place(run->stencil, run->data.stride, run->loops), bytes;
    if (elements == SIZE_MAX || __builtin_mul_overflow(elements, run->element_bytes, &bytes))
        return 0;
    return bytes > 0 ? bytes : sizeof(double); /* no driver takes nothing */
}

/* An array that will be filled. */
static void *new_array(size_t bytes)
{
    return gzs_array_new(bytes, host_threads());
}

/* Of the borders' arrays, little more than the borders is touched. */
static void *new_aux(const gz_stencil_run *run, size_t bytes)
{
    void *aux = gzk_host_new(bytes);
    size_t filled =
        (size_t)run->stencil->coefficient_arrays * run->data.stride * run->element_bytes;
    gzk_host_huge(aux, run->facts->step_arrays ? bytes : filled);
    gzk_host_touch(aux, filled, host_threads());
    return aux;
}

/* Whether so many bytes are there. Small arrays are not worth the question. */
static bool has_memory(gz_stencil_run *run, double bytes)
{
    static const double worth_asking = 1 << 26;
    double available = bytes > worth_asking ? gzk_memory_available() : bytes;
    char reason[200];

    if (bytes > available) {
        gzs_arrays_drop();
        available = gzk_memory_available();
    }
    if (bytes <= available)
        return true;
    snprintf(reason, sizeof reason, "its arrays need %s of memory: %s are available",
             gzk_si(bytes, "B").text, gzk_si(available, "B").text);
    return give_up(run, reason), false;
}

/* The arrays that the caller fills and, with `copies`, others for the results. What the device
 * takes besides counts if it is this memory. */
static int make_arrays(gz_stencil_run *run, bool copies)
{
    size_t bytes = aux_bytes(run), state = run->state_bytes;
    bool older = run->stencil->older, in_place = device->info.is_cpu && !run->open;
    double of_device = in_place              ? (older ? 2. : 0.) * (double)state
                       : device->info.is_cpu ? (older ? 4. : 2.) * (double)state + (double)bytes
                                             : 0;

    if (bytes == 0)
        return give_up(run, "the per-step arrays are too large"), -1;
    if (!has_memory(run, (copies ? 4 : 2) * (double)state + (double)bytes + of_device))
        return -1;
    run->data.state = new_array(state);
    run->other = new_array(state);
    run->data.older = older ? run->other : NULL;
    run->data.aux = new_aux(run, bytes);
    run->data.coefficients = calloc(GZK_MAX_COEFFICIENTS, run->element_bytes);
    for (int age = 0; age < 2 && copies; age++)
        run->copy[age] = new_array(state);
    if (run->facts->both == 2)
        run->copy[2] = new_array(state);
    if (run->data.state && run->other && run->data.aux && run->data.coefficients &&
        (!copies || (run->copy[0] && run->copy[1])) && (run->facts->both < 2 || run->copy[2]))
        return 0;
    return give_up(run, "out of memory"), -1;
}

/* What the caller has found, in words; NULL if nothing. */
static const char *reason_of(int usable)
{
    switch (usable) {
    case GZ_STENCIL_OTHER_DOMAIN:
        return "the sweeps run over different domains";
    case GZ_STENCIL_SMALL_DOMAIN:
        return "the domain is smaller than the stencil";
    case GZ_STENCIL_IN_PARALLEL:
        return "every thread of an OpenMP region runs it";
    case GZ_STENCIL_OTHER_LOOPS:
        return "the conditions of its loops, in their types, do not count from bound to bound";
    case GZ_STENCIL_FEW_LOOPS:
        return "a single loop does not read the whole arrays";
    case GZ_STENCIL_OTHER_BORDERS:
        return "the borders of its arrays differ";
    case GZ_STENCIL_EITHER_ZERO:
        return "the largest change is zero, with or without a sign";
    case GZ_STENCIL_OTHER_POINTS:
        return "a point that it sets lies beyond the cells that its sweep computes";
    case GZ_STENCIL_OTHER_COPIES:
        return "a copy of an array lacks what its loops read";
    case GZ_STENCIL_SET_BEHIND:
        return "a cell is set once more behind what hands it on";
    case GZ_STENCIL_OTHER_CELLS:
        return "its conditions leave out all cells at an end of the domain";
    case GZ_STENCIL_OTHER_MACROS:
        return "the compiler was given other macros than gzc: give both the same flags";
    default:
        return NULL;
    }
}

/* The stencil; -1 with the run given up if it cannot be. */
static int find_stencil(gz_stencil_run *run, const struct gz_stencil *stencil)
{
    const char *wrong;
    if (gzs_is_child())
        return give_up(run, gzs_is_child()), -1;
    pthread_mutex_lock(&lock);
    run->known = gzs_know(stencil, &wrong);
    pthread_mutex_unlock(&lock);
    if (!run->known)
        give_up(run, wrong);
    else if (gzs_caller_forbids())
        give_up(run, gzs_caller_forbids());
    if (run->known) {
        run->facts = &run->known->facts;
        run->stencil = &run->known->stencil;
        run->file = run->facts->file;
    }
    return run->original ? -1 : 0;
}

/* The device and the arrays. */
static void make_ready(gz_stencil_run *run)
{
    double begin = cli_now();
    pthread_mutex_lock(&lock);
    if (!the_device())
        give_up(run, device_reason);
    pthread_mutex_unlock(&lock);
    run->made_s += cli_now() - begin;
    if (run->original)
        return;
    run->checking = !run->open && gzs_word(GZS_CHECK) > 0;
    run->ready = make_arrays(run, run->open || run->checking) == 0;
    run->checking = run->checking && run->ready;
}

/* Where the original loops are faster, they run once gz_stencil_usable has found that the device
 * could compute them: until then the run is ready, without arrays. */
static void choose_way(gz_stencil_run *run)
{
    if (!run->open)
        gzs_way_choose(run->known, run->data.size, run->loops, &run->way);
    const double *loop_s = run->way.loop_s;
    run->trial.on = run->way.measured && !(loop_s[GZS_ON_HOST] > 0 && loop_s[GZS_ON_DEVICE] > 0);
    run->faster = run->ready = run->way.way == GZS_ON_HOST;
    if (!run->faster)
        make_ready(run);
}

static gz_stencil_run *begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                             int usable, bool open)
{
    gz_stencil_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->loops = loops;
    run->open = open;
    run->begun_s = cli_now();
    run->file = stencil && stencil->file ? stencil->file : "(a stencil)";
    run->line = stencil ? stencil->line : 0;
    if (find_stencil(run, stencil) != 0)
        return run;
    run->later_border = usable == GZ_STENCIL_LATER_BORDER && border_arrays(run) > 0;
    run->usual = usable == GZ_STENCIL_SMALL_DOMAIN || loops < 1;
    if (reason_of(usable))
        give_up(run, reason_of(usable));
    else if (loops < 1)
        give_up(run, "there is nothing to do");
    else if (stencil->measure && run->later_border)
        give_up(run, "a copy back brings another border, and the data end the loops");
    else if (!extent)
        give_up(run, "extent: must not be NULL");
    else if (set_extent(run, extent) == 0)
        choose_way(run);
    return run;
}

gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                                 int usable)
{
    return begin(stencil, extent, loops, usable, false);
}

int gz_stencil_ready(const gz_stencil_run *run)
{
    return run && run->ready;
}

/* The original loops run because they are faster. */
static void stay(gz_stencil_run *run)
{
    run->usual = true;
    give_up(run, run->way.why);
    run->begun_s = cli_now();
}

/* Another loop is about to run, of a way that is tried: whether it goes on. It is asked now and
 * then, of loops that take long enough to be timed; the first, whose pages and caches are cold, is
 * left out. */
static bool goes_on(gz_stencil_run *run)
{
    const double worth_timing = 0.005;
    const long enough = 64;
    struct trial *trial = &run->trial;
    long since = trial->since, next = since < 1 ? 1 : 2 * since;
    if (trial->done < next)
        return true;
    double now = cli_now(), spent = now - trial->since_s;
    bool told = since > 0 && (spent >= worth_timing || trial->done - since >= enough);
    if (since > 0 && !told)
        return true;
    if (told)
        trial->loop_s = spent / (double)(trial->done - since);
    trial->since = trial->done;
    trial->since_s = now;
    return !told || gzs_way_goes(run->known, &run->way, (double)trial->done, trial->loop_s);
}

int gz_stencil_go(gz_stencil_run *run, int loops)
{
    if (!run || !run->faster || loops < 1 || gzs_in_parallel())
        return 1;
    if (run->trial.on && !goes_on(run)) {
        run->trial.given_up = true;
        return 0;
    }
    run->trial.done += loops;
    return 1;
}

long gz_stencil_again(const gz_stencil_run *run)
{
    return run && run->faster && run->trial.given_up ? run->trial.done : 0;
}

int gz_stencil_usable(gz_stencil_run *run, int usable)
{
    if (!enter_begun(run))
        return 0;
    if (usable <= 0)
        give_up(run, usable ? reason_of(usable) : "rows of the array overlap");
    else if (gzs_spans_overlap(&run->spans))
        give_up(run, "arrays overlap");
    else if (!gzs_spans_readable(&run->spans))
        give_up(run, "a border of its arrays lies where nothing can be read");
    else if (!gzs_spans_writable(&run->written))
        give_up(run, "an element that its loops may set lies where nothing can be written");
    else if (run->faster)
        stay(run);
    run->faster = run->faster && run->usual;
    bool ready = run->ready;
    leave(run);
    return ready;
}

/* ------------------------------------------------------------------------------------ arrays */

void *gz_stencil_buffer(gz_stencil_run *run, int buffer)
{
    return !run || buffer < 0 || buffer > 1 ? NULL : buffer == 0 ? run->data.state : run->other;
}

static void *aux_array(gz_stencil_run *run, size_t k)
{
    return (char *)run->data.aux + k * run->data.stride * run->element_bytes;
}

void *gz_stencil_constant(gz_stencil_run *run, int k)
{
    bool is_there = run && run->data.aux && k >= 0 && k < run->facts->constant_arrays;
    return is_there ? aux_array(run, (size_t)k) : NULL;
}

void *gz_stencil_values(gz_stencil_run *run, long loop)
{
    if (!run || !run->data.aux || loop < 0 || loop >= run->loops)
        return NULL;
    return (char *)run->data.aux +
           gzk_step_place(run->stencil, run->data.stride, loop) * run->element_bytes;
}

void *gz_stencil_step(gz_stencil_run *run, int k, long loop)
{
    char *values = gz_stencil_values(run, loop);
    if (!values || k < 0 || k >= run->facts->step_arrays)
        return NULL;
    size_t before = (size_t)run->facts->step_values + (size_t)k * run->data.stride;
    return values + before * run->element_bytes;
}

static void add_span(gz_stencil_run *run, struct gzs_spans *spans, const char *one,
                     const char *other, size_t bytes, bool written)
{
    size_t between = (size_t)(one < other ? other - one : one - other);
    if (gzs_span_add(spans, one < other ? one : other, between + bytes, written) != 0)
        give_up(run, "out of memory");
}

void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other, unsigned long bytes,
                     int written)
{
    if (!enter_begun(run))
        return;
    add_span(run, &run->spans, one, other, bytes, written != 0);
    leave(run);
}

void gz_stencil_writes(gz_stencil_run *run, const void *one, const void *other, unsigned long bytes)
{
    if (!enter_begun(run))
        return;
    add_span(run, &run->written, one, other, bytes, true);
    leave(run);
}

void gz_stencil_watch(gz_stencil_run *run, const void *element)
{
    if (!enter_ready(run))
        return;
    const char *from = run->data.state, *at = element;
    if (run->later_border)
        give_up(run, "a copy back brings another border, and cells are watched");
    else if (run->facts->measure || run->divided)
        give_up(run, "cells are watched of a run that its data end, or among ranks");
    else if (gzs_watch_add(&run->watch, element) != 0)
        give_up(run, "out of memory");
    else if (at >= from && at < from + run->state_bytes)
        gzs_watch_row(&run->watch, from, run->state_bytes, 0, run->element_bytes);
    leave(run);
}

/* Bytes from which threads copy; less is copied at once. */
static const size_t worth_threads = (size_t)2 << 20;

/* Copies bytes, or adds them to what is to be copied; -1 if memory is short. */
static int add_bytes(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    if (run->state_bytes < worth_threads) {
        memcpy(to, from, bytes);
        return 0;
    }
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
    return !run->done && !run->open && !run->checking && !run->known->keeps && !run->stencil->older;
}

/* Adds the ends of a row of buffer 1 that lie on the border, if it is not there as a whole; 1 if
 * that is enough. */
static int add_ends(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    const int *size = run->data.size, *radius = run->stencil->radius;
    size_t element = run->element_bytes, end = (size_t)radius[0] * element;
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

/* As gz_stencil_row, of a run that is entered. */
static int add_row(gz_stencil_run *run, char *to, const char *from, size_t bytes)
{
    char *other = run->other, *state = run->data.state;
    if (run->watch.count > 0 && to >= state && to < state + run->state_bytes)
        gzs_watch_row(&run->watch, from, bytes, (size_t)(to - state) / run->element_bytes,
                      run->element_bytes);
    bool is_other = other && to >= other && to < other + run->state_bytes;

    if (is_other && needs_only_border(run) && add_ends(run, to, from, bytes))
        return 1;
    return add_bytes(run, to, from, bytes) == 0;
}

int gz_stencil_row(gz_stencil_run *run, void *to, const void *to_last, const void *from,
                   const void *from_last)
{
    ptrdiff_t length = (const char *)to_last - (char *)to;
    if (!run || !to || !from || length < 0 ||
        (const char *)from_last - (const char *)from != length || !enter_ready(run))
        return 0;
    int added = add_row(run, to, from, (size_t)length + run->element_bytes);
    leave(run);
    return added;
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
    if (!enter(run))
        return;
    const struct row *last = run->row_count > 0 ? &run->rows[run->row_count - 1] : NULL;
    size_t bytes = last ? last->at + last->bytes : 0;
    if (last)
        gzk_host_parallel(copy_part, run, bytes, bytes < worth_threads ? 1 : host_threads());
    run->row_count = 0;
    leave(run);
}

/* ------------------------------------------------------------------------------ coefficients */

static void put_bytes(gz_stencil_run *run, int first, const void *value, size_t bytes)
{
    size_t element = run->element_bytes, words = (bytes + element - 1) / element;
    if (first < 0 || (size_t)first + words > (size_t)run->facts->coefficients)
        give_up(run, "a coefficient is set that the stencil does not have");
    else
        memcpy((char *)run->data.coefficients + (size_t)first * element, value, bytes);
}

/* Sets a coefficient, by its bits or, of an array of doubles, by its value, if a double holds it.
 */
static void put(gz_stencil_run *run, int first, const void *value, size_t bytes, double wide,
                bool exact)
{
    if (!enter_ready(run))
        return;
    if (run->stencil->type != GZK_DOUBLE)
        put_bytes(run, first, value, bytes);
    else if (exact)
        put_bytes(run, first, &wide, sizeof wide);
    else
        give_up(run, "a whole number is too large for a double");
    leave(run);
}

static bool in_double(long value)
{
    return value >= -(1L << 53) && value <= 1L << 53;
}

void gz_stencil_int(gz_stencil_run *run, int first, long value)
{
    int bits = (int)(unsigned int)value;
    if (value >= INT_MIN && value <= (long)UINT_MAX) {
        put(run, first, &bits, sizeof bits, (double)value, true);
    } else if (enter_ready(run)) {
        give_up(run, "a whole number is too large");
        leave(run);
    }
}

void gz_stencil_long(gz_stencil_run *run, int first, long value)
{
    put(run, first, &value, sizeof value, (double)value, in_double(value));
}

void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value)
{
    put(run, first, &value, sizeof value, (double)value, value <= 1UL << 53);
}

void gz_stencil_float(gz_stencil_run *run, int first, float value)
{
    put(run, first, &value, sizeof value, (double)value, true);
}

void gz_stencil_double(gz_stencil_run *run, int first, double value)
{
    put(run, first, &value, sizeof value, value, true);
}

/* ---------------------------------------------------------------------------------------- run */

/* Copies the cells of the grid that lie beside the domain. */
static void copy_field_border(const gz_stencil_run *run, void *to, const void *from)
{
    const int *size = run->data.size, y_rim = rim_of(run->facts, 1), z_rim = rim_of(run->facts, 2);
    size_t bytes = run->element_bytes, row = (size_t)size[0] * bytes, at = 0;
    size_t end = (size_t)rim_of(run->facts, 0) * bytes;

    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++, at += row) {
            bool outer = y < y_rim || y >= size[1] - y_rim || z < z_rim || z >= size[2] - z_rim ||
                         2 * end >= row;
            memcpy((char *)to + at, (const char *)from + at, outer ? row : end);
            if (!outer)
                memcpy((char *)to + at + row - end, (const char *)from + at + row - end, end);
        }
}

/* The same of all fields of a state, which lie `to_bytes` and `from_bytes` apart. */
static void copy_border(const gz_stencil_run *run, void *to, size_t to_bytes, const void *from,
                        size_t from_bytes)
{
    for (int f = 0; f < gzk_fields(run->stencil); f++)
        copy_field_border(run, (char *)to + (size_t)f * to_bytes,
                          (const char *)from + (size_t)f * from_bytes);
}

/* Puts the borders, and what kept cells hold if there are two buffers, where the kernels look for
 * them. */
static void set_borders(gz_stencil_run *run)
{
    size_t constants = (size_t)run->facts->constant_arrays;
    size_t first = (size_t)run->stencil->coefficient_arrays;
    size_t fields = (size_t)gzk_fields(run->stencil), apart = run->data.cells * run->element_bytes;
    size_t stride = run->data.stride * run->element_bytes;

    if (run->known->keeps) {
        gzk_host_copy(aux_array(run, constants), run->data.state, run->state_bytes, host_threads());
        gzk_host_copy(aux_array(run, constants + 1), run->other, run->state_bytes, host_threads());
    }
    if (border_arrays(run) > 0) {
        copy_border(run, aux_array(run, first), stride, run->data.state, apart);
        copy_border(run, aux_array(run, first + fields), stride,
                    run->facts->buffers >= 2 || run->later_border ? run->other : run->data.state,
                    apart);
    }
}

/* Gives up the device for the original loops, if it takes longer. */
static int outdo(gz_stencil_run *run, double loop_s, struct gzk_error *error)
{
    run->trial.loop_s = loop_s;
    if (gzs_way_goes(run->known, &run->way, (double)run->at, loop_s))
        return 0;
    run->trial.given_up = true;
    return gzk_fail(error, GZK_FAILED, "the device was tried: they are expected to be faster");
}

/* At least, of a loop of a stage that took so long: the first may be cold, or finish compiling. */
static double loop_of(double seconds, bool first, long height)
{
    const double long_s = 0.02, of_short = 8, of_long = 2;
    double longer = !first ? 1 : seconds < long_s ? of_short : of_long;
    return seconds / longer / (double)height;
}

/* Tries the device by two stages, if there are many. */
static int try_device(gz_stencil_run *run, struct gzk_plan *plan, long loops,
                      struct gzk_error *error)
{
    enum { STAGES = 2, MANY = 8 };
    long height = run->choice.config.height;
    double seconds = 0;
    int status = run->choice.tried_s > 0 ? outdo(run, run->choice.tried_s, error) : 0;
    for (int i = 0; i < STAGES && loops >= MANY * height && status == 0; i++) {
        status = gzk_plan_advance(plan, run->at, height, &never, &seconds, error);
        run->at += height;
        run->trial.done += height;
        run->seconds += seconds;
        if (status == 0)
            status = outdo(run, loop_of(seconds, i == 0, height), error);
    }
    return status;
}

/* Runs more loops of a plan; the last one alone if the state before it is a result too, which of
 * three time levels is there anyway. */
static int advance(gz_stencil_run *run, struct gzk_plan *plan, long loops, struct gzk_error *error)
{
    bool alone = run->facts->both && !run->stencil->older;
    const long parts[2] = {alone ? loops - 1 : loops, alone ? 1 : 0};
    int status = 0;

    for (int i = 0; i < 2 && loops > 0 && status == 0; i++) {
        double seconds = 0;
        if (run->trial.on)
            status = try_device(run, plan, parts[i], error);
        long left = parts[i] - (run->trial.on ? run->trial.done : 0);
        run->trial.on = false;
        if (status == 0)
            status = run->divided
                         ? gzs_divided_advance(run->divided, plan, run->at, left, &seconds, error)
                         : gzk_plan_advance(plan, run->at, left, &never, &seconds, error);
        run->at += left;
        run->seconds += seconds;
    }
    if (run->at > 0)
        run->choice.measured_s = run->seconds / (double)run->at;
    return status;
}

/* Gets the state of that age to where the caller finds it; age 2 when the last loop is yet to run.
 */
static int fetch(gz_stencil_run *run, struct gzk_session *session, int age, struct gzk_error *error)
{
    void *to = run->copy[age] ? run->copy[age] : gzk_session_place(session, age);
    if (!to)
        to = age == 0 ? run->data.state : run->other;
    run->result[age] = to;
    if (run->divided)
        return gzs_divided_read(run->divided, session, age, to, error);
    return age == 0 ? gzk_session_read(session, to, error)
                    : gzk_session_read_before(session, to, error);
}

/* What the kernels compute on. */
static const struct gzk_data *grid_of(const gz_stencil_run *run)
{
    return run->divided ? gzs_divided_grid(run->divided) : &run->data;
}

/* What is expected of a run whose data end it: what the one before took, or else the most. */
static struct gzk_ending ending_of(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    if (!facts->measure)
        return (struct gzk_ending){0};
    long loops = gzs_way_loops(run->known, run->data.size);
    return (struct gzk_ending){facts->both ? 2 : 1,
                               loops > 0 && loops < run->loops ? loops : run->loops};
}

/* Makes a plan of what was chosen; compiling may take longer than all loops. */
static int make_plan(gz_stencil_run *run, struct gzk_session *session, struct gzk_plan **plan,
                     struct gzk_error *error)
{
    double begin = cli_now();
    int status = gzk_plan_new(session, &run->choice.config, plan, error);
    run->made_s += cli_now() - begin;
    return status;
}

/* Prepares the arrays and chooses how they are to be run. */
static int prepare(gz_stencil_run *run, struct gzk_error *error)
{
    const struct gz_stencil *facts = run->facts;
    const struct gzk_ending ending = ending_of(run);
    int status = 0;

    set_borders(run);
    if (run->watch.count > 0)
        status = gzs_watch_make(&run->watch, run->stencil, &run->data, run->loops, error);
    if (status == 0 && run->divided)
        status = gzs_divided_put(run->divided, device, &run->data, error);
    run->made_s -= cli_now();
    if (status == 0 && !run->chosen)
        status = gzs_choose(device, run->stencil, grid_of(run), facts->height, facts->contract != 0,
                            run->watch.count > 0, &ending, &run->choice, error);
    run->made_s += cli_now();
    run->chosen = status == 0;
    return status;
}

static int watch_cells(gz_stencil_run *run, struct gzk_session *session, struct gzk_error *error)
{
    return run->watch.count > 0 ? gzk_session_watch(session, &run->watch.told, error) : 0;
}

/* Begins with the arrays as they are, where the device can. */
static int begin_in_place(gz_stencil_run *run, struct gzk_session **session,
                          struct gzk_error *error)
{
    bool pairs = run->stencil->older && gzk_variants[run->choice.config.variant].any_height;
    for (int i = 0; i < 2 && pairs && device->info.is_cpu && !run->next[i]; i++)
        if (!(run->next[i] = new_array(run->state_bytes)))
            return gzk_fail(error, GZK_FAILED, "out of memory");
    void *const place[4] = {run->data.state, run->other, run->next[0], run->next[1]};
    int status = gzk_session_in_place(device, run->stencil, &run->data, place, session, error);
    return status == 0 ? watch_cells(run, *session, error) : status;
}

/* Runs more loops from data.state on. */
static int run_loops(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    struct gzk_session *session = NULL;
    struct gzk_plan *plan = NULL;
    int status = begin_in_place(run, &session, error);

    if (status == 0)
        status = make_plan(run, session, &plan, error);
    /* The state two loops before the last is there before that. */
    bool third = run->facts->both == 2;
    if (status == 0 && third)
        status = advance(run, plan, loops - 1, error);
    if (status == 0 && third)
        status = fetch(run, session, 2, error);
    if (status == 0)
        status = advance(run, plan, third ? 1 : loops, error);
    if (status == 0)
        status = fetch(run, session, 0, error);
    if (status == 0 && run->facts->both)
        status = fetch(run, session, 1, error);
    if (status == 0)
        status = gzk_session_seen(session, error);
    gzk_plan_free(plan);
    gzk_session_free(session);
    return status;
}

/* The state as it is now, with the border of buffer 1, becomes what the next loops begin with. */
static void take_border(gz_stencil_run *run)
{
    size_t first = (size_t)run->stencil->coefficient_arrays;
    void *border = aux_array(run, first);
    void *later = aux_array(run, first + (size_t)gzk_fields(run->stencil));
    size_t apart = run->data.cells * run->element_bytes;
    size_t stride = run->data.stride * run->element_bytes;
    if (run->result[0] != run->data.state)
        gzk_host_copy(run->data.state, run->result[0], run->state_bytes, host_threads());
    copy_border(run, border, stride, later, stride);
    copy_border(run, run->data.state, apart, later, stride);
}

static void leave_device(gz_stencil_run *run)
{
    if (run->divided)
        gzs_divided_leave(run->divided);
    gzk_plan_free(run->plan);
    gzk_session_free(run->session);
    run->plan = NULL;
    run->session = NULL;
}

static int run_on_device(gz_stencil_run *run, struct gzk_error *error)
{
    int status = prepare(run, error);
    if (status == 0 && run->later_border && run->loops > 1) {
        status = run_loops(run, 1, error);
        if (status == 0)
            take_border(run);
    }
    return status == 0 ? run_loops(run, run->loops - run->at, error) : status;
}

/* The original loops run in place of a device that was given up. */
static void turn_back(gz_stencil_run *run)
{
    if (!run->trial.given_up || run->way.way == GZS_ON_HOST)
        return;
    gzs_way_tried(run->known, run->data.size, run->loops, GZS_ON_DEVICE, 0, run->trial.loop_s);
    run->way.way = GZS_ON_HOST;
    run->usual = run->faster = true;
    run->trial = (struct trial){0};
    run->begun_s = cli_now();
}

int gz_stencil_execute(gz_stencil_run *run)
{
    struct gzk_error error;
    int results = 0;
    if (!enter_ready(run))
        return 0;
    if (take_device(run) && give_back_device(run, run_on_device(run, &error), &error)) {
        run->done = true;
        run->original = run->checking;
        results = !run->checking;
    }
    turn_back(run);
    leave(run);
    return results;
}

/* ------------------------------------------------------------------------- loops that data end */

/* Begins a run on the device that goes on stage by stage. */
static int start(gz_stencil_run *run, struct gzk_error *error)
{
    int status = prepare(run, error);
    run->choice.config.loops = run->choice.config.height;
    if (status == 0)
        status = begin_in_place(run, &run->session, error);
    if (status == 0)
        status = make_plan(run, run->session, &run->plan, error);
    return status;
}

static bool make_room(gz_stencil_run *run, size_t count)
{
    if (count <= run->found_room)
        return true;
    size_t room = 2 * count;
    union gzk_found *found = realloc(run->found, room * sizeof *found);
    if (!found)
        return false;
    run->found = found;
    run->found_room = room;
    return true;
}

/* Runs a stage more and keeps what its loops find. */
static int measure_stage(gz_stencil_run *run, struct gzk_error *error)
{
    int status = run->session ? 0 : start(run, error);
    int height = run->choice.config.height;
    double seconds = 0;

    if (status == 0 && !make_room(run, (size_t)(run->at + height)))
        status = gzk_fail(error, GZK_FAILED, "out of memory");
    if (status == 0)
        status = gzk_plan_advance(run->plan, run->at, height, &never, &seconds, error);
    if (status == 0)
        status = gzk_plan_found(run->plan, height, run->found + run->at, error);
    run->at += status == 0 ? height : 0;
    run->seconds += seconds;
    if (status == 0 && run->trial.on && run->at >= 2 * height)
        status = outdo(run, seconds / height, error);
    run->trial.on = run->trial.on && run->at < 4 * height;
    return status;
}

/* What a loop finds, of whole numbers or not. */
static int find(gz_stencil_run *run, long loop, bool whole, union gzk_found *found)
{
    struct gzk_error error;
    if (!enter_ready(run))
        return 0;
    int measure = run->facts->measure;
    if (!measure || (measure == 4) != whole || run->open || loop < 0 || loop > run->at)
        give_up(run, "a measure is asked for that there is not");
    else if (loop >= run->loops)
        give_up(run, "its loops do not end");
    else if (loop == run->at && take_device(run))
        give_back_device(run, measure_stage(run, &error), &error);
    turn_back(run);
    if (run->ready && !whole && isnan(run->found[loop].number))
        give_up(run, "what a loop changes is not a number");
    else if (run->ready)
        *found = run->found[loop];
    bool told = run->ready;
    leave(run);
    return told;
}

int gz_stencil_measure(gz_stencil_run *run, long loop, double *found)
{
    union gzk_found number;
    int told = found && find(run, loop, false, &number);
    if (told)
        *found = number.number;
    return told;
}

int gz_stencil_measure_whole(gz_stencil_run *run, long loop, long *found)
{
    union gzk_found number;
    int told = found && find(run, loop, true, &number);
    if (told)
        *found = (long)number.whole;
    return told;
}

/* Goes back to where the last stage began, and on to a loop of it, unless that is its last. */
static int settle(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    int height = run->choice.config.height;
    int status = 0;
    run->choice.measured_s = run->seconds / (double)run->at;
    if (loops < run->at || run->facts->both) {
        gzk_session_turn(run->session);
        run->at -= height;
        status = advance(run, run->plan, loops - run->at, error);
    }
    if (status == 0)
        status = fetch(run, run->session, 0, error);
    if (status == 0 && run->facts->both)
        status = fetch(run, run->session, 1, error);
    leave_device(run);
    return status;
}

int gz_stencil_settle(gz_stencil_run *run, long loops)
{
    struct gzk_error error;
    int results = 0;
    if (!enter_ready(run))
        return 0;
    run->usual = loops < 1;
    if (loops < 1)
        give_up(run, "there is nothing to do");
    else if (!run->session || loops > run->at || loops <= run->at - run->choice.config.height)
        give_up(run, "its loops end where none was measured");
    else if (take_device(run) && give_back_device(run, settle(run, loops, &error), &error)) {
        run->loops = loops;
        run->done = true;
        run->original = run->checking;
        results = !run->checking;
    }
    leave(run);
    return results;
}

const void *gz_stencil_seen(const gz_stencil_run *run, long loop, long number)
{
    return run && run->done && loop < run->at
               ? gzs_watch_seen(&run->watch, loop, number, run->element_bytes)
               : NULL;
}

void gz_stencil_hear(gz_stencil_run *run, int pass, void *at, unsigned long bytes, const char *name)
{
    if (!at || !gz_stencil_checking(run) || !enter(run))
        return;
    const char *kept = gzs_heard(run->heard, pass, at, bytes);
    if (pass == 3 && kept)
        memcpy(at, kept, bytes);
    if (pass == 4 && (!kept || memcmp(kept, at, bytes) != 0) && !run->check.variable[0])
        snprintf(run->check.variable, sizeof run->check.variable, "%s", name ? name : "");
    leave(run);
}

const void *gz_stencil_result(const gz_stencil_run *run, int age)
{
    return run && age >= 0 && age < 3 ? run->result[age] : NULL;
}

int gz_stencil_original(const gz_stencil_run *run)
{
    if (!run || atomic_load(&run->clashed))
        return 1;
    return run->faster ? GZ_STENCIL_FASTER : run->original;
}

int gz_stencil_checking(const gz_stencil_run *run)
{
    return run && run->done && run->checking;
}

void gz_stencil_compare(gz_stencil_run *run, int buffer, int age)
{
    const void *original = gz_stencil_buffer(run, buffer), *found = gz_stencil_result(run, age);
    if (!original || !found || !gz_stencil_checking(run) || !enter(run))
        return;
    struct gzk_serial serial = {.stencil = run->stencil, .data = &run->data, .loops = run->loops};
    gzs_compare(&serial, original, found, run->facts->contract != 0, &run->check);
    leave(run);
}

void gz_stencil_compare_variable(gz_stencil_run *run, const char *name, const void *original,
                                 const void *found, unsigned long bytes)
{
    if (!name || !original || !found || !gz_stencil_checking(run) || !enter(run))
        return;
    if (memcmp(original, found, bytes) != 0 && !run->check.variable[0])
        snprintf(run->check.variable, sizeof run->check.variable, "%s", name);
    leave(run);
}

/* ---------------------------------------------------------------------------------- open runs */

gz_stencil_run *gz_stencil_open(const struct gz_stencil *stencil, const long extent[3], long loops)
{
    return begin(stencil, extent, loops, 1, true);
}

/* Puts what places need before a stencil's body: another stencil. */
static int place_cells(gz_stencil_run *run, const struct gz_stencil *stencil, const char *place,
                       struct gzk_error *error)
{
    struct gz_stencil placed = *stencil;
    const char *wrong = "out of memory", **body;
    size_t pieces = 0;

    while (stencil->body[pieces])
        pieces++;
    body = calloc(pieces + 2, sizeof *body);
    if (!body)
        return gzk_fail(error, GZK_FAILED, "%s", wrong);
    body[0] = place;
    memcpy(body + 1, stencil->body, pieces * sizeof *body);
    placed.body = body;
    placed.coefficients += GZK_PLACE_NUMBERS;
    pthread_mutex_lock(&lock);
    struct gzs_known *known = gzs_know(&placed, &wrong);
    pthread_mutex_unlock(&lock);
    free(body);
    if (!known)
        return gzk_fail(error, GZK_INVALID, "on ranks, with %d coefficients more: %s",
                        (int)GZK_PLACE_NUMBERS, wrong);
    run->known = known;
    run->facts = &known->facts;
    run->stencil = &known->stencil;
    return 0;
}

/* Divides a run that all ranks have. */
static int divide(gz_stencil_run *run, const struct gz_stencil *stencil,
                  const struct gz_stencil_ranks *ranks, struct gzk_error *error)
{
    char place[GZK_PLACE_TEXT + 1];
    int status = gzs_divided_split(run->divided, ranks, run->stencil, &run->data, place, error);
    if (status == 0)
        status = place_cells(run, stencil, place, error);
    return status == 0 ? gzs_divided_make(run->divided, run->stencil, error) : status;
}

/* Unless the device was opened before. */
static void take_turn(int turn)
{
    pthread_mutex_lock(&lock);
    device_turn = turn;
    pthread_mutex_unlock(&lock);
}

gz_stencil_run *gz_stencil_open_ranks(const struct gz_stencil *stencil, const long extent[3],
                                      long loops, const struct gz_stencil_ranks *ranks)
{
    struct gzk_error error = {0};
    struct gzs_divided *divided = NULL;
    int status = ranks && ranks->communicator
                     ? gzs_divided_open(ranks->communicator, &divided, &error)
                     : gzk_fail(&error, GZK_INVALID, "ranks: must name a communicator");
    if (status == 0)
        take_turn(gzs_divided_turn(divided));
    gz_stencil_run *run = begin(stencil, extent, loops, 1, true);
    if (!run) {
        gzs_divided_close(divided);
        return NULL;
    }
    run->divided = divided;
    if (status == 0)
        status = gzs_divided_agree(run->divided, run->ready ? 0 : GZK_FAILED, &error);
    if (status == 0)
        status = gzs_divided_agree(run->divided, divide(run, stencil, ranks, &error), &error);
    if (status != 0)
        give_up(run, error.text);
    return run;
}

/* Whether an open run may go on, which is entered then. */
static bool enter_open(gz_stencil_run *run, bool put)
{
    if (!enter_ready(run))
        return false;
    if (run->open && (put || run->session))
        return true;
    leave(run);
    return false;
}

static int put_arrays(gz_stencil_run *run, struct gzk_error *error)
{
    leave_device(run);
    run->at = 0;
    run->seconds = 0;
    int status = prepare(run, error);
    if (status == 0)
        status = gzk_session_new(device, run->stencil, grid_of(run), &run->session, error);
    if (status == 0)
        status = watch_cells(run, run->session, error);
    if (status == 0)
        status = make_plan(run, run->session, &run->plan, error);
    if (status == 0)
        status = gzk_session_reset(run->session, error);
    if (run->divided)
        status = gzs_divided_enter(run->divided, device, run->session, status, error);
    if (status != 0)
        leave_device(run);
    return status;
}

int gz_stencil_put(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!enter_open(run, true))
        return 0;
    int done = take_devices(run) && give_back_device(run, put_arrays(run, &error), &error);
    leave(run);
    return done;
}

int gz_stencil_advance(gz_stencil_run *run, long loops)
{
    struct gzk_error error;
    int done = 0;
    if (!enter_open(run, false))
        return 0;
    if (loops < 0 || loops > run->loops - run->at)
        snprintf(run->reason, sizeof run->reason,
                 "%ld loops after %ld: must be at least 0, and at most %ld in all", loops, run->at,
                 run->loops);
    else
        done = take_devices(run) &&
               give_back_device(run, advance(run, run->plan, loops, &error), &error);
    leave(run);
    return done;
}

/* Copies both states back; before the first loop, they are the buffers. */
static int get(gz_stencil_run *run, struct gzk_error *error)
{
    int status = run->divided ? gzs_divided_refresh(run->divided, error) : 0;
    if (status == 0)
        status = fetch(run, run->session, 0, error);
    if (status == 0 && run->at > 0 && run->facts->both)
        status = fetch(run, run->session, 1, error);
    if (status == 0)
        status = gzk_session_seen(run->session, error);
    if (status == 0 && run->at == 0) {
        memcpy(run->copy[1], run->other, run->state_bytes);
        run->result[1] = run->copy[1];
    }
    return run->divided ? gzs_divided_agree(run->divided, status, error) : status;
}

int gz_stencil_get(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!enter_open(run, false))
        return 0;
    bool done = take_devices(run) && give_back_device(run, get(run, &error), &error);
    run->done = run->done || done;
    leave(run);
    return done;
}

const char *gz_stencil_reason(const gz_stencil_run *run)
{
    if (!run)
        return "out of memory";
    return atomic_load(&run->clashed) ? two_threads : run->reason;
}

void gz_stencil_close(gz_stencil_run *run)
{
    gz_stencil_end(run);
}

/* ---------------------------------------------------------------------------------------- end */

static void report(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    const struct gzk_config *config = &run->choice.config;
    char size[64] = "", predicted[600] = "", tried[60] = "";
    const char *why = run->way.why;

    for (int axis = facts->dimensions - 1, at = 0; axis >= 0; axis--)
        at += snprintf(size + at, sizeof size - (size_t)at, "%d%s", run->data.size[axis],
                       axis ? "x" : "");
    if (run->choice.predicted_s > 0)
        snprintf(predicted, sizeof predicted, ", predicted %.3g (%s)", run->choice.predicted_s,
                 run->choice.by.text);
    if (run->choice.tried_s > 0)
        snprintf(tried, sizeof tried, ", %s %.3g",
                 run->choice.from_cache ? "tried by an earlier process" : "tried",
                 run->choice.tried_s);
    fprintf(stderr,
            "gzstencil: %s:%d: %s, %ld loops on %s: %s, block %dx%dx%d, height %d, %.3g s a "
            "loop%s%s%s%s%s\n",
            run->file, run->line, size, run->open ? run->at : run->loops, device->info.address,
            gzk_variants[config->variant].name, config->block[0], config->block[1],
            config->block[2], config->height, run->choice.measured_s, predicted, tried,
            facts->measure == 3 ? "; sums are added in another order than C's" : "",
            *why ? "; " : "", why);
    double call_s = cli_now() - run->begun_s, rest_s = call_s - run->made_s - run->seconds;
    fprintf(
        stderr,
        "gzstencil:   its call took %s: device, choice and kernels %s, loops %s, copies and the "
        "rest %s\n",
        gzk_si(call_s, "s").text, gzk_si(run->made_s, "s").text, gzk_si(run->seconds, "s").text,
        gzk_si(fmax(rest_s, 0), "s").text);
}

/* Why the original loops run: if asked for, or once a stencil without that; an open run tells its
 * caller by gz_stencil_reason. */
static void report_original(gz_stencil_run *run)
{
    static atomic_bool nameless;
    bool asked = gzs_word(GZS_REPORT) > 0;
    bool first = !run->usual && !run->open &&
                 !atomic_exchange(run->known ? &run->known->told : &nameless, true);

    if (asked && gz_stencil_again(run) > 0)
        fprintf(stderr, "gzstencil: %s:%d: %ld of %ld original loops took %.3g s each: %s\n",
                run->file, run->line, run->trial.done, run->loops, run->trial.loop_s,
                "the device is tried");
    else if (asked || first)
        fprintf(stderr, "gzstencil: %s:%d: the original loops run: %s%s\n", run->file, run->line,
                gz_stencil_reason(run), asked ? "" : " (said once; GZ_REPORT=1 says it each time)");
}

static void free_arrays(gz_stencil_run *run)
{
    if (!run->stencil)
        return;
    gzs_array_free(run->data.state, run->state_bytes);
    gzs_array_free(run->other, run->state_bytes);
    gzk_host_free(run->data.aux, aux_bytes(run));
    free(run->data.coefficients);
    free(run->rows);
    free(run->found);
    gzs_spans_free(&run->spans);
    gzs_spans_free(&run->written);
    gzs_watch_free(&run->watch);
    free(run->heard[0].bytes);
    free(run->heard[1].bytes);
    for (int i = 0; i < 2; i++)
        gzs_array_free(run->next[i], run->state_bytes);
    for (int age = 0; age < 3; age++)
        gzs_array_free(run->copy[age], run->state_bytes);
}

/* What is learnt for the next run: the time since the call began, or, of the original loops, since
 * they were asked for. */
static void learn(const gz_stencil_run *run)
{
    long loops = run->done ? run->loops : run->trial.done;
    if (run->facts && run->facts->measure && loops > 0 && !gz_stencil_again(run))
        gzs_way_ended(run->known, run->data.size, loops);
    if (gz_stencil_again(run) > 0) {
        gzs_way_tried(run->known, run->data.size, run->loops, GZS_ON_HOST, run->trial.done,
                      run->trial.loop_s);
    } else if (run->way.measured && (run->done || run->faster))
        gzs_way_took(run->known, run->data.size, run->loops, run->way.way,
                     cli_now() - run->begun_s);
}

void gz_stencil_end(gz_stencil_run *run)
{
    char where[300];
    if (!run)
        return;
    if (!enter(run)) {
        fprintf(stderr, "gzstencil: a run was ended while another thread used it: it is kept\n");
        return;
    }
    learn(run);
    if (gz_stencil_checking(run)) {
        snprintf(where, sizeof where, "%s:%d", run->file, run->line);
        gzs_report_check(&run->check, run->stencil, where);
    }
    if (run->done && gzs_word(GZS_REPORT) > 0)
        report(run);
    else if (!run->done && gz_stencil_original(run))
        report_original(run);
    /* A child has no device; what its parent has there is not its own. */
    if (run->session && !gzs_is_child()) {
        pthread_mutex_lock(&lock);
        leave_device(run);
        pthread_mutex_unlock(&lock);
    }
    if (!gzs_is_child())
        gzs_divided_close(run->divided);
    free_arrays(run);
    free(run);
}
