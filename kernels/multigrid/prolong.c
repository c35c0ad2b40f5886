/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

int gzm_pass_up(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (!level->on_host && coarse->on_host)
        status =
            mg->device->backend->write(mg->device, gzk_session_arrays(coarse->session).state,
                                       coarse->data.state, coarse->data.cells * mg->bytes, error);
    level->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}

int gzm_prolong(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_level *coarse = level + 1;
    struct gzm_share *share = &level->share;
    struct gzk_buffer *from = level->on_host ? NULL : gzk_session_arrays(coarse->session).state;
    int status = share->device ? gzm_share_up(share, &coarse->share, from, error) : 0;
    double begin = cli_now();

    if (status != 0)
        return status;
    if (level->on_host) {
        const struct gzm_grid grid = gzm_level_grid(mg, level);
        mg->verbs->prolong(&grid, coarse->data.state, level->data.state);
    } else {
        from = share->device ? share->window : from;
        status =
            gzm_launch(mg, level, GZM_PROLONG_KERNEL, (struct gzk_buffer *[]){from, NULL}, error);
    }
    mg->maxima_there = 0;
    level->seconds[GZM_PROLONGATION] += cli_now() - begin;
    return status;
}
