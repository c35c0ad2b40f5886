/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * second.h - the second model's part of a calibration: short runs of the stencils in several tries,
 * each in a process of its own, and the fit of its parameters to them.
 */
#ifndef GZC_SECOND_H
#define GZC_SECOND_H

#include "rounds.h"

enum {
    GZC_SECOND_STENCIL_RUNS = 37, /* of a stencil, at most: 24 trapezoids, 7 streamed tiles, 6
                                     without local memory; in one dimension 26 trapezoids, but no
                                     streamed tiles */
    GZC_SECOND_STAGE_RUNS = 21,   /* nearly empty stages, at most */
    GZC_SECOND_TRIES = 5,
    GZC_SECOND_MAX = GZC_SECOND_STENCIL_RUNS * GZC_MAX_APPS + GZC_SECOND_STAGE_RUNS
};

/* What is run of a stencil. */
enum gzc_second_what {
    GZC_SECOND_STENCIL, /* two blocks of different row lengths in both modes. On a CPU at height 1
                           and the highest of at most 6, on a small and on a middle grid, and height
                           1 on one that its caches do not hold; and streamed tiles (two heights,
                           whole and short rows) and blocks without local memory on such grids, too.
                           On a GPU at height 2 on a small grid, and at these two on a middle one. A
                           run takes milliseconds; few programs are compiled, since tiles and
                           heights are the same on several grids. On a CPU, with arrays for every
                           loop in one dimension, also height 12 on a grid whose arrays its caches
                           do not hold. A run of two stages on the small grid tells what a run
                           costs once */
    GZC_SECOND_STAGES   /* tiles that commit one cell, from 1 to 4096 of them, in every mode; 256
                           stages, and two */
};

/* The runs; how many. */
int gzc_second_plan(const struct gzk_device *device, const struct gzk_stencil *stencil,
                    enum gzc_second_what what, struct gzk_config *runs);

/* One try, in fresh buffers: seconds per loop of each run, NaN for what the device refuses. */
int gzc_second_try(struct gzk_device *device, const struct gzk_config *runs, int n,
                   const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

/* A try as a table for people and for gzc_second_runs_make, to be freed; NULL without memory. */
char *gzc_second_table(const struct gzk_config *runs, int n, const double *seconds);

/* A run with its tries. */
struct gzc_second_run {
    int app; /* index of its stencil among those calibrated */
    struct gzk_config config;
    double tries[GZC_SECOND_TRIES]; /* seconds per loop, NaN if refused, 0 if not made */
};

struct gzc_second_runs {
    int n, tries;
    bool separate; /* every try in a process of its own */
    struct gzc_second_run run[GZC_SECOND_MAX];
    const struct gzk_stencil *stencil[GZC_MAX_APPS]; /* by app */
    int registers[GZC_MAX_APPS]; /* of a thread, as compiled for the runs; 0: not known */
};

/* Makes the tries, all stencils in each before the next. */
int gzc_second_observe(const struct gzc_rounds *rounds, struct gzc_second_runs *runs,
                       struct gzk_error *error);

/* The time of a run from its tries (cli_tried), NaN if most were refused; and the relative standard
 * deviation of one undisturbed try (cli_try_scatter), the mean of all runs. */
double gzc_second_time(const struct gzc_second_run *run, int tries);
double gzc_second_scatter(const struct gzc_second_runs *runs);

/* Runs the second model's own benchmarks `times` more times, less often if `part`'s budget does not
 * suffice, and estimates from all samples. */
int gzc_second_bench(struct gzc_rounds *rounds, enum gzc_part part, int times,
                     struct gzk_error *error);

/* Where the cache's size or the bandwidth beyond it moved by half from the first `before` samples
 * to the others, neither is the true one while the runs were made: the estimate becomes the
 * geometric mean of the two medians, with a deviation whose 95 % interval holds both. */
void gzc_second_settle(struct gzc_rounds *rounds, int before);

/* Whether something else used the device while it was calibrated: the cache or the bandwidth beyond
 * it moved by half from the first `before` samples to the others. Says in `text` what moved. */
bool gzc_second_busy(const struct gzc_rounds *rounds, int before, char *text, size_t size);

/* How good the fit is. */
struct gzc_second_quality {
    int used;      /* runs */
    double error;  /* left out by configuration, |predicted / measured - 1|, median */
    double width;  /* half of the 95 % interval of ln(predicted / measured) */
    double factor; /* that the deviations were scaled by, so that predictions have that interval */
};

/* Fits the second model's parameters, with what the benchmarks measured in result->device as
 * starts and priors, and puts them into the files' contents; on a CPU streamed tiles' and those of
 * blocks without local memory, too, each by a fit of its own to its own runs, if there are enough
 * of them. False, and why, if there are too few runs, or the device's file lacks what the model
 * cannot do without; then nothing is changed. */
bool gzc_second_fit(const struct gzc_second_runs *runs, bool is_cpu, struct gzc_calibration *result,
                    struct gzc_second_quality *quality, char *why, size_t size);

#endif
