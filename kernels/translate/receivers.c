/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receivers.h"

#include "affine.h"
#include "borders.h"
#include "effects.h"
#include "loops.h"
#include "points.h"

#include <ctype.h>
#include <string.h>

int gzt_refuse_receiver(const struct gzt_program *program, const struct gzt_receiver *receiver,
                        const char *why)
{
    return gzt_refuse(program->source, receiver->node->begin,
                      "%s hands on what a loop leaves in single cells: %s",
                      gzt_node_text(program->source, receiver->node), why);
}

/* ------------------------------------------------------------------------------ taking them out */

struct search {
    const struct gzt_source *source;
    const char *name;
};

const struct gzt_node *gzt_received_in(const struct gzt_node *node)
{
    return node->kind == GZT_FOR && node->count == 4  ? node->child[3]
           : node->kind == GZT_IF && node->count == 2 ? node->child[1]
                                                      : NULL;
}

/* What each loop has anew: the variable of the time loop's head, and what else counts. */
struct turn {
    const struct gzt_program *program;
    const struct gzt_decl *counter;
};

static bool names(const struct search *search, const struct gzt_node *node)
{
    bool found = (node->kind == GZT_REF || node->kind == GZT_MEMBER) &&
                 strcmp(gzt_node_text(search->source, node), search->name) == 0;
    for (int i = 0; i < node->count && !found; i++)
        found = names(search, node->child[i]);
    return found;
}

/* Whether something is mentioned that each loop has anew. */
static int goes_on(const struct gzt_node *node, void *data)
{
    const struct turn *turn = data;
    return node->kind == GZT_REF &&
           (node->decl == turn->counter || gzt_is_counted(turn->program, node->decl));
}

static int is_element(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_SUBSCRIPT && node->type != GZT_POINTER;
}

/* rec[t] = ..., or output of an element, in loops or not; the arrays that are set are added. */
static bool may_receive(const struct turn *turn, const struct gzt_node *node, const char ***targets,
                        int *count)
{
    const struct gzt_node **list = NULL;
    int statements = 0;
    const struct gzt_node *within = gzt_received_in(node);
    if (within) {
        gzt_statements(within, &list, &statements);
        for (int i = 0; i < statements; i++)
            if (!may_receive(turn, list[i], targets, count))
                return false;
        return statements > 0;
    }
    if (gzt_is_output(node))
        return gzt_walk(node, is_element, NULL) != 0;
    const struct gzt_node *target =
        gzt_is_assignment(node) && node->kind == GZT_BINARY ? gzt_bare(node->child[0]) : NULL;
    if (!target || !is_element(target, NULL) || gzt_walk(target, goes_on, (void *)turn) == 0 ||
        gzt_walk(node->child[1], is_element, NULL) == 0)
        return false;
    gzt_push(targets, count, gzt_node_text(turn->program->source, gzt_base_of(target)));
    return true;
}

/* Ifs stand around all of it only. */
static int is_inner_if(const struct gzt_node *node, void *outer)
{
    return node->kind == GZT_IF && node != outer;
}

bool gzt_may_be_receivers(const struct gzt_node *node)
{
    const struct gzt_node **list = NULL, *within = gzt_received_in(node);
    int count = 0;
    bool all = within || gzt_is_output(node) ||
               (gzt_is_assignment(node) && is_element(gzt_bare(node->child[0]), NULL));
    if (within)
        gzt_statements(within, &list, &count);
    for (int i = 0; i < count && all; i++)
        all = gzt_may_be_receivers(list[i]);
    return all;
}

/* Whether a statement that is no receiver, but for an if, which the program runs, names one of the
 * arrays. */
static bool are_used(const struct gzt_program *program, const struct gzt_node *body,
                     const bool *receives, const char **targets, int count)
{
    bool used = false;
    for (int i = 0; i < body->count; i++)
        for (int k = 0; k < count && !receives[i] && body->child[i]->kind != GZT_IF; k++) {
            struct search search = {program->source, targets[k]};
            used = used || names(&search, body->child[i]);
        }
    return used;
}

/* Which statements of the time loop are; less deep than its sweeps. */
static bool find_receivers(const struct gzt_program *program, const struct gzt_node *time,
                           const struct turn *turn, bool *receives)
{
    const struct gzt_node *body = time->child[3];
    int sweeps = gzt_depth(body), found = 0;
    bool again = true;
    for (int i = 0; i < body->count; i++) {
        const char **targets = NULL;
        int count = 0;
        receives[i] = gzt_depth(body->child[i]) < sweeps &&
                      (program->guarded || body->child[i]->kind != GZT_IF) &&
                      gzt_walk(body->child[i], is_inner_if, body->child[i]) == 0 &&
                      may_receive(turn, body->child[i], &targets, &count);
        found += receives[i];
    }
    while (again) {
        again = false;
        for (int i = 0; i < body->count; i++) {
            const char **targets = NULL;
            int count = 0;
            if (!receives[i])
                continue;
            may_receive(turn, body->child[i], &targets, &count);
            if (are_used(program, body, receives, targets, count)) {
                receives[i] = false;
                again = true;
                found--;
            }
        }
    }
    return found > 0;
}

const struct gzt_node *gzt_take_receivers(struct gzt_program *program, const struct gzt_node *time)
{
    struct gzt_node *loop = gzt_alloc(sizeof *loop), *rest = gzt_alloc(sizeof *rest);
    const struct gzt_node *body = time->child[3];
    struct gzt_loop head = {0};
    bool *receives = gzt_alloc((size_t)body->count + 1);
    bool counts = gzt_read_beginning(time->child[0], &head) || program->counts;
    struct turn turn = {program, head.iterator};

    if (body->kind != GZT_BLOCK || !counts || !find_receivers(program, time, &turn, receives))
        return time;
    *loop = *time, *rest = *body;
    loop->child = rest->child = NULL;
    loop->count = rest->count = 0;
    for (int i = 0; i < body->count; i++) {
        struct gzt_node *node = body->child[i];
        if (!receives[i]) {
            gzt_push(&rest->child, &rest->count, node);
            continue;
        }
        struct gzt_receiver *receiver = gzt_alloc(sizeof *receiver);
        receiver->node = node;
        gzt_push(&program->receivers, &program->receiver_count, receiver);
    }
    for (int i = 0; i < 3; i++)
        gzt_push(&loop->child, &loop->count, time->child[i]);
    gzt_push(&loop->child, &loop->count, rest);
    return loop;
}

/* --------------------------------------------------------------------------------- reading them */

enum { NESTED = 8 };
struct reader {
    struct gzt_program *program;
    struct gzt_receiver *receiver;
    gzt_find_seen *find;
    const struct gzt_decl *own[NESTED]; /* the variables of the loops around */
    int loops;
    int guards; /* conditions around */
};

/* Whether a variable is one of the loops around. */
static bool is_own(const struct reader *reader, const struct gzt_decl *decl)
{
    bool own = false;
    for (int i = 0; i < reader->loops; i++)
        own = own || reader->own[i] == decl;
    return own;
}

/* Whether a variable is the same in all loops. */
static bool stays(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const struct gzt_node *time = program->time.node;
    bool same = !decl->variable || (!(decl->offset >= time->begin && decl->offset < time->end) &&
                                    gzt_assignments(time->child[3], decl) == 0);
    for (int i = 0; i < program->receiver_count && same; i++)
        same = gzt_assignments(program->receivers[i]->node, decl) == 0;
    return same;
}

/* Whether receivers set an array of that text. */
static bool is_target(const struct gzt_program *program, const char *name)
{
    struct search search = {program->source, name};
    const struct gzt_node **list = NULL;
    int count = 0;
    for (int i = 0; i < program->receiver_count; i++)
        gzt_push(&list, &count, program->receivers[i]->node);
    for (int i = 0; i < count; i++) {
        if (gzt_received_in(list[i]))
            gzt_statements(gzt_received_in(list[i]), &list, &count);
        else if (gzt_is_assignment(list[i]) &&
                 names(&search, gzt_base_of(gzt_bare(list[i]->child[0]))))
            return true;
    }
    return false;
}

static int is_of_target(const struct gzt_node *node, void *program)
{
    const struct gzt_program *of = program;
    bool leads = node->kind == GZT_UNARY && strcmp(node->op, "*") == 0;
    const struct gzt_node *base = leads ? gzt_bare(node->child[0]) : gzt_base_of(node);
    return base != node && is_target(of, gzt_node_text(of->source, base));
}

/* Whether something below a node is an element of an array that receivers set. */
static bool names_target(const struct gzt_program *program, const struct gzt_node *node)
{
    return gzt_walk(node, is_of_target, (void *)program) != 0;
}

/* Whether a variable is set, other than in the head of the time loop, on another side of a receiver
 * than where the loops are counted. */
static bool is_counted_behind(const struct gzt_program *program,
                              const struct gzt_receiver *receiver, const struct gzt_decl *decl)
{
    const struct gzt_counts *counts = program->counts;
    bool behind = false;
    for (int i = 0; counts && i < counts->count; i++)
        behind = behind ||
                 (gzt_assignments(counts->statement[i], decl) > 0 &&
                  (counts->statement[i]->begin < receiver->node->begin) != (i < counts->ahead));
    return behind;
}

/* `steady`: must be the same in all loops, as the place of a cell is. */
static int read(struct reader *reader, const struct gzt_node *node, bool steady);

static int read_all(struct reader *reader, const struct gzt_node *node, bool steady)
{
    bool chooses =
        node->kind == GZT_TERNARY || gzt_is_binary(node, "&&") || gzt_is_binary(node, "||");
    int status = 0;
    for (int i = 0; i < node->count && status == 0; i++) {
        reader->guards += chooses && i > 0;
        status = read(reader, node->child[i], steady);
        reader->guards -= chooses && i > 0;
    }
    return status;
}

static int read_element(struct reader *reader, const struct gzt_node *node, bool steady)
{
    struct gzt_program *program = reader->program;
    struct gzt_seen seen = {.element = node};
    const char *base = gzt_node_text(program->source, gzt_base_of(node));
    int found = reader->find(program, reader->receiver, node, base, &seen);
    if (found < 0)
        return -1;
    if (!found && steady && is_target(program, base))
        return gzt_refuse_receiver(program, reader->receiver,
                                   gzt_format("which cells it reads must not hang on %s, which it "
                                              "sets",
                                              base));
    if (!found)
        return read_all(reader, node, steady);
    if (steady)
        return gzt_refuse_receiver(program, reader->receiver,
                                   gzt_format("which cells it reads must not hang on %s",
                                              gzt_node_text(program->source, node)));
    if (reader->guards)
        return gzt_refuse_receiver(
            program, reader->receiver,
            gzt_format("%s is read under a condition", gzt_node_text(program->source, node)));
    struct gzt_seen *cell = gzt_alloc(sizeof *cell);
    *cell = seen;
    gzt_push(&reader->receiver->cells, &reader->receiver->cell_count, cell);
    for (int status = 0; node->kind == GZT_SUBSCRIPT; node = gzt_bare(node->child[0])) {
        status = node->child[1] == seen.plane ? 0 : read(reader, node->child[1], true);
        if (status != 0)
            return -1;
    }
    return 0;
}

static int read(struct reader *reader, const struct gzt_node *node, bool steady)
{
    struct gzt_program *program = reader->program;
    const char *why = NULL, *text = gzt_node_text(program->source, node);
    if (node->kind == GZT_SUBSCRIPT && node->type != GZT_POINTER)
        return read_element(reader, node, steady);
    if (node->is_volatile || (node->kind == GZT_UNKNOWN && strcmp(node->op, "StringLiteral") != 0))
        why = "%s in it is not understood";
    else if (node->kind == GZT_REF &&
             (node->decl == program->time.iterator || gzt_is_counted(program, node->decl)))
        why = steady ? "which cells it reads must be the same in all loops, and %s is not"
              : is_counted_behind(program, reader->receiver, node->decl)
                  ? "%s must count before all else, or behind all else"
                  : NULL;
    else if (node->kind == GZT_REF && !is_own(reader, node->decl) && !stays(program, node->decl))
        why = "%s, which the loop sets elsewhere, must stay the same";
    if (!why)
        return read_all(reader, node, steady);
    struct gzt_text message = {0};
    const char *at = strstr(why, "%s");
    gzt_add(&message, "%.*s%s%s", (int)(at - why), why, text, at + 2);
    return gzt_refuse_receiver(program, reader->receiver, gzt_string(&message));
}

/* The head of a loop, whose variable is its own from then on. */
static int read_head(struct reader *reader, const struct gzt_node *node)
{
    struct gzt_loop loop = {0};
    if (gzt_read_loop(reader->program->source, node, &loop) != 0)
        return -1;
    if (reader->loops == NESTED)
        return gzt_refuse_receiver(reader->program, reader->receiver, "too many loops");
    if (read(reader, loop.low, true) != 0 || read(reader, loop.high, true) != 0)
        return -1;
    reader->own[reader->loops++] = loop.iterator;
    return 0;
}

/* A condition must be known before the loops run. */
static int read_condition(struct reader *reader, const struct gzt_node *node)
{
    reader->guards++;
    int status = gzt_refuse_effect(reader->program->source, node);
    status = status == 0 ? read(reader, node, false) : status;
    reader->guards--;
    if (status == 0 && names_target(reader->program, node))
        return gzt_refuse_receiver(reader->program, reader->receiver,
                                   "whether it does must not hang on what is handed on");
    return status;
}

static int read_statement(struct reader *reader, const struct gzt_node *node)
{
    const struct gzt_node **list = NULL;
    int count = 0, status = 0;
    if (!gzt_received_in(node)) {
        for (int i = 0; i < node->count; i++)
            if (gzt_refuse_effect(reader->program->source, node->child[i]) != 0)
                return -1;
        return read_all(reader, node, false);
    }
    bool loops = node->kind == GZT_FOR;
    if (loops ? read_head(reader, node) != 0 : read_condition(reader, node->child[0]) != 0)
        return -1;
    gzt_statements(gzt_received_in(node), &list, &count);
    for (int i = 0; i < count && status == 0; i++)
        status = read_statement(reader, list[i]);
    reader->loops -= loops;
    return status;
}

/* Ifs beside the sweeps must see what they do: the program runs them between its calls. */
static int check_place(struct gzt_program *program, const struct gzt_receiver *receiver)
{
    int begin = receiver->node->begin;
    for (int i = 0; i < program->look_count; i++) {
        const struct gzt_look *look = program->looks[i];
        if ((look->position == GZT_BEHIND && look->node->begin < begin) ||
            (look->position == GZT_BEFORE && look->node->begin > begin))
            return gzt_refuse_receiver(program, receiver,
                                       "it must stand on the sweeps' side of the ifs beside them");
    }
    const struct gzt_counts *counts = gzt_keeps_time(program) ? program->counts : NULL;
    for (int i = 0; counts && i < counts->count; i++)
        if ((counts->statement[i]->begin < begin) != (i < counts->ahead))
            return gzt_refuse_receiver(program, receiver,
                                       "it must stand on the sweeps' side of what counts");
    return 0;
}

/* Whether it is a word of C. */
static bool is_name(const char *name)
{
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

int gzt_read_receivers(struct gzt_program *program, gzt_find_seen *find)
{
    for (int i = 0; i < program->receiver_count; i++) {
        struct reader reader = {program, program->receivers[i], find, {NULL}, 0, 0};
        if (!is_name(program->time.iterator->name))
            return gzt_refuse_receiver(
                program, program->receivers[i],
                gzt_format("the loops must be counted by a variable, and %s is none",
                           program->time.iterator->name));
        if (check_place(program, program->receivers[i]) != 0 ||
            read_statement(&reader, program->receivers[i]->node) != 0)
            return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------------ a state of one array */

static void place(struct gzt_receiver *receiver, int first, int last)
{
    int begin = receiver->node->begin;
    receiver->position = begin < first ? GZT_BEFORE : begin > last ? GZT_BEHIND : GZT_AMONG;
}

/* Points that are set anew behind it, or that count with the loop before. */
static void set_apart(struct gzt_program *program, const struct gzt_receiver *receiver,
                      struct gzt_seen *seen)
{
    for (int i = 0; i < program->point_count; i++) {
        const struct gzt_point *point = program->points[i];
        bool before = point->assignment->begin < receiver->node->begin;
        if (seen->later ? point->ahead || !before : point->ahead && !before)
            gzt_push(&seen->apart, &seen->apart_count, point->element);
    }
}

/* Of planes, which one it is. */
static int find_plane(struct gzt_program *program, const struct gzt_receiver *receiver,
                      const struct gzt_node *element, struct gzt_seen *seen)
{
    const struct gzt_node *at = element, *as = program->sweep[0].write.node;
    for (int behind = 0; at->kind == GZT_SUBSCRIPT && as->kind == GZT_SUBSCRIPT;
         at = gzt_bare(at->child[0]), as = gzt_bare(as->child[0]), behind++)
        if (gzt_chooses_plane(program, as->child[1])) {
            seen->plane = at->child[1];
            seen->chosen = as->child[1];
            seen->behind_plane = behind;
        }
    bool alike = at->kind != GZT_SUBSCRIPT && as->kind != GZT_SUBSCRIPT && seen->plane;
    seen->later = alike && receiver->position != GZT_BEFORE &&
                  gzt_is_written_plane(program, seen->chosen, seen->plane, 0);
    if (seen->later || (alike && gzt_is_written_plane(program, seen->chosen, seen->plane, 1)))
        return 1;
    return gzt_refuse_receiver(program, receiver,
                               gzt_format("%s is not proven to be in the plane that the sweep "
                                          "writes, or reads",
                                          gzt_node_text(program->source, element)));
}

static int find_in_state(struct gzt_program *program, const struct gzt_receiver *receiver,
                         const struct gzt_node *element, const char *base, struct gzt_seen *seen)
{
    enum gzt_position position = receiver->position;
    const struct gzt_array *there = gzt_array_at(program, position);
    bool state = false, first = gzt_moves_first(program);
    for (int i = 0; i < program->array_count; i++)
        state =
            state || (program->arrays[i]->written && strcmp(program->arrays[i]->base, base) == 0);
    if (!state)
        return 0;
    seen->array = program->state[0];
    seen->later = position == GZT_BEHIND || (position == GZT_AMONG && !first);
    if (program->sweeps != 1 && position == GZT_AMONG)
        return gzt_refuse_receiver(program, receiver, "not translated yet between two sweeps");
    int status = program->form == GZT_PARITY ? find_plane(program, receiver, element, seen) : 1;
    /* The other array holds the state before. */
    bool swaps = program->form == GZT_SWAP && !first;
    const struct gzt_array *other =
        position == GZT_AMONG && (swaps || program->form == GZT_COPY_BACK) ? program->state[0]
        : position == GZT_BEHIND && swaps                                  ? program->state[1]
                                                                           : NULL;
    bool inside = program->exchange.end > 0 && receiver->node->begin > program->exchange.begin &&
                  receiver->node->begin < program->exchange.end;
    if (program->form != GZT_PARITY && strcmp(base, there->base) != 0 && other &&
        strcmp(base, other->base) == 0)
        seen->later = false;
    else if (program->form != GZT_PARITY && (inside || strcmp(base, there->base) != 0))
        status = gzt_refuse_receiver(
            program, receiver,
            gzt_format("must read %s there, which holds the state", there->base));
    if (status > 0)
        set_apart(program, receiver, seen);
    return status;
}

int gzt_read_receivers_of_one(struct gzt_program *program, int first, int last)
{
    for (int i = 0; i < program->receiver_count; i++)
        place(program->receivers[i], first, last);
    return gzt_read_receivers(program, find_in_state);
}
