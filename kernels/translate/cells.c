/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include "affine.h"
#include "counting.h"
#include "emit.h"
#include "loops.h"

#include <string.h>

const char *const gzt_axis_names[GZT_AXES] = {"gz_x", "gz_y", "gz_z"};

const char *gzt_of_cell(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_node *node, const int shift[GZT_AXES], const char *time)
{
    const char *values[GZT_AXES];
    for (int axis = 0; axis < GZT_AXES; axis++) {
        int less = (shift ? shift[axis] : 0) + sweep->add[axis];
        values[axis] =
            less ? gzt_format("(%s - (%d))", gzt_axis_names[axis], less) : gzt_axis_names[axis];
    }
    return gzt_evaluated(program, sweep, node, values, time);
}

const char *gzt_guarded(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_guard *guards, const char *time)
{
    const char *text = NULL;
    for (; guards; guards = guards->around) {
        const char *one = gzt_format("%s(%s)", guards->holds ? "" : "!",
                                     gzt_of_cell(program, sweep, guards->condition, NULL, time));
        text = text ? gzt_format("%s && %s", one, text) : one;
    }
    return text ? text : "1";
}

const char *gzt_add_read(const struct gzt_program *program, int sweep,
                         const struct gzt_guard *guards, int given, const char *value,
                         struct gzt_text *text)
{
    struct gzt_space space = gzt_space_of(program, &program->sweep[sweep]);
    bool cells = false, times = false;
    if (!guards)
        return value;
    for (const struct gzt_guard *guard = guards; guard; guard = guard->around) {
        cells = cells || (!(given & GZT_CELL) && gzt_depends_on_cell(&space, guard->condition));
        times = times || (!(given & GZT_TIME) && gzt_depends(&space, guard->condition, space.time));
    }
    gzt_add(text, "int gz_read = 0;\n");
    if (times) {
        gzt_add_each(program, text);
        gzt_add(text, "if (!gz_read)\n");
    }
    for (int axis = program->dimensions - 1; cells && axis >= 0; axis--)
        gzt_add(text, "for (long %s = gz_low[%d]; %s < gz_high[%d] && !gz_read; %s++)\n",
                gzt_axis_names[axis], axis, gzt_axis_names[axis], axis, gzt_axis_names[axis]);
    gzt_add(text, "gz_read = (%s) ? 1 : 0;\n",
            gzt_guarded(program, &program->sweep[sweep], guards, "gz_time"));
    if (times)
        gzt_end_each(program, text);
    return gzt_format("gz_read ? %s : 0", value);
}

const char *gzt_scalar_text(const struct gzt_program *program, const struct gzt_scalar *scalar)
{
    return gzt_of_cell(program, &program->sweep[scalar->sweep], scalar->node, NULL, NULL);
}

/* The source array's element that stands where `written` is in the target: its subscripts behind
 * another name. */
static const char *in_array(const struct gzt_program *program, const struct gzt_sweep *sweep,
                            const struct gzt_array *array)
{
    return gzt_elsewhere(program, sweep, sweep->write.node, gzt_axis_names,
                         sweep->write.array->base, array->base);
}

const char *gzt_state_element(const struct gzt_program *program, int buffer)
{
    const struct gzt_sweep *sweep = program->sweep;
    const struct gzt_copy *copy;
    switch (program->form) {
    case GZT_PARITY:
        /* Of three planes, buffer 2 is the one that the first loop writes. */
        if (program->planes == 3)
            return gzt_of_cell(program, sweep, sweep->write.node, NULL,
                               gzt_format("(gz_first + %d)", (2 - buffer) * program->time.step));
        if (program->toggle)
            return gzt_toggled(program, sweep, sweep->write.node, gzt_axis_names, NULL,
                               buffer ? "gz_toggle" : "(1 - gz_toggle)");
        return gzt_of_cell(program, sweep, sweep->write.node, NULL,
                           buffer ? "gz_first" : gzt_format("(gz_first + %d)", program->time.step));
    case GZT_TWO_SWEEPS:
        return gzt_of_cell(program, &sweep[1 - buffer], sweep[1 - buffer].write.node, NULL, NULL);
    case GZT_SWAP:
    case GZT_ROTATE:
        return in_array(program, sweep, buffer == 2 ? program->third : program->state[buffer]);
    case GZT_COPIES:
        copy = &program->copy[buffer == 1];
        return buffer == 2  ? gzt_of_cell(program, sweep, sweep->write.node, NULL, NULL)
               : copy->call ? in_array(program, sweep, program->state[buffer])
                            : gzt_of_cell(program, &copy->nest, copy->nest.write.node, NULL, NULL);
    case GZT_COPY_BACK:
    case GZT_COPY_FIRST:
        if (program->state[buffer] == sweep->write.array)
            return gzt_of_cell(program, sweep, sweep->write.node, NULL, NULL);
        return program->copy[0].call ? in_array(program, sweep, program->state[buffer])
                                     : gzt_of_cell(program, &program->copy[0].nest,
                                                   program->copy[0].nest.write.node, NULL, NULL);
    case GZT_IN_PLACE:
    case GZT_SYSTEM:
        break;
    }
    return gzt_of_cell(program, sweep, sweep->write.node, NULL, NULL);
}

void gzt_add_part(const struct gzt_program *program, int part, struct gzt_text *text)
{
    if (!program->system)
        return;
    for (int high = 0; high < 2; high++) {
        const char *name = high ? "high" : "low";
        gzt_add(text, "const long gz_%s[3] = {gz_%ss[%d][0], gz_%ss[%d][1], gz_%ss[%d][2]};\n",
                name, name, part, name, part, name, part);
    }
    gzt_add(text, "(void)gz_low, (void)gz_high;\n");
}

int gzt_axis_of(const struct gzt_sweep *sweep, int loop)
{
    int axis = 0;
    while (sweep->axis_loop[axis] != loop)
        axis++;
    return axis;
}

void gzt_begin_part(const struct gzt_program *program, int part, struct gzt_text *text)
{
    if (program->system)
        gzt_add(text, "if (gz_full[%d])\n", part);
    gzt_add(text, "{\n");
    gzt_add_part(program, part, text);
}

/* Whether a part reads a number. */
static bool reads_scalar(const struct gzt_program *program, int part,
                         const struct gzt_scalar *scalar)
{
    bool reads = false;
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        reads = reads || (read->role == GZT_SCALAR && read->part == part &&
                          program->scalars[read->number] == scalar);
    }
    return reads;
}

void gzt_begin_scalar(const struct gzt_program *program, const struct gzt_scalar *scalar,
                      struct gzt_text *text)
{
    int count = 0;
    for (int i = 0; program->system && i < program->sweeps; i++)
        if (reads_scalar(program, i, scalar))
            gzt_add(text, "%sgz_full[%d]", count++ ? " || " : "if (", i);
    gzt_add(text, "%s{\n", count ? ")\n" : "");
    gzt_add_part(program, scalar->sweep, text);
}

const char *gzt_moved(const char *bound, int axis, int by)
{
    return by == 0  ? gzt_format("%s[%d]", bound, axis)
           : by > 0 ? gzt_format("%s[%d] + %d", bound, axis, by)
                    : gzt_format("%s[%d] - %d", bound, axis, -by);
}

const char *gzt_first_cell(int axis, int widen[GZT_AXES][2])
{
    return gzt_moved("gz_low", axis, widen ? -widen[axis][0] : 0);
}

const char *gzt_end_cell(int axis, int widen[GZT_AXES][2])
{
    return gzt_moved("gz_high", axis, widen ? widen[axis][1] : 0);
}

void gzt_add_loop(int axis, int widen[GZT_AXES][2], struct gzt_text *text)
{
    gzt_add(text, "for (long %s = %s; %s < %s; %s++)\n", gzt_axis_names[axis],
            gzt_first_cell(axis, widen), gzt_axis_names[axis], gzt_end_cell(axis, widen),
            gzt_axis_names[axis]);
}

void gzt_add_loops(const struct gzt_program *program, int widen[GZT_AXES][2], const char *statement,
                   struct gzt_text *text)
{
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        gzt_add_loop(axis, widen, text);
    gzt_add(text, "%s\n", statement);
}

void gzt_add_rows(const struct gzt_program *program, int widen[GZT_AXES][2], const char *to,
                  const char *from, struct gzt_text *text)
{
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        gzt_add_loop(axis, widen, text);
    gzt_add(text, "GZ_STENCIL_ROW(gz_run, %s, %s, %s,\n(%s),\n(%s));\ngz_stencil_copied(gz_run);\n",
            gzt_axis_names[0], gzt_first_cell(0, widen), gzt_end_cell(0, widen), to, from);
}

/* ------------------------------------------------------------------ the range that is read */

/* A distance, as far as cells lie beyond the domain there. */
static int clipped(const struct gzt_program *program, int axis, int distance)
{
    const int *rim = program->state_rim[axis];
    return distance < -rim[0] ? -rim[0] : distance > rim[1] ? rim[1] : distance;
}

/* Whether a read from a cell of the domain may reach so far beyond it along an axis. */
static bool reaches(const struct gzt_program *program, const struct gzt_read *read, int axis,
                    int far)
{
    int offset = clipped(program, axis, read->offset[axis]);
    return far < 0 ? offset <= far : offset >= far || far == 0;
}

bool gzt_row_reach(const struct gzt_program *program, const int far[GZT_AXES], int reach[2])
{
    bool found = far[1] == 0 && far[2] == 0;
    reach[0] = reach[1] = 0;
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        if (read->role != GZT_STATE || !reaches(program, read, 1, far[1]) ||
            !reaches(program, read, 2, far[2]))
            continue;
        int offset = clipped(program, 0, read->offset[0]);
        reach[0] = !found || offset < reach[0] ? offset : reach[0];
        reach[1] = !found || offset > reach[1] ? offset : reach[1];
        found = true;
    }
    return found;
}

bool gzt_reads_box(const struct gzt_program *program)
{
    return program->border_count > 0 || program->wide > 0 || program->system;
}

/* Where a row lies along an axis, in a table of all rows. */
static const char *row_number(const struct gzt_program *program, int axis)
{
    const char *x = gzt_axis_names[axis];
    if (axis >= program->dimensions)
        return "0";
    return gzt_format(
        "(%s < gz_low[%d] ? %s - gz_low[%d] : %s < gz_high[%d] ? 0 : %s - gz_high[%d] + 1)"
        " + %d",
        x, axis, x, axis, x, axis, x, axis, program->state_rim[axis][0]);
}

/* Begins the loops over all rows, between gz_left and gz_right each, with gz_wide[2] if anything of
 * it is read. */
static void add_reached_rows(const struct gzt_program *program, struct gzt_text *text)
{
    const int(*rim)[2] = program->state_rim;
    int far[GZT_AXES] = {0}, reach[2], widen[GZT_AXES][2];
    memcpy(widen, program->state_rim, sizeof widen);
    gzt_add(text, "static const signed char gz_wider[][%d][3] = {", rim[1][0] + rim[1][1] + 1);
    for (far[2] = -rim[2][0]; far[2] <= rim[2][1]; far[2]++) {
        gzt_add(text, "{");
        for (far[1] = -rim[1][0]; far[1] <= rim[1][1]; far[1]++) {
            bool read = gzt_row_reach(program, far, reach);
            gzt_add(text, "{%d, %d, %d},", reach[0], reach[1], read);
        }
        gzt_add(text, "},\n");
    }
    gzt_add(text, "};\n");
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        gzt_add_loop(axis, widen, text);
    gzt_add(text,
            "{\nconst signed char *const gz_wide = gz_wider[%s][%s];\n"
            "const long gz_left = gz_low[0] + gz_wide[0], gz_right = gz_high[0] + gz_wide[1];\n",
            row_number(program, 2), row_number(program, 1));
}

void gzt_add_reached_rows(const struct gzt_program *program, const char *to, const char *from,
                          struct gzt_text *text)
{
    gzt_add(text, "{\n");
    add_reached_rows(program, text);
    gzt_add(text,
            "if (gz_wide[2])\nGZ_STENCIL_ROW(gz_run, %s, gz_left, gz_right,\n(%s),\n(%s));\n}\n"
            "gz_stencil_copied(gz_run);\n}\n",
            gzt_axis_names[0], to, from);
}

void gzt_add_reached_cells(const struct gzt_program *program, const char *statement,
                           struct gzt_text *text)
{
    gzt_add(text, "{\n");
    add_reached_rows(program, text);
    gzt_add(text, "for (long %s = gz_left; %s < gz_right && gz_wide[2]; %s++)\n%s\n}\n}\n",
            gzt_axis_names[0], gzt_axis_names[0], gzt_axis_names[0], statement);
}

const char *gzt_cell_place(const struct gzt_program *program)
{
    const char *text = "";
    for (int axis = program->dimensions - 1; axis >= 0; axis--) {
        const char *here = program->system
                               ? gzt_format("(%s - gz_grid[%d])", gzt_axis_names[axis], axis)
                               : gzt_format("(%s - gz_low[%d] + %d)", gzt_axis_names[axis], axis,
                                            gzt_grid_rim(program, axis));
        text = *text ? gzt_format("(%s * gz_size[%d] + %s)", text, axis, here) : here;
    }
    return text;
}

const char *gzt_constant_element(const struct gzt_program *program, int k, int widen[GZT_AXES][2],
                                 bool *fixed)
{
    const struct gzt_input *input = program->constants[k];

    *fixed = input->key[0] != '=';
    for (int axis = 0; axis < GZT_AXES; axis++) {
        bool beyond = *fixed && axis < program->dimensions && program->edge[axis] == GZT_EDGE_KEEP;
        widen[axis][0] = beyond ? -input->reach[axis][0] : 0;
        widen[axis][1] = beyond ? input->reach[axis][1] : 0;
    }
    return gzt_of_cell(program, &program->sweep[input->sweep], input->node,
                       *fixed ? input->shift : NULL, NULL);
}
