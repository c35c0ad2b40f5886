/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * receive.c - what the host does in each turn that a device runs: it stores, adds up or prints
 * elements of fields, as receivers and probes do. Once the turns have run, it repeats these
 * operations turn by turn, with the values that the device has recorded of these elements.
 *
 * An operation is the host's if no sweep reads what it sets and it stands in fewer loops than
 * sweeps do. Which elements it reads must not go by the time, nor what it does by their values.
 */
#include "decide.h"
#include "turn.h"

#include <string.h>

enum { DEEPEST = 4 };

struct finder {
    struct plan_maker *m;
    const struct ir_region *ir;
    const struct ir_loop *time;
    int deepest;  /* how many loops are around a sweep's store */
    char *sweeps; /* by operation: what sweeps do or read */
    char *read;   /* by operation: whether the walk has come to it */
    char *seen;   /* by value: likewise */
    bool all;     /* whether the walk enters values computed before the turns run */
    bool can;     /* whether the host can repeat what the walk has come to */
};

/* ------------------------------------------------------------------------------------- walks */

static void walk(struct ir_value *value, void *finder);

static void walk_loops(struct finder *f, const struct ir_loop *loop)
{
    for (; loop && loop != f->time; loop = loop->around) {
        f->can = f->can && (f->all || loop->depth + 1 < f->deepest);
        walk(loop->where, f);
        walk(loop->holds, f);
    }
}

static void walk_op(struct finder *f, const struct ir_op *op)
{
    ir_walk_op(op, true, walk, f);
    walk_loops(f, op->loop);
}

static void walk_read(struct finder *f, const struct ir_op *op)
{
    bool within = op->loop;
    f->read[op->number] = 1;
    f->can = f->can && op->access.object->kind != IR_ANYWHERE && !op->access.whole &&
             (!within || (ir_depth(op) < f->deepest && !(op->head && op->loop == f->time)));
    if (within)
        walk_op(f, op);
}

/* Visits all that a value depends on, in this turn and earlier ones, but for what the host can
 * compute before the turns run. */
static void walk(struct ir_value *value, void *finder)
{
    struct finder *f = finder;
    if (f->seen[value->number])
        return;
    f->seen[value->number] = 1;
    f->can = f->can && value->code != IR_RESULT;
    bool handed = value->code == IR_PHI && value->loop == f->time && !f->all;
    if (handed && !f->m->plan.late[value->number])
        return;
    for (int i = handed; i < value->arguments; i++)
        walk(value->a[i], f);
    if (value->code == IR_LOAD)
        walk_read(f, value->op);
    if (value->code == IR_PHI || value->code == IR_EXIT)
        walk_loops(f, value->code == IR_PHI ? value->loop : value->a[0]->loop);
}

/* ------------------------------------------------------------------------------------ sweeps */

static bool stores_to(const struct ir_op *op, const struct ir_object *to)
{
    return (op->kind == IR_STORE || op->kind == IR_COPY) && op->loop && op->access.object == to;
}

/* Whether an operation sets memory that sweeps read or set. */
static bool is_swept(const struct finder *f, const struct ir_op *op)
{
    for (int i = 0; i < f->ir->ops; i++)
        if ((f->read[i] || f->sweeps[i]) && stores_to(op, f->ir->op[i]->access.object))
            return true;
    return false;
}

/* Finds the stores in most loops, and all that they depend on. */
static void find_sweeps(struct finder *f)
{
    f->all = true;
    walk(f->time->holds, f);
    IR_EACH_OP (op, f->ir)
        if (op->kind == IR_STORE && ir_depth(op) > f->deepest)
            f->deepest = ir_depth(op);
    for (bool more = true; more;) {
        more = false;
        IR_EACH_OP (op, f->ir)
            if (!f->sweeps[op->number] && stores_to(op, op->access.object) &&
                (op->kind == IR_COPY || ir_depth(op) == f->deepest || is_swept(f, op))) {
                f->sweeps[op->number] = more = true;
                walk_op(f, op);
            }
    }
    f->all = false;
}

/* Finds values that depend on what turns set, and loops whose trip count is no affine function. */
static void find_late(struct finder *f)
{
    char *late = f->m->plan.late;
    for (int i = 0; i < f->ir->values; i++) {
        const struct ir_value *value = f->ir->value[i];
        late[i] = value->code == IR_EXIT;
        for (int k = 0; value->code == IR_LOAD && k < f->ir->ops && !late[i]; k++)
            late[i] = stores_to(f->ir->op[k], value->op->access.object);
    }
    ir_spread(f->ir, 0, late);
}

/* ------------------------------------------------------------------------------------- hosts */

/* Takes what the walk from a value or an operation comes to, if the host can repeat it. */
static bool take(struct finder *f, struct ir_value *value, const struct ir_op *op)
{
    struct plan *plan = &f->m->plan;
    size_t ops = (size_t)f->ir->ops, values = (size_t)f->ir->values;
    f->read = gzt_copy(plan->host, ops);
    f->seen = gzt_copy(plan->heard, values);
    f->can = true;
    if (op)
        walk_op(f, op);
    if (value)
        walk(value, f);
    if (!f->can)
        return false;
    for (size_t i = 0; i < ops; i++)
        plan->host[i] = f->read[i] && f->ir->op[i]->loop;
    plan->heard = f->seen;
    if (op)
        plan->host[op->number] = 1;
    return true;
}

/* Whether the time loop hands on the memory that a store sets, as it does variables. */
static bool is_handed_on(const struct finder *f, const struct ir_op *op)
{
    for (int i = 0; op->kind == IR_STORE && i < f->time->phis; i++) {
        const struct ir_value *phi = f->time->phi[i];
        if (phi->a[2] == op->access.address && !f->m->plan.late[phi->number])
            return true;
    }
    return false;
}

static bool may_be_host(const struct finder *f, const struct ir_op *op)
{
    bool never = ir_is_number(op->where, 0); /* in turns that another follows */
    if (!op->loop || op->head || never || ir_depth(op) >= f->deepest || is_handed_on(f, op))
        return false;
    return op->kind == IR_STORE ? !f->sweeps[op->number] &&
                                      op->access.object->kind != IR_ANYWHERE && !op->access.whole
                                : op->kind == IR_OUTPUT && op->text && strcmp(op->text, "<<") != 0;
}

void plan_find_hosts(struct plan_maker *m, char *left_out, bool always)
{
    size_t ops = (size_t)m->plan.ir->ops + 1, values = (size_t)m->plan.ir->values + 1;
    struct finder f = {.m = m, .ir = m->plan.ir, .time = m->plan.time};
    struct ir_turn turn;
    bool any = false;
    f.read = gzt_alloc(ops);
    f.sweeps = gzt_alloc(ops);
    f.seen = gzt_alloc(values);
    m->plan.late = gzt_alloc(values);
    find_sweeps(&f);
    find_late(&f);
    m->plan.host = gzt_alloc(ops);
    m->plan.heard = gzt_alloc(values);
    IR_EACH_OP (op, f.ir)
        if (may_be_host(&f, op) &&
            !(always ? plan_occasion(m, op) != NULL : plan_is_beside_text(m, op)) &&
            take(&f, NULL, op))
            left_out[op->number] = any = true;
    ir_turn_find(&turn, &m->plan, m->affine);
    for (int i = 0; i < f.time->phis; i++) {
        struct ir_value *phi = f.time->phi[i];
        any =
            (m->plan.late[phi->number] && turn.reached[phi->number] && take(&f, phi, NULL)) || any;
    }
    m->plan.host = any ? m->plan.host : NULL;
}

/* ----------------------------------------------------------------------------- what is read */

static bool refuse(struct plan_maker *m, const struct ir_op *read, const char *why)
{
    return plan_refuse(&m->plan, read->begin, -1, "%s %s", read->access.object->shown, why);
}

/* Whether operations that a device does set memory that one of the host's reads. */
static bool is_of_field(struct plan_maker *m, const struct ir_op *read)
{
    return read->kind == IR_READ && m->plan.host[read->number] &&
           plan_written(m, read->access.object);
}

/* Whether what a load sees of its own turn is an edge's. */
static bool sees(const struct ir_edge *edge, const struct ir_op *read)
{
    return edge->to == read && !edge->earlier;
}

/* A set as one convex part, if it is that: all cells but a source's and that one, for example.
 * Takes it. */
static isl_set *simple(isl_set *set)
{
    isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(set)));
    return isl_set_is_subset(hull, set) == isl_bool_true ? hull : isl_set_coalesce(set);
}

/* { S<read> -> elements } of what a load sees of the start of its turn: what turns write somewhere,
 * or, not `ever`, never do. */
static isl_map *early(struct plan_maker *m, const struct ir_op *read, bool ever)
{
    isl_map *map =
        isl_map_intersect_domain(plan_touched(m, read, false), plan_turns_of(m, read, true));
    isl_set *all = plan_written(m, read->access.object), *later = NULL;
    for (int i = 0; i < m->plan.flow->edges; i++)
        if (sees(m->plan.flow->edge[i], read))
            later = ir_union(later, isl_set_copy(m->plan.flow->edge[i]->cells));
    map = ever ? isl_map_intersect_range(map, all) : isl_map_subtract_range(map, all);
    return later ? isl_map_subtract_domain(map, simple(later)) : map;
}

/* Whether sweeps of a turn set the block of a load before it, or behind it. */
static bool is_set(struct plan_maker *m, const struct ir_op *read, bool before)
{
    IR_EACH_OP (op, m->plan.ir) {
        const struct ir_loop *loop = read->loop;
        while (loop != m->plan.time && !ir_within(op->loop, loop))
            loop = loop->around;
        bool there = loop != m->plan.time || (op->number < read->number) == before;
        if (plan_writes(m, op, read->access.object) && there && plan_meets(m, op, read))
            return true;
    }
    return false;
}

bool plan_expect_fields(struct plan_maker *m)
{
    if (!m->plan.host || ir_is_nothing(plan_device_turns(m)))
        return true;
    IR_EACH_OP (read, m->plan.ir)
        if (is_of_field(m, read) &&
            (plan_is_known(m, read) ? isl_map_is_empty(early(m, read, true)) == isl_bool_false
                                    : !is_set(m, read, true)) &&
            plan_field_of(m, read, 0) < 0)
            return false;
    return true;
}

/* ----------------------------------------------------------------------------------- watches */

/* A map of instances, but for their time, as one of parameters; takes it. */
static isl_map *over_loops(struct plan_maker *m, const struct ir_op *read, isl_map *map)
{
    const struct ir_loop *loop = read->loop;
    for (int k = isl_map_dim(map, isl_dim_in) - 1; k >= 0; k--, loop = loop->around) {
        map = isl_map_move_dims(map, isl_dim_param, 0, isl_dim_in, (unsigned)k, 1);
        map = isl_map_set_dim_id(map, isl_dim_param, 0,
                                 isl_id_copy(m->affine->turns[loop->number].id));
    }
    return map;
}

static struct plan_watch *add_watch(struct plan_maker *m, const struct ir_op *read, int field,
                                    int age)
{
    struct plan_watch *watch = gzt_alloc(sizeof *watch);
    *watch = (struct plan_watch){.read = read, .field = field, .age = age};
    gzt_push(&m->plan.watch, &m->plan.watches, watch);
    return watch;
}

/* Watches a field's cells, { S<read> -> [cell] }, which is taken; those of other instances must
 * not overlap `had`. */
static bool watch_cells(struct plan_maker *m, const struct ir_op *read, int field, int age,
                        isl_map *cells, isl_set **had)
{
    cells = isl_map_lexmin(isl_map_reset_tuple_id(cells, isl_dim_out));
    cells = isl_map_reset_tuple_id(isl_map_project_out(cells, isl_dim_in, 0, 1), isl_dim_in);
    isl_set *when = isl_map_domain(isl_map_copy(cells));
    if (isl_map_is_single_valued(cells) != isl_bool_true ||
        (*had && isl_set_is_disjoint(*had, when) != isl_bool_true))
        return refuse(m, read, "is read in each time step at a place that goes by the time");
    struct plan_watch *watch = add_watch(m, read, field, age);
    *had = ir_union(*had, when);
    cells = over_loops(m, read, cells);
    watch->when = simple(isl_map_params(isl_map_copy(cells)));
    isl_pw_multi_aff *f = isl_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(cells));
    for (int k = 0; k < m->plan.dimensions; k++) {
        isl_pw_aff *at = isl_pw_aff_project_domain_on_params(isl_pw_multi_aff_get_pw_aff(f, k));
        watch->at[k] = isl_pw_aff_gist(at, isl_pw_aff_domain(isl_pw_aff_copy(at)));
    }
    return true;
}

/* The load whose value a store sets as it is, in all of its instances; NULL if it is no copy. */
static const struct ir_op *copied(const struct plan_node *node)
{
    return node->op->value->code == IR_LOAD && !node->guarded ? node->op->value->op : NULL;
}

/* Adds to { C[t, cell] -> S<op> } the instances of a store that, of some cells, parts are, or are
 * copies of. */
static isl_map *add_made(struct plan_parts *parts, isl_set *cells, const struct ir_op *op,
                         isl_map *made, int depth)
{
    for (int i = 0; parts && i < parts->count && depth < DEEPEST; i++) {
        const struct plan_part *part = parts->part[i];
        if (part->sight != PLAN_NODE)
            continue;
        isl_set *own = plan_own_cells(parts, i);
        own = cells ? isl_set_intersect(own, isl_set_copy(cells)) : own;
        isl_map *at = isl_map_intersect_domain(isl_map_copy(part->node->at), isl_set_copy(own));
        const struct ir_op *read = copied(part->node);
        if (part->node->op == op)
            made = made ? isl_map_union(made, at) : at;
        if (read)
            made = add_made(plan_seen_by(part->node, read), own, op, made, depth + 1);
    }
    return made;
}

/* Of instances that see a store of the same turn, adds, by field, the cells that hold the same at
 * the end of the turn. Takes the map. */
static bool add_stored(struct plan_maker *m, const struct ir_op *read, const struct ir_op *store,
                       isl_map *map, isl_map **held)
{
    isl_set *left = isl_map_domain(isl_map_copy(map));
    for (int f = 0; f < m->plan.fields; f++) {
        isl_map *made = add_made(&m->next[f], NULL, store, NULL, 0);
        if (!made)
            continue;
        isl_map *cells = isl_map_apply_range(isl_map_copy(map), isl_map_reverse(made));
        cells = isl_map_equate(cells, isl_dim_in, 0, isl_dim_out, 0);
        cells = isl_map_intersect_domain(cells, isl_set_copy(left));
        cells = isl_map_project_out(isl_map_reset_tuple_id(cells, isl_dim_out), isl_dim_out, 0, 1);
        left = isl_set_subtract(left, isl_map_domain(isl_map_copy(cells)));
        held[f] = held[f] ? isl_map_union(held[f], cells) : cells;
    }
    return ir_is_nothing(left) ||
           refuse(m, read, "is overwritten in the time step in which this is read");
}

/* Elements that no turn writes stay in memory: if possible in that of a field, which no other
 * memory may share. */
static void watch_constant(struct plan_maker *m, const struct ir_op *read, isl_map *cells)
{
    int field = -1;
    for (int turns = PLAN_MOST_FIELDS; turns > 0 && field < 0; turns--)
        field = plan_field_of(m, read, turns);
    if (field >= 0)
        ir_grow(&m->plan.field[field]->seen, isl_set_reset_tuple_id(isl_map_range(cells)));
    add_watch(m, read, -1, field >= 0);
}

static bool watch_known(struct plan_maker *m, const struct ir_op *read)
{
    isl_map *held[PLAN_MOST_FIELDS] = {NULL};
    isl_set *had = NULL, *done = NULL;
    bool good = true;
    for (int i = 0; good && i < m->plan.flow->edges; i++) {
        const struct ir_edge *edge = m->plan.flow->edge[i];
        if (!sees(edge, read))
            continue;
        isl_map *map =
            isl_map_intersect_domain(isl_map_copy(edge->source), plan_turns_of(m, read, true));
        map = done ? isl_map_subtract_domain(map, isl_set_copy(done)) : map;
        good = add_stored(m, read, edge->from, map, held);
        done = ir_union(done, isl_set_copy(edge->cells));
    }
    for (int f = 0; good && f < m->plan.fields; f++)
        if (held[f] && isl_map_is_empty(held[f]) != isl_bool_true)
            good = watch_cells(m, read, f, 1, held[f], &had);
    isl_map *map = plan_cells(m, read, early(m, read, true));
    if (good && isl_map_is_empty(map) == isl_bool_false) {
        int field = plan_field_of(m, read, 0);
        good = field >= 0 && watch_cells(m, read, field, 0, isl_map_copy(map), &had);
        if (good)
            plan_fill(m, field, isl_map_range(isl_map_copy(map)));
    }
    map = plan_cells(m, read, early(m, read, false));
    if (isl_map_is_empty(map) == isl_bool_false)
        watch_constant(m, read, isl_map_copy(map));
    return good;
}

/* Whether a set, which is taken, is all cells between two along each axis. */
static bool find_box(struct plan_maker *m, isl_set *set, struct plan_watch *watch)
{
    isl_set *box = isl_set_universe(isl_set_get_space(set));
    for (int k = 0; k < m->plan.dimensions; k++) {
        watch->low[k] = isl_set_dim_min(isl_set_copy(set), k);
        watch->high[k] = isl_set_dim_max(isl_set_copy(set), k);
        box = isl_set_intersect(box, plan_between(set, k));
    }
    return isl_set_is_equal(box, set) == isl_bool_true;
}

/* Where the data say, a load reads what a turn begins or ends with. */
static bool watch_unknown(struct plan_maker *m, const struct ir_op *read)
{
    bool before = is_set(m, read, true);
    if (before && is_set(m, read, false))
        return refuse(m, read, "is set before and behind this, and data decide which is read");
    int field = plan_field_of(m, read, before);
    if (field < 0)
        return refuse(m, read, "is overwritten in the next time step, and is read here");
    struct plan_watch *watch = add_watch(m, read, field, before);
    IR_EACH_OP (op, m->plan.ir) {
        if (!plan_writes(m, op, read->access.object))
            continue;
        isl_set *cells =
            isl_set_coalesce(isl_map_range(plan_cells(m, op, ir_touched(m->affine, op).map)));
        bool found = find_box(m, isl_set_copy(cells), watch);
        if (found && !before)
            plan_fill(m, field, cells);
        if (found)
            return true;
    }
    return refuse(m, read, "is read where data say, and no sweep sets all cells there");
}

/* Whether a value is read where C may not come to it, but for the host's loads. */
static bool is_unsafe(const struct ir_value *value, const void *maker)
{
    const struct plan_maker *m = maker;
    return (value->code == IR_LIVE_IN && ir_harms(m->plan.ir, value)) ||
           (value->code == IR_LOAD && !m->plan.host[value->op->number]);
}

bool plan_host_sets(const struct plan *plan, const struct ir_object *object)
{
    IR_EACH_OP (op, plan->ir)
        if (plan->host[op->number] && op->kind == IR_STORE && op->access.object == object)
            return true;
    return false;
}

/* Whether an operation whose condition turns compute can be taken to be run in each; a load gives
 * nothing before they have run. */
static bool may_run(struct plan_maker *m, const struct ir_op *op)
{
    bool may = !op->access.address || !ir_harms(m->plan.ir, op->access.address);
    if (op->kind == IR_READ)
        return is_of_field(m, op) || (may && plan_host_sets(&m->plan, op->access.object));
    may = may && (!op->value || !ir_any(m->plan.ir, op->value, is_unsafe, m));
    for (int i = 0; i < op->arguments && may; i++)
        may = !ir_any(m->plan.ir, op->argument[i], is_unsafe, m);
    return may;
}

/* Whether the elements and the iterations of a host operation follow before the turns run. */
static bool is_foreseen(struct plan_maker *m, const struct ir_op *op)
{
    const char *late = m->plan.late;
    bool known = (!late[op->where->number] || may_run(m, op)) &&
                 (!op->access.address || !late[op->access.address->number]);
    for (const struct ir_loop *loop = op->loop; loop != m->plan.time; loop = loop->around)
        known = known && !late[loop->where->number] && !late[loop->holds->number];
    return known || plan_refuse(&m->plan, op->begin, -1,
                                "what this does in each time step depends on what the step "
                                "computes");
}

/* What the host does in each time step cannot be done where cells decide on the next one. */
static bool refuse_beside_measure(struct plan_maker *m)
{
    IR_EACH_OP (op, m->plan.ir)
        if (m->plan.host[op->number] && op->kind != IR_READ)
            return plan_refuse_op(m, op,
                                  "happens in each time step, and the time loop goes on by what "
                                  "cells compute: let it happen in some of them");
    return plan_refuse(&m->plan, m->plan.time->begin, -1,
                       "the time loop goes on by what cells compute, and hands on what each time "
                       "step leaves in some");
}

bool plan_watch(struct plan_maker *m)
{
    if (!m->plan.host)
        return true;
    if (m->plan.measure)
        return refuse_beside_measure(m);
    IR_EACH_OP (op, m->plan.ir)
        if (m->plan.host[op->number] &&
            (!is_foreseen(m, op) ||
             (is_of_field(m, op) &&
              !(plan_is_known(m, op) ? watch_known(m, op) : watch_unknown(m, op)))))
            return false;
    return true;
}
