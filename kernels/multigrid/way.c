/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "defaults.h"
#include "modelled.h"
#include "tiles.h"

#include <string.h>

/* A run of the smoother on a grid, but for how. */
static struct gzk_config smoothing(const struct gzk_stencil *smoother, const int size[3],
                                   long loops)
{
    return (struct gzk_config){.stencil = smoother,
                               .sync = GZ_SYNC_RESTART,
                               .height = 1,
                               .loops = loops,
                               .size = {size[0], size[1], size[2]}};
}

/* The given block, or the default one, with the threads and the layout that go with it. */
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

/* The rest of `config`, the run of a visit, whose loops bound the depth; GZK_INVALID if nothing
 * fits. */
static int choose(const struct gzk_device *device, const struct gzm_way *way,
                  struct gzk_config *config, struct gzk_error *error)
{
    int loops = (int)config->loops, depth = way->height < loops ? way->height : loops;
    const struct gzk_given given = {.variants =
                                        way->has_variant ? gzk_model_variant(way->variant) : 0,
                                    .syncs = 1U << GZ_SYNC_RESTART,
                                    .height = {depth > 0 ? depth : 1, depth > 0 ? depth : loops}};
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

/* The launches of a visit to a level on the device that do more than smooth; the finest level's
 * last one takes the norm. */
static void make_fused(struct gzm *mg, struct gzm_level *level)
{
    bool all = gzm_visit_loops(&mg->setup, 1) <= level->config.height;
    bool norm = level == mg->levels && all;

    if (level->share.divided)
        return;
    if (mg->setup.sweeps[0] > 0)
        gzm_fused_make(mg, level, false, GZM_RESTRICT_BEHIND, &level->down);
    if (mg->setup.sweeps[1] > 0)
        gzm_fused_make(mg, level, true, norm ? GZM_NORM_BEHIND : GZM_NOTHING_BEHIND, &level->up);
}

void gzm_way_make(struct gzm *mg, struct gzm_level *level, const struct gzm_way *way)
{
    const int *sweeps = mg->setup.sweeps;
    struct gzk_config *config = &level->config;
    int width = level->share.width / mg->grid.radius;

    *config = smoothing(&mg->smoother, level->data.size, gzm_most_loops(&mg->setup));
    if (width > 0 && width < config->loops)
        config->loops = width;
    GZM_TRY(mg, choose(mg->device, way, config, mg->error));
    make_fused(mg, level);
    bool alone = config->loops > config->height || (sweeps[0] > 0 && !level->down.program) ||
                 (sweeps[1] > 0 && !level->up.program);
    if (alone)
        GZM_TRY(mg, gzk_plan_new(level->session, config, &level->plan, mg->error));
}

/* ------------------------------------------------------------------------------- a cycle's time */

/* How the levels on the device are smoothed. */
static int take_ways(const struct gzk_device *device, const struct gzm_setup *setup,
                     const struct gzk_stencil *smoother, gz_vcycle_request *request,
                     struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, true);
    int status = 0;

    request->levels = sizes.count;
    for (int k = 0; k < sizes.on_device && status == 0; k++) {
        struct gzk_config config = smoothing(smoother, sizes.of[k], gzm_most_loops(setup));
        status = choose(device, &setup->way[k], &config, error);
        if (status == 0 && gzk_to_model(&config, GZ_MODEL_AUTO, &request->way[k]))
            request->depth[k] = config.height;
    }
    return status;
}

int gzm_expect(const struct gzk_device *device, gz_cycle cycle, const struct gzm_setup *setup,
               double host_s, gz_vcycle_time *time, struct gzk_error *error)
{
    const struct gzk_given given = {.syncs = 1U << GZ_SYNC_RESTART};
    struct gzk_stencil smoother;
    struct gzk_chooser chooser;
    gz_vcycle_request request = {
        .cycle = cycle, .tail = (double)setup->tail, .tail_s = host_s, .fused = 1};

    *time = (gz_vcycle_time){0};
    if (!device)
        return 0;
    for (int after = 0; after < 2; after++)
        request.loops[after] = (int)gzm_visit_loops(setup, after);
    gzm_smoother_of(&setup->problem, &smoother);
    const struct gzk_config finest = smoothing(&smoother, setup->problem.size, 0);
    int status = take_ways(device, setup, &smoother, &request, error);
    if (status == 0)
        status = gzk_chooser_open(&chooser, device, &smoother, NULL, NULL, GZ_MODEL_AUTO, error);
    if (status == 0)
        request.smoother = gzk_chooser_request(&chooser, &finest, &given);
    if (status == 0 && gz_vcycle(&chooser.model, &chooser.app, &request, time, NULL) != GZ_OK)
        *time = (gz_vcycle_time){0};
    return status;
}
