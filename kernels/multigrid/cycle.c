/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

#include <string.h>

/* From the level's state to the next one's right-hand side. */
static int go_down(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    long loops = gzm_visit_loops(mg, 0), depth = level->config.height;
    bool fused = level->down.program != NULL;
    long last = fused ? (loops - 1) % depth + 1 : 0;
    int status = gzm_smooth(mg, level, 0, loops - last, error);

    if (status == 0)
        status = fused ? gzm_smooth_fused(mg, level, &level->down, loops - last, last, error)
                       : gzm_restrict(mg, level, error);
    return status == 0 ? gzm_pass_down(mg, level, error) : status;
}

/* From the next level's state to this one's. */
static int go_up(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    long loops = gzm_visit_loops(mg, 1), depth = level->config.height;
    bool fused = level->up.program != NULL;
    long first = fused ? (loops < depth ? loops : depth) : 0;
    int status = gzm_pass_up(mg, level, error);

    if (status == 0)
        status = fused ? gzm_smooth_fused(mg, level, &level->up, 0, first, error)
                       : gzm_prolong(mg, level, error);
    return status == 0 && first < loops ? gzm_smooth(mg, level, first, loops, error) : status;
}

static void solve_bottom(const struct gzm *mg, struct gzm_level *level)
{
    const struct gzm_grid grid = gzm_level_grid(mg, level);
    double begin = cli_now();
    mg->verbs->solve(&grid, gzm_is_singular(&mg->setup.problem), level->data.state, level->work);
    level->seconds[GZM_BOTTOM] += cli_now() - begin;
}

static int cycle_at(struct gzm *mg, int k, gz_cycle cycle, struct gzk_error *error)
{
    struct gzm_level *level = &mg->levels[k];
    bool twice = cycle != GZ_CYCLE_V && k + 2 < mg->count;
    int status = *mg->setup.stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;

    level->visits++;
    if (status != 0 || k == mg->count - 1) {
        if (status == 0)
            solve_bottom(mg, level);
        return status;
    }
    status = go_down(mg, level, error);
    if (status == 0)
        status = cycle_at(mg, k + 1, cycle, error);
    if (status == 0 && twice)
        status = cycle_at(mg, k + 1, cycle == GZ_CYCLE_F ? GZ_CYCLE_V : cycle, error);
    return status == 0 ? go_up(mg, level, error) : status;
}

int gzm_cycle(struct gzm *mg, gz_cycle cycle, struct gzk_error *error)
{
    mg->state = -1;
    return mg->inner ? gzm_refine(mg, cycle, gzm_cycle, error) : cycle_at(mg, 0, cycle, error);
}

int gzm_full(struct gzm *mg, gz_cycle cycle, struct gzk_error *error)
{
    /* The residual of 0 is the right-hand side. */
    int status = 0;
    struct gzm_level *finest = &mg->levels[0];
    if (finest->on_host)
        memset(finest->data.state, 0, finest->data.cells * mg->bytes);
    else
        status = mg->device->backend->fill(mg->device, gzk_session_arrays(finest->session).state, 0,
                                           finest->data.cells * mg->bytes, error);
    gzm_share_renew(&finest->share);
    mg->rounded = false;
    mg->state = -1;
    if (status == 0 && mg->inner)
        return gzm_refine(mg, cycle, gzm_full, error);
    for (int k = 0; k + 1 < mg->count && status == 0; k++) {
        status = gzm_restrict(mg, &mg->levels[k], error);
        if (status == 0)
            status = gzm_pass_down(mg, &mg->levels[k], error);
    }
    for (int k = mg->count - 1; k >= 0 && status == 0; k--) {
        status = cycle_at(mg, k, cycle, error);
        if (status == 0 && k > 0)
            status = gzm_pass_up(mg, &mg->levels[k - 1], error);
        if (status == 0 && k > 0)
            status = gzm_prolong(mg, &mg->levels[k - 1], error);
    }
    return status;
}

int gzm_visit(struct gzm *mg, int k, struct gzk_error *error)
{
    if (mg->inner)
        return gzm_visit(mg->inner, k, error);
    mg->state = -1;
    int status = go_down(mg, &mg->levels[k], error);
    return status == 0 ? go_up(mg, &mg->levels[k], error) : status;
}
