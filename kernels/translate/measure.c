/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"

#include "access.h"
#include "borders.h"
#include "counts.h"
#include "effects.h"
#include "forms.h"
#include "locals.h"
#include "loops.h"
#include "reads.h"

#include <string.h>

/* -------------------------------------------------------------------------------- comparisons */

/* The value that a condition compares with a variable, and whether it holds if the value is the
 * larger; NULL if it does something else. */
static const struct gzt_node *compared(const struct gzt_node *condition,
                                       const struct gzt_decl *decl, bool *larger)
{
    condition = gzt_bare(condition);
    if (!gzt_is_binary(condition, "<") && !gzt_is_binary(condition, "<=") &&
        !gzt_is_binary(condition, ">") && !gzt_is_binary(condition, ">="))
        return NULL;
    bool right = gzt_is_ref(condition->child[0], decl);
    if (!right && !gzt_is_ref(condition->child[1], decl))
        return NULL;
    *larger = (condition->op[0] == '<') == right;
    return condition->child[right];
}

/* Whether two expressions differ in blanks and parentheses at most. */
static bool is_alike(const struct gzt_source *source, const struct gzt_node *a,
                     const struct gzt_node *b)
{
    a = gzt_bare(a), b = gzt_bare(b);
    if (a->kind != b->kind || a->count != b->count || a->decl != b->decl ||
        strcmp(a->op, b->op) != 0 || strcmp(a->type_name, b->type_name) != 0)
        return false;
    if (a->count == 0 || a->kind == GZT_MEMBER || a->kind == GZT_UNKNOWN)
        return strcmp(gzt_node_text(source, a), gzt_node_text(source, b)) == 0;
    for (int i = 0; i < a->count; i++)
        if (!is_alike(source, a->child[i], b->child[i]))
            return false;
    return true;
}

/* if (VALUE > x) x = VALUE; */
static bool is_conditional(const struct gzt_source *source, const struct gzt_node *node,
                           struct gzt_measure *measure)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    bool larger = false;
    if (node->kind != GZT_IF || node->count != 2)
        return false;
    gzt_statements(node->child[1], &list, &count);
    if (count != 1 || !gzt_is_binary(list[0], "=") || !gzt_assigned(list[0]))
        return false;
    measure->value[0] = compared(node->child[0], gzt_assigned(list[0]), &larger);
    measure->value[1] = list[0]->child[1];
    measure->values = 2;
    measure->finds = larger ? GZT_LARGEST : GZT_LEAST;
    return measure->value[0] && is_alike(source, measure->value[0], measure->value[1]);
}

/* VALUE > x ? VALUE : x. */
static bool is_choice(const struct gzt_source *source, const struct gzt_node *node,
                      const struct gzt_decl *decl, struct gzt_measure *measure)
{
    bool larger = false;
    if (node->kind != GZT_TERNARY)
        return false;
    bool takes = gzt_is_ref(node->child[2], decl);
    if (!takes && !gzt_is_ref(node->child[1], decl))
        return false;
    measure->value[0] = compared(node->child[0], decl, &larger);
    measure->value[1] = node->child[takes ? 1 : 2];
    measure->values = 2;
    measure->finds = larger != takes ? GZT_LEAST : GZT_LARGEST;
    return measure->value[0] && is_alike(source, measure->value[0], measure->value[1]);
}

/* Whether a function of the file returns the larger or the less of two numbers. */
static bool is_own_choice(const struct gzt_source *source, const struct gzt_decl *function,
                          struct gzt_measure *measure)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    if (!function->body || function->parameter_count != 2)
        return false;
    gzt_statements(function->body, &list, &count);
    if (count != 1 || list[0]->kind != GZT_RETURN || list[0]->count != 1)
        return false;
    const struct gzt_decl *const *parameters = (const struct gzt_decl *const *)function->parameters;
    for (int i = 0; i < 2; i++)
        if (parameters[i]->type != function->result || !parameters[i]->variable)
            return false;
    return is_choice(source, gzt_bare(list[0]->child[0]), parameters[0], measure) &&
           gzt_is_ref(measure->value[0], parameters[1]);
}

/* fmax(VALUE, x) and the like. */
static bool is_call(const struct gzt_source *source, const struct gzt_node *node,
                    const struct gzt_decl *decl, struct gzt_measure *measure)
{
    if (node->kind != GZT_CALL || node->count != 2 || !node->decl)
        return false;
    const struct gzt_math *math = gzt_math_of(node);
    const char *name = math ? math->device : "";
    bool most = strcmp(name, "fmax") == 0 || strcmp(name, "std_max") == 0;
    if (most || strcmp(name, "fmin") == 0 || strcmp(name, "std_min") == 0)
        measure->finds = most ? GZT_LARGEST : GZT_LEAST;
    else if (!is_own_choice(source, node->decl, measure))
        return false;
    bool first = gzt_is_ref(node->child[0], decl);
    measure->value[0] = node->child[first];
    measure->values = 1;
    return first != gzt_is_ref(node->child[1], decl);
}

const struct gzt_decl *gzt_found_in(const struct gzt_measure *measure)
{
    return gzt_assigned(measure->fold->kind == GZT_IF ? gzt_effect(measure->fold->child[1])
                                                      : measure->fold);
}

static bool is_number(enum gzt_type type)
{
    return type == GZT_INT || type == GZT_FLOAT || type == GZT_DOUBLE;
}

/* What a statement adds to its variable: x += VALUE, x = VALUE + x, or 1 by x++; with the minus of
 * such, too. */
static bool read_addition(const struct gzt_node *node, struct gzt_measure *measure)
{
    const struct gzt_decl *decl = gzt_assigned(node);
    const struct gzt_node *sum = gzt_is_binary(node, "=") ? gzt_bare(node->child[1]) : node;
    const char *op = node->kind == GZT_UNARY && node->op[0] == 'x' ? node->op + 1 : sum->op;
    if (!decl || (op[0] != '+' && op[0] != '-') ||
        (sum == node ? node->kind != GZT_UNARY && strcmp(op + 1, "=") != 0
                     : sum->kind != GZT_BINARY || op[1] != '\0'))
        return false;
    bool behind = sum != node && op[0] == '+' && gzt_is_ref(sum->child[1], decl);
    measure->subtracts = op[0] == '-';
    measure->values = sum->kind == GZT_BINARY;
    measure->value[0] = measure->values ? sum->child[!behind] : NULL;
    return (sum == node || gzt_is_ref(sum->child[behind], decl)) &&
           (!measure->values || !gzt_mentions(measure->value[0], decl));
}

/* The same, under a condition or not, of types in which the sum is one: of whole numbers, modulo
 * what the type holds. */
static bool is_sum(const struct gzt_node *node, struct gzt_measure *measure)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(node->kind == GZT_IF && node->count == 2 ? node->child[1] : node, &list, &count);
    if (count != 1 || !read_addition(list[0], measure))
        return false;
    const struct gzt_decl *decl = gzt_assigned(list[0]);
    enum gzt_type type = measure->values ? gzt_bare(measure->value[0])->type : GZT_INT;
    measure->finds = GZT_SUM;
    measure->condition = node->kind == GZT_IF ? node->child[0] : NULL;
    measure->fold = node;
    return (!measure->condition || !gzt_mentions(measure->condition, decl)) &&
           (gzt_is_integer(decl->type)
                ? decl->type != GZT_SMALL && gzt_is_integer(type)
                : is_number(decl->type) && (is_number(type) || gzt_is_integer(type)));
}

/* Whether a statement of a cell makes a variable the larger, or the less, of itself and a value, or
 * adds it. */
static bool read_fold(const struct gzt_source *source, const struct gzt_node *node,
                      struct gzt_measure *measure)
{
    measure->condition = NULL;
    if (is_sum(node, measure))
        return true;
    measure->condition = NULL;
    bool assigns = gzt_is_binary(node, "=") && gzt_assigned(node);
    const struct gzt_node *value = assigns ? gzt_bare(node->child[1]) : NULL;
    if (assigns ? !is_choice(source, value, gzt_assigned(node), measure) &&
                      !is_call(source, value, gzt_assigned(node), measure)
                : !is_conditional(source, node, measure))
        return false;
    measure->fold = node;
    return is_number(gzt_bare(measure->value[0])->type) && is_number(gzt_found_in(measure)->type);
}

/* -------------------------------------------------------------------------------------- loops */

/* What a loop of any kind repeats; NULL if it is none. */
static const struct gzt_node *body_of(const struct gzt_node *loop)
{
    if (loop->kind == GZT_FOR || gzt_is_kind(loop, "WhileStmt"))
        return loop->count ? loop->child[loop->count - 1] : NULL;
    return gzt_is_kind(loop, "DoStmt") && loop->count == 2 && !gzt_is_once(loop) ? loop->child[0]
                                                                                 : NULL;
}

/* The innermost loop of a nest over cells; NULL if it is none. */
static const struct gzt_node *innermost(const struct gzt_node *nest)
{
    const struct gzt_node *found = NULL;
    while (nest && nest->kind == GZT_FOR && nest->count == 4) {
        const struct gzt_node **list = NULL;
        int count = 0;
        found = nest;
        gzt_statements(nest->child[3], &list, &count);
        nest = count == 1 ? list[0] : NULL;
    }
    return found;
}

static const struct gzt_node *block_of(const struct gzt_node *like, const struct gzt_node **list,
                                       int count)
{
    struct gzt_node *block = gzt_copy_alone(like);
    block->kind = GZT_BLOCK;
    for (int i = 0; i < count; i++)
        gzt_push(&block->child, &block->count, list[i]);
    return block;
}

/* The nest with another body in its innermost loop. */
static const struct gzt_node *with_body(const struct gzt_node *nest, const struct gzt_node *inner,
                                        const struct gzt_node *body)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    struct gzt_node *copy = gzt_copy_alone(nest);
    for (int i = 0; i < 3; i++)
        gzt_push(&copy->child, &copy->count, nest->child[i]);
    gzt_statements(nest->child[3], &list, &count);
    gzt_push(&copy->child, &copy->count, nest == inner ? body : with_body(list[0], inner, body));
    return copy;
}

static int sets_mentioned(const struct gzt_node *node, void *data)
{
    const struct gzt_decl *decl = node->kind == GZT_VARIABLE ? node->decl : gzt_assigned(node);
    return decl && gzt_mentions(data, decl);
}

/* Whether a statement sets temporaries that `user` mentions. */
static bool serves(const struct gzt_node *node, const struct gzt_node *user)
{
    return gzt_is_preparation(node) && gzt_walk(node, sets_mentioned, (void *)user) != 0;
}

/* Takes out of a cell's statements those that prepare nothing but the measure. */
static void prune(const struct gzt_node **list, int *count, const struct gzt_node *user)
{
    for (int i = *count - 1; i >= 0; i--) {
        const struct gzt_node *node = list[i];
        bool idle = serves(node, user);
        for (int k = 0; k < *count && idle; k++)
            idle = k == i || !serves(node, list[k]);
        if (!idle)
            continue;
        memmove(list + i, list + i + 1, (size_t)(*count - i - 1) * sizeof *list);
        --*count;
        prune(list, count, node);
        i = i < *count ? i : *count;
    }
}

/* ------------------------------------------------------------------------------------ its parts */

static int read_sweep(struct gzt_program *program, struct gzt_measure *measure,
                      const struct gzt_node **list, int count)
{
    struct gzt_sweep *sweep = &measure->sweep;
    const struct gzt_node *inner = innermost(measure->nest);
    for (const struct gzt_node *loop = measure->nest; loop;) {
        const struct gzt_node **within = NULL;
        int number = 0;
        if (sweep->loops == GZT_AXES)
            return 0; /* which is refused with the sweep */
        if (gzt_read_loop(program->source, loop, &sweep->loop[sweep->loops]) != 0)
            return -1;
        struct gzt_loop *read = &sweep->loop[sweep->loops++];
        read->declared_inside |= gzt_holds(program->counts->loop, read->iterator);
        gzt_statements(loop->child[3], &within, &number);
        loop = loop == inner ? NULL : within[0];
    }
    sweep->statement = block_of(inner->child[3], list, count);
    return gzt_read_locals(program, sweep);
}

/* Takes the measure out of its nest; `*rest` is what is left, or NULL. */
static int take_fold(struct gzt_program *program, struct gzt_measure *measure,
                     const struct gzt_node **rest)
{
    const struct gzt_node *inner = innermost(measure->nest), **list = NULL, **kept = NULL;
    int count = 0, kept_count = 0;
    gzt_statements(inner->child[3], &list, &count);
    for (int i = 0; i < count; i++)
        if (list[i] != measure->fold)
            gzt_push(&kept, &kept_count, list[i]);
    if (read_sweep(program, measure, kept, kept_count) != 0)
        return -1;
    prune(kept, &kept_count, measure->fold);
    *rest = kept_count
                ? with_body(measure->nest, inner, block_of(inner->child[3], kept, kept_count))
                : NULL;
    return 0;
}

/* Moves of pointers and calls are left to what makes the form, but for output. */
static bool is_kept(const struct gzt_node *node)
{
    const struct gzt_decl *decl = gzt_assigned(node);
    if (node->kind == GZT_DECL) {
        for (int i = 0; i < node->count; i++)
            if (node->child[i]->kind != GZT_VARIABLE || node->child[i]->decl->type == GZT_POINTER)
                return false;
        return true;
    }
    return node->kind == GZT_IF || gzt_is_output(node) || (decl && decl->type != GZT_POINTER);
}

/* --------------------------------------------------------------------------- what stays on the
 * host */

/* For messages. */
static const char *name_of(const struct gzt_measure *measure)
{
    return !measure->fold              ? "its own end"
           : measure->finds == GZT_SUM ? "a sum"
                                       : "the largest change";
}

static int refuse_kept(struct gzt_program *program, const struct gzt_node *node)
{
    return gzt_refuse(program->source, node->begin,
                      "%s: a loop that finds %s may, besides its sweeps, only set and print "
                      "numbers and end by them",
                      gzt_node_text(program->source, node), name_of(program->measure));
}

struct check {
    struct gzt_program *program;
    bool output; /* arguments of such a call */
};

/* What an expression on the host may be made of. */
static int refuse_part(const struct gzt_node *node, void *data)
{
    struct check *check = data;
    const struct gzt_measure *measure = check->program->measure;
    const struct gzt_counts *counts = check->program->counts;
    const struct gzt_decl *set = gzt_assigned(node);
    bool data_of_cells = node->kind == GZT_SUBSCRIPT ||
                         (gzt_is_assignment(node) && (!set || set->type == GZT_OTHER)) ||
                         (node->kind == GZT_UNARY && strchr("*&", node->op[0])) ||
                         (node->kind == GZT_CALL && !gzt_math_of(node));
    bool file = check->output && node->type_name && strstr(node->type_name, "FILE");
    bool pointer = node->type == GZT_POINTER && node->kind == GZT_REF && !file;
    bool own = node->kind == GZT_REF && strncmp(node->decl->name, "gz_", 3) == 0;
    if (data_of_cells || pointer || own || node->is_volatile)
        return refuse_kept(check->program, node);
    if (node->kind != GZT_REF || !node->decl->variable ||
        gzt_is_counted(check->program, node->decl))
        return 0;
    for (int i = 0; i < measure->sweep.loops; i++)
        if (measure->sweep.loop[i].iterator == node->decl)
            return refuse_kept(check->program, node);
    return gzt_holds(counts->loop, node->decl) || gzt_assignments(counts->loop, node->decl) > 0
               ? refuse_kept(check->program, node)
               : 0;
}

static int check_expression(struct gzt_program *program, const struct gzt_node *node, bool output)
{
    struct check check = {program, output};
    return gzt_walk(node, refuse_part, &check);
}

static int check_kept(struct gzt_program *program, const struct gzt_node *node);

static int check_each(struct gzt_program *program, const struct gzt_node *node)
{
    int status = 0;
    if (node->kind != GZT_BLOCK)
        return check_kept(program, node);
    for (int i = 0; i < node->count && status == 0; i++)
        status = check_each(program, node->child[i]);
    return status;
}

/* A statement that stays. */
static int check_kept(struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_decl *decl = gzt_assigned(node);
    int status = 0;
    if (decl && (decl->type == GZT_POINTER || decl->type == GZT_OTHER ||
                 gzt_bare(node->child[0])->is_volatile))
        return refuse_kept(program, node);
    if (decl)
        return node->count == 2 ? check_expression(program, node->child[1], false) : 0;
    if (node->kind == GZT_EMPTY || gzt_is_kind(node, "BreakStmt"))
        return 0;
    if (node->kind == GZT_IF && node->child[0]->kind != GZT_DECL) {
        status = check_expression(program, node->child[0], false);
        for (int i = 1; i < node->count && status == 0; i++)
            status = check_each(program, node->child[i]);
        return status;
    }
    if (node->kind != GZT_DECL && !gzt_is_output(node))
        return refuse_kept(program, node);
    for (int i = 0; i < node->count && status == 0; i++)
        if (node->kind != GZT_DECL)
            status = check_expression(program, node->child[i], true);
        else if (!node->child[i]->decl->automatic || node->child[i]->decl->type == GZT_OTHER)
            status = refuse_kept(program, node);
        else if (node->child[i]->count)
            status = check_expression(program, node->child[i]->child[0], false);
    return status;
}

/* The head of a loop; what it counts by commas, too. */
static int check_head(struct gzt_program *program, const struct gzt_node *node)
{
    if (gzt_is_binary(node, ","))
        return check_head(program, node->child[0]) != 0 ? -1 : check_head(program, node->child[1]);
    return node->kind == GZT_DECL || gzt_assigned(node) ? check_kept(program, node)
                                                        : check_expression(program, node, false);
}

static int is_break(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return gzt_is_kind(node, "BreakStmt");
}

/* All of the time loop that stays; `first` and `last` are where the rest begins and ends. */
static int check_host(struct gzt_program *program, int first, int last)
{
    const struct gzt_counts *counts = program->counts;
    int status = 0;
    for (int i = 0; i < counts->loop->count && status == 0; i++)
        if (counts->loop->child[i] != program->measure->body)
            status = check_head(program, counts->loop->child[i]);
    for (int i = 0; i < counts->count && status == 0; i++) {
        const struct gzt_node *node = counts->statement[i];
        status = check_kept(program, node);
        if (status == 0 && node->begin > first && node->end <= last &&
            gzt_walk(node, is_break, NULL) != 0)
            status = gzt_refuse(program->source, node->begin,
                                "break between the sweep and what moves the state: must stand "
                                "behind both");
    }
    return status;
}

static int refuse_sum_of(struct gzt_program *program, const struct gzt_node *node, const char *name)
{
    return gzt_refuse(program->source, node->begin,
                      "%s depends on all cells of the previous loop: no tile can compute it on its "
                      "own",
                      name);
}

/* A reference, in what the device does, to what the host sets in each loop. */
struct user {
    struct gzt_program *program;
    const struct gzt_node *statement;
};
static int refuse_set(const struct gzt_node *node, void *data)
{
    const struct user *user = data;
    struct gzt_program *program = user->program;
    const struct gzt_measure *measure = program->measure;
    if (node->kind != GZT_REF || !gzt_is_counted(program, node->decl))
        return 0;
    if (gzt_assignments(user->statement, node->decl) > 0)
        return refuse_sum_of(program, node, node->decl->name);
    return gzt_refuse(program->source, node->begin,
                      "%s changes in each loop and is used in the sweeps: in a loop that finds %s, "
                      "what they use must stay the same",
                      node->decl->name, name_of(measure));
}

/* --------------------------------------------------------------------------------- taking it out
 */

/* Adds up what is no measure, which no tile can, where no loop that counts says so. */
static int refuse_sum(struct gzt_program *program, const struct gzt_node *nest)
{
    const struct gzt_node *inner = innermost(nest), **list = NULL;
    int count = 0;
    if (inner)
        gzt_statements(inner->child[3], &list, &count);
    for (int i = 0; i < count; i++) {
        const struct gzt_decl *decl = gzt_assigned(list[i]);
        bool adds = decl && !gzt_holds(nest, decl) &&
                    (!gzt_is_binary(list[i], "=") || gzt_mentions(list[i]->child[1], decl));
        if (adds)
            return refuse_sum_of(program, list[i], decl->name);
    }
    return 0;
}

struct mentions {
    const struct gzt_decl *decl;
    const struct gzt_node *but;
};
static int find_mention(const struct gzt_node *node, void *data)
{
    const struct mentions *mentions = data;
    return (node->kind == GZT_REF || node->kind == GZT_VARIABLE) && node->decl == mentions->decl &&
           (node->begin < mentions->but->begin || node->begin >= mentions->but->end);
}

/* Whether nothing else of its nest mentions what a fold sets, which would make it a temporary. */
static bool stands_alone(const struct gzt_measure *measure, const struct gzt_node *nest)
{
    struct mentions mentions = {gzt_found_in(measure), measure->fold};
    return gzt_walk(nest, find_mention, &mentions) == 0;
}

/* The first measure among the statements of a time loop, but for one. */
static bool find_fold(const struct gzt_source *source, const struct gzt_node **list, int count,
                      const struct gzt_node *but, struct gzt_measure *measure)
{
    for (int i = 0; i < count; i++) {
        const struct gzt_node *inner = innermost(list[i]), **cell = NULL;
        int cells = 0;
        if (inner)
            gzt_statements(inner->child[3], &cell, &cells);
        for (int k = 0; k < cells; k++)
            if (cell[k] != but && read_fold(source, cell[k], measure) &&
                stands_alone(measure, list[i])) {
                measure->nest = list[i];
                return true;
            }
    }
    return false;
}

/* The one loop of the region, of any kind, beside declarations; NULL if there is none such. */
static const struct gzt_node *only_loop(const struct gzt_region *region)
{
    const struct gzt_node *found = NULL;
    for (int i = 0; i < region->statement_count; i++) {
        const struct gzt_node **list = NULL;
        int count = 0;
        gzt_statements(region->statements[i], &list, &count);
        for (int k = 0; k < count; k++) {
            if (list[k]->kind == GZT_DECL)
                continue;
            if (found || !body_of(list[k]))
                return NULL;
            found = list[k];
        }
    }
    return found;
}

/* The time loop without the measure, which counts nothing. */
static const struct gzt_node *uncounted(struct gzt_program *program, const struct gzt_node *body)
{
    struct gzt_node *loop = gzt_bare_loop(program->counts->loop, body);
    struct gzt_node *zero = gzt_copy_alone(body);
    zero->kind = GZT_LITERAL_INT;
    zero->type = GZT_LONG;
    zero->constant = true;
    program->time = (struct gzt_loop){.node = loop,
                                      .iterator = &gzt_turn,
                                      .declared_inside = true,
                                      .low = zero,
                                      .high = zero,
                                      .step = 1};
    return loop;
}

static int means_other(const struct gzt_node *node, void *data)
{
    const struct gzt_decl *decl = data;
    return (node->kind == GZT_REF || node->kind == GZT_VARIABLE) && node->decl != decl &&
           strcmp(node->decl->name, decl->name) == 0;
}

/* Whether a declaration may stand in the body itself: no other variable of the time loop has such a
 * name. */
static bool has_own_names(const struct gzt_program *program, const struct gzt_node *node)
{
    bool own = true;
    for (int i = 0; i < node->count && own; i++)
        own = gzt_walk(program->counts->loop, means_other, (void *)node->child[i]->decl) == 0;
    return own;
}

/* Whether a variable is the sweeps' own: nothing is set with it, and what stays does not mention
 * it. */
static bool is_of_sweeps(const struct gzt_measure *measure, const struct gzt_node **list, int count,
                         const struct gzt_node *variable)
{
    const struct gzt_decl *decl = variable->decl;
    bool own = variable->count == 0 && !(measure->fold && gzt_found_in(measure) == decl);
    for (int i = 0; i < count && own; i++)
        own = list[i]->kind == GZT_DECL || !is_kept(list[i]) || !gzt_mentions(list[i], decl);
    return own;
}

/* Of a declaration in a block, without the block, what stays; NULL if nothing does. What is the
 * sweeps' own goes with them. */
static int split(struct gzt_program *program, const struct gzt_node **list, int count,
                 const struct gzt_node **node, const struct gzt_node ***rest, int *rest_count)
{
    const struct gzt_measure *measure = program->measure;
    struct gzt_node *stays = gzt_copy_alone(*node), *goes = gzt_copy_alone(*node);
    for (int i = 0; i < (*node)->count; i++) {
        struct gzt_node *to = is_of_sweeps(measure, list, count, (*node)->child[i]) ? goes : stays;
        gzt_push(&to->child, &to->count, (*node)->child[i]);
    }
    if (goes->count)
        gzt_push(rest, rest_count, goes);
    if (!has_own_names(program, stays))
        return gzt_refuse(program->source, (*node)->begin,
                          "%s in a block of a loop that finds %s has the name of another variable: "
                          "must have one of its own",
                          gzt_node_text(program->source, *node), name_of(measure));
    *node = stays->count ? stays : NULL;
    return 0;
}

/* Whether a statement stands in the body itself, in blocks, too, if those are no do ... while (0).
 */
static bool is_direct(const struct gzt_node *body, const struct gzt_node *node, bool blocks)
{
    bool direct = body == node;
    for (int i = 0; i < body->count && !direct && body->kind == GZT_BLOCK; i++) {
        const struct gzt_node *child = gzt_bare(body->child[i]);
        direct = child == node || (blocks && is_direct(child, node, true));
    }
    return direct;
}

/* Sorts the statements into those that stay and the rest. Blocks around them are left out. */
static int sort(struct gzt_program *program, const struct gzt_node **list, int count,
                const struct gzt_node ***rest, int *rest_count)
{
    struct gzt_measure *measure = program->measure;
    for (int i = 0; i < count; i++) {
        const struct gzt_node *node = list[i];
        bool kept = is_kept(node);
        if (kept && node->kind == GZT_DECL && !is_direct(measure->body, node, false) &&
            split(program, list, count, &node, rest, rest_count) != 0)
            return -1;
        if (!node)
            continue;
        if (kept && gzt_walk(node, is_break, NULL) != 0 && !is_direct(measure->body, node, true))
            return gzt_refuse(program->source, node->begin,
                              "break in a do ... while (0) ends that alone: must stand behind it");
        if (kept)
            gzt_push(&program->counts->statement, &program->counts->count, node);
        else if (node == measure->nest && take_fold(program, measure, &node) != 0)
            return -1;
        else if (node)
            gzt_push(rest, rest_count, node);
    }
    return 0;
}

static void collect_sets(struct gzt_program *program)
{
    struct gzt_counts *counts = program->counts;
    for (int i = 0; i < counts->loop->count; i++)
        if (counts->loop->child[i] != program->measure->body)
            gzt_walk(counts->loop->child[i], gzt_collect_set, counts);
    for (int i = 0; i < counts->count; i++)
        gzt_walk(counts->statement[i], gzt_collect_set, counts);
    if (program->measure->fold)
        gzt_walk(program->measure->fold, gzt_collect_set, counts);
}

/* What a loop that data may end is ended by, as far as cells set it: looked for among all
 * assignments below a statement. */
struct ending {
    struct gzt_program *program;
    const struct gzt_node *nest, **list;
    int count;
};

/* Whether the head, or an if with a break, asks for a variable. */
static bool is_asked(const struct ending *ending, const struct gzt_decl *decl)
{
    const struct gzt_node *loop = ending->program->counts->loop;
    bool asked = false;
    for (int i = 0; i < loop->count; i++)
        asked = asked || (loop->child[i] != ending->program->measure->body &&
                          gzt_mentions(loop->child[i], decl));
    for (int i = 0; i < ending->count; i++)
        asked = asked || (ending->list[i]->kind == GZT_IF &&
                          gzt_walk(ending->list[i], is_break, NULL) != 0 &&
                          gzt_mentions(ending->list[i]->child[0], decl));
    return asked;
}

static int refuse_ending(const struct gzt_node *node, void *data)
{
    const struct ending *ending = data;
    struct gzt_measure found = {0};
    bool folds = read_fold(ending->program->source, node, &found);
    const struct gzt_decl *decl = folds ? gzt_found_in(&found) : gzt_assigned(node);
    if (!decl || gzt_holds(ending->nest, decl) || !is_number(decl->type) || !is_asked(ending, decl))
        return 0;
    return gzt_refuse(ending->program->source, node->begin,
                      folds ? "%s, by which the loop ends, is found of some cells alone: must be "
                              "found of all cells of one sweep"
                            : "%s, by which the loop ends, is set in a sweep in a way of its own: "
                              "must be the largest, the least or the sum of a value of each cell",
                      decl->name);
}

static int refuse_second(struct gzt_program *program, const struct gzt_node **list, int count)
{
    struct gzt_measure second = {0};
    if (!find_fold(program->source, list, count, program->measure->fold, &second))
        return 0;
    if (gzt_found_in(&second) == gzt_found_in(program->measure))
        return gzt_refuse(program->source, second.fold->begin,
                          "%s is found in two places: %s of a loop is found by one statement, in "
                          "one sweep over all cells",
                          gzt_found_in(&second)->name, name_of(program->measure));
    return gzt_refuse(
        program->source, second.fold->begin,
        "%s is the second number that the loop finds of all cells: not translated yet beside %s",
        gzt_found_in(&second)->name, gzt_found_in(program->measure)->name);
}

static const struct gzt_node *take(struct gzt_program *program, const struct gzt_node **list,
                                   int count)
{
    struct gzt_measure *measure = program->measure;
    const struct gzt_node **rest = NULL;
    int rest_count = 0;

    if ((measure->fold && refuse_second(program, list, count) != 0) ||
        (measure->values && gzt_refuse_effect(program->source, measure->value[0]) != 0) ||
        sort(program, list, count, &rest, &rest_count) != 0)
        return NULL;
    for (int i = 0; i < rest_count && !measure->nest; i++)
        measure->nest = rest[i]->kind == GZT_DECL ? NULL : rest[i];
    if (!measure->nest)
        return NULL;
    collect_sets(program);
    const struct gzt_node *loop = uncounted(program, block_of(measure->body, rest, rest_count));
    int first = measure->nest->begin, last = measure->nest->end;
    for (int i = 0; i < rest_count; i++) {
        first = rest[i]->begin < first ? rest[i]->begin : first;
        last = rest[i]->end > last ? rest[i]->end : last;
    }
    if (check_host(program, first, last) != 0)
        return NULL;
    /* Calls but of memcpy are refused for what they are. */
    for (int i = 0; i < rest_count; i++) {
        struct user user = {program, rest[i]};
        if ((rest[i]->kind != GZT_CALL || gzt_is_memory_copy(rest[i])) &&
            gzt_walk(rest[i], refuse_set, &user) != 0)
            return NULL;
    }
    for (int i = 0; i < measure->sweep.loops; i++)
        for (int k = 0; k < 3; k++) {
            struct user user = {program, measure->sweep.loop[i].node->child[k]};
            if (gzt_walk(user.statement, refuse_set, &user) != 0)
                return NULL;
        }
    return loop;
}

/* The loop of any kind and the statements that it repeats; NULL if there is none. */
static const struct gzt_node *find_loop(struct gzt_program *program, const struct gzt_node ***list,
                                        int *count)
{
    const struct gzt_node *loop = only_loop(program->region), *body = loop ? body_of(loop) : NULL;
    if (!body)
        return NULL;
    program->measure = gzt_alloc(sizeof *program->measure);
    program->measure->body = body;
    program->counts = gzt_alloc(sizeof *program->counts);
    program->counts->loop = loop;
    gzt_name_places(program->source, loop);
    gzt_statements(body, list, count);
    return loop;
}

static int mentions_set(const struct gzt_node *node, void *program)
{
    return node->kind == GZT_REF && gzt_is_counted(program, node->decl);
}

/* Whether something that the loop sets may end it: in its head, or a break; or each loop prints,
 * for which it must run anew, too. */
static bool may_end(struct gzt_program *program, bool breaks)
{
    const struct gzt_counts *counts = program->counts;
    const struct gzt_node *loop = counts->loop;
    bool ends = false;
    for (int i = 0; i < counts->count; i++)
        if (gzt_is_output(counts->statement[i]))
            return true;
    for (int i = 0; i < loop->count && !breaks; i++)
        ends = ends || (loop->child[i] != program->measure->body &&
                        gzt_walk(loop->child[i], mentions_set, program) != 0);
    for (int i = 0; i < counts->count; i++)
        ends = ends || gzt_walk(counts->statement[i], is_break, NULL) != 0;
    return ends && !(breaks && loop->kind == GZT_FOR && loop->count == 4);
}

const struct gzt_node *gzt_take_uncounted(struct gzt_program *program, bool breaks)
{
    const struct gzt_node **list = NULL, *rest = NULL;
    int count = 0;

    rest = find_loop(program, &list, &count) ? take(program, list, count) : NULL;
    if (rest && may_end(program, breaks))
        return rest;
    program->measure = NULL;
    program->counts = NULL;
    return NULL;
}

const struct gzt_node *gzt_take_measure(struct gzt_program *program)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    const struct gzt_node *loop = find_loop(program, &list, &count);

    if (loop && find_fold(program->source, list, count, NULL, program->measure))
        return take(program, list, count);
    for (int i = 0; loop && i < count && loop->kind != GZT_FOR; i++)
        if (refuse_sum(program, list[i]) != 0)
            return NULL;
    for (int i = 0; loop && i < count; i++) {
        struct ending ending = {program, list[i], list, count};
        if (gzt_depth(list[i]) && gzt_walk(list[i], refuse_ending, &ending) != 0)
            return NULL;
    }
    program->measure = NULL;
    program->counts = NULL;
    return NULL;
}

/* ------------------------------------------------------------------------------------ the value */

static int refuse_value(struct gzt_program *program, const struct gzt_node *node)
{
    return gzt_refuse(program->source, node->begin,
                      "%s, in what a loop %s, is not the cell's own state before or after the loop",
                      gzt_node_text(program->source, node),
                      program->measure->finds == GZT_SUM ? "adds up" : "compares");
}

static void add_read(struct gzt_measure *measure, const struct gzt_node *node, enum gzt_role role)
{
    struct gzt_read *read = gzt_alloc(sizeof *read);
    *read = (struct gzt_read){.node = node, .role = role};
    gzt_push(&measure->reads, &measure->read_count, read);
}

/* Where in the text the state that was read first is overwritten, or its pointer moves, or, of a
 * copy first, where it is there. */
static int place_of_move(const struct gzt_program *program)
{
    return program->form == GZT_SWAP ? program->exchange.begin
           : program->copy[0].call   ? program->copy[0].call->begin
                                     : program->copy[0].nest.write.node->begin;
}

/* What an element of the two arrays is where it stands; GZT_CONSTANT if neither. Before the copy or
 * the sweep the array that it sets is a loop older; behind an exchange the names have changed. */
static enum gzt_role role_of(const struct gzt_program *program, int place, bool written)
{
    bool later = place > program->sweep[0].write.node->begin;
    bool moved = place > place_of_move(program);
    if (program->form == GZT_COPY_FIRST)
        return written ? later ? GZT_NEW : GZT_OLD : moved ? GZT_OLD : GZT_CONSTANT;
    if (moved && program->form == GZT_SWAP)
        return written ? GZT_OLD : GZT_NEW;
    return !written ? moved ? GZT_NEW : GZT_OLD : later ? GZT_NEW : GZT_CONSTANT;
}

/* An element: the cell's own, which the sweep has written or is yet to, or which it has read. */
static int check_element(struct gzt_program *program, const struct gzt_node *node)
{
    struct gzt_measure *measure = program->measure;
    struct gzt_space space = gzt_space_of(program, &measure->sweep);
    const struct gzt_access *write = &program->sweep[0].write;

    if (gzt_read_access(program, &space, node, &measure->sweep.write) != 0)
        return -1;
    const struct gzt_array *array = measure->sweep.write.array;
    const struct gzt_array *read = program->state[program->state[0] == write->array ? 1 : 0];
    enum gzt_role role = role_of(program, node->begin, array == write->array);
    if (!gzt_names_alike(program, &measure->sweep) || (array != write->array && array != read) ||
        role == GZT_CONSTANT)
        return refuse_value(program, node);
    add_read(measure, node, role);
    return 0;
}

/* Whether a temporary holds what the sweep then assigns. */
static bool is_result(const struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_node *effect = gzt_effect(program->sweep[0].statement);
    if (!gzt_is_binary(effect, "=") || !gzt_is_ref(effect->child[1], node->decl) ||
        node->decl->type != program->type)
        return false;
    const struct gzt_value *here = gzt_value_at(&program->measure->sweep, node);
    const struct gzt_value *there = gzt_value_at(&program->sweep[0], gzt_bare(effect->child[1]));
    return here->kind == GZT_VALUE_IS && there->kind == GZT_VALUE_IS && here->node == there->node;
}

static int check_value(struct gzt_program *program, const struct gzt_node *node);

static int check_held(struct gzt_program *program, const struct gzt_value *value)
{
    int status = value->node ? check_value(program, value->node) : 0;
    status = status == 0 && value->a ? check_held(program, value->a) : status;
    return status == 0 && value->b ? check_held(program, value->b) : status;
}

/* Whether the value is taken in the sweep, which then has read what its temporaries have. */
static bool is_in_sweep(const struct gzt_program *program)
{
    return program->measure->nest->begin == program->sweep[0].loop[0].node->begin;
}

/* What the sweep has read there, too. */
static bool is_read_by_sweep(struct gzt_program *program, const struct gzt_node *node)
{
    for (int i = 0; i < program->read_count; i++)
        if (program->reads[i]->node == node) {
            gzt_push(&program->measure->reads, &program->measure->read_count, program->reads[i]);
            return true;
        }
    return false;
}

/* A loop variable. */
static bool is_place(struct gzt_program *program, const struct gzt_space *space,
                     const struct gzt_node *node)
{
    int loop = gzt_variable_of(space, node->decl);
    for (int axis = 0; loop >= 0 && axis < program->dimensions && is_in_sweep(program); axis++)
        if (program->sweep[0].axis_loop[axis] == loop)
            return program->axis_value[axis] = true;
    return false;
}

/* A name: a loop variable, a temporary, or a number that the file states. */
static int check_name(struct gzt_program *program, const struct gzt_node *node)
{
    struct gzt_measure *measure = program->measure;
    struct gzt_space space = gzt_space_of(program, &measure->sweep);
    if (is_place(program, &space, node))
        return 0;
    if (gzt_local_of(&measure->sweep, node->decl) < 0)
        return node->decl->constant && !node->decl->variable ? 0 : refuse_value(program, node);
    if (is_result(program, node)) {
        add_read(measure, node, GZT_NEW);
        return 0;
    }
    if (!gzt_may_follow(&space, node))
        return -1;
    return check_held(program, gzt_value_at(&measure->sweep, node));
}

static int check_value(struct gzt_program *program, const struct gzt_node *node)
{
    int status = 0;
    if (is_read_by_sweep(program, node))
        return 0;
    switch (node->kind) {
    case GZT_LITERAL_INT:
    case GZT_LITERAL_FLOAT:
        return node->type == GZT_OTHER ? refuse_value(program, node) : 0;
    case GZT_REF:
        return check_name(program, node);
    case GZT_SUBSCRIPT:
        return check_element(program, node);
    case GZT_CALL:
        if (gzt_check_call(program, node) != 0)
            return -1;
        break;
    case GZT_UNARY:
        if (gzt_is_assignment(node) || strchr("*&", node->op[0]))
            return refuse_value(program, node);
        break;
    case GZT_BINARY:
        if (gzt_is_assignment(node) || gzt_is_binary(node, ","))
            return refuse_value(program, node);
        break;
    case GZT_CAST:
        if (node->type == GZT_OTHER || node->type == GZT_POINTER)
            return refuse_value(program, node);
        break;
    case GZT_TERNARY:
    case GZT_PAREN:
    case GZT_IMPLICIT:
        break;
    default:
        return refuse_value(program, node);
    }
    for (int i = 0; i < node->count && status == 0; i++)
        status = check_value(program, node->child[i]);
    return status;
}

static bool has_no_sign(const struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_math *math;
    node = gzt_bare(node);
    if (gzt_is_integer(node->type))
        return true;
    if (node->kind == GZT_CALL)
        return (math = gzt_math_of(node)) && strcmp(math->device, "fabs") == 0;
    if (node->kind == GZT_BINARY &&
        (gzt_is_binary(node, "/") || gzt_is_binary(node, "*") || gzt_is_binary(node, "+")))
        return has_no_sign(program, node->child[0]) && has_no_sign(program, node->child[1]);
    if (node->kind != GZT_REF || gzt_local_of(&program->measure->sweep, node->decl) < 0)
        return node->kind == GZT_LITERAL_FLOAT;
    const struct gzt_value *value = gzt_value_at(&program->measure->sweep, node);
    return value->kind == GZT_VALUE_IS && has_no_sign(program, value->node);
}

bool gzt_lacks_negative_zero(const struct gzt_program *program)
{
    const struct gzt_measure *measure = program->measure;
    return measure->finds == GZT_SUM ||
           (measure->finds == GZT_LARGEST && has_no_sign(program, measure->value[0]));
}

int gzt_check_measure(struct gzt_program *program)
{
    struct gzt_measure *measure = program->measure;
    const struct gzt_node *at = measure ? measure->fold : NULL;
    bool moves = program->form == GZT_COPY_BACK || program->form == GZT_COPY_FIRST ||
                 (program->form == GZT_SWAP && !program->exchange.first);

    if (!measure || !measure->fold)
        return 0;
    /* In a sweep whose domain a condition cuts, a sum runs over all loops. */
    if (!moves || program->sweep[0].guarded ||
        (is_in_sweep(program) && program->sweep[0].cut_count > 0))
        return gzt_refuse(program->source, at->begin,
                          "%s of a loop is found where one sweep goes from one array to another, "
                          "all of it, and a copy or an exchange follows",
                          name_of(measure));
    if (program->dimensions == 1)
        return gzt_refuse(program->source, at->begin,
                          "%s of a loop is found in two or three dimensions", name_of(measure));
    if (program->older)
        return gzt_refuse(program->source, at->begin,
                          "%s of a loop is found with two time levels, and this loop reads the "
                          "state before the last",
                          name_of(measure));
    if ((measure->condition && check_value(program, measure->condition) != 0) ||
        (measure->values && check_value(program, measure->value[0]) != 0))
        return -1;
    if (is_in_sweep(program) && !measure->sweep.write.node) /* what names the cells then */
        measure->sweep.write = program->sweep[0].write;
    if (!measure->sweep.write.node || (measure->read_count == 0 && measure->finds != GZT_SUM))
        return refuse_value(program, measure->values ? measure->value[0] : at);
    if (gzt_finish_sweep(program, &measure->sweep) != 0)
        return -1;
    if (measure->finds == GZT_SUM && !gzt_is_integer(gzt_found_in(measure)->type) &&
        !program->source->contract)
        return gzt_refuse(
            program->source, at->begin,
            "%s adds up all cells, rounded in C's order, which no tile can keep: must "
            "be translated with --contract, which allows another",
            gzt_found_in(measure)->name);
    return 0;
}
