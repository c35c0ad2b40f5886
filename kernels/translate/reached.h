/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reached.h - whether a variable can be reached other than by its name, or a place of the text.
 */
#ifndef GZT_REACHED_H
#define GZT_REACHED_H

#include "tree.h"

/* The expression below a node that lets a variable be reached otherwise than by its name: that
 * takes its address, binds a reference to it or captures it. NULL if there is none. */
const struct gzt_node *gzt_handed_on(const struct gzt_node *node, const struct gzt_decl *decl);

/* Where a goto, or what takes the address of a label, leads; -1 for any other node. */
int gzt_label_of(const struct gzt_node *node);

#endif
