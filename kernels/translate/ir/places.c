/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * places.c - which memory operations of the time loop touch, in which turns; fields, which have an
 * access that leads to the element of each cell; and why there is no plan.
 *
 * An object is one block, or several of which the first subscript chooses one in each turn, the
 * same for all cells. The role of an access is that choice, { [time] -> [block] }, or a map to
 * nothing; an element without its block is a cell. An access is the place of cells if their
 * elements decide the counters of the loops around it: the host can then name the element of any
 * cell.
 */
#include "decide.h"

#include "../source.h"
#include "../tree.h"

#include <stdarg.h>
#include <string.h>

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

const char *plan_shown(struct plan_maker *m, const struct ir_op *op)
{
    enum { MOST = 60 };
    const char *text = op->end > op->begin ? gzt_clean(m->plan.ir->source, op->begin, op->end)
                       : op->access.object ? op->access.object->shown
                                           : "this";
    return strlen(text) > MOST ? gzt_format("%.*s...", MOST, text) : text;
}

bool plan_refuse_op(struct plan_maker *m, const struct ir_op *op, const char *why)
{
    return plan_refuse(&m->plan, op->begin, -1, "%s %s", plan_shown(m, op), why);
}

bool plan_refuse_carried(struct plan *plan, const struct ir_op *op, const struct ir_value *value)
{
    const struct ir_value *phi = value->code == IR_EXIT ? value->a[0] : value,
                          *variable = phi->code == IR_PHI ? phi->a[2] : NULL;
    const char *name = variable && variable->decl ? variable->decl->name : "a value";
    return plan_refuse(plan, op->begin, value->begin,
                       phi->loop && !ir_within(op->loop, phi->loop)
                           ? "%s is what a loop before leaves, and does not follow from its count"
                           : "%s is carried from cell to cell",
                       name);
}

/* ------------------------------------------------------------------------------- operations */

bool plan_is_exact(const struct plan_maker *m, const struct ir_loop *loop)
{
    bool exact = true;
    for (; exact && loop != m->plan.time; loop = loop->around)
        exact = m->affine->turns[loop->number].exact;
    return exact;
}

bool plan_goes_by_cells(const struct plan_maker *m, const struct ir_value *value)
{
    return value->home && value->home != m->plan.time;
}

/* ------------------------------------------------------------------------------------- turns */

isl_set *plan_turns(struct plan_maker *m)
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
static isl_set *device_turns(struct plan_maker *m)
{
    isl_set *next = isl_set_apply(plan_turns(m), move_time(m, -1));
    return isl_set_coalesce(isl_set_intersect(plan_turns(m), next));
}

isl_set *plan_device_turns(struct plan_maker *m)
{
    isl_set *set = isl_set_add_dims(device_turns(m), isl_dim_set, (unsigned)m->plan.dimensions);
    return isl_set_set_tuple_name(set, "C");
}

isl_set *plan_turns_of(struct plan_maker *m, const struct ir_op *op, bool device)
{
    isl_set *turns = device_turns(m);
    turns = device ? turns : isl_set_subtract(plan_turns(m), turns);
    turns = isl_set_add_dims(turns, isl_dim_set, (unsigned)ir_depth(op) - 1);
    return isl_set_set_tuple_name(turns, gzt_format("S%d", op->number));
}

/* ------------------------------------------------------------------------------------- roles */

isl_map *plan_touched(struct plan_maker *m, const struct ir_op *op, bool anywhere)
{
    if (!anywhere)
        return ir_touched(m->affine, op).map;
    isl_map *map = ir_coordinates(m->affine, &op->access);
    map = map ? ir_over_instances(m->affine, op, map) : NULL;
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("M%d", op->access.object->number));
}

bool plan_is_known(struct plan_maker *m, const struct ir_op *op)
{
    return ir_touched(m->affine, op).known;
}

const char *plan_why_unknown(struct plan_maker *m, const struct ir_op *op)
{
    const struct ir_access *access = &op->access;
    bool exchanged = access->object->slots > 1 && !access->whole &&
                     !ir_affine_of(m->affine, access->subscript[0]);
    if (exchanged)
        return "lies in arrays that change places in some time steps only";
    if (!access->object->regular)
        return "is used with several types or as a whole";
    const struct ir_value *odd = NULL;
    for (int i = 0; i < access->subscripts && !odd; i++)
        odd = ir_affine_of(m->affine, access->subscript[i]) ? NULL : access->subscript[i];
    while (odd && odd->code == IR_CONVERT)
        odd = odd->a[0];
    return gzt_format("has a subscript that is no sum of loop variables%s%s", odd ? ": " : "",
                      odd ? ir_shown(m->plan.ir, odd) : "");
}

int plan_blocks(struct plan_maker *m, const struct ir_object *object)
{
    bool several = false;
    IR_EACH_OP (op, m->plan.ir) {
        const struct ir_access *access = &op->access;
        if (access->object != object || access->whole || !op->loop)
            continue;
        several = access->subscripts > 1;
        isl_pw_aff *f = several ? ir_affine_of(m->affine, access->subscript[0]) : NULL;
        for (int k = 0; k < m->plan.ir->loops && f; k++)
            if (m->plan.ir->loop[k] != m->plan.time && ir_goes_by(f, &m->affine->turns[k]))
                f = NULL;
        if (!f)
            return 0;
    }
    return several;
}

isl_map *plan_cells(struct plan_maker *m, const struct ir_op *op, isl_map *map)
{
    map = isl_map_reset_tuple_id(map, isl_dim_out);
    return plan_blocks(m, op->access.object) ? isl_map_project_out(map, isl_dim_out, 0, 1) : map;
}

isl_map *plan_role_of(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *map = plan_blocks(m, op->access.object)
                       ? isl_map_from_pw_aff(ir_affine_of(m->affine, op->access.subscript[0]))
                       : isl_map_universe(isl_space_alloc(m->affine->isl, 0, 0, 0));
    map = ir_over_instances(m->affine, op, map);
    map = isl_map_project_out(map, isl_dim_in, 1, (unsigned)ir_depth(op) - 1);
    return isl_map_reset_tuple_id(map, isl_dim_in);
}

isl_map *plan_later(struct plan_maker *m, isl_map *role, int turns)
{
    return isl_map_apply_range(move_time(m, turns), isl_map_copy(role));
}

bool plan_is_same_role(struct plan_maker *m, isl_map *a, isl_map *b)
{
    if (isl_map_dim(a, isl_dim_out) == 0)
        return true;
    a = isl_map_intersect_domain(isl_map_copy(a), plan_turns(m));
    b = isl_map_intersect_domain(isl_map_copy(b), plan_turns(m));
    return isl_map_is_equal(a, b) == isl_bool_true;
}

bool plan_meets(struct plan_maker *m, const struct ir_op *store, const struct ir_op *read)
{
    return isl_map_is_disjoint(plan_role_of(m, read), plan_role_of(m, store)) != isl_bool_true;
}

/* ------------------------------------------------------------------------------------ stores */

bool plan_is_left_out(const struct plan_maker *m, const struct ir_op *op)
{
    return gzt_is_listed(m->plan.own, m->plan.owns, op) ||
           (m->plan.host && m->plan.host[op->number]);
}

bool plan_writes(const struct plan_maker *m, const struct ir_op *op, const struct ir_object *object)
{
    return op->kind == IR_STORE && op->access.object == object && op->loop &&
           !plan_is_left_out(m, op);
}

isl_set *plan_written(struct plan_maker *m, const struct ir_object *object)
{
    isl_set *all = NULL;
    IR_EACH_OP (op, m->plan.ir)
        if (plan_writes(m, op, object))
            ir_grow(&all, isl_map_range(plan_touched(m, op, false)));
    return all;
}

void plan_fill(struct plan_maker *m, int field, isl_set *cells)
{
    isl_set **fill = &m->plan.field[field]->fill;
    cells = isl_set_reset_tuple_id(cells);
    if (isl_set_is_subset(cells, *fill) != isl_bool_true)
        *fill = isl_set_union(*fill, cells);
}

/* The cells that a store writes, of the blocks that a role goes through. */
static isl_set *cells_of(struct plan_maker *m, const struct ir_op *op, isl_map *role)
{
    isl_set *all = isl_map_range(plan_touched(m, op, false));
    int blocks = plan_blocks(m, op->access.object), n = isl_set_dim(all, isl_dim_set) - blocks;
    isl_set *own = isl_set_apply(plan_turns(m), isl_map_copy(role));
    own = isl_set_add_dims(own, isl_dim_set, (unsigned)n);
    all = isl_set_intersect(isl_set_reset_tuple_id(all), own);
    return isl_set_project_out(all, isl_dim_set, 0, (unsigned)blocks);
}

isl_set *plan_written_cells(struct plan_maker *m, const struct ir_object *object, isl_map *role)
{
    isl_set *cells = NULL;
    bool loops = false;
    for (int point = 0; point < 2; loops = cells, point++)
        IR_EACH_OP (op, m->plan.ir) {
            if (!plan_writes(m, op, object) || (op->loop == m->plan.time) != point)
                continue;
            isl_set *set = cells_of(m, op, role);
            if (!loops || isl_set_is_disjoint(cells, set) == isl_bool_true) {
                cells = ir_union(cells, set);
                continue;
            }
            set = isl_set_params(isl_set_subtract(set, isl_set_copy(cells)));
            if (isl_set_is_subset(set, m->beyond) != isl_bool_true)
                m->beyond = isl_set_union(m->beyond, set);
        }
    return isl_set_coalesce(cells);
}

void plan_assume_points(struct plan_maker *m)
{
    IR_EACH_OP (op, m->plan.ir)
        if (op->loop == m->plan.time && op->access.object && plan_is_known(m, op) &&
            plan_writes(m, op, op->access.object))
            plan_written_cells(m, op->access.object, plan_role_of(m, op));
    ir_assume(m->affine, isl_set_subtract(isl_set_copy(m->affine->context),
                                          isl_set_from_params(isl_set_copy(m->beyond))));
}

/* -------------------------------------------------------------------------------- conditions */

bool plan_is_of_turn(const struct ir_value *value, const void *maker)
{
    const struct plan_maker *m = maker;
    long always;
    if (value->code == IR_LOAD)
        IR_EACH_OP (op, m->plan.ir)
            if (op->kind == IR_STORE && op->access.object == value->op->access.object &&
                op->loop != m->plan.time)
                return true;
    return value->code == IR_RESULT ||
           (value->code == IR_EXIT && !ir_is_whole(value->loop->where, &always));
}

struct ir_value *plan_foreseen(const struct plan_maker *m, struct ir_value *where)
{
    while (where->code == IR_SELECT && ir_is_number(where->a[2], 0) &&
           ir_any(m->plan.ir, where, plan_is_of_turn, m))
        where = where->a[0];
    return where;
}

struct ir_value *plan_occasion(struct plan_maker *m, const struct ir_op *op)
{
    const struct ir_loop *loop = op->loop;
    long always;
    while (loop != m->plan.time && loop->around != m->plan.time)
        loop = loop->around;
    struct ir_value *where = plan_foreseen(m, loop == m->plan.time ? op->where : loop->where);
    bool may = !where->home || where->home == m->plan.time;
    return may && !ir_is_whole(where, &always) ? where : NULL;
}

bool plan_is_beside_text(struct plan_maker *m, const struct ir_op *op)
{
    const struct ir_value *when = op->loop ? plan_occasion(m, op) : NULL;
    IR_EACH_OP (text, m->plan.ir)
        if (when && text->kind == IR_OPAQUE && text->loop && plan_occasion(m, text) == when)
            return true;
    return false;
}

static bool is_read(const struct ir_value *value, const void *unused)
{
    (void)unused;
    return value->code == IR_LOAD || value->code == IR_RESULT || value->code == IR_EXIT;
}

struct ir_value *plan_condition(struct plan_maker *m, const struct ir_op *read, bool step)
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

/* ------------------------------------------------------------------------------------ pieces */

static isl_stat add_piece(isl_set *set, isl_multi_aff *f, void *data)
{
    struct plan_pieces *pieces = data;
    struct plan_piece *piece = gzt_alloc(sizeof *piece);
    piece->f = isl_multi_aff_copy(f);
    piece->map = isl_map_intersect_domain(isl_map_from_multi_aff(f), isl_set_copy(set));
    piece->cells = isl_set_coalesce(set);
    gzt_push(&pieces->piece, &pieces->count, piece);
    return isl_stat_ok;
}

/* The pieces of a map to one instance each. */
static struct plan_pieces pieces_of(isl_map *map)
{
    struct plan_pieces pieces = {0};
    isl_pw_multi_aff *f = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(map));
    isl_pw_multi_aff_foreach_piece(f, add_piece, &pieces);
    return pieces;
}

isl_multi_aff *plan_single(isl_map *map)
{
    struct plan_pieces pieces = {0};
    if (isl_map_is_single_valued(map) == isl_bool_true)
        pieces = pieces_of(isl_map_copy(map));
    return pieces.count == 1 ? pieces.piece[0]->f : NULL;
}

bool plan_take_apart(struct plan_maker *m, isl_map *map, const struct ir_op *op,
                     const struct ir_op *by, struct plan_pieces *pieces)
{
    *pieces = (struct plan_pieces){0};
    if (isl_map_is_empty(map) == isl_bool_true)
        return true;
    map = isl_map_coalesce(map);
    if (isl_map_is_single_valued(map) != isl_bool_true) {
        const struct ir_op *odd = plan_is_known(m, op) ? by : op;
        return plan_is_known(m, odd) ? plan_refuse_op(m, op, "is set in an order that is not known")
                                     : plan_refuse_op(m, odd, plan_why_unknown(m, odd));
    }
    *pieces = pieces_of(map);
    return true;
}

/* ------------------------------------------------------------------------------------ places */

bool plan_goes_by_time(isl_map *map)
{
    map = isl_map_project_out(map, isl_dim_in, 0, 1);
    return isl_map_is_single_valued(map) != isl_bool_true;
}

bool plan_moves_in_time(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *map = ir_coordinates(m->affine, &op->access);
    if (!map)
        return true;
    map = isl_map_project_out(map, isl_dim_out, 0, (unsigned)plan_blocks(m, op->access.object));
    map = isl_map_coalesce(isl_map_remove_redundancies(map));
    int at = isl_map_find_dim_by_id(map, isl_dim_param, m->affine->turns[m->plan.time->number].id);
    return at >= 0 && isl_map_involves_dims(map, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
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

isl_multi_aff *plan_place_of(struct plan_maker *m, const struct ir_op *op, isl_map *at)
{
    for (const struct ir_loop *loop = op->loop; loop; loop = loop->around)
        if (!m->affine->turns[loop->number].counter && loop != m->plan.time)
            return NULL;
    return plan_single(at);
}

/* The same of the cells that are its elements, all of them or, with `only`, those that it touches.
 */
static isl_multi_aff *own_place(struct plan_maker *m, const struct ir_op *op, isl_set **only)
{
    isl_map *map = plan_cells(m, op, plan_touched(m, op, !only));
    if (plan_goes_by_time(isl_map_copy(map)) || (only && plan_moves_in_time(m, op)))
        return NULL;
    map = isl_map_reset_tuple_id(isl_map_reverse(map), isl_dim_out);
    map = isl_map_project_out(map, isl_dim_out, 0, 1);
    isl_set *cells = isl_map_domain(isl_map_copy(map));
    bool all = only || ir_is_nothing(isl_set_complement(isl_set_copy(cells)));
    isl_multi_aff *at = all ? plan_place_of(m, op, any_instance(map)) : NULL;
    if (at && only)
        *only = cells;
    return at;
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

struct plan_place plan_find_place(struct plan_maker *m, const struct ir_object *object,
                                  isl_map *role, isl_set **only)
{
    struct plan_place place = {NULL, NULL, NULL, NULL}, other = place;
    const struct ir_value *block = NULL;
    int ops = m->plan.ir->ops;
    for (int i = 0; i < 2 * ops && !place.op; i++) { /* stores, whose elements are mostly cells */
        const struct ir_op *op = m->plan.ir->op[i % ops];
        if (op->kind != (i < ops ? IR_STORE : IR_READ) || op->access.object != object ||
            op->access.whole || !op->loop)
            continue;
        bool same = plan_is_same_role(m, plan_role_of(m, op), role);
        bool may = (same || !other.at) && (!only || op->kind == IR_STORE);
        isl_multi_aff *at = may ? own_place(m, op, only) : NULL;
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
        const char *shown = op->access.object->shown;
        plan_refuse(
            plan, op->begin, plan->fields ? plan->field[0]->place.op->begin : -1, "%s%s", shown,
            many ? gzt_format(": more than %d arrays are carried from one time step to the next",
                              PLAN_MOST_FIELDS)
            : n == 0
                ? " is a single number in memory that is carried from one time step to the next"
                : gzt_format(" has not the grid's 1 to %d dimensions", PLAN_AXES));
        return -1;
    }
    while (field->planes <= PLAN_MOST_FIELDS &&
           !plan_is_same_role(m, role, plan_later(m, role, field->planes)))
        field->planes++;
    if (field->planes > PLAN_MOST_FIELDS) {
        plan_refuse_op(m, op, "is another block of memory in every time step: use two planes");
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
    IR_EACH_OP (op, m->plan.ir)
        if (op->kind == IR_STORE && op->access.object == object && !op->access.whole && op->loop &&
            plan_moves_in_time(m, op))
            return true;
    return false;
}

int plan_find_field(struct plan_maker *m, const struct ir_object *object, isl_map *role, int turns)
{
    for (int i = 0; i < m->plan.fields; i++)
        if (m->plan.field[i]->object == object &&
            plan_is_same_role(m, turns ? plan_later(m, m->role[i], turns) : m->role[i], role))
            return i;
    return -1;
}

int plan_field_in(struct plan_maker *m, const struct ir_object *object, isl_map *role,
                  const struct ir_op *at)
{
    isl_set *only = NULL;
    int found = plan_find_field(m, object, role, 0);
    if (found >= 0)
        return found;
    struct plan_place place = plan_find_place(m, object, role, NULL);
    if (!place.op)
        place = plan_find_place(m, object, role, &only);
    if (place.op)
        return add_field(m, place, role, only);
    plan_refuse_op(m, at,
                   keeps_all(m, object)
                       ? PLAN_KEPT
                       : "is carried from one time step to the next, and no access in the loop "
                         "leads to an element of a cell");
    return -1;
}

int plan_field_of(struct plan_maker *m, const struct ir_op *read, int turns)
{
    isl_map *role = plan_role_of(m, read);
    return turns ? plan_find_field(m, read->access.object, role, turns)
                 : plan_field_in(m, read->access.object, role, read);
}
