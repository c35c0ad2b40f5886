/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "collect.h"
#include "numbers.h"

#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static struct gzk_exchange *exchange_of(const struct gzm *mg)
{
    return mg->setup.division->exchange;
}

/* How a level is divided, or how it would be cut without halos where it is the first that is not.
 */
static const struct gzk_split *split_of(const struct gzm *mg, const struct gzm_level *level)
{
    return &mg->setup.division->split[level - mg->levels];
}

static size_t bytes_of(const struct gzm *mg, const int size[3])
{
    return gzk_cells(size) * mg->bytes;
}

void gzm_share_make(struct gzm *mg, struct gzm_level *level)
{
    const struct gzk_split *split = split_of(mg, level);
    struct gzm_share *share = &level->share;

    if (mg->status != 0)
        return;
    *share = (struct gzm_share){.divided = true, .around = *split_of(mg, level + 1)};
    gzk_domain_of(split, exchange_of(mg)->rank, &share->part);
    for (int d = 0; d < 3; d++) {
        share->around.depth[d] = split->depth[d] / 2;
        share->width = split->depth[d] > 0 ? split->depth[d] : share->width;
    }
    gzk_domain_of(&share->around, exchange_of(mg)->rank, &share->window_part);
    mg->status = mg->device->backend->buffer_new(mg->device, bytes_of(mg, share->window_part.size),
                                                 &share->window, mg->error);
    GZM_TRY(mg, gzk_carrier_make(mg->device, mg->setup.problem.type, &share->carrier, mg->error));
    GZM_TRY(mg, gzk_halo_new(mg->device, level->session, exchange_of(mg), split, &mg->smoother,
                             share->width, mg->grid.radius, &share->halo, mg->error));
}

void gzm_share_free(struct gzm *mg, struct gzm_share *share)
{
    if (!share->divided)
        return;
    gzk_halo_free(share->halo);
    mg->device->backend->buffer_free(mg->device, share->window);
}

void gzm_share_need(struct gzm *mg, struct gzm_level *level, int elements)
{
    struct gzk_halo_spent spent = {0};

    GZM_TRY(mg, gzk_halo_need(level->share.halo, elements, mg->setup.stop, &spent, mg->error));
    level->spent.exchanges += spent.exchanges;
    level->spent.seconds[GZM_EXCHANGE] += spent.exchange_s[0] + spent.exchange_s[1];
}

/* Copies the box, and what both have around it, from one own grid to another. */
static void carry(struct gzm *mg, const struct gzm_share *share, struct gzk_buffer *from,
                  const struct gzk_domain *of, struct gzk_buffer *to, const struct gzk_domain *into)
{
    int begin[3], there[3], extent[3];
    for (int d = 0; d < 3; d++) {
        int before = least(of->lead[d], into->lead[d]);
        begin[d] = of->lead[d] - before;
        there[d] = into->lead[d] - before;
        extent[d] = least(of->size[d] - begin[d], into->size[d] - there[d]);
    }
    const struct gzk_launch launch =
        gzk_carrier_launch(&share->carrier, gzk_area_in(from, of->size, begin),
                           gzk_area_in(to, into->size, there), extent);
    GZM_TRY(mg, gzk_carrier_run(&share->carrier, &launch, 1, mg->setup.stop, mg->error));
}

/* To this rank's share of the next level. */
static void hand_down(struct gzm *mg, const struct gzm_share *share, struct gzm_level *coarse,
                      const struct gzk_arrays *to)
{
    struct gzk_halo *halo = coarse->share.halo;
    struct gzk_halo_spent spent = {0};

    carry(mg, share, share->window, &share->window_part, to->aux, &coarse->share.part);
    gzm_clear(mg, to->state, bytes_of(mg, coarse->data.size));
    GZM_TRY(mg, gzk_halo_exchange(halo, to->aux, mg->setup.stop, &spent, mg->error));
    gzk_halo_renew(halo);
    coarse->spent.exchanges += spent.exchanges;
}

/* To all ranks as a whole. */
static void gather(struct gzm *mg, struct gzm_level *level, const struct gzk_arrays *to)
{
    const struct gzk_split *split = split_of(mg, level + 1);
    const struct gzm_share *share = &level->share;
    struct gzk_buffer *scratch = gzk_session_arrays(level->session).before;
    struct gzk_domain box;

    gzk_domain_of(split, exchange_of(mg)->rank, &box);
    size_t bytes = bytes_of(mg, box.size), all = bytes_of(mg, split->size);
    void *own = gzm_room(mg, bytes), *whole = gzm_room(mg, all);
    carry(mg, share, share->window, &share->window_part, scratch, &box);
    gzm_read(mg, scratch, own, bytes);
    GZM_TRY(mg, gzk_share(exchange_of(mg), split, mg->bytes, own, whole, mg->error));
    gzm_write(mg, to->aux, whole, all);
    gzm_clear(mg, to->state, all);
    free(own);
    free(whole);
}

void gzm_share_down(struct gzm *mg, struct gzm_level *level)
{
    struct gzm_level *coarse = level + 1;
    const struct gzk_arrays to = gzk_session_arrays(coarse->session);
    double begin = cli_now();

    if (coarse->share.divided)
        hand_down(mg, &level->share, coarse, &to);
    else
        gather(mg, level, &to);
    (coarse->share.divided ? coarse : level)->spent.seconds[GZM_EXCHANGE] += cli_now() - begin;
}

/* From the next level as a whole. */
static void spread(struct gzm *mg, struct gzm_level *level, const struct gzk_buffer *state)
{
    const struct gzm_share *share = &level->share;
    double begin = cli_now();
    size_t bytes = bytes_of(mg, share->window_part.size), all = bytes_of(mg, share->around.size);
    void *own = gzm_room(mg, bytes), *whole = gzm_room(mg, all);

    gzm_read(mg, state, whole, all);
    if (mg->status == 0)
        gzk_domain_take(&share->around, &share->window_part, mg->bytes, whole, own);
    gzm_write(mg, share->window, own, bytes);
    free(own);
    free(whole);
    level->spent.seconds[GZM_EXCHANGE] += cli_now() - begin;
}

void gzm_share_up(struct gzm *mg, struct gzm_level *level)
{
    const struct gzm_share *share = &level->share, *coarse = &(level + 1)->share;
    struct gzk_buffer *state = gzk_session_arrays((level + 1)->session).state;

    gzm_share_need(mg, level + 1, 1);
    /* An element is interpolated from that around it and the next ones. */
    gzk_halo_limit(share->halo, 2 * least(gzk_halo_lasts(coarse->halo), share->width / 2) - 1);
    if (coarse->divided)
        carry(mg, share, state, &coarse->part, share->window, &share->window_part);
    else
        spread(mg, level, state);
}
