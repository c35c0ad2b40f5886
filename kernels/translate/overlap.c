/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "overlap.h"

#include "affine.h"
#include "asked.h"
#include "cells.h"
#include "counting.h"
#include "effects.h"
#include "emit.h"
#include "loads.h"
#include "locals.h"
#include "loops.h"
#include "outlives.h"

#include <string.h>

/* How many pieces of memory an array is in. */
enum pieces {
    ONE,  /* the first cell's element and the last cell's are its ends */
    ROWS, /* each row has a pointer of its own */
    CELLS /* each element may lie anywhere in its row's part */
};

/* What an element's subscripts choose from: a pointer or an array. */
static const struct gzt_node *base_of(const struct gzt_node *node)
{
    for (node = gzt_bare(node); node->kind == GZT_SUBSCRIPT; node = gzt_bare(node->child[0]))
        if (!strchr(gzt_bare(node->child[0])->type_name, '['))
            return gzt_bare(node->child[0]);
    return node;
}

static enum pieces pieces_of(const struct gzt_program *program, const struct gzt_sweep *sweep,
                             const struct gzt_node *node)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *base = base_of(node);
    enum pieces pieces = ONE;

    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        if (sweep->axis_loop[axis] >= 0 &&
            gzt_depends(&space, base, sweep->loop[sweep->axis_loop[axis]].iterator))
            pieces = axis == 0 ? CELLS : ROWS;
    return pieces;
}

static int subscripts(const struct gzt_node *node)
{
    int count = 0;
    for (node = gzt_bare(node); node->kind == GZT_SUBSCRIPT; node = gzt_bare(node->child[0]))
        count++;
    return count;
}

/* Declares the cell as the first of the domain, widened, or makes it the last. */
static void add_end(const struct gzt_program *program, int widen[][2], bool last,
                    struct gzt_text *text)
{
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, last ? "%s = %s;\n" : "long %s = %s;\n", gzt_axis_names[axis],
                last ? gzt_moved("gz_high", axis, widen[axis][1] - 1)
                     : gzt_first_cell(axis, widen));
    for (int axis = 0; axis < program->dimensions && last; axis++)
        gzt_add(text, "(void)%s;\n", gzt_axis_names[axis]);
}

/* Whether the first row, or plane, ends before the next begins. */
static void add_apart(const char *expression, int widen[][2], int axis, struct gzt_text *text)
{
    gzt_add(
        text,
        "if (gz_size[%d] > 1) {\n%s++;\nconst char *const gz_next = (const char *)&%s;\n%s--;\n",
        axis, gzt_axis_names[axis], expression, gzt_axis_names[axis]);
    for (int i = 0; i < axis; i++)
        gzt_add(text, "const long gz_first_%d = %s;\n%s = %s;\n", i, gzt_axis_names[i],
                gzt_axis_names[i], gzt_moved("gz_high", i, widen[i][1] - 1));
    gzt_add(text, "gz_usable = gz_usable && gz_next > (const char *)&%s;\n", expression);
    for (int i = 0; i < axis; i++)
        gzt_add(text, "%s = gz_first_%d;\n", gzt_axis_names[i], i);
    gzt_add(text, "}\n");
}

/* By the two ends; and, of a linear index, whether its rows and planes lie apart. */
static void add_whole(const struct gzt_program *program, const char *expression, int widen[][2],
                      bool written, bool linear, struct gzt_text *text)
{
    gzt_add(text, "{\n");
    add_end(program, widen, false, text);
    gzt_add(text, "const char *gz_one = (const char *)&%s;\n", expression);
    for (int axis = 1; axis < program->dimensions && linear; axis++)
        add_apart(expression, widen, axis, text);
    add_end(program, widen, true, text);
    gzt_add(text, "gz_stencil_span(gz_run, gz_one, (const void *)&%s, sizeof(%s), %d);\n}\n",
            expression, expression, written);
}

/* Whether the row belongs to the domain, in which alone cells are written. */
static const char *in_domain(const struct gzt_program *program)
{
    const char *text = "1";
    for (int axis = 1; axis < program->dimensions; axis++)
        text = gzt_format("%s && %s >= gz_low[%d] && %s < gz_high[%d]", text, gzt_axis_names[axis],
                          axis, gzt_axis_names[axis], axis);
    return text;
}

/* Begins a statement for what C reads at what is `given` (gzt_add_read). */
static void add_if_read(const struct gzt_program *program, int sweep,
                        const struct gzt_guard *guards, int given, struct gzt_text *text)
{
    gzt_add_read(program, sweep, guards, given, "", text);
    gzt_add(text, guards ? "if (gz_read)\n" : "");
}

/* Whether an input's element, or whether C reads it, depends on the cell's place along an axis. */
static bool varies_along(const struct gzt_program *program, const struct gzt_input *input, int axis)
{
    const struct gzt_sweep *sweep = &program->sweep[input->sweep];
    if (sweep->axis_loop[axis] < 0)
        return false;
    const struct gzt_decl *iterator = sweep->loop[sweep->axis_loop[axis]].iterator;
    struct gzt_space space = gzt_space_of(program, sweep);
    bool varies = gzt_depends(&space, input->node, iterator);

    for (const struct gzt_guard *guard = input->guards; guard && !varies; guard = guard->around)
        varies = gzt_depends(&space, guard->condition, iterator);
    return varies;
}

/* Row by row: by a row's ends or, of cells each, by the lowest and the highest element of it that C
 * reads for `input`, if that is not NULL, at what is `given` (gzt_add_read). */
static void add_each_row(const struct gzt_program *program, const char *expression, int widen[][2],
                         bool written, bool cells, const struct gzt_input *input, int given,
                         struct gzt_text *text)
{
    bool varies[GZT_AXES] = {false};
    for (int axis = program->dimensions - 1; axis >= 0; axis--) {
        varies[axis] = !cells || !input || varies_along(program, input, axis);
        if (axis > 0 && varies[axis])
            gzt_add_loop(axis, widen, text);
        else if (axis > 0)
            gzt_add(text, "for (long %s = gz_low[%d]; %s == gz_low[%d]; %s++)\n",
                    gzt_axis_names[axis], axis, gzt_axis_names[axis], axis, gzt_axis_names[axis]);
    }
    gzt_add(text,
            "{\nconst char *gz_one = 0, *gz_two = 0;\nlong gz_x = %s;\nconst long gz_end = %s;\n",
            gzt_first_cell(0, varies[0] ? widen : NULL),
            varies[0] ? gzt_moved("gz_high", 0, widen[0][1] - 1) : "gz_low[0]");
    if (cells) {
        gzt_add(text, "for (; gz_x <= gz_end; gz_x++) {\n");
        if (input)
            add_if_read(program, input->sweep, input->guards, given, text);
        gzt_add(text,
                "{\nconst char *const gz_here = (const char *)&%s;\n"
                "gz_one = !gz_one || gz_here < gz_one ? gz_here : gz_one;\n"
                "gz_two = !gz_two || gz_here > gz_two ? gz_here : gz_two;\n}\n}\nif (gz_one)\n",
                expression);
    } else
        gzt_add(text, "gz_one = (const char *)&%s;\ngz_x = gz_end;\ngz_two = (const char *)&%s;\n",
                expression, expression);
    gzt_add(text, "gz_stencil_span(gz_run, gz_one, gz_two, sizeof(%s), %s);\n}\n", expression,
            !written                ? "0"
            : program->border_count ? "1"
                                    : in_domain(program));
}

/* An input's own element, whether C reads it or not. */
static const char *element(const struct gzt_program *program, const struct gzt_input *input,
                           const char *time)
{
    return gzt_of_cell(program, &program->sweep[input->sweep], input->node, NULL, time);
}

/* Begins a block whose gz_low and gz_high enclose the cells of the sweep and of the copy back. */
static void add_both(struct gzt_text *text)
{
    gzt_add(text, "{\nlong gz_least[3], gz_most[3];\nfor (int gz_a = 0; gz_a < 3; gz_a++) {\n"
                  "gz_least[gz_a] = gz_low_too[gz_a] < gz_low[gz_a] ? gz_low_too[gz_a] : "
                  "gz_low[gz_a];\n"
                  "gz_most[gz_a] = gz_high_too[gz_a] > gz_high[gz_a] ? gz_high_too[gz_a] : "
                  "gz_high[gz_a];\n}\nconst long *const gz_low = gz_least, *const gz_high = "
                  "gz_most;\n");
}

/* The cells between gz_low and gz_high of an array, which results set: its ends, or those of rows.
 */
static void add_written(const struct gzt_program *program, const char *expression, bool whole,
                        struct gzt_text *text)
{
    static int none[GZT_AXES][2];
    for (int axis = program->dimensions - 1; axis > 0 && !whole; axis--)
        gzt_add_loop(axis, NULL, text);
    gzt_add(text, "{\n");
    if (whole)
        add_end(program, none, false, text);
    else
        gzt_add(text, "long gz_x = gz_low[0];\n");
    gzt_add(text, "const void *const gz_one = (const void *)&%s;\n", expression);
    if (whole)
        add_end(program, none, true, text);
    else
        gzt_add(text, "gz_x = gz_high[0] - 1;\n(void)gz_x;\n");
    gzt_add(text, "gz_stencil_writes(gz_run, gz_one, (const void *)&%s, sizeof(%s));\n}\n",
            expression, expression);
}

/* After how many loops a state buffer has been written: where arrays take turns, the one that is
 * read first is the last. */
static int written_behind(const struct gzt_program *program, int buffers, int buffer)
{
    bool turns = gzt_has_two_buffers(program) || gzt_has_third(program);
    bool beside = program->point_count || program->border_count;
    return turns && !beside && program->form != GZT_COPIES && program->form != GZT_COPY_FIRST
               ? buffers - 1 - buffer
               : 0;
}

static void add_states(const struct gzt_program *program, struct gzt_text *text)
{
    static int none[GZT_AXES][2];
    int rim[GZT_AXES][2];
    int buffers = gzt_has_third(program)                                           ? 3
                  : gzt_has_two_buffers(program) || program->form == GZT_COPY_BACK ? 2
                                                                                   : 1;
    const struct gzt_sweep *sweep = &program->sweep[0];
    const struct gzt_node *write = sweep->write.node;
    int space = program->dimensions + (program->form == GZT_PARITY);
    enum pieces pieces = pieces_of(program, sweep, write);

    if (program->sweeps == 2 && pieces_of(program, sweep + 1, sweep[1].write.node) > pieces)
        pieces = pieces_of(program, sweep + 1, sweep[1].write.node);
    for (int i = 0; i < 2; i++) {
        const struct gzt_sweep *copy = &program->copy[i].nest;
        if (copy->loops > 0 && pieces_of(program, copy, copy->write.node) > pieces)
            pieces = pieces_of(program, copy, copy->write.node);
    }
    memcpy(rim, program->rim, sizeof rim);
    for (int axis = 0; axis < program->dimensions; axis++)
        for (int side = 0; side < 2; side++)
            if (rim[axis][side] < program->wide)
                rim[axis][side] = program->wide;
    for (int buffer = 0; buffer < buffers; buffer++) {
        /* What is copied back has no cells but those that are written and copied. */
        bool bare = buffer == 1 && program->form == GZT_COPY_BACK && program->border_count == 0 &&
                    program->point_count == 0 && program->copy[0].nest.loops > 0;
        if (bare)
            add_both(text);
        if (pieces == ONE)
            add_whole(program, gzt_state_element(program, buffer), bare ? none : rim, true,
                      subscripts(write) < space, text);
        else
            add_each_row(program, gzt_state_element(program, buffer), bare ? none : rim, true,
                         pieces == CELLS, NULL, 0, text);
        gzt_add(text, "%sif (gz_loops > %d) {\n", bare ? "}\n" : "",
                written_behind(program, buffers, buffer));
        add_written(program, gzt_state_element(program, buffer), pieces == ONE, text);
        gzt_add(text, "}\n");
    }
}

/* A number in memory, where C reads it at gz_time. */
static void add_number(const struct gzt_program *program, const struct gzt_input *input,
                       struct gzt_text *text)
{
    const char *from = element(program, input, "gz_time");
    add_if_read(program, input->sweep, input->guards, GZT_TIME, text);
    gzt_add(text, "gz_stencil_span(gz_run, (const void *)&%s, (const void *)&%s, sizeof(%s), 0);\n",
            from, from, from);
}

/* What the evaluation of an input loads beside its own element: for each cell of the rows, or, of
 * numbers, at gz_time. */
static void add_nested(const struct gzt_program *program, const struct gzt_input *input,
                       bool number, int given, struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}}, count = 0;
    struct gzt_input **loads = NULL;
    gzt_find_loads(program, *input, &loads, &count);
    for (int i = 0; i < count; i++) {
        if (loads[i]->node == input->node)
            continue;
        gzt_add(text, "{\n");
        if (number)
            add_number(program, loads[i], text);
        else
            add_each_row(program, element(program, loads[i], given & GZT_TIME ? "gz_time" : NULL),
                         none, false, true, loads[i], given, text);
        gzt_add(text, "}\n");
    }
}

/* Constant array `k` between gz_low and gz_high, widened. */
static void add_constant(const struct gzt_program *program, int k, bool fixed, const char *from,
                         int widen[][2], struct gzt_text *text)
{
    const struct gzt_input *input = program->constants[k];
    enum pieces pieces = pieces_of(program, &program->sweep[input->sweep], input->node);
    if (fixed && pieces == ONE) {
        add_whole(program, from, widen, false, false, text);
        return;
    }
    if (!fixed)
        add_nested(program, input, false, GZT_CELL, text);
    add_each_row(program, fixed ? from : element(program, input, NULL), widen, false,
                 !fixed || pieces == CELLS, input, GZT_CELL, text);
}

static void add_constants(const struct gzt_program *program, struct gzt_text *text)
{
    for (int k = 0; k < program->constant_count; k++) {
        int widen[GZT_AXES][2];
        bool fixed;
        const char *from = gzt_constant_element(program, k, widen, &fixed);
        add_constant(program, k, fixed, from, widen, text);
    }
}

/* What each loop has anew, be it a number or an array. */
void gzt_add_step_spans(const struct gzt_program *program, struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}};
    for (int k = 0; k < program->per_step_count; k++) {
        const struct gzt_input *input = program->per_step[k];
        if (input->node->kind == GZT_CALL || gzt_goes_by(program, input->node))
            continue;
        gzt_begin_part(program, input->sweep, text);
        const char *from = element(program, input, "gz_time");
        gzt_add_each(program, text);
        bool number = gzt_is_value(program, input);
        add_nested(program, input, number, GZT_CELL | GZT_TIME, text);
        if (number)
            add_number(program, input, text);
        else
            add_each_row(program, from, none, false, true, input, GZT_CELL | GZT_TIME, text);
        gzt_end_each(program, text);
        gzt_add(text, "}\n");
    }
}

/* What points and the calls that the program makes read, in each loop or once. */
void gzt_add_source_spans(const struct gzt_program *program, struct gzt_text *text)
{
    for (int k = 0; k < program->source_count; k++) {
        const struct gzt_input *input = program->sources[k];
        struct gzt_space space = gzt_space_of(program, &program->sweep[input->sweep]);
        bool once = !input->guards && !gzt_depends(&space, input->node, space.time);
        gzt_begin_part(program, input->sweep, text);
        gzt_add(text,
                "for (long gz_i = 0; gz_i < %s; gz_i++) {\n"
                "const long gz_time = gz_first + gz_i * %d;\n(void)gz_time;\n",
                once ? "1" : "gz_count", program->time.step);
        add_number(program, input, text);
        gzt_add(text, "}\n}\n");
    }
}

/* ----------------------------------------------------------------------------------- scalars */

/* Looks for the scalars in a program, whose spans are added each once. */
struct search {
    const struct gzt_program *program;
    const struct gzt_decl **changed; /* variables that the loop sets */
    const char **names;              /* as they stand there */
    int changes, name_count;
    const char **found;
    int count;
};

/* Collects the variables that are set or declared within. */
static int find_change(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    const struct gzt_node *target = gzt_is_assignment(node)      ? gzt_bare(node->child[0])
                                    : node->kind == GZT_VARIABLE ? node
                                                                 : NULL;
    if (target && target->decl) {
        gzt_push(&search->changed, &search->changes, target->decl);
        gzt_push(&search->names, &search->name_count,
                 target == node ? node->decl->name
                                : gzt_node_text(search->program->source, target));
    }
    return 0;
}

static bool is_changed(const struct search *search, const struct gzt_node *node)
{
    for (int i = 0; i < search->changes; i++)
        if (gzt_mentions(node, search->changed[i]))
            return true;
    return false;
}

static const struct gzt_read *find_read(const struct search *search, const struct gzt_node *node)
{
    for (int i = 0; i < search->program->read_count; i++)
        if (search->program->reads[i]->node == node)
            return search->program->reads[i];
    return NULL;
}

/* Whether a node is the element of an array that belongs to a cell, though it may not say so where
 * only one cell reads it. */
static bool is_of_cell(const struct search *search, const struct gzt_node *node)
{
    const struct gzt_read *read = find_read(search, node);
    return read && read->role != GZT_SCALAR;
}

/* What is read under conditions, or by calls, whose sources have been found. */
static bool is_guarded_scalar(const struct search *search, const struct gzt_node *node)
{
    const struct gzt_read *read = find_read(search, node);
    if (read && node->kind == GZT_CALL)
        return true;
    return read && read->role == GZT_SCALAR && search->program->scalars[read->number]->guards;
}

/* Whether a node is a number in memory, the same for all cells and loops. */
static bool is_scalar(const struct search *search, const struct gzt_node *node)
{
    if (node->type == GZT_POINTER || node->type == GZT_OTHER || node->is_bit_field ||
        node->is_size || is_of_cell(search, node) || is_changed(search, node))
        return false;
    if (node->kind == GZT_REF)
        return node->decl->variable && gzt_may_be_shared(search->program, node->decl);
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_MEMBER ||
           (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0);
}

static void find_scalar(struct search *search, const struct gzt_node *node,
                        const struct gzt_guard *guards)
{
    const struct gzt_program *program = search->program;
    const char *name = gzt_node_text(program->source, node);
    struct gzt_text text = {0};
    bool may_fail = (guards || program->system) && gzt_may_fail(program->source, node);
    if (may_fail)
        gzt_begin_asked(program, node, guards, &text);
    gzt_add(&text,
            "gz_stencil_span(gz_run, (const void *)&(%s), (const void *)&(%s), sizeof(%s), 0);\n",
            name, name, name);
    if (may_fail)
        gzt_end_asked(&text);
    for (int i = 0; i < search->count; i++)
        if (strcmp(search->found[i], gzt_string(&text)) == 0)
            return;
    gzt_push(&search->found, &search->count, gzt_string(&text));
}

/* A point, whose sources have been found, what hands cells on, or an element of a border, which is
 * not the same for all cells. */
static bool is_border(const struct search *search, const struct gzt_node *node)
{
    bool found = false;
    for (int i = 0; i < search->program->point_count; i++)
        found = found || node == search->program->points[i]->assignment;
    for (int i = 0; i < search->program->receiver_count; i++)
        found = found || node == search->program->receivers[i]->node;
    for (int i = 0; i < search->program->border_count && !found; i++) {
        const struct gzt_border *border = search->program->borders[i];
        found = node == gzt_bare(border->assignment->child[0]) ||
                (border->copies && node == gzt_bare(border->assignment->child[1]));
    }
    return found;
}

/* What sizeof is asked of is not read; what is assigned to, or asked for its address, is not read
 * there; and of what is read under conditions nothing is read without them. */
static void find_scalars(struct search *search, const struct gzt_node *node, bool target,
                         const struct gzt_guard *guards)
{
    if ((node->kind == GZT_UNKNOWN && strcmp(node->op, "UnaryExpr") == 0) ||
        is_guarded_scalar(search, node) || is_border(search, node))
        return;
    if (!target && is_scalar(search, node))
        find_scalar(search, node, guards);
    bool passes = node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT;
    bool leads = node->kind == GZT_UNARY && strcmp(node->op, "&") == 0;
    for (int i = 0; i < node->count; i++)
        find_scalars(search, node->child[i],
                     (target && passes) || leads || (i == 0 && gzt_is_assignment(node)),
                     gzt_guard_below(node, i, guards));
}

/* What the loop sets, and another pointer may lead to. */
static void add_changed(const struct search *search, struct gzt_text *text)
{
    const struct gzt_node *time = search->program->time.node;
    for (int i = 0; i < search->changes; i++) {
        const struct gzt_decl *decl = search->changed[i];
        bool again = gzt_holds(time, decl) &&
                     !(gzt_keeps_time(search->program) && decl == search->program->time.iterator);
        for (int k = 0; k < i && !again; k++)
            again = search->changed[k] == decl;
        if (!again && gzt_may_be_shared(search->program, decl))
            gzt_add(text,
                    "gz_stencil_span(gz_run, (const void *)&(%s), (const void *)&(%s), "
                    "sizeof(%s), 1);\n",
                    search->names[i], search->names[i], search->names[i]);
    }
}

/* What the evaluation of a scalar loads; of a call, whose sources have been found, nothing. */
static void add_loads_of_scalar(const struct gzt_program *program, const struct gzt_scalar *scalar,
                                struct gzt_text *text)
{
    const struct gzt_input whole = {
        .node = scalar->node, .sweep = scalar->sweep, .guards = scalar->guards};
    struct gzt_input **loads = NULL;
    int count = 0;
    if (scalar->node->kind != GZT_CALL)
        gzt_find_loads(program, whole, &loads, &count);
    for (int i = 0; i < count; i++) {
        const char *from =
            gzt_of_cell(program, &program->sweep[scalar->sweep], loads[i]->node, NULL, NULL);
        gzt_begin_scalar(program, scalar, text);
        add_if_read(program, scalar->sweep, loads[i]->guards, 0, text);
        gzt_add(
            text,
            "gz_stencil_span(gz_run, (const void *)&%s, (const void *)&%s, sizeof(%s), 0);\n}\n",
            from, from, from);
    }
}

void gzt_add_scalar_spans(const struct gzt_program *program, struct gzt_text *text)
{
    struct search search = {.program = program};
    const struct gzt_node *time = program->counts ? program->counts->loop : program->time.node;
    gzt_walk(time, find_change, &search);
    add_changed(&search, text);
    find_scalars(&search, time, false, NULL);
    for (int i = 0; i < program->look_count; i++)
        find_scalars(&search, program->looks[i]->node->child[0], false, NULL);
    for (int i = 0; i < search.count; i++)
        gzt_add(text, "%s", search.found[i]);
    for (int i = 0; i < program->scalar_count; i++)
        add_loads_of_scalar(program, program->scalars[i], text);
}

void gzt_add_array_spans(const struct gzt_program *program, const struct gzt_sweep *sweep,
                         const struct gzt_node *node, const char *expression, struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}};
    enum pieces pieces = pieces_of(program, sweep, node);
    if (pieces == ONE)
        add_whole(program, expression, none, true, subscripts(node) < program->dimensions, text);
    else
        add_each_row(program, expression, none, true, pieces == CELLS, NULL, 0, text);
}

void gzt_add_written_spans(const struct gzt_program *program, const struct gzt_sweep *sweep,
                           const struct gzt_node *node, const char *expression,
                           struct gzt_text *text)
{
    add_written(program, expression, pieces_of(program, sweep, node) == ONE, text);
}

void gzt_add_constant_spans(const struct gzt_program *program, int k, bool fixed, const char *from,
                            struct gzt_text *text)
{
    int none[GZT_AXES][2] = {{0}};
    add_constant(program, k, fixed, from, none, text);
}

void gzt_add_spans(const struct gzt_program *program, struct gzt_text *text)
{
    add_states(program, text);
    add_constants(program, text);
    gzt_add_step_spans(program, text);
    gzt_add_source_spans(program, text);
    gzt_add_scalar_spans(program, text);
}
