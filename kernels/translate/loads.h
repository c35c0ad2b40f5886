/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * loads.h - which numbers in memory the evaluation of an expression loads.
 */
#ifndef GZT_LOADS_H
#define GZT_LOADS_H

#include "program.h"

/* Whether a node is a number in memory that something else may set. */
bool gzt_lies_in_memory(const struct gzt_program *program, const struct gzt_node *node);

/* Adds all loads that the evaluation of `load.node` makes, subscripts, temporaries and aliases
 * included, each with its guards, to a list. */
void gzt_find_loads(const struct gzt_program *program, struct gzt_input load,
                    struct gzt_input ***list, int *count);

#endif
