/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contents.h"
#include "variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in a CUDA device's address; false if the device is none. */
static bool cuda_index(const struct gzk_device *device, int *index)
{
    const char *colon = strchr(device->info.address, ':');
    if (device->backend != &gzk_cuda || !colon)
        return false;
    *index = atoi(colon + 1);
    return true;
}

/* InstsPerSM from warp instructions per cell: times N over M; what noise made negative is 0. */
static struct gzc_entry insts_entry(const struct gzc_rounds *rounds,
                                    const struct gzc_profile *profile, struct gzc_estimate per_cell,
                                    gz_origin origin, const char *note)
{
    double scale = gzc_profile_elements(profile) / rounds->device->info.units;
    return gzc_entry_of(fmax(per_cell.value, 0) * scale, per_cell.sd * scale, origin, "%s%s%s",
                        note, per_cell.value < 0 ? "; below 0 within noise, taken as 0" : "",
                        per_cell.drifting ? "; drifted while measured" : "");
}

/* From time: only the product of instructions and CPI enters the model, so seconds per cell over
 * seconds per instruction give the instructions that go with the CPI of the device's file. */
static void fill_timed(const struct gzc_rounds *rounds, int a, struct gzc_file *app)
{
    const struct gzc_profile *profile = rounds->profiles[a];
    struct gzc_estimate one = gzc_rounds_property(rounds, "cpi");
    struct gzc_estimate misc = gzc_divide(gzc_rounds_time(rounds, rounds->misc_s[a]), one);
    struct gzc_estimate iter = gzc_divide(gzc_rounds_time(rounds, rounds->iter_s[a]), one);
    app->entries[GZ_P_INSTS_PER_SM_MISC] =
        insts_entry(rounds, profile, misc, GZ_ORIGIN_MEASURED,
                    "time on cached data over time of an instruction: the intercept");
    app->entries[GZ_P_INSTS_PER_SM_ITER] =
        insts_entry(rounds, profile, iter, GZ_ORIGIN_MEASURED,
                    "time on cached data over time of an instruction: the slope");
    app->entries[GZ_P_BANK_CONFLICT_RATE] =
        gzc_entry_of(0, 0, GZ_ORIGIN_DEFAULT, "conflicts are in the time that was measured");
}

/* Replaces the timed value by a count, or adds the count, with the ratio of the two: how often
 * longer the instructions take than counts times CPI say, since latencies are not hidden, some
 * issue at half the rate, and some wait for data. */
static void fill_both(const struct gzc_rounds *rounds, const struct gzc_profile *profile,
                      struct gzc_estimate count, bool on, struct gzc_entry *entry)
{
    const char *metric = gzc_counter_metric(GZC_WARP_INSTRUCTIONS);
    double timed = entry->value;
    struct gzc_entry counted = insts_entry(rounds, profile, count, GZ_ORIGIN_COUNTED, metric);
    if (on) {
        *entry = counted;
        gzc_note(entry, "; by time on cached data %.4g", timed);
    } else {
        gzc_note(entry, "; %s counts %.4g", metric, counted.value);
    }
    gzc_note(entry, ", timed over counted %.3g", timed / counted.value);
}

static int fill_counted(const struct gzc_rounds *rounds, int a, struct gzc_counters *counters,
                        struct gzc_file *app, struct gzk_error *error)
{
    struct gzc_profile *profile = rounds->profiles[a];
    bool on = rounds->request->counting == GZC_COUNTERS_ON;
    const char *conflict_metric = gzc_counter_metric(GZC_BANK_CONFLICTS);
    struct gzc_costs costs;
    double conflicts;
    int status =
        gzc_profile_count(profile, counters, rounds->request->stop, &costs, &conflicts, error);
    if (status != 0)
        return status;
    fill_both(rounds, profile, costs.misc, on, &app->entries[GZ_P_INSTS_PER_SM_MISC]);
    fill_both(rounds, profile, costs.iter, on, &app->entries[GZ_P_INSTS_PER_SM_ITER]);
    if (on)
        app->entries[GZ_P_BANK_CONFLICT_RATE] =
            gzc_entry_of(conflicts, 0, GZ_ORIGIN_COUNTED, "%s", conflict_metric);
    else
        gzc_note(&app->entries[GZ_P_BANK_CONFLICT_RATE], "; %s counts %.3g", conflict_metric,
                 conflicts);
    return 0;
}

static void fill_app(const struct gzc_rounds *rounds, int a, struct gzc_file *file)
{
    const struct gzk_stencil *stencil = gzc_profile_stencil(rounds->profiles[a]);
    char shape[200];
    gz_app *app = &file->app;
    snprintf(app->key, sizeof app->key, "%s", stencil->name);
    gzc_display_name(stencil->name, app->name);
    gzk_stencil_describe(stencil, app);
    app->element_size.origin = app->stencil_arrays.origin = app->elements_per_op.origin =
        GZ_ORIGIN_NONE;
    gzc_device_name(rounds->device, app->profile_device);
    app->profile_sm_count.value = rounds->device->info.units;
    app->profile_elements.value = gzc_profile_elements(rounds->profiles[a]);
    gzc_profile_describe(rounds->profiles[a], shape, sizeof shape);
    snprintf(file->note, sizeof file->note, "%s; %s", shape, rounds->request->command);
}

/* Counters if they are available; if not, the reason is given once, and is not a failure. */
static struct gzc_counters *open_counters(const struct gzc_rounds *rounds)
{
    struct gzc_counters *counters = NULL;
    struct gzk_error why = {.text = ""};
    int index;
    if (rounds->request->counting == GZC_COUNTERS_OFF || !cuda_index(rounds->device, &index))
        return NULL;
    if (gzc_counters_open(index, rounds->device->context, &counters, &why) == 0)
        return counters;
    rounds->request->warn("%s; instructions are measured in time alone", why.text);
    return NULL;
}

void gzc_fill_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result)
{
    result->app_count = rounds->profile_count;
    for (int a = 0; a < result->app_count; a++) {
        fill_app(rounds, a, &result->apps[a]);
        fill_timed(rounds, a, &result->apps[a]);
    }
}

int gzc_count_apps(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                   struct gzk_error *error)
{
    struct gzc_counters *counters = open_counters(rounds);
    int status = 0;
    if (rounds->request->counting == GZC_COUNTERS_OFF)
        return 0;
    for (int a = 0; a < rounds->profile_count && counters && status == 0; a++)
        if (fill_counted(rounds, a, counters, &result->apps[a], error) != 0) {
            if (*rounds->request->stop)
                status = GZK_FAILED;
            else
                rounds->request->warn("%s", error->text);
            gzc_counters_close(counters);
            counters = NULL;
        }
    gzc_counters_close(counters);
    return status;
}
