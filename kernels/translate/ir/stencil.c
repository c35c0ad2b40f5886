/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil.c - a plan as the kernels' runtime describes a stencil, and as a row, whose data are made
 * up: of the grid nothing is known there but its extents, of numbers nothing.
 */
#include "../source.h"
#include "../tree.h"
#include "offload.h"

#include <ctype.h>
#include <isl/map.h>
#include <isl/set.h>
#include <string.h>

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

/* The coordinate of the domain's first cell: C's own if that is a number, else as many cells behind
 * the grid's first as the border has. */
static long first_of(const struct plan *plan, int axis)
{
    isl_map *low = isl_map_from_pw_aff(isl_pw_aff_copy(plan->low[axis]));
    long first;
    return plan_only(isl_map_range(low), &first) ? first : plan->rim[axis];
}

/* A coordinate along an axis by the grid's extents; NULL if they do not determine it. */
static const char *bound_of(const struct plan *plan, const struct plan_number *number)
{
    int axis = number->axis;
    long far;
    if (axis < 0)
        return NULL;
    long first = first_of(plan, axis);
    if (is_behind(number->affine, plan->low[axis], &far))
        return gzt_format("%ld", first + far);
    if (is_behind(number->affine, plan->high[axis], &far))
        return gzt_format("data->size[%d] + %ld", axis, first + far - 2 * plan->rim[axis]);
    return NULL;
}

/* A value for a number that the file does not state: any value proves the arithmetic, and small
 * ones keep values finite. */
static const char *value_of(const struct plan *plan, const struct plan_number *number, int k)
{
    if (!number->value)
        return bound_of(plan, number);
    return ir_is_real(number->type) ? gzt_format("1.0 / %d", k + 2) : gzt_format("%d", k + 1);
}

/* Statements that set the elements of to[]; NULL, refused, if the extents of the grid do not
 * determine them. */
static const char *coefficients(struct plan *plan)
{
    struct gzt_text text = {0};
    bool known = true;
    for (int i = 0; i < plan->coefficients && known; i++) {
        const struct plan_number *number = plan->coefficient[i];
        const char *value = value_of(plan, number, i), *type = ir_type_name(number->type);
        const char *as = plan->type == IR_F64                             ? "double"
                         : number->words == 2 || ir_is_real(number->type) ? type
                                                                          : "int";
        known = value != NULL;
        if (known)
            gzt_add(&text, "    memcpy(to + %d, &(%s){(%s)(%s)}, sizeof(%s));\n", number->first, as,
                    type, value, as);
    }
    for (int i = 0; i < plan->values; i++)
        known = known && plan->value[i]->value;
    if (!known)
        plan_refuse(plan, -1, -1,
                    "which cells it sets does not follow from the extents of the grid, which are "
                    "all that gzrun knows");
    return known ? gzt_string(&text) : NULL;
}

/* ---------------------------------------------------------------------------------------- row */

/* The file's name as an identifier. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = gzt_format("%.50s", slash ? slash + 1 : path), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return isdigit((unsigned char)name[0]) || !name[0] ? gzt_format("gz_%s", name) : name;
}

/* The members of struct gzk_stencil that are numbers, as a macro; `two`: of two buffers that keep
 * cells of their own, which the last arrays are. */
static void add_facts(const struct gzk_stencil *s, bool two, struct gzt_text *text)
{
    static const char *const types[] = {
        [GZK_INT] = "INT", [GZK_FLOAT] = "FLOAT", [GZK_DOUBLE] = "DOUBLE"};
    static const char *const edges[] = {[GZ_EDGE_CLAMP] = "CLAMP",
                                        [GZ_EDGE_ZERO] = "ZERO",
                                        [GZ_EDGE_PERIODIC] = "PERIODIC",
                                        [GZ_EDGE_KEEP] = "KEEP"};
    static const int sizes[] = {1000000, 1000, 100}, blocks[] = {256, 20, 8};
    int size[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    for (int axis = 0; axis < s->dim; axis++) {
        int usual = blocks[s->dim - 1], least = 4 * s->radius[axis] + 4;
        size[axis] = sizes[s->dim - 1];
        block[axis] = usual > least ? usual : least;
    }
    gzt_add(text,
            "#define GZ_FACTS \\\n    .dim = %d, .radius = {%d, %d, %d}, GZK_TYPE(GZK_%s), \\\n"
            "    .edge = {GZ_EDGE_%s, GZ_EDGE_%s, GZ_EDGE_%s}, .fields = %d, \\\n"
            "    .coefficients = %d, .coefficient_arrays = %d, \\\n"
            "    .step_arrays = %d, .step_values = %d, \\\n",
            s->dim, s->radius[0], s->radius[1], s->radius[2], types[s->type], edges[s->edge[0]],
            edges[s->edge[1]], edges[s->edge[2]], s->fields, s->coefficients,
            s->coefficient_arrays + 2 * two, s->step_arrays, s->step_values);
    gzt_add(text,
            "    .operations = %d, .ulp_per_loop = %.0f, .reads = {%d, %d, %d, %d}, \\\n"
            "    .default_size = {%d, %d, %d}, .default_block = {%d, %d, %d}\n",
            s->operations, s->ulp_per_loop, s->reads.state, s->reads.column,
            s->reads.arrays + 2 * two, s->reads.own_column, size[0], size[1], size[2], block[0],
            block[1], block[2]);
}

const char *plan_row(struct plan *plan, const char *header)
{
    const struct gzk_stencil stencil = plan_stencil(plan);
    const char *name = name_of(plan->ir->source->path);
    const char *values = coefficients(plan);
    struct gzt_text text = {0};
    if (!values)
        return NULL;
    gzt_add(&text, "/* Made by gzc. */\n#define GZ_T %s\n#define GZ_BUFFERS %d\n",
            ir_type_name(plan->type), plan->buffers);
    gzt_add(&text, "#define GZ_TWO_BORDERS %d\n", plan->guarded);
    add_facts(&stencil, plan->guarded, &text);
    gzt_add(&text, "%s%s\n", header, plan->body);
    gzt_add(&text,
            "static void set_coefficients(struct gzk_data *data)\n{\n"
            "    GZ_T *to = data->coefficients;\n    (void)to;\n%s}\n\n",
            values);
    /* The text that libgzstencil has of the loop, too: what was tuned for one suits the other. */
    gzt_add(&text, "const char gzk_%s_knl[] =\n", name);
    gzt_add_quoted(&text, plan->body, "");
    gzt_add(&text,
            "    ;\n\nGZK_STENCIL(%s, .summary = \"made by gzc\", GZ_FACTS, .fill = fill,\n"
            "            .set_coefficients = set_coefficients, .reference = reference);\n",
            name);
    return gzt_string(&text);
}
