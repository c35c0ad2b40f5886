/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * division.h - how the levels of a hierarchy are divided among ranks. The finest ones are cut so
 * that a box of a coarser level is half of the finer one's; from the first on that is not divided,
 * every rank has, and computes, the whole level. Nothing here knows of processes or devices.
 */
#ifndef GZM_DIVISION_H
#define GZM_DIVISION_H

#include "domains.h"
#include "exchange.h"
#include "multigrid.h"

struct gzm_division {
    struct gzk_exchange *exchange; /* of the ranks; or NULL until there are some */
    int layout[3];                 /* ranks along each dimension */
    int depth[GZM_MAX_LEVELS];     /* loops of each level that its halo lasts for; before gzm_divide
                                      0 where it may be as many as help and fit */
    int levels;                    /* so many are divided */
    struct gzk_split split[GZM_MAX_LEVELS]; /* of these, and of the next, without halos */
};

/* The most loops between exchanges that help: those of a visit, and what is read around a residual
 * or an interpolated element. */
int gzm_most_depth(const struct gzm_setup *setup);

/* Divides in the given layout as many levels on a device as have boxes of similar extents.
 * GZK_INVALID, with what would be right, if there is none, or a halo is wider than a neighbour's
 * box. */
int gzm_divide(const struct gzm_setup *setup, struct gzm_division *division,
               struct gzk_error *error);

#endif
