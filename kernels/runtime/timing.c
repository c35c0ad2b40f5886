/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timing.h"

#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void summarise(int runs, long loops, struct gzk_timing *timing)
{
    double sorted[GZK_MAX_RUNS], median;
    size_t count = (size_t)runs;
    memcpy(sorted, timing->seconds, count * sizeof *sorted);
    cli_sort(sorted, count);
    median = cli_quantile(sorted, count, 0.5);
    timing->runs = runs;
    timing->seconds_per_loop = median / (double)loops;
    timing->quartile[0] = cli_quantile(sorted, count, 0.25) / (double)loops;
    timing->quartile[1] = cli_quantile(sorted, count, 0.75) / (double)loops;
    timing->spread =
        median > 0 ? (timing->quartile[1] - timing->quartile[0]) / timing->seconds_per_loop : 0;
}

int gzk_time_runs(int (*run)(void *of, const volatile sig_atomic_t *stop, double *seconds,
                             struct gzk_error *error),
                  void *of, long loops, const struct gzk_effort *effort, struct gzk_timing *timing,
                  struct gzk_error *error)
{
    static const int least_runs = 5;
    static const double small_spread = 0.02;
    double spent = 0;
    int status = effort->brief ? 0 : run(of, effort->stop, &timing->seconds[0], error);

    timing->clock_hz = (double)NAN;
    if (status != 0)
        return status;
    for (int n = 0; n < GZK_MAX_RUNS;) {
        if (*effort->stop)
            return gzk_fail(error, GZK_FAILED, "interrupted after %d timed runs", n);
        status = run(of, effort->stop, &timing->seconds[n], error);
        if (status != 0)
            return status;
        spent += timing->seconds[n++];
        summarise(n, loops, timing);
        if (effort->long_s > 0 && timing->seconds[0] >= effort->long_s)
            break;
        if (effort->runs > 0
                ? n == effort->runs
                : n >= least_runs && (timing->spread < small_spread || spent >= effort->budget_s))
            break;
    }
    return 0;
}

static int run_plan(void *of, const volatile sig_atomic_t *stop, double *seconds,
                    struct gzk_error *error)
{
    return gzk_plan_run(of, gzk_plan_config(of)->loops, stop, seconds, error);
}

int gzk_time_plan(struct gzk_plan *plan, const struct gzk_effort *effort, struct gzk_timing *timing,
                  struct gzk_error *error)
{
    const struct gzk_config *config = gzk_plan_config(plan);
    long stage = config->height < config->loops ? config->height : config->loops;
    double ignored;
    int status = effort->brief ? gzk_plan_run(plan, stage, effort->stop, &ignored, error) : 0;

    if (status == 0)
        status = gzk_time_runs(run_plan, plan, config->loops, effort, timing, error);
    timing->clock_hz = gzk_plan_clock(plan);
    return status;
}

int gzk_time_config(struct gzk_session *session, const struct gzk_config *config,
                    const struct gzk_effort *effort, struct gzk_timing *timing,
                    struct gzk_error *error)
{
    struct gzk_plan *plan;
    int status = gzk_plan_new(session, config, &plan, error);
    if (status != 0)
        return status;
    status = gzk_time_plan(plan, effort, timing, error);
    gzk_plan_free(plan);
    return status;
}

/* The serial reference, and the two arrays that it goes back and forth between. */
struct serial_run {
    const struct gzk_serial *serial;
    void *state, *other;
};

static int run_serial(void *of, const volatile sig_atomic_t *stop, double *seconds,
                      struct gzk_error *error)
{
    const struct serial_run *run = of;
    double begin = cli_now();
    int status = gzk_reference_sweep(run->serial, run->state, run->other, stop, error);
    *seconds = cli_now() - begin;
    return status;
}

int gzk_time_serial(const struct gzk_serial *serial, void *state, const struct gzk_effort *effort,
                    struct gzk_timing *timing, struct gzk_error *error)
{
    size_t bytes = gzk_state_bytes(serial->stencil, serial->data);
    struct serial_run run = {serial, state, malloc(bytes)};
    int status = run.other ? gzk_time_runs(run_serial, &run, serial->loops, effort, timing, error)
                           : gzk_fail(error, GZK_FAILED, "out of host memory");
    free(run.other);
    return status;
}
