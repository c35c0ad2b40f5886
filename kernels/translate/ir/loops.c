/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * loops.c - loops: a head that decides whether the body runs once more, and phis for the variables
 * that the body changes.
 */
#include "lower.h"

#include <string.h>

/* A loop while it is lowered. */
struct turning {
    struct ir_loop *loop;
    struct ir_state entry, head, leaving; /* before, at the head with its phis, behind the head */
    struct ir_spot around;
    struct ir_value *broken, *first; /* flags: the body broke off; no turn was made yet */
};

static struct ir_loop *find_loop(struct ir_lower *l, const struct gzt_node *node)
{
    for (int i = 0; i < l->loops; i++)
        if (l->loop_list[i]->node == node && l->loop_list[i]->frame == l->at.frame->number)
            return l->loop_list[i];
    struct ir_loop *loop = gzt_alloc(sizeof *loop);
    *loop = (struct ir_loop){
        .node = node, .frame = l->at.frame->number, .begin = node->begin, .end = node->end};
    gzt_push(&l->loop_list, &l->loops, loop);
    return loop;
}

struct ir_value *ir_hidden(struct ir_lower *l, const char *name, const char *c, long whole)
{
    return IR_MAKE(&l->table, .code = IR_ADDRESS, .type = IR_POINTER, .c = c, .text = name,
                   .whole = whole, .frame = l->at.frame->number);
}

/* ------------------------------------------------------------------------------------- phis */

/* A pointer is a base and, level by level of the arrays that it leads into, how many elements it is
 * behind: each is a part with phis of its own, so that the base of one that only moves stays known.
 */
enum { BASE = -1 };

static struct ir_value *phi_of(struct ir_lower *l, struct ir_loop *loop, struct ir_value *place,
                               const struct ir_value *value, int part)
{
    bool offset = part != BASE;
    return IR_MAKE(&l->table, .code = IR_PHI, .type = offset ? IR_I64 : value->type,
                   .c = offset ? NULL : value->c, .text = offset ? "offset" : NULL,
                   .whole = offset ? part : 0, .loop = loop, .a = {NULL, NULL, place});
}

/* A part as it is at the head: a phi, if an earlier pass found that it changes. */
static struct ir_value *part_at_head(struct ir_lower *l, struct ir_loop *loop,
                                     struct ir_value *place, struct ir_value *entry, int part)
{
    struct ir_value *phi = phi_of(l, loop, place, entry, part);
    if (!gzt_is_listed(l->changed, l->changes, phi))
        return entry;
    phi->a[0] = phi->a[1] = entry;
    gzt_push(&loop->phi, &loop->phis, phi);
    return phi;
}

static struct ir_value *pointer_at_head(struct ir_lower *l, struct ir_loop *loop,
                                        struct ir_value *place, struct ir_value *entry, int level)
{
    struct ir_value *base = ir_base(entry), *by = ir_offset(&l->table, entry), *own = base;
    if (level == 0)
        own = part_at_head(l, loop, place, base, BASE);
    if (own == base && base->code == IR_FIRST)
        own = ir_first(&l->table, pointer_at_head(l, loop, place, base->a[0], level + 1));
    return ir_step(&l->table, own, part_at_head(l, loop, place, by, level));
}

/* Whether a variable that is not in the state has a value. */
static bool is_known(struct ir_lower *l, const struct ir_value *place)
{
    return ir_is_value(l, place) && (!l->s.clobbered || ir_is_register(l, place));
}

static void make_phis(struct ir_lower *l, struct ir_loop *loop)
{
    for (int i = 0; i < l->changes; i++) {
        const struct ir_value *phi = l->changed[i];
        if (phi->loop == loop && !ir_find(&l->s, phi->a[2]) && is_known(l, phi->a[2]))
            ir_load(l, phi->a[2], loop->node);
    }
    l->recents = 0;
    for (int i = 0; i < l->s.count; i++) {
        struct ir_value *place = l->s.list[i].place, *value = l->s.list[i].value;
        if (value)
            l->s.list[i].value = value->type == IR_POINTER
                                     ? pointer_at_head(l, loop, place, value, 0)
                                     : part_at_head(l, loop, place, value, BASE);
    }
    if (loop->clobbers)
        ir_clobber(l);
}

static void close_part(struct ir_lower *l, struct ir_loop *loop, struct ir_value *place,
                       struct ir_value *head, struct ir_value *end, int part)
{
    bool own = head->code == IR_PHI && head->loop == loop && head->a[2] == place;
    struct ir_value *phi = own ? head : phi_of(l, loop, place, head, part);
    if (head == end && !own)
        return;
    phi->a[1] = end;
    if (gzt_is_listed(l->changed, l->changes, phi))
        return;
    gzt_push(&l->changed, &l->changes, phi);
    l->again = true;
}

static void close_pointer(struct ir_lower *l, struct ir_loop *loop, struct ir_value *place,
                          struct ir_value *head, struct ir_value *end, int level)
{
    struct ir_value *from = ir_base(head), *to = ir_base(end);
    close_part(l, loop, place, ir_offset(&l->table, head), ir_offset(&l->table, end), level);
    if (from->code == IR_FIRST && ir_is_alike(from, to))
        close_pointer(l, loop, place, from->a[0], to->a[0], level + 1);
    else if (level == 0)
        close_part(l, loop, place, from, to, BASE);
}

static void forget_memory(struct ir_lower *l, struct ir_loop *loop)
{
    l->again = l->again || !loop->clobbers;
    loop->clobbers = true;
}

/* Compares what the body leaves with what its head had. */
static void close_phis(struct ir_lower *l, struct turning *turning)
{
    struct ir_state end = l->s;
    if (end.clobbered && !turning->head.clobbered)
        forget_memory(l, turning->loop);
    for (int i = 0; i < end.count; i++) {
        struct ir_value *place = end.list[i].place, *behind = end.list[i].value;
        l->s = turning->head;
        struct ir_value *head = ir_find(&l->s, place);
        if (!head && behind && is_known(l, place))
            head = ir_load(l, place, turning->loop->node);
        if (head && behind && head->type == IR_POINTER)
            close_pointer(l, turning->loop, place, head, behind, 0);
        else if (head && behind)
            close_part(l, turning->loop, place, head, behind, BASE);
        else if (head)
            forget_memory(l, turning->loop);
    }
}

/* ------------------------------------------------------------------------------------- loops */

static void add_loop(struct ir_lower *l, struct ir_loop *loop)
{
    *loop = (struct ir_loop){.node = loop->node,
                             .frame = loop->frame,
                             .clobbers = loop->clobbers,
                             .as = loop->as,
                             .number = l->ir->loops,
                             .around = l->at.loop,
                             .depth = l->at.loop ? l->at.loop->depth + 1 : 0,
                             .where = l->s.where,
                             .divided = l->at.loop && l->source->openmp >= 0 &&
                                        gzt_is_divided(l->source, loop->begin),
                             .begin = loop->begin,
                             .end = loop->end};
    gzt_push(&l->ir->loop, &l->ir->loops, loop);
    ir_add_item(l->at.block, NULL, loop);
}

static void enter_body(struct ir_lower *l, struct ir_loop *loop)
{
    l->at.loop = loop;
    l->at.block = &loop->body;
    l->at.head = false;
    l->s.where = ir_whole(&l->table, IR_I32, 1);
}

struct ir_value *ir_begin_count(struct ir_lower *l, const struct gzt_node *at, struct ir_value *end)
{
    struct ir_loop *loop = gzt_alloc(sizeof *loop);
    loop->begin = at->begin;
    loop->end = at->end;
    add_loop(l, loop);
    struct ir_value *phi = IR_MAKE(&l->table, .code = IR_PHI, .type = end->type, .loop = loop,
                                   .a = {NULL, NULL, ir_hidden(l, "counter", "long", 0)});
    phi->a[0] = ir_whole(&l->table, end->type, 0);
    phi->a[1] = ir_arith(&l->table, "+", end->type, phi, ir_whole(&l->table, end->type, 1));
    gzt_push(&loop->phi, &loop->phis, phi);
    loop->holds = ir_arith(&l->table, "<", IR_I32, phi, end);
    enter_body(l, loop);
    return phi;
}

/* Begins a loop with its head; `first` is 1 if the first turn does not depend on its condition. */
static void begin_loop(struct ir_lower *l, struct turning *turning, struct ir_loop *loop,
                       bool first)
{
    *turning = (struct turning){.loop = loop,
                                .around = l->at,
                                .broken = ir_hidden(l, "broken", "int", loop->begin),
                                .first = ir_hidden(l, "first", "int", loop->begin)};
    add_loop(l, loop);
    ir_set(l, turning->broken, ir_whole(&l->table, IR_I32, 0));
    ir_set(l, turning->first, ir_whole(&l->table, IR_I32, first));
    turning->entry = ir_copy_state(&l->s);
    for (int i = 0; i < l->s.count && !loop->around; i++) {
        const struct ir_value *value = l->s.list[i].value;
        if (!value || value->code != IR_LIVE_IN || value->a[0] != l->s.list[i].place)
            gzt_push(&loop->changed, &loop->changes, l->s.list[i].place);
    }
    l->at.loop = loop;
    l->at.block = &loop->head;
    l->at.head = true;
    make_phis(l, loop);
    l->s.where = ir_whole(&l->table, IR_I32, 1);
    turning->head = ir_copy_state(&l->s);
    ir_push_target(l, IR_TO_BREAK)->broken = turning->broken;
}

/* Begins the body, and notes the variables that the head has changed. */
static void begin_body(struct ir_lower *l, struct turning *turning, struct ir_value *holds)
{
    struct ir_loop *loop = turning->loop;
    loop->holds = holds;
    loop->moved = gzt_alloc((size_t)(l->s.count + 1) * sizeof *loop->moved);
    for (int i = 0; i < l->s.count; i++) {
        struct ir_value *place = l->s.list[i].place, *value = l->s.list[i].value;
        struct ir_value *head = ir_find(&turning->head, place);
        if (value && head && head != value)
            loop->moved[loop->moves++] = (struct ir_result){place, value, false};
    }
    turning->leaving = ir_copy_state(&l->s);
    enter_body(l, loop);
}

/* What a variable has once a loop has ended. */
static struct ir_value *exit_value(struct ir_lower *l, struct ir_loop *loop, struct ir_value *value)
{
    if (value->code == IR_STEP)
        return ir_step(&l->table, exit_value(l, loop, value->a[0]),
                       exit_value(l, loop, value->a[1]));
    if (value->code == IR_FIRST)
        return ir_first(&l->table, exit_value(l, loop, value->a[0]));
    if (value->code == IR_ADDRESS || value->code == IR_CONST || value->code == IR_LIVE_IN ||
        value->code == IR_UNDEF)
        return value;
    return ir_exit(&l->table, loop, value);
}

/* Jumps out of several loops go on where the innermost has ended. */
static void jump_on(struct ir_lower *l, const struct ir_state *entry)
{
    for (struct ir_target *target = l->at.targets; target; target = target->outer) {
        struct ir_value *now = ir_find(&l->s, target->flag);
        if (!now || now == ir_find(entry, target->flag) || ir_is_number(now, 0))
            continue;
        struct ir_value *jumps = ir_truth(&l->table, now);
        struct ir_state rest = ir_copy_state(&l->s);
        l->s.where = ir_and(&l->table, l->s.where, jumps);
        ir_jump(l, target);
        l->s = rest;
        l->s.where = ir_and(&l->table, rest.where, ir_not(&l->table, jumps));
        ir_set(l, target->flag, ir_whole(&l->table, IR_I32, 0));
    }
}

static void end_loop(struct ir_lower *l, struct turning *turning)
{
    struct ir_loop *loop = turning->loop;
    ir_arrive(l);
    close_phis(l, turning);
    l->at = turning->around;
    l->recents = 0;
    l->s = ir_copy_state(&turning->leaving);
    for (int i = 0; i < l->s.count; i++) {
        struct ir_value *value = l->s.list[i].value;
        if (value && value != ir_find(&turning->entry, l->s.list[i].place))
            l->s.list[i].value = exit_value(l, loop, value);
    }
    l->s.where = turning->entry.where;
    ir_set(l, turning->broken, NULL);
    ir_set(l, turning->first, NULL);
    jump_on(l, &turning->entry);
}

/* ------------------------------------------------------------------------- C's loops as that */

struct parts {
    const struct gzt_node *begin, *condition, *step, *body;
    bool first; /* whether the first turn does not depend on the condition */
};

/* A for has its parts but for absent ones, with as many semicolons before each as its number says.
 */
static bool find_parts_of_for(const char *text, const struct gzt_node *node, struct parts *parts)
{
    const struct gzt_node *part[3] = {NULL, NULL, NULL};
    int at = node->begin, semicolons = 0;
    for (int i = 0; i + 1 < node->count; i++) {
        const struct gzt_node *child = node->child[i];
        for (; at < child->begin; at++)
            semicolons += text[at] == ';';
        if (semicolons > 2 || part[semicolons])
            return false;
        part[semicolons] = child;
        at = child->end - (text[child->end - 1] == ';');
    }
    *parts = (struct parts){part[0], part[1], part[2],
                            node->count > 0 ? node->child[node->count - 1] : NULL, false};
    return parts->body != NULL;
}

static bool find_parts(struct ir_lower *l, const struct gzt_node *node, struct parts *parts)
{
    bool late = gzt_is_kind(node, "DoStmt");
    if (node->kind == GZT_FOR)
        return find_parts_of_for(l->source->text, node, parts);
    if (node->count != 2 || node->child[late]->kind == GZT_VARIABLE)
        return false;
    *parts =
        (struct parts){.condition = node->child[late], .body = node->child[!late], .first = late};
    return true;
}

static struct ir_value *lower_holds(struct ir_lower *l, struct turning *turning,
                                    const struct gzt_node *condition)
{
    struct ir_value *zero = ir_whole(&l->table, IR_I32, 0), *one = ir_whole(&l->table, IR_I32, 1);
    struct ir_value *broken = ir_truth(&l->table, ir_find(&l->s, turning->broken));
    struct ir_value *first = ir_truth(&l->table, ir_find(&l->s, turning->first));
    struct ir_value *skips =
        ir_or(&l->table, broken, ir_and(&l->table, ir_not(&l->table, broken), first));
    const struct gzt_node *const way[2] = {NULL, condition};
    struct ir_value *value[2] = {one, one};
    if (!ir_lower_either(l, skips, way, ir_lower_condition, value))
        return NULL;
    return ir_select(&l->table, broken, zero, ir_select(&l->table, skips, value[0], value[1]));
}

/* ---------------------------------------------------------------- loops as copies of their body */

/* A macro's loop. */
static bool is_once(const struct gzt_node *node)
{
    return gzt_is_kind(node, "DoStmt") && node->child[1]->constant && node->child[1]->value == 0;
}

/* Whether a loop within one that stores hands on a number, and only reads: what a cell makes of
 * its neighbours, as far as they are few. */
static bool is_sum(const struct ir_region *ir, const struct ir_loop *loop)
{
    bool minus, hands = false, stores = false;
    for (int i = 0; i < loop->phis; i++) {
        const struct ir_value *step = ir_step_of(loop->phi[i], &minus);
        hands = hands || !step || step->code != IR_CONST;
    }
    for (int i = 0; i < ir->loops && hands; i++)
        hands = ir->loop[i]->around != loop;
    for (int i = 0; i < ir->ops && hands; i++) {
        const struct ir_loop *outer = ir->op[i]->loop;
        hands = ir->op[i]->kind == IR_READ || !ir_within(outer, loop);
        for (; outer && ir->op[i]->kind == IR_STORE && !stores; outer = outer->around)
            stores = outer->around && ir_within(loop, outer);
    }
    return hands && stores;
}

void ir_find_copies(struct ir_lower *l)
{
    for (int i = 0; i < l->ir->loops; i++) {
        struct ir_loop *loop = l->ir->loop[i];
        if (!loop->around || loop->as == IR_UNFOLLOWED || !is_sum(l->ir, loop))
            continue;
        loop->as = IR_AS_COPIES;
        l->again = true;
    }
}

/* Lowers a body and what C evaluates behind it, if it comes there. */
static bool lower_turn(struct ir_lower *l, const struct parts *parts)
{
    ir_push_target(l, IR_TO_CONTINUE);
    if (!ir_lower_statement(l, parts->body))
        return false;
    ir_arrive(l);
    if (parts->step && ir_is_dead(l))
        ir_cover(l, parts->step, true);
    return !parts->step || ir_is_dead(l) || ir_lower_value(l, parts->step);
}

/* Lowers the body of a loop as often as C runs it. If it does not follow how often, the loop is one
 * in the next pass. Each node is covered by the first copy. */
static bool lower_copies(struct ir_lower *l, struct ir_loop *loop, const struct parts *parts)
{
    enum { MOST_COPIES = 16 };
    struct ir_value *holds = ir_whole(&l->table, IR_I32, 1);
    int copy = 0, covers, first = parts->first; /* copy that asks whether it runs */
    ir_push_target(l, IR_TO_BREAK);
    for (;; copy++) {
        covers = l->covers;
        bool asks = parts->condition && copy >= first;
        if (asks && ir_is_dead(l))
            ir_cover(l, parts->condition, true);
        else if (asks && !(holds = ir_lower_condition(l, parts->condition)))
            return false;
        covers = l->covers = copy > first ? covers : l->covers;
        if (!ir_is_number(holds, 1) || copy == MOST_COPIES || ir_is_dead(l))
            break;
        if (!lower_turn(l, parts))
            return false;
        l->covers = copy > 0 ? covers : l->covers;
    }
    if (copy == 0 || !(ir_is_number(holds, 0) || ir_is_dead(l))) {
        loop->as = IR_UNFOLLOWED;
        l->again = true;
    }
    ir_arrive(l);
    return true;
}

static bool lower_loop(struct ir_lower *l, const struct gzt_node *node, const struct parts *parts)
{
    struct turning turning;
    struct ir_loop *loop = find_loop(l, node);
    if (is_once(node) || loop->as == IR_AS_COPIES)
        return lower_copies(l, loop, parts);
    begin_loop(l, &turning, loop, parts->first);
    struct ir_value *holds = lower_holds(l, &turning, parts->condition);
    if (!holds)
        return false;
    begin_body(l, &turning, holds);
    ir_set(l, turning.first, ir_whole(&l->table, IR_I32, 0));
    if (!lower_turn(l, parts))
        return false;
    end_loop(l, &turning);
    return true;
}

bool ir_lower_loop(struct ir_lower *l, const struct gzt_node *node)
{
    struct parts parts;
    if (!find_parts(l, node, &parts))
        return ir_fail(l, node, "a loop");
    const struct gzt_node *begin = parts.begin;
    bool declares = begin && begin->kind == GZT_DECL;
    if (begin && begin->kind != GZT_EMPTY &&
        !(declares ? ir_lower_declaration(l, begin) : ir_lower_value(l, begin) != NULL))
        return false;
    bool done = lower_loop(l, node, &parts);
    ir_forget(l, node->begin, node->end);
    return done;
}
