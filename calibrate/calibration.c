/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration.h"

#include "bounds.h"
#include "contents.h"
#include "drift.h"
#include "factors.h"
#include "gz2_quantities.h"
#include "numbers.h"
#include "output.h"
#include "rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often gz2's benchmarks run before everything else and after it. */
enum { BEFORE = 3, AFTER = 2, BUSY_SIZE = 300 };
static const double before_s = 10, after_s = 8; /* at most */

double gzc_calibration_work(const struct gzc_request *request, int apps)
{
    int benches = 0;
    while (gzc_benches[benches])
        benches++;
    return (double)gzc_schedule_of(request).most * (benches + apps) +
           (request->model != GZC_MODELS_MENG2011 ? BEFORE + AFTER : 0) +
           (request->model != GZC_MODELS_MENG2011 || request->fit
                ? 4.0 * (apps + 1) * (request->quick ? 1 : GZC_TRIES)
                : 0);
}

/* The timed inputs of gz2: its runs, and its benchmarks once more; `busy` says if they moved. */
static int observe_gz2(struct gzc_rounds *rounds, struct gzc_runs *runs, char busy[BUSY_SIZE],
                       struct gzk_error *error)
{
    int before = rounds->gz2_count, status = gzc_runs_observe(rounds, runs, error);
    if (status == 0)
        status = gzc_drift_bench(rounds, after_s, AFTER, error);
    if (status == 0)
        gzc_drift_settle(rounds, before, busy, BUSY_SIZE);
    return status;
}

static void fit_gz2(const struct gzc_request *request, bool is_cpu, const struct gzc_runs *runs,
                    struct gzc_calibration *result)
{
    struct gzc_quality quality;
    char why[300];
    if (!gzc_quantities_fit(runs, is_cpu, result, &quality, why, sizeof why))
        request->warn("gz2's quantities are %s: %s",
                      is_cpu ? "left out" : "those of the microbenchmarks", why);
    else if (why[0])
        request->warn("%s; gzrun --tune predicts it with the help of a built-in file instead", why);
}

/* Compiles the kernels of gz2's runs before anything is timed, for tries that are processes of
 * their own. The first try compiles what fails here, and reports the failure. */
static void compile_ahead(const struct gzc_rounds *rounds)
{
    /* The kernels of a stencil's runs take some seconds; longer and something hangs. */
    static const double limit_s = 120;
    const struct gzc_request *request = rounds->request;
    struct gzk_config runs[GZC_STENCIL_RUNS + GZC_STAGE_RUNS];
    if (!request->compilers || !gzk_compiles_apart(rounds->device))
        return;
    for (int a = 0; a < rounds->profile_count && !*request->stop; a++) {
        int n = gzc_runs_plan(rounds->device, gzc_profile_stencil(rounds->profiles[a]),
                              GZC_RUNS_STENCIL, runs);
        cli_progress_step(request->progress, 0, "compiling the stencils' kernels");
        gzk_compilers_all(request->compilers, rounds->device->info.address, runs, (size_t)n,
                          cli_now() + limit_s, request->stop);
    }
    gzk_compilers_stop(request->compilers);
}

int gzc_calibrate(struct gzk_device *device, const struct gzc_request *request,
                  struct gzc_calibration *result, struct gzk_error *error)
{
    struct gzc_rounds *rounds = cli_room(1, sizeof *rounds);
    char busy[BUSY_SIZE] = "";
    bool gz2 = request->model != GZC_MODELS_MENG2011;
    bool fitted = gz2 || request->fit;
    struct gzc_runs *runs = request->runs;
    *result = (struct gzc_calibration){0};
    cli_progress_step(request->progress, 1, "kernels");
    int status = gzc_rounds_open(rounds, device, request, error);
    if (status == 0 && fitted)
        compile_ahead(rounds);
    /* Compiling says nothing of the time that the rounds take. */
    cli_progress_begin(request->progress, gzc_calibration_work(request, rounds->profile_count));
    if (status == 0 && gz2)
        status = gzc_drift_bench(rounds, before_s, BEFORE, error);
    if (status == 0)
        status = gzc_rounds_run(rounds, error);
    if (status == 0 && gz2)
        status = observe_gz2(rounds, runs, busy, error);
    else if (status == 0 && fitted)
        status = gzc_runs_observe(rounds, runs, error);
    if (status == 0) {
        gzc_fill_device(rounds, &result->device);
        if (!device->info.is_cpu)
            gzc_bounds_check(&result->device, request);
        if (busy[0]) {
            size_t at = strlen(result->device.note);
            request->warn("%s", busy);
            snprintf(result->device.note + at, sizeof result->device.note - at, "; %s", busy);
        }
        gzc_fill_apps(rounds, result);
    }
    /* Whatever is timed is timed before the counters come, which slow down the process for good. */
    gzc_rounds_close_benches(rounds);
    if (status == 0)
        status = gzc_count_apps(rounds, result, error);
    gzc_rounds_close(rounds);
    free(rounds);
    if (status == 0 && request->fit)
        gzc_factors_fit(runs, request, result);
    if (status == 0 && gz2)
        fit_gz2(request, device->info.is_cpu, runs, result);
    if (*request->stop)
        return gzk_fail(error, GZK_FAILED, "interrupted; nothing was written");
    return status;
}
