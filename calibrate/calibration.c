/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration.h"

#include "contents.h"
#include "fit.h"
#include "query.h"
#include "rounds.h"

#include <stdio.h>
#include <stdlib.h>

void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE])
{
    snprintf(name, GZ_NAME_SIZE, "%.*s", GZ_NAME_SIZE - 1, device->info.name);
    if (!name[0])
        snprintf(name, GZ_NAME_SIZE, "%s", device->info.address);
}

double gzc_calibration_work(const struct gzc_request *request, int apps)
{
    int benches = 0;
    while (gzc_benches[benches])
        benches++;
    return (double)gzc_schedule_of(request->quick).most * (benches + apps) + apps +
           (request->fit ? 4.0 * apps : 0);
}

int gzc_calibrate(struct gzk_device *device, const struct gzc_request *request,
                  struct gzc_calibration *result, struct gzk_error *error)
{
    struct gzc_rounds *rounds = calloc(1, sizeof *rounds);
    struct gzc_query query;
    struct gzc_fit_runs *runs = NULL;
    if (!rounds)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    *result = (struct gzc_calibration){0};
    gzc_progress_step(request->progress, 1, "kernels");
    gzc_query(device, &query);
    int status = gzc_rounds_open(rounds, device, request, error);
    /* Compiling says nothing of the time that the rounds take. */
    gzc_progress_begin(request->progress, gzc_calibration_work(request, rounds->profile_count));
    if (status == 0)
        status = gzc_rounds_run(rounds, error);
    if (status == 0) {
        gzc_fill_device(rounds, &query, &result->device);
        status = gzc_fill_apps(rounds, result, error);
    }
    /* Whatever is timed is timed before the counters come, which slow down the process for good.
     * The fit's runs need memory of their own. */
    gzc_rounds_close_benches(rounds);
    if (status == 0 && request->fit)
        status = gzc_fit_observe(device, request, result, &runs, error);
    if (status == 0)
        status = gzc_count_apps(rounds, result, error);
    gzc_rounds_close(rounds);
    free(rounds);
    if (status == 0 && request->fit)
        status = gzc_fit_factors(runs, request, result, error);
    gzc_fit_free(runs);
    if (*request->stop)
        return gzk_fail(error, GZK_FAILED, "interrupted; nothing was written");
    return status;
}
