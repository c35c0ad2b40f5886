/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "depth.h"

#include "data.h"
#include "defaults.h"
#include "modelled.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

/* The best by the model at heights from `least` to `most` that the device can run; false if there
 * is none. */
static bool by_model(const struct gzk_device *device, const struct gzm_way *way, int least,
                     int most, struct gzk_config *config)
{
    enum { CANDIDATES = 64 };
    const struct gzk_stencil *stencil = config->stencil;
    gz_tune_request request = {.syncs = 1U << GZ_SYNC_RESTART,
                               .loops = (double)config->loops,
                               .limits = {.shared_bytes = (double)device->info.local_bytes,
                                          .arrays_held = gzk_arrays_held(stencil),
                                          .height_min = least,
                                          .height_max = most}};
    gz_candidate *found = calloc(CANDIDATES, sizeof *found);
    gz_device model;
    gz_app app;
    size_t count = 0;
    bool done = false;

    if (way->has_variant) {
        int variant = gz_by_name(GZ_VARIANTS, gzk_variants[way->variant].name);
        request.variants = variant >= 0 ? 1U << variant : 0;
    }
    for (int i = 0; i < 3; i++)
        request.data_length[i] = config->size[i];
    gzk_describe_uncounted(stencil, stencil->operations, &app);
    if (!found || !gzk_generic_device(&device->info, device->info.is_cpu, &model) ||
        gz_tune(&model, &app, &request, found, CANDIDATES, &count, NULL) != GZ_OK)
        count = 0;
    for (size_t k = 0; k < count && !done; k++) {
        struct gzk_config tried = *config;
        done = gzk_from_model(&found[k], device, &tried);
        if (done)
            *config = tried;
    }
    free(found);
    return done;
}

/* The given block, with the threads and the layout that go with it. */
static void take(const struct gzk_device *device, const struct gzm_way *way, int depth,
                 struct gzk_config *config)
{
    config->variant = way->has_variant ? way->variant : GZK_NAIVE;
    config->height = gzk_variants[config->variant].any_height ? depth : 1;
    if (way->block[0] > 0)
        memcpy(config->block, way->block, sizeof config->block);
    else
        gzk_default_tile(config, &device->info, 0);
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    gzk_default_layout(config, &device->info);
}

int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error)
{
    int loops = (int)config->loops, depth = way->depth < loops ? way->depth : loops;
    struct gzk_geometry geometry;

    if (way->block[0] > 0 ||
        !by_model(device, way, depth > 0 ? depth : 1, depth > 0 ? depth : loops, config))
        take(device, way, depth > 0 ? depth : 1, config);
    return gzk_geometry_make(config, &geometry, error);
}
