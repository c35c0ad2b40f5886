/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loads.h"

#include "asked.h"
#include "locals.h"
#include "loops.h"
#include "outlives.h"

#include <string.h>

bool gzt_lies_in_memory(const struct gzt_program *program, const struct gzt_node *node)
{
    if (node->type == GZT_POINTER || node->type == GZT_OTHER || node->is_bit_field || node->is_size)
        return false;
    if (node->kind == GZT_REF)
        return node->decl->variable && node->decl != program->time.iterator &&
               node->decl != program->toggle && !gzt_alias_of(program, node) &&
               gzt_may_be_shared(program, node->decl);
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_MEMBER ||
           (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0);
}

/* The loads of what a temporary holds, where they are made. */
static void find_value_loads(const struct gzt_program *program, const struct gzt_value *value,
                             struct gzt_input load, struct gzt_input ***list, int *count)
{
    struct gzt_input other = load;
    load.node = value->node;
    if (value->node)
        gzt_find_loads(program, load, list, count);
    for (int i = 0; i < 2; i++) {
        const struct gzt_value *part = i ? value->b : value->a;
        if (part && value->kind == GZT_VALUE_CHOICE)
            other.guards = gzt_guard_by(value->node, i == 0, load.guards);
        if (part)
            find_value_loads(program, part, other, list, count);
    }
}

/* Whether it is a loop variable, or another that the time loop sets beside its sweeps. */
static bool is_set_by_loops(const struct gzt_program *program, const struct gzt_sweep *sweep,
                            const struct gzt_node *node)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    return node->kind == GZT_REF && (gzt_variable_of(&space, node->decl) >= 0 ||
                                     gzt_goes_by(program, node) || node->decl == program->opposite);
}

void gzt_find_loads(const struct gzt_program *program, struct gzt_input load,
                    struct gzt_input ***list, int *count)
{
    const struct gzt_node *node = load.node;
    const struct gzt_sweep *sweep = &program->sweep[load.sweep];
    const struct gzt_node *alias = node->kind == GZT_REF ? gzt_alias_of(program, node) : NULL;
    bool local = node->kind == GZT_REF && gzt_local_of(sweep, node->decl) >= 0;

    if (node->kind == GZT_UNKNOWN && strcmp(node->op, "UnaryExpr") == 0)
        return; /* sizeof, which loads nothing */
    if (local) {
        find_value_loads(program, gzt_value_at(sweep, node), load, list, count);
        return;
    }
    if (gzt_lies_in_memory(program, node) && !is_set_by_loops(program, sweep, node)) {
        struct gzt_input *found = gzt_alloc(sizeof *found);
        *found = load;
        found->type = node->type;
        gzt_push(list, count, found);
    }
    for (int i = alias ? -1 : 0; i < node->count; i++) {
        struct gzt_input within = load;
        within.node = i < 0 ? alias : node->child[i];
        within.guards = i < 0 ? load.guards : gzt_guard_below(node, i, load.guards);
        gzt_find_loads(program, within, list, count);
    }
}
