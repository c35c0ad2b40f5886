/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * within.h - of loops that set several arrays, which cells of a part, seen from some distance, are
 * among another's: what isl tells. Bound k of a part is its lower one of axis k / 2 or, if k is
 * odd, the upper one.
 */
#ifndef GZT_WITHIN_H
#define GZT_WITHIN_H

#include "program.h"

/* Whether no cell of a part, so far away, ever lies beyond that bound of another; whether all do.
 * Beyond edges that are not kept lie images of cells, or nearest ones, all of them within. */
bool gzt_is_within(const struct gzt_program *program, const struct gzt_sweep *bounds,
                   const struct gzt_sweep *part, int shift, int k);
bool gzt_is_beyond(const struct gzt_program *program, const struct gzt_sweep *bounds,
                   const struct gzt_sweep *part, int shift, int k);

/* Whether no cell of a part lies beyond that bound of another where both have cells. */
bool gzt_encloses(const struct gzt_program *program, const struct gzt_sweep *bounds,
                  const struct gzt_sweep *part, int k);

/* Whether a part is set in loops along an axis, between the same bounds as the first part. */
bool gzt_has_bounds(const struct gzt_program *program, int part, int axis);

/* The elements so far from those that a part sets for these of its cells; along axes whose edges
 * are not kept, these themselves, since there all parts have all cells and nothing lies beyond. */
isl_set *gzt_elements(const struct gzt_program *program, const struct gzt_sweep *sweep,
                      isl_set *cells, const int offset[GZT_AXES]);

#endif
