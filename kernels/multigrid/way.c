/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include <string.h>

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
