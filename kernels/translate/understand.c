/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * understand.c - recognises the form of a region: which loop is the time, which nests are sweeps,
 * which array holds the state when.
 */
#include "locals.h"
#include "loops.h"
#include "reads.h"

#include <stdlib.h>
#include <string.h>

/* The statements of the time loop, by kind. */
struct body {
    const struct gzt_node **nests;
    int nest_count;
    const struct gzt_node **others; /* all behind the nests, or mixed with them */
    int other_count;
};

/* Statements that would end a loop early or do what no device can. */
static int refuse_forbidden(const struct gzt_node *node, void *data)
{
    struct gzt_source *source = data;
    static const struct {
        const char *kind, *word;
    } jumps[] = {{"BreakStmt", "break"}, {"ContinueStmt", "continue"},
                 {"GotoStmt", "goto"},   {"WhileStmt", "while"},
                 {"DoStmt", "do"},       {"SwitchStmt", "switch"}};
    if (node->kind == GZT_RETURN)
        return gzt_refuse(source, node->begin,
                          "return in the loop: the loops must run to their ends");
    for (size_t i = 0; node->kind == GZT_UNKNOWN && i < sizeof jumps / sizeof *jumps; i++)
        if (strcmp(node->op, jumps[i].kind) == 0)
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

static void sort_body(const struct gzt_node *time, struct body *body)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(time->child[3], &list, &count);
    for (int i = 0; i < count; i++)
        if (list[i]->kind == GZT_FOR)
            gzt_push(&body->nests, &body->nest_count, list[i]);
        else
            gzt_push(&body->others, &body->other_count, list[i]);
}

/* The one loop of the region. Declarations before it need no device. */
static const struct gzt_node *time_loop(struct gzt_source *source, const struct gzt_region *region)
{
    const struct gzt_node *found = NULL;
    for (int i = 0; i < region->statement_count; i++) {
        const struct gzt_node **list = NULL;
        int count = 0;
        gzt_statements(region->statements[i], &list, &count);
        for (int j = 0; j < count; j++) {
            if (list[j]->kind == GZT_DECL && !has_loop(list[j]))
                continue;
            if (list[j]->kind != GZT_FOR || found) {
                gzt_refuse(source, list[j]->begin,
                           "the part that is annotated must be a single loop over the time");
                return NULL;
            }
            found = list[j];
        }
    }
    if (!found)
        gzt_refuse(source, region->directive, "no loop is annotated");
    return found;
}

/* Reads the element that a sweep assigns. */
static int read_write(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *assignment = gzt_assignment_of(&space, sweep->statement, NULL);

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

/* The coordinate of a written element that depends on the time, or -1. */
static int time_coordinate(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    for (int i = 0; i < sweep->write.coordinates; i++)
        if (sweep->write.coordinate[i].iterator == program->time.iterator)
            return i;
    return -1;
}

/* Whether a plane's number is 0 or 1 in all loops in which it is not negative, as it is in none. */
static bool alternates(struct gzt_program *program, const struct gzt_sweep *sweep, int coordinate)
{
    isl_pw_aff *index = isl_pw_aff_copy(sweep->write.coordinate[coordinate].index);
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_set *valid = isl_pw_aff_ge_set(isl_pw_aff_copy(index), gzt_whole(&space, 0));
    isl_set *small = isl_pw_aff_le_set(index, gzt_whole(&space, 1));
    bool fine = isl_set_is_subset(valid, small) == isl_bool_true;
    isl_set_free(valid);
    isl_set_free(small);
    return fine;
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
        int loop = gzt_variable_of(&space, sweep->write.coordinate[i].iterator), distance;
        bool again = false;
        for (int other = 0; other < axis; other++)
            again = again || sweep->axis_loop[other] == loop;
        isl_set *all =
            isl_set_universe(isl_space_set_alloc(program->isl, 0, (unsigned)sweep->loops));
        isl_pw_aff *variable = loop >= 0 ? gzt_variable(&space, loop) : NULL;
        bool moves = variable &&
                     gzt_difference_on(all, sweep->write.coordinate[i].index, variable, &distance);
        isl_set_free(all);
        isl_pw_aff_free(variable);
        if (!moves || again || axis == GZT_AXES)
            return gzt_refuse(program->source, sweep->write.node->begin,
                              "%s: each subscript of the element that is written must be a loop "
                              "variable of its own, plus a constant or not",
                              text);
        sweep->axis_loop[axis++] = loop;
    }
    if (axis != sweep->loops)
        return gzt_refuse(program->source, sweep->write.node->begin,
                          "%s has %d subscripts that vary within %d loops: must be as many", text,
                          axis, sweep->loops);
    program->dimensions = axis;
    return gzt_set_domain(program->source, &space, sweep);
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

static int finish_sweep(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    if (set_axes(program, sweep) != 0)
        return -1;
    move_bounds(program, sweep);
    sweep->written = isl_set_copy(sweep->domain);
    gzt_assignment_of(&space, sweep->statement, &sweep->written);
    return 0;
}

/* A[i][j] = B[i][j] and nothing else. */
static bool is_copy(struct gzt_program *program, struct gzt_sweep *sweep,
                    const struct gzt_array *from)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *value;
    struct gzt_access access;

    if (!gzt_is_binary(sweep->statement, "="))
        return false;
    value = gzt_bare(sweep->statement->child[1]);
    if (value->kind != GZT_SUBSCRIPT || gzt_read_access(program, &space, value, &access) != 0)
        return false;
    isl_set *all = isl_set_universe(isl_space_set_alloc(program->isl, 0, (unsigned)sweep->loops));
    bool same = access.array == from && access.coordinates == sweep->write.coordinates;
    for (int i = 0; i < access.coordinates && same; i++)
        same = gzt_equal_on(all, access.coordinate[i].index, sweep->write.coordinate[i].index);
    isl_set_free(all);
    gzt_free_access(&access);
    return same;
}

static const struct gzt_decl *ref(const struct gzt_node *node)
{
    node = gzt_bare(node);
    while (node->kind == GZT_CAST && node->count == 1)
        node = gzt_bare(node->child[0]);
    return node->kind == GZT_REF ? node->decl : NULL;
}

/* TO = FROM, or TYPE TO = FROM. */
static bool is_move(const struct gzt_node *node, const struct gzt_decl **to,
                    const struct gzt_decl **from)
{
    if (node->kind == GZT_DECL && node->count == 1 && node->child[0]->count == 1) {
        *to = node->child[0]->decl;
        *from = ref(node->child[0]->child[0]);
    } else if (gzt_is_binary(node, "=")) {
        *to = ref(node->child[0]);
        *from = ref(node->child[1]);
    } else {
        return false;
    }
    return *to && *from;
}

/* Whether the statements exchange two pointers by way of a third, or by std::swap. */
static bool is_exchange(const struct body *body, const struct gzt_decl **a,
                        const struct gzt_decl **b)
{
    const struct gzt_decl *to[3], *from[3];
    if (body->other_count == 1 && body->others[0]->kind == GZT_CALL && body->others[0]->decl &&
        strcmp(body->others[0]->decl->name, "swap") == 0 && body->others[0]->count == 2) {
        *a = ref(body->others[0]->child[0]);
        *b = ref(body->others[0]->child[1]);
        return *a && *b;
    }
    if (body->other_count != 3)
        return false;
    for (int i = 0; i < 3; i++)
        if (!is_move(body->others[i], &to[i], &from[i]))
            return false;
    *a = from[0];
    *b = to[2];
    return to[0] == from[2] && to[1] == from[0] && from[1] == to[2];
}

static struct gzt_array *array_of(struct gzt_program *program, const struct gzt_decl *decl)
{
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->decl == decl)
            return program->arrays[i];
    return NULL;
}

/* Finds an array that a sweep reads by its declaration, though nothing has been read yet. */
struct lookup {
    const struct gzt_decl *decl;
    const struct gzt_node *found;
};
static int find_element(const struct gzt_node *node, void *data)
{
    struct lookup *lookup = data;
    if (node->kind != GZT_SUBSCRIPT || gzt_bare(node->child[0])->decl != lookup->decl ||
        gzt_bare(node->child[0])->kind != GZT_REF)
        if (node->kind != GZT_SUBSCRIPT || !gzt_mentions(node->child[0], lookup->decl))
            return 0;
    lookup->found = node;
    return 1;
}

static struct gzt_array *read_array(struct gzt_program *program, const struct gzt_sweep *sweep,
                                    const struct gzt_decl *decl)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    struct lookup lookup = {decl, NULL};
    struct gzt_access access;
    gzt_walk(sweep->statement, find_element, &lookup);
    if (!lookup.found || gzt_read_access(program, &space, lookup.found, &access) != 0)
        return NULL;
    gzt_free_access(&access);
    return array_of(program, decl);
}

static int refuse_other(struct gzt_source *source, const struct gzt_node *node)
{
    if (node->kind == GZT_CALL)
        return gzt_refuse(source, node->begin,
                          "%s is called in each loop: input, output and other effects must stay "
                          "outside",
                          node->decl ? node->decl->name : gzt_node_text(source, node));
    if (node->kind == GZT_IF)
        return gzt_refuse(source, node->begin,
                          "an if between the loops: every loop must do the same");
    return gzt_refuse(source, node->begin,
                      "%s is done in each loop: beside the sweeps, only two pointers may be "
                      "exchanged",
                      gzt_node_text(source, node));
}

static int set_swap(struct gzt_program *program, const struct body *body)
{
    const struct gzt_decl *a, *b;
    struct gzt_sweep *sweep = &program->sweep[0];

    if (program->sweeps != 1 || !is_exchange(body, &a, &b))
        return refuse_other(program->source, body->others[0]);
    const struct gzt_decl *target = sweep->write.array->decl;
    const struct gzt_decl *other = target == a ? b : a;
    if (body->others[0]->begin < sweep->loop[0].node->begin || (target != a && target != b))
        return refuse_other(program->source, body->others[0]);
    program->form = GZT_SWAP;
    program->state[1] = sweep->write.array;
    program->state[0] = read_array(program, sweep, other);
    if (!program->state[0])
        return program->source->failed
                   ? -1
                   : gzt_refuse(program->source, sweep->write.node->begin,
                                "the sweep does not read %s, with which %s changes places",
                                other->name, target->name);
    program->exchange.begin = body->others[0]->begin;
    program->exchange.end = body->others[body->other_count - 1]->end;
    program->state[0]->written = true;
    return 0;
}

/* One sweep without an exchange: planes chosen by the time's parity, or in place. */
static int set_single(struct gzt_program *program)
{
    struct gzt_sweep *sweep = &program->sweep[0];
    int coordinate = time_coordinate(program, sweep);

    program->state[0] = sweep->write.array;
    if (coordinate < 0) {
        program->form = GZT_IN_PLACE;
        return 0;
    }
    if (!alternates(program, sweep, coordinate))
        return gzt_refuse(program->source, sweep->write.node->begin,
                          "%s keeps every time step: use two arrays, or an index of (t + 1) %% 2",
                          gzt_node_text(program->source, sweep->write.node));
    if (program->time.step % 2 == 0)
        return gzt_refuse(program->source, program->time.node->begin,
                          "a step of %d leaves the planes as they are: must be odd",
                          program->time.step);
    program->form = GZT_PARITY;
    program->parity_coordinate = coordinate;
    program->state[1] = program->state[0];
    return 0;
}

static int set_pair(struct gzt_program *program)
{
    struct gzt_sweep *first = &program->sweep[0], *second = &program->sweep[1];

    for (int i = 0; i < 2; i++)
        if (time_coordinate(program, &program->sweep[i]) >= 0)
            return gzt_refuse(program->source, program->sweep[i].write.node->begin,
                              "%s keeps every time step: use two arrays, or an index of (t + 1) %% "
                              "2",
                              gzt_node_text(program->source, program->sweep[i].write.node));
    program->state[0] = second->write.array;
    if (first->write.array == second->write.array) {
        program->form = GZT_IN_PLACE;
        return 0;
    }
    program->state[1] = first->write.array;
    program->form = GZT_TWO_SWEEPS;
    if (!is_copy(program, second, first->write.array))
        return 0;
    program->form = GZT_COPY_BACK;
    program->copy = *second;
    program->sweeps = 1;
    return 0;
}

static int set_form(struct gzt_program *program, const struct body *body)
{
    if (body->other_count > 0)
        return set_swap(program, body);
    return program->sweeps == 1 ? set_single(program) : set_pair(program);
}

static int read_sweeps(struct gzt_program *program, const struct body *body)
{
    for (int i = 0; i < body->nest_count; i++) {
        struct gzt_sweep *sweep = i < GZT_SWEEPS ? &program->sweep[i] : gzt_alloc(sizeof *sweep);
        if (gzt_read_nest(program->source, body->nests[i], sweep) != 0 ||
            gzt_read_locals(program, sweep) != 0 || read_write(program, sweep) != 0)
            return -1;
    }
    program->sweeps = body->nest_count;
    if (body->nest_count > GZT_SWEEPS)
        return gzt_refuse(
            program->source, body->nests[2]->begin,
            "several fields or sweeps of different kinds in a loop are not translated "
            "yet: must be one sweep, two, or one and its copy back");
    return 0;
}

/* Both sweeps, or the sweep and its copy, must run over the same coordinates. */
static int check_pair(struct gzt_program *program, const struct gzt_sweep *second)
{
    const struct gzt_sweep *first = &program->sweep[0];
    bool same =
        first->write.coordinates == second->write.coordinates && first->loops == second->loops;
    for (int i = 0; i < first->write.coordinates && same; i++) {
        struct gzt_space a = gzt_space_of(program, first), b = gzt_space_of(program, second);
        int da = 0, db = 0, la = gzt_variable_of(&a, first->write.coordinate[i].iterator);
        int lb = gzt_variable_of(&b, second->write.coordinate[i].iterator);
        isl_pw_aff *va = gzt_variable(&a, la), *vb = gzt_variable(&b, lb);
        gzt_difference_on(first->domain, first->write.coordinate[i].index, va, &da);
        gzt_difference_on(second->domain, second->write.coordinate[i].index, vb, &db);
        isl_pw_aff_free(va);
        isl_pw_aff_free(vb);
        same = da == db;
    }
    if (same)
        return 0;
    return gzt_refuse(program->source, second->write.node->begin,
                      "%s has other subscripts than %s, with which it exchanges the state",
                      gzt_node_text(program->source, second->write.node),
                      gzt_node_text(program->source, first->write.node));
}

static int finish_sweeps(struct gzt_program *program)
{
    for (int i = 0; i < program->sweeps; i++)
        if (finish_sweep(program, &program->sweep[i]) != 0)
            return -1;
    if (program->form == GZT_COPY_BACK && finish_sweep(program, &program->copy) != 0)
        return -1;
    if (program->form == GZT_COPY_BACK)
        return check_pair(program, &program->copy);
    return program->sweeps == 2 ? check_pair(program, &program->sweep[1]) : 0;
}

static int check_type(struct gzt_program *program)
{
    const struct gzt_node *write = program->sweep[0].write.node;
    program->type = write->type;
    for (int i = 0; i < program->sweeps; i++)
        if (program->sweep[i].write.node->type != program->type)
            return gzt_refuse(program->source, program->sweep[i].write.node->begin,
                              "%s has another type than %s", program->sweep[i].write.array->base,
                              program->sweep[0].write.array->base);
    if (program->type != GZT_INT && program->type != GZT_FLOAT && program->type != GZT_DOUBLE)
        return gzt_refuse(program->source, write->begin,
                          "%s has elements of type %s: must be int, float or double",
                          program->sweep[0].write.array->base, write->type_name);
    return 0;
}

/* Whether a statement assigns every cell of the domain. */
static bool writes_all(const struct gzt_space *space, const struct gzt_node *statement,
                       isl_set *domain)
{
    const struct gzt_node *effect = gzt_effect(statement);
    if (!effect)
        return false;
    if (effect->kind != GZT_IF)
        return true;
    if (effect->count == 3)
        return writes_all(space, effect->child[1], domain) &&
               writes_all(space, effect->child[2], domain);
    isl_set *guard = gzt_condition(space, effect->child[0]);
    bool all = guard && isl_set_is_subset(domain, guard) == isl_bool_true;
    isl_set_free(guard);
    return all && writes_all(space, effect->child[1], domain);
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

    sweep->guarded = !writes_all(&space, sweep->statement, sweep->domain);
    if (!sweep->guarded)
        return 0;
    if (program->form == GZT_IN_PLACE) {
        program->red_black = true;
        return 0;
    }
    if (program->sweeps == 2 || program->form == GZT_COPY_BACK)
        return gzt_refuse(program->source, sweep->statement->begin,
                          "a guard in one of two sweeps is not translated yet: write in place, or "
                          "assign in the else as well");
    if (is_open(&space, sweep->statement))
        return gzt_refuse(
            program->source, sweep->statement->begin,
            "a guard that depends on the time or the state leaves cells of two arrays "
            "at different times: write in place, or assign in the else as well");
    return 0;
}

static int check_guards(struct gzt_program *program)
{
    int status = 0;
    for (int i = 0; i < program->sweeps && status == 0; i++)
        status = check_guard(program, &program->sweep[i]);
    return status;
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
        return gzt_refuse(program->source, at,
                          "gather of %d ranges, but the loops have %d dimensions: must be as many",
                          stated->gathers, program->dimensions);
    for (int i = 0; i < stated->gathers; i++)
        if (check_gather(program, i) != 0)
            return -1;
    return 0;
}

int gzt_understand(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                   struct gzt_program *program)
{
    struct body body = {0};

    memset(program, 0, sizeof *program);
    program->source = source;
    program->region = region;
    program->isl = isl;
    const struct gzt_node *time = time_loop(source, region);
    if (!time || gzt_walk(time, refuse_forbidden, source) != 0 ||
        gzt_read_loop(source, time, &program->time) != 0)
        return -1;
    sort_body(time, &body);
    if (body.nest_count == 0)
        return gzt_refuse(source, body.other_count ? body.others[0]->begin : time->begin,
                          "the loop over the time must contain loops over cells");
    if (read_sweeps(program, &body) != 0 || set_form(program, &body) != 0 ||
        gzt_check_locals(program) != 0 || finish_sweeps(program) != 0 || check_type(program) != 0 ||
        check_guards(program) != 0 || gzt_classify_reads(program) != 0)
        return -1;
    for (int i = 0; i < program->sweeps; i++)
        program->operations += gzt_count_operations(program->sweep[i].statement);
    program->operations /= program->sweeps;
    return check_annotation(program);
}
