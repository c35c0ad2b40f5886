/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * aliases.h - variables that each time loop sets once, from scalars and the time, before what uses
 * them: their value stands for them.
 */
#ifndef GZT_ALIASES_H
#define GZT_ALIASES_H

#include "program.h"

/* Whether a node is a reference to a variable that the time loop assigns. */
int gzt_is_changing(const struct gzt_node *node, void *time);

/* Makes an alias of a variable that the body of the time loop assigns so often, if its value is the
 * same wherever it is read, but for arrays. */
bool gzt_add_value(struct gzt_program *program, const struct gzt_node *time,
                   const struct gzt_decl *decl, const struct gzt_node *value, int assigned);

/* Makes such aliases of all that a statement sets, as int now = t % 2, next = 1 - now; does, if the
 * values read no arrays and, without `calls`, call nothing. */
bool gzt_take_aliases(struct gzt_program *program, const struct gzt_node *time,
                      const struct gzt_node *node, bool calls);

#endif
