/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuts.h - conditions around a sweep's assignment that leave out cells at the ends of an axis, as
 * in `if (i > 0) e[i - 1] = ...`: the domain is what they leave, and nothing beyond is touched.
 */
#ifndef GZT_CUTS_H
#define GZT_CUTS_H

#include "affine.h"

/* Narrows a sweep's domain and bounds, over its loop variables, to where those of its conditions
 * hold that leave cells without a gap along an axis. */
void gzt_cut_domain(const struct gzt_space *space, struct gzt_sweep *sweep);

/* In the program: moves the bounds `low` and `high` of each axis, arrays by axis of coordinates
 * that are loop variables plus `add`, to the first and behind the last cell that these leave. */
void gzt_add_cuts(const struct gzt_program *program, const struct gzt_sweep *sweep, const char *low,
                  const char *high, const int add[GZT_AXES], struct gzt_text *text);

#endif
