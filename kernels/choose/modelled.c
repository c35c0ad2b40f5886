/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modelled.h"

#include "data.h"
#include "defaults.h"
#include "tiles.h"

#include <string.h>

bool gzk_to_model(const struct gzk_config *config, gz_model model, gz_config *cfg)
{
    if (!gzk_model_variant(config->variant))
        return false;
    const gz_way way = gzk_tile_of(config).way;
    *cfg = (gz_config){.model = model, .loops = (double)config->loops};
    gzi_take_way(cfg, &way);
    for (int i = 0; i < config->stencil->dim; i++)
        cfg->data_length[i] = config->size[i];
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
    config->way = candidate->way;
    gzk_default_layout(config, info);
    return gzk_fits(config, info) &&
           !(info->is_cpu == false && strcmp(device->backend->name, "opencl") == 0 &&
             gzk_syncs[config->sync].launching == GZK_LAUNCH_RESIDENT);
}
