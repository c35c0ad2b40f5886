/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * divided.h - a run whose domain is one of several, each on a rank of an MPI program. The kernels
 * compute on the rank's own grid, the caller's arrays and halos around them, as kernels/ranks says.
 *
 * All ranks call all of these together, but for gzs_divided_read and _leave. What
 * they agree on is the same on all: they fail together.
 */
#ifndef GZS_DIVIDED_H
#define GZS_DIVIDED_H

#include "gzstencil.h"
#include "halo.h"

struct gzs_divided {
    struct gzk_exchange exchange; /* node_rank: this process's number on its machine */
    struct gzk_split split;
    int *cuts;
    struct gzk_domain part;
    const struct gzk_stencil *stencil;
    struct gzk_data own;   /* grid, that the kernels compute on */
    struct gzk_box caller; /* where the caller's arrays lie in the own grid */
    struct gzk_session *session;
    struct gzk_halo *halo;
    int depth; /* loops between exchanges */
};

/* Begins to talk with the other ranks of a communicator. */
int gzs_divided_open(const void *communicator, struct gzs_divided **divided,
                     struct gzk_error *error);
void gzs_divided_close(struct gzs_divided *divided);

/* Finds out what the other ranks have; `local` is of the caller's arrays, rims included. `place`
 * gets what must stand before the stencil's body, GZK_PLACE_TEXT bytes at most. */
int gzs_divided_split(struct gzs_divided *divided, const struct gz_stencil_ranks *asked,
                      const struct gzk_stencil *stencil, const struct gzk_data *local, char *place,
                      struct gzk_error *error);

/* Makes room for the own grid of the stencil with such a body. */
int gzs_divided_make(struct gzs_divided *divided, const struct gzk_stencil *stencil, long loops,
                     struct gzk_error *error);

/* Sets the own grid's arrays from the caller's, and the halos from the other ranks'. */
int gzs_divided_put(struct gzs_divided *divided, struct gzk_device *device,
                    const struct gzk_data *local, struct gzk_error *error);

/* Prepares exchanges of a session on the own grid, until gzs_divided_leave. `status` is that of
 * what this rank did before. */
int gzs_divided_enter(struct gzs_divided *divided, struct gzk_device *device,
                      struct gzk_session *session, int status, struct gzk_error *error);
void gzs_divided_leave(struct gzs_divided *divided);

/* Reads the caller's cells of the state of that age. */
int gzs_divided_read(struct gzs_divided *divided, struct gzk_session *session, int age, void *to,
                     struct gzk_error *error);

#endif
