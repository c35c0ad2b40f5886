/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

#include <string.h>

/* What restriction has left on the device, where a next level on the host needs it. */
static void pass_down(struct gzm *mg, struct gzm_level *level)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();

    if (!coarse->on_host)
        return;
    if (!level->on_host)
        gzm_read(mg, gzk_session_arrays(coarse->session).aux, coarse->data.aux,
                 coarse->data.cells * mg->bytes);
    memset(coarse->data.state, 0, coarse->data.cells * mg->bytes);
    level->spent.seconds[GZM_RESTRICTION] += cli_now() - begin;
}

/* The state of a next level on the host, where interpolation reads it. */
static void pass_up(struct gzm *mg, struct gzm_level *level)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();

    if (!level->on_host && coarse->on_host)
        gzm_write(mg, gzk_session_arrays(coarse->session).state, coarse->data.state,
                  coarse->data.cells * mg->bytes);
    level->spent.seconds[GZM_PROLONGATION] += cli_now() - begin;
}

/* From the level's state, after so many loops, to the next one's right-hand side. */
static void go_down(struct gzm *mg, struct gzm_level *level, long loops)
{
    long depth = level->config.height;
    bool fused = level->down.program && loops > 0;
    long last = fused ? (loops - 1) % depth + 1 : 0;

    gzm_smooth(mg, level, 0, loops - last);
    if (fused)
        gzm_smooth_fused(mg, level, &level->down, loops - last, last);
    else
        gzm_restrict(mg, level);
    pass_down(mg, level);
}

/* From the next level's state to this one's, and so many loops. */
static void go_up(struct gzm *mg, struct gzm_level *level, long loops)
{
    long depth = level->config.height;
    bool fused = level->up.program && loops > 0;
    long first = fused ? (loops < depth ? loops : depth) : 0;

    pass_up(mg, level);
    if (fused)
        gzm_smooth_fused(mg, level, &level->up, 0, first);
    else
        gzm_prolong(mg, level);
    if (first < loops)
        gzm_smooth(mg, level, first, loops);
}

static void solve_bottom(const struct gzm *mg, struct gzm_level *level)
{
    double begin = cli_now();
    mg->verbs->solve(&level->grid, gzm_is_singular(&mg->setup.problem), level->data.state,
                     level->work);
    level->spent.seconds[GZM_BOTTOM] += cli_now() - begin;
}

static void cycle_at(struct gzm *mg, int k, gz_cycle cycle)
{
    struct gzm_level *level = &mg->levels[k];
    bool bottom = k == mg->count - 1;

    if (*mg->setup.stop)
        GZM_TRY(mg, gzk_fail(mg->error, GZK_FAILED, "interrupted"));
    if (mg->status != 0)
        return;
    level->spent.visits++;
    if (bottom) {
        solve_bottom(mg, level);
        return;
    }
    go_down(mg, level, gzm_visit_loops(&mg->setup, 0));
    cycle_at(mg, k + 1, cycle);
    if (cycle != GZ_CYCLE_V && k + 2 < mg->count)
        cycle_at(mg, k + 1, cycle == GZ_CYCLE_F ? GZ_CYCLE_V : cycle);
    go_up(mg, level, gzm_visit_loops(&mg->setup, 1));
}

int gzm_cycle(struct gzm *mg, gz_cycle cycle)
{
    mg->state = -1;
    cycle_at(mg, 0, cycle);
    return mg->status;
}

int gzm_full(struct gzm *mg, gz_cycle cycle)
{
    /* The residual of 0 is the right-hand side. */
    struct gzm_level *finest = &mg->levels[0];
    size_t bytes = finest->data.cells * mg->bytes;

    if (finest->on_host)
        memset(finest->data.state, 0, bytes);
    else
        gzm_clear(mg, gzk_session_arrays(finest->session).state, bytes);
    gzk_halo_renew(finest->share.halo);
    mg->state = -1;
    for (int k = 0; k + 1 < mg->count; k++)
        go_down(mg, &mg->levels[k], 0);
    for (int k = mg->count - 1; k >= 0; k--) {
        cycle_at(mg, k, cycle);
        if (k > 0)
            go_up(mg, &mg->levels[k - 1], 0);
    }
    return mg->status;
}
