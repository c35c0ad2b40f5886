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
    mg->verbs->sweep(&level->grid, verb, loop, level->data.state, level->other);
}

void gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end)
{
    bool jacobi = mg->setup.problem.smoother == GZM_JACOBI;
    struct gzk_halo_spent spent = {0};
    double begin = cli_now();

    for (; level->on_host && loop < end; loop++) {
        gzm_sweep_on_host(mg, level, jacobi ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, loop);
        swap(level);
    }
    if (loop < end)
        GZM_TRY(mg, gzk_halo_advance(level->share.halo, level->plan, loop, end, mg->setup.stop,
                                     &spent, mg->error));
    double exchange_s = spent.exchange_s[0] + spent.exchange_s[1];
    level->spent.launches += spent.stages;
    level->spent.exchanges += spent.exchanges;
    level->spent.seconds[GZM_EXCHANGE] += exchange_s;
    level->spent.seconds[GZM_SMOOTH] += cli_now() - begin - exchange_s;
    mg->maxima_there = 0;
}
