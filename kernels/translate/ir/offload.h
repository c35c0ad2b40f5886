/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * offload.h - what a region becomes: a stencil of libgzstencil that runs some turns of the time
 * loop, and what the host hands to it and takes back. Made by decide and body, written as C by
 * host.
 *
 * The state is what memory holds at the start of a turn. A field is a block of it that turns read
 * there before they write it; where blocks change places, that which has this role in the turn. The
 * stencil computes from all fields at the start of a turn those at the start of the next. Turns
 * run in device memory, and the turn behind them in the program's own, so whatever that turn
 * overwrites for certain is no field, and what scalars become is no result.
 *
 * Cells are numbered by the coordinates of the elements of fields, [c0, ...], outermost first:
 * the last is axis 0, rows. Sets and functions of cells are over parameters. The user pointer of a
 * parameter's id is the invariant value (struct ir_value) that it stands for; the time does not
 * occur unless a member says so.
 */
#ifndef GZT_IR_OFFLOAD_H
#define GZT_IR_OFFLOAD_H

#include "../rewrite.h"
#include "flow.h"
#include "stencil.h"

enum { PLAN_MOST_FIELDS = 8, PLAN_MOST_GUARDS = 16, PLAN_AXES = 3 };

/* An element of memory, or what is read there, for each cell: what the access of `op` leads to with
 * the time loop's phis as they are in the turn meant and, in the loops around `op` within the
 * time loop, outermost first, counters (struct ir_turns, never NULL) of the values at(cell). */
struct plan_place {
    const struct ir_op *op; /* IR_READ or IR_STORE */
    isl_multi_aff *at;
    const struct ir_value *own, *block; /* if not NULL, `block` stands for `own` in the address:
                                           what chooses a block by time */
};

struct plan_field {
    const struct ir_object *object;
    struct plan_place place; /* with the phis of a turn: the state at its start */
    isl_set *only;           /* the cells that it leads to, if not to all; decide's */
    isl_set *fill;           /* cells to bring in */
    isl_set *take;           /* cells to take back: those that turns write */
    isl_set *border;         /* cells of `fill` that no turn writes */
    isl_set *seen;           /* cells that no turn writes and the host reads; NULL: none */
    int planes; /* memory it is in by turns: 1, or after so many turns again the first. Then its
                   border in each must be that in the first, to the bit, or with `buffers` 2 is
                   buffer 1's if it is that of the second */
    int blocks; /* the first field that is in the same memory by turns, or this one's number */
};

/* What the device reads at a cell besides: an array of the grid, of elements of the place. */
struct plan_array {
    struct plan_place place;
    isl_set *cells;        /* those for which C reads it, of any turn */
    int begin;             /* a place in the text, for messages */
    bool covered;          /* by the span of what turns write there */
    bool read;             /* of `also`: whether only the program's own turns read there */
    struct ir_value *when; /* a condition without which C never reads it; NULL: none is known */
};

/* A number that is the same for all cells. */
struct plan_number {
    struct ir_value *value; /* or NULL: */
    isl_pw_aff *affine;     /* of parameters; of a step, also of the time loop's counter */
    isl_set *when;          /* parameters for which C evaluates it; elsewhere it is 0 */
    enum ir_type type;      /* in which the body takes it */
    int axis;               /* along which it is a coordinate, -1 for others */
    int first, words;       /* COEF or STEP, and how many: 2 where the grid's type does not hold the
                               type exactly: then, as for one of the same size, its bits */
};

/* What a loop over cells within the time loop finds with each iteration: what it has found so far,
 * its phi, becomes the larger or the lesser of that and `value`, or their sum, where the guards
 * hold. */
struct plan_fold {
    const struct ir_loop *loop;
    const struct ir_value *phi, *value;
    const struct ir_value *guard[PLAN_MOST_GUARDS];
    bool unless[PLAN_MOST_GUARDS]; /* by guard: it must be 0 */
    int guards;
    bool minus; /* `value` is subtracted */
    const struct plan_node *node;
};

/* A number that loops over cells find in each turn, and by which the time loop goes on. */
struct plan_measure {
    const struct ir_value *found, *start; /* an IR_EXIT; what is found if there are no cells */
    struct plan_fold **fold;              /* one behind the other */
    int folds;
    enum { PLAN_MOST = 1, PLAN_LEAST, PLAN_SUM } finds;
    enum ir_type type; /* of the device's: IR_F64, IR_F32, or of a sum IR_I64, IR_F64 */
    bool either_zero;  /* of two zeros C may find either */
};

/* Elements of a field that the host reads in each turn, in operation `read`: at the cells at[], by
 * coordinate, functions of the loops around it; or, if these are NULL, at those of its subscripts
 * by then, from low[] to high[], which parameters decide. */
struct plan_watch {
    const struct ir_op *read;
    isl_set *when; /* loops' counters and parameters for which it does; NULL: all */
    int field; /* -1: elsewhere in its object, which no turn writes; with `age` 1 it is `seen` of
                  a field */
    int age;   /* the value at the start of the turn, 0, or at its end, 1 */
    isl_pw_aff *at[PLAN_AXES], *low[PLAN_AXES], *high[PLAN_AXES];
};

/* A condition on which a turn is the last of the time loop, which is written as if it never held,
 * what the turn then does not do, and the variables that it then leaves as they were: those that
 * are set behind what cells compute. */
struct plan_end {
    struct ir_value *when;
    const struct ir_op **cut;
    int cuts;
    struct ir_value **kept;
    int keeps;
};

struct plan {
    const struct ir_region *ir;
    const struct ir_flow *flow; /* its context is a condition of the plan */
    const char *refusal;        /* NULL if there is a plan; else the reason, about ... */
    int at, other;              /* ... these places of the text, -1 for none */

    const struct ir_loop *time; /* all others stand within it */
    int dimensions;
    isl_set *some; /* parameters with which turns write cells; there is no plan for others */
    isl_pw_aff *low[PLAN_AXES], *high[PLAN_AXES]; /* by axis, the first cell of the domain and the
                                                     one behind its last */
    isl_set *grid; /* cells that a buffer holds: the domain and the radius around it */
    int radius[PLAN_AXES];
    int edge[PLAN_AXES]; /* gz_edge, which is enum gz_stencil_edge */
    int rim[PLAN_AXES];  /* cells that are kept at either end */
    enum ir_type type;   /* of the grid's elements: IR_I32, IR_F32, IR_F64 */
    int buffers, operations;
    bool guarded;
    bool inexact; /* whether it calls functions that devices round in their own ways */
    int reads_state, reads_column, reads_arrays; /* as in struct gz_stencil_reads */
    bool reads_own_column;
    const char *body; /* text of the stencil's body */

    struct plan_field *field[PLAN_MOST_FIELDS];
    int fields;
    struct plan_array **constant; /* COEF_AT */
    int constants;
    struct plan_array **also; /* memory that turns write, or the program alone reads, and the device
                                 does not hold, which must share none with the rest */
    int alsos;
    const struct ir_value **aside; /* numbers that the program alone reads, likewise */
    int asides;
    struct plan_array **step; /* STEP_AT: with the phis of each turn */
    int steps;
    struct plan_number **coefficient; /* COEF */
    int coefficients, coefficient_words;
    struct plan_number **value; /* STEP: with the phis of each turn */
    int values, value_words;
    const struct ir_op **own;   /* what the device does not do */
    struct ir_value **own_when; /* for each, a condition that the time loop alone decides: a turn in
                                   which it holds is the program's own */
    int owns;
    bool stale; /* whether own turns may read memory that turns write and no field holds: the turn
                   before each is then the program's own, too */
    struct plan_end **end; /* as they are computed: each where those before do not hold */
    int ends;
    struct plan_measure *measure; /* NULL if there is none */
    char *host; /* by operation: whether the host does it, in each turn that has run; or NULL */
    char *heard, *late; /* by value: whether it computes that then; whether turns decide on it */
    struct plan_watch **watch;
    int watches;
    struct gzt_call call;
};

/* Refuses, once, about two places of the text, -1 for none. Returns false. */
bool plan_refuse(struct plan *plan, int at, int other, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Refuses an operation by a value that each cell leaves for the next. */
bool plan_refuse_carried(struct plan *plan, const struct ir_op *op, const struct ir_value *value);

/* Decides; never NULL. */
struct plan *plan_make(const struct ir_region *ir, isl_ctx *isl);

/* Writes the plan's body, and fills the stencil's facts that follow from it. For decide alone. */
void plan_write_body(struct plan *plan);

/* Whether what the region's annotation states follows from its loops; sets the refusal if not. */
bool plan_agrees(struct plan *plan);

/* Whether a line holds one number, whatever the parameters are, and which; takes it. */
bool plan_only(isl_set *line, long *number);

/* How far along an axis loads see the state, less than 0 before the cell; the name of the program's
 * variable of that axis. */
void plan_reach(const struct plan *plan, int axis, int *low, int *high);
const char *plan_axis(const struct plan *plan, int axis);

/* The stencil that it becomes, but for what only a row has. */
struct gzk_stencil plan_stencil(const struct plan *plan);

/* The same in C with its reference and data, behind `header`, the text of stencil.h. NULL with the
 * refusal set if its cells do not follow from the grid's extents. */
const char *plan_row(struct plan *plan, const char *header);

/* Appends the plan in words. */
void plan_explain(const struct plan *plan, struct gzt_text *text);

/* Writes the plan's text; false with the refusal set if the host cannot compute a number, a
 * condition or an address. Host's. */
bool plan_host(struct plan *plan);

#endif
