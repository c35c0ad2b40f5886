/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "systems.h"

#include "aliases.h"
#include "cuts.h"
#include "effects.h"
#include "emit.h"
#include "forms.h"
#include "locals.h"
#include "looks.h"
#include "loops.h"
#include "moves.h"
#include "outlives.h"
#include "receivers.h"
#include "toggles.h"
#include "within.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------- the parts */

/* The loops around a statement, and the statements before it that set temporaries. */
struct around {
    struct gzt_loop loop[GZT_AXES];
    int loops;
};

/* The first that reads a variable before a place. */
struct reader {
    const struct gzt_decl *decl;
    int before;
    const struct gzt_node *found;
};

static int find_reader(const struct gzt_node *node, void *data)
{
    struct reader *reader = data;
    bool reads = node->kind == GZT_REF && node->decl == reader->decl;
    reader->found = reads && node->begin < reader->before ? node : NULL;
    return reader->found != NULL;
}

static int refuse_statement(struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_decl *set = gzt_assigned(node);
    return gzt_refuse(program->source, node->begin,
                      set && set->type == GZT_POINTER
                          ? "%s among the sweeps: a loop that sets several arrays may exchange "
                            "pointers behind all of them only"
                          : "%s: a loop that sets several arrays may only assign elements in loops "
                            "over cells, and then exchange pointers",
                      gzt_node_text(program->source, node));
}

/* The same of a statement of the time loop itself. */
static int refuse_beside(struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_decl *set = gzt_assigned(node);
    struct reader reader = {set, node->begin, NULL};
    if (!set || set->type == GZT_POINTER ||
        gzt_walk(program->time.node->child[3], find_reader, &reader) == 0)
        return refuse_statement(program, node);
    return gzt_refuse(program->source, node->begin,
                      "%s hands %s on to the next loop, where line %d reads it: a number beside "
                      "the sweeps must be set before it is read, from scalars and the time",
                      gzt_node_text(program->source, node), set->name,
                      gzt_place_of(program->source, reader.found->begin).line);
}

/* A block of the statements up to an assignment. */
static struct gzt_node *block_of(const struct gzt_node **list, int count)
{
    struct gzt_node *block = gzt_alloc(sizeof *block);
    block->kind = GZT_BLOCK;
    block->begin = list[0]->begin;
    block->end = list[count - 1]->end;
    for (int i = 0; i < count; i++)
        gzt_push(&block->child, &block->count, list[i]);
    return block;
}

static int add_part(struct gzt_program *program, const struct around *around,
                    const struct gzt_node **list, int count)
{
    const struct gzt_node *effect = list[count - 1];
    if (program->sweeps == GZT_PARTS)
        return gzt_refuse(program->source, effect->begin,
                          "more than %d assignments to arrays in a loop", (int)GZT_PARTS);
    struct gzt_sweep *sweep = &program->sweep[program->sweeps++];
    memcpy(sweep->loop, around->loop, sizeof sweep->loop);
    sweep->loops = around->loops;
    sweep->statement = count == 1 ? effect : block_of(list, count);
    sweep->end = effect->end;
    for (int i = 0; i < sweep->loops; i++) {
        int offset = sweep->loop[i].iterator->offset;
        if (offset >= program->time.node->begin && offset < program->time.node->end)
            sweep->loop[i].declared_inside = true;
    }
    return 0;
}

static int read_list(struct gzt_program *program, const struct gzt_node *body,
                     const struct around *around);

static int read_cells(struct gzt_program *program, const struct gzt_node *node,
                      const struct around *outer)
{
    struct around around = *outer;
    if (around.loops == GZT_AXES)
        return gzt_refuse(program->source, node->begin,
                          "more than three dimensions: a stencil has one to three");
    struct gzt_loop *loop = &around.loop[around.loops++];
    if (gzt_read_loop(program->source, node, loop) != 0)
        return -1;
    if (loop->step != 1)
        return gzt_refuse(program->source, node->begin,
                          "a loop over cells with a step of %d: must be 1 (colour the cells by "
                          "an if instead)",
                          loop->step);
    return read_list(program, node->child[3], &around);
}

/* The statements in a loop over cells that have been read: those that set temporaries, and maybe an
 * assignment behind them. */
struct statements {
    const struct gzt_node **list;
    int count;
    bool settled; /* whether an assignment, or nothing, stands behind the last of them */
};

/* Another loop, a statement that sets temporaries, or an assignment, which is a part. */
static int read_statement(struct gzt_program *program, const struct gzt_node *node,
                          const struct around *around, struct statements *read)
{
    bool prepares = node->kind != GZT_FOR && gzt_is_preparation(node);
    if (node->kind == GZT_FOR && read->count)
        return gzt_refuse_inner(program->source, node);
    if (node->kind == GZT_FOR)
        return read_cells(program, node, around);
    if (around->loops > 0 &&
        gzt_refuse_around(program->source, node, around->loop[around->loops - 1].iterator) != 0)
        return -1;
    if (!prepares && node->kind != GZT_IF && !gzt_is_assignment(node))
        return refuse_statement(program, node);
    gzt_push(&read->list, &read->count, node);
    read->settled = !prepares;
    if (prepares)
        return 0;
    int status = add_part(program, around, read->list, read->count);
    read->count--;
    return status;
}

static int read_list(struct gzt_program *program, const struct gzt_node *body,
                     const struct around *around)
{
    const struct gzt_node **list = NULL;
    struct statements read = {.settled = true};
    int count = 0;
    gzt_statements(body, &list, &count);
    for (int i = 0; i < count; i++)
        if (read_statement(program, list[i], around, &read) != 0)
            return -1;
    if (read.settled)
        return 0;
    const struct gzt_node *sum = gzt_gathered(read.list, read.count - 1);
    return sum ? gzt_refuse(program->source, sum->begin,
                            "%s depends on all cells of the previous loop: no tile can compute it "
                            "on its own",
                            gzt_node_text(program->source, sum))
               : refuse_statement(program, read.list[read.count - 1]);
}

static bool sets_used(const struct gzt_program *program, const struct gzt_node **list, int before,
                      const struct gzt_decl *decl)
{
    const struct gzt_node *head = program->counts ? program->counts->loop : program->time.node;
    bool used = false;
    for (int i = 0; i + 1 < head->count; i++)
        used = used || gzt_mentions(head->child[i], decl);
    for (int i = 0; i < before; i++)
        used = used || gzt_mentions(list[i], decl);
    for (int i = 0; i < program->look_count; i++)
        used = used || gzt_mentions(program->looks[i]->node->child[0], decl);
    return used;
}

/* pulse = exp(-t * t); or float s = sin(t); between the loops over cells, for what stands behind
 * it. What it leaves, the last loop sets, which is the program's own. */
static bool take_value(struct gzt_program *program, const struct gzt_node **list, int number)
{
    const struct gzt_node *node = list[number];
    int before = program->alias_count;
    bool used = gzt_assigned(node) && sets_used(program, list, number, gzt_assigned(node));
    if (used || !gzt_take_aliases(program, program->time.node, node, true))
        return false;
    for (int i = before; i < program->alias_count; i++)
        program->aliases[i]->outside = false;
    return true;
}

static int note_copy(struct gzt_program *program, const struct gzt_node *call)
{
    struct gzt_system *system = program->system;
    if (system->copies == GZT_FIELDS)
        return gzt_refuse(program->source, call->begin, "more than %d copies of arrays in a loop",
                          (int)GZT_FIELDS);
    system->copy[system->copies++].call = call;
    return 0;
}

/* Elements that an if of the time loop guards, each a part under its condition, which must not hang
 * on them. */
static int add_guarded(struct gzt_program *program, const struct gzt_node *node)
{
    const struct around none = {.loops = 0};
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(node->child[1], &list, &count);
    for (int i = 0; i < count; i++) {
        struct gzt_node *guarded = gzt_alloc(sizeof *guarded);
        *guarded = *node;
        guarded->child = NULL;
        guarded->count = 0;
        gzt_push(&guarded->child, &guarded->count, node->child[0]);
        gzt_push(&guarded->child, &guarded->count, (struct gzt_node *)list[i]);
        guarded->end = list[i]->end;
        const struct gzt_node *part = guarded;
        if ((count > 1 && gzt_reads_data(node->child[0])) ||
            add_part(program, &none, &part, 1) != 0)
            return program->source->failed ? -1 : refuse_statement(program, node);
    }
    return 0;
}

/* A statement of the time loop: those that are neither loops, elements, copies nor set numbers must
 * be the exchange at its end. */
static int read_part(struct gzt_program *program, struct gzt_loop_body *body,
                     const struct gzt_node **list, int number)
{
    const struct gzt_node *node = list[number];
    const struct around none = {.loops = 0};
    bool loop = node->kind == GZT_FOR, copy = gzt_is_memory_copy(node);
    const struct gzt_node *target = gzt_is_assignment(node) ? gzt_bare(node->child[0]) : NULL;
    bool element = target && target->kind == GZT_SUBSCRIPT && target->type != GZT_POINTER;
    bool guarded = program->guarded && gzt_may_be_points(node);
    bool turn = gzt_is_turn(program, node);
    if (gzt_is_bare(node) || (!turn && body->other_count == 0 && take_value(program, list, number)))
        return 0;
    if (!loop && !element && !copy && !guarded) {
        gzt_push(&body->others, &body->other_count, node);
        return 0;
    }
    if (body->other_count)
        return refuse_beside(program, body->others[0]);
    return copy      ? note_copy(program, node)
           : loop    ? read_cells(program, node, &none)
           : guarded ? add_guarded(program, node)
                     : add_part(program, &none, &node, 1);
}

static int read_parts(struct gzt_program *program, struct gzt_loop_body *body)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(program->time.node->child[3], &list, &count);
    for (int i = 0; i < count; i++)
        if (read_part(program, body, list, i) != 0)
            return -1;
    return program->sweeps ? 0
                           : gzt_refuse(program->source, program->time.node->begin,
                                        "the time loop must contain loops over cells");
}

/* ----------------------------------------------------------------------------------- the axes */

static const struct gzt_node *target_of(struct gzt_program *program, const struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *assignment = gzt_main_assignment(&space, sweep->statement);
    if (!assignment) {
        gzt_refuse(program->source, sweep->statement->begin,
                   "an if of a loop that sets several arrays must assign one element in each of "
                   "its branches");
        return NULL;
    }
    const struct gzt_node *target = gzt_bare(assignment->child[0]);
    if (target->kind == GZT_SUBSCRIPT)
        return target;
    gzt_refuse(program->source, target->begin,
               "%s is not an element of an array: the innermost loop must assign one",
               gzt_node_text(program->source, target));
    return NULL;
}

/* The subscript that is coordinate `c`, if each coordinate has one. */
static const struct gzt_node *subscript_of(const struct gzt_access *access, int c)
{
    const struct gzt_node *node = access->node, *found = NULL;
    int count = 0;
    for (; count < access->coordinates && node->kind == GZT_SUBSCRIPT && node->count == 2;
         count++) {
        if (count == access->coordinates - 1 - c)
            found = node->child[1];
        node = gzt_bare(node->child[0]);
    }
    return count == access->coordinates ? found : NULL;
}

/* An if around a part of which the place must not be asked for where that does not hold. */
static bool hides_place(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    bool may_fail = false;
    for (int axis = 0; axis < program->dimensions; axis++)
        may_fail =
            may_fail || (sweep->fixed[axis] && gzt_may_fail(program->source, sweep->fixed[axis]));
    return may_fail && sweep->statement->kind == GZT_IF && sweep->statement->count == 2;
}

const struct gzt_guard *gzt_guard_of_place(const struct gzt_program *program,
                                           const struct gzt_sweep *sweep)
{
    if (!hides_place(program, sweep))
        return NULL;
    struct gzt_guard *guard = gzt_alloc(sizeof *guard);
    *guard = (struct gzt_guard){.condition = sweep->statement->child[0], .holds = true};
    return guard;
}

/* Of a coordinate: the loop that it follows, or that it is the same for all cells. */
static int set_axis(struct gzt_program *program, struct gzt_sweep *sweep, int axis, bool *used)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    int c = program->dimensions - 1 - axis;
    const struct gzt_coordinate *coordinate = &sweep->write.coordinate[c];
    isl_set *all = isl_set_universe(isl_space_set_alloc(program->isl, 0, (unsigned)sweep->loops));
    int loop = coordinate->iterator ? gzt_variable_of(&space, coordinate->iterator) : -1;
    bool fine;

    sweep->axis_loop[axis] = loop;
    if (loop >= 0) {
        isl_pw_aff *variable = gzt_variable(&space, loop);
        fine = !used[loop] &&
               (gzt_difference_on(all, coordinate->index, variable, &sweep->add[axis]) ||
                (gzt_straighten(program, sweep, c) &&
                 gzt_difference_on(all, coordinate->index, variable, &sweep->add[axis])));
        used[loop] = true;
        isl_pw_aff_free(variable);
    } else {
        sweep->fixed[axis] = subscript_of(&sweep->write, c);
        fine = !coordinate->iterator && sweep->fixed[axis] &&
               !gzt_varies(&space, sweep->fixed[axis]) && !gzt_reads_data(sweep->fixed[axis]) &&
               !(hides_place(program, sweep) &&
                 (sweep->loops > 0 || gzt_reads_data(sweep->statement->child[0])));
    }
    isl_set_free(all);
    return fine ? 0
                : gzt_refuse(program->source, sweep->write.node->begin,
                             "%s is set among several arrays: each subscript must be a loop "
                             "variable of its own, with or without a constant added, or the same "
                             "for all cells and loops",
                             gzt_node_text(program->source, sweep->write.node));
}

/* A bound over parameters alone, which parts have in common. */
static isl_pw_aff *fixed_bound(const struct gzt_program *program, isl_pw_aff *bound)
{
    bound = isl_pw_aff_project_domain_on_params(isl_pw_aff_copy(bound));
    return isl_pw_aff_insert_domain(bound, isl_space_set_alloc(program->isl, 0, 0));
}

static int set_domain(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    if (gzt_set_domain(program->source, &space, sweep) != 0)
        return -1;
    gzt_cut_domain(&space, sweep);
    for (int axis = 0; axis < program->dimensions; axis++) {
        if (sweep->axis_loop[axis] < 0) {
            isl_pw_aff *index = sweep->write.coordinate[program->dimensions - 1 - axis].index;
            sweep->low[axis] = isl_pw_aff_copy(index);
            sweep->high[axis] = isl_pw_aff_copy(index);
            continue;
        }
        sweep->low[axis] = isl_pw_aff_add(sweep->low[axis], gzt_whole(&space, sweep->add[axis]));
        sweep->high[axis] = isl_pw_aff_add(sweep->high[axis], gzt_whole(&space, sweep->add[axis]));
    }
    sweep->written = isl_set_copy(sweep->domain);
    gzt_assignment_of(&space, sweep->statement, &sweep->written);
    sweep->guarded = !gzt_writes_all(&space, sweep->statement, sweep->domain);
    for (int axis = 0; axis < program->dimensions; axis++) {
        sweep->first[axis] = fixed_bound(program, sweep->low[axis]);
        sweep->last[axis] = fixed_bound(program, sweep->high[axis]);
    }
    return 0;
}

/* -------------------------------------------------------------------------------- the planes */

/* Whether a plane's number is that of another or, of two, the other one. */
static bool is_plane(const struct gzt_space *space, isl_pw_aff *number,
                     const struct gzt_node *plane, bool other)
{
    isl_pw_aff *chosen = gzt_affine(space, plane);
    bool same = chosen && gzt_is_plane(space, number, chosen, other);
    isl_pw_aff_free(chosen);
    return same;
}

static void remove_coordinate(struct gzt_access *access, int c)
{
    isl_pw_aff_free(access->coordinate[c].index);
    access->coordinates--;
    for (int i = c; i < access->coordinates; i++)
        access->coordinate[i] = access->coordinate[i + 1];
}

int gzt_take_plane(struct gzt_program *program, const struct gzt_space *space,
                   struct gzt_access *access)
{
    struct gzt_array *array = access->array;
    int c = array->plane_coordinate;
    if (!array->read)
        return 0;
    isl_pw_aff *number = c < access->coordinates ? access->coordinate[c].index : NULL;
    bool written = number && is_plane(space, number, array->plane, false);
    if (!written && !(number && is_plane(space, number, array->plane, true)))
        return gzt_refuse_plane(program, access->node);
    access->array = written ? array : array->read;
    remove_coordinate(access, c);
    return 0;
}

/* The subscript that chooses an element's plane, by the time or the toggle. */
static const struct gzt_node *plane_of(const struct gzt_space *space, const struct gzt_node *node)
{
    for (; node->kind == GZT_SUBSCRIPT && node->count == 2; node = gzt_bare(node->child[0]))
        if (gzt_varies(space, node->child[1]) && !gzt_depends_on_cell(space, node->child[1]))
            return node->child[1];
    return NULL;
}

/* Of an element that a part sets in a plane: makes its array two, the first time. */
static int set_plane(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    struct gzt_array *array = sweep->write.array;
    int c = gzt_time_coordinate(program, sweep);
    if (c < 0 && !array->read)
        return 0;
    if (c >= 0 && !array->read) {
        array->plane = plane_of(&space, sweep->write.node);
        array->plane_coordinate = c;
        if (!array->plane || !gzt_alternates(program, sweep, c, 1) ||
            (program->time.step % 2 == 0 && !program->toggle))
            return gzt_refuse_steps(program, sweep);
        struct gzt_array *read = gzt_alloc(sizeof *read);
        *read = *array;
        array->read = read;
        gzt_push(&program->arrays, &program->array_count, read);
    }
    if (gzt_take_plane(program, &space, &sweep->write) != 0)
        return -1;
    return sweep->write.array == array
               ? 0
               : gzt_refuse(program->source, sweep->write.node->begin,
                            "%s and another element of %s are set in both of two planes: must be "
                            "set in one",
                            gzt_node_text(program->source, sweep->write.node), array->base);
}

static int read_target(struct gzt_program *program, struct gzt_sweep *sweep, int coordinates)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    struct gzt_access access;
    const struct gzt_node *target = target_of(program, sweep);
    sweep->write.coordinates = coordinates; /* a row of such an array is none of its own */
    if (!target || gzt_read_access(program, &space, target, &access) != 0)
        return -1;
    sweep->write = access;
    access.array->written = true;
    return set_plane(program, sweep);
}

/* Sums of lines of cells, of which the array that a part sets has fewer dimensions. */
static int refuse_lines(struct gzt_program *program, const struct gzt_sweep *sweep)
{
    const char *name = gzt_format("%s[", sweep->write.array->base);
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_sweep *other = &program->sweep[i];
        const struct gzt_node *target = target_of(program, other);
        for (int k = 0; target && k < other->loops; k++)
            if (!gzt_mentions(target, other->loop[k].iterator) &&
                strncmp(gzt_node_text(program->source, target), name, strlen(name)) == 0)
                return gzt_refuse_line(program->source, target, other->loop[k].iterator);
    }
    return 0;
}

static int set_part(struct gzt_program *program, struct gzt_sweep *sweep)
{
    bool used[GZT_AXES] = {false};
    if (read_target(program, sweep, program->dimensions) != 0)
        return -1;
    if (sweep->write.coordinates != program->dimensions && refuse_lines(program, sweep) != 0)
        return -1;
    if (sweep->write.coordinates == 1 && sweep->loops == 0 && program->dimensions > 1)
        return gzt_refuse(program->source, sweep->write.node->begin,
                          "%s is a single cell by one number, beside loops of %d variables: must "
                          "be set in as many of one turn, as for (i = x; i < x + 1; i++)",
                          gzt_node_text(program->source, sweep->write.node), program->dimensions);
    if (sweep->write.coordinates != program->dimensions)
        return gzt_refuse(program->source, sweep->write.node->begin,
                          "%s is set in %d dimensions, and others in %d: must be as many",
                          sweep->write.array->base, sweep->write.coordinates, program->dimensions);
    for (int axis = 0; axis < program->dimensions; axis++)
        if (set_axis(program, sweep, axis, used) != 0)
            return -1;
    for (int i = 0; i < sweep->loops; i++)
        if (!used[i])
            return gzt_refuse(program->source, sweep->write.node->begin,
                              "%s has no subscript that follows %s: is set more than once a loop",
                              gzt_node_text(program->source, sweep->write.node),
                              sweep->loop[i].iterator->name);
    return set_domain(program, sweep);
}

static int check_types(struct gzt_program *program)
{
    const struct gzt_node *write = program->sweep[0].write.node;
    program->type = write->type;
    if (program->type != GZT_INT && program->type != GZT_FLOAT && program->type != GZT_DOUBLE)
        return gzt_refuse(program->source, write->begin,
                          "%s has elements of type %s: must be int, float or double",
                          program->sweep[0].write.array->base, write->type_name);
    for (int i = 1; i < program->sweeps; i++)
        if (program->sweep[i].write.node->type != program->type)
            return gzt_refuse(program->source, program->sweep[i].write.node->begin,
                              "the types of %s and %s differ", program->sweep[i].write.array->base,
                              program->sweep[0].write.array->base);
    return 0;
}

/* How many loops two parts have in common. */
static int common_loops(const struct gzt_sweep *a, const struct gzt_sweep *b)
{
    int count = 0;
    while (count < a->loops && count < b->loops && a->loop[count].node == b->loop[count].node)
        count++;
    return count;
}

static int axis_of_loop(const struct gzt_program *program, const struct gzt_sweep *sweep, int loop)
{
    int axis = 0;
    while (axis < program->dimensions && sweep->axis_loop[axis] != loop)
        axis++;
    return axis;
}

/* Two parts in common loops that set one array must do so in the order of the text at each cell. */
static int check_order(struct gzt_program *program, const struct gzt_sweep *a,
                       const struct gzt_sweep *b)
{
    bool fine = true;
    for (int i = 0; i < common_loops(a, b); i++) {
        int axis = axis_of_loop(program, a, i);
        bool same = a->write.array != b->write.array || a->add[axis] == b->add[axis];
        fine = fine && axis == axis_of_loop(program, b, i) && same;
    }
    return fine ? 0
                : gzt_refuse(program->source, b->write.node->begin,
                             "%s and %s are set in the same loops by different subscripts",
                             gzt_node_text(program->source, a->write.node),
                             gzt_node_text(program->source, b->write.node));
}

static int set_parts(struct gzt_program *program)
{
    int most = 0;
    for (int i = 0; i < program->sweeps; i++) {
        struct gzt_sweep *sweep = &program->sweep[i];
        if (gzt_read_locals(program, sweep) != 0 || read_target(program, sweep, 0) != 0)
            return -1;
        int own = sweep->write.coordinates > sweep->loops ? sweep->write.coordinates : sweep->loops;
        if (sweep->loops > most || (sweep->loops == 0 && most == 0))
            most = sweep->loops ? sweep->loops : own;
    }
    for (int i = 0; i < program->array_count; i++)
        program->arrays[i]->written = false;
    program->array_count = 0;
    program->dimensions = most;
    if (most > GZT_AXES)
        return gzt_refuse(program->source, program->time.node->begin,
                          "more than three dimensions: a stencil has one to three");
    for (int i = 0; i < program->sweeps; i++)
        if (set_part(program, &program->sweep[i]) != 0)
            return -1;
    for (int i = 0; i < program->sweeps; i++)
        for (int k = 0; k < i; k++)
            if (check_order(program, &program->sweep[k], &program->sweep[i]) != 0)
                return -1;
    return check_types(program);
}

/* --------------------------------------------------------------------------------- the pairs */

static struct gzt_array *array_named(const struct gzt_program *program, const char *name)
{
    for (int i = 0; i < program->array_count; i++)
        if (strcmp(program->arrays[i]->base, name) == 0)
            return program->arrays[i];
    return NULL;
}

/* The array of that name, if any part reads or sets it. */
static struct gzt_array *used_array(struct gzt_program *program, const char *name)
{
    struct gzt_array *found = array_named(program, name);
    for (int i = 0; i < program->sweeps && !found && !program->source->failed; i++)
        found = gzt_read_array(program, &program->sweep[i], name);
    return found;
}

/* A field whose next value is what another array holds behind the loop. */
static int add_partners(struct gzt_program *program, int offset, struct gzt_array *array,
                        struct gzt_array *other)
{
    struct gzt_system *system = program->system;
    if (system->fields == GZT_FIELDS)
        return gzt_refuse(program->source, offset, "more than %d arrays change places with others",
                          (int)GZT_FIELDS);
    array->written = true;
    system->field[system->fields++] = (struct gzt_field){.array = array, .partner = other};
    return 0;
}

/* ---------------------------------------------------------------------------------- the copies */

static int is_set_within(const struct gzt_node *node, void *body)
{
    return node->kind == GZT_REF && gzt_assignments(body, node->decl) > 0;
}

/* The array that a copy sets, and from which; whether they take part in the loop otherwise. */
static int read_copy(struct gzt_program *program, struct gzt_duplicate *copy)
{
    const struct gzt_node *call = copy->call;
    const char *text = gzt_node_text(program->source, call), *to, *from;
    bool same = gzt_read_memory_copy(program, call, &to, &from) &&
                gzt_walk(call, is_set_within, program->time.node->child[3]) == 0;
    struct gzt_array *target = same ? used_array(program, to) : NULL;
    struct gzt_array *source = same ? used_array(program, from) : NULL;
    if (!same || (source && source->read))
        return gzt_refuse(program->source, call->begin,
                          "%s: a copy among several arrays must be of the same arrays and as many "
                          "bytes in all loops",
                          text);
    if (source && gzt_last_part(program, source, program->sweeps) >= 0)
        copy->from = source;
    if (!target)
        return program->source->failed ? -1 : 0;
    if (gzt_is_copied_to(program, target) || gzt_last_part(program, target, program->sweeps) >= 0)
        return gzt_refuse(program->source, call->begin,
                          "%s copies into %s, which the loop sets in another way, too: must be set "
                          "in one way",
                          text, to);
    copy->to = target;
    if (!copy->from)
        return gzt_refuse(program->source, call->begin,
                          "%s copies %s, which no statement of the loop sets", text, from);
    target->written = true;
    return 0;
}

static int read_copies(struct gzt_program *program)
{
    for (int i = 0; i < program->system->copies; i++)
        if (read_copy(program, &program->system->copy[i]) != 0)
            return -1;
    return 0;
}

bool gzt_is_copied_to(const struct gzt_program *program, const struct gzt_array *array)
{
    for (int i = 0; i < program->system->copies; i++)
        if (program->system->copy[i].to == array)
            return true;
    return false;
}

const struct gzt_duplicate *gzt_copied_from(const struct gzt_program *program,
                                            const struct gzt_array *array)
{
    const struct gzt_duplicate *found = NULL;
    for (int i = 0; i < program->system->copies; i++) {
        const struct gzt_duplicate *copy = &program->system->copy[i];
        if (copy->from == array && (!found || (!found->to && copy->to)))
            found = copy;
    }
    return found;
}

/* The array of whose elements those of another are copies at a place of the text, which becomes
 * that of the copy; it is the array itself if no copy stands before. */
static struct gzt_array *original_of(struct gzt_program *program, struct gzt_array *array, int *at)
{
    struct gzt_system *system = program->system;
    for (int i = 0; i < system->copies; i++) {
        struct gzt_duplicate *copy = &system->copy[i];
        if (copy->to != array)
            continue;
        if (copy->call->begin < *at) {
            *at = copy->call->begin;
            return original_of(program, copy->from, at);
        }
        copy->back = true;
    }
    return array;
}

/* Whether a part sets behind a copy what this copies. */
static bool is_set_behind(const struct gzt_program *program, const struct gzt_duplicate *copy)
{
    int last = gzt_last_part(program, copy->from, program->sweeps);
    return program->sweep[last].end > copy->call->begin;
}

/* What is copied to an array that was read before is what this holds in the next loop. */
static int pair_copies(struct gzt_program *program)
{
    struct gzt_system *system = program->system;
    for (int i = 0; i < system->copies; i++) {
        const struct gzt_duplicate *copy = &system->copy[i];
        if (!copy->to || !copy->back)
            continue;
        if (is_set_behind(program, copy) || gzt_partner_of(program, copy->from) != copy->from)
            return gzt_refuse(
                program->source, copy->call->begin, "%s copies %s back, and the loop %s, too",
                gzt_node_text(program->source, copy->call), copy->from->base,
                is_set_behind(program, copy) ? "sets it behind that" : "copies it elsewhere");
        if (add_partners(program, copy->call->begin, copy->to, copy->from) != 0)
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- the exchange */

/* The planes that are written become those that are read. */
static int pair_planes(struct gzt_program *program)
{
    int count = program->array_count;
    for (int i = 0; i < count; i++) {
        struct gzt_array *array = program->arrays[i];
        if (array->read &&
            add_partners(program, program->time.node->begin, array->read, array) != 0)
            return -1;
    }
    return 0;
}

/* Containers that change places may differ in size. */
static int find_size(const struct gzt_node *node, void *program)
{
    return node->is_size ? refuse_statement(program, node) : 0;
}

/* One of two arrays that change places is set, and the other is read; a field, if this is the
 * latter. */
static int add_pair(struct gzt_program *program, int offset, struct gzt_array *array,
                    struct gzt_array *other)
{
    bool sets = gzt_last_part(program, array, program->sweeps) >= 0;
    bool sets_other = gzt_last_part(program, other, program->sweeps) >= 0;
    if (array->read || other->read)
        return gzt_refuse(program->source, offset,
                          "%s and %s change places, and the time chooses planes of them: must be "
                          "one of the two",
                          array->base, other->base);
    if (sets && sets_other)
        return gzt_refuse(program->source, offset,
                          "%s and %s change places, and the loop sets both: must set one",
                          array->base, other->base);
    if (sets)
        return 0;
    if (!sets_other)
        return gzt_refuse(program->source, offset,
                          "%s changes places with %s, and the loop sets neither", array->base,
                          other->base);
    return add_partners(program, offset, array, other);
}

static int refuse_copied(struct gzt_program *program, int offset, const struct gzt_array *array)
{
    for (int i = 0; i < program->system->copies; i++) {
        const struct gzt_duplicate *copy = &program->system->copy[i];
        if (copy->to && (copy->to == array || copy->from == array))
            return gzt_refuse(program->source, offset,
                              "%s changes places with another array, and %s copies it, too: must "
                              "be one of the two",
                              array->base, gzt_node_text(program->source, copy->call));
    }
    return 0;
}

/* Pairs of arrays that change places: what one is set to is read by the other's name next. */
static int read_exchange(struct gzt_program *program, const struct gzt_loop_body *body)
{
    const char *names[GZT_EXCHANGED] = {NULL}, *values[GZT_EXCHANGED] = {NULL};
    if (pair_planes(program) != 0)
        return -1;
    if (body->other_count == 0)
        return 0;
    struct gzt_loop_body moves = {0};
    for (int i = 0; i < body->other_count; i++)
        if (!gzt_is_turn(program, body->others[i]))
            gzt_push(&moves.others, &moves.other_count, body->others[i]);
    const struct gzt_node *odd = gzt_find_moves(program->source, &moves, names, values);
    if (odd)
        return gzt_refuse_other(program->source, odd);
    int begin = body->others[0]->begin;
    gzt_set_exchange(program, moves.others, moves.other_count);
    for (int i = 0; i < GZT_EXCHANGED && names[i]; i++) {
        struct gzt_array *array = used_array(program, names[i]), *other = NULL;
        for (int k = 0; k < GZT_EXCHANGED && names[k] && array; k++)
            if (strcmp(values[i], names[k]) == 0 && strcmp(values[k], names[i]) == 0)
                other = used_array(program, names[k]);
        if (program->source->failed)
            return -1;
        if (array && !other)
            return gzt_refuse(program->source, begin,
                              "%s becomes %s, which does not become %s: several arrays may be "
                              "exchanged in pairs only; three time levels must be copied",
                              names[i], values[i], names[i]);
        if (array && array != other &&
            (refuse_copied(program, begin, array) != 0 ||
             add_pair(program, begin, array, other) != 0))
            return -1;
    }
    return gzt_walk(program->time.node, find_size, program);
}

/* -------------------------------------------------------------------------------- the fields */

int gzt_last_part(const struct gzt_program *program, const struct gzt_array *array, int before)
{
    int part = before - 1;
    while (part >= 0 && program->sweep[part].write.array != array)
        part--;
    return part;
}

const struct gzt_array *gzt_partner_of(const struct gzt_program *program,
                                       const struct gzt_array *array)
{
    for (int i = 0; i < program->system->fields; i++) {
        const struct gzt_field *field = &program->system->field[i];
        if (field->array == array)
            return field->partner;
        if (field->partner == array)
            return field->array;
    }
    return array;
}

const struct gzt_sweep *gzt_writer_of(const struct gzt_program *program,
                                      const struct gzt_array *array)
{
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_sweep *sweep = &program->sweep[i];
        bool sets =
            sweep->write.array == array || sweep->write.array == gzt_partner_of(program, array);
        if (sets && sweep->loops == program->dimensions)
            return sweep;
    }
    return NULL;
}

int gzt_field_of(const struct gzt_program *program, const struct gzt_array *array)
{
    for (int i = 0; i < program->system->fields; i++)
        if (program->system->field[i].array == array)
            return i;
    return -1;
}

int gzt_version_of(const struct gzt_field *field, int part, const int offset[GZT_AXES])
{
    for (int i = 0; i < field->versions; i++)
        if (field->version[i].part == part &&
            memcmp(field->version[i].offset, offset, sizeof field->version[i].offset) == 0)
            return i;
    return -1;
}

bool gzt_sets_field(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    for (int i = 0; i < program->system->fields; i++)
        if (program->system->field[i].partner == sweep->write.array)
            return true;
    return false;
}

bool gzt_is_needed(const struct gzt_program *program, int part)
{
    bool needed = false;
    for (int i = 0; i < program->system->fields; i++)
        for (int k = 0; k < program->system->field[i].versions; k++)
            needed = needed || program->system->field[i].version[k].part == part;
    return needed;
}

/* Whether a part has set an element before it is read: in loops that both are in, the order of
 * their turns decides, then that of the text. */
static bool is_set_before(const struct gzt_program *program, const struct gzt_sweep *reader,
                          const struct gzt_read *read, const struct gzt_sweep *writer)
{
    for (int i = 0; i < common_loops(reader, writer); i++) {
        int axis = axis_of_loop(program, reader, i);
        int turns = read->offset[axis] + reader->add[axis] - writer->add[axis];
        if (turns != 0)
            return turns < 0;
    }
    return writer->end <= read->node->begin;
}

/* Whether a part sets, at other cells than its own, the element that it reads. */
static bool is_own(const struct gzt_program *program, const struct gzt_sweep *sweep,
                   const struct gzt_read *read, const struct gzt_access *access, isl_set *set)
{
    for (int axis = 0; axis < program->dimensions; axis++)
        if (sweep->axis_loop[axis] < 0 && read->offset[axis])
            return false;
    return gzt_reads_written(program, sweep, access, set);
}

int gzt_number_of(const struct gzt_program *program, const struct gzt_array *array)
{
    int number = 0;
    while (program->arrays[number] != array)
        number++;
    return number;
}

/* Whether what a part reads, by subscripts that are clamped or wrapped, lies before or behind the
 * cell in loops that it shares with the part that sets it: near an edge that changes. */
static bool may_turn(const struct gzt_program *program, const struct gzt_sweep *reader,
                     const struct gzt_read *read, const struct gzt_sweep *writer)
{
    for (int i = 0; i < common_loops(reader, writer); i++)
        if (read->bent[axis_of_loop(program, reader, i)])
            return true;
    return false;
}

int gzt_take_field(struct gzt_visitor *visitor, const struct gzt_access *access, isl_set *set,
                   struct gzt_read *read)
{
    struct gzt_program *program = visitor->program;
    const struct gzt_sweep *sweep = visitor->sweep;

    int at = access->node->begin;
    const struct gzt_array *array = original_of(program, access->array, &at);
    bool copied = array != access->array;
    read->number = gzt_number_of(program, array);
    read->guarded = visitor->guards != NULL;
    read->cells = isl_set_copy(set);
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_sweep *writer = &program->sweep[i];
        if (writer->write.array != array)
            continue;
        bool turns = !copied && may_turn(program, sweep, read, writer);
        bool before = copied ? writer->end <= at : is_set_before(program, sweep, read, writer);
        if (writer == sweep ? (turns || before) && is_own(program, sweep, read, access, set)
                            : turns)
            return gzt_refuse(
                program->source, access->node->begin,
                "%s is read where this sweep has already written it (Gauss-Seidel order): "
                "write to a second array, or colour the cells",
                gzt_node_text(program->source, access->node));
        if (before && writer != sweep)
            read->before = i + 1;
    }
    return 0;
}

static const int own[GZT_AXES];

static isl_set *elements_read(const struct gzt_program *program, const struct gzt_read *read)
{
    return gzt_elements(program, &program->sweep[read->part], read->cells, read->offset);
}

/* The elements of an array that parts below `before` set, or only those that they set in any case.
 */
static isl_set *elements_set(const struct gzt_program *program, const struct gzt_array *array,
                             int before, bool certain)
{
    isl_set *all =
        isl_set_empty(isl_space_set_alloc(program->isl, 0, (unsigned)program->dimensions));
    for (int i = 0; i < before; i++) {
        const struct gzt_sweep *sweep = &program->sweep[i];
        if (sweep->write.array == array && !(certain && sweep->guarded))
            all = isl_set_union(all, gzt_elements(program, sweep, sweep->domain, own));
    }
    return all;
}

/* Whether the first set, of which nothing is left, lies in the other. */
static bool lies_in(isl_set *part, isl_set *all)
{
    bool lies = isl_set_is_subset(part, all) == isl_bool_true;
    isl_set_free(part);
    isl_set_free(all);
    return lies;
}

/* Whether a read may find what the loop before has left, other than what no part ever sets of an
 * array that changes places, which is the same in both. */
static bool finds_old(const struct gzt_program *program, const struct gzt_read *read)
{
    const struct gzt_array *array = program->arrays[read->number];
    bool settled = gzt_last_part(program, array, program->sweeps) < read->before;
    if (read->before && settled && gzt_partner_of(program, array) != array)
        return false;
    return !lies_in(elements_read(program, read), elements_set(program, array, read->before, true));
}

static int add_field(struct gzt_program *program, struct gzt_array *array,
                     const struct gzt_node *node)
{
    struct gzt_system *system = program->system;
    if (gzt_field_of(program, array) >= 0)
        return 0;
    for (int i = 0; i < system->fields; i++)
        if (array->read)
            return gzt_refuse(program->source, node->begin,
                              "%s is needed as the loop before the last has left it: where several "
                              "arrays are set, of two planes, only the one that is read may hand "
                              "values on",
                              gzt_node_text(program->source, node));
        else if (system->field[i].partner == array)
            return gzt_refuse(
                program->source, node->begin,
                "%s, which changes places with %s, is needed where this loop does not "
                "set it for certain: both must not hang on older values",
                array->base, system->field[i].array->base);
    if (system->fields == GZT_FIELDS)
        return gzt_refuse(program->source, node->begin,
                          "more than %d arrays hand values on to the next loop", (int)GZT_FIELDS);
    system->field[system->fields++] = (struct gzt_field){.array = array, .partner = array};
    return 0;
}

/* What the parts before a receiver, or those behind it, leave in an array, as `later` then says;
 * single cells may be set behind it, if others. */
static int find_part(struct gzt_program *program, const struct gzt_receiver *receiver,
                     const struct gzt_array *array, struct gzt_seen *seen)
{
    int before = 0, behind = 0;
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_sweep *sweep = &program->sweep[i];
        if (sweep->write.array != array)
            continue;
        if (sweep->write.node->begin < receiver->node->begin)
            before++;
        else if (sweep->loops == 0)
            gzt_push(&seen->apart, &seen->apart_count, sweep->write.node);
        else
            behind++;
    }
    seen->later = before > 0;
    if (!seen->later)
        seen->apart_count = 0;
    return before && behind
               ? gzt_refuse_receiver(program, receiver,
                                     gzt_format("%s is set before it and behind it", array->base))
               : 1;
}

/* What an element in a receiver is: where arrays change places, by its name then. */
static int find_seen(struct gzt_program *program, const struct gzt_receiver *receiver,
                     const struct gzt_node *element, const char *base, struct gzt_seen *seen)
{
    const struct gzt_system *system = program->system;
    struct gzt_array *array = array_named(program, base);
    if (!array || !array->written)
        return 0;
    const struct gzt_array *partner = gzt_partner_of(program, array);
    bool plane = array->read != NULL, moves = partner != array;
    for (int i = 0; i < program->array_count; i++)
        plane = plane || program->arrays[i]->read == array;
    if (plane || (system->copies && (gzt_is_copied_to(program, array) || moves)))
        return gzt_refuse_receiver(
            program, receiver,
            gzt_format("not translated yet of %s, %s", base,
                       plane ? "planes of which the time chooses" : "which is copied"));
    if (!moves) {
        seen->array = array;
        return add_field(program, array, element) != 0 ? -1
                                                       : find_part(program, receiver, array, seen);
    }
    /* One is read, and the other set. */
    bool sets = gzt_last_part(program, array, program->sweeps) >= 0;
    seen->array = sets ? partner : array;
    if (receiver->node->begin > program->exchange.begin)
        return seen->later = !sets,
               receiver->node->begin < program->exchange.end
                   ? gzt_refuse_receiver(program, receiver, "it stands among the exchange")
                   : 1;
    int status = sets ? find_part(program, receiver, array, seen) : 1;
    return status > 0 && sets && !seen->later
               ? gzt_refuse_receiver(
                     program, receiver,
                     gzt_format("%s holds what the loop before the last left", base))
               : status;
}

/* A part that sets some of its cells only leaves the others as they were; and what is read, or
 * copied by the last loop, may be older than this loop. */
static int find_fields(struct gzt_program *program)
{
    for (int i = 0; i < program->sweeps; i++)
        if (program->sweep[i].guarded &&
            add_field(program, program->sweep[i].write.array, program->sweep[i].write.node) != 0)
            return -1;
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        if (read->role == GZT_STATE && finds_old(program, read) &&
            add_field(program, program->arrays[read->number], read->node) != 0)
            return -1;
    }
    for (int i = 0; i < program->system->copies; i++) {
        const struct gzt_duplicate *copy = &program->system->copy[i];
        if (copy->from && is_set_behind(program, copy) &&
            add_field(program, copy->from, copy->call) != 0)
            return -1;
    }
    if (gzt_read_receivers(program, find_seen) != 0)
        return -1;
    return program->system->fields
               ? 0
               : gzt_refuse(program->source, program->time.node->begin,
                            "no loop reads what the one before has left: no stencil");
}

/* Whether a part reads an array in any case as far away as that, or sets the cell itself. */
static bool is_reached(const struct gzt_program *program, const struct gzt_read *read)
{
    int low[GZT_AXES], high[GZT_AXES];
    bool any = program->sweep[read->part].write.array == program->arrays[read->number], all = true;
    memset(low, 0, sizeof low);
    memset(high, 0, sizeof high);
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *other = program->reads[i];
        if (other->role != GZT_STATE || other->part != read->part || other->guarded ||
            other->number != read->number)
            continue;
        for (int axis = 0; axis < GZT_AXES; axis++) {
            low[axis] = !any || other->offset[axis] < low[axis] ? other->offset[axis] : low[axis];
            high[axis] =
                !any || other->offset[axis] > high[axis] ? other->offset[axis] : high[axis];
        }
        any = true;
    }
    for (int axis = 0; axis < GZT_AXES; axis++)
        all = all && read->offset[axis] >= low[axis] && read->offset[axis] <= high[axis];
    return any && all;
}

/* Whether what is read under a condition only is what some part sets, of the array or the other
 * that changes places with it, or reads in any case: so the program has it, though not all that
 * lies as far from other cells, such as from those at an edge. */
static bool is_within_others(const struct gzt_program *program, const struct gzt_read *read)
{
    const struct gzt_array *array = program->arrays[read->number];
    const struct gzt_array *partner = gzt_partner_of(program, array);
    isl_set *all = isl_set_union(elements_set(program, array, program->sweeps, false),
                                 elements_set(program, partner, program->sweeps, false));
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *other = program->reads[i];
        if (other->role == GZT_STATE && other->number == read->number && !other->guarded)
            all = isl_set_union(all, elements_read(program, other));
    }
    return lies_in(elements_read(program, read), all);
}

static int check_certain(struct gzt_program *program)
{
    for (int i = 0; i < program->read_count; i++) {
        struct gzt_read *read = program->reads[i];
        read->within = read->role == GZT_STATE && read->guarded && is_within_others(program, read);
        if (read->role == GZT_STATE && read->guarded && !read->within && !is_reached(program, read))
            return gzt_refuse(program->source, read->node->begin,
                              "%s of several arrays is read under a condition only: cells there "
                              "must be read or set in any case, too",
                              gzt_node_text(program->source, read->node));
    }
    return 0;
}

/* ------------------------------------------------------------------------------- the versions */

struct search {
    struct gzt_program *program;
    struct gzt_field *field;
    struct gzt_version open[GZT_VERSIONS]; /* that are being looked into */
    int opens;
};

static int refuse_depth(const struct search *search, const struct gzt_sweep *sweep)
{
    return gzt_refuse(search->program->source, sweep->write.node->begin,
                      "%s hangs on too many values of the same loop: at most %d may be computed "
                      "anew for a cell",
                      gzt_node_text(search->program->source, sweep->write.node), (int)GZT_VERSIONS);
}

static int widen(struct gzt_program *program, const struct gzt_node *node,
                 const int offset[GZT_AXES])
{
    for (int axis = 0; axis < GZT_AXES; axis++) {
        int far = abs(offset[axis]);
        if (far > GZT_MAX_RADIUS)
            return gzt_refuse(program->source, node->begin,
                              "%s reaches more than %d cells away, by way of what is set before it "
                              "in the same loop",
                              gzt_node_text(program->source, node), (int)GZT_MAX_RADIUS);
        if (program->system->radius[axis] < far)
            program->system->radius[axis] = far;
    }
    return 0;
}

static int need(struct search *search, const struct gzt_node *node, const struct gzt_array *array,
                int before, const int offset[GZT_AXES]);

/* A value computed anew beyond an edge: where the domain repeats, it is that of the image, whose
 * place in the grid is another; elsewhere, what is read for it there is not what the nearest cell
 * reads. */
static int check_distance(struct gzt_program *program, const struct gzt_node *node,
                          const int offset[GZT_AXES])
{
    for (int axis = 0; axis < program->dimensions; axis++) {
        bool wraps = program->edge[axis] == GZT_EDGE_PERIODIC;
        if (offset[axis] == 0 || program->edge[axis] == GZT_EDGE_KEEP)
            continue;
        if (!wraps || program->axis_value[axis])
            return gzt_refuse(program->source, node->begin,
                              "%s is read across an edge%s, and this loop has set it before%s: "
                              "not translated yet",
                              gzt_node_text(program->source, node),
                              wraps ? "" : " by a clamped subscript",
                              wraps ? ", from loop variables" : "");
    }
    return 0;
}

/* What a part reads, seen from a cell so far from its own. */
static int need_reads(struct search *search, int part, const int offset[GZT_AXES])
{
    struct gzt_program *program = search->program;
    bool away = offset[0] || offset[1] || offset[2];
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        int far[GZT_AXES];
        if (read->part != part)
            continue;
        for (int axis = 0; axis < GZT_AXES; axis++)
            far[axis] = offset[axis] + read->offset[axis];
        if (away && read->role == GZT_PER_STEP &&
            !gzt_is_value(program, program->per_step[read->number]))
            return gzt_refuse(
                program->source, read->node->begin,
                "%s, new in each loop, is needed for neighbours, too, which read what "
                "is computed of it: not translated yet",
                gzt_node_text(program->source, read->node));
        if (read->role == GZT_CONSTANT && widen(program, read->node, far) != 0)
            return -1;
        if (read->role == GZT_STATE &&
            need(search, read->node, program->arrays[read->number], read->before, far) != 0)
            return -1;
    }
    return 0;
}

/* Adds what an element's value is made of, and then the value itself. */
static int need(struct search *search, const struct gzt_node *node, const struct gzt_array *array,
                int before, const int offset[GZT_AXES])
{
    struct gzt_program *program = search->program;
    struct gzt_field *field = search->field;
    int part = gzt_last_part(program, array, before);
    if (widen(program, node, offset) != 0)
        return -1;
    if (part < 0 || gzt_version_of(field, part, offset) >= 0)
        return 0;
    if (check_distance(program, node, offset) != 0)
        return -1;
    for (int i = 0; i < search->opens; i++)
        if (search->open[i].part == part &&
            memcmp(search->open[i].offset, offset, sizeof search->open[i].offset) == 0)
            return refuse_depth(search, &program->sweep[part]);
    if (search->opens + field->versions >= GZT_VERSIONS)
        return refuse_depth(search, &program->sweep[part]);
    struct gzt_version *open = &search->open[search->opens++];
    open->part = part;
    memcpy(open->offset, offset, sizeof open->offset);
    if (need(search, node, array, part, offset) != 0 || need_reads(search, part, offset) != 0)
        return -1;
    field->version[field->versions++] = search->open[--search->opens];
    return 0;
}

static int set_versions(struct gzt_program *program)
{
    for (int i = 0; i < program->system->fields; i++) {
        struct search search = {.program = program, .field = &program->system->field[i]};
        const struct gzt_array *array = search.field->partner;
        int last = gzt_last_part(program, array, program->sweeps);
        const struct gzt_node *node =
            last < 0 ? program->time.node : program->sweep[last].write.node;
        if (need(&search, node, array, program->sweeps, own) != 0)
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- the program */

static int check_time(struct gzt_program *program)
{
    if (!program->plain)
        return gzt_refuse(program->source, program->time.node->begin,
                          "a time loop that sets several arrays must set no other variable");
    return 0;
}

static int count_all(struct gzt_program *program)
{
    for (int i = 0; i < program->system->fields; i++) {
        const struct gzt_field *field = &program->system->field[i];
        for (int k = 0; k < field->versions; k++) {
            const struct gzt_sweep *sweep = &program->sweep[field->version[k].part];
            struct gzt_space space = gzt_space_of(program, sweep);
            program->operations += gzt_count_operations(&space, sweep->statement);
            if (program->operations > GZT_MOST_OPERATIONS)
                return gzt_refuse(
                    program->source, sweep->statement->begin,
                    "a cell takes more than %d operations, called functions included: "
                    "devices' compilers do not end on so many",
                    (int)GZT_MOST_OPERATIONS);
        }
    }
    return 0;
}

/* Subscripts that are clamped or wrapped speak of the bounds of their own loops: those must be the
 * same for all parts. */
static int set_edges(struct gzt_program *program)
{
    for (int axis = 0; axis < GZT_AXES; axis++) {
        enum gzt_edge *edge = &program->edge[axis];
        if (*edge != GZT_EDGE_CLAMP && *edge != GZT_EDGE_PERIODIC)
            *edge = GZT_EDGE_KEEP;
        if (axis >= program->dimensions)
            *edge = program->edge[0];
        for (int i = 0; i < program->sweeps && axis < program->dimensions; i++)
            if (*edge != GZT_EDGE_KEEP && !gzt_has_bounds(program, i, axis))
                return gzt_refuse(
                    program->source, program->sweep[i].write.node->begin,
                    "%s is set between other bounds than %s, and subscripts along %s are %s: all "
                    "must be set from the first to the last cell",
                    gzt_node_text(program->source, program->sweep[i].write.node),
                    gzt_node_text(program->source, program->sweep[0].write.node),
                    gzt_axis_variable(program, axis),
                    *edge == GZT_EDGE_CLAMP ? "clamped" : "wrapped");
    }
    return 0;
}

/* An array of which single cells or rows are set, and no others. */
static int refuse_single(struct gzt_program *program, const struct gzt_array *array)
{
    const struct gzt_node *node = program->time.node;
    for (int i = program->sweeps - 1; i >= 0; i--)
        if (program->sweep[i].write.array == array)
            node = program->sweep[i].write.node;
    return gzt_refuse(program->source, node->begin,
                      "%s keeps what it holds for the next loop, and %s is set in some of its "
                      "dimensions only: must be set in loops over all of them somewhere",
                      gzt_node_text(program->source, node), array->base);
}

int gzt_understand_system(struct gzt_program *program)
{
    struct gzt_loop_body body = {0};
    program->form = GZT_SYSTEM;
    program->system = gzt_alloc(sizeof *program->system);
    program->tail = 1;
    if (check_time(program) != 0 || read_parts(program, &body) != 0 || set_parts(program) != 0 ||
        gzt_check_changing(program) != 0 || read_copies(program) != 0 ||
        read_exchange(program, &body) != 0 || gzt_check_locals(program) != 0 ||
        gzt_classify_reads(program) != 0 || set_edges(program) != 0 || pair_copies(program) != 0 ||
        find_fields(program) != 0 || check_certain(program) != 0 || set_versions(program) != 0 ||
        count_all(program) != 0)
        return -1;
    int *radius = program->system->radius;
    radius[0] += radius[0] + radius[1] + radius[2] == 0;
    program->state[0] = program->system->field[0].array;
    for (int i = 0; i < program->array_count; i++)
        if (program->arrays[i]->written && !gzt_writer_of(program, program->arrays[i]) &&
            !gzt_is_copied_to(program, program->arrays[i]))
            return refuse_single(program, program->arrays[i]);
    return gzt_check_looks(program);
}
