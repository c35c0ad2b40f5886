/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reads.h"

#include "access.h"
#include "locals.h"
#include "loops.h"

#include <isl/map.h>
#include <stdlib.h>
#include <string.h>

static int visit(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set);

bool gzt_joins_all(const struct gzt_node *node, bool holds)
{
    return gzt_is_integer(node->type) &&
           (holds ? gzt_is_binary(node, "&") || gzt_is_binary(node, "*")
                  : gzt_is_binary(node, "|"));
}

/* Where a condition may hold, or not; everywhere, for parts of it that are not affine, and then it
 * is not exact. */
static isl_set *possible(const struct gzt_space *space, const struct gzt_node *node, bool holds,
                         bool *exact)
{
    node = gzt_bare(node);
    if (node->kind == GZT_UNARY && strcmp(node->op, "!") == 0)
        return possible(space, node->child[0], !holds, exact);
    bool both = gzt_is_binary(node, "&&");
    if (both || gzt_is_binary(node, "||")) {
        isl_set *a = possible(space, node->child[0], holds, exact);
        isl_set *b = possible(space, node->child[1], holds, exact);
        return both == holds ? isl_set_intersect(a, b) : isl_set_union(a, b);
    }
    isl_set *set = gzt_condition(space, node);
    *exact = *exact && set;
    if (!set && gzt_joins_all(node, holds))
        return isl_set_intersect(possible(space, node->child[0], holds, exact),
                                 possible(space, node->child[1], holds, exact));
    if (!set)
        return isl_set_universe(isl_space_set_alloc(space->isl, 0, (unsigned)space->variables));
    return holds ? set : isl_set_complement(set);
}

/* The part of the set where a condition may hold, or not. */
static isl_set *restricted(struct gzt_visitor *visitor, struct gzt_guard *guard, isl_set *set)
{
    const struct gzt_space *space = &visitor->space;
    guard->exact = true;
    isl_set *part = possible(space, guard->condition, guard->holds, &guard->exact);
    guard->timed = gzt_depends(space, guard->condition, space->time);
    return isl_set_intersect(part, isl_set_copy(set));
}

/* Visits what is read only if a condition holds, or does not. */
static int visit_within(struct gzt_visitor *visitor, const struct gzt_node *condition, bool holds,
                        const struct gzt_node *node, isl_set *set,
                        int (*visit_it)(struct gzt_visitor *, const struct gzt_node *, isl_set *))
{
    struct gzt_guard guard = {condition, holds, false, false, visitor->guards};
    isl_set *part = restricted(visitor, &guard, set);
    bool always = guard.exact && isl_set_is_subset(set, part) == isl_bool_true;
    visitor->guards = always ? guard.around : &guard;
    int status = visit_it(visitor, node, part);
    visitor->guards = guard.around;
    isl_set_free(part);
    return status;
}

static int visit_binary(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    if (gzt_is_assignment(node) || gzt_is_binary(node, ","))
        return gzt_refuse(visitor->program->source, node->begin,
                          "%s within an expression: a sweep makes one assignment to an array",
                          gzt_node_text(visitor->program->source, node));
    if (visit(visitor, node->child[0], set) != 0)
        return -1;
    if (gzt_is_binary(node, "&&") || gzt_is_binary(node, "||"))
        return visit_within(visitor, node->child[0], node->op[0] == '&', node->child[1], set,
                            visit);
    return visit(visitor, node->child[1], set);
}

static int refuse_node(struct gzt_visitor *visitor, const struct gzt_node *node)
{
    return gzt_refuse(visitor->program->source, node->begin,
                      "%s is not understood in a right-hand side",
                      gzt_node_text(visitor->program->source, node));
}

static int visit_children(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    int status = 0;
    for (int i = 0; i < node->count && status == 0; i++)
        status = visit(visitor, node->child[i], set);
    return status;
}

static int visit_node(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    switch (node->kind) {
    case GZT_LITERAL_INT:
    case GZT_LITERAL_FLOAT:
        return node->type == GZT_OTHER ? refuse_node(visitor, node) : 0;
    case GZT_REF:
        if (gzt_local_of(visitor->sweep, node->decl) >= 0)
            return 0;
        if (gzt_alias_of(visitor->program, node))
            return visit(visitor, gzt_alias_of(visitor->program, node), set);
        return visitor->scalar(visitor, node);
    case GZT_MEMBER:
        return visitor->scalar(visitor, node);
    case GZT_SUBSCRIPT:
        return visitor->element(visitor, node, set);
    case GZT_TERNARY:
        if (visit(visitor, node->child[0], set) != 0 ||
            visit_within(visitor, node->child[0], true, node->child[1], set, visit) != 0)
            return -1;
        return visit_within(visitor, node->child[0], false, node->child[2], set, visit);
    case GZT_BINARY:
        return visit_binary(visitor, node, set);
    case GZT_UNARY:
        if (gzt_is_assignment(node) || strchr("*&", node->op[0]))
            return refuse_node(visitor, node);
        return visit_children(visitor, node, set);
    case GZT_CALL:
        if (gzt_is_of_host(visitor, node))
            return visitor->scalar(visitor, node);
        return gzt_check_call(visitor->program, node) == 0 ? visit_children(visitor, node, set)
                                                           : -1;
    case GZT_CAST:
        if (node->type == GZT_OTHER || node->type == GZT_POINTER)
            return refuse_node(visitor, node);
        return visit_children(visitor, node, set);
    case GZT_PAREN:
    case GZT_IMPLICIT:
        return visit_children(visitor, node, set);
    default:
        return refuse_node(visitor, node);
    }
}

static int visit(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    int status = visit_node(visitor, node, set);
    return gzt_stops(visitor->program->source, status) ? status : 0;
}

static int visit_statement(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set);

/* An if: its condition, what it guards, and what is done otherwise. */
static int visit_if(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    int status = visit(visitor, node->child[0], set);
    for (int i = 1; i < node->count && status == 0; i++)
        status =
            visit_within(visitor, node->child[0], i == 1, node->child[i], set, visit_statement);
    return status;
}

/* Whether an element is the one that the sweep writes, by other subscripts that the guards make the
 * same. */
static bool is_written_cell(struct gzt_visitor *visitor, const struct gzt_node *target,
                            isl_set *set)
{
    const struct gzt_access *write = &visitor->sweep->write;
    struct gzt_access access;
    if (target->kind != GZT_SUBSCRIPT ||
        (!gzt_read_guarded(visitor->program, &visitor->space, set, target, &access) &&
         gzt_read_access(visitor->program, &visitor->space, target, &access) != 0))
        return false;
    bool same = access.array == write->array && access.coordinates == write->coordinates;
    for (int i = 0; i < access.coordinates && same; i++)
        same = gzt_equal_on(set, access.coordinate[i].index, write->coordinate[i].index);
    gzt_free_access(&access);
    return same;
}

static int visit_assignment(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    struct gzt_source *source = visitor->program->source;
    const struct gzt_node *target = gzt_bare(node->child[0]);

    if (strcmp(gzt_node_text(source, target), gzt_node_text(source, visitor->sweep->write.node)) &&
        !is_written_cell(visitor, target, set)) {
        source->several = source->several || source->reason_count == 0;
        return gzt_refuse(
            source, target->begin,
            "several fields in one sweep are not translated yet: %s is written beside "
            "%s",
            gzt_node_text(source, target), gzt_node_text(source, visitor->sweep->write.node));
    }
    /* A compound assignment reads its target. */
    if (!gzt_is_binary(node, "=") && visitor->element(visitor, target, set) != 0)
        return -1;
    return node->kind == GZT_BINARY ? visit(visitor, node->child[1], set) : 0;
}

static int visit_preparation(struct gzt_visitor *visitor, const struct gzt_node *node,
                             isl_set *set);

static int visit_preparations(struct gzt_visitor *visitor, const struct gzt_node *node,
                              isl_set *set)
{
    const struct gzt_node **list = NULL;
    int count = 0, status = 0;
    gzt_statements(node, &list, &count);
    for (int i = 0; i < count && status == 0; i++)
        status = visit_preparation(visitor, list[i], set);
    return status;
}

/* A statement that sets temporaries. */
static int visit_preparation(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    int status = 0;
    if (node->kind == GZT_DECL) {
        for (int i = 0; i < node->count && status == 0; i++)
            status = visit_children(visitor, node->child[i], set);
        return status;
    }
    if (node->kind != GZT_IF)
        return node->kind == GZT_BINARY ? visit(visitor, node->child[1], set) : 0;
    status = visit(visitor, node->child[0], set);
    for (int i = 1; i < node->count && status == 0; i++)
        status =
            visit_within(visitor, node->child[0], i == 1, node->child[i], set, visit_preparations);
    return status;
}

static int visit_statement(struct gzt_visitor *visitor, const struct gzt_node *node, isl_set *set)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(node, &list, &count);
    for (int i = 0; i + 1 < count; i++) {
        if (!gzt_is_preparation(list[i]))
            return gzt_refuse_fields(visitor->program->source, list, count, i);
        if (visit_preparation(visitor, list[i], set) != 0)
            return -1;
    }
    const struct gzt_node *last = count ? list[count - 1] : node;
    if (last->kind == GZT_IF && !gzt_is_preparation(last))
        return visit_if(visitor, last, set);
    if (gzt_is_assignment(last) && !gzt_is_preparation(last))
        return visit_assignment(visitor, last, set);
    return gzt_refuse(visitor->program->source, last->begin,
                      "%s: a sweep must end by assigning an element of an array",
                      gzt_node_text(visitor->program->source, last));
}

int gzt_visit_reads(struct gzt_visitor *visitor)
{
    visitor->space = gzt_space_of(visitor->program, visitor->sweep);
    visitor->space.later = visitor->later;
    return visit_statement(visitor, visitor->sweep->statement, visitor->sweep->domain);
}

const struct gzt_node *gzt_assignment_of(const struct gzt_space *space,
                                         const struct gzt_node *statement, isl_set **set)
{
    const struct gzt_node *effect = gzt_effect(statement);
    if (!effect)
        return NULL;
    if (effect->kind != GZT_IF)
        return gzt_is_assignment(effect) ? effect : NULL;
    /* With an else, every cell is written. */
    isl_set *part = effect->count == 2 ? gzt_condition(space, effect->child[0]) : NULL;
    if (part && set)
        *set = isl_set_intersect(*set, part);
    else
        isl_set_free(part);
    return gzt_assignment_of(space, effect->child[1], set);
}

static int count_variables(const struct gzt_space *space, const struct gzt_node *node)
{
    int count = 0;
    for (int i = 0; i < space->variables; i++)
        count += gzt_depends(space, node, space->variable[i]);
    return count;
}

const struct gzt_node *gzt_main_assignment(const struct gzt_space *space,
                                           const struct gzt_node *statement)
{
    const struct gzt_node *effect = gzt_effect(statement), *best = NULL;
    if (!effect || effect->kind != GZT_IF)
        return effect && gzt_is_assignment(effect) ? effect : NULL;
    for (int i = 1; i < effect->count; i++) {
        const struct gzt_node *found = gzt_main_assignment(space, effect->child[i]);
        if (!found)
            return NULL;
        if (!best ||
            count_variables(space, found->child[0]) > count_variables(space, best->child[0]))
            best = found;
    }
    return best;
}

/* The loop variables of the cell whose element `access` is: its coordinates, less what the write
 * adds to its own. */
static isl_map *cell_of(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_access *access)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_space *pair =
        isl_space_alloc(program->isl, 0, (unsigned)sweep->loops, (unsigned)sweep->loops);
    isl_multi_pw_aff *cell = isl_multi_pw_aff_zero(pair);

    for (int i = 0; i < access->coordinates; i++) {
        int loop = gzt_variable_of(&space, sweep->write.coordinate[i].iterator);
        if (loop < 0)
            continue;
        isl_pw_aff *moved = isl_pw_aff_sub(isl_pw_aff_copy(sweep->write.coordinate[i].index),
                                           gzt_variable(&space, loop));
        isl_pw_aff *index = isl_pw_aff_sub(isl_pw_aff_copy(access->coordinate[i].index), moved);
        cell = isl_multi_pw_aff_set_pw_aff(cell, loop, index);
    }
    return isl_map_from_multi_pw_aff(cell);
}

bool gzt_reads_written(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const struct gzt_access *access, isl_set *set)
{
    isl_map *map = cell_of(program, sweep, access);
    map = isl_map_intersect_domain(map, isl_set_copy(set));
    map = isl_map_intersect_domain(map, isl_set_copy(sweep->written));
    map = isl_map_intersect_range(map, isl_set_copy(sweep->written));
    isl_map *earlier = isl_map_lex_gt(isl_set_get_space(sweep->domain));
    map = isl_map_intersect(map, earlier);
    bool empty = isl_map_is_empty(map) == isl_bool_true;
    isl_map_free(map);
    return !empty;
}
