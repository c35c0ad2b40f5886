/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * frame.h - a function while it is written out where it is called: what its parameters and
 * variables mean there.
 */
#ifndef GZT_FRAME_H
#define GZT_FRAME_H

#include "repeated.h"
#include "tree.h"

enum { GZT_MOST_WRITTEN = 1 << 20 };

/* What a parameter or variable of a function is where the function is written out: an expression
 * of another frame, or a variable of a name that means nothing else there. */
struct gzt_meaning {
    const struct gzt_decl *decl;
    const struct gzt_node *node; /* the expression, NULL if it stays a variable */
    struct gzt_frame *frame;     /* in which it is to be read */
    const char *name;            /* of the variable */
};

/* An assignment to a variable or member of that name, "*" if it cannot be told. */
struct gzt_change {
    const char *name;
    const struct gzt_decl *decl; /* NULL for members */
    int offset;
};

/* The time loop, or a function while it is written out in it. */
struct gzt_frame {
    struct gzt_pass *pass;
    struct gzt_frame *caller;
    const struct gzt_decl *function; /* NULL for the time loop */
    const struct gzt_node *body;
    struct gzt_meaning **meanings;
    int meaning_count;
    struct gzt_change **changes;
    int change_count;
    int depth;
    struct gzt_repeated repeated; /* in the block that is being written, its text, and what stands
                                     for it */
    const char *repeated_text, *temporary;
};

struct gzt_pass {
    const struct gzt_source *source;
    const struct gzt_tree *tree;
    struct gzt_region *region; /* whose time loop it is */
    int begin, end;            /* of the function around the time loop, its parameters included */
    bool choosing;             /* whether choices between subscripts become ones of elements */
    int changed;
    size_t bytes;
};

/* The meaning of a variable in a frame, NULL if it is none of the frame's or stays what it is; and
 * sets it. */
const struct gzt_meaning *gzt_meaning_of(const struct gzt_frame *frame,
                                         const struct gzt_decl *decl);
void gzt_mean(struct gzt_frame *frame, const struct gzt_decl *decl, const struct gzt_node *node,
              struct gzt_frame *where, const char *name);

/* What stands for a reference. */
const char *gzt_meaning_text(const struct gzt_meaning *meaning);

/* What a node comes to by way of parameters and variables that stand for something else, and the
 * frame in which that is to be read. */
const struct gzt_node *gzt_resolve(struct gzt_frame **frame, const struct gzt_node *node);

/* Sets the frame's changes: what its body assigns, by way of functions, too. */
void gzt_find_changes(struct gzt_frame *frame);

/* Gives the pointers and whole numbers that blocks below a node declare, and that stay what they
 * are set to, this meaning. */
void gzt_take_steady(struct gzt_frame *frame, const struct gzt_node *node);

/* Makes the frame of a call, NULL if the function cannot be written out. With `declared`, arguments
 * that may change meanwhile become variables, whose declarations are added to it; `apart`
 * gives variables within names that the caller lacks. */
struct gzt_frame *gzt_enter_call(struct gzt_frame *caller, const struct gzt_node *call, bool apart,
                                 struct gzt_text *declared);

/* An expression as it is written in a frame, on one line; the second so that it can stand anywhere:
 * in parentheses, where it needs them. In inline.c. */
const char *gzt_expression(struct gzt_frame *frame, const struct gzt_node *node);
const char *gzt_operand(struct gzt_frame *frame, const struct gzt_node *node);

/* Kinds of types; whether a variable is a function's own; the name of a member. */
bool gzt_is_number(enum gzt_type type);
bool gzt_is_whole(enum gzt_type type);
bool gzt_is_own(const struct gzt_decl *function, const struct gzt_node *body,
                const struct gzt_decl *decl);
const char *gzt_member_name(const struct gzt_source *source, const struct gzt_node *node);

/* Whether a statement of the time loop's body may be an if beside the sweeps (looks.h), which stays
 * in the program as it is. */
bool gzt_stays(const struct gzt_frame *frame, const struct gzt_node *node);

#endif
