/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relations.h - values as piecewise affine functions, and with them what operations touch when.
 *
 * Functions and sets are over parameters alone while they are made: one for each loop, whose value
 * is that of the variable which counts its iterations (or, if none does, their number), and one for
 * each value that is the same throughout the region and no sum of others. The parameters of the
 * loops around an operation then become the coordinates of its instances, outermost first.
 *
 * Assumed, as a condition of the region (`context`): that invariant whole numbers lie within
 * IR_MOST_INDEX of zero, and that what is computed of them alone in an unsigned or narrower type is
 * what it would be without bounds. And that loops run IR_LEAST_TURNS times or more, but those that
 * never do: in fewer, cells at one end of an axis would be neighbours of those at the other.
 *
 * What isl makes is not freed: it lives until gzc ends, as what gzt_alloc gives does.
 */
#ifndef GZT_IR_RELATIONS_H
#define GZT_IR_RELATIONS_H

#include "ir.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

/* At most so many turns are counted for a run: to count more would take longer than to begin
 * another run. */
enum { IR_MOST_INDEX = 1 << 30, IR_MOST_TURNS = 1 << 22, IR_LEAST_TURNS = 4 };

/* The iterations of a loop. */
struct ir_turns {
    struct ir_value *counter; /* a phi; NULL: they are numbered from 0 */
    long step;                /* of it, not 0 */
    isl_id *id;               /* of the parameter */
    isl_set *begun;           /* where the counter may lie, if the loop never ended */
    isl_set *head, *body;     /* in which the head, the body is run */
    bool exact;               /* these; or they hold all such and perhaps more */
};

/* The element that an operation reads or writes; if it is not known, it may be any of the
 * object's. */
struct ir_element {
    isl_map *map; /* instances -> M<object>[coordinates]; each has one, in `domain` */
    bool known;
};

/* A product of invariant values, as a linear subscript's stride: `by` and its factors in order. */
enum { IR_MOST_FACTORS = 4, IR_MOST_TERMS = 16 };
struct ir_product {
    long by;
    int count;
    struct ir_value *factor[IR_MOST_FACTORS];
};

/* What is left of a product without a stride's factors; false if it lacks one. */
bool ir_divides(const struct ir_product *stride, const struct ir_product *product,
                struct ir_product *left);

struct ir_fold { /* a subscript whose coordinates run into the row before or behind */
    const struct ir_value *of;
    long rows[IR_MOST_SUBSCRIPTS]; /* constant ones, by coordinate */
    bool through;                  /* it goes through whole rows, one behind the other */
};
struct ir_layout {
    bool made;
    bool fixed;  /* constant factors are part of strides, not of coordinates */
    int strides; /* longest first, the last is 1; 0: subscripts are taken as they are */
    struct ir_product stride[IR_MOST_SUBSCRIPTS];
    struct ir_fold **folded;
    int folds;
};

struct ir_affine {
    isl_ctx *isl;
    const struct ir_region *ir;
    isl_pw_aff **value; /* by value, NULL if it is none or was not computed */
    char *asked;
    struct ir_turns *turns;   /* by loop */
    isl_set *context;         /* what is known of parameters */
    struct ir_value **factor; /* of products: one of those that are the same function */
    int factors;
    struct ir_layout *layout;    /* by object: how its linear subscripts are taken apart */
    struct ir_element *touched;  /* by operation, as ir_touched found it, */
    isl_set **touched_in;        /* in this context; NULL: not computed yet */
    struct ir_scanned **scanned; /* what scan.h has made of sets */
    int scans;
    char *named;    /* by value: whether a text has it as a parameter; NULL: no matter */
    bool unwritten; /* whether it could not make one */
    long summed;    /* values that were taken as sums */
};

/* Bounds isl's operations from here on, 0: not at all, and their time, since one may take as long
 * as thousands of others; whether it did within its bounds what came before. */
enum { IR_MOST_SECONDS = 15 };
bool ir_bound(isl_ctx *isl, unsigned long most);

/* Whether a set has no element; two sets in one, which are taken, the first may be NULL; one that
 * grows by another. */
bool ir_is_nothing(isl_set *set);
isl_set *ir_union(isl_set *all, isl_set *more);
void ir_grow(isl_set **all, isl_set *more);

/* For one region; `isl` outlives it. */
struct ir_affine *ir_affine_begin(const struct ir_region *ir, isl_ctx *isl);

/* A value as a function of parameters; NULL if it is none. Defined where it is known, mostly
 * everywhere. The caller frees it. */
isl_pw_aff *ir_affine_of(struct ir_affine *affine, struct ir_value *value);

/* A constant function. */
isl_pw_aff *ir_affine_number(struct ir_affine *affine, long value);

/* Below, `exact` may be NULL.
 *
 * The parameters with which a condition is, or is not, 0, or more if *exact is cleared. */
isl_set *ir_where(struct ir_affine *affine, struct ir_value *value, bool holds, bool *exact);

/* Whether a condition goes by the loops and parameters alone. */
bool ir_is_exact(struct ir_affine *affine, const struct ir_value *where);

/* The parameters with which an operation is run, or more if *exact is cleared. */
isl_set *ir_when(struct ir_affine *affine, const struct ir_op *op, bool *exact);

/* The iterations of an outermost loop that run, { [counter] }. */
isl_set *ir_iterations(struct ir_affine *affine, const struct ir_loop *loop);

/* An operation's instances, S<number>[...], or more than these if *exact is cleared. */
isl_set *ir_instances(struct ir_affine *affine, const struct ir_op *op, bool *exact);

/* A map over parameters as one over the instances of an operation, S<number>[...]; takes it. */
isl_map *ir_over_instances(struct ir_affine *affine, const struct ir_op *op, isl_map *map);

/* The element that an IR_READ or IR_STORE touches in its instances. */
struct ir_element ir_touched(struct ir_affine *affine, const struct ir_op *op);

/* How many coordinates elements of an object have, its linear subscripts taken apart; and all of
 * them, { instances -> M<object>[coordinates] }. */
int ir_rank(struct ir_affine *affine, const struct ir_object *object);
isl_map *ir_anything(struct ir_affine *affine, const struct ir_op *op,
                     const struct ir_object *object);

/* The coordinates of an access over parameters, { [] -> [coordinates] }, or NULL. */
isl_map *ir_coordinates(struct ir_affine *affine, const struct ir_access *access);

/* Lets the context be a part of it, if there are such parameters; takes that. */
bool ir_assume(struct ir_affine *affine, isl_set *part);

/* A set whatever a loop's parameter is, or all are; takes it. */
isl_set *ir_over_turns(const struct ir_turns *turns, isl_set *set);
isl_set *ir_over_all_turns(struct ir_affine *affine, isl_set *set);

/* Whether a function goes by a loop's parameter; by that of any. */
bool ir_goes_by(isl_pw_aff *f, const struct ir_turns *turns);
bool ir_differs(const struct ir_affine *affine, isl_pw_aff *f);

#endif
