/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * flow.h - the data flow of a time loop: for each element that is read, the instance of the store
 * of the same time step that made it, and whether an earlier one did.
 */
#ifndef GZT_IR_FLOW_H
#define GZT_IR_FLOW_H

#include "relations.h"

enum { IR_MOST_WORK = 4000000 };

/* Instances `cells` of `to` read elements of `of` that `from` has set. */
struct ir_edge {
    const struct ir_op *to;   /* NULL: who reads all elements at the end of a time step, the cells
                                 E<object>[iteration, element] */
    const struct ir_op *from; /* an IR_STORE */
    const struct ir_object *of;
    isl_set *cells;
    isl_map *source; /* `cells` -> instances of `from` */
    bool earlier;    /* they are whoever of an earlier iteration set the element, not the last one
                        only, where none of this iteration has; or this iteration's, the last of
                        all those of a cell in the first such edge that has it */
};

struct ir_flow {
    struct ir_affine *affine;
    struct ir_edge **edge; /* by `to` in order, those with none last */
    int edges;
    bool given_up; /* isl's work was bounded */
};

/* Follows what elements hold within an iteration of the only outermost loop, in which no operation
 * runs that is `left_out`, by its number; stores that are not have known elements. Edges are to
 * each IR_READ, to stores whose conditions are not known exactly, and to what is left out and reads
 * any memory. */
struct ir_flow *ir_follow(struct ir_affine *affine, const struct ir_loop *time,
                          const char *left_out);

/* Appends the printed form of the edges. */
void ir_print_edges(const struct ir_flow *flow, struct gzt_text *text);

#endif
