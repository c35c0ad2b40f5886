/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hull.h - whether the cells that a sweep's conditions leave reach to all ends of its domain.
 */
#ifndef GZT_HULL_H
#define GZT_HULL_H

#include "affine.h"

/* In the program: whether the conditions that are no cuts, as far as they are told before the loops
 * run, leave a cell from which each end of the domain, between `low` and `high`, is touched;
 * otherwise gz_usable says that they do not. */
void gzt_add_hull_test(const struct gzt_space *space, const struct gzt_sweep *sweep,
                       const char *low, const char *high, struct gzt_text *text);

#endif
