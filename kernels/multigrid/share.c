/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "share.h"

#include "collect.h"
#include "numbers.h"

#include <limits.h>
#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

int gzm_share_new(struct gzk_device *device, struct gzk_session *session,
                  const struct gzm_division *division, int k, const struct gzk_stencil *stencil,
                  const volatile sig_atomic_t *stop, struct gzm_share *share,
                  struct gzk_error *error)
{
    *share = (struct gzm_share){.device = device,
                                .stop = stop,
                                .session = session,
                                .split = &division->split[k],
                                .coarse = &division->split[k + 1],
                                .around = division->split[k + 1],
                                .exchange = division->exchange,
                                .bytes = (size_t)stencil->bytes};
    gzk_domain_of(share->split, share->exchange->rank, &share->part);
    for (int d = 0; d < 3; d++) {
        share->around.depth[d] = share->split->depth[d] / 2;
        share->width = share->split->depth[d] > 0 ? share->split->depth[d] : share->width;
    }
    gzk_domain_of(&share->around, share->exchange->rank, &share->window_part);
    share->window_cells = gzk_cells(share->window_part.size);
    gzm_share_renew(share);
    int status = device->backend->buffer_new(device, share->window_cells * share->bytes,
                                             &share->window, error);
    if (status == 0)
        status = gzk_carrier_new(device, stencil->type, &share->carrier, error);
    if (status == 0)
        status = gzk_halo_new(device, session, share->exchange, share->split, stencil, &share->halo,
                              error);
    return status;
}

void gzm_share_free(struct gzm_share *share)
{
    if (!share->device)
        return;
    gzk_halo_free(share->halo);
    gzk_carrier_free(share->carrier);
    share->device->backend->buffer_free(share->device, share->window);
    *share = (struct gzm_share){.device = NULL};
}

/* Where there is no halo, nothing of it can be wrong. */
void gzm_share_renew(struct gzm_share *share)
{
    share->valid = share->width > 0 ? share->width : INT_MAX;
}

int gzm_share_need(struct gzm_share *share, int elements, struct gzk_error *error)
{
    double begin = cli_now();
    if (share->valid >= elements)
        return 0;
    int status = gzk_halo_exchange(share->halo, NULL, share->stop, NULL, error);
    gzm_share_renew(share);
    share->exchanges++;
    share->seconds += cli_now() - begin;
    return status;
}

void gzm_share_spoil(struct gzm_share *share, long elements)
{
    if (share->width > 0)
        share->valid -= (int)elements;
}

/* Copies the box, and what both have around it, from one own grid to another. */
static int carry(const struct gzm_share *share, struct gzk_buffer *from,
                 const struct gzk_domain *of, struct gzk_buffer *to, const struct gzk_domain *into,
                 struct gzk_error *error)
{
    int begin[3], there[3], extent[3];
    for (int d = 0; d < 3; d++) {
        int before = least(of->lead[d], into->lead[d]);
        begin[d] = of->lead[d] - before;
        there[d] = into->lead[d] - before;
        extent[d] = least(of->size[d] - begin[d], into->size[d] - there[d]);
    }
    const struct gzk_launch launch =
        gzk_carrier_launch(share->carrier, gzk_area_in(from, of->size, begin),
                           gzk_area_in(to, into->size, there), extent);
    return gzk_carrier_run(share->carrier, &launch, 1, share->stop, error);
}

/* To this rank's share of the next level. */
static int hand_down(struct gzm_share *share, struct gzm_share *coarse, const struct gzk_arrays *to,
                     struct gzk_error *error)
{
    int status = carry(share, share->window, &share->window_part, to->aux, &coarse->part, error);
    if (status == 0)
        status = share->device->backend->fill(share->device, to->state, 0,
                                              gzk_cells(coarse->part.size) * share->bytes, error);
    if (status == 0)
        status = gzk_halo_exchange(coarse->halo, to->aux, share->stop, NULL, error);
    gzm_share_renew(coarse);
    coarse->exchanges += coarse->width > 0;
    return status;
}

/* To all ranks as a whole. */
static int gather(struct gzm_share *share, const struct gzk_arrays *to, struct gzk_error *error)
{
    const struct gzk_backend *backend = share->device->backend;
    struct gzk_buffer *scratch = gzk_session_arrays(share->session).before;
    size_t all = gzk_cells(share->coarse->size) * share->bytes;
    struct gzk_domain box;

    gzk_domain_of(share->coarse, share->exchange->rank, &box);
    size_t bytes = gzk_cells(box.size) * share->bytes;
    void *own = malloc(bytes), *whole = malloc(all);
    int status = own && whole
                     ? carry(share, share->window, &share->window_part, scratch, &box, error)
                     : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0)
        status = backend->read(share->device, scratch, own, bytes, error);
    if (status == 0)
        status = gzk_share(share->exchange, share->coarse, share->bytes, own, whole, error);
    if (status == 0)
        status = backend->write(share->device, to->aux, whole, all, error);
    if (status == 0)
        status = backend->fill(share->device, to->state, 0, all, error);
    free(own);
    free(whole);
    return status;
}

int gzm_share_down(struct gzm_share *share, struct gzm_share *coarse, const struct gzk_arrays *to,
                   struct gzk_error *error)
{
    double begin = cli_now();
    int status = coarse->device ? hand_down(share, coarse, to, error) : gather(share, to, error);
    (coarse->device ? coarse : share)->seconds += cli_now() - begin;
    return status;
}

/* Of the window so many elements are right around the box. An element is interpolated from that
 * around it and the next ones. */
static void interpolate_within(struct gzm_share *share, int elements)
{
    if (share->width > 0)
        share->valid = least(share->valid, 2 * least(elements, share->width / 2) - 1);
}

/* From the next level as a whole. */
static int spread(struct gzm_share *share, const struct gzk_buffer *state, struct gzk_error *error)
{
    const struct gzk_backend *backend = share->device->backend;
    size_t all = gzk_cells(share->coarse->size) * share->bytes;
    void *own = malloc(share->window_cells * share->bytes), *whole = malloc(all);
    double begin = cli_now();

    int status = own && whole ? backend->read(share->device, state, whole, all, error)
                              : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0) {
        gzk_domain_take(&share->around, &share->window_part, share->bytes, whole, own);
        status = backend->write(share->device, share->window, own,
                                share->window_cells * share->bytes, error);
    }
    free(own);
    free(whole);
    share->seconds += cli_now() - begin;
    return status;
}

int gzm_share_up(struct gzm_share *share, struct gzm_share *coarse, struct gzk_buffer *state,
                 struct gzk_error *error)
{
    int status = gzm_share_need(coarse, 1, error);
    interpolate_within(share, coarse->valid);
    if (status == 0 && coarse->device)
        return carry(share, state, &coarse->part, share->window, &share->window_part, error);
    return status == 0 ? spread(share, state, error) : status;
}
