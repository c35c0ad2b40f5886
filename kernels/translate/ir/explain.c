/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain.c - a plan in words.
 */
#include "decide.h"

#include "../source.h"

#include <stdlib.h>

/* A set without its names, as isl writes it. */
static const char *set_text(isl_set *set)
{
    char *bytes = isl_set_to_str(set);
    const char *text = gzt_format("%s", bytes ? bytes : "?");
    free(bytes);
    return text;
}

static const char *number_text(const struct plan *plan, const struct plan_number *number)
{
    if (number->value && number->value->end > number->value->begin)
        return gzt_clean(plan->ir->source, number->value->begin, number->value->end);
    if (number->value)
        return gzt_format("%%%d", number->value->number);
    char *bytes = isl_pw_aff_to_str(number->affine);
    const char *text = gzt_format("%s", bytes ? bytes : "?");
    free(bytes);
    return text;
}

static void add_numbers(const struct plan *plan, const char *what,
                        struct plan_number *const *number, int count, struct gzt_text *text)
{
    for (int i = 0; i < count; i++)
        gzt_add(text, "%s %d: %s %s\n", what, number[i]->first, ir_type_name(number[i]->type),
                number_text(plan, number[i]));
}

static void add_arrays(const char *what, struct plan_array *const *array, int count,
                       struct gzt_text *text)
{
    for (int i = 0; i < count; i++)
        gzt_add(text, "%s %d: %s, read in %s\n", what, i, array[i]->place.op->access.object->shown,
                set_text(array[i]->cells));
}

static void add_field(const struct plan_field *field, int number, struct gzt_text *text)
{
    gzt_add(text, "field %d: %s", number, field->object->shown);
    if (field->planes > 1)
        gzt_add(text, ", in %d blocks of memory by turns", field->planes);
    gzt_add(text, "\n  brought in: %s\n  written: %s\n", set_text(field->fill),
            set_text(field->take));
    if (isl_set_is_empty(field->border) != isl_bool_true)
        gzt_add(text, "  never written: %s\n", set_text(field->border));
}

void plan_explain(const struct plan *plan, struct gzt_text *text)
{
    static const char *const edges[] = {"clamped", "zero", "periodic", "kept"};
    struct gzt_place place = gzt_place_of(plan->ir->source, plan->time->begin);
    gzt_add(text, "%s:%d: a stencil\n", gzt_shown(place.file), place.line);
    gzt_add(text, "%d dimensions of %s\n", plan->dimensions, ir_type_name(plan->type));
    for (int axis = 0; axis < plan->dimensions; axis++) {
        char *low = isl_pw_aff_to_str(plan->low[axis]), *high = isl_pw_aff_to_str(plan->high[axis]);
        gzt_add(text, "axis %d: from %s to below %s, radius %d, edges %s\n", axis, low ? low : "?",
                high ? high : "?", plan->radius[axis], edges[plan->edge[axis]]);
        free(low);
        free(high);
    }
    for (int i = 0; i < plan->fields; i++)
        add_field(plan->field[i], i, text);
    add_arrays("constant array", plan->constant, plan->constants, text);
    add_arrays("array per step", plan->step, plan->steps, text);
    add_numbers(plan, "coefficient", plan->coefficient, plan->coefficients, text);
    add_numbers(plan, "number per step", plan->value, plan->values, text);
    for (int i = 0; i < plan->owns; i++)
        gzt_add(text, "in the program's own time steps: %s\n",
                gzt_clean(plan->ir->source, plan->own[i]->begin, plan->own[i]->end));
    gzt_add(text, "%d buffers, guarded %d, operations %d, reads %d %d %d %d\n", plan->buffers,
            plan->guarded, plan->operations, plan->reads_state, plan->reads_column,
            plan->reads_arrays, plan->reads_own_column);
    gzt_add(text, "%s", plan->body);
}
