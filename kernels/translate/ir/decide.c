/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decide.c - from the data flow of a region to the stencil that computes turns of its time loop.
 *
 * The next value of a field at a cell is what the last store to it in a turn sets, or what it was.
 * Each load of that store sees another store of the same turn, whose loads are looked at likewise,
 * or what memory held at the start of the turn: a field if any turn writes there, else constant.
 */
#include "decide.h"

#include "../source.h"
#include "../tree.h"
#include "stencil.h"
#include "turn.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/val.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char NO_SUM[] = "has a subscript that is no sum of loop variables";

enum { MOST_NODES = 400, DEEPEST = 4, LONGEST = 64, MOST_DISTANCES = 12 };

bool plan_refuse(struct plan *plan, int at, int other, const char *format, ...)
{
    va_list list;
    char text[1000];
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!plan->refusal) {
        plan->refusal = gzt_format("%s", text);
        plan->at = at;
        plan->other = other > 0 ? other : -1;
    }
    return false;
}

/* An operation, by its first words. */
static const char *shown(struct plan_maker *m, const struct ir_op *op)
{
    enum { MOST = 60 };
    const char *text = op->end > op->begin ? gzt_clean(m->plan.ir->source, op->begin, op->end)
                       : op->access.object ? op->access.object->shown
                                           : "this";
    return strlen(text) > MOST ? gzt_format("%.*s...", MOST, text) : text;
}

static bool refuse_op(struct plan_maker *m, const struct ir_op *op, const char *why)
{
    return plan_refuse(&m->plan, op->begin, -1, "%s %s", shown(m, op), why);
}

/* -------------------------------------------------------------------------------------- sets */

static bool is_nothing(isl_set *set)
{
    return isl_set_is_empty(set) == isl_bool_true;
}

bool plan_in_time(const struct plan_maker *m, const struct ir_op *op)
{
    return op->loop && ir_within(op->loop, m->plan.time);
}

/* { S<op>[...] -> S<read>[...] }: the instance whose value an operation uses. */
static isl_map *instance_of(struct plan_maker *m, const struct ir_op *op, const struct ir_op *read)
{
    isl_map *map = isl_map_universe(
        isl_space_alloc(m->affine->isl, 0, (unsigned)ir_depth(op), (unsigned)ir_depth(read)));
    for (int k = 0; k < ir_depth(read); k++)
        map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    map = isl_map_set_tuple_name(map, isl_dim_in, gzt_format("S%d", op->number));
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("S%d", read->number));
}

/* Elements that an operation touches, in its instances or, `anywhere`, as its subscripts say. */
static isl_map *touched(struct plan_maker *m, const struct ir_op *op, bool anywhere)
{
    if (!anywhere)
        return ir_touched(m->affine, op).map;
    isl_map *map = ir_coordinates(m->affine, &op->access);
    map = map ? ir_over_instances(m->affine, op, map) : NULL;
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("M%d", op->access.object->number));
}

/* Whether the loops say which elements an operation touches. */
static bool is_known(struct plan_maker *m, const struct ir_op *op)
{
    return ir_touched(m->affine, op).known;
}

int plan_blocks(struct plan_maker *m, const struct ir_object *object)
{
    bool several = false;
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_access *access = &m->plan.ir->op[i]->access;
        if (access->object != object || access->whole || !plan_in_time(m, m->plan.ir->op[i]))
            continue;
        several = access->subscripts > 1;
        isl_pw_aff *f = several ? ir_affine_of(m->affine, access->subscript[0]) : NULL;
        bool alone = f != NULL;
        for (int k = 0; k < m->plan.ir->loops && f; k++)
            alone = alone &&
                    (m->plan.ir->loop[k] == m->plan.time || !ir_goes_by(f, &m->affine->turns[k]));
        if (!alone)
            return 0;
    }
    return several;
}

isl_map *plan_cells(struct plan_maker *m, const struct ir_op *op, isl_map *map)
{
    map = isl_map_reset_tuple_id(map, isl_dim_out);
    return plan_blocks(m, op->access.object) ? isl_map_project_out(map, isl_dim_out, 0, 1) : map;
}

/* { [time] } of the iterations that run. */
static isl_set *all_turns(struct plan_maker *m)
{
    return ir_iterations(m->affine, m->plan.time);
}

/* { [t] -> [t + turns] } */
static isl_map *move_time(struct plan_maker *m, int turns)
{
    long by = turns * m->affine->turns[m->plan.time->number].step;
    return isl_map_read_from_str(m->affine->isl, gzt_format("{ [t] -> [t + %ld] }", by));
}

/* The program runs another turn behind those. */
isl_set *plan_device_turns(struct plan_maker *m)
{
    isl_set *set = all_turns(m);
    isl_set *next = isl_set_apply(isl_set_copy(set), move_time(m, -1));
    set = isl_set_intersect(set, next);
    set = isl_set_add_dims(set, isl_dim_set, (unsigned)m->plan.dimensions);
    return isl_set_set_tuple_name(isl_set_coalesce(set), "C");
}

/* { [time] -> [block] } of an access, or to nothing. */
static isl_map *role_of(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *map = isl_map_universe(isl_space_alloc(m->affine->isl, 0, 0, 0));
    if (plan_blocks(m, op->access.object))
        map = isl_map_flat_range_product(
            map, isl_map_from_pw_aff(ir_affine_of(m->affine, op->access.subscript[0])));
    map = ir_over_instances(m->affine, op, map);
    map = isl_map_project_out(map, isl_dim_in, 1, (unsigned)ir_depth(op) - 1);
    return isl_map_reset_tuple_id(map, isl_dim_in);
}

/* The role that is this one so many turns later. */
static isl_map *later(struct plan_maker *m, isl_map *role, int turns)
{
    return isl_map_apply_range(move_time(m, turns), isl_map_copy(role));
}

/* Whether two roles are the same in all turns. */
static bool is_same_role(struct plan_maker *m, isl_map *a, isl_map *b)
{
    a = isl_map_intersect_domain(isl_map_copy(a), all_turns(m));
    b = isl_map_intersect_domain(isl_map_copy(b), all_turns(m));
    return isl_map_dim(a, isl_dim_out) == 0 || isl_map_is_equal(a, b) == isl_bool_true;
}

bool plan_is_exact(const struct plan_maker *m, const struct ir_loop *loop)
{
    bool exact = true;
    for (; exact && loop != m->plan.time; loop = loop->around)
        exact = m->affine->turns[loop->number].exact;
    return exact;
}

bool plan_is_left_out(const struct plan_maker *m, const struct ir_op *op)
{
    bool own = m->plan.host && m->plan.host[op->number];
    for (int i = 0; i < m->plan.owns && !own; i++)
        own = m->plan.own[i] == op;
    return own;
}

/* Whether an operation is of a single element of a turn, such as a source. */
static bool is_point(const struct plan_maker *m, const struct ir_op *op)
{
    return op->loop == m->plan.time;
}

bool plan_writes(const struct plan_maker *m, const struct ir_op *op, const struct ir_object *object)
{
    return op->kind == IR_STORE && op->access.object == object && plan_in_time(m, op) &&
           !plan_is_left_out(m, op);
}

isl_set *plan_written(struct plan_maker *m, const struct ir_object *object)
{
    isl_set *all = NULL;
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        isl_set *set = plan_writes(m, op, object) ? isl_map_range(touched(m, op, false)) : NULL;
        all = all && set ? isl_set_union(all, set) : set ? set : all;
    }
    return all;
}

/* The cells that a store writes, of the blocks that a role goes through. */
static isl_set *cells_of(struct plan_maker *m, const struct ir_op *op, isl_map *role)
{
    isl_set *all = isl_map_range(touched(m, op, false));
    int blocks = plan_blocks(m, op->access.object), n = isl_set_dim(all, isl_dim_set) - blocks;
    isl_set *own = isl_set_apply(all_turns(m), isl_map_copy(role));
    own = isl_set_add_dims(own, isl_dim_set, (unsigned)n);
    all = isl_set_intersect(isl_set_reset_tuple_id(all), own);
    return isl_set_project_out(all, isl_dim_set, 0, (unsigned)blocks);
}

/* All such. Single elements lie among those that loops write, if they may: `beyond` has the
 * parameters with which one does not. */
static isl_set *written_cells(struct plan_maker *m, const struct ir_object *object, isl_map *role)
{
    isl_set *cells = NULL;
    bool loops = false;
    for (int point = 0; point < 2; loops = cells, point++)
        for (int i = 0; i < m->plan.ir->ops; i++) {
            const struct ir_op *op = m->plan.ir->op[i];
            if (!plan_writes(m, op, object) || is_point(m, op) != point)
                continue;
            isl_set *set = cells_of(m, op, role);
            if (!loops || isl_set_is_disjoint(cells, set) == isl_bool_true) {
                cells = cells ? isl_set_union(cells, set) : set;
                continue;
            }
            set = isl_set_params(isl_set_subtract(set, isl_set_copy(cells)));
            if (isl_set_is_subset(set, m->beyond) != isl_bool_true)
                m->beyond = isl_set_union(m->beyond, set);
        }
    return isl_set_coalesce(cells);
}

/* ------------------------------------------------------------------------------------ places */

static isl_stat take_only(isl_set *set, isl_multi_aff *f, void *data)
{
    (void)set;
    *(isl_multi_aff **)data = f;
    return isl_stat_ok;
}

isl_multi_aff *plan_single(isl_map *map)
{
    isl_multi_aff *one = NULL;
    isl_pw_multi_aff *f = isl_map_is_single_valued(map) == isl_bool_true
                              ? isl_pw_multi_aff_from_map(isl_map_copy(map))
                              : NULL;
    f = f ? isl_pw_multi_aff_coalesce(f) : NULL;
    if (f && isl_pw_multi_aff_n_piece(f) == 1)
        isl_pw_multi_aff_foreach_piece(f, take_only, &one);
    return one;
}

/* Whether where instances lead goes by the time; takes the map. */
static bool goes_by_time(isl_map *map)
{
    map = isl_map_project_out(map, isl_dim_in, 0, 1);
    return isl_map_is_single_valued(map) != isl_bool_true;
}

/* Whether the element in a block, as the subscripts say, goes by the time. */
static bool moves_in_time(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *map = ir_coordinates(m->affine, &op->access);
    map =
        map ? isl_map_project_out(map, isl_dim_out, 0, (unsigned)plan_blocks(m, op->access.object))
            : NULL;
    isl_id *time = m->affine->turns[m->plan.time->number].id;
    map = isl_map_coalesce(isl_map_remove_redundancies(map));
    int at = map ? isl_map_find_dim_by_id(map, isl_dim_param, time) : -1;
    return !map || (at >= 0 &&
                    isl_map_involves_dims(map, isl_dim_param, (unsigned)at, 1) != isl_bool_false);
}

/* { elements -> instances } that lead there by one of several, such as those of a stage of a time
 * step; takes the map. */
static isl_map *any_instance(isl_map *map)
{
    for (int k = 0; k < isl_map_dim(map, isl_dim_out); k++)
        if (isl_map_involves_dims(map, isl_dim_out, (unsigned)k, 1) == isl_bool_false)
            map = isl_map_fix_si(map, isl_dim_out, (unsigned)k, 0);
    return isl_map_is_single_valued(map) == isl_bool_true ? map : isl_map_lexmin(map);
}

/* What lets an access be that of a cell: the loops' counters, which its element decides; NULL if
 * they are not. `given`: cells -> instances, or NULL: the cells are the elements, all of them or,
 * with `only`, those that the operation touches. */
static isl_multi_aff *place_of(struct plan_maker *m, const struct ir_op *op, isl_map *given,
                               isl_set **only)
{
    isl_map *map = given;
    for (const struct ir_loop *loop = op->loop; loop; loop = loop->around)
        if (!m->affine->turns[loop->number].counter && loop != m->plan.time)
            return NULL;
    if (!given) {
        map = plan_cells(m, op, touched(m, op, !only));
        if (goes_by_time(isl_map_copy(map)) || (only && moves_in_time(m, op)))
            return NULL;
        map = isl_map_reverse(map);
    }
    map = isl_map_project_out(isl_map_reset_tuple_id(map, isl_dim_out), isl_dim_out, 0, 1);
    isl_set *cells = isl_map_domain(isl_map_copy(map));
    if (only)
        *only = isl_set_copy(cells);
    if (!is_nothing(isl_set_complement(cells)) && !given && !only)
        return NULL;
    return plan_single(given ? map : any_instance(map));
}

/* The value in an operation's address that chooses one of its object's blocks; NULL if none does
 * alone. */
static const struct ir_value *block_of(const struct ir_op *op)
{
    const struct ir_object *object = op->access.object;
    const struct ir_value *value = op->access.address;
    while (object->rows)
        object = object->rows;
    while (value->code == IR_STEP || value->code == IR_FIRST || value->code == IR_FIELD ||
           value->code == IR_CONVERT || value->code == IR_LOAD) {
        if (object->slots < 2 && value->code == IR_STEP && value->a[1] == op->access.subscript[0])
            return value->a[1];
        value = value->code == IR_LOAD ? value->op->access.address : value->a[0];
    }
    return object->slots > 1 ? value : NULL;
}

/* The place of an object's cells in a role: that of an access in it, or, if none of these leads to
 * each cell, another's with the block of one that is. NULL as the operation if there is none. */
static struct plan_place find_place(struct plan_maker *m, const struct ir_object *object,
                                    isl_map *role, isl_set **only)
{
    struct plan_place place = {NULL, NULL, NULL, NULL}, other = place;
    const struct ir_value *block = NULL;
    int ops = m->plan.ir->ops;
    for (int i = 0; i < 2 * ops && !place.op; i++) { /* stores, whose elements are mostly cells */
        const struct ir_op *op = m->plan.ir->op[i % ops];
        if (op->kind != (i < ops ? IR_STORE : IR_READ) || op->access.object != object ||
            op->access.whole || !plan_in_time(m, op))
            continue;
        bool same = is_same_role(m, role_of(m, op), role);
        isl_set *cells = NULL;
        isl_multi_aff *at = (same || !other.at) && (!only || op->kind == IR_STORE)
                                ? place_of(m, op, NULL, only ? &cells : NULL)
                                : NULL;
        if (at && only)
            *only = cells;
        if (at)
            *(same ? &place : &other) = (struct plan_place){op, at, NULL, NULL};
        block = same && !block ? block_of(op) : block;
    }
    other.own = other.op && block ? block_of(other.op) : NULL;
    other.block = block;
    if (!place.op && other.own)
        return other;
    return place;
}

static int add_field(struct plan_maker *m, struct plan_place place, isl_map *role, isl_set *only)
{
    struct plan *plan = &m->plan;
    struct plan_field *field = gzt_alloc(sizeof *field);
    const struct ir_op *op = place.op;
    int n = isl_multi_aff_dim(place.at, isl_dim_in);
    *field = (struct plan_field){op->access.object, place, .only = only, .planes = 1};
    if (plan->fields == PLAN_MOST_FIELDS || n > PLAN_AXES || n == 0 ||
        (plan->fields && n != plan->dimensions)) {
        bool many = plan->fields == PLAN_MOST_FIELDS;
        plan_refuse(plan, op->begin, plan->fields ? plan->field[0]->place.op->begin : -1,
                    many ? "%s: more than %d arrays are carried from one time step to the next"
                         : "%s has not the grid's 1 to %d dimensions",
                    op->access.object->shown, many ? PLAN_MOST_FIELDS : PLAN_AXES);
        return -1;
    }
    while (field->planes <= PLAN_MOST_FIELDS &&
           !is_same_role(m, role, later(m, role, field->planes)))
        field->planes++;
    if (field->planes > PLAN_MOST_FIELDS) {
        refuse_op(m, op, "is another block of memory in every time step: use two planes");
        return -1;
    }
    plan->dimensions = n;
    field->fill = isl_set_empty(isl_multi_aff_get_domain_space(place.at));
    m->role[plan->fields] = role;
    plan->field[plan->fields] = field;
    return plan->fields++;
}

/* Whether the time chooses which element of an object a cell is. */
static bool keeps_all(struct plan_maker *m, const struct ir_object *object)
{
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        if (op->kind == IR_STORE && op->access.object == object && !op->access.whole &&
            plan_in_time(m, op) && moves_in_time(m, op))
            return true;
    }
    return false;
}

/* The field of an object in a role; -1 if there is none. */
static int find_field(struct plan_maker *m, const struct ir_object *object, isl_map *role)
{
    for (int i = 0; i < m->plan.fields; i++)
        if (m->plan.field[i]->object == object && is_same_role(m, m->role[i], role))
            return i;
    return -1;
}

/* The same, made if there is none; takes the role. -1 if refused. */
static int field_of(struct plan_maker *m, const struct ir_object *object, isl_map *role,
                    const struct ir_op *at)
{
    isl_set *only = NULL;
    int found = find_field(m, object, role);
    if (found >= 0)
        return found;
    struct plan_place place = find_place(m, object, role, NULL);
    if (!place.op)
        place = find_place(m, object, role, &only);
    if (place.op)
        return add_field(m, place, role, only);
    refuse_op(m, at,
              keeps_all(m, object) ? "is kept from every time step: use two planes"
                                   : "is carried from one time step to the next, and no access in "
                                     "the loop leads to an element of a cell");
    return -1;
}

/* --------------------------------------------------------------------------- what hosts read */

bool plan_meets(struct plan_maker *m, const struct ir_op *store, const struct ir_op *read)
{
    return isl_map_is_disjoint(role_of(m, read), role_of(m, store)) != isl_bool_true;
}

int plan_field_of(struct plan_maker *m, const struct ir_op *read, int turns)
{
    isl_map *role = role_of(m, read);
    int found = turns == 0 ? field_of(m, read->access.object, role, read) : -1;
    for (int i = 0; i < m->plan.fields && found < 0 && turns > 0; i++)
        if (m->plan.field[i]->object == read->access.object &&
            is_same_role(m, later(m, m->role[i], turns), role))
            found = i;
    return found;
}

/* ------------------------------------------------------------------------------------- parts */

static struct plan_part *add_part(struct plan_parts *parts, enum plan_sight sight, isl_set *cells)
{
    struct plan_part *part = gzt_alloc(sizeof *part);
    *part = (struct plan_part){.cells = cells, .sight = sight, .number = -1};
    gzt_push(&parts->part, &parts->count, part);
    return part;
}

/* Each piece of a map that is one affine function, with its cells. */
struct pieces {
    bool (*take)(struct pieces *pieces, isl_set *cells, isl_map *map);
    struct plan_maker *m;
    struct plan_parts *parts;
    const struct ir_op *op, *by;
    int number;
    isl_map *map; /* { C[t, cell] -> [cell] } at several distances, while these are taken apart */
};

static isl_stat take_piece(isl_set *set, isl_multi_aff *f, void *data)
{
    struct pieces *pieces = data;
    isl_map *map = isl_map_intersect_domain(isl_map_from_multi_aff(f), isl_set_copy(set));
    bool taken = pieces->take(pieces, isl_set_coalesce(set), map);
    return taken ? isl_stat_ok : isl_stat_error;
}

/* Takes the map. */
static bool each_piece(struct pieces *pieces, isl_map *map)
{
    if (isl_map_is_empty(map) == isl_bool_true)
        return true;
    isl_map *simple = isl_map_coalesce(map);
    if (isl_map_is_single_valued(simple) != isl_bool_true) {
        const struct ir_op *odd = is_known(pieces->m, pieces->op) ? pieces->by : pieces->op;
        return is_known(pieces->m, odd)
                   ? refuse_op(pieces->m, pieces->op, "is set in an order that is not known")
                   : refuse_op(pieces->m, odd, NO_SUM);
    }
    isl_pw_multi_aff *f = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(simple));
    return isl_pw_multi_aff_foreach_piece(f, take_piece, pieces) == isl_stat_ok;
}

/* The distances between the cells and where a map, without blocks, leads. */
static isl_set *distances_of(isl_map *map)
{
    isl_map *from = isl_map_project_out(isl_map_copy(map), isl_dim_in, 0, 1);
    from = isl_map_reset_tuple_id(isl_map_reset_tuple_id(from, isl_dim_in), isl_dim_out);
    if (isl_map_dim(from, isl_dim_in) == isl_map_dim(from, isl_dim_out))
        return isl_map_deltas(from);
    return NULL;
}

bool plan_only(isl_set *line, long *number)
{
    line = isl_set_project_out_all_params(line);
    isl_val *low = isl_set_dim_min_val(isl_set_copy(line), 0), *high = isl_set_dim_max_val(line, 0);
    bool only = isl_val_is_int(low) == isl_bool_true && isl_val_eq(low, high) == isl_bool_true;
    *number = only ? isl_val_get_num_si(low) : 0;
    return only;
}

/* The same of distances, which are no more than so many cells. */
static bool only_number(isl_set *line, int *number)
{
    long only;
    bool is = plan_only(line, &only) && labs(only) <= LONGEST;
    *number = is ? (int)only : *number;
    return is;
}

/* One coordinate of a set. */
static isl_set *line_of(isl_set *set, int k)
{
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    isl_set *line =
        isl_set_project_out(isl_set_copy(set), isl_dim_set, (unsigned)k + 1, n - (unsigned)k - 1);
    return isl_set_project_out(line, isl_dim_set, 0, (unsigned)k);
}

/* The distance, if it is the same for all cells. */
static bool distance_of(isl_set *far, int distance[PLAN_AXES])
{
    bool constant = far != NULL;
    for (int k = 0; constant && k < isl_set_dim(far, isl_dim_set); k++)
        constant = only_number(line_of(far, k), &distance[k]);
    return constant;
}

static isl_set *without_time(isl_set *cells)
{
    return isl_set_reset_tuple_id(isl_set_project_out(cells, isl_dim_set, 0, 1));
}

static isl_stat add_point(isl_point *point, void *data)
{
    (void)point;
    return ++*(int *)data > MOST_DISTANCES ? isl_stat_error : isl_stat_ok;
}

/* Whether there are a few distances, whatever the parameters are. */
static bool is_few(isl_set *far)
{
    isl_set *all = isl_set_project_out_all_params(isl_set_copy(far));
    int count = 0;
    bool few = isl_set_is_bounded(all) == isl_bool_true &&
               isl_set_foreach_point(all, add_point, &count) == isl_stat_ok;
    return few && count > 1; /* one that is too far is none of several */
}

static bool take_field(struct pieces *pieces, isl_set *cells, isl_map *map);

static isl_stat take_point(isl_point *point, void *data)
{
    struct pieces *pieces = data;
    isl_map *far = isl_set_translation(isl_set_from_point(point));
    far = isl_map_set_tuple_name(isl_map_insert_dims(far, isl_dim_in, 0, 1), isl_dim_in, "C");
    isl_map *map = isl_map_intersect(isl_map_copy(pieces->map), far);
    bool none = isl_map_is_empty(map) == isl_bool_true;
    return none || take_field(pieces, isl_map_domain(isl_map_copy(map)), map) ? isl_stat_ok
                                                                              : isl_stat_error;
}

/* Elements of a field. */
static bool take_field(struct pieces *pieces, isl_set *cells, isl_map *map)
{
    isl_set *far = distances_of(map);
    int distance[PLAN_AXES] = {0};
    bool constant = distance_of(far, distance);
    if (far && !constant && is_few(far)) {
        pieces->map = map;
        far = isl_set_project_out_all_params(far);
        return isl_set_foreach_point(far, take_point, pieces) == isl_stat_ok;
    }
    struct plan_part *part = add_part(pieces->parts, PLAN_FIELD, cells);
    struct plan_field *field = pieces->m->plan.field[pieces->number];
    part->number = pieces->number;
    part->far = constant ? NULL : far;
    part->at = pieces->op->begin;
    part->other = pieces->by->begin;
    memcpy(part->distance, distance, sizeof distance);
    isl_set *elements = isl_set_reset_tuple_id(isl_map_range(map));
    field->fill = isl_set_coalesce(isl_set_union(field->fill, elements));
    return true;
}

/* The distance at which one function of cells is another, if it is the same for all. */
static bool moves_to(isl_multi_aff *from, isl_multi_aff *to, int distance[PLAN_AXES])
{
    isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(from));
    map = isl_map_apply_range(isl_map_from_multi_aff(isl_multi_aff_copy(to)), isl_map_reverse(map));
    for (int k = 0; k < isl_map_dim(map, isl_dim_out); k++)
        if (isl_multi_aff_involves_dims(from, isl_dim_in, (unsigned)k, 1) == isl_bool_false)
            map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    bool all = is_nothing(isl_set_complement(isl_map_domain(isl_map_copy(map))));
    isl_set *far = isl_map_deltas(map);
    memset(distance, 0, PLAN_AXES * sizeof *distance);
    all = all && distance_of(far, distance);
    return all;
}

static isl_set *moved(isl_set *cells, const int distance[PLAN_AXES])
{
    isl_set *far = isl_set_universe(isl_set_get_space(cells));
    for (int k = 0; k < isl_set_dim(cells, isl_dim_set); k++)
        far = isl_set_fix_si(far, isl_dim_set, (unsigned)k, distance[k]);
    return isl_set_apply(cells, isl_set_translation(far));
}

static bool is_read(const struct ir_value *value, const void *unused)
{
    (void)unused;
    return value->code == IR_LOAD || value->code == IR_RESULT || value->code == IR_EXIT;
}

/* A condition that the host can make, without which C never comes to a load; NULL if there is none.
 * It is the same in all turns, or, of what each brings in, in a turn. */
static struct ir_value *condition_of(struct plan_maker *m, const struct ir_op *read, bool step)
{
    struct ir_value *where = read->where;
    long always;
    for (const struct ir_loop *loop = read->loop; loop; loop = loop->around) {
        bool same = !where->home || (step && where->home == m->plan.time &&
                                     !ir_any(m->plan.ir, where, is_read, NULL));
        if (same && !ir_is_whole(where, &always))
            return where;
        if (loop == m->plan.time)
            break;
        where = loop->where;
    }
    return NULL;
}

/* Elements that no turn writes: those of an array of the grid, which is the first that has them at
 * some distance. `map`: cells -> instances of the load. */
static bool take_array(struct pieces *pieces, isl_set *cells, isl_map *map)
{
    struct plan *plan = &pieces->m->plan;
    struct plan_part *part = add_part(pieces->parts, (enum plan_sight)pieces->number, cells);
    bool step = part->sight == PLAN_STEP;
    struct plan_array ***list = step ? &plan->step : &plan->constant;
    int *count = step ? &plan->steps : &plan->constants;
    isl_map *free_of_time = isl_map_project_out(map, isl_dim_in, 0, 1);
    free_of_time = isl_map_reset_tuple_id(free_of_time, isl_dim_in);
    isl_multi_aff *at = place_of(pieces->m, pieces->op, free_of_time, NULL);
    if (!at)
        return refuse_op(pieces->m, pieces->op, "is read where the time loop chooses the cell");
    int i = 0;
    while (i < *count &&
           !((*list)[i]->place.op == pieces->op &&
             moves_to((*list)[i]->place.at, at, part->distance) &&
             (!step || !(part->distance[0] || part->distance[1] || part->distance[2]))))
        i++;
    isl_set *own = without_time(isl_set_copy(cells));
    if (i == *count) {
        struct plan_array *array = gzt_alloc(sizeof *array);
        memset(part->distance, 0, sizeof part->distance);
        *array = (struct plan_array){{pieces->op, at, NULL, NULL},
                                     isl_set_empty(isl_set_get_space(own)),
                                     pieces->op->begin,
                                     false,
                                     false,
                                     condition_of(pieces->m, pieces->op, step)};
        gzt_push(list, count, array);
    }
    struct plan_array *array = (*list)[i];
    array->cells = isl_set_coalesce(isl_set_union(array->cells, moved(own, part->distance)));
    part->number = i;
    return true;
}

/* Whether a value differs from cell to cell. */
static bool goes_by_cells(const struct plan_maker *m, const struct ir_value *value)
{
    return value->home && value->home != m->plan.time && ir_within(value->home, m->plan.time);
}

/* A field that holds elements that no turn writes, at one distance; -1 if there is none. */
static int known_field(struct plan_maker *m, const struct ir_op *read, isl_map *map)
{
    int distance[PLAN_AXES];
    isl_set *far = distances_of(plan_cells(m, read, isl_map_copy(map)));
    return distance_of(far, distance) ? find_field(m, read->access.object, role_of(m, read)) : -1;
}

/* Whether C touches elements wherever a condition on data holds: other operations do, whose
 * conditions are known, or they lie in a variable. */
static bool is_there(struct plan_maker *m, const struct ir_op *read, isl_map *map)
{
    bool known = true;
    ir_instances(m->affine, read, &known);
    const struct ir_value *root = read->access.address;
    while (root->code == IR_FIRST || root->code == IR_FIELD)
        root = root->a[0];
    if (known || root->code == IR_ADDRESS)
        return true;
    isl_set *left = isl_map_range(isl_map_copy(map));
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        bool exact = op->access.object == read->access.object && !op->access.whole &&
                     (op->kind == IR_READ || op->kind == IR_STORE) && plan_in_time(m, op);
        if (exact)
            ir_instances(m->affine, op, &exact);
        if (exact)
            left = isl_set_subtract(left, isl_map_range(touched(m, op, false)));
    }
    return is_nothing(left);
}

static bool loads_by_cells(const struct ir_value *value, const void *maker)
{
    return value->code == IR_LOAD && goes_by_cells(maker, value);
}

/* Whether a condition goes by the loops alone. */
static bool is_exact(struct plan_maker *m, const struct ir_value *where)
{
    bool exact = true;
    ir_where(m->affine, (struct ir_value *)where, true, &exact);
    return exact;
}

/* Whether a condition on counters, which isl cannot express, decides which elements exist. */
static bool bounds(struct plan_maker *m, const struct ir_value *where)
{
    if (is_exact(m, where) || !goes_by_cells(m, where))
        return false;
    if (where->code != IR_SELECT)
        return !ir_any(m->plan.ir, where, loads_by_cells, m);
    return bounds(m, where->a[0]) || bounds(m, where->a[1]) || bounds(m, where->a[2]);
}

/* What memory held at the start of the turn. `at`: cells -> instances of `read`, a load or the
 * store that leaves it; takes that. */
static bool see_memory(struct plan_maker *m, struct plan_parts *parts, const struct ir_op *read,
                       const struct ir_op *by, isl_map *at)
{
    struct pieces pieces = {take_field, m, parts, read, by, -1, NULL};
    isl_map *map = isl_map_apply_range(isl_map_copy(at), touched(m, read, false));
    isl_set *all = plan_written(m, read->access.object);
    bool constant = !all || is_nothing(isl_set_intersect(all, isl_map_range(isl_map_copy(map))));
    if (!constant && bounds(m, read->where) && !is_there(m, read, map))
        return refuse_op(m, read,
                         "is touched where no sum of loop variables says, and may not be there");
    pieces.number = constant ? known_field(m, read, map)
                             : field_of(m, read->access.object, role_of(m, read), read);
    if (pieces.number >= 0)
        return each_piece(&pieces, plan_cells(m, read, map));
    if (!constant)
        return false;
    if (!is_there(m, read, map))
        return refuse_op(m, read, "is read under a condition on data, and may not be there");
    if (!goes_by_cells(m, read->access.address)) {
        add_part(parts, PLAN_NUMBER, isl_map_domain(at));
        return true;
    }
    pieces.take = take_array;
    pieces.number = goes_by_time(touched(m, read, false)) ? PLAN_STEP : PLAN_ARRAY;
    return each_piece(&pieces, at);
}

/* ------------------------------------------------------------------------------------- nodes */

struct plan_parts *plan_seen_by(const struct plan_node *node, const struct ir_op *read)
{
    for (int i = 0; i < node->seens; i++)
        if (node->seen[i]->read == read)
            return &node->seen[i]->parts;
    return NULL;
}

isl_set *plan_own_cells(const struct plan_parts *parts, int part)
{
    isl_set *own = isl_set_copy(parts->part[part]->cells);
    for (int i = 0; i < part; i++)
        own = isl_set_subtract(own, isl_set_copy(parts->part[i]->cells));
    return isl_set_coalesce(own);
}

static struct plan_node *explore(struct plan_maker *m, const struct ir_op *op, isl_map *at,
                                 isl_set *cells, const struct ir_op *by);

static bool take_store(struct pieces *pieces, isl_set *cells, isl_map *map)
{
    struct plan_part *part = add_part(pieces->parts, PLAN_NODE, cells);
    part->node = explore(pieces->m, pieces->op, map, isl_set_copy(cells), pieces->by);
    return part->node != NULL;
}

/* What elements hold: `at` leads from cells to who reads them, `to` and `of` as in the edges. A
 * store of the same turn, or, in cells `before`, what was there before. */
static bool see(struct plan_maker *m, struct plan_parts *parts, isl_map *at, const struct ir_op *to,
                const struct ir_object *of, isl_set **before)
{
    isl_set *all = isl_map_domain(isl_map_copy(at)), *done = isl_set_empty(isl_set_get_space(all)),
            *points = isl_set_copy(done);
    bool good = true;
    for (int i = 0; good && i < m->plan.flow->edges; i++) {
        const struct ir_edge *edge = m->plan.flow->edge[i];
        if (edge->to != to || edge->of != of || edge->earlier)
            continue;
        isl_map *map = isl_map_apply_range(isl_map_copy(at), isl_map_copy(edge->source));
        isl_set *cells = isl_map_domain(isl_map_copy(map));
        struct pieces pieces = {take_store, m, parts, edge->from, to ? to : edge->from, -1, NULL};
        if (isl_set_is_subset(cells, done) != isl_bool_true)
            good = each_piece(&pieces, map);
        if (is_point(m, edge->from))
            points = isl_set_union(points, cells);
        else
            done = isl_set_coalesce(isl_set_union(done, cells));
    }
    /* Parts around a point hold it as well: the point stands before them. */
    isl_set *rest = isl_set_coalesce(isl_set_subtract(all, done));
    if (isl_set_is_subset(rest, points) == isl_bool_true)
        rest = isl_set_subtract(rest, isl_set_copy(points));
    *before = rest;
    return good;
}

struct uses {
    struct plan_maker *m;
    char *read;
    const struct ir_value *odd;
};

static void take_use(struct ir_value *value, void *data)
{
    struct uses *uses = data;
    if (value->code == IR_LOAD)
        uses->read[value->op->number] = 1;
    if (value->code == IR_PHI && value->loop != uses->m->plan.time) {
        uses->odd = ir_affine_of(uses->m->affine, value) ? uses->odd : value;
    }
    if ((value->code == IR_EXIT || value->code == IR_RESULT) && value->home &&
        value->home != uses->m->plan.time)
        uses->odd = value;
}

static const char *name_of(const struct ir_value *phi)
{
    const struct ir_value *variable = phi->code == IR_PHI ? phi->a[2] : NULL;
    return variable && variable->decl ? variable->decl->name : "a value";
}

static bool see_read(struct plan_maker *m, struct plan_node *node, const struct ir_op *read)
{
    struct plan_seen *seen = gzt_alloc(sizeof *seen);
    const struct ir_op *where = read ? read : node->op;
    isl_set *before = NULL;
    if (read && (read->access.whole || read->access.object->kind == IR_ANYWHERE))
        return refuse_op(m, read, "is used with several types, or may lie anywhere in memory");
    *seen = (struct plan_seen){.read = read};
    gzt_push(&node->seen, &node->seens, seen);
    if (read && (!read->loop || !ir_within(node->op->loop, read->loop)))
        return plan_in_time(m, read)
                   ? refuse_op(m, read, "is read by a loop that ends before its value is used")
                   : (add_part(&seen->parts, PLAN_NUMBER, isl_set_copy(node->cells)), true);
    bool exact = true;
    isl_map *at = isl_map_copy(node->at);
    if (read)
        at = isl_map_intersect_range(isl_map_apply_range(at, instance_of(m, node->op, read)),
                                     ir_instances(m->affine, read, &exact));
    bool good = see(m, &seen->parts, at, where, where->access.object, &before);
    if (good && seen->parts.count > 0 && !is_known(m, where))
        good = refuse_op(m, where, NO_SUM);
    at = isl_map_intersect_domain(at, before);
    if (good && isl_map_is_empty(at) == isl_bool_false)
        return see_memory(m, &seen->parts, where, node->op, at);
    return good;
}

/* Marks the loads that a store's value hangs on, and its condition, if that is computed. */
static bool find_reads(struct plan_maker *m, struct plan_node *node, char *read)
{
    struct uses uses = {m, read, NULL};
    char *seen = gzt_alloc((size_t)m->plan.ir->values);
    ir_walk_value(node->op->value, seen, take_use, &uses);
    if (node->guarded)
        ir_walk_value(node->op->where, seen, take_use, &uses);
    for (int i = 0; node->fold && i < node->fold->guards; i++)
        ir_walk_value((struct ir_value *)node->fold->guard[i], seen, take_use, &uses);
    return !uses.odd || plan_refuse(&m->plan, node->op->begin, uses.odd->begin,
                                    "%s is carried from cell to cell", name_of(uses.odd));
}

static bool see_all(struct plan_maker *m, struct plan_node *node)
{
    char *read = gzt_alloc((size_t)m->plan.ir->ops);
    bool good = find_reads(m, node, read);
    for (int i = 0; good && i < m->plan.ir->ops; i++)
        good = !read[i] || see_read(m, node, m->plan.ir->op[i]);
    return good && (!node->guarded || see_read(m, node, NULL));
}

static bool refuse_order(struct plan_maker *m, const struct ir_op *read, const struct ir_op *store)
{
    return plan_refuse(&m->plan, read->begin, store->begin,
                       "%s is read where this sweep has already written it (Gauss-Seidel order): "
                       "write to a second array, or colour the cells",
                       shown(m, read));
}

/* The node of a store's instance for some cells, for what reads it; takes both. NULL if refused. */
static struct plan_node *explore(struct plan_maker *m, const struct ir_op *op, isl_map *at,
                                 isl_set *cells, const struct ir_op *by)
{
    for (int i = 0; i < m->nodes; i++) {
        struct plan_node *old = m->node[i];
        if (old->op == op && isl_map_is_equal(old->at, at) == isl_bool_true)
            return old;
    }
    if (m->open[op->number] == DEEPEST || m->nodes == MOST_NODES) {
        if (m->nodes == MOST_NODES)
            refuse_op(m, op, "is computed at too many cells that one of the next time step needs");
        else
            refuse_order(m, by, op);
        return NULL;
    }
    struct plan_node *node = gzt_alloc(sizeof *node);
    *node =
        (struct plan_node){.op = op, .at = at, .cells = cells, .guarded = !is_exact(m, op->where)};
    m->open[op->number]++;
    bool good = see_all(m, node);
    m->open[op->number]--;
    gzt_push(&m->node, &m->nodes, node);
    return good ? node : NULL;
}

/* { iterations around `by` as those of `op` -> C[t, cell] } of the elements that `by` touches; NULL
 * unless each has one of its own, which some turn writes. */
static isl_map *loop_cells(struct plan_maker *m, const struct ir_op *op, const struct ir_op *by)
{
    bool known = by->loop == op->loop && (by->kind == IR_READ || by->kind == IR_STORE) &&
                 !by->access.whole && by->access.object->kind != IR_ANYWHERE,
         exact = true;
    isl_map *map = known ? touched(m, by, true) : NULL;
    map = map ? plan_cells(m, by, map) : NULL;
    if (!map || isl_map_dim(map, isl_dim_out) != m->plan.dimensions)
        return NULL;
    map = isl_map_set_tuple_name(map, isl_dim_in, gzt_format("S%d", op->number));
    map = isl_map_intersect_domain(map, ir_instances(m->affine, op, &exact));
    map =
        isl_map_equate(isl_map_insert_dims(map, isl_dim_out, 0, 1), isl_dim_in, 0, isl_dim_out, 0);
    map = isl_map_set_tuple_name(map, isl_dim_out, "C");
    isl_set *left = without_time(isl_map_range(isl_map_copy(map))), *all = NULL;
    for (int i = 0; i < m->plan.fields; i++) {
        isl_set *set = written_cells(m, m->plan.field[i]->object, m->role[i]);
        all = all ? isl_set_union(all, set) : set;
    }
    isl_set *fits = isl_set_params(isl_set_copy(all));
    left =
        isl_set_params(isl_set_subtract(isl_set_intersect_params(left, isl_set_copy(fits)), all));
    fits = isl_set_subtract(fits, isl_set_copy(left));
    bool good = !is_nothing(fits) && isl_map_is_injective(map) == isl_bool_true;
    if (good) /* as far as it does not follow from the loops, that is a condition */
        m->affine->context =
            isl_set_coalesce(isl_set_subtract(m->affine->context, isl_set_from_params(left)));
    return good ? map : NULL;
}

struct plan_node *plan_fold_node(struct plan_maker *m, const struct plan_fold *fold)
{
    const struct ir_region *ir = m->plan.ir;
    struct ir_op *op = gzt_alloc(sizeof *op);
    struct plan_node *node = gzt_alloc(sizeof *node);
    isl_map *at = NULL;
    *op = (struct ir_op){.kind = IR_STORE,
                         .number = ir->ops + m->nodes,
                         .loop = (struct ir_loop *)fold->loop,
                         .value = (struct ir_value *)fold->value,
                         .begin = fold->loop->begin};
    op->where = m->plan.time->where;             /* always */
    for (int i = 0; i < 2 * ir->ops && !at; i++) /* stores first */
        if ((ir->op[i % ir->ops]->kind == IR_STORE) == (i < ir->ops))
            at = loop_cells(m, op, ir->op[i % ir->ops]);
    if (!at) {
        plan_refuse(&m->plan, op->begin, -1,
                    "this loop compares or adds up other elements than cells that turns write");
        return NULL;
    }
    at = isl_map_intersect_domain(isl_map_reverse(at), plan_device_turns(m));
    *node = (struct plan_node){.op = op, .at = at, .fold = fold};
    node->cells = isl_map_domain(isl_map_copy(at));
    gzt_push(&m->node, &m->nodes, node);
    return see_all(m, node) ? node : NULL;
}

/* ------------------------------------------------------------------------------------ fields */

/* { C[t, cell] -> E<object>[t, block, cell] } in a role. */
static isl_map *at_end(struct plan_maker *m, const struct ir_object *object, isl_map *role)
{
    unsigned n = (unsigned)m->plan.dimensions;
    isl_map *map =
        isl_set_identity(isl_set_universe(isl_space_set_alloc(m->affine->isl, 0, n + 1)));
    if (plan_blocks(m, object)) {
        isl_map *block = isl_map_add_dims(isl_map_copy(role), isl_dim_in, n);
        block = isl_map_add_dims(isl_map_insert_dims(block, isl_dim_out, 0, 1), isl_dim_out, n);
        map = isl_map_intersect(isl_map_insert_dims(map, isl_dim_out, 1, 1), block);
    }
    map = isl_map_set_tuple_name(map, isl_dim_in, "C");
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("E%d", object->number));
}

/* The next value of a field in cells that no store of the turn sets; some turns set those of
 * `rest`, which it takes. */
static bool keep(struct plan_maker *m, int number, isl_map *next, isl_set *rest)
{
    const struct plan_field *field = m->plan.field[number];
    int from = field->planes == 1 ? number : find_field(m, field->object, next);
    if (from < 0)
        from = isl_set_is_empty(rest) == isl_bool_true
                   ? number
                   : field_of(m, field->object, isl_map_copy(next), field->place.op);
    if (from >= 0) /* another turn, or who takes them back, has these from there */
        m->plan.field[from]->fill =
            isl_set_coalesce(isl_set_union(m->plan.field[from]->fill, without_time(rest)));
    add_part(&m->next[number], PLAN_FIELD, plan_device_turns(m))->number = from;
    return from >= 0;
}

static bool find_next(struct plan_maker *m, int number)
{
    const struct ir_object *object = m->plan.field[number]->object;
    isl_map *next = later(m, m->role[number], 1);
    isl_set *rest = NULL, *ever = written_cells(m, object, m->role[number]);
    ever = isl_set_insert_dims(ever, isl_dim_set, 0, 1);
    ever = isl_set_intersect(isl_set_set_tuple_name(ever, "C"), plan_device_turns(m));
    isl_map *at = isl_map_intersect_domain(at_end(m, object, next), ever);
    return see(m, &m->next[number], at, NULL, object, &rest) &&
           keep(m, number, next, isl_set_copy(rest));
}

/* { E<object>[t, element] }, less what is in fields at the start of a turn; takes it. */
static isl_set *left_over(struct plan_maker *m, const struct ir_object *object, isl_set *left)
{
    for (int f = 0; f < m->plan.fields; f++)
        if (m->plan.field[f]->object == object)
            left = isl_set_subtract(left, isl_map_range(at_end(m, object, m->role[f])));
    return left;
}

/* A field for elements that `by` has written in an earlier turn, and which C reads, or leaves, in a
 * later one: E<object>[t, element]. Takes them. */
static bool keep_all(struct plan_maker *m, const struct ir_op *by, isl_set *left)
{
    const struct ir_object *object = by->access.object;
    int n = isl_set_dim(left, isl_dim_set) - 1 - plan_blocks(m, object);
    bool good = true, fits = m->plan.fields == 0 || n == m->plan.dimensions;
    left = fits ? left_over(m, object, left) : left;
    for (int i = 0; good && i < PLAN_MOST_FIELDS && !isl_set_is_empty(left); i++) {
        isl_map *own = role_of(m, by), *role = later(m, own, i);
        isl_map *at = fits && m->plan.dimensions ? at_end(m, object, role) : NULL;
        bool there = !at || !is_nothing(isl_set_intersect(isl_set_copy(left), isl_map_range(at)));
        if (!there)
            continue;
        good = field_of(m, object, role, by) >= 0;
        left = good ? left_over(m, object, left) : left;
    }
    good = good && (isl_set_is_empty(left) == isl_bool_true ||
                    refuse_op(m, by, "is written in some time steps and kept"));
    return good;
}

/* What a reader of unknown elements sees of earlier turns. */
static isl_set *seen_from(struct plan_maker *m, const struct ir_edge *edge)
{
    isl_map *map = isl_map_apply_range(isl_map_copy(edge->source), touched(m, edge->from, false));
    map = isl_map_project_out(map, isl_dim_in, 1, (unsigned)ir_depth(edge->to) - 1);
    isl_set *set = isl_set_flatten(isl_map_wrap(map));
    return isl_set_set_tuple_name(set, gzt_format("E%d", edge->from->access.object->number));
}

/* A field for what is seen of an earlier turn. */
static bool find_state(struct plan_maker *m, const struct ir_edge *edge)
{
    const struct ir_op *op = edge->to;
    if (plan_is_left_out(m, op))
        return true;
    return op->kind != IR_OPAQUE && is_known(m, op)
               ? field_of(m, op->access.object, role_of(m, op), op) >= 0
               : keep_all(m, edge->from, seen_from(m, edge));
}

static bool find_states(struct plan_maker *m, bool inner)
{
    bool good = true;
    for (int i = 0; good && i < m->plan.flow->edges; i++) {
        const struct ir_edge *edge = m->plan.flow->edge[i];
        if (edge->earlier && inner == (edge->to != NULL))
            good = inner ? find_state(m, edge) : keep_all(m, edge->from, isl_set_copy(edge->cells));
    }
    return good;
}

/* Refuses a time loop without a state: no time step reads an earlier one, or the order of a sweep
 * carries values. */
static bool refuse_stateless(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.flow->edges; i++) {
        const struct ir_edge *edge = m->plan.flow->edge[i];
        if (edge->to && edge->from && !edge->earlier && edge->to->kind == IR_READ &&
            edge->to->loop == edge->from->loop)
            return refuse_order(m, edge->to, edge->from);
    }
    return plan_refuse(&m->plan, m->plan.time->begin, -1,
                       is_nothing(all_turns(m))
                           ? "the time loop never runs"
                           : "no array is carried from one time step to the next");
}

/* Follows fields to all that their next values need. */
static bool follow_fields(struct plan_maker *m)
{
    bool good = true;
    for (int last = -1; good && last != m->plan.fields;) {
        last = m->plan.fields;
        for (; good && m->followed < m->plan.fields; m->followed++)
            good = find_next(m, m->followed);
        good = good && find_states(m, false);
    }
    return good;
}

static bool find_fields(struct plan_maker *m)
{
    bool good = find_states(m, true) && plan_expect_fields(m) && follow_fields(m) &&
                (m->plan.fields > 0 || refuse_stateless(m));
    if (!good || !plan_find_measure(m) || !follow_fields(m))
        return false;
    return !m->plan.measure || m->plan.fields == 1 ||
           plan_refuse(&m->plan, m->plan.measure->fold[0]->loop->begin,
                       m->plan.field[1]->place.op->begin,
                       "the time loop goes on by what cells compute, and has more than one array "
                       "that is carried from one time step to the next");
}

/* ------------------------------------------------------------------------------------ checks */

struct ir_value *plan_occasion(struct plan_maker *m, const struct ir_op *op)
{
    const struct ir_loop *loop = op->loop;
    long always;
    while (loop != m->plan.time && loop->around != m->plan.time)
        loop = loop->around;
    struct ir_value *where = loop == m->plan.time ? op->where : loop->where;
    bool may = !where->home || where->home == m->plan.time;
    return may && !ir_is_whole(where, &always) ? where : NULL;
}

/* Why memory may lie anywhere: where the loops do what is not understood, that may set pointers. */
static const char *why_anywhere(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        if (op->kind == IR_OPAQUE && plan_in_time(m, op) && (!op->aside || op->uses > 0))
            return gzt_format("may lie anywhere in memory, as %s may set its pointers",
                              shown(m, op));
    }
    return "may lie anywhere in memory";
}

/* Why a device cannot do an operation; NULL if it can. */
static const char *obstacle(struct plan_maker *m, const struct ir_op *op)
{
    if (op->kind == IR_COPY)
        return "copies memory by other elements than it has";
    if (op->kind != IR_STORE)
        return op->why ? op->why : "happens in each time step, and no device does it";
    if (op->access.object->kind == IR_ANYWHERE)
        return why_anywhere(m);
    if (op->access.whole)
        return "is used with several types or as a whole";
    if (!plan_is_exact(m, op->loop))
        return "is set in a loop whose bounds do not say for which cells";
    return is_known(m, op) ? NULL : NO_SUM;
}

/* Leaves operations to turns that are the program's own. */
static bool check_op(struct plan_maker *m, const struct ir_op *op, char *left_out)
{
    bool exact = true, known = op->kind == IR_READ || !plan_in_time(m, op) || left_out[op->number];
    const char *why = known ? NULL : obstacle(m, op);
    if (why && is_nothing(ir_when(m->affine, op, &exact))) {
        left_out[op->number] = 1; /* it never runs */
        return true;
    }
    struct ir_value *when = why ? plan_occasion(m, op) : NULL;
    if (!why)
        return true;
    if (!when)
        return op->kind == IR_STORE || op->kind == IR_COPY ? refuse_op(m, op, why)
               : op->why ? plan_refuse(&m->plan, op->begin, -1, "%s", why)
                         : refuse_op(m, op, why);
    gzt_push(&m->plan.own_when, &m->plan.owns, when);
    m->plan.owns--;
    gzt_push(&m->plan.own, &m->plan.owns, op);
    left_out[op->number] = 1;
    return true;
}

/* Objects are regular if all accesses are that a device may have to do with; those of others may
 * be to any element. */
static void find_regular(struct plan_maker *m)
{
    const struct ir_region *ir = m->plan.ir;
    for (int i = 0; i < ir->objects; i++)
        ir->object[i]->regular = ir->object[i]->kind != IR_ANYWHERE;
    for (int i = 0; i < ir->ops; i++) {
        const struct ir_op *op = ir->op[i];
        if (op->access.object && op->access.whole && !(plan_in_time(m, op) && plan_occasion(m, op)))
            op->access.object->regular = false;
    }
}

static bool find_time(struct plan_maker *m)
{
    const struct ir_region *ir = m->plan.ir;
    for (int i = 0; i < ir->body.items; i++) {
        const struct ir_item *item = ir->body.item[i];
        if (item->loop && m->plan.time)
            return plan_refuse(&m->plan, item->loop->begin, m->plan.time->begin,
                               "a second loop stands beside the time loop");
        if (item->loop)
            m->plan.time = item->loop;
    }
    for (int i = 0; i < ir->ops && !m->plan.time; i++) /* a loop that is not understood is none */
        if (ir->op[i]->why)
            return plan_refuse(&m->plan, ir->op[i]->begin, -1, "%s", ir->op[i]->why);
    return m->plan.time || plan_refuse(&m->plan, -1, -1, "there is no loop");
}

/* -------------------------------------------------------------------------------------- grid */

/* Finds fields that take turns in the same blocks. */
static void find_blocks(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.fields; i++) {
        struct plan_field *field = m->plan.field[i];
        isl_set *own = isl_set_apply(all_turns(m), isl_map_copy(m->role[i]));
        field->blocks = i;
        for (int k = i - 1; k >= 0; k--) {
            isl_set *set = isl_set_apply(all_turns(m), isl_map_copy(m->role[k]));
            if (m->plan.field[k]->object == field->object &&
                isl_set_is_equal(own, set) == isl_bool_true)
                field->blocks = k;
        }
    }
}

static bool find_type(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    plan->type = IR_I32;
    for (int i = 0; i < plan->fields; i++) {
        enum ir_type type = plan->field[i]->object->type;
        if (type != IR_F64 && type != IR_F32 && type != IR_I32)
            return refuse_op(m, plan->field[i]->place.op, "is no array of double, float or int");
        if (i == 0)
            plan->type = type;
        else if (plan->type != type)
            plan->type = IR_F64;
    }
    for (int i = 0; i < plan->constants + plan->steps; i++) {
        const struct plan_array *array =
            i < plan->constants ? plan->constant[i] : plan->step[i - plan->constants];
        enum ir_type type = array->place.op->access.type;
        bool wide = type == IR_F64 || ((type == IR_I32 || type == IR_U32) && plan->type == IR_F32);
        if (type == IR_I64 || type == IR_U64 || type == IR_F80 || type > IR_F80)
            return refuse_op(m, array->place.op, "is no array of double, float or int");
        plan->type = wide || (type == IR_U32) || (type == IR_F32 && plan->type == IR_I32)
                         ? IR_F64
                         : plan->type;
    }
    return true;
}

/* C[t, cells] whose coordinate `k` lies between those of cells of a set. */
static isl_set *between(struct plan_maker *m, isl_set *all, int k)
{
    int n = m->plan.dimensions;
    isl_set *line = line_of(all, k);
    isl_map *up = isl_map_read_from_str(m->affine->isl, "{ [a] -> [b] : b >= a }");
    isl_set *below = isl_set_apply(isl_set_copy(line), isl_map_reverse(isl_map_copy(up)));
    line = isl_set_intersect(isl_set_apply(line, up), below);
    line = isl_set_insert_dims(line, isl_dim_set, 0, (unsigned)k + 1);
    line = isl_set_add_dims(line, isl_dim_set, (unsigned)(n - k) - 1);
    return isl_set_set_tuple_name(isl_set_coalesce(line), "C");
}

/* How many cells the domain has along an axis. */
static isl_set *extent_of(struct plan_maker *m, int axis)
{
    return isl_map_range(isl_map_from_pw_aff(
        isl_pw_aff_sub(isl_pw_aff_copy(m->plan.high[axis]), isl_pw_aff_copy(m->plan.low[axis]))));
}

/* Whether a distance along a coordinate is around the grid, or none is. */
static bool find_around(struct plan_maker *m, struct plan_part *part, int k)
{
    int axis = m->plan.dimensions - 1 - k;
    if (!part->far || only_number(line_of(part->far, k), &part->distance[k]))
        return true;
    for (int sign = -1; sign < 2; sign += 2) {
        isl_set *by = sign < 0 ? isl_set_neg(extent_of(m, axis)) : extent_of(m, axis);
        isl_set *far = isl_set_align_params(line_of(part->far, k), isl_set_get_space(by));
        by = isl_set_align_params(by, isl_set_get_space(far));
        if (only_number(isl_set_sum(far, by), &part->distance[k])) {
            m->plan.edge[axis] = GZ_EDGE_PERIODIC;
            return part->around[k] = true;
        }
    }
    return plan_refuse(&m->plan, part->at, part->other,
                       "this is read at a distance from the cell that differs from cell to cell");
}

/* C[t, cells] of the domain's of a set, so far away along a coordinate. */
static isl_set *read_by(struct plan_maker *m, isl_set *cells, int k, int far)
{
    int move[PLAN_AXES + 1] = {0};
    move[k + 1] = far;
    cells = isl_set_intersect(isl_set_copy(cells), isl_set_copy(m->box));
    return isl_set_set_tuple_name(moved(cells, move), "C");
}

/* Whether a part is of memory that is read at a distance. */
static bool is_read_by(const struct plan_part *part)
{
    return part->sight == PLAN_FIELD || part->sight == PLAN_ARRAY;
}

/* Whether, along an axis that has no end, cells read beyond it exactly where C goes around. */
static bool check_around(struct plan_maker *m, struct plan_part *part, int k)
{
    if (m->plan.edge[m->plan.dimensions - 1 - k] != GZ_EDGE_PERIODIC || !is_read_by(part))
        return true;
    isl_set *there = read_by(m, part->cells, k, part->distance[k]);
    isl_set *within = isl_set_copy(m->line[k]);
    bool good = is_nothing(part->around[k] ? isl_set_intersect(there, within)
                                           : isl_set_subtract(there, within));
    int at = part->at > 0 ? part->at : m->plan.field[0]->place.op->begin;
    return good || plan_refuse(&m->plan, at, part->other,
                               "some reads beyond the grid go around it, and others do not");
}

/* Whether memory that is read lies, along a coordinate, within the domain. */
static bool check_within(struct plan_maker *m, struct plan_part *part, int k)
{
    return !is_read_by(part) ||
           is_nothing(isl_set_subtract(read_by(m, part->cells, k, part->distance[k]),
                                       isl_set_copy(m->line[k])));
}

/* Takes a distance along a coordinate from the other end, if that is nearer and the domain's extent
 * is a number. */
static bool turn(struct plan_maker *m, struct plan_part *part, int k)
{
    int axis = m->plan.dimensions - 1 - k, far = part->distance[k], extent = 0;
    if (abs(far) >= 2 && is_read_by(part) && only_number(extent_of(m, axis), &extent) &&
        2 * abs(far) > extent) {
        part->distance[k] = far > 0 ? far - extent : far + extent;
        part->around[k] = true;
        m->plan.edge[axis] = GZ_EDGE_PERIODIC;
    }
    return true;
}

static bool same_part(const struct plan_part *a, const struct plan_part *b)
{
    return a->sight == b->sight && a->node == b->node && a->number == b->number &&
           memcmp(a->distance, b->distance, sizeof a->distance) == 0;
}

/* Whether a part that stands ahead of this one has none of its cells. */
static bool may_move(const struct plan_parts *parts, int k, int ahead)
{
    bool may = true;
    for (int i = k - 1; may && i > ahead; i--)
        may = isl_set_is_disjoint(parts->part[i]->cells, parts->part[k]->cells) == isl_bool_true;
    return may;
}

static void drop_part(struct plan_parts *parts, int part)
{
    memmove(&parts->part[part], &parts->part[part + 1],
            (size_t)(--parts->count - part) * sizeof *parts->part);
}

/* Makes one of parts that see the same. */
static void join_parts(struct plan_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        struct plan_part *part = parts->part[i];
        for (int k = parts->count - 1; k > i; k--)
            if (same_part(part, parts->part[k]) && may_move(parts, k, i)) {
                part->cells = isl_set_union(part->cells, parts->part[k]->cells);
                drop_part(parts, k);
            }
        part->cells = isl_set_coalesce(part->cells);
    }
}

typedef bool each_part(struct plan_maker *m, struct plan_part *part, int k);

static bool take_distance(struct plan_maker *m, struct plan_part *part, int k)
{
    int far = abs(part->distance[k]), axis = m->plan.dimensions - 1 - k;
    m->plan.radius[axis] = far > m->plan.radius[axis] ? far : m->plan.radius[axis];
    return true;
}

/* Lists the parts of each field's next value and of each load. */
static void list_parts(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.fields; i++)
        gzt_push(&m->parts, &m->lists, &m->next[i]);
    for (int i = 0; i < m->nodes; i++)
        for (int k = 0; k < m->node[i]->seens; k++)
            gzt_push(&m->parts, &m->lists, &m->node[i]->seen[k]->parts);
}

/* Calls `visit` for each part and one coordinate, or all. */
static bool for_axis(struct plan_maker *m, int k, each_part *visit)
{
    bool good = true;
    for (int i = 0; i < m->lists; i++)
        for (int part = 0; part < m->parts[i]->count; part++)
            good = good && visit(m, m->parts[i]->part[part], k);
    return good;
}

static bool for_parts(struct plan_maker *m, each_part *visit)
{
    bool good = true;
    for (int k = 0; k < m->plan.dimensions; k++)
        good = good && for_axis(m, k, visit);
    return good;
}

/* Whether a part, all of which is within the domain, sees in its cells what the part `of` would if
 * an index beyond the domain, along a coordinate, meant the nearest cell in it. */
static bool is_clamped(struct plan_maker *m, const struct plan_parts *parts, int part, int of,
                       int k)
{
    const struct plan_part *near = parts->part[part];
    struct plan_part far = *parts->part[of];
    int by = far.distance[k], last = near->distance[k] + (by < 0 ? -1 : 1);
    far.distance[k] = near->distance[k];
    if (!same_part(near, &far) || by * near->distance[k] < 0 || abs(by) <= abs(near->distance[k]))
        return false;
    isl_set *own = plan_own_cells(parts, part);
    bool clamped =
        is_nothing(isl_set_intersect(read_by(m, own, k, last), isl_set_copy(m->line[k])));
    for (int i = part + 1; clamped && i < of; i++)
        clamped = isl_set_is_disjoint(parts->part[i]->cells, own) == isl_bool_true;
    return clamped;
}

/* Makes one of parts where one sees what another would beyond the domain; whether it has. */
static bool clamp_parts(struct plan_maker *m, struct plan_parts *parts, int k)
{
    bool any = false;
    for (int part = 0, of = 0; part < parts->count; of = 0, part++) {
        while (of < parts->count && !is_clamped(m, parts, part, of, k))
            of++;
        if (of == parts->count)
            continue;
        struct plan_part *far = parts->part[of];
        far->cells = isl_set_coalesce(isl_set_union(far->cells, plan_own_cells(parts, part)));
        drop_part(parts, part);
        part = -1;
        any = true;
    }
    return any;
}

/* Finds the axes along which nothing beyond the domain is read, but the last cell instead. */
static void find_clamps(struct plan_maker *m)
{
    for (int k = 0; k < m->plan.dimensions; k++) {
        int *edge = &m->plan.edge[m->plan.dimensions - 1 - k];
        bool may = *edge == GZ_EDGE_KEEP && for_axis(m, k, check_within);
        for (int i = 0; i < m->lists && may; i++)
            if (clamp_parts(m, m->parts[i], k))
                *edge = GZ_EDGE_CLAMP;
    }
}

/* The cells of fields that are brought in, though no load sees them, and no store ever sets. */
static void fill_kept(struct plan_maker *m, int number)
{
    const struct plan_parts *next = &m->next[number];
    struct plan_field *from = m->plan.field[next->part[next->count - 1]->number];
    const struct plan_field *field = m->plan.field[number];
    isl_set *never = isl_set_subtract(isl_set_copy(field->fill), isl_set_copy(field->take));
    from->fill = isl_set_coalesce(isl_set_union(from->fill, never));
}

static bool find_cells(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    bool good = true;
    for (int i = 0; i < plan->fields; i++)
        plan->field[i]->take = written_cells(m, plan->field[i]->object, m->role[i]);
    for (int pass = 0; pass < plan->fields; pass++)
        for (int i = 0; i < plan->fields; i++)
            fill_kept(m, i);
    for (int i = 0; good && i < plan->fields; i++) {
        struct plan_field *field = plan->field[i];
        isl_set *fill = field->fill,
                *whole = isl_set_union(isl_set_copy(fill), isl_set_copy(field->take));
        whole = isl_set_coalesce(whole);
        field->border =
            isl_set_coalesce(isl_set_subtract(isl_set_copy(fill), isl_set_copy(field->take)));
        /* Cells that turns write besides make fewer parts, but for a few points. */
        field->fill = isl_set_n_basic_set(whole) < isl_set_n_basic_set(fill) ? whole : fill;
        good = !field->only || isl_set_is_subset(whole, field->only) == isl_bool_true ||
               refuse_op(m, field->place.op, "is read where no access leads to each cell");
    }
    return good;
}

/* The cells of the domain and the halo that the device holds. */
static isl_set *held_cells(struct plan_maker *m)
{
    isl_set *held = NULL;
    for (int k = 0; k < m->plan.dimensions; k++) {
        int axis = m->plan.dimensions - 1 - k, move[PLAN_AXES + 1] = {0};
        int rim = m->plan.edge[axis] == GZ_EDGE_KEEP ? m->plan.radius[axis] : 0;
        isl_set *line = isl_set_copy(m->line[k]);
        for (move[k + 1] = -rim; move[k + 1] <= rim; move[k + 1]++)
            line = isl_set_union(
                line, isl_set_set_tuple_name(moved(isl_set_copy(m->line[k]), move), "C"));
        held = held ? isl_set_intersect(held, line) : line;
    }
    return isl_set_coalesce(without_time(held));
}

static bool find_grid(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    isl_set *all = NULL;
    if (!find_cells(m))
        return false;
    for (int i = 0; i < plan->fields; i++) {
        isl_set *take = isl_set_copy(plan->field[i]->take);
        all = all ? isl_set_union(all, take) : take;
    }
    all = isl_set_coalesce(all);
    m->box = plan_device_turns(m);
    plan->some = isl_set_subtract(isl_set_params(isl_set_copy(all)), isl_set_copy(m->beyond));
    for (int axis = 0; axis < plan->dimensions; axis++) {
        int k = plan->dimensions - 1 - axis;
        isl_pw_aff *low = isl_set_dim_min(isl_set_copy(all), k),
                   *last = isl_set_dim_max(isl_set_copy(all), k);
        low = isl_pw_aff_gist(low, isl_set_copy(plan->some));
        last = isl_pw_aff_gist(last, isl_set_copy(plan->some));
        plan->low[axis] = isl_pw_aff_coalesce(isl_pw_aff_from_range(low));
        last = isl_pw_aff_add_constant_val(last, isl_val_one(m->affine->isl));
        plan->high[axis] = isl_pw_aff_coalesce(isl_pw_aff_from_range(last));
        plan->edge[axis] = GZ_EDGE_KEEP;
        m->line[k] = between(m, all, k);
        m->box = isl_set_intersect(m->box, isl_set_copy(m->line[k]));
    }
    plan->buffers = plan->fields == 1 && plan->field[0]->planes == 2 ? 2 : 1;
    list_parts(m);
    bool good = for_parts(m, find_around);
    for (int k = 0; good && k < plan->dimensions; k++)
        if (plan->edge[plan->dimensions - 1 - k] == GZ_EDGE_KEEP && for_axis(m, k, check_within))
            for_axis(m, k, turn);
    good = good && for_parts(m, take_distance) && for_parts(m, check_around);
    for (int i = 0; i < m->lists; i++)
        join_parts(m->parts[i]);
    if (good)
        find_clamps(m);
    if (plan->radius[0] + plan->radius[1] + plan->radius[2] == 0)
        plan->radius[0] = 1;
    plan->grid = held_cells(m);
    return good;
}

/* Whether what a store sets is in the blocks of a field. */
static bool is_held(struct plan_maker *m, const struct ir_op *op)
{
    bool held = find_field(m, op->access.object, role_of(m, op)) >= 0;
    for (int i = 0; i < m->plan.fields && !held; i++)
        held = m->plan.field[i]->object == op->access.object && m->plan.field[i]->planes > 1;
    return held;
}

/* The one element that an operation touches, whatever the cell; NULL if it touches several. */
static isl_multi_aff *point_of(struct plan_maker *m, const struct ir_op *op)
{
    isl_space *space = isl_space_alloc(m->affine->isl, 0, (unsigned)m->plan.dimensions, 0);
    bool one = !goes_by_cells(m, op->access.address) && !(op->loop == m->plan.time && op->head);
    return one ? isl_multi_aff_zero(space) : NULL;
}

/* A place of elements in a role, or of one alone; NULL if there is none. */
static struct plan_array *also_at(struct plan_maker *m, const struct ir_op *op, isl_map *role)
{
    struct plan_array *array = gzt_alloc(sizeof *array);
    *array = (struct plan_array){.begin = op->begin};
    isl_map *map = plan_cells(m, op, touched(m, op, false));
    bool fits = isl_map_dim(map, isl_dim_out) == m->plan.dimensions;
    if (fits)
        array->place = find_place(m, op->access.object, role, NULL);
    if (!array->place.at)
        array->place = (struct plan_place){op, point_of(m, op), NULL, NULL};
    return array->place.at ? array : NULL;
}

/* The elements that a place leads to, or one cell if it is that of one element. */
static isl_set *elements_at(struct plan_maker *m, const struct plan_array *array)
{
    const struct ir_op *op = array->place.op;
    if (isl_multi_aff_dim(array->place.at, isl_dim_out) == 0) {
        isl_set *cell = isl_set_universe(isl_multi_aff_get_domain_space(array->place.at));
        for (int k = 0; k < m->plan.dimensions; k++)
            cell = isl_set_fix_si(cell, isl_dim_set, (unsigned)k, 0);
        return cell;
    }
    isl_map *to = plan_cells(m, op, touched(m, op, true));
    to = isl_map_reset_tuple_id(isl_map_project_out(to, isl_dim_in, 0, 1), isl_dim_in);
    isl_map *at = isl_map_from_multi_aff(isl_multi_aff_copy(array->place.at));
    at = isl_map_reset_tuple_id(at, isl_dim_out);
    return isl_set_apply(isl_set_copy(array->cells), isl_map_apply_range(at, to));
}

static bool is_also(struct plan_maker *m, const struct plan_array *also, const struct ir_op *op,
                    isl_map *role)
{
    isl_map *own = role_of(m, also->place.op);
    return also->place.op->access.object == op->access.object && is_same_role(m, own, role) &&
           (isl_multi_aff_dim(also->place.at, isl_dim_out) > 0 ||
            also->place.op->access.address == op->access.address);
}

static bool add_also(struct plan_maker *m, const struct ir_op *op)
{
    struct plan_array *also = NULL;
    isl_map *role = role_of(m, op);
    bool read = op->kind == IR_READ;
    for (int i = 0; i < m->plan.alsos && !also && !read; i++)
        also = is_also(m, m->plan.also[i], op, role) ? m->plan.also[i] : NULL;
    bool had = also != NULL;
    also = had ? also : also_at(m, op, role);
    if (!also)
        return refuse_op(m, op,
                         read ? "is read where no test can tell what lies there"
                              : "is set where no test can tell what else lies there");
    isl_set *cells = isl_multi_aff_dim(also->place.at, isl_dim_out) == 0
                         ? elements_at(m, also)
                         : isl_map_range(plan_cells(m, op, touched(m, op, false)));
    also->cells = had ? isl_set_union(also->cells, cells) : cells;
    also->cells = isl_set_coalesce(also->cells);
    also->read = read;
    also->when = read ? condition_of(m, op, false) : NULL;
    if (!had)
        gzt_push(&m->plan.also, &m->plan.alsos, also);
    return true;
}

/* The instances of an operation in turns that the device may run, or in the others, without the
 * time. */
static isl_set *in_turns(struct plan_maker *m, const struct ir_op *op, bool device)
{
    bool exact = true;
    isl_set *turns = isl_set_reset_tuple_id(
        isl_set_project_out(plan_device_turns(m), isl_dim_set, 1, (unsigned)m->plan.dimensions));
    turns = device ? turns : isl_set_subtract(all_turns(m), turns);
    turns = isl_set_add_dims(turns, isl_dim_set, (unsigned)ir_depth(op) - 1);
    isl_set *set = isl_set_reset_tuple_id(ir_instances(m->affine, op, &exact));
    return isl_set_project_out(isl_set_intersect(set, turns), isl_dim_set, 0, 1);
}

/* Whether the program's own turn, which finds only fields as C would have them, reads only what
 * others do, and which is tested therefore to share no memory with the rest. */
static bool check_last(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.ir->ops && m->plan.alsos > 0; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        if (op->kind == IR_READ && plan_in_time(m, op) && !plan_is_left_out(m, op) &&
            !is_nothing(isl_set_subtract(in_turns(m, op, false), in_turns(m, op, true))))
            return refuse_op(m, op, "is read in the last time step alone");
    }
    return true;
}

/* Finds the memory, other than fields, that turns write; reads there are in the same span. */
static bool find_also(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.ir->ops; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        if (plan_writes(m, op, op->access.object) && !is_held(m, op) &&
            !(op->access.object->kind == IR_VARIABLE && op->access.object->subscripts == 0 &&
              !op->access.object->escapes) &&
            !add_also(m, op))
            return false;
    }
    for (int i = 0; i < m->plan.constants; i++)
        for (int k = 0; k < m->plan.alsos && !m->plan.constant[i]->covered; k++) {
            struct plan_array *array = m->plan.constant[i], *also = m->plan.also[k];
            array->covered = is_also(m, also, array->place.op, role_of(m, array->place.op));
            if (array->covered)
                also->cells = isl_set_union(also->cells, elements_at(m, array));
        }
    for (int k = 0; k < m->plan.alsos; k++) /* again and again, which makes fewer parts */
        m->plan.also[k]->cells = isl_set_coalesce(isl_set_coalesce(m->plan.also[k]->cells));
    return true;
}

/* Whether memory of a type may be what a store of turns sets, as C has it. */
static bool may_be_set(const struct plan_maker *m, enum ir_type type)
{
    bool may = type == IR_OTHER || type == IR_I8 || type == IR_U8;
    for (int i = 0; i < m->plan.ir->ops && !may; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        enum ir_type set = op->access.type;
        may = op->kind == IR_STORE &&
              (set == type || set == IR_OTHER || (ir_is_integer(set) && ir_is_integer(type)) ||
               (set <= IR_U8 && op->access.object->kind != IR_VARIABLE));
    }
    return may;
}

static bool is_seen(const struct plan_maker *m, const struct ir_op *read)
{
    bool seen = false;
    for (int i = 0; i < m->nodes && !seen; i++)
        seen = plan_seen_by(m->node[i], read) != NULL;
    return seen;
}

/* Whether an object holds what leads to another's rows, which spans of these have. */
static bool leads(const struct plan_maker *m, const struct ir_object *object)
{
    bool does = false;
    for (int i = 0; i < m->plan.ir->objects && !does; i++)
        does = m->plan.ir->object[i]->rows == object;
    return does;
}

/* Whether the program alone does a load, of memory that may be, by another name, what turns
 * write. */
static bool is_aside(struct plan_maker *m, const struct ir_op *op)
{
    return op->kind == IR_READ && plan_in_time(m, op) && op->access.object->shared &&
           !leads(m, op->access.object) && !is_seen(m, op) &&
           !(m->plan.host && m->plan.host[op->number]) && may_be_set(m, op->access.type) &&
           !plan_written(m, op->access.object);
}

/* Whether an operation is in turns of the program's own alone, the last aside. */
static bool is_occasional(struct plan_maker *m, const struct ir_op *op)
{
    const struct ir_value *when = plan_occasion(m, op);
    bool is = false;
    for (int i = 0; i < m->plan.owns && !is; i++)
        is = m->plan.own_when[i] == when;
    return is;
}

/* Whether turns of the program's own may read, where nothing can be tested, memory that turns
 * write. */
static bool is_stale(struct plan_maker *m)
{
    bool stale = false;
    for (int i = 0; i < m->plan.ir->ops && !stale; i++) {
        const struct ir_op *op = m->plan.ir->op[i];
        bool told = op->kind == IR_READ || op->kind == IR_STORE || op->kind == IR_OUTPUT;
        stale = plan_in_time(m, op) &&
                (told ? is_occasional(m, op) && is_aside(m, op) : plan_is_left_out(m, op));
    }
    return stale;
}

/* Whether the time loop's ends go by a value. */
static bool is_of_end(const struct plan *plan, const struct ir_value *value)
{
    bool is = false;
    for (int i = 0; i < plan->ends && !is; i++)
        is = ir_holds(plan->ir, plan->end[i]->when, value);
    return is;
}

static bool is_given(const struct plan *plan, const struct ir_value *value)
{
    bool given = false;
    for (int i = 0; i < plan->coefficients + plan->values && !given; i++) {
        const struct ir_value *all = i < plan->coefficients
                                         ? plan->coefficient[i]->value
                                         : plan->value[i - plan->coefficients]->value;
        given = all && ir_holds(plan->ir, all, value);
    }
    return given;
}

/* Finds the memory that the program alone reads, in the last time step if in no other. */
static bool find_asides(struct plan_maker *m)
{
    const struct ir_region *ir = m->plan.ir;
    const char *reached = ir_turn_reached(&m->plan, m->affine);
    bool good = true;
    for (int i = 0; i < ir->ops && good; i++) {
        const struct ir_op *op = ir->op[i];
        good =
            !is_aside(m, op) || is_occasional(m, op) || op->loop == m->plan.time || add_also(m, op);
    }
    for (int i = 0; i < ir->values && good; i++) {
        const struct ir_value *value = ir->value[i];
        bool reads = value->code == IR_LIVE_IN
                         ? !ir_turn_is_harmless(value) && may_be_set(m, value->type)
                         : value->code == IR_LOAD && value->op->loop == m->plan.time &&
                               is_aside(m, value->op) && !is_occasional(m, value->op);
        if (reads && (reached[i] || is_of_end(&m->plan, value)) && !is_given(&m->plan, value))
            gzt_push(&m->plan.aside, &m->plan.asides, value);
    }
    return good;
}

static bool decide(struct plan_maker *m, isl_ctx *isl)
{
    struct plan *plan = &m->plan;
    bool good = find_time(m);
    if (!good)
        return false;
    if (!m->always)
        plan_without_breaks(plan, (struct ir_region *)plan->ir);
    char *left_out = gzt_alloc((size_t)plan->ir->ops);
    m->open = gzt_alloc((size_t)plan->ir->ops);
    find_regular(m);
    isl_ctx_set_max_operations(isl, IR_MOST_WORK / 20);
    m->affine = ir_affine_begin(plan->ir, isl);
    if (isl_ctx_last_error(isl) == isl_error_quota)
        return plan_refuse(plan, plan->time->begin, -1, "the loops' bounds take too long");
    isl_ctx_set_max_operations(isl, 0);
    m->beyond = isl_set_empty(isl_space_params_alloc(isl, 0));
    plan_find_hosts(m, left_out, m->always);
    for (int i = 0; good && i < plan->ir->ops; i++)
        good = check_op(m, plan->ir->op[i], left_out);
    if (!good)
        return false;
    plan->flow = ir_follow(m->affine, IR_MOST_WORK, plan->time, left_out);
    isl_ctx_reset_operations(isl);
    isl_ctx_set_max_operations(isl, 20 * IR_MOST_WORK);
    good = !plan->flow->given_up && find_fields(m) && plan_watch(m) && find_type(m) &&
           find_grid(m) && find_also(m) && check_last(m);
    find_blocks(m);
    if (plan->flow->given_up || isl_ctx_last_error(isl) != isl_error_none) {
        m->given_up = true;
        plan->refusal = NULL; /* what isl did not finish decides nothing */
        return plan_refuse(plan, plan->time->begin, -1,
                           isl_ctx_last_error(isl) == isl_error_invalid
                               ? "the cells that time steps write may have no end"
                               : "the loop's data flow takes too long");
    }
    if (!good)
        return false;
    isl_ctx_set_max_operations(isl, 0);
    plan_write_body(plan);
    plan->stale = is_stale(m);
    return find_asides(m) && !plan->refusal;
}

/* Whether a plan may stand in which operations of the host's are the program's own turns. */
static bool is_worth_another(const struct plan_maker *m)
{
    return m->plan.refusal && m->plan.host && !m->given_up;
}

struct plan *plan_make(const struct ir_region *ir, isl_ctx *isl)
{
    struct plan_maker *made[2] = {0};
    for (int i = 0; i < 2 && (i == 0 || is_worth_another(made[0])); i++) {
        struct plan_maker *m = made[i] = gzt_alloc(sizeof *m);
        m->plan.ir = ir;
        m->plan.at = m->plan.other = -1;
        m->always = i;
        m->plan.end = i ? made[0]->plan.end : NULL;
        m->plan.ends = i ? made[0]->plan.ends : 0;
        isl_ctx_reset_error(isl);
        isl_ctx_set_max_operations(isl, 0);
        isl_ctx_reset_operations(isl);
        decide(m, isl);
    }
    return &made[made[1] && !made[1]->plan.refusal]->plan;
}
