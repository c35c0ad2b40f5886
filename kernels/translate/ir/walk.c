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

static bool may_trap(const struct ir_value *value, const void *unused)
{
    long by;
    (void)unused;
    return value->code == IR_ARITH && strchr("/%", value->text[0]) && ir_is_integer(value->type) &&
           !(ir_is_whole(value->a[1], &by) && by > 0);
}

bool ir_traps(const struct ir_region *ir, const struct ir_value *root)
{
    return ir_any(ir, root, may_trap, NULL);
}

static bool may_harm(const struct ir_value *value, const void *unused)
{
    return value->code == IR_LOAD || may_trap(value, unused) ||
           (value->code == IR_LIVE_IN && ir_owner(value->a[0])->code != IR_ADDRESS);
}

bool ir_harms(const struct ir_region *ir, const struct ir_value *root)
{
    return ir_any(ir, root, may_harm, NULL);
}

bool ir_is_left_by(const struct ir_value *value, const void *time)
{
    return value->code == IR_EXIT && value->home == time;
}

void ir_spread(const struct ir_region *ir, int first, char *mark)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < ir->values; i++) {
            const struct ir_value *v = ir->value[i];
            bool is = mark[i];
            for (int k = v->code == IR_PHI ? first : 0; k < v->arguments && !is; k++)
                is = mark[v->a[k]->number];
            if (v->code == IR_LOAD)
                is = is || mark[v->op->where->number] || mark[v->op->access.address->number];
            more = more || (is && !mark[i]);
            mark[i] = is;
        }
    }
}

void ir_walk_op(const struct ir_op *op, bool subscripts, void (*visit)(struct ir_value *, void *),
                void *data)
{
    visit(op->where, data);
    if (op->access.address)
        visit(op->access.address, data);
    for (int i = 0; i < op->access.subscripts && subscripts; i++)
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

int ir_depth(const struct ir_op *op)
{
    return op->loop ? op->loop->depth + 1 : 0;
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
