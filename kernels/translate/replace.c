/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replace.h"

#include "emit.h"

#include <string.h>

static const char *const axis_names[GZT_AXES] = {"gz_x", "gz_y", "gz_z"};

/* The value of an expression with the loop variables set to the cell's, moved by `shift`. */
static const char *element(const struct gzt_program *program, const struct gzt_sweep *sweep,
                           const struct gzt_node *node, const int shift[GZT_AXES], const char *time)
{
    const char *values[GZT_AXES];
    for (int axis = 0; axis < GZT_AXES; axis++)
        values[axis] = shift && shift[axis]
                           ? gzt_format("(%s - (%d))", axis_names[axis], shift[axis])
                           : axis_names[axis];
    return gzt_evaluated(program, sweep, node, values, time);
}

/* The source array's element that stands where `written` is in the target: its subscripts behind
 * another name. */
static const char *in_array(const struct gzt_program *program, const struct gzt_sweep *sweep,
                            const struct gzt_array *array)
{
    return gzt_elsewhere(program, sweep, sweep->write.node, axis_names, sweep->write.array->base,
                         array->base);
}

/* The element of state buffer 0 or 1 that belongs to the cell (gz_x, gz_y, gz_z). */
static const char *state_element(const struct gzt_program *program, int buffer)
{
    const struct gzt_sweep *sweep = program->sweep;
    switch (program->form) {
    case GZT_PARITY:
        if (program->toggle)
            return gzt_toggled(program, sweep, sweep->write.node, axis_names, NULL,
                               buffer ? "gz_toggle" : "(1 - gz_toggle)");
        return element(program, sweep, sweep->write.node, NULL,
                       buffer ? "gz_first" : gzt_format("(gz_first + %d)", program->time.step));
    case GZT_TWO_SWEEPS:
        return element(program, &sweep[1 - buffer], sweep[1 - buffer].write.node, NULL, NULL);
    case GZT_SWAP:
        return in_array(program, sweep, program->state[buffer]);
    case GZT_COPY_BACK:
    case GZT_COPY_FIRST:
        if (program->state[buffer] == sweep->write.array)
            return element(program, sweep, sweep->write.node, NULL, NULL);
        return program->copy_call
                   ? in_array(program, sweep, program->state[buffer])
                   : element(program, &program->copy, program->copy.write.node, NULL, NULL);
    case GZT_IN_PLACE:
        break;
    }
    return element(program, sweep, sweep->write.node, NULL, NULL);
}

/* One of the loops over the domain, each axis widened. */
static void add_loop(int axis, int widen[GZT_AXES][2], struct gzt_text *text)
{
    gzt_add(text, "for (long %s = gz_low[%d] - (%d); %s < gz_high[%d] + (%d); %s++)\n",
            axis_names[axis], axis, widen ? widen[axis][0] : 0, axis_names[axis], axis,
            widen ? widen[axis][1] : 0, axis_names[axis]);
}

/* Loops over the domain, each axis widened, around a statement. */
static void add_loops(const struct gzt_program *program, int widen[GZT_AXES][2],
                      const char *statement, struct gzt_text *text)
{
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        add_loop(axis, widen, text);
    gzt_add(text, "%s\n", statement);
}

/* Copies the domain, each axis widened, from one expression of a cell to another, both of which are
 * evaluated for the ends of rows; cell by cell where the library finds that a row has gaps. */
static void add_rows(const struct gzt_program *program, int widen[GZT_AXES][2], const char *to,
                     const char *from, struct gzt_text *text)
{
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        add_loop(axis, widen, text);
    gzt_add(text,
            "{\nlong %s = gz_low[0] - (%d);\nconst long gz_end = gz_high[0] + (%d) - 1;\n"
            "void *const gz_row = (void *)&%s;\nconst void *const gz_source = &%s;\n%s = gz_end;\n"
            "if (!gz_stencil_row(gz_run, gz_row, &%s, gz_source, &%s))\n"
            "for (%s = gz_low[0] - (%d); %s <= gz_end; %s++)\n%s = %s;\n}\n"
            "gz_stencil_copied(gz_run);\n",
            axis_names[0], widen ? widen[0][0] : 0, widen ? widen[0][1] : 0, to, from,
            axis_names[0], to, from, axis_names[0], widen ? widen[0][0] : 0, axis_names[0],
            axis_names[0], to, from);
}

/* The place of a cell in an array of the grid, rim included. */
static const char *place(const struct gzt_program *program)
{
    const char *text = "";
    for (int axis = program->dimensions - 1; axis >= 0; axis--) {
        const char *here = gzt_format("(%s - gz_low[%d] + %d)", axis_names[axis], axis,
                                      gzt_grid_rim(program, axis));
        text = *text ? gzt_format("(%s * gz_size[%d] + %s)", text, axis, here) : here;
    }
    return text;
}

static const char *type(const struct gzt_program *program)
{
    return gzt_type_text(program->type);
}

/* --------------------------------------------------------------------------------- the facts */

static void add_body(const struct gzt_program *program, const struct gzt_layout *layout,
                     struct gzt_text *text)
{
    enum { PIECE = 400 };
    const char *body = gzt_body(program, layout);
    size_t length = strlen(body);

    gzt_add(text, "static const char *const gz_body[] = {\n");
    for (size_t at = 0; at < length;) {
        const char *newline = strchr(body + at, '\n');
        size_t next = newline ? (size_t)(newline - body) + 1 : length;
        if (next - at > PIECE)
            next = at + PIECE;
        gzt_add_literal(text, gzt_copy(body + at, next - at));
        gzt_add(text, ",\n");
        at = next;
    }
    gzt_add(text, "    0};\n");
}

static bool is_live(const struct gzt_program *program, const struct gzt_array *array)
{
    const struct gzt_annotation *stated = &program->region->annotation;
    for (int i = 0; i < stated->live_outs; i++)
        if (strcmp(stated->live_out[i], array->base) == 0)
            return true;
    return stated->live_outs == 0;
}

/* Whether the state before the last is a result. */
static bool needs_both(const struct gzt_program *program)
{
    return gzt_has_two_buffers(program) &&
           (program->form == GZT_PARITY || is_live(program, program->state[1]));
}

static void add_facts(const struct gzt_program *program, const struct gzt_layout *layout,
                      struct gzt_text *text)
{
    static const char *const types[] = {[GZT_INT] = "GZ_STENCIL_INT",
                                        [GZT_FLOAT] = "GZ_STENCIL_FLOAT",
                                        [GZT_DOUBLE] = "GZ_STENCIL_DOUBLE"};
    static const char *const edges[] = {[GZT_EDGE_KEEP] = "GZ_STENCIL_KEEP",
                                        [GZT_EDGE_CLAMP] = "GZ_STENCIL_CLAMP",
                                        [GZT_EDGE_PERIODIC] = "GZ_STENCIL_PERIODIC",
                                        [GZT_EDGE_ZERO] = "GZ_STENCIL_ZERO"};
    struct gzt_place at = gzt_place_of(program->source, program->time.node->begin);
    bool guarded = false;
    int radius[GZT_AXES] = {0};

    for (int i = 0; i < program->sweeps; i++)
        guarded = guarded || program->sweep[i].guarded;
    for (int axis = 0; axis < program->dimensions; axis++)
        radius[axis] = gzt_radius(program, axis);
    if (radius[0] + radius[1] + radius[2] == 0)
        radius[0] = 1;
    gzt_add(text,
            "static const struct gz_stencil gz_this = {\n    %s, %d, gz_body, %s, {%s, %s, %s}, "
            "%d, {%d, %d, %d},\n",
            gzt_quoted(at.file), at.line, types[program->type], edges[program->edge[0]],
            edges[program->edge[1]], edges[program->edge[2]], program->dimensions, radius[0],
            radius[1], radius[2]);
    gzt_add(text, "    %d, %d, %d, %d, %d, %d, %d, %d, %d};\n", layout->words,
            program->constant_count, program->per_step_count, program->operations,
            gzt_has_two_buffers(program) ? 2 : 1, guarded && program->form != GZT_COPY_FIRST,
            needs_both(program), program->region->annotation.height,
            !program->source->contract ? 0
            : program->inexact         ? 2
                                       : 1);
}

/* --------------------------------------------------------------------------- sizes and loops */

/* A loop's own condition for a value of its variable. */
static const char *condition(const struct gzt_program *program, const struct gzt_sweep *sweep,
                             const struct gzt_loop *loop, const char *value)
{
    const char *values[GZT_AXES], *time = NULL;
    const char *typed = gzt_format("((%s)(%s))", loop->iterator->type_name, value);
    for (int axis = 0; axis < GZT_AXES; axis++)
        values[axis] = sweep && &sweep->loop[sweep->axis_loop[axis]] == loop ? typed : "0";
    if (loop == &program->time)
        time = typed;
    return gzt_evaluated(program, sweep ? sweep : program->sweep, loop->node->child[1], values,
                         time);
}

/* A loop must run from `first` to `last` as its condition says, whose types may differ from those
 * of its bounds, and its variable must hold what it ends with. */
static void add_test(const struct gzt_program *program, const struct gzt_sweep *sweep,
                     const struct gzt_loop *loop, const char *first, const char *end,
                     struct gzt_text *text)
{
    gzt_add(text,
            "if ((long)(%s)(%s) != %s || (%s) || (%s != %s && (!(%s) || !(%s))))\n"
            "gz_usable = GZ_STENCIL_OTHER_LOOPS;\n",
            loop->iterator->type_name, end, end, condition(program, sweep, loop, end), first, end,
            condition(program, sweep, loop, first),
            condition(program, sweep, loop, gzt_format("%s - %d", end, loop->step)));
}

static void add_tests(const struct gzt_program *program, const struct gzt_sweep *sweep,
                      const char *suffix, struct gzt_text *text)
{
    for (int axis = 0; axis < program->dimensions; axis++) {
        const char *low = gzt_format("gz_low%s[%d]", suffix, axis);
        const char *high = gzt_format("gz_high%s[%d]", suffix, axis);
        gzt_add(text, "if (%s < -%d || %s > %d)\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\n", low,
                GZT_MOST_INDEX, high, GZT_MOST_INDEX);
        add_test(program, sweep, &sweep->loop[sweep->axis_loop[axis]], low,
                 gzt_format("(%s > %s ? %s : %s)", high, low, high, low), text);
    }
}

static void add_bounds(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const char *suffix, struct gzt_text *text)
{
    for (int high = 0; high < 2; high++) {
        gzt_add(text, "const long gz_%s%s[3] = {", high ? "high" : "low", suffix);
        for (int axis = 0; axis < program->dimensions; axis++) {
            const struct gzt_loop *loop = &sweep->loop[sweep->axis_loop[axis]];
            gzt_add(text, "%s(long)%s(%s)%s", axis ? ", " : "",
                    high ? "" : gzt_format("(%s)", loop->iterator->type_name),
                    element(program, sweep, high ? loop->high : loop->low, NULL, NULL),
                    high && loop->inclusive ? " + 1" : "");
        }
        gzt_add(text, "};\n");
    }
}

/* The second sweep, or the copy, must run over the same cells. */
static void add_second_domain(const struct gzt_program *program, const struct gzt_sweep *second,
                              struct gzt_text *text)
{
    gzt_add(text, "{\n");
    add_bounds(program, second, "_too", text);
    add_tests(program, second, "_too", text);
    gzt_add(text, "if (");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_low[%d] != gz_low_too[%d] || gz_high[%d] != gz_high_too[%d]",
                axis ? "\n    || " : "", axis, axis, axis, axis);
    gzt_add(text, ")\ngz_usable = GZ_STENCIL_OTHER_DOMAIN;\n}\n");
}

/* Whether the cell (gz_x, gz_y, gz_z) lies in the box of two bounds. */
static const char *in_box(const struct gzt_program *program, const char *suffix)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, "%s%s >= gz_low%s[%d] && %s < gz_high%s[%d]", axis ? " && " : "",
                axis_names[axis], suffix, axis, axis_names[axis], suffix, axis);
    return gzt_string(&text);
}

/* The target and the source of the copy. */
static int copied_to(const struct gzt_program *program)
{
    return program->form == GZT_COPY_FIRST;
}

/* Whether the copy covers a cell. */
static const char *is_copied(const struct gzt_program *program)
{
    if (!program->copy_call)
        return in_box(program, "_too");
    return gzt_format("((const char *)&%s - gz_to_begin >= 0 &&\n(const char *)&%s - gz_to_begin < "
                      "gz_copied)",
                      state_element(program, copied_to(program)),
                      state_element(program, copied_to(program)));
}

/* What a copy covers: gz_usable is 0 if that is not the whole domain, or if a copy back brings
 * another border with it than the one there was. */
static void add_copy(const struct gzt_program *program, struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    const char *to = state_element(program, copied_to(program));
    const char *from = state_element(program, 1 - copied_to(program));
    const struct gzt_node *call = program->copy_call;

    if (call)
        gzt_add(text,
                "const char *const gz_to_begin = (const char *)(%s);\n"
                "const char *const gz_from_begin = (const char *)(%s);\n"
                "const long gz_copied = (long)(%s);\n",
                gzt_node_text(program->source, call->child[0]),
                gzt_node_text(program->source, call->child[1]),
                gzt_node_text(program->source, call->child[2]));
    else
        add_bounds(program, &program->copy, "_too", text);
    if (!call)
        add_tests(program, &program->copy, "_too", text);
    memcpy(rim, program->rim, sizeof rim);
    gzt_add(text, "if (gz_loops > 0) {\n");
    add_loops(program, rim, "{", text);
    gzt_add(text, "const int gz_within = %s;\nconst int gz_there = %s;\n", in_box(program, ""),
            is_copied(program));
    gzt_add(text, "if (gz_within && !gz_there)\ngz_usable = 0;\n");
    if (call)
        gzt_add(text,
                "if (gz_there && (const char *)&%s - gz_to_begin != (const char *)&%s - "
                "gz_from_begin)\ngz_usable = 0;\n",
                to, from);
    if (program->form == GZT_COPY_BACK)
        gzt_add(text,
                "if (gz_there && !gz_within) {\n"
                "const char *gz_one = (const char *)&%s, *gz_two = (const char *)&%s;\n"
                "for (unsigned gz_i = 0; gz_i < sizeof(%s); gz_i++)\n"
                "if (gz_one[gz_i] != gz_two[gz_i])\ngz_usable = GZ_STENCIL_OTHER_BORDER;\n}\n",
                to, from, type(program));
    gzt_add(text, "}\n}\n");
}

/* The copy as the program makes it. */
static void add_copying(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->copy_call) {
        gzt_add(text, "%s;\n", gzt_node_text(program->source, program->copy_call));
        return;
    }
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        gzt_add(text, "for (long %s = gz_low_too[%d]; %s < gz_high_too[%d]; %s++)\n",
                axis_names[axis], axis, axis_names[axis], axis, axis_names[axis]);
    gzt_add(text, "%s = %s;\n", state_element(program, copied_to(program)),
            state_element(program, 1 - copied_to(program)));
}

static void add_sizes(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_loop *time = &program->time;

    add_bounds(program, &program->sweep[0], "", text);
    gzt_add(text, "const long gz_extent[3] = {");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_high[%d] - gz_low[%d]", axis ? ", " : "", axis, axis);
    gzt_add(text, "};\nconst long gz_size[3] = {");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_extent[%d] + %d", axis ? ", " : "", axis,
                2 * gzt_grid_rim(program, axis));
    gzt_add(text, "};\nconst long gz_first = (long)(%s)(%s), gz_last = (long)(%s)%s;\n",
            time->iterator->type_name, gzt_node_text(program->source, time->low),
            gzt_node_text(program->source, time->high), time->inclusive ? " + 1" : "");
    gzt_add(text,
            "const long gz_count = gz_last > gz_first ? (gz_last - gz_first + %d) / %d : 0;\n"
            "const long gz_loops = gz_count * %d;\nint gz_usable = 1;\n(void)gz_size;\n",
            time->step - 1, time->step, program->sweeps);
    add_test(program, NULL, time, "gz_first", gzt_format("(gz_first + gz_count * %d)", time->step),
             text);
    add_tests(program, &program->sweep[0], "", text);
    if (program->fits->length)
        gzt_add(text, "if (0%s)\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\n", gzt_string(program->fits));
    if (program->toggle)
        gzt_add(text,
                "const int gz_toggle = (int)(%s);\nif (gz_toggle != 0 && gz_toggle != 1)\n"
                "gz_usable = GZ_STENCIL_OTHER_DOMAIN;\n",
                program->toggle->name);
    if (program->openmp >= 0)
        gzt_add(text, "#ifdef _OPENMP\nif (omp_in_parallel())\n"
                      "gz_usable = GZ_STENCIL_IN_PARALLEL;\n#endif\n");
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->least[axis])
            gzt_add(text, "if (gz_extent[%d] < %d)\ngz_usable = GZ_STENCIL_SMALL_DOMAIN;\n", axis,
                    program->least[axis]);
    if (program->form == GZT_COPY_BACK || program->form == GZT_COPY_FIRST)
        add_copy(program, text);
    else if (program->sweeps == 2)
        add_second_domain(program, &program->sweep[1], text);
}

/* Whether an element lies in one piece of memory with the others: no row has a pointer of its
 * own. */
static bool is_flat(const struct gzt_node *node)
{
    for (node = gzt_bare(node)->child[0]; gzt_bare(node)->kind == GZT_SUBSCRIPT;
         node = gzt_bare(node)->child[0])
        if (!strchr(gzt_bare(node)->type_name, '['))
            return false;
    return true;
}

static int subscripts(const struct gzt_node *node)
{
    int count = 0;
    for (node = gzt_bare(node); node->kind == GZT_SUBSCRIPT; node = gzt_bare(node->child[0]))
        count++;
    return count;
}

/* The addresses of an element in the grid's first and last cell, tested for overlaps; and, of a
 * linear index, whether rows are at least as far apart as they are long. */
static void add_span(const struct gzt_program *program, const char *expression, int widen[][2],
                     bool written, bool linear, struct gzt_text *text)
{
    gzt_add(text, "{\n");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "long %s = gz_low[%d] - (%d);\n", axis_names[axis], axis, widen[axis][0]);
    gzt_add(text, "const %s *gz_one = &%s;\n", type(program), expression);
    for (int axis = 1; axis < program->dimensions && linear; axis++) {
        gzt_add(text, "if (gz_size[%d] > 1) {\n%s++;\n", axis, axis_names[axis]);
        gzt_add(text, "gz_usable = gz_usable && &%s - gz_one >= (gz_extent[0] + %d)%s;\n%s--;\n}\n",
                expression, program->rim[0][0] + program->rim[0][1],
                axis == 2
                    ? gzt_format(" * (gz_extent[1] + %d)", program->rim[1][0] + program->rim[1][1])
                    : "",
                axis_names[axis]);
    }
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%s = gz_high[%d] + (%d) - 1;\n", axis_names[axis], axis, widen[axis][1]);
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "(void)%s;\n", axis_names[axis]);
    gzt_add(text, "gz_stencil_span(gz_run, gz_one, &%s, %d);\n}\n", expression, written);
}

/* ------------------------------------------------------------------------------------ arrays */

/* Fills a buffer from an expression of a cell: by rows if that names an element, cell by cell if it
 * may choose between two, as after a copy first. */
static void add_fill(const struct gzt_program *program, int buffer, const char *from,
                     struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    const char *to = gzt_format("gz_to[%s]", place(program));

    memcpy(rim, program->rim, sizeof rim);
    gzt_add(text, "{\n%s *gz_to = (%s *)gz_stencil_buffer(gz_run, %d);\n", type(program),
            type(program), buffer);
    if (program->form == GZT_COPY_FIRST)
        add_loops(program, rim, gzt_format("%s = %s;", to, from), text);
    else
        add_rows(program, rim, to, from, text);
    gzt_add(text, "}\n");
}

static void add_constant(const struct gzt_program *program, int k, struct gzt_text *text)
{
    const struct gzt_input *input = program->constants[k];
    const struct gzt_sweep *sweep = &program->sweep[input->sweep];
    bool shared = input->key[0] != '=';
    int widen[GZT_AXES][2] = {{0}};

    for (int axis = 0; axis < program->dimensions && shared; axis++)
        if (program->edge[axis] == GZT_EDGE_KEEP) {
            widen[axis][0] = -input->reach[axis][0];
            widen[axis][1] = input->reach[axis][1];
        }
    const char *from = element(program, sweep, input->value, shared ? input->shift : NULL, NULL);
    gzt_add(text, "{\n%s *gz_to = (%s *)gz_stencil_constant(gz_run, %d);\n", type(program),
            type(program), k);
    add_loops(program, widen,
              gzt_format("gz_to[%s] = (%s)%s;", place(program), type(program), from), text);
    gzt_add(text, "}\n");
}

static void add_per_step(const struct gzt_program *program, int k, struct gzt_text *text)
{
    const struct gzt_input *input = program->per_step[k];
    const struct gzt_sweep *sweep = &program->sweep[input->sweep];
    const char *from = element(program, sweep, input->value, NULL, "gz_time");

    gzt_add(text,
            "for (long gz_i = 0; gz_i < gz_count; gz_i++) {\n"
            "const long gz_time = gz_first + gz_i * %d;\n"
            "%s *gz_to = (%s *)gz_stencil_step(gz_run, %d, gz_i * %d + %d);\n",
            program->time.step, type(program), type(program), k, program->sweeps, input->sweep);
    add_loops(program, NULL, gzt_format("gz_to[%s] = (%s)%s;", place(program), type(program), from),
              text);
    gzt_add(text, "}\n");
}

static void add_slot(const struct gzt_program *program, const struct gzt_slot *slot,
                     struct gzt_text *text)
{
    static const char *const setters[] = {
        [GZT_INT] = "int",     [GZT_UINT] = "int",    [GZT_LONG] = "long",    [GZT_SMALL] = "int",
        [GZT_ULONG] = "ulong", [GZT_FLOAT] = "float", [GZT_DOUBLE] = "double"};
    int n = slot->number;
    const char *value = "";

    switch (slot->content) {
    case GZT_IS_SCALAR:
        value = program->scalars[n]->text;
        break;
    case GZT_IS_ORIGIN:
        value = gzt_format("gz_low[%d] - %d", n, gzt_grid_rim(program, n));
        break;
    case GZT_IS_TIME:
        value = "gz_first";
        break;
    }
    gzt_add(text, "gz_stencil_%s(gz_run, %d, %s);\n", setters[slot->type], slot->first, value);
}

static void add_inputs(const struct gzt_program *program, const struct gzt_layout *layout,
                       struct gzt_text *text)
{
    for (int i = 0; i < layout->slots; i++)
        add_slot(program, &layout->slot[i], text);
    for (int k = 0; k < program->constant_count; k++)
        add_constant(program, k, text);
    for (int k = 0; k < program->per_step_count; k++)
        add_per_step(program, k, text);
}

/* ----------------------------------------------------------------------------------- results */

static void add_take(const struct gzt_program *program, int buffer, struct gzt_text *text)
{
    add_rows(program, NULL, state_element(program, buffer),
             gzt_format("gz_from[%s]", place(program)), text);
}

/* The declaration of an exchange's third pointer, if it lacks one. */
static const char *third_pointer(const struct gzt_program *program)
{
    const struct gzt_exchange *exchange = &program->exchange;
    return exchange->third ? gzt_format("__typeof__(%s) %s;\n", exchange->like, exchange->third)
                           : "";
}

static void add_results(const struct gzt_program *program, struct gzt_text *text)
{
    if (!gzt_has_two_buffers(program)) {
        gzt_add(text, "{\nconst %s *gz_from = (const %s *)gz_stencil_result(gz_run, 0);\n",
                type(program), type(program));
        add_take(program, program->form == GZT_COPY_BACK, text);
        if (program->form == GZT_COPY_BACK)
            add_copying(program, text);
        gzt_add(text, "}\n");
        return;
    }
    if (program->form == GZT_COPY_FIRST) {
        /* The border as the first copy brought it; then the state before the last, and the last. */
        if (needs_both(program))
            add_copying(program, text);
        for (int age = needs_both(program); age >= 0; age--) {
            gzt_add(text, "{\nconst %s *gz_from = (const %s *)gz_stencil_result(gz_run, %d);\n",
                    type(program), type(program), age);
            add_take(program, age, text);
            gzt_add(text, "}\n");
        }
        return;
    }
    gzt_add(text,
            "for (int gz_age = 0; gz_age < %d; gz_age++) {\n"
            "const %s *gz_from = (const %s *)gz_stencil_result(gz_run, gz_age);\n"
            "if ((gz_loops - gz_age) %% 2 == 0) {\n",
            needs_both(program) ? 2 : 1, type(program), type(program));
    add_take(program, 0, text);
    gzt_add(text, "} else {\n");
    add_take(program, 1, text);
    gzt_add(text, "}\n}\n");
    if (program->form == GZT_SWAP)
        gzt_add(text, "for (long gz_i = gz_loops %% 2; gz_i < 3; gz_i += 2) {\n%s%s%s\n}\n",
                third_pointer(program),
                gzt_clean(program->source, program->exchange.begin, program->exchange.end), ";");
}

/* A loop variable that is declared outside keeps the value with which its loop ended, if it has
 * run. */
static void add_final(const struct gzt_sweep *sweep, const char *suffix, struct gzt_text *text)
{
    const char *ran = "gz_count > 0";
    for (int i = 0; i < sweep->loops; i++) {
        int axis = 0;
        while (sweep->axis_loop[axis] != i)
            axis++;
        const struct gzt_loop *loop = &sweep->loop[i];
        const char *low = gzt_format("gz_low%s[%d]", suffix, axis);
        const char *high = gzt_format("gz_high%s[%d]", suffix, axis);
        if (!loop->declared_inside)
            gzt_add(text, "if (%s)\n%s = (%s)(%s > %s ? %s : %s);\n", ran, loop->iterator->name,
                    loop->iterator->type_name, high, low, high, low);
        ran = gzt_format("%s && %s > %s", ran, high, low);
    }
}

static void add_finals(const struct gzt_program *program, struct gzt_text *text)
{
    bool copied = program->copy.loops > 0;
    if (copied && program->form == GZT_COPY_FIRST)
        add_final(&program->copy, "_too", text);
    for (int i = 0; i < program->sweeps; i++)
        add_final(&program->sweep[i], "", text);
    if (copied && program->form == GZT_COPY_BACK)
        add_final(&program->copy, "_too", text);
    for (int i = 0; i < program->alias_count; i++)
        if (program->aliases[i]->outside)
            gzt_add(text, "if (gz_count > 0)\n%s = (%s)(%s);\n", program->aliases[i]->decl->name,
                    program->aliases[i]->decl->type_name,
                    gzt_toggled(program, program->sweep, program->aliases[i]->node, axis_names,
                                gzt_format("(gz_first + (gz_count - 1) * %d)", program->time.step),
                                "(gz_count % 2 == 1 ? gz_toggle : 1 - gz_toggle)"));
    if (program->toggle)
        gzt_add(text, "if (gz_count %% 2 == 1)\n%s = (%s)(1 - gz_toggle);\n", program->toggle->name,
                program->toggle->type_name);
    if (!program->time.declared_inside)
        gzt_add(text, "%s = (%s)(gz_first + gz_count * %d);\n", program->time.iterator->name,
                program->time.iterator->type_name, program->time.step);
}

/* -------------------------------------------------------------------------------------- call */

static void add_spans(const struct gzt_program *program, struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    int buffers = gzt_has_two_buffers(program) || program->form == GZT_COPY_BACK ? 2 : 1;
    const struct gzt_node *write = program->sweep[0].write.node;
    int space = program->dimensions + (program->form == GZT_PARITY);

    memcpy(rim, program->rim, sizeof rim);
    for (int buffer = 0; buffer < buffers && is_flat(write); buffer++)
        add_span(program, state_element(program, buffer), rim, true, subscripts(write) < space,
                 text);
    for (int k = 0; k < program->constant_count; k++) {
        const struct gzt_input *input = program->constants[k];
        const struct gzt_sweep *sweep = &program->sweep[input->sweep];
        int none[GZT_AXES][2] = {{0}};
        if (is_flat(input->node) && input->type == program->type)
            add_span(program, element(program, sweep, input->node, NULL, NULL), none, false, false,
                     text);
    }
}

/* What a state buffer begins with. After a copy first, both have the border that is copied, and
 * where none is, that of the copy. */
static const char *first_element(const struct gzt_program *program, int buffer)
{
    if (program->form != GZT_COPY_FIRST)
        return state_element(program, buffer);
    return gzt_format("%s ? %s : %s", is_copied(program), state_element(program, 0),
                      state_element(program, 1));
}

int gzt_add_call(struct gzt_program *program, struct gzt_text *text)
{
    struct gzt_layout layout;
    if (gzt_lay_out(program, &layout) != 0)
        return -1;
    gzt_add(text, "{\n");
    add_body(program, &layout, text);
    add_facts(program, &layout, text);
    add_sizes(program, text);
    gzt_add(text, "gz_stencil_run *gz_run = gz_stencil_begin(&gz_this, gz_extent, gz_loops, "
                  "gz_usable);\n"
                  "if (gz_stencil_ready(gz_run)) {\n");
    add_spans(program, text);
    gzt_add(text, "if (gz_stencil_usable(gz_run, gz_usable)) {\n");
    for (int buffer = 0; buffer < (gzt_has_two_buffers(program) ? 2 : 1); buffer++)
        add_fill(program, buffer, first_element(program, buffer), text);
    add_inputs(program, &layout, text);
    gzt_add(text, "if (gz_stencil_execute(gz_run)) {\n");
    add_results(program, text);
    add_finals(program, text);
    gzt_add(text, "}\n}\n}\nif (gz_stencil_original(gz_run)) {");
    return 0;
}

/* After the original loops, fills a buffer anew and compares it with a result. */
static void add_comparison(const struct gzt_program *program, int buffer, const char *from,
                           const char *age, struct gzt_text *text)
{
    add_fill(program, buffer, from, text);
    gzt_add(text, "gz_stencil_compare(gz_run, %d, %s);\n", buffer, age);
}

void gzt_add_end(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "}\nif (gz_stencil_checking(gz_run)) {\n");
    if (!gzt_has_two_buffers(program)) {
        add_comparison(program, 0, state_element(program, 0), "0", text);
    } else {
        /* After an exchange, the names tell which is which. */
        bool named = program->form == GZT_SWAP || program->form == GZT_COPY_FIRST;
        const char *even = named ? "0" : "(int)(gz_loops % 2)";
        const char *odd = named ? "1" : "(int)(1 - gz_loops % 2)";
        bool both = needs_both(program);
        gzt_add(text, "if (%d || %s == 0) {\n", both, even);
        add_comparison(program, 0, first_element(program, 0), even, text);
        gzt_add(text, "}\nif (%d || %s == 0) {\n", both, odd);
        add_comparison(program, 1, state_element(program, 1), odd, text);
        gzt_add(text, "}\n");
    }
    gzt_add(text, "}\ngz_stencil_end(gz_run);\n}");
}
