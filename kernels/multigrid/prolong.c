/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

void gzm_prolong(struct gzm *mg, struct gzm_level *level)
{
    struct gzm_level *coarse = level + 1;
    bool divided = level->share.divided;

    if (divided)
        gzm_share_up(mg, level);
    double begin = cli_now();
    if (level->on_host) {
        mg->verbs->prolong(&level->grid, coarse->data.state, level->data.state);
    } else {
        struct gzk_buffer *from =
            divided ? level->share.window : gzk_session_arrays(coarse->session).state;
        gzm_launch(mg, level, GZM_PROLONG_KERNEL, (struct gzk_buffer *[]){from, NULL});
    }
    mg->maxima_there = 0;
    level->spent.seconds[GZM_PROLONGATION] += cli_now() - begin;
}
