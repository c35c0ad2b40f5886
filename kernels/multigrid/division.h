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
#include "problem.h"

struct gzm_division {
    struct gzk_exchange *exchange;          /* of the ranks; or NULL until there are some */
    int levels;                             /* so many are divided */
    int depth[GZM_MAX_LEVELS];              /* loops of each that its halo lasts for */
    struct gzk_split split[GZM_MAX_LEVELS]; /* of these, and of the next, without halos */
    int *cuts;                              /* where all boxes begin */
};

/* What is to be divided. */
struct gzm_divided {
    const struct gzm_problem *problem;
    struct gzm_sizes sizes;    /* levels, of which those on a device are to be divided at most */
    int loops;                 /* of a visit before or after the correction, the more */
    int layout[3];             /* ranks along each dimension */
    int depth[GZM_MAX_LEVELS]; /* loops between exchanges; 0: as many as help and fit */
};

/* The most loops between exchanges that help: those of a visit, and what is read around a residual
 * or an interpolated element. */
int gzm_most_depth(const struct gzm_divided *what);

/* Divides as many levels as have boxes of similar extents. GZK_INVALID, with what would be right,
 * if there is none, or a halo is wider than a neighbour's box. Ended by gzm_division_free, also
 * after a failure. */
int gzm_divide(const struct gzm_divided *what, struct gzm_division *division,
               struct gzk_error *error);
void gzm_division_free(struct gzm_division *division);

#endif
