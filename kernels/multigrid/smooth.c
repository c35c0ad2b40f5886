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

int gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end,
               struct gzk_error *error)
{
    bool jacobi = mg->setup.problem.smoother == GZM_JACOBI;
    struct gzm_share *share = &level->share;
    int radius = mg->grid.radius, status = 0;

    for (long now; loop < end && status == 0; loop += now) {
        status = gzm_share_need(share, radius, error);
        double begin = cli_now(), seconds;
        long most = level->on_host ? 1 : share->valid / radius;
        now = most < end - loop ? most : end - loop;
        if (level->on_host) {
            gzm_sweep_on_host(mg, level, jacobi ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
            swap(level);
        } else if (status == 0) {
            level->launches += (now + level->config.height - 1) / level->config.height;
            status = gzk_plan_advance(level->plan, loop, now, mg->setup.stop, &seconds, error);
        }
        gzm_share_spoil(share, now * radius);
        level->seconds[GZM_SMOOTH] += cli_now() - begin;
    }
    mg->maxima_there = 0;
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
