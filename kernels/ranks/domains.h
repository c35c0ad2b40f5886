/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * domains.h - how a grid is divided among ranks: each rank's box, the halo around it, and what it
 * sends to whom. Nothing here knows of processes or devices.
 */
#ifndef GZK_DOMAINS_H
#define GZK_DOMAINS_H

#include "data.h"

/* Two neighbours in each dimension. */
enum { GZK_MOST_TRANSFERS = 6 };

/* Cells from `begin` on in each dimension. */
struct gzk_box {
    int begin[3], extent[3];
};
/* Copies a box of an array of `size` elements of `bytes` bytes from an array of it alone, or to
 * such. */
void gzk_box_put(const struct gzk_box *box, const int size[3], size_t bytes, const void *from,
                 void *array);
void gzk_box_get(const struct gzk_box *box, const int size[3], size_t bytes, const void *array,
                 void *to);

/* A grid and its division. */
struct gzk_split {
    int size[3];        /* cells of the grid */
    int ranks[3];       /* boxes along each dimension */
    int unit;           /* boxes begin at multiples of so many cells; 0: of one */
    int depth[3];       /* cells of the halo: the radius times the loops between two exchanges; 0 in
                           dimensions that are not divided */
    bool periodic[3];   /* whether the last box is a neighbour of the first */
    const int *cuts[3]; /* where boxes begin along each dimension, and the last one ends; NULL: as
                           evenly as the unit allows */
};

/* Divides; GZK_INVALID, with what would be right, if a halo is wider than a neighbour's box or
 * there are more ranks than cells. */
int gzk_split_make(const struct gzk_stencil *stencil, const int size[3], const int ranks[3],
                   long loops, struct gzk_split *split, struct gzk_error *error);

/* Sets what repeats, and a halo for so many loops; GZK_INVALID, as above, if it is too wide. */
int gzk_split_deepen(const struct gzk_stencil *stencil, long loops, struct gzk_split *split,
                     struct gzk_error *error);

/* The most loops between exchanges that its narrowest box allows; LONG_MAX if nothing is divided.
 */
long gzk_split_most_loops(const struct gzk_split *split, const int radius[3]);

/* GZK_INVALID, in the words of --ranks, unless the layout is of as many ranks as were started. */
int gzk_layout_check(const int layout[3], int dimensions, int started, struct gzk_error *error);

/* What a rank has: its box of the grid, and a grid of its own of `size` cells, in which the box
 * begins at `lead`. Where the grid ends, so does its own; elsewhere there is a halo. */
struct gzk_domain {
    int place[3]; /* in the division; rank numbers run fastest along x */
    struct gzk_box box;
    int lead[3], size[3];
};
void gzk_domain_of(const struct gzk_split *split, int rank, struct gzk_domain *part);

/* The cell of the grid that is cell `i` of a part's own grid in dimension `d`. */
int gzk_domain_home(const struct gzk_split *split, const struct gzk_domain *part, int d, int i);

/* A message and its answer: cells of a rank's own grid, as many in either direction. */
struct gzk_transfer {
    int phase; /* those of a phase go together, after those of the phases before */
    int peer;  /* the other rank */
    int tag, answer_tag;
    struct gzk_box send, receive;
};

/* Sets what rank `rank` sends and receives in an exchange, a phase for each dimension, whose
 * messages carry on what came in the phases before; returns how many. */
int gzk_transfers(const struct gzk_split *split, int rank,
                  struct gzk_transfer transfers[GZK_MOST_TRANSFERS]);

/* Copies an array between a grid and a part's own grid, `bytes` an element: to the part what its
 * own grid holds, halo included; from it the box alone. */
void gzk_domain_take(const struct gzk_split *split, const struct gzk_domain *part, size_t bytes,
                     const void *grid, void *own);
void gzk_domain_give(const struct gzk_split *split, const struct gzk_domain *part, size_t bytes,
                     const void *own, void *grid);

/* A sum over a part's box of each element mixed with its place in the grid, so that the sum over
 * all parts does not depend on the division. `own` is the part's own grid. */
uint64_t gzk_domain_checksum(const struct gzk_split *split, const struct gzk_domain *part,
                             size_t bytes, const void *own);
/* The same of a grid that is not divided. */
uint64_t gzk_grid_checksum(const int size[3], size_t bytes, const void *grid);

#endif
