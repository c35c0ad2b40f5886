/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

void gzm_restrict(struct gzm *mg, struct gzm_level *level)
{
    struct gzm_level *coarse = level + 1;
    bool divided = level->share.divided;

    gzm_share_need(mg, level, mg->grid.radius);
    double begin = cli_now();
    if (level->on_host) {
        gzm_sweep_on_host(mg, level, GZM_DO_RESIDUAL, 0);
        mg->verbs->restrict_to(&level->grid, level->other, coarse->data.aux);
    } else {
        /* A divided level goes to the window, with a guess that nobody reads. */
        const struct gzk_arrays to = gzk_session_arrays(coarse->session);
        gzm_launch(mg, level, GZM_RESTRICT_KERNEL,
                   divided
                       ? (struct gzk_buffer *[]){level->share.window,
                                                 gzk_session_arrays(level->session).before, NULL}
                       : (struct gzk_buffer *[]){to.aux, to.state, NULL});
    }
    level->spent.seconds[GZM_RESTRICTION] += cli_now() - begin;
    if (divided)
        gzm_share_down(mg, level);
}
