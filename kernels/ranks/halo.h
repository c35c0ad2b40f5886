/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * halo.h - exchanges the halo of a session's current state, of three time levels of both: packed on
 * the device, one copy to the host, messages, one copy back, unpacked.
 */
#ifndef GZK_HALO_H
#define GZK_HALO_H

#include "carry.h"
#include "exchange.h"
#include "plan.h"

struct gzk_halo;

/* Prepares buffers, messages and kernels. All must outlive the halo, ended by gzk_halo_free. */
int gzk_halo_new(struct gzk_device *device, struct gzk_session *session,
                 struct gzk_exchange *exchange, const struct gzk_split *split,
                 const struct gzk_stencil *stencil, struct gzk_halo **halo,
                 struct gzk_error *error);
void gzk_halo_free(struct gzk_halo *halo);

/* An exchange of the current state's halo, or of that of another `array` of the session, as long as
 * the state, unless that is NULL. `spent`, unless NULL, grows by the seconds for packing, with the
 * copies between host and device, and for messages, which go even if the device fails. */
int gzk_halo_exchange(struct gzk_halo *halo, struct gzk_buffer *array,
                      const volatile sig_atomic_t *stop, double spent[2], struct gzk_error *error);

/* What this rank sends in an exchange. */
int gzk_halo_messages(const struct gzk_halo *halo);
size_t gzk_halo_bytes(const struct gzk_halo *halo);

#endif
