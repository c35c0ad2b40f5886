/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * own_grid.h - a rank's own grid as the kernels see it: a grid like any other, on which they run
 * unchanged. README.md says why its box is right.
 */
#ifndef GZK_OWN_GRID_H
#define GZK_OWN_GRID_H

#include "domains.h"

struct gzk_own_grid {
    struct gzk_stencil stencil; /* the stencil, whose cells have their coordinates in the grid */
    struct gzk_data data;       /* of the part's own grid, coefficients of the whole one */
    char *body;                 /* the stencil's text */
};

/* Cuts a part's own grid out of the whole one's data. The stencil must outlive it, and it what was
 * compiled for it. Ended by gzk_own_grid_free. */
int gzk_own_grid_make(const struct gzk_stencil *stencil, const struct gzk_data *grid,
                      const struct gzk_split *split, const struct gzk_domain *part,
                      struct gzk_own_grid *own, struct gzk_error *error);
void gzk_own_grid_free(struct gzk_own_grid *own);

#endif
