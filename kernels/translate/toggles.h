/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * toggles.h - what chooses one of two planes by turns: a variable that is 0 and 1, and maybe
 * another that is 1 less it, which each time loop sets behind its sweeps.
 */
#ifndef GZT_TOGGLES_H
#define GZT_TOGGLES_H

#include "program.h"

/* Finds them, if there are such. */
void gzt_take_toggle(struct gzt_program *program, const struct gzt_node *time);

/* Whether a statement of the time loop is one of those that set them. */
bool gzt_is_turn(const struct gzt_program *program, const struct gzt_node *node);

/* Tests at run time that they are 0 and 1. */
void gzt_add_toggle_test(const struct gzt_program *program, struct gzt_text *text);

#endif
