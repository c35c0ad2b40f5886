/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * beside.c - memory that a device does not hold: what turns write beside the state, and what the
 * program alone reads. Neither may share memory with the rest: the host tests the elements that
 * turns touch there, and lets the program's own turns run before those that it cannot test.
 */
#include "decide.h"

#include "build.h"
#include "turn.h"

#include <isl/point.h>

/* Whether what a store sets is in the blocks of a field. */
static bool is_held(struct plan_maker *m, const struct ir_op *op)
{
    for (int i = 0; i < m->plan.fields; i++)
        if (m->plan.field[i]->object == op->access.object && m->plan.field[i]->planes > 1)
            return true;
    return plan_find_field(m, op->access.object, plan_role_of(m, op), 0) >= 0;
}

/* A place of elements in a role, or of the one that an operation touches whatever the cell; NULL if
 * there is none. */
static struct plan_array *also_at(struct plan_maker *m, const struct ir_op *op, isl_map *role)
{
    struct plan_array *array = gzt_alloc(sizeof *array);
    *array = (struct plan_array){.begin = op->begin};
    int n = m->plan.dimensions;
    isl_map *map = plan_cells(m, op, plan_touched(m, op, false));
    if (isl_map_dim(map, isl_dim_out) == n)
        array->place = plan_find_place(m, op->access.object, role, NULL);
    if (!array->place.at && !plan_goes_by_cells(m, op->access.address) &&
        !(op->loop == m->plan.time && op->head))
        array->place = (struct plan_place){
            .op = op, .at = isl_multi_aff_zero(isl_space_alloc(m->affine->isl, 0, (unsigned)n, 0))};
    return array->place.at ? array : NULL;
}

/* The elements that a place leads to, or one cell if it is that of one element. */
static isl_set *elements_at(struct plan_maker *m, const struct plan_array *array)
{
    const struct ir_op *op = array->place.op;
    if (isl_multi_aff_dim(array->place.at, isl_dim_out) == 0)
        return isl_set_from_point(isl_point_zero(isl_multi_aff_get_domain_space(array->place.at)));
    isl_map *to = plan_cells(m, op, plan_touched(m, op, true));
    to = isl_map_reset_tuple_id(isl_map_project_out(to, isl_dim_in, 0, 1), isl_dim_in);
    isl_map *at = isl_map_from_multi_aff(isl_multi_aff_copy(array->place.at));
    at = isl_map_reset_tuple_id(at, isl_dim_out);
    return isl_set_apply(isl_set_copy(array->cells), isl_map_apply_range(at, to));
}

static bool is_also(struct plan_maker *m, const struct plan_array *also, const struct ir_op *op,
                    isl_map *role)
{
    isl_map *own = plan_role_of(m, also->place.op);
    return also->place.op->access.object == op->access.object && plan_is_same_role(m, own, role) &&
           (isl_multi_aff_dim(also->place.at, isl_dim_out) > 0 ||
            also->place.op->access.address == op->access.address);
}

/* Why no place says which elements an operation touches. */
static const char *why_untested(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *map = plan_cells(m, op, plan_touched(m, op, false));
    return op->kind == IR_READ ? "is read where no test can tell what lies there"
           : isl_map_dim(map, isl_dim_out) != m->plan.dimensions
               ? "sets an array of other dimensions than the grid has"
               : "is set where no test can tell what else lies there";
}

static bool add_also(struct plan_maker *m, const struct ir_op *op)
{
    isl_map *role = plan_role_of(m, op);
    bool read = op->kind == IR_READ;
    int i = read ? m->plan.alsos : 0;
    while (i < m->plan.alsos && !is_also(m, m->plan.also[i], op, role))
        i++;
    bool had = i < m->plan.alsos;
    struct plan_array *also = had ? m->plan.also[i] : also_at(m, op, role);
    if (!also)
        return plan_refuse_op(m, op, why_untested(m, op));
    isl_set *cells = isl_multi_aff_dim(also->place.at, isl_dim_out) == 0
                         ? elements_at(m, also)
                         : isl_map_range(plan_cells(m, op, plan_touched(m, op, false)));
    ir_grow(&also->cells, cells);
    also->read = read;
    also->when = read ? plan_condition(m, op, false) : NULL;
    if (!had)
        gzt_push(&m->plan.also, &m->plan.alsos, also);
    return true;
}

/* The instances of an operation in turns that the device may run, or in the others, without the
 * time. */
static isl_set *in_turns(struct plan_maker *m, const struct ir_op *op, bool device)
{
    isl_set *all = ir_instances(m->affine, op, NULL);
    return isl_set_project_out(isl_set_intersect(all, plan_turns_of(m, op, device)), isl_dim_set, 0,
                               1);
}

/* Finds what only the program's own turn reads, which finds only fields as C would have them. */
static bool find_last(struct plan_maker *m)
{
    IR_EACH_OP (op, m->plan.ir)
        if (m->plan.alsos > 0 && op->kind == IR_READ && op->loop && !plan_is_left_out(m, op) &&
            !ir_is_nothing(isl_set_subtract(in_turns(m, op, false), in_turns(m, op, true))) &&
            !add_also(m, op))
            return false;
    return true;
}

/* Reads in what turns write are in the same span. */
bool plan_find_also(struct plan_maker *m)
{
    IR_EACH_OP (op, m->plan.ir)
        if (plan_writes(m, op, op->access.object) && !is_held(m, op) &&
            !(op->access.object->kind == IR_VARIABLE && !op->access.object->escapes) &&
            !add_also(m, op))
            return false;
    for (int i = 0; i < m->plan.constants; i++)
        for (int k = 0; k < m->plan.alsos && !m->plan.constant[i]->covered; k++) {
            struct plan_array *array = m->plan.constant[i], *also = m->plan.also[k];
            array->covered = is_also(m, also, array->place.op, plan_role_of(m, array->place.op));
            if (array->covered)
                also->cells = isl_set_union(also->cells, elements_at(m, array));
        }
    for (int k = 0; k < m->plan.alsos; k++) /* again and again, which makes fewer parts */
        m->plan.also[k]->cells = isl_set_coalesce(isl_set_coalesce(m->plan.also[k]->cells));
    return find_last(m);
}

/* Whether memory of a type may be what a store of turns sets, as C has it. */
static bool may_be_set(const struct plan_maker *m, enum ir_type type)
{
    IR_EACH_OP (op, m->plan.ir) {
        enum ir_type set = op->access.type;
        if (op->kind == IR_STORE &&
            (set == type || set == IR_OTHER || (ir_is_integer(set) && ir_is_integer(type)) ||
             (set <= IR_U8 && op->access.object->kind != IR_VARIABLE)))
            return true;
    }
    return type == IR_OTHER || type == IR_I8 || type == IR_U8;
}

/* Whether an object holds what leads to another's rows, which spans of these have. */
static bool leads(const struct plan_maker *m, const struct ir_object *object)
{
    for (int i = 0; i < m->plan.ir->objects; i++)
        if (m->plan.ir->object[i]->rows == object)
            return true;
    return false;
}

/* Whether the program alone does a load, of memory that may be, by another name, what turns
 * write. */
static bool is_aside(struct plan_maker *m, const struct ir_op *op)
{
    return op->kind == IR_READ && op->loop && op->access.object->shared &&
           !leads(m, op->access.object) && !m->seen[op->number] && !plan_is_left_out(m, op) &&
           may_be_set(m, op->access.type) && !plan_written(m, op->access.object);
}

/* Whether an operation is in turns of the program's own alone, the last aside. */
static bool is_occasional(struct plan_maker *m, const struct ir_op *op)
{
    return gzt_is_listed(m->plan.own_when, m->plan.owns, plan_occasion(m, op));
}

static bool is_given(const struct plan *plan, const struct ir_value *value)
{
    for (int i = 0; i < plan->coefficients + plan->values; i++) {
        const struct plan_number *number =
            i < plan->coefficients ? plan->coefficient[i] : plan->value[i - plan->coefficients];
        if (number->value && ir_holds(plan->ir, number->value, value))
            return true;
    }
    return false;
}

/* Whether something else than its name may lead to the variable that a place is in. */
static bool is_shared(const struct ir_region *ir, const struct ir_value *place)
{
    const struct ir_value *variable = ir_variable_of(place);
    for (int i = 0; i < ir->objects && variable; i++)
        if (ir->object[i]->kind == IR_VARIABLE && ir->object[i]->shared &&
            ir->object[i]->decl == variable->decl)
            return true;
    return false;
}

bool plan_find_asides(struct plan_maker *m)
{
    const struct ir_region *ir = m->plan.ir;
    struct ir_turn turn;
    ir_turn_find(&turn, &m->plan, m->affine);
    IR_EACH_OP (op, ir) {
        bool told = op->kind == IR_READ || op->kind == IR_STORE || op->kind == IR_OUTPUT;
        if (!op->loop || !(told ? is_aside(m, op) : plan_is_left_out(m, op)))
            continue;
        if (!told || is_occasional(m, op))
            m->plan.stale = true;
        else if (op->loop != m->plan.time && !add_also(m, op))
            return false;
    }
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *value = ir->value[i];
        bool reads =
            value->code == IR_LIVE_IN
                ? (ir_harms(ir, value) || is_shared(ir, value->a[0])) && may_be_set(m, value->type)
                : value->code == IR_LOAD && value->op->loop == m->plan.time &&
                      is_aside(m, value->op) && !is_occasional(m, value->op);
        if (reads && turn.reached[i] && !is_given(&m->plan, value))
            gzt_push(&m->plan.aside, &m->plan.asides, value);
    }
    return true;
}
