/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

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

long gzm_visit_loops(const struct gzm *mg, int after)
{
    return (long)mg->setup.sweeps[after] * gzm_loops(&mg->setup.problem);
}

/* The launches of a visit to a level on the device that do more than smooth; the finest level's
 * last one takes the norm. */
static int make_fused(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    bool finest = level == mg->levels, all = gzm_visit_loops(mg, 1) <= level->config.height;
    int status = 0;

    if (mg->setup.separate || level->share.device)
        return 0;
    if (mg->setup.sweeps[0] > 0)
        status = gzm_fused_new(mg->device, &level->config, &mg->residual, false,
                               GZM_RESTRICT_BEHIND, &level->down, error);
    if (status == 0 && mg->setup.sweeps[1] > 0)
        status =
            gzm_fused_new(mg->device, &level->config, &mg->residual, true,
                          finest && all && !mg->is_inner ? GZM_NORM_BEHIND : GZM_NOTHING_BEHIND,
                          &level->up, error);
    return status;
}

void gzm_way_free(struct gzm *mg, struct gzm_level *level)
{
    gzk_plan_free(level->plan);
    level->plan = NULL;
    gzm_fused_free(mg->device, &level->down);
    gzm_fused_free(mg->device, &level->up);
}

int gzm_way_make(struct gzm *mg, struct gzm_level *level, const struct gzm_way *way,
                 struct gzk_error *error)
{
    const struct gzm_setup *setup = &mg->setup;
    int sweeps = setup->sweeps[0] > setup->sweeps[1] ? setup->sweeps[0] : setup->sweeps[1];
    struct gzk_config *config = &level->config;

    *config = (struct gzk_config){.stencil = &mg->smoother,
                                  .sync = GZ_SYNC_RESTART,
                                  .height = 1,
                                  .loops = (long)sweeps * gzm_loops(&setup->problem)};
    memcpy(config->size, level->data.size, sizeof config->size);
    if (level->share.width > 0 && level->share.width / mg->grid.radius < config->loops)
        config->loops = level->share.width / mg->grid.radius;
    int status = gzm_choose(mg->device, way, config, error);
    if (status == 0)
        status = make_fused(mg, level, error);
    bool alone = config->loops > config->height || (setup->sweeps[0] > 0 && !level->down.program) ||
                 (setup->sweeps[1] > 0 && !level->up.program);
    return status == 0 && alone ? gzk_plan_new(level->session, config, &level->plan, error)
                                : status;
}

int gzm_set_way(struct gzm *mg, int k, const struct gzm_way *way, struct gzk_error *error)
{
    if (mg->inner)
        return gzm_set_way(mg->inner, k, way, error);
    gzm_way_free(mg, &mg->levels[k]);
    mg->maxima_there = 0;
    int status = gzm_way_make(mg, &mg->levels[k], way, error);
    return status == 0 && k == 0 ? gzm_maxima_make(mg, error) : status;
}
