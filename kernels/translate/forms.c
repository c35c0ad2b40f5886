/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forms.h"

#include "access.h"
#include "moves.h"
#include "reads.h"

#include <string.h>

int gzt_time_coordinate(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    for (int i = 0; i < sweep->write.coordinates; i++)
        if (sweep->write.coordinate[i].iterator &&
            (sweep->write.coordinate[i].iterator == program->time.iterator ||
             sweep->write.coordinate[i].iterator == program->toggle))
            return i;
    return -1;
}

bool gzt_alternates(struct gzt_program *program, const struct gzt_sweep *sweep, int coordinate,
                    long most)
{
    isl_pw_aff *index = isl_pw_aff_copy(sweep->write.coordinate[coordinate].index);
    struct gzt_space space = gzt_space_of(program, sweep);
    isl_set *valid = gzt_valid_planes(&space, index);
    isl_set *small = isl_pw_aff_le_set(index, gzt_whole(&space, most));
    bool fine = isl_set_is_subset(valid, small) == isl_bool_true;
    isl_set_free(valid);
    isl_set_free(small);
    return fine;
}

/* Whether three planes are written in turn. */
static bool turns(struct gzt_program *program, const struct gzt_sweep *sweep, int coordinate)
{
    bool fine = !program->toggle && gzt_alternates(program, sweep, coordinate, 2);
    for (int later = 1; later <= 3 && fine; later++)
        fine =
            gzt_is_plane_of(program, sweep, sweep->write.node, coordinate, later) == (later == 3);
    return fine;
}

/* Finds an element of an array by what stands before the subscripts. */
struct lookup {
    struct gzt_source *source;
    const char *base;
    const struct gzt_node *found;
    const struct gzt_space *space; /* if given, the element that mentions most loop variables */
    int variables;
};
static int find_element(const struct gzt_node *node, void *data)
{
    struct lookup *lookup = data;
    const struct gzt_node *base = node;
    while (base->kind == GZT_SUBSCRIPT) {
        base = gzt_bare(base->child[0]);
        if (strcmp(gzt_node_text(lookup->source, base), lookup->base) == 0) {
            int count = 0;
            for (int i = 0; lookup->space && i < lookup->space->variables; i++)
                count += gzt_depends(lookup->space, node, lookup->space->variable[i]);
            if (!lookup->found || count > lookup->variables) {
                lookup->found = node;
                lookup->variables = count;
            }
            return !lookup->space;
        }
    }
    return 0;
}

static const struct gzt_node *element_of(const struct gzt_program *program,
                                         const struct gzt_space *space, const struct gzt_node *node,
                                         const char *base)
{
    struct lookup lookup = {program->source, base, NULL, space, 0};
    gzt_walk(node, find_element, &lookup);
    return lookup.found;
}

struct gzt_array *gzt_read_array(struct gzt_program *program, const struct gzt_sweep *sweep,
                                 const char *base)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *element = element_of(program, &space, sweep->statement, base);
    struct gzt_access access;
    if (!element || gzt_stops(program->source, gzt_read_access(program, &space, element, &access)))
        return NULL;
    gzt_free_access(&access);
    return access.array;
}

/* A[i][j] = B[i][j] and nothing else; tells B. */
static struct gzt_array *copied_array(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    const struct gzt_node *value;
    struct gzt_access access;

    if (!gzt_is_binary(sweep->statement, "="))
        return NULL;
    value = gzt_bare(sweep->statement->child[1]);
    if (value->kind != GZT_SUBSCRIPT || gzt_read_access(program, &space, value, &access) != 0)
        return NULL;
    isl_set *all = isl_set_universe(isl_space_set_alloc(program->isl, 0, (unsigned)sweep->loops));
    bool same =
        access.array != sweep->write.array && access.coordinates == sweep->write.coordinates;
    for (int i = 0; i < access.coordinates && same; i++)
        same = gzt_equal_on(all, access.coordinate[i].index, sweep->write.coordinate[i].index);
    isl_set_free(all);
    gzt_free_access(&access);
    return same ? access.array : NULL;
}

/* ---------------------------------------------------------------------------------- exchanges */

/* The text of a variable or member, be it behind casts; NULL if it is something else. */
static const char *place_name(const struct gzt_source *source, const struct gzt_node *node)
{
    node = gzt_bare(node);
    while (node->kind == GZT_CAST && node->count == 1)
        node = gzt_bare(node->child[0]);
    return node->kind == GZT_REF || node->kind == GZT_MEMBER ? gzt_node_text(source, node) : NULL;
}

/* *p, whose name is then that of p. */
static const char *pointed_name(const struct gzt_source *source, const struct gzt_node *node)
{
    node = gzt_bare(node);
    return node->kind == GZT_UNARY && strcmp(node->op, "*") == 0
               ? place_name(source, node->child[0])
               : NULL;
}

struct move {
    const char *to, *from;
};

/* TO = FROM, or TYPE TO = FROM; with `pointed`, FROM and a TO that is not declared are *p. */
static bool is_move(const struct gzt_source *source, const struct gzt_node *node, bool pointed,
                    struct move *move)
{
    const struct gzt_node *from = NULL;
    *move = (struct move){NULL, NULL};
    if (node->kind == GZT_DECL && node->count == 1 && node->child[0]->count == 1) {
        move->to = node->child[0]->decl->name;
        from = node->child[0]->child[0];
    } else if (gzt_is_binary(node, "=")) {
        move->to = pointed ? pointed_name(source, node->child[0]) : NULL;
        if (!move->to)
            move->to = place_name(source, node->child[0]);
        from = node->child[1];
    } else {
        return false;
    }
    move->from = pointed ? pointed_name(source, from) : NULL;
    if (!move->from)
        move->from = place_name(source, from);
    return move->to && move->from;
}

/* Whether three moves exchange two places by way of a third. */
static bool is_rotation(const struct gzt_source *source, const struct gzt_node **list, int count,
                        bool pointed, struct move *exchanged)
{
    struct move move[3];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool bare = list[i]->kind == GZT_DECL;
        for (int k = 0; k < list[i]->count && bare; k++)
            bare = list[i]->child[k]->count == 0;
        if (bare)
            continue;
        if (kept == 3 || !is_move(source, list[i], pointed, &move[kept++]))
            return false;
    }
    if (kept != 3)
        return false;
    *exchanged = (struct move){move[0].from, move[2].to};
    return strcmp(move[0].to, move[2].from) == 0 && strcmp(move[1].to, move[0].from) == 0 &&
           strcmp(move[1].from, move[2].to) == 0 && strcmp(move[0].to, move[1].to) != 0;
}

/* A call of std::swap, or of a function of the file that exchanges what its arguments point or
 * refer to. */
static bool is_swap_call(const struct gzt_source *source, const struct gzt_node *call,
                         struct move *exchanged)
{
    const struct gzt_decl *function = call->decl;
    const struct gzt_node **list = NULL;
    const char *name[2];
    struct move within;
    int count = 0;

    if (!function || call->count != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct gzt_node *argument = gzt_bare(call->child[i]);
        bool address = argument->kind == GZT_UNARY && strcmp(argument->op, "&") == 0;
        name[i] = place_name(source, address ? argument->child[0] : argument);
        if (!name[i] || (address && source->cxx && strncmp(function->usr, "c:@N@std@", 9) == 0))
            return false;
        /* Without an address, only a reference can be changed. */
        if (!address && !source->cxx)
            return false;
    }
    *exchanged = (struct move){name[0], name[1]};
    if (source->cxx && strncmp(function->usr, "c:@N@std@", 9) == 0)
        return strcmp(function->name, "swap") == 0;
    if (!function->body || function->body->kind != GZT_BLOCK || function->parameter_count != 2)
        return false;
    gzt_statements(function->body, &list, &count);
    bool pointed = gzt_bare(call->child[0])->kind == GZT_UNARY;
    if (!pointed && (!strchr(function->parameters[0]->type_name, '&') ||
                     !strchr(function->parameters[1]->type_name, '&')))
        return false;
    if (!is_rotation(source, list, count, pointed, &within))
        return false;
    const char *first = function->parameters[0]->name, *second = function->parameters[1]->name;
    return (strcmp(within.to, first) == 0 && strcmp(within.from, second) == 0) ||
           (strcmp(within.to, second) == 0 && strcmp(within.from, first) == 0);
}

/* Does one move, or the two of an exchange, to what names hold; false if there is no room. */
static bool do_moves(const struct move *moves, int count, const char *names[GZT_EXCHANGED],
                     const char *values[GZT_EXCHANGED])
{
    const char *value[2];
    int at[2];
    for (int i = 0; i < count; i++) {
        const char *const words[] = {moves[i].to, moves[i].from};
        for (int k = 0; k < 2; k++) {
            int n = 0;
            while (n < GZT_EXCHANGED && names[n] && strcmp(names[n], words[k]) != 0)
                n++;
            if (n == GZT_EXCHANGED)
                return false;
            if (!names[n])
                names[n] = values[n] = words[k];
            if (k == 0)
                at[i] = n;
            else
                value[i] = values[n];
        }
    }
    for (int i = 0; i < count; i++)
        values[at[i]] = value[i];
    return true;
}

const struct gzt_node *gzt_find_moves(const struct gzt_source *source,
                                      const struct gzt_loop_body *body,
                                      const char *names[GZT_EXCHANGED],
                                      const char *values[GZT_EXCHANGED])
{
    for (int i = 0; i < body->other_count; i++) {
        const struct gzt_node *node = body->others[i];
        struct move moves[2];
        bool calls = node->kind == GZT_CALL && is_swap_call(source, node, &moves[0]);
        const struct gzt_node *target = node->count ? gzt_bare(node->child[0]) : node;
        bool pointer = target->kind == GZT_VARIABLE ? target->decl->type == GZT_POINTER
                                                    : target->type == GZT_POINTER;
        if (!calls && !(pointer && is_move(source, node, false, &moves[0])))
            return node;
        moves[1] = (struct move){moves[0].from, moves[0].to};
        if (!do_moves(moves, calls ? 2 : 1, names, values))
            return node;
    }
    return NULL;
}

/* What a place holds after the moves, by its name before them. */
static const char *held(const char *const names[4], const char *const values[4], const char *name)
{
    for (int i = 0; i < 4; i++)
        if (names[i] && strcmp(names[i], name) == 0)
            return values[i];
    return name;
}

/* Whether four moves have three places change in turn, by way of a fourth: then the first two are
 * `names`, and after them `values`. */
static bool is_cycle(const struct gzt_source *source, const struct gzt_loop_body *body,
                     const char *names[4], const char *values[4])
{
    struct move move;
    int kept = 0;
    for (int i = 0; i < body->other_count; i++) {
        bool bare = body->others[i]->kind == GZT_DECL;
        for (int k = 0; k < body->others[i]->count && bare; k++)
            bare = body->others[i]->child[k]->count == 0;
        if (bare)
            continue;
        if (kept == 4 || !is_move(source, body->others[i], false, &move))
            return false;
        const char *value = held(names, values, move.from);
        for (int k = 0; k < kept; k++)
            if (strcmp(names[k], move.to) == 0)
                return false;
        names[kept] = move.to;
        values[kept++] = value;
    }
    /* The first place is the fourth, which holds what the last one then gets. */
    return kept == 4 && strcmp(values[0], values[3]) == 0 && strcmp(names[1], values[0]) == 0;
}

static bool is_exchange(const struct gzt_source *source, const struct gzt_loop_body *body,
                        struct move *exchanged)
{
    if (body->other_count == 1 && body->others[0]->kind == GZT_CALL)
        return is_swap_call(source, body->others[0], exchanged);
    return is_rotation(source, body->others, body->other_count, false, exchanged);
}

bool gzt_is_memory_copy(const struct gzt_node *node)
{
    static const char *const names[] = {"memcpy", "memmove", "__builtin_memcpy",
                                        "__builtin_memmove"};
    if (node->kind != GZT_CALL || !node->decl || node->count != 3)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(node->decl->name, names[i]) == 0)
            return true;
    return false;
}

static int is_element(const struct gzt_node *node, void *found)
{
    if (node->kind == GZT_SUBSCRIPT)
        *(const struct gzt_node **)found = node;
    return node->kind == GZT_SUBSCRIPT;
}

/* A call of a function that this file does not define, such as printf. */
static int leaves_file(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_CALL && (!node->decl || !node->decl->body) && !gzt_math_of(node);
}

/* An array, or elements of one, that a call hands to what may print it; NULL if it does not. */
static const struct gzt_node *array_given(const struct gzt_node *call)
{
    const struct gzt_node *body = call->decl ? call->decl->body : NULL;
    if (body && gzt_walk(body, leaves_file, NULL) == 0)
        return NULL;
    for (int i = 0; i < call->count; i++) {
        const struct gzt_node *given = gzt_bare(call->child[i]);
        if (given->kind == GZT_REF && given->type == GZT_POINTER &&
            !strstr(given->type_name, "FILE") && !strstr(given->type_name, "char"))
            return given;
        if (gzt_walk(given, is_element, &given) == 0)
            continue;
        return gzt_base_of(given);
    }
    return NULL;
}

const struct gzt_node *gzt_output_in(const struct gzt_node *node)
{
    const struct gzt_node **list = NULL, *found = NULL;
    int count = 0;
    if (node->kind == GZT_CALL)
        return array_given(node) ? node : NULL;
    if (node->kind != GZT_FOR && node->kind != GZT_IF)
        return NULL;
    for (int i = node->kind == GZT_IF ? 1 : node->count - 1; i < node->count; i++)
        gzt_statements(node->child[i], &list, &count);
    for (int i = 0; i < count && !found; i++)
        found = gzt_output_in(list[i]);
    return found;
}

/* What stands between the operands of an operator that a class of C++ defines, else "". */
static const char *operator_between(const struct gzt_source *source, const struct gzt_node *node)
{
    return node->kind == GZT_CALL && node->count == 2
               ? gzt_clean(source, node->child[0]->end, node->child[1]->begin)
               : "";
}

bool gzt_is_stream(const struct gzt_source *source, const struct gzt_node *node)
{
    return strcmp(operator_between(source, node), "<<") == 0;
}

/* A pointer among the elements of an array that a statement sets, or another is set to. */
static int find_pointer_element(const struct gzt_node *node, void *data)
{
    bool found = node->kind == GZT_SUBSCRIPT && node->type == GZT_POINTER;
    *(const struct gzt_node **)data = found ? node : NULL;
    return found;
}

/* What of C++, or of pointers in an array, keeps a statement from handing the state on; 1 if there
 * is nothing. */
static int refuse_handing(struct gzt_source *source, const struct gzt_node *node)
{
    const struct gzt_node *element = NULL, *first = node->count > 0 ? node->child[0] : node;
    const char *text = gzt_node_text(source, node);
    bool sets = node->kind == GZT_DECL || gzt_is_binary(node, "=");
    if (gzt_refuse_references(source, node) != 0)
        return -1;
    enum gzt_type type = node->kind == GZT_DECL && first->decl ? first->decl->type : first->type;
    if (gzt_is_stream(source, node))
        return gzt_refuse(source, node->begin,
                          "%s is executed in each loop: output by a stream must stand behind the "
                          "loops, or be made every so many, as by if (t %% 10 == 0)",
                          text);
    if (strcmp(operator_between(source, node), "=") == 0 &&
        strncmp(gzt_bare(node->child[0])->type_name, "std::", 5) == 0)
        return gzt_refuse(source, node->begin,
                          "%s copies a container of containers or the like: exchange them by "
                          "swap(), or copy their elements by loops",
                          text);
    const struct gzt_node *target = sets && node->count == 2 ? gzt_bare(node->child[0]) : node;
    if (target->kind == GZT_CALL && target->op[0])
        return gzt_refuse(source, target->begin,
                          "%s is the element that %s.size() says, not the loops: must be written "
                          "by an index of theirs, such as %s[n - 1]",
                          gzt_node_text(source, target), gzt_node_text(source, target->child[0]),
                          gzt_node_text(source, target->child[0]));
    if (sets && type == GZT_POINTER && gzt_walk(node, find_pointer_element, &element) != 0)
        return gzt_refuse(source, node->begin,
                          "%s is among the pointers that change places: must be variables, not "
                          "elements of an array, such as double *a = %s before the time loop",
                          gzt_node_text(source, element), gzt_node_text(source, element));
    return 1;
}

int gzt_refuse_other(struct gzt_source *source, const struct gzt_node *node)
{
    int status = refuse_handing(source, node);
    if (status != 1)
        return status;
    if (gzt_is_memory_copy(node))
        return gzt_refuse(
            source, node->begin,
            "%s does not hand the state on: behind a sweep C = f(A, B), copies must be "
            "A = C, or B = A and then A = C",
            gzt_node_text(source, node));
    const struct gzt_node *given = node->kind == GZT_CALL ? array_given(node) : NULL;
    if (given)
        return gzt_refuse(source, node->begin,
                          "%s is given %s in each loop, so that no two loops can be computed at "
                          "once: call it every so many loops, as by if (t %% 10 == 0)",
                          node->decl ? node->decl->name : gzt_node_text(source, node),
                          gzt_node_text(source, given));
    if (node->kind == GZT_CALL)
        return gzt_refuse(source, node->begin,
                          "%s is called in each loop: input, output and other effects must stay "
                          "outside",
                          node->decl ? node->decl->name : gzt_node_text(source, node));
    if (node->kind == GZT_IF)
        return gzt_refuse(source, node->begin,
                          "an if between the loops over cells: every time step must do the same");
    return gzt_refuse(
        source, node->begin,
        "%s is executed in each loop: besides its sweeps, a loop may only exchange two pointers",
        gzt_node_text(source, node));
}

/* The statement among others that keeps them from being an exchange. */
static const struct gzt_node *culprit(const struct gzt_source *source,
                                      const struct gzt_loop_body *body)
{
    struct move move;
    for (int i = 0; i < body->other_count; i++)
        if (gzt_is_stream(source, body->others[i]))
            return body->others[i];
    for (int i = 0; i < body->other_count; i++)
        if (!is_move(source, body->others[i], false, &move))
            return body->others[i];
    return body->others[0];
}

/* Three pointers: what was written is read next, what was read is the state before the last, and
 * what was that is written. */
static int set_rotation(struct gzt_program *program, const struct gzt_loop_body *body,
                        const char *const names[4], const char *const values[4])
{
    struct gzt_sweep *sweep = &program->sweep[0];
    const char *target = sweep->write.array->base, *place[2] = {NULL, NULL};

    for (int i = 1; i < 4 && !place[0]; i++)
        if (strcmp(values[i], target) == 0)
            place[0] = names[i];
    for (int i = 1; i < 4 && place[0]; i++)
        if (strcmp(values[i], place[0]) == 0)
            place[1] = names[i];
    if (!place[1] || strcmp(held(names, values, target), place[1]) != 0 ||
        body->others[0]->begin < sweep->loop[0].node->begin)
        return gzt_refuse_other(program->source, body->others[0]);
    program->form = GZT_ROTATE;
    program->third = sweep->write.array;
    for (int age = 0; age < 2; age++) {
        program->state[age] = gzt_read_array(program, sweep, place[age]);
        if (!program->state[age])
            return program->source->failed
                       ? -1
                       : gzt_refuse(program->source, sweep->write.node->begin,
                                    "the sweep does not read %s, with which %s changes places",
                                    place[age], target);
        program->state[age]->written = true;
    }
    gzt_set_exchange(program, body->others, body->other_count);
    return 0;
}

/* Containers that change places may differ in size. */
static int find_size(const struct gzt_node *node, void *data)
{
    const struct gzt_program *program = data;
    if (!node->is_size)
        return 0;
    const char *object = gzt_node_text(program->source, node->child[0]);
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(program->state[i]->base);
        if (strncmp(object, program->state[i]->base, length) == 0)
            return gzt_refuse(
                program->source, node->begin,
                "%s is asked in each loop, and %s changes places with another: ask it "
                "before the time loop",
                gzt_node_text(program->source, node), program->state[i]->base);
    }
    return 0;
}

static int set_swap(struct gzt_program *program, const struct gzt_loop_body *body)
{
    struct move exchanged;
    struct gzt_sweep *sweep = &program->sweep[0];
    const char *names[4] = {NULL}, *values[4] = {NULL};

    if (program->sweeps == 1 && is_cycle(program->source, body, names, values))
        return set_rotation(program, body, names, values);
    if (program->sweeps != 1 || !is_exchange(program->source, body, &exchanged))
        return gzt_refuse_other(program->source, culprit(program->source, body));
    const char *target = sweep->write.array->base;
    bool first = strcmp(target, exchanged.to) == 0;
    const char *other = first ? exchanged.from : exchanged.to;
    bool before = body->others[0]->begin < sweep->loop[0].node->begin;
    const struct gzt_node *last = body->others[body->other_count - 1];
    if (before != (last->begin < sweep->loop[0].node->begin) ||
        (!first && strcmp(target, exchanged.from) != 0))
        return gzt_refuse_other(program->source, body->others[0]);
    program->form = GZT_SWAP;
    program->exchange.first = before;
    /* The array that is read first: by its name before the loops. */
    program->state[!before] = sweep->write.array;
    program->state[before] = gzt_read_array(program, sweep, other);
    if (!program->state[before])
        return program->source->failed
                   ? -1
                   : gzt_refuse(program->source, sweep->write.node->begin,
                                "the sweep does not read %s, with which %s is exchanged", other,
                                target);
    gzt_set_exchange(program, body->others, body->other_count);
    program->state[before]->written = true;
    return gzt_walk(program->time.node, find_size, program);
}

/* -------------------------------------------------------------------------------------- copies */

/* The first variable or member in an expression that is a pointer or an array, or a container of
 * which an element is chosen. */
struct pointer {
    struct gzt_source *source;
    const char *name;
};
static int find_pointer(const struct gzt_node *node, void *data)
{
    struct pointer *pointer = data;
    if (node->kind == GZT_SUBSCRIPT && gzt_bare(node->child[0])->type == GZT_OTHER)
        node = gzt_bare(node->child[0]);
    else if ((node->kind != GZT_REF && node->kind != GZT_MEMBER) || node->type != GZT_POINTER)
        return 0;
    pointer->name = gzt_node_text(pointer->source, node);
    return 1;
}

bool gzt_read_memory_copy(const struct gzt_program *program, const struct gzt_node *call,
                          const char **to_name, const char **from_name)
{
    struct gzt_space space = gzt_space_of(program, &program->sweep[0]);
    struct pointer to = {program->source, NULL}, from = {program->source, NULL};
    gzt_walk(call->child[0], find_pointer, &to);
    gzt_walk(call->child[1], find_pointer, &from);
    *to_name = to.name;
    *from_name = from.name;
    return to.name && from.name && !gzt_varies(&space, call) &&
           gzt_walk(call, gzt_is_declared_within, (void *)program->time.node) == 0;
}

/* memcpy(A, B, size) before or behind the sweep. */
static int set_memory_copy(struct gzt_program *program, const struct gzt_node *call)
{
    struct gzt_sweep *sweep = &program->sweep[0];
    bool before = call->begin < sweep->loop[0].node->begin;
    struct move move;

    if (program->sweeps != 1 || !gzt_read_memory_copy(program, call, &move.to, &move.from) ||
        strcmp(move.from, sweep->write.array->base) != 0)
        return gzt_refuse_other(program->source, call);
    /* Either way: what is copied to is read, what is copied from has been written. */
    const char *read = move.to;
    struct gzt_array *other = gzt_read_array(program, sweep, read);
    if (!other)
        return program->source->failed ? -1
                                       : gzt_refuse(program->source, call->begin,
                                                    "the sweep does not read %s, which %s copies",
                                                    read, call->decl->name);
    other->written = true;
    program->copy[0].call = call;
    program->form = before ? GZT_COPY_FIRST : GZT_COPY_BACK;
    program->state[0] = before ? sweep->write.array : other;
    program->state[1] = before ? other : sweep->write.array;
    return 0;
}

/* The first or second of two copies behind the sweep, a nest or a call, and what it moves; false if
 * there is another statement. */
static bool read_copy(struct gzt_program *program, struct gzt_loop_body *body, int number,
                      struct gzt_copy *copy, struct move *move)
{
    struct gzt_sweep *nests[] = {&program->sweep[1], &body->third};
    int calls = body->other_count, nest = number - (calls == 2 ? 2 : 0);
    bool first =
        calls == 1 && body->nest_count == 2 && body->others[0]->begin < body->nests[1]->begin;

    if (calls == 1)
        nest = first == (number == 0) ? -1 : 0;
    *copy = (struct gzt_copy){.call = nest < 0 ? body->others[calls == 2 ? number : 0] : NULL};
    if (copy->call)
        return gzt_is_memory_copy(copy->call) &&
               gzt_read_memory_copy(program, copy->call, &move->to, &move->from) &&
               copy->call->begin > body->nests[0]->begin;
    copy->nest = *nests[nest];
    const struct gzt_array *from = copied_array(program, nests[nest]);
    *move = (struct move){nests[nest]->write.array->base, from ? from->base : NULL};
    return from;
}

/* C = f(A, B), B = A, A = C; 1 if it is not that. */
static int set_copies(struct gzt_program *program, struct gzt_loop_body *body)
{
    struct gzt_sweep *sweep = &program->sweep[0];
    struct move aside, back;

    if (body->nest_count + body->other_count != 3 || body->nest_count == 0 ||
        gzt_time_coordinate(program, sweep) >= 0 ||
        !read_copy(program, body, 0, &program->copy[1], &aside) ||
        !read_copy(program, body, 1, &program->copy[0], &back) ||
        strcmp(aside.from, back.to) != 0 || strcmp(back.from, sweep->write.array->base) != 0 ||
        strcmp(aside.to, back.to) == 0 || strcmp(aside.to, back.from) == 0) {
        memset(program->copy, 0, sizeof program->copy);
        return program->source->failed ? -1 : 1;
    }
    program->form = GZT_COPIES;
    program->sweeps = 1;
    program->third = sweep->write.array;
    const char *const names[] = {back.to, aside.to};
    for (int age = 0; age < 2; age++) {
        program->state[age] = gzt_read_array(program, sweep, names[age]);
        if (!program->state[age])
            return program->source->failed
                       ? -1
                       : gzt_refuse(program->source, sweep->write.node->begin,
                                    "the sweep does not read %s, which a copy behind it sets",
                                    names[age]);
        program->state[age]->written = true;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- other forms */

int gzt_refuse_plane(struct gzt_program *program, const struct gzt_node *node)
{
    const char *text = gzt_node_text(program->source, node);
    const struct gzt_decl *toggle = program->toggle, *opposite = program->opposite;
    if (toggle && (gzt_mentions(node, toggle) || (opposite && gzt_mentions(node, opposite))))
        return gzt_refuse(program->source, node->begin,
                          "%s moves by %s, which changes in each loop: must choose one of two "
                          "planes, as in u[%s][i] or u[%s * n + i]",
                          text, (gzt_mentions(node, toggle) ? toggle : opposite)->name,
                          toggle->name, toggle->name);
    return gzt_refuse(program->source, node->begin,
                      "%s keeps every time step: use two arrays, or an index of (t + 1) %% 2",
                      text);
}

int gzt_refuse_steps(struct gzt_program *program, const struct gzt_sweep *sweep)
{
    const struct gzt_node *write = sweep->write.node, **list = NULL;
    const char *text = gzt_node_text(program->source, write);
    const struct gzt_node *assignment = sweep->statement;
    int count = 0;
    while (assignment->kind == GZT_IF || assignment->kind == GZT_BLOCK)
        assignment = assignment->child[assignment->count - 1];
    if (sweep->loops > 0 &&
        (!gzt_is_binary(assignment, "=") ||
         element_of(program, NULL, assignment->child[1], sweep->write.array->base)))
        return gzt_refuse_plane(program, write);
    gzt_statements(program->time.node->child[3], &list, &count);
    if (count > 1)
        return gzt_refuse(program->source, write->begin,
                          "%s keeps values of each loop: must be a single assignment, in one loop "
                          "or none, as rec[t][r] = u[x[r]][y[r]]; an if beside the sweeps may keep "
                          "others every so many loops",
                          text);
    return gzt_refuse(
        program->source, write->begin,
        "%s is written and never read: the outermost loop, over %s, must be the time loop", text,
        program->time.iterator->name);
}

/* One sweep without an exchange: planes chosen by the time's parity, or in place. */
static int set_single(struct gzt_program *program)
{
    struct gzt_sweep *sweep = &program->sweep[0];
    int coordinate = gzt_time_coordinate(program, sweep);

    program->state[0] = sweep->write.array;
    if (coordinate < 0) {
        program->form = GZT_IN_PLACE;
        return 0;
    }
    program->planes = gzt_alternates(program, sweep, coordinate, 1) ? 2
                      : turns(program, sweep, coordinate)           ? 3
                                                                    : 0;
    if (!program->planes)
        return gzt_refuse_steps(program, sweep);
    if (program->planes == 2 && program->time.step % 2 == 0 && !program->toggle)
        return gzt_refuse(program->source, program->time.node->begin,
                          "a step of %d never changes the plane: must be odd", program->time.step);
    program->form = GZT_PARITY;
    program->parity_coordinate = coordinate;
    program->state[1] = program->state[0];
    return 0;
}

static int set_pair(struct gzt_program *program)
{
    struct gzt_sweep *first = &program->sweep[0], *second = &program->sweep[1];

    for (int i = 0; i < 2; i++)
        if (gzt_time_coordinate(program, &program->sweep[i]) >= 0)
            return gzt_refuse_steps(program, &program->sweep[i]);
    program->state[0] = second->write.array;
    if (first->write.array == second->write.array) {
        program->form = GZT_IN_PLACE;
        return 0;
    }
    program->state[1] = first->write.array;
    program->form = GZT_TWO_SWEEPS;
    if (copied_array(program, second) == first->write.array) {
        program->form = GZT_COPY_BACK;
        program->copy[0].nest = *second;
        program->sweeps = 1;
    } else if (copied_array(program, first) == second->write.array) {
        program->form = GZT_COPY_FIRST;
        program->copy[0].nest = *first;
        program->sweep[0] = *second;
        program->sweeps = 1;
    }
    return 0;
}

void gzt_set_others_aside(struct gzt_source *source, struct gzt_loop_body *body)
{
    int kept = 0;
    for (int i = 0; i < body->other_count; i++) {
        const struct gzt_node *node = body->others[i];
        struct move move;
        if (node->kind == GZT_IF || (node->kind == GZT_CALL && !gzt_is_memory_copy(node) &&
                                     !is_swap_call(source, node, &move)))
            gzt_stops(source, gzt_refuse_other(source, node));
        else
            body->others[kept++] = node;
    }
    body->other_count = kept;
}

int gzt_set_form(struct gzt_program *program, struct gzt_loop_body *body)
{
    int status = set_copies(program, body);
    if (status <= 0)
        return status;
    if (body->split || body->nest_count > GZT_SWEEPS ||
        (body->nest_count == 2 && body->other_count > 0))
        program->source->several = program->source->several || program->source->reason_count == 0;
    if (body->split)
        return gzt_refuse(program->source, body->split->begin,
                          "several fields in one sweep are not translated yet: must be a single "
                          "assignment to one array");
    if (body->nest_count > GZT_SWEEPS)
        return gzt_refuse(
            program->source, body->nests[2]->begin,
            "several fields or sweeps of different kinds in a loop are not translated "
            "yet: must be one sweep, two, or one and its copy back");
    if (body->other_count == 1 && gzt_is_memory_copy(body->others[0]))
        return set_memory_copy(program, body->others[0]);
    if (body->other_count > 0)
        return set_swap(program, body);
    return program->sweeps == 1 ? set_single(program) : set_pair(program);
}
