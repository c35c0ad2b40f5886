/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

#include <string.h>

/* The residual of a divided level is restricted to the window, with a guess that nobody reads. */
static int restrict_divided(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_share *share = &level->share;
    struct gzm_level *coarse = level + 1;
    int status = gzm_share_need(share, mg->grid.radius, mg->setup.stop, error);
    double begin = cli_now();

    if (status == 0)
        status = gzm_launch(
            mg, level, GZM_RESTRICT_KERNEL,
            (struct gzk_buffer *[]){share->window, gzk_session_arrays(level->session).before, NULL},
            error);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    if (status == 0 && coarse->share.device)
        return gzm_share_down(share, &coarse->share, mg->setup.stop, error);
    const struct gzk_arrays to = gzk_session_arrays(coarse->session);
    return status == 0 ? gzm_share_gather(share, to.aux, to.state, mg->setup.stop, error) : status;
}

int gzm_restrict(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (level->share.device)
        return restrict_divided(mg, level, error);
    if (level->on_host) {
        const struct gzm_grid grid = gzm_level_grid(mg, level);
        gzm_sweep_on_host(mg, level, GZM_DO_RESIDUAL, 0);
        mg->verbs->restrict_to(&grid, level->other, coarse->data.aux);
    } else {
        const struct gzk_arrays to = gzk_session_arrays(coarse->session);
        status = gzm_launch(mg, level, GZM_RESTRICT_KERNEL,
                            (struct gzk_buffer *[]){to.aux, to.state, NULL}, error);
    }
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}

int gzm_pass_down(struct gzm *mg, struct gzm_level *level, struct gzk_error *error)
{
    struct gzm_level *coarse = level + 1;
    double begin = cli_now();
    int status = 0;

    if (!coarse->on_host)
        return 0;
    if (!level->on_host)
        status = gzm_copy_out(mg, coarse, gzk_session_arrays(coarse->session).aux, coarse->data.aux,
                              error);
    memset(coarse->data.state, 0, coarse->data.cells * mg->bytes);
    level->seconds[GZM_RESTRICTION] += cli_now() - begin;
    return status;
}
