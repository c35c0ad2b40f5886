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

void gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end)
{
    bool jacobi = mg->setup.problem.smoother == GZM_JACOBI;
    struct gzm_share *share = &level->share;
    int radius = mg->grid.radius;

    for (long now; loop < end && mg->status == 0; loop += now) {
        gzm_share_need(mg, level, radius);
        double begin = cli_now(), seconds;
        long most = level->on_host ? 1 : share->valid / radius;
        now = most < end - loop ? most : end - loop;
        if (level->on_host) {
            gzm_sweep_on_host(mg, level, jacobi ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
            swap(level);
        } else if (mg->status == 0) {
            level->spent.launches += (now + level->config.height - 1) / level->config.height;
            mg->status =
                gzk_plan_advance(level->plan, loop, now, mg->setup.stop, &seconds, mg->error);
        }
        gzm_share_spoil(share, now * radius);
        level->spent.seconds[GZM_SMOOTH] += cli_now() - begin;
    }
    mg->maxima_there = 0;
}
