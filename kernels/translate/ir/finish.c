/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * finish.c - drops what nothing needs, numbers what is left in order, and checks that all of the
 * region is in it once.
 */
#include "../region.h"
#include "lower.h"

enum { UNSEEN = -1, NEEDED = -2 };

/* ------------------------------------------------------------------------------ what is needed */

static void need(struct ir_value *value, void *unused)
{
    (void)unused;
    if (value->number != UNSEEN)
        return;
    value->number = NEEDED;
    for (int i = 0; i < value->arguments; i++)
        need(value->a[i], NULL);
}

/* Takes operations that never run out of a block, and lists the others and loops. */
static void drop_dead(struct ir_region *ir, struct ir_block *block)
{
    int kept = 0;
    for (int i = 0; i < block->items; i++) {
        struct ir_op *op = block->item[i]->op;
        struct ir_loop *loop = block->item[i]->loop;
        if (op && ir_is_number(op->where, 0))
            continue;
        block->item[kept++] = block->item[i];
        if (op) {
            op->number = ir->ops;
            gzt_push(&ir->op, &ir->ops, op);
        } else {
            loop->number = ir->loops;
            gzt_push(&ir->loop, &ir->loops, loop);
            drop_dead(ir, &loop->head);
            drop_dead(ir, &loop->body);
        }
    }
    block->items = kept;
}

/* Calls `visit` for what operations and loops of a block compute and hand on, in order; with `phis`
 * also for the variables of its loops. */
static void walk_block(const struct ir_block *block, bool phis,
                       void (*visit)(struct ir_value *, void *), void *data)
{
    for (int i = 0; i < block->items; i++) {
        const struct ir_op *op = block->item[i]->op;
        const struct ir_loop *loop = block->item[i]->loop;
        if (op) {
            ir_walk_op(op, true, visit, data);
            if (op->result)
                visit(op->result, data);
            continue;
        }
        visit(loop->where, data);
        for (int k = 0; k < loop->phis && phis; k++)
            visit(loop->phi[k]->a[0], data);
        for (int k = 0; k < loop->phis && phis; k++)
            visit(loop->phi[k], data);
        walk_block(&loop->head, phis, visit, data);
        visit(loop->holds, data);
        walk_block(&loop->body, phis, visit, data);
        for (int k = 0; k < loop->phis && phis; k++)
            visit(loop->phi[k]->a[1], data);
        for (int k = 0; k < loop->moves; k++)
            visit(loop->moved[k].value, data);
    }
}

static void walk_region(const struct ir_region *ir, bool phis,
                        void (*visit)(struct ir_value *, void *), void *data)
{
    walk_block(&ir->body, phis, visit, data);
    for (int i = 0; i < ir->results; i++) {
        visit(ir->result[i].address, data);
        visit(ir->result[i].value, data);
    }
    for (int i = 0; i < ir->sizes; i++)
        visit(ir->size[i], data);
}

static void drop_unneeded(struct ir_lower *l)
{
    for (int i = 0; i < IR_BUCKETS; i++)
        for (struct ir_value *value = l->table.bucket[i]; value; value = value->next)
            value->number = UNSEEN;
    walk_region(l->ir, false, need, NULL);
    for (int i = 0; i < l->ir->loops; i++) {
        struct ir_loop *loop = l->ir->loop[i];
        int kept = 0;
        for (int k = 0; k < loop->phis; k++)
            if (loop->phi[k]->number == NEEDED)
                loop->phi[kept++] = loop->phi[k];
        loop->phis = kept;
    }
}

/* ------------------------------------------------------------------------------------- numbers */

static void number(struct ir_value *value, void *data)
{
    struct ir_region *ir = data;
    if (value->number >= 0)
        return;
    value->home = NULL;
    for (int i = 0; i < value->arguments && value->code != IR_PHI; i++) {
        number(value->a[i], ir);
        struct ir_loop *home = value->a[i]->home;
        if (!value->home || (home && home->depth > value->home->depth))
            value->home = home;
    }
    if (value->code == IR_PHI)
        value->home = value->loop;
    else if (value->code == IR_EXIT)
        value->home = value->loop->around;
    else if (value->code == IR_LOAD || value->code == IR_RESULT)
        value->home = value->op->loop;
    value->number = ir->values;
    gzt_push(&ir->value, &ir->values, value);
}

void ir_number(struct ir_lower *l)
{
    struct ir_region *ir = l->ir;
    ir->ops = 0;
    ir->op = NULL;
    ir->loops = 0;
    ir->loop = NULL;
    drop_dead(ir, &ir->body);
    drop_unneeded(l);
    ir->values = 0;
    ir->value = NULL;
    walk_region(ir, true, number, ir);
}

/* -------------------------------------------------------------------------------------- cover */

/* Adds to each node how often it was covered. */
static void count_covers(const struct ir_lower *l, int by)
{
    for (int i = 0; i < l->covers; i++)
        ((struct gzt_node *)l->covered[i])->covers += by;
}

/* Each statement and each operator must have been lowered once, and once for each call of the
 * function that it is in; parentheses and conversions that are not written may be passed over. */
static void check_nodes(struct ir_lower *l, const struct gzt_node *text, int expected)
{
    GZT_EACH (node, text) {
        int count = node->covers;
        bool light =
            node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT || node->kind == GZT_EMPTY;
        if (count != expected && !(light && count < expected) && !l->ir->uncovered)
            l->ir->uncovered = gzt_format("%s is in %d operations or values, not in %d: %s",
                                          node->kind == GZT_UNKNOWN ? node->op : "an expression",
                                          count, expected, gzt_node_text(l->source, node));
    }
}

void ir_check_cover(struct ir_lower *l)
{
    count_covers(l, 1);
    for (int i = 0; i < l->region->statement_count; i++)
        check_nodes(l, l->region->statements[i], 1 + (l->function ? l->function->covers : 0));
    for (int i = 0; i < l->frames; i++) {
        const struct gzt_node *body = l->frame_list[i]->body;
        if (body && body->covers > 0 && body != l->function)
            check_nodes(l, body, body->covers);
    }
    count_covers(l, -1);
}
