/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * loops.h - the loops of a region: their headers, and what is nested in what.
 */
#ifndef GZT_LOOPS_H
#define GZT_LOOPS_H

#include "affine.h"

/* int i = LOW, or i = LOW; or only i, whose value then is LOW. */
bool gzt_read_beginning(const struct gzt_node *node, struct gzt_loop *loop);

/* Reads the header of a for loop. -1 with the error set if it is not `for (i = LOW; i < HIGH; i++)`
 * or the like. */
int gzt_read_loop(struct gzt_source *source, const struct gzt_node *node, struct gzt_loop *loop);

/* Sets the error for the statements of a cell, of which one sets an element and others follow. */
int gzt_refuse_fields(struct gzt_source *source, const struct gzt_node **list, int count,
                      int first);

/* The scalar that a statement of a cell sets from what other cells left in it, such as a sum, or
 * NULL. */
const struct gzt_node *gzt_gathered(const struct gzt_node **list, int number);

/* Refuses a sum of the cells that a loop variable chooses. */
int gzt_refuse_line(struct gzt_source *source, const struct gzt_node *sum,
                    const struct gzt_decl *along);

/* Refuses what C++ declares as another name of an element. */
int gzt_refuse_references(struct gzt_source *source, const struct gzt_node *statement);

/* Refuses a loop beside other statements in a loop over cells. */
int gzt_refuse_inner(struct gzt_source *source, const struct gzt_node *node);

/* Refuses an if around loops in a loop of that variable; 0 if a statement is none. */
int gzt_refuse_around(struct gzt_source *source, const struct gzt_node *node,
                      const struct gzt_decl *iterator);

/* Reads the loops over the cells from the outermost inwards and the one statement in them. */
int gzt_read_nest(struct gzt_source *source, const struct gzt_node *node, struct gzt_sweep *sweep);

/* Sets the sweep's domain and bounds once its axes are known. */
int gzt_set_domain(struct gzt_source *source, const struct gzt_space *space,
                   struct gzt_sweep *sweep);

/* The space of a sweep's loop variables. */
struct gzt_space gzt_space_of(const struct gzt_program *program, const struct gzt_sweep *sweep);

/* A loop of any kind as a for without a head and with another body. */
struct gzt_node *gzt_bare_loop(const struct gzt_node *loop, const struct gzt_node *body);

/* What counts the loops where no variable of the program does. */
extern const struct gzt_decl gzt_turn;

#endif
