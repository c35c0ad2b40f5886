/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * asked.h - where C evaluates an expression of the time loop, so that what stands in place of the
 * loops evaluates it nowhere else, where it may lead through a null pointer or divide by 0.
 */
#ifndef GZT_ASKED_H
#define GZT_ASKED_H

#include "program.h"

/* A condition that holds, or does not, among those around it. */
const struct gzt_guard *gzt_guard_by(const struct gzt_node *condition, bool holds,
                                     const struct gzt_guard *around);

/* The conditions under which C evaluates a child of a node: those of the node, and what &&, ||, ?:
 * and if add. */
const struct gzt_guard *gzt_guard_below(const struct gzt_node *node, int child,
                                        const struct gzt_guard *around);

/* Begins a block for where C evaluates an expression in any loop, under these conditions, and, of a
 * system, where the loops around it have a turn; ends it. */
void gzt_begin_asked(const struct gzt_program *program, const struct gzt_node *node,
                     const struct gzt_guard *guards, struct gzt_text *text);
void gzt_end_asked(struct gzt_text *text);

/* Tests that conversions and sums leave whole numbers as they are, each where C evaluates it. */
void gzt_add_fits(const struct gzt_program *program, struct gzt_text *text);

#endif
