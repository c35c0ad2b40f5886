/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * effects.h - what changes something, and what is changed.
 */
#ifndef GZT_EFFECTS_H
#define GZT_EFFECTS_H

#include "tree.h"

/* Refuses an expression that assigns or that calls what does more than compute. */
int gzt_refuse_effect(struct gzt_source *source, const struct gzt_node *node);

/* The variable that a statement assigns, ++ and -- included, or NULL. */
const struct gzt_decl *gzt_assigned(const struct gzt_node *node);

/* How often something is assigned to a variable below a node. */
int gzt_assignments(const struct gzt_node *node, const struct gzt_decl *decl);

#endif
