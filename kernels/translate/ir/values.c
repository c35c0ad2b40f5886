/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "build.h"

#include <stdint.h>
#include <string.h>

static bool is_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static unsigned mix(unsigned hash, uintptr_t bits)
{
    hash = (hash ^ (unsigned)bits ^ (unsigned)(bits >> 32)) * 0x9E3779B1U;
    return hash ^ (hash >> 15); /* pointers end in zeros */
}

static unsigned mix_text(unsigned hash, const char *text)
{
    for (; text && *text; text++)
        hash = hash * 31 + (unsigned char)*text;
    return hash;
}

static unsigned hash_of(const struct ir_value *value)
{
    unsigned hash = mix_text(mix_text((unsigned)value->code, value->c), value->text);
    hash = mix(mix(hash, (uintptr_t)value->decl), (uintptr_t)value->loop);
    hash = mix(mix(hash, (uintptr_t)value->op), (uintptr_t)value->whole);
    for (int i = value->code == IR_PHI ? 2 : 0; i < 3; i++)
        hash = mix(hash, (uintptr_t)value->a[i]);
    return hash;
}

static bool is_same(const struct ir_value *a, const struct ir_value *b)
{
    bool same = a->hash == b->hash && a->code == b->code && a->type == b->type &&
                a->whole == b->whole && a->decl == b->decl && a->frame == b->frame &&
                a->loop == b->loop && a->op == b->op && is_equal(a->c, b->c) &&
                is_equal(a->text, b->text);
    for (int i = a->code == IR_PHI ? 2 : 0; i < 3 && same; i++)
        same = a->a[i] == b->a[i];
    return same;
}

struct ir_value *ir_make(struct ir_table *table, struct ir_value like)
{
    if (!like.c)
        like.c = ir_type_name(like.type);
    like.arguments = like.code == IR_PHI ? 2 : !!like.a[0] + !!like.a[1] + !!like.a[2];
    like.hash = hash_of(&like);
    struct ir_value **bucket = &table->bucket[like.hash % IR_BUCKETS];
    for (struct ir_value *old = *bucket; old; old = old->next)
        if (is_same(old, &like))
            return old;
    struct ir_value *value = gzt_alloc(sizeof *value);
    *value = like;
    value->number = table->count++;
    value->next = *bucket;
    *bucket = value;
    return value;
}

bool ir_is_bits(const struct ir_value *place)
{
    return place->code == IR_FIELD && place->whole;
}

bool ir_is_whole(const struct ir_value *value, long *whole)
{
    *whole = value->whole;
    return value->code == IR_CONST && !value->text && ir_is_integer(value->type);
}

bool ir_is_number(const struct ir_value *value, long number)
{
    long whole;
    return ir_is_whole(value, &whole) && whole == number;
}

struct ir_value *ir_whole(struct ir_table *table, enum ir_type type, long whole)
{
    return IR_MAKE(table, .code = IR_CONST, .type = type, .whole = ir_wrap(type, whole));
}

struct ir_value *ir_spelled(struct ir_table *table, enum ir_type type, const char *c,
                            const char *text)
{
    return IR_MAKE(table, .code = IR_CONST, .type = type, .c = c, .text = text);
}

struct ir_value *ir_exit(struct ir_table *table, struct ir_loop *loop, struct ir_value *value)
{
    return IR_MAKE(table, .code = IR_EXIT, .type = value->type, .c = value->c, .loop = loop,
                   .a = {value});
}

/* Splits a sum of signed numbers, whose overflow C leaves undefined, into a number, which it
 * returns, and the rest. */
static long number_in(struct ir_value **sum)
{
    long all = 0, by;
    for (;;) {
        struct ir_value *v = *sum;
        bool adds = v->code == IR_ARITH && v->arguments == 2 && v->text[1] == '\0';
        if (adds && strchr("+-", v->text[0]) && ir_is_whole(v->a[1], &by))
            *sum = v->a[0];
        else if (adds && v->text[0] == '+' && ir_is_whole(v->a[0], &by))
            *sum = v->a[1];
        else
            return all;
        all += v->text[0] == '+' ? by : -by;
    }
}

/* Compares two sums of signed numbers whose difference is a number. */
static bool compares(const char *op, struct ir_value *a, struct ir_value *b, long *result)
{
    long by = number_in(&a) - number_in(&b);
    bool compares = strchr("<>=!", op[0]) && (op[1] == '\0' || op[1] == '=');
    return compares && a == b && (a->type == IR_I32 || a->type == IR_I64) &&
           ir_fold(op, IR_I64, by, 0, 2, result);
}

struct ir_value *ir_arith(struct ir_table *table, const char *op, enum ir_type type,
                          struct ir_value *a, struct ir_value *b)
{
    long left, right = 0, result;
    enum ir_type in = a->type > type ? a->type : type;
    if (strcmp(op, ">>") == 0 || strcmp(op, "<<") == 0)
        in = type;
    if (ir_is_whole(a, &left) && (!b || ir_is_whole(b, &right)) &&
        ir_fold(op, in, left, right, b ? 2 : 1, &result))
        return ir_whole(table, type, result);
    if (b && compares(op, a, b, &result))
        return ir_whole(table, type, result);
    bool adds = op[1] == '\0' && strchr("+-", op[0]) && b && ir_is_integer(type);
    if (adds && ir_is_number(b, 0))
        return a;
    if (adds && op[0] == '+' && ir_is_number(a, 0))
        return b;
    return IR_MAKE(table, .code = IR_ARITH, .type = type, .text = op, .a = {a, b});
}

struct ir_value *ir_convert(struct ir_table *table, struct ir_value *value, enum ir_type type,
                            const char *c)
{
    long whole;
    if (value->type == type && (type != IR_POINTER || is_equal(value->c, c)))
        return value;
    if (ir_is_integer(type) && ir_is_whole(value, &whole))
        return ir_whole(table, type, whole);
    if (type == IR_POINTER && ir_is_number(value, 0))
        return ir_spelled(table, IR_POINTER, c, NULL);
    /* To void * and back. */
    if (type == IR_POINTER && value->code == IR_CONVERT && value->a[0]->type == IR_POINTER)
        return ir_convert(table, value->a[0], type, c);
    return IR_MAKE(table, .code = IR_CONVERT, .type = type, .c = type == IR_POINTER ? c : NULL,
                   .a = {value});
}

const struct ir_value *ir_root(const struct ir_value *pointer)
{
    while (pointer->code == IR_STEP || pointer->code == IR_FIRST || pointer->code == IR_CONVERT)
        pointer = pointer->a[0];
    return pointer;
}

const struct ir_value *ir_owner(const struct ir_value *place)
{
    while (place->code == IR_STEP || place->code == IR_FIRST || place->code == IR_FIELD)
        place = place->a[0];
    return place;
}

const struct ir_value *ir_origin(const struct ir_value *place)
{
    while (ir_owner(place) != place || ir_root(place) != place)
        place = place->a[0];
    return place;
}

const struct ir_value *ir_variable_of(const struct ir_value *place)
{
    place = ir_origin(place);
    return place->code == IR_ADDRESS ? place : NULL;
}

struct ir_value *ir_base(struct ir_value *pointer)
{
    return pointer->code == IR_STEP ? pointer->a[0] : pointer;
}

struct ir_value *ir_offset(struct ir_table *table, const struct ir_value *pointer)
{
    return pointer->code == IR_STEP ? pointer->a[1] : ir_whole(table, IR_I64, 0);
}

bool ir_is_alike(struct ir_value *a, struct ir_value *b)
{
    a = ir_base(a);
    b = ir_base(b);
    return a == b || (a->code == IR_FIRST && b->code == IR_FIRST && ir_is_alike(a->a[0], b->a[0]));
}

struct ir_value *ir_select(struct ir_table *table, struct ir_value *c, struct ir_value *a,
                           struct ir_value *b)
{
    long whole;
    if (a == b)
        return a;
    if (ir_is_whole(c, &whole))
        return whole ? a : b;
    if (a->code == IR_SELECT && a->a[0] == c)
        return ir_select(table, c, a->a[1], b);
    if (b->code == IR_SELECT && b->a[0] == c)
        return ir_select(table, c, a, b->a[2]);
    if (c->code == IR_SELECT && ir_is_number(c->a[1], 0) && ir_is_number(c->a[2], 1))
        return ir_select(table, c->a[0], b, a);
    if (c->type == IR_I32 && a->type == IR_I32 && ir_is_number(a, 1) && ir_is_number(b, 0) &&
        ir_truth(table, c) == c)
        return c;
    if (a->type == IR_POINTER && ir_is_alike(a, b)) {
        struct ir_value *base = ir_base(a), *other = ir_base(b);
        if (base != other)
            base = ir_first(table, ir_select(table, c, base->a[0], other->a[0]));
        return ir_step(table, base, ir_select(table, c, ir_offset(table, a), ir_offset(table, b)));
    }
    return IR_MAKE(table, .code = IR_SELECT, .type = a->type, .c = a->c, .a = {c, a, b});
}

struct ir_value *ir_step(struct ir_table *table, struct ir_value *pointer, struct ir_value *by)
{
    by = ir_convert(table, by, IR_I64, NULL);
    if (pointer->code == IR_STEP) {
        by = ir_arith(table, "+", IR_I64, pointer->a[1], by);
        pointer = pointer->a[0];
    }
    if (ir_is_number(by, 0))
        return pointer;
    return IR_MAKE(table, .code = IR_STEP, .type = IR_POINTER, .c = pointer->c, .a = {pointer, by});
}

struct ir_value *ir_first(struct ir_table *table, struct ir_value *array)
{
    const char *element = ir_element_of(array->c);
    return IR_MAKE(table, .code = IR_FIRST, .type = IR_POINTER, .c = element ? element : array->c,
                   .a = {array});
}

struct ir_value *ir_field(struct ir_table *table, struct ir_value *pointer, const char *name,
                          const char *c, bool bits)
{
    return IR_MAKE(table, .code = IR_FIELD, .type = IR_POINTER, .c = c, .text = name, .whole = bits,
                   .a = {pointer});
}

/* -------------------------------------------------------------------------------- conditions */

bool ir_is_comparison(const struct ir_value *value)
{
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!=", NULL};
    return value->code == IR_ARITH && gzt_is_one_of(value->text, ops);
}

static bool is_truth(const struct ir_value *value)
{
    if (value->code == IR_SELECT)
        return is_truth(value->a[1]) && is_truth(value->a[2]);
    return value->type == IR_I32 &&
           (ir_is_comparison(value) || ir_is_number(value, 0) || ir_is_number(value, 1));
}

struct ir_value *ir_truth(struct ir_table *table, struct ir_value *value)
{
    if (value->code == IR_CONVERT && value->a[0]->type == IR_I32 && value->type == IR_BOOL)
        return ir_truth(table, value->a[0]);
    if (value->code == IR_CONVERT && ir_is_integer(value->type) && is_truth(value->a[0]))
        return value->a[0];
    if (is_truth(value))
        return value;
    static const char *const zeros[] = {[IR_F32] = "0.f", [IR_F64] = "0.", [IR_F80] = "0.L"};
    bool real = ir_is_real(value->type);
    struct ir_value *zero =
        ir_spelled(table, value->type, value->c, real ? zeros[value->type] : NULL);
    return ir_arith(table, "!=", IR_I32, value, zero);
}

struct ir_value *ir_not(struct ir_table *table, struct ir_value *c)
{
    if (c->code == IR_SELECT)
        return ir_select(table, c->a[0], ir_not(table, c->a[1]), ir_not(table, c->a[2]));
    return ir_select(table, c, ir_whole(table, IR_I32, 0), ir_whole(table, IR_I32, 1));
}

/* A condition as c ? a : b. */
static void split(struct ir_table *table, struct ir_value *c, struct ir_value *part[3])
{
    bool select = c->code == IR_SELECT;
    part[0] = select ? c->a[0] : c;
    part[1] = select ? c->a[1] : ir_whole(table, IR_I32, 1);
    part[2] = select ? c->a[2] : ir_whole(table, IR_I32, 0);
}

/* A condition is a tree of decisions in the order in which C makes them, so that `or` finds again
 * what `and` took apart. */
struct ir_value *ir_and(struct ir_table *table, struct ir_value *a, struct ir_value *b)
{
    struct ir_value *part[3], *zero = ir_whole(table, IR_I32, 0);
    if (a == b || ir_is_number(b, 1) || ir_is_number(a, 0))
        return a;
    split(table, a, part);
    if (ir_is_number(part[1], 0))
        return ir_select(table, part[0], zero, ir_and(table, part[2], b));
    if (ir_is_number(part[2], 0) && !ir_is_number(part[1], 1))
        return ir_select(table, part[0], ir_and(table, part[1], b), zero);
    return ir_select(table, a, b, zero);
}

struct ir_value *ir_or(struct ir_table *table, struct ir_value *a, struct ir_value *b)
{
    struct ir_value *first[3], *second[3];
    if (a == b || ir_is_number(b, 0) || ir_is_number(a, 1))
        return a;
    if (ir_is_number(a, 0) || ir_is_number(b, 1))
        return b;
    split(table, a, first);
    split(table, b, second);
    if (first[0] == second[0])
        return ir_select(table, first[0], ir_or(table, first[1], second[1]),
                         ir_or(table, first[2], second[2]));
    return ir_select(table, a, ir_whole(table, IR_I32, 1), b);
}
