/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * timing.h - how long a plan, or the serial reference, takes.
 */
#ifndef GZK_TIMING_H
#define GZK_TIMING_H

#include "plan.h"
#include "serial.h"

#include <stdbool.h>

enum { GZK_MAX_RUNS = 1000 };

/* How much is timed: `runs` runs, or, when that is 0, as many as it takes (5 at least) until the
 * spread is under 2 %, or until `budget_s` seconds on the device or GZK_MAX_RUNS are spent. */
struct gzk_effort {
    int runs;
    double budget_s;
    double long_s;                     /* a run that takes this long is the only one; 0: none is */
    bool brief;                        /* of plans: the run that is not timed is of one stage */
    const volatile sig_atomic_t *stop; /* timing fails once it is nonzero */
};

struct gzk_timing {
    int runs;                     /* timed runs, after one that is not timed */
    double seconds[GZK_MAX_RUNS]; /* what each took for all its loops */
    double seconds_per_loop;      /* median */
    double quartile[2];           /* lower and upper quartile, seconds per loop */
    double spread;                /* interquartile range over median, 0 for a single run */
    double clock_hz;              /* of the multiprocessors, before the last run; NaN: not told */
};

/* Times `run`, which runs `loops` loops once and says how long that took. */
int gzk_time_runs(int (*run)(void *of, const volatile sig_atomic_t *stop, double *seconds,
                             struct gzk_error *error),
                  void *of, long loops, const struct gzk_effort *effort, struct gzk_timing *timing,
                  struct gzk_error *error);

/* Times a plan. */
int gzk_time_plan(struct gzk_plan *plan, const struct gzk_effort *effort, struct gzk_timing *timing,
                  struct gzk_error *error);

/* Makes a plan of `config`, times it, and frees it. */
int gzk_time_config(struct gzk_session *session, const struct gzk_config *config,
                    const struct gzk_effort *effort, struct gzk_timing *timing,
                    struct gzk_error *error);

/* Times the serial reference on the host; `state`, gzk_state_elements(), gets the final state. */
int gzk_time_serial(const struct gzk_serial *serial, void *state, const struct gzk_effort *effort,
                    struct gzk_timing *timing, struct gzk_error *error);

#endif
