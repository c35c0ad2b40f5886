/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row_of.c - the row of a program.
 */
#include "access.h"
#include "emit.h"
#include "row.h"
#include "systems.h"
#include "within.h"

#include <stdlib.h>

/* Whether no part begins before that one along an axis, or, of its end, none ends behind it. */
static bool is_outermost(const struct gzt_program *program, const struct gzt_sweep *sweep, int k)
{
    for (int i = 0; i < program->sweeps; i++)
        if (gzt_sets_field(program, &program->sweep[i]) &&
            !gzt_encloses(program, sweep, &program->sweep[i], k))
            return false;
    return gzt_sets_field(program, sweep);
}

/* On grids on which all parts have cells: how far a bound of a part, its first or last cell along
 * an axis, lies from the first cell or, with `end`, the last that any part sets; false if that is
 * not the same on all grids. */
static bool distance_of(const struct gzt_program *program, const struct gzt_sweep *sweep, int k,
                        bool end, int *distance)
{
    isl_pw_aff *bound = k % 2 ? sweep->last[k / 2] : sweep->first[k / 2];
    isl_set *all = isl_set_universe(isl_space_set_alloc(program->isl, 0, 0));
    bool fixed = false;
    for (int i = 0; i < program->sweeps && !fixed; i++) {
        const struct gzt_sweep *outer = &program->sweep[i];
        fixed =
            is_outermost(program, outer, k - k % 2 + end) &&
            gzt_difference_on(all, bound, end ? outer->last[k / 2] : outer->first[k / 2], distance);
    }
    isl_set_free(all);
    return fixed;
}

/* Bound `number` of the layout by the grid's extents, from that end of it to which it is nearer;
 * NULL with the error set if they do not tell. */
static const char *bound_of(const struct gzt_program *program, int number)
{
    const struct gzt_sweep *sweep = &program->sweep[number / (2 * GZT_AXES)];
    int k = number % (2 * GZT_AXES), rim = gzt_grid_rim(program, k / 2), from_first, from_last;
    bool first = distance_of(program, sweep, k, false, &from_first);
    bool last = distance_of(program, sweep, k, true, &from_last);
    if (first && (!last || abs(from_first) < abs(from_last) + !(k % 2)))
        return gzt_format("%d", rim + from_first + k % 2);
    if (last)
        return gzt_format("data->size[%d] - %d", k / 2, rim + 1 - from_last - k % 2);
    gzt_refuse(program->source, sweep->write.node->begin,
               "%s: its first and last cells do not follow from the extents of the grid, which are "
               "all that gzrun knows",
               gzt_node_text(program->source, sweep->write.node));
    return NULL;
}

/* A value that the file does not state: anything will do to prove the arithmetic, and small
 * numbers keep values finite. */
static const char *value_of(const struct gzt_program *program, const struct gzt_slot *slot)
{
    const struct gzt_scalar *scalar;
    switch (slot->content) {
    case GZT_IS_ORIGIN:
    case GZT_IS_TIME:
        return "0";
    case GZT_IS_BOUND:
        return bound_of(program, slot->number);
    case GZT_IS_PLACE:
        return gzt_format("data->size[%d] / 2", slot->number % GZT_AXES);
    case GZT_IS_SCALAR:
        break;
    }
    scalar = program->scalars[slot->number];
    if (scalar->known)
        return gzt_format("%.17g", scalar->value);
    return scalar->type == GZT_FLOAT || scalar->type == GZT_DOUBLE
               ? gzt_format("1.0 / %d", slot->number + 2)
               : gzt_format("%d", slot->number + 1);
}

static int add_coefficients(const struct gzt_program *program, const struct gzt_layout *layout,
                            struct gzt_text *text)
{
    for (int i = 0; i < layout->slots; i++) {
        const struct gzt_slot *slot = &layout->slot[i];
        const char *value = value_of(program, slot), *type = gzt_type_text(slot->type);
        if (!value)
            return -1;
        if (program->type == GZT_DOUBLE || slot->type == program->type)
            gzt_add(text, "    to[%d] = (GZ_T)(%s)(%s);\n", slot->first, type, value);
        else
            gzt_add(text, "    memcpy(to + %d, &(%s){(%s)(%s)}, sizeof(%s));\n", slot->first, type,
                    type, value, type);
    }
    return 0;
}

const char *gzt_row_of(const struct gzt_program *program, const struct gzt_layout *layout,
                       const char *header)
{
    struct gzt_text text = {0};
    if (add_coefficients(program, layout, &text) != 0)
        return NULL;
    struct gzt_row row = {
        .path = program->source->path,
        .stencil = gzt_stencil(program, layout),
        .two = gzt_has_two_buffers(program) && gzt_is_guarded(program),
        .buffers = gzt_has_two_buffers(program) && program->form != GZT_COPY_FIRST ? 2 : 1,
        .coefficients = gzt_string(&text)};
    return gzt_row(&row, header);
}
