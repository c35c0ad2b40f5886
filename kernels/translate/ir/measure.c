/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.c - what loops over cells find in each turn, by which the time loop goes on: the largest
 * or the least of values, or a sum of whole numbers, which is the same in any order. It is an
 * IR_EXIT: phis of one nest of loops, the innermost of which becomes a fold with each iteration.
 */
#include "build.h"
#include "decide.h"
#include "turn.h"

#include "../source.h"
#include "../tree.h"

#include <string.h>

enum { MOST_FOLDS = 4 };

struct finder {
    struct plan_maker *m;
    struct plan_measure *measure;
    const struct ir_value *phi;
    struct plan_fold fold; /* so far */
};

/* ------------------------------------------------------------------------------------- folds */

static bool hangs_on(struct finder *f, const struct ir_value *value)
{
    return ir_holds(f->m->plan.ir, value, f->phi);
}

/* A value before conversions of a kind that keep the order of all values. */
static const struct ir_value *bare(const struct ir_value *value)
{
    while (value->code == IR_CONVERT &&
           ((ir_is_real(value->type) && ir_is_real(value->a[0]->type)) ||
            (value->type == IR_F64 && value->a[0]->type == IR_I32) ||
            (value->type == IR_I64 && value->a[0]->type == IR_I32)))
        value = value->a[0];
    return value;
}

/* What is found must be of one kind, and by one value in each iteration. */
static bool take_value(struct finder *f, int finds, const struct ir_value *value)
{
    struct plan_measure *measure = f->measure;
    if (f->fold.value || (measure->finds && (int)measure->finds != finds))
        return false;
    measure->finds = (unsigned)finds;
    f->fold.value = value;
    return true;
}

static bool take_guard(struct finder *f, const struct ir_value *guard, bool unless)
{
    if (f->fold.guards == PLAN_MOST_GUARDS || hangs_on(f, guard))
        return false;
    f->fold.unless[f->fold.guards] = unless;
    f->fold.guard[f->fold.guards++] = guard;
    return true;
}

static bool take_fold(struct finder *f, const struct ir_value *value);

static bool take_call(struct finder *f, const struct ir_value *value)
{
    bool most = strncmp(value->text, "fmax", 4) == 0, least = strncmp(value->text, "fmin", 4) == 0;
    for (int i = 0; (most || least) && i < 2; i++)
        if (bare(value->a[i]) == f->phi && !hangs_on(f, value->a[1 - i]))
            return take_value(f, most ? PLAN_MOST : PLAN_LEAST, bare(value->a[1 - i]));
    return false;
}

/* c ? a : b, where c compares the two that are chosen from. */
static bool take_compared(struct finder *f, const struct ir_value *c, const struct ir_value *a,
                          const struct ir_value *b)
{
    if (c->code != IR_ARITH || c->arguments != 2 || !strchr("<>", c->text[0]) ||
        c->text[1] == c->text[0])
        return false;
    const struct ir_value *one = bare(c->a[0]), *other = bare(c->a[1]);
    bool phi = bare(a) == f->phi, less = c->text[0] == '<', straight = (one == f->phi) == phi;
    const struct ir_value *value = one == f->phi ? other : one;
    return (one == f->phi) != (other == f->phi) && phi != (bare(b) == f->phi) &&
           !hangs_on(f, value) && value == (phi ? bare(b) : bare(a)) &&
           take_value(f, less == straight ? PLAN_LEAST : PLAN_MOST, value);
}

static bool take_choice(struct finder *f, const struct ir_value *c, const struct ir_value *a,
                        const struct ir_value *b)
{
    if (take_compared(f, c, a, b))
        return true;
    if (c->code == IR_SELECT && hangs_on(f, c) && ir_is_number(c->a[2], 0) && b == f->phi)
        return take_guard(f, c->a[0], false) && take_choice(f, c->a[1], a, b);
    if (hangs_on(f, c) || (a != f->phi && b != f->phi))
        return false;
    const struct ir_value *set = a == f->phi ? b : a;
    long number;
    if (ir_is_whole(set, &number)) /* if the condition, 0 or 1, holds in any cell, or not in all */
        return take_value(f, set == a ? PLAN_MOST : PLAN_LEAST, c);
    return take_guard(f, c, a == f->phi) && take_fold(f, set);
}

static const struct ir_value *whole_of(const struct ir_value *value)
{
    while (value->code == IR_CONVERT && ir_is_integer(value->type) &&
           ir_is_integer(value->a[0]->type))
        value = value->a[0];
    return value;
}

static bool take_sum(struct finder *f, const struct ir_value *value)
{
    f->fold.minus = value->text[0] == '-';
    for (int i = 0; value->arguments == 2 && i < (f->fold.minus ? 1 : 2); i++)
        if ((whole_of(value->a[i]) == f->phi || bare(value->a[i]) == f->phi) &&
            !hangs_on(f, value->a[1 - i]))
            return take_value(f, PLAN_SUM, value->a[1 - i]);
    return false;
}

/* What the phi becomes with an iteration. */
static bool take_fold(struct finder *f, const struct ir_value *value)
{
    const bool integer = ir_is_integer(f->phi->type);
    const struct ir_value *sum = integer ? whole_of(value) : bare(value);
    if ((integer || f->m->plan.ir->source->contract) && sum->code == IR_ARITH &&
        strchr("+-", sum->text[0]))
        return take_sum(f, sum);
    value = bare(value);
    return (value->code == IR_CALL && take_call(f, value)) ||
           (value->code == IR_SELECT && take_choice(f, value->a[0], value->a[1], value->a[2]));
}

/* ------------------------------------------------------------------------------------- nests */

static bool refuse(struct finder *f, const struct ir_loop *loop, const char *why)
{
    const struct ir_value *variable = f->phi->a[2];
    bool named = variable && variable->decl;
    return plan_refuse(&f->m->plan, loop->begin, -1, "%s%s%s",
                       named ? variable->decl->name : "what this loop finds", " ", why);
}

/* The nest of loops that a value is found behind, and those before it. */
static bool take_nest(struct finder *f, const struct ir_value *found)
{
    struct plan_measure *measure = f->measure;
    const struct ir_value *outer = found->a[0], *phi = outer;
    if (outer->loop->around != f->m->plan.time)
        return refuse(f, outer->loop, "is found row by row: find it by one nest of loops");
    while (phi->a[1]->code == IR_EXIT && phi->a[1]->a[0]->a[0] == phi)
        phi = phi->a[1]->a[0];
    const struct ir_value *start = outer->a[0];
    if (ir_is_left_by(start, f->m->plan.time) && !take_nest(f, start))
        return false;
    measure->start = measure->folds ? measure->start : start;
    f->phi = phi;
    f->fold = (struct plan_fold){.loop = phi->loop, .phi = phi};
    if (!plan_is_exact(f->m, phi->loop))
        return refuse(f, phi->loop, "is found in a loop whose bounds do not say in which cells");
    if (!take_fold(f, phi->a[1]))
        return refuse(f, phi->loop,
                      ir_is_real(phi->type) && phi->a[1]->code == IR_ARITH
                          ? "depends on the order of all cells, as sums that round do"
                          : "is no maximum, minimum or sum of whole numbers over cells");
    struct plan_fold *fold = gzt_alloc(sizeof *fold);
    *fold = f->fold;
    gzt_push(&measure->fold, &measure->folds, fold);
    return measure->folds <= MOST_FOLDS || refuse(f, phi->loop, "is found by too many loops");
}

/* Whether a number is never a zero with a sign, and not negative. */
static bool lacks_sign(const struct ir_value *v)
{
    if (ir_is_integer(v->type))
        return true;
    if (v->code == IR_CALL && (strncmp(v->text, "fabs", 4) == 0 || strcmp(v->text, "abs") == 0))
        return true;
    if (v->code == IR_CONVERT || (v->code == IR_CALL && strncmp(v->text, "sqrt", 4) == 0))
        return ir_is_real(v->a[0]->type) && lacks_sign(v->a[0]);
    if (v->code == IR_SELECT)
        return lacks_sign(v->a[1]) && lacks_sign(v->a[2]);
    if (v->code == IR_ARITH && v->arguments == 2 && strchr("+*/", v->text[0]))
        return lacks_sign(v->a[0]) && lacks_sign(v->a[1]);
    return v->code == IR_CONST;
}

static bool find_type(struct finder *f)
{
    struct plan_measure *measure = f->measure;
    measure->type = measure->finds != PLAN_SUM ? IR_F32
                    : ir_is_real(f->phi->type) ? IR_F64
                                               : IR_I64;
    for (int i = 0; i < measure->folds && measure->finds != PLAN_SUM; i++) {
        const struct ir_value *value = measure->fold[i]->value;
        if (value->type == IR_I64 || value->type == IR_U64 || value->type >= IR_F80)
            return refuse(f, measure->fold[i]->loop, "is of a type that devices do not compare");
        measure->type = value->type == IR_F32 ? measure->type : IR_F64;
        measure->either_zero = measure->either_zero || !lacks_sign(value);
    }
    return true;
}

/* ---------------------------------------------------------------------------------- measures */

/* Whether a value is what loops have counted to. */
static bool is_counted(const struct plan_maker *m, const struct ir_value *found)
{
    const struct ir_value *phi = found->a[0];
    while (phi->code == IR_PHI && phi->a[1]->code == IR_EXIT)
        phi = phi->a[1]->a[0];
    return phi->code == IR_PHI && m->affine->turns[phi->loop->number].counter == phi;
}

/* Takes a number that cells compute and by which the time loop goes on: the only one. */
static bool take_found(struct finder *f, const struct ir_value *found)
{
    struct plan *plan = &f->m->plan;
    const struct ir_value *other = f->measure->found;
    f->phi = found->a[0];
    if (f->phi->code != IR_PHI)
        return plan_refuse(plan, plan->time->begin, -1, IR_BY_CELLS);
    if (is_counted(f->m, found))
        return refuse(f, f->phi->loop,
                      "is read in a later time step, or behind them though one may not set it");
    f->measure->found = found;
    return !other || plan_refuse(plan, f->phi->loop->begin, other->a[0]->loop->begin,
                                 "the time loop goes on by two numbers that cells compute");
}

bool plan_find_measure(struct plan_maker *m)
{
    struct finder f = {.m = m, .measure = gzt_alloc(sizeof *f.measure)};
    struct ir_turn turn;
    int roots;
    ir_turn_find(&turn, &m->plan, m->affine);
    struct ir_value **root = ir_turn_roots(&turn, true, &roots);
    for (int i = 0; i < m->plan.ir->values; i++) {
        const struct ir_value *value = m->plan.ir->value[i];
        bool decides = false;
        for (int k = 0; k < roots && ir_is_left_by(value, m->plan.time) && !decides; k++)
            decides = ir_holds(m->plan.ir, root[k], value);
        if (decides && !take_found(&f, value))
            return false;
    }
    if (!f.measure->found)
        return true;
    if (!take_nest(&f, f.measure->found) || !find_type(&f))
        return false;
    for (int i = 0; i < f.measure->folds; i++)
        if (!(f.measure->fold[i]->node = plan_fold_node(m, f.measure->fold[i])))
            return false;
    m->plan.measure = f.measure;
    if (m->plan.dimensions == 1)
        return refuse(&f, f.measure->fold[0]->loop, "is found in two or three dimensions only");
    return true;
}
