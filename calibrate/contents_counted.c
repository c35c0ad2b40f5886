/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a second source says of an application's instructions.
 */
#include "contents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two counts of the same instructions that differ by no more than this agree: a share. */
static const double same_count = 0.01;

bool gzc_cuda_index(const struct gzk_device *device, int *index)
{
    const char *colon = strchr(device->info.address, ':');
    if (device->backend != &gzk_cuda || !colon)
        return false;
    *index = atoi(colon + 1);
    return true;
}

int gzc_note_simulated(const struct gzc_rounds *rounds, int a,
                       const struct gzc_simulator *simulator, struct gzc_app_file *app,
                       struct gzk_error *error)
{
    const struct gzk_device_info *info = &rounds->device->info;
    struct gzc_simulated simulated;
    int status =
        gzc_simulate(simulator, gzc_profile_stencil(rounds->profiles[a]), info->max_threads,
                     info->is_cpu, rounds->request->stop, &simulated, error);
    if (status != 0)
        return status;
    double timed = gzc_rounds_median(rounds, rounds->misc_s[a]).value /
                   gzc_rounds_median(rounds, rounds->iter_s[a]).value;
    gzc_note(&app->entries[GZ_P_INSTS_PER_SM_MISC],
             "; Oclgrind counts %.4g LLVM instructions a cell, %.3g of a loop's (by time %.3g)",
             simulated.misc, simulated.misc / simulated.iter, timed);
    gzc_note(&app->entries[GZ_P_INSTS_PER_SM_ITER],
             "; Oclgrind counts %.4g LLVM instructions a cell, %.3g of them loads of device memory",
             simulated.iter, simulated.loads_iter);
    return 0;
}

/* Says of one quantity how it compares with the count by address, in its own unit. */
static void compare_places(struct gzc_entry *entry, double by_place)
{
    double difference = fabs(by_place - entry->value), largest = fmax(by_place, entry->value);
    double share = largest > 0 ? difference / largest : 0;
    if (entry->origin != GZ_ORIGIN_COUNTED)
        gzc_note(entry, "; %s, by address, counts %.4g", gzc_sass_metric, by_place);
    else if (share <= same_count)
        gzc_note(entry, "; %s, by address, agrees within %.2g %%", gzc_sass_metric,
                 fmax(100 * share, 0.001));
    else
        gzc_note(entry, "; %s, by address, does not agree: %.4g, %.3g %% off", gzc_sass_metric,
                 by_place, 100 * share);
}

int gzc_note_places(const struct gzc_rounds *rounds, struct gzc_calibration *result,
                    struct gzk_error *error)
{
    struct gzc_sass *sass = NULL;
    struct gzk_error why = {.text = ""};
    int index;
    if (!gzc_cuda_index(rounds->device, &index))
        return 0;
    bool able = gzc_sass_open(index, gzc_cuda_context(), &sass, &why) == 0;
    for (int a = 0; a < rounds->profile_count && !*rounds->request->stop; a++) {
        struct gzc_app_file *app = &result->apps[a];
        struct gzc_costs costs;
        double scale = gzc_profile_elements(rounds->profiles[a]) / rounds->device->info.units;
        if (able)
            able = gzc_profile_count_places(rounds->profiles[a], sass, rounds->request->stop,
                                            &costs, &why) == 0;
        if (able) {
            compare_places(&app->entries[GZ_P_INSTS_PER_SM_MISC], costs.misc.value * scale);
            compare_places(&app->entries[GZ_P_INSTS_PER_SM_ITER], costs.iter.value * scale);
        } else {
            gzc_note(&app->entries[GZ_P_INSTS_PER_SM_MISC], "; not confirmed by SASS metrics: %s",
                     why.text);
            gzc_note(&app->entries[GZ_P_INSTS_PER_SM_ITER], "; not confirmed by SASS metrics: %s",
                     why.text);
        }
    }
    gzc_sass_close(sass);
    return *rounds->request->stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;
}

bool gzc_find_simulator(const struct gzc_rounds *rounds, struct gzc_simulator *simulator)
{
    const struct gzc_request *request = rounds->request;
    const struct gzk_device_info *info = &rounds->device->info;
    struct gzk_error why = {.text = ""};
    char text[sizeof why.text + 80];
    bool asked = request->confirm == GZC_CONFIRM_OCLGRIND;
    bool fits = rounds->device->backend == &gzk_opencl && info->is_cpu && !request->quick;
    if (!asked && (request->confirm == GZC_CONFIRM_NONE || !fits))
        return false;
    /* A simulation in the simulator would take hours. */
    bool inside = strstr(info->driver, "Oclgrind") != NULL;
    if (!inside && gzc_simulator_find(simulator, &why) == 0)
        return true;
    snprintf(text, sizeof text, "no counts by Oclgrind: %s",
             inside ? "this device is Oclgrind's own" : why.text);
    if (asked)
        request->warn(text);
    return false;
}
