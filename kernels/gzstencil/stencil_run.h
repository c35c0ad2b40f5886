/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil_run.h - a run of a stencil, from gz_stencil_begin to gz_stencil_end, as the files that
 * work on it share it.
 */
#ifndef GZS_STENCIL_RUN_H
#define GZS_STENCIL_RUN_H

#include "choice.h"
#include "divided.h"
#include "known.h"
#include "plan.h"
#include "way.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* Bytes to be copied; `at` are to be copied before them. */
struct row {
    char *to;
    const char *from;
    size_t bytes, at;
};

/* Parts of the caller's memory, to find any that overlap. */
struct gzs_spans {
    struct gzs_span *list;
    size_t count, room;
};

/* Elements of the state that a run records after each loop. */
struct gzs_watch {
    size_t *list; /* by place once the run begins */
    size_t count, room;
    unsigned char *is_listed; /* a bit for each element of the state */
    size_t next;              /* of the list, behind the last that was seen */
    size_t loops;
    struct gzk_watch told;
};

/* GZ_CHECK: what was compared so far. */
struct gzs_check {
    size_t compared, wrong;
    double ulp; /* the largest difference in units in the last place of the original's element;
                   infinite if only one of two is a number */
    char variable[64]; /* the first that ends with another value, or empty */
};

/* Bytes in a row that are kept meanwhile, gone through again in each pass. */
struct gzs_heard {
    char *bytes;
    size_t count, room, at;
    int pass; /* in which `at` is */
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
    atomic_bool busy;    /* a call of a thread is in it */
    int callers_errno;   /* meanwhile: the loops that it replaces set none */
    atomic_bool clashed; /* another's came meanwhile */
    void *other;   /* buffer 1, as data.state is buffer 0; on a CPU the kernels work on both as
                      they are */
    void *next[2]; /* of three time levels, what such kernels compute from these two */
    void *copy[2]; /* results by age, if the buffers must stay as they were filled, or have no place
                      for them; else NULL */
    const void *result[2]; /* by age */
    struct gzs_spans spans;
    struct gzs_watch watch;
    struct gzs_heard heard[2]; /* what was there, and what was set */
    struct row *rows;          /* to be copied, and how many there are and may be */
    size_t row_count, row_room;
    struct gzs_check check;
    char reason[512]; /* why the original loops run */
    struct gzk_choice choice;
    /* An open run: the arrays on the device, the loops that have run since they were put there,
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

/* ------------------------------------------------------------------------- the device (turns.c) */

/* The one device of the process, with its compiled programs; runs take turns. Or why there is none.
 */
extern struct gzk_device *gzs_device;
extern char gzs_device_reason[256];
extern pthread_mutex_t gzs_lock;

/* Opens it unless that was tried; with the lock. */
struct gzk_device *gzs_the_device(void);
/* This process's turn among those of an MPI program on this machine, before that. */
void gzs_take_turn(int turn);
/* Threads that arrays are prepared on. */
int gzs_host_threads(void);

/* Why the original loops must run in this thread, NULL if they need not: it belongs to a child of
 * the process that opened the device, which must not use it nor the lock around it; it runs in an
 * active parallel region of OpenMP; or its arithmetic rounds otherwise than to nearest, flushes
 * small numbers to 0, or stops at exceptions. The first two alone. */
const char *gzs_caller_forbids(void);
const char *gzs_is_child(void);
bool gzs_in_parallel(void);

/* The original loops must run, for that reason. */
void gzs_give_up(gz_stencil_run *run, const char *reason);
extern const char gzs_two_threads[];

/* Does something that takes a number of loops with the device, which no other thread has meanwhile;
 * whether all went well. If not, the run is given up: the thread may forbid to compute in its
 * place, and if a rank of those that go together cannot, none does. */
typedef int gzs_act(gz_stencil_run *run, long loops, struct gzk_error *error);
bool gzs_on_device(gz_stencil_run *run, gzs_act *act, long loops);

/* ------------------------------------------------------------------------- arrays (gzstencil.c) */

/* A run begins, open or not; NULL if memory is short. */
gz_stencil_run *gzs_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                          int usable, bool open);

/* An array that will be filled. */
void *gzs_new_array(size_t bytes);
/* Constant or border array k. */
void *gzs_aux_array(gz_stencil_run *run, size_t k);

/* ------------------------------------------------------------------------------ loops (loops.c) */

/* Prepares the arrays, chooses how they are to be run, and begins on the device. */
int gzs_start(gz_stencil_run *run, struct gzk_error *error);
/* Runs more loops. */
gzs_act gzs_advance;
/* Gives up the device for the original loops, if it takes longer. */
int gzs_outdo(gz_stencil_run *run, double loop_s, struct gzk_error *error);
/* Gets the state to where the caller finds it and, of three time levels, the one before. */
int gzs_fetch(gz_stencil_run *run, struct gzk_error *error);
/* The results are there; whether they are to be taken. */
bool gzs_finish(gz_stencil_run *run);
/* The original loops run in place of a device that was given up. */
void gzs_turn_back(gz_stencil_run *run);
void gzs_leave_device(gz_stencil_run *run);

/* ---------------------------------------------------- the caller's memory (spans.c), and others */

/* Sorts the spans; whether a byte that is written lies in two of them. */
bool gzs_spans_overlap(struct gzs_spans *spans);
/* Whether the first and the last byte of each, or of those that are written if `write`, can be read
 * and then also written, as far as the system can say; their contents stay. Borders that C reads
 * under a condition only, or never, may lie beyond the arrays. */
bool gzs_spans_accessible(const struct gzs_spans *spans, bool write);

/* What the kernels need to record elements (watch.c). GZK_FAILED if memory is short. */
int gzs_watch_make(gz_stencil_run *run, struct gzk_error *error);
/* Harmless on one of zeros. */
void gzs_watch_free(struct gzs_watch *watch);

/* Prints what was compared (compare.c). Unless GZ_CHECK is warn, a check that failed makes this
 * process end with status 1 once it exits by itself. */
void gzs_report_check(const gz_stencil_run *run);

/* --------------------------------------------------------------------------------- a run's user */

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
        gzs_give_up(run, gzs_two_threads);
    run->callers_errno = errno;
    return true;
}

static inline void leave(gz_stencil_run *run)
{
    errno = run->callers_errno;
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

#endif
