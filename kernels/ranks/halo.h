/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * halo.h - the halo of a session's current state, of three time levels of both: how far it is
 * right, and its exchange: packed on the device, one copy to the host, messages, one copy back,
 * unpacked.
 */
#ifndef GZK_HALO_H
#define GZK_HALO_H

#include "carry.h"
#include "exchange.h"
#include "plan.h"

struct gzk_halo;

/* Prepares buffers, messages and kernels. A halo that is right lasts for so many steps, of which a
 * loop takes `each`. All must outlive the halo, ended by gzk_halo_free. */
int gzk_halo_new(struct gzk_device *device, struct gzk_session *session,
                 struct gzk_exchange *exchange, const struct gzk_split *split,
                 const struct gzk_stencil *stencil, int steps, int each, struct gzk_halo **halo,
                 struct gzk_error *error);
void gzk_halo_free(struct gzk_halo *halo);

/* What exchanges and loops took on this rank. */
struct gzk_halo_spent {
    long exchanges, stages;
    double loops_s;
    double exchange_s[2]; /* packing, with the copies between host and device; and messages */
};

/* Steps that the state's halo still lasts for: any number if there is none, or no neighbour. */
int gzk_halo_lasts(const struct gzk_halo *halo);
/* The state is right everywhere; and for no more than so many steps. */
void gzk_halo_renew(struct gzk_halo *halo);
void gzk_halo_limit(struct gzk_halo *halo, int steps);

/* Exchanges the current state's halo, or that of another `array` of the session, as long as the
 * state, unless that is NULL. Messages go even if the device fails. */
int gzk_halo_exchange(struct gzk_halo *halo, struct gzk_buffer *array,
                      const volatile sig_atomic_t *stop, struct gzk_halo_spent *spent,
                      struct gzk_error *error);
/* Exchanges unless the halo lasts for so many steps. */
int gzk_halo_need(struct gzk_halo *halo, int steps, const volatile sig_atomic_t *stop,
                  struct gzk_halo_spent *spent, struct gzk_error *error);

/* Runs loops [loop, end) of a plan on the own grid with as many exchanges as they need, which go on
 * after a failure, since others wait for them. Without a halo as gzk_plan_advance. */
int gzk_halo_advance(struct gzk_halo *halo, struct gzk_plan *plan, long loop, long end,
                     const volatile sig_atomic_t *stop, struct gzk_halo_spent *spent,
                     struct gzk_error *error);

/* What this rank sends in an exchange. */
int gzk_halo_messages(const struct gzk_halo *halo);
size_t gzk_halo_bytes(const struct gzk_halo *halo);

#endif
