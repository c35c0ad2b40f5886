/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * print.c - the printed form: objects, then operations in order. Values stand where they are used;
 * those used more than once are named %N before.
 */
#include "../tree.h"
#include "ir.h"

#include <string.h>

struct printer {
    const struct ir_region *ir;
    struct gzt_text *text;
    int *uses; /* by number; -1 once it has a name */
    int depth;
    bool whole; /* whether names stand for nothing, as within the name of a variable */
};

static void indent(struct printer *p)
{
    gzt_add(p->text, "%*s", 2 * p->depth, "");
}

static bool is_leaf(const struct ir_value *value)
{
    return value->arguments == 0 || value->code == IR_PHI || value->code == IR_LIVE_IN ||
           value->code == IR_RESULT || value->code == IR_FIELD;
}

static void add_value(struct printer *p, const struct ir_value *value);

static void add_list(struct printer *p, struct ir_value *const *list, int count)
{
    for (int i = 0; i < count; i++) {
        gzt_add(p->text, "%s", i ? ", " : "");
        if (list[i])
            add_value(p, list[i]);
        else
            gzt_add(p->text, "memory");
    }
}

static void add_constant(struct printer *p, const struct ir_value *value)
{
    static const char *const ends[] = {[IR_U32] = "u", [IR_I64] = "l", [IR_U64] = "ul"};
    bool has_end = value->type == IR_U32 || value->type == IR_I64 || value->type == IR_U64;
    if (value->text)
        gzt_add(p->text, "%s", value->text);
    else if (value->type == IR_I32 || has_end)
        gzt_add(p->text, "%ld%s", value->whole, has_end ? ends[value->type] : "");
    else
        gzt_add(p->text, "(%s%s)%ld", value->c, value->type == IR_POINTER ? " *" : "",
                value->whole);
}

static void add_arith(struct printer *p, const struct ir_value *value)
{
    gzt_add(p->text, "(%s", value->arguments == 1 ? value->text : "");
    add_value(p, value->a[0]);
    if (value->arguments == 2) {
        gzt_add(p->text, " %s ", value->text);
        add_value(p, value->a[1]);
    }
    gzt_add(p->text, ")");
}

/* "t@0": the variable of a phi at its loop; what it is behind the loop has a ' more. */
static void add_phi(struct printer *p, const struct ir_value *phi)
{
    bool whole = p->whole;
    p->whole = true;
    add_value(p, phi->a[2]);
    p->whole = whole;
    gzt_add(p->text, "@%d%s%s", phi->loop->number, phi->text ? "." : "",
            phi->text ? phi->text : "");
}

static void add_expression(struct printer *p, const struct ir_value *value)
{
    switch (value->code) {
    case IR_CONST:
        add_constant(p, value);
        break;
    case IR_UNDEF:
        gzt_add(p->text, "undefined");
        break;
    case IR_ADDRESS:
        gzt_add(p->text, value->frame ? "%s.%d" : "%s",
                value->decl ? value->decl->name : value->text, value->frame);
        break;
    case IR_LIVE_IN:
        gzt_add(p->text, "%s", value->a[0]->code == IR_ADDRESS ? "" : "*");
        add_value(p, value->a[0]);
        break;
    case IR_LOAD:
        gzt_add(p->text, "r%d", value->op->number);
        break;
    case IR_STEP:
        gzt_add(p->text, "(");
        add_value(p, value->a[0]);
        gzt_add(p->text, " + ");
        add_value(p, value->a[1]);
        gzt_add(p->text, ")");
        break;
    case IR_FIRST:
        add_value(p, value->a[0]);
        gzt_add(p->text, "[]");
        break;
    case IR_FIELD:
        add_value(p, value->a[0]);
        gzt_add(p->text, ".%s", value->text);
        break;
    case IR_ARITH:
        add_arith(p, value);
        break;
    case IR_CONVERT:
        gzt_add(p->text, "(%s%s)", value->c, value->type == IR_POINTER ? " *" : "");
        add_value(p, value->a[0]);
        break;
    case IR_SELECT:
        gzt_add(p->text, "(");
        add_value(p, value->a[0]);
        gzt_add(p->text, " ? ");
        add_value(p, value->a[1]);
        gzt_add(p->text, " : ");
        add_value(p, value->a[2]);
        gzt_add(p->text, ")");
        break;
    case IR_CALL:
        gzt_add(p->text, "%s(", value->text);
        add_list(p, value->a, value->arguments);
        gzt_add(p->text, ")");
        break;
    case IR_PHI:
        add_phi(p, value);
        break;
    case IR_EXIT:
        add_value(p, value->a[0]);
        gzt_add(p->text, "'");
        break;
    case IR_RESULT:
        gzt_add(p->text, "r%d", value->op->number);
        if (value->arguments) {
            gzt_add(p->text, ".");
            add_value(p, value->a[0]);
        }
        break;
    }
}

static void add_value(struct printer *p, const struct ir_value *value)
{
    if (!p->whole && p->uses[value->number] < 0 && !is_leaf(value))
        gzt_add(p->text, "%%%d", value->number);
    else
        add_expression(p, value);
}

/* Names what is used more than once, arguments first. */
static void define(struct ir_value *value, void *data)
{
    struct printer *p = data;
    if (is_leaf(value) || p->uses[value->number] < 0)
        return;
    for (int i = 0; i < value->arguments; i++)
        define(value->a[i], p);
    if (p->uses[value->number] < 2)
        return;
    indent(p);
    gzt_add(p->text, "%%%d = ", value->number);
    add_expression(p, value);
    gzt_add(p->text, "\n");
    p->uses[value->number] = -1;
}

static void add_condition(struct printer *p, const char *word, const struct ir_value *where)
{
    if (ir_is_number(where, 1))
        return;
    gzt_add(p->text, " %s ", word);
    add_value(p, where);
}

static void add_access(struct printer *p, const struct ir_access *access)
{
    gzt_add(p->text, "%s", access->object->shown);
    if (access->subscripts > 0) {
        gzt_add(p->text, "[");
        add_list(p, access->subscript, access->subscripts);
        gzt_add(p->text, "]");
    } else if (access->whole) {
        gzt_add(p->text, "{");
        add_value(p, access->address);
        gzt_add(p->text, "}");
    }
}

/* The first words of a text of the user's. */
static const char *beginning(const struct ir_region *ir, const struct ir_op *op)
{
    const char *text = gzt_clean(ir->source, op->begin, op->end);
    enum { MOST = 48 };
    return strlen(text) > MOST ? gzt_format("%.*s...", MOST, text) : text;
}

static void add_op(struct printer *p, const struct ir_op *op)
{
    ir_walk_op(op, define, p);
    indent(p);
    switch (op->kind) {
    case IR_READ:
        gzt_add(p->text, "r%d = ", op->number);
        add_access(p, &op->access);
        break;
    case IR_STORE:
        add_access(p, &op->access);
        gzt_add(p->text, " = ");
        add_value(p, op->value);
        break;
    case IR_COPY:
        gzt_add(p->text, "%s{", op->access.object->shown);
        add_value(p, op->access.address);
        gzt_add(p->text, "} = %s{", op->from.object->shown);
        add_value(p, op->from.address);
        gzt_add(p->text, "} of bytes ");
        add_value(p, op->value);
        break;
    case IR_OUTPUT:
        gzt_add(p->text, "%s%s(", op->result ? gzt_format("r%d = ", op->number) : "", op->text);
        add_list(p, op->argument, op->arguments);
        gzt_add(p->text, ")");
        break;
    case IR_LEAVE:
        gzt_add(p->text, "leave by \"%s\"", beginning(p->ir, op));
        if (op->value) {
            gzt_add(p->text, " with ");
            add_value(p, op->value);
        }
        break;
    case IR_OPAQUE:
        gzt_add(p->text, "r%d = opaque \"%s\"", op->number, beginning(p->ir, op));
        for (int i = 0; i < op->uses; i++) {
            gzt_add(p->text, "%s", i ? ", " : " of ");
            add_value(p, op->use[i]);
            gzt_add(p->text, " = ");
            add_list(p, &op->argument[i], 1);
        }
        gzt_add(p->text, "%s%s%s", op->why ? " (" : "", op->why ? op->why : "", op->why ? ")" : "");
        break;
    }
    add_condition(p, "if", op->where);
    gzt_add(p->text, "\n");
}

static void add_block(struct printer *p, const struct ir_block *block);

/* "int t@0 = 0 then (t@0 + 1)", and the values of one that has a short period. */
static void add_changes(struct printer *p, const struct ir_value *phi)
{
    enum { LONGEST = 8 };
    long at[LONGEST];
    int period = ir_period(phi, phi->loop, at, LONGEST);
    indent(p);
    gzt_add(p->text, "%s%s ", phi->c, phi->type == IR_POINTER ? " *" : "");
    add_phi(p, phi);
    gzt_add(p->text, " = ");
    add_value(p, phi->a[0]);
    gzt_add(p->text, " then ");
    add_value(p, phi->a[1]);
    for (int i = 0; i < period; i++)
        gzt_add(p->text, "%s%ld", i ? ", " : ": period ", at[i]);
    gzt_add(p->text, "\n");
}

static void add_loop(struct printer *p, const struct ir_loop *loop)
{
    define(loop->where, p);
    for (int i = 0; i < loop->phis; i++)
        define(loop->phi[i]->a[0], p);
    indent(p);
    gzt_add(p->text, "loop %d", loop->number);
    add_condition(p, "if", loop->where);
    gzt_add(p->text, "\n");
    p->depth++;
    add_block(p, &loop->head);
    define(loop->holds, p);
    indent(p);
    gzt_add(p->text, "while ");
    add_value(p, loop->holds);
    gzt_add(p->text, "\n");
    add_block(p, &loop->body);
    for (int i = 0; i < loop->phis; i++)
        define(loop->phi[i]->a[1], p);
    for (int i = 0; i < loop->phis; i++)
        add_changes(p, loop->phi[i]);
    p->depth--;
}

static void add_block(struct printer *p, const struct ir_block *block)
{
    for (int i = 0; i < block->items; i++)
        if (block->item[i]->op)
            add_op(p, block->item[i]->op);
        else
            add_loop(p, block->item[i]->loop);
}

static void count_use(struct ir_value *value, void *data)
{
    struct printer *p = data;
    p->uses[value->number]++;
}

static void count_uses(struct printer *p)
{
    const struct ir_region *ir = p->ir;
    for (int i = 0; i < ir->values; i++)
        for (int k = 0; k < ir->value[i]->arguments; k++)
            count_use(ir->value[i]->a[k], p);
    for (int i = 0; i < ir->ops; i++) {
        struct ir_access *access = &ir->op[i]->access;
        struct ir_value *address = access->address;
        bool plain = address && !access->whole;
        access->address = plain ? NULL : address; /* its subscripts are printed */
        ir_walk_op(ir->op[i], count_use, p);
        access->address = address;
    }
    for (int i = 0; i < ir->loops; i++) {
        count_use(ir->loop[i]->where, p);
        count_use(ir->loop[i]->holds, p);
    }
    for (int i = 0; i < ir->results; i++)
        count_use(ir->result[i].value, p);
}

static void add_object(struct printer *p, const struct ir_object *object)
{
    gzt_add(p->text, "object %s: %s, %d coordinates", object->shown, object->c, object->subscripts);
    if (object->slots > 1)
        gzt_add(p->text, ", %d slots", object->slots);
    gzt_add(p->text, "%s%s%s%s%s\n", object->regular ? "" : ", irregular",
            object->read ? ", read" : "", object->written ? ", written" : "",
            object->automatic ? ", automatic" : "", object->escapes ? ", escapes" : "");
}

void ir_print(const struct ir_region *ir, struct gzt_text *text)
{
    struct printer p = {.ir = ir, .text = text};
    struct gzt_place place = gzt_place_of(ir->source, ir->ops     ? ir->op[0]->begin
                                                      : ir->loops ? ir->loop[0]->begin
                                                                  : 0);
    p.uses = gzt_alloc((size_t)(ir->values + 1) * sizeof *p.uses);
    count_uses(&p);
    gzt_add(text, "%s:%d: region%s\n", place.file, place.line,
            ir->again ? ", which may run more than once" : "");
    for (int i = 1; i < ir->objects; i++)
        add_object(&p, ir->object[i]);
    add_block(&p, &ir->body);
    for (int i = 0; i < ir->results; i++) {
        define(ir->result[i].value, &p);
        gzt_add(text, "%s ", ir->result[i].escapes ? "leaves" : "drops");
        add_value(&p, ir->result[i].address);
        gzt_add(text, " = ");
        add_value(&p, ir->result[i].value);
        gzt_add(text, "\n");
    }
}
