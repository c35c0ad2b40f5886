/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * borders.h - cells beyond the domain that each loop sets beside its sweep: to a number, or to
 * another element of the same array. They stay in the program, and so do the time loop, its first
 * loop, until the border is what each loop leaves, and its last ones, which leave what C does in
 * all arrays; in between, the cells are read where what they hold comes from.
 */
#ifndef GZT_BORDERS_H
#define GZT_BORDERS_H

#include "program.h"

/* Whether a statement of the time loop may set a border, where its deepest loops are that deep. */
bool gzt_may_be_border(const struct gzt_node *node, int deepest);

/* Whether a statement of no loops sets a cell that is proven to lie beyond the domain, near it. */
bool gzt_lies_beyond(struct gzt_program *program, const struct gzt_node *node);

/* How many loops are nested in a statement. */
int gzt_depth(const struct gzt_node *node);

/* Reads the statements, once the form is set and the sweep's domain is known. */
int gzt_read_borders(struct gzt_program *program, const struct gzt_node **list,
                     const enum gzt_position *positions, int count);

/* Once the reads of the state are known: what the program does at its edges instead, of those axes
 * whose border is set to other elements. -1 with the error set if what is read is not proven to be
 * that. */
int gzt_judge_borders(struct gzt_program *program, enum gzt_edge edge[GZT_AXES]);

/* Sets gz_count to 0 where the border is not yet what each loop leaves, and otherwise to the loops
 * up to the last ones. */
void gzt_add_border_tests(const struct gzt_program *program, struct gzt_text *text);

/* Whether a copy back brings the border. */
bool gzt_is_set_before_copy(const struct gzt_program *program);

/* The statements behind, or among, the sweep and what belongs to it. */
void gzt_add_border(const struct gzt_program *program, enum gzt_position position,
                    struct gzt_text *text);

#endif
