/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * effects.h - what changes something, and what is changed.
 */
#ifndef GZT_EFFECTS_H
#define GZT_EFFECTS_H

#include "tree.h"

enum { GZT_DEEPEST_CALL = 8 };

/* Whether a function is defined in the file, and no library's; whether an expression does nothing
 * but compute. */
bool gzt_is_defined(const struct gzt_decl *function);
bool gzt_is_harmless(const struct gzt_node *node);

/* Whether an expression assigns or calls what does more than compute; refuses one that does. */
bool gzt_has_effect(const struct gzt_node *node);
int gzt_refuse_effect(struct gzt_source *source, const struct gzt_node *node);

/* Whether evaluating an expression may end the program where C does not evaluate it: it goes
 * through a pointer, divides or calls something. */
bool gzt_may_fail(const struct gzt_source *source, const struct gzt_node *node);

/* Whether a statement calls a function of the C library that prints. */
bool gzt_is_output(const struct gzt_node *node);

#endif
