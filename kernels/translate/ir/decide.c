/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decide.c - from the data flow of a region to the stencil that computes turns of its time loop:
 * the order of the passes, and what a device cannot do.
 *
 * The next value of a field at a cell is what the last store to it in a turn sets, or what it was.
 * Each load of that store sees another store of the same turn, whose loads are looked at likewise,
 * or what memory held at the start of the turn: a field if any turn writes there, else constant.
 */
#include "decide.h"

/* Why memory may lie anywhere: where the loops do what is not understood, that may set pointers. */
static const char *why_anywhere(struct plan_maker *m)
{
    IR_EACH_OP (op, m->plan.ir)
        if (op->kind == IR_OPAQUE && op->loop && (!op->aside || op->uses > 0))
            return gzt_format("may lie anywhere in memory, as %s may set its pointers",
                              plan_shown(m, op));
    return "may lie anywhere in memory";
}

/* Whether an operation of time steps that scalars decide keeps what it sets, apart for each, and no
 * turn reads that. */
static bool is_record(struct plan_maker *m, const struct ir_op *op)
{
    IR_EACH_OP (read, m->plan.ir)
        if (read->kind == IR_READ && read->access.object == op->access.object)
            return false;
    return plan_occasion(m, op) && plan_moves_in_time(m, op);
}

/* Why it is not known in which iterations of the loops around it an operation runs. */
static const char *why_inexact(const struct plan_maker *m, const struct ir_op *op)
{
    for (const struct ir_loop *loop = op->loop; loop != m->plan.time; loop = loop->around)
        if (!ir_is_exact(m->affine, loop->where))
            return gzt_format("is set in a loop that runs under a condition on data: %s",
                              ir_shown(m->plan.ir, loop->where));
    return "is set in a loop whose bounds do not say for which cells";
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
        return why_inexact(m, op);
    if (!plan_is_known(m, op))
        return plan_why_unknown(m, op);
    return is_record(m, op) || plan_is_beside_text(m, op) ? PLAN_KEPT : NULL;
}

void plan_add_own(struct plan *plan, struct ir_value *when, const struct ir_op *op)
{
    gzt_push(&plan->own_when, &plan->owns, when);
    plan->owns--;
    gzt_push(&plan->own, &plan->owns, op);
}

/* Leaves operations to turns that are the program's own. */
static bool check_op(struct plan_maker *m, const struct ir_op *op, char *left_out)
{
    bool known =
        !op->loop || left_out[op->number] || (op->kind == IR_READ && !plan_is_beside_text(m, op));
    const char *why = known ? NULL : obstacle(m, op);
    if (!why)
        return true;
    left_out[op->number] = 1;
    if (ir_is_nothing(ir_when(m->affine, op, NULL))) /* it never runs */
        return true;
    struct ir_value *when = plan_occasion(m, op);
    if (!when && why == op->why)
        return plan_refuse(&m->plan, op->begin, -1, "%s", why);
    if (!when)
        return plan_refuse_op(m, op, why);
    plan_add_own(&m->plan, when, op);
    return true;
}

/* Objects are regular if all accesses are that a device may have to do with; those of others may
 * be to any element. */
static void find_regular(struct plan_maker *m)
{
    const struct ir_region *ir = m->plan.ir;
    for (int i = 0; i < ir->objects; i++)
        ir->object[i]->regular = ir->object[i]->kind != IR_ANYWHERE;
    IR_EACH_OP (op, ir)
        if (op->access.object && op->access.whole && !(op->loop && plan_occasion(m, op)))
            op->access.object->regular = false;
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
    IR_EACH_OP (op, ir)
        if (!m->plan.time && op->why) /* a loop that is not understood is none */
            return plan_refuse(&m->plan, op->begin, -1, "%s", op->why);
    return m->plan.time || plan_refuse(&m->plan, -1, -1, "there is no loop");
}

/* Lets the grid's type hold all values of another as well. */
static bool add_type(struct plan_maker *m, const struct ir_op *op, enum ir_type type, bool field)
{
    bool small = type <= IR_U16, none = type == IR_I64 || type == IR_U64 || type >= IR_F80;
    if (none || (field && (small || type == IR_U32)))
        return plan_refuse_op(m, op, "is no array of double, float or int");
    m->plan.type = small || type == m->plan.type ? m->plan.type : IR_F64;
    return true;
}

static bool find_type(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    bool good = true;
    plan->type = plan->field[0]->object->type;
    for (int i = 0; i < plan->fields && good; i++)
        good = add_type(m, plan->field[i]->place.op, plan->field[i]->object->type, true);
    for (int i = 0; i < plan->constants + plan->steps && good; i++) {
        const struct ir_op *op =
            (i < plan->constants ? plan->constant[i] : plan->step[i - plan->constants])->place.op;
        good = add_type(m, op, op->access.type, false);
    }
    return good;
}

static bool decide(struct plan_maker *m, isl_ctx *isl)
{
    struct plan *plan = &m->plan;
    size_t ops = (size_t)plan->ir->ops;
    char *left_out = gzt_alloc(ops);
    m->open = gzt_alloc(ops);
    m->seen = gzt_alloc(ops);
    find_regular(m);
    ir_bound(isl, IR_MOST_WORK / 20);
    m->affine = ir_affine_begin(plan->ir, isl);
    if (!ir_bound(isl, 0))
        return plan_refuse(plan, plan->time->begin, -1, "the loops' bounds take too long");
    m->beyond = isl_set_empty(isl_space_params_alloc(isl, 0));
    plan_find_hosts(m, left_out, m->always);
    IR_EACH_OP (op, plan->ir)
        if (!check_op(m, op, left_out))
            return false;
    plan_assume_points(m);
    plan->flow = ir_follow(m->affine, plan->time, left_out);
    ir_bound(isl, 20 * IR_MOST_WORK);
    bool good = !plan->flow->given_up && plan_find_fields(m) && plan_watch(m) && find_type(m) &&
                plan_find_grid(m) && plan_find_also(m);
    plan_find_blocks(m);
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
    ir_bound(isl, 0);
    plan_write_body(plan);
    return plan_find_asides(m) && !plan->refusal;
}

/* One more way to divide the work between device and program, after another way was refused; the
 * same if there is nothing to divide so. */
static struct plan_maker *try(const struct ir_region *ir, isl_ctx *isl, struct plan_maker *before,
                              bool always, bool apart)
{
    if (before && (!before->plan.refusal || before->given_up || (always && !before->plan.host)))
        return before;
    struct plan_maker *m = gzt_alloc(sizeof *m);
    m->plan.ir = ir;
    m->plan.at = m->plan.other = -1;
    m->always = always;
    m->apart = apart;
    m->plan.end = before ? before->plan.end : NULL;
    m->plan.ends = before ? before->plan.ends : 0;
    ir_bound(isl, 0);
    if (!find_time(m))
        return m;
    if (!before)
        plan_without_breaks(&m->plan, (struct ir_region *)ir);
    if (apart && !plan_without_looks(m, (struct ir_region *)ir))
        return before;
    if (decide(m, isl))
        plan_host(&m->plan);
    return always && m->plan.refusal ? before : m;
}

struct plan *plan_make(const struct ir_region *ir, isl_ctx *isl)
{
    struct plan_maker *m = NULL;
    for (int i = 0; i < 4; i++)
        m = try(ir, isl, m, i % 2, i >= 2);
    ir_bound(isl, 0);
    return &m->plan;
}
