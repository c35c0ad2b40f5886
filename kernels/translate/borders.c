/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "borders.h"

#include "access.h"
#include "cells.h"
#include "effects.h"
#include "emit.h"
#include "loops.h"
#include "reads.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <stdlib.h>
#include <string.h>

/* What is proven of grids of at least as many cells along each axis; smaller ones run their own
 * loops. */
enum { LEAST = 4 };

int gzt_depth(const struct gzt_node *node)
{
    int most = 0;
    for (int i = 0; i < node->count; i++) {
        int depth = gzt_depth(node->child[i]);
        most = depth > most ? depth : most;
    }
    return most + (node->kind == GZT_FOR);
}

bool gzt_may_be_border(const struct gzt_node *node, int deepest)
{
    if (node->kind == GZT_FOR)
        return gzt_depth(node) < deepest;
    return deepest > 0 && gzt_is_assignment(node) &&
           gzt_bare(node->child[0])->kind == GZT_SUBSCRIPT;
}

/* ------------------------------------------------------------------------------------ reading */

static const char *text_of(const struct gzt_border *border, const struct gzt_program *program)
{
    return gzt_node_text(program->source, border->assignment);
}

static int refuse(const struct gzt_program *program, const struct gzt_border *border,
                  const char *why)
{
    return gzt_refuse(program->source, border->assignment->begin,
                      "%s sets cells beside the sweep: %s", text_of(border, program), why);
}

/* The array whose border must be set at a place: the one that the next sweep reads. */
static const struct gzt_array *expected(const struct gzt_program *program,
                                        enum gzt_position position)
{
    return position == GZT_AMONG ? program->sweep[0].write.array : program->state[0];
}

static bool is_linear(const struct gzt_program *program)
{
    const struct gzt_access *write = &program->sweep[0].write;
    const struct gzt_node *target = gzt_bare(write->node);
    return write->coordinates > 1 && gzt_bare(target->child[0])->kind != GZT_SUBSCRIPT;
}

/* An element's place, from the slowest coordinate, over the variables of the border's loops. */
static int read_place(struct gzt_program *program, struct gzt_border *border,
                      const struct gzt_node *node, isl_pw_aff *place[GZT_AXES])
{
    struct gzt_space space = gzt_space_of(program, &border->sweep);
    struct gzt_access access;
    int coordinates = program->sweep[0].write.coordinates;

    if (is_linear(program))
        return gzt_read_linear(&space, &program->sweep[0], program, node, place)
                   ? 0
                   : refuse(program, border, "its index is not understood");
    if (gzt_read_access(program, &space, node, &access) != 0)
        return -1;
    bool same = access.coordinates == coordinates;
    for (int i = 0, k = 0; i < coordinates && same; i++)
        if (program->form != GZT_PARITY || i != program->parity_coordinate)
            place[k++] = isl_pw_aff_copy(access.coordinate[i].index);
    gzt_free_access(&access);
    return same ? 0 : refuse(program, border, "it has other subscripts than the sweep's element");
}

/* From the border's loop variables to cells. */
static isl_map *map_of(const struct gzt_program *program, const struct gzt_border *border,
                       isl_pw_aff *place[GZT_AXES])
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    isl_space *pair = isl_space_alloc(program->isl, 0, (unsigned)border->sweep.loops,
                                      (unsigned)program->dimensions);
    isl_multi_pw_aff *to = isl_multi_pw_aff_zero(pair);
    for (int i = 0; i < program->dimensions; i++)
        to = isl_multi_pw_aff_set_pw_aff(to, sweep->axis_loop[program->dimensions - 1 - i],
                                         isl_pw_aff_copy(place[i]));
    return isl_map_intersect_domain(isl_map_from_multi_pw_aff(to),
                                    isl_set_copy(border->sweep.domain));
}

static isl_pw_aff *more(isl_pw_aff *function, int by)
{
    isl_val *value = isl_val_int_from_si(isl_pw_aff_get_ctx(function), by);
    isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(function), isl_pw_aff_copy(function));
    return isl_pw_aff_add(isl_pw_aff_copy(function), isl_pw_aff_add_constant_val(zero, value));
}

/* The domain, so many cells wider on all sides. */
static isl_set *box(const struct gzt_program *program, int wider)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_set *set = isl_set_universe(isl_space_set_alloc(program->isl, 0, (unsigned)sweep->loops));
    for (int axis = 0; axis < program->dimensions; axis++) {
        isl_pw_aff *cell = gzt_variable(&space, sweep->axis_loop[axis]);
        set = isl_set_intersect(
            set, isl_pw_aff_ge_set(isl_pw_aff_copy(cell), more(sweep->low[axis], -wider)));
        set = isl_set_intersect(set, isl_pw_aff_le_set(cell, more(sweep->high[axis], wider)));
    }
    return set;
}

/* Grids of at least that many cells along each axis, within the bounds of the loops. */
static isl_set *usual(const struct gzt_program *program)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_set *set = box(program, 0);
    for (int axis = 0; axis < program->dimensions; axis++) {
        isl_pw_aff *low = sweep->low[axis], *high = sweep->high[axis];
        set =
            isl_set_intersect(set, isl_pw_aff_ge_set(isl_pw_aff_copy(high), more(low, LEAST - 1)));
        set = isl_set_intersect(
            set, isl_pw_aff_ge_set(isl_pw_aff_copy(low), gzt_whole(&space, -GZT_MOST_INDEX / 2)));
        set = isl_set_intersect(
            set, isl_pw_aff_le_set(isl_pw_aff_copy(high), gzt_whole(&space, GZT_MOST_INDEX / 2)));
    }
    return isl_set_params(set);
}

/* How much wider than the domain a box around the cells must be, -1 if none is that wide. */
static int width(const struct gzt_program *program, isl_map *to)
{
    isl_set *cells = isl_set_intersect_params(isl_map_range(isl_map_copy(to)), usual(program));
    int found = -1;
    for (int wider = 0; wider <= 4 && found < 0; wider++) {
        isl_set *around = box(program, wider);
        if (isl_set_is_subset(cells, around) == isl_bool_true)
            found = wider;
        isl_set_free(around);
    }
    isl_set_free(cells);
    return found;
}

/* The cells that an element is, of those that a linear index may mean the nearest to the domain. */
static isl_map *cells_of(struct gzt_program *program, struct gzt_border *border,
                         isl_pw_aff *place[GZT_AXES])
{
    struct gzt_space space = gzt_space_of(program, &border->sweep);
    isl_map *best = map_of(program, border, place);
    int least = width(program, best);

    for (int g = program->dimensions - 1; g > 0 && is_linear(program); g--)
        for (int rows = -1; rows <= 1; rows += 2) {
            isl_pw_aff *row = gzt_row_size(&space, &program->sweep[0], program, g),
                       *tried[GZT_AXES];
            if (!row)
                continue;
            for (int i = 0; i < program->dimensions; i++)
                tried[i] = isl_pw_aff_copy(place[i]);
            row = isl_pw_aff_scale_val(row, isl_val_int_from_si(program->isl, rows));
            tried[g] = isl_pw_aff_add(tried[g], row);
            tried[g - 1] = isl_pw_aff_add(tried[g - 1], gzt_whole(&space, -rows));
            isl_map *other = map_of(program, border, tried);
            int wider = width(program, other);
            bool nearer = wider >= 0 && (least < 0 || wider < least);
            for (int i = 0; i < program->dimensions; i++) {
                if (nearer) {
                    isl_pw_aff_free(place[i]);
                    place[i] = isl_pw_aff_copy(tried[i]);
                }
                isl_pw_aff_free(tried[i]);
            }
            isl_map_free(nearer ? best : other);
            best = nearer ? other : best;
            least = nearer ? wider : least;
        }
    if (least < 0) {
        isl_map_free(best);
        refuse(program, border,
               "they do not lie beyond the domain, within 4 cells of its sides: only single cells "
               "may lie elsewhere");
        return NULL;
    }
    program->wide = least > program->wide ? least : program->wide;
    return best;
}

static isl_map *read_cells(struct gzt_program *program, struct gzt_border *border,
                           const struct gzt_node *node)
{
    isl_pw_aff *place[GZT_AXES] = {NULL};
    isl_map *cells =
        read_place(program, border, node, place) == 0 ? cells_of(program, border, place) : NULL;
    for (int i = 0; i < GZT_AXES; i++)
        isl_pw_aff_free(place[i]);
    return cells;
}

/* Of another loop than the statement's own, or set in one. */
struct names {
    const struct gzt_program *program;
    const struct gzt_border *border;
};
static int is_foreign(const struct gzt_node *node, void *data)
{
    const struct names *names = data;
    const struct gzt_node *time = names->program->time.node, *own = names->border->node;
    if (node->is_volatile)
        return 1;
    if (node->kind != GZT_REF || !node->decl->variable)
        return 0;
    if (strcmp(gzt_node_text(names->program->source, node),
               expected(names->program, names->border->position)->base) == 0)
        return 0;
    if (node->decl == names->program->time.iterator)
        return 1;
    for (int i = 0; i < names->border->sweep.loops; i++)
        if (node->decl == names->border->sweep.loop[i].iterator)
            return 0;
    if (gzt_holds(own, node->decl))
        return 0;
    return gzt_holds(time, node->decl) || gzt_assignments(time->child[3], node->decl) > 0;
}

static const char *base_text(const struct gzt_program *program, const struct gzt_node *node)
{
    return gzt_node_text(program->source, gzt_base_of(gzt_bare(node)));
}

static bool touches(isl_set *a, isl_set *b)
{
    return isl_set_is_disjoint(a, b) != isl_bool_true;
}

bool gzt_lies_beyond(struct gzt_program *program, const struct gzt_node *node)
{
    struct gzt_border border = {.node = node, .assignment = node};
    struct gzt_source before = *program->source;
    struct gzt_space space = gzt_space_of(program, &border.sweep);
    int wide = program->wide;
    bool beyond = false;

    border.sweep.write.coordinates = program->sweep[0].write.coordinates;
    isl_map *to = gzt_set_domain(program->source, &space, &border.sweep) == 0
                      ? read_cells(program, &border, gzt_bare(node->child[0]))
                      : NULL;
    if (to) {
        isl_set *cells = isl_map_range(to);
        isl_set *domain = isl_set_intersect_params(box(program, 0), usual(program));
        beyond = !touches(cells, domain);
        isl_set_free(cells);
        isl_set_free(domain);
    }
    *program->source = before;
    program->wide = wide;
    return beyond;
}

static int check_border(struct gzt_program *program, struct gzt_border *border)
{
    const struct gzt_node *target = gzt_bare(border->assignment->child[0]);
    const struct gzt_node *value = gzt_bare(border->assignment->child[1]);
    const struct gzt_array *array = expected(program, border->position);
    struct gzt_space space = gzt_space_of(program, &border->sweep);
    struct names names = {program, border};
    bool fits = (program->form == GZT_SWAP && !program->exchange.first) ||
                program->form == GZT_COPY_BACK ||
                (program->form == GZT_ROTATE && border->position != GZT_AMONG);

    if (!fits || program->sweeps != 1)
        return refuse(program, border,
                      "not translated yet but for a sweep into a second array, whose pointers then "
                      "change places or which is copied back");
    if (strcmp(base_text(program, target), array->base) != 0)
        return refuse(program, border,
                      gzt_format("must be of %s there, which the next sweep reads", array->base));
    const char *from = value->kind == GZT_SUBSCRIPT ? base_text(program, value) : "";
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->written && strcmp(program->arrays[i]->base, from) == 0 &&
            strcmp(from, array->base) != 0)
            return refuse(
                program, border,
                gzt_format("must not hang on %s, another array that the loops write", from));
    if (gzt_walk(border->node, is_foreign, &names) != 0)
        return refuse(program, border, "must be the same in all loops");
    if (gzt_refuse_effect(program->source, value) != 0)
        return -1;
    border->copies =
        value->kind == GZT_SUBSCRIPT && strcmp(base_text(program, value), array->base) == 0;
    if (!border->copies && (gzt_reads_data(value) || gzt_varies(&space, value) ||
                            value->type == GZT_POINTER || value->type == GZT_OTHER))
        return refuse(program, border,
                      "must be a number that stays the same, or another element of that array");
    return 0;
}

static int add_border(struct gzt_program *program, struct gzt_border border)
{
    struct gzt_border *made = gzt_alloc(sizeof *made);
    *made = border;
    made->sweep.statement = made->assignment;
    made->sweep.write.coordinates = program->sweep[0].write.coordinates;
    if (!gzt_is_binary(made->assignment, "=") ||
        gzt_bare(made->assignment->child[0])->kind != GZT_SUBSCRIPT)
        return refuse(
            program, made,
            "must assign an element by =; by +=, only single cells of the domain may be set");
    struct gzt_space space = gzt_space_of(program, &made->sweep);
    if (check_border(program, made) != 0 ||
        gzt_set_domain(program->source, &space, &made->sweep) != 0)
        return -1;
    made->to = read_cells(program, made, gzt_bare(made->assignment->child[0]));
    if (made->to && made->copies)
        made->from = read_cells(program, made, gzt_bare(made->assignment->child[1]));
    if (!made->to || (made->copies && !made->from))
        return -1;
    gzt_push(&program->borders, &program->border_count, made);
    return 0;
}

/* A statement's loops, and each assignment in them. */
static int read_statement(struct gzt_program *program, const struct gzt_node *node,
                          enum gzt_position position)
{
    struct gzt_border border = {.node = node, .position = position};
    const struct gzt_node **list = NULL;
    int count = 0;

    for (int i = 0; i < GZT_AXES; i++)
        border.sweep.axis_loop[i] = i;
    gzt_statements(node, &list, &count);
    while (count == 1 && list[0]->kind == GZT_FOR) {
        struct gzt_loop *loop = &border.sweep.loop[border.sweep.loops++];
        if (gzt_read_loop(program->source, list[0], loop) != 0)
            return -1;
        if (loop->step != 1)
            return gzt_refuse(program->source, list[0]->begin,
                              "a loop over cells beside the sweep with a step of %d: must be 1",
                              loop->step);
        const struct gzt_node *body = list[0]->child[3];
        list = NULL;
        count = 0;
        gzt_statements(body, &list, &count);
    }
    if (count == 0)
        return gzt_refuse(program->source, node->begin,
                          "a loop beside the sweep that does nothing: must set elements");
    for (int i = 0; i < count; i++) {
        if (!gzt_is_assignment(list[i]))
            return gzt_refuse(
                program->source, list[i]->begin,
                "%s beside the sweep: there, loops of fewer variables may only assign "
                "elements",
                gzt_node_text(program->source, list[i]));
        border.assignment = list[i];
        if (add_border(program, border) != 0)
            return -1;
    }
    return 0;
}

int gzt_read_borders(struct gzt_program *program, const struct gzt_node **list,
                     const enum gzt_position *positions, int count)
{
    for (int p = GZT_AMONG; count && p != -1; p = p == GZT_AMONG    ? GZT_BEHIND
                                                  : p == GZT_BEHIND ? GZT_BEFORE
                                                                    : -1)
        for (int i = 0; i < count; i++)
            if ((int)positions[i] == p && read_statement(program, list[i], positions[i]) != 0)
                return -1;
    return 0;
}

/* ------------------------------------------------------------------------------------- proofs */

/* What all statements between two sweeps make of the cells. */
struct effect {
    isl_map *source;   /* from a cell to that whose old value it holds in the end */
    isl_set *set;      /* cells that are set to others */
    isl_set *constant; /* cells that hold a number */
    isl_set *unclear;  /* cells that hold what hangs on the order within a statement ... */
    isl_set *wanted;   /* ... and those that they may hold the value of */
};

static isl_set *range_of(isl_map *map)
{
    return isl_map_range(isl_map_copy(map));
}

/* Adds the assignments from `first` to before `end`, which one statement makes. */
static bool add_effect(struct gzt_program *program, int first, int end, isl_set *context,
                       struct effect *effect)
{
    isl_set *all = isl_set_empty(isl_set_get_space(effect->set)), *unclear = isl_set_copy(all);
    isl_map *moves = isl_map_empty(isl_map_get_space(effect->source));
    isl_set *numbers = isl_set_copy(all);
    bool fine = true;

    for (int i = first; i < end; i++) {
        isl_set *cells =
            isl_set_intersect_params(range_of(program->borders[i]->to), isl_set_copy(context));
        unclear = isl_set_union(unclear, isl_set_intersect(isl_set_copy(all), isl_set_copy(cells)));
        all = isl_set_union(all, cells);
    }
    for (int i = first; i < end; i++) {
        struct gzt_border *border = program->borders[i];
        if (!border->copies) {
            numbers = isl_set_union(numbers, range_of(border->to));
            continue;
        }
        isl_map *move = isl_map_apply_range(isl_map_reverse(isl_map_copy(border->to)),
                                            isl_map_copy(border->from));
        move = isl_map_intersect_params(move, isl_set_copy(context));
        fine = fine && isl_map_is_single_valued(move) == isl_bool_true;
        isl_map *inner = isl_map_intersect_range(isl_map_copy(move), isl_set_copy(all));
        effect->wanted = isl_set_union(effect->wanted, range_of(inner));
        fine = fine && !touches(effect->unclear, effect->wanted);
        unclear = isl_set_union(unclear, isl_map_domain(inner));
        moves = isl_map_union(moves, move);
    }
    fine = fine && !touches(unclear, effect->wanted);
    isl_set *from = range_of(moves);
    fine = fine && !touches(from, effect->unclear);
    isl_set_free(from);
    moves = isl_map_subtract_domain(moves, isl_set_copy(unclear));
    numbers = isl_set_subtract(numbers, isl_set_copy(unclear));
    isl_map *stay = isl_set_identity(isl_set_copy(numbers));
    isl_map *moved = isl_map_apply_range(moves, isl_map_copy(effect->source));
    effect->source = isl_map_subtract_domain(effect->source, isl_set_copy(all));
    effect->source = isl_map_union(isl_map_union(effect->source, moved), stay);
    effect->unclear = isl_set_union(isl_set_subtract(effect->unclear, isl_set_copy(all)), unclear);
    effect->constant =
        isl_set_union(isl_set_subtract(effect->constant, isl_set_copy(all)), numbers);
    effect->set = isl_set_union(effect->set, all);
    return fine;
}

static struct effect effect_of(struct gzt_program *program, isl_set *context, bool *fine)
{
    isl_set *none =
        isl_set_empty(isl_space_set_alloc(program->isl, 0, (unsigned)program->dimensions));
    struct effect effect = {.set = none,
                            .constant = isl_set_copy(none),
                            .unclear = isl_set_copy(none),
                            .wanted = isl_set_copy(none)};
    effect.source = isl_set_identity(isl_set_universe(isl_set_get_space(none)));
    for (int first = 0, end; first < program->border_count; first = end) {
        for (end = first + 1; end < program->border_count &&
                              program->borders[end]->node == program->borders[first]->node;)
            end++;
        *fine = add_effect(program, first, end, context, &effect) && *fine;
    }
    effect.set = isl_set_intersect_params(
        isl_set_subtract(effect.set, isl_set_copy(effect.constant)), isl_set_copy(context));
    return effect;
}

static void free_effect(struct effect *effect)
{
    isl_map_free(effect->source);
    isl_set_free(effect->set);
    isl_set_free(effect->constant);
    isl_set_free(effect->unclear);
    isl_set_free(effect->wanted);
}

/* From each cell of the domain to the one at a distance; with `edge`, to the one that rule means.
 */
static isl_map *shifted(struct gzt_program *program, const int offset[GZT_AXES],
                        const enum gzt_edge *edge, isl_set *context)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    struct gzt_space space = gzt_space_of(program, sweep);
    unsigned n = (unsigned)program->dimensions;
    isl_multi_pw_aff *to = isl_multi_pw_aff_zero(isl_space_alloc(program->isl, 0, n, n));
    for (int axis = 0; axis < program->dimensions; axis++) {
        isl_pw_aff *cell = gzt_variable(&space, sweep->axis_loop[axis]);
        isl_pw_aff *low = sweep->low[axis], *high = sweep->high[axis];
        int d = offset[axis];
        isl_pw_aff *at = edge && edge[axis] == GZT_EDGE_CLAMP      ? gzt_clamped(cell, d, low, high)
                         : edge && edge[axis] == GZT_EDGE_PERIODIC ? gzt_wrapped(cell, d, low, high)
                                                                   : more(cell, d);
        isl_pw_aff_free(cell);
        to = isl_multi_pw_aff_set_pw_aff(to, sweep->axis_loop[axis], at);
    }
    isl_map *map = isl_map_intersect_domain(isl_map_from_multi_pw_aff(to), box(program, 0));
    return isl_map_intersect_params(map, isl_set_copy(context));
}

/* Whether a read is that of the edges' rule. */
static bool follows(struct gzt_program *program, const struct effect *effect,
                    const struct gzt_read *read, const enum gzt_edge *edge, isl_set *context)
{
    isl_map *ruled = shifted(program, read->offset, edge, context);
    isl_map *held = isl_map_apply_range(shifted(program, read->offset, NULL, context),
                                        isl_map_copy(effect->source));
    bool same = isl_map_is_equal(ruled, held) == isl_bool_true;
    isl_map_free(ruled);
    isl_map_free(held);
    return same;
}

/* Of reads along one axis, or, if `axis` is negative, of all. */
static bool all_follow(struct gzt_program *program, const struct effect *effect, int axis,
                       const enum gzt_edge *edge, isl_set *context)
{
    bool all = true;
    for (int i = 0; i < program->read_count && all; i++) {
        const struct gzt_read *read = program->reads[i];
        bool along = read->role == GZT_STATE;
        for (int other = 0; other < GZT_AXES && axis >= 0; other++)
            along = along && (other == axis || read->offset[other] == 0);
        all = !along || follows(program, effect, read, edge, context);
    }
    return all;
}

/* How many of the last loops it takes until all arrays hold what C leaves in them. */
static bool set_tail(struct gzt_program *program, struct effect *effect)
{
    int arrays = program->form == GZT_COPY_BACK ? 1 : program->form == GZT_SWAP ? 2 : 3;
    isl_map *source =
        isl_map_intersect_domain(isl_map_copy(effect->source), isl_set_copy(effect->set));
    isl_set *old = isl_set_intersect(range_of(source), isl_set_copy(effect->set));
    old = isl_set_union(old, isl_set_copy(effect->wanted));
    bool stale = isl_set_is_empty(old) != isl_bool_true ||
                 isl_set_is_empty(effect->unclear) != isl_bool_true;
    isl_map *older = isl_map_intersect_domain(isl_map_copy(source), isl_set_copy(old));
    isl_set *oldest = isl_map_range(older);
    bool fine = !touches(oldest, effect->set) && !touches(old, effect->unclear);
    bool before = false;
    for (int i = 0; i < program->border_count; i++)
        before = before || program->borders[i]->position == GZT_BEFORE;
    program->tail = arrays - 1 + before + (stale ? arrays : 0);
    program->tail = program->tail ? program->tail : 1;
    isl_map_free(source);
    isl_set_free(old);
    isl_set_free(oldest);
    return fine;
}

static int judge(struct gzt_program *program, enum gzt_edge edge[GZT_AXES], struct effect *effect,
                 isl_set *context, bool fine)
{
    const struct gzt_border *border = program->borders[program->border_count - 1];
    static const enum gzt_edge kinds[] = {GZT_EDGE_KEEP, GZT_EDGE_CLAMP, GZT_EDGE_PERIODIC};
    isl_set *domain = isl_set_intersect_params(box(program, 0), isl_set_copy(context));

    for (int i = 0; i < program->border_count; i++) {
        isl_set *cells = range_of(program->borders[i]->to);
        bool inside = touches(cells, domain);
        isl_set_free(cells);
        if (inside) {
            isl_set_free(domain);
            return refuse(program, program->borders[i],
                          "they must lie beyond the cells that the sweep computes: only single "
                          "cells may lie within");
        }
    }
    isl_set_free(domain);
    for (int axis = 0; axis < program->dimensions; axis++) {
        enum gzt_edge tried[GZT_AXES] = {GZT_EDGE_KEEP, GZT_EDGE_KEEP, GZT_EDGE_KEEP};
        bool found = edge[axis] != GZT_EDGE_KEEP;
        for (int k = 0; k < 3 && !found; k++) {
            tried[axis] = kinds[k];
            found = all_follow(program, effect, axis, tried, context);
        }
        if (!found)
            return refuse(
                program, border,
                gzt_format(
                    "what the sweep reads beyond the domain along %s is not proven "
                    "to be left alone, the nearest cell or the opposite one at "
                    "both sides",
                    program->sweep[0].loop[program->sweep[0].axis_loop[axis]].iterator->name));
        edge[axis] = edge[axis] == GZT_EDGE_KEEP ? tried[axis] : edge[axis];
    }
    if (!all_follow(program, effect, -1, edge, context))
        return refuse(program, border,
                      "corners that the sweep reads are not proven to be set likewise");
    if (!set_tail(program, effect) || !fine)
        return refuse(program, border, "what it sets hangs on more than the loop before");
    return 0;
}

int gzt_judge_borders(struct gzt_program *program, enum gzt_edge edge[GZT_AXES])
{
    bool fine = true;
    isl_set *context = usual(program);
    struct effect effect = effect_of(program, context, &fine);
    int status = judge(program, edge, &effect, context, fine);
    free_effect(&effect);
    isl_set_free(context);
    memcpy(program->border_edge, edge, sizeof program->border_edge);
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->least[axis] < LEAST)
            program->least[axis] = LEAST;
    return status;
}

/* ----------------------------------------------------------------------------------- emission */

void gzt_add_border(const struct gzt_program *program, enum gzt_position position,
                    struct gzt_text *text)
{
    const struct gzt_node *done = NULL;
    for (int i = 0; i < program->border_count; i++) {
        const struct gzt_border *border = program->borders[i];
        if (border->position == position && border->node != done)
            gzt_add(text, "%s;\n",
                    gzt_clean(program->source, border->node->begin, border->node->end));
        done = border->node;
    }
}

bool gzt_is_set_before_copy(const struct gzt_program *program)
{
    bool found = false;
    for (int i = 0; i < program->border_count; i++)
        found = found || program->borders[i]->position == GZT_AMONG;
    return found && program->form == GZT_COPY_BACK;
}

/* Loops over a border's own cells, by the names of its axes. */
static void add_own_loops(const struct gzt_program *program, const struct gzt_border *border,
                          struct gzt_text *text)
{
    const char *none[GZT_AXES] = {"0", "0", "0"};
    for (int i = 0; i < border->sweep.loops; i++) {
        const struct gzt_loop *loop = &border->sweep.loop[i];
        gzt_add(text, "for (long %s = (long)(%s)(%s); %s < (long)(%s)%s; %s++)\n",
                gzt_axis_names[i], loop->iterator->type_name,
                gzt_evaluated(program, &border->sweep, loop->low, none, NULL), gzt_axis_names[i],
                gzt_evaluated(program, &border->sweep, loop->high, none, NULL),
                loop->inclusive ? " + 1" : "", gzt_axis_names[i]);
    }
}

/* The loops run from bound to bound as their own conditions say, of which C asks an inner one where
 * the outer has a turn. */
static void add_loop_tests(const struct gzt_program *program, const struct gzt_border *border,
                           struct gzt_text *text)
{
    for (int i = 0; i < border->sweep.loops; i++) {
        const struct gzt_loop *loop = &border->sweep.loop[i];
        const char *none[GZT_AXES] = {"0", "0", "0"}, *condition[3];
        const char *at[] = {"gz_end", "gz_end - 1", "gz_begin"};
        for (int k = 0; k < 3; k++) {
            const char *values[GZT_AXES] = {"0", "0", "0"};
            values[i] = gzt_format("((%s)(%s))", loop->iterator->type_name, at[k]);
            condition[k] =
                gzt_evaluated(program, &border->sweep, loop->node->child[1], values, NULL);
        }
        gzt_add(text,
                "{\nconst long gz_begin = (long)(%s)(%s), gz_high = (long)(%s)%s;\n"
                "const long gz_end = gz_high > gz_begin ? gz_high : gz_begin;\n"
                "if (gz_begin < -%d || gz_high > %d || (%s) || (gz_end > gz_begin && (!(%s) || "
                "!(%s))))\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\n%s",
                loop->iterator->type_name,
                gzt_evaluated(program, &border->sweep, loop->low, none, NULL),
                gzt_evaluated(program, &border->sweep, loop->high, none, NULL),
                loop->inclusive ? " + 1" : "", GZT_MOST_INDEX, GZT_MOST_INDEX, condition[0],
                condition[1], condition[2],
                i + 1 < border->sweep.loops ? "if (gz_end > gz_begin)\n" : "");
    }
    for (int i = 0; i < border->sweep.loops; i++)
        gzt_add(text, "}\n");
}

/* A number must stand there already, in each array that takes its turn. */
static void add_number_test(const struct gzt_program *program, const struct gzt_border *border,
                            struct gzt_text *text)
{
    const struct gzt_array *arrays[] = {program->state[0], program->state[1], program->third};
    const char *own = expected(program, border->position)->base;
    const char *none[GZT_AXES] = {"0", "0", "0"};
    for (int i = 0; i < 3; i++) {
        /* A copy back of another border is not taken. */
        bool alone = program->form == GZT_COPY_BACK;
        if (!arrays[i] || (alone && strcmp(arrays[i]->base, own) != 0))
            continue;
        add_own_loops(program, border, text);
        gzt_add(text,
                "{\nconst %s gz_number = (%s)(%s);\nconst char *gz_one = (const char *)&gz_number, "
                "*gz_two = (const char *)&%s;\n"
                "for (unsigned gz_i = 0; gz_i < sizeof gz_number; gz_i++)\n"
                "if (gz_one[gz_i] != gz_two[gz_i])\ngz_count = 0;\n}\n",
                gzt_type_text(program->type), gzt_type_text(program->type),
                gzt_evaluated(program, &border->sweep, border->assignment->child[1], none, NULL),
                gzt_elsewhere(program, &border->sweep, border->assignment->child[0], gzt_axis_names,
                              own, arrays[i]->base));
    }
}

/* A cell's number along an axis, moved, and the one that the edges' rule means. */
static const char *ruled(const struct gzt_program *program, int axis, bool by_rule)
{
    const char *at = gzt_format("gz_at[%d]", axis);
    if (!by_rule || program->border_edge[axis] == GZT_EDGE_KEEP ||
        program->border_edge[axis] == GZT_EDGE_ZERO)
        return at;
    bool clamps = program->border_edge[axis] == GZT_EDGE_CLAMP;
    return gzt_format("(%s < gz_low[%d] ? %s : %s >= gz_high[%d] ? %s : %s)", at, axis,
                      clamps ? gzt_format("gz_low[%d]", axis)
                             : gzt_format("%s + (gz_high[%d] - gz_low[%d])", at, axis, axis),
                      at, axis,
                      clamps ? gzt_format("gz_high[%d] - 1", axis)
                             : gzt_format("%s - (gz_high[%d] - gz_low[%d])", at, axis, axis),
                      at);
}

/* What the first sweep reads beyond the domain along an axis must hold what the rule means. */
static void add_edge_test(const struct gzt_program *program, const int offset[GZT_AXES], int axis,
                          struct gzt_text *text)
{
    for (int other = program->dimensions - 1; other >= 0; other--) {
        const char *name = gzt_axis_names[other];
        int d = offset[other];
        const char *low = other != axis || d < 0 ? gzt_format("gz_low[%d]", other)
                                                 : gzt_format("gz_high[%d] - %d", other, d);
        const char *high = other != axis || d > 0 ? gzt_format("gz_high[%d]", other)
                                                  : gzt_format("gz_low[%d] + %d", other, -d);
        gzt_add(text, "for (long %s = %s; %s < %s; %s++)\n", name, low, name, high, name);
    }
    gzt_add(text, "{\nconst long gz_at[3] = {");
    for (int i = 0; i < program->dimensions; i++)
        gzt_add(text, "%s%s + (%d)", i ? ", " : "", gzt_axis_names[i], offset[i]);
    gzt_add(text, "};\nconst char *gz_one = 0, *gz_two = 0;\n");
    for (int rule = 0; rule < 2; rule++) {
        gzt_add(text, "{\n");
        for (int i = 0; i < program->dimensions; i++)
            gzt_add(text, "const long %s = %s;\n", gzt_axis_names[i], ruled(program, i, rule));
        gzt_add(text, "%s = (const char *)&%s;\n}\n", rule ? "gz_two" : "gz_one",
                gzt_state_element(program, 0));
    }
    gzt_add(text,
            "for (unsigned gz_i = 0; gz_i < sizeof(%s); gz_i++)\n"
            "if (gz_one[gz_i] != gz_two[gz_i])\ngz_count = 0;\n}\n",
            gzt_type_text(program->type));
}

void gzt_add_border_tests(const struct gzt_program *program, struct gzt_text *text)
{
    bool later = false;
    gzt_add(text, "if (gz_usable != 1 || !gz_any");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(text, " || gz_low[%d] < -%d || gz_high[%d] > %d || gz_extent[%d] < %d", axis,
                GZT_MOST_INDEX / 2, axis, GZT_MOST_INDEX / 2, axis, program->least[axis]);
    gzt_add(text, ")\ngz_count = 0;\ngz_count = gz_count > %d ? gz_count - %d : 0;\n",
            program->tail, program->tail);
    gzt_add(text, "if (gz_count > 0) {\n");
    for (int i = 0; i < program->border_count; i++)
        add_loop_tests(program, program->borders[i], text);
    gzt_add(text, "}\nif (gz_count > 0 && gz_usable == 1) {\n");
    for (int i = 0; i < program->border_count; i++) {
        later = later || program->borders[i]->position != GZT_BEFORE;
        if (!program->borders[i]->copies)
            add_number_test(program, program->borders[i], text);
    }
    for (int i = 0; i < program->read_count && later; i++)
        for (int axis = 0; axis < program->dimensions; axis++) {
            const struct gzt_read *read = program->reads[i];
            enum gzt_edge edge = program->border_edge[axis];
            if (read->role == GZT_STATE && read->offset[axis] &&
                (edge == GZT_EDGE_CLAMP || edge == GZT_EDGE_PERIODIC))
                add_edge_test(program, read->offset, axis, text);
        }
    gzt_add(text, "}\n");
}
