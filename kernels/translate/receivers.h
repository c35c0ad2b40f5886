/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * receivers.h - statements beside the sweeps that hand on what a loop leaves in single cells, as
 * rec[t] = u[x][y] does, to arrays that the loops do not use, or print it. They are taken out of
 * the time loop; the library tells what each loop has left there, and the program runs them once
 * the loops are done, in their order.
 */
#ifndef GZT_RECEIVERS_H
#define GZT_RECEIVERS_H

#include "program.h"

/* The time loop without them, where its body has any; they are noted in the program. */
const struct gzt_node *gzt_take_receivers(struct gzt_program *program, const struct gzt_node *time);

/* What the element of an array of that text is where it stands in a receiver: 1 with `seen` set if
 * it is a cell of the state, 0 if the loops do not set it, -1 with the error set. */
typedef int gzt_find_seen(struct gzt_program *program, const struct gzt_receiver *receiver,
                          const struct gzt_node *element, const char *base, struct gzt_seen *seen);

/* Finds the cells that receivers read, once the arrays are known, and checks that all else stays
 * the same. -1 with the error set. */
int gzt_read_receivers(struct gzt_program *program, gzt_find_seen *find);

/* Whether a statement may be one, as far as the kinds of its parts tell. */
bool gzt_may_be_receivers(const struct gzt_node *node);

/* What a loop, or an if, in or around a receiver holds; NULL if it is neither. */
const struct gzt_node *gzt_received_in(const struct gzt_node *node);

/* Refuses a receiver. */
int gzt_refuse_receiver(const struct gzt_program *program, const struct gzt_receiver *receiver,
                        const char *why);

/* In a program of one array, of whose sweeps and what belongs to them the first begins at `first`
 * and the last at `last`. */
int gzt_read_receivers_of_one(struct gzt_program *program, int first, int last);

/* What is written in place of the loops: a variable for what follows; the memory that receivers
 * touch, which must not overlap other; the cells that are asked for; where they run, the
 * statements, with what was seen, before a block of what else is done then; what they leave in
 * variables of loops that outlive them; and, after the original loops, comparisons of what they
 * set. */
void gzt_add_receivers(const struct gzt_program *program, struct gzt_text *text);
void gzt_compare_received(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_receiver_spans(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_watching(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_receiving(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_receiver_finals(const struct gzt_program *program, enum gzt_position position,
                             struct gzt_text *text);
int gzt_receiver_finals(const struct gzt_program *program, const struct gzt_decl ***list,
                        int count);

#endif
