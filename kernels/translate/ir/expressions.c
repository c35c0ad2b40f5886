/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * expressions.c - expressions as values, in C's types, and what they read and set.
 */
#include "../region.h"
#include "lower.h"

#include <ctype.h>
#include <string.h>

void *ir_fail(struct ir_lower *l, const struct gzt_node *node, const char *why)
{
    l->why = gzt_format("cannot follow %s: %s", why, gzt_node_text(l->source, node));
    return NULL;
}

void ir_cover(struct ir_lower *l, const struct gzt_node *node, bool below)
{
    GZT_EACH (part, node)
        if (below || part == node)
            gzt_push(&l->covered, &l->covers, part);
}

/* ------------------------------------------------------------------------------------- types */

/* Whether a value is one of constants and of what variables have before the region, and exists
 * there; those of this walk that it has met are. */
static bool is_lasting(const struct ir_lower *l, struct ir_value *value)
{
    if (value->stamp == l->stamp)
        return true;
    value->stamp = l->stamp;
    bool divides = value->code == IR_ARITH && strpbrk(value->text, "/%");
    bool lasting = value->code == IR_CONST || (value->code == IR_ARITH && !divides) ||
                   value->code == IR_CONVERT ||
                   (value->code == IR_LIVE_IN && value->a[0]->code == IR_ADDRESS);
    for (int i = 0; i < value->arguments && lasting && value->code != IR_LIVE_IN; i++)
        lasting = is_lasting(l, value->a[i]);
    return lasting && ir_is_integer(value->type);
}

/* A number, or the name that a size has in what is written; NULL if it may change. */
static const char *size_name(struct ir_lower *l, struct ir_value *value)
{
    struct ir_region *ir = l->ir;
    long whole;
    int i = 0;
    value = value && ir_is_integer(value->type) ? ir_convert(&l->table, value, IR_I64, NULL) : NULL;
    if (value && ir_is_whole(value, &whole))
        return gzt_format("%ld", whole);
    l->stamp++;
    if (!value || !is_lasting(l, value))
        return NULL;
    while (i < ir->sizes && ir->size[i] != value)
        i++;
    if (i == ir->sizes)
        gzt_push(&ir->size, &ir->sizes, value);
    return gzt_format(IR_SIZE_NAME, i);
}

/* C's name of a type whose sizes are these, the innermost first, and evaluated here; NULL if one
 * may change. */
static const char *sized(struct ir_lower *l, const char *name, struct gzt_node *const *size,
                         int sizes)
{
    struct gzt_text text = {0};
    int at = 0;
    for (const char *end = name; *name; name = end) {
        gzt_add_bytes(&text, name, 1);
        end++;
        if (*name != '[' || *end == ']')
            continue;
        for (int depth = 1; depth > 0; end += depth > 0)
            depth += *end == '[' ? 1 : *end == ']' ? -1 : 0;
        bool number = isdigit((unsigned char)name[1]);
        const char *own = at < sizes ? size_name(l, ir_lower_value(l, size[sizes - ++at]))
                          : number   ? gzt_copy(name + 1, (size_t)(end - name - 1))
                                     : NULL; /* those of another type that has a name */
        if (!own)
            return NULL;
        gzt_add(&text, "%s", own);
    }
    return at == sizes ? gzt_string(&text) : NULL;
}

bool ir_declare(struct ir_lower *l, struct gzt_decl *decl)
{
    const char *c = sized(l, decl->type_name, decl->size, decl->sizes);
    decl->sized = c ? c : IR_UNSIZED;
    return c;
}

/* A cast, of sizes and what is converted, or a conversion that is not written. */
static struct ir_value *convert(struct ir_lower *l, const struct gzt_node *node)
{
    enum ir_type type = node->type;
    const char *name = node->type_name;
    const struct gzt_node *from = node->child[node->count - 1];
    struct ir_value *value = ir_lower_value(l, from);
    if (!value || (node->kind == GZT_IMPLICIT && strcmp(name, from->type_name) == 0))
        return value;
    if (node->kind == GZT_CAST)
        name = sized(l, name, node->child, node->count - 1);
    else if (type == IR_POINTER && ir_is_sized(name)) /* what it is for has the sizes */
        return value;
    if (type == IR_OTHER || !name)
        return ir_fail(l, node, gzt_format("a conversion to %s", node->type_name));
    if (type == IR_VOID)
        return ir_nothing(l);
    if (type == IR_BOOL && value->type != IR_BOOL)
        value = ir_truth(&l->table, value);
    return ir_convert(&l->table, value, type, type == IR_POINTER ? ir_element_of(name) : NULL);
}

/* ------------------------------------------------------------------------------------ places */

const char *ir_vector_of(const struct gzt_node *object)
{
    const char *of = gzt_bare(object)->type_name, prefix[] = "std::vector<";
    if (strncmp(of, prefix, sizeof prefix - 1) != 0 || of[strlen(of) - 1] != '>')
        return NULL; /* nor a pointer to some, or an array */
    of += sizeof prefix - 1;
    int depth = 0;
    size_t length = 0;
    for (; of[length] && (depth > 0 || !strchr(",>", of[length])); length++)
        depth += of[length] == '<' ? 1 : of[length] == '>' ? -1 : 0;
    bool usual = of[length] == '>' || strncmp(of + length, ", std::allocator<", 17) == 0;
    return usual ? gzt_copy(of, length) : NULL; /* of the others, one may stand before the data */
}

struct ir_value *ir_vector_place(struct ir_lower *l, const struct gzt_node *vector, bool size)
{
    const char *of = ir_vector_of(vector);
    if (size && l->exchanges) /* which leave sizes apart */
        return ir_fail(l, vector, "the size of a vector, of which some change places");
    struct ir_value *place =
        of ? ir_lower_place(l, gzt_bare(vector)) : ir_fail(l, vector, "a container");
    if (!place || size)
        return place ? ir_field(&l->table, place, "size()", "unsigned long", true) : NULL;
    of = ir_c_of(gzt_format("%s *", of));
    return ir_field(&l->table, place, "data()", gzt_format("%s *", of), false);
}

struct ir_value *ir_vector_data(struct ir_lower *l, const struct gzt_node *vector)
{
    struct ir_value *place = ir_vector_place(l, vector, false);
    return place ? ir_load(l, place, vector) : NULL;
}

/* The value at a place; without an address, only the one from before the region. */
static struct ir_value *held(struct ir_lower *l, struct ir_value *place,
                             const struct gzt_node *node)
{
    struct ir_value *value = ir_load(l, place, node);
    bool known = value && (value->code == IR_LIVE_IN || !ir_is_bits(place));
    return known || !value ? value : ir_fail(l, node, "a member");
}

struct ir_value *ir_vector_size(struct ir_lower *l, const struct gzt_node *vector)
{
    int covers = l->covers;
    struct ir_value *place = ir_vector_place(l, vector, true);
    l->covers = covers; /* written once, where its elements are meant */
    return place ? held(l, place, vector) : NULL;
}

static struct ir_value *member_place(struct ir_lower *l, const struct gzt_node *node)
{
    if (node->count != 1)
        return ir_fail(l, node, "a member of this object");
    if (node->is_size)
        return ir_vector_place(l, node->child[0], true);
    const struct gzt_decl *self = l->function ? l->function->decl : NULL;
    if (node->owner && !(self && strcmp(node->owner, gzt_class_of(self)) == 0))
        return ir_fail(l, node, "a member that is private where the loop stands");
    const struct gzt_node *object = node->child[0];
    bool arrow = object->type == IR_POINTER;
    if (!arrow && strchr(object->type_name, '*')) /* it points to what has no name */
        return ir_fail(l, node, "a member");
    struct ir_value *base = arrow ? ir_lower_value(l, object) : ir_lower_place(l, object);
    bool wide = node->is_bit_field && node->type == IR_OTHER;
    if (!base || base->type != IR_POINTER || wide || node->is_shared)
        return ir_fail(l, node, "a member");
    return ir_field(&l->table, base, node->op, node->type_name, node->is_bit_field);
}

static struct ir_value *subscript_place(struct ir_lower *l, const struct gzt_node *node)
{
    const struct gzt_node *array = node->child[0], *index = node->count > 1 ? node->child[1] : NULL;
    bool container = strncmp(gzt_bare(array)->type_name, "std::", 5) == 0;
    if (index && array->type != IR_POINTER && index->type == IR_POINTER)
        array = node->child[1], index = node->child[0];
    struct ir_value *base = container ? ir_vector_data(l, array) : ir_lower_value(l, array), *by;
    if (!base || strcmp(node->op, "front") == 0)
        return base;
    by = index ? ir_lower_value(l, index) : ir_vector_size(l, array);
    if (by && !index)
        by = ir_arith(&l->table, "-", IR_U64, by, ir_whole(&l->table, IR_U64, 1));
    return by ? ir_step(&l->table, base, by) : NULL;
}

static struct ir_value *ref_place(struct ir_lower *l, const struct gzt_node *node)
{
    const struct gzt_decl *decl = node->decl;
    if (!decl || !decl->variable)
        return ir_fail(l, node, "a name");
    struct ir_value *place = ir_address_of(l, decl);
    bool foreign = place->frame > 0 && !decl->automatic;
    if (foreign)
        return ir_fail(l, node, "a static variable of a function");
    if (decl->of_class)
        return ir_fail(l, node, "a member that all objects share");
    if (l->source->openmp >= 0 && decl->of_thread)
        return ir_fail(l, node, "a variable of which each thread has its own");
    if (!gzt_is_reference(decl))
        return place;
    struct ir_value *pointer = ir_find(&l->s, place);
    return pointer ? pointer
                   : IR_MAKE(&l->table, .code = IR_LIVE_IN, .type = IR_POINTER,
                             .c = ir_c_of(place->c), .a = {place});
}

/* Whether something else may see or change an object: not a variable that its name alone leads to.
 */
static bool is_volatile(struct ir_lower *l, const struct gzt_node *node)
{
    return node->is_volatile && !(node->kind == GZT_REF && node->decl && node->decl->variable &&
                                  ir_is_register(l, ir_address_of(l, node->decl)));
}

/* A place, of bits too. */
static struct ir_value *lower_place(struct ir_lower *l, const struct gzt_node *node)
{
    if (is_volatile(l, node))
        return ir_fail(l, node, "volatile");
    ir_cover(l, node, false);
    if (node->kind == GZT_REF)
        return ref_place(l, node);
    if (node->kind == GZT_MEMBER)
        return member_place(l, node);
    if (node->kind == GZT_SUBSCRIPT)
        return subscript_place(l, node);
    if (node->kind == GZT_IMPLICIT && node->type == IR_OTHER &&
        strcmp(node->type_name, node->child[0]->type_name) != 0)
        return ir_fail(l, node, "an object as one of another class");
    if (node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT)
        return lower_place(l, node->child[0]);
    if (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0)
        return ir_lower_value(l, node->child[0]);
    return node->kind == GZT_CALL ? ir_lower_reference(l, node) : ir_fail(l, node, "an object");
}

struct ir_value *ir_lower_place(struct ir_lower *l, const struct gzt_node *node)
{
    struct ir_value *place = lower_place(l, node);
    return place && ir_is_bits(place) ? ir_fail(l, node, "a member") : place;
}

/* --------------------------------------------------------------------------------- operators */

bool ir_lower_either(struct ir_lower *l, struct ir_value *c, const struct gzt_node *const node[2],
                     struct ir_value *(*lower)(struct ir_lower *, const struct gzt_node *),
                     struct ir_value *value[2])
{
    struct ir_state before = ir_copy_state(&l->s), first;
    for (int i = 0; i < 2; i++) {
        first = l->s;
        l->s = ir_copy_state(&before);
        l->s.where = ir_and(&l->table, before.where, i ? ir_not(&l->table, c) : c);
        if (node[i] && ir_is_dead(l))
            ir_cover(l, node[i], true);
        else if (node[i] && !(value[i] = lower(l, node[i])))
            return false;
    }
    l->s = ir_join(l, c, &first, &l->s);
    return true;
}

static struct ir_value *choose(struct ir_lower *l, const struct gzt_node *node)
{
    struct ir_value *value[2] = {NULL, NULL}, *c = ir_lower_condition(l, node->child[0]);
    const struct gzt_node *const way[2] = {node->child[1], node->child[2]};
    if (c && node->type == IR_VOID)
        return ir_lower_ways(l, c, way) ? ir_nothing(l) : NULL;
    if (!c || !ir_lower_either(l, c, way, ir_lower_value, value))
        return NULL;
    if (!value[0] || !value[1])
        return value[0] ? value[0] : value[1] ? value[1] : ir_fail(l, node, "a choice");
    return ir_select(&l->table, c, value[0], value[1]);
}

struct ir_value *ir_lower_condition(struct ir_lower *l, const struct gzt_node *node)
{
    struct ir_value *value = ir_lower_value(l, node);
    return value ? ir_truth(&l->table, value) : NULL;
}

static struct ir_value *lower_logical(struct ir_lower *l, const struct gzt_node *node)
{
    bool both = node->op[0] == '&';
    struct ir_value *second[2] = {ir_whole(&l->table, IR_I32, 1), ir_whole(&l->table, IR_I32, 0)};
    struct ir_value *first = ir_lower_condition(l, node->child[0]);
    const struct gzt_node *const way[2] = {both ? node->child[1] : NULL,
                                           both ? NULL : node->child[1]};
    if (!first || !ir_lower_either(l, first, way, ir_lower_condition, second))
        return NULL;
    return ir_convert(&l->table, ir_select(&l->table, first, second[0], second[1]), node->type,
                      NULL);
}

/* An operator on two values that have C's conversions; but for shifts and pointers, both have the
 * same type. */
static struct ir_value *apply(struct ir_lower *l, const struct gzt_node *node, const char *op,
                              struct ir_value *a, struct ir_value *b, enum ir_type type)
{
    bool left = a->type == IR_POINTER;
    if (strchr("+-", op[0]) && left != (b->type == IR_POINTER)) {
        struct ir_value *by = ir_convert(&l->table, left ? b : a, IR_I64, NULL);
        if (op[0] == '-')
            by = ir_arith(&l->table, "-", IR_I64, ir_whole(&l->table, IR_I64, 0), by);
        return ir_step(&l->table, left ? a : b, by);
    }
    bool shift = strcmp(op, "<<") == 0 || strcmp(op, ">>") == 0;
    if (!shift && a->type != b->type)
        return ir_fail(l, node, "an operator");
    bool compares = strchr("<>=!", op[0]) && !shift;
    struct ir_value *value = ir_arith(&l->table, op, compares ? IR_I32 : type, a, b);
    return compares ? ir_convert(&l->table, value, type, NULL) : value;
}

/* What a compound assignment, ++ or -- makes of a value, in the target's type. */
static struct ir_value *update(struct ir_lower *l, const struct gzt_node *node, const char *op,
                               struct ir_value *old, struct ir_value *by)
{
    if (old->type == IR_POINTER)
        return apply(l, node, op, old, by, IR_POINTER);
    bool shift = op[0] == '<' || op[0] == '>';
    enum ir_type type = shift ? ir_promoted(old->type) : ir_common(old->type, by->type);
    struct ir_value *left = ir_convert(&l->table, old, type, NULL);
    struct ir_value *right = ir_convert(&l->table, by, shift ? ir_promoted(by->type) : type, NULL);
    struct ir_value *value = apply(l, node, op, left, right, type);
    if (value && old->type == IR_BOOL)
        value = ir_truth(&l->table, value);
    return value ? ir_convert(&l->table, value, old->type, NULL) : NULL;
}

/* An assignment; ++ and -- are += 1 and -= 1, of which those behind are what was there before. C++
 * computes what is assigned before the place, C in any order. */
static struct ir_value *lower_assignment(struct ir_lower *l, const struct gzt_node *node)
{
    const struct gzt_node *target = node->child[0];
    bool plain = strcmp(node->op, "=") == 0, step = node->kind == GZT_UNARY;
    bool behind = node->op[0] == 'x';
    if (target->is_array)
        return ir_fail(l, node, "an assignment");
    struct ir_value *old = NULL, *value = step ? ir_whole(&l->table, IR_I32, 1)
                                               : ir_lower_value(l, node->child[1]);
    struct ir_value *place = value ? ir_lower_place(l, target) : NULL;
    if (place && !plain) {
        const char *op = gzt_copy(node->op + behind, strlen(node->op + behind) - 1);
        old = ir_load(l, place, target);
        value = old ? update(l, node, op, old, value) : NULL;
    }
    if (!place || !value)
        return NULL;
    value = ir_convert(&l->table, value, target->type, ir_c_of(place->c));
    ir_store(l, place, value, node);
    return behind ? old : value;
}

static struct ir_value *lower_unary(struct ir_lower *l, const struct gzt_node *node)
{
    const char *op = node->op;
    if (node->count != 1)
        return ir_fail(l, node, "an operator");
    if (gzt_is_assignment(node))
        return lower_assignment(l, node);
    if (strcmp(op, "&") == 0)
        return ir_lower_place(l, node->child[0]);
    struct ir_value *value = ir_lower_value(l, node->child[0]);
    if (value && strcmp(op, "__extension__") == 0)
        return value;
    if (!value || op[1] != '\0' || !strchr("+-~!", op[0]))
        return value ? ir_fail(l, node, "an operator") : NULL;
    if (op[0] == '!')
        return ir_convert(&l->table, ir_not(&l->table, ir_truth(&l->table, value)), node->type,
                          NULL);
    return op[0] == '+' ? value : ir_arith(&l->table, op, node->type, value, NULL);
}

static struct ir_value *lower_binary(struct ir_lower *l, const struct gzt_node *node)
{
    const char *op = node->op;
    if (node->count != 2 || !*op)
        return ir_fail(l, node, "an operator");
    if (gzt_is_assignment(node))
        return lower_assignment(l, node);
    if (strcmp(op, "&&") == 0 || strcmp(op, "||") == 0)
        return lower_logical(l, node);
    struct ir_value *a = ir_lower_value(l, node->child[0]);
    struct ir_value *b = a ? ir_lower_value(l, node->child[1]) : NULL;
    if (!b || strcmp(op, ",") == 0)
        return b;
    static const char *const ops[] = {"+",  "-",  "*",  "/",  "%", "<<", ">>", "<", ">",
                                      "<=", ">=", "==", "!=", "&", "|",  "^",  NULL};
    return gzt_is_one_of(op, ops) ? apply(l, node, op, a, b, node->type)
                                  : ir_fail(l, node, "an operator");
}

/* Whether an expression does nothing but compute what clang folds. */
static bool is_folded(const struct gzt_node *node)
{
    bool folded = node->constant && ir_is_integer(node->type);
    GZT_EACH (part, node)
        folded = folded && !gzt_is_assignment(part) && (part->kind != GZT_CALL || part->constant);
    return folded;
}

/* GNU C's ({ ... }) without a value, as assert() is; that leads nowhere else. */
static bool is_block(const struct gzt_node *node)
{
    bool block = gzt_is_kind(node, "StmtExpr") && strcmp(node->type_name, "void") == 0;
    return block && node->count == 1 && !ir_leads_out(node);
}

/* A value of an arithmetic type or a pointer, or none, of type void. */
struct ir_value *ir_lower_value(struct ir_lower *l, const struct gzt_node *node)
{
    if (!gzt_is_assignment(node) && is_volatile(l, node)) /* its object is checked below */
        return ir_fail(l, node, "volatile");
    if (is_folded(node)) {
        ir_cover(l, node, true);
        return ir_whole(&l->table, node->type, node->value);
    }
    if (gzt_is_kind(node, "StringLiteral")) {
        ir_cover(l, node, true);
        return ir_spelled(&l->table, IR_POINTER, "char",
                          gzt_verbatim(l->source, node->begin, node->end));
    }
    if (node->kind == GZT_REF || node->kind == GZT_MEMBER || node->kind == GZT_SUBSCRIPT ||
        (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0)) {
        struct ir_value *place = lower_place(l, node);
        return !place           ? NULL
               : node->is_array ? ir_first(&l->table, place) /* a pointer to its first element */
                                : held(l, place, node);
    }
    ir_cover(l, node, false);
    switch (node->kind) {
    case GZT_LITERAL_FLOAT:
        return ir_is_real(node->type)
                   ? ir_spelled(&l->table, node->type, NULL, gzt_node_text(l->source, node))
                   : ir_fail(l, node, "a number");
    case GZT_PAREN:
        return ir_lower_value(l, node->child[0]);
    case GZT_CAST:
    case GZT_IMPLICIT:
        return convert(l, node);
    case GZT_TERNARY:
        return choose(l, node);
    case GZT_UNARY:
        return lower_unary(l, node);
    case GZT_BINARY:
        return lower_binary(l, node);
    case GZT_CALL:
        return ir_lower_call(l, node);
    default:
        break;
    }
    if (is_block(node))
        return ir_lower_statement(l, node->child[0]) ? ir_nothing(l) : NULL;
    return ir_fail(l, node, node->kind == GZT_UNKNOWN ? node->op : "an expression");
}
