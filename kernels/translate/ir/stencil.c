/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil.c - a plan as the kernels' runtime describes a stencil, and as a row, whose data are made
 * up: of the grid nothing is known there but its extents, of numbers nothing.
 */
#include "../row.h"
#include "../source.h"
#include "../tree.h"
#include "offload.h"

#include <isl/map.h>
#include <isl/set.h>

static enum gzk_type type_of(enum ir_type type)
{
    return type == IR_F64 ? GZK_DOUBLE : type == IR_F32 ? GZK_FLOAT : GZK_INT;
}

struct gzk_stencil plan_stencil(const struct plan *plan)
{
    enum gzk_type type = type_of(plan->type);
    struct gzk_stencil stencil = {
        .name = plan->field[0]->object->shown,
        .body = plan->body,
        .dim = plan->dimensions,
        GZK_TYPE(type),
        .coefficients = plan->coefficient_words,
        .coefficient_arrays = plan->constants,
        .step_arrays = plan->steps,
        .step_values = plan->value_words,
        .operations = plan->operations,
        .reads = {plan->reads_state, plan->reads_column, plan->reads_arrays,
                  plan->reads_own_column},
        .ulp_per_loop = type == GZK_INT ? 0 : (plan->operations + 1) * (plan->inexact ? 16 : 1),
        .measure = !plan->measure                     ? 0
                   : plan->measure->type == IR_I64    ? 4
                   : plan->measure->type == IR_F32    ? 2
                   : plan->measure->finds == PLAN_SUM ? 3
                                                      : 1,
        .fields = plan->fields > 1 ? plan->fields : 0};
    for (int axis = 0; axis < PLAN_AXES; axis++) {
        stencil.radius[axis] = plan->radius[axis];
        stencil.edge[axis] = (gz_edge)plan->edge[axis];
    }
    return stencil;
}

/* ------------------------------------------------------------------------------------ numbers */

/* How far one function lies behind another where both are known, if that is the same everywhere. */
static bool is_behind(isl_pw_aff *f, isl_pw_aff *from, long *far)
{
    isl_pw_aff *less = isl_pw_aff_sub(isl_pw_aff_copy(f), isl_pw_aff_copy(from));
    return plan_only(isl_map_range(isl_map_from_pw_aff(less)), far);
}

static int rim_of(const struct plan *plan, int axis)
{
    return plan->edge[axis] == GZ_EDGE_KEEP ? plan->radius[axis] : 0;
}

/* The coordinate of the domain's first cell: C's own if that is a number, else as many cells behind
 * the grid's first as the border has. */
static long first_of(const struct plan *plan, int axis)
{
    isl_pw_aff *low = plan->low[axis];
    isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(low), isl_pw_aff_copy(low));
    long first;
    if (!is_behind(low, zero, &first))
        first = rim_of(plan, axis);
    return first;
}

/* A coordinate along an axis by the grid's extents; NULL if they do not determine it. */
static const char *bound_of(const struct plan *plan, const struct plan_number *number)
{
    int axis = number->axis;
    long far;
    if (axis < 0)
        return NULL;
    long first = first_of(plan, axis), rim = rim_of(plan, axis);
    if (is_behind(number->affine, plan->low[axis], &far))
        return gzt_format("%ld", first + far);
    if (is_behind(number->affine, plan->high[axis], &far))
        return gzt_format("data->size[%d] + %ld", axis, first + far - 2 * rim);
    return NULL;
}

/* A value for a number that the file does not state: any value proves the arithmetic, and small
 * ones keep values finite. */
static const char *value_of(const struct plan *plan, const struct plan_number *number, int k)
{
    const struct ir_value *place =
        number->value && number->value->code == IR_LIVE_IN ? number->value->a[0] : NULL;
    if (!number->value)
        return bound_of(plan, number);
    if (place && place->code == IR_ADDRESS && place->decl && place->decl->constant)
        return gzt_format("%.17g", place->decl->value);
    return ir_is_real(number->type) ? gzt_format("1.0 / %d", k + 2) : gzt_format("%d", k + 1);
}

static void add_coefficient(const struct plan *plan, const struct plan_number *number,
                            const char *value, struct gzt_text *text)
{
    bool real = ir_is_real(number->type);
    bool plain = plan->type == IR_F64 || number->type == plan->type ||
                 (plan->type == IR_I32 && !real && number->words == 1);
    const char *type = ir_type_name(number->type);
    const char *as = number->words == 2 ? type : real ? "float" : "int";
    if (plain)
        gzt_add(text, "    to[%d] = (GZ_T)(%s)(%s);\n", number->first, type, value);
    else
        gzt_add(text, "    memcpy(to + %d, &(%s){(%s)(%s)}, sizeof(%s));\n", number->first, as, as,
                value, as);
}

static bool add_coefficients(struct plan *plan, struct gzt_text *text)
{
    bool known = true;
    for (int i = 0; i < plan->coefficients && known; i++) {
        const char *value = value_of(plan, plan->coefficient[i], i);
        known = value != NULL;
        if (known)
            add_coefficient(plan, plan->coefficient[i], value, text);
    }
    for (int i = 0; i < plan->values; i++)
        known = known && plan->value[i]->value;
    if (!known && !plan->refusal)
        plan->refusal = "which cells it sets does not follow from the extents of the grid, which "
                        "are all that gzrun knows";
    return known;
}

const char *plan_row(struct plan *plan, const char *header)
{
    struct gzt_text text = {0};
    if (!add_coefficients(plan, &text))
        return NULL;
    struct gzt_row row = {.path = plan->ir->source->path,
                          .stencil = plan_stencil(plan),
                          .two = plan->buffers == 2 && plan->guarded,
                          .buffers = plan->buffers,
                          .coefficients = text.length ? gzt_string(&text) : "    (void)to;\n"};
    return gzt_row(&row, header);
}
