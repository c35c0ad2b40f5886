/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

#include <string.h>

int gzm_restrict(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_share *share = &level->share;
    struct gzm_level *coarse = level + 1;
    int status = gzm_share_need(share, mg->grid.radius, error);
    double begin = cli_now();
    struct gzk_arrays to = {0};

    if (level->on_host) {
        const struct gzm_grid grid = gzm_level_grid(mg, level);
        gzm_sweep_on_host(mg, level, GZM_DO_RESIDUAL, 0);
        mg->verbs->restrict_to(&grid, level->other, coarse->data.aux);
    } else if (status == 0) {
        /* A divided level goes to the window, with a guess that nobody reads. */
        struct gzk_buffer *guess = gzk_session_arrays(level->session).before;
        to = gzk_session_arrays(coarse->session);
        status = gzm_launch(mg, level, GZM_RESTRICT_KERNEL,
                            share->device ? (struct gzk_buffer *[]){share->window, guess, NULL}
                                          : (struct gzk_buffer *[]){to.aux, to.state, NULL},
                            error);
    }
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status == 0 && share->device ? gzm_share_down(share, &coarse->share, &to, error)
                                        : status;
}

int gzm_pass_down(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (!coarse->on_host)
        return 0;
    if (!level->on_host)
        status = mg->device->backend->read(mg->device, gzk_session_arrays(coarse->session).aux,
                                           coarse->data.aux, coarse->data.cells * mg->bytes, error);
    memset(coarse->data.state, 0, coarse->data.cells * mg->bytes);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}
