/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdio.h>
#include <string.h>

static gz_quantity assumed(double value)
{
    return (gz_quantity){value, 0, GZ_ORIGIN_DEFAULT};
}

/* Nothing was profiled: a cell is taken to cost three instructions an operation, and a thread eight
 * an array for loading and storing. */
static void describe(const struct gzk_stencil *stencil, const gz_device *model, gz_app *app)
{
    const double elements = 1e6, warp = 32;
    double per_sm = elements / (warp * model->sm_count.value);

    memset(app, 0, sizeof *app);
    snprintf(app->name, sizeof app->name, "gzc");
    snprintf(app->key, sizeof app->key, "gzc");
    gzk_stencil_describe(stencil, app);
    app->profile_elements = assumed(elements);
    app->profile_sm_count = assumed(model->sm_count.value);
    app->insts_per_sm_iter = assumed(3 * per_sm * stencil->operations);
    app->insts_per_sm_misc = assumed(8 * per_sm * gzk_stencil_arrays(stencil));
    app->bank_conflict_rate = assumed(0);
}

int gzk_choose_by_model(const char *file, const struct gzk_device *device,
                        struct gzk_config *config, double *predicted_s, gz_error *reason)
{
    const struct gzk_stencil *stencil = config->stencil;
    gz_tune_request request = {.syncs = 1U << GZ_SYNC_RESTART};
    gz_device model;
    gz_app app;
    gz_candidate best;
    size_t found;

    if (gz_device_open(file, &model, reason) != GZ_OK)
        return -1;
    describe(stencil, &model, &app);
    for (int i = 0; i < stencil->dimensions; i++) {
        request.data_length[i] = config->size[i];
        /* On a CPU larger tiles are always better by the model, up to its cache: there the tile is
         * given, and the height is searched. */
        request.block_len[i] = device->info.is_cpu ? config->block[i] : 0;
    }
    request.limits.shared_bytes = (double)device->info.local_bytes;
    request.limits.arrays_held = 1 + gzk_stencil_arrays(stencil);
    request.limits.height_max = (double)config->loops;
    request.loops = (double)config->loops;
    if (gz_tune(&model, &app, &request, &best, 1, &found, reason) != GZ_OK)
        return -1;
    config->variant = GZK_TRAPEZOID;
    config->height = best.height;
    for (int i = 0; i < stencil->dimensions; i++)
        config->block[i] = (int)best.config.block_len[i];
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    *predicted_s = best.seconds_per_loop;
    return 0;
}
