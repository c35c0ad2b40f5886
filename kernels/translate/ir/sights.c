/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sights.c - what a load sees: another store of the same turn, whose loads are looked at likewise,
 * or memory as the turn found it: a field, at distances that are the same for all cells or few, an
 * array of the grid that no turn writes, or a number.
 */
#include "decide.h"

#include "../tree.h"

#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, MOST_DISTANCES = 12, MOST_NODES = 400, DEEPEST = 17 };

struct plan_part *plan_add_part(struct plan_parts *parts, enum plan_sight sight, isl_set *cells)
{
    struct plan_part *part = gzt_alloc(sizeof *part);
    *part = (struct plan_part){.cells = cells, .sight = sight, .number = -1};
    gzt_push(&parts->part, &parts->count, part);
    return part;
}

/* --------------------------------------------------------------------------------- distances */

bool plan_only(isl_set *line, long *number)
{
    isl_val *low = isl_set_dim_min_val(isl_set_copy(line), 0), *high = isl_set_dim_max_val(line, 0);
    bool only = isl_val_is_int(low) == isl_bool_true && isl_val_eq(low, high) == isl_bool_true;
    *number = only ? isl_val_get_num_si(low) : 0;
    return only;
}

isl_set *plan_line(isl_set *set, int k)
{
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    isl_set *line =
        isl_set_project_out(isl_set_copy(set), isl_dim_set, (unsigned)k + 1, n - (unsigned)k - 1);
    return isl_set_project_out(line, isl_dim_set, 0, (unsigned)k);
}

bool plan_is_distance(isl_set *line, int *number)
{
    long only;
    bool is = plan_only(line, &only) && labs(only) <= LONGEST;
    *number = is ? (int)only : *number;
    return is;
}

/* The distance, if it is the same for all cells. */
static bool distance_of(isl_set *far, int distance[PLAN_AXES])
{
    bool constant = far != NULL;
    for (int k = 0; constant && k < isl_set_dim(far, isl_dim_set); k++)
        constant = plan_is_distance(plan_line(far, k), &distance[k]);
    return constant;
}

isl_set *plan_without_time(isl_set *cells)
{
    return isl_set_reset_tuple_id(isl_set_project_out(cells, isl_dim_set, 0, 1));
}

isl_set *plan_moved(isl_set *cells, const int *distance)
{
    isl_set *far = isl_set_universe(isl_set_get_space(cells));
    for (int k = 0; k < isl_set_dim(cells, isl_dim_set); k++)
        far = isl_set_fix_si(far, isl_dim_set, (unsigned)k, distance[k]);
    return isl_set_apply(cells, isl_set_translation(far));
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

struct points {
    isl_point **point;
    int count;
};

static isl_stat add_point(isl_point *point, void *data)
{
    struct points *points = data;
    gzt_push(&points->point, &points->count, point);
    return points->count > MOST_DISTANCES ? isl_stat_error : isl_stat_ok;
}

/* The distances, if they are a few, whatever the parameters are; else none. */
static struct points few_of(isl_set *far)
{
    struct points points = {0};
    isl_set *all = isl_set_project_out_all_params(isl_set_copy(far));
    if (isl_set_is_bounded(all) == isl_bool_true &&
        isl_set_foreach_point(all, add_point, &points) == isl_stat_ok &&
        points.count > 1) /* one that is too far is none of several */
        return points;
    return (struct points){0};
}

/* ------------------------------------------------------------------------------------ memory */

/* A load, or a store that leaves what was there, which `by` needs. */
struct look {
    struct plan_maker *m;
    struct plan_parts *parts;
    const struct ir_op *read, *by;
};

/* Elements of a field: { C[t, cell] -> [cell] }, which is taken, from some cells. */
static void see_field(const struct look *look, int number, isl_set *cells, isl_map *map)
{
    isl_set *far = distances_of(map);
    int distance[PLAN_AXES] = {0};
    bool constant = distance_of(far, distance);
    struct points few = far && !constant ? few_of(far) : (struct points){0};
    for (int i = 0; i < few.count; i++) {
        isl_map *by = isl_set_translation(isl_set_from_point(few.point[i]));
        by = isl_map_set_tuple_name(isl_map_insert_dims(by, isl_dim_in, 0, 1), isl_dim_in, "C");
        by = isl_map_intersect(isl_map_copy(map), by);
        if (isl_map_is_empty(by) != isl_bool_true)
            see_field(look, number, isl_map_domain(isl_map_copy(by)), by);
    }
    if (few.count)
        return;
    struct plan_part *part = plan_add_part(look->parts, PLAN_FIELD, cells);
    part->number = number;
    part->far = constant ? NULL : far;
    part->at = look->read->begin;
    part->other = look->by->begin;
    memcpy(part->distance, distance, sizeof distance);
    plan_fill(look->m, number, isl_map_range(map));
}

/* The distance at which one function of cells is another, if it is the same for all. */
static bool moves_to(isl_multi_aff *from, isl_multi_aff *to, int distance[PLAN_AXES])
{
    isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(from));
    map = isl_map_apply_range(isl_map_from_multi_aff(isl_multi_aff_copy(to)), isl_map_reverse(map));
    for (int k = 0; k < isl_map_dim(map, isl_dim_out); k++)
        if (isl_multi_aff_involves_dims(from, isl_dim_in, (unsigned)k, 1) == isl_bool_false)
            map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    bool all = ir_is_nothing(isl_set_complement(isl_map_domain(isl_map_copy(map))));
    memset(distance, 0, PLAN_AXES * sizeof *distance);
    return all && distance_of(isl_map_deltas(map), distance);
}

/* Elements that no turn writes: those of an array of the grid, which is the first that has them at
 * some distance. `map`: cells -> instances of the load. */
static bool see_array(const struct look *look, bool step, isl_set *cells, isl_map *map)
{
    struct plan *plan = &look->m->plan;
    struct plan_part *part = plan_add_part(look->parts, step ? PLAN_STEP : PLAN_ARRAY, cells);
    struct plan_array ***list = step ? &plan->step : &plan->constant;
    int *count = step ? &plan->steps : &plan->constants, *distance = part->distance;
    map = isl_map_reset_tuple_id(isl_map_project_out(map, isl_dim_in, 0, 1), isl_dim_in);
    map = isl_map_project_out(isl_map_reset_tuple_id(map, isl_dim_out), isl_dim_out, 0, 1);
    isl_multi_aff *at = plan_place_of(look->m, look->read, map);
    if (!at)
        return plan_refuse_op(look->m, look->read, "is read where the time loop chooses the cell");
    isl_set *own = plan_without_time(isl_set_copy(cells));
    int i = 0;
    while (i < *count &&
           !((*list)[i]->place.op == look->read && moves_to((*list)[i]->place.at, at, distance) &&
             !(step && (distance[0] || distance[1] || distance[2]))))
        i++;
    if (i == *count) {
        struct plan_array *array = gzt_alloc(sizeof *array);
        memset(distance, 0, sizeof part->distance);
        *array = (struct plan_array){.place = {look->read, at, NULL, NULL},
                                     .cells = isl_set_empty(isl_set_get_space(own)),
                                     .begin = look->read->begin,
                                     .when = plan_condition(look->m, look->read, step)};
        gzt_push(list, count, array);
    }
    ir_grow(&(*list)[i]->cells, plan_moved(own, distance));
    part->number = i;
    return true;
}

static const char MAY_NOT_BE[] = "is read under a condition on data, and may not be there";

/* The elements that a variable's type declares. */
static isl_set *declared(struct plan_maker *m, const struct ir_object *object, isl_set *elements)
{
    isl_set *all = isl_set_universe(isl_set_get_space(elements));
    const char *type = object->decl ? object->decl->type_name : "";
    long extent = m->affine->layout[object->number].strides == 0 && !strchr(object->path, '.');
    for (unsigned k = 0; k < (unsigned)isl_set_dim(elements, isl_dim_set); k++) {
        extent = extent > 0 && ir_is_array_type(type) ? strtol(strchr(type, '[') + 1, NULL, 10) : 0;
        type = extent > 0 ? ir_element_of(type) : type;
        all = isl_set_lower_bound_si(all, isl_dim_set, k, 0);
        all = isl_set_upper_bound_si(all, isl_dim_set, k, (int)extent - 1);
    }
    return all;
}

/* The elements of some instances that C touches only where a condition on data holds: no other
 * operation touches them, under a condition that is known, and no variable has them. */
static isl_set *unsure(struct plan_maker *m, const struct ir_op *read, isl_map *at)
{
    bool known = true;
    ir_instances(m->affine, read, &known);
    const struct ir_value *root = read->access.address;
    while (root->code == IR_FIRST || root->code == IR_FIELD)
        root = root->a[0];
    isl_set *left =
        isl_map_range(isl_map_apply_range(isl_map_copy(at), plan_touched(m, read, false)));
    if (known || root->code == IR_ADDRESS)
        return isl_set_empty(isl_set_get_space(left));
    if (read->access.object->kind == IR_VARIABLE)
        left = isl_set_subtract(left, declared(m, read->access.object, left));
    IR_EACH_OP (op, m->plan.ir) {
        bool exact = op->access.object == read->access.object && !op->access.whole &&
                     (op->kind == IR_READ || op->kind == IR_STORE) && op->loop;
        if (exact)
            ir_instances(m->affine, op, &exact);
        if (exact)
            left = isl_set_subtract(left, isl_map_range(plan_touched(m, op, false)));
    }
    return left;
}

/* Whether some of an array's elements lie before its first. */
static bool begins_before(isl_set *elements)
{
    isl_set *array = isl_set_universe(isl_set_get_space(elements));
    for (unsigned k = 0; k < (unsigned)isl_set_dim(elements, isl_dim_set); k++)
        array = isl_set_lower_bound_si(array, isl_dim_set, k, 0);
    return !ir_is_nothing(isl_set_subtract(elements, array));
}

static bool loads_by_cells(const struct ir_value *value, const void *maker)
{
    return value->code == IR_LOAD && plan_goes_by_cells(maker, value);
}

/* Whether a condition on counters, which isl cannot express, decides which elements exist. */
static bool bounds(struct plan_maker *m, const struct ir_value *where)
{
    if (ir_is_exact(m->affine, where) || !plan_goes_by_cells(m, where))
        return false;
    if (where->code != IR_SELECT)
        return !ir_any(m->plan.ir, where, loads_by_cells, m);
    return bounds(m, where->a[0]) || bounds(m, where->a[1]) || bounds(m, where->a[2]);
}

/* Adds what memory held at the start of the turn. `at`: cells -> instances of `read`, a load or the
 * store that leaves it, for `by`; takes that. */
static bool see_memory(struct plan_maker *m, struct plan_parts *parts, const struct ir_op *read,
                       const struct ir_op *by, isl_map *at)
{
    struct look look = {m, parts, read, by};
    struct plan_pieces pieces = {0};
    isl_map *map = isl_map_apply_range(isl_map_copy(at), plan_touched(m, read, false));
    isl_set *all = plan_written(m, read->access.object);
    bool constant = !all || ir_is_nothing(isl_set_intersect(all, isl_map_range(isl_map_copy(map))));
    isl_set *odd = unsure(m, read, at);
    bool is_there = ir_is_nothing(isl_set_copy(odd));
    if (!constant && !is_there && bounds(m, read->where))
        return plan_refuse_op(
            m, read,
            "is touched only where a condition on loop variables holds that is no sum of them, and "
            "may not be there: keep that condition in an array");
    /* The library tests whether what lies around a block can be read, but not rows' pointers. */
    if (!constant && read->access.object->rows && begins_before(odd))
        return plan_refuse_op(m, read, MAY_NOT_BE);
    int number = -1, distance[PLAN_AXES];
    if (!constant && (number = plan_field_of(m, read, 0)) < 0)
        return false;
    isl_map *cells = plan_cells(m, read, map);
    if (constant && distance_of(distances_of(cells), distance))
        number = plan_find_field(m, read->access.object, plan_role_of(m, read), 0);
    if (number < 0 && !is_there)
        return plan_refuse_op(m, read, MAY_NOT_BE);
    if (number < 0 && !plan_goes_by_cells(m, read->access.address)) {
        plan_add_part(parts, PLAN_NUMBER, isl_map_domain(at));
        return true;
    }
    /* Of blocks by turns, whatever a condition makes of that: C's pointers move in time. */
    bool blocks = plan_blocks(m, read->access.object) > 0;
    bool step = number < 0 && plan_goes_by_time(plan_touched(m, read, blocks));
    bool good = plan_take_apart(m, number < 0 ? at : cells, read, by, &pieces);
    for (int i = 0; good && i < pieces.count; i++)
        if (number < 0)
            good = see_array(&look, step, pieces.piece[i]->cells, pieces.piece[i]->map);
        else
            see_field(&look, number, pieces.piece[i]->cells, pieces.piece[i]->map);
    return good;
}

/* ------------------------------------------------------------------------------------ nodes */

/* { S<op>[...] -> S<read>[...] }: the instance whose value an operation uses. */
static isl_map *instance_of(struct plan_maker *m, const struct ir_op *op, const struct ir_op *read)
{
    unsigned n = (unsigned)ir_depth(op), outer = (unsigned)ir_depth(read);
    isl_map *map = isl_set_identity(isl_set_universe(isl_space_set_alloc(m->affine->isl, 0, n)));
    map = isl_map_project_out(map, isl_dim_out, outer, n - outer);
    map = isl_map_set_tuple_name(map, isl_dim_in, gzt_format("S%d", op->number));
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("S%d", read->number));
}

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

/* Of each cell whose element a store has set last, by an instance that `map` leads to: its node. */
static bool see_store(struct plan_maker *m, struct plan_parts *parts, const struct ir_op *store,
                      const struct ir_op *by, isl_map *map)
{
    struct plan_pieces pieces;
    bool good = plan_take_apart(m, map, store, by, &pieces);
    for (int i = 0; good && i < pieces.count; i++) {
        const struct plan_piece *piece = pieces.piece[i];
        struct plan_part *part = plan_add_part(parts, PLAN_NODE, piece->cells);
        part->node = explore(m, store, piece->map, isl_set_copy(piece->cells), by);
        good = part->node != NULL;
    }
    return good;
}

bool plan_see(struct plan_maker *m, struct plan_parts *parts, isl_map *at, const struct ir_op *to,
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
        if (isl_set_is_subset(cells, done) != isl_bool_true)
            good = see_store(m, parts, edge->from, to ? to : edge->from, map);
        if (edge->from->loop == m->plan.time)
            points = isl_set_union(points, cells);
        else
            ir_grow(&done, cells);
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
    if ((value->code == IR_PHI && value->loop != uses->m->plan.time &&
         !ir_affine_of(uses->m->affine, value)) ||
        ((value->code == IR_EXIT || value->code == IR_RESULT) && value->home &&
         value->home != uses->m->plan.time))
        uses->odd = value;
}

static bool see_read(struct plan_maker *m, struct plan_node *node, const struct ir_op *read)
{
    struct plan_seen *seen = gzt_alloc(sizeof *seen);
    const struct ir_op *where = read ? read : node->op;
    isl_set *before = NULL;
    if (read && (read->access.whole || read->access.object->kind == IR_ANYWHERE))
        return plan_refuse_op(m, read, "is used with several types, or may lie anywhere in memory");
    *seen = (struct plan_seen){.read = read};
    gzt_push(&node->seen, &node->seens, seen);
    if (read)
        m->seen[read->number] = 1;
    if (read && (!read->loop || !ir_within(node->op->loop, read->loop)))
        return read->loop
                   ? plan_refuse_op(m, read, "is read by a loop that ends before its value is used")
                   : (plan_add_part(&seen->parts, PLAN_NUMBER, isl_set_copy(node->cells)), true);
    isl_map *at = isl_map_copy(node->at);
    if (read)
        at = isl_map_intersect_range(isl_map_apply_range(at, instance_of(m, node->op, read)),
                                     ir_instances(m->affine, read, NULL));
    bool good = plan_see(m, &seen->parts, at, where, where->access.object, &before);
    if (good && seen->parts.count > 0 && !plan_is_known(m, where))
        good = plan_refuse_op(m, where, plan_why_unknown(m, where));
    at = isl_map_intersect_domain(at, before);
    if (good && isl_map_is_empty(at) == isl_bool_false)
        return see_memory(m, &seen->parts, where, node->op, at);
    return good;
}

/* Looks at the loads that a store's value hangs on, and its condition, if that is computed. */
static bool see_all(struct plan_maker *m, struct plan_node *node)
{
    struct uses uses = {m, gzt_alloc((size_t)m->plan.ir->ops), NULL};
    char *seen = gzt_alloc((size_t)m->plan.ir->values);
    ir_walk_value(node->op->value, seen, take_use, &uses);
    if (node->guarded)
        ir_walk_value(node->op->where, seen, take_use, &uses);
    for (int i = 0; node->fold && i < node->fold->guards; i++)
        ir_walk_value((struct ir_value *)node->fold->guard[i], seen, take_use, &uses);
    bool good = !uses.odd || plan_refuse_carried(&m->plan, node->op, uses.odd);
    for (int i = 0; good && i < m->plan.ir->ops; i++)
        good = !uses.read[i] || see_read(m, node, m->plan.ir->op[i]);
    return good && (!node->guarded || see_read(m, node, NULL));
}

bool plan_refuse_order(struct plan_maker *m, const struct ir_op *read, const struct ir_op *store)
{
    return plan_refuse(&m->plan, read->begin, store->begin,
                       "%s is read where this sweep has already written it (Gauss-Seidel order): "
                       "write to a second array, or colour the cells",
                       plan_shown(m, read));
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
    if (m->nodes == MOST_NODES)
        plan_refuse_op(m, op, "is computed at too many cells that one of the next time step needs");
    else if (m->open[op->number] == DEEPEST)
        plan_refuse_order(m, by, op);
    if (m->plan.refusal)
        return NULL;
    struct plan_node *node = gzt_alloc(sizeof *node);
    *node = (struct plan_node){
        .op = op, .at = at, .cells = cells, .guarded = !ir_is_exact(m->affine, op->where)};
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
                 !by->access.whole && by->access.object->kind != IR_ANYWHERE;
    isl_map *map = known ? plan_touched(m, by, true) : NULL;
    map = map ? plan_cells(m, by, map) : NULL;
    if (!map || isl_map_dim(map, isl_dim_out) != m->plan.dimensions)
        return NULL;
    map = isl_map_set_tuple_name(map, isl_dim_in, gzt_format("S%d", op->number));
    map = isl_map_intersect_domain(map, ir_instances(m->affine, op, NULL));
    map =
        isl_map_equate(isl_map_insert_dims(map, isl_dim_out, 0, 1), isl_dim_in, 0, isl_dim_out, 0);
    map = isl_map_set_tuple_name(map, isl_dim_out, "C");
    isl_set *left = plan_without_time(isl_map_range(isl_map_copy(map))), *all = NULL;
    for (int i = 0; i < m->plan.fields; i++)
        all = ir_union(all, plan_written_cells(m, m->plan.field[i]->object, m->role[i]));
    isl_set *fits = isl_set_params(isl_set_copy(all));
    left =
        isl_set_params(isl_set_subtract(isl_set_intersect_params(left, isl_set_copy(fits)), all));
    fits = isl_set_subtract(fits, isl_set_copy(left));
    bool good = !ir_is_nothing(fits) && isl_map_is_injective(map) == isl_bool_true;
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
