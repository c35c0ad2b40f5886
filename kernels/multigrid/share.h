/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * share.h - a rank's share of a level: a grid of its own, its box and a halo, on which the level's
 * kernels run unchanged. What they read in the halo is right for so many elements beyond the box;
 * each loop takes the radius of that, until the halo is exchanged. Between this level and the next
 * lies a window, a coarse array for all elements of the own grid.
 */
#ifndef GZM_SHARE_H
#define GZM_SHARE_H

#include "division.h"
#include "halo.h"

struct gzm_share {
    struct gzk_device *device; /* NULL: of a level that is not divided */
    const volatile sig_atomic_t *stop;
    struct gzk_session *session;            /* of the own grid */
    const struct gzk_split *split, *coarse; /* of this level and of the next */
    struct gzk_exchange *exchange;
    struct gzk_domain part;
    struct gzk_halo *halo;
    int valid, width;        /* elements of the state's halo that are right, and all */
    struct gzk_split around; /* the next level's, with a halo of half as many elements */
    struct gzk_domain window_part;
    struct gzk_buffer *window;
    size_t window_cells, bytes; /* bytes of an element */
    struct gzk_carrier *carrier;
    long exchanges;
    double seconds; /* of these */
};

/* Of level k, whose stencil tells the type and whose session has the own grid's arrays; the
 * session, the device and the division must outlive it. Ended by gzm_share_free, also after a
 * failure. */
int gzm_share_new(struct gzk_device *device, struct gzk_session *session,
                  const struct gzm_division *division, int k, const struct gzk_stencil *stencil,
                  const volatile sig_atomic_t *stop, struct gzm_share *share,
                  struct gzk_error *error);
void gzm_share_free(struct gzm_share *share);

/* The state is right everywhere, also of a level that is not divided. */
void gzm_share_renew(struct gzm_share *share);

/* Exchanges the state's halo if fewer elements of it are right. */
int gzm_share_need(struct gzm_share *share, int elements, struct gzk_error *error);

/* Loops have made so many elements of the halo wrong. */
void gzm_share_spoil(struct gzm_share *share, long elements);

/* Downwards, from the window: the next level's right-hand side into its arrays, and 0 as its state:
 * to this rank's share of it, whose halo is exchanged, or to all ranks as a whole if it is not
 * divided. */
int gzm_share_down(struct gzm_share *share, struct gzm_share *coarse, const struct gzk_arrays *to,
                   struct gzk_error *error);

/* Upwards, to the window: the next level's state around the own grid; this one's is then right as
 * far as it can be interpolated from that. */
int gzm_share_up(struct gzm_share *share, struct gzm_share *coarse, struct gzk_buffer *state,
                 struct gzk_error *error);

#endif
