/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rounds.h"
#include "registry.h"

#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A clock that is this unsure is not the device's own doing. */
static const double restless = 0.05;

/* On a CPU: by what runs differ besides, a relative standard deviation, and rounds of one run do
 * not; where memory and code happen to lie, for example. From six runs of all stencils on a CPU of
 * two cores. */
static const double between_runs = 0.02;

/* What the rounds may take, and more for each stencil, seconds on two quiet cores. */
static const double benches_s = 17, profile_s = 1;

/* With seven rounds an interval reaches to the extremes; with 21 five disturbed ones in a tail do
 * no harm (gzc_median). */
struct gzc_schedule gzc_schedule_of(const struct gzc_request *request)
{
    enum { ROUNDS = 21, QUICK_ROUNDS = 7 };
    bool few = request->quick || request->model == GZC_MODELS_GZ2;
    return (struct gzc_schedule){few ? QUICK_ROUNDS : ROUNDS, QUICK_ROUNDS,
                                 request->quick ? 0.001 : 0.002};
}

bool gzc_has_time(double begun_s, double budget_s, int done)
{
    double spent_s = cli_now() - begun_s;
    return spent_s + spent_s / fmax(done, 1) <= budget_s;
}

/* ------------------------------------------------------------------------------- preparations */

/* Keeps a GPU busy until its clock has risen, seconds and at least some runs, since a host that
 * does much else takes long over each: amounts of work that were chosen at an idle clock would be
 * too small, and the first rounds slow. */
static int warm_up(struct gzc_rounds *r, struct gzk_error *error)
{
    enum { LEAST = 25 };
    double end_s = cli_now() + (r->request->quick ? 0.1 : 1);
    int status = 0;
    for (int b = 0; b < r->bench_count; b++) {
        struct gzc_bench_state *state = &r->benches[b];
        double ignored[GZC_BENCH_PROPERTIES];
        if (r->device->info.is_cpu || strcmp(state->bench->name, "instruction") != 0)
            continue;
        for (int k = 0; status == 0 && (k < LEAST || cli_now() < end_s); k++)
            status = gzc_bench_run(state, ignored, error);
        state->kernel.amount = 0;
    }
    return status;
}

int gzc_rounds_open(struct gzc_rounds *r, struct gzk_device *device,
                    const struct gzc_request *request, struct gzk_error *error)
{
    r->device = device;
    r->request = request;
    double sample_s = gzc_schedule_of(request).sample_s;
    int status = gzc_context_open(&r->context, device, sample_s, request->stop, error);
    for (; gzc_benches[r->bench_count] && r->bench_count < GZC_MAX_BENCHES && status == 0;
         r->bench_count++) {
        const struct gzc_bench *bench = gzc_benches[r->bench_count];
        struct gzc_bench_state *state = &r->benches[r->bench_count];
        if (!bench->gz2 || request->model != GZC_MODELS_MENG2011)
            status = gzc_bench_open(state, bench, &r->context, error);
        else
            *state = (struct gzc_bench_state){.bench = bench,
                                              .context = &r->context,
                                              .why = "left out, since --model is meng2011"};
    }
    size_t count = request->stencil ? 1 : gzk_stencil_count;
    for (size_t s = 0;
         s < count && status == 0 && !*request->stop && r->profile_count < GZC_MAX_APPS; s++) {
        const struct gzk_stencil *stencil = request->stencil ? request->stencil : gzk_stencils[s];
        status = gzc_profile_open(device, stencil, &r->profiles[r->profile_count], error);
        r->profile_count += status == 0;
    }
    if (status == 0)
        status = warm_up(r, error);
    return status;
}

void gzc_rounds_close_benches(struct gzc_rounds *r)
{
    for (int b = 0; b < r->bench_count; b++)
        gzc_bench_close(&r->benches[b]);
    gzc_context_close(&r->context);
}

void gzc_rounds_close(struct gzc_rounds *r)
{
    gzc_rounds_close_benches(r);
    for (int a = 0; a < r->profile_count; a++)
        gzc_profile_close(r->profiles[a]);
}

/* ------------------------------------------------------------------------------------- rounds */

int gzc_rounds_sample(struct gzc_rounds *r, bool gz2, int number, struct gzk_error *error)
{
    int status = 0;
    for (int b = 0; b < r->bench_count && status == 0; b++) {
        double samples[GZC_BENCH_PROPERTIES];
        if (r->benches[b].bench->gz2 != gz2)
            continue;
        cli_progress_step(r->request->progress, 1, r->benches[b].bench->name);
        status = gzc_bench_run(&r->benches[b], samples, error);
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++)
            r->samples[b][p][number] = samples[p];
    }
    return status;
}

/* One round of everything. */
static int run_round(struct gzc_rounds *r, int round, struct gzk_error *error)
{
    int status = gzc_rounds_sample(r, false, round, error);
    for (int a = 0; a < r->profile_count && status == 0; a++) {
        struct gzc_costs costs;
        cli_progress_step(r->request->progress, 1, "stencils");
        status = gzc_profile_time(r->profiles[a], r->request->stop, &costs, error);
        r->misc_s[a][round] = costs.misc.value;
        r->iter_s[a][round] = costs.iter.value;
    }
    return status;
}

static int run_rounds(struct gzc_rounds *r, struct gzk_error *error)
{
    struct gzc_schedule schedule = gzc_schedule_of(r->request);
    double begun_s = cli_now();
    int status = 0;
    for (int k = 0; k < schedule.most && status == 0; k++) {
        if (k >= schedule.least &&
            !gzc_has_time(begun_s, benches_s + profile_s * r->profile_count, k))
            break;
        status = run_round(r, k, error);
        r->count = k + 1;
    }
    return status;
}

/* ---------------------------------------------------------------------------------- estimates */

struct gzc_estimate gzc_valid_median(const double *samples, int n, double share)
{
    double valid[GZC_MAX_SAMPLES];
    int count = 0;
    for (int k = 0; k < n; k++)
        if (isfinite(samples[k]))
            valid[count++] = samples[k];
    if (count == 0 || count < share * n)
        return (struct gzc_estimate){.value = (double)NAN};
    return gzc_median(valid, count);
}

static struct gzc_estimate median(const struct gzc_rounds *r, const double *samples)
{
    return gzc_valid_median(samples, r->count, 0.5);
}

struct gzc_estimate gzc_rounds_time(const struct gzc_rounds *r, const double *samples)
{
    struct gzc_estimate e = median(r, samples);
    if (r->device->info.is_cpu)
        e.sd = hypot(e.sd, between_runs * e.value);
    return e;
}

struct gzc_estimate gzc_rounds_property(const struct gzc_rounds *r, const char *key)
{
    for (int b = 0; b < r->bench_count; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const char *own = gzc_benches[b]->properties[p].key;
            if (own && strcmp(own, key) == 0)
                return r->estimates[b][p];
        }
    return (struct gzc_estimate){.value = (double)NAN};
}

static int find_clock(struct gzc_rounds *r, struct gzk_error *error)
{
    r->clock = gzc_rounds_property(r, "clock_rate");
    r->clock_measured = isfinite(r->clock.value);
    if (!r->clock_measured)
        r->clock = (struct gzc_estimate){.value = r->device->info.clock_hz};
    if (!(r->clock.value > 0))
        return gzk_fail(error, GZK_FAILED,
                        "%s: the clock cannot be measured, and the driver does not report it",
                        r->device->info.address);
    if (r->clock.sd > restless * r->clock.value)
        r->request->warn("the clock seemed to vary by %.0f %%: something else uses the device; the "
                         "deviations say how far to trust this",
                         100 * r->clock.sd / r->clock.value);
    return 0;
}

int gzc_rounds_run(struct gzc_rounds *r, struct gzk_error *error)
{
    int status = run_rounds(r, error);
    for (int b = 0; b < r->bench_count && status == 0; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const struct gzc_property *property = &r->benches[b].bench->properties[p];
            const double *samples = r->samples[b][p];
            if (!property->key || r->benches[b].bench->gz2)
                continue;
            r->estimates[b][p] =
                property->steady ? median(r, samples) : gzc_rounds_time(r, samples);
            if (property->needed && !(r->estimates[b][p].value > 0))
                return gzk_fail(error, GZK_FAILED,
                                "%s: most timings of the %s did not grow with the work; try again "
                                "when the device is idle, without --quick",
                                r->device->info.address, property->name);
        }
    return status == 0 ? find_clock(r, error) : status;
}
