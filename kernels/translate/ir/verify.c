/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ir.h"

#include <string.h>

/* What is broken, once something is. */
struct check {
    const struct ir_region *ir;
    const char *broken;
    int before; /* numbers that may be used here are lower */
    const struct ir_loop *loop;
};

static void fail(struct check *check, const char *what, const struct ir_value *value)
{
    if (!check->broken)
        check->broken = gzt_format("value %d: %s", value->number, what);
}

static bool is_listed(const struct check *check, const struct ir_value *value)
{
    const struct ir_region *ir = check->ir;
    return value->number >= 0 && value->number < ir->values && ir->value[value->number] == value;
}

/* A value may differ in loops around it only; what a loop computes leaves it by IR_EXIT. */
static void check_arguments(struct check *check, const struct ir_value *value)
{
    static const int arguments[] = {
        [IR_STEP] = 2, [IR_FIRST] = 1, [IR_FIELD] = 1,   [IR_CONVERT] = 1, [IR_SELECT] = 3,
        [IR_PHI] = 2,  [IR_EXIT] = 1,  [IR_LIVE_IN] = 1, [IR_RESULT] = 0};
    if (arguments[value->code] && value->arguments != arguments[value->code])
        fail(check, "has another number of arguments than its kind", value);
    for (int i = 0; i < value->arguments; i++) {
        const struct ir_value *argument = value->a[i];
        const struct ir_loop *within = value->code != IR_PHI ? value->home
                                       : i == 0              ? value->loop->around
                                                             : value->loop;
        if (!is_listed(check, argument))
            fail(check, "has an argument that is not in the list", value);
        else if (argument->number >= value->number && !(value->code == IR_PHI && i == 1))
            fail(check, "comes before its argument", value);
        else if (value->code != IR_EXIT && !ir_within(within, argument->home))
            fail(check, "hangs on a loop that it is not in", value);
    }
}

static void check_types(struct check *check, const struct ir_value *value)
{
    struct ir_value *const *a = value->a;
    const struct ir_op *op = value->op;
    bool select = value->code == IR_SELECT;
    bool joins = select || value->code == IR_PHI;
    bool shift = value->text && (strcmp(value->text, "<<") == 0 || strcmp(value->text, ">>") == 0);
    bool two = value->code == IR_ARITH && value->arguments == 2 && !shift;
    bool result = value->code == IR_LOAD || value->code == IR_RESULT;
    if (joins && (a[select]->type != value->type || a[1 + select]->type != value->type))
        fail(check, "joins different types", value);
    if (select && a[0]->type != IR_I32)
        fail(check, "chooses by what is no int", value);
    if (two && a[0]->type != a[1]->type)
        fail(check, "has arguments of different types", value);
    if (value->code == IR_STEP && (a[0]->type != IR_POINTER || a[1]->type != IR_I64))
        fail(check, "is no pointer and a number of 64 bits", value);
    if (result && !(op && op->number < check->ir->ops && check->ir->op[op->number] == op &&
                    (value->code == IR_RESULT || op->result == value)))
        fail(check, "is the result of no operation", value);
}

static void check_use(struct ir_value *value, void *data)
{
    struct check *check = data;
    if (!is_listed(check, value))
        fail(check, "is used, but not in the list", value);
    else if (value->number >= check->before)
        fail(check, "is used before it can be computed", value);
    else if (!ir_within(check->loop, value->home))
        fail(check, "is used outside its loop", value);
}

static void check_op(struct check *check, const struct ir_op *op)
{
    const struct ir_object *object = op->access.object;
    check->before = op->result ? op->result->number : check->ir->values;
    ir_walk_op(op, true, check_use, check);
    if (op->where->type != IR_I32)
        fail(check, "is a condition, but no int", op->where);
    if (op->kind != IR_READ && op->kind != IR_STORE)
        return;
    if (!object || object->number >= check->ir->objects ||
        check->ir->object[object->number] != object)
        fail(check, "goes to no object", op->access.address);
    else if (op->access.subscripts != (op->access.whole ? 0 : object->subscripts))
        fail(check, "has another number of coordinates than its object", op->access.address);
    if (op->kind == IR_STORE && op->value->type != op->access.type)
        fail(check, "is stored as another type", op->value);
}

static void check_block(struct check *check, const struct ir_block *block,
                        const struct ir_loop *loop)
{
    for (int i = 0; i < block->items && !check->broken; i++) {
        const struct ir_op *op = block->item[i]->op;
        const struct ir_loop *within = block->item[i]->loop;
        check->loop = loop;
        if ((op ? op->loop : within->around) != loop) {
            check->broken = "an operation or a loop stands in another loop than it says";
        } else if (op) {
            check_op(check, op);
        } else {
            check->before = check->ir->values;
            check_use(within->where, check);
            check_block(check, &within->head, within);
            check->before = check->ir->values;
            check->loop = within;
            check_use(within->holds, check);
            check_block(check, &within->body, within);
        }
    }
}

const char *ir_verify(const struct ir_region *ir)
{
    struct check check = {.ir = ir, .broken = ir->uncovered};
    for (int i = 0; i < ir->values && !check.broken; i++) {
        check_arguments(&check, ir->value[i]);
        if (!check.broken)
            check_types(&check, ir->value[i]);
    }
    check_block(&check, &ir->body, NULL);
    check.before = ir->values;
    check.loop = NULL;
    for (int i = 0; i < ir->results && !check.broken; i++)
        check_use(ir->result[i].value, &check);
    return check.broken;
}
