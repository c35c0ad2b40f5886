/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inline.h"

#include "reads.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, MOST_BYTES = 1 << 20 };

/* Text that is being written, and where its bytes came from. */
struct written {
    struct gzt_text text;
    struct gzt_piece **pieces;
    int count;
};

/* What a parameter or variable of a function is where the function is written out: an expression
 * of another frame, or a variable of a name that means nothing else there. */
struct meaning {
    const struct gzt_decl *decl;
    const struct gzt_node *node; /* the expression, NULL if it stays a variable */
    struct frame *frame;         /* in which it is to be read */
    const char *name;            /* of the variable */
};

/* An assignment to a variable or member of that name, "*" if it cannot be told. */
struct change {
    const char *name;
    const struct gzt_decl *decl; /* NULL for members */
    int offset;
};

/* The loop over the time, or a function while it is written out in it. */
struct frame {
    struct pass *pass;
    struct frame *caller;
    const struct gzt_decl *function; /* NULL for the loop over the time */
    const struct gzt_node *body;
    struct meaning **meanings;
    int meaning_count;
    struct change **changes;
    int change_count;
    int depth;
};

struct pass {
    const struct gzt_source *source;
    const struct gzt_tree *tree;
    int begin, end; /* of the function around the loop over the time, its parameters included */
    int changed;
    size_t bytes;
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

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a name stands in a text as a word. */
static bool names(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at && length; at = strstr(at + 1, name))
        if ((at == text || !is_name_byte(at[-1])) && !is_name_byte(at[length]))
            return true;
    return false;
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

static void collect(struct frame *frame, const struct gzt_node *node, bool statement,
                    struct edits *edits);

/* The stretch of a node with its edits; of two that overlap, as in int a = X, b = Y, the first. */
static struct written apply(struct frame *frame, struct edits *edits, int begin, int end)
{
    struct pass *pass = frame->pass;
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
static const char *expression(struct frame *frame, const struct gzt_node *node)
{
    struct edits edits = {0};
    collect(frame, node, false, &edits);
    struct written written = apply(frame, &edits, node->begin, node->end);
    struct gzt_source text = {.text = gzt_string(&written.text)};
    return gzt_clean(&text, 0, (int)written.text.length);
}

/* The same, so that it can stand anywhere: in parentheses, where it needs them. */
static const char *operand(struct frame *frame, const struct gzt_node *node)
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
        return expression(frame, node);
    default:
        return gzt_format("(%s)", expression(frame, node));
    }
}

/* ---------------------------------------------------------------------------------- meanings */

static const struct meaning *meaning_of(const struct frame *frame, const struct gzt_decl *decl)
{
    for (int i = 0; decl && i < frame->meaning_count; i++)
        if (frame->meanings[i]->decl == decl)
            return frame->meanings[i];
    return NULL;
}

static void mean(struct frame *frame, const struct gzt_decl *decl, const struct gzt_node *node,
                 struct frame *where, const char *name)
{
    struct meaning *meaning = gzt_alloc(sizeof *meaning);
    *meaning = (struct meaning){decl, node, where, name};
    gzt_push(&frame->meanings, &frame->meaning_count, meaning);
}

/* What a node comes to by way of parameters and variables that stand for something else. */
static const struct gzt_node *resolve(struct frame **frame, const struct gzt_node *node)
{
    for (;;) {
        node = gzt_bare(node);
        const struct meaning *meaning =
            node->kind == GZT_REF ? meaning_of(*frame, node->decl) : NULL;
        if (!meaning || !meaning->node)
            return node;
        *frame = meaning->frame;
        node = meaning->node;
    }
}

static bool is_number(enum gzt_type type)
{
    return type != GZT_POINTER && type != GZT_OTHER;
}

static bool is_whole(enum gzt_type type)
{
    return is_number(type) && type != GZT_FLOAT && type != GZT_DOUBLE;
}

static bool is_reference(const struct gzt_decl *decl)
{
    return strchr(decl->type_name, '&') != NULL;
}

static const char *with_type(const struct gzt_decl *decl, const char *type_name, const char *text)
{
    if (!is_number(decl->type) || strcmp(decl->type_name, type_name) == 0)
        return text;
    return gzt_format("((%s)(%s))", decl->type_name, text);
}

/* What stands for a reference. */
static const char *meaning_text(const struct meaning *meaning)
{
    if (!meaning->node)
        return meaning->name;
    return with_type(meaning->decl, gzt_bare(meaning->node)->type_name,
                     operand(meaning->frame, meaning->node));
}

/* ----------------------------------------------------------------------------- what may change */

static bool is_own(const struct gzt_decl *function, const struct gzt_node *body,
                   const struct gzt_decl *decl)
{
    for (int i = 0; function && i < function->parameter_count; i++)
        if (function->parameters[i] == decl)
            return true;
    return decl->offset > body->begin && decl->offset < body->end;
}

static bool is_defined(const struct gzt_decl *function)
{
    return function && function->body && function->body->kind == GZT_BLOCK &&
           strncmp(function->usr, "c:@N@std@", 9) != 0;
}

/* What something is looked through for. */
struct search {
    const struct gzt_source *source;
    const struct gzt_decl *function, *decl;
    const struct gzt_node *body;
    struct change **changes;
    int count, depth, last;
};

static const char *member_name(const struct gzt_source *source, const struct gzt_node *node)
{
    const char *text = gzt_node_text(source, node), *end = text + strlen(text);
    while (end > text && is_name_byte(end[-1]))
        end--;
    return end;
}

static void add_change(struct search *search, const char *name, const struct gzt_decl *decl,
                       int offset)
{
    struct change *change = gzt_alloc(sizeof *change);
    *change = (struct change){name, decl, offset};
    gzt_push(&search->changes, &search->count, change);
}

static int find_change(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    if (node->kind == GZT_CALL && is_defined(node->decl) && search->depth < DEEPEST) {
        struct search within = {.source = search->source,
                                .function = node->decl,
                                .body = node->decl->body,
                                .depth = search->depth + 1};
        gzt_walk(node->decl->body, find_change, &within);
        for (int i = 0; i < within.count; i++) {
            const struct change *change = within.changes[i];
            if (!change->decl || !is_own(node->decl, node->decl->body, change->decl))
                add_change(search, change->name, change->decl, node->begin);
            else if (is_reference(change->decl))
                add_change(search, "*", NULL, node->begin);
        }
        return 0;
    }
    if (!gzt_is_assignment(node))
        return 0;
    const struct gzt_node *target = gzt_bare(node->child[0]);
    if (target->kind == GZT_REF)
        add_change(search, target->decl->name, target->decl, node->begin);
    else if (target->kind == GZT_MEMBER)
        add_change(search, member_name(search->source, target), NULL, node->begin);
    else if (!is_number(target->type) || (target->kind != GZT_SUBSCRIPT &&
                                          !(target->kind == GZT_UNARY && target->op[0] == '*' &&
                                            gzt_bare(target->child[0])->kind != GZT_REF &&
                                            gzt_bare(target->child[0])->kind != GZT_MEMBER)))
        add_change(search, "*", NULL, node->begin);
    return 0;
}

static void find_changes(struct frame *frame)
{
    struct search search = {
        .source = frame->pass->source, .function = frame->function, .body = frame->body};
    gzt_walk(frame->body, find_change, &search);
    frame->changes = search.changes;
    frame->change_count = search.count;
}

/* Whether an assignment may change the value of an expression, given as the text of what its value
 * hangs on. */
static bool may_change(const struct change *change, const char *text)
{
    return *text && (strcmp(change->name, "*") == 0 || names(text, change->name));
}

/* An expression that does nothing but compute. */
static int is_harmful(const struct gzt_node *node, void *data)
{
    int *depth = data;
    if (gzt_is_assignment(node) || node->kind == GZT_UNKNOWN)
        return 1;
    if (node->kind != GZT_CALL)
        return 0;
    if (node->decl && !is_defined(node->decl) && gzt_find_math(node->decl->name))
        return 0;
    if (!is_defined(node->decl) || *depth == DEEPEST)
        return 1;
    ++*depth;
    int harmful = 0;
    for (int i = 0; i < node->decl->body->count && !harmful; i++) {
        const struct gzt_node *statement = node->decl->body->child[i];
        bool plain = statement->kind == GZT_RETURN || statement->kind == GZT_DECL;
        harmful = !plain || gzt_walk(statement, is_harmful, depth);
    }
    --*depth;
    return harmful;
}

static bool is_harmless(const struct gzt_node *node)
{
    int depth = 0;
    return gzt_walk(node, is_harmful, &depth) == 0;
}

static int is_element(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_CALL ||
           (node->kind == GZT_UNARY && node->op[0] == '*');
}

static bool is_arrow(const struct gzt_source *source, const struct gzt_node *member)
{
    int at = member->count ? member->child[0]->end : member->begin;
    while (at < member->end && isspace((unsigned char)source->text[at]))
        at++;
    return source->text[at] == '-';
}

/* What the value of an expression hangs on: all of its names, but not the variable whose address it
 * is. */
static const char *dependences(struct frame *frame, const struct gzt_node *node)
{
    const struct gzt_source *source = frame->pass->source;
    node = gzt_bare(node);
    if (node->kind != GZT_UNARY || strcmp(node->op, "&") != 0)
        return expression(frame, node);
    const struct gzt_node *object = gzt_bare(node->child[0]);
    while (object->kind == GZT_MEMBER && object->count == 1) {
        if (is_arrow(source, object))
            return expression(frame, object->child[0]);
        object = gzt_bare(object->child[0]);
    }
    return object->kind == GZT_REF ? "" : expression(frame, object);
}

/* ---------------------------------------------------------------------- variables that stay */

static int find_last_use(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    if (node->kind == GZT_REF && node->decl == search->decl && node->begin > search->last)
        search->last = node->begin;
    return 0;
}

/* Whether a call may change a variable that it is given by reference. */
static bool is_given(const struct gzt_node *call, const struct gzt_decl *decl)
{
    for (int i = 0; i < call->count; i++) {
        const struct gzt_node *argument = gzt_bare(call->child[i]);
        bool known = call->decl && i < call->decl->parameter_count;
        if (argument->kind == GZT_REF && argument->decl == decl &&
            (!known || is_reference(call->decl->parameters[i])))
            return true;
    }
    return false;
}

/* An assignment to a variable, its address taken, or a member of a structure set in it. */
static int is_modification(const struct gzt_node *node, void *data)
{
    const struct search *search = data;
    const struct gzt_node *target;
    if (node->kind == GZT_CALL)
        return search->source->cxx && is_given(node, search->decl);
    if (gzt_is_assignment(node))
        target = gzt_bare(node->child[0]);
    else if (node->kind == GZT_UNARY && strcmp(node->op, "&") == 0)
        target = gzt_bare(node->child[0]);
    else
        return 0;
    while (target->kind == GZT_MEMBER && target->count == 1 && !is_arrow(search->source, target))
        target = gzt_bare(target->child[0]);
    return target->kind == GZT_REF && target->decl == search->decl;
}

/* Whether an offset lies in a loop within a block. */
static bool in_inner_loop(const struct gzt_node *node, int offset)
{
    for (int i = 0; i < node->count; i++) {
        const struct gzt_node *child = node->child[i];
        bool loop = child->kind == GZT_FOR ||
                    (child->kind == GZT_UNKNOWN && strstr(child->op, "Stmt") != NULL);
        if (offset >= child->begin && offset < child->end && (loop || in_inner_loop(child, offset)))
            return true;
    }
    return false;
}

/* Whether an inner declaration of a block gives a name that stands in a text another meaning. */
static bool is_hidden(const struct pass *pass, const struct gzt_node *block, const char *text,
                      int behind)
{
    for (int i = 0; i < pass->tree->decl_count; i++) {
        const struct gzt_decl *decl = pass->tree->decls[i];
        if (decl->offset > behind && decl->offset < block->end && names(text, decl->name))
            return true;
    }
    return false;
}

/* Whether a variable of a block, a pointer or a whole number, is what it is set to wherever it is
 * used. */
static bool is_steady(struct frame *frame, const struct gzt_node *block,
                      const struct gzt_node *variable)
{
    const struct gzt_decl *decl = variable->decl;
    struct search search = {.source = frame->pass->source, .decl = decl, .last = variable->end};

    if (variable->count != 1 || !decl->automatic || is_reference(decl) ||
        !(decl->type == GZT_POINTER ? !decl->is_static_array : is_whole(decl->type)))
        return false;
    const struct gzt_node *value = variable->child[0];
    if (!is_harmless(value) || value->type == GZT_OTHER ||
        (is_whole(decl->type) &&
         (!is_whole(gzt_bare(value)->type) || gzt_walk(value, is_element, NULL))) ||
        gzt_walk(block, is_modification, &search) != 0)
        return false;
    gzt_walk(block, find_last_use, &search);
    const char *text = dependences(frame, value);
    if (is_hidden(frame->pass, block, text, variable->end))
        return false;
    for (int i = 0; i < frame->change_count; i++) {
        const struct change *change = frame->changes[i];
        if (change->offset > variable->end && change->offset < block->end &&
            may_change(change, text) &&
            (change->offset < search.last || in_inner_loop(block, change->offset)))
            return false;
    }
    return true;
}

static bool same_shape(const char *a, const char *b);

/* The declarations of a block whose variables become what they are set to. */
static void take_steady(struct frame *frame, const struct gzt_node *node)
{
    for (int i = 0; node->kind == GZT_BLOCK && i < node->count; i++)
        for (int k = 0; node->child[i]->kind == GZT_DECL && k < node->child[i]->count; k++) {
            const struct gzt_node *variable = node->child[i]->child[k];
            if (variable->kind != GZT_VARIABLE || meaning_of(frame, variable->decl) ||
                !is_steady(frame, node, variable))
                continue;
            const struct gzt_node *value = variable->child[0];
            if (variable->decl->type != GZT_POINTER ||
                same_shape(variable->decl->type_name, gzt_bare(value)->type_name))
                mean(frame, variable->decl, value, frame, NULL);
        }
    for (int i = 0; i < node->count; i++)
        take_steady(frame, node->child[i]);
}

/* ------------------------------------------------------------------------------- calls */

/* A pointer's type without qualifiers and sizes, an array as the pointer that it becomes: what it
 * points to, and how many pointers (P) and arrays (A) lead there. */
static const char *shape(const char *type)
{
    static const char *const qualifiers[] = {"const", "volatile", "restrict", "__restrict"};
    struct gzt_text base = {0}, levels = {0};
    int stars = 0, inner = 0, arrays = 0, depth = 0;
    bool open = false;

    for (const char *c = type; *c;) {
        size_t length = 0;
        while (is_name_byte(c[length]))
            length++;
        bool skip = false;
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
            skip =
                skip || (strlen(qualifiers[i]) == length && strncmp(c, qualifiers[i], length) == 0);
        if (length && depth == 0 && !skip)
            gzt_add(&base, "%.*s ", (int)length, c);
        if (length) {
            c += length;
            continue;
        }
        if (*c == '[')
            arrays += depth++ == 0;
        else if (*c == ']')
            depth--;
        else if (depth == 0 && *c == '*')
            *(open ? &inner : &stars) += 1;
        else if (depth == 0 && *c == '(' && open)
            return NULL;
        else if (depth == 0 && *c == '(')
            open = true;
        else if (depth == 0 && !strchr(" )", *c))
            return NULL;
        c++;
    }
    if (open && (inner == 0 || arrays == 0))
        return NULL;
    for (int i = 0; i < inner; i++)
        gzt_add(&levels, "P");
    for (int i = 0; i < arrays; i++)
        gzt_add(&levels, i == 0 && inner == 0 ? "P" : "A");
    for (int i = 0; i < stars; i++)
        gzt_add(&levels, "P");
    return gzt_format("%s%s", gzt_string(&levels), gzt_string(&base));
}

static bool same_shape(const char *a, const char *b)
{
    const char *x = shape(a), *y = shape(b);
    return x && y && strcmp(x, y) == 0;
}

/* Whether a name means something else where a frame's text is written. */
static bool is_captured(const struct frame *frame, const char *name)
{
    const struct pass *pass = frame->pass;
    for (const struct frame *f = frame->caller; f; f = f->caller) {
        if (!f->function)
            continue;
        for (int i = 0; i < pass->tree->decl_count; i++) {
            const struct gzt_decl *decl = pass->tree->decls[i];
            if (decl->variable && is_own(NULL, f->body, decl) && strcmp(decl->name, name) == 0)
                return true;
        }
        for (int i = 0; i < f->meaning_count; i++)
            if (f->meanings[i]->name && strcmp(f->meanings[i]->name, name) == 0)
                return true;
    }
    for (int i = 0; i < pass->tree->decl_count; i++) {
        const struct gzt_decl *decl = pass->tree->decls[i];
        if (decl->variable && decl->offset > pass->begin && decl->offset < pass->end &&
            strcmp(decl->name, name) == 0)
            return true;
    }
    return false;
}

/* What cannot be written out elsewhere: variables that live on, names that mean something else
 * there. */
static int cannot_move(const struct gzt_node *node, void *data)
{
    const struct frame *frame = data;
    if (node->kind == GZT_VARIABLE)
        return !node->decl->automatic;
    if ((node->kind != GZT_REF && node->kind != GZT_CALL) || !node->decl)
        return 0;
    return !(node->decl->variable && is_own(frame->function, frame->body, node->decl)) &&
           is_captured(frame, node->decl->name);
}

static bool is_written_before(const struct frame *frame, const struct gzt_decl *function)
{
    for (; frame; frame = frame->caller)
        if (frame->function == function)
            return true;
    return false;
}

/* A name for a variable that stands nowhere in the text. */
static const char *fresh_name(const struct gzt_source *source, const char *name)
{
    for (int i = 1;; i++) {
        const char *other = gzt_format("%s_%d", name, i);
        if (!names(source->text, other))
            return other;
    }
}

struct renaming {
    struct frame *frame;
    const char *mentioned; /* by the arguments */
};

static int rename_variable(const struct gzt_node *node, void *data)
{
    struct renaming *renaming = data;
    struct frame *frame = renaming->frame;
    if (node->kind == GZT_VARIABLE && !meaning_of(frame, node->decl) &&
        names(renaming->mentioned, node->decl->name))
        mean(frame, node->decl, NULL, NULL, fresh_name(frame->pass->source, node->decl->name));
    return 0;
}

/* Gives a parameter its meaning: the argument, or, if `declared` is given and the argument may not
 * be read later, a variable that is declared there. */
static bool pass_argument(struct frame *frame, const struct gzt_decl *parameter,
                          const struct gzt_node *argument, const char *mentioned,
                          struct gzt_text *declared)
{
    struct search search = {.source = frame->pass->source, .decl = parameter};
    const struct gzt_node *bare = gzt_bare(argument);
    const char *text = dependences(frame->caller, argument);
    bool number = is_number(parameter->type), keep = true;

    if (!is_harmless(argument))
        return false;
    if (is_reference(parameter)) {
        size_t length = strlen(bare->type_name);
        const char *rest = parameter->type_name + length;
        if ((bare->kind != GZT_REF && bare->kind != GZT_MEMBER) ||
            strncmp(bare->type_name, parameter->type_name, length) != 0 ||
            strspn(rest, " &") != strlen(rest))
            return false;
        mean(frame, parameter, argument, frame->caller, NULL);
        return true;
    }
    if (gzt_walk(frame->body, is_modification, &search) != 0)
        return false;
    if (number
            ? !is_number(bare->type)
            : (parameter->type == GZT_OTHER ? strcmp(bare->type_name, parameter->type_name) != 0
                                            : !same_shape(bare->type_name, parameter->type_name)))
        return false;
    for (int i = 0; i < frame->change_count && keep; i++) {
        const struct change *change = frame->changes[i];
        keep = (change->decl && is_own(frame->function, frame->body, change->decl)) ||
               !may_change(change, text);
    }
    if (declared && number && gzt_walk(argument, is_element, NULL))
        keep = false;
    if (keep) {
        mean(frame, parameter, argument, frame->caller, NULL);
        return true;
    }
    if (!declared || !number)
        return false;
    const char *name = names(mentioned, parameter->name)
                           ? fresh_name(frame->pass->source, parameter->name)
                           : parameter->name;
    gzt_add(declared, "%s %s = %s; ", parameter->type_name, name,
            expression(frame->caller, argument));
    mean(frame, parameter, NULL, NULL, name);
    return true;
}

/* Makes the frame of a call. With `declared`, arguments may become variables. */
static struct frame *enter(struct frame *caller, const struct gzt_node *call,
                           struct gzt_text *declared)
{
    const struct gzt_decl *function = call->decl;
    if (!is_defined(function) || call->count != function->parameter_count ||
        is_written_before(caller, function) || caller->depth == DEEPEST ||
        caller->pass->bytes > MOST_BYTES)
        return NULL;
    struct frame *frame = gzt_alloc(sizeof *frame);
    *frame = (struct frame){.pass = caller->pass,
                            .caller = caller,
                            .function = function,
                            .body = function->body,
                            .depth = caller->depth + 1};
    struct gzt_text mentioned = {0};
    if (gzt_walk(function->body, cannot_move, frame) != 0)
        return NULL;
    find_changes(frame);
    for (int i = 0; i < call->count; i++) {
        if (call->child[i]->begin < call->begin || call->child[i]->end > call->end)
            return NULL; /* a default, which stands elsewhere */
        gzt_add(&mentioned, "%s ", expression(caller, call->child[i]));
    }
    for (int i = 0; i < call->count; i++)
        if (!pass_argument(frame, function->parameters[i], call->child[i], gzt_string(&mentioned),
                           declared))
            return NULL;
    take_steady(frame, function->body);
    struct renaming renaming = {frame, gzt_string(&mentioned)};
    gzt_walk(function->body, rename_variable, &renaming);
    return frame;
}

static int reaches_out(const struct gzt_node *node, void *data)
{
    const struct gzt_decl *function = data;
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_MEMBER ||
           (node->kind == GZT_UNARY && node->op[0] == '*') ||
           (node->kind == GZT_REF && node->decl->variable &&
            !is_own(function, function->body, node->decl));
}

/* Whether a function is nothing but arithmetic of its arguments, which may be called as it is. */
static bool is_arithmetic(const struct gzt_decl *function)
{
    for (int i = 0; i < function->parameter_count; i++)
        if (!is_number(function->parameters[i]->type))
            return false;
    return is_number(function->result) &&
           gzt_walk(function->body, reaches_out, (void *)function) == 0;
}

/* What a function returns that does nothing else but declare what stays, and the frame in which it
 * is to be read; NULL if it does more, or need not be written out. */
static const struct gzt_node *result_of(struct frame *caller, const struct gzt_node *call,
                                        struct frame **frame)
{
    const struct gzt_decl *function = call->decl;
    if (!is_defined(function) || function->body->count == 0)
        return NULL;
    const struct gzt_node *last = function->body->child[function->body->count - 1];
    if (last->kind != GZT_RETURN || last->count != 1 || !is_harmless(last->child[0]) ||
        function->result == GZT_OTHER || function->result == GZT_SMALL || is_arithmetic(function))
        return NULL;
    *frame = enter(caller, call, NULL);
    if (!*frame)
        return NULL;
    for (int i = 0; i + 1 < function->body->count; i++) {
        const struct gzt_node *statement = function->body->child[i];
        if (statement->kind != GZT_DECL && statement->kind != GZT_EMPTY)
            return NULL;
        for (int k = 0; k < statement->count; k++)
            if (statement->child[k]->kind != GZT_VARIABLE ||
                !meaning_of(*frame, statement->child[k]->decl) ||
                !meaning_of(*frame, statement->child[k]->decl)->node)
                return NULL;
    }
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
    if (gzt_bare(pointer)->type != GZT_POINTER || !is_whole(gzt_bare(*by)->type) ||
        (node->op[0] == '-' && !first))
        return NULL;
    return pointer;
}

static const char *sum_of(const char *a, const char *b)
{
    return !b ? a : !a ? b : gzt_format("(long)(%s) + (long)(%s)", a, b);
}

/* The element that lies `index` behind a pointer. */
static const char *element(struct frame *frame, const struct gzt_node *node, const char *index)
{
    struct frame *within;
    const struct gzt_node *by, *next;

    node = resolve(&frame, node);
    if (node->kind == GZT_CALL && (next = result_of(frame, node, &within)))
        return element(within, next, index);
    if ((next = moved_pointer(node, &by))) {
        const char *step = expression(frame, by);
        return element(frame, next,
                       sum_of(node->op[0] == '-' ? gzt_format("-(long)(%s)", step) : step, index));
    }
    if (is_address(node)) {
        next = gzt_bare(node->child[0]);
        if (next->kind == GZT_SUBSCRIPT && next->count == 2)
            return element(frame, next->child[0], sum_of(expression(frame, next->child[1]), index));
        if (!index)
            return operand(frame, next);
    }
    const char *text = operand(frame, node);
    return index ? gzt_format("%s[%s]", text, index) : gzt_format("(*%s)", text);
}

/* Whether a pointer is one that `element` makes plainer. */
static bool is_indirect(struct frame *frame, const struct gzt_node *node)
{
    struct frame *within;
    const struct gzt_node *by;
    node = resolve(&frame, node);
    return is_address(node) || moved_pointer(node, &by) ||
           (node->kind == GZT_CALL && result_of(frame, node, &within));
}

/* OBJECT.member or OBJECT->member, by the shortest name of the object. */
static const char *member(struct frame *frame, const struct gzt_node *node)
{
    const struct gzt_source *source = frame->pass->source;
    const char *name = member_name(source, node);
    bool arrow = is_arrow(source, node);
    struct frame *within = frame;
    const struct gzt_node *object = resolve(&within, node->child[0]), *result;
    struct frame *inside;

    while (arrow && object->kind == GZT_CALL && (result = result_of(within, object, &inside))) {
        within = inside;
        object = resolve(&within, result);
    }
    if (arrow && is_address(object))
        return gzt_format("%s.%s", operand(within, object->child[0]), name);
    if (!arrow && object->kind == GZT_UNARY && strcmp(object->op, "*") == 0) {
        struct frame *there = within;
        const struct gzt_node *pointer = resolve(&there, object->child[0]);
        if (is_address(pointer))
            return gzt_format("%s.%s", operand(there, pointer->child[0]), name);
        return gzt_format("%s->%s", operand(there, pointer), name);
    }
    return gzt_format("%s%s%s", operand(within, object), arrow ? "->" : ".", name);
}

/* --------------------------------------------------------------------------------- statements */

static int find_return(const struct gzt_node *node, void *data)
{
    return node->kind == GZT_RETURN && node != data;
}

/* A call as a statement: do { the function's statements } while (0), or false. */
static bool write_call(struct frame *caller, const struct gzt_node *call, struct edits *edits)
{
    const struct gzt_decl *function = call->decl;
    struct gzt_text declared = {0};

    if (!is_defined(function))
        return false;
    const struct gzt_node *body = function->body;
    const struct gzt_node *last = body->count ? body->child[body->count - 1] : NULL;
    if (last && last->kind != GZT_RETURN)
        last = NULL;
    if (gzt_walk(body, find_return, (void *)last) != 0 ||
        (last && last->count && !is_harmless(last->child[0])))
        return false;
    struct frame *frame = enter(caller, call, &declared);
    if (!frame)
        return false;
    struct edits within = {0};
    for (int i = 0; i < body->count; i++)
        if (body->child[i] != last)
            collect(frame, body->child[i], true, &within);
    if (last)
        add_text(&within, last->begin, last->end, "");
    struct written written = {0}, inside = apply(frame, &within, body->begin + 1, body->end - 1);
    put(&written, gzt_format("do { %s", gzt_string(&declared)), call->begin);
    put_written(&written, &inside);
    put(&written, "} while (0)", call->begin);
    add_edit(edits, call->begin, call->end, written);
    return true;
}

/* A declaration: without what stays, and by its new name. */
static void collect_declaration(struct frame *frame, const struct gzt_node *node,
                                struct edits *edits)
{
    const struct gzt_source *source = frame->pass->source;
    int steady = 0;
    for (int i = 0; i < node->count; i++) {
        const struct meaning *meaning = meaning_of(frame, node->child[i]->decl);
        steady += meaning && meaning->node;
    }
    if (steady && steady == node->count) {
        frame->pass->changed++;
        add_text(edits, node->begin, node->end, ";");
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const struct gzt_node *variable = node->child[i];
        const struct meaning *meaning =
            variable->kind == GZT_VARIABLE ? meaning_of(frame, variable->decl) : NULL;
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

/* What of a node is written otherwise; `statement` tells whether it is one. */
static void collect(struct frame *frame, const struct gzt_node *node, bool statement,
                    struct edits *edits)
{
    const struct gzt_node *result;
    const struct meaning *meaning;
    struct frame *within;
    const char *text = NULL;

    switch (node->kind) {
    case GZT_REF:
        if ((meaning = meaning_of(frame, node->decl)))
            text = meaning_text(meaning);
        break;
    case GZT_DECL:
        collect_declaration(frame, node, edits);
        return;
    case GZT_MEMBER:
        if (node->count == 1) {
            const char *plain = gzt_node_text(frame->pass->source, node);
            const char *other = member(frame, node);
            text = strcmp(plain, other) != 0 ? other : NULL;
        }
        break;
    case GZT_UNARY:
        if (strcmp(node->op, "*") == 0 && is_indirect(frame, node->child[0]))
            text = element(frame, node->child[0], NULL);
        break;
    case GZT_SUBSCRIPT:
        if (node->count == 2 && gzt_bare(node->child[0])->type == GZT_POINTER &&
            is_indirect(frame, node->child[0]))
            text = element(frame, node->child[0], expression(frame, node->child[1]));
        break;
    case GZT_CALL:
        if (statement && write_call(frame, node, edits)) {
            frame->pass->changed++;
            return;
        }
        if (!statement && (result = result_of(frame, node, &within))) {
            text = operand(within, result);
            if (is_number(node->decl->result) && gzt_bare(result)->type != node->decl->result)
                text = gzt_format("((%s)%s)", node->type_name, text);
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
        collect(frame, node->child[i], list, edits);
    }
}

/* The body of the loop over the time that a statement is or holds. */
static void collect_loop(struct pass *pass, const struct gzt_node *node, struct edits *edits)
{
    bool is_while = node->kind == GZT_UNKNOWN && strcmp(node->op, "WhileStmt") == 0;
    if (node->kind == GZT_BLOCK)
        for (int i = 0; i < node->count; i++)
            collect_loop(pass, node->child[i], edits);
    if ((node->kind != GZT_FOR && !is_while) || node->count == 0)
        return;
    struct frame *frame = gzt_alloc(sizeof *frame);
    frame->pass = pass;
    frame->body = node->child[node->count - 1];
    find_changes(frame);
    take_steady(frame, frame->body);
    collect(frame, frame->body, true, edits);
}

/* The function around a place, from behind the one before it. */
static void find_function(struct pass *pass, int place)
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
                struct gzt_region *const *regions, int count, struct gzt_source *written)
{
    struct pass pass = {.source = source, .tree = tree};
    struct frame whole = {.pass = &pass};
    struct edits edits = {0};

    for (int i = 0; i < count; i++) {
        find_function(&pass, regions[i]->begin);
        for (int k = 0; k < regions[i]->statement_count; k++)
            collect_loop(&pass, regions[i]->statements[k], &edits);
    }
    if (pass.changed == 0 || pass.bytes > MOST_BYTES)
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
