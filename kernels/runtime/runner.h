/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * runner.h - runs one configuration on one device: holds the arrays there, makes the launches,
 * times them, and proves the result against the serial reference.
 */
#ifndef GZK_RUNNER_H
#define GZK_RUNNER_H

#include "device.h"

/* The arrays of one grid on one device, for any number of configurations of the same stencil, size
 * and at most data->loops loops. */
struct gzk_session;

/* Puts `data` on the device. Both the device and the data must outlive the session. */
int gzk_session_new(struct gzk_device *device, const struct gzk_stencil *stencil,
                    const struct gzk_data *data, struct gzk_session **session,
                    struct gzk_error *error);

void gzk_session_free(struct gzk_session *session);

/* Runs config->loops loops from the data's initial state. Beforehand the array that the first
 * stage writes is filled with bytes 0xFF (NaN, -1), so that a cell that is never written shows.
 * `seconds` is the time on the device for all loops. `stop` is as for the backends. */
int gzk_session_run(struct gzk_session *session, const struct gzk_config *config,
                    const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

/* The same a stage at a time: gzk_session_reset goes back to the initial state; gzk_session_stage
 * then runs a single stage of config->height loops, with kernel restarts, from loop number `loop`
 * and the state that the stage before it left. Stages may differ in height. */
int gzk_session_reset(struct gzk_session *session, struct gzk_error *error);
int gzk_session_stage(struct gzk_session *session, const struct gzk_config *config, long loop,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

/* Copies the last run's final state, data->cells elements, to the host. */
int gzk_session_read(struct gzk_session *session, void *state, struct gzk_error *error);

enum { GZK_MAX_RUNS = 1000 };

/* How long a configuration takes. */
struct gzk_timing {
    int runs;                     /* timed runs, after one that is not timed */
    double seconds[GZK_MAX_RUNS]; /* what each took for all its loops */
    double seconds_per_loop;      /* median */
    double quartile[2];           /* lower and upper quartile, seconds per loop */
    double spread;                /* interquartile range over median, 0 for a single run */
};

/* Times `runs` runs; where `runs` is 0, as many as it takes (5 at least) until the spread is under
 * 2 %, or until `budget_s` seconds on the device or GZK_MAX_RUNS are spent. Fails where `*stop`
 * becomes nonzero. */
int gzk_measure(struct gzk_session *session, const struct gzk_config *config, int runs,
                double budget_s, const volatile sig_atomic_t *stop, struct gzk_timing *timing,
                struct gzk_error *error);

/* Times the serial reference on the host, `loops` loops from the data's initial state a run;
 * `state` gets the last run's final state. Otherwise as gzk_measure. */
int gzk_measure_serial(const struct gzk_stencil *stencil, const struct gzk_data *data, long loops,
                       int runs, double budget_s, const volatile sig_atomic_t *stop, void *state,
                       struct gzk_timing *timing, struct gzk_error *error);

/* How a result compares with the reference. */
struct gzk_comparison {
    size_t wrong;       /* cells that differ by more than `tolerance` or are NaN */
    size_t first_wrong; /* the first such cell's index */
    double max_error;   /* largest absolute difference, in the state's unit; NaN if there is any */
    double max_magnitude; /* largest absolute value of the reference */
    double tolerance;     /* absolute: the stencil's ulp_per_loop times the loops, in units in the
                             last place of max_magnitude; 0 where nothing is contracted */
};

/* Computes `loops` loops with the serial reference into `state`, data->cells elements. -1 where
 * memory is short. */
int gzk_reference_run(const struct gzk_stencil *stencil, const struct gzk_data *data, long loops,
                      void *state);

/* Compares `cells` elements of a result with the reference's. */
void gzk_compare(const struct gzk_stencil *stencil, const void *result, const void *reference,
                 size_t cells, long loops, bool contract, struct gzk_comparison *comparison);

#endif
