/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * looks.h - what a time loop does now and then beside its sweeps, such as to print the state: ifs
 * of the time and scalars. They stay in the program as they are, and so does the time loop; the
 * loops from one of them to the next are computed together, without that in which one among the
 * sweeps acts, which stays as a whole.
 */
#ifndef GZT_LOOKS_H
#define GZT_LOOKS_H

#include "program.h"

/* Whether a statement is an if around nothing but assignments to elements, which may be points
 * (points.h) that are not set in each loop. */
bool gzt_may_be_points(const struct gzt_node *node);

/* Takes them out of a time loop, which may be one that counts by `while`. Returns the loop without
 * them, NULL with the error set if they stand where they cannot stay. */
const struct gzt_node *gzt_take_looks(struct gzt_program *program, const struct gzt_node *time);

/* Checks, once the form is set, that their conditions can be told before the loops have run. */
int gzt_check_looks(struct gzt_program *program);

#endif
