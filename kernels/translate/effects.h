/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * effects.h - what changes something, and what is changed.
 */
#ifndef GZT_EFFECTS_H
#define GZT_EFFECTS_H

#include "library.h"

/* Whether an expression assigns or calls what does more than compute; refuses one that does. */
bool gzt_has_effect(const struct gzt_node *node);
int gzt_refuse_effect(struct gzt_source *source, const struct gzt_node *node);

/* Whether evaluating an expression may end the program where C does not evaluate it: it goes
 * through a pointer, divides or calls something. */
bool gzt_may_fail(const struct gzt_source *source, const struct gzt_node *node);

#endif
