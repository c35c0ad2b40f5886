/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * flow.h - the data flow of a region: for each value that is loaded, the instance of the store that
 * made it, by one analysis over all elements of all objects. Stores of what was loaded, as copies
 * and borders are, are then looked through.
 */
#ifndef GZT_IR_FLOW_H
#define GZT_IR_FLOW_H

#include "relations.h"

enum { IR_VARIES = -1, IR_MOST_WORK = 4000000 };

/* For instances `cells` of `to`, `read` gives what `from` has stored. */
struct ir_edge {
    const struct ir_op *to;     /* NULL: whoever reads an element of `of` behind the region */
    const struct ir_op *read;   /* NULL: what an IR_COPY copies, or a store leaves in its element
                                   where   its condition does not hold, or if `to` is NULL */
    const struct ir_op *from;   /* NULL: `before` held it before the region */
    const struct ir_object *of; /* whose element is read */
    const struct ir_object *before;
    isl_set *cells;
    isl_map
        *source;   /* `cells` -> instances of `from`, or elements of `before`; NULL: any of them */
    bool certain;  /* or perhaps another's */
    int loops_ago; /* iterations of the outermost loop between, IR_VARIES if their number does or
                      one of the two stands in none */
    bool constant; /* whether `distance` is the same for all cells: from the element that `to`
                      sets to that which is read, slots aside */
    int coordinates;
    long distance[IR_MOST_SUBSCRIPTS];
};

struct ir_flow {
    struct ir_affine *affine;
    struct ir_edge **edge; /* by `to` in order, those with none last */
    int edges;
    const struct ir_value **carried; /* phis that are no function of the iteration but reach a store
                                        or a condition: sums, minima, recurrences */
    int carries;
    bool given_up; /* isl's work was bounded */
};

/* Follows the values of a region; at most `work` operations of isl's, 0 for no limit. */
struct ir_flow *ir_follow(const struct ir_region *ir, isl_ctx *isl, unsigned long work);

/* What elements hold within an iteration of an outermost loop, `turns`, in which no operation runs
 * that is `left_out`, by its number. Edges have no `read` and `before`, and are those to an
 * IR_READ itself, whoever uses it, to a store whose condition is not known exactly, to what is left
 * out and reads any memory, and, without `to`, to what elements of `of` hold at the end of an
 * iteration: `cells` are E<object>[iteration, element]. `loops_ago` is 0: a writer in the
 * iteration, the last of all those of a cell in the first such edge that has it; or IR_VARIES:
 * whoever of an earlier one wrote there, not the last one only, where none of this iteration has.
 */
struct ir_flow *ir_follow_turns(struct ir_affine *affine, unsigned long work,
                                const struct ir_loop *turns, const char *left_out);

/* Appends the printed form of the edges. */
void ir_print_edges(const struct ir_flow *flow, struct gzt_text *text);

#endif
