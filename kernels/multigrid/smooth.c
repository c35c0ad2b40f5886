/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

static void swap(struct gzm_level *level)
{
    void *state = level->data.state;
    level->data.state = level->other;
    level->other = state;
}

void gzm_sweep_on_host(const struct gzm *mg, struct gzm_level *level, enum gzm_verb verb, long loop)
{
    const struct gzm_grid grid = gzm_level_grid(mg, level);
    mg->verbs->sweep(&grid, verb, loop, level->data.state, level->other);
}

/* Loops [loop, end) of a level that is divided, between exchanges. */
static int smooth_divided(struct gzm *mg, struct gzm_level *level, long loop, long end,
                          struct gzk_error *error)
{
    struct gzm_share *share = &level->share;
    int radius = mg->grid.radius, status = 0;

    for (long now; loop < end && status == 0; loop += now) {
        status = gzm_share_need(share, radius, mg->setup.stop, error);
        double begin = cli_now(), seconds;
        now = share->valid / radius < end - loop ? share->valid / radius : end - loop;
        level->launches += (now + level->config.height - 1) / level->config.height;
        if (status == 0)
            status = gzk_plan_advance(level->plan, loop, now, mg->setup.stop, &seconds, error);
        gzm_share_spoil(share, now * radius);
        level->seconds[GZM_SMOOTH] += cli_now() - begin;
    }
    mg->maxima_there = 0;
    return status;
}

int gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end,
               struct gzk_error *error)
{
    double begin = cli_now(), seconds;
    int status = 0;

    if (level->share.device)
        return smooth_divided(mg, level, loop, end, error);
    if (level->on_host)
        for (; loop < end; loop++) {
            gzm_sweep_on_host(
                mg, level,
                mg->setup.problem.smoother == GZM_JACOBI ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
            swap(level);
        }
    else {
        long depth = level->config.height;
        level->launches += (end - loop + depth - 1) / depth;
        status = gzk_plan_advance(level->plan, loop, end - loop, mg->setup.stop, &seconds, error);
    }
    mg->maxima_there = 0;
    level->seconds[GZM_SMOOTH] += cli_now() - begin;
    return status;
}

int gzm_smooth_fused(struct gzm *mg, struct gzm_level *level, const struct gzm_fused *fused,
                     long loop, long loops, struct gzk_error *error)
{
    const struct gzk_arrays coarse = gzk_session_arrays((level + 1)->session);
    bool down = fused->behind == GZM_RESTRICT_BEHIND;
    double begin = cli_now();
    int status = gzm_fused_run(mg->device, fused, level->session, loop, (int)loops,
                               down ? coarse.aux : coarse.state, down ? coarse.state : mg->maxima,
                               mg->setup.stop, error);
    level->launches++;
    mg->maxima_there = fused->behind == GZM_NORM_BEHIND ? gzm_fused_maxima(fused) : 0;
    level->seconds[GZM_SMOOTH] += cli_now() - begin;
    return status;
}
