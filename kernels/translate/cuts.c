/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuts.h"

#include "emit.h"
#include "locals.h"
#include "reads.h"

#include <isl/space.h>
#include <string.h>

/* ------------------------------------------------------------------------------- understanding */

struct lead {
    const struct gzt_sweep *sweep;
    const struct gzt_source *source;
    const char *text; /* that is looked for in the heads of the loops */
};

static int is_text(const struct gzt_node *node, void *data)
{
    const struct lead *lead = data;
    return strcmp(gzt_node_text(lead->source, node), lead->text) == 0;
}

/* What dereferences may be evaluated only where C does, as it does the heads of the loops. */
static int leads(const struct gzt_node *node, void *data)
{
    struct lead *lead = data;
    bool found = false;
    if (node->kind != GZT_SUBSCRIPT && !(node->kind == GZT_UNARY && strcmp(node->op, "*") == 0) &&
        !(node->kind == GZT_MEMBER && node->child[0]->type == GZT_POINTER))
        return 0;
    lead->text = gzt_node_text(lead->source, node);
    for (int i = 0; i < lead->sweep->loops && !found; i++)
        found = gzt_walk(lead->sweep->loop[i].low, is_text, lead) != 0 ||
                gzt_walk(lead->sweep->loop[i].high, is_text, lead) != 0;
    return !found;
}

/* The axis of the only loop variable that a condition depends on; -1 if there are others, or none,
 * or the time. */
static int axis_of(const struct gzt_space *space, const struct gzt_sweep *sweep,
                   const struct gzt_node *condition)
{
    int found = -1, count = 0;
    for (int axis = 0; axis < GZT_AXES; axis++) {
        int loop = axis < space->program->dimensions ? sweep->axis_loop[axis] : -1;
        if (loop >= 0 && gzt_depends(space, condition, sweep->loop[loop].iterator))
            found = axis, count++;
    }
    bool timed = gzt_depends(space, condition, space->time) ||
                 (space->toggle && gzt_depends(space, condition, space->toggle));
    return count == 1 && !timed ? found : -1;
}

/* The bound of an axis that a set leaves, over the loop variables. */
static isl_pw_aff *end_of(const struct gzt_sweep *sweep, isl_set *cells, int loop, bool high)
{
    isl_set *set = isl_set_copy(cells);
    isl_pw_aff *end = high ? isl_set_dim_max(set, loop) : isl_set_dim_min(set, loop);
    return isl_pw_aff_coalesce(isl_pw_aff_insert_domain(end, isl_set_get_space(sweep->domain)));
}

static isl_set *between(const struct gzt_space *space, int loop, isl_pw_aff *low, isl_pw_aff *high)
{
    return isl_set_intersect(isl_pw_aff_ge_set(gzt_variable(space, loop), isl_pw_aff_copy(low)),
                             isl_pw_aff_le_set(gzt_variable(space, loop), isl_pw_aff_copy(high)));
}

/* Narrows the domain along an axis to a set, unless that leaves it as it is, or with gaps. */
static bool narrow(const struct gzt_space *space, struct gzt_sweep *sweep, int axis, isl_set *set)
{
    int loop = sweep->axis_loop[axis];
    isl_set *cells = between(space, loop, sweep->low[axis], sweep->high[axis]);
    cells = isl_set_lower_bound_si(cells, isl_dim_set, (unsigned)loop, -GZT_MOST_INDEX);
    cells = isl_set_upper_bound_si(cells, isl_dim_set, (unsigned)loop, GZT_MOST_INDEX);
    cells = isl_set_intersect(cells, isl_set_copy(set));
    isl_pw_aff *low = end_of(sweep, cells, loop, false), *high = end_of(sweep, cells, loop, true);
    isl_set *whole = between(space, loop, low, high);
    bool cuts = isl_set_is_subset(sweep->domain, set) == isl_bool_false &&
                isl_set_is_subset(whole, cells) == isl_bool_true;
    isl_set_free(cells);
    isl_set_free(whole);
    if (!cuts) {
        isl_pw_aff_free(low);
        isl_pw_aff_free(high);
        return false;
    }
    isl_pw_aff_free(sweep->low[axis]);
    isl_pw_aff_free(sweep->high[axis]);
    sweep->low[axis] = low;
    sweep->high[axis] = high;
    sweep->domain = isl_set_intersect(sweep->domain, isl_set_copy(set));
    return true;
}

/* Takes each part of a condition, all of which must hold, or not, if it does; `first`: whether C
 * evaluates it for all cells. */
static void cut(const struct gzt_space *space, struct gzt_sweep *sweep, const struct gzt_node *node,
                bool holds, bool first)
{
    node = gzt_bare(node);
    if (node->kind == GZT_UNARY && strcmp(node->op, "!") == 0) {
        cut(space, sweep, node->child[0], !holds, first);
        return;
    }
    if (gzt_is_binary(node, holds ? "&&" : "||") || gzt_joins_all(node, holds)) {
        cut(space, sweep, node->child[0], holds, first);
        cut(space, sweep, node->child[1], holds, first && gzt_joins_all(node, holds));
        return;
    }
    struct lead lead = {sweep, space->source, NULL};
    int axis = axis_of(space, sweep, node);
    isl_set *set =
        axis >= 0 && (first || !gzt_walk(node, leads, &lead)) ? gzt_condition(space, node) : NULL;
    if (set && !holds)
        set = isl_set_complement(set);
    if (set && narrow(space, sweep, axis, set)) {
        struct gzt_cut *made = gzt_alloc(sizeof *made);
        *made = (struct gzt_cut){node, holds, axis};
        gzt_push(&sweep->cuts, &sweep->cut_count, made);
    }
    isl_set_free(set);
}

void gzt_cut_domain(const struct gzt_space *space, struct gzt_sweep *sweep)
{
    const struct gzt_node *effect = gzt_effect(sweep->statement);
    for (bool first = true; effect && effect->kind == GZT_IF && effect->count == 2; first = false) {
        cut(space, sweep, effect->child[0], true, first);
        effect = gzt_effect(effect->child[1]);
    }
}

/* ---------------------------------------------------------------------------------- the program */

/* A cut's condition for the cell at a bound. */
static const char *holds_at(const struct gzt_program *program, const struct gzt_sweep *sweep,
                            const struct gzt_cut *cut, const char *at, int add)
{
    const struct gzt_loop *loop = &sweep->loop[sweep->axis_loop[cut->axis]];
    const char *values[GZT_AXES] = {"0", "0", "0"};
    values[cut->axis] = gzt_format("((%s)(%s - (%d)))", loop->iterator->type_name, at, add);
    return gzt_format("%s(%s)", cut->holds ? "" : "!",
                      gzt_evaluated(program, sweep, cut->condition, values, NULL));
}

void gzt_add_cuts(const struct gzt_program *program, const struct gzt_sweep *sweep, const char *low,
                  const char *high, const int add[GZT_AXES], struct gzt_text *text)
{
    for (int i = 0; i < sweep->cut_count; i++) {
        const struct gzt_cut *cut = sweep->cuts[i];
        const char *first = gzt_format("%s[%d]", low, cut->axis);
        const char *end = gzt_format("%s[%d]", high, cut->axis);
        const char *some =
            gzt_format("GZ_STENCIL_IS_INDEX(%s, %s) && %s < %s", first, end, first, end);
        gzt_add(text, "while (%s && !(%s))\n%s++;\nwhile (%s && !(%s))\n%s--;\n", some,
                holds_at(program, sweep, cut, first, add[cut->axis]), first, some,
                holds_at(program, sweep, cut, gzt_format("%s - 1", end), add[cut->axis]), end);
    }
}
