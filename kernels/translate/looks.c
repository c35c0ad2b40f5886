/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "looks.h"

#include "affine.h"
#include "effects.h"
#include "outlives.h"

#include <string.h>

/* Whether a statement of the time loop may be one: an else would act in all other loops. */
static bool may_look(const struct gzt_program *program, const struct gzt_node *node)
{
    return node->kind == GZT_IF && node->count == 2 &&
           !(program->guarded && gzt_may_be_points(node));
}

bool gzt_may_be_points(const struct gzt_node *node)
{
    const struct gzt_node **list = NULL;
    int count = 0, points = 0;
    if (node->kind != GZT_IF || node->count != 2)
        return false;
    gzt_statements(node->child[1], &list, &count);
    for (int i = 0; i < count; i++)
        points += gzt_is_assignment(list[i]) && gzt_bare(list[i]->child[0])->kind == GZT_SUBSCRIPT;
    return count > 0 && points == count;
}

/* Declarations that set nothing may stand anywhere. */
static bool does_nothing(const struct gzt_node *node)
{
    return gzt_is_bare(node) || node->kind == GZT_EMPTY;
}

static int refuse_goto(const struct gzt_node *node, void *source)
{
    return gzt_is_kind(node, "GotoStmt")
               ? gzt_refuse(source, node->begin,
                            "goto in the loop: the loops must run to their ends")
               : 0;
}

static int add_look(struct gzt_program *program, const struct gzt_node *node,
                    enum gzt_position position)
{
    struct gzt_look *look = gzt_alloc(sizeof *look);
    *look = (struct gzt_look){node, position};
    gzt_push(&program->looks, &program->look_count, look);
    return gzt_walk(node, refuse_goto, program->source);
}

/* The ifs that a statement is, or that a block holds and nothing else. */
static bool find_looks(const struct gzt_program *program, const struct gzt_node *node,
                       const struct gzt_node ***list, int *count)
{
    if (may_look(program, node)) {
        gzt_push(list, count, node);
        return true;
    }
    bool only = node->kind == GZT_BLOCK && node->count > 0;
    for (int i = 0; i < node->count && only; i++)
        only = find_looks(program, node->child[i], list, count);
    return only;
}

static bool is_look(const struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    return find_looks(program, node, &list, &count);
}

/* The first statement but ifs and the last one; false if there is none, or no if. */
static bool find_core(const struct gzt_program *program, const struct gzt_node *body, int *first,
                      int *last)
{
    int ifs = 0;
    *first = *last = -1;
    for (int i = 0; body->kind == GZT_BLOCK && i < body->count; i++) {
        bool look = is_look(program, body->child[i]);
        ifs += look;
        if (look || does_nothing(body->child[i]))
            continue;
        *first = *first < 0 ? i : *first;
        *last = i;
    }
    return ifs && *first >= 0;
}

const struct gzt_node *gzt_take_looks(struct gzt_program *program, const struct gzt_node *time)
{
    const struct gzt_node *body = time->child[3];
    struct gzt_node *loop = gzt_copy_alone(time), *rest = gzt_copy_alone(body);
    int first, last;

    if (!find_core(program, body, &first, &last))
        return time;
    for (int i = 0; i < body->count; i++) {
        const struct gzt_node *node = body->child[i], **list = NULL;
        int count = 0;
        if (!find_looks(program, node, &list, &count)) {
            gzt_push(&rest->child, &rest->count, (struct gzt_node *)node);
            continue;
        }
        for (int k = 0; k < count; k++)
            if (add_look(program, list[k],
                         i < first  ? GZT_BEFORE
                         : i > last ? GZT_BEHIND
                                    : GZT_AMONG) != 0)
                return NULL;
    }
    for (int i = 0; i < 3; i++)
        gzt_push(&loop->child, &loop->count, time->child[i]);
    gzt_push(&loop->child, &loop->count, rest);
    return loop;
}

/* ------------------------------------------------------------------------------------ checks */

struct check {
    const struct gzt_program *program;
    const struct gzt_node *look;
};

/* What each loop declares is gone, or old, where an if stands, and not there when its condition is
 * told before. */
static int refuse_declared(const struct gzt_node *node, void *data)
{
    const struct check *check = data;
    const struct gzt_node *time = check->program->time.node;
    if (node->kind != GZT_REF || !node->decl->variable ||
        node->decl == check->program->time.iterator || gzt_is_counted(check->program, node->decl) ||
        !gzt_holds(time, node->decl) || gzt_holds(check->look, node->decl))
        return 0;
    return gzt_refuse(check->program->source, node->begin,
                      "%s is declared in each loop and used in an if beside the sweeps: declare it "
                      "before the loops",
                      node->decl->name);
}

/* Whether a pointer is one of those that change places. */
static bool is_state(const struct gzt_program *program, const struct gzt_node *node)
{
    const char *text = gzt_node_text(program->source, node);
    const struct gzt_array *arrays[] = {program->state[0], program->state[1], program->third};
    for (int i = 0; i < 3; i++)
        if (arrays[i] && strcmp(arrays[i]->base, text) == 0)
            return true;
    return false;
}

/* Whether what is a pointer may point elsewhere from loop to loop, though nothing here says so. */
static bool may_move(const struct gzt_program *program, const struct gzt_node *node)
{
    if (node->kind == GZT_REF)
        return is_state(program, node) || gzt_may_be_shared(program, node->decl);
    return node->kind == GZT_MEMBER || node->kind == GZT_SUBSCRIPT || node->kind == GZT_UNARY;
}

/* A condition must be the same before the loops run. What a pointer leads to, `led`, is among the
 * memory that must not overlap. */
static int refuse_changing(const struct check *check, const struct gzt_node *node, bool led)
{
    const struct gzt_program *program = check->program;
    const struct gzt_node *body = program->time.node->child[3];
    bool passes = node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT;
    bool leads = node->kind == GZT_MEMBER || (node->kind == GZT_UNARY && node->op[0] == '*');

    if (node->is_volatile || (node->kind == GZT_REF && gzt_assignments(body, node->decl) > 0) ||
        (node->type == GZT_POINTER && !led && may_move(program, node)))
        return gzt_refuse(program->source, node->begin,
                          "%s, which an if beside the sweeps depends on, may change in each loop: "
                          "its condition must be known before the loops run",
                          gzt_node_text(program->source, node));
    for (int i = 0; i < node->count; i++)
        if (refuse_changing(check, node->child[i], leads || (led && passes)) != 0)
            return -1;
    return 0;
}

/* What the time begins with is asked again behind each if, where it might fail now. */
static int refuse_other_beginning(const struct gzt_node *node, void *data)
{
    const struct check *check = data;
    return node->kind == GZT_REF && gzt_assignments(check->look, node->decl) > 0
               ? gzt_refuse(check->program->source, node->begin,
                            "%s, with which the time begins, is set by an if beside the sweeps: "
                            "set another variable there",
                            node->decl->name)
               : 0;
}

int gzt_check_looks(struct gzt_program *program)
{
    const struct gzt_node *low = program->time.low;
    for (int i = 0; i < program->look_count; i++) {
        const struct gzt_node *look = program->looks[i]->node, *condition = look->child[0];
        struct check check = {program, look};
        bool among = program->looks[i]->position == GZT_AMONG;
        if (low && gzt_may_fail(program->source, low) &&
            gzt_walk(low, refuse_other_beginning, &check) != 0)
            return -1;
        if (gzt_walk(among ? condition : look, refuse_declared, &check) != 0 ||
            gzt_refuse_effect(program->source, condition) != 0)
            return -1;
        if (gzt_reads_data(condition))
            return gzt_refuse(program->source, condition->begin,
                              "%s, the condition of an if beside the sweeps, reads an array or "
                              "calls a function: must "
                              "be computed from the time and scalars",
                              gzt_node_text(program->source, condition));
        if (refuse_changing(&check, condition, false) != 0)
            return -1;
    }
    return 0;
}
