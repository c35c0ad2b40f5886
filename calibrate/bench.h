/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench.h - microbenchmarks: small measurements on a device, each of one thing. Each is one file
 * bench/NAME.c, which defines gzc_bench_NAME, with the texts bench/KERNEL.knl that it runs; a new
 * one is a new file, and nothing else changes: the Makefile finds it, the rounds run it, and what
 * it measures goes into the device file under the key that it states.
 *
 * All times are seconds; what is a slope over an amount of work holds no fixed overhead. One run of
 * a benchmark gives one sample of each of its properties; rounds of all benchmarks alternate, so
 * that a disturbance that lasts spoils a round of each and not all rounds of one.
 *
 * Another process on the device, or on the CPU that is the device, disturbs them all. Each point is
 * therefore the least disturbed of several.
 */
#ifndef GZC_BENCH_H
#define GZC_BENCH_H

#include "device.h"
#include "estimate.h"

#include <stdbool.h>

enum {
    GZC_BENCH_PROPERTIES = 4, /* of one benchmark, at most */
    GZC_BENCH_SOURCES = 2,
    GZC_CHUNK_BYTES = 8 << 20, /* of a stream; short enough for a slow device */
    GZC_WARP = 32,             /* operations of a warp instruction */
    GZC_ADDS = 16              /* to each sum in a round of add.knl */
};

/* What the benchmarks of one device share. */
struct gzc_context {
    struct gzk_device *device;
    const volatile sig_atomic_t *stop; /* nonzero: give up */
    double sample_s;                   /* how long one point of a measurement should take */
    int threads;                       /* of a block, for kernels that keep the device busy */
    int lanes;                         /* sums of a thread that adds */
    /* Two arrays that no cache holds: four times the cache (on a CPU twice), 64 MiB at least, as
     * far as an eighth of the device's memory allows. Everyone may write `to`; `from` is written
     * by nobody after the preparations. */
    size_t stream_bytes; /* of each, in whole chunks */
    struct gzk_buffer *from, *to;
    int concurrent;        /* blocks of the reference kernel that run at once [Eq. 5] */
    int reference_threads; /* of each of them */
};

/* A kernel with what its runs need, and the largest amount of work, chosen at the first run. */
struct gzc_kernel {
    const struct gzk_program *program;
    struct gzk_launch launch;
    long amount;
};

/* One benchmark on one device. */
struct gzc_bench_state {
    const struct gzc_bench *bench;
    struct gzc_context *context;
    struct gzc_kernel kernel;   /* its program is NULL if there is nothing to run */
    struct gzk_buffer *scratch; /* NULL, or the benchmark's own memory */
    void *own;                  /* bench->own_bytes, zeroed before `prepare` */
    char why[200];              /* why it has no samples on this device; "" if it has */
};

/* What a benchmark measures. */
struct gzc_property {
    const char *key;  /* of the quantity in the device file; NULL: no property */
    const char *name; /* in words */
    bool time;        /* a sample is seconds, and cycles in the file; else as in the file */
    bool needed;      /* the model cannot do without */
    bool steady;      /* runs differ by no more than rounds of one run do */
    bool positive;    /* the model takes no negative value: that is noise, and taken as 0 */
    double paper;     /* what the paper measured, if this device cannot show it; 0: nothing */
};

/* A kernel's text: the function gz_NAME, in which GZ_T is `type`, or if that is NULL float. */
struct gzc_source {
    const char *name, *text, *type;
    size_t local_bytes;
};

struct gzc_bench {
    const char *name; /* in words, for the progress */
    struct gzc_property properties[GZC_BENCH_PROPERTIES];
    struct gzc_source sources[GZC_BENCH_SOURCES];
    bool gz2;              /* of gz2's alone: run before and after the rest, not in rounds */
    const char *lacks_cpu; /* NULL, or why a CPU cannot show it: nothing of it is called there */
    size_t own_bytes;
    /* Compiles the kernel and takes memory. If this device cannot show it, `why` gives the
     * reason, which is no failure. gzc_bench_close frees all, also after a failure. */
    int (*prepare)(struct gzc_bench_state *state, struct gzk_error *error);
    /* Fails unless the kernel writes what it should: gzc_bench_prove. Called after `prepare`; NULL
     * where each run checks that. */
    int (*check)(struct gzc_bench_state *state, struct gzk_error *error);
    /* One sample of each property; left NaN if there is none. */
    int (*run)(struct gzc_bench_state *state, double samples[GZC_BENCH_PROPERTIES],
               struct gzk_error *error);
    const char *how; /* properties were measured: sizes, blocks, assumptions */
    /* In place of that, where it follows from the device or is property number `property`'s. */
    void (*note)(const struct gzc_bench_state *state, int property, char *note, size_t size);
};

/* All benchmarks, ended by NULL; generated from the names of the files in bench/. */
extern const struct gzc_bench *const gzc_benches[];
enum { GZC_MAX_BENCHES = 32 };

/* Takes the shared memory. Ended by gzc_context_close, also after a failure. */
int gzc_context_open(struct gzc_context *context, struct gzk_device *device, double sample_s,
                     const volatile sig_atomic_t *stop, struct gzk_error *error);
void gzc_context_close(struct gzc_context *context);

/* One benchmark: prepare it, run it, end it (also after a failure to prepare). `samples` become NaN
 * if there are none. */
int gzc_bench_open(struct gzc_bench_state *state, const struct gzc_bench *bench,
                   struct gzc_context *context, struct gzk_error *error);
int gzc_bench_run(struct gzc_bench_state *state, double samples[GZC_BENCH_PROPERTIES],
                  struct gzk_error *error);
void gzc_bench_close(struct gzc_bench_state *state);

/* ------------------------------------------------------------------ what benchmarks are made of */

/* The text of a kernel for a block of `threads`, each with `lanes` sums if it adds. To be
 * freed; NULL if memory is short. */
char *gzc_kernel_text(const char *prelude, const struct gzc_source *source, int threads, int lanes);

/* Compiles source number `number` of the benchmark into its kernel. */
int gzc_bench_compile(struct gzc_bench_state *state, int number, int threads,
                      struct gzk_error *error);
/* Compiles any text, which it frees; NULL means that memory was short. */
int gzc_bench_compile_text(struct gzc_bench_state *state, char *text, const char *name, int threads,
                           size_t local_bytes, struct gzk_error *error);
/* The empty kernel, in as many blocks as of the reference kernel run at once, with a scratch
 * buffer of one cache line. */
int gzc_bench_compile_empty(struct gzc_bench_state *state, struct gzk_error *error);

void gzc_kernel_add(struct gzc_kernel *kernel, struct gzk_arg argument);

/* Groups of the benchmark's kernel that fill the device. */
int gzc_bench_fill(const struct gzc_bench_state *state);

/* Compiles source 0 for a device full of groups; one whose arguments are an array and rounds; and
 * sums that a multiprocessor has in them. */
int gzc_bench_compile_full(struct gzc_bench_state *state, struct gzk_error *error);
int gzc_bench_prepare_rounds(struct gzc_bench_state *state, struct gzk_error *error);
double gzc_bench_lanes(const struct gzc_bench_state *state);

/* Runs an amount of work, and says how long it took. */
typedef int gzc_runner(struct gzc_bench_state *state, long amount, double *seconds,
                       struct gzk_error *error);
/* One launch whose last argument is the amount. */
gzc_runner gzc_run_once;
/* One launch of the benchmark's kernel. */
int gzc_launch(const struct gzc_bench_state *state, const struct gzk_launch *launch,
               double *seconds, struct gzk_error *error);

/* `count` launches of it in a row, behind another launch if `gate` is not NULL. */
int gzc_launch_row(const struct gzc_bench_state *state, const struct gzk_launch *gate, long count,
                   gz_sync sync, double *seconds, struct gzk_error *error);

/* Fails unless `run` with that amount makes of the bytes `before` at the beginning of a buffer
 * those `after`; zeros are left there. */
int gzc_bench_prove(struct gzc_bench_state *state, struct gzk_buffer *buffer, const void *before,
                    const void *after, size_t bytes, gzc_runner *run, long amount,
                    struct gzk_error *error);
/* Proves a kernel whose arguments are a buffer and rounds, of which it writes a number below 0 to
 * the buffer. */
int gzc_prove_empty(struct gzc_bench_state *state, struct gzk_error *error);

/* Chooses kernel.amount, unless it is chosen: doubled until it takes a quarter of sample_s, then
 * scaled to it; at most `most`. */
int gzc_choose_amount(struct gzc_bench_state *state, gzc_runner *run, long most,
                      struct gzk_error *error);
/* Seconds per unit of work, as the slope over amounts up to `most`, and what remains at none. */
int gzc_measure_line(struct gzc_bench_state *state, gzc_runner *run, long most,
                     struct gzc_line *line, struct gzk_error *error);
/* The slope alone; NaN unless it is positive. */
int gzc_measure_slope(struct gzc_bench_state *state, gzc_runner *run, long most, double *slope,
                      struct gzk_error *error);

/* Seconds per warp instruction of a busy multiprocessor, by add.knl, which gzc_bench_prepare_rounds
 * compiled; NaN unless positive. And how that is measured. */
int gzc_measure_adds(struct gzc_bench_state *state, double *each_s, struct gzk_error *error);
#define GZC_HOW_ADDS "independent additions, 32 to a warp instruction"

/* -------------------------------------------------------------------------------- the reference */

/* The kernel by whose tile occupancy and fence are judged: the paper's HotSpot at its default
 * block, with height 1. */
void gzc_reference_config(const struct gzk_device *device, gz_sync sync, struct gzk_config *config);

/* How many blocks of `program` run at once, surely (`*known`) or by guess. */
int gzc_resident(struct gzk_device *device, const struct gzk_program *program, bool *known);

#endif
