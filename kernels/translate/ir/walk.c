/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <stdlib.h>

#include <string.h>

void ir_walk_value(struct ir_value *root, char *seen, void (*visit)(struct ir_value *, void *),
                   void *data)
{
    if (seen[root->number])
        return;
    seen[root->number] = 1;
    for (int i = 0; i < root->arguments && root->code != IR_PHI; i++)
        ir_walk_value(root->a[i], seen, visit, data);
    visit(root, data);
}

typedef bool is_value(const struct ir_value *value, const void *data);

static bool any_in(const struct ir_value *root, char *seen, is_value *is, const void *data)
{
    if (seen && seen[root->number])
        return false;
    if (seen)
        seen[root->number] = 1;
    bool any = is(root, data);
    for (int i = 0; i < root->arguments && root->code != IR_PHI && !any; i++)
        any = any_in(root->a[i], seen, is, data);
    return any;
}

bool ir_any(const struct ir_region *ir, const struct ir_value *root, is_value *is, const void *data)
{
    char *seen = calloc((size_t)ir->values + 1, 1); /* without it, it takes longer */
    bool any = any_in(root, seen, is, data);
    free(seen);
    return any;
}

static bool is_it(const struct ir_value *value, const void *it)
{
    return value == it;
}

bool ir_holds(const struct ir_region *ir, const struct ir_value *root, const struct ir_value *value)
{
    return ir_any(ir, root, is_it, value);
}

void ir_walk_op(const struct ir_op *op, void (*visit)(struct ir_value *, void *), void *data)
{
    visit(op->where, data);
    if (op->access.address)
        visit(op->access.address, data);
    for (int i = 0; i < op->access.subscripts; i++)
        visit(op->access.subscript[i], data);
    if (op->from.address)
        visit(op->from.address, data);
    if (op->value)
        visit(op->value, data);
    for (int i = 0; i < op->arguments; i++)
        if (op->argument[i])
            visit(op->argument[i], data);
    for (int i = 0; i < op->uses; i++)
        visit(op->use[i], data);
}

bool ir_within(const struct ir_loop *loop, const struct ir_loop *outer)
{
    for (; loop; loop = loop->around)
        if (loop == outer)
            return true;
    return outer == NULL;
}

struct ir_value *ir_step_of(const struct ir_value *phi, bool *minus)
{
    const struct ir_value *next = phi->a[1];
    *minus = false;
    while (next->code == IR_CONVERT)
        next = next->a[0];
    if (phi->code != IR_PHI || next->code != IR_ARITH || next->arguments != 2 ||
        next->text[1] != '\0' || !strchr("+-", next->text[0]))
        return NULL;
    *minus = next->text[0] == '-';
    for (int i = 0; i < (*minus ? 1 : 2); i++) {
        const struct ir_value *old = next->a[i];
        while (old->code == IR_CONVERT)
            old = old->a[0];
        if (old == phi && !ir_within(next->a[1 - i]->home, phi->loop))
            return next->a[1 - i];
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------- periods */

enum { MOST_PHIS = 16 };

/* Phis of a loop and their values in one iteration. */
struct turn {
    const struct ir_loop *loop;
    const struct ir_value *phi[MOST_PHIS];
    long now[MOST_PHIS], first[MOST_PHIS];
    int count, steps;
};

static bool compute(struct turn *turn, const struct ir_value *value, long *result)
{
    enum { MOST_STEPS = 10000 };
    long a, b = 0;
    if (++turn->steps > MOST_STEPS || !ir_is_integer(value->type))
        return false;
    switch (value->code) {
    case IR_CONST:
        *result = value->whole;
        return value->text == NULL;
    case IR_PHI:
        for (int i = 0; i < turn->count; i++)
            if (turn->phi[i] == value) {
                *result = turn->now[i];
                return true;
            }
        if (value->loop != turn->loop || turn->count == MOST_PHIS ||
            !compute(turn, value->a[0], &a) || value->a[0]->code == IR_PHI)
            return false;
        turn->phi[turn->count] = value;
        turn->first[turn->count] = turn->now[turn->count] = a;
        turn->count++;
        *result = a;
        return true;
    case IR_CONVERT:
        if (!compute(turn, value->a[0], &a))
            return false;
        *result = ir_wrap(value->type, a);
        return true;
    case IR_SELECT:
        return compute(turn, value->a[0], &a) && compute(turn, value->a[a ? 1 : 2], result);
    case IR_ARITH: {
        enum ir_type in = value->a[0]->type > value->type ? value->a[0]->type : value->type;
        return compute(turn, value->a[0], &a) &&
               (value->arguments == 1 || compute(turn, value->a[1], &b)) &&
               ir_fold(value->text, in, a, b, value->arguments, result);
    }
    default:
        return false;
    }
}

/* One iteration further; phis that are met on the way join with their first values, so all must be
 * met before the first step. */
static bool advance(struct turn *turn)
{
    long next[MOST_PHIS];
    int count = turn->count;
    for (int i = 0; i < count; i++)
        if (!compute(turn, turn->phi[i]->a[1], &next[i]))
            return false;
    // cppcheck-suppress uninitvar
    memcpy(turn->now, next, (size_t)count * sizeof *next);
    return turn->count == count;
}

static bool meet_all(struct turn *turn)
{
    long unused;
    for (int i = 0; i < turn->count; i++)
        if (!compute(turn, turn->phi[i]->a[1], &unused))
            return false;
    return true;
}

bool ir_runs_once(const struct ir_loop *loop)
{
    struct turn turn = {.loop = loop};
    long at[2];
    return compute(&turn, loop->holds, &at[0]) && meet_all(&turn) && advance(&turn) &&
           compute(&turn, loop->holds, &at[1]) && at[0] != 0 && at[1] == 0;
}

int ir_period(const struct ir_value *value, const struct ir_loop *loop, long *at, int most)
{
    struct turn turn = {.loop = loop};
    long unused;
    if (!compute(&turn, value, &unused) || !meet_all(&turn))
        return 0;
    for (int n = 0; n < most; n++) {
        turn.steps = 0;
        if (!compute(&turn, value, &at[n]) || !advance(&turn))
            return 0;
        if (memcmp(turn.now, turn.first, (size_t)turn.count * sizeof *turn.now) == 0)
            return n + 1;
    }
    return 0;
}
