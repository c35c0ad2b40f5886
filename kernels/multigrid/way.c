/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "defaults.h"
#include "tiles.h"

#include <string.h>

struct gzk_config gzm_smoothing(const struct gzk_stencil *smoother, const int size[3], long loops)
{
    return (struct gzk_config){.stencil = smoother,
                               .sync = GZ_SYNC_RESTART,
                               .height = 1,
                               .loops = loops,
                               .size = {size[0], size[1], size[2]}};
}

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

/* The launches of a visit to a level on the device that do more than smooth; the finest level's
 * last one takes the norm. */
static void make_fused(struct gzm *mg, struct gzm_level *level)
{
    bool all = gzm_visit_loops(&mg->setup, 1) <= level->config.height;
    bool norm = level == mg->levels && all && !mg->is_inner;

    if (mg->setup.separate || level->share.divided)
        return;
    if (mg->setup.sweeps[0] > 0)
        gzm_fused_make(mg, level, false, GZM_RESTRICT_BEHIND, &level->down);
    if (mg->setup.sweeps[1] > 0)
        gzm_fused_make(mg, level, true, norm ? GZM_NORM_BEHIND : GZM_NOTHING_BEHIND, &level->up);
}

void gzm_way_free(struct gzm *mg, struct gzm_level *level)
{
    gzk_plan_free(level->plan);
    level->plan = NULL;
    gzm_fused_free(mg, &level->down);
    gzm_fused_free(mg, &level->up);
}

void gzm_way_make(struct gzm *mg, struct gzm_level *level, const struct gzm_way *way)
{
    const int *sweeps = mg->setup.sweeps;
    struct gzk_config *config = &level->config;
    int width = level->share.width / mg->grid.radius;

    *config = gzm_smoothing(&mg->smoother, level->data.size, gzm_most_loops(&mg->setup));
    if (width > 0 && width < config->loops)
        config->loops = width;
    GZM_TRY(mg, gzm_choose(mg->device, way, config, mg->error));
    make_fused(mg, level);
    bool alone = config->loops > config->height || (sweeps[0] > 0 && !level->down.program) ||
                 (sweeps[1] > 0 && !level->up.program);
    if (alone)
        GZM_TRY(mg, gzk_plan_new(level->session, config, &level->plan, mg->error));
}

int gzm_set_way(struct gzm *mg, int k, const struct gzm_way *way)
{
    if (mg->inner)
        return gzm_set_way(mg->inner, k, way);
    mg->status = 0; /* whatever became of the way before */
    gzm_way_free(mg, &mg->levels[k]);
    mg->maxima_there = 0;
    gzm_way_make(mg, &mg->levels[k], way);
    if (k == 0)
        gzm_maxima_make(mg);
    return mg->status;
}
