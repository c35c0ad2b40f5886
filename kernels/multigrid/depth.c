/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "depth.h"

#include "data.h"
#include "defaults.h"
#include "tiles.h"

#include <string.h>

struct gzk_given gzm_given(const struct gzm_way *way, long loops)
{
    int depth = way->height < loops ? way->height : (int)loops;
    struct gzk_given given = {.syncs = 1U << GZ_SYNC_RESTART,
                              .height = {depth > 0 ? depth : 1, depth > 0 ? depth : (int)loops}};
    given.variants = way->has_variant ? gzk_model_variant(way->variant) : 0;
    return given;
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
    if (way->threads[0] > 0)
        memcpy(config->threads, way->threads, sizeof config->threads);
    else
        gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    gzk_default_layout(config, &device->info);
}

int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error)
{
    const struct gzk_given given = gzm_given(way, config->loops);
    struct gzk_chooser chooser;
    struct gzk_geometry geometry;
    gz_candidate predicted;

    if (way->block[0] > 0 ||
        gzk_chooser_open(&chooser, device, config->stencil, NULL, NULL, GZ_MODEL_AUTO, error) !=
            0 ||
        gzk_choose(&chooser, &given, config, &predicted, error) != 0)
        take(device, way, given.height[0], config);
    return gzk_geometry_make(config, &geometry, error);
}

struct gzm_way gzm_way_of(const struct gzk_config *config)
{
    return (struct gzm_way){.has_variant = true, .way = config->way};
}
