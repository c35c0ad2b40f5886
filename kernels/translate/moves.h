/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moves.h - the statements of a time loop by which pointers, or planes, change places.
 */
#ifndef GZT_MOVES_H
#define GZT_MOVES_H

#include "program.h"

/* Notes the statements, in order, of the time loop's body. */
void gzt_set_exchange(struct gzt_program *program, const struct gzt_node **moves, int count);

/* Runs it as often as leaves what it moves, and that by way of which it does so, as gz_loops loops
 * do, each time behind `among`. */
void gzt_add_exchange(const struct gzt_program *program, const char *among, struct gzt_text *text);

/* Keeps where the pointers lead before the loops, if there are any (gz_count); and, behind the
 * original ones, compares where they lead then with where the exchange would have left them. */
void gzt_add_leads(const struct gzt_program *program, struct gzt_text *text);
void gzt_compare_leads(const struct gzt_program *program, struct gzt_text *text);

/* For gzt_walk: whether a node names a variable that the node `data` declares. */
int gzt_is_declared_within(const struct gzt_node *node, void *data);

#endif
