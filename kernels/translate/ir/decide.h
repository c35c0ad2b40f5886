/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decide.h - what decide hands to body: which stores of a turn make the next value of a field, and
 * what each of their loads sees there.
 *
 * Cells are C[t, c0, ...]: the time loop's counter and the coordinates of a cell of the grid.
 */
#ifndef GZT_IR_DECIDE_H
#define GZT_IR_DECIDE_H

#include "offload.h"

enum plan_sight {
    PLAN_NODE,  /* what a store of the same turn sets */
    PLAN_FIELD, /* field `number`, so far away */
    PLAN_ARRAY, /* constant array `number`, so far away */
    PLAN_STEP,  /* per-step array `number` */
    PLAN_NUMBER /* the same for all cells: the host loads it */
};

/* What a load sees, or an element holds at a turn's end, in some cells. */
struct plan_part {
    isl_set *cells;
    enum plan_sight sight;
    struct plan_node *node;
    int number;
    int distance[PLAN_AXES]; /* by coordinate, outermost first */
    isl_set *far;            /* the distances, if they vary: around the grid; else NULL */
    bool around[PLAN_AXES]; /* by coordinate, whether it is, and `distance` is from the other end */
    int at, other;          /* places of the text, for messages */
};
struct plan_parts { /* a cell's is the first that has it */
    struct plan_part **part;
    int count;
};

/* What a load of a node sees. */
struct plan_seen {
    const struct ir_op *read; /* NULL: what the store leaves where its condition does not hold */
    struct plan_parts parts;
};

/* A store, as the cell that is computed needs it. */
struct plan_node {
    const struct ir_op *op;
    isl_map *at; /* cells -> the instance of `op` */
    isl_set *cells;
    bool guarded; /* whether its condition is to be computed */
    struct plan_seen **seen;
    int seens;
    int name;                     /* in the body of a field, 0 if it is not there yet */
    const struct plan_fold *fold; /* not of a store, but of the iterations of its loop; or NULL */
};

struct plan_maker {
    struct plan plan; /* first, so that it is one */
    struct ir_affine *affine;
    struct plan_node **node;
    int nodes;
    char *open; /* by operation: its nodes whose loads are being looked at */
    struct plan_parts next[PLAN_MOST_FIELDS]; /* by field: its next value */
    isl_map *role[PLAN_MOST_FIELDS]; /* by field: the time's counter -> which block of the object */
    isl_set *beyond;           /* parameters with which a single element lies outside the domain */
    isl_set *box;              /* the grid's domain, over all turns */
    isl_set *line[PLAN_AXES];  /* by coordinate, cells within its ends there */
    int followed;              /* fields whose next value is known */
    struct plan_parts **parts; /* what is seen: of each field's next value and by each load */
    int lists;
    bool given_up; /* because isl takes too long */
    bool always;   /* the host does nothing in some turns only */
};

/* What a load, NULL for what was there before, of a node sees. */
struct plan_parts *plan_seen_by(const struct plan_node *node, const struct ir_op *read);

/* Takes the conditions on which the time loop is left out of what it does. */
void plan_without_breaks(struct plan *plan, struct ir_region *ir);

/* The node of a fold, each of whose iterations belongs to a cell of its own; NULL if refused. */
struct plan_node *plan_fold_node(struct plan_maker *m, const struct plan_fold *fold);

/* Finds what the time loop goes on by, and cells compute. */
bool plan_find_measure(struct plan_maker *m);

/* Finds the host's operations (receive.h), which are `left_out`; without those that are not run in
 * each turn if `always`. Needs the loops' depths alone. */
void plan_find_hosts(struct plan_maker *m, char *left_out, bool always);

/* Makes the fields that hold what these read of earlier turns; finds the elements that they read.
 * False if refused. */
bool plan_expect_fields(struct plan_maker *m);
bool plan_watch(struct plan_maker *m);

/* The cells of a part that no part before it has. */
isl_set *plan_own_cells(const struct plan_parts *parts, int part);

/* A map that is one affine function, or NULL; takes it. */
isl_multi_aff *plan_single(isl_map *map);

/* A condition that the time loop alone decides, without which C does not come to an operation, as
 * far as the outermost loop within it; or NULL. */
struct ir_value *plan_occasion(struct plan_maker *m, const struct ir_op *op);

/* Whether an operation stands in the time loop. */
bool plan_in_time(const struct plan_maker *m, const struct ir_op *op);

/* Whether the iterations of a loop within the time loop are exactly known. */
bool plan_is_exact(const struct plan_maker *m, const struct ir_loop *loop);

/* Whether the host does an operation, or the program; whether one is a device's store there. */
bool plan_is_left_out(const struct plan_maker *m, const struct ir_op *op);
bool plan_writes(const struct plan_maker *m, const struct ir_op *op,
                 const struct ir_object *object);

/* How many coordinates of an object choose a block: the first, of several, if in no access it goes
 * by loops within the time loop. */
int plan_blocks(struct plan_maker *m, const struct ir_object *object);

/* A map to elements of an operation's object as one to cells; takes it. */
isl_map *plan_cells(struct plan_maker *m, const struct ir_op *op, isl_map *map);

/* Whether a store of a turn may set the block that is read; the field that is in it as such a turn,
 * or, with `turns` 1, the next begins: -1 if there is none, or none can be made. */
bool plan_meets(struct plan_maker *m, const struct ir_op *store, const struct ir_op *read);
int plan_field_of(struct plan_maker *m, const struct ir_op *read, int turns);

/* All elements of an object that turns write, NULL if they write none; { C[t, cell] } of turns that
 * a device may run. */
isl_set *plan_written(struct plan_maker *m, const struct ir_object *object);
isl_set *plan_device_turns(struct plan_maker *m);

#endif
