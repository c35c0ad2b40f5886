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
    return ir_hidden(l, "return", l->at.frame->function->result_name, 0);
}

static bool pass_arguments(struct ir_lower *l, const struct gzt_node *call,
                           struct ir_value **argument)
{
    for (int i = 0; i < call->count; i++) {
        const struct gzt_decl *parameter = call->decl->parameters[i];
        argument[i] = gzt_is_reference(parameter) ? ir_lower_place(l, call->child[i])
                                                  : ir_lower_value(l, call->child[i]);
        if (!argument[i] || argument[i]->type == IR_OTHER || argument[i]->type == IR_VOID)
            return argument[i] ? ir_fail(l, call->child[i], "an argument") : NULL;
    }
    return true;
}

static bool lower_body(struct ir_lower *l, struct ir_frame *frame, struct ir_value **argument)
{
    const struct gzt_decl *function = frame->function;
    for (int i = 0; i < function->parameter_count; i++) {
        struct ir_value *place = ir_address_of(l, function->parameters[i]);
        enum ir_type type = ir_type_of(function->parameters[i]->type_name);
        if (type == IR_OTHER || type == IR_VOID)
            return false;
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

static struct ir_value *lower_inline(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value **argument = gzt_alloc((size_t)(call->count + 1) * sizeof *argument);
    struct ir_frame *caller = l->at.frame;
    if (call->count != call->decl->parameter_count)
        return ir_fail(l, call, "arguments of another number than the parameters");
    if (!pass_arguments(l, call, argument))
        return NULL;
    if (!(l->at.frame = enter(l, call))) {
        l->at.frame = caller;
        return ir_fail(l, call, "a recursion, or too many calls");
    }
    struct ir_value *place = returned(l), *result = ir_nothing(l), *where = l->s.where;
    bool returns = strcmp(call->decl->result_name, "void") != 0;
    bool done = lower_body(l, l->at.frame, argument);
    if (done && returns)
        result = ir_load(l, place, call);
    ir_forget(l, 0, l->source->length);
    l->s.where = done && !ir_is_dead(l) ? where : l->s.where;
    l->at.frame = caller;
    return done ? result : NULL;
}

/* ----------------------------------------------------------------------- functions of libraries */

static struct ir_value *lower_math(struct ir_lower *l, const struct gzt_node *call,
                                   const struct gzt_math *math)
{
    struct ir_value value = {.code = IR_CALL, .type = call->type, .text = math->name};
    if (call->count > 3)
        return ir_fail(l, call, "a call");
    for (int i = 0; i < call->count; i++)
        if (!(value.a[i] = ir_lower_value(l, call->child[i])))
            return NULL;
    return ir_make(&l->table, value);
}

/* std::max and std::min, and exchanges: what they do to values. */
static struct ir_value *lower_limit(struct ir_lower *l, const struct gzt_node *call)
{
    bool most = strcmp(call->decl->name, "max") == 0;
    struct ir_value *a = call->count == 2 ? ir_lower_value(l, call->child[0]) : NULL;
    struct ir_value *b = a ? ir_lower_value(l, call->child[1]) : NULL;
    if (!b || a->type != b->type || a->type == IR_OTHER)
        return ir_fail(l, call, "a call");
    struct ir_value *less = ir_arith(&l->table, "<", IR_I32, most ? a : b, most ? b : a);
    return ir_select(&l->table, less, b, a);
}

static struct ir_value *lower_swap(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value *place[2], *value[2];
    for (int i = 0; i < 2; i++) {
        const struct gzt_node *object = gzt_bare(call->child[i]);
        bool vector = ir_vector_of(object) != NULL;
        place[i] = vector ? ir_data_place(l, object) : ir_lower_place(l, object);
        if (!place[i])
            return NULL;
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

/* What a call that writes to a stream may be given: numbers, texts, and the stream. */
static bool is_printable(const struct gzt_node *node, const struct ir_value *value)
{
    bool text = value->code == IR_CONST;
    return value->type != IR_OTHER && value->type != IR_VOID &&
           (value->type != IR_POINTER || text || strstr(node->type_name, "FILE"));
}

static struct ir_op *add_output(struct ir_lower *l, const struct gzt_node *call, const char *by,
                                struct ir_value **list, int count)
{
    struct ir_op *op = ir_add_op(l, IR_OUTPUT, call);
    op->text = by;
    op->argument = list;
    op->arguments = count;
    return op;
}

static struct ir_value *lower_output(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value **list = NULL;
    int count = 0;
    for (int i = 0; i < call->count; i++) {
        struct ir_value *value = ir_lower_value(l, call->child[i]);
        if (!value || !is_printable(call->child[i], value))
            return value ? ir_fail(l, call, "output of memory") : NULL;
        gzt_push(&list, &count, value);
    }
    struct ir_op *op = add_output(l, call, call->decl->name, list, count);
    op->result = IR_MAKE(&l->table, .code = IR_RESULT, .type = IR_I32, .op = op);
    return op->result;
}

/* An operand of << in C++: a number or a text, or else a word that is no value, such as
 * the stream and std::endl. */
static struct ir_value *stream_part(struct ir_lower *l, const struct gzt_node *node)
{
    const struct gzt_node *bare = gzt_bare(node);
    bool stream = bare->kind == GZT_REF && bare->type == IR_OTHER, word = bare->type == IR_OTHER;
    GZT_EACH (part, bare)
        word = word && !gzt_is_assignment(part) &&
               !(part->kind == GZT_REF && part->decl && part->decl->variable);
    if (stream || word) {
        ir_cover(l, node, true);
        return ir_spelled(&l->table, IR_OTHER, NULL, gzt_node_text(l->source, bare));
    }
    struct ir_value *value = ir_lower_value(l, node);
    return value && is_printable(node, value) ? value : ir_fail(l, node, "output of memory");
}

static bool is_stream(const struct gzt_node *node)
{
    return gzt_bare(node)->kind == GZT_CALL && gzt_bare(node)->count == 2 &&
           strncmp(gzt_bare(node)->type_name, "std::basic_ostream<", 19) == 0;
}

static bool add_stream(struct ir_lower *l, const struct gzt_node *node, struct ir_value ***list,
                       int *count)
{
    const struct gzt_node *call = gzt_bare(node);
    struct ir_value *part;
    if (is_stream(node)) {
        ir_cover(l, call, false);
        return add_stream(l, call->child[0], list, count) &&
               add_stream(l, call->child[1], list, count);
    }
    if (!(part = stream_part(l, node)))
        return false;
    gzt_push(list, count, part);
    return true;
}

static struct ir_value *lower_stream(struct ir_lower *l, const struct gzt_node *call)
{
    struct ir_value **list = NULL;
    int count = 0;
    if (!add_stream(l, call->child[0], &list, &count) ||
        !add_stream(l, call->child[1], &list, &count))
        return NULL;
    add_output(l, call, "<<", list, count);
    return ir_nothing(l);
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

/* A pointer to elements that are no arrays, and of known size; NULL if it is to something else. */
static struct ir_value *to_elements(struct ir_value *pointer, long *size)
{
    *size = ir_size_of(ir_type_of(to_memory(pointer)->c));
    return *size ? to_memory(pointer) : NULL;
}

static struct ir_value *lower_fill(struct ir_lower *l, const struct gzt_node *call,
                                   struct ir_value *const *argument)
{
    long size;
    struct ir_value *to = to_elements(argument[0], &size);
    struct ir_value *count = to ? elements_of(l, argument[2], size) : NULL;
    if (!count || !ir_is_number(argument[1], 0))
        return ir_fail(l, call, "a call that sets bytes");
    ir_lower_fill(l, call, to, count,
                  ir_convert(&l->table, argument[1], ir_type_of(to->c), ir_c_of(to->c)));
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
        if (!size[i] || !to_elements(data[i], &bytes))
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

struct ir_value *ir_lower_call(struct ir_lower *l, const struct gzt_node *node)
{
    static const char *const copies[] = {"memcpy",           "memmove",          "memset",
                                         "__builtin_memcpy", "__builtin_memset", NULL};
    static const char *const swaps[] = {"swap", NULL};
    static const char *const hints[] = {"__builtin_expect",
                                        "__builtin_assume_aligned",
                                        "__assume_aligned",
                                        "__assume",
                                        "__builtin_assume",
                                        "__builtin_prefetch",
                                        NULL};
    const struct gzt_math *math = gzt_math_of(node);
    if (is_stream(node))
        return lower_stream(l, node);
    if (strcmp(node->op, "data") == 0)
        return ir_vector_data(l, node->child[0]);
    if (strcmp(node->op, "operator=") == 0)
        return lower_vectors(l, node);
    if (!node->decl || node->type == IR_OTHER)
        return ir_fail(l, node,
                       node->type == IR_OTHER ? "an object as a value"
                       : !l->source->cxx      ? "a call through a pointer"
                       : node->decl           ? "a call"
                                              : "a function of a class");
    if (node->decl->weak)
        return ir_fail(l, node, "a weak function");
    if (gzt_is_limit(node->decl))
        return lower_limit(l, node);
    if (math)
        return lower_math(l, node, math);
    if (node->count == 2 && gzt_is_one_of(node->decl->name, swaps) && !gzt_is_defined(node->decl))
        return lower_swap(l, node);
    if (gzt_is_defined(node->decl))
        return lower_inline(l, node);
    if (gzt_is_one_of(node->decl->name, hints))
        return lower_hint(l, node);
    if (gzt_is_output(node))
        return lower_output(l, node);
    if (gzt_is_one_of(node->decl->name, copies))
        return lower_copy(l, node);
    return ir_fail(l, node, "a call");
}
