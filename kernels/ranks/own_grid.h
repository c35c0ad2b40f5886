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

/* Coefficients that say where a part's own grid lies. */
enum { GZK_PLACE_NUMBERS = 2 * 3, GZK_PLACE_TEXT = 1000 };

/* Definitions to stand before a body, by which CELL_X, _Y and _Z of divided dimensions are those of
 * the whole grid, from coefficients `first` and on; at most GZK_PLACE_TEXT bytes. Where the grid
 * does not repeat they hold for any extent. Returns how many bytes. */
size_t gzk_place_text(const struct gzk_split *split, int first, char *text);
/* Sets these coefficients. */
void gzk_place_numbers(const struct gzk_split *split, const struct gzk_domain *part,
                       enum gzk_type type, int first, void *coefficients);

/* What grids have at first. */
struct gzk_initial {
    const struct gzk_data *grid; /* the whole grid's data; NULL: a part's are made of the seed,
                                    which takes a stencil that fills parts */
    long loops;
    uint64_t seed;
};

/* Copies a grid's coefficient and border arrays, each loop's arrays and then the state to
 * another's, one by one by `copy`, and each loop's values. */
typedef void gzk_array_copy(void *of, const void *from, void *to);
void gzk_copy_arrays(const struct gzk_stencil *stencil, const struct gzk_data *from,
                     struct gzk_data *to, gzk_array_copy *copy, void *of);

/* Makes a part's own grid, or cuts it out of the whole one's data. The stencil must outlive it, and
 * it what was compiled for it. Ended by gzk_own_grid_free. */
int gzk_own_grid_make(const struct gzk_stencil *stencil, const struct gzk_initial *initial,
                      const struct gzk_split *split, const struct gzk_domain *part,
                      struct gzk_own_grid *own, struct gzk_error *error);
void gzk_own_grid_free(struct gzk_own_grid *own);

#endif
