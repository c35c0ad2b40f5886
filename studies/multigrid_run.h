/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_run.h - what the studies of gzmg share: problems with a known right-hand side, solved
 * on the study's device.
 */
#ifndef GZ_MULTIGRID_RUN_H
#define GZ_MULTIGRID_RUN_H

#include "device_study.h"
#include "solve.h"

/* A problem, opened; what fails ends the program, as device_study.h says. */
typedef struct multigrid_run {
    device_study *s;
    struct gzm_setup setup;
    struct gzm *mg;
    struct gzk_error error; /* of the levels */
    void *f, *exact, *u;    /* of the known solution, and room for one */
    size_t count;           /* elements of each */
} multigrid_run;

/* What names a problem in a table: "Star7, gsrb". */
typedef struct multigrid_kind {
    const char *name;
    enum gzm_operator op;
    enum gzm_edges edges;
    enum gzm_smoother smoother;
    bool filter;
    int sweeps; /* before the correction, and as many after it */
} multigrid_kind;

/* With depths by level, or one for all; 0: chosen. */
void multigrid_open_by_level(device_study *s, const multigrid_kind *kind, int extent,
                             const int depth[GZM_MAX_LEVELS], multigrid_run *run);
void multigrid_open(device_study *s, const multigrid_kind *kind, int extent, int depth,
                    multigrid_run *run);
void multigrid_close(multigrid_run *run);

/* Sets the right-hand side and the guess 0. */
void multigrid_put(multigrid_run *run);

/* One cycle, by full multigrid if `full`, and the norm of the residual after it. */
double multigrid_cycle(multigrid_run *run, gz_cycle cycle, bool full);

/* The residual before the first cycle. */
double multigrid_norm(multigrid_run *run);

/* Solves from 0 to `tolerance` by cycles of that kind; returns the seconds, and the cycles. */
double multigrid_solve(multigrid_run *run, bool full, double tolerance, int most, int *cycles);

/* The largest error of the solution. */
double multigrid_error_of(multigrid_run *run);

#endif
