/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hull.h"

#include "cells.h"
#include "effects.h"
#include "locals.h"
#include "reads.h"
#include "systems.h"

#include <string.h>

/* Whether the value of a condition can be told for any cell before the loops run; `all`: whether
 * that of all before it can, since it may fail where they do not hold. */
static bool is_told(const struct gzt_space *space, const struct gzt_node *node, bool all)
{
    return (all || !gzt_may_fail(space->source, node)) && !gzt_reads_data(node) &&
           !gzt_mentions_local(space->sweep, node) && !gzt_depends(space, node, space->time) &&
           !(space->toggle && gzt_depends(space, node, space->toggle));
}

static bool is_cut(const struct gzt_sweep *sweep, const struct gzt_node *node)
{
    bool found = false;
    for (int i = 0; i < sweep->cut_count; i++)
        found = found || sweep->cuts[i]->condition == node;
    return found;
}

/* In C, for the cell, those parts of a condition that are told; "" if none is; `all`: whether each
 * has been; `rest`: whether one depends on the cell and is no cut. */
static const char *told(const struct gzt_space *space, const struct gzt_node *node, bool holds,
                        bool *all, bool *rest)
{
    node = gzt_bare(node);
    if (node->kind == GZT_UNARY && strcmp(node->op, "!") == 0)
        return told(space, node->child[0], !holds, all, rest);
    if (gzt_is_binary(node, holds ? "&&" : "||") || gzt_joins_all(node, holds)) {
        const char *a = told(space, node->child[0], holds, all, rest);
        const char *b = told(space, node->child[1], holds, all, rest);
        return *a && *b ? gzt_format("%s && %s", a, b) : *a ? a : b;
    }
    bool fine = is_told(space, node, *all);
    *all = *all && fine;
    if (!fine)
        return "";
    *rest = *rest || (gzt_depends_on_cell(space, node) && !is_cut(space->sweep, node));
    return gzt_format("%s(%s)", holds ? "" : "!",
                      gzt_of_cell(space->program, space->sweep, node, NULL, NULL));
}

/* How far from a cell of an end the array that a sweep writes, or the other of a pair, is read
 * towards it: there, an end is touched from. */
static int slack(const struct gzt_program *program, const struct gzt_sweep *sweep, int axis,
                 bool high)
{
    int most = 0;
    const struct gzt_array *array = sweep->write.array;
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        int towards = high ? read->offset[axis] : -read->offset[axis];
        bool same = !program->system || program->arrays[read->number] == array ||
                    program->arrays[read->number] == gzt_partner_of(program, array);
        if (read->role == GZT_STATE && same && towards > most)
            most = towards;
    }
    return most;
}

void gzt_add_hull_test(const struct gzt_space *space, const struct gzt_sweep *sweep,
                       const char *low, const char *high, struct gzt_text *text)
{
    bool all = true, rest = false;
    const char *conditions = "gz_usable == 1 && gz_count > 0", *some = conditions;
    const struct gzt_node *effect = gzt_effect(sweep->statement);
    for (; effect && effect->kind == GZT_IF && effect->count == 2;
         effect = gzt_effect(effect->child[1])) {
        const char *one = told(space, effect->child[0], true, &all, &rest);
        conditions = *one ? gzt_format("%s && %s", conditions, one) : conditions;
    }
    if (!rest)
        return;
    int axes = space->program->dimensions;
    for (int axis = 0; axis < axes; axis++)
        some = gzt_format("%s && %s[%d] < %s[%d]", some, low, axis, high, axis);
    gzt_add(text, "for (int gz_face = 0; gz_face < %d && %s; gz_face++) {\nint gz_met = 0;\n",
            2 * axes, some);
    for (int axis = axes - 1; axis >= 0; axis--) {
        const char *x = gzt_axis_names[axis];
        gzt_add(text,
                "for (long %s = gz_face == %d && %s[%d] - %d > %s[%d] ? %s[%d] - %d : %s[%d];\n"
                "%s < %s[%d] && (gz_face != %d || %s <= %s[%d] + %d) && !gz_met; %s++)\n",
                x, 2 * axis + 1, high, axis, 1 + slack(space->program, sweep, axis, true), low,
                axis, high, axis, 1 + slack(space->program, sweep, axis, true), low, axis, x, high,
                axis, 2 * axis, x, low, axis, slack(space->program, sweep, axis, false), x);
    }
    gzt_add(text, "gz_met = %s;\nif (!gz_met)\ngz_usable = GZ_STENCIL_OTHER_CELLS;\n}\n",
            conditions);
}
