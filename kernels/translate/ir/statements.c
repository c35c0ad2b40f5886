/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * statements.c - statements, jumps and what stays the user's text.
 */
#include "lower.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------- jumps */

struct ir_target *ir_push_target(struct ir_lower *l, enum ir_aim kind)
{
    struct ir_target *target = gzt_alloc(sizeof *target);
    *target = (struct ir_target){
        .kind = kind, .loop = l->at.loop, .frame = l->at.frame, .outer = l->at.targets};
    l->at.targets = target;
    return target;
}

struct ir_target *ir_push_far(struct ir_lower *l, enum ir_aim kind, int place)
{
    struct ir_target *target = ir_push_target(l, kind);
    target->label = place;
    target->flag = ir_hidden(l, "jump", "int", (long)place * 8 + (long)kind);
    ir_set(l, target->flag, ir_whole(&l->table, IR_I32, 0));
    return target;
}

static void arrive(struct ir_lower *l, struct ir_target *target)
{
    for (int i = 0; i < l->jumps; i++)
        if (l->jump[i]->to == target)
            l->s = ir_join(l, l->jump[i]->s.where, &l->jump[i]->s, &l->s);
    target->passed = true;
}

static void pop_target(struct ir_lower *l)
{
    if (l->at.targets->flag)
        ir_set(l, l->at.targets->flag, NULL);
    l->at.targets = l->at.targets->outer;
}

void ir_arrive(struct ir_lower *l)
{
    arrive(l, l->at.targets);
    pop_target(l);
}

static struct ir_target *find_target(struct ir_lower *l, enum ir_aim kind, int label)
{
    struct ir_target *target = l->at.targets;
    while (target && (target->kind != kind || (kind == IR_TO_LABEL && target->label != label)))
        target = target->outer;
    return target;
}

bool ir_jump(struct ir_lower *l, struct ir_target *target)
{
    struct ir_target *to = target;
    if (!target || target->passed)
        return false;
    if (target->loop != l->at.loop) {
        if (!target->flag)
            return false;
        ir_set(l, target->flag, ir_whole(&l->table, IR_I32, 1));
        for (to = l->at.targets; !to->broken || to->loop != l->at.loop;)
            to = to->outer;
    }
    if (to->broken)
        ir_set(l, to->broken, ir_whole(&l->table, IR_I32, 1));
    struct ir_jump *jump = gzt_alloc(sizeof *jump);
    *jump = (struct ir_jump){to, ir_copy_state(&l->s)};
    gzt_push(&l->jump, &l->jumps, jump);
    l->s.where = ir_whole(&l->table, IR_I32, 0);
    return true;
}

/* The region is left, with a value or NULL. */
static bool leave(struct ir_lower *l, const struct gzt_node *at, struct ir_value *value)
{
    ir_add_op(l, IR_LEAVE, at)->value = value;
    return ir_jump(l, find_target(l, IR_TO_END, 0));
}

/* return and goto out of the region, or out of a function that is a value. */
static bool lower_return(struct ir_lower *l, const struct gzt_node *node)
{
    struct ir_target *target = find_target(l, IR_TO_RETURN, 0);
    const struct gzt_decl *function = l->at.frame->function;
    bool place = function && function->refers;
    struct ir_value *value =
        node->count ? (place ? ir_lower_place : ir_lower_value)(l, node->child[0]) : NULL;
    if (node->count && !value)
        return false;
    if (!target)
        return leave(l, node, value);
    if (value && value->type != IR_VOID)
        ir_set(l, target->result, value);
    return ir_jump(l, target);
}

static bool lower_goto(struct ir_lower *l, const struct gzt_node *node)
{
    int label = gzt_label_of(node);
    struct ir_target *target = find_target(l, IR_TO_LABEL, label);
    if (label < 0 || (target && target->frame != l->at.frame))
        return ir_fail(l, node, "a goto");
    for (int i = 0; i < node->count; i++)
        ir_cover(l, node->child[i], true);
    bool leaves = !target && l->at.frame->number == 0 && (label < l->begin || label >= l->end);
    bool done = leaves ? leave(l, node, NULL) : ir_jump(l, target);
    return done || ir_fail(l, node, "a goto");
}

/* --------------------------------------------------------------------------- what stays text */

/* Whether a jump in a function leads into a text or out of it. */
static bool is_crossed(const struct gzt_node *function, const struct gzt_node *text)
{
    GZT_EACH (node, function) {
        int label = gzt_label_of(node);
        bool from = node->begin >= text->begin && node->end <= text->end;
        if (label >= 0 && from != (label >= text->begin && label < text->end))
            return true;
    }
    return false;
}

enum { CASES = 2, JUMPS = 4 };

/* Whether a statement in a text, of the first so many kinds, belongs to one around it. */
static bool is_open(const struct gzt_node *text, int kinds)
{
    static const char *const kind[] = {"CaseStmt", "DefaultStmt", "BreakStmt", "ContinueStmt"};
    for (int k = 0; k < kinds; k++)
        GZT_EACH (node, text) {
            if (gzt_is_kind(node, kind[k]))
                return true;
            if ((k > 1 && gzt_is_loop(node)) || (k < 3 && gzt_is_kind(node, "SwitchStmt")))
                node = node->last;
        }
    return false;
}

bool ir_leads_out(const struct gzt_node *node)
{
    GZT_EACH (part, node)
        if (part->kind == GZT_RETURN || gzt_label_of(part) >= 0)
            return true;
    return is_open(node, JUMPS);
}

static bool is_local_to(const struct gzt_node *node, const struct gzt_decl *decl)
{
    bool within = gzt_holds(node, decl);
    for (int i = 0; i < node->count && node->kind == GZT_DECL; i++)
        within = within && node->child[i]->decl != decl;
    return within;
}

static bool is_assigned(const struct gzt_node *text, const struct gzt_decl *decl)
{
    GZT_EACH (node, text) {
        const struct gzt_node *to = gzt_is_assignment(node) ? gzt_bare(node->child[0]) : NULL;
        if (to && to->kind == GZT_REF && to->decl == decl)
            return true;
    }
    return false;
}

/* Variables that a text names are handed to it; those whose address it may take lie in memory. */
static bool hand_over(struct ir_lower *l, struct ir_op *op, const struct gzt_node *node,
                      const struct gzt_decl *decl)
{
    struct ir_value *place = ir_address_of(l, decl), *value = NULL;
    enum ir_type type = ir_type_of(decl->type_name);
    bool inside = l->at.frame->number > 0 || (decl->offset >= l->begin && decl->offset < l->end);
    bool reference = gzt_is_reference(decl);
    if (is_local_to(node, decl) || (reference && !inside))
        return true;
    if (reference)
        return ir_fail(l, node, "a reference in a text") != NULL;
    if (!ir_is_register(l, place) || gzt_is_listed(op->use, op->uses, place))
        return true;
    if (decl->is_array || type == IR_OTHER || gzt_handed_on(node, decl))
        ir_keep_in_memory(l, place);
    else
        value = ir_load(l, place, node);
    value = value && value->code == IR_LOAD ? NULL : value;
    gzt_push(&op->argument, &op->arguments, value);
    gzt_push(&op->use, &op->uses, place);
    if (value && (is_assigned(node, decl) || gzt_holds(node, decl)))
        ir_set(l, place,
               IR_MAKE(&l->table, .code = IR_RESULT, .type = value->type, .c = value->c, .op = op,
                       .a = {place}));
    return true;
}

/* Whether a statement calls what does not return, such as exit(): what it sets nothing reads. */
static bool is_end(const struct gzt_node *node)
{
    return node->kind == GZT_CALL && node->decl && strstr(node->decl->type_name, "noreturn");
}

static bool keep_text(struct ir_lower *l, const struct gzt_node *node)
{
    const char *why = l->why;
    bool ends = is_end(node), inner = l->at.frame->number > 0;
    if (inner ? (!ends && l->at.aside != l->at.frame) || ir_leads_out(node)
              : is_open(node, JUMPS) || is_crossed(l->function, node))
        return false;
    struct ir_op *op = ir_add_op(l, IR_OPAQUE, node);
    op->why = why;
    GZT_EACH (part, node) {
        bool names = part->kind == GZT_REF || part->kind == GZT_VARIABLE;
        if (names && !ends && part->decl && part->decl->variable &&
            !hand_over(l, op, node, part->decl))
            return false;
    }
    op->aside = ends || l->at.aside != NULL;
    if (!op->aside)
        ir_clobber(l);
    l->s.ended = l->s.ended || ends;
    ir_cover(l, node, true);
    return true;
}

/* -------------------------------------------------------------------------------- statements */

static struct ir_value *lower_branch(struct ir_lower *l, const struct gzt_node *node)
{
    return ir_lower_statement(l, node) ? ir_nothing(l) : NULL;
}

bool ir_lower_ways(struct ir_lower *l, struct ir_value *c, const struct gzt_node *const way[2])
{
    struct ir_value *nothing[2];
    const struct ir_frame *aside = l->at.aside;
    if (!aside && l->at.loop && !l->at.loop->around && !l->at.head)
        l->at.aside = l->at.frame;
    bool done = ir_lower_either(l, c, way, lower_branch, nothing);
    l->at.aside = aside;
    return done;
}

static bool lower_if(struct ir_lower *l, const struct gzt_node *node)
{
    if (node->count < 2 || node->count > 3 || gzt_is_statement(node->child[0]))
        return ir_fail(l, node, "an if");
    const struct gzt_node *const way[2] = {node->child[1],
                                           node->count == 3 ? node->child[2] : NULL};
    struct ir_value *c = ir_lower_condition(l, node->child[0]);
    return c && ir_lower_ways(l, c, way);
}

/* Whether a pointer to rows, declared by typeof or a typedef, has the sizes of its first value. */
static bool takes_sizes(struct gzt_decl *decl, const struct ir_value *value)
{
    bool takes = value && value->type == IR_POINTER && ir_is_array_type(value->c);
    decl->sized = takes ? ir_pointer_to(value->c) : decl->sized;
    return takes;
}

static bool lower_variable(struct ir_lower *l, const struct gzt_node *node)
{
    struct gzt_decl *decl = node->decl;
    const struct gzt_node *from = *node->op ? node->child[node->count - 1] : NULL;
    bool named =
        decl->sizes > 0 && decl->size[0]->begin < node->begin; /* a typedef's, from there */
    enum ir_type type = ir_type_of(decl->type_name);
    struct ir_value *value = NULL;
    if (named || !ir_declare(l, decl)) {
        for (int i = 0; i < decl->sizes && named; i++)
            ir_cover(l, decl->size[i], true);
        value = from && type == IR_POINTER ? ir_lower_value(l, from) : NULL;
        if (!takes_sizes(decl, value))
            return ir_fail(l, node, "a size that may change");
    }
    struct ir_value *place = ir_address_of(l, decl);
    ir_cover(l, node, false);
    if (gzt_is_reference(decl)) {
        if (!from || !(value = ir_lower_place(l, from)))
            return false;
        ir_set(l, place, value);
        return true;
    }
    if (decl->runs)
        return ir_fail(l, node, "a variable that runs code where it begins or ends");
    if (!decl->automatic) {
        if (from)
            ir_cover(l, from, true);
        return l->at.frame->number == 0 || !l->source->cxx ||
               ir_fail(l, node, "a static variable of a function");
    }
    if (from && (decl->is_array || type == IR_OTHER))
        return ir_fail(l, from, "an initialiser");
    if (from && (value || (value = ir_lower_value(l, from))))
        ir_store(l, place, ir_convert(&l->table, value, type, ir_c_of(place->c)), node);
    else if (!from && type != IR_OTHER && !decl->is_array)
        ir_set(l, place,
               IR_MAKE(&l->table, .code = IR_UNDEF, .type = type, .c = ir_c_of(place->c)));
    return !from || value;
}

bool ir_lower_declaration(struct ir_lower *l, const struct gzt_node *node)
{
    ir_cover(l, node, false);
    for (int i = 0; i < node->count; i++)
        if (node->child[i]->kind != GZT_VARIABLE || !lower_variable(l, node->child[i]))
            return l->why ? NULL : ir_fail(l, node, "a declaration");
    return true;
}

/* ------------------------------------------------------------------------------------ switch */

static bool is_label(const struct gzt_node *node)
{
    return (gzt_is_kind(node, "CaseStmt") && node->count == 2 && node->child[0]->constant) ||
           (gzt_is_kind(node, "DefaultStmt") && node->count == 1);
}

/* Under which condition, of those before, a case is taken; of a default, that there is none. */
static struct ir_value *case_condition(struct ir_lower *l, struct ir_value *value,
                                       const struct gzt_node *label, struct ir_value *others)
{
    if (gzt_is_kind(label, "DefaultStmt"))
        return ir_not(&l->table, others);
    return ir_arith(&l->table, "==", IR_I32, value,
                    ir_whole(&l->table, value->type, label->child[0]->value));
}

static struct ir_value *all_cases(struct ir_lower *l, struct ir_value *value,
                                  const struct gzt_node *body)
{
    struct ir_value *any = ir_whole(&l->table, IR_I32, 0);
    for (int i = 0; i < body->count; i++)
        for (const struct gzt_node *label = body->child[i]; is_label(label);
             label = label->child[label->count - 1])
            if (gzt_is_kind(label, "CaseStmt"))
                any = ir_or(&l->table, any, case_condition(l, value, label, any));
    return any;
}

static bool lower_switch(struct ir_lower *l, const struct gzt_node *node)
{
    const struct gzt_node *body = node->count == 2 ? node->child[1] : NULL;
    struct ir_value *value = body ? ir_lower_value(l, node->child[0]) : NULL;
    if (!value || body->kind != GZT_BLOCK)
        return ir_fail(l, node, "a switch");
    struct ir_value *any = all_cases(l, value, body), *rest = ir_not(&l->table, any);
    ir_push_target(l, IR_TO_BREAK);
    struct ir_state before = ir_copy_state(&l->s), entry;
    ir_cover(l, body, false);
    l->s.where = ir_whole(&l->table, IR_I32, 0);
    for (int i = 0; i < body->count; i++) {
        const struct gzt_node *statement = body->child[i];
        for (; is_label(statement); statement = statement->child[statement->count - 1]) {
            entry = ir_copy_state(&before);
            struct ir_value *c = case_condition(l, value, statement, any);
            entry.where = ir_and(&l->table, before.where, c);
            l->s = ir_join(l, entry.where, &entry, &l->s);
            ir_cover(l, statement, false);
            if (statement->count == 2)
                ir_cover(l, statement->child[0], true);
            if (gzt_is_kind(statement, "DefaultStmt"))
                rest = ir_whole(&l->table, IR_I32, 0);
        }
        if (is_open(statement, CASES) || !ir_lower_statement(l, statement))
            return ir_fail(l, node, "a switch");
    }
    before.where = ir_and(&l->table, before.where, rest);
    l->s = ir_join(l, before.where, &before, &l->s);
    ir_arrive(l);
    ir_forget(l, body->begin, body->end);
    return true;
}

/* ------------------------------------------------------------------------------------- lists */

/* Whether a label stands before an entry of the list, and not within the one before that. */
static bool is_before(const struct gzt_node *previous, const struct gzt_node *entry, int label)
{
    return label < entry->begin && (!previous || label >= previous->end);
}

bool ir_lower_list(struct ir_lower *l, struct gzt_node *const *list, int count, int begin)
{
    const struct gzt_node *around = l->at.frame->function ? l->at.frame->body : l->function;
    struct ir_target *outer = l->at.targets;
    GZT_EACH (node, around)
        for (int i = 0, label = gzt_label_of(node); i < count && label >= begin; i++)
            if (is_before(i ? list[i - 1] : NULL, list[i], label) &&
                !find_target(l, IR_TO_LABEL, label))
                ir_push_far(l, IR_TO_LABEL, label);
    for (int i = 0; i < count; i++) {
        for (struct ir_target *target = l->at.targets; target != outer; target = target->outer)
            if (is_before(i ? list[i - 1] : NULL, list[i], target->label))
                arrive(l, target);
        if (!ir_lower_statement(l, list[i]))
            return false;
    }
    while (l->at.targets != outer)
        pop_target(l);
    return true;
}

static bool lower_block(struct ir_lower *l, const struct gzt_node *node)
{
    bool done = ir_lower_list(l, node->child, node->count, node->begin);
    if (done)
        ir_forget(l, node->begin, node->end);
    return done;
}

static bool lower_kind(struct ir_lower *l, const struct gzt_node *node)
{
    if (node->kind != GZT_DECL)
        ir_cover(l, node, false);
    switch (node->kind) {
    case GZT_EMPTY:
        return true;
    case GZT_BLOCK:
        return lower_block(l, node);
    case GZT_DECL:
        return ir_lower_declaration(l, node);
    case GZT_IF:
        return lower_if(l, node);
    case GZT_FOR:
        return ir_lower_loop(l, node);
    case GZT_RETURN:
        return lower_return(l, node);
    default:
        break;
    }
    if (gzt_is_kind(node, "WhileStmt") || gzt_is_kind(node, "DoStmt"))
        return ir_lower_loop(l, node);
    if (gzt_is_kind(node, "SwitchStmt"))
        return lower_switch(l, node);
    if (gzt_is_kind(node, "BreakStmt"))
        return ir_jump(l, find_target(l, IR_TO_BREAK, 0));
    if (gzt_is_kind(node, "ContinueStmt"))
        return ir_jump(l, find_target(l, IR_TO_CONTINUE, 0));
    if (gzt_is_kind(node, "GotoStmt"))
        return lower_goto(l, node);
    return ir_fail(l, node, node->op);
}

/* Where the lowering stood. */
struct mark {
    struct ir_state s;
    struct ir_spot at;
    int items, ops, loops, covers, jumps;
};

/* Takes back what was lowered since a mark, but for what was learnt. */
static void go_back(struct ir_lower *l, const struct mark *to)
{
    l->s = to->s;
    l->at = to->at;
    l->at.block->items = to->items;
    l->ir->ops = to->ops;
    l->ir->loops = to->loops;
    l->covers = to->covers;
    l->jumps = to->jumps;
    l->recents = 0;
}

static bool is_named_elsewhere(const struct ir_lower *l, const struct gzt_node *text,
                               const struct gzt_decl *decl)
{
    GZT_EACH (node, l->at.frame->function ? l->at.frame->body : l->function)
        if (node->kind == GZT_REF && node->decl == decl &&
            (node->begin < text->begin || node->begin >= text->end))
            return true;
    return false;
}

/* Whether a place is in a variable that a directive before a node gives each thread. */
static bool is_private(struct ir_lower *l, const struct gzt_node *node,
                       const struct ir_value *place)
{
    const struct ir_value *variable = ir_variable_of(place);
    return variable && variable->decl &&
           gzt_is_private(l->source, node->begin, variable->decl->name, variable->decl->automatic,
                          variable->decl->is_array);
}

/* After a statement the values of OpenMP's private variables are unknown: compiled with OpenMP,
 * they are those before it. False if that cannot be expressed. */
static bool forget_private(struct ir_lower *l, const struct gzt_node *node,
                           const struct mark *since)
{
    if (l->source->openmp < 0)
        return true;
    for (int i = 0; i < l->s.count; i++) {
        struct ir_binding *now = &l->s.list[i];
        if (now->value && now->value != ir_find(&since->s, now->place) &&
            is_private(l, node, now->place) && !gzt_holds(node, ir_variable_of(now->place)->decl))
            now->value = IR_MAKE(&l->table, .code = IR_UNDEF, .type = now->value->type,
                                 .c = now->value->c, .text = "private");
    }
    for (int i = since->ops; i < l->ir->ops; i++) {
        const struct ir_op *op = l->ir->op[i];
        if ((op->kind == IR_STORE || op->kind == IR_COPY) &&
            is_private(l, node, op->access.address) &&
            is_named_elsewhere(l, node, ir_variable_of(op->access.address)->decl))
            return ir_fail(l, node, "an array that OpenMP gives each thread");
    }
    return true;
}

/* Whether to run a statement again changes nothing: it sets one variable, and not by itself. */
static bool is_once_enough(const struct gzt_node *statement)
{
    const struct gzt_node *set = NULL;
    GZT_EACH (node, statement) {
        if (node->kind == GZT_CALL || (set && gzt_is_assignment(node)))
            return false;
        set = gzt_is_assignment(node) ? node : set;
    }
    if (!set || !gzt_is_binary(set, "=") || set->child[0]->kind != GZT_REF)
        return false;
    GZT_EACH (node, set->child[1])
        if (node->decl == set->child[0]->decl)
            return false;
    return true;
}

/* Whether a statement itself, run by each thread, sets what becomes a sum of what all of them have.
 */
static bool is_summed(const struct ir_lower *l, const struct gzt_node *statement)
{
    GZT_EACH (node, statement) {
        if (node->kind == GZT_BLOCK || (node != statement && gzt_is_statement(node)))
            node = node->last;
        else if (gzt_is_assignment(node) && gzt_bare(node->child[0])->decl &&
                 gzt_is_reduced(l->at.each, gzt_bare(node->child[0])->decl->name))
            return true;
    }
    return false;
}

static bool lower_once(struct ir_lower *l, const struct gzt_node *node)
{
    bool in_turn = false, understood = false;
    const char *each = l->at.each;
    if (l->source->openmp >= 0)
        l->at.each = gzt_for_each(l->source, node->begin, each, &in_turn);
    if (in_turn && !is_once_enough(node))
        ir_fail(l, node, "what each thread does in turn");
    else if (l->at.each && is_summed(l, node))
        ir_fail(l, node, "what each thread adds of its own");
    else
        understood = gzt_is_statement(node) ? lower_kind(l, node) : ir_lower_value(l, node) != NULL;
    l->at.each = each;
    return understood;
}

bool ir_lower_statement(struct ir_lower *l, const struct gzt_node *node)
{
    if (ir_is_dead(l)) {
        ir_cover(l, node, true);
        return true;
    }
    struct mark before = {ir_copy_state(&l->s),
                          l->at,
                          l->at.block->items,
                          l->ir->ops,
                          l->ir->loops,
                          l->covers,
                          l->jumps};
    l->why = NULL;
    if (lower_once(l, node) && forget_private(l, node, &before))
        return true;
    go_back(l, &before);
    return keep_text(l, node);
}
