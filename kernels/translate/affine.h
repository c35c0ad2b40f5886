/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * affine.h - integer expressions as piecewise affine functions of loop variables. What does not
 * change in the loops becomes a parameter, named by its text.
 */
#ifndef GZT_AFFINE_H
#define GZT_AFFINE_H

#include "program.h"

/* The loop variables, in the order of the loops, over which functions and sets are made. */
struct gzt_space {
    struct gzt_source *source;
    isl_ctx *isl;
    const struct gzt_decl *variable[GZT_AXES];
    int variables;
    const struct gzt_decl *time;   /* a parameter like others, but one that may stand in products */
    const struct gzt_decl *toggle; /* likewise */
    int later;                     /* turns of the time loop that the time is ahead */
    const struct gzt_program *program; /* whose aliases stand for what they hold ... */
    const struct gzt_sweep *sweep;     /* ... and whose temporaries do */
    const struct gzt_node *call;       /* within a function: its parameters are the arguments ... */
    const struct gzt_space *caller;    /* ... which are expressions here */
    int depth;
};

/* If a function does nothing but return an expression: the expression, and the space in which it is
 * to be read. */
const struct gzt_node *gzt_enter(const struct gzt_space *space, const struct gzt_node *call,
                                 struct gzt_space *within);

/* The argument that a reference to a parameter means, or the value of an alias, and the space in
 * which that is to be read; or NULL. */
const struct gzt_node *gzt_meaning(const struct gzt_space *space, const struct gzt_node *node,
                                   const struct gzt_space **where);
const struct gzt_node *gzt_alias_of(const struct gzt_program *program, const struct gzt_node *node);

/* Whether the loop sets a number other than by its sweeps; whether a node refers to such a number
 * that is not the time: its values go by the loops. */
bool gzt_is_counted(const struct gzt_program *program, const struct gzt_decl *decl);
bool gzt_goes_by(const struct gzt_program *program, const struct gzt_node *node);

/* Whether the value of a temporary may be looked into once more; refuses what hangs on too many. */
bool gzt_may_follow(const struct gzt_space *space, const struct gzt_node *node);

/* Whether an expression depends on a variable, be it by way of temporaries and arguments. */
bool gzt_depends(const struct gzt_space *space, const struct gzt_node *node,
                 const struct gzt_decl *decl);

/* The function, or NULL if the expression is not affine or reads an array. Divisions and remainders
 * are C's. */
isl_pw_aff *gzt_affine(const struct gzt_space *space, const struct gzt_node *node);

/* Where a condition holds, or NULL if it is not affine. */
isl_set *gzt_condition(const struct gzt_space *space, const struct gzt_node *node);

/* The part of a set that lies at or after the time at which the loops begin. */
isl_set *gzt_in_time(const struct gzt_space *space, isl_set *set);

/* The variable itself; a whole number. */
isl_pw_aff *gzt_variable(const struct gzt_space *space, int variable);
isl_pw_aff *gzt_whole(const struct gzt_space *space, long value);

/* One function where the set holds, another elsewhere; NULL if any is missing. Takes all three. */
isl_pw_aff *gzt_choice(isl_set *holds, isl_pw_aff *yes, isl_pw_aff *no);

/* A value of that name that is the same in all loops. */
isl_pw_aff *gzt_parameter(const struct gzt_space *space, const char *name);

/* Whether a function is the same for all cells. */
bool gzt_is_fixed(isl_pw_aff *function);

/* The number of the loop variable that is `decl`, or -1. */
int gzt_variable_of(const struct gzt_space *space, const struct gzt_decl *decl);

/* Whether a variable that a function of the file refers to is another by that name where the loops
 * stand. */
bool gzt_is_hidden(const struct gzt_space *space, const struct gzt_node *node);

/* Whether an expression depends on the cell. */
bool gzt_depends_on_cell(const struct gzt_space *space, const struct gzt_node *node);

/* Whether any loop variable of the space, the time, a temporary or an alias occurs in the
 * expression. */
bool gzt_varies(const struct gzt_space *space, const struct gzt_node *node);

/* Whether the expression reads an element of an array or calls a function. */
bool gzt_reads_data(const struct gzt_node *node);

#endif
