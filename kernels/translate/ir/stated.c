/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stated.c - what a region's annotation states must be what follows from its loops.
 */
#include "../region.h"
#include "decide.h"

#include <stdlib.h>
#include <string.h>

void plan_reach(const struct plan *plan, int axis, int *low, int *high)
{
    const struct plan_maker *m = (const struct plan_maker *)plan;
    bool any = false;
    *low = *high = 0;
    for (int i = 0; i < m->nodes; i++)
        for (int k = 0; k < m->node[i]->seens; k++) {
            const struct plan_seen *seen = m->node[i]->seen[k];
            for (int n = 0; seen->read && n < seen->parts.count; n++) {
                int far = seen->parts.part[n]->distance[plan->dimensions - 1 - axis];
                if (seen->parts.part[n]->sight != PLAN_FIELD)
                    continue;
                *low = any && *low < far ? *low : far;
                *high = any && *high > far ? *high : far;
                any = true;
            }
        }
}

const char *plan_axis(const struct plan *plan, int axis)
{
    const struct plan_place *place = &plan->field[0]->place;
    const struct ir_loop *loop = place->op->loop;
    unsigned k = (unsigned)(plan->dimensions - 1 - axis);
    for (int i = (int)isl_multi_aff_dim(place->at, isl_dim_out) - 1; i >= 0; i--) {
        isl_aff *at = isl_multi_aff_get_at(place->at, i);
        const struct ir_value *counter = plan->flow->affine->turns[loop->number].counter;
        const struct ir_value *variable = counter ? counter->a[2] : NULL;
        bool along = isl_aff_involves_dims(at, isl_dim_in, k, 1) == isl_bool_true;
        loop = loop->around;
        if (along && variable && variable->decl)
            return variable->decl->name;
    }
    static const char *const names[] = {"x", "y", "z"};
    return names[axis];
}

/* Whether one of an object's names is that: those of exchanged blocks are joined by '|'. */
static bool is_named(const char *shown, const char *name)
{
    size_t length = strlen(name);
    for (; shown; shown = strchr(shown, '|') ? strchr(shown, '|') + 1 : NULL)
        if (strncmp(shown, name, length) == 0 && strchr("|[", shown[length]))
            return true;
    return false;
}

static bool is_written_name(const struct plan *plan, const char *name)
{
    IR_EACH_OP (op, plan->ir)
        if (op->kind == IR_STORE && is_named(op->access.object->shown, name))
            return true;
    return false;
}

bool plan_agrees(struct plan *plan)
{
    const struct gzt_annotation *stated = &plan->ir->region->annotation;
    int at = plan->ir->region->directive;
    if (stated->dimension && stated->dimension != plan->dimensions)
        return plan_refuse(plan, at, -1,
                           "dimension(%d), but the loops have %d: must be dimension(%d)",
                           stated->dimension, plan->dimensions, plan->dimensions);
    if (stated->object && !is_written_name(plan, stated->object)) {
        const char *shown = plan->field[0]->object->shown;
        const char *name = gzt_copy(shown, strcspn(shown, "|["));
        return plan_refuse(plan, at, -1, "obj(%s), but the loops write %s: must be obj(%s)",
                           stated->object, name, name);
    }
    for (int i = 0; i < stated->live_outs; i++)
        if (!is_written_name(plan, stated->live_out[i]))
            return plan_refuse(plan, at, -1, "live-out(%s), but the loops do not write it",
                               stated->live_out[i]);
    if (stated->gathers && stated->gathers != plan->dimensions)
        return plan_refuse(plan, at, -1,
                           "gather has %d ranges, but the loops have %d dimensions: the two "
                           "numbers must be equal",
                           stated->gathers, plan->dimensions);
    for (int i = 0; i < stated->gathers; i++) {
        const int *given = stated->gather[i];
        int axis = plan->dimensions - 1 - i, low, high;
        plan_reach(plan, axis, &low, &high);
        if (given[0] != low || given[1] != high)
            return plan_refuse(plan, at, -1,
                               "gather(%d:%d) in %s, but cells from %d to %d are read: must be "
                               "gather(%d:%d)",
                               given[0], given[1], plan_axis(plan, axis), low, high, low, high);
    }
    return true;
}
