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

/* The power of two that makes numbers up to `most` fit: float, of mixed precision, else their own
 * type with their squares, whatever cycles leave of them. Most are left as they are. */
static double scale_for(const struct gzm *mg, double most)
{
    enum { IN_FLOAT = 40, IN_DOUBLE = 400, MOST = 1000 };
    int fits = mg->inner ? 0 : mg->setup.problem.type == GZK_FLOAT ? IN_FLOAT : IN_DOUBLE;
    int power = most > 0 && isfinite(most) ? ilogb(most) : 0;

    if (power >= -fits && power <= fits)
        return 1;
    return ldexp(1, power < -MOST ? MOST : power > MOST ? -MOST : -power);
}

/* Copies a whole array of the finest level to the device, or what of it this rank has. */
static int put_in(struct gzm *mg, const void *whole, struct gzk_buffer *to, struct gzk_error *error)
{
    const struct gzm_level *finest = &mg->levels[0];
    const struct gzm_share *share = &finest->share;
    size_t bytes = finest->data.cells * mg->bytes;
    void *own = share->device ? malloc(bytes) : NULL;

    if (share->device && !own)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (own)
        gzk_domain_take(share->split, &share->part, mg->bytes, whole, own);
    int status = mg->device->backend->write(mg->device, to, own ? own : whole, bytes, error);
    free(own);
    return status;
}

/* Puts a whole array, scaled, where the finest level has its state or right-hand side. */
static int put_array(struct gzm *mg, void *whole, bool is_state, struct gzk_error *error)
{
    const struct gzm_level *finest = &mg->levels[0];

    rescale(mg, whole, mg->scale);
    if (finest->on_host) {
        memcpy(is_state ? finest->data.state : finest->data.aux, whole,
               finest->data.cells * mg->bytes);
        return 0;
    }
    const struct gzk_arrays to = gzk_session_arrays(finest->session);
    return put_in(mg, whole, is_state ? to.state : to.aux, error);
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

int gzm_put(struct gzm *mg, const void *f, const void *u, struct gzk_error *error)
{
    struct gzm_level *finest = &mg->levels[0];
    const struct gzk_data whole = {.size = {finest->size[0], finest->size[1], finest->size[2]},
                                   .cells = gzk_cells(finest->size)};
    struct gzm_grid grid = mg->grid;
    void *copy = calloc(whole.cells, mg->bytes);

    if (!copy)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    grid.data = &whole;
    gzm_share_renew(&finest->share);
    mg->maxima_there = 0;
    mg->rounded = false;
    if (f)
        prepare_rhs(mg, &grid, f, copy);
    mg->rhs = mg->verbs->norm(copy, whole.cells);
    mg->state = u ? mg->verbs->norm(u, whole.cells) : 0;
    mg->scale = scale_for(mg, fmax(mg->rhs, mg->norm * mg->state));
    int status = put_array(mg, copy, false, error);
    /* A norm that is not computed shows. */
    if (status == 0 && !finest->on_host)
        status = mg->device->backend->fill(mg->device, mg->maxima, 0xFF, mg->maxima_bytes, error);
    memset(copy, 0, whole.cells * mg->bytes);
    if (u)
        memcpy(copy, u, whole.cells * mg->bytes);
    if (status == 0)
        status = put_array(mg, copy, true, error);
    free(copy);
    return status;
}

/* The whole state of ranks, on the first of them. */
static int read_whole(struct gzm *mg, void *u, struct gzk_error *error)
{
    const struct gzm_level *finest = &mg->levels[0];
    const struct gzm_share *share = &finest->share;
    void *own = malloc(finest->data.cells * mg->bytes);
    int status = own ? gzk_session_read(finest->session, own, error)
                     : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0)
        status = gzk_collect(share->exchange, share->split, mg->bytes, own, u, error);
    free(own);
    return status;
}

int gzm_read_state(struct gzm *mg, void *u, struct gzk_error *error)
{
    const struct gzm_level *finest = &mg->levels[0];
    int status = 0;

    if (finest->share.device)
        status = read_whole(mg, u, error);
    else if (finest->on_host)
        memcpy(u, finest->data.state, finest->data.cells * mg->bytes);
    else
        status = gzk_session_read(finest->session, u, error);
    if (status == 0 && gzm_has_whole(mg))
        rescale(mg, u, 1 / mg->scale);
    return status;
}

bool gzm_has_whole(const struct gzm *mg)
{
    const struct gzm_share *share = &mg->levels[0].share;
    return !share->device || share->exchange->rank == 0;
}

int gzm_get(struct gzm *mg, void *u, struct gzk_error *error)
{
    int status = gzm_read_state(mg, u, error);
    if (status == 0 && gzm_has_whole(mg) && gzm_is_singular(&mg->setup.problem))
        mg->verbs->centre(u, gzk_cells(mg->levels[0].size));
    return status;
}
