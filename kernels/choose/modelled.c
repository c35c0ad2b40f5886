/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modelled.h"

#include "data.h"
#include "defaults.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool gzk_to_model(const struct gzk_config *config, gz_model model, gz_config *cfg)
{
    if (!gzk_model_variant(config->variant))
        return false;
    *cfg = (gz_config){.sync = config->sync,
                       .model = model,
                       .variant = config->variant,
                       .loops = (double)config->loops};
    for (int i = 0; i < config->stencil->dimensions; i++) {
        cfg->data_length[i] = config->size[i];
        cfg->block_len[i] = config->block[i];
        cfg->threads[i] = config->threads[i];
    }
    if (gzk_variants[config->variant].streamed) {
        int axis = gzk_stream_axis(config->stencil);
        cfg->stream_len = config->block[axis] - 2 * config->stencil->radius[axis] * config->height;
    }
    return true;
}

gz_device gzk_model_of(const gz_device *file, const struct gzk_device *device)
{
    // cppcheck-suppress ctunullpointer ; callers give one
    gz_device model = *file;
    if (device->info.is_cpu && !gz_quantity_stated(&model.warp_size))
        model.warp_size = (gz_quantity){1, 0, GZ_ORIGIN_QUERY};
    return model;
}

bool gzk_fits(const struct gzk_config *config, const struct gzk_device_info *device)
{
    struct gzk_geometry geometry;
    struct gzk_error error;
    return gzk_geometry_make(config, &geometry, &error) == 0 &&
           geometry.thread_count <= device->max_threads &&
           geometry.local_bytes <= device->local_bytes;
}

bool gzk_from_model(const gz_candidate *candidate, const struct gzk_device *device,
                    struct gzk_config *config)
{
    const struct gzk_device_info *info = &device->info;
    config->variant = candidate->config.variant;
    config->sync = candidate->config.sync;
    config->height = candidate->height;
    for (int i = 0; i < 3; i++) {
        bool there = i < config->stencil->dimensions;
        config->block[i] = there ? (int)candidate->config.block_len[i] : 1;
        config->threads[i] = there ? (int)candidate->config.threads[i] : 1;
    }
    if (gzk_variants[config->variant].streamed)
        gzk_set_piece(config, (int)fmin(candidate->config.stream_len, INT_MAX));
    gzk_default_layout(config, info);
    return gzk_fits(config, info) &&
           !(info->is_cpu == false && strcmp(device->backend->name, "opencl") == 0 &&
             gzk_syncs[config->sync].launching == GZK_LAUNCH_RESIDENT);
}
