/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay.c - the host's operations in the turns of a device, as text. The same loops are written
 * twice: for what memory they touch and which elements are watched, and for the operations
 * themselves.
 */
#include "turn.h"

#include "../source.h"
#include "build.h"
#include "scan.h"

#include <string.h>

enum pass { SPANS, PLAY };

struct replay {
    struct ir_turn *turn;
    struct plan *plan;
    struct gzt_text *text;
    enum pass pass;
    const struct ir_value **root; /* element i leads to memory that is written, between the
                                     addresses gz_near[i] and gz_far[i] */
    int roots;
    char *seen; /* by value: whether it has been stated what that is read from */
};

static bool is_host(const struct replay *r, const struct ir_op *op)
{
    return r->plan->host[op->number];
}

/* Whether operations, or values, of a loop are the host's. */
static bool is_hosts(const struct replay *r, const struct ir_loop *loop)
{
    for (int i = 0; i < loop->phis; i++)
        if (r->plan->heard[loop->phi[i]->number])
            return true;
    IR_EACH_OP (op, r->plan->ir)
        if (is_host(r, op) && ir_within(op->loop, loop))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------- spans */

/* Widens the span of memory that is written by what `access` leads to, with the type of a value. */
static void put_span(struct replay *r, const struct ir_access *access, const char *at,
                     const struct ir_value *value)
{
    const struct ir_value *root = ir_owner(access->address);
    const char *type = ir_c_type(value);
    int i = 0;
    while (i < r->roots && r->root[i] != root)
        i++;
    if (i == r->roots)
        gzt_push(&r->root, &r->roots, root);
    gzt_add(r->text,
            "{\nconst char *gz_one = (const char *)&%s;\n"
            "if (!gz_far[%d] || gz_one < gz_near[%d])\ngz_near[%d] = gz_one;\n"
            "if (!gz_far[%d] || gz_one + sizeof(%s) > gz_far[%d])\n"
            "gz_far[%d] = gz_one + sizeof(%s);\n}\n",
            at, i, i, i, i, type, i, i, type);
}

static void put_reads(struct ir_value *value, void *data)
{
    struct replay *r = data;
    if (r->pass == SPANS)
        ir_turn_reads(r->turn, NULL, value, r->seen);
}

static void put_reads_of(struct replay *r, struct ir_value *value)
{
    r->seen = gzt_alloc((size_t)r->plan->ir->values);
    put_reads(value, r);
}

/* --------------------------------------------------------------------------------- elements */

/* A coordinate of a cell that data decide: a subscript, or a part of the last. */
static const char *subscript(struct replay *r, const struct ir_op *read, int k)
{
    const struct ir_access *access = &read->access;
    const struct ir_layout *layout = &r->plan->flow->affine->layout[access->object->number];
    int coordinates = access->subscripts - (layout->strides ? 1 : 0) + layout->strides;
    int i = k + coordinates - r->plan->dimensions, plain = access->subscripts - 1;
    if (!layout->strides || i < plain)
        return gzt_format("(long)%s", ir_c_value(&r->turn->c, access->subscript[i]));
    const char *text = gzt_format("(long)%s", ir_c_value(&r->turn->c, access->subscript[plain]));
    for (int s = 0; s <= i - plain; s++) {
        const struct ir_product *stride = &layout->stride[s];
        const char *by = gzt_format("%ldL", stride->by);
        for (int f = 0; f < stride->count; f++)
            by = gzt_format("%s * (long)%s", by, ir_c_value(&r->turn->c, stride->factor[f]));
        text = gzt_format("(%s) %s (%s)", text, s == i - plain ? "/" : "%", by);
    }
    return text;
}

/* The cell of a watched element, as constants gz_z<k>, and gz_e, its number in a buffer; whether it
 * can be watched there. */
static const char *put_cell(struct replay *r, const struct plan_watch *watch)
{
    const struct plan *plan = r->plan;
    struct ir_affine *affine = plan->flow->affine;
    const char *index = gzt_format("%dL * gz_size[0] * gz_size[1] * gz_size[2]", watch->field),
               *inner = "0L", *there = "1";
    for (int k = 0; k < plan->dimensions; k++) {
        int axis = plan->dimensions - 1 - k;
        const char *at = watch->at[k] ? ir_scan_value(affine, isl_pw_aff_copy(watch->at[k]))
                                      : subscript(r, watch->read, k);
        gzt_add(r->text, "const long gz_z%d = %s;\n", k, at);
        inner = gzt_format("(%s * gz_size[%d] + gz_z%d - gz_grid[%d])", inner, axis, k, axis);
        there = watch->at[k] ? gzt_format("%s && gz_z%d >= gz_grid[%d] && gz_z%d < gz_grid[%d] + "
                                          "gz_size[%d]",
                                          there, k, axis, k, axis, axis)
                             : gzt_format("%s && gz_z%d >= %s && gz_z%d <= %s", there, k,
                                          ir_scan_value(affine, isl_pw_aff_copy(watch->low[k])), k,
                                          ir_scan_value(affine, isl_pw_aff_copy(watch->high[k])));
    }
    gzt_add(r->text, "const long gz_e = %s + %s;\n", index, inner);
    return there;
}

static void put_watched(struct replay *r, const struct plan_watch *watch)
{
    const struct ir_op *read = watch->read;
    const char *when =
        watch->when ? ir_scan_test(r->plan->flow->affine, isl_set_copy(watch->when)) : "1";
    const char *where = r->pass == PLAY ? ir_c_value(&r->turn->c, read->where) : "1";
    int opened = ir_c_open(&r->turn->c, gzt_format("if (%s && %s)", when, where));
    const char *there = put_cell(r, watch);
    if (r->pass == SPANS)
        gzt_add(r->text,
                "if (%s)\ngz_stencil_watch(gz_run, gz_e);\nelse\n"
                "gz_usable = GZ_STENCIL_OTHER_POINTS;\n",
                there);
    else
        gzt_add(r->text, "gz_l%d = %s*(const %s *)gz_stencil_seen(gz_run, gz_k - %d, gz_e);\n",
                read->number, ir_c_cast(read->result), ir_type_name(r->plan->type), 1 - watch->age);
    ir_c_close(&r->turn->c, opened);
}

/* -------------------------------------------------------------------------------- operations */

static void put_read(struct replay *r, const struct ir_op *op)
{
    bool late = plan_host_sets(r->plan, op->access.object);
    const char *at = ir_c_memory(&r->turn->c, &op->access, op->result);
    if (r->pass == SPANS && late)
        put_span(r, &op->access, at, op->result);
    else if (r->pass == SPANS)
        ir_turn_span(r->turn, op->result, gzt_format("&%s", at));
    if (r->pass == PLAY || !late)
        gzt_add(r->text, "gz_l%d = %s;\n", op->number, at);
}

static void put_store(struct replay *r, const struct ir_op *op)
{
    struct ir_c *c = &r->turn->c;
    const char *at = ir_c_memory(c, &op->access, op->value);
    if (r->pass == SPANS)
        put_span(r, &op->access, at, op->value);
    if (r->pass != PLAY)
        return;
    int opened = ir_c_open(c, "if (gz_pass == 1)");
    const char *value = ir_c_value(c, op->value);
    gzt_add(r->text, "%s = %s;\n", at, value);
    ir_c_close(c, opened);
    gzt_add(r->text, "else\ngz_stencil_hear(gz_run, gz_pass, (void *)&%s, sizeof(%s), %s);\n", at,
            ir_c_type(op->value), gzt_quoted(op->access.object->shown));
}

/* Where the program's own turns run as well, they print. */
static void put_output(struct replay *r, const struct ir_op *op)
{
    int opened = ir_c_open(&r->turn->c, "if (gz_pass == 1 && gz_told)");
    for (int i = 0; i < op->arguments; i++)
        ir_c_value(&r->turn->c, op->argument[i]);
    gzt_add(r->text, "%s;\n", ir_c_call(&r->turn->c, op->text, op->argument, op->arguments));
    ir_c_close(&r->turn->c, opened);
}

/* Watched elements, some of which may be in memory that no turn writes, which is read before those
 * of fields; false if there are none. */
static bool put_element(struct replay *r, const struct ir_op *op)
{
    bool any = false;
    for (int i = r->plan->watches - 1; i >= 0; i--) {
        const struct plan_watch *watch = r->plan->watch[i];
        any = any || watch->read == op;
        if (watch->read == op && watch->field >= 0)
            put_watched(r, watch);
        if (watch->read != op || watch->field >= 0)
            continue;
        int opened =
            ir_c_open(&r->turn->c, gzt_format("if (%s)", ir_c_value(&r->turn->c, op->where)));
        const char *at = ir_c_memory(&r->turn->c, &op->access, op->result);
        if (r->pass == PLAY)
            gzt_add(r->text, "gz_l%d = %s;\n", op->number, at);
        else if (watch->age == 0)
            ir_turn_span(r->turn, op->result, gzt_format("&%s", at));
        ir_c_close(&r->turn->c, opened);
    }
    return any;
}

/* When an operation runs, or has to be taken to: before what turns compute is known, and for what
 * is compared. */
static const char *condition(struct replay *r, const struct ir_op *op)
{
    bool late = r->plan->late[op->where->number];
    if (late && r->pass != PLAY)
        return "1";
    return gzt_format(late && op->kind == IR_STORE ? "gz_pass != 1 || %s" : "%s",
                      ir_c_value(&r->turn->c, op->where));
}

static void put_op(struct replay *r, const struct ir_op *op)
{
    int around = ir_c_open(&r->turn->c, "");
    put_reads_of(r, op->where);
    if (!put_element(r, op)) {
        int opened = ir_c_open(&r->turn->c, gzt_format("if (%s)", condition(r, op)));
        ir_walk_op(op, false, put_reads, r);
        if (op->kind == IR_READ)
            put_read(r, op);
        else if (op->kind == IR_STORE)
            put_store(r, op);
        else if (r->pass == PLAY)
            put_output(r, op);
        ir_c_close(&r->turn->c, opened);
    }
    ir_c_close(&r->turn->c, around);
}

/* ------------------------------------------------------------------------------------- loops */

/* Phis of a loop get their arguments `at`, all at once. */
static void put_phis(struct replay *r, const struct ir_loop *loop, int at)
{
    int opened = ir_c_open(&r->turn->c, "");
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < loop->phis; i++) {
            const struct ir_value *phi = loop->phi[i];
            if (!r->plan->heard[phi->number] || (phi->a[at]->code == IR_UNDEF && !phi->a[at]->text))
                continue;
            if (!set)
                put_reads_of(r, phi->a[at]);
            const char *value = set ? "" : ir_c_value(&r->turn->c, phi->a[at]);
            if (set)
                gzt_add(r->text, "gz_t%d = gz_n%d;\n", phi->number, phi->number);
            else
                gzt_add(r->text, "%s gz_n%d = %s;\n", ir_c_type(phi), phi->number, value);
        }
    ir_c_close(&r->turn->c, opened);
}

static void put_loop(struct replay *r, const struct ir_loop *loop);

static void put_block(struct replay *r, const struct ir_block *block)
{
    for (int i = 0; i < block->items; i++) {
        const struct ir_op *op = block->item[i]->op;
        const struct ir_loop *loop = block->item[i]->loop;
        if (op && is_host(r, op))
            put_op(r, op);
        else if (loop && is_hosts(r, loop))
            put_loop(r, loop);
    }
}

static void put_loop(struct replay *r, const struct ir_loop *loop)
{
    struct ir_c *c = &r->turn->c;
    int around = ir_c_open(c, "");
    put_reads_of(r, loop->where);
    int entered = ir_c_open(c, gzt_format("if (%s)", ir_c_value(c, loop->where)));
    put_phis(r, loop, 0);
    int body = ir_c_open(c, "for (;;)");
    put_block(r, &loop->head);
    int head = ir_c_open(c, "");
    put_reads_of(r, loop->holds);
    gzt_add(r->text, "if (!(%s))\nbreak;\n", ir_c_value(c, loop->holds));
    ir_c_close(c, head);
    put_block(r, &loop->body);
    put_phis(r, loop, 1);
    ir_c_close(c, body);
    ir_c_close(c, entered);
    ir_c_close(c, around);
}

/* The host's operations of one turn. */
static void put_turn(struct replay *r)
{
    const struct ir_region *ir = r->plan->ir;
    int opened = ir_c_open(&r->turn->c, "");
    r->turn->plays = true;
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->kind == IR_READ && is_host(r, ir->op[i]))
            gzt_add(r->text, "%s gz_l%d = 0;\n", ir_c_type(ir->op[i]->result), i);
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        if (r->plan->heard[i] && v->code == IR_PHI && v->loop != r->plan->time)
            gzt_add(r->text, "%s gz_t%d;\n", ir_c_type(v), i);
    }
    put_block(r, &r->plan->time->body);
    for (int i = 0; i < r->turn->phis; i++)
        if (ir_turn_is_late(r->turn, r->turn->phi[i]))
            put_reads_of(r, r->turn->phi[i]->a[1]);
    r->turn->plays = r->pass == PLAY;
    ir_turn_advance(r->turn);
    r->turn->plays = false;
    ir_c_close(&r->turn->c, opened);
}

/* -------------------------------------------------------------------------------------- text */

void ir_replay_declare(struct ir_turn *turn)
{
    gzt_add(turn->c.text, "long gz_heard = 0;\n");
    for (int i = 0; i < turn->phis; i++)
        gzt_add(turn->c.text, "%s gz_h%d;\n", ir_c_type(turn->phi[i]), turn->phi[i]->number);
}

void ir_replay_begin(struct ir_turn *turn)
{
    struct gzt_text inner = {0}, *text = turn->c.text;
    turn->c.text = &inner;
    struct replay spans = {.turn = turn, .plan = turn->plan, .text = &inner, .pass = SPANS};
    put_turn(&spans);
    turn->c.text = text;
    gzt_add(text,
            "if (gz_usable > 0) {\nconst char *gz_near[%d] = {0}, *gz_far[%d] = {0};\n"
            "long gz_k;\n",
            spans.roots + 1, spans.roots + 1);
    ir_turn_copy(turn, "gz_t", "gz_b");
    gzt_add(text, "for (gz_k = 0; gz_k < gz_count; gz_k++)\n%s", gzt_string(&inner));
    for (int i = 0; i < spans.roots; i++)
        gzt_add(text,
                "if (gz_far[%d])\ngz_stencil_span(gz_run, gz_near[%d], gz_far[%d] - 1, 1, 1);\n", i,
                i, i);
    ir_turn_copy(turn, "gz_t", "gz_b");
    gzt_add(text, "}\n");
}

/* Turns from `first` on, `count` of them, in a pass of gz_stencil_hear or, 1, as C does. */
static void put_turns(struct ir_turn *turn, const char *first, const char *count)
{
    ir_turn_copy(turn, "gz_t", first);
    gzt_add(turn->c.text, "for (gz_k = 0; gz_k < %s; gz_k++)\n", count);
    struct replay play = {.turn = turn, .plan = turn->plan, .text = turn->c.text, .pass = PLAY};
    put_turn(&play);
}

void ir_replay(struct ir_turn *turn)
{
    gzt_add(turn->c.text, "if (gz_told || gz_stencil_checking(gz_run)) {\nint gz_pass;\nlong "
                          "gz_k;\nfor (gz_pass = gz_told; gz_pass < (gz_told ? 2 : 4); "
                          "gz_pass++) {\n");
    put_turns(turn, "gz_b", "gz_count");
    ir_turn_copy(turn, "gz_u", "gz_t");
    gzt_add(turn->c.text, "}\n");
    ir_turn_copy(turn, "gz_h", "gz_b");
    gzt_add(turn->c.text, "gz_heard = gz_count;\n}\n");
}

void ir_replay_compare(struct ir_turn *turn)
{
    gzt_add(turn->c.text, "{\nconst int gz_pass = 4;\nlong gz_k;\n");
    put_turns(turn, "gz_h", "gz_heard");
    ir_turn_copy(turn, "gz_t", "gz_b");
    gzt_add(turn->c.text, "}\n");
}
