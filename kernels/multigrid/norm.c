/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work-groups of the norm's launch. */
static size_t groups_of(const struct gzm *mg)
{
    size_t groups = 1;
    for (int i = 0; i < 3; i++)
        groups *= (size_t)gzm_groups(mg, &mg->levels[0], i);
    return groups;
}

void gzm_maxima_make(struct gzm *mg)
{
    const struct gzm_fused *up = &mg->levels[0].up;
    size_t groups = groups_of(mg), tiles = up->program ? (size_t)up->geometry.tile_count : 0;
    mg->maxima_bytes = (groups > tiles ? groups : tiles) * mg->bytes;
    mg->host_maxima = gzm_room(mg, mg->maxima_bytes);
    GZM_TRY(mg,
            mg->device->backend->buffer_new(mg->device, mg->maxima_bytes, &mg->maxima, mg->error));
}

/* The largest of all ranks; NaN if there is one. */
static void agree_on(const struct gzm *mg, double *norm)
{
    double values[2] = {isnan(*norm), isnan(*norm) ? 0 : *norm};
    if (mg->status != 0 || !mg->levels[0].share.divided)
        return;
    struct gzk_exchange *exchange = mg->setup.division->exchange;
    gzk_exchange_largest(exchange, values, 2);
    *norm = values[0] > 0 ? (double)NAN : values[1];
}

int gzm_norm(struct gzm *mg, double *norm)
{
    struct gzm_level *finest = &mg->levels[0];

    gzm_share_need(mg, finest, mg->grid.radius);
    double begin = cli_now();
    if (finest->on_host) {
        gzm_sweep_on_host(mg, finest, GZM_DO_RESIDUAL, 0);
        *norm = mg->verbs->norm(finest->other, finest->data.cells);
    } else {
        size_t maxima = mg->maxima_there ? mg->maxima_there : groups_of(mg);
        if (mg->maxima_there == 0)
            gzm_launch(mg, finest, GZM_NORM_KERNEL, (struct gzk_buffer *[]){mg->maxima, NULL});
        gzm_read(mg, mg->maxima, mg->host_maxima, maxima * mg->bytes);
        *norm = mg->verbs->norm(mg->host_maxima, maxima);
        agree_on(mg, norm);
    }
    *norm /= mg->scale;
    finest->spent.seconds[GZM_NORM] += cli_now() - begin;
    return mg->status;
}

/* The state's largest magnitude. */
static void measure_state(struct gzm *mg)
{
    size_t cells = gzk_cells(mg->levels[0].size);
    void *u = gzm_room(mg, cells * mg->bytes);

    gzm_read_state(mg, u);
    if (mg->status == 0)
        mg->state = gzm_has_whole(mg) ? mg->verbs->norm(u, cells) : 0;
    agree_on(mg, &mg->state);
    free(u);
}

double gzm_rounding(struct gzm *mg)
{
    /* Where cycles of any operator, edges and type end to gain, 0.01 to 1.5 remain up to 32^3. */
    static const double epsilons = 4;
    bool in_float = mg->setup.problem.type == GZK_FLOAT;
    double epsilon = in_float ? (double)FLT_EPSILON : DBL_EPSILON;
    double least = in_float ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN; /* a state's own */

    if (mg->state < 0)
        measure_state(mg);
    return epsilons * (epsilon * (mg->norm * mg->state + mg->rhs) + mg->norm * least);
}
