/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counts.h - time loops whose trip count numbers alone decide, however they count: down, by steps
 * of any kind, in a double, in memory, in several variables at once. The program runs the loop
 * without its sweeps to find out how many loops there are, by the user's text and in its types.
 */
#ifndef GZT_COUNTS_H
#define GZT_COUNTS_H

#include "program.h"

/* Makes variables of the numbers in memory, such as *k or g->time, that a loop counts and asks for
 * in its head. */
void gzt_name_places(const struct gzt_source *source, const struct gzt_node *loop);

/* Takes out of a time loop, a for or a while, all that sets numbers: its head and statements beside
 * the sweeps. `plain`: whether its head could stay. Returns what is left as a time loop, with
 * `program->counts` and `program->time` set, or NULL if there is nothing to take out or if it does
 * not count. */
const struct gzt_node *gzt_take_counts(struct gzt_program *program, const struct gzt_node *loop,
                                       bool plain);

/* Adds what a node sets to what `counts` do: for gzt_walk. */
int gzt_collect_set(const struct gzt_node *node, void *counts);

/* Refuses sweeps that use what is set beside them; and, where the time loop stays, statements that
 * would have to run in the midst of it. */
int gzt_check_counts(struct gzt_program *program);
int gzt_check_counted_place(struct gzt_program *program);

#endif
