/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "collect.h"
#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole array by a power of two, which changes no digit. */
static void rescale(const struct gzm *mg, void *array, double scale)
{
    size_t count = gzk_cells(mg->levels[0].size);
    enum gzk_type type = mg->setup.problem.type;

    for (size_t i = 0; i < count && scale != 1; i++)
        gzk_set_element(array, type, i, scale * gzk_element(array, type, i));
}

/* The power of two that makes numbers up to `most` fit their type with their squares, whatever
 * cycles leave of them. Most are left as they are. */
static double scale_for(const struct gzm *mg, double most)
{
    enum { IN_FLOAT = 40, IN_DOUBLE = 400, MOST = 1000 };
    int fits = mg->setup.problem.type == GZK_FLOAT ? IN_FLOAT : IN_DOUBLE;
    int power = most > 0 && isfinite(most) ? ilogb(most) : 0;

    if (power >= -fits && power <= fits)
        return 1;
    return ldexp(1, power < -MOST ? MOST : power > MOST ? -MOST : -power);
}

/* Puts a whole array, scaled, where the finest level has its state or right-hand side, or what of
 * it this rank has. */
static void put_array(struct gzm *mg, void *whole, bool is_state)
{
    const struct gzm_level *finest = &mg->levels[0];
    size_t bytes = finest->data.cells * mg->bytes;

    rescale(mg, whole, mg->scale);
    if (finest->on_host) {
        memcpy(is_state ? finest->data.state : finest->data.aux, whole, bytes);
        return;
    }
    const struct gzk_arrays to = gzk_session_arrays(finest->session);
    void *own = finest->share.divided ? gzm_room(mg, bytes) : NULL;
    if (own)
        gzk_domain_take(&mg->setup.division->split[0], &finest->share.part, mg->bytes, whole, own);
    gzm_write(mg, is_state ? to.state : to.aux, own ? own : whole, bytes);
    free(own);
}

/* The right-hand side as cycles have it: filtered, and of a singular problem without its mean. */
static void prepare_rhs(const struct gzm *mg, const struct gzm_grid *grid, const void *f,
                        void *into)
{
    struct gzm_filter filter;

    memcpy(into, f, grid->data->cells * mg->bytes);
    if (mg->setup.problem.filter) {
        gzm_filter_of(&mg->setup.problem, &filter);
        mg->verbs->filter(grid, &filter, f, into);
    }
    if (gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(into, grid->data->cells);
}

int gzm_put(struct gzm *mg, const void *f, const void *u)
{
    struct gzm_level *finest = &mg->levels[0];
    const struct gzk_data whole = {.size = {finest->size[0], finest->size[1], finest->size[2]},
                                   .cells = gzk_cells(finest->size)};
    struct gzm_grid grid = mg->grid;

    void *copy = gzm_room(mg, whole.cells * mg->bytes);
    if (!copy)
        return mg->status;
    grid.data = &whole;
    gzk_halo_renew(finest->share.halo);
    mg->maxima_there = 0;
    if (f)
        prepare_rhs(mg, &grid, f, copy);
    mg->rhs = mg->verbs->norm(copy, whole.cells);
    mg->state = u ? mg->verbs->norm(u, whole.cells) : 0;
    mg->scale = scale_for(mg, fmax(mg->rhs, mg->norm * mg->state));
    put_array(mg, copy, false);
    /* A norm that is not computed shows. */
    if (!finest->on_host)
        GZM_TRY(mg, mg->device->backend->fill(mg->device, mg->maxima, 0xFF, mg->maxima_bytes,
                                              mg->error));
    memset(copy, 0, whole.cells * mg->bytes);
    if (u)
        memcpy(copy, u, whole.cells * mg->bytes);
    put_array(mg, copy, true);
    free(copy);
    return mg->status;
}

/* The whole state of ranks, on the first of them. */
static void read_whole(struct gzm *mg, void *u)
{
    const struct gzm_level *finest = &mg->levels[0];
    const struct gzm_division *division = mg->setup.division;
    void *own = gzm_room(mg, finest->data.cells * mg->bytes);

    GZM_TRY(mg, gzk_session_read(finest->session, own, mg->error));
    GZM_TRY(mg, gzk_collect(division->exchange, &division->split[0], mg->bytes, own, u, mg->error));
    free(own);
}

void gzm_read_state(struct gzm *mg, void *u)
{
    const struct gzm_level *finest = &mg->levels[0];

    if (mg->status != 0)
        return;
    if (finest->share.divided)
        read_whole(mg, u);
    else if (finest->on_host)
        memcpy(u, finest->data.state, finest->data.cells * mg->bytes);
    else
        mg->status = gzk_session_read(finest->session, u, mg->error);
    if (mg->status == 0 && gzm_has_whole(mg))
        rescale(mg, u, 1 / mg->scale);
}

bool gzm_has_whole(const struct gzm *mg)
{
    return !mg->levels[0].share.divided || mg->setup.division->exchange->rank == 0;
}

int gzm_get(struct gzm *mg, void *u)
{
    gzm_read_state(mg, u);
    if (mg->status == 0 && gzm_has_whole(mg) && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(u, gzk_cells(mg->levels[0].size));
    return mg->status;
}

/* -------------------------------------------------------------------------------------- reports */

int gzm_levels(const struct gzm *mg)
{
    return mg->count;
}

void gzm_forget(struct gzm *mg)
{
    for (int k = 0; k < mg->count; k++)
        mg->levels[k].spent = (struct gzm_spent){0};
}

void gzm_report(const struct gzm *mg, int k, struct gzm_level_report *report)
{
    const struct gzm_level *level = &mg->levels[k];
    const struct gzk_halo *halo = level->share.halo;

    *report = (struct gzm_level_report){
        .on_host = level->on_host, .config = level->config, .spent = level->spent};
    memcpy(report->size, level->size, sizeof report->size);
    if (level->share.divided) {
        report->rank_depth = mg->setup.division->depth[k];
        report->messages = level->spent.exchanges * gzk_halo_messages(halo);
        report->bytes = (double)level->spent.exchanges * (double)gzk_halo_bytes(halo);
    }
}
