/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * locals.h - the temporaries of a cell: numbers that the innermost loop sets before it assigns the
 * element, by declarations, assignments, and ifs with nothing but these in them.
 */
#ifndef GZT_LOCALS_H
#define GZT_LOCALS_H

#include "program.h"

/* What a temporary holds at one place. */
enum gzt_value_kind {
    GZT_VALUE_UNKNOWN, /* nothing has been assigned */
    GZT_VALUE_IS,      /* `node` */
    GZT_VALUE_CHOICE,  /* `a` if `node` holds, otherwise `b` */
    GZT_VALUE_UPDATED  /* `a op node`; without a node, `a op 1` */
};
struct gzt_value {
    enum gzt_value_kind kind;
    const struct gzt_node *node;
    const struct gzt_value *a, *b;
    char op[4];
};

/* The statement of a list that assigns the element: the last one; all before prepare it. */
const struct gzt_node *gzt_effect(const struct gzt_node *statement);

/* Whether a statement only sets temporaries. */
bool gzt_is_preparation(const struct gzt_node *statement);

/* Collects the temporaries of a sweep whose `statement` is set. -1 with the error set if one is not
 * a number or is read before it is set. */
int gzt_read_locals(struct gzt_program *program, struct gzt_sweep *sweep);

/* The number of a declaration among the sweep's temporaries, or -1. */
int gzt_local_of(const struct gzt_sweep *sweep, const struct gzt_decl *decl);

/* Whether a node mentions a temporary. */
bool gzt_mentions_local(const struct gzt_sweep *sweep, const struct gzt_node *node);

/* The memo of a reference to a temporary; `answer` is negative if it is new. */
struct gzt_memo *gzt_memo_of(const struct gzt_sweep *sweep, const struct gzt_node *reference,
                             const void *asked);

/* gzt_walk over the expressions that a value is made of. */
int gzt_value_walk(const struct gzt_value *value, int (*visit)(const struct gzt_node *, void *),
                   void *data);

/* What the temporary holds where `reference` stands. */
const struct gzt_value *gzt_value_at(const struct gzt_sweep *sweep,
                                     const struct gzt_node *reference);

#endif
