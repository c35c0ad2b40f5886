/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"

#include "affine.h"
#include "counting.h"
#include "emit.h"
#include "loops.h"

#include <stdlib.h>
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

static const char *end_cell(int axis, int widen[GZT_AXES][2])
{
    return gzt_moved("gz_high", axis, widen ? widen[axis][1] : 0);
}

void gzt_add_loop(int axis, int widen[GZT_AXES][2], struct gzt_text *text)
{
    gzt_add(text, "for (long %s = %s; %s < %s; %s++)\n", gzt_axis_names[axis],
            gzt_first_cell(axis, widen), gzt_axis_names[axis], end_cell(axis, widen),
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
            gzt_axis_names[0], gzt_first_cell(0, widen), end_cell(0, widen), to, from);
}

/* ------------------------------------------------------------------ the range that is touched */

bool gzt_reads_box(const struct gzt_program *program)
{
    return program->border_count > 0 || program->wide > 0 || program->system;
}

static struct gzt_row *row_of(struct gzt_rows *rows, int part, const int offset[GZT_AXES])
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].part == part && rows->row[i].y == offset[1] && rows->row[i].z == offset[2])
            return &rows->row[i];
    if ((rows->count & (rows->count - 1)) == 0) {
        struct gzt_row *more = gzt_alloc((2 * (size_t)rows->count + 1) * sizeof *more);
        for (int i = 0; i < rows->count; i++)
            more[i] = rows->row[i];
        rows->row = more;
    }
    rows->row[rows->count] = (struct gzt_row){part, offset[0], offset[0], offset[1], offset[2]};
    return &rows->row[rows->count++];
}

void gzt_touch(struct gzt_rows *rows, int part, const int offset[GZT_AXES])
{
    struct gzt_row *row = row_of(rows, part, offset);
    row->left = offset[0] < row->left ? offset[0] : row->left;
    row->right = offset[0] > row->right ? offset[0] : row->right;
}

void gzt_touch_reads(const struct gzt_program *program, int part, enum gzt_role role, int number,
                     struct gzt_rows *rows)
{
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        int offset[GZT_AXES];
        if (read->role != role || read->number != number || read->within ||
            (program->system && read->part != part))
            continue;
        for (int axis = 0; axis < GZT_AXES; axis++)
            offset[axis] = program->edge[axis] == GZT_EDGE_KEEP ? read->offset[axis] : 0;
        gzt_touch(rows, part, offset);
    }
}

bool gzt_box(const struct gzt_rows *rows, int reach[GZT_AXES][2])
{
    memset(reach, 0, GZT_AXES * sizeof *reach);
    for (int i = 0; i < rows->count; i++) {
        const struct gzt_row *row = &rows->row[i];
        const int low[GZT_AXES] = {row->left, row->y, row->z};
        const int high[GZT_AXES] = {row->right, row->y, row->z};
        for (int axis = 0; axis < GZT_AXES; axis++) {
            reach[axis][0] = i == 0 || low[axis] < reach[axis][0] ? low[axis] : reach[axis][0];
            reach[axis][1] = i == 0 || high[axis] > reach[axis][1] ? high[axis] : reach[axis][1];
        }
    }
    return rows->count > 0;
}

/* A distance, as far as cells of the state lie beyond the domain there. */
static int clipped(const struct gzt_program *program, int axis, int distance)
{
    const int *rim = program->state_rim[axis];
    return distance < -rim[0] ? -rim[0] : distance > rim[1] ? rim[1] : distance;
}

static struct gzt_rows rows_of_state(const struct gzt_program *program)
{
    struct gzt_rows rows = {0};
    gzt_touch(&rows, 0, (const int[GZT_AXES]){0});
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        int offset[GZT_AXES];
        for (int axis = 0; axis < GZT_AXES; axis++)
            offset[axis] = clipped(program, axis, read->offset[axis]);
        if (read->role == GZT_STATE)
            gzt_touch(&rows, 0, offset);
    }
    return rows;
}

static int by_length(const void *a, const void *b)
{
    const struct gzt_row *one = a, *two = b;
    int more = (two->right - two->left) - (one->right - one->left);
    return more ? more : one->part - two->part;
}

/* The end of a row's cells along an axis, of the row that `entry` points to in the table. */
static const char *end_of_row(const struct gzt_program *program, const char *entry, bool high,
                              int axis)
{
    int member = axis > 0 ? axis + 2 : high ? 2 : 1;
    const char *domain = program->system ? gzt_format("s[%s[0]]", entry) : "";
    return gzt_format("gz_%s%s[%d] + %s[%d]", high ? "high" : "low", domain, axis, entry, member);
}

/* Whether a row that came before has all cells between gz_left and gz_right. */
static void add_had(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text,
            "for (int gz_q = 0; gz_q < gz_r; gz_q++) {\n"
            "const short *const gz_f = gz_rows[gz_q];\n"
            "gz_had = gz_had || (%s && gz_left >= %s && gz_right <= %s",
            program->system ? "gz_full[gz_f[0]]" : "1", end_of_row(program, "gz_f", false, 0),
            end_of_row(program, "gz_f", true, 0));
    for (int axis = 1; axis < program->dimensions; axis++)
        gzt_add(text, "\n    && %s >= %s && %s < %s", gzt_axis_names[axis],
                end_of_row(program, "gz_f", false, axis), gzt_axis_names[axis],
                end_of_row(program, "gz_f", true, axis));
    gzt_add(text, ");\n}\n");
}

static void add_grid_clip(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "if (gz_left < gz_grid[0])\ngz_left = gz_grid[0];\n"
                  "if (gz_right > gz_grid[0] + gz_size[0])\ngz_right = gz_grid[0] + gz_size[0];\n"
                  "gz_had = gz_left >= gz_right");
    for (int axis = 1; axis < program->dimensions; axis++)
        gzt_add(text, "\n    || %s < gz_grid[%d] || %s >= gz_grid[%d] + gz_size[%d]",
                gzt_axis_names[axis], axis, gzt_axis_names[axis], axis, axis);
    gzt_add(text, ";\n");
}

void gzt_add_touched(const struct gzt_program *program, struct gzt_rows *rows, bool clip,
                     const char *statement, struct gzt_text *text)
{
    if (rows->count == 0)
        return;
    qsort(rows->row, (size_t)rows->count, sizeof *rows->row, by_length);
    gzt_add(text, "{\nstatic const short gz_rows[][5] = {");
    for (int i = 0; i < rows->count; i++)
        gzt_add(text, "{%d, %d, %d, %d, %d},", rows->row[i].part, rows->row[i].left,
                rows->row[i].right, rows->row[i].y, rows->row[i].z);
    gzt_add(text,
            "};\nfor (int gz_r = 0; gz_r < %d; gz_r++) {\n"
            "const short *const gz_e = gz_rows[gz_r];\n",
            rows->count);
    if (program->system)
        gzt_add(text, "if (!gz_full[gz_e[0]])\ncontinue;\n");
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        gzt_add(text, "for (long %s = %s; %s < %s; %s++)\n", gzt_axis_names[axis],
                end_of_row(program, "gz_e", false, axis), gzt_axis_names[axis],
                end_of_row(program, "gz_e", true, axis), gzt_axis_names[axis]);
    gzt_add(text, "{\nlong gz_left = %s, gz_right = %s;\nint gz_had = 0;\n",
            end_of_row(program, "gz_e", false, 0), end_of_row(program, "gz_e", true, 0));
    if (clip)
        add_grid_clip(program, text);
    add_had(program, text);
    gzt_add(text, "if (!gz_had)\n%s\n}\n}\n}\n", statement);
}

void gzt_add_touched_rows(const struct gzt_program *program, struct gzt_rows *rows, const char *to,
                          const char *from, struct gzt_text *text)
{
    const char *copy = gzt_format("GZ_STENCIL_ROW(gz_run, %s, gz_left, gz_right,\n(%s),\n(%s));",
                                  gzt_axis_names[0], to, from);
    gzt_add_touched(program, rows, program->system, copy, text);
    gzt_add(text, "gz_stencil_copied(gz_run);\n");
}

const char *gzt_each_touched(const char *statement)
{
    return gzt_format("for (long %s = gz_left; %s < gz_right; %s++)\n%s", gzt_axis_names[0],
                      gzt_axis_names[0], gzt_axis_names[0], statement);
}

void gzt_add_reached_rows(const struct gzt_program *program, const char *to, const char *from,
                          struct gzt_text *text)
{
    struct gzt_rows rows = rows_of_state(program);
    gzt_add_touched_rows(program, &rows, to, from, text);
}

void gzt_add_reached_cells(const struct gzt_program *program, const char *statement,
                           struct gzt_text *text)
{
    struct gzt_rows rows = rows_of_state(program);
    gzt_add_touched(program, &rows, false, gzt_each_touched(statement), text);
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
