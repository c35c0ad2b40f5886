/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decide.h - what the passes that decide hand to one another and to body: which stores of a turn
 * make the next value of a field, and what each of their loads sees there. A pass calls those that
 * stand before it here.
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
    char *open, *seen; /* by operation: its nodes whose loads are being looked at; whether a node's
                          value needs that load */
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
    bool apart;    /* turns that look at cells are the program's own */
};

/* ---------------------------------------------------------------------- why there is no plan */

#define PLAN_KEPT "is kept from every time step: use two planes"

/* Refuses about an operation, which the message names by its first words. */
const char *plan_shown(struct plan_maker *m, const struct ir_op *op);
bool plan_refuse_op(struct plan_maker *m, const struct ir_op *op, const char *why);

/* Takes the conditions on which the time loop is left out of what it does. */
void plan_without_breaks(struct plan *plan, struct ir_region *ir);

/* Leaves to the program the turns in which a scalar that lives on, or an end of the loop, is found
 * from cells; whether there are any. */
bool plan_without_looks(struct plan_maker *m, struct ir_region *ir);

/* An operation that turns in which a condition holds, which are the program's own, do. */
void plan_add_own(struct plan *plan, struct ir_value *when, const struct ir_op *op);

/* --------------------------------------------------------------- memory, turns and conditions */

/* Whether the iterations of a loop within the time loop are exactly known. */
bool plan_is_exact(const struct plan_maker *m, const struct ir_loop *loop);

/* Whether a value differs from cell to cell. */
bool plan_goes_by_cells(const struct plan_maker *m, const struct ir_value *value);

/* { [time] } of the iterations that run; { C[t, cell] } of turns that a device may run. */
isl_set *plan_turns(struct plan_maker *m);
isl_set *plan_device_turns(struct plan_maker *m);

/* { S<op>[turn, ...] } of turns that a device may run, or of the others. */
isl_set *plan_turns_of(struct plan_maker *m, const struct ir_op *op, bool device);

/* Elements that an operation touches, in its instances or, `anywhere`, as its subscripts say, NULL
 * if these do not; whether the loops say which, and why they do not. */
isl_map *plan_touched(struct plan_maker *m, const struct ir_op *op, bool anywhere);
bool plan_is_known(struct plan_maker *m, const struct ir_op *op);
const char *plan_why_unknown(struct plan_maker *m, const struct ir_op *op);

/* Whether the element in a block, as the subscripts say, goes by the time. */
bool plan_moves_in_time(struct plan_maker *m, const struct ir_op *op);

/* How many coordinates of an object choose a block: the first, of several, if in no access it goes
 * by loops within the time loop. */
int plan_blocks(struct plan_maker *m, const struct ir_object *object);

/* A map to elements of an operation's object as one to cells; takes it. */
isl_map *plan_cells(struct plan_maker *m, const struct ir_op *op, isl_map *map);

/* The role of an access; that which is a role so many turns later; whether two are the same in all
 * turns; whether a store of a turn may set the block that is read. */
isl_map *plan_role_of(struct plan_maker *m, const struct ir_op *op);
isl_map *plan_later(struct plan_maker *m, isl_map *role, int turns);
bool plan_is_same_role(struct plan_maker *m, isl_map *a, isl_map *b);
bool plan_meets(struct plan_maker *m, const struct ir_op *store, const struct ir_op *read);

/* Whether the host does an operation, or the program; whether one is a device's store there. */
bool plan_is_left_out(const struct plan_maker *m, const struct ir_op *op);
bool plan_writes(const struct plan_maker *m, const struct ir_op *op,
                 const struct ir_object *object);

/* Brings in cells of a field, each time as a part, as they are boxes then; takes them. */
void plan_fill(struct plan_maker *m, int field, isl_set *cells);

/* All elements of an object that turns write, NULL if they write none. */
isl_set *plan_written(struct plan_maker *m, const struct ir_object *object);

/* The cells of those in a role. Single elements lie among those that loops write, if they may:
 * `beyond` has the parameters with which one does not. */
isl_set *plan_written_cells(struct plan_maker *m, const struct ir_object *object, isl_map *role);

/* Assumes that single elements lie there, before the data flow is found: so a set of what is
 * written is that of the loops, and not one for each side that a single element may be on. */
void plan_assume_points(struct plan_maker *m);

/* Whether a value is one that only the turn itself has: what a call returns, what a loop leaves
 * that not all turns run, or an element that loops set. A condition without such parts, of those
 * that must all hold. */
bool plan_is_of_turn(const struct ir_value *value, const void *maker);
struct ir_value *plan_foreseen(const struct plan_maker *m, struct ir_value *condition);

/* A condition that the time loop alone decides, without which C does not come to an operation, as
 * far as the outermost loop within it; or NULL. */
struct ir_value *plan_occasion(struct plan_maker *m, const struct ir_op *op);
/* Whether a text has the same, so that the program alone runs these turns. */
bool plan_is_beside_text(struct plan_maker *m, const struct ir_op *op);

/* A condition that the host can make, without which C never comes to a load; NULL if there is none.
 * It is the same in all turns, or, of what each brings in, `step`, in a turn. */
struct ir_value *plan_condition(struct plan_maker *m, const struct ir_op *read, bool step);

/* --------------------------------------------------------------------------- places, fields */

/* A part of a map in which it is one affine function. */
struct plan_piece {
    isl_set *cells;
    isl_multi_aff *f;
    isl_map *map; /* f in these cells */
};
struct plan_pieces {
    struct plan_piece **piece;
    int count;
};

/* The pieces of a map, which is taken, to instances of `op` or to what it touches, as `by` needs
 * them; false, refused, if a cell has several. */
bool plan_take_apart(struct plan_maker *m, isl_map *map, const struct ir_op *op,
                     const struct ir_op *by, struct plan_pieces *pieces);

/* A map that is one affine function, or NULL; takes it. */
isl_multi_aff *plan_single(isl_map *map);

/* Whether where instances lead goes by the time; takes the map. */
bool plan_goes_by_time(isl_map *map);

/* What lets an access be that of a cell: the loops' counters, which a map from cells to its
 * instances, both without time, decides; NULL if it does not. */
isl_multi_aff *plan_place_of(struct plan_maker *m, const struct ir_op *op, isl_map *at);

/* The place of an object's cells in a role: that of an access in it, or, if none of these leads to
 * each cell, another's with the block of one that is. NULL as the operation if there is none. */
struct plan_place plan_find_place(struct plan_maker *m, const struct ir_object *object,
                                  isl_map *role, isl_set **only);

/* The field that is in a role so many turns later, -1 if there is none; or now, made for `at` if
 * there is none, -1 if refused; that of a load, found or, with `turns` 0, made. */
int plan_find_field(struct plan_maker *m, const struct ir_object *object, isl_map *role, int turns);
int plan_field_in(struct plan_maker *m, const struct ir_object *object, isl_map *role,
                  const struct ir_op *at);
int plan_field_of(struct plan_maker *m, const struct ir_op *read, int turns);

/* ---------------------------------------------------------------------------- what loads see */

struct plan_part *plan_add_part(struct plan_parts *parts, enum plan_sight sight, isl_set *cells);

/* One coordinate of a set. Whether a line holds one number, no larger than distances are; takes it.
 */
isl_set *plan_line(isl_set *set, int k);
bool plan_is_distance(isl_set *line, int *number);

/* All cells whose coordinate lies between those of a set's. */
isl_set *plan_between(isl_set *set, int k);

/* A set, which is taken, without its first coordinate; so far away. */
isl_set *plan_without_time(isl_set *cells);
isl_set *plan_moved(isl_set *cells, const int *distance);

/* Adds what elements hold: `at` leads from cells to who reads them, `to` and `of` as in the edges.
 * Stores of the same turn, or, in cells `before`, what was there before. */
bool plan_see(struct plan_maker *m, struct plan_parts *parts, isl_map *at, const struct ir_op *to,
              const struct ir_object *of, isl_set **before);

bool plan_refuse_order(struct plan_maker *m, const struct ir_op *read, const struct ir_op *store);

/* What a load, NULL for what was there before, of a node sees. */
struct plan_parts *plan_seen_by(const struct plan_node *node, const struct ir_op *read);

/* The cells of a part that no part before it has. */
isl_set *plan_own_cells(const struct plan_parts *parts, int part);

/* The node of a fold, each of whose iterations belongs to a cell of its own; NULL if refused. */
struct plan_node *plan_fold_node(struct plan_maker *m, const struct plan_fold *fold);

/* ----------------------------------------------------------------------- passes, in their order */

/* Finds the host's operations (receive.c), which are `left_out`; without those that are not run in
 * each turn if `always`. Needs the loops' depths alone. */
void plan_find_hosts(struct plan_maker *m, char *left_out, bool always);

/* Makes the fields that hold what these read of earlier turns; finds the elements that they read.
 * False if refused. */
bool plan_expect_fields(struct plan_maker *m);
bool plan_watch(struct plan_maker *m);

/* Finds what the time loop goes on by, and cells compute. */
bool plan_find_measure(struct plan_maker *m);

/* Finds all fields, their next values and the measure; fields that take turns in one memory. */
bool plan_find_fields(struct plan_maker *m);
void plan_find_blocks(struct plan_maker *m);

/* Finds the domain, what lies beyond it, and the cells of each field. */
bool plan_find_grid(struct plan_maker *m);

/* Finds the memory, other than fields, that turns write, and what only the program's own turn
 * reads. Both are tested to share no memory with the rest. */
bool plan_find_also(struct plan_maker *m);

/* Finds the memory that the program alone reads, in the last time step if in no other; and whether
 * other turns of its own may read, where nothing can be tested, memory that turns write. */
bool plan_find_asides(struct plan_maker *m);

#endif
