/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fields.c - the state: the blocks of memory that a turn reads, or leaves, as earlier ones wrote
 * them; and the next value of each, whose stores may need further fields.
 *
 * Elements at the end of a turn are E<object>[t, block, cell]. A block holds a field's next value
 * if the next turn finds it in the field's role.
 */
#include "decide.h"

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
    int from = field->planes == 1 ? number : plan_find_field(m, field->object, next, 0);
    if (from < 0)
        from = ir_is_nothing(rest)
                   ? number
                   : plan_field_in(m, field->object, isl_map_copy(next), field->place.op);
    if (from >= 0) /* another turn, or who takes them back, has these from there */
        plan_fill(m, from, plan_without_time(rest));
    plan_add_part(&m->next[number], PLAN_FIELD, plan_device_turns(m))->number = from;
    return from >= 0;
}

static bool find_next(struct plan_maker *m, int number)
{
    const struct ir_object *object = m->plan.field[number]->object;
    isl_map *next = plan_later(m, m->role[number], 1);
    isl_set *rest = NULL, *ever = plan_written_cells(m, object, m->role[number]);
    ever = isl_set_insert_dims(ever, isl_dim_set, 0, 1);
    ever = isl_set_intersect(isl_set_set_tuple_name(ever, "C"), plan_device_turns(m));
    isl_map *at = isl_map_intersect_domain(at_end(m, object, next), ever);
    return plan_see(m, &m->next[number], at, NULL, object, &rest) && keep(m, number, next, rest);
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
        isl_map *own = plan_role_of(m, by), *role = plan_later(m, own, i);
        isl_map *at = fits && m->plan.dimensions ? at_end(m, object, role) : NULL;
        bool there =
            !at || !ir_is_nothing(isl_set_intersect(isl_set_copy(left), isl_map_range(at)));
        if (!there)
            continue;
        good = plan_field_in(m, object, role, by) >= 0;
        left = good ? left_over(m, object, left) : left;
    }
    return good &&
           (ir_is_nothing(left) || plan_refuse_op(m, by, "is written in some time steps and kept"));
}

/* What a reader of unknown elements sees of earlier turns. */
static isl_set *seen_from(struct plan_maker *m, const struct ir_edge *edge)
{
    isl_map *map =
        isl_map_apply_range(isl_map_copy(edge->source), plan_touched(m, edge->from, false));
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
    return op->kind != IR_OPAQUE && plan_is_known(m, op)
               ? plan_field_in(m, op->access.object, plan_role_of(m, op), op) >= 0
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
            return plan_refuse_order(m, edge->to, edge->from);
    }
    for (int i = 0; i < m->plan.owns; i++)
        if (m->plan.own[i]->kind == IR_STORE && !plan_is_known(m, m->plan.own[i]))
            return plan_refuse_op(m, m->plan.own[i], plan_why_unknown(m, m->plan.own[i]));
    return plan_refuse(&m->plan, m->plan.time->begin, -1,
                       ir_is_nothing(plan_turns(m))
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

bool plan_find_fields(struct plan_maker *m)
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

void plan_find_blocks(struct plan_maker *m)
{
    isl_set *in[PLAN_MOST_FIELDS]; /* which blocks of its object a field is in */
    for (int i = 0; i < m->plan.fields; i++) {
        struct plan_field *field = m->plan.field[i];
        in[i] = isl_set_apply(plan_turns(m), isl_map_copy(m->role[i]));
        while (field->blocks < i && (m->plan.field[field->blocks]->object != field->object ||
                                     isl_set_is_equal(in[field->blocks], in[i]) != isl_bool_true))
            field->blocks++;
    }
}
