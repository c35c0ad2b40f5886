/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outlives.h - what a variable is used for beside the loops that set it: whether anything but its
 * name leads to it, and whether what the loops leave in it is read.
 */
#ifndef GZT_OUTLIVES_H
#define GZT_OUTLIVES_H

#include "program.h"

/* The expression below a node that lets a variable be reached otherwise than by its name: that
 * takes its address, binds a reference to it or captures it. NULL if there is none. */
const struct gzt_node *gzt_handed_on(const struct gzt_node *node, const struct gzt_decl *decl);

/* Whether something else than its name may lead to a variable. */
bool gzt_may_be_shared(const struct gzt_program *program, const struct gzt_decl *decl);

/* Where a goto, or what takes the address of a label, leads; -1 for any other node. */
int gzt_label_of(const struct gzt_node *node);

/* Checks that nothing reads what the time loop leaves in temporaries of its cells. -1 with the
 * error set. */
int gzt_check_locals(const struct gzt_program *program);

#endif
