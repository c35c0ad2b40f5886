/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rounds.h - the rounds of a calibration: each runs every benchmark and times every stencil once,
 * and the samples of all rounds become estimates.
 */
#ifndef GZC_ROUNDS_H
#define GZC_ROUNDS_H

#include "bench.h"
#include "profile.h"
#include "request.h"

/* How many rounds: no more than `least` if they take longer than their budget. */
struct gzc_schedule {
    int most, least;
    double sample_s; /* of the longest point of a measurement: long against a timer's step, and
                      * short enough to fall between two interrupts now and then */
};
struct gzc_schedule gzc_schedule_of(const struct gzc_request *request);

/* Whether one more fits into `budget_s` from begun_s (cli_now) on, if it takes what each of the
 * `done` took. */
bool gzc_has_time(double begun_s, double budget_s, int done);

struct gzc_rounds {
    struct gzk_device *device;
    const struct gzc_request *request;
    struct gzc_context context;
    int bench_count, profile_count, count; /* `count` rounds were run */
    struct gzc_bench_state benches[GZC_MAX_BENCHES];
    struct gzc_profile *profiles[GZC_MAX_APPS];
    double samples[GZC_MAX_BENCHES][GZC_BENCH_PROPERTIES][GZC_MAX_SAMPLES];
    double misc_s[GZC_MAX_APPS][GZC_MAX_SAMPLES], iter_s[GZC_MAX_APPS][GZC_MAX_SAMPLES];
    /* A benchmark's properties, in seconds if they are times; NaN if there is none. */
    struct gzc_estimate estimates[GZC_MAX_BENCHES][GZC_BENCH_PROPERTIES];
    int gz2_count;             /* samples of gz2's own benchmarks */
    struct gzc_estimate clock; /* Hz; measured, or the nominal one */
    bool clock_measured;
};

/* Compiles and takes memory for everything. To be ended by gzc_rounds_close, also after a failure.
 */
int gzc_rounds_open(struct gzc_rounds *rounds, struct gzk_device *device,
                    const struct gzc_request *request, struct gzk_error *error);
void gzc_rounds_close(struct gzc_rounds *rounds);
/* Gives back what the benchmarks hold; what was estimated stays. */
void gzc_rounds_close_benches(struct gzc_rounds *rounds);

/* Takes sample `number` of gz2's own benchmarks, or of the others. */
int gzc_rounds_sample(struct gzc_rounds *rounds, bool gz2, int number, struct gzk_error *error);

/* Runs the rounds, and estimates. GZK_FAILED if a property is missing that is needed. */
int gzc_rounds_run(struct gzc_rounds *rounds, struct gzk_error *error);

/* The property of that key; value NaN if it could not be measured or there is none. */
struct gzc_estimate gzc_rounds_property(const struct gzc_rounds *rounds, const char *key);

/* The median of samples that are numbers; NaN if these are none, or less than a share of all. */
struct gzc_estimate gzc_valid_median(const double *samples, int n, double share);
/* That of a time over the rounds run, half of which must be there: on a CPU with what other runs
 * would give. */
struct gzc_estimate gzc_rounds_time(const struct gzc_rounds *rounds, const double *samples);

#endif
