/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * runs.h - short runs of the stencils that the models are fitted to, in several tries, each in a
 * process of its own.
 */
#ifndef GZC_RUNS_H
#define GZC_RUNS_H

#include "rounds.h"

enum {
    GZC_STENCIL_RUNS = 38, /* of a stencil, at most: 24 trapezoids, 8 streamed tiles, 6
                              without local memory; in one dimension 26 trapezoids, but no
                              streamed tiles */
    GZC_STAGE_RUNS = 21,   /* nearly empty stages, at most */
    GZC_TRIES = 5,
    GZC_RUNS_MAX = GZC_STENCIL_RUNS * GZC_MAX_APPS + GZC_STAGE_RUNS
};

/* What is run of a stencil. */
enum gzc_runs_of {
    GZC_RUNS_STENCIL, /* two blocks of different row lengths in both modes. On a CPU at height 1
                         and the highest of at most 6, on a small and on a middle grid, and height
                         1 on one that its caches do not hold; and streamed tiles (two heights,
                         whole and short rows) and blocks without local memory on such grids, too.
                         On a GPU at height 2 on a small grid, and at these two on a middle one. A
                         run takes milliseconds; few programs are compiled, since tiles and
                         heights are the same on several grids. On a CPU, with arrays for every
                         loop in one dimension, also height 12 on a grid whose arrays its caches
                         do not hold. A run of two stages on the small grid tells what a run
                         costs once. On a GPU streamed tiles (two heights, rows of 128 and of 64
                         threads' cells) on the middle grid, and blocks without local memory (two)
                         on the small one, too; and both on one beyond its caches */
    GZC_RUNS_STAGES   /* tiles that commit one cell, from 1 to 4096 of them, in every mode; 256
                         stages, and two */
};

/* The runs; how many. */
int gzc_runs_plan(const struct gzk_device *device, const struct gzk_stencil *stencil,
                  enum gzc_runs_of what, struct gzk_config *runs);

struct gzc_runs {
    int n, tries;
    struct gzk_config config[GZC_RUNS_MAX];
    int app[GZC_RUNS_MAX];                   /* index of its stencil among those calibrated */
    double seconds[GZC_TRIES][GZC_RUNS_MAX]; /* per loop; NaN if refused, 0 if not made */
    const struct gzk_stencil *stencil[GZC_MAX_APPS]; /* by app */
    int registers[GZC_MAX_APPS]; /* of a thread, as compiled for the runs; 0: not known */

    int server, to;         /* the process that starts one for each try, and the socket to it */
    struct gzk_error error; /* of the last of these */
};

/* Room for runs, shared with a process that starts one for each try. To be called while this
 * process has a single thread, has not used a driver, does not catch interrupts and has started no
 * other, and after the stencils are loaded. gzc_runs_free ends that process, also while it works.
 */
struct gzc_runs *gzc_runs_new(void);
void gzc_runs_free(struct gzc_runs *runs);

/* Makes the tries of stencils and stages, all stencils in each before the next. */
int gzc_runs_observe(const struct gzc_rounds *rounds, struct gzc_runs *runs,
                     struct gzk_error *error);

/* The time of a run from its tries (cli_tried), NaN if most were refused; and the relative standard
 * deviation of one undisturbed try (cli_try_scatter), the mean of all runs. */
double gzc_runs_time(const struct gzc_runs *runs, int i);
double gzc_runs_scatter(const struct gzc_runs *runs);

#endif
