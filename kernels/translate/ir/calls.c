/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calls.c - calls: of functions of the file, as values; of <math.h>; output; copies of memory.
 */
#include "../library.h"
#include "lower.h"

#include <string.h>

enum { DEEPEST = 32, MOST_CALLS = 2000 };

struct ir_value *ir_nothing(struct ir_lower *l)
{
    return IR_MAKE(&l->table, .code = IR_UNDEF, .type = IR_VOID);
}

/* ------------------------------------------------------------------- functions of the file */

static struct ir_frame *enter(struct ir_lower *l, const struct gzt_node *call)
{
    int depth = 0;
    for (struct ir_frame *frame = l->at.frame; frame->caller; frame = frame->caller)
        if (++depth > DEEPEST || frame->function == call->decl)
            return NULL;
    for (int i = 0; i < l->frames; i++)
        if (l->frame_list[i]->caller == l->at.frame && l->frame_list[i]->call == call)
            return l->frame_list[i];
    if (l->frames > MOST_CALLS)
        return NULL;
    struct ir_frame *frame = gzt_alloc(sizeof *frame);
    *frame = (struct ir_frame){l->frames, l->at.frame, call, call->decl->body, call->decl};
    gzt_push(&l->frame_list, &l->frames, frame);
    return frame;
}

/* Where the call puts what it returns. */
static struct ir_value *returned(struct ir_lower *l)
{
    const struct ir_frame *frame = l->at.frame;
    return ir_hidden(
        l, "return",
        gzt_format("%s%s", frame->call->type_name, frame->function->refers ? " &" : ""), 0);
}

/* The arguments of a call, values or places; NULL if one is not understood. */
static struct ir_value **lower_arguments(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value **argument = gzt_alloc((size_t)(call->count + 1) * sizeof *argument);
    if (call->count != call->decl->parameter_count)
        return ir_fail(l, call, "arguments of another number than the parameters");
    for (int i = 0; i < call->count; i++) {
        const struct gzt_node *node = call->child[i];
        bool place = gzt_is_reference(call->decl->parameters[i]);
        if (!(argument[i] = (place ? ir_lower_place : ir_lower_value)(l, node)))
            return NULL;
    }
    return argument;
}

static bool lower_body(struct ir_lower *l, const struct ir_frame *frame,
                       struct ir_value *const *argument)
{
    const struct gzt_decl *function = frame->function;
    for (int i = 0; i < function->parameter_count; i++) {
        ir_declare(l, function->parameters[i]);
        struct ir_value *place = ir_address_of(l, function->parameters[i]);
        enum ir_type type = ir_type_of(function->parameters[i]->type_name);
        ir_store(l, place, ir_convert(&l->table, argument[i], type, ir_c_of(place->c)),
                 frame->call);
    }
    ir_cover(l, frame->body, false);
    ir_push_far(l, IR_TO_RETURN, frame->call->begin)->result = returned(l);
    if (!ir_lower_list(l, frame->body->child, frame->body->count, frame->body->begin))
        return false;
    ir_arrive(l);
    return true;
}

/* What a call returns; of a function that returns a reference, the place. */
static struct ir_value *lower_inline(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value **argument = lower_arguments(l, call), *where = l->s.where;
    struct ir_frame *caller = l->at.frame, *frame = argument ? enter(l, call) : NULL;
    if (!frame)
        return argument ? ir_fail(l, call, "a recursion, or too many calls") : NULL;
    l->at.frame = frame;
    if (!lower_body(l, frame, argument))
        return NULL;
    struct ir_value *result = call->type != IR_VOID ? ir_load(l, returned(l), call) : ir_nothing(l);
    ir_forget(l, 0, l->source->length);
    l->s.where = ir_is_dead(l) ? l->s.where : where;
    l->at.frame = caller;
    return result;
}

/* ----------------------------------------------------------------------- functions of libraries */

static struct ir_value *lower_math(struct ir_lower *l, const struct gzt_node *call,
                                   const struct gzt_math *math)
{
    struct ir_value value = {.code = IR_CALL, .type = call->type, .text = math->name};
    for (int i = 0; i < call->count; i++) {
        struct ir_value *argument = ir_lower_value(l, call->child[i]);
        if (!argument)
            return NULL;
        /* C++ has functions of several types, which convert within. */
        value.a[i] = ir_convert(&l->table, argument, call->type, NULL);
    }
    return ir_make(&l->table, value);
}

/* std::max and std::min, and exchanges: what they do to values. */
static struct ir_value *lower_limit(struct ir_lower *l, const struct gzt_node *call)
{
    bool most = strcmp(call->decl->name, "max") == 0;
    struct ir_value *a = call->count == 2 ? ir_lower_value(l, call->child[0]) : NULL;
    struct ir_value *b = a ? ir_lower_value(l, call->child[1]) : NULL;
    if (!b || a->type != b->type)
        return ir_fail(l, call, "a call");
    struct ir_value *less = ir_arith(&l->table, "<", IR_I32, most ? a : b, most ? b : a);
    return ir_select(&l->table, less, b, a);
}

static struct ir_value *lower_swap(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value *place[2], *value[2];
    if (call->count != 2 || !gzt_is_in_std(call->decl))
        return ir_fail(l, call, "a call");
    for (int i = 0; i < 2; i++) {
        const struct gzt_node *object = gzt_bare(call->child[i]);
        bool vector = ir_vector_of(object) != NULL;
        place[i] = vector ? ir_vector_place(l, object, false) : ir_lower_place(l, object);
        if (!place[i] || object->is_array)
            return place[i] ? ir_fail(l, object, "an array that changes places") : NULL;
        l->again = l->again || (vector && !l->exchanges);
        l->exchanges = l->exchanges || vector;
    }
    for (int i = 0; i < 2; i++)
        if (!(value[i] = ir_load(l, place[i], call)))
            return NULL;
    ir_store(l, place[0], value[1], call);
    ir_store(l, place[1], value[0], call);
    return ir_nothing(l);
}

static bool is_stream(const struct gzt_node *node)
{
    return gzt_bare(node)->kind == GZT_CALL && gzt_bare(node)->count == 2 &&
           strncmp(gzt_bare(node)->type_name, "std::basic_ostream<", 19) == 0;
}

/* What a call that writes to a stream may be given: a number, a text or the stream; by << also a
 * word that is no value, such as the stream and std::endl. */
static struct ir_value *output_part(struct ir_lower *l, const struct gzt_node *node, bool words)
{
    const struct gzt_node *bare = gzt_bare(node);
    bool word = words && bare->type == IR_OTHER;
    GZT_EACH (part, bare)
        word = word && !gzt_is_assignment(part) &&
               (part == bare || part->kind != GZT_REF || !part->decl || !part->decl->variable);
    if (word) {
        ir_cover(l, node, true);
        return ir_spelled(&l->table, IR_OTHER, NULL, gzt_node_text(l->source, bare));
    }
    struct ir_value *value = ir_lower_value(l, node);
    bool memory = value && value->type == IR_POINTER && value->code != IR_CONST && /* a text */
                  !strstr(node->type_name, "FILE");
    return memory ? ir_fail(l, node, "output of memory") : value;
}

/* Adds what a call writes to an operation, a stream's in the order of its <<. */
static bool add_parts(struct ir_lower *l, const struct gzt_node *call, struct ir_op *op)
{
    for (int i = 0; i < call->count; i++) {
        const struct gzt_node *node = call->child[i];
        struct ir_value *part;
        if (is_stream(node)) {
            ir_cover(l, gzt_bare(node), false);
            if (!add_parts(l, gzt_bare(node), op))
                return false;
        } else if ((part = output_part(l, node, is_stream(call)))) {
            gzt_push(&op->argument, &op->arguments, part);
        } else {
            return false;
        }
    }
    return true;
}

static struct ir_value *lower_output(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_op parts = {0};
    if (!add_parts(l, call, &parts))
        return NULL;
    struct ir_op *op = ir_add_op(l, IR_OUTPUT, call);
    op->text = is_stream(call) ? "<<" : call->decl->name;
    op->argument = parts.argument;
    op->arguments = parts.arguments;
    if (is_stream(call))
        return ir_nothing(l);
    op->result = IR_MAKE(&l->table, .code = IR_RESULT, .type = IR_I32, .op = op);
    return op->result;
}

/* ------------------------------------------------------------------------------- whole memory */

/* How many elements of so many bytes each a number of bytes is, if that is a multiple whatever its
 * variables are. */
static struct ir_value *elements_of(struct ir_lower *l, struct ir_value *bytes, long size)
{
    long whole;
    if (ir_is_whole(bytes, &whole))
        return whole % size == 0 ? ir_whole(&l->table, bytes->type, whole / size) : NULL;
    bool times = bytes->code == IR_ARITH && strcmp(bytes->text, "*") == 0;
    if (!times || bytes->type != IR_U64 || size & (size - 1))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (elements_of(l, bytes->a[i], size))
            return ir_arith(&l->table, "/", IR_U64, bytes, ir_whole(&l->table, IR_U64, size));
    return NULL;
}

static struct ir_value *to_memory(struct ir_value *pointer)
{
    while (pointer->code == IR_CONVERT && pointer->a[0]->type == IR_POINTER)
        pointer = pointer->a[0];
    return pointer;
}

static struct ir_value *lower_fill(struct ir_lower *l, const struct gzt_node *call,
                                   struct ir_value *const *argument)
{
    struct ir_value *to = to_memory(argument[0]);
    long size = ir_size_of(ir_type_of(to->c)); /* 0 of arrays and what is unknown */
    struct ir_value *count = size ? elements_of(l, argument[2], size) : NULL;
    if (!count || !ir_is_number(argument[1], 0))
        return ir_fail(l, call, "a call that sets bytes");
    struct ir_spot around = l->at;
    struct ir_value *where = l->s.where;
    struct ir_value *index = ir_begin_count(l, call, ir_convert(&l->table, count, IR_U64, NULL));
    ir_store(l, ir_step(&l->table, to, index),
             ir_convert(&l->table, argument[1], ir_type_of(to->c), NULL), call);
    l->at = around;
    l->s.where = where;
    return argument[0];
}

static struct ir_value *lower_copy(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value *argument[3];
    if (call->count != 3)
        return ir_fail(l, call, "a call");
    for (int i = 0; i < 3; i++)
        if (!(argument[i] = ir_lower_value(l, call->child[i])))
            return NULL;
    if (strstr(call->decl->name, "memset"))
        return lower_fill(l, call, argument);
    ir_copy(l, to_memory(argument[0]), to_memory(argument[1]), argument[2], call)->text =
        strstr(call->decl->name, "memmove") ? NULL : "memcpy";
    return argument[0];
}

/* a = b of vectors of numbers. Their sizes are taken to be the same, so that elements stay where
 * they are; this is tested. */
static struct ir_value *lower_vectors(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value *data[2] = {NULL}, *size[2] = {NULL};
    long bytes = 0;
    for (int i = 0; i < 2; i++) {
        const struct gzt_node *vector = gzt_bare(call->child[i]);
        data[i] = ir_vector_data(l, vector);
        size[i] = data[i] ? ir_vector_size(l, vector) : NULL;
        bytes = size[i] ? ir_size_of(ir_type_of(data[i]->c)) : 0;
        if (!bytes)
            return ir_fail(l, call, "a container");
    }
    struct ir_value *where = l->s.where,
                    *same = ir_arith(&l->table, "==", IR_I32, size[0], size[1]);
    same->likely = true;
    l->s.where = ir_and(&l->table, where, same);
    ir_copy(l, data[0], data[1],
            ir_arith(&l->table, "*", IR_U64, size[1], ir_whole(&l->table, IR_U64, bytes)), call);
    l->s.where = where;
    return ir_nothing(l);
}

/* A call by which a program only tells compilers what they may expect: its first argument, or
 * nothing; what the others compute is not needed. */
static struct ir_value *lower_hint(struct ir_lower *l, const struct gzt_node *call)
{
    bool first = call->type != IR_VOID && call->count > 0;
    for (int i = first; i < call->count; i++) {
        GZT_EACH (part, call->child[i])
            if (gzt_is_assignment(part) || part->kind == GZT_CALL)
                return ir_fail(l, call, "a call");
        ir_cover(l, call->child[i], true);
    }
    return first ? ir_lower_value(l, call->child[0]) : ir_nothing(l);
}

struct ir_value *ir_lower_reference(struct ir_lower *l, const struct gzt_node *call)
{
    return call->decl && call->decl->refers && gzt_is_defined(call->decl)
               ? lower_inline(l, call)
               : ir_fail(l, call, "a reference that a function returns");
}

struct ir_value *ir_lower_call(struct ir_lower *l, const struct gzt_node *node)
{
    static const struct {
        const char *name;
        struct ir_value *(*lower)(struct ir_lower *, const struct gzt_node *);
    } functions[] = {{"swap", lower_swap},
                     {"memcpy", lower_copy},
                     {"memmove", lower_copy},
                     {"memset", lower_copy},
                     {"__builtin_memcpy", lower_copy},
                     {"__builtin_memset", lower_copy},
                     {"__builtin_expect", lower_hint},
                     {"__builtin_assume_aligned", lower_hint},
                     {"__assume_aligned", lower_hint},
                     {"__assume", lower_hint},
                     {"__builtin_assume", lower_hint},
                     {"__builtin_prefetch", lower_hint}};
    const struct gzt_math *math = gzt_math_of(node);
    if (is_stream(node))
        return lower_output(l, node);
    if (strcmp(node->op, "data") == 0)
        return ir_vector_data(l, node->child[0]);
    if (strcmp(node->op, "operator=") == 0)
        return lower_vectors(l, node);
    if (!node->decl || node->type == IR_OTHER)
        return ir_fail(l, node,
                       node->type == IR_OTHER ? "an object as a value"
                       : l->source->cxx       ? "a function of a class"
                                              : "a call through a pointer");
    if (node->decl->weak)
        return ir_fail(l, node, "a weak function");
    if (gzt_is_limit(node->decl))
        return lower_limit(l, node);
    if (math)
        return lower_math(l, node, math);
    if (gzt_is_defined(node->decl)) {
        struct ir_value *result = lower_inline(l, node);
        return result && node->decl->refers ? ir_load(l, result, node) : result;
    }
    bool known = gzt_is_of_library(node->decl);
    for (size_t i = 0; known && i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, node->decl->name) == 0)
            return functions[i].lower(l, node);
    return gzt_is_output(node) ? lower_output(l, node) : ir_fail(l, node, "a call");
}
