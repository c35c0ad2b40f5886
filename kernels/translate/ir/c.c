/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "c.h"

#include "../tree.h"

#include <limits.h>
#include <string.h>

struct ir_c ir_c_begin(struct ir_c c)
{
    size_t values = (size_t)c.ir->values + 1;
    c.name = gzt_alloc(values * sizeof *c.name);
    c.known = gzt_alloc(values * sizeof *c.known);
    c.always = gzt_alloc(values * sizeof *c.always);
    return c;
}

static bool is_unnamed(const char *c)
{
    return strstr(c, "(unnamed") || strstr(c, "(anonymous");
}

/* Pointers to arrays are "double[m] *". */
const char *ir_c_type(const struct ir_value *v)
{
    int length = (int)strlen(v->c);
    if (!strpbrk(v->c, "[("))
        return gzt_format("%s%s", v->c, v->type == IR_POINTER ? " *" : "");
    while (length > 0 && strchr("* ", v->c[length - 1]))
        length--;
    return gzt_format("__typeof__(%.*s)%s%s", length, v->c, v->c + length,
                      v->type == IR_POINTER ? " *" : "");
}

const char *ir_c_cast(const struct ir_value *v)
{
    return is_unnamed(v->c) ? "" : gzt_format("(%s)", ir_c_type(v));
}

bool ir_c_is_register(const struct ir_value *place)
{
    return place->code == IR_ADDRESS && place->decl && place->decl->in_register;
}

/* A pointer to arrays goes by its name: by its address, gcc would warn of `(*a)[m] = calloc(n,
 * sizeof *a)`. */
static bool is_named(const struct ir_value *address, const struct ir_value *v)
{
    return ir_c_is_register(address) ||
           (address->code == IR_ADDRESS && strstr(address->c, "(*)[") && v->type == IR_POINTER &&
            strcmp(v->c, ir_c_of(address->c)) == 0);
}

const char *ir_c_variable(const struct ir_c *c, const struct ir_value *address,
                          const struct ir_value *v)
{
    return is_named(address, v) ? address->decl->name
                                : gzt_format("*(%s *)%s", ir_c_type(v), ir_c_written(c, address));
}

bool ir_c_is_reference(const struct ir_value *place)
{
    return place->code == IR_ADDRESS && place->decl && gzt_is_reference(place->decl);
}

const char *ir_c_found(const struct ir_c *c, const struct ir_value *v)
{
    const struct ir_value *place = v->a[0];
    if (ir_is_bits(place))
        return gzt_format("(%s)->%s", ir_c_written(c, place->a[0]), place->text);
    return ir_c_is_reference(place) ? gzt_format("(%s)&%s", ir_c_type(v), place->decl->name)
                                    : ir_c_variable(c, place, v);
}

const char *ir_c_call(const struct ir_c *c, const char *function, struct ir_value *const *argument,
                      int count)
{
    struct gzt_text text = {0};
    for (int i = 0; i < count; i++)
        gzt_add(&text, "%s%s", i ? ", " : "", ir_c_written(c, argument[i]));
    return gzt_format("%s(%s)", function, gzt_string(&text));
}

/* A value by its arguments. */
static const char *computed(const struct ir_c *c, const struct ir_value *v)
{
    const char *a[3] = {"", "", ""};
    for (int i = 0; i < v->arguments && v->code != IR_LIVE_IN; i++)
        a[i] = ir_c_written(c, v->a[i]);
    switch (v->code) {
    case IR_CONST:
        return v->text                ? v->text
               : v->whole == LONG_MIN ? gzt_format("(-%ldL - 1)", LONG_MAX)
                                      : gzt_format("%ldL", v->whole);
    case IR_ADDRESS:
        return gzt_format("&%s", v->decl->name);
    case IR_LIVE_IN:
        return ir_c_found(c, v);
    case IR_LOAD:
        return ir_is_number(v->op->where, 1) /* where C does not make it, 0 */
                   ? ir_c_variable(c, v->op->access.address, v)
                   : gzt_format("(%s ? %s : 0)", ir_c_written(c, v->op->where),
                                ir_c_variable(c, v->op->access.address, v));
    case IR_STEP:
        return gzt_format("(%s + %s)", a[0], a[1]);
    case IR_FIRST:
        return gzt_format("*%s", a[0]);
    case IR_FIELD: /* a vector of GNU's begins with the pointer to its elements */
        return strcmp(v->text, "data()") == 0
                   ? a[0]
                   : gzt_format("&(%s)->%s", a[0], v->text + (v->text[0] == '.'));
    case IR_SELECT:
        return gzt_format("(%s ? %s : %s)", a[0], a[1], a[2]);
    case IR_CALL:
        return ir_c_call(c, v->text, v->a, v->arguments);
    case IR_ARITH:
        return v->arguments == 1 ? gzt_format("(%s %s)", v->text, a[0])
                                 : gzt_format("(%s %s %s)", a[0], v->text, a[1]);
    default: /* IR_CONVERT, IR_EXIT */
        return a[0];
    }
}

/* As a name, if it has one. */
const char *ir_c_written(const struct ir_c *c, const struct ir_value *v)
{
    const char *have = c->name[v->number] ? gzt_format("%s%d_", c->prefix, c->name[v->number])
                                          : c->have(c->data, v);
    bool pointer = v->code == IR_CONST && v->text && v->type == IR_POINTER;
    return have ? have : pointer ? v->text : gzt_format("(%s%s)", ir_c_cast(v), computed(c, v));
}

/* By value: whether it is computed whenever `v` is. */
static const char *always(struct ir_c *c, const struct ir_value *v)
{
    if (c->always[v->number])
        return c->always[v->number];
    size_t values = (size_t)c->ir->values;
    char *marks = c->always[v->number] = gzt_alloc(values);
    int count = c->have(c->data, v) ? 0 : v->code == IR_SELECT ? 1 : v->arguments;
    marks[v->number] = 1;
    for (int a = 0; a < count; a++)
        for (size_t i = 0; i < values; i++)
            marks[i] |= always(c, v->a[a])[i];
    for (size_t i = 0; count && v->code == IR_SELECT && i < values; i++)
        marks[i] |= always(c, v->a[1])[i] & always(c, v->a[2])[i];
    return marks;
}

int ir_c_open(struct ir_c *c, const char *before)
{
    gzt_add(c->text, "%s {\n", before);
    return c->count;
}

void ir_c_close(struct ir_c *c, int opened)
{
    while (c->count > opened)
        c->name[c->known[--c->count]] = 0;
    gzt_add(c->text, "}\n");
}

/* The number of a value's temporary from here to the end of the block. */
static int know(struct ir_c *c, const struct ir_value *v)
{
    c->known[c->count] = v->number;
    return c->name[v->number] = ++c->count;
}

static void need(struct ir_c *c, const struct ir_value *v);

static void need_chosen(struct ir_c *c, const struct ir_value *v)
{
    for (int i = 0; i < v->number; i++)
        if (always(c, v->a[1])[i] && always(c, v->a[2])[i])
            need(c, c->ir->value[i]);
    int own = know(c, v);
    gzt_add(c->text, "%s %s%d_;\n", ir_c_type(v), c->prefix, own);
    for (int i = 1; i < 3; i++) {
        int opened =
            ir_c_open(c, i == 1 ? gzt_format("if (%s)", ir_c_written(c, v->a[0])) : "else");
        need(c, v->a[i]);
        gzt_add(c->text, "%s%d_ = %s%s;\n", c->prefix, own, ir_c_cast(v), ir_c_written(c, v->a[i]));
        ir_c_close(c, opened);
    }
}

static bool is_temporary(const struct ir_value *v)
{
    return v->code == IR_LIVE_IN || v->code == IR_LOAD || v->code == IR_ARITH ||
           v->code == IR_CONVERT || v->code == IR_CALL;
}

static void need(struct ir_c *c, const struct ir_value *v)
{
    if (c->name[v->number] || c->have(c->data, v))
        return;
    for (int i = 0; i < (v->code == IR_SELECT ? 1 : v->arguments); i++)
        need(c, v->a[i]);
    if (v->code == IR_SELECT)
        need_chosen(c, v);
    if (!is_temporary(v))
        return;
    const char *text = computed(c, v);
    gzt_add(c->text, "%s %s%d_ = %s%s;\n", ir_c_type(v), c->prefix, know(c, v), ir_c_cast(v), text);
}

const char *ir_c_value(struct ir_c *c, const struct ir_value *value)
{
    need(c, value);
    return ir_c_written(c, value);
}

const char *ir_c_memory(struct ir_c *c, const struct ir_access *access,
                        const struct ir_value *value)
{
    const char *address = ir_c_value(c, access->address);
    return is_unnamed(value->c) ? gzt_format("*%s", address)
                                : ir_c_variable(c, access->address, value);
}
