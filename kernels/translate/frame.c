/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include "effects.h"
#include "outlives.h"

#include <ctype.h>
#include <string.h>

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

/* ---------------------------------------------------------------------------------- meanings */

const struct gzt_meaning *gzt_meaning_of(const struct gzt_frame *frame, const struct gzt_decl *decl)
{
    for (int i = 0; decl && i < frame->meaning_count; i++)
        if (frame->meanings[i]->decl == decl)
            return frame->meanings[i];
    return NULL;
}

void gzt_mean(struct gzt_frame *frame, const struct gzt_decl *decl, const struct gzt_node *node,
              struct gzt_frame *where, const char *name)
{
    struct gzt_meaning *meaning = gzt_alloc(sizeof *meaning);
    *meaning = (struct gzt_meaning){decl, node, where, name};
    gzt_push(&frame->meanings, &frame->meaning_count, meaning);
}

/* What a node comes to by way of parameters and variables that stand for something else. */
const struct gzt_node *gzt_resolve(struct gzt_frame **frame, const struct gzt_node *node)
{
    for (;;) {
        node = gzt_bare(node);
        const struct gzt_meaning *meaning =
            node->kind == GZT_REF ? gzt_meaning_of(*frame, node->decl) : NULL;
        if (!meaning || !meaning->node)
            return node;
        *frame = meaning->frame;
        node = meaning->node;
    }
}

bool gzt_is_number(enum gzt_type type)
{
    return type != GZT_POINTER && type != GZT_OTHER;
}

bool gzt_is_whole(enum gzt_type type)
{
    return gzt_is_number(type) && type != GZT_FLOAT && type != GZT_DOUBLE;
}

static bool is_reference(const struct gzt_decl *decl)
{
    return strchr(decl->type_name, '&') != NULL;
}

static const char *with_type(const struct gzt_decl *decl, const char *type_name, const char *text)
{
    if (!gzt_is_number(decl->type) || strcmp(decl->type_name, type_name) == 0)
        return text;
    return gzt_format("((%s)(%s))", decl->type_name, text);
}

/* What stands for a reference. */
const char *gzt_meaning_text(const struct gzt_meaning *meaning)
{
    if (!meaning->node)
        return meaning->name;
    return with_type(meaning->decl, gzt_bare(meaning->node)->type_name,
                     gzt_operand(meaning->frame, meaning->node));
}

/* ----------------------------------------------------------------------------- what may change */

bool gzt_is_own(const struct gzt_decl *function, const struct gzt_node *body,
                const struct gzt_decl *decl)
{
    for (int i = 0; function && i < function->parameter_count; i++)
        if (function->parameters[i] == decl)
            return true;
    return decl->offset > body->begin && decl->offset < body->end;
}

/* What something is looked through for. */
struct search {
    const struct gzt_source *source;
    const struct gzt_decl *decl;
    struct gzt_change **changes;
    int count, depth, last;
};

const char *gzt_member_name(const struct gzt_source *source, const struct gzt_node *node)
{
    const char *text = gzt_node_text(source, node), *end = text + strlen(text);
    while (end > text && is_name_byte(end[-1]))
        end--;
    return end;
}

static void add_change(struct search *search, const char *name, const struct gzt_decl *decl,
                       int offset)
{
    struct gzt_change *change = gzt_alloc(sizeof *change);
    *change = (struct gzt_change){name, decl, offset};
    gzt_push(&search->changes, &search->count, change);
}

static int find_change(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    if (node->kind == GZT_CALL && gzt_is_defined(node->decl) && search->depth < GZT_DEEPEST_CALL) {
        struct search within = {.source = search->source, .depth = search->depth + 1};
        gzt_walk(node->decl->body, find_change, &within);
        for (int i = 0; i < within.count; i++) {
            const struct gzt_change *change = within.changes[i];
            if (!change->decl || !gzt_is_own(node->decl, node->decl->body, change->decl))
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
        add_change(search, gzt_member_name(search->source, target), NULL, node->begin);
    else if (!gzt_is_number(target->type) || (target->kind != GZT_SUBSCRIPT &&
                                              !(target->kind == GZT_UNARY && target->op[0] == '*' &&
                                                gzt_bare(target->child[0])->kind != GZT_REF &&
                                                gzt_bare(target->child[0])->kind != GZT_MEMBER)))
        add_change(search, "*", NULL, node->begin);
    return 0;
}

void gzt_find_changes(struct gzt_frame *frame)
{
    struct search search = {.source = frame->pass->source};
    gzt_walk(frame->body, find_change, &search);
    frame->changes = search.changes;
    frame->change_count = search.count;
}

/* Whether an assignment may change the value of an expression, given as the text of what its value
 * hangs on. */
static bool may_change(const struct gzt_change *change, const char *text)
{
    return *text && (strcmp(change->name, "*") == 0 || names(text, change->name));
}

static int is_element(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_CALL ||
           (node->kind == GZT_UNARY && node->op[0] == '*');
}

/* What the value of an expression hangs on: all of its names, but not the variable whose address it
 * is. */
static const char *dependences(struct gzt_frame *frame, const struct gzt_node *node)
{
    const struct gzt_source *source = frame->pass->source;
    node = gzt_bare(node);
    if (node->kind != GZT_UNARY || strcmp(node->op, "&") != 0)
        return gzt_expression(frame, node);
    const struct gzt_node *object = gzt_bare(node->child[0]);
    while (object->kind == GZT_MEMBER && object->count == 1) {
        if (gzt_is_arrow(source, object))
            return gzt_expression(frame, object->child[0]);
        object = gzt_bare(object->child[0]);
    }
    return object->kind == GZT_REF ? "" : gzt_expression(frame, object);
}

/* ---------------------------------------------------------------------- variables that stay */

static int find_last_use(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    if (node->kind == GZT_REF && node->decl == search->decl && node->begin > search->last)
        search->last = node->begin;
    return 0;
}

/* An assignment to a variable, or to a member of a structure in it. */
static int is_modification(const struct gzt_node *node, void *data)
{
    const struct search *search = data;
    if (!gzt_is_assignment(node))
        return 0;
    const struct gzt_node *target = gzt_bare(node->child[0]);
    while (target->kind == GZT_MEMBER && target->count == 1 &&
           !gzt_is_arrow(search->source, target))
        target = gzt_bare(target->child[0]);
    return target->kind == GZT_REF && target->decl == search->decl;
}

/* Whether a variable may be another below a node than before. */
static bool is_modified(const struct gzt_node *node, struct search *search)
{
    return gzt_walk(node, is_modification, search) != 0 || gzt_handed_on(node, search->decl);
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
static bool is_hidden(const struct gzt_pass *pass, const struct gzt_node *block, const char *text,
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
static bool is_steady(struct gzt_frame *frame, const struct gzt_node *block,
                      const struct gzt_node *variable)
{
    const struct gzt_decl *decl = variable->decl;
    struct search search = {.source = frame->pass->source, .decl = decl, .last = variable->end};

    if (variable->count != 1 || !decl->automatic || is_reference(decl) ||
        !(decl->type == GZT_POINTER ? !decl->is_static_array : gzt_is_whole(decl->type)))
        return false;
    const struct gzt_node *value = variable->child[0];
    if (!gzt_is_harmless(value) || value->type == GZT_OTHER ||
        (gzt_is_whole(decl->type) &&
         (!gzt_is_whole(gzt_bare(value)->type) || gzt_walk(value, is_element, NULL))) ||
        is_modified(block, &search))
        return false;
    gzt_walk(block, find_last_use, &search);
    const char *text = dependences(frame, value);
    if (is_hidden(frame->pass, block, text, variable->end))
        return false;
    for (int i = 0; i < frame->change_count; i++) {
        const struct gzt_change *change = frame->changes[i];
        if (change->offset > variable->end && change->offset < block->end &&
            may_change(change, text) &&
            (change->offset < search.last || in_inner_loop(block, change->offset)))
            return false;
    }
    return true;
}

static bool same_shape(const char *a, const char *b);

bool gzt_stays(const struct gzt_frame *frame, const struct gzt_node *node)
{
    return !frame->caller && node->kind == GZT_IF && node->count == 2;
}

/* Whether an if that stays mentions a variable, which then stays, too. */
static bool is_kept(const struct gzt_frame *frame, const struct gzt_decl *decl)
{
    for (int i = 0; i < frame->body->count; i++)
        if (gzt_stays(frame, frame->body->child[i]) && gzt_mentions(frame->body->child[i], decl))
            return true;
    return false;
}

/* The declarations of a block whose variables become what they are set to. */
void gzt_take_steady(struct gzt_frame *frame, const struct gzt_node *node)
{
    for (int i = 0; node->kind == GZT_BLOCK && i < node->count; i++)
        for (int k = 0; node->child[i]->kind == GZT_DECL && k < node->child[i]->count; k++) {
            const struct gzt_node *variable = node->child[i]->child[k];
            if (variable->kind != GZT_VARIABLE || gzt_meaning_of(frame, variable->decl) ||
                is_kept(frame, variable->decl) || !is_steady(frame, node, variable))
                continue;
            const struct gzt_node *value = variable->child[0];
            if (variable->decl->type != GZT_POINTER ||
                same_shape(variable->decl->type_name, gzt_bare(value)->type_name))
                gzt_mean(frame, variable->decl, value, frame, NULL);
        }
    for (int i = 0; i < node->count; i++)
        gzt_take_steady(frame, node->child[i]);
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
static bool is_captured(const struct gzt_frame *frame, const struct gzt_decl *meant)
{
    const char *name = meant->name;
    const struct gzt_pass *pass = frame->pass;
    for (const struct gzt_frame *f = frame->caller; f; f = f->caller) {
        if (!f->function)
            continue;
        for (int i = 0; i < pass->tree->decl_count; i++) {
            const struct gzt_decl *decl = pass->tree->decls[i];
            if (decl != meant && decl->variable && gzt_is_own(NULL, f->body, decl) &&
                strcmp(decl->name, name) == 0)
                return true;
        }
        for (int i = 0; i < f->meaning_count; i++)
            if (f->meanings[i]->name && strcmp(f->meanings[i]->name, name) == 0)
                return true;
    }
    for (int i = 0; i < pass->tree->decl_count; i++) {
        const struct gzt_decl *decl = pass->tree->decls[i];
        if (decl != meant && decl->variable && decl->offset > pass->begin &&
            decl->offset < pass->end && strcmp(decl->name, name) == 0)
            return true;
    }
    return false;
}

/* What cannot be written out elsewhere: variables that live on, names that mean something else
 * there. */
static int cannot_move(const struct gzt_node *node, void *data)
{
    const struct gzt_frame *frame = data;
    if (node->kind == GZT_VARIABLE)
        return !node->decl->automatic;
    if ((node->kind != GZT_REF && node->kind != GZT_CALL) || !node->decl)
        return 0;
    return !(node->decl->variable && gzt_is_own(frame->function, frame->body, node->decl)) &&
           is_captured(frame, node->decl);
}

static bool is_written_before(const struct gzt_frame *frame, const struct gzt_decl *function)
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
    struct gzt_frame *frame;
    const char *mentioned; /* by the arguments */
};

static int rename_variable(const struct gzt_node *node, void *data)
{
    struct renaming *renaming = data;
    struct gzt_frame *frame = renaming->frame;
    if (node->kind == GZT_VARIABLE && !gzt_meaning_of(frame, node->decl) &&
        names(renaming->mentioned, node->decl->name))
        gzt_mean(frame, node->decl, NULL, NULL, fresh_name(frame->pass->source, node->decl->name));
    return 0;
}

/* Gives a parameter its meaning: the argument, or, if `declared` is given and the argument may not
 * be read later, a variable that is declared there. */
static bool pass_argument(struct gzt_frame *frame, const struct gzt_decl *parameter,
                          const struct gzt_node *argument, const char *mentioned,
                          struct gzt_text *declared)
{
    struct search search = {.source = frame->pass->source, .decl = parameter};
    const struct gzt_node *bare = gzt_bare(argument);
    const char *text = dependences(frame->caller, argument);
    bool number = gzt_is_number(parameter->type), keep = true;

    if (!gzt_is_harmless(argument))
        return false;
    if (is_reference(parameter)) {
        size_t length = strlen(bare->type_name);
        const char *rest = parameter->type_name + length;
        if ((bare->kind != GZT_REF && bare->kind != GZT_MEMBER) ||
            strncmp(bare->type_name, parameter->type_name, length) != 0 ||
            strspn(rest, " &") != strlen(rest))
            return false;
        gzt_mean(frame, parameter, argument, frame->caller, NULL);
        return true;
    }
    if (is_modified(frame->body, &search))
        return false;
    if (number
            ? !gzt_is_number(bare->type)
            : (parameter->type == GZT_OTHER ? strcmp(bare->type_name, parameter->type_name) != 0
                                            : !same_shape(bare->type_name, parameter->type_name)))
        return false;
    for (int i = 0; i < frame->change_count && keep; i++) {
        const struct gzt_change *change = frame->changes[i];
        /* A structure's copy keeps the members that are set in the original. */
        keep = (change->decl && gzt_is_own(frame->function, frame->body, change->decl)) ||
               (!may_change(change, text) && (change->decl || parameter->type != GZT_OTHER));
    }
    if (declared && number && gzt_walk(argument, is_element, NULL))
        keep = false;
    if (keep) {
        gzt_mean(frame, parameter, argument, frame->caller, NULL);
        return true;
    }
    if (!declared || !number)
        return false;
    const char *name = names(mentioned, parameter->name)
                           ? fresh_name(frame->pass->source, parameter->name)
                           : parameter->name;
    gzt_add(declared, "%s %s = %s; ", parameter->type_name, name,
            gzt_expression(frame->caller, argument));
    gzt_mean(frame, parameter, NULL, NULL, name);
    return true;
}

/* &n, by which a function may change a number that it also knows otherwise. */
static bool is_address_of_number(const struct gzt_node *argument)
{
    const struct gzt_node *node = gzt_bare(argument);
    if (node->kind != GZT_UNARY || strcmp(node->op, "&") != 0)
        return false;
    node = gzt_bare(node->child[0]);
    return gzt_is_number(node->type) && node->kind != GZT_SUBSCRIPT;
}

/* Makes the frame of a call. With `declared`, arguments may become variables. */
struct gzt_frame *gzt_enter_call(struct gzt_frame *caller, const struct gzt_node *call, bool apart,
                                 struct gzt_text *declared)
{
    const struct gzt_decl *function = call->decl;
    if (!gzt_is_defined(function) || call->count != function->parameter_count ||
        is_written_before(caller, function) || caller->depth == GZT_DEEPEST_CALL ||
        caller->pass->bytes > GZT_MOST_WRITTEN)
        return NULL;
    struct gzt_frame *frame = gzt_alloc(sizeof *frame);
    *frame = (struct gzt_frame){.pass = caller->pass,
                                .caller = caller,
                                .function = function,
                                .body = function->body,
                                .depth = caller->depth + 1};
    struct gzt_text mentioned = {0};
    if (gzt_walk(function->body, cannot_move, frame) != 0)
        return NULL;
    gzt_find_changes(frame);
    if (apart)
        gzt_add(&mentioned, "%s ", gzt_node_text(frame->pass->source, caller->body));
    for (int i = 0; i < call->count; i++) {
        if (call->child[i]->begin < call->begin || call->child[i]->end > call->end ||
            is_address_of_number(call->child[i]))
            return NULL; /* the former is a default, which stands elsewhere */
        gzt_add(&mentioned, "%s ", gzt_expression(caller, call->child[i]));
    }
    for (int i = 0; i < call->count; i++)
        if (!pass_argument(frame, function->parameters[i], call->child[i], gzt_string(&mentioned),
                           declared))
            return NULL;
    gzt_take_steady(frame, function->body);
    struct renaming renaming = {frame, gzt_string(&mentioned)};
    gzt_walk(function->body, rename_variable, &renaming);
    return frame;
}
