/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "counts.h"

#include "borders.h"
#include "effects.h"
#include "forms.h"
#include "loops.h"
#include "reads.h"

#include <string.h>

static bool is_number(enum gzt_type type)
{
    return type != GZT_POINTER && type != GZT_OTHER;
}

/* ------------------------------------------------------------------------------------- memory */

/* A number in memory that the head of a loop counts, such as *k or g->time. */
struct place {
    const struct gzt_source *source;
    const struct gzt_node *loop;
    int body; /* the child of the loop that is not its head */
    enum gzt_kind kind;
    const char *text;
    const struct gzt_decl *decl; /* stands for it */
};

static int is_place(const struct gzt_node *node, void *data)
{
    const struct place *place = data;
    return node->kind == place->kind &&
           strcmp(gzt_node_text(place->source, node), place->text) == 0;
}

static int leads_elsewhere(const struct gzt_node *node, void *loop)
{
    return node->kind == GZT_REF && node->decl &&
           (gzt_assignments(loop, node->decl) > 0 || gzt_holds(loop, node->decl));
}

static int replace_place(const struct gzt_node *node, void *data)
{
    const struct place *place = data;
    if (is_place(node, data)) {
        struct gzt_node *reference = (struct gzt_node *)node;
        reference->kind = GZT_REF;
        reference->decl = (struct gzt_decl *)place->decl;
        reference->count = 0;
    }
    return 0;
}

/* Makes a variable, for all of the loop, of what an assignment counts in memory if the head asks
 * for it. */
static int name_place(const struct gzt_node *node, void *data)
{
    struct place *place = data;
    const struct gzt_node *loop = place->loop;
    const struct gzt_node *target = gzt_is_assignment(node) ? gzt_bare(node->child[0]) : NULL;
    bool found = false;
    if (!target || target->kind == GZT_REF || !is_number(target->type) || target->is_bit_field ||
        target->is_volatile || gzt_walk(target, leads_elsewhere, (void *)loop) != 0)
        return 0;
    place->kind = target->kind;
    place->text = gzt_node_text(place->source, target);
    for (int i = 0; i < loop->count && !found; i++)
        found = i != place->body && gzt_walk(loop->child[i], is_place, place) != 0;
    if (!found)
        return 0;
    struct gzt_decl *decl = gzt_alloc(sizeof *decl);
    *decl = (struct gzt_decl){.name = place->text,
                              .type_name = target->type_name,
                              .type = target->type,
                              .offset = -1,
                              .variable = true,
                              .usr = place->text};
    place->decl = decl;
    return gzt_walk(loop, replace_place, place);
}

void gzt_name_places(const struct gzt_source *source, const struct gzt_node *loop)
{
    int body = gzt_is_kind(loop, "DoStmt") ? 0 : loop->count - 1;
    struct place place = {.source = source, .loop = loop, .body = body};
    gzt_walk(loop, name_place, &place);
}

/* ---------------------------------------------------------------------------------- statements */

/* Whether it is at an address that is computed, and so may be another in each loop, whose memory
 * nobody then compares with what the sweeps set. */
static bool is_computed(const struct gzt_node *node)
{
    bool leads = (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0) ||
                 (node->kind == GZT_MEMBER && node->child[0]->type == GZT_POINTER);
    const struct gzt_node *pointer = leads ? gzt_bare(node->child[0]) : NULL;
    return node->kind == GZT_SUBSCRIPT ||
           (pointer && pointer->kind != GZT_REF && pointer->kind != GZT_MEMBER);
}

/* What may not stand in an expression that is evaluated without the sweeps. */
static int is_other(const struct gzt_node *node, void *body)
{
    const struct gzt_decl *set = gzt_assigned(node);
    if (gzt_is_assignment(node))
        return !set || !is_number(set->type) || !set->variable;
    if (node->kind == GZT_VARIABLE)
        return !is_number(node->decl->type) || !node->decl->automatic;
    return is_computed(node) || node->kind == GZT_UNKNOWN || node->is_volatile ||
           (node->kind == GZT_CALL && !gzt_math_of(node)) ||
           (node->kind == GZT_UNARY && strcmp(node->op, "&") == 0) ||
           (node->kind == GZT_REF && (strncmp(node->decl->name, "gz_", 3) == 0 ||
                                      (node->decl->variable && gzt_holds(body, node->decl))));
}

/* x += A, x = x - A and the like, but for what takes turns, as x = 1 - x. */
static bool adds(const struct gzt_node *node, const struct gzt_decl *decl)
{
    const struct gzt_node *value = node->count == 2 ? gzt_bare(node->child[1]) : NULL;
    if (!gzt_is_binary(node, "="))
        return !gzt_is_binary(node, "^=");
    return (gzt_is_binary(value, "+") || gzt_is_binary(value, "-")) &&
           gzt_is_ref(value->child[0], decl);
}

/* Statements of the body while those that set numbers are looked for. */
struct statements {
    const struct gzt_node *loop, *body, **list;
    int count, sweep; /* the first that holds a loop */
    bool *sets;
};

static bool head_mentions(const struct gzt_node *loop, const struct gzt_decl *decl)
{
    bool mentions = false;
    for (int i = 0; i + 1 < loop->count; i++)
        mentions = mentions || gzt_mentions(loop->child[i], decl);
    return mentions;
}

/* Whether a statement stays with the sweeps: one that sets what others need, and not only the next
 * loop. */
static bool is_needed(const struct statements *all, int number)
{
    const struct gzt_decl *decl = gzt_assigned(all->list[number]);
    bool needed = number < all->sweep;
    if (adds(all->list[number], decl) || head_mentions(all->loop, decl))
        return false;
    for (int i = 0; i < all->count; i++)
        needed = needed || (i != number && gzt_mentions(all->list[i], decl));
    return needed;
}

/* What a call that prints may not be given where it waits for the last loop. */
static int is_odd(const struct gzt_node *node, void *body)
{
    if (gzt_is_kind(node, "StringLiteral"))
        return 0;
    bool pointer = node->kind == GZT_REF && node->type == GZT_POINTER;
    return (pointer && !strstr(node->type_name, "FILE")) || gzt_is_assignment(node) ||
           is_other(node, body);
}

/* Whether a statement prints nothing but numbers that the loop does not compute in its cells. */
static bool prints(const struct gzt_node *node, const struct gzt_node *body)
{
    bool prints = gzt_is_output(node);
    for (int i = 0; i < node->count && prints; i++)
        prints = gzt_walk(node->child[i], is_odd, (void *)body) == 0;
    return prints;
}

static void find_statements(struct statements *all)
{
    gzt_statements(all->body, &all->list, &all->count);
    while (all->sweep < all->count && gzt_depth(all->list[all->sweep]) == 0)
        all->sweep++;
    all->sets = gzt_alloc((size_t)(all->count + 1) * sizeof *all->sets);
    for (int i = 0; i < all->count; i++)
        all->sets[i] =
            prints(all->list[i], all->body) ||
            (gzt_assigned(all->list[i]) &&
             gzt_walk(all->list[i], is_other, (void *)all->body) == 0 && !is_needed(all, i));
}

/* A statement without those that are taken out; NULL if nothing is left. */
static const struct gzt_node *rest_of(const struct statements *all, const struct gzt_node *node)
{
    for (int i = 0; i < all->count; i++)
        if (all->sets[i] && all->list[i] == gzt_bare(node))
            return NULL;
    if (node->kind != GZT_BLOCK && !gzt_is_once(node))
        return node;
    struct gzt_node *copy = gzt_copy_alone(node);
    for (int i = 0; i < node->count; i++) {
        const struct gzt_node *rest = rest_of(all, node->child[i]);
        if (rest)
            gzt_push(&copy->child, &copy->count, rest);
    }
    return copy;
}

/* -------------------------------------------------------------------------------------- counts */

int gzt_collect_set(const struct gzt_node *node, void *data)
{
    struct gzt_counts *counts = data;
    bool begins = node->kind == GZT_VARIABLE && node->count;
    const struct gzt_decl *decl = begins ? node->decl : gzt_assigned(node);
    for (int i = 0; i < counts->set_count; i++)
        if (counts->set[i] == decl)
            return 0;
    if (decl)
        gzt_push(&counts->set, &counts->set_count, decl);
    return 0;
}

/* Calls `visit` for all that is evaluated without the sweeps. */
static int walk(const struct gzt_counts *counts, int (*visit)(const struct gzt_node *, void *),
                void *data)
{
    int found = 0;
    for (int i = 0; i + 1 < counts->loop->count && !found; i++)
        found = gzt_walk(counts->loop->child[i], visit, data);
    for (int i = 0; i < counts->count && !found; i++)
        found = gzt_walk(counts->statement[i], visit, data);
    return found;
}

/* A variable that the sweeps, or what belongs to them, set. What ifs beside the sweeps set, they do
 * between two calls. */
static int is_set_elsewhere(const struct gzt_node *node, void *data)
{
    const struct statements *all = data;
    bool set = false;
    for (int i = 0; i < all->count && node->kind == GZT_REF; i++)
        set = set || (!all->sets[i] && all->list[i]->kind != GZT_IF &&
                      gzt_assignments(all->list[i], node->decl) > 0);
    return set;
}

/* The step of a whole number: of x++, x -= 2, x = x + 3; 0 if it is none. */
static int step_of(const struct gzt_node *node)
{
    enum { MOST = 1 << 20 };
    const struct gzt_node *by = node->count == 2 ? gzt_bare(node->child[1]) : NULL;
    bool down = node->op[0] == '-' || strcmp(node->op, "x--") == 0;
    if (node->kind == GZT_UNARY)
        return down ? -1 : 1;
    if (gzt_is_binary(node, "=")) {
        if (!adds(node, gzt_assigned(node)))
            return 0;
        down = by->op[0] == '-';
        by = by->child[1];
    } else if (strcmp(node->op, "+=") != 0 && strcmp(node->op, "-=") != 0) {
        return 0;
    }
    by = gzt_bare(by);
    if (!by->constant || by->value <= 0 || by->value >= MOST)
        return 0;
    return down ? -(int)by->value : (int)by->value;
}

/* Looks for what counts by the same step in each loop. */
struct stepping {
    const struct gzt_decl *decl;
    const struct gzt_node *found;
    int times;
};
static int find_step(const struct gzt_node *node, void *data)
{
    struct stepping *stepping = data;
    if (gzt_assigned(node) == stepping->decl) {
        stepping->found = node;
        stepping->times++;
    }
    return 0;
}

/* The step of a variable from sweeps to sweeps, 0 if it has none. */
static int step_in(const struct gzt_counts *counts, const struct statements *all,
                   const struct gzt_decl *decl)
{
    struct stepping stepping = {.decl = decl};
    const struct gzt_node *loop = counts->loop;
    bool between = false;
    for (int i = loop->kind == GZT_FOR; i + 1 < loop->count; i++)
        gzt_walk(loop->child[i], find_step, &stepping);
    for (int i = 0; i < counts->count; i++) {
        gzt_walk(counts->statement[i], find_step, &stepping);
        for (int k = 0; k < all->count && i >= counts->ahead && stepping.times; k++)
            between = between || (!all->sets[k] && all->list[k]->begin > stepping.found->begin &&
                                  gzt_assigned(counts->statement[i]) == decl &&
                                  gzt_mentions(all->list[k], decl));
    }
    return stepping.times == 1 && !between ? step_of(stepping.found) : 0;
}

/* The time: what the sweeps use, if it is a whole number that changes by the same in each loop, or
 * else one that nothing uses. */
static void set_time(struct gzt_program *program, const struct statements *all,
                     const struct gzt_node *rest)
{
    const struct gzt_counts *counts = program->counts;
    struct gzt_loop *time = &program->time, first = {0};
    *time = (struct gzt_loop){.iterator = &gzt_turn, .declared_inside = true, .step = 1};
    for (int i = 0; i < counts->set_count && time->iterator == &gzt_turn; i++) {
        const struct gzt_decl *decl = counts->set[i];
        bool whole = decl->type == GZT_INT || decl->type == GZT_UINT || decl->type == GZT_LONG ||
                     decl->type == GZT_ULONG;
        int step = whole && gzt_mentions(rest, decl) ? step_in(counts, all, decl) : 0;
        if (step)
            *time = (struct gzt_loop){.iterator = decl, .step = step};
    }
    if (counts->loop->kind == GZT_FOR && time->step > 0 &&
        gzt_read_beginning(counts->loop->child[0], &first) && first.iterator == time->iterator)
        time->low = first.low;
}

/* A for with all parts of its head, empty ones too, which clang does not tell. */
static const struct gzt_node *whole_loop(const struct gzt_source *source,
                                         const struct gzt_node *loop)
{
    struct gzt_node *whole = gzt_copy_alone(loop);
    int part = 0, depth = 0, next = 0;
    for (int at = loop->begin; part < 3 && at < loop->end; at++) {
        char c = source->text[at];
        bool ends = depth == 1 && (c == ';' || c == ')');
        depth += (c == '(') - (c == ')');
        if (!ends)
            continue;
        const struct gzt_node *child = loop->child[next];
        bool there = next + 1 < loop->count && child->begin < at;
        struct gzt_node *none = gzt_copy_alone(loop);
        none->kind = GZT_EMPTY;
        none->begin = none->end = at;
        gzt_push(&whole->child, &whole->count, there ? child : none);
        next += there;
        part++;
    }
    gzt_push(&whole->child, &whole->count, loop->child[loop->count - 1]);
    return whole;
}

const struct gzt_node *gzt_take_counts(struct gzt_program *program, const struct gzt_node *loop,
                                       bool plain)
{
    struct gzt_counts *counts = gzt_alloc(sizeof *counts);
    if (loop->kind == GZT_FOR && loop->count > 0)
        loop = whole_loop(program->source, loop);
    bool is_for = loop->kind == GZT_FOR && loop->count == 4 && loop->child[1]->kind != GZT_EMPTY;
    if (!is_for && !(gzt_is_kind(loop, "WhileStmt") && loop->count == 2))
        return NULL;
    gzt_name_places(program->source, loop);
    struct statements all = {.loop = loop, .body = loop->child[loop->count - 1]};
    find_statements(&all);
    counts->loop = loop;
    const struct gzt_node *rest = rest_of(&all, all.body);
    bool ahead = true;
    for (int i = 0; i < all.count; i++) {
        ahead = ahead && (all.sets[i] || gzt_is_bare(all.list[i]) || all.list[i]->kind == GZT_IF);
        counts->ahead += ahead && all.sets[i];
        if (all.sets[i])
            gzt_push(&counts->statement, &counts->count, all.list[i]);
    }
    bool other = !rest || walk(counts, is_set_elsewhere, &all) != 0;
    for (int i = 0; i + 1 < loop->count && !other; i++)
        other = gzt_walk(loop->child[i], is_other, (void *)all.body) != 0;
    if (other || (plain && counts->count == 0))
        return NULL;
    walk(counts, gzt_collect_set, counts);
    program->counts = counts;
    set_time(program, &all, rest);
    program->time.node = gzt_bare_loop(loop, rest);
    return program->time.node;
}

/* ------------------------------------------------------------------------------------- checks */

static int refuse_use(const struct gzt_node *node, void *data)
{
    const struct gzt_program *program = data;
    return gzt_goes_by(program, node)
               ? gzt_refuse(program->source, node->begin,
                            "%s changes in each loop: must be used in the cells of sweeps alone, "
                            "or change by the same whole number in each loop, behind the sweeps",
                            node->decl->name)
               : 0;
}

/* Subscripts, whose text is read elsewhere. */
static int refuse_in_element(const struct gzt_node *node, void *data)
{
    return node->kind == GZT_SUBSCRIPT ? gzt_walk(node->child[1], refuse_use, data) : 0;
}

int gzt_check_counts(struct gzt_program *program)
{
    const struct gzt_node **list = NULL;
    int count = 0, status = 0;
    if (program->counts && !program->measure)
        gzt_statements(program->time.node->child[3], &list, &count);
    for (int i = 0; i < count && status == 0; i++) {
        bool sets = list[i]->kind == GZT_DECL || gzt_assigned(list[i]) || gzt_depth(list[i]);
        if (gzt_is_stream(program->source, list[i]))
            return gzt_refuse_other(program->source, list[i]);
        status = gzt_walk(list[i], sets ? refuse_in_element : refuse_use, program);
    }
    return status;
}

static int check_uses(struct gzt_program *program)
{
    int status = 0, others = program->border_count + program->point_count;
    for (int i = 0; i < program->border_count && status == 0; i++)
        status = gzt_walk(program->borders[i]->node, refuse_use, program);
    for (int i = 0; i < program->point_count && status == 0; i++)
        status = gzt_walk(program->points[i]->assignment, refuse_use, program);
    for (int i = 0; i < program->alias_count && status == 0; i++)
        if (others || program->aliases[i]->outside)
            status = gzt_walk(program->aliases[i]->node, refuse_use, program);
    return status;
}

/* Whether a statement of the body itself stands before or behind all that the call replaces. */
static bool is_apart(const struct gzt_program *program, int number)
{
    const struct gzt_counts *counts = program->counts;
    const struct gzt_node *body = counts->loop->child[counts->loop->count - 1];
    const struct gzt_node *rest = program->time.node->child[3];
    const struct gzt_node *statement = counts->statement[number];
    bool apart = false;
    for (int i = 0; i < body->count; i++)
        apart = apart || gzt_bare(body->child[i]) == statement;
    for (int i = 0; i < rest->count && apart; i++)
        apart = rest->child[i]->kind == GZT_EMPTY || gzt_is_bare(rest->child[i]) ||
                (rest->child[i]->begin > statement->begin) == (number < counts->ahead);
    return apart && body->kind == GZT_BLOCK;
}

/* What is printed at the end must not have to stand among what else is. */
static int check_output(struct gzt_program *program, const struct gzt_node *node)
{
    for (int i = 0; i < program->receiver_count; i++)
        if (gzt_output_in(program->receivers[i]->node))
            return gzt_refuse(program->source, node->begin,
                              "%s is printed beside cells, by %s: must be printed by the same "
                              "statement",
                              gzt_node_text(program->source, node),
                              gzt_node_text(program->source, program->receivers[i]->node));
    return gzt_keeps_time(program) ? gzt_refuse_other(program->source, node) : 0;
}

int gzt_check_counted_place(struct gzt_program *program)
{
    const struct gzt_counts *counts = program->counts;
    if (!counts || check_uses(program) != 0)
        return counts ? -1 : 0;
    for (int i = 0; i < counts->count; i++)
        if (gzt_is_output(counts->statement[i]) && check_output(program, counts->statement[i]) != 0)
            return -1;
    for (int i = 0; i < counts->count && gzt_keeps_time(program); i++)
        if (!is_apart(program, i))
            return gzt_refuse(program->source, counts->statement[i]->begin,
                              "%s: numbers must be set before or behind all else in a time loop "
                              "that sets several arrays or more than the cells of its sweeps",
                              gzt_node_text(program->source, counts->statement[i]));
    return 0;
}
