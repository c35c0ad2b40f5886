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
    int *uses; /* by number; -1 once it has a name; NULL: of a value alone, for users */
    int depth;
    bool whole; /* whether names stand for nothing, as within the name of a variable */
};

static bool is_leaf(const struct ir_value *value)
{
    return value->arguments == 0 || value->code == IR_PHI || value->code == IR_LIVE_IN ||
           value->code == IR_RESULT || value->code == IR_FIELD;
}

static const char *shown(struct printer *p, const struct ir_value *value);

static const char *list(struct printer *p, struct ir_value *const *value, int count)
{
    struct gzt_text text = {0};
    for (int i = 0; i < count; i++)
        gzt_add(&text, "%s%s", i ? ", " : "", value[i] ? shown(p, value[i]) : "memory");
    return gzt_string(&text);
}

static const char *type_of(const struct ir_value *value)
{
    return gzt_format("%s%s", value->c, value->type == IR_POINTER ? " *" : "");
}

static const char *constant(const struct printer *p, const struct ir_value *value)
{
    static const char *const ends[] = {
        [IR_I32] = "", [IR_U32] = "u", [IR_I64] = "l", [IR_U64] = "ul", [IR_OTHER] = NULL};
    const char *end = p->uses ? ends[value->type] : "";
    return value->text ? value->text
           : end       ? gzt_format("%ld%s", value->whole, end)
                       : gzt_format("(%s)%ld", type_of(value), value->whole);
}

/* "t@0": the variable of a phi at its loop; what it is behind the loop has a ' more. */
static const char *phi_name(struct printer *p, const struct ir_value *phi)
{
    bool whole = p->whole;
    p->whole = true;
    const char *variable = shown(p, phi->a[2]);
    p->whole = whole;
    if (!p->uses)
        return variable;
    return gzt_format("%s@%d%s%s", variable, phi->loop->number, phi->text ? "." : "",
                      phi->text ? phi->text : "");
}

/* The variable at an address, as C spells it. */
static const char *place(struct printer *p, const struct ir_value *at)
{
    bool points = at->a[0] && (at->a[0]->code == IR_LIVE_IN || at->a[0]->code == IR_LOAD);
    switch (at->code) {
    case IR_ADDRESS:
        return shown(p, at);
    case IR_FIRST:
        return place(p, at->a[0]);
    case IR_FIELD:
        return gzt_format("%s%s%s", points ? shown(p, at->a[0]) : place(p, at->a[0]),
                          points ? "->" : ".", at->text);
    case IR_STEP:
        return gzt_format("%s[%s]", points ? shown(p, at->a[0]) : place(p, at->a[0]),
                          shown(p, at->a[1]));
    default:
        return gzt_format("*%s", shown(p, at));
    }
}

static const char *expression(struct printer *p, const struct ir_value *v)
{
    const char *a[3] = {"", "", ""};
    for (int i = 0; i < v->arguments && v->code != IR_PHI; i++)
        a[i] = shown(p, v->a[i]);
    switch (v->code) {
    case IR_CONST:
        return constant(p, v);
    case IR_UNDEF:
        return "undefined";
    case IR_ADDRESS:
        return gzt_format(v->frame && p->uses ? "%s.%d" : "%s", v->decl ? v->decl->name : v->text,
                          v->frame);
    case IR_LIVE_IN:
        if (!p->uses)
            return place(p, v->a[0]);
        return gzt_format("%s%s", v->a[0]->code == IR_ADDRESS ? "" : "*", a[0]);
    case IR_LOAD:
    case IR_RESULT:
        if (!p->uses)
            return gzt_clean(p->ir->source, v->op->begin, v->op->end);
        return gzt_format("r%d%s%s", v->op->number, v->arguments ? "." : "", a[0]);
    case IR_STEP:
        return gzt_format("(%s + %s)", a[0], a[1]);
    case IR_FIRST:
        return p->uses ? gzt_format("%s[]", a[0]) : place(p, v->a[0]);
    case IR_FIELD:
        return gzt_format("%s.%s", a[0], v->text);
    case IR_ARITH:
        return v->arguments == 1 ? gzt_format("(%s%s)", v->text, a[0])
                                 : gzt_format("(%s %s %s)", a[0], v->text, a[1]);
    case IR_CONVERT:
        return gzt_format("(%s)%s", type_of(v), a[0]);
    case IR_SELECT:
        return gzt_format("(%s ? %s : %s)", a[0], a[1], a[2]);
    case IR_CALL:
        return gzt_format("%s(%s)", v->text, list(p, v->a, v->arguments));
    case IR_PHI:
        return phi_name(p, v);
    case IR_EXIT:
        return gzt_format("%s'", a[0]);
    }
    return "";
}

static const char *shown(struct printer *p, const struct ir_value *value)
{
    return !p->whole && p->uses[value->number] < 0 && !is_leaf(value)
               ? gzt_format("%%%d", value->number)
               : expression(p, value);
}

const char *ir_shown(const struct ir_region *ir, const struct ir_value *value)
{
    struct printer p = {.ir = ir, .whole = true};
    return value->end > value->begin ? gzt_clean(ir->source, value->begin, value->end)
                                     : shown(&p, value);
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
    gzt_add(p->text, "%*s%%%d = %s\n", 2 * p->depth, "", value->number, expression(p, value));
    p->uses[value->number] = -1;
}

static const char *condition(struct printer *p, const struct ir_value *where)
{
    return ir_is_number(where, 1) ? "" : gzt_format(" if %s", shown(p, where));
}

static const char *access_text(struct printer *p, const struct ir_access *access)
{
    const char *name = access->object->shown;
    return access->subscripts > 0
               ? gzt_format("%s[%s]", name, list(p, access->subscript, access->subscripts))
           : access->whole ? gzt_format("%s{%s}", name, shown(p, access->address))
                           : name;
}

/* The first words of a text of the user's. */
static const char *beginning(const struct ir_region *ir, const struct ir_op *op)
{
    const char *text = gzt_clean(ir->source, op->begin, op->end);
    enum { MOST = 48 };
    return strlen(text) > MOST ? gzt_format("%.*s...", MOST, text) : text;
}

static const char *opaque(struct printer *p, const struct ir_op *op)
{
    struct gzt_text text = {0};
    gzt_add(&text, "r%d = opaque \"%s\"", op->number, beginning(p->ir, op));
    for (int i = 0; i < op->uses; i++)
        gzt_add(&text, "%s%s = %s", i ? ", " : " of ", shown(p, op->use[i]),
                list(p, &op->argument[i], 1));
    if (op->why)
        gzt_add(&text, " (%s)", op->why);
    return gzt_string(&text);
}

static const char *operation(struct printer *p, const struct ir_op *op)
{
    switch (op->kind) {
    case IR_READ:
        return gzt_format("r%d = %s", op->number, access_text(p, &op->access));
    case IR_STORE:
        return gzt_format("%s = %s", access_text(p, &op->access), shown(p, op->value));
    case IR_COPY:
        return gzt_format("%s{%s} = %s{%s} of bytes %s", op->access.object->shown,
                          shown(p, op->access.address), op->from.object->shown,
                          shown(p, op->from.address), shown(p, op->value));
    case IR_OUTPUT:
        return gzt_format("%s%s(%s)", op->result ? gzt_format("r%d = ", op->number) : "", op->text,
                          list(p, op->argument, op->arguments));
    case IR_LEAVE:
        return gzt_format("leave by \"%s\"%s%s", beginning(p->ir, op), op->value ? " with " : "",
                          op->value ? shown(p, op->value) : "");
    case IR_OPAQUE:
        return opaque(p, op);
    }
    return "";
}

static void add_block(struct printer *p, const struct ir_block *block);

static void add_loop(struct printer *p, const struct ir_loop *loop)
{
    define(loop->where, p);
    for (int i = 0; i < loop->phis; i++)
        define(loop->phi[i]->a[0], p);
    gzt_add(p->text, "%*sloop %d%s\n", 2 * p->depth, "", loop->number, condition(p, loop->where));
    p->depth++;
    add_block(p, &loop->head);
    define(loop->holds, p);
    gzt_add(p->text, "%*swhile %s\n", 2 * p->depth, "", shown(p, loop->holds));
    add_block(p, &loop->body);
    for (int i = 0; i < loop->phis; i++)
        define(loop->phi[i]->a[1], p);
    for (int i = 0; i < loop->phis; i++) /* "int t@0 = 0 then (t@0 + 1)" */
        gzt_add(p->text, "%*s%s %s = %s then %s\n", 2 * p->depth, "", type_of(loop->phi[i]),
                phi_name(p, loop->phi[i]), shown(p, loop->phi[i]->a[0]),
                shown(p, loop->phi[i]->a[1]));
    p->depth--;
}

static void add_block(struct printer *p, const struct ir_block *block)
{
    for (int i = 0; i < block->items; i++) {
        const struct ir_op *op = block->item[i]->op;
        if (op) {
            ir_walk_op(op, true, define, p);
            gzt_add(p->text, "%*s%s%s\n", 2 * p->depth, "", operation(p, op),
                    condition(p, op->where));
        } else {
            add_loop(p, block->item[i]->loop);
        }
    }
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
        ir_walk_op(ir->op[i], true, count_use, p);
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
    for (int i = 0; i < ir->sizes; i++) {
        define(ir->size[i], &p);
        gzt_add(text, "size " IR_SIZE_NAME " = %s\n", i, shown(&p, ir->size[i]));
    }
    add_block(&p, &ir->body);
    for (int i = 0; i < ir->results; i++) {
        define(ir->result[i].value, &p);
        gzt_add(text, "%s %s = %s\n", ir->result[i].escapes ? "leaves" : "drops",
                shown(&p, ir->result[i].address), shown(&p, ir->result[i].value));
    }
}
