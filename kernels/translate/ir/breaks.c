/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * breaks.c - conditions on which a turn is the last: the flags that they set must be 0 where the
 * time loop goes on. The turns of a device are followed by another, so in these the conditions do
 * not hold, and what the loop does is written without them. Conditions on which turns look at cells
 * do not hold either, where the program runs these turns.
 */
#include "build.h"
#include "decide.h"

#include <string.h>

struct breaks {
    struct plan *plan;
    struct ir_region *ir;
    struct ir_value **instead; /* by value, NULL: itself */
    int values;                /* before */
    struct ir_value *bit[2];
};

/* Whether a condition is `phi != 0`, or its opposite. */
static bool is_flag(const struct ir_value *c, const struct ir_value *phi, bool set)
{
    return c->code == IR_ARITH && strcmp(c->text, set ? "!=" : "==") == 0 && c->a[0] == phi &&
           ir_is_number(c->a[1], 0);
}

/* Whether a condition does not hold where a phi is not 0. */
static bool needs_zero(const struct ir_value *holds, const struct ir_value *phi)
{
    if (is_flag(holds, phi, false))
        return true;
    if (holds->code != IR_SELECT)
        return false;
    if (ir_is_number(holds->a[1], 0))
        return is_flag(holds->a[0], phi, true) || needs_zero(holds->a[2], phi);
    return ir_is_number(holds->a[2], 0) &&
           (needs_zero(holds->a[0], phi) || needs_zero(holds->a[1], phi));
}

/* Finds the conditions on which a flag is set; false if it is set otherwise. */
static bool find_ends(const struct ir_value *next, const struct ir_value *phi,
                      struct ir_value ***ends, int *count)
{
    for (; next != phi && !ir_is_number(next, 0); next = next->a[2]) {
        long whole;
        if (next->code != IR_SELECT || !ir_is_whole(next->a[1], &whole) || whole == 0)
            return false;
        gzt_push(ends, count, next->a[0]);
    }
    return true;
}

static struct ir_value *number(struct breaks *b, long whole)
{
    struct ir_value *value = gzt_alloc(sizeof *value);
    *value = (struct ir_value){
        .code = IR_CONST, .type = IR_I32, .c = "int", .whole = whole, .number = b->ir->values};
    gzt_push(&b->ir->value, &b->ir->values, value);
    return value;
}

/* --------------------------------------------------------------------------------- rewriting */

static void put(struct breaks *b, struct ir_value **value)
{
    if (*value && (*value)->number < b->values && b->instead[(*value)->number])
        *value = b->instead[(*value)->number];
}

/* A value with its new arguments. */
static struct ir_value *folded(struct breaks *b, struct ir_value *v)
{
    long one, other = 0, result;
    bool whole = v->arguments > 0 && ir_is_whole(v->a[0], &one);
    if (v->code == IR_SELECT && whole)
        return v->a[one ? 1 : 2];
    if (v->code == IR_SELECT && v->a[1] == v->a[2])
        return v->a[1];
    if (v->code != IR_ARITH || v->type != IR_I32 || !whole ||
        (v->arguments == 2 && !ir_is_whole(v->a[1], &other)) ||
        !ir_fold(v->text, v->a[0]->type, one, other, v->arguments, &result) || result < 0 ||
        result > 1)
        return v;
    return b->bit[result];
}

static void rewrite_access(struct breaks *b, struct ir_access *access)
{
    put(b, &access->address);
    for (int i = 0; i < access->subscripts; i++)
        put(b, &access->subscript[i]);
}

static void rewrite(struct breaks *b)
{
    struct ir_region *ir = b->ir;
    for (int i = 0; i < b->values; i++) {
        struct ir_value *v = ir->value[i];
        for (int k = 0; k < v->arguments && v->code != IR_PHI; k++)
            put(b, &v->a[k]);
        if (!b->instead[i] && v->code != IR_PHI)
            b->instead[i] = folded(b, v);
    }
    for (int i = 0; i < ir->loops; i++) {
        struct ir_loop *loop = ir->loop[i];
        put(b, &loop->where);
        put(b, &loop->holds);
        for (int k = 0; k < 2 * loop->phis; k++)
            put(b, &loop->phi[k / 2]->a[k % 2]);
        for (int k = 0; k < loop->moves; k++)
            put(b, &loop->moved[k].value);
    }
    IR_EACH_OP (op, ir) {
        put(b, &op->where);
        put(b, &op->value);
        rewrite_access(b, &op->access);
        rewrite_access(b, &op->from);
        for (int k = 0; k < op->arguments; k++)
            put(b, &op->argument[k]);
    }
}

/* ------------------------------------------------------------------------------------- breaks */

/* Whether a value depends on what a condition is made of, as far as that is not known; or, `cells`,
 * on such a part of it that cells compute. */
static bool depends_on(struct breaks *b, const struct ir_value *value, const struct ir_value *c,
                       bool cells)
{
    if (c->code == IR_SELECT)
        return depends_on(b, value, c->a[0], cells) || depends_on(b, value, c->a[1], cells) ||
               depends_on(b, value, c->a[2], cells);
    return c->code != IR_CONST && !b->instead[c->number] && ir_holds(b->ir, value, c) &&
           (!cells || ir_any(b->ir, c, ir_is_left_by, b->plan->time));
}

/* Whether a value is one of those that another chooses from. */
static bool is_choice(const struct ir_value *from, const struct ir_value *value)
{
    return from == value || (from->code == IR_SELECT &&
                             (is_choice(from->a[1], value) || is_choice(from->a[2], value)));
}

/* Whether each value that is chosen where a condition holds is also chosen where it does not, but
 * for the phi. */
static bool is_chosen_alike(struct breaks *b, const struct ir_value *value,
                            const struct ir_value *c, const struct ir_value *phi,
                            const struct ir_value *other)
{
    if (value->code == IR_SELECT && value->a[0] == c && !other)
        return is_chosen_alike(b, value->a[1], c, phi, value->a[2]);
    if (value->code == IR_SELECT)
        return !depends_on(b, value->a[0], c, true) &&
               is_chosen_alike(b, value->a[1], c, phi, other) &&
               is_chosen_alike(b, value->a[2], c, phi, other);
    return other ? value != phi && is_choice(other, value) : !depends_on(b, value, c, true);
}

/* Whether an operation, or a loop around it, is run on that. */
static bool hangs_on(struct breaks *b, const struct ir_op *op, const struct ir_value *c)
{
    bool hangs = depends_on(b, op->where, c, false);
    for (const struct ir_loop *loop = op->loop; loop && !hangs; loop = loop->around)
        hangs = depends_on(b, loop->where, c, false);
    return hangs;
}

/* A tree of choices that is not rewritten. */
static struct ir_value *copied(struct breaks *b, struct ir_value *c)
{
    if (c->code != IR_SELECT)
        return c;
    struct ir_value *copy = gzt_alloc(sizeof *copy);
    *copy = *c;
    for (int i = 0; i < 3; i++)
        copy->a[i] = copied(b, c->a[i]);
    copy->number = b->ir->values;
    gzt_push(&b->ir->value, &b->ir->values, copy);
    return copy;
}

/* Notes what follows where a condition does not hold. */
static void learn(struct breaks *b, const struct ir_value *c)
{
    if (c->code == IR_CONST)
        return;
    b->instead[c->number] = b->bit[0];
    long one = 0, other = 0;
    if (c->code != IR_SELECT)
        return;
    ir_is_whole(c->a[1], &one);
    ir_is_whole(c->a[2], &other);
    if (one) {
        learn(b, c->a[0]);
        learn(b, c->a[2]);
    } else if (other) {
        b->instead[c->a[0]->number] = b->bit[1];
        learn(b, c->a[1]);
    }
}

static void add_end(struct breaks *b, struct ir_value *c)
{
    struct plan_end *end = gzt_alloc(sizeof *end);
    end->when = copied(b, c);
    IR_EACH_OP (op, b->ir)
        if ((op->kind == IR_STORE || op->kind == IR_COPY) && hangs_on(b, op, c))
            gzt_push(&end->cut, &end->cuts, op);
    for (int i = 0; i < b->plan->time->phis; i++) {
        struct ir_value *phi = b->plan->time->phi[i];
        if (depends_on(b, phi->a[1], c, true) && !is_chosen_alike(b, phi->a[1], c, phi, NULL))
            gzt_push(&end->kept, &end->keeps, phi);
    }
    gzt_push(&b->plan->end, &b->plan->ends, end);
    learn(b, c);
}

/* Takes the flags that are 0 in all turns but the last from a loop, and marks what sets them. */
static bool take_flags(struct breaks *b, struct ir_loop *time, char *ends)
{
    int kept = 0, phis = time->phis;
    for (int i = 0; i < phis; i++) {
        struct ir_value *phi = time->phi[i], **set = NULL;
        int count = 0;
        bool flags = phi->type == IR_I32 && needs_zero(time->holds, phi) &&
                     find_ends(phi->a[1], phi, &set, &count);
        for (int k = 0; k < count && flags; k++)
            ends[set[k]->number] = 1;
        if (flags)
            b->instead[phi->number] = b->bit[0];
        else
            time->phi[kept++] = phi;
    }
    time->phis = kept;
    return kept < phis;
}

void plan_without_breaks(struct plan *plan, struct ir_region *ir)
{
    struct breaks b = {.plan = plan, .ir = ir, .values = ir->values};
    struct ir_loop *time = (struct ir_loop *)plan->time;
    b.instead = gzt_alloc((size_t)b.values * sizeof *b.instead);
    b.bit[0] = number(&b, 0);
    b.bit[1] = number(&b, 1);
    char *ends = gzt_alloc((size_t)b.values);
    if (!take_flags(&b, time, ends))
        return;
    for (int i = 0; i < b.values; i++)
        if (ends[i])
            add_end(&b, ir->value[i]);
    rewrite(&b);
}

/* -------------------------------------------------------------------------------------- looks */

struct looks {
    struct plan_maker *m;
    struct ir_region *ir;
    int values;             /* before */
    struct ir_value **kept; /* by value: what it is in turns that do not look, or NULL */
};

static bool looks(const struct looks *l, const struct ir_value *value)
{
    return ir_any(l->ir, value, plan_is_of_turn, l->m);
}

/* Leaves the turns in which a condition holds to the program, for what they look at. */
static void leave_turns(struct looks *l, struct ir_value *when)
{
    struct plan *plan = &l->m->plan;
    struct ir_op *look = gzt_alloc(sizeof *look); /* none of the region's: devices may read there */
    if (gzt_is_listed(plan->own_when, plan->owns, when))
        return;
    IR_EACH_OP (op, l->ir)
        if (op->loop && plan_occasion(l->m, op) == when)
            *look = *op;
    plan_add_own(plan, when, look);
}

/* A value in turns that do not look. */
static struct ir_value *kept(struct looks *l, struct ir_value *value)
{
    bool chosen = value->code == IR_SELECT;
    if (value->number >= l->values || !looks(l, value) ||
        (!chosen && value->code != IR_ARITH && value->code != IR_CONVERT))
        return value;
    if (l->kept[value->number])
        return l->kept[value->number];
    struct ir_value *when = chosen ? plan_foreseen(l->m, value->a[0]) : NULL, *copy;
    if (when && when->home == l->m->plan.time && !looks(l, when) &&
        (looks(l, value->a[0]) || looks(l, value->a[1]))) {
        leave_turns(l, when);
        copy = kept(l, value->a[2]);
    } else {
        copy = gzt_alloc(sizeof *copy);
        *copy = *value;
        for (int i = 0; i < value->arguments; i++)
            copy->a[i] = kept(l, value->a[i]);
        copy->number = l->ir->values;
        gzt_push(&l->ir->value, &l->ir->values, copy);
    }
    return l->kept[value->number] = copy;
}

/* Rewrites the condition of an operation or a loop, unless only turns that look run it: what these
 * read, the turns before them leave. */
static void keep_where(struct looks *l, struct ir_value **where)
{
    struct ir_value *value = kept(l, *where);
    *where = ir_is_number(value, 0) ? *where : value;
}

bool plan_without_looks(struct plan_maker *m, struct ir_region *ir)
{
    struct looks l = {.m = m, .ir = ir, .values = ir->values};
    struct plan *plan = &m->plan;
    struct ir_loop *time = (struct ir_loop *)plan->time;
    int ends = 0;
    l.kept = gzt_alloc((size_t)l.values * sizeof *l.kept);
    for (int i = 0; i < time->phis; i++)
        time->phi[i]->a[1] = kept(&l, time->phi[i]->a[1]);
    for (int i = 0; i < time->moves; i++)
        time->moved[i].value = kept(&l, time->moved[i].value);
    time->holds = kept(&l, time->holds);
    for (int i = 0; i < ir->loops; i++)
        keep_where(&l, &ir->loop[i]->where);
    IR_EACH_OP (op, ir)
        keep_where(&l, &op->where);
    for (int i = 0; i < plan->ends; i++)
        if (!ir_is_number(kept(&l, plan->end[i]->when), 0))
            plan->end[ends++] = plan->end[i];
        else if (plan->end[i]->cuts > 0) /* the turn before sets what it cuts off */
            plan->stale = true;
    plan->ends = ends;
    return plan->owns > 0;
}
