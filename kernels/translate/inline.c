/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inline.h"

#include "effects.h"
#include "frame.h"
#include "loops.h"
#include "turns.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Text that is being written, and where its bytes came from. */
struct written {
    struct gzt_text text;
    struct gzt_piece **pieces;
    int count;
};

/* A stretch of a node's text with something else in its place. */
struct edit {
    int begin, end;
    struct written text;
};
struct edits {
    struct edit **list;
    int count;
};

/* --------------------------------------------------------------------------------------- text */

static void add_piece(struct written *written, int from, bool verbatim)
{
    struct gzt_piece *piece = gzt_alloc(sizeof *piece);
    *piece = (struct gzt_piece){(int)written->text.length, from, verbatim};
    gzt_push(&written->pieces, &written->count, piece);
}

static void put(struct written *written, const char *text, int from)
{
    add_piece(written, from, false);
    gzt_add_bytes(&written->text, text, strlen(text));
}

static void put_source(struct written *written, const struct gzt_source *source, int begin, int end)
{
    if (begin >= end)
        return;
    add_piece(written, begin, true);
    gzt_add_bytes(&written->text, source->text + begin, (size_t)(end - begin));
}

static void put_written(struct written *written, const struct written *more)
{
    for (int i = 0; i < more->count; i++) {
        struct gzt_piece *piece = gzt_alloc(sizeof *piece);
        *piece = *more->pieces[i];
        piece->begin += (int)written->text.length;
        gzt_push(&written->pieces, &written->count, piece);
    }
    gzt_add_bytes(&written->text, gzt_string(&more->text), more->text.length);
}

static void add_edit(struct edits *edits, int begin, int end, struct written text)
{
    struct edit *edit = gzt_alloc(sizeof *edit);
    *edit = (struct edit){begin, end, text};
    gzt_push(&edits->list, &edits->count, edit);
}

static void add_text(struct edits *edits, int begin, int end, const char *text)
{
    struct written written = {0};
    put(&written, text, begin);
    add_edit(edits, begin, end, written);
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = *(struct edit *const *)a, *y = *(struct edit *const *)b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void collect(struct gzt_frame *frame, const struct gzt_node *node, bool statement,
                    struct edits *edits);

/* The stretch of a node with its edits; of two that overlap, as in int a = X, b = Y, the first. */
static struct written apply(struct gzt_frame *frame, struct edits *edits, int begin, int end)
{
    struct gzt_pass *pass = frame->pass;
    struct written written = {0};
    int at = begin;

    if (edits->count)
        qsort(edits->list, (size_t)edits->count, sizeof(struct edit *), compare_edits);
    for (int i = 0; i < edits->count; i++) {
        const struct edit *edit = edits->list[i];
        if (edit->begin < at || edit->end > end)
            continue;
        put_source(&written, pass->source, at, edit->begin);
        put_written(&written, &edit->text);
        at = edit->end;
    }
    put_source(&written, pass->source, at, end);
    pass->bytes += written.text.length;
    return written;
}

/* An expression as it is written in a frame, on one line. */
const char *gzt_expression(struct gzt_frame *frame, const struct gzt_node *node)
{
    struct edits edits = {0};
    /* Too much has been written already, and nothing of it will be used. */
    if (frame->pass->bytes > GZT_MOST_WRITTEN)
        return gzt_node_text(frame->pass->source, node);
    collect(frame, node, false, &edits);
    struct written written = apply(frame, &edits, node->begin, node->end);
    struct gzt_source text = {.text = gzt_string(&written.text)};
    return gzt_clean(&text, 0, (int)written.text.length);
}

/* The same, so that it can stand anywhere: in parentheses, where it needs them. */
const char *gzt_operand(struct gzt_frame *frame, const struct gzt_node *node)
{
    while (node->kind == GZT_IMPLICIT && node->count == 1)
        node = node->child[0];
    switch (node->kind) {
    case GZT_LITERAL_INT:
    case GZT_LITERAL_FLOAT:
    case GZT_REF:
    case GZT_MEMBER:
    case GZT_SUBSCRIPT:
    case GZT_CALL:
    case GZT_PAREN:
        return gzt_expression(frame, node);
    default:
        return gzt_format("(%s)", gzt_expression(frame, node));
    }
}

/* ------------------------------------------------------------------------------------- results */

static int reaches_out(const struct gzt_node *node, void *data)
{
    const struct gzt_decl *function = data;
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_MEMBER ||
           (node->kind == GZT_UNARY && node->op[0] == '*') ||
           (node->kind == GZT_REF && node->decl->variable &&
            !gzt_is_own(function, function->body, node->decl));
}

/* Whether a function is nothing but arithmetic of its arguments, which may be called as it is. */
static bool is_arithmetic(const struct gzt_decl *function)
{
    for (int i = 0; i < function->parameter_count; i++)
        if (!gzt_is_number(function->parameters[i]->type))
            return false;
    return gzt_is_number(function->result) &&
           gzt_walk(function->body, reaches_out, (void *)function) == 0;
}

/* Keeps the name of a function that is written out. */
static void keep_name(struct gzt_region *region, const char *name)
{
    for (int i = 0; i < region->written_out_count; i++)
        if (strcmp(region->written_out[i], name) == 0)
            return;
    gzt_push(&region->written_out, &region->written_out_count, name);
}

/* What a function returns that does nothing else but declare what stays, and the frame in which it
 * is to be read; NULL if it does more, or need not be written out. */
static const struct gzt_node *result_of(struct gzt_frame *caller, const struct gzt_node *call,
                                        struct gzt_frame **frame)
{
    const struct gzt_decl *function = call->decl;
    if (!gzt_is_defined(function) || function->body->count == 0)
        return NULL;
    const struct gzt_node *last = function->body->child[function->body->count - 1];
    if (last->kind != GZT_RETURN || last->count != 1 || !gzt_is_harmless(last->child[0]) ||
        function->result == GZT_OTHER || function->result == GZT_SMALL || is_arithmetic(function))
        return NULL;
    *frame = gzt_enter_call(caller, call, false, NULL);
    if (!*frame)
        return NULL;
    for (int i = 0; i + 1 < function->body->count; i++) {
        const struct gzt_node *statement = function->body->child[i];
        if (statement->kind != GZT_DECL && statement->kind != GZT_EMPTY)
            return NULL;
        for (int k = 0; k < statement->count; k++)
            if (statement->child[k]->kind != GZT_VARIABLE ||
                !gzt_meaning_of(*frame, statement->child[k]->decl) ||
                !gzt_meaning_of(*frame, statement->child[k]->decl)->node)
                return NULL;
    }
    keep_name(caller->pass->region, function->name);
    return last->child[0];
}

/* ----------------------------------------------------------------------------------- elements */

static bool is_address(const struct gzt_node *node)
{
    return node->kind == GZT_UNARY && strcmp(node->op, "&") == 0;
}

/* The pointer in p + i, i + p or p - i; NULL if it is none of these. */
static const struct gzt_node *moved_pointer(const struct gzt_node *node, const struct gzt_node **by)
{
    if (!gzt_is_binary(node, "+") && !gzt_is_binary(node, "-"))
        return NULL;
    bool first = gzt_bare(node->child[0])->type == GZT_POINTER;
    const struct gzt_node *pointer = node->child[first ? 0 : 1];
    *by = node->child[first ? 1 : 0];
    if (gzt_bare(pointer)->type != GZT_POINTER || !gzt_is_whole(gzt_bare(*by)->type) ||
        (node->op[0] == '-' && !first))
        return NULL;
    return pointer;
}

static const char *sum_of(const char *a, const char *b)
{
    return !b ? a : !a ? b : gzt_format("(long)(%s) + (long)(%s)", a, b);
}

/* The element that lies `index` behind a pointer. */
static const char *element(struct gzt_frame *frame, const struct gzt_node *node, const char *index)
{
    struct gzt_frame *within;
    const struct gzt_node *by, *next;

    node = gzt_resolve(&frame, node);
    if (node->kind == GZT_CALL && (next = result_of(frame, node, &within)))
        return element(within, next, index);
    if ((next = moved_pointer(node, &by))) {
        const char *step = gzt_expression(frame, by);
        return element(frame, next,
                       sum_of(node->op[0] == '-' ? gzt_format("-(long)(%s)", step) : step, index));
    }
    if (is_address(node)) {
        next = gzt_bare(node->child[0]);
        if (next->kind == GZT_SUBSCRIPT && next->count == 2)
            return element(frame, next->child[0],
                           sum_of(gzt_expression(frame, next->child[1]), index));
        if (!index)
            return gzt_operand(frame, next);
    }
    const char *text = gzt_operand(frame, node);
    return index ? gzt_format("%s[%s]", text, index) : gzt_format("(*%s)", text);
}

/* Choices in a subscript, as they are written there. */
enum { MOST_CHOICES = 6 };
struct choices {
    const char *whole[MOST_CHOICES], *condition[MOST_CHOICES], *branch[MOST_CHOICES][2];
    int count;
};

static void find_choices(struct gzt_frame *frame, const struct gzt_node *node,
                         struct choices *choices)
{
    node = gzt_resolve(&frame, node);
    if (node->kind == GZT_TERNARY && gzt_is_harmless(node) && choices->count < MOST_CHOICES) {
        int i = choices->count++;
        choices->whole[i] = gzt_expression(frame, node);
        choices->condition[i] = gzt_operand(frame, node->child[0]);
        for (int k = 0; k < 2; k++)
            choices->branch[i][k] = gzt_operand(frame, node->child[1 + k]);
    }
    for (int i = 0; i < node->count; i++)
        find_choices(frame, node->child[i], choices);
}

/* Where a choice stands between brackets, NULL if nowhere. */
static const char *find_bracketed(const char *text, const char *choice)
{
    size_t length = strlen(choice);
    const char *at = strstr(text, choice);
    while (at && (at == text || !strchr("([", at[-1]) || !at[length] || !strchr(")]", at[length])))
        at = strstr(at + 1, choice);
    return at;
}

static const char *with_branch(const char *text, const char *choice, const char *branch)
{
    for (const char *at; (at = find_bracketed(text, choice));)
        text = gzt_format("%.*s%s%s", (int)(at - text), text, branch, at + strlen(choice));
    return text;
}

/* An element with choices in its subscripts as a choice between elements. */
static const char *chosen(const char *element, const struct choices *choices)
{
    for (int i = 0; i < choices->count; i++)
        if (find_bracketed(element, choices->whole[i]))
            return gzt_format(
                "(%s ? %s : %s)", choices->condition[i],
                chosen(with_branch(element, choices->whole[i], choices->branch[i][0]), choices),
                chosen(with_branch(element, choices->whole[i], choices->branch[i][1]), choices));
    return element;
}

static const char *choose(struct gzt_frame *frame, const struct gzt_node *element)
{
    struct choices choices = {.count = 0};
    if (!frame->pass->choosing || !gzt_is_number(element->type))
        return NULL;
    frame->pass->choosing = false;
    for (const struct gzt_node *at = element; at->kind == GZT_SUBSCRIPT && at->count == 2;
         at = gzt_bare(at->child[0]))
        find_choices(frame, at->child[1], &choices);
    const char *plain = choices.count ? gzt_expression(frame, element) : NULL;
    frame->pass->choosing = true;
    const char *text = plain ? chosen(plain, &choices) : NULL;
    return text != plain ? text : NULL;
}

/* Whether a pointer is one that `element` makes plainer. */
static bool is_indirect(struct gzt_frame *frame, const struct gzt_node *node)
{
    struct gzt_frame *within;
    const struct gzt_node *by;
    node = gzt_resolve(&frame, node);
    return is_address(node) || moved_pointer(node, &by) ||
           (node->kind == GZT_CALL && result_of(frame, node, &within));
}

/* OBJECT.member or OBJECT->member, by the shortest name of the object. */
static const char *member(struct gzt_frame *frame, const struct gzt_node *node)
{
    const struct gzt_source *source = frame->pass->source;
    const char *name = gzt_member_name(source, node);
    bool arrow = gzt_is_arrow(source, node);
    struct gzt_frame *within = frame;
    const struct gzt_node *object = gzt_resolve(&within, node->child[0]), *result;
    struct gzt_frame *inside;

    while (arrow && object->kind == GZT_CALL && (result = result_of(within, object, &inside))) {
        within = inside;
        object = gzt_resolve(&within, result);
    }
    if (arrow && is_address(object))
        return gzt_format("%s.%s", gzt_operand(within, object->child[0]), name);
    if (!arrow && object->kind == GZT_UNARY && strcmp(object->op, "*") == 0) {
        struct gzt_frame *there = within;
        const struct gzt_node *pointer = gzt_resolve(&there, object->child[0]);
        if (is_address(pointer))
            return gzt_format("%s.%s", gzt_operand(there, pointer->child[0]), name);
        return gzt_format("%s->%s", gzt_operand(there, pointer), name);
    }
    return gzt_format("%s%s%s", gzt_operand(within, object), arrow ? "->" : ".", name);
}

/* --------------------------------------------------------------------------------- statements */

static int find_return(const struct gzt_node *node, void *data)
{
    return node->kind == GZT_RETURN && node != data;
}

static int is_loop(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_FOR;
}

/* A statement of a block; a comma behind it becomes a semicolon, as it may not stay an expression.
 */
static void collect_statement(struct gzt_frame *frame, const struct gzt_node *block, int number,
                              struct edits *edits)
{
    const struct gzt_node *node = block->child[number];
    int next = number + 1 < block->count ? block->child[number + 1]->begin : node->end;
    collect(frame, node, true, edits);
    if (strcmp(gzt_clean(frame->pass->source, node->end, next), ",") == 0)
        add_text(edits, node->end, next, "; ");
}

/* A call as a statement: do { the function's statements } while (0), or false. With `result`, in
 * which the statement puts what the call returns, that is set last. */
static bool write_call(struct gzt_frame *caller, const struct gzt_node *statement,
                       const struct gzt_node *call, const struct gzt_decl *result,
                       struct edits *edits)
{
    const struct gzt_decl *function = call->decl;
    struct gzt_text declared = {0};

    if (!gzt_is_defined(function))
        return false;
    const struct gzt_node *body = function->body;
    const struct gzt_node *last = body->count ? body->child[body->count - 1] : NULL;
    if (last && last->kind != GZT_RETURN)
        last = NULL;
    if (gzt_walk(body, find_return, (void *)last) != 0 ||
        (last && last->count && !gzt_is_harmless(last->child[0])) ||
        (result && (!last || !last->count)))
        return false;
    struct gzt_frame *frame = gzt_enter_call(caller, call, result != NULL, &declared);
    if (!frame)
        return false;
    struct edits within = {0};
    for (int i = 0; i < body->count; i++)
        if (body->child[i] != last)
            collect_statement(frame, body, i, &within);
    if (last)
        add_text(&within, last->begin, last->end,
                 result ? gzt_format("%s = (%s)(%s)", result->name, call->type_name,
                                     gzt_expression(frame, last->child[0]))
                        : "");
    struct written written = {0}, inside = apply(frame, &within, body->begin + 1, body->end - 1);
    bool declares = statement->kind == GZT_DECL;
    if (declares)
        put(&written, gzt_format("%s %s; ", result->type_name, result->name), call->begin);
    put(&written, gzt_format("do { %s", gzt_string(&declared)), call->begin);
    put_written(&written, &inside);
    put(&written, declares ? "} while (0);" : "} while (0)", call->begin);
    add_edit(edits, statement->begin, statement->end, written);
    keep_name(caller->pass->region, function->name);
    return true;
}

/* The same of NUMBER = FUNCTION(...) and TYPE NUMBER = FUNCTION(...);, if the function holds loops.
 */
static bool write_result(struct gzt_frame *frame, const struct gzt_node *node, struct edits *edits)
{
    const struct gzt_node *call = NULL;
    const struct gzt_decl *number = NULL;
    if (node->kind == GZT_DECL && node->count == 1 && node->child[0]->kind == GZT_VARIABLE &&
        node->child[0]->count == 1) {
        number = node->child[0]->decl;
        call = gzt_bare(node->child[0]->child[0]);
    } else if (gzt_assigned(node) && node->count == 2 && strcmp(node->op, "=") == 0) {
        number = gzt_assigned(node);
        call = gzt_bare(node->child[1]);
    }
    if (!call || call->kind != GZT_CALL || !gzt_is_defined(call->decl) ||
        gzt_walk(call->decl->body, is_loop, NULL) == 0)
        return false;
    /* A constant can only be set where it is declared, and what outlives its block only once. */
    bool plain =
        gzt_is_number(number->type) && gzt_is_number(call->decl->result) &&
        !gzt_meaning_of(frame, number) &&
        (node->kind != GZT_DECL || (number->automatic && !strchr(number->type_name, '&') &&
                                    strncmp(number->type_name, "const ", strlen("const ")) != 0 &&
                                    strcmp(number->type_name, "auto") != 0));
    return plain && write_call(frame, node, call, number, edits);
}

/* A declaration: without what stays, and by its new name. */
static void collect_declaration(struct gzt_frame *frame, const struct gzt_node *node,
                                struct edits *edits)
{
    const struct gzt_source *source = frame->pass->source;
    int steady = 0;
    for (int i = 0; i < node->count; i++) {
        const struct gzt_meaning *meaning = gzt_meaning_of(frame, node->child[i]->decl);
        steady += meaning && meaning->node;
    }
    if (steady && steady == node->count) {
        frame->pass->changed++;
        add_text(edits, node->begin, node->end, ";");
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const struct gzt_node *variable = node->child[i];
        const struct gzt_meaning *meaning =
            variable->kind == GZT_VARIABLE ? gzt_meaning_of(frame, variable->decl) : NULL;
        if (meaning && meaning->node) {
            int begin = variable->child[0]->begin;
            while (begin > variable->decl->offset && source->text[begin] != '=')
                begin--;
            frame->pass->changed++;
            add_text(edits, begin, variable->child[0]->end, "");
            continue;
        }
        if (meaning)
            add_text(edits, variable->decl->offset,
                     variable->decl->offset + (int)strlen(variable->decl->name), meaning->name);
        for (int k = 0; k < variable->count; k++)
            collect(frame, variable->child[k], false, edits);
    }
}

/* A name that the text does not have. */
static const char *unused_name(const struct gzt_source *source)
{
    const char *name = "element";
    for (int i = 0; strstr(source->text, name); i++)
        name = gzt_format("element_%d", i);
    return name;
}

/* A block in which a temporary stands for an element that is assigned more than once: its
 * declaration is part of the first such statement, and behind all it is assigned. */
static void collect_block(struct gzt_frame *frame, const struct gzt_node *block,
                          struct edits *edits)
{
    const struct gzt_frame before = *frame;
    /* What a switch assigns in its cases is assigned once. */
    bool once = before.repeated.element;
    for (int i = 0; i < block->count; i++)
        once = once || gzt_is_kind(block->child[i], "SwitchStmt");
    const struct gzt_repeated none = {NULL, NULL, false},
                              found = once ? none : gzt_find_repeated(frame->pass->source, block);
    const struct gzt_node *element = found.element, *first = found.first;

    if (element) {
        frame->repeated_text = gzt_expression(frame, element);
        frame->temporary = unused_name(frame->pass->source);
        frame->repeated = found;
    }
    if (element && first->kind == GZT_IF)
        add_text(edits, first->begin, first->begin,
                 gzt_format("%s %s%s; ", element->type_name, frame->temporary,
                            found.begins ? "" : gzt_format(" = %s", frame->repeated_text)));
    /* The brace may be %>. */
    int end = block->end - (frame->pass->source->text[block->end - 1] == '>' ? 2 : 1);
    for (int i = 0; i < block->count; i++)
        collect_statement(frame, block, i, edits);
    if (element)
        add_text(edits, end, end, gzt_format("%s = %s; ", frame->repeated_text, frame->temporary));
    frame->repeated = before.repeated;
    frame->repeated_text = before.repeated_text;
    frame->temporary = before.temporary;
}

/* What stands in place of an element that is assigned more than once. */
static const char *temporary(struct gzt_frame *frame, const struct gzt_node *node)
{
    const struct gzt_node *first = frame->repeated.first;
    if (first->kind == GZT_IF || node->begin != first->begin)
        return frame->temporary;
    return frame->repeated.begins ? gzt_format("%s %s", node->type_name, frame->temporary)
                                  : gzt_format("%s %s = %s; %s", node->type_name, frame->temporary,
                                               frame->repeated_text, frame->temporary);
}

/* A statement of a short loop, which may leave out those behind it. Returns the braces that it
 * opens. */
static int write_turn(struct gzt_frame *frame, const struct gzt_node *node, struct written *written)
{
    struct edits within = {0};
    if (gzt_is_skip(node)) {
        put(written, gzt_format("if (!(%s)) { ", gzt_expression(frame, node->child[0])),
            node->begin);
        return 1;
    }
    collect(frame, node, true, &within);
    struct written inside = apply(frame, &within, node->begin, node->end);
    put_written(written, &inside);
    put(written, "; ", node->begin);
    return 0;
}

/* A short loop, as its body for one value of the iterator after the other: one statement, as the
 * loop was, whose semicolon follows unless a block ends it. */
static void write_turns(struct gzt_frame *frame, const struct gzt_turns *turns, struct edits *edits)
{
    const struct gzt_node *node = turns->loop.node, *body = node->child[3];
    const struct gzt_decl *iterator = turns->loop.iterator;
    struct written written = {0};

    put(&written, "do { ", node->begin);
    for (long at = turns->first; at < turns->end && frame->pass->bytes <= GZT_MOST_WRITTEN;
         at += turns->loop.step) {
        bool block = body->kind == GZT_BLOCK;
        int braces = 1;
        gzt_mean(frame, iterator, NULL, NULL, gzt_format("((%s)(%ld))", iterator->type_name, at));
        put(&written, "{ ", node->begin);
        for (int i = 0; i < (block ? body->count : 1); i++)
            braces += write_turn(frame, block ? body->child[i] : body, &written);
        for (; braces > 0; braces--)
            put(&written, "} ", node->begin);
        frame->meaning_count--;
    }
    if (!turns->loop.declared_inside)
        put(&written, gzt_format("%s = %ld; ", iterator->name, turns->end), node->begin);
    bool block = strchr("}>", frame->pass->source->text[node->end - 1]) != NULL;
    put(&written, block ? "} while (0);" : "} while (0)", node->begin);
    add_edit(edits, node->begin, node->end, written);
    frame->pass->changed++;
}

static bool has_sign(enum gzt_type type)
{
    return type == GZT_INT || type == GZT_LONG || type == GZT_SMALL;
}

/* The type in which C adds or compares two whole numbers. */
static enum gzt_type common_type(enum gzt_type a, enum gzt_type b)
{
    static const enum gzt_type widest[] = {GZT_ULONG, GZT_LONG, GZT_UINT};
    for (size_t i = 0; i < sizeof widest / sizeof *widest; i++)
        if (a == widest[i] || b == widest[i])
            return widest[i];
    return GZT_INT;
}

/* A bound in that type, or in long in place of int, so that none goes around. */
static const char *of_type(enum gzt_type type, const char *text)
{
    return gzt_format("%s(%s)",
                      type == GZT_UINT    ? "(unsigned)"
                      : type == GZT_ULONG ? "(unsigned long)"
                                          : "(long)",
                      text);
}

/* The summand beside a variable in a sum, or a difference with a sign; NULL if there is none. */
static const struct gzt_node *beside(const struct gzt_node *sum, const struct gzt_decl *variable)
{
    bool plus = gzt_is_binary(sum, "+");
    if ((!plus && !(gzt_is_binary(sum, "-") && has_sign(sum->type))) || !gzt_is_integer(sum->type))
        return NULL;
    int other = gzt_is_ref(sum->child[0], variable)           ? 1
                : plus && gzt_is_ref(sum->child[1], variable) ? 0
                                                              : -1;
    return other >= 0 && !gzt_mentions(sum->child[other], variable) ? sum->child[other] : NULL;
}

/* i + 1 < n in the head of a loop as i < n - 1. That sizes without a sign are no less than what is
 * subtracted, and what becomes one is not negative, is tested where the loops run; a variable with
 * a sign that is compared without must begin at a number. */
static bool write_condition(struct gzt_frame *frame, const struct gzt_node *node,
                            struct edits *edits)
{
    struct gzt_loop loop = {0};
    const struct gzt_node *condition = node->count == 4 ? gzt_bare(node->child[1]) : node;
    bool less = condition->op[0] == '<';
    if (condition->kind != GZT_BINARY || strspn(condition->op, "<>") != 1 ||
        condition->op[1 + (condition->op[1] == '=')] != '\0' ||
        !gzt_read_beginning(node->child[0], &loop) || gzt_meaning_of(frame, loop.iterator))
        return false;
    const struct gzt_node *sum = gzt_bare(condition->child[!less]), *high = condition->child[less];
    const struct gzt_node *by = beside(sum, loop.iterator);
    if (!by || !gzt_is_integer(high->type) || loop.iterator->type == GZT_SMALL)
        return false;
    enum gzt_type added = sum->type, own = gzt_bare(high)->type, type = common_type(added, own);
    bool going_around = !has_sign(added) || !has_sign(type);
    if (going_around &&
        ((by->constant && by->value < 0) ||
         (has_sign(loop.iterator->type) && !(loop.low->constant && loop.low->value >= 0))))
        return false;
    const char *from = gzt_expression(frame, high), *text = gzt_expression(frame, by);
    add_text(
        edits, node->child[1]->begin, node->child[1]->end,
        gzt_format("%s <%s %s %c %s", loop.iterator->name, condition->op + 1,
                   own == type && !has_sign(type) ? gzt_format("(%s)", from) : of_type(type, from),
                   sum->op[0] == '+' ? '-' : '+',
                   by->constant && by->value >= 0 ? gzt_format("%ld", by->value)
                                                  : of_type(type, of_type(added, text))));
    frame->pass->changed++;
    return true;
}

/* a.back() and a.front() as elements by their index. */
static const char *end_element(struct gzt_frame *frame, const struct gzt_node *call)
{
    const char *name = gzt_expression(frame, call->child[0]);
    return strcmp(call->op, "back") == 0 ? gzt_format("%s[%s.size() - 1]", name, name)
                                         : gzt_format("%s[0]", name);
}

/* u = v of two std::vector<T> as a copy of the elements; of two sizes, as one of none. */
static bool write_container_copy(struct gzt_frame *frame, const struct gzt_node *node,
                                 struct edits *edits)
{
    if (node->decl || node->count != 2 ||
        strcmp(gzt_clean(frame->pass->source, node->child[0]->end, node->child[1]->begin), "=") !=
            0)
        return false;
    const struct gzt_node *to = gzt_bare(node->child[0]), *from = gzt_bare(node->child[1]);
    static const char *const types[] = {"double", "float", "int"};
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *name = gzt_format("std::vector<%s", types[i]);
        size_t length = strlen(name);
        known = known ||
                (strncmp(to->type_name, name, length) == 0 && strchr(">,", to->type_name[length]));
    }
    if (!known || strcmp(to->type_name, from->type_name) != 0 || to->kind != GZT_REF ||
        from->kind != GZT_REF)
        return false;
    const char *u = gzt_expression(frame, to), *v = gzt_expression(frame, from);
    add_text(edits, node->begin, node->end,
             gzt_format("__builtin_memcpy(&%s[0], &%s[0], %s.size() == %s.size() ? %s.size() * "
                        "sizeof(%s[0]) : 0)",
                        u, v, u, v, v, v));
    frame->pass->changed++;
    return true;
}

/* Some labels of a switch and the statements behind them, to the break. */
struct cases {
    const struct gzt_node **label, **list;
    int labels, count;
    bool other; /* default is among the labels */
};

static int is_jump(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_UNKNOWN && strstr(node->op, "Stmt") != NULL;
}

/* Takes the labels before a statement; NULL if one is no plain number. */
static const struct gzt_node *take_labels(const struct gzt_node *node, struct cases *cases)
{
    while (gzt_is_kind(node, "CaseStmt") || gzt_is_kind(node, "DefaultStmt")) {
        bool other = gzt_is_kind(node, "DefaultStmt");
        if (node->count != (other ? 1 : 2))
            return NULL;
        const struct gzt_node *label = gzt_bare(node->child[0]);
        if (!other && (!label->constant || label->value < -INT_MAX || label->value > INT_MAX))
            return NULL;
        cases->other = cases->other || other;
        if (!other)
            gzt_push(&cases->label, &cases->labels, label);
        node = node->child[node->count - 1];
    }
    return node;
}

/* Adds statements up to a break; whether there was one. Fails with `*plain` cleared if something
 * else may end them, or declares what others may use. */
static bool take_statement(const struct gzt_node *node, struct cases *cases, bool *plain)
{
    if (gzt_is_kind(node, "BreakStmt"))
        return true;
    if (node->kind == GZT_BLOCK && node->count &&
        gzt_is_kind(node->child[node->count - 1], "BreakStmt")) {
        for (int i = 0; i < node->count; i++) {
            *plain =
                *plain && (i + 1 == node->count || gzt_walk(node->child[i], is_jump, NULL) == 0);
            if (i + 1 < node->count)
                gzt_push(&cases->list, &cases->count, node->child[i]);
        }
        return true;
    }
    *plain = *plain && node->kind != GZT_DECL && gzt_walk(node, is_jump, NULL) == 0;
    gzt_push(&cases->list, &cases->count, node);
    return false;
}

static void write_cases(struct gzt_frame *frame, const struct gzt_node *node,
                        const struct cases *cases, struct written *written)
{
    const char *value = gzt_operand(frame, node->child[0]);
    for (int i = 0; i < cases->labels && !cases->other; i++)
        put(written,
            gzt_format("%s%s == %s", i ? " || " : "if (", value,
                       gzt_operand(frame, cases->label[i])),
            node->begin);
    put(written, cases->other ? "{ " : ") { ", node->begin);
    for (int i = 0; i < cases->count; i++)
        write_turn(frame, cases->list[i], written);
    put(written, "} ", node->begin);
}

/* A switch whose cases end in break, as ifs. */
static bool write_switch(struct gzt_frame *frame, const struct gzt_node *node, struct edits *edits)
{
    struct cases *all = NULL;
    int count = 0, other = -1;
    bool open = false, plain = node->count == 2 && node->child[1]->kind == GZT_BLOCK &&
                               gzt_is_integer(gzt_bare(node->child[0])->type) &&
                               gzt_is_harmless(node->child[0]);
    const struct gzt_node *body = plain ? node->child[1] : NULL;
    all = gzt_alloc((size_t)(plain ? body->count + 1 : 1) * sizeof *all);
    for (int i = 0; plain && i < body->count; i++) {
        const struct gzt_node *statement = body->child[i];
        if (gzt_is_kind(statement, "CaseStmt") || gzt_is_kind(statement, "DefaultStmt")) {
            plain = !open && (statement = take_labels(statement, &all[count])) != NULL;
            other = all[count].other ? count : other;
            open = true;
            count++;
        }
        if (plain && open)
            open = !take_statement(statement, &all[count - 1], &plain);
        else
            plain = plain && statement->kind == GZT_EMPTY;
    }
    if (!plain || count == 0)
        return false;
    struct written written = {0};
    put(&written, "{ ", node->begin);
    for (int i = 0, written_out = 0; i <= count; i++) {
        int at = i < count ? i : other;
        if (at < 0 || i == other)
            continue;
        put(&written, written_out++ ? "else " : "", node->begin);
        write_cases(frame, node, &all[at], &written);
    }
    put(&written, "}", node->begin);
    add_edit(edits, node->begin, node->end, written);
    frame->pass->changed++;
    return true;
}

/* What of a node is written otherwise; `statement` tells whether it is one. */
static void collect(struct gzt_frame *frame, const struct gzt_node *node, bool statement,
                    struct edits *edits)
{
    struct gzt_turns turns;
    const struct gzt_node *result;
    const struct gzt_meaning *meaning;
    struct gzt_frame *within;
    const char *text = NULL;

    switch (node->kind) {
    case GZT_REF:
        if ((meaning = gzt_meaning_of(frame, node->decl)))
            text = gzt_meaning_text(meaning);
        break;
    case GZT_DECL:
        if (statement && write_result(frame, node, edits))
            frame->pass->changed++;
        else
            collect_declaration(frame, node, edits);
        return;
    case GZT_MEMBER:
        if (node->count == 1 && !node->is_size) {
            const char *plain = gzt_node_text(frame->pass->source, node);
            const char *other = member(frame, node);
            text = strcmp(plain, other) != 0 ? other : NULL;
        }
        break;
    case GZT_UNARY:
        if (strcmp(node->op, "*") == 0 && is_indirect(frame, node->child[0]))
            text = element(frame, node->child[0], NULL);
        break;
    case GZT_FOR:
        if (gzt_find_turns(frame->pass->source, node, &turns)) {
            write_turns(frame, &turns, edits);
            return;
        }
        if (write_condition(frame, node, edits)) {
            collect(frame, node->child[0], false, edits);
            collect(frame, node->child[2], false, edits);
            collect(frame, node->child[3], true, edits);
            return;
        }
        break;
    case GZT_BLOCK:
        collect_block(frame, node, edits);
        return;
    case GZT_SUBSCRIPT:
        if (gzt_is_repeated(frame->pass->source, &frame->repeated, node))
            text = temporary(frame, node);
        else if (node->count == 2 && gzt_bare(node->child[0])->type == GZT_POINTER &&
                 is_indirect(frame, node->child[0]))
            text = element(frame, node->child[0], gzt_expression(frame, node->child[1]));
        else
            text = choose(frame, node);
        break;
    case GZT_CALL:
        if (statement && write_container_copy(frame, node, edits))
            return;
        if (node->op[0] && strcmp(node->op, "data") != 0)
            text = end_element(frame, node);
        if (statement && write_call(frame, node, node, NULL, edits)) {
            frame->pass->changed++;
            return;
        }
        if (!statement && (result = result_of(frame, node, &within))) {
            text = gzt_operand(within, result);
            if (gzt_is_number(node->decl->result) && gzt_bare(result)->type != node->decl->result)
                text = gzt_format("((%s)%s)", node->type_name, text);
        }
        break;
    case GZT_UNKNOWN:
        if (gzt_is_kind(node, "SwitchStmt") && write_switch(frame, node, edits))
            return;
        break;
    case GZT_BINARY:
        if (statement && write_result(frame, node, edits)) {
            frame->pass->changed++;
            return;
        }
        break;
    default:
        break;
    }
    if (text) {
        frame->pass->changed++;
        add_text(edits, node->begin, node->end, text);
        return;
    }
    for (int i = 0; i < node->count; i++) {
        bool list = node->kind == GZT_BLOCK || (node->kind == GZT_FOR && i + 1 == node->count) ||
                    (node->kind == GZT_IF && i > 0);
        /* What is set, or whose address is taken, must stay an element. */
        bool address = node->kind == GZT_UNARY && strcmp(node->op, "&") == 0;
        bool place = i == 0 && (gzt_is_assignment(node) || address);
        bool choosing = frame->pass->choosing;
        frame->pass->choosing = choosing && !place;
        collect(frame, node->child[i], list, edits);
        frame->pass->choosing = choosing;
    }
}

/* The body of the time loop that a statement is or holds. */
static void collect_loop(struct gzt_pass *pass, const struct gzt_node *node, struct edits *edits)
{
    bool is_while = gzt_is_kind(node, "WhileStmt"), is_do = gzt_is_kind(node, "DoStmt");
    if (node->kind == GZT_BLOCK)
        for (int i = 0; i < node->count; i++)
            collect_loop(pass, node->child[i], edits);
    if ((node->kind != GZT_FOR && !is_while && !is_do) || node->count == 0)
        return;
    struct gzt_frame *frame = gzt_alloc(sizeof *frame);
    frame->pass = pass;
    frame->body = node->child[is_do ? 0 : node->count - 1];
    gzt_find_changes(frame);
    gzt_take_steady(frame, frame->body);
    if (frame->body->kind != GZT_BLOCK)
        collect(frame, frame->body, true, edits);
    else
        for (int i = 0; i < frame->body->count; i++)
            if (!gzt_stays(frame, frame->body->child[i]))
                collect_statement(frame, frame->body, i, edits);
}

/* The function around a place, from behind the one before it. */
static void find_function(struct gzt_pass *pass, int place)
{
    pass->begin = 0;
    pass->end = pass->source->length;
    for (int i = 0; i < pass->tree->function_count; i++) {
        const struct gzt_node *body = pass->tree->functions[i];
        if (body->end <= place && body->end > pass->begin)
            pass->begin = body->end;
        if (body->begin < place && body->end > place)
            pass->end = body->end;
    }
}

bool gzt_inline(const struct gzt_source *source, const struct gzt_tree *tree,
                struct gzt_region *const *regions, int count, bool choosing,
                struct gzt_source *written)
{
    struct gzt_pass pass = {.source = source, .tree = tree, .choosing = choosing};
    struct gzt_frame whole = {.pass = &pass};
    struct edits edits = {0};

    for (int i = 0; i < count; i++) {
        pass.region = regions[i];
        find_function(&pass, regions[i]->begin);
        for (int k = 0; k < regions[i]->statement_count; k++)
            collect_loop(&pass, regions[i]->statements[k], &edits);
    }
    if (pass.changed == 0 || pass.bytes > GZT_MOST_WRITTEN)
        return false;
    struct written text = apply(&whole, &edits, 0, source->length);
    *written = *source;
    written->before = source;
    written->text = gzt_string(&text.text);
    written->length = (int)text.text.length;
    written->pieces = text.pieces;
    written->piece_count = text.count;
    written->failed = false;
    written->error = NULL;
    return true;
}
