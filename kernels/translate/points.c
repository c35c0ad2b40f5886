/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "points.h"

#include "access.h"
#include "asked.h"
#include "cells.h"
#include "effects.h"
#include "emit.h"
#include "loads.h"
#include "locals.h"
#include "loops.h"
#include "reads.h"

#include <string.h>

static int refuse(const struct gzt_program *program, const struct gzt_point *point, const char *why)
{
    return gzt_refuse(program->source, point->assignment->begin,
                      "%s sets cells beside the sweep: %s",
                      gzt_node_text(program->source, point->assignment), why);
}

/* ------------------------------------------------------------------------------ what stays */

/* Whether an array that the loops write has that text before its subscripts. */
static bool is_written(const struct gzt_program *program, const char *text)
{
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->written && strcmp(program->arrays[i]->base, text) == 0)
            return true;
    return false;
}

/* What an expression may hang on. */
enum hanging { NOTHING, TIME, PLANE };
struct search {
    const struct gzt_program *program;
    enum hanging on;
    const struct gzt_node *found;
};

/* What differs from cell to cell, or in a way that only the loops themselves tell. */
static int is_foreign(const struct gzt_node *node, void *data)
{
    struct search *search = data;
    const struct gzt_program *program = search->program;
    const struct gzt_node *time = program->time.node, *alias = NULL;
    bool named = node->kind == GZT_REF || node->kind == GZT_MEMBER;
    bool bad = node->is_volatile || node->kind == GZT_UNKNOWN ||
               (named && is_written(program, gzt_node_text(program->source, node)));

    if (node->kind == GZT_REF && node->decl->variable && !bad) {
        const struct gzt_decl *decl = node->decl;
        alias = search->on == NOTHING ? NULL : gzt_alias_of(program, node);
        bool inside = decl->offset >= time->begin && decl->offset < time->end;
        if (decl == program->time.iterator)
            bad = search->on == NOTHING;
        else if ((decl != program->toggle && decl != program->opposite) || search->on != PLANE)
            bad = !alias && (inside || gzt_assignments(time->child[3], decl) > 0);
    }
    search->found = bad ? node : search->found;
    return bad;
}

/* A call is made on the host, so that it may round as it likes. */
struct calls {
    struct gzt_program *program;
};
static int refuse_call(const struct gzt_node *node, void *data)
{
    struct gzt_program *program = ((struct calls *)data)->program, probe = *program;
    struct gzt_source source = *program->source;
    if (node->kind != GZT_CALL)
        return 0;
    source.contract = true;
    probe.source = &source;
    probe.functions = NULL;
    probe.function_count = 0;
    int status = gzt_check_call(&probe, node);
    source.contract = program->source->contract;
    *program->source = source;
    return status;
}

static int check_steady(struct gzt_program *program, const struct gzt_point *point,
                        const struct gzt_node *node, enum hanging on);

/* What a variable that each loop sets anew stands for. */
struct meaning {
    struct gzt_program *program;
    const struct gzt_point *point;
    enum hanging on;
};
static int check_meaning(const struct gzt_node *node, void *data)
{
    const struct meaning *meaning = data;
    const struct gzt_node *alias =
        node->kind == GZT_REF ? gzt_alias_of(meaning->program, node) : NULL;
    return alias ? check_steady(meaning->program, meaning->point, alias, meaning->on) : 0;
}

/* An expression that is the same for all cells. */
static int check_steady(struct gzt_program *program, const struct gzt_point *point,
                        const struct gzt_node *node, enum hanging on)
{
    struct search search = {program, on, NULL};
    struct calls calls = {program};
    struct meaning meaning = {program, point, on};
    if (gzt_walk(node, is_foreign, &search) != 0)
        return refuse(program, point,
                      gzt_format(on == TIME
                                     ? "must follow from that cell, the time and what stays the "
                                       "same, not from %s"
                                     : "its place must be the same in all loops, and %s is not",
                                 gzt_node_text(program->source, search.found)));
    return gzt_refuse_effect(program->source, node) != 0 ||
                   gzt_walk(node, refuse_call, &calls) != 0 ||
                   gzt_walk(node, check_meaning, &meaning) != 0
               ? -1
               : 0;
}

/* ------------------------------------------------------------------------------- the memory */

void gzt_add_sources(struct gzt_program *program, int sweep, const struct gzt_node *node,
                     const struct gzt_guard *guards)
{
    gzt_find_loads(program, (struct gzt_input){.node = node, .sweep = sweep, .guards = guards},
                   &program->sources, &program->source_count);
}

/* ------------------------------------------------------------------------------- the place */

bool gzt_moves_first(const struct gzt_program *program)
{
    return program->form == GZT_COPY_FIRST ||
           (program->form == GZT_SWAP && program->exchange.first);
}

const struct gzt_array *gzt_array_at(const struct gzt_program *program, enum gzt_position position)
{
    const struct gzt_array *written = program->sweep[0].write.array;
    if (gzt_moves_first(program))
        return position == GZT_AMONG ? program->state[1] : written;
    return position == GZT_AMONG ? written : program->state[0];
}

bool gzt_is_written_plane(struct gzt_program *program, const struct gzt_node *written,
                          const struct gzt_node *own, int later)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_pw_aff *plane = gzt_affine(&space, written), *chosen;
    /* Behind what changes the toggle, its text means the other plane. */
    bool turned = program->turn_count && own->begin > program->turns[0]->begin;
    space.later = later;
    chosen = gzt_affine(&space, own);
    space.later = 0;
    bool same = plane && chosen && !turned && gzt_is_plane(&space, chosen, plane, false) &&
                !gzt_depends_on_cell(&space, written);
    isl_pw_aff_free(plane);
    isl_pw_aff_free(chosen);
    return same && !(later && program->toggle);
}

bool gzt_chooses_plane(const struct gzt_program *program, const struct gzt_node *written)
{
    struct gzt_space space = gzt_space_of(program, &program->sweep[0]);
    return program->form == GZT_PARITY &&
           (gzt_depends(&space, written, space.time) ||
            (program->toggle && gzt_depends(&space, written, program->toggle)));
}

/* Under which C reads what a point is made of; NULL if always. */
static const struct gzt_guard *guard_of(const struct gzt_point *point)
{
    return point->condition ? gzt_guard_by(point->condition, true, NULL) : NULL;
}

/* In planes that take turns, the subscript that chooses one must be that of the sweep. */
static int check_plane(struct gzt_program *program, const struct gzt_point *point,
                       const struct gzt_node *written, const struct gzt_node *own)
{
    if (!gzt_is_written_plane(program, written, own, point->ahead))
        return refuse(program, point,
                      gzt_format("%s is not proven to be the plane that the sweep %s",
                                 gzt_node_text(program->source, own),
                                 point->ahead ? "reads" : "writes"));
    return check_steady(program, point, own, PLANE);
}

static int check_subscripts(struct gzt_program *program, const struct gzt_point *point)
{
    const struct gzt_node *at = point->element, *as = program->sweep[0].write.node;

    for (; at->kind == GZT_SUBSCRIPT && as->kind == GZT_SUBSCRIPT;
         at = gzt_bare(at->child[0]), as = gzt_bare(as->child[0])) {
        const struct gzt_node *own = at->child[1], *written = as->child[1];
        if ((gzt_chooses_plane(program, written) ? check_plane(program, point, written, own)
                                                 : check_steady(program, point, own, NOTHING)) != 0)
            return -1;
        gzt_add_sources(program, 0, own, guard_of(point));
    }
    return at->kind == as->kind
               ? 0
               : refuse(program, point, "it has other subscripts than the sweep's element");
}

static int check_place(struct gzt_program *program, const struct gzt_point *point)
{
    const struct gzt_array *array = gzt_array_at(program, point->position);
    const struct gzt_node *base = gzt_base_of(point->element);

    if (program->sweeps != 1 || program->sweep[0].guarded)
        return refuse(program, point,
                      program->sweeps != 1
                          ? "not translated yet beside two sweeps"
                          : "not translated yet beside a sweep that leaves cells as they were");
    if (strcmp(gzt_node_text(program->source, base), array->base) != 0)
        return refuse(program, point,
                      gzt_format("must be of %s there, which holds the state", array->base));
    return check_subscripts(program, point);
}

/* ------------------------------------------------------------------------------- the value */

static bool is_element(const struct gzt_program *program, const struct gzt_point *point,
                       const struct gzt_node *node)
{
    return node->kind == GZT_SUBSCRIPT &&
           strcmp(gzt_node_text(program->source, node),
                  gzt_node_text(program->source, point->element)) == 0;
}

static bool holds_element(const struct gzt_program *program, const struct gzt_point *point,
                          const struct gzt_node *node)
{
    bool found = is_element(program, point, node);
    for (int i = 0; i < node->count && !found; i++)
        found = holds_element(program, point, node->child[i]);
    return found;
}

static int point_words(const struct gzt_program *program, const struct gzt_point *point)
{
    int words = point->acts != NULL;
    for (int k = 0; k < point->part_count; k++)
        words += gzt_words_of(program->type, point->parts[k]->type);
    return words;
}

int gzt_point_values(const struct gzt_program *program)
{
    int words = 0;
    for (int i = 0; i < program->point_count; i++)
        words += point_words(program, program->points[i]);
    return words;
}

int gzt_part_number(const struct gzt_program *program, const struct gzt_part *part)
{
    return part->first + gzt_step_words(program);
}

static int add_part(struct gzt_program *program, struct gzt_point *point,
                    const struct gzt_node *node, enum gzt_type type)
{
    struct gzt_part *part = gzt_alloc(sizeof *part);
    *part = (struct gzt_part){node, type, gzt_point_values(program) + point_words(program, point)};
    gzt_push(&point->parts, &point->part_count, part);
    if (type != GZT_INT && type != GZT_FLOAT && type != GZT_DOUBLE)
        return refuse(program, point, "is computed in other types than int, float and double");
    if (check_steady(program, point, node, TIME) != 0)
        return -1;
    gzt_add_sources(program, 0, node, guard_of(point));
    return 0;
}

static bool is_computed(const struct gzt_node *node)
{
    static const char *const signs[] = {"+", "-", "*", "/"};
    bool plain = node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT;
    for (int i = 0; i < 4 && !plain; i++)
        plain = gzt_is_binary(node, signs[i]) ||
                (i < 2 && node->kind == GZT_UNARY && strcmp(node->op, signs[i]) == 0);
    return plain;
}

/* Takes apart what hangs on the element, down to parts that do not. */
static int split(struct gzt_program *program, struct gzt_point *point, const struct gzt_node *node,
                 enum gzt_type type)
{
    if (is_element(program, point, node))
        return 0;
    if (!holds_element(program, point, node))
        return add_part(program, point, node, type);
    if (!is_computed(node))
        return refuse(program, point,
                      "must be computed from that cell by +, -, * and / of what does not hang on "
                      "it");
    for (int i = 0; i < node->count; i++)
        if (split(program, point, node->child[i], node->type) != 0)
            return -1;
    return 0;
}

/* In which type C computes with the element and another number. */
static enum gzt_type common(enum gzt_type element, enum gzt_type other)
{
    if (element == GZT_DOUBLE || other == GZT_DOUBLE)
        return other <= GZT_SMALL ? GZT_DOUBLE : GZT_OTHER;
    if (element == GZT_FLOAT || other == GZT_FLOAT)
        return other <= GZT_SMALL ? GZT_FLOAT : GZT_OTHER;
    return other == GZT_SMALL || other == GZT_INT ? GZT_INT : GZT_OTHER;
}

static int read_value(struct gzt_program *program, struct gzt_point *point)
{
    const struct gzt_node *node = point->assignment;
    if (node->kind == GZT_UNARY)
        return 0;
    if (gzt_is_binary(node, "="))
        return split(program, point, node->child[1], program->type);
    if (strlen(node->op) != 2 || !strchr("+-*/", node->op[0]))
        return refuse(program, point, "must be assigned by =, +=, -=, *= or /=");
    if (holds_element(program, point, node->child[1]))
        return refuse(program, point, "must not hang on itself otherwise");
    return add_part(program, point, node->child[1],
                    common(program->type, gzt_bare(node->child[1])->type));
}

/* Whether it acts, where that differs from loop to loop. */
static int read_condition(struct gzt_program *program, struct gzt_point *point)
{
    if (!point->condition && !point->ahead)
        return 0;
    struct gzt_part *part = gzt_alloc(sizeof *part);
    *part = (struct gzt_part){point->condition, program->type,
                              gzt_point_values(program) + point_words(program, point)};
    point->acts = part;
    if (!point->condition)
        return 0;
    gzt_add_sources(program, 0, point->condition, NULL);
    return check_steady(program, point, point->condition, TIME);
}

int gzt_add_point(struct gzt_program *program, const struct gzt_node *node,
                  const struct gzt_node *condition, enum gzt_position position)
{
    struct gzt_point *point = gzt_alloc(sizeof *point);
    *point = (struct gzt_point){.assignment = node,
                                .element = gzt_bare(node->child[0]),
                                .condition = condition,
                                .position = position,
                                .ahead = position == GZT_BEFORE ||
                                         (position == GZT_AMONG && gzt_moves_first(program))};
    if (check_place(program, point) != 0 || read_value(program, point) != 0 ||
        read_condition(program, point) != 0)
        return -1;
    /* What is copied from has no point that is set behind the copy. */
    if (position == GZT_BEHIND && (program->form == GZT_COPY_BACK || program->form == GZT_COPIES))
        program->tail = 1;
    program->operations++;
    gzt_push(&program->points, &program->point_count, point);
    return 0;
}

enum gzt_point_role gzt_point_role(const struct gzt_program *program, const struct gzt_point *point,
                                   const struct gzt_node *node, const struct gzt_part **part)
{
    for (int i = 0; i < point->part_count; i++)
        if (point->parts[i]->node == node) {
            *part = point->parts[i];
            return GZT_POINT_PART;
        }
    return is_element(program, point, node) ? GZT_POINT_ELEMENT : GZT_POINT_OTHER;
}

/* ------------------------------------------------------------------------------- emission */

/* A cell's element in the array of a point. */
static const char *cell_element(const struct gzt_program *program, const struct gzt_point *point)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    const struct gzt_array *array = gzt_array_at(program, point->position);
    if (program->form == GZT_PARITY)
        return gzt_toggled(program, sweep, sweep->write.node, gzt_axis_names, "gz_first",
                           "gz_toggle");
    return gzt_elsewhere(program, sweep, sweep->write.node, gzt_axis_names,
                         sweep->write.array->base, array->base);
}

/* Whether a point acts at gz_time, in C. */
static const char *acts(const struct gzt_program *program, const struct gzt_point *point)
{
    return point->condition
               ? gzt_format("((%s) != 0)",
                            gzt_of_cell(program, program->sweep, point->condition, NULL, "gz_time"))
               : "1";
}

/* Declares gz_found as 0 if a point acts in any loop: C asks for its place then alone. */
static void add_sought(const struct gzt_program *program, const struct gzt_point *point,
                       struct gzt_text *text)
{
    gzt_add(text, "int gz_found = %d;\n", point->condition != NULL);
    if (point->condition)
        gzt_add(text,
                "for (long gz_i = 0; gz_i < gz_count && gz_found; gz_i++) {\n"
                "const long gz_time = gz_first + gz_i * %d;\n(void)gz_time;\ngz_found = !%s;\n}\n",
                program->time.step, acts(program, point));
}

static void add_place(const struct gzt_program *program, int number, struct gzt_text *text)
{
    const struct gzt_point *point = program->points[number];
    const char *cell = cell_element(program, point);

    gzt_add(text,
            "long gz_place_%d[3] = {0, 0, 0};\n"
            "if (gz_any && gz_count > 0 && gz_usable == 1) {\n",
            number);
    add_sought(program, point, text);
    gzt_add(
        text, "if (!gz_found) {\nconst char *const gz_point = (const char *)&%s;\n",
        gzt_toggled(program, program->sweep, point->element, gzt_axis_names,
                    point->ahead ? gzt_format("(gz_first + %d)", program->time.step) : "gz_first",
                    "gz_toggle"));
    for (int axis = program->dimensions - 1; axis > 0; axis--)
        gzt_add(text, "for (long %s = gz_low[%d]; %s < gz_high[%d] && !gz_found; %s++)\n",
                gzt_axis_names[axis], axis, gzt_axis_names[axis], axis, gzt_axis_names[axis]);
    gzt_add(text,
            "{\nlong gz_x = gz_low[0];\nconst char *const gz_row = (const char *)&%s;\n"
            "gz_x += gz_extent[0] > 1;\nlong gz_step = (const char *)&%s - gz_row;\n"
            "gz_step = gz_step ? gz_step : (long)sizeof(%s);\n"
            "gz_x = gz_low[0] + (gz_point - gz_row) / gz_step;\n"
            "if (gz_x >= gz_low[0] && gz_x < gz_high[0] && (const char *)&%s == gz_point) {\n"
            "gz_found = 1;\n",
            cell, cell, cell, cell);
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, "gz_place_%d[%d] = %s - gz_low[%d] + %d;\n", number, axis,
                gzt_axis_names[axis], axis, gzt_grid_rim(program, axis));
    gzt_add(text, "}\n}\n}\nif (!gz_found)\ngz_usable = GZ_STENCIL_OTHER_POINTS;\n}\n");
}

void gzt_add_places(const struct gzt_program *program, struct gzt_text *text)
{
    for (int i = 0; i < program->point_count; i++)
        add_place(program, i, text);
}

void gzt_add_step_value(const struct gzt_program *program, int number, enum gzt_type kind,
                        const char *loop, const char *value, struct gzt_text *text)
{
    const char *name = gzt_type_text(kind);
    gzt_add(text,
            "{\nconst %s gz_value = (%s)(%s);\n"
            "char *gz_to = (char *)((%s *)gz_stencil_values(gz_run, %s) + %d);\n"
            "for (unsigned gz_k = 0; gz_k < sizeof gz_value; gz_k++)\n"
            "gz_to[gz_k] = ((const char *)&gz_value)[gz_k];\n}\n",
            name, name, value, gzt_type_text(program->type), loop, number);
}

static void add_part_of_loop(const struct gzt_program *program, const struct gzt_part *part,
                             const char *value, struct gzt_text *text)
{
    gzt_add_step_value(program, gzt_part_number(program, part), part->type, "gz_i", value, text);
}

void gzt_add_parts(const struct gzt_program *program, struct gzt_text *text)
{
    for (int i = 0; i < program->point_count; i++) {
        const struct gzt_point *point = program->points[i];
        gzt_add(text,
                "for (long gz_i = 0; gz_i < gz_count; gz_i++) {\n"
                "const long gz_time = gz_first + (gz_i + %d) * %d;\n(void)gz_time;\n"
                "const int gz_acts = %s%s;\n",
                point->ahead, program->time.step, point->ahead ? "gz_i + 1 < gz_count && " : "",
                acts(program, point));
        if (point->acts)
            add_part_of_loop(program, point->acts, "gz_acts", text);
        gzt_add(text, "if (gz_acts) {\n");
        for (int k = 0; k < point->part_count; k++)
            add_part_of_loop(
                program, point->parts[k],
                gzt_of_cell(program, program->sweep, point->parts[k]->node, NULL, "gz_time"), text);
        gzt_add(text, "}\n}\n");
    }
}

void gzt_add_first_points(const struct gzt_program *program, struct gzt_text *text)
{
    for (int i = 0; i < program->point_count; i++) {
        const struct gzt_point *point = program->points[i];
        if (!point->ahead)
            continue;
        gzt_add(text,
                "{\nconst long gz_time = gz_first;\n(void)gz_time;\nif (%s) {\n"
                "%s *gz_at = (%s *)gz_stencil_buffer(gz_run, 0) +\n"
                "(gz_place_%d[2] * gz_size[1] + gz_place_%d[1]) * gz_size[0] + gz_place_%d[0];\n"
                "%s;\n}\n}\n",
                acts(program, point), gzt_type_text(program->type), gzt_type_text(program->type), i,
                i, i, gzt_set_elsewhere(program, point, "(*gz_at)"));
    }
}
