/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "asked.h"

#include "cells.h"
#include "effects.h"
#include "emit.h"
#include "locals.h"

#include <string.h>

const struct gzt_guard *gzt_guard_by(const struct gzt_node *condition, bool holds,
                                     const struct gzt_guard *around)
{
    struct gzt_guard *guard = gzt_alloc(sizeof *guard);
    *guard = (struct gzt_guard){.condition = condition, .holds = holds, .around = around};
    return guard;
}

const struct gzt_guard *gzt_guard_below(const struct gzt_node *node, int child,
                                        const struct gzt_guard *around)
{
    bool either = gzt_is_binary(node, "||"), both = gzt_is_binary(node, "&&");
    bool chooses = node->kind == GZT_TERNARY || node->kind == GZT_IF;
    if (child == 0 || !(either || both || chooses))
        return around;
    return gzt_guard_by(node->child[0], chooses ? child == 1 : both, around);
}

/* In whose statement a node stands; 0 for others. */
static int part_of(const struct gzt_program *program, const struct gzt_node *node)
{
    for (int i = 0; i < program->sweeps; i++)
        if (node->begin >= program->sweep[i].statement->begin &&
            node->end <= program->sweep[i].statement->end)
            return i;
    return 0;
}

/* The loops of a part around a node have a turn, in C; "" if there are none. */
static const char *turns_of(const struct gzt_program *program, int part,
                            const struct gzt_node *node)
{
    const struct gzt_sweep *sweep = &program->sweep[part];
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++) {
        int loop = sweep->axis_loop[axis];
        const struct gzt_node *body = loop < 0 ? NULL : sweep->loop[loop].node->child[3];
        if (body && node->begin >= body->begin && node->end <= body->end)
            gzt_add(&text, "%sgz_turns[%d][%d]", text.length ? " && " : "", part, axis);
    }
    return text.length ? gzt_format("(%s)", gzt_string(&text)) : "";
}

/* Of a system, those of any part. */
static void add_if_turns(const struct gzt_program *program, const struct gzt_node *node,
                         struct gzt_text *text)
{
    struct gzt_text any = {0};
    for (int i = 0; program->system && i < program->sweeps; i++) {
        const char *turns = turns_of(program, i, node);
        gzt_add(&any, "%s%s", any.length && *turns ? "\n    || " : "", turns);
    }
    if (any.length)
        gzt_add(text, "if (%s)\n", gzt_string(&any));
}

/* Whether a condition is what it is whenever it is asked for, but for the cell and the time. */
struct steady {
    const struct gzt_program *program;
    const struct gzt_sweep *sweep;
};
static int is_unsteady(const struct gzt_node *node, void *data)
{
    const struct steady *steady = data;
    const struct gzt_program *program = steady->program;
    bool counts = node->kind == GZT_REF && node->decl == program->time.iterator;
    for (int i = 0; i < steady->sweep->loops; i++)
        counts = counts || gzt_is_ref(node, steady->sweep->loop[i].iterator);
    return node->kind == GZT_REF && !counts && gzt_local_of(steady->sweep, node->decl) < 0 &&
           (gzt_holds(program->time.node, node->decl) ||
            gzt_assignments(program->time.node->child[3], node->decl) > 0);
}

static bool are_steady(const struct gzt_program *program, int part, const struct gzt_guard *guards)
{
    struct steady steady = {program, &program->sweep[part]};
    for (; guards; guards = guards->around)
        if (gzt_has_effect(guards->condition) ||
            gzt_walk(guards->condition, is_unsteady, &steady) != 0)
            return false;
    return true;
}

void gzt_begin_asked(const struct gzt_program *program, const struct gzt_node *node,
                     const struct gzt_guard *guards, struct gzt_text *text)
{
    int part = part_of(program, node);
    bool known = are_steady(program, part, guards);
    add_if_turns(program, node, text);
    gzt_add(text, "{\n");
    if (guards && known) {
        gzt_add_part(program, part, text);
        gzt_add_read(program, part, guards, 0, "", text);
        gzt_add(text, "if (gz_read) {\n");
    } else {
        gzt_add(text, "%s", known ? "{\n" : "gz_usable = GZ_STENCIL_OTHER_LOOPS;\nif (0) {\n");
    }
}

void gzt_end_asked(struct gzt_text *text)
{
    gzt_add(text, "}\n}\n");
}

/* ---------------------------------------------------------------------------------------- fits */

struct search {
    const struct gzt_program *program;
    const struct gzt_fit *fit;
    struct gzt_text text;
};

static void add_fit(const struct gzt_fit *fit, struct gzt_text *text)
{
    gzt_add(text, "if (%s)\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\n", fit->condition);
}

/* Adds the test for each place at which C evaluates the expression, once. */
static void find_places(struct search *search, const struct gzt_node *node,
                        const struct gzt_guard *guards)
{
    struct gzt_text one = {0};
    if (gzt_bare(node) == node &&
        strcmp(gzt_node_text(search->program->source, node), search->fit->of) == 0) {
        gzt_begin_asked(search->program, node, guards, &one);
        add_fit(search->fit, &one);
        gzt_end_asked(&one);
        if (!search->text.length || !strstr(gzt_string(&search->text), gzt_string(&one)))
            gzt_add(&search->text, "%s", gzt_string(&one));
    }
    for (int i = 0; i < node->count; i++)
        find_places(search, node->child[i], gzt_guard_below(node, i, guards));
}

/* Whether evaluating a text may end the program. */
static bool may_fail(const char *text)
{
    return strpbrk(text, "*/%[(") || strstr(text, "->");
}

void gzt_add_fits(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_node *time = program->counts ? program->counts->loop : program->time.node;
    gzt_add(text, program->fits->next ? "if (gz_any) {\n" : "");
    for (const struct gzt_fit *fit = program->fits->next; fit; fit = fit->next) {
        struct search search = {program, fit, {0}};
        if (may_fail(fit->of))
            find_places(&search, time, NULL);
        if (search.text.length)
            gzt_add(text, "%s", gzt_string(&search.text));
        else
            add_fit(fit, text);
    }
    gzt_add(text, program->fits->next ? "}\n" : "");
}
