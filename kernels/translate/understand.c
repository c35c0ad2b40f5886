/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * understand.c - recognises the form of a region: which loop is the time, which nests are sweeps,
 * which array holds the state when.
 */
#include "aliases.h"
#include "borders.h"
#include "counts.h"
#include "cuts.h"
#include "effects.h"
#include "forms.h"
#include "locals.h"
#include "looks.h"
#include "loops.h"
#include "measure.h"
#include "outlives.h"
#include "points.h"
#include "reads.h"
#include "receivers.h"
#include "systems.h"
#include "tested.h"
#include "toggles.h"

#include <stdlib.h>
#include <string.h>

/* Behind the assignments that a head of a loop is for. */
static int refuse_effect_in_head(struct gzt_source *source, const struct gzt_node *node)
{
    if (gzt_is_binary(node, ","))
        return refuse_effect_in_head(source, node->child[0]) != 0 ||
                       refuse_effect_in_head(source, node->child[1]) != 0
                   ? -1
                   : 0;
    if (!gzt_is_assignment(node))
        return node->kind == GZT_DECL ? 0 : gzt_refuse_effect(source, node);
    return node->count == 2 ? gzt_refuse_effect(source, node->child[1]) : 0;
}

/* Expressions that are written elsewhere, and there as often as it takes. */
static int refuse_effects(const struct gzt_node *node, void *source)
{
    if (node->kind == GZT_SUBSCRIPT || node->kind == GZT_MEMBER)
        return gzt_refuse_effect(source, node);
    if (node->kind == GZT_VARIABLE)
        return node->count ? gzt_refuse_effect(source, node->child[0]) : 0;
    if (node->kind != GZT_FOR || node->count != 4)
        return 0;
    return refuse_effect_in_head(source, node->child[0]) != 0 ||
                   gzt_refuse_effect(source, node->child[1]) != 0 ||
                   refuse_effect_in_head(source, node->child[2]) != 0
               ? -1
               : 0;
}

/* A goto elsewhere in the function to a label in the loop, or its address. */
struct jumps {
    struct gzt_source *source;
    const struct gzt_node *time;
};
static int refuse_jump(const struct gzt_node *node, void *data)
{
    const struct jumps *jumps = data;
    const struct gzt_node *time = jumps->time;
    int label = gzt_label_of(node);
    if (label < time->begin || label >= time->end ||
        (node->begin >= time->begin && node->begin < time->end))
        return 0;
    return gzt_refuse(jumps->source, node->begin, "%s leads into the loop",
                      gzt_node_text(jumps->source, node));
}

/* Statements that would end a loop early or do what no device can. */
static int refuse_forbidden(const struct gzt_node *node, void *data)
{
    struct gzt_source *source = data;
    static const struct {
        const char *kind, *word;
    } jumps[] = {{"BreakStmt", "break"},
                 {"ContinueStmt", "continue"},
                 {"GotoStmt", "goto"},
                 {"WhileStmt", "while"},
                 {"DoStmt", "do"}};
    if (gzt_is_once(node))
        return 0;
    if (gzt_is_kind(node, "SwitchStmt"))
        return gzt_refuse(
            source, node->begin,
            "a switch must hold cases of plain numbers that each end in break: must be ifs");
    if (node->kind == GZT_VARIABLE && !node->decl->automatic)
        return gzt_refuse(source, node->begin,
                          "%s is declared static or extern in the loop: declare it before the loop",
                          node->decl->name);
    for (int i = 0; node->kind == GZT_DECL && i < node->count; i++)
        if (node->child[i]->kind != GZT_VARIABLE)
            return gzt_refuse(source, node->child[i]->begin,
                              "%s in the loop: only variables may be declared there",
                              gzt_node_text(source, node->child[i]));
    if (node->kind == GZT_REF && strncmp(node->decl->name, "gz_", 3) == 0)
        return gzt_refuse(source, node->begin, "%s: names that begin with gz_ are reserved for gzc",
                          node->decl->name);
    if (node->kind == GZT_RETURN)
        return gzt_refuse(source, node->begin,
                          "return in the loop: the loops must run to their ends");
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        if (gzt_is_kind(node, jumps[i].kind))
            return gzt_refuse(source, node->begin,
                              "%s in the loop: the loops must run to their ends", jumps[i].word);
    return 0;
}

static bool has_loop(const struct gzt_node *node)
{
    if (node->kind == GZT_FOR)
        return true;
    for (int i = 0; i < node->count; i++)
        if (has_loop(node->child[i]))
            return true;
    return false;
}

/* int n = g->n; between the sweeps, which would be the same before them. */
static bool take_late_aliases(struct gzt_program *program, const struct gzt_node *time,
                              const struct gzt_node *node)
{
    return node->kind == GZT_DECL && gzt_walk(node, gzt_is_changing, (void *)time) == 0 &&
           gzt_take_aliases(program, time, node, false);
}

static bool sets_for_points(const struct gzt_program *program, const struct gzt_node *time,
                            const struct gzt_node *node);

/* Whether only points behind a statement of the time loop use the variable that it sets. */
static bool is_for_points(const struct gzt_program *program, const struct gzt_node *time,
                          const struct gzt_node *statement, const struct gzt_decl *decl)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    bool only = !gzt_mentions(time->child[1], decl) && !gzt_mentions(time->child[2], decl);
    gzt_statements(time->child[3], &list, &count);
    for (int i = 0; i < count && only; i++)
        only = list[i] == statement || !gzt_mentions(list[i], decl) ||
               (list[i]->begin > statement->begin &&
                (gzt_may_be_border(list[i], list[i]->kind == GZT_FOR ? 0 : 1) ||
                 (program->guarded && gzt_may_be_points(list[i])) ||
                 sets_for_points(program, time, list[i])));
    for (int i = 0; i < program->look_count; i++)
        only = only && !gzt_mentions(program->looks[i]->node, decl);
    return only;
}

/* double s = w[t] * sin(f * t); for points behind it. */
static bool sets_for_points(const struct gzt_program *program, const struct gzt_node *time,
                            const struct gzt_node *node)
{
    if (gzt_is_binary(node, "=") && gzt_assigned(node))
        return is_for_points(program, time, node, gzt_assigned(node));
    bool all = node->kind == GZT_DECL && node->count > 0;
    for (int i = 0; i < node->count && all; i++)
        all = node->child[i]->kind == GZT_VARIABLE &&
              (node->child[i]->count == 0 ||
               is_for_points(program, time, node, node->child[i]->decl));
    return all;
}

static bool take_value_of_points(struct gzt_program *program, const struct gzt_node *time,
                                 const struct gzt_node *node)
{
    bool all = sets_for_points(program, time, node);
    if (all && node->kind != GZT_DECL)
        return gzt_add_value(program, time, gzt_assigned(node), node->child[1], 1);
    for (int i = 0; i < node->count && all; i++)
        all = node->child[i]->count == 0 ||
              gzt_add_value(program, time, node->child[i]->decl, node->child[i]->child[0], 0);
    return all;
}

/* for (int t = 0, now = 0 % 2; ...; t++, now = t % 2): what is not the time is an alias if the
 * header sets it alike at both places. */
static const struct gzt_node *plain_header(struct gzt_program *program, const struct gzt_node *time)
{
    const struct gzt_node *first = time->child[0], *step = gzt_bare(time->child[2]);
    const struct gzt_node *steps[8] = {step};
    int count = 0;

    if (first->kind != GZT_DECL || first->count < 2)
        return time;
    while (gzt_is_binary(step, ",") && count < 7) {
        steps[count++] = step->child[1];
        step = gzt_bare(step->child[0]);
    }
    steps[count++] = step;
    if (count != first->count)
        return time;
    for (int i = 1; i < count; i++) {
        const struct gzt_node *again = gzt_bare(steps[count - 1 - i]), *variable = first->child[i];
        if (!gzt_is_binary(again, "=") || gzt_assigned(again) != variable->decl ||
            variable->count != 1 ||
            strcmp(gzt_node_text(program->source, again->child[1]),
                   gzt_node_text(program->source, variable->child[0])) != 0 ||
            gzt_reads_data(variable->child[0]) ||
            !gzt_add_value(program, time, variable->decl, variable->child[0], 0))
            return time;
    }
    struct gzt_node *loop = gzt_copy_alone(time), *begin = gzt_alloc(sizeof *begin);
    *begin = *first;
    begin->count = 1;
    gzt_push(&loop->child, &loop->count, begin);
    gzt_push(&loop->child, &loop->count, time->child[1]);
    gzt_push(&loop->child, &loop->count, (struct gzt_node *)steps[count - 1]);
    gzt_push(&loop->child, &loop->count, time->child[3]);
    return loop;
}

/* A[i] = B[i] and nothing else, as far as the kinds of its parts tell. */
static bool may_copy(const struct gzt_node *node)
{
    return gzt_is_binary(node, "=") && gzt_bare(node->child[0])->kind == GZT_SUBSCRIPT &&
           gzt_bare(node->child[1])->kind == GZT_SUBSCRIPT;
}

/* B[i] = A[i], A[i] = C[i]. */
static bool are_copies(const struct gzt_source *source, const struct gzt_node **list)
{
    return may_copy(list[0]) && may_copy(list[1]) &&
           strcmp(gzt_node_text(source, gzt_bare(list[0]->child[1])),
                  gzt_node_text(source, gzt_bare(list[1]->child[0]))) == 0;
}

/* Loops with another statement in the place of the innermost body. */
static struct gzt_node *around(const struct gzt_node *nest, const struct gzt_node *body,
                               const struct gzt_node *statement)
{
    struct gzt_node *copy = gzt_copy_alone(nest);
    if (nest == body)
        return (struct gzt_node *)statement;
    for (int i = 0; i < nest->count; i++)
        gzt_push(&copy->child, &copy->count,
                 i < nest->count - 1 && nest->kind == GZT_FOR
                     ? nest->child[i]
                     : around(nest->child[i], body, statement));
    return copy;
}

/* A nest, or two if it is the second and makes two copies of elements. */
static void add_nest(const struct gzt_source *source, struct gzt_loop_body *body,
                     const struct gzt_node *nest)
{
    const struct gzt_node **list = NULL, *innermost = nest;
    int count;
    do {
        innermost = innermost->child[innermost->count - 1];
        list = NULL;
        count = 0;
        gzt_statements(innermost, &list, &count);
        if (count == 1 && list[0]->kind == GZT_FOR)
            innermost = list[0];
    } while (count == 1 && innermost->kind == GZT_FOR && innermost->count == 4);
    if (body->nest_count != 1 || count != 2 || !are_copies(source, list)) {
        gzt_push(&body->nests, &body->nest_count, nest);
        return;
    }
    body->split = list[1];
    for (int i = 0; i < 2; i++)
        gzt_push(&body->nests, &body->nest_count, around(nest, innermost, list[i]));
}

static void set_aside(struct gzt_loop_body *body, const struct gzt_node *node)
{
    bool before = body->nest_count + body->other_count == 0;
    body->positions[body->border_count] = before ? GZT_BEFORE : GZT_BEHIND;
    gzt_push(&body->borders, &body->border_count, node);
}

/* Those of which a sweep, or what belongs to it, stands behind. */
static void place_borders(struct gzt_loop_body *body)
{
    for (int i = 0; i < body->border_count; i++) {
        int at = body->borders[i]->begin;
        bool among = body->nest_count && body->nests[body->nest_count - 1]->begin > at;
        among = among || (body->other_count && body->others[body->other_count - 1]->begin > at);
        if (among && body->positions[i] == GZT_BEHIND)
            body->positions[i] = GZT_AMONG;
    }
}

/* A point, or those that an if guards, which must not lie beyond the domain. */
static int add_points(struct gzt_program *program, const struct gzt_node *node,
                      enum gzt_position position)
{
    const struct gzt_node **list = NULL;
    int count = 0, status = 0;
    if (node->kind != GZT_IF)
        return gzt_add_point(program, node, NULL, position);
    gzt_statements(node->child[1], &list, &count);
    for (int i = 0; i < count && status == 0; i++)
        status = gzt_lies_beyond(program, list[i])
                     ? gzt_refuse(program->source, list[i]->begin,
                                  "%s sets cells beside the sweep: must be set in each loop",
                                  gzt_node_text(program->source, list[i]))
                     : gzt_add_point(program, list[i], node->child[0], position);
    return status;
}

/* Takes the points from among the statements; those behind a border would have to change it, too.
 */
static int take_points(struct gzt_program *program, struct gzt_loop_body *body)
{
    const struct gzt_node *ahead = NULL;
    bool borders = false;
    int kept = 0;
    for (int i = 0; i < body->border_count; i++) {
        const struct gzt_node *node = body->borders[i];
        enum gzt_position position = body->positions[i];
        if (node->kind == GZT_FOR || (node->kind != GZT_IF && gzt_lies_beyond(program, node))) {
            borders = borders || position != GZT_BEFORE;
            if (ahead && borders)
                return gzt_refuse(program->source, ahead->begin,
                                  "%s sets cells beside the sweep: not translated yet before a "
                                  "sweep behind which a border is set",
                                  gzt_node_text(program->source, ahead));
            body->positions[kept] = position;
            body->borders[kept++] = node;
        } else if (borders || (position == GZT_BEFORE && kept > 0)) {
            return gzt_refuse(
                program->source, node->begin,
                "%s sets cells beside the sweep: a point must be set before the border",
                gzt_node_text(program->source, node));
        } else if (add_points(program, node, position) != 0) {
            return -1;
        } else if (position == GZT_BEFORE) {
            ahead = node;
        }
    }
    body->border_count = kept;
    return 0;
}

/* What follows from their standing in the time loop. */
static int check_borders(struct gzt_program *program, struct gzt_loop_body *body)
{
    if (body->border_count == 0)
        return 0;
    if (program->measure)
        return gzt_refuse(
            program->source, body->borders[0]->begin,
            "%s beside the sweep: a loop that data end may only compute and move the state",
            gzt_node_text(program->source, body->borders[0]));
    place_borders(body);
    const struct gzt_node *last = body->borders[body->border_count - 1];
    if (take_points(program, body) != 0)
        return -1;
    if (gzt_keeps_time(program) || body->border_count > 0)
        if (!program->plain)
            return gzt_refuse(program->source, last->begin,
                              "%s sets cells beside the sweep: the time loop must be a plain one",
                              gzt_node_text(program->source, last));
    return gzt_read_borders(program, body->borders, body->positions, body->border_count);
}

static void sort_body(struct gzt_program *program, const struct gzt_node *time,
                      struct gzt_loop_body *body)
{
    const struct gzt_node **list = NULL;
    int count = 0, deepest = 0;
    gzt_statements(time->child[3], &list, &count);
    gzt_take_toggle(program, time);
    for (int i = 0; i < count; i++)
        deepest = gzt_depth(list[i]) > deepest ? gzt_depth(list[i]) : deepest;
    body->positions = gzt_alloc((size_t)(count + 1) * sizeof *body->positions);
    for (int i = 0; i < count; i++)
        if (gzt_may_be_border(list[i], deepest) || (program->guarded && gzt_may_be_points(list[i])))
            set_aside(body, list[i]);
        else if (list[i]->kind == GZT_FOR)
            add_nest(program->source, body, list[i]);
        else if (!gzt_is_bare(list[i]) && !gzt_is_turn(program, list[i]) &&
                 !(body->nest_count == 0 ? gzt_take_aliases(program, time, list[i], false)
                                         : take_late_aliases(program, time, list[i])) &&
                 !take_value_of_points(program, time, list[i]))
            gzt_push(&body->others, &body->other_count, list[i]);
}

/* How often the time loop runs must be known before it does. */
static int check_count(struct gzt_source *source, const struct gzt_node *time,
                       const struct gzt_loop *loop)
{
    const struct gzt_node *bounds[] = {loop->low, loop->high};
    for (int i = 0; i < 2; i++) {
        const char *text = gzt_node_text(source, bounds[i]);
        if (!gzt_is_integer(gzt_bare(bounds[i])->type))
            return gzt_refuse(source, bounds[i]->begin,
                              "the bound %s of the time loop is a %s: must be a whole number", text,
                              gzt_bare(bounds[i])->type_name);
        if (i == 1 && (gzt_walk(bounds[i], gzt_is_changing, (void *)time) != 0 ||
                       gzt_mentions(bounds[i], loop->iterator)))
            return gzt_refuse(source, bounds[i]->begin,
                              "the bound %s of the time loop changes within the loops", text);
        if (gzt_reads_data(bounds[i]))
            return gzt_refuse(source, bounds[i]->begin,
                              "the bound %s of the time loop must be computed from scalars alone",
                              text);
    }
    return 0;
}

/* Whether the head of a for says how many loops there are. */
static bool is_plain(struct gzt_program *program, const struct gzt_node *node)
{
    struct gzt_source before = *program->source;
    struct gzt_loop loop;
    bool plain = gzt_read_loop(program->source, node, &loop) == 0 &&
                 check_count(program->source, node, &loop) == 0;
    *program->source = before;
    return plain;
}

/* A statement of the region as the time loop, or NULL with the error set. */
static const struct gzt_node *as_time_loop(struct gzt_program *program, const struct gzt_node *node)
{
    bool is_for = node->kind == GZT_FOR && node->count == 4;
    const struct gzt_node *loop = is_for ? plain_header(program, node) : node;
    program->alias_count = loop == node ? 0 : program->alias_count;
    if (loop == node)
        loop = gzt_take_counts(program, node, is_for && is_plain(program, node));
    if (!loop && node->kind == GZT_FOR)
        loop = node;
    if (!loop)
        gzt_refuse(program->source, node->begin,
                   gzt_is_kind(node, "WhileStmt") || gzt_is_kind(node, "DoStmt")
                       ? "the time loop must count: for (t = 0; t < STEPS; t++), or while (t < "
                         "STEPS) with t++ at its end; no tile can tell when the data end it"
                       : "the annotated part must be a single time loop");
    return loop;
}

/* The one loop of the region. Declarations before it need no device. */
static const struct gzt_node *time_loop(struct gzt_program *program,
                                        const struct gzt_region *region)
{
    struct gzt_source *source = program->source;
    const struct gzt_node *found = NULL;
    for (int i = 0; i < region->statement_count; i++) {
        const struct gzt_node **list = NULL;
        int count = 0;
        gzt_statements(region->statements[i], &list, &count);
        for (int j = 0; j < count; j++) {
            if (list[j]->kind == GZT_DECL && !has_loop(list[j]))
                continue;
            if (found) {
                gzt_refuse(source, list[j]->begin, "the annotated part must be a single time loop");
                return NULL;
            }
            found = as_time_loop(program, list[j]);
            if (!found)
                return NULL;
        }
    }
    if (!found)
        gzt_refuse(source, region->directive,
                   region->statement_count ? "no loop is annotated"
                                           : "no loop between #pragma scop and #pragma endscop");
    return found;
}

/* Reads the element that a sweep assigns. */
static int read_write(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *assignment = gzt_main_assignment(&space, sweep->statement);

    if (!assignment)
        return gzt_refuse(program->source, sweep->statement->begin,
                          "the innermost loop must assign an element of an array");
    const struct gzt_node *target = gzt_bare(assignment->child[0]);
    if (target->kind != GZT_SUBSCRIPT)
        return gzt_refuse(program->source, target->begin,
                          "%s is not an element of an array: the innermost loop must assign one",
                          gzt_node_text(program->source, target));
    if (gzt_read_access(program, &space, target, &sweep->write) != 0)
        return -1;
    sweep->write.array->written = true;
    return 0;
}

/* Gives each loop its axis by the order of the written element's coordinates. */
static int set_axes(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    int axis = 0;
    const char *text = gzt_node_text(program->source, sweep->write.node);

    for (int i = sweep->write.coordinates - 1; i >= 0; i--) {
        if (program->form == GZT_PARITY && i == program->parity_coordinate)
            continue;
        int loop = gzt_variable_of(&space, sweep->write.coordinate[i].iterator);
        bool again = false;
        for (int other = 0; other < axis; other++)
            again = again || sweep->axis_loop[other] == loop;
        isl_pw_aff *moved = loop >= 0
                                ? isl_pw_aff_sub(isl_pw_aff_copy(sweep->write.coordinate[i].index),
                                                 gzt_variable(&space, loop))
                                : NULL;
        bool moves = moved && (gzt_is_fixed(moved) || gzt_straighten(program, sweep, i));
        isl_pw_aff_free(moved);
        if (!moves || again || axis == GZT_AXES)
            return gzt_refuse(program->source, sweep->write.node->begin,
                              "%s: each subscript of the element that is written must be a loop "
                              "variable of its own, with or without a constant added",
                              text);
        sweep->axis_loop[axis++] = loop;
    }
    if (axis != sweep->loops)
        return gzt_refuse(program->source, sweep->write.node->begin,
                          "%s has %d subscripts that vary, within %d loops over cells: the two "
                          "numbers must be equal",
                          text, axis, sweep->loops);
    program->dimensions = axis;
    if (gzt_set_domain(program->source, &space, sweep) != 0)
        return -1;
    gzt_cut_domain(&space, sweep);
    return 0;
}

/* Domain and bounds are stated in loop variables; those of coordinates are the same but for what
 * the write adds. */
static void move_bounds(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    int axis = 0;
    for (int i = sweep->write.coordinates - 1; i >= 0; i--) {
        if (program->form == GZT_PARITY && i == program->parity_coordinate)
            continue;
        isl_pw_aff *more = isl_pw_aff_sub(isl_pw_aff_copy(sweep->write.coordinate[i].index),
                                          gzt_variable(&space, sweep->axis_loop[axis]));
        sweep->low[axis] = isl_pw_aff_add(sweep->low[axis], isl_pw_aff_copy(more));
        sweep->high[axis] = isl_pw_aff_add(sweep->high[axis], more);
        axis++;
    }
}

int gzt_finish_sweep(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    if (set_axes(program, sweep) != 0)
        return -1;
    move_bounds(program, sweep);
    sweep->written = isl_set_copy(sweep->domain);
    gzt_assignment_of(&space, sweep->statement, &sweep->written);
    return 0;
}

/* Variables that are declared within the time loop are gone behind it. */
static void note_declarations(struct gzt_program *program, struct gzt_sweep *sweep)
{
    for (int i = 0; i < sweep->loops; i++)
        if (gzt_holds(program->time.node, sweep->loop[i].iterator))
            sweep->loop[i].declared_inside = true;
}

/* `timed`: whether the head of the time loop is understood. */
static int read_sweeps(struct gzt_program *program, struct gzt_loop_body *body, bool timed)
{
    int status = 0;
    for (int i = 0; i < body->nest_count; i++) {
        struct gzt_sweep *sweep = i < GZT_SWEEPS    ? &program->sweep[i]
                                  : i == GZT_SWEEPS ? &body->third
                                                    : gzt_alloc(sizeof *sweep);
        const struct gzt_node *output = gzt_output_in(body->nests[i]);
        if ((output ? gzt_refuse_other(program->source, output)
                    : gzt_read_nest(program->source, body->nests[i], sweep)) == 0 &&
            timed && gzt_read_locals(program, sweep) == 0 && read_write(program, sweep) == 0)
            note_declarations(program, sweep);
        else if (gzt_stops(program->source, status = -1))
            return -1;
    }
    program->sweeps = body->nest_count;
    return status;
}

bool gzt_names_alike(const struct gzt_program *program, const struct gzt_sweep *second)
{
    const struct gzt_sweep *first = &program->sweep[0];
    bool same =
        first->write.coordinates == second->write.coordinates && first->loops == second->loops;
    for (int i = 0; i < first->write.coordinates && same; i++) {
        struct gzt_space a = gzt_space_of(program, first), b = gzt_space_of(program, second);
        int la = gzt_variable_of(&a, first->write.coordinate[i].iterator);
        int lb = gzt_variable_of(&b, second->write.coordinate[i].iterator);
        isl_pw_aff *da =
            isl_pw_aff_sub(isl_pw_aff_copy(first->write.coordinate[i].index), gzt_variable(&a, la));
        isl_pw_aff *db = isl_pw_aff_sub(isl_pw_aff_copy(second->write.coordinate[i].index),
                                        gzt_variable(&b, lb));
        same = gzt_equal_on(first->domain, da, db);
        isl_pw_aff_free(da);
        isl_pw_aff_free(db);
    }
    return same;
}

/* Both sweeps, or the sweep and its copy, must run over the same coordinates. */
static int check_pair(struct gzt_program *program, const struct gzt_sweep *second)
{
    if (gzt_names_alike(program, second))
        return 0;
    return gzt_refuse(
        program->source, second->write.node->begin,
        "the subscripts of %s differ from those of %s, with which it exchanges the state",
        gzt_node_text(program->source, second->write.node),
        gzt_node_text(program->source, program->sweep[0].write.node));
}

static int finish_sweeps(struct gzt_program *program)
{
    for (int i = 0; i < program->sweeps; i++)
        if (gzt_finish_sweep(program, &program->sweep[i]) != 0)
            return -1;
    for (int i = 0; i < 2; i++)
        if (program->copy[i].nest.loops > 0 &&
            (gzt_finish_sweep(program, &program->copy[i].nest) != 0 ||
             check_pair(program, &program->copy[i].nest) != 0))
            return -1;
    return program->sweeps == 2 ? check_pair(program, &program->sweep[1]) : 0;
}

/* Pointers change beside the sweeps, and the forms know how. */
struct reader {
    struct gzt_program *program;
    const struct gzt_sweep *sweep;
};
static int refuse_changing(const struct gzt_node *node, void *data)
{
    const struct reader *reader = data;
    struct gzt_program *program = reader->program;
    struct gzt_space space = gzt_space_of(program, reader->sweep);
    const struct gzt_node *body =
        program->measure ? program->measure->body : program->time.node->child[3];
    if (node->kind != GZT_REF || !node->decl->variable || node->type == GZT_POINTER ||
        gzt_variable_of(&space, node->decl) >= 0 || gzt_local_of(reader->sweep, node->decl) >= 0 ||
        node->decl == program->toggle || node->decl == program->opposite ||
        gzt_alias_of(program, node) || gzt_assignments(body, node->decl) == 0)
        return 0;
    return gzt_refuse(program->source, node->begin,
                      "%s, which the loop sets elsewhere, is read in a sweep: must stay the same",
                      node->decl->name);
}

int gzt_check_changing(struct gzt_program *program)
{
    for (int i = 0; i < program->sweeps; i++) {
        struct reader reader = {program, &program->sweep[i]};
        if (gzt_walk(reader.sweep->statement, refuse_changing, &reader) != 0)
            return -1;
        for (int k = 0; k < reader.sweep->loops; k++)
            if (gzt_walk(reader.sweep->loop[k].low, refuse_changing, &reader) != 0 ||
                gzt_walk(reader.sweep->loop[k].high, refuse_changing, &reader) != 0)
                return -1;
    }
    return 0;
}

static int check_type(struct gzt_program *program)
{
    const struct gzt_node *write = program->sweep[0].write.node;
    program->type = write->type;
    for (int i = 0; i < program->sweeps; i++)
        if (program->sweep[i].write.node->type != program->type)
            return gzt_refuse(program->source, program->sweep[i].write.node->begin,
                              "the types of %s and %s differ", program->sweep[i].write.array->base,
                              program->sweep[0].write.array->base);
    if (program->type != GZT_INT && program->type != GZT_FLOAT && program->type != GZT_DOUBLE)
        return gzt_refuse(program->source, write->begin,
                          "%s has elements of type %s: must be int, float or double",
                          program->sweep[0].write.array->base, write->type_name);
    return 0;
}

bool gzt_writes_all(const struct gzt_space *space, const struct gzt_node *statement,
                    isl_set *domain)
{
    const struct gzt_node *effect = gzt_effect(statement);
    if (!effect)
        return false;
    if (effect->kind != GZT_IF)
        return true;
    if (effect->count == 3)
        return gzt_writes_all(space, effect->child[1], domain) &&
               gzt_writes_all(space, effect->child[2], domain);
    isl_set *guard = gzt_condition(space, effect->child[0]);
    bool all = guard && isl_set_is_subset(domain, guard) == isl_bool_true;
    isl_set_free(guard);
    return all && gzt_writes_all(space, effect->child[1], domain);
}

/* Whether any guard around the assignment depends on the time or the state. */
static bool is_open(const struct gzt_space *space, const struct gzt_node *statement)
{
    const struct gzt_node *effect = gzt_effect(statement);
    if (!effect || effect->kind != GZT_IF)
        return false;
    isl_set *guard = gzt_condition(space, effect->child[0]);
    bool open = !guard || gzt_reads_data(effect->child[0]) ||
                gzt_depends(space, effect->child[0], space->time);
    isl_set_free(guard);
    for (int i = 1; i < effect->count && !open; i++)
        open = is_open(space, effect->child[i]);
    return open;
}

/* A guard in a program of two arrays leaves the cells of both as they were, which must not depend
 * on the loop. */
static int check_guard(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);

    sweep->guarded = !gzt_writes_all(&space, sweep->statement, sweep->domain);
    if (!sweep->guarded)
        return 0;
    if (gzt_has_third(program))
        return gzt_refuse(
            program->source, sweep->statement->begin,
            "a guard leaves cells of three arrays as they were: assign in an else as well");
    if (program->form == GZT_IN_PLACE || program->form == GZT_COPY_FIRST) {
        program->red_black = true;
        return 0;
    }
    if (program->sweeps == 2 || program->form == GZT_COPY_BACK)
        return gzt_refuse(program->source, sweep->statement->begin,
                          "a guard in one of two sweeps is not translated yet: write in place, or "
                          "assign in an else as well");
    if (is_open(&space, sweep->statement))
        return gzt_refuse(
            program->source, sweep->statement->begin,
            "a guard that depends on the time or the state leaves cells of two arrays "
            "at different times: write in place, or assign in an else as well");
    return 0;
}

static int check_guards(struct gzt_program *program)
{
    for (int i = 0; i < program->sweeps; i++)
        if (gzt_stops(program->source, check_guard(program, &program->sweep[i])))
            return -1;
    return 0;
}

static int check_gather(struct gzt_program *program, int number)
{
    const struct gzt_annotation *stated = &program->region->annotation;
    int axis = program->dimensions - 1 - number;
    const int *reach = program->reach[axis], *given = stated->gather[number];
    const char *variable = program->sweep[0].loop[program->sweep[0].axis_loop[axis]].iterator->name;

    if (given[0] == reach[0] && given[1] == reach[1])
        return 0;
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        if (read->role == GZT_STATE &&
            (read->offset[axis] < given[0] || read->offset[axis] > given[1]))
            return gzt_refuse(program->source, read->node->begin,
                              "gather(%d:%d) in %s, but %s is read: must be gather(%d:%d)",
                              given[0], given[1], variable,
                              gzt_node_text(program->source, read->node), reach[0], reach[1]);
    }
    return gzt_refuse(program->source, program->region->directive,
                      "gather(%d:%d) in %s, but no cell that far away is read: must be "
                      "gather(%d:%d)",
                      given[0], given[1], variable, reach[0], reach[1]);
}

static bool is_written_name(const struct gzt_program *program, const char *name)
{
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->written && strcmp(program->arrays[i]->base, name) == 0)
            return true;
    return false;
}

/* What an annotation states must be what follows from the loops. */
static int check_annotation(struct gzt_program *program)
{
    const struct gzt_annotation *stated = &program->region->annotation;
    int at = program->region->directive;

    if (stated->dimension && stated->dimension != program->dimensions)
        return gzt_refuse(program->source, at,
                          "dimension(%d), but the loops have %d: must be "
                          "dimension(%d)",
                          stated->dimension, program->dimensions, program->dimensions);
    if (stated->object && !is_written_name(program, stated->object))
        return gzt_refuse(program->source, at, "obj(%s), but the loops write %s: must be obj(%s)",
                          stated->object, program->sweep[0].write.array->base,
                          program->sweep[0].write.array->base);
    for (int i = 0; i < stated->live_outs; i++)
        if (!is_written_name(program, stated->live_out[i]))
            return gzt_refuse(program->source, at, "live-out(%s), but the loops do not write it",
                              stated->live_out[i]);
    if (stated->gathers && stated->gathers != program->dimensions)
        return gzt_refuse(
            program->source, at,
            "gather has %d ranges, but the loops have %d dimensions: the two numbers must be equal",
            stated->gathers, program->dimensions);
    for (int i = 0; i < stated->gathers; i++)
        if (gzt_stops(program->source, check_gather(program, i)))
            return -1;
    return 0;
}

/* The time loop, or what is left of one that does not count, if it can be found out how often it
 * runs. */
static const struct gzt_node *counted_or_not(struct gzt_program *program)
{
    const struct gzt_source before = *program->source;
    const struct gzt_node *rest = gzt_take_uncounted(program, true);
    if (rest)
        return rest;
    *program->source = before;
    const struct gzt_node *time = time_loop(program, program->region);
    const struct gzt_source after = *program->source;
    if (time && time->count == 4)
        return time;
    *program->source = before;
    program->alias_count = 0;
    rest = gzt_take_uncounted(program, false);
    if (rest)
        return rest;
    *program->source = after;
    return time;
}

/* The head of the time loop, and what stands beside its sweeps; NULL with the error set if it is
 * none. */
static const struct gzt_node *read_time(struct gzt_program *program, struct gzt_source *source,
                                        isl_ctx *isl, const struct gzt_region *region, bool guarded)
{
    memset(program, 0, sizeof *program);
    program->guarded = guarded;
    program->source = source;
    program->region = region;
    program->isl = isl;
    program->fits = gzt_alloc(sizeof *program->fits);
    program->work = gzt_alloc(sizeof *program->work);
    const struct gzt_node *time = gzt_take_measure(program);
    if (!time && !source->failed) {
        time = counted_or_not(program);
        if (time && time->count == 4 && !program->measure)
            time = gzt_take_receivers(program, time);
        if (time && time->count == 4 && program->alias_count == 0 && !program->measure)
            time = gzt_take_looks(program, time);
    }
    for (int i = 0; time && i < program->look_count; i++)
        if (program->looks[i]->position == GZT_AMONG &&
            gzt_walk(program->looks[i]->node, refuse_forbidden, source) != 0)
            return NULL;
    const struct gzt_node *function = time ? gzt_function_around(region->tree, time->begin) : NULL;
    struct jumps jumps = {source, time};
    if (!time || gzt_walk_refusing(source, time, refuse_forbidden, source) != 0 ||
        (function && gzt_walk_refusing(source, function, refuse_jump, &jumps) != 0) ||
        gzt_walk_refusing(source, time, refuse_effects, source) != 0)
        return NULL;
    program->plain = program->alias_count == 0;
    if (program->counts)
        program->time.node = time;
    return gzt_check_counts(program) == 0 ? time : NULL;
}

static int refuse_call(struct gzt_source *source, const struct gzt_node *call)
{
    bool defined = !call->decl || call->decl->body;
    if (call->decl && call->decl->body && gzt_refuse_arguments(source, call) != 0)
        return -1;
    return gzt_refuse(
        source, call->begin, "%s is called in each loop%s: write its loops over cells here",
        gzt_node_text(source, call), defined ? "" : ", but this file does not define it");
}

/* Why there are no loops over cells: a call in each loop that is not written out, or an if around
 * them. */
static int refuse_none(struct gzt_source *source, const struct gzt_node *time,
                       const struct gzt_loop_body *body)
{
    const struct gzt_node *call = NULL;
    for (int i = 0; i < body->other_count && !call; i++)
        call = gzt_output_in(body->others[i]);
    call = call && call->decl && !call->decl->body ? call : NULL;
    if (call || (body->other_count && body->others[0]->kind == GZT_CALL))
        return refuse_call(source, call ? call : body->others[0]);
    return gzt_refuse(source, body->other_count ? body->others[0]->begin : time->begin,
                      "the time loop must contain loops over cells");
}

/* Receivers, by where they stand among the sweeps and what belongs to them. */
static int read_receivers(struct gzt_program *program, const struct gzt_loop_body *body)
{
    int first = body->nests[0]->begin, last = body->nests[body->nest_count - 1]->begin;
    for (int i = 0; i < body->other_count; i++) {
        int begin = body->others[i]->begin;
        first = begin < first ? begin : first;
        last = begin > last ? begin : last;
    }
    return gzt_read_receivers_of_one(program, first, last);
}

static int understand(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                      bool guarded, struct gzt_program *program)
{
    struct gzt_loop_body body = {0};
    const struct gzt_node *time = read_time(program, source, isl, region, guarded);
    if (!time)
        return -1;
    bool timed = program->counts || gzt_read_loop(source, time, &program->time) == 0;
    if (gzt_stops(source, timed ? 0 : -1) || time->count != 4 ||
        (timed && !program->counts && gzt_stops(source, check_count(source, time, &program->time))))
        return -1;
    source->stage++;
    sort_body(program, time, &body);
    if (body.nest_count == 0)
        return refuse_none(source, time, &body);
    if (source->all)
        gzt_set_others_aside(source, &body);
    if (read_sweeps(program, &body, timed) != 0)
        return -1;
    if (gzt_set_form(program, &body) != 0 || gzt_stops(source, gzt_check_looks(program)) ||
        gzt_check_locals(program) != 0 || gzt_check_changing(program) != 0 ||
        finish_sweeps(program) != 0 || check_type(program) != 0 ||
        gzt_stops(source, check_guards(program)) || check_borders(program, &body) != 0 ||
        gzt_classify_reads(program) != 0 || read_receivers(program, &body) != 0 ||
        gzt_check_measure(program) != 0 || gzt_check_counted_place(program) != 0)
        return -1;
    for (int i = 0; i < program->sweeps; i++) {
        struct gzt_space space = gzt_space_of(program, &program->sweep[i]);
        const struct gzt_node *statement = program->sweep[i].statement;
        int count = gzt_count_operations(&space, statement);
        if (count > GZT_MOST_OPERATIONS)
            return gzt_refuse(source, statement->begin,
                              "a cell takes more than %d operations, called functions included: "
                              "devices' compilers do not end on so many",
                              (int)GZT_MOST_OPERATIONS);
        program->operations += count;
    }
    program->operations /= program->sweeps;
    program->openmp = gzt_openmp_around(source, region->tree, time->begin);
    return check_annotation(program) != 0 || source->failed || source->reason_count ? -1 : 0;
}

static int is_guarded(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return gzt_may_be_points(node) || (node->kind == GZT_IF && gzt_may_be_receivers(node));
}

/* Understands a region with ifs around points, or receivers, taken for these or, if that is
 * refused, left to the program. */
static int with_guarded_or_not(int (*understand_it)(struct gzt_source *, isl_ctx *,
                                                    const struct gzt_region *, bool,
                                                    struct gzt_program *),
                               struct gzt_source *source, isl_ctx *isl,
                               const struct gzt_region *region, struct gzt_program *program)
{
    struct gzt_source before = *source;
    bool guarded = false;
    for (int i = 0; i < region->statement_count; i++)
        guarded = guarded || gzt_walk(region->statements[i], is_guarded, NULL) != 0;
    if (guarded && understand_it(source, isl, region, true, program) == 0)
        return 0;
    *source = before;
    return understand_it(source, isl, region, false, program);
}

int gzt_understand(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                   struct gzt_program *program)
{
    return with_guarded_or_not(understand, source, isl, region, program);
}

/* Whether a time loop assigns elements of several arrays. */
struct targets {
    const struct gzt_source *source;
    const char *first;
};
static int find_other_target(const struct gzt_node *node, void *data)
{
    struct targets *targets = data;
    const struct gzt_node *at = gzt_is_assignment(node) ? gzt_bare(node->child[0]) : node;
    if (at == node || at->kind != GZT_SUBSCRIPT)
        return 0;
    const char *text = gzt_node_text(targets->source, gzt_base_of(at));
    if (targets->first)
        return strcmp(targets->first, text) != 0;
    targets->first = text;
    return 0;
}

static bool sets_several(const struct gzt_node *time, const struct gzt_source *source)
{
    struct targets targets = {source, NULL};
    return gzt_walk(time, find_other_target, &targets) != 0;
}

/* Whether its sweeps do, copies left out. */
static int find_other_field(const struct gzt_node *node, void *targets)
{
    return may_copy(node) ? 0 : find_other_target(node, targets);
}

static bool has_fields(const struct gzt_node *time, const struct gzt_source *source)
{
    struct targets targets = {source, NULL};
    const struct gzt_node **list = NULL;
    int count = 0, deepest = 0;
    bool several = false;
    gzt_statements(time->child[3], &list, &count);
    for (int i = 0; i < count; i++)
        deepest = gzt_depth(list[i]) > deepest ? gzt_depth(list[i]) : deepest;
    for (int i = 0; i < count; i++)
        several = several || (deepest && gzt_depth(list[i]) == deepest &&
                              gzt_walk(list[i], find_other_field, &targets) != 0);
    return several;
}

static int understand_several(struct gzt_source *source, isl_ctx *isl,
                              const struct gzt_region *region, bool guarded,
                              struct gzt_program *program)
{
    const struct gzt_node *time = read_time(program, source, isl, region, guarded);
    bool several = source->several;
    source->several = false;
    if (!time)
        return -1;
    if (program->measure || time->count != 4 || !(several || sets_several(time, source)))
        return gzt_refuse(source, time->begin, "the loop sets one array");
    source->several = true;
    source->fields = has_fields(time, source);
    if (!program->counts && (gzt_read_loop(source, time, &program->time) != 0 ||
                             check_count(source, time, &program->time) != 0))
        return -1;
    if (region->annotation.gathers)
        return gzt_refuse(source, region->directive,
                          "gather in loops that set several arrays: leave it out");
    gzt_take_toggle(program, time);
    if (gzt_understand_system(program) != 0 || gzt_check_counted_place(program) != 0)
        return -1;
    gzt_find_tests(program);
    program->openmp = gzt_openmp_around(source, region->tree, time->begin);
    return check_annotation(program) != 0 || source->failed || source->reason_count ? -1 : 0;
}

int gzt_understand_several(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                           struct gzt_program *program)
{
    return with_guarded_or_not(understand_several, source, isl, region, program);
}
