/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * classify.c - sorts what a right-hand side reads into the state, constant arrays, per-step
 * arrays and scalars, and finds out what the program does at the edges of its domain.
 */
#include "borders.h"
#include "cells.h"
#include "forms.h"
#include "points.h"
#include "reads.h"

#include "locals.h"
#include "systems.h"

#include <isl/map.h>
#include <stdlib.h>
#include <string.h>

/* How a coordinate of a read follows from the cell's. */
enum match { PLAIN, CLAMPED, WRAPPED, OTHER };

static isl_pw_aff *moved(isl_pw_aff *index, int distance)
{
    isl_val *value = isl_val_int_from_si(isl_pw_aff_get_ctx(index), distance);
    isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(index), isl_pw_aff_copy(index));
    return isl_pw_aff_add(isl_pw_aff_copy(index), isl_pw_aff_add_constant_val(zero, value));
}

isl_pw_aff *gzt_clamped(isl_pw_aff *index, int distance, isl_pw_aff *low, isl_pw_aff *high)
{
    return isl_pw_aff_min(isl_pw_aff_max(moved(index, distance), isl_pw_aff_copy(low)),
                          isl_pw_aff_copy(high));
}

isl_pw_aff *gzt_wrapped(isl_pw_aff *index, int distance, isl_pw_aff *low, isl_pw_aff *high)
{
    isl_pw_aff *extent = moved(high, 1), *at = moved(index, distance);
    extent = isl_pw_aff_sub(extent, isl_pw_aff_copy(low));
    isl_set *below = isl_pw_aff_lt_set(isl_pw_aff_copy(at), isl_pw_aff_copy(low));
    isl_set *above = isl_pw_aff_gt_set(isl_pw_aff_copy(at), isl_pw_aff_copy(high));
    isl_set *inside = isl_set_complement(isl_set_union(isl_set_copy(below), isl_set_copy(above)));
    isl_pw_aff *up = isl_pw_aff_add(isl_pw_aff_copy(at), isl_pw_aff_copy(extent));
    isl_pw_aff *down = isl_pw_aff_sub(isl_pw_aff_copy(at), extent);
    isl_pw_aff *result = isl_pw_aff_intersect_domain(at, inside);
    result = isl_pw_aff_union_add(result, isl_pw_aff_intersect_domain(up, below));
    return isl_pw_aff_union_add(result, isl_pw_aff_intersect_domain(down, above));
}

/* The bounds of the domain along one coordinate of the written array. */
struct line {
    isl_pw_aff *index, *low, *high; /* of the write */
};

static bool matches(isl_set *set, isl_pw_aff *index, isl_pw_aff *target)
{
    bool same = gzt_equal_on(set, index, target);
    isl_pw_aff_free(target);
    return same;
}

/* On grids of at least twice the distance: on smaller ones wrapping is not defined by a single
 * subtraction. */
static isl_set *large_enough(isl_set *set, const struct line *line, int distance)
{
    isl_pw_aff *extent = isl_pw_aff_sub(isl_pw_aff_copy(line->high), isl_pw_aff_copy(line->low));
    isl_pw_aff *least = isl_pw_aff_sub(isl_pw_aff_copy(extent), isl_pw_aff_copy(extent));
    isl_pw_aff *bound = moved(least, distance);
    isl_pw_aff_free(least);
    return isl_set_intersect(isl_set_copy(set), isl_pw_aff_ge_set(extent, bound));
}

/* The distance of an index from the line where no edge is near, 0 if there is no such place. */
static int inner_distance(isl_set *set, isl_pw_aff *index, const struct line *line)
{
    int distance = 0;
    isl_pw_aff *low = moved(line->low, GZT_MAX_RADIUS), *high = moved(line->high, -GZT_MAX_RADIUS);
    isl_set *inner = isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(line->index), low),
                                       isl_pw_aff_le_set(isl_pw_aff_copy(line->index), high));
    isl_pw_aff *difference = isl_pw_aff_sub(isl_pw_aff_copy(index), isl_pw_aff_copy(line->index));
    inner = isl_set_intersect(inner, isl_set_copy(set));
    gzt_sample_of(inner, difference, &distance);
    isl_pw_aff_free(difference);
    isl_set_free(inner);
    return distance;
}

static enum match match_edge(isl_set *set, isl_pw_aff *index, const struct line *line, int offset)
{
    if (matches(set, index, gzt_clamped(line->index, offset, line->low, line->high)))
        return CLAMPED;
    isl_set *large = large_enough(set, line, abs(offset));
    /* On no grid at all, anything matches. */
    bool wraps = isl_set_is_empty(large) == isl_bool_false &&
                 matches(large, index, gzt_wrapped(line->index, offset, line->low, line->high));
    isl_set_free(large);
    return wraps ? WRAPPED : OTHER;
}

static enum match find_match(isl_set *set, isl_pw_aff *index, const struct line *line, int *offset)
{
    enum match match = OTHER;
    if (gzt_difference_on(set, index, line->index, offset))
        return PLAIN;
    *offset = inner_distance(set, index, line);
    if (abs(*offset) > GZT_MAX_RADIUS)
        return OTHER;
    if (*offset)
        return match_edge(set, index, line, *offset);
    /* On a domain that is smaller than that, any distance may be the one. */
    for (int i = 1; i <= GZT_MAX_RADIUS && match == OTHER; i++)
        for (int d = -i; d <= i && match == OTHER; d += 2 * i)
            match = match_edge(set, index, line, *offset = d);
    return match;
}

/* As find_match; what is found is remembered. */
static enum match match_line(struct gzt_program *program, isl_set *set, isl_pw_aff *index,
                             const struct line *line, int *offset)
{
    for (int i = 0; i < program->match_count; i++) {
        const struct gzt_match *known = program->matches[i];
        if (known->set == set && known->index == index && known->line == line->index &&
            known->low == line->low) {
            *offset = known->offset;
            return (enum match)known->match;
        }
    }
    enum match match = find_match(set, index, line, offset);
    if (program->match_count < GZT_REMEMBERED) {
        /* Copies are the same objects, which stay as they are as long as there are copies. */
        struct gzt_match *made = gzt_alloc(sizeof *made);
        *made = (struct gzt_match){isl_set_copy(set),
                                   isl_pw_aff_copy(index),
                                   isl_pw_aff_copy(line->index),
                                   isl_pw_aff_copy(line->low),
                                   (int)match,
                                   *offset};
        gzt_push(&program->matches, &program->match_count, made);
    }
    return match;
}

/* Whether a plain read leaves the domain, for the cells of the set. */
static bool leaves(isl_set *set, isl_pw_aff *index, const struct line *line, bool before)
{
    isl_pw_aff *bound = isl_pw_aff_copy(before ? line->low : line->high);
    isl_set *beyond = before ? isl_pw_aff_lt_set(isl_pw_aff_copy(index), bound)
                             : isl_pw_aff_gt_set(isl_pw_aff_copy(index), bound);
    beyond = isl_set_intersect(beyond, isl_set_copy(set));
    bool any = isl_set_is_empty(beyond) != isl_bool_true;
    isl_set_free(beyond);
    return any;
}

/* A pass over the reads. */
struct pass {
    struct gzt_visitor visitor;
    enum { STATE, COVERAGE, CONSTANTS } stage;
    struct gzt_coverage **covered;
    int covered_count;
    const char **certain; /* what C reads for each cell of a sweep */
    int certain_count;
    bool clamps[GZT_AXES], wraps[GZT_AXES], keeps[GZT_AXES];
    const struct gzt_node *odd; /* a read whose edge differs from an earlier one's */
};

static struct line line_of(const struct gzt_sweep *sweep, int coordinate, int axis)
{
    isl_pw_aff *write = sweep->write.coordinate[coordinate].index;
    return (struct line){write, sweep->low[axis], sweep->high[axis]};
}

/* The axis of each coordinate of the written array, -1 for the one that chooses the plane. */
static int axis_of(const struct gzt_program *program, const struct gzt_sweep *sweep, int coordinate)
{
    int axis = 0;
    if (program->form == GZT_PARITY && coordinate == program->parity_coordinate)
        return -1;
    for (int i = sweep->write.coordinates - 1; i > coordinate; i--)
        axis += !(program->form == GZT_PARITY && i == program->parity_coordinate);
    return axis;
}

static struct gzt_read *add_read(const struct gzt_visitor *visitor, const struct gzt_node *node,
                                 enum gzt_role role, int number)
{
    struct gzt_program *program = visitor->program;
    struct gzt_read *read = gzt_alloc(sizeof *read);
    if (program->system)
        read->part = (int)(visitor->sweep - program->sweep);
    read->node = node;
    read->role = role;
    read->number = number;
    gzt_push(&program->reads, &program->read_count, read);
    return read;
}

static void extend(int reach[2], int offset)
{
    if (offset < reach[0])
        reach[0] = offset;
    if (offset > reach[1])
        reach[1] = offset;
}

static void extend_rim(struct gzt_program *program, int axis, isl_set *set, isl_pw_aff *index,
                       const struct line *line, int offset, bool *keeps)
{
    bool before = offset < 0;
    int distance = before ? -offset : offset, *rim = &program->rim[axis][!before];
    if (offset == 0 || !leaves(set, index, line, before))
        return;
    isl_set *large = large_enough(set, line, distance);
    bool always = leaves(large, index, line, before);
    isl_set_free(large);
    if (!always) {
        if (program->least[axis] < distance + 1)
            program->least[axis] = distance + 1;
        return;
    }
    *keeps = true;
    if (*rim < distance)
        *rim = distance;
}

/* The kinds of edges along an axis. */
static int kinds(const struct pass *pass, int axis)
{
    return pass->clamps[axis] + pass->wraps[axis] + pass->keeps[axis];
}

static int refuse_edges(const struct pass *pass, const struct gzt_node *node, int axis)
{
    const struct gzt_source *source = pass->visitor.program->source;
    return gzt_refuse(pass->visitor.program->source, node->begin,
                      "%s: edges of different kinds along %s are not translated yet: those of one "
                      "loop must all be kept, clamped, wrapped or zero",
                      gzt_node_text(source, node), gzt_axis_variable(pass->visitor.program, axis));
}

/* Whether a node is an element of what the loops write. */
int gzt_is_state(const struct gzt_node *node, void *data)
{
    const struct gzt_visitor *visitor = data;
    const struct gzt_program *program = visitor->program;
    if (node->kind == GZT_REF && gzt_local_of(visitor->sweep, node->decl) >= 0) {
        struct gzt_memo *memo = gzt_memo_of(visitor->sweep, node, program->arrays);
        if (memo->answer < 0)
            memo->answer = gzt_value_walk(gzt_value_at(visitor->sweep, node), gzt_is_state, data);
        return memo->answer;
    }
    if (node->kind == GZT_REF && gzt_alias_of(program, node))
        return gzt_walk(gzt_alias_of(program, node), gzt_is_state, data);
    for (const struct gzt_node *at = node; at->kind == GZT_SUBSCRIPT;) {
        at = gzt_bare(at->child[0]);
        for (int i = 0; i < program->array_count; i++)
            if (program->arrays[i]->written &&
                strcmp(program->arrays[i]->base, gzt_node_text(program->source, at)) == 0)
                return 1;
    }
    return 0;
}

/* A guard that tells by the place whether something is read, though not in whole numbers; NULL if
 * there is none. */
static const struct gzt_guard *unclear_place(struct pass *pass)
{
    const struct gzt_guard *guard = pass->visitor.guards;
    while (guard && (guard->exact || !gzt_depends_on_cell(&pass->visitor.space, guard->condition) ||
                     gzt_walk(guard->condition, gzt_is_state, &pass->visitor) != 0))
        guard = guard->around;
    return guard;
}

/* A guard that tells by the place whether something is read, in whole numbers; NULL if there is
 * none. */
static const struct gzt_guard *clear_place(struct pass *pass)
{
    const struct gzt_guard *guard = pass->visitor.guards;
    while (guard && !(guard->exact && gzt_depends_on_cell(&pass->visitor.space, guard->condition)))
        guard = guard->around;
    return guard;
}

/* Whether a read goes beyond the domain by that distance whatever the bounds are, if only all axes
 * are long enough. That every other cell is left out does not count. */
static bool always_leaves(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          isl_set *set, isl_pw_aff *index, const struct line *line, int offset)
{
    isl_pw_aff *end = moved(offset < 0 ? line->low : line->high, offset);
    isl_set *beyond = offset < 0 ? isl_pw_aff_le_set(isl_pw_aff_copy(index), end)
                                 : isl_pw_aff_ge_set(isl_pw_aff_copy(index), end);
    beyond = isl_set_remove_divs(isl_set_intersect(beyond, isl_set_copy(set)));
    isl_set *all = isl_set_copy(sweep->domain);
    for (int axis = 0; axis < program->dimensions; axis++) {
        struct line extent = {NULL, sweep->low[axis], sweep->high[axis]};
        isl_set *large = large_enough(all, &extent, GZT_MAX_RADIUS);
        bool empty = isl_set_is_empty(large) != isl_bool_false; /* numbers make it shorter */
        isl_set_free(empty ? large : all);
        all = empty ? all : large;
    }
    all = isl_set_params(all);
    beyond = isl_set_params(beyond);
    bool always = isl_set_is_subset(all, beyond) == isl_bool_true;
    isl_set_free(all);
    isl_set_free(beyond);
    return always;
}

/* A choice between subscripts that is neither clamped nor wrapped, such as a mirror's, may be one
 * between elements. */
static int refuse_distance(struct gzt_program *program, const struct gzt_sweep *sweep,
                           const struct gzt_node *read)
{
    const char *text = gzt_node_text(program->source, read);
    return gzt_refuse(program->source, read->begin,
                      "%s is not a fixed distance from the cell that is computed, %s%s", text,
                      gzt_node_text(program->source, sweep->write.node),
                      strchr(text, '?') ? ": choose between elements instead, as i == 0 ? "
                                          "u[i + 1] : u[i - 1] does"
                                        : "");
}

/* A read of the state: each coordinate must be the cell's plus a constant. */
static int take_state(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    const struct gzt_sweep *sweep = pass->visitor.sweep;
    struct gzt_read *read = add_read(&pass->visitor, access->node, GZT_STATE, 0);

    for (int i = 0; i < access->coordinates; i++) {
        int axis = axis_of(program, sweep, i), offset;
        if (axis < 0)
            continue;
        struct line line = line_of(sweep, i, axis);
        isl_pw_aff *index = access->coordinate[i].index;
        enum match match = match_line(program, set, index, &line, &offset);
        if (match == OTHER ||
            (access->coordinate[i].iterator != sweep->write.coordinate[i].iterator &&
             match != PLAIN))
            return refuse_distance(program, sweep, access->node);
        if (program->border_count && pass->visitor.guards && match == PLAIN && offset != 0 &&
            leaves(set, index, &line, offset < 0))
            return gzt_refuse(program->source, access->node->begin,
                              "%s is read beyond the domain under a condition, and cells there are "
                              "set beside the sweep: must be read in any case",
                              gzt_node_text(program->source, access->node));
        pass->clamps[axis] = pass->clamps[axis] || match == CLAMPED;
        pass->wraps[axis] = pass->wraps[axis] || match == WRAPPED;
        int before = program->rim[axis][0], behind = program->rim[axis][1];
        if (match == PLAIN)
            extend_rim(program, axis, set, index, &line, offset, &pass->keeps[axis]);
        bool grew = program->rim[axis][0] > before || program->rim[axis][1] > behind;
        const struct gzt_guard *unclear = grew ? unclear_place(pass) : NULL;
        const struct gzt_guard *clear = grew && !unclear ? clear_place(pass) : NULL;
        if (clear && !always_leaves(program, sweep, set, index, &line, offset))
            return gzt_refuse(program->source, access->node->begin,
                              "%s may lie beyond the array unless %s%s: the bounds of the loops "
                              "must tell whether it does",
                              gzt_node_text(program->source, access->node),
                              clear->holds ? "" : "not ",
                              gzt_node_text(program->source, clear->condition));
        if (unclear)
            return gzt_refuse(
                program->source, access->node->begin,
                "%s may lie beyond the array unless %s%s: must be a condition on whole "
                "numbers, by comparisons",
                gzt_node_text(program->source, access->node), unclear->holds ? "" : "not ",
                gzt_node_text(program->source, unclear->condition));
        if (kinds(pass, axis) > 1)
            return refuse_edges(pass, access->node, axis);
        read->offset[axis] = offset;
        extend(program->reach[axis], offset);
    }
    return 0;
}

/* Of which of three planes an element is: the state that the loop before wrote, the one before, or
 * another. */
enum plane { LAST_PLANE, OLDER_PLANE, OTHER_PLANE };
static enum plane plane_of(struct gzt_program *program, const struct gzt_sweep *sweep,
                           const struct gzt_access *access)
{
    int c = program->parity_coordinate;
    return gzt_is_plane_of(program, sweep, access->node, c, 1)   ? LAST_PLANE
           : gzt_is_plane_of(program, sweep, access->node, c, 2) ? OLDER_PLANE
                                                                 : OTHER_PLANE;
}

static bool is_source(const struct gzt_program *program, const struct gzt_sweep *sweep,
                      const struct gzt_array *array)
{
    int number = (int)(sweep - program->sweep);
    if (program->form == GZT_COPY_FIRST || (program->form == GZT_SWAP && program->exchange.first))
        return array == program->state[1];
    return array == program->state[program->form == GZT_IN_PLACE ? 0 : number % 2];
}

/* Whether what the sweep overwrites is the state before the last, in one of two arrays or planes.
 */
static bool overwrites_older(const struct gzt_program *program)
{
    return program->form == GZT_PARITY || program->form == GZT_SWAP ||
           program->form == GZT_TWO_SWEEPS;
}

/* What the sweep itself writes may be read only if it has not been written yet, and only in place
 * or, as the state before the last, at the cell that is computed. */
static int refuse_written(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    const char *text = gzt_node_text(program->source, access->node);

    if (gzt_reads_written(program, pass->visitor.sweep, access, set))
        return gzt_refuse(
            program->source, access->node->begin,
            "%s is read where this sweep has already written it (Gauss-Seidel order): "
            "write to a second array, or colour the cells",
            text);
    if (program->form != GZT_COPY_BACK)
        return 0;
    return gzt_refuse(program->source, access->node->begin,
                      "%s is read, though the loop before has copied it to %s: read that instead",
                      text, program->state[0]->base);
}

/* Of the state before the last, each cell may read its own element only. */
static int take_older(struct gzt_program *program, const struct gzt_access *access,
                      struct gzt_read *read)
{
    if (read->offset[0] || read->offset[1] || read->offset[2])
        return gzt_refuse(
            program->source, access->node->begin,
            "%s is the state before the last beside the cell that is computed: of three "
            "time levels, the oldest may be read at the cell itself only",
            gzt_node_text(program->source, access->node));
    read->role = GZT_OLDER;
    program->older = true;
    return 0;
}

/* An element of one of three arrays or planes. */
static int take_of_three(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    enum plane plane = program->form == GZT_PARITY ? plane_of(program, pass->visitor.sweep, access)
                       : access->array == program->state[0] ? LAST_PLANE
                       : access->array == program->state[1] ? OLDER_PLANE
                                                            : OTHER_PLANE;
    if (plane == OTHER_PLANE)
        return gzt_refuse(program->source, access->node->begin,
                          "%s is none of the two states before the one that is computed: of three "
                          "time levels, the others must be read",
                          gzt_node_text(program->source, access->node));
    if (take_state(pass, access, set) != 0)
        return -1;
    return plane == LAST_PLANE
               ? 0
               : take_older(program, access, program->reads[program->read_count - 1]);
}

/* An element of an array that the loops write. */
static int take_written(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    const struct gzt_sweep *sweep = pass->visitor.sweep;
    const struct gzt_node *node = access->node;
    bool in_written = false;

    if (access->coordinates != sweep->write.coordinates)
        return gzt_refuse(program->source, node->begin,
                          "the subscripts of %s differ from those of %s",
                          gzt_node_text(program->source, node),
                          gzt_node_text(program->source, sweep->write.node));
    if (gzt_has_third(program))
        return take_of_three(pass, access, set);
    if (program->form == GZT_PARITY) {
        int c = program->parity_coordinate;
        isl_pw_aff *number = access->coordinate[c].index;
        isl_pw_aff *written = sweep->write.coordinate[c].index;
        in_written = gzt_is_plane(&pass->visitor.space, number, written, false);
        if (!in_written && !gzt_is_plane(&pass->visitor.space, number, written, true))
            return gzt_refuse_plane(program, node);
    } else {
        in_written = access->array == sweep->write.array;
    }
    if (in_written && refuse_written(pass, access, set) != 0)
        return -1;
    if (!in_written && program->form != GZT_PARITY && !is_source(program, sweep, access->array))
        return gzt_refuse(program->source, node->begin,
                          "several fields in a loop are not translated yet: %s is not the state "
                          "that this sweep reads",
                          access->array->base);
    if (take_state(pass, access, set) != 0)
        return -1;
    /* After the copy, an array and its copy are the same, but maybe not at the edges. */
    struct gzt_read *read = program->reads[program->read_count - 1];
    if (in_written && overwrites_older(program))
        return take_older(program, access, read);
    if (in_written && program->form == GZT_COPY_FIRST &&
        (read->offset[0] || read->offset[1] || read->offset[2]))
        return gzt_refuse(program->source, node->begin,
                          "%s is read where this sweep writes: read %s, its copy, instead",
                          gzt_node_text(program->source, node), program->state[1]->base);
    return 0;
}

/* A read of one of several arrays: each coordinate must be the cell's plus a constant, clamped or
 * wrapped or not. */
static int take_field(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    const struct gzt_sweep *sweep = pass->visitor.sweep;
    struct gzt_read *read = add_read(&pass->visitor, access->node, GZT_STATE, 0);
    bool fixed = access->coordinates == program->dimensions;

    for (int i = 0; i < program->dimensions && fixed; i++) {
        int axis = program->dimensions - 1 - i;
        struct line line = line_of(sweep, i, axis);
        isl_pw_aff *index = access->coordinate[i].index;
        bool follows = sweep->axis_loop[axis] >= 0 &&
                       access->coordinate[i].iterator == sweep->write.coordinate[i].iterator;
        fixed = gzt_difference_on(set, index, line.index, &read->offset[axis]);
        if (fixed) {
            pass->keeps[axis] =
                pass->keeps[axis] ||
                (read->offset[axis] && leaves(set, index, &line, read->offset[axis] < 0));
        } else if (follows) {
            enum match match = match_line(program, set, index, &line, &read->offset[axis]);
            fixed = read->bent[axis] = match != OTHER;
            pass->clamps[axis] = pass->clamps[axis] || match == CLAMPED;
            pass->wraps[axis] = pass->wraps[axis] || match == WRAPPED;
        }
        if (fixed && kinds(pass, axis) > 1)
            return refuse_edges(pass, access->node, axis);
    }
    return fixed ? gzt_take_field(&pass->visitor, access, set, read)
                 : refuse_distance(program, sweep, access->node);
}

static int take_element(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    struct pass *pass = (struct pass *)visitor;
    struct gzt_access access;
    int status = 0;

    if (!gzt_read_guarded(visitor->program, &visitor->space, set, node, &access) &&
        gzt_read_access(visitor->program, &visitor->space, node, &access) != 0)
        status = -1;
    else if (access.array->written && visitor->program->system)
        status = gzt_take_plane(visitor->program, &visitor->space, &access) != 0
                     ? -1
                     : take_field(pass, &access, set);
    else if (access.array->written)
        status = take_written(pass, &access, set);
    gzt_free_access(&access);
    return status;
}

/* The kinds of value an array may hold beside a state of type `state`: those that the state's type
 * holds exactly. */
static bool fits(enum gzt_type state, enum gzt_type type)
{
    if (state == type || type == GZT_SMALL)
        return true;
    return state == GZT_DOUBLE && (type == GZT_FLOAT || type == GZT_INT || type == GZT_UINT);
}

static int find_input(struct gzt_input **list, int count, const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i]->key, key) == 0)
            return i;
    return -1;
}

static int make_input(struct gzt_input ***list, int *count, const struct gzt_visitor *visitor,
                      const struct gzt_node *node, const struct gzt_guard *guards, const char *key)
{
    int found = find_input(*list, *count, key);
    if (found >= 0)
        return found;
    struct gzt_input *input = gzt_alloc(sizeof *input);
    input->node = node;
    input->guards = guards;
    input->sweep = (int)(visitor->sweep - visitor->program->sweep);
    input->key = key;
    input->type = node->type;
    gzt_push(list, count, input);
    return *count - 1;
}

/* The text that reads with the same value share; a temporary's differs from place to place. */
static const char *read_text(const struct gzt_visitor *visitor, const struct gzt_node *node)
{
    const char *text = gzt_node_text(visitor->program->source, node);
    return gzt_mentions_local(visitor->sweep, node) ? gzt_format("%s@%d", text, node->begin) : text;
}

static int make_scalar(struct gzt_visitor *visitor, const struct gzt_node *node,
                       const struct gzt_guard *guards, const char *key)
{
    struct gzt_program *program = visitor->program;
    int number = 0;
    while (number < program->scalar_count && strcmp(program->scalars[number]->key, key) != 0)
        number++;
    if (number == program->scalar_count) {
        struct gzt_scalar *scalar = gzt_alloc(sizeof *scalar);
        scalar->node = node;
        scalar->guards = guards;
        scalar->sweep = (int)(visitor->sweep - program->sweep);
        scalar->key = key;
        scalar->type = node->type;
        scalar->type_name = node->type_name;
        scalar->known = node->kind == GZT_REF && node->decl->constant;
        scalar->value = scalar->known ? node->decl->value : 0;
        gzt_push(&program->scalars, &program->scalar_count, scalar);
    }
    add_read(visitor, node, GZT_SCALAR, number);
    return 0;
}

/* ------------------------------------------------------------------------------------- guards */

static const char *certain_name(const struct gzt_visitor *visitor, const struct gzt_node *node)
{
    return gzt_format("%d %s", (int)(visitor->sweep - visitor->program->sweep),
                      read_text(visitor, node));
}

/* Notes what C reads under no condition. */
static void note_certain(struct pass *pass, const struct gzt_node *node)
{
    if (pass->stage == COVERAGE && !pass->visitor.guards)
        gzt_push(&pass->certain, &pass->certain_count, certain_name(&pass->visitor, node));
}

/* The guards around a read, none if the sweep reads the same in any case, as that of a condition
 * and what it chooses: x > y ? x : y. */
static const struct gzt_guard *guards_of(const struct gzt_visitor *visitor,
                                         const struct gzt_node *node)
{
    const struct pass *pass = (const struct pass *)visitor;
    const char *name = visitor->guards ? certain_name(visitor, node) : NULL;
    for (int i = 0; name && i < pass->certain_count; i++)
        if (strcmp(pass->certain[i], name) == 0)
            return NULL;
    return visitor->guards;
}

/* The guards around a read, which must not depend on the state. */
static int keep_guards(struct gzt_visitor *visitor, const struct gzt_node *node,
                       const struct gzt_guard **kept)
{
    const struct gzt_guard **end = kept;
    for (const struct gzt_guard *guard = guards_of(visitor, node); guard; guard = guard->around) {
        if (gzt_walk(guard->condition, gzt_is_state, visitor) != 0)
            return gzt_refuse(
                visitor->program->source, node->begin,
                "%s is read only where %s, which depends on the state: read it before that",
                gzt_node_text(visitor->program->source, node),
                gzt_node_text(visitor->program->source, guard->condition));
        struct gzt_guard *copy = gzt_alloc(sizeof *copy);
        *copy = *guard;
        *end = copy;
        end = &copy->around;
    }
    return 0;
}

/* Something that C reads, maybe under conditions only. Of what it depends alone decides what it
 * becomes: it is read if the conditions hold anywhere where it is the same. */
static int take_guarded(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    struct gzt_program *program = visitor->program;
    const struct gzt_guard *guards = NULL;
    if (keep_guards(visitor, node, &guards) != 0)
        return -1;
    const char *key = gzt_format("=%d%s ? %s", (int)(visitor->sweep - program->sweep),
                                 gzt_guarded(program, visitor->sweep, guards, "gz_time"),
                                 gzt_of_cell(program, visitor->sweep, node, NULL, "gz_time"));
    bool timed = gzt_depends(&visitor->space, node, program->time.iterator);
    if (!timed && !gzt_depends_on_cell(&visitor->space, node))
        return make_scalar(visitor, node, guards, key);
    int number =
        timed
            ? make_input(&program->per_step, &program->per_step_count, visitor, node, guards, key)
            : make_input(&program->constants, &program->constant_count, visitor, node, guards, key);
    add_read(visitor, node, timed ? GZT_PER_STEP : GZT_CONSTANT, number);
    return 0;
}

/* The distances of a constant array's element from the cell, if its coordinates run along the axes
 * as the state's do. */
static bool find_offsets(struct pass *pass, const struct gzt_access *access, isl_set *set,
                         int offset[GZT_AXES])
{
    struct gzt_program *program = pass->visitor.program;
    const struct gzt_sweep *sweep = pass->visitor.sweep;

    /* The text of a system's part for some rows is not that of others. */
    if (access->coordinates != program->dimensions ||
        (program->system && sweep->loops < program->dimensions))
        return false;
    for (int i = 0, c = 0; i < access->coordinates; i++, c++) {
        int axis = axis_of(program, sweep, c);
        if (axis < 0)
            axis = axis_of(program, sweep, ++c);
        struct line line = line_of(sweep, c, axis);
        isl_pw_aff *index = access->coordinate[i].index;
        if (access->coordinate[i].iterator != sweep->write.coordinate[c].iterator)
            return false;
        enum match match = match_line(program, set, index, &line, &offset[axis]);
        bool free = !pass->clamps[axis] && !pass->wraps[axis];
        bool inside = !leaves(set, index, &line, true) && !leaves(set, index, &line, false);
        if (!(match == PLAIN && (free || inside)) && !(match == CLAMPED && pass->clamps[axis]) &&
            !(match == WRAPPED && pass->wraps[axis]))
            return false;
    }
    return true;
}

/* The cells of the set, moved. */
static isl_set *moved_cells(const struct gzt_visitor *visitor, isl_set *set,
                            const int offset[GZT_AXES])
{
    const struct gzt_sweep *sweep = visitor->sweep;
    isl_space *pair =
        isl_space_alloc(visitor->program->isl, 0, (unsigned)sweep->loops, (unsigned)sweep->loops);
    isl_multi_pw_aff *to = isl_multi_pw_aff_zero(pair);
    for (int axis = 0; axis < sweep->loops; axis++) {
        int loop = sweep->axis_loop[axis];
        to = isl_multi_pw_aff_set_pw_aff(to, loop,
                                         isl_pw_aff_add(gzt_variable(&visitor->space, loop),
                                                        gzt_whole(&visitor->space, offset[axis])));
    }
    return isl_set_apply(isl_set_copy(set), isl_map_from_multi_pw_aff(to));
}

static struct gzt_coverage *coverage_of(struct pass *pass, const char *base)
{
    for (int i = 0; i < pass->covered_count; i++)
        if (strcmp(pass->covered[i]->base, base) == 0)
            return pass->covered[i];
    struct gzt_coverage *made = gzt_alloc(sizeof *made);
    made->base = base;
    gzt_push(&pass->covered, &pass->covered_count, made);
    return made;
}

/* The same array in sweeps whose loops have the axes in another order is none. */
static const char *covered_name(const struct gzt_visitor *visitor, const struct gzt_access *access)
{
    const struct gzt_sweep *first = &visitor->program->sweep[0], *sweep = visitor->sweep;
    bool same = memcmp(first->axis_loop, sweep->axis_loop, sizeof first->axis_loop) == 0;
    if (visitor->program->system)
        return gzt_format("%s@%d", access->array->base, (int)(sweep - first));
    return same ? access->array->base : gzt_format("%s@", access->array->base);
}

/* Notes where C reads an array for certain. */
static void note_coverage(struct pass *pass, const struct gzt_access *access, isl_set *set,
                          const int offset[GZT_AXES])
{
    bool timed = false;
    for (const struct gzt_guard *guard = pass->visitor.guards; guard; guard = guard->around) {
        if (!guard->exact)
            return;
        timed = timed || guard->timed;
    }
    struct gzt_coverage *covered = coverage_of(pass, covered_name(&pass->visitor, access));
    isl_set *cells = moved_cells(&pass->visitor, set, offset);
    for (int i = timed; i < 2; i++)
        covered->cells[i] = covered->cells[i]
                                ? isl_set_union(covered->cells[i], isl_set_copy(cells))
                                : isl_set_copy(cells);
    isl_set_free(cells);
}

/* Whether the whole domain may be read at a distance, because C does, here or there, now or in the
 * next loop. */
static bool is_covered(struct pass *pass, const struct gzt_access *access,
                       const int offset[GZT_AXES])
{
    struct gzt_program *program = pass->visitor.program;
    struct gzt_coverage *covered = coverage_of(pass, covered_name(&pass->visitor, access));
    isl_set *domain = gzt_in_time(&pass->visitor.space, isl_set_copy(pass->visitor.sweep->domain));
    isl_set *cells = moved_cells(&pass->visitor, domain, offset);
    bool all = false;
    for (int i = 0; i < 2 && !all; i++) {
        all = covered->cells[i] && isl_set_is_subset(cells, covered->cells[i]) == isl_bool_true;
        if (all && program->least_loops < i + 1)
            program->least_loops = i + 1;
    }
    isl_set_free(domain);
    isl_set_free(cells);
    return all;
}

/* An element of a constant array at fixed distances shares one array with the others of that name;
 * any other function of the cell becomes an array of its own. */
static int take_constant(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_program *program = pass->visitor.program;
    int offset[GZT_AXES] = {0};
    bool shared = find_offsets(pass, access, set, offset);
    if (pass->stage == COVERAGE) {
        if (shared)
            note_coverage(pass, access, set, offset);
        return 0;
    }
    if (guards_of(&pass->visitor, access->node) && !(shared && is_covered(pass, access, offset)))
        return take_guarded(&pass->visitor, access->node);
    shared =
        shared && !access->guarded && (!pass->visitor.guards || is_covered(pass, access, offset));
    const char *key = shared ? access->array->base : read_text(&pass->visitor, access->node);
    int number = make_input(
        &program->constants, &program->constant_count, &pass->visitor, access->node, NULL,
        shared ? key : gzt_format("=%d%s", (int)(pass->visitor.sweep - program->sweep), key));
    struct gzt_input *input = program->constants[number];
    struct gzt_read *read = add_read(&pass->visitor, access->node, GZT_CONSTANT, number);

    for (int axis = 0; axis < program->dimensions && shared; axis++) {
        if (input->node == access->node) {
            input->shift[axis] = offset[axis];
            input->reach[axis][0] = input->reach[axis][1] = offset[axis];
        }
        extend(input->reach[axis], offset[axis]);
        read->offset[axis] = offset[axis];
    }
    return 0;
}

/* What takes turns with the planes has one value in the text that stands for all loops. */
static int refuse_toggle(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    const struct gzt_decl *toggle = visitor->program->toggle;
    if (!toggle || !gzt_depends(&visitor->space, node, toggle))
        return 0;
    const struct gzt_array *array = visitor->sweep->write.array;
    const struct gzt_node *base = node->kind == GZT_SUBSCRIPT ? gzt_base_of(node) : NULL;
    if (base && array && strcmp(gzt_node_text(visitor->program->source, base), array->base) == 0)
        return gzt_refuse_plane(visitor->program, node);
    return gzt_refuse(
        visitor->program->source, node->begin,
        "%s, which chooses the plane, must not be read elsewhere, as in %s: use the time instead",
        toggle->name, gzt_node_text(visitor->program->source, node));
}

/* An element of an array that stays as it is. */
static int take_unwritten(struct pass *pass, const struct gzt_access *access, isl_set *set)
{
    struct gzt_visitor *visitor = &pass->visitor;
    struct gzt_program *program = visitor->program;
    const struct gzt_node *node = access->node;
    bool varies = gzt_varies(&visitor->space, node);
    bool timed = gzt_depends(&visitor->space, node, program->time.iterator);

    note_certain(pass, node);
    if (refuse_toggle(visitor, node) != 0)
        return -1;
    if (varies && !fits(program->type, node->type))
        return gzt_refuse(program->source, node->begin,
                          "%s has elements of type %s: must be the state's type, %s",
                          access->array->base, node->type_name,
                          program->sweep[0].write.node->type_name);
    if (varies && !timed)
        return take_constant(pass, access, set);
    if (pass->stage == COVERAGE)
        return 0;
    if (guards_of(visitor, node))
        return take_guarded(visitor, node);
    if (!varies)
        return make_scalar(visitor, node, NULL, gzt_node_text(program->source, node));
    const char *key =
        gzt_format("%d%s", (int)(visitor->sweep - program->sweep), read_text(visitor, node));
    int number = make_input(&program->per_step, &program->per_step_count, visitor, node, NULL, key);
    add_read(visitor, node, GZT_PER_STEP, number);
    return 0;
}

/* A member of a structure: a number, or, if it hangs on the cell or the time, as an element. */
static int take_member(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    struct gzt_program *program = visitor->program;
    bool varies = gzt_varies(&visitor->space, node);
    if (varies && (!fits(program->type, node->type) || node->is_bit_field))
        return gzt_refuse(program->source, node->begin,
                          "%s is %s %s: must be of the state's type, %s",
                          gzt_node_text(program->source, node),
                          node->is_bit_field ? "a bit-field, of" : "of type", node->type_name,
                          program->sweep[0].write.node->type_name);
    return varies || guards_of(visitor, node)
               ? take_guarded(visitor, node)
               : make_scalar(visitor, node, NULL, read_text(visitor, node));
}

/* Whether an element is the cell that is computed, in another array. */
static bool is_cell(const struct gzt_visitor *visitor, const struct gzt_access *access,
                    isl_set *set)
{
    for (int i = 0; i < access->coordinates; i++)
        if (!gzt_equal_on(set, access->coordinate[i].index,
                          visitor->sweep->write.coordinate[i].index))
            return false;
    return true;
}

static int take_other(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    struct pass *pass = (struct pass *)visitor;
    struct gzt_access access;
    int status = 0;
    bool guarded = gzt_read_guarded(visitor->program, &visitor->space, set, node, &access);

    /* Its text is evaluated for all cells, so it must not leave the array for any. */
    if (guarded && !access.array->written && gzt_varies(&visitor->space, node) &&
        !is_cell(visitor, &access, set)) {
        gzt_free_access(&access);
        guarded = false;
    }
    if (!guarded && gzt_read_access(visitor->program, &visitor->space, node, &access) != 0)
        status = -1;
    else if (!access.array->written)
        status = take_unwritten(pass, &access, set);
    gzt_free_access(&access);
    return status;
}

/* A call that the program makes, once or in each loop, where C does. */
static int take_call(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    struct gzt_program *program = visitor->program;
    const struct gzt_guard *guards = NULL;
    if (keep_guards(visitor, node, &guards) != 0)
        return -1;
    gzt_add_sources(program, (int)(visitor->sweep - program->sweep), node, guards);
    if (guards)
        return take_guarded(visitor, node);
    const char *key = gzt_format("%d%s", (int)(visitor->sweep - program->sweep),
                                 gzt_node_text(program->source, node));
    if (!gzt_depends(&visitor->space, node, program->time.iterator))
        return make_scalar(visitor, node, NULL, key);
    int number = make_input(&program->per_step, &program->per_step_count, visitor, node, NULL, key);
    add_read(visitor, node, GZT_PER_STEP, number);
    return 0;
}

static int take_scalar(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    struct pass *pass = (struct pass *)visitor;
    struct gzt_program *program = visitor->program;
    int variable = node->kind == GZT_REF ? gzt_variable_of(&visitor->space, node->decl) : -1;

    note_certain(pass, node);
    if (pass->stage != CONSTANTS)
        return 0;
    if (node->kind == GZT_CALL)
        return take_call(visitor, node);
    if (refuse_toggle(visitor, node) != 0)
        return -1;
    for (int axis = 0; variable >= 0 && axis < program->dimensions; axis++)
        if (visitor->sweep->axis_loop[axis] == variable)
            program->axis_value[axis] = true;
    if (variable >= 0)
        return 0;
    if (node->kind == GZT_REF && node->decl == program->time.iterator) {
        program->time_value = true;
        return 0;
    }
    if (node->kind == GZT_REF && !node->decl->variable && node->decl->constant)
        return 0;
    if (node->type == GZT_POINTER || node->type == GZT_OTHER)
        return gzt_refuse(program->source, node->begin,
                          "%s is a %s: must be an int, float or double",
                          gzt_node_text(program->source, node), node->type_name);
    if (node->kind == GZT_MEMBER)
        return take_member(visitor, node);
    if (gzt_goes_by(program, node))
        return fits(program->type, node->type)
                   ? take_guarded(visitor, node)
                   : gzt_refuse(program->source, node->begin,
                                "%s, which changes in each loop, is a %s: must be of the state's "
                                "type, %s",
                                node->decl->name, node->decl->type_name,
                                program->sweep[0].write.node->type_name);
    return make_scalar(visitor, node, NULL, gzt_node_text(program->source, node));
}

static int run_pass(struct gzt_program *program, struct pass *pass)
{
    for (int i = 0; i < program->sweeps; i++) {
        pass->visitor.program = program;
        pass->visitor.sweep = &program->sweep[i];
        pass->visitor.element = pass->stage == STATE ? take_element : take_other;
        pass->visitor.scalar = take_scalar;
        if (gzt_visit_reads(&pass->visitor) != 0)
            return -1;
    }
    return 0;
}

/* Moves each constant array so that the offsets of its reads lie around zero, and lets its reads
 * reach into the rim if edges are kept. */
static void centre_constants(struct gzt_program *program)
{
    for (int k = 0; k < program->constant_count; k++) {
        struct gzt_input *input = program->constants[k];
        for (int axis = 0; axis < program->dimensions; axis++) {
            int centre =
                program->edge[axis] == GZT_EDGE_KEEP || program->edge[axis] == GZT_EDGE_ZERO
                    ? (input->reach[axis][0] + input->reach[axis][1]) / 2
                    : 0;
            if (input->reach[axis][0] <= 0 && input->reach[axis][1] >= 0)
                centre = 0;
            input->reach[axis][0] -= centre;
            input->reach[axis][1] -= centre;
            input->shift[axis] -= centre;
            for (int i = 0; i < program->read_count; i++)
                if (program->reads[i]->role == GZT_CONSTANT && program->reads[i]->number == k)
                    program->reads[i]->offset[axis] -= centre;
        }
    }
}

/* Constant arrays read beyond the domain need a rim too. */
static void widen_rims(struct gzt_program *program)
{
    for (int axis = 0; axis < program->dimensions; axis++) {
        enum gzt_edge *edge = &program->edge[axis];
        if (*edge == GZT_EDGE_CLAMP || *edge == GZT_EDGE_PERIODIC)
            continue;
        for (int k = 0; k < program->constant_count; k++)
            for (int side = 0; side < 2; side++) {
                int reach = program->constants[k]->reach[axis][side] * (side ? 1 : -1);
                if (reach > 0)
                    *edge = GZT_EDGE_KEEP;
                if (reach > program->rim[axis][side])
                    program->rim[axis][side] = reach;
            }
    }
}

/* Axes along which only the cell itself is read, or that the program lacks, may have any rule: that
 * of one with a reach, so that axes do not differ without a reason. */
static void unite_edges(struct gzt_program *program)
{
    int from = -1;
    for (int axis = 0; axis < program->dimensions && from < 0; axis++)
        if (gzt_radius(program, axis) > 0)
            from = axis;
    for (int axis = 0; axis < GZT_AXES && from >= 0; axis++)
        if (axis >= program->dimensions || gzt_radius(program, axis) == 0)
            program->edge[axis] = program->edge[from];
}

/* Borders that are set beside the sweep change the rules of edges. */
static int take_borders(struct gzt_program *program, struct pass *pass)
{
    memcpy(program->border_rim, program->rim, sizeof program->rim);
    if (gzt_judge_borders(program, program->edge) != 0)
        return -1;
    for (int axis = 0; axis < program->dimensions; axis++) {
        pass->clamps[axis] = program->edge[axis] == GZT_EDGE_CLAMP;
        pass->wraps[axis] = program->edge[axis] == GZT_EDGE_PERIODIC;
        pass->keeps[axis] = program->edge[axis] == GZT_EDGE_KEEP;
        if (pass->clamps[axis] || pass->wraps[axis])
            program->rim[axis][0] = program->rim[axis][1] = 0;
    }
    return 0;
}

/* Cells beyond the domain have their place by the text of what is written. */
static int check_bent(struct gzt_program *program)
{
    bool beyond = program->wide > 0;
    for (int axis = 0; axis < program->dimensions; axis++)
        beyond = beyond || program->edge[axis] == GZT_EDGE_KEEP;
    for (int i = 0; i < program->sweeps && beyond; i++)
        if (program->sweep[i].bent)
            return gzt_refuse(program->source, program->sweep[i].write.node->begin,
                              "%s: each subscript of the element that is written must be a loop "
                              "variable of its own, with or without a constant added, where cells "
                              "beyond the domain are read",
                              gzt_node_text(program->source, program->sweep[i].write.node));
    return 0;
}

int gzt_classify_reads(struct gzt_program *program)
{
    struct pass pass = {0};
    int reasons = program->source->reason_count;
    if (run_pass(program, &pass) != 0)
        return -1;
    if (program->source->reason_count > reasons) {
        pass.stage = CONSTANTS;
        return run_pass(program, &pass), -1;
    }
    for (int axis = 0; axis < GZT_AXES; axis++)
        program->edge[axis] = pass.clamps[axis]  ? GZT_EDGE_CLAMP
                              : pass.wraps[axis] ? GZT_EDGE_PERIODIC
                              : pass.keeps[axis] ? GZT_EDGE_KEEP
                                                 : GZT_EDGE_ZERO;
    if (program->border_count && take_borders(program, &pass) != 0)
        return -1;
    if (check_bent(program) != 0)
        return -1;
    pass.stage = COVERAGE;
    for (int later = 1; later >= 0; later--) {
        pass.visitor.later = later;
        if (run_pass(program, &pass) != 0)
            return -1;
    }
    pass.stage = CONSTANTS;
    if (run_pass(program, &pass) != 0 || program->source->reason_count > reasons)
        return -1;
    if (program->system)
        return 0;
    centre_constants(program);
    memcpy(program->state_rim, program->rim, sizeof program->rim);
    widen_rims(program);
    unite_edges(program);
    return 0;
}

int gzt_radius(const struct gzt_program *program, int axis)
{
    if (program->system)
        return program->system->radius[axis];
    int radius = program->reach[axis][1] > -program->reach[axis][0] ? program->reach[axis][1]
                                                                    : -program->reach[axis][0];
    for (int k = 0; k < program->constant_count; k++) {
        const int *reach = program->constants[k]->reach[axis];
        radius = reach[1] > radius ? reach[1] : radius;
        radius = -reach[0] > radius ? -reach[0] : radius;
    }
    return radius;
}

const char *gzt_axis_variable(const struct gzt_program *program, int axis)
{
    const struct gzt_sweep *sweep = program->sweep;
    while (sweep->axis_loop[axis] < 0)
        sweep++;
    return sweep->loop[sweep->axis_loop[axis]].iterator->name;
}

int gzt_grid_rim(const struct gzt_program *program, int axis)
{
    return program->edge[axis] == GZT_EDGE_KEEP ? gzt_radius(program, axis) : 0;
}

bool gzt_keeps(const struct gzt_program *program)
{
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->edge[axis] == GZT_EDGE_KEEP)
            return true;
    return false;
}
