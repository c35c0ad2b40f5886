/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzstencil.h - runs a stencil over a grid on a GPU or another device: what gzc(1) writes in place
 * of annotated loops, and what a program may call itself. See libgzstencil(3).
 *
 * A grid has one to three axes; 0 is the one whose cells are neighbours in memory. It consists of
 * the domain, the cells that are computed, and of a rim of cells before and behind it that are read
 * and never written. Arrays are `double`, `float` or `int`, contiguous, rim included.
 *
 * No function prints or exits, except for: the reason why original loops must run, once a stencil;
 * the lines of GZ_REPORT and GZ_CHECK; status 1 at the exit of a program whose check failed. Every
 * function takes NULL for a run, and out of range numbers, without harm. libgzstencil(3) says what
 * "the same bits" means. This header includes no other.
 */
#ifndef GZSTENCIL_H
#define GZSTENCIL_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define GZ_STENCIL_API __attribute__((visibility("default")))
#else
#define GZ_STENCIL_API
#endif

/* Types of elements. */
enum gz_stencil_type { GZ_STENCIL_INT, GZ_STENCIL_FLOAT, GZ_STENCIL_DOUBLE };

/* What lies beyond the domain along an axis: the nearest cell, zero, the domain again, or a rim of
 * cells, as many as the radius at either end, that are read and never written. */
enum gz_stencil_edge { GZ_STENCIL_CLAMP, GZ_STENCIL_ZERO, GZ_STENCIL_PERIODIC, GZ_STENCIL_KEEP };

/* Elements that a cell reads, each once: of the state, those of them in its own column along the
 * last axis, and of all constant arrays together; whether it reads other planes along that axis in
 * its own column only. All 0 if nobody counted them. */
struct gz_stencil_reads {
    int state, column, arrays, own_column;
};

/* A stencil, as gzc writes it. */
struct gz_stencil {
    const char *file; /* where its loop stands, for reports; may be NULL */
    int line;
    const char *const *body; /* its text in pieces, ended by a null pointer */
    int dimensions;          /* 1 to 3 */
    int radius[3];           /* cells by axis, 0 to 64, 0 for those that it lacks */
    int type;                /* enum gz_stencil_type */
    int edge[3];             /* enum gz_stencil_edge, by axis */
    int coefficients;        /* 128 at most */
    int constant_arrays;     /* arrays that never change */
    int step_arrays;         /* arrays of which every loop has new ones */
    int step_values;         /* numbers likewise, each the same for all cells */
    int operations;          /* per cell, at least 1 */
    struct gz_stencil_reads reads;
    int buffers;  /* 2 if the state moves between two arrays, each with a border of its own; 3 if,
                     besides, a cell reads what it overwrites, OLDER, the state before the last:
                     buffer 1 is that; else 1 */
    int guarded;  /* whether some cells of the domain are never written */
    int height;   /* loops a stage; 0: chosen */
    int contract; /* 0: the same bits as C; 1: a multiplication and an addition may round once; 2:
                     it also calls functions that devices round differently */
    int measure; /* whether the body has a GZ_MEASURE too, for gz_stencil_measure: 1 of type double,
                    2 of type float, of which the largest is wanted; 3 of type double, 4 of whole
                    numbers, of which the sum is; not with three time levels or arrays per step */
    int fields;  /* values of a cell if there are several, each an array in a buffer and a result,
                    one behind the other; 0 or 1: one. See FIELD and THIS in libgzstencil(3) */
};

/* One run over one grid, for one thread at a time: a call that another thread's is still in fails,
 * as do all that follow, with that reason. */
typedef struct gz_stencil_run gz_stencil_run;

/* Why a program keeps its own loops for once: rows of an array overlap; all threads of an OpenMP
 * region run the loops; edges on one side read what lies beyond the other; sizes or bounds are not
 * what gzc(1) assumes; the first loop does not compute a size of later ones; the loops are fewer
 * than the arrays that their state moves through; the compiler was given other macros than gzc; of
 * several arrays, what is never written differs; what a loop compares is zero, of which C may take
 * either; a cell to be watched lies beyond the grid. */
enum {
    GZ_STENCIL_OTHER_ROWS = 0,
    GZ_STENCIL_IN_PARALLEL = -1,
    GZ_STENCIL_SMALL_DOMAIN = -2,
    GZ_STENCIL_OTHER_SIZES = -3,
    GZ_STENCIL_LATER_SIZES = -4,
    GZ_STENCIL_FEW_LOOPS = -5,
    GZ_STENCIL_OTHER_MACROS = -6,
    GZ_STENCIL_OTHER_BORDERS = -7,
    GZ_STENCIL_EITHER_ZERO = -8,
    GZ_STENCIL_OTHER_POINTS = -9
};

/* Begins a run of `loops` loops over a domain of `extent` cells by axis. `usable` is 1, or the
 * reason why the loops cannot be replaced this time. Never fails: where a device cannot run it,
 * gz_stencil_original is 1. May return NULL, which all functions take. */
GZ_STENCIL_API gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil,
                                                const long extent[3], long loops, int usable);

/* Whether the arrays are to be filled. */
GZ_STENCIL_API int gz_stencil_ready(const gz_stencil_run *run);

/* Cancels the run if `usable` is not positive, if spans overlap, or if the original loops are
 * faster; otherwise as gz_stencil_ready. To be called before arrays are filled. */
GZ_STENCIL_API int gz_stencil_usable(gz_stencil_run *run, int usable);

/* The arrays to fill, zeroed at first: state buffer 0 (the first that is read) or 1; constant array
 * `k`; per-step array `k` of loop `loop`; the per-step values of that loop. NULL if there is none.
 */
GZ_STENCIL_API void *gz_stencil_buffer(gz_stencil_run *run, int buffer);
GZ_STENCIL_API void *gz_stencil_constant(gz_stencil_run *run, int k);
GZ_STENCIL_API void *gz_stencil_step(gz_stencil_run *run, int k, long loop);
GZ_STENCIL_API void *gz_stencil_values(gz_stencil_run *run, long loop);

/* Copies a row of cells between an array of the caller's and a buffer or a result: from the cells
 * `from` ... `from_last` to `to` ... `to_last`. Returns 0, with nothing copied, if the cells of
 * either are not neighbours in memory or memory is short; the caller then copies by itself. Rows
 * may be copied together, on several threads: they must not be used before gz_stencil_copied, nor
 * end before it. */
GZ_STENCIL_API int gz_stencil_row(gz_stencil_run *run, void *to, const void *to_last,
                                  const void *from, const void *from_last);
GZ_STENCIL_API void gz_stencil_copied(gz_stencil_run *run);

/* The same for the cells `x` from `low` to below `high`, of which `to` and `from` are elements;
 * copies by itself where gz_stencil_row does not. */
#define GZ_STENCIL_ROW(run, x, low, high, to, from)                                                \
    do {                                                                                           \
        const long gz_begin = (low), gz_end = (high)-1;                                            \
        long x = gz_begin;                                                                         \
        void *const gz_row = (void *)&(to);                                                        \
        const void *const gz_source = (const void *)&(from);                                       \
        x = gz_end;                                                                                \
        if (!gz_stencil_row(run, gz_row, (const void *)&(to), gz_source, (const void *)&(from)))   \
            for (x = gz_begin; x <= gz_end; x++)                                                   \
                (to) = (from);                                                                     \
    } while (0)

/* Between these, compilers warn of nothing: what gzc writes compiles under any flags under which
 * the original does. */
#if defined __clang__
#define GZ_STENCIL_QUIET                                                                           \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")
#define GZ_STENCIL_LOUD _Pragma("clang diagnostic pop")
#elif defined __GNUC__
#define GZ_STENCIL_LOUD _Pragma("GCC diagnostic pop")
#define GZ_STENCIL_PRAGMA(text) _Pragma(#text)
#define GZ_STENCIL_IGNORE(name) GZ_STENCIL_PRAGMA(GCC diagnostic ignored name)
/* clang-format off */
/* The first is for compilers that lack one of the others. */
#define GZ_STENCIL_QUIET \
    _Pragma("GCC diagnostic push") GZ_STENCIL_IGNORE("-Wpragmas") \
    GZ_STENCIL_IGNORE("-Wpedantic") GZ_STENCIL_IGNORE("-Wshadow") \
    GZ_STENCIL_IGNORE("-Wdeclaration-after-statement") GZ_STENCIL_IGNORE("-Wconversion") \
    GZ_STENCIL_IGNORE("-Wsign-conversion") GZ_STENCIL_IGNORE("-Wfloat-conversion") \
    GZ_STENCIL_IGNORE("-Wdouble-promotion") GZ_STENCIL_IGNORE("-Wsign-compare") \
    GZ_STENCIL_IGNORE("-Wfloat-equal") GZ_STENCIL_IGNORE("-Wunsuffixed-float-constants") \
    GZ_STENCIL_IGNORE("-Wvla") GZ_STENCIL_IGNORE("-Wlong-long") \
    GZ_STENCIL_IGNORE("-Wtraditional-conversion") \
    GZ_STENCIL_IGNORE("-Wc++-compat") GZ_STENCIL_IGNORE("-Wcast-qual") \
    GZ_STENCIL_IGNORE("-Wold-style-cast") GZ_STENCIL_IGNORE("-Wuseless-cast") \
    GZ_STENCIL_IGNORE("-Wredundant-tags") \
    GZ_STENCIL_IGNORE("-Wzero-as-null-pointer-constant") \
    GZ_STENCIL_IGNORE("-Wunused-variable") GZ_STENCIL_IGNORE("-Wunused-but-set-variable") \
    GZ_STENCIL_IGNORE("-Wuninitialized") GZ_STENCIL_IGNORE("-Wmaybe-uninitialized")
/* clang-format on */
#else
#define GZ_STENCIL_QUIET
#define GZ_STENCIL_LOUD
#endif

/* Whether a size or a bound is one that gzc(1) takes. */
#define GZ_STENCIL_IS_INDEX(value) ((value) >= -1073741824L && (value) <= 1073741824L)

/* Sets coefficient `first`, and the next one if the value needs two. */
GZ_STENCIL_API void gz_stencil_int(gz_stencil_run *run, int first, long value);
GZ_STENCIL_API void gz_stencil_long(gz_stencil_run *run, int first, long value);
GZ_STENCIL_API void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value);
GZ_STENCIL_API void gz_stencil_float(gz_stencil_run *run, int first, float value);
GZ_STENCIL_API void gz_stencil_double(gz_stencil_run *run, int first, double value);

/* States that memory of the caller's which the loops read or write lies between two elements of
 * `bytes` bytes, either of which may be the lower, in any number of calls: an array, a row of one,
 * a scalar. The original loops run if written memory lies in another span, or if the first or the
 * last byte of a span cannot be read or, of a written one, written. */
GZ_STENCIL_API void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other,
                                    unsigned long bytes, int written);

/* Records the value of an element of buffer 0, numbered from 0, after each loop; any number of
 * times is as once. For a run without a measure or ranks. gz_stencil_seen returns it after loop
 * number `loop`, from 0, or before all for loop -1; in an open run for the loops before the last
 * gz_stencil_get. NULL if there is none. */
GZ_STENCIL_API void gz_stencil_watch(gz_stencil_run *run, long element);
GZ_STENCIL_API const void *gz_stencil_seen(gz_stencil_run *run, long loop, long element);

/* While gz_stencil_checking, for what a caller sets by what was seen, in the same order in each
 * pass: 0 keeps what is there, 2 what has been set meanwhile, 3 puts back what was there, and 4,
 * after the original loops, compares. */
GZ_STENCIL_API void gz_stencil_hear(gz_stencil_run *run, int pass, void *at, unsigned long bytes,
                                    const char *name);

/* Runs on the device. Returns 1 if the results are to be taken from gz_stencil_result, 0 if not:
 * the device failed, or GZ_CHECK=1 runs the original loops as well. */
GZ_STENCIL_API int gz_stencil_execute(gz_stencil_run *run);

/* In place of gz_stencil_execute where the data say how many loops there are, of a stencil with a
 * `measure`; `loops` of gz_stencil_begin is then the most. gz_stencil_measure finds the largest
 * measure of loop number `loop`, or the sum, over the domain: of the first, then of the next each
 * time, or again of an earlier one; negative zero counts as less than zero. `found` is a double or,
 * of whole numbers, whose sum is modulo 2^64, a long. It returns 0 if the run was given up, as it
 * is if a cell's measure is NaN. gz_stencil_settle ends the loops after so many, one or more and no
 * more than have been measured; it returns what gz_stencil_execute does. */
GZ_STENCIL_API int gz_stencil_measure(gz_stencil_run *run, long loop, void *found);
GZ_STENCIL_API int gz_stencil_settle(gz_stencil_run *run, long loops);

/* The state after the last loop (age 0) or, with `buffers` 3, the one before it (age 1), rim
 * included. */
GZ_STENCIL_API const void *gz_stencil_result(const gz_stencil_run *run, int age);

/* Whether the original loops must run. Whether their results are then to be compared. */
GZ_STENCIL_API int gz_stencil_original(const gz_stencil_run *run);
GZ_STENCIL_API int gz_stencil_checking(const gz_stencil_run *run);

/* To be called before each of the original loops: 1 to go on; 0 to end this run and to begin
 * another with their state, since the device is expected to run the others in less time. */
GZ_STENCIL_API int gz_stencil_go(gz_stencil_run *run);

/* Compares buffer 0, filled again, with the result, to the bit or with `contract` within the bound
 * that gzc(1) states. */
GZ_STENCIL_API void gz_stencil_compare(gz_stencil_run *run);

/* The same for a variable that the loops set, of `bytes` bytes: as the original loops left it, and
 * as it would have been left in their place. */
GZ_STENCIL_API void gz_stencil_compare_variable(gz_stencil_run *run, const char *name,
                                                const void *original, const void *found,
                                                unsigned long bytes);

/* Ends the run, and prints the line of GZ_REPORT. */
GZ_STENCIL_API void gz_stencil_end(gz_stencil_run *run);

/* An open run: the arrays stay on the device between its pieces, so that a program that reads
 * the state now and then copies no more than that. gz_stencil_open as gz_stencil_begin;
 * `loops` is the most that will run after one put, 1 or more. Then gz_stencil_buffer and the others
 * fill arrays and coefficients, and:
 *
 * gz_stencil_put copies them to the device and counts loops from 0 again; what was filled stays, so
 * that the next put needs only what differs. gz_stencil_advance runs `loops` more, 0 or more: to
 * run in pieces gives the same bits as at once. gz_stencil_get copies the state back, for
 * gz_stencil_result. gz_stencil_close ends the run; the results end with it.
 *
 * put, advance and get return 1 if done. Otherwise they return 0 and gz_stencil_reason says why:
 * too many loops, and nothing has run; or the device is missing or failed, and
 * gz_stencil_original is 1 from then on: the caller goes on by itself from what it got last.
 * GZ_CHECK has no effect, since there are no original loops. */
GZ_STENCIL_API gz_stencil_run *gz_stencil_open(const struct gz_stencil *stencil,
                                               const long extent[3], long loops);
GZ_STENCIL_API int gz_stencil_put(gz_stencil_run *run);
GZ_STENCIL_API int gz_stencil_advance(gz_stencil_run *run, long loops);
GZ_STENCIL_API int gz_stencil_get(gz_stencil_run *run);
GZ_STENCIL_API const char *gz_stencil_reason(const gz_stencil_run *run);
GZ_STENCIL_API void gz_stencil_close(gz_stencil_run *run);

/* How a domain is divided among the ranks of an MPI program. */
struct gz_stencil_ranks {
    const void *communicator; /* the address of an MPI_Comm, all of whose ranks call */
    int layout[3]; /* ranks by axis, 1 where nothing is divided; their numbers run fastest
                      along axis 0 */
    int depth;     /* loops between two exchanges of halos; 0: 4, or as many as the domains allow */
};

/* An open run whose domain is divided among ranks: `extent` is that of this rank's part, a box in
 * rows and columns with those of the others, and the arrays are of it alone. A kept rim
 * between ranks is the other rank's cells: it need not be filled, and a result has it.
 * Exchanges, by MPI, are among put, advance and get, which all ranks call together, as they do open
 * and close, with the same loops; MPI must have been started, and not have ended. If one rank
 * fails, the call fails on all. The bits are those of one rank.
 */
GZ_STENCIL_API gz_stencil_run *gz_stencil_open_ranks(const struct gz_stencil *stencil,
                                                     const long extent[3], long loops,
                                                     const struct gz_stencil_ranks *ranks);

#ifdef __cplusplus
}
#endif
#endif
