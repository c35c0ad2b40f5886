/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "numbers.h"

#include <string.h>

void gzm_round_on_host(const struct gzm *mg)
{
    const struct gzk_data *inner = &mg->inner->levels[0].data;
    const double *residual = mg->levels[0].other;
    for (size_t i = 0; i < inner->cells; i++)
        ((float *)inner->aux)[i] = (float)residual[i];
    memset(inner->state, 0, inner->cells * sizeof(float));
}

/* Adds the state of the levels in float. */
static void correct(struct gzm *mg)
{
    struct gzm_level *finest = &mg->levels[0];
    const struct gzm_level *inner = &mg->inner->levels[0];
    double begin = cli_now();

    mg->rounded = false;
    if (finest->on_host)
        for (size_t i = 0; i < finest->data.cells; i++)
            ((double *)finest->data.state)[i] += (double)((const float *)inner->data.state)[i];
    else
        gzm_launch(mg, finest, GZM_CORRECT_KERNEL,
                   (struct gzk_buffer *[]){gzk_session_arrays(inner->session).state, NULL});
    finest->spent.seconds[GZM_PROLONGATION] += cli_now() - begin;
}

void gzm_refine(struct gzm *mg, gz_cycle cycle, int (*inner)(struct gzm *, gz_cycle))
{
    double norm;
    if (mg->status == 0 && !mg->rounded)
        gzm_norm(mg, &norm);
    GZM_TRY(mg, inner(mg->inner, cycle));
    if (mg->status == 0)
        correct(mg);
}
