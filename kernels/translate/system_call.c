/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "system_call.h"

#include "cells.h"
#include "cuts.h"
#include "hull.h"
#include "loops.h"
#include "moves.h"
#include "overlap.h"
#include "receivers.h"
#include "replace.h"
#include "systems.h"
#include "toggles.h"

#include <string.h>

static const char *type(const struct gzt_program *program)
{
    return gzt_type_text(program->type);
}

/* ------------------------------------------------------------------------------------ bounds */

/* The bounds of a loop of a part along its axis, and whether it runs from one to the other. */
static void add_loop_bounds(const struct gzt_program *program, int part, int axis,
                            struct gzt_text *text)
{
    const struct gzt_sweep *sweep = &program->sweep[part];
    const struct gzt_loop *loop = &sweep->loop[sweep->axis_loop[axis]];
    const char *low = gzt_format("(gz_lows[%d][%d] - (%d))", part, axis, sweep->add[axis]);
    const char *high = gzt_format("(gz_highs[%d][%d] - (%d))", part, axis, sweep->add[axis]);
    gzt_add(text,
            "gz_lows[%d][%d] = (long)(%s)(%s) + (%d);\n"
            "gz_highs[%d][%d] = (long)(%s) + (%d);\n",
            part, axis, loop->iterator->type_name,
            gzt_of_cell(program, sweep, loop->low, NULL, NULL), sweep->add[axis], part, axis,
            gzt_of_cell(program, sweep, loop->high, NULL, NULL),
            sweep->add[axis] + loop->inclusive);
    gzt_add_loop_test(program, sweep, loop, low, high,
                      gzt_format("%s > %s ? %s : %s", high, low, high, low), text);
}

/* Where a part lies along an axis that none of its loops follows. */
static void add_place(const struct gzt_program *program, int part, int axis, struct gzt_text *text)
{
    const struct gzt_sweep *sweep = &program->sweep[part];
    gzt_add(text,
            "gz_lows[%d][%d] = (long)(%s);\ngz_highs[%d][%d] = gz_lows[%d][%d] + 1;\n"
            "if (!GZ_STENCIL_IS_INDEX(gz_lows[%d][%d], gz_highs[%d][%d]))\n"
            "gz_usable = GZ_STENCIL_OTHER_LOOPS;\n",
            part, axis, gzt_of_cell(program, sweep, sweep->fixed[axis], NULL, NULL), part, axis,
            part, axis, part, axis, part, axis);
}

/* Whether C asks for a part's place: not where a condition holds in no loop. */
static void add_if_placed(const struct gzt_program *program, int part, struct gzt_text *text)
{
    const struct gzt_guard *guard = gzt_guard_of_place(program, &program->sweep[part]);
    gzt_add_read(program, part, guard, GZT_CELL, "", text);
    gzt_add(text, guard ? "if (gz_read) {\n" : "{\n");
}

/* The bounds of each part's cells, as C asks for them: if the time loop runs, an inner one if the
 * outer has a turn, and what conditions leave if all have. Others are 0. gz_turns says which loops
 * have one, even if these leave no cell. */
static void add_part_bounds(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(
        text,
        "long gz_lows[%d][3] = {{0}}, gz_highs[%d][3] = {{0}};\nchar gz_turns[%d][3] = {{0}};\n",
        program->sweeps, program->sweeps, program->sweeps);
    for (int part = 0; part < program->sweeps; part++) {
        const struct gzt_sweep *sweep = &program->sweep[part];
        gzt_add(text, "if (gz_count > 0) {\n");
        for (int i = 0; i < sweep->loops; i++) {
            int axis = gzt_axis_of(sweep, i);
            add_loop_bounds(program, part, axis, text);
            gzt_add(text, "gz_turns[%d][%d] = gz_lows[%d][%d] < gz_highs[%d][%d];\n", part, axis,
                    part, axis, part, axis);
            gzt_add(text, "if (gz_turns[%d][%d]) {\n", part, axis);
        }
        gzt_add_cuts(program, sweep, gzt_format("gz_lows[%d]", part),
                     gzt_format("gz_highs[%d]", part), sweep->add, text);
        add_if_placed(program, part, text);
        for (int axis = 0; axis < program->dimensions; axis++)
            if (sweep->axis_loop[axis] < 0)
                add_place(program, part, axis, text);
        struct gzt_space space = gzt_space_of(program, sweep);
        gzt_add_hull_test(&space, sweep, gzt_format("gz_lows[%d]", part),
                          gzt_format("gz_highs[%d]", part), text);
        for (int i = -2; i < sweep->loops; i++)
            gzt_add(text, "}\n");
    }
}

/* The grid: from the first to the last cell that any such part sets, and its rim. */
static void add_grid(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "static const char gz_sets[%d] = {", program->sweeps);
    for (int i = 0; i < program->sweeps; i++)
        gzt_add(text, "%s%d", i ? ", " : "", gzt_sets_field(program, &program->sweep[i]));
    gzt_add(text, "};\nint gz_full[%d], gz_any = 0;\nlong gz_low[3] = {0}, gz_high[3] = {0};\n",
            program->sweeps);
    gzt_add(text,
            "for (int gz_p = 0; gz_p < %d; gz_p++) {\ngz_full[gz_p] = 1;\n"
            "for (int gz_a = 0; gz_a < %d; gz_a++)\n"
            "gz_full[gz_p] = gz_full[gz_p] && gz_lows[gz_p][gz_a] < gz_highs[gz_p][gz_a];\n"
            "for (int gz_a = 0; gz_a < %d && gz_full[gz_p] && gz_sets[gz_p]; gz_a++) {\n"
            "if (!gz_any || gz_lows[gz_p][gz_a] < gz_low[gz_a])\n"
            "gz_low[gz_a] = gz_lows[gz_p][gz_a];\n"
            "if (!gz_any || gz_highs[gz_p][gz_a] > gz_high[gz_a])\n"
            "gz_high[gz_a] = gz_highs[gz_p][gz_a];\n}\n"
            "gz_any = gz_any || (gz_full[gz_p] && gz_sets[gz_p]);\n}\n",
            program->sweeps, program->dimensions, program->dimensions);
    static const char *const names[] = {"extent", "size", "grid"};
    for (int n = 0; n < 3; n++) {
        gzt_add(text, "const long gz_%s[3] = {", names[n]);
        for (int axis = 0; axis < GZT_AXES; axis++) {
            int rim = axis < program->dimensions ? gzt_grid_rim(program, axis) : 0;
            const char *more = axis < program->dimensions ? "" : " + 1";
            if (n < 2)
                gzt_add(text, "%sgz_high[%d] - gz_low[%d] + %d%s", axis ? ", " : "", axis, axis,
                        n * 2 * rim, more);
            else
                gzt_add(text, "%sgz_low[%d] - %d", axis ? ", " : "", axis, rim);
        }
        gzt_add(text, "};\n");
    }
}

/* Begins a block for the cells between gz_low and gz_high that belong to the grid. */
static void add_clip(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text,
            "for (int gz_a = 0; gz_a < %d; gz_a++) {\n"
            "if (gz_low[gz_a] < gz_grid[gz_a])\ngz_low[gz_a] = gz_grid[gz_a];\n"
            "if (gz_high[gz_a] > gz_grid[gz_a] + gz_size[gz_a])\n"
            "gz_high[gz_a] = gz_grid[gz_a] + gz_size[gz_a];\n}\nif (1",
            program->dimensions);
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, " && gz_low[%d] < gz_high[%d]", axis, axis);
    gzt_add(text, ") {\n");
}

/* Begins a block for the cells of a part, seen from some distance. */
static void add_seen(int part, int reach[GZT_AXES][2], struct gzt_text *text)
{
    gzt_add(text, "if (gz_full[%d]) {\n", part);
    for (int high = 0; high < 2; high++) {
        const char *name = high ? "high" : "low";
        gzt_add(text, "long gz_%s[3] = {", name);
        for (int axis = 0; axis < GZT_AXES; axis++)
            gzt_add(text, "%sgz_%ss[%d][%d] + (%d)", axis ? ", " : "", name, part, axis,
                    reach[axis][high]);
        gzt_add(text, "};\n");
    }
}

/* Begins two blocks for those of them that belong to the grid. */
static void add_clipped(const struct gzt_program *program, int part, int reach[GZT_AXES][2],
                        struct gzt_text *text)
{
    add_seen(part, reach, text);
    add_clip(program, text);
}

/* The cells of an array that a part reads or sets, or of the other that changes places with it. */
static void touch(const struct gzt_program *program, int part, const struct gzt_array *array,
                  struct gzt_rows *rows)
{
    const struct gzt_array *both[] = {array, gzt_partner_of(program, array)};
    for (int i = 0; i < 2; i++) {
        gzt_touch_reads(program, part, GZT_STATE, gzt_number_of(program, both[i]), rows);
        if (program->sweep[part].write.array == both[i])
            gzt_touch(rows, part, (const int[GZT_AXES]){0});
    }
}

/* The box around them; false if there are none. */
static bool touches(const struct gzt_program *program, int part, const struct gzt_array *array,
                    int reach[GZT_AXES][2])
{
    struct gzt_rows rows = {0};
    touch(program, part, array, &rows);
    return gzt_box(&rows, reach);
}

/* ------------------------------------------------------------------------------------ arrays */

/* Whether the time chooses planes. */
static bool has_planes(const struct gzt_program *program)
{
    bool planes = false;
    for (int i = 0; i < program->array_count; i++)
        planes = planes || program->arrays[i]->read;
    return planes;
}

/* The element of an array that belongs to the cell, written as that of another, which a part sets;
 * of two planes chosen by the time, as they are in the loop of gz_now. The plane that is read is
 * the one that the next loop writes. */
static const char *element_like(const struct gzt_program *program, const struct gzt_array *array,
                                const struct gzt_array *like)
{
    const struct gzt_sweep *sweep = gzt_writer_of(program, like);
    const char *values[GZT_AXES];
    for (int axis = 0; axis < GZT_AXES; axis++)
        values[axis] = sweep->add[axis]
                           ? gzt_format("(%s - (%d))", gzt_axis_names[axis], sweep->add[axis])
                           : gzt_axis_names[axis];
    const struct gzt_array *written = sweep->write.array;
    bool later = array != written;
    if (written->read && program->toggle)
        return gzt_toggled(program, sweep, sweep->write.node, values, NULL,
                           gzt_format(later ? "(1 - %s)" : "%s", program->toggle->name));
    if (written->read)
        return gzt_evaluated(program, sweep, sweep->write.node, values,
                             gzt_format("(gz_now + %d)", later ? program->time.step : 0));
    return gzt_elsewhere(program, sweep, sweep->write.node, values, written->base, array->base);
}

static const char *element(const struct gzt_program *program, const struct gzt_array *array)
{
    return element_like(program, array, array);
}

/* In a block, makes gz_low and gz_high enclose all cells of an array that parts read or set, if
 * any (gz_found). */
static void add_hull(const struct gzt_program *program, const struct gzt_array *array,
                     struct gzt_text *text)
{
    int count = 0, reach[GZT_AXES][2];
    gzt_add(text, "static const int gz_reach[][7] = {");
    for (int i = 0; i < program->sweeps; i++)
        if (touches(program, i, array, reach))
            gzt_add(text, "%s{%d, %d, %d, %d, %d, %d, %d}", count++ ? ", " : "", i, reach[0][0],
                    reach[0][1], reach[1][0], reach[1][1], reach[2][0], reach[2][1]);
    gzt_add(text,
            "};\nlong gz_low[3] = {0}, gz_high[3] = {0};\nint gz_found = 0;\n"
            "for (int gz_i = 0; gz_i < %d; gz_i++) {\n"
            "const int *gz_r = gz_reach[gz_i];\n"
            "for (int gz_a = 0; gz_a < 3 && gz_full[gz_r[0]]; gz_a++) {\n"
            "const long gz_one = gz_lows[gz_r[0]][gz_a] + gz_r[1 + 2 * gz_a];\n"
            "const long gz_two = gz_highs[gz_r[0]][gz_a] + gz_r[2 + 2 * gz_a];\n"
            "if (!gz_found || gz_one < gz_low[gz_a])\ngz_low[gz_a] = gz_one;\n"
            "if (!gz_found || gz_two > gz_high[gz_a])\ngz_high[gz_a] = gz_two;\n}\n"
            "gz_found = gz_found || gz_full[gz_r[0]];\n}\n",
            count);
}

static void add_array_span(const struct gzt_program *program, const struct gzt_array *array,
                           struct gzt_text *text)
{
    const struct gzt_sweep *sweep = gzt_writer_of(program, array);
    gzt_add(text, "{\n");
    add_hull(program, array, text);
    gzt_add(text, "const long gz_size[3] = {gz_high[0] - gz_low[0], gz_high[1] - gz_low[1], "
                  "gz_high[2] - gz_low[2]};\n(void)gz_size;\nif (gz_found) {\n");
    gzt_add_array_spans(program, sweep, sweep->write.node, element(program, array), text);
    gzt_add(text, "}\n}\n");
}

/* What results set of a field: where pairs change places, of both after two loops. */
static void add_written_spans(const struct gzt_program *program, const struct gzt_field *field,
                              struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}};
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_array *written = program->sweep[i].write.array;
        const struct gzt_sweep *sweep = gzt_writer_of(program, written);
        if (written != field->partner)
            continue;
        add_clipped(program, i, none, text);
        gzt_add_written_spans(program, sweep, sweep->write.node, element(program, written), text);
        if (field->array != written && !gzt_is_copied_to(program, field->array)) {
            gzt_add(text, "if (gz_loops > 1) {\n");
            gzt_add_written_spans(program, sweep, sweep->write.node, element(program, field->array),
                                  text);
            gzt_add(text, "}\n");
        }
        gzt_add(text, "}\n}\n");
    }
}

/* All that a call copies, and sets. What it copies stands for the array, if parts set that. */
static void add_copy_spans(const struct gzt_program *program, const struct gzt_duplicate *copy,
                           struct gzt_text *text)
{
    for (int i = 0; i < 2; i++) {
        const char *at = gzt_node_text(program->source, copy->call->child[i]);
        bool sets = i == 0 || copy->from;
        if (i == 0 || !copy->from || gzt_copied_from(program, copy->from) == copy)
            gzt_add(text,
                    "gz_stencil_span(gz_run, (const void *)(%s), (const void *)(%s), %s, %d);\n",
                    at, at, gzt_node_text(program->source, copy->call->child[2]), sets);
    }
}

/* Where a call copies an array that parts set, or others read as a copy: from end to end of each
 * row, the bytes of each cell are among those that it copies, as far behind the first as those that
 * it sets from them. */
static void add_copied_rows(const struct gzt_program *program, const struct gzt_duplicate *copy,
                            struct gzt_text *text)
{
    add_hull(program, copy->from, text);
    gzt_add(text, "if (gz_found) {\n");
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        gzt_add_loop(axis, NULL, text);
    gzt_add(text,
            "for (int gz_i = 0; gz_i < 2; gz_i++) {\n"
            "const long gz_x = gz_i ? gz_high[0] - 1 : gz_low[0];\n"
            "const long gz_at = (const char *)&%s - gz_from;\n"
            "if (gz_at < 0 || (unsigned long)gz_at + sizeof(%s) > gz_bytes%s)\n"
            "gz_usable = GZ_STENCIL_OTHER_COPIES;\n}\n}\n",
            element(program, copy->from), type(program),
            copy->to ? gzt_format("\n    || (const char *)&%s - (const char *)(%s) != gz_at",
                                  element_like(program, copy->to, copy->from),
                                  gzt_node_text(program->source, copy->call->child[0]))
                     : "");
}

/* What is copied must be the array that parts set and, of several copies, what one of them copies.
 */
static void add_copy_test(const struct gzt_program *program, const struct gzt_duplicate *copy,
                          struct gzt_text *text)
{
    const struct gzt_duplicate *whole = gzt_copied_from(program, copy->from);
    struct gzt_node **call = copy->call->child, **all = whole->call->child;
    gzt_add(text,
            "{\nconst char *const gz_from = (const char *)(%s);\n"
            "const unsigned long gz_bytes = (unsigned long)(%s);\n",
            gzt_node_text(program->source, call[1]), gzt_node_text(program->source, call[2]));
    if (whole == copy || copy->to)
        add_copied_rows(program, copy, text);
    if (whole != copy)
        gzt_add(text,
                "const char *const gz_all = (const char *)(%s);\n"
                "if (gz_from < gz_all || gz_from + gz_bytes > gz_all + (unsigned long)(%s))\n"
                "gz_usable = GZ_STENCIL_OTHER_COPIES;\n",
                gzt_node_text(program->source, all[1]), gzt_node_text(program->source, all[2]));
    gzt_add(text, "}\n");
}

/* A constant's element for the cell; whether it is a fixed distance away from any cell. */
static const char *constant(const struct gzt_program *program, int k, bool *fixed)
{
    const struct gzt_input *input = program->constants[k];
    *fixed = input->key[0] != '=';
    return gzt_of_cell(program, &program->sweep[input->sweep], input->node,
                       *fixed ? input->shift : NULL, NULL);
}

static void add_spans(const struct gzt_program *program, struct gzt_text *text)
{
    int reach[GZT_AXES][2];
    bool fixed;
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->written && !gzt_is_copied_to(program, program->arrays[i]) &&
            !gzt_copied_from(program, program->arrays[i]))
            add_array_span(program, program->arrays[i], text);
    for (int i = 0; i < program->system->copies; i++)
        add_copy_spans(program, &program->system->copy[i], text);
    for (int i = 0; i < program->system->fields; i++)
        add_written_spans(program, &program->system->field[i], text);
    for (int k = 0; k < program->constant_count; k++)
        for (int i = 0; i < program->sweeps; i++) {
            const char *from = constant(program, k, &fixed);
            struct gzt_rows rows = {0};
            gzt_touch_reads(program, i, GZT_CONSTANT, k, &rows);
            if (!gzt_box(&rows, reach))
                continue;
            gzt_add(text, "if (gz_full[%d]) {\nlong gz_low[3], gz_high[3];\n", i);
            for (int axis = 0; axis < GZT_AXES; axis++)
                gzt_add(text,
                        "gz_low[%d] = gz_lows[%d][%d] + (%d);\n"
                        "gz_high[%d] = gz_highs[%d][%d] + (%d);\n",
                        axis, i, axis, fixed ? reach[axis][0] : 0, axis, i, axis,
                        fixed ? reach[axis][1] : 0);
            gzt_add(text, "(void)gz_low, (void)gz_high;\n");
            gzt_add_constant_spans(program, k, fixed, from, text);
            gzt_add(text, "}\n");
        }
    gzt_add_step_spans(program, text);
    gzt_add_source_spans(program, text);
    gzt_add_scalar_spans(program, text);
    gzt_add_receiver_spans(program, text);
}

/* Copies what parts read or set of an array into its field. */
static void add_fill(const struct gzt_program *program, int number, struct gzt_text *text)
{
    const struct gzt_array *array = program->system->field[number].array;
    const char *to = gzt_format("gz_to[%s]", gzt_cell_place(program));
    struct gzt_rows rows = {0};
    for (int i = 0; i < program->sweeps; i++)
        touch(program, i, array, &rows);
    gzt_add(text,
            "{\n%s *gz_to = (%s *)gz_stencil_buffer(gz_run, 0) + %d * gz_size[0] * gz_size[1] * "
            "gz_size[2];\n",
            type(program), type(program), number);
    gzt_add_touched_rows(program, &rows, to, element(program, array), text);
    gzt_add(text, "}\n");
}

static void add_constant(const struct gzt_program *program, int k, struct gzt_text *text)
{
    const struct gzt_input *input = program->constants[k];
    struct gzt_rows rows = {0};
    struct gzt_text fill = {0};
    bool fixed;
    const char *from = constant(program, k, &fixed);
    for (int i = 0; i < program->sweeps; i++) {
        struct gzt_rows own = {0};
        gzt_touch_reads(program, i, GZT_CONSTANT, k, fixed ? &rows : &own);
        if (own.count > 0)
            gzt_touch(&rows, i, (const int[GZT_AXES]){0});
    }
    gzt_add(&fill, "{\n");
    from = gzt_add_read(program, input->sweep, input->guards, GZT_CELL, from, &fill);
    gzt_add(&fill, "gz_to[%s] = (%s)(%s);\n}", gzt_cell_place(program), type(program), from);
    gzt_add(text, "{\n%s *gz_to = (%s *)gz_stencil_constant(gz_run, %d);\n", type(program),
            type(program), k);
    gzt_add_touched(program, &rows, true, gzt_each_touched(gzt_string(&fill)), text);
    gzt_add(text, "}\n");
}

static void add_inputs(const struct gzt_program *program, const struct gzt_layout *layout,
                       struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}};
    for (int i = 0; i < layout->slots; i++) {
        const struct gzt_slot *slot = &layout->slot[i];
        const struct gzt_scalar *scalar =
            slot->content == GZT_IS_SCALAR ? program->scalars[slot->number] : NULL;
        if (scalar)
            gzt_begin_scalar(program, scalar, text);
        else
            gzt_add(text, "{\n");
        gzt_add_slot(program, slot, text);
        gzt_add(text, "}\n");
    }
    for (int k = 0; k < program->constant_count; k++)
        add_constant(program, k, text);
    for (int k = 0; k < program->per_step_count; k++) {
        const struct gzt_input *input = program->per_step[k];
        add_clipped(program, input->sweep, none, text);
        gzt_add_per_step(program, k, text);
        gzt_add(text, "}\n}\n");
    }
}

/* Where pointers change places, or one array is copied to another, what no part sets of either must
 * be the same in both, since one is read after the other; of copies also where only the last loop,
 * the program's own, reads it. */
static void add_equal_borders(const struct gzt_program *program, const struct gzt_field *field,
                              struct gzt_text *text)
{
    struct gzt_rows rows = {0};
    struct gzt_text compare = {0};
    for (int i = 0; i < program->sweeps && field->array != field->partner; i++)
        touch(program, i, field->array, &rows);
    if (rows.count == 0)
        return;
    gzt_add(&compare, "{\nif (0");
    for (int k = 0; k < program->sweeps; k++) {
        if (program->sweep[k].write.array != field->partner)
            continue;
        gzt_add(&compare, "\n    || (1");
        for (int axis = 0; axis < program->dimensions; axis++)
            gzt_add(&compare, " && %s >= gz_lows[%d][%d] && %s < gz_highs[%d][%d]",
                    gzt_axis_names[axis], k, axis, gzt_axis_names[axis], k, axis);
        gzt_add(&compare, ")");
    }
    gzt_add(&compare,
            ")\ncontinue;\n"
            "const char *gz_one = (const char *)&%s, *gz_two = (const char *)&%s;\n"
            "for (unsigned gz_i = 0; gz_i < sizeof(%s); gz_i++)\n"
            "if (gz_one[gz_i] != gz_two[gz_i])\n"
            "gz_usable = GZ_STENCIL_OTHER_BORDERS;\n}",
            element(program, field->array), element(program, field->partner), type(program));
    gzt_add_touched(program, &rows, !gzt_is_copied_to(program, field->array),
                    gzt_each_touched(gzt_string(&compare)), text);
}

/* ----------------------------------------------------------------------------------- results */

/* The loop of the results is the one behind those that have been computed. */
static void add_now(const struct gzt_program *program, struct gzt_text *text)
{
    if (has_planes(program) && !program->toggle)
        gzt_add(text, "gz_now = gz_first + gz_count * %d;\n", program->time.step);
}

static void add_results(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_system *system = program->system;
    int none[GZT_AXES][2] = {{0}};
    if (program->exchange.text)
        gzt_add_exchange(program, "", text);
    add_now(program, text);
    for (int n = 0; n < system->fields; n++) {
        const struct gzt_field *field = &system->field[n];
        gzt_add(text,
                "{\nconst %s *gz_from = (const %s *)gz_stencil_result(gz_run, 0) + %d * gz_size[0] "
                "* gz_size[1] * gz_size[2];\n",
                type(program), type(program), n);
        for (int i = 0; i < program->sweeps; i++) {
            if (program->sweep[i].write.array != field->partner)
                continue;
            add_clipped(program, i, none, text);
            gzt_add_rows(program, NULL, element(program, field->array),
                         gzt_format("gz_from[%s]", gzt_cell_place(program)), text);
            gzt_add(text, "}\n}\n");
        }
        gzt_add(text, "}\n");
    }
}

/* -------------------------------------------------------------------------------------- call */

int gzt_add_system_call(struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_system *system = program->system;
    struct gzt_layout layout;
    if (gzt_lay_out(program, &layout) != 0)
        return -1;
    bool pairs = program->exchange.text || system->copies > 0 || has_planes(program);
    gzt_add_call_facts(program, &layout, text);
    gzt_add_time(program, text);
    add_part_bounds(program, text);
    add_grid(program, text);
    gzt_add_loops_of_call(program, text);
    if (has_planes(program) && !program->toggle)
        gzt_add(text, "long gz_now = gz_first;\n");
    if (has_planes(program) && program->toggle)
        gzt_add_toggle_test(program, text);
    gzt_add_conditions(program, text);
    gzt_add_leads(program, text);
    gzt_add(
        text,
        "if (!gz_any)\ngz_usable = GZ_STENCIL_SMALL_DOMAIN;\n"
        "gz_stencil_run *gz_run = gz_stencil_begin(&gz_this, gz_extent, gz_loops, gz_usable);\n");
    gzt_add_receivers(program, text);
    gzt_add(text, "if (gz_stencil_ready(gz_run)) {\n");
    add_spans(program, text);
    gzt_add(text, "if (gz_stencil_usable(gz_run, gz_usable)) {\n");
    for (int i = 0; i < system->copies; i++)
        if (system->copy[i].from)
            add_copy_test(program, &system->copy[i], text);
    const char *again = "if (gz_stencil_usable(gz_run, gz_usable)) {\n";
    gzt_add(text, "%s", system->copies ? again : "");
    for (int i = 0; i < system->fields && pairs; i++)
        add_equal_borders(program, &system->field[i], text);
    gzt_add(text, "%sgz_own = gz_count;\n", pairs ? again : "");
    gzt_add_watching(program, text);
    for (int i = 0; i < system->fields; i++)
        add_fill(program, i, text);
    add_inputs(program, &layout, text);
    gzt_add_receiving(program, text);
    add_results(program, text);
    gzt_add_final_time(program, text);
    gzt_add(
        text,
        "}\n}\n}\n%s%sif (gz_stencil_original(gz_run) == GZ_STENCIL_FASTER)\ngz_own = gz_count;\n"
        "if (gz_stencil_original(gz_run)) {",
        pairs ? "}\n" : "", system->copies ? "}\n" : "");
    gzt_add_own_loops(program, text);
    return 0;
}

void gzt_add_system_end(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "}\n}\n}\nif (gz_stencil_checking(gz_run)) {\n");
    add_now(program, text);
    for (int i = 0; i < program->system->fields; i++)
        add_fill(program, i, text);
    gzt_add(text, "gz_stencil_compare(gz_run, 0, 0);\n");
    gzt_compare_received(program, text);
    gzt_compare_time(program, text);
    gzt_compare_leads(program, text);
    gzt_add(text, "}\ngz_stencil_end(gz_run);\n");
}
