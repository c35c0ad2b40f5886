/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "replace.h"

#include "asked.h"
#include "borders.h"
#include "cells.h"
#include "counting.h"
#include "cuts.h"
#include "emit.h"
#include "hull.h"
#include "loops.h"
#include "measure.h"
#include "moves.h"
#include "overlap.h"
#include "points.h"
#include "receivers.h"
#include "toggles.h"

#include <string.h>

static const char *type(const struct gzt_program *program)
{
    return gzt_type_text(program->type);
}

/* --------------------------------------------------------------------------------- the facts */

/* Whether an array's values count behind the loops; ifs beside the sweeps may read any. */
static bool is_live(const struct gzt_program *program, const struct gzt_array *array)
{
    const struct gzt_annotation *stated = &program->region->annotation;
    for (int i = 0; i < stated->live_outs; i++)
        if (strcmp(stated->live_out[i], array->base) == 0)
            return true;
    return stated->live_outs == 0 || gzt_keeps_time(program);
}

bool gzt_needs_both(const struct gzt_program *program)
{
    return gzt_has_two_buffers(program) &&
           (program->form == GZT_PARITY || is_live(program, program->state[1]));
}

/* Whether the state before these two is a result, which a third array holds. */
static bool needs_third(const struct gzt_program *program)
{
    return gzt_has_third(program) && program->form != GZT_COPIES &&
           (program->form == GZT_PARITY || is_live(program, program->third));
}

void gzt_add_call_facts(const struct gzt_program *program, const struct gzt_layout *layout,
                        struct gzt_text *text)
{
    struct gzt_place at = gzt_place_of(program->source, program->time.node->begin);
    struct gzk_stencil stencil = gzt_stencil(program, layout);

    gzt_add_body(stencil.body, text);
    gzt_add(text, "static const struct gz_stencil gz_this = {\n    %s, %d, gz_body,\n",
            gzt_quoted(gzt_shown(at.file)), at.line);
    gzt_add_facts(&stencil, false, text);
    gzt_add(text,
            "/* buffers */ %d,\n/* guarded */ %d,\n/* both */ %d,\n/* height */ %d,\n"
            "/* contract */ %d,\n/* measure */ %d,\n/* fields */ %d,\n/* stops */ %d};\n",
            program->older                 ? 3
            : gzt_has_two_buffers(program) ? 2
                                           : 1,
            !program->system && gzt_is_guarded(program),
            needs_third(program) ? 2 : gzt_needs_both(program), program->region->annotation.height,
            !program->source->contract ? 0
            : program->inexact         ? 2
                                       : 1,
            gzt_measure_type(program), stencil.fields, program->stops || gzt_keeps_time(program));
}

/* --------------------------------------------------------------------------- sizes and loops */

/* A loop's own condition for a value of its variable. */
static const char *condition(const struct gzt_program *program, const struct gzt_sweep *sweep,
                             const struct gzt_loop *loop, const char *value)
{
    const char *values[GZT_AXES], *time = NULL;
    const char *typed = gzt_format("((%s)(%s))", loop->iterator->type_name, value);
    for (int axis = 0; axis < GZT_AXES; axis++)
        values[axis] =
            sweep && sweep->axis_loop[axis] >= 0 && &sweep->loop[sweep->axis_loop[axis]] == loop
                ? typed
                : "0";
    if (loop == &program->time)
        time = typed;
    return gzt_evaluated(program, sweep ? sweep : program->sweep, loop->node->child[1], values,
                         time);
}

/* A loop must run from `first` to `last` as its condition says, whose types may differ from those
 * of its bounds, and its variable must hold `end`, what it ends with. */
void gzt_add_loop_test(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const struct gzt_loop *loop, const char *first, const char *last,
                       const char *end, struct gzt_text *text)
{
    gzt_add(text,
            "{\nconst long gz_end = %s;\nif (!GZ_STENCIL_IS_INDEX(%s, %s) || (long)(%s)gz_end != "
            "gz_end "
            "|| (%s)\n|| (%s != gz_end && (!(%s)\n|| !(%s))))\ngz_usable = "
            "GZ_STENCIL_OTHER_LOOPS;\n}\n",
            end, first, last, loop->iterator->type_name, condition(program, sweep, loop, "gz_end"),
            first, condition(program, sweep, loop, first),
            condition(program, sweep, loop, gzt_format("gz_end - %d", loop->step)));
}

/* The bounds of a nest's loops and their tests, as C asks for them: if the time loop runs, and an
 * inner one if the outer has a turn. Others are 0. */
static void add_loop_bounds(const struct gzt_program *program, const struct gzt_sweep *sweep,
                            const char *suffix, struct gzt_text *text)
{
    gzt_add(text, "long gz_low%s[3] = {0}, gz_high%s[3] = {0};\n", suffix, suffix);
    for (int i = 0; i < sweep->loops; i++) {
        const struct gzt_loop *loop = &sweep->loop[i];
        int axis = gzt_axis_of(sweep, i), outer = i ? gzt_axis_of(sweep, i - 1) : 0;
        const char *low = gzt_format("gz_low%s[%d]", suffix, axis);
        const char *high = gzt_format("gz_high%s[%d]", suffix, axis);
        if (i)
            gzt_add(text, "if (gz_low%s[%d] < gz_high%s[%d]) {\n", suffix, outer, suffix, outer);
        else
            gzt_add(text, "if (gz_count > 0) {\n");
        gzt_add(text, "%s = (long)(%s)(%s);\n%s = (long)(%s)%s;\n", low, loop->iterator->type_name,
                gzt_of_cell(program, sweep, loop->low, NULL, NULL), high,
                gzt_of_cell(program, sweep, loop->high, NULL, NULL), loop->inclusive ? " + 1" : "");
        gzt_add_loop_test(program, sweep, loop, low, high,
                          gzt_format("%s > %s ? %s : %s", high, low, high, low), text);
    }
    for (int i = 0; i < sweep->loops; i++)
        gzt_add(text, "}\n");
}

/* What tells the bounds of a nest's loops, if conditions cut its domain. */
static const char *suffix_of_loops(const struct gzt_sweep *sweep, const char *suffix)
{
    return sweep->cut_count ? gzt_format("%s_own", suffix) : suffix;
}

/* The bounds of the domain: those of the loops, or what conditions leave, which C asks for if all
 * loops have a turn. */
static void add_bounds(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const char *suffix, struct gzt_text *text)
{
    static const int none[GZT_AXES];
    const char *own = suffix_of_loops(sweep, suffix);
    add_loop_bounds(program, sweep, own, text);
    if (sweep->cut_count == 0)
        return;
    for (int high = 0; high < 2; high++) {
        const char *name = high ? "gz_high" : "gz_low";
        gzt_add(text, "long %s%s[3] = {%s%s[0], %s%s[1], %s%s[2]};\n", name, suffix, name, own,
                name, own, name, own);
    }
    gzt_add(text, "if (gz_count > 0");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, " && gz_low%s[%d] < gz_high%s[%d]", own, axis, own, axis);
    gzt_add(text, ") {\n");
    gzt_add_cuts(program, sweep, gzt_format("gz_low%s", suffix), gzt_format("gz_high%s", suffix),
                 none, text);
    gzt_add(text, "}\n");
}

static void add_hull_test(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          const char *suffix, struct gzt_text *text)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    gzt_add_hull_test(&space, sweep, gzt_format("gz_low%s", suffix),
                      gzt_format("gz_high%s", suffix), text);
}

/* What tells the bounds of a second sweep, and of what measures in a nest of its own. */
static const char *const second = "_second", *const measured = "_measured";

/* Such a nest must run over the same cells. */
static void add_second_domain(const struct gzt_program *program, const struct gzt_sweep *sweep,
                              const char *suffix, struct gzt_text *text)
{
    add_bounds(program, sweep, suffix, text);
    add_hull_test(program, sweep, suffix, text);
    gzt_add(text, "if (");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_low[%d] != gz_low%s[%d] || gz_high[%d] != gz_high%s[%d]",
                axis ? "\n    || " : "", axis, suffix, axis, axis, suffix, axis);
    gzt_add(text, ")\ngz_usable = GZ_STENCIL_OTHER_DOMAIN;\n");
}

/* Whether the cell (gz_x, gz_y, gz_z) lies in the box of two bounds. */
static const char *in_box(const struct gzt_program *program, const char *suffix)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, "%s%s >= gz_low%s[%d] && %s < gz_high%s[%d]", axis ? " && " : "",
                gzt_axis_names[axis], suffix, axis, gzt_axis_names[axis], suffix, axis);
    return gzt_string(&text);
}

/* Which buffer a copy sets, and from which. */
static int copied_to(const struct gzt_program *program, int copy)
{
    return program->form == GZT_COPY_FIRST || copy == 1;
}

static int copied_from(const struct gzt_program *program, int copy)
{
    return program->form == GZT_COPIES && copy == 0 ? 2 : 1 - copied_to(program, copy);
}

static int copies(const struct gzt_program *program)
{
    return program->form == GZT_COPIES                                         ? 2
           : program->form == GZT_COPY_BACK || program->form == GZT_COPY_FIRST ? 1
                                                                               : 0;
}

/* What tells the bounds of the copies. */
static const char *const suffixes[] = {"_too", "_aside"};

/* Whether a copy covers a cell. */
static const char *is_copied(const struct gzt_program *program, int copy)
{
    const char *to = gzt_state_element(program, copied_to(program, copy));
    if (!program->copy[copy].call)
        return in_box(program, suffixes[copy]);
    return gzt_format("((const char *)&%s - gz_to%s >= 0 &&\n(const char *)&%s - gz_to%s < "
                      "gz_copied%s)",
                      to, suffixes[copy], to, suffixes[copy], suffixes[copy]);
}

/* Whether no more axes than the sweep's reads leave together are left, of cells beside the domain.
 */
static const char *beyond_one(const struct gzt_program *program)
{
    struct gzt_text text = {0};
    int most = 1;
    gzt_add(&text, "0");
    for (int i = 0; i < program->read_count; i++) {
        int left = 0;
        for (int axis = 0; axis < GZT_AXES; axis++)
            left += program->reads[i]->role == GZT_STATE && program->reads[i]->offset[axis] != 0;
        most = left > most ? left : most;
    }
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, " + (%s < gz_low[%d] || %s >= gz_high[%d])", gzt_axis_names[axis], axis,
                gzt_axis_names[axis], axis);
    return gzt_format("%s <= %d", gzt_string(&text), most);
}

/* Whether a cell lies in the domain along the axes whose edges follow from it. */
static const char *in_ruled(const struct gzt_program *program)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->edge[axis] == GZT_EDGE_CLAMP || program->edge[axis] == GZT_EDGE_PERIODIC)
            gzt_add(&text, " && %s >= gz_low[%d] && %s < gz_high[%d]", gzt_axis_names[axis], axis,
                    gzt_axis_names[axis], axis);
    return gzt_string(&text);
}

/* What a copy covers: gz_usable is 0 if that is not the whole domain; if a copy back brings another
 * border with it than the one that the first loop reads, gz_later is 1, or, of three arrays,
 * gz_usable tells it. */
static void add_copy(const struct gzt_program *program, int copy, struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    const char *to = gzt_state_element(program, copied_to(program, copy));
    const char *from = gzt_state_element(program, copied_from(program, copy));
    const struct gzt_node *call = program->copy[copy].call;
    const char *s = suffixes[copy];
    bool back = copy == 0 && program->form != GZT_COPY_FIRST, three = gzt_has_third(program);

    if (call)
        gzt_add(text,
                "const char *const gz_to%s = gz_any ? (const char *)(%s) : 0;\n"
                "const char *const gz_from%s = gz_any ? (const char *)(%s) : 0;\n"
                "const long gz_copied%s = gz_any ? (long)(%s) : 0;\n",
                s, gzt_node_text(program->source, call->child[0]), s,
                gzt_node_text(program->source, call->child[1]), s,
                gzt_node_text(program->source, call->child[2]));
    else
        add_bounds(program, &program->copy[copy].nest, s, text);
    bool wider = gzt_is_set_before_copy(program);
    memcpy(rim, wider ? program->border_rim : program->rim, sizeof rim);
    gzt_add(text, "%sif (gz_any && gz_usable == 1) {\n",
            program->form == GZT_COPY_BACK ? "int gz_later = 0;\n" : "");
    gzt_add_loops(program, rim, "{", text);
    gzt_add(text, "const int gz_within = %s;\nconst int gz_there = %s;\n", in_box(program, ""),
            is_copied(program, copy));
    gzt_add(text, "if (%s && !gz_there)\ngz_usable = 0;\n",
            wider ? beyond_one(program) : "gz_within");
    if (call)
        gzt_add(text,
                "if (gz_there && (const char *)&%s - gz_to%s != (const char *)&%s - "
                "gz_from%s)\ngz_usable = 0;\n",
                to, s, from, s);
    if (back)
        gzt_add(text,
                "if (gz_there && !gz_within%s%s) {\n"
                "const char *gz_one = (const char *)&%s, *gz_two = (const char *)&%s;\n"
                "for (unsigned gz_i = 0; gz_i < sizeof(%s); gz_i++)\n"
                "if (gz_one[gz_i] != gz_two[gz_i])\n%s;\n}\n",
                three ? "" : " && !gz_later", wider ? in_ruled(program) : "", to, from,
                type(program), three ? "gz_usable = GZ_STENCIL_OTHER_BORDERS" : "gz_later = 1");
    gzt_add(text, "}\n}\n");
}

/* A copy as the program makes it. */
static void add_copying(const struct gzt_program *program, int copy, struct gzt_text *text)
{
    const char *s = suffixes[copy];
    if (program->copy[copy].call) {
        gzt_add(text, "%s;\n", gzt_node_text(program->source, program->copy[copy].call));
        return;
    }
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        gzt_add(text, "for (long %s = gz_low%s[%d]; %s < gz_high%s[%d]; %s++)\n",
                gzt_axis_names[axis], s, axis, gzt_axis_names[axis], s, axis, gzt_axis_names[axis]);
    gzt_add(text, "%s = %s;\n", gzt_state_element(program, copied_to(program, copy)),
            gzt_state_element(program, copied_from(program, copy)));
}

/* Whether an if beside the sweeps acts in the loop of that time. */
static const char *looks_at(const struct gzt_program *program, enum gzt_position position,
                            const char *time)
{
    const char *none[GZT_AXES] = {"0", "0", "0"};
    struct gzt_text text = {0};
    for (int i = 0; i < program->look_count; i++)
        if (program->looks[i]->position == position)
            gzt_add(&text, "\n    || (%s)",
                    gzt_evaluated(program, program->sweep, program->looks[i]->node->child[0], none,
                                  gzt_format("(%s)", time)));
    return gzt_string(&text);
}

/* Ifs beside the sweeps stay where they are, in the time loop: from its present time on there are
 * as many loops as lie before the next of them. Where that is not proven, there is one; where one
 * among the sweeps acts, none, and the original loop runs. */
static void add_looks(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_loop *time = &program->time;
    const char *low = gzt_format("(long)(%s)(%s)", time->iterator->type_name,
                                 gzt_node_text(program->source, time->low));

    gzt_add(text,
            "if (gz_first < %s || (gz_first - %s) %% %d != 0)\n"
            "gz_usable = GZ_STENCIL_OTHER_LOOPS;\nlong gz_count = 1, gz_own = 1;\n",
            low, low, time->step);
    const char *next = gzt_format("gz_first + gz_count * %d", time->step);
    if (program->look_count == 0) {
        gzt_add(text, "gz_count = gz_all;\n");
        return;
    }
    gzt_add(text, "if (0%s)\ngz_count = 0;\n", looks_at(program, GZT_AMONG, "gz_first"));
    gzt_add(text,
            "while (gz_usable == 1 && gz_count > 0 && gz_count < gz_all\n    && !(0%s%s%s))\n"
            "gz_count++;\n",
            looks_at(program, GZT_BEHIND, gzt_format("gz_first + (gz_count - 1) * %d", time->step)),
            looks_at(program, GZT_BEFORE, next), looks_at(program, GZT_AMONG, next));
}

/* Where running the loop without its sweeps says how many loops there are. */
static void add_any_time(struct gzt_text *text)
{
    gzt_add(text, "const long gz_first = 0;\n(void)gz_first;\n"
                  "long gz_count = 0, gz_loops = 0;\nint gz_usable = 1;\n");
}

/* How many loops there are, and whether the conditions of the time loop say so. */
static void add_head(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_loop *time = &program->time;

    gzt_add(text, "const long gz_first = (long)(%s)(%s)%s, gz_last = (long)(%s)%s;\n",
            time->iterator->type_name,
            gzt_keeps_time(program) ? time->iterator->name
                                    : gzt_node_text(program->source, time->low),
            program->stops ? gzt_format(" + gz_done * %d", time->step) : "",
            gzt_node_text(program->source, time->high), time->inclusive ? " + 1" : "");
    gzt_add(text,
            "const long gz_all = gz_last > gz_first ? (gz_last - gz_first + %d) / %d : 0;\n"
            "int gz_usable = 1;\n",
            time->step - 1, time->step);
    gzt_add_loop_test(program, NULL, time, "gz_first", "gz_last",
                      gzt_format("gz_first + gz_all * %d", time->step), text);
    if (gzt_keeps_time(program))
        add_looks(program, text);
    else
        gzt_add(text, "const long gz_count = gz_all;\n");
}

void gzt_add_time(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->counts)
        gzt_add_counts(program, text);
    else
        add_head(program, text);
}

void gzt_add_loops_of_call(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->border_count)
        gzt_add_border_tests(program, text);
    else if (program->tail)
        gzt_add(text, "gz_count = gz_count > %d ? gz_count - %d : 0;\n", program->tail,
                program->tail);
    gzt_add(text, "const long gz_loops = gz_count * %d;\n", gzt_levels(program));
}

static void add_environment(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text,
            "#ifdef gz_other_macros\nif (gz_other_macros)\ngz_usable = GZ_STENCIL_OTHER_MACROS;\n"
            "#endif\n");
    if (program->openmp >= 0)
        gzt_add(text, "#ifdef _OPENMP\nif (omp_in_parallel())\n"
                      "gz_usable = GZ_STENCIL_IN_PARALLEL;\n#endif\n");
}

void gzt_add_conditions(const struct gzt_program *program, struct gzt_text *text)
{
    if (!program->measure)
        add_environment(program, text);
    if (program->least_loops > 1)
        gzt_add(text, "if (gz_count < %d)\ngz_usable = GZ_STENCIL_FEW_LOOPS;\n",
                program->least_loops);
    gzt_add_fits(program, text);
}

static void add_sizes(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->measure) {
        add_any_time(text);
        add_environment(program, text);
        gzt_add_measured_finals(program, text);
    } else {
        gzt_add_time(program, text);
    }
    add_bounds(program, &program->sweep[0], "", text);
    gzt_add(text, "const long gz_extent[3] = {");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_high[%d] - gz_low[%d]", axis ? ", " : "", axis, axis);
    gzt_add(text, "};\nconst long gz_size[3] = {");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "%sgz_extent[%d] + %d", axis ? ", " : "", axis,
                2 * gzt_grid_rim(program, axis));
    gzt_add(text, "};\n(void)gz_size;\nconst int gz_any = gz_count > 0");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, " && gz_extent[%d] > 0", axis);
    gzt_add(text, ";\n(void)gz_any;\n");
    add_hull_test(program, &program->sweep[0], "", text);
    if (!program->measure)
        gzt_add_loops_of_call(program, text);
    gzt_add_conditions(program, text);
    if (program->toggle) {
        gzt_add(text, "const int gz_toggle = (int)(%s);\n", program->toggle->name);
        gzt_add_toggle_test(program, text);
    }
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->least[axis])
            gzt_add(text, "if (gz_extent[%d] < %d)\ngz_usable = GZ_STENCIL_SMALL_DOMAIN;\n", axis,
                    program->least[axis]);
    for (int copy = copies(program) - 1; copy >= 0; copy--)
        add_copy(program, copy, text);
    if (copies(program) == 0 && program->sweeps == 2)
        add_second_domain(program, &program->sweep[1], second, text);
    if (program->measure && program->measure->fold)
        add_second_domain(program, &program->measure->sweep, measured, text);
    gzt_add_places(program, text);
}

/* ------------------------------------------------------------------------------------ arrays */

/* The state's cells that are read, row by row, or one by one. */
static void add_rows(const struct gzt_program *program, const char *to, const char *from,
                     struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    memcpy(rim, program->rim, sizeof rim);
    if (gzt_reads_box(program))
        gzt_add_rows(program, rim, to, from, text);
    else
        gzt_add_reached_rows(program, to, from, text);
}

static void add_cells(const struct gzt_program *program, const char *statement,
                      struct gzt_text *text)
{
    int rim[GZT_AXES][2];
    memcpy(rim, program->rim, sizeof rim);
    if (gzt_reads_box(program))
        gzt_add_loops(program, rim, statement, text);
    else
        gzt_add_reached_cells(program, statement, text);
}

/* Three arrays must have equal borders: two buffers take turns for them. C may read none
 * of a border's cells, which then may lie anywhere: spans that overlap are found before. */
static const char *add_equal_borders(const struct gzt_program *program, struct gzt_text *text)
{
    int all = 0;
    if (program->form == GZT_COPIES)
        return "";
    for (int axis = 0; axis < program->dimensions; axis++)
        all += program->rim[axis][0] + program->rim[axis][1];
    if (all == 0)
        return "";
    add_cells(program,
              gzt_format("{\nif (%s)\ncontinue;\nconst char *gz_one = (const char *)&%s, *gz_two = "
                         "(const char *)&%s, "
                         "*gz_three = (const char *)&%s;\n"
                         "for (unsigned gz_i = 0; gz_i < sizeof(%s); gz_i++)\n"
                         "if (gz_one[gz_i] != gz_two[gz_i] || gz_one[gz_i] != gz_three[gz_i])\n"
                         "gz_usable = GZ_STENCIL_OTHER_BORDERS;\n}",
                         in_box(program, ""), gzt_state_element(program, 0),
                         gzt_state_element(program, 1), gzt_state_element(program, 2),
                         type(program)),
              text);
    gzt_add(text, "if (gz_stencil_usable(gz_run, gz_usable)) {\n");
    return "}\n";
}

/* Fills a buffer from an expression of a cell: by rows if that names an element, cell by cell if it
 * may choose between two, as after a copy first. */
static void add_fill(const struct gzt_program *program, int buffer, const char *from,
                     struct gzt_text *text)
{
    const char *to = gzt_format("gz_to[%s]", gzt_cell_place(program));

    gzt_add(text, "{\n%s *gz_to = (%s *)gz_stencil_buffer(gz_run, %d);\n", type(program),
            type(program), buffer);
    /* Rows tell the library where cells lie that are watched. */
    if (program->form == GZT_COPY_FIRST && buffer == 0 && program->receiver_count > 0)
        gzt_add_rows(program, NULL, to, gzt_state_element(program, 0), text);
    if (program->form == GZT_COPY_FIRST || (program->form == GZT_COPY_BACK && buffer == 1))
        add_cells(program, gzt_format("%s = %s;", to, from), text);
    else if (program->form == GZT_COPIES && buffer == 1) {
        /* Its border is never read, and loops by turns read that of the other one there. */
        if (gzt_keeps(program))
            add_rows(program, to, gzt_state_element(program, 0), text);
        gzt_add_rows(program, NULL, to, from, text);
    } else
        add_rows(program, to, from, text);
    gzt_add(text, "}\n");
}

static void add_constant(const struct gzt_program *program, int k, struct gzt_text *text)
{
    int widen[GZT_AXES][2];
    bool fixed;
    const struct gzt_input *input = program->constants[k];
    const char *from = gzt_constant_element(program, k, widen, &fixed);
    struct gzt_rows rows = {0};
    struct gzt_text fill = {0};

    gzt_add(&fill, "{\n");
    gzt_add(text, "{\n%s *gz_to = (%s *)gz_stencil_constant(gz_run, %d);\n", type(program),
            type(program), k);
    if (fixed)
        gzt_touch_reads(program, 0, GZT_CONSTANT, k, &rows);
    else
        gzt_touch(&rows, 0, (const int[GZT_AXES]){0});
    from = gzt_add_read(program, input->sweep, input->guards, GZT_CELL, from, &fill);
    gzt_add(&fill, "gz_to[%s] = (%s)(%s);\n}", gzt_cell_place(program), type(program), from);
    gzt_add_touched(program, &rows, false, gzt_each_touched(gzt_string(&fill)), text);
    gzt_add(text, "}\n");
}

void gzt_add_per_step(const struct gzt_program *program, int k, struct gzt_text *text)
{
    const struct gzt_input *input = program->per_step[k];
    const struct gzt_sweep *sweep = &program->sweep[input->sweep];
    const char *from = gzt_of_cell(program, sweep, input->node, NULL, "gz_time");
    bool value = gzt_is_value(program, input);
    const char *loop =
        gzt_format("gz_i * %d + %d", gzt_levels(program), program->system ? 0 : input->sweep);
    int number = gzt_step_number(program, k);

    gzt_add_each(program, text);
    if (value) {
        from = gzt_add_read(program, input->sweep, input->guards, GZT_TIME, from, text);
        gzt_add_step_value(program, number, gzt_step_type(program, input), loop, from, text);
    } else {
        gzt_add(text, "%s *gz_to = (%s *)gz_stencil_step(gz_run, %d, %s);\n", type(program),
                type(program), number, loop);
        gzt_add_loops(program, NULL, "{", text);
        from = gzt_add_read(program, input->sweep, input->guards, GZT_CELL | GZT_TIME, from, text);
        gzt_add(text, "gz_to[%s] = (%s)(%s);\n}\n", gzt_cell_place(program), type(program), from);
    }
    gzt_end_each(program, text);
}

void gzt_add_slot(const struct gzt_program *program, const struct gzt_slot *slot,
                  struct gzt_text *text)
{
    static const char *const setters[] = {
        [GZT_INT] = "int",     [GZT_UINT] = "int",    [GZT_LONG] = "long",    [GZT_SMALL] = "int",
        [GZT_ULONG] = "ulong", [GZT_FLOAT] = "float", [GZT_DOUBLE] = "double"};
    const struct gzt_scalar *scalar;
    int n = slot->number;
    const char *value = "";

    gzt_add(text, "{\n");
    switch (slot->content) {
    case GZT_IS_SCALAR:
        scalar = program->scalars[n];
        value = gzt_add_read(program, scalar->sweep, scalar->guards, 0,
                             gzt_scalar_text(program, scalar), text);
        if (scalar->node->is_enumeration)
            value = gzt_format("(%s)(%s)", gzt_type_text(scalar->type), value);
        break;
    case GZT_IS_ORIGIN:
        value = program->system ? gzt_format("gz_grid[%d]", n)
                                : gzt_format("gz_low[%d] - %d", n, gzt_grid_rim(program, n));
        break;
    case GZT_IS_BOUND:
        value = gzt_format("gz_%s[%d][%d] - gz_grid[%d]", n % 2 ? "highs" : "lows",
                           n / (2 * GZT_AXES), n % (2 * GZT_AXES) / 2, n % (2 * GZT_AXES) / 2);
        break;
    case GZT_IS_TIME:
        value = "gz_first";
        break;
    case GZT_IS_PLACE:
        value = gzt_format("gz_place_%d[%d]", n / GZT_AXES, n % GZT_AXES);
        break;
    }
    gzt_add(text, "gz_stencil_%s(gz_run, %d, %s);\n}\n", setters[slot->type], slot->first, value);
}

static void add_inputs(const struct gzt_program *program, const struct gzt_layout *layout,
                       struct gzt_text *text)
{
    for (int i = 0; i < layout->slots; i++)
        gzt_add_slot(program, &layout->slot[i], text);
    for (int k = 0; k < program->constant_count; k++)
        add_constant(program, k, text);
    for (int k = 0; k < program->per_step_count; k++)
        gzt_add_per_step(program, k, text);
    gzt_add_parts(program, text);
}

/* ----------------------------------------------------------------------------------- results */

static void add_take(const struct gzt_program *program, int buffer, struct gzt_text *text)
{
    gzt_add_rows(program, NULL, gzt_state_element(program, buffer),
                 gzt_format("gz_from[%s]", gzt_cell_place(program)), text);
}

/* Of three arrays or planes, the element that holds the state of an age when the loops are done. */
static const char *aged_element(const struct gzt_program *program, int age)
{
    static const int turn[] = {-1, 1, 0};
    if (program->form != GZT_PARITY)
        return gzt_state_element(program, age);
    return gzt_of_cell(
        program, program->sweep, program->sweep->write.node, NULL,
        gzt_format("(gz_first + (gz_loops + %d) * %d)", turn[age], program->time.step));
}

/* The state of that age as the elements of buffer `to`. */
static void add_aged(const struct gzt_program *program, int age, const char *to,
                     struct gzt_text *text)
{
    gzt_add(text, "{\nconst %s *gz_from = (const %s *)gz_stencil_result(gz_run, %d);\n",
            type(program), type(program), age);
    gzt_add_rows(program, NULL, to, gzt_format("gz_from[%s]", gzt_cell_place(program)), text);
    gzt_add(text, "}\n");
}

/* Whether a copy covers more than the domain, as far as is known. */
static const char *is_wider(const struct gzt_program *program, int copy)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, "%sgz_low%s[%d] != gz_low[%d] || gz_high%s[%d] != gz_high[%d]",
                axis ? " || " : "", suffixes[copy], axis, axis, suffixes[copy], axis, axis);
    return program->copy[copy].call ? "1" : gzt_string(&text);
}

/* Copies beyond the domain, which two loops in turn make as all do; then the states. */
static void add_copied_results(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "if (%s || %s) {\nif (gz_count > 1) {\n", is_wider(program, 0),
            is_wider(program, 1));
    add_copying(program, 1, text);
    add_copying(program, 0, text);
    gzt_add(text, "}\n");
    add_copying(program, 1, text);
    gzt_add(text, "}\n");
    if (gzt_needs_both(program))
        add_aged(program, 1, gzt_state_element(program, 1), text);
    add_aged(program, 0, gzt_state_element(program, 2), text);
    add_copying(program, 0, text);
}

static void add_three_results(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->form == GZT_COPIES) {
        add_copied_results(program, text);
        return;
    }
    /* As often as leaves the pointers, and the one that they change by, as they are. */
    if (program->form == GZT_ROTATE)
        gzt_add_exchange(program, "", text);
    for (int age = 0; age < (needs_third(program) ? 3 : gzt_needs_both(program) ? 2 : 1); age++)
        add_aged(program, age, aged_element(program, age), text);
    gzt_add_border(program, GZT_BEHIND, text);
}

static void add_results(const struct gzt_program *program, struct gzt_text *text)
{
    if (gzt_has_third(program)) {
        add_three_results(program, text);
        return;
    }
    if (!gzt_has_two_buffers(program)) {
        gzt_add(text, "{\nconst %s *gz_from = (const %s *)gz_stencil_result(gz_run, 0);\n",
                type(program), type(program));
        add_take(program, program->form == GZT_COPY_BACK, text);
        gzt_add_border(program, GZT_AMONG, text);
        if (program->form == GZT_COPY_BACK)
            add_copying(program, 0, text);
        gzt_add_border(program, GZT_BEHIND, text);
        gzt_add(text, "}\n");
        return;
    }
    if (program->form == GZT_COPY_FIRST) {
        /* The border as the first copy brought it; then the state before the last, and the last. */
        if (gzt_needs_both(program))
            add_copying(program, 0, text);
        for (int age = gzt_needs_both(program); age >= 0; age--)
            add_aged(program, age, gzt_state_element(program, age), text);
        return;
    }
    /* A single loop sets one of the two, unless cells are set beside its sweep. */
    bool beside = program->point_count || program->border_count;
    gzt_add(text,
            "for (int gz_age = 0; gz_age < %d%s; gz_age++) {\n"
            "const %s *gz_from = (const %s *)gz_stencil_result(gz_run, gz_age);\n"
            "if ((gz_loops - gz_age) %% 2 == 0) {\n",
            gzt_needs_both(program) ? 2 : 1, beside ? "" : " && gz_age < gz_loops", type(program),
            type(program));
    add_take(program, 0, text);
    gzt_add(text, "} else {\n");
    add_take(program, 1, text);
    gzt_add(text, "}\n}\n");
    if (program->form != GZT_SWAP)
        return;
    struct gzt_text among = {0};
    gzt_add_border(program, GZT_AMONG, &among);
    gzt_add_exchange(
        program, among.length ? gzt_format("if (gz_i) {\n%s}\n", gzt_string(&among)) : "", text);
    gzt_add_border(program, GZT_BEHIND, text);
}

/* A loop variable that is declared outside keeps the value with which its loop ended, if it has
 * run. */
static void add_final(const struct gzt_program *program, const struct gzt_sweep *sweep,
                      const char *suffix, struct gzt_text *text)
{
    const char *ran = "gz_count > 0", *own = suffix_of_loops(sweep, suffix);
    for (int i = 0; i < sweep->loops; i++) {
        int axis = gzt_axis_of(sweep, i);
        const struct gzt_loop *loop = &sweep->loop[i];
        const char *low = gzt_format("gz_low%s[%d]", own, axis);
        const char *high = gzt_format("gz_high%s[%d]", own, axis);
        bool left = gzt_openmp_leaves(program, sweep->loop, i);
        if (!loop->declared_inside)
            gzt_add(text, "%sif (%s)\n%s = (%s)(%s > %s ? %s : %s);\n%s",
                    left ? "#ifndef _OPENMP\n" : "", ran, loop->iterator->name,
                    loop->iterator->type_name, high, low, high, low, left ? "#endif\n" : "");
        ran = gzt_format("%s && %s > %s", ran, high, low);
    }
}

/* The time is left as it ends, or, where the time loop stays, as its last loop has it. */
static bool sets_time(const struct gzt_program *program)
{
    return !program->counts && (gzt_keeps_time(program) || !program->time.declared_inside);
}

void gzt_add_final_time(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->counts && !program->measure)
        gzt_add_counted_finals(program, text);
    if (sets_time(program))
        gzt_add(text, "%s = (%s)(gz_first + (gz_count - %d) * %d);\n", program->time.iterator->name,
                program->time.iterator->type_name, gzt_keeps_time(program), program->time.step);
}

void gzt_add_own_loops(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text,
            "\nlong gz_i;\nfor (gz_i = 0; gz_i < gz_own && gz_stencil_go(gz_run, %d); gz_i++) {\n",
            gzt_levels(program));
    if (program->counts) {
        gzt_add(text, "if (gz_i > 0) {\n");
        gzt_add_advance(program, text);
        gzt_add(text, "}\n");
    } else {
        gzt_add(text, "%s = (%s)(gz_first + gz_i * %d);\n", program->time.iterator->name,
                program->time.iterator->type_name, program->time.step);
    }
    gzt_add(text, "{\n"); /* which may begin with a declaration */
}

static void add_finals(const struct gzt_program *program, struct gzt_text *text)
{
    bool first = program->form == GZT_COPY_FIRST;
    gzt_add_receiver_finals(program, GZT_BEFORE, text);
    if (first && program->copy[0].nest.loops > 0)
        add_final(program, &program->copy[0].nest, suffixes[0], text);
    if (first)
        gzt_add_receiver_finals(program, GZT_AMONG, text);
    for (int i = 0; i < program->sweeps; i++)
        add_final(program, &program->sweep[i], i ? second : "", text);
    if (!first)
        gzt_add_receiver_finals(program, GZT_AMONG, text);
    if (program->measure && program->measure->fold)
        add_final(program, &program->measure->sweep, measured, text);
    for (int copy = first ? -1 : 1; copy >= 0; copy--)
        if (program->copy[copy].nest.loops > 0)
            add_final(program, &program->copy[copy].nest, suffixes[copy], text);
    gzt_add_receiver_finals(program, GZT_BEHIND, text);
    for (int i = 0; i < program->alias_count; i++)
        if (program->aliases[i]->outside)
            gzt_add(text, "if (gz_count > 0)\n%s = (%s)(%s);\n", program->aliases[i]->decl->name,
                    program->aliases[i]->decl->type_name,
                    gzt_toggled(program, program->sweep, program->aliases[i]->node, gzt_axis_names,
                                gzt_format("(gz_first + (gz_count - 1) * %d)", program->time.step),
                                "(gz_count % 2 == 1 ? gz_toggle : 1 - gz_toggle)"));
    if (program->toggle)
        gzt_add(text, "if (gz_count %% 2 == 1)\n%s = (%s)(1 - gz_toggle);\n", program->toggle->name,
                program->toggle->type_name);
    if (program->opposite)
        gzt_add(text, "if (gz_count %% 2 == 1)\n%s = (%s)gz_toggle;\n", program->opposite->name,
                program->opposite->type_name);
    if (program->aside && !program->aside_within)
        gzt_add(text,
                "if (gz_count > 0)\n%s = (%s)(gz_count %% 2 == %d ? gz_toggle : 1 - gz_toggle);\n",
                program->aside->name, program->aside->type_name, !program->aside_flipped);
    gzt_add_final_time(program, text);
}

/* Adds the variables that count the loops to `count` others. */
static int find_times(const struct gzt_program *program, const struct gzt_decl ***list, int count)
{
    if (sets_time(program))
        gzt_push(list, &count, program->time.iterator);
    if (!program->measure)
        gzt_counted_finals(program, list, &count);
    return count;
}

/* The variables that add_finals sets, each once. */
static int find_finals(const struct gzt_program *program, const struct gzt_decl ***list)
{
    int count = 0;
    for (int i = 0; i < program->sweeps + 2 + (program->measure != NULL); i++) {
        const struct gzt_sweep *sweep = i < program->sweeps ? &program->sweep[i]
                                        : i < program->sweeps + 2
                                            ? &program->copy[i - program->sweeps].nest
                                            : &program->measure->sweep;
        for (int k = 0; k < sweep->loops; k++)
            if (!sweep->loop[k].declared_inside)
                gzt_push(list, &count, sweep->loop[k].iterator);
    }
    for (int i = 0; i < program->alias_count; i++)
        if (program->aliases[i]->outside)
            gzt_push(list, &count, program->aliases[i]->decl);
    if (program->toggle)
        gzt_push(list, &count, program->toggle);
    count = gzt_receiver_finals(program, list, count);
    if (program->opposite)
        gzt_push(list, &count, program->opposite);
    if (program->aside && !program->aside_within)
        gzt_push(list, &count, program->aside);
    count = find_times(program, list, count);
    for (int i = 0; i < count; i++)
        for (int k = count - 1; k > i; k--)
            if ((*list)[k] == (*list)[i])
                (*list)[k] = (*list)[--count];
    return count;
}

/* After the original loops, sets the variables as if without them, and compares. */
static void compare_variables(const struct gzt_program *program, const struct gzt_decl **list,
                              int count, void (*set)(const struct gzt_program *, struct gzt_text *),
                              struct gzt_text *text)
{
    for (int i = 0; i < count; i++)
        gzt_add(text, "const %s gz_was_%d = %s;\n", list[i]->type_name, i, list[i]->name);
    set(program, text);
    for (int i = 0; i < count; i++)
        gzt_add(text,
                "gz_stencil_compare_variable(gz_run, \"%s\", &gz_was_%d, (const void *)&%s, sizeof "
                "gz_was_%d);\n"
                "%s = gz_was_%d;\n",
                list[i]->name, i, list[i]->name, i, list[i]->name, i);
}

static void compare_finals(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl **list = NULL;
    int count = find_finals(program, &list);
    compare_variables(program, list, count, add_finals, text);
}

void gzt_compare_time(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl **list = NULL;
    int count = find_times(program, &list, 0);
    compare_variables(program, list, count, gzt_add_final_time, text);
}

/* -------------------------------------------------------------------------------------- call */

/* What a state buffer begins with. Where a copy comes first, or the border of a copy back comes
 * later, that is the border that is copied, and where none is, the other array's. */
static const char *first_element(const struct gzt_program *program, int buffer)
{
    int copied = program->form == GZT_COPY_BACK;
    if (program->form != GZT_COPY_FIRST && !(copied && buffer == 1))
        return gzt_state_element(program, buffer);
    return gzt_format("%s ? %s : %s", is_copied(program, 0), gzt_state_element(program, copied),
                      gzt_state_element(program, 1 - copied));
}

int gzt_add_call(struct gzt_program *program, struct gzt_text *text)
{
    struct gzt_layout layout;
    if (gzt_lay_out(program, &layout) != 0)
        return -1;
    if (program->stops)
        gzt_add(text, "long gz_done = 0, gz_more;\ndo {\n");
    if (program->stops && !program->counts)
        gzt_add(text, "const %s gz_past = (%s)(gz_done * %d);\n", program->time.iterator->type_name,
                program->time.iterator->type_name, program->time.step);
    gzt_add_call_facts(program, &layout, text);
    add_sizes(program, text);
    if (program->form == GZT_COPY_BACK)
        gzt_add(text, "if (gz_later && gz_usable == 1)\ngz_usable = %s;\n",
                program->border_count ? "GZ_STENCIL_OTHER_BORDERS" : "GZ_STENCIL_LATER_BORDER");
    gzt_add_leads(program, text);
    gzt_add(text, "gz_stencil_run *gz_run = gz_stencil_begin(&gz_this, gz_extent, gz_loops, "
                  "gz_usable);\n");
    gzt_add_receivers(program, text);
    gzt_add(text, "if (gz_stencil_ready(gz_run)) {\n");
    gzt_add_spans(program, text);
    gzt_add_receiver_spans(program, text);
    gzt_add(text, "if (gz_stencil_usable(gz_run, gz_usable)) {\n");
    const char *closing = gzt_has_third(program) ? add_equal_borders(program, text) : "";
    if (gzt_keeps_time(program))
        gzt_add(text, "gz_own = gz_count;\n");
    gzt_add_watching(program, text);
    for (int buffer = 0; buffer < (gzt_has_two_buffers(program) ? 2 : 1); buffer++)
        add_fill(program, buffer, first_element(program, buffer), text);
    if (program->form == GZT_COPY_BACK) {
        gzt_add(text, "if (gz_later) {\n");
        add_fill(program, 1, first_element(program, 1), text);
        gzt_add(text, "}\n");
    }
    gzt_add_first_points(program, text);
    add_inputs(program, &layout, text);
    bool finds = program->measure && program->measure->fold;
    if (finds)
        gzt_add_measured_loop(program, text);
    if (finds)
        gzt_add(text, "if (gz_fine) {\n");
    else
        gzt_add_receiving(program, text);
    if (program->measure && !finds)
        gzt_add_uncounted_loop(program, text);
    add_results(program, text);
    add_finals(program, text);
    gzt_add_prints(program, text);
    gzt_add(text, "}\n}\n}\n%s", closing);
    if (gzt_keeps_time(program))
        gzt_add(text, "if (gz_stencil_original(gz_run) == GZ_STENCIL_FASTER)\n"
                      "gz_own = gz_count;\n");
    gzt_add(text, "if (gz_stencil_original(gz_run)) {");
    if (gzt_keeps_time(program))
        gzt_add_own_loops(program, text);
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
    gzt_add(text, "%s}\nif (gz_stencil_checking(gz_run)) {\n",
            gzt_keeps_time(program) ? "}\n}\n" : "");
    if (gzt_has_third(program)) {
        for (int age = 0; age < (needs_third(program) ? 3 : gzt_needs_both(program) ? 2 : 1); age++)
            add_comparison(program, age > 0, aged_element(program, age), gzt_format("%d", age),
                           text);
    } else if (!gzt_has_two_buffers(program)) {
        add_comparison(program, 0, gzt_state_element(program, 0), "0", text);
    } else {
        /* After an exchange, the names tell which is which. */
        bool named = program->form == GZT_SWAP || program->form == GZT_COPY_FIRST;
        const char *even = named ? "0" : "(int)(gz_loops % 2)";
        const char *odd = named ? "1" : "(int)(1 - gz_loops % 2)";
        bool both = gzt_needs_both(program);
        gzt_add(text, "%s", both ? "{\n" : gzt_format("if (%s == 0) {\n", even));
        add_comparison(program, 0, first_element(program, 0), even, text);
        gzt_add(text, "}\n%s", both ? "{\n" : gzt_format("if (%s == 0) {\n", odd));
        add_comparison(program, 1, gzt_state_element(program, 1), odd, text);
        gzt_add(text, "}\n");
    }
    gzt_compare_received(program, text);
    compare_finals(program, text);
    gzt_compare_measured(program, text);
    gzt_compare_leads(program, text);
    gzt_add(text, "}\n");
    if (program->stops)
        gzt_add(text, "gz_more = gz_stencil_again(gz_run) / %d;\ngz_done += gz_more;\n",
                gzt_levels(program));
    gzt_add(text, "gz_stencil_end(gz_run);\n%s",
            program->stops ? "} while (gz_more > 0);\n(void)gz_done;\n" : "");
}
