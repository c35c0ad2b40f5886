/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run.h - runs the groups of a plan on a device, by the schedule.
 */
#ifndef GZ_RUN_H
#define GZ_RUN_H

#include "compilers.h"
#include "progress.h"
#include "registry.h"
#include "schedule.h"
#include "timing.h"

#include <stdint.h>

/* Of the data that grids are filled with. */
#define RUN_DATA_SEED UINT64_C(1)

/* Rows that made the device unusable, by group and row: a process ends with each, and the next
 * leaves them out. In memory that the processes share. */
enum { RUN_MOST_LEFT_OUT = 64 };
typedef struct run_left_out {
    int n;
    struct {
        int group;
        size_t row;
    } at[RUN_MOST_LEFT_OUT];
} run_left_out;

typedef struct run {
    struct gzk_device *device;
    run_left_out *left_out;
    plan *plan;
    double budget_s;       /* on the device for one try of a point, at most */
    double total_s;        /* for the pass */
    double start_s, end_s; /* of the pass, on cli_now's clock */
    struct cli_progress bar;
    int pass, tries; /* number of the pass; tries requested */
} run;

/* A run that takes longer, seconds, is preceded by one stage of it, and not by a whole run, that
 * does not count. */
#define RUN_LONG_S 0.05

/* Has the kernels compiled that points without a try need, until the pass ends; every pass would
 * wait for it. */
void run_compile(run *r, struct gzk_compilers *compilers);

/* Wants nothing of the points that are left out. */
void run_leave_out(run *r);

/* Measures what group number `which` lacks in this pass, until its slice ends; what was measured is
 * in the plan's rows, also after a failure or an interrupt. */
int run_group(run *r, int which, struct gzk_error *error);

#endif
