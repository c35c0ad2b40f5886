/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lower.h - what the lowering's files share. The region is lowered again and again, each time with
 * all that was found to be assumed too boldly: which variables a loop changes, which lie in memory.
 * These sets only grow, and values stay the same ones, so the last pass has what it assumed.
 */
#ifndef GZT_IR_LOWER_H
#define GZT_IR_LOWER_H

#include "../tree.h"
#include "build.h"

/* A call that is lowered as the values of the function's body; 0 is the region itself. */
struct ir_frame {
    int number;
    struct ir_frame *caller;
    const struct gzt_node *call, *body;
    const struct gzt_decl *function;
};

/* What is known where an expression is evaluated: values of variables and of other places that no
 * subscript chooses, and whether C comes here in this iteration. */
struct ir_binding {
    struct ir_value *place, *value; /* NULL: it must be read again */
};
struct ir_state {
    struct ir_value *where;
    struct ir_binding *list;
    int count, room;
    bool clobbered; /* places in memory that are not in the list must be read */
    bool ended;     /* C never comes behind here, as the program ends, though `where` says so */
};

/* Where break, continue, return and goto lead. */
enum ir_aim { IR_TO_BREAK, IR_TO_CONTINUE, IR_TO_RETURN, IR_TO_LABEL, IR_TO_END };
struct ir_target {
    enum ir_aim kind;
    int label; /* its offset */
    struct ir_loop *loop;
    struct ir_frame *frame;
    struct ir_value *flag; /* stands for a variable: set once C is on the way there out of loops */
    struct ir_value *result; /* of a return: where the value goes */
    struct ir_value *broken; /* of a loop's end: a flag that jumps there set */
    bool passed;
    struct ir_target *outer;
};
struct ir_jump {
    const struct ir_target *to;
    struct ir_state s; /* where it starts */
};

/* Where the lowering is. */
struct ir_spot {
    struct ir_block *block;
    struct ir_loop *loop;
    bool head;
    struct ir_frame *frame;
    const struct ir_frame *aside; /* in which an if of the outermost loop stands around here, so
                                     that C comes not in each of its iterations; or NULL */
    struct ir_target *targets;
    const char *each; /* the directive by which each thread of OpenMP comes here, or NULL */
};

struct ir_lower {
    struct gzt_source *source;
    const struct gzt_region *region;
    const struct gzt_node *function;
    int begin, end; /* of the region's statements */

    /* Kept from pass to pass. */
    struct ir_table table;
    int stamp; /* of the last walk over values */
    struct ir_frame **frame_list;
    int frames;
    struct ir_loop **loop_list;
    int loops;
    struct ir_value **memory; /* what is no value: places, and all below them */
    int memories;
    struct ir_value **changed; /* phis that are needed */
    int changes;
    bool exchanges; /* of vectors, whose sizes may differ */
    bool again;

    /* Of this pass. */
    struct ir_region *ir;
    struct ir_spot at;
    struct ir_jump **jump; /* to these, in order */
    int jumps;
    struct ir_state s;
    struct ir_op **recent; /* reads since memory was last written */
    int recents;
    const struct gzt_node **covered;
    int covers;
    const char *why; /* the last failure */
};

/* state.c */
struct ir_state ir_copy_state(const struct ir_state *state);
void ir_set(struct ir_lower *l, struct ir_value *place, struct ir_value *value);
struct ir_value *ir_find(const struct ir_state *state, const struct ir_value *place);
void ir_forget(struct ir_lower *l, int begin, int end);
void ir_clobber(struct ir_lower *l);
/* The state of two that exclude each other: under c the first, else the second. */
struct ir_state ir_join(struct ir_lower *l, struct ir_value *c, const struct ir_state *a,
                        const struct ir_state *b);
bool ir_is_place(const struct ir_value *address);
bool ir_is_value(struct ir_lower *l, const struct ir_value *place);
bool ir_is_register(struct ir_lower *l, const struct ir_value *place);
void ir_keep_in_memory(struct ir_lower *l, struct ir_value *address);
struct ir_value *ir_address_of(struct ir_lower *l, const struct gzt_decl *decl);
struct ir_value *ir_load(struct ir_lower *l, struct ir_value *address, const struct gzt_node *at);
void ir_store(struct ir_lower *l, struct ir_value *address, struct ir_value *value,
              const struct gzt_node *at);
/* As memmove copies. */
struct ir_op *ir_copy(struct ir_lower *l, struct ir_value *to, struct ir_value *from,
                      struct ir_value *bytes, const struct gzt_node *at);
struct ir_op *ir_add_op(struct ir_lower *l, enum ir_kind kind, const struct gzt_node *at);
void ir_add_item(struct ir_block *block, struct ir_op *op, struct ir_loop *loop);
/* What memory holds at an address. */
struct ir_value *ir_read(struct ir_lower *l, struct ir_value *address, const struct gzt_node *at);
bool ir_is_dead(const struct ir_lower *l);
/* A variable that C does not have, identified in the call by its name and `whole`; c is its type.
 */
struct ir_value *ir_hidden(struct ir_lower *l, const char *name, const char *c, long whole);

/* expressions.c: NULL with the reason set if an expression is not understood. */
struct ir_value *ir_lower_value(struct ir_lower *l, const struct gzt_node *node);
struct ir_value *ir_lower_place(struct ir_lower *l, const struct gzt_node *node);
struct ir_value *ir_lower_condition(struct ir_lower *l, const struct gzt_node *node);
/* Lowers under a condition one of two nodes, each of which may be NULL: both from the state now,
 * and they join. Sets the values of those that C may come to. */
bool ir_lower_either(struct ir_lower *l, struct ir_value *c, const struct gzt_node *const node[2],
                     struct ir_value *(*lower)(struct ir_lower *, const struct gzt_node *),
                     struct ir_value *value[2]);
/* Evaluates the sizes in the type of a variable, which is declared here; false if one may change.
 */
bool ir_declare(struct ir_lower *l, struct gzt_decl *decl);
/* The type of a std::vector's elements, NULL if an object is none; what stands for the pointer to
 * them or for their number; that pointer; the number, for an object whose place was made just
 * before. */
const char *ir_vector_of(const struct gzt_node *object);
struct ir_value *ir_vector_place(struct ir_lower *l, const struct gzt_node *vector, bool size);
struct ir_value *ir_vector_data(struct ir_lower *l, const struct gzt_node *vector);
struct ir_value *ir_vector_size(struct ir_lower *l, const struct gzt_node *vector);
void *ir_fail(struct ir_lower *l, const struct gzt_node *node, const char *why);
void ir_cover(struct ir_lower *l, const struct gzt_node *node, bool below);

/* calls.c */
struct ir_value *ir_nothing(struct ir_lower *l); /* of type void */
struct ir_value *ir_lower_call(struct ir_lower *l, const struct gzt_node *node);
/* The place that a call of a function which returns a reference leads to. */
struct ir_value *ir_lower_reference(struct ir_lower *l, const struct gzt_node *call);

/* statements.c: false if a statement is not understood, and cannot stay a text here. */
bool ir_lower_statement(struct ir_lower *l, const struct gzt_node *node);
bool ir_leads_out(const struct gzt_node *node); /* whether jumps in it may lead out of it */
bool ir_lower_ways(struct ir_lower *l, struct ir_value *condition,
                   const struct gzt_node *const way[2]); /* of an if, NULL for none */
bool ir_lower_list(struct ir_lower *l, struct gzt_node *const *list, int count, int begin);
struct ir_target *ir_push_target(struct ir_lower *l, enum ir_aim kind);
/* One that jumps may reach from within loops, identified by a place in the text. */
struct ir_target *ir_push_far(struct ir_lower *l, enum ir_aim kind, int place);
/* Lets what has jumped to the innermost target go on from here, and takes that target away. */
void ir_arrive(struct ir_lower *l);
bool ir_jump(struct ir_lower *l, struct ir_target *target);
bool ir_lower_declaration(struct ir_lower *l, const struct gzt_node *node);

/* loops.c */
bool ir_lower_loop(struct ir_lower *l, const struct gzt_node *node);
/* Notes loops that are lowered, from the next pass on, as copies of their body. */
void ir_find_copies(struct ir_lower *l);
/* Begins a loop whose counter, of the type of `end`, goes from 0 to below that; returns it. What is
 * lowered next is the loop's body. */
struct ir_value *ir_begin_count(struct ir_lower *l, const struct gzt_node *at,
                                struct ir_value *end);

/* copies.c: makes loops of copies of elements, if there are any; objects and numbers are then to be
 * found again. */
bool ir_expand_copies(struct ir_lower *l);

/* lower.c, objects.c, finish.c */
bool ir_is_read_behind(const struct ir_lower *l, const struct gzt_decl *decl);
void ir_resolve_objects(struct ir_lower *l);
void ir_number(struct ir_lower *l);
void ir_check_cover(struct ir_lower *l);

#endif
