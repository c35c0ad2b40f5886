/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * receiving.c - what is written of receivers in place of the loops.
 */
#include "cells.h"
#include "counting.h"
#include "emit.h"
#include "loads.h"
#include "loops.h"
#include "points.h"
#include "receivers.h"

#include <string.h>

struct pen {
    const struct gzt_program *program;
    const struct gzt_receiver *receiver;
    struct gzt_text *text;
    bool each; /* whether it stands in a loop over the loops */
    struct memory {
        const char *base;
        bool written;
    } * *memory; /* by what stands before subscripts */
    int memory_count;
};

static struct memory *memory_of(const struct pen *pen, const struct gzt_node *node)
{
    const char *base = gzt_node_text(pen->program->source, gzt_base_of(node));
    for (int i = 0; i < pen->memory_count; i++)
        if (strcmp(pen->memory[i]->base, base) == 0)
            return pen->memory[i];
    return NULL;
}

static int cell_of(const struct pen *pen, const struct gzt_node *node)
{
    for (int i = 0; i < pen->receiver->cell_count; i++)
        if (pen->receiver->cells[i]->element == node)
            return i;
    return -1;
}

/* The first cell of a statement, and how many it has. */
static int cells_in(const struct pen *pen, const struct gzt_node *statement, int *first)
{
    int count = 0;
    for (int i = pen->receiver->cell_count - 1; i >= 0; i--) {
        const struct gzt_node *element = pen->receiver->cells[i]->element;
        if (element->begin < statement->begin || element->end > statement->end)
            continue;
        *first = i;
        count++;
    }
    return count;
}

static void write(struct pen *pen, const struct gzt_node *node, int first)
{
    const struct gzt_source *source = pen->program->source;
    int cell = cell_of(pen, node), at = node->begin;
    if (cell >= 0) {
        int levels = gzt_levels(pen->program);
        gzt_add(pen->text, "(*(const %s *)gz_stencil_seen(gz_run, gz_i * %d - %d, gz_k + %d))",
                gzt_type_text(pen->program->type), levels,
                pen->receiver->cells[cell]->later ? 1 - levels : 1, cell - first);
        return;
    }
    for (int i = 0; i < node->count; i++) {
        gzt_add(pen->text, "%s", gzt_verbatim(source, at, node->child[i]->begin));
        write(pen, node->child[i], first);
        at = node->child[i]->end;
    }
    gzt_add(pen->text, "%s", gzt_verbatim(source, at, node->end));
}

/* An element in the array, and the plane, that buffer 0 is filled from; `behind` subscripts follow.
 */
static void write_element(const struct gzt_program *program, const struct gzt_seen *seen,
                          const struct gzt_node *node, int behind, struct gzt_text *text)
{
    if (node->kind != GZT_SUBSCRIPT) {
        gzt_add(text, "%s", seen->array->base);
        return;
    }
    const struct gzt_node *own = node->child[1];
    const char *index = gzt_verbatim(program->source, own->begin, own->end);
    if (seen->plane && behind == seen->behind_plane)
        index = gzt_toggled(
            program, program->sweep, seen->chosen, gzt_axis_names,
            gzt_format("(gz_first + %d)", (program->planes == 3 ? 2 : 1) * program->time.step),
            "(1 - gz_toggle)");
    write_element(program, seen, gzt_bare(node->child[0]), behind + 1, text);
    gzt_add(text, "[%s]", index);
}

static const char *element(const struct gzt_program *program, const struct gzt_seen *seen,
                           const struct gzt_node *node)
{
    struct gzt_text text = {0};
    write_element(program, seen, node, 0, &text);
    return gzt_string(&text);
}

static void add_statement_bounds(struct pen *pen, const struct gzt_node *statement);
static void add_head_bounds(struct pen *pen, const struct gzt_node *loop);

/* The loops of a statement, with what `add` makes of those in them. */
static void add_statement(struct pen *pen, const struct gzt_node *node,
                          void (*add)(struct pen *, const struct gzt_node *))
{
    const struct gzt_node **list = NULL, *within = gzt_received_in(node);
    int count = 0;
    if (!within) {
        add(pen, node);
        return;
    }
    if (add == add_statement_bounds)
        add_head_bounds(pen, node);
    bool headed = node->kind == GZT_FOR || pen->each;
    gzt_add(pen->text, "%s{\n",
            headed ? gzt_verbatim(pen->program->source, node->begin, within->begin) : "");
    gzt_statements(within, &list, &count);
    for (int i = 0; i < count; i++)
        add_statement(pen, list[i], add);
    gzt_add(pen->text, "}\n");
}

/* The variables of its loops that are declared elsewhere. */
static void find_variables(const struct gzt_node *node, const struct gzt_node *outer,
                           const struct gzt_decl ***list, int *count)
{
    struct gzt_loop loop = {0};
    if (node->kind == GZT_FOR && gzt_read_beginning(node->child[0], &loop) &&
        (loop.iterator->offset < outer->begin || loop.iterator->offset >= outer->end)) {
        bool again = false;
        for (int i = 0; i < *count; i++)
            again = again || (*list)[i] == loop.iterator;
        if (!again)
            gzt_push(list, count, loop.iterator);
    }
    for (int i = 0; i < node->count; i++)
        find_variables(node->child[i], outer, list, count);
}

/* Begins a block with such variables of its own. */
static void begin(struct pen *pen)
{
    const struct gzt_decl **list = NULL;
    int count = 0;
    find_variables(pen->receiver->node, pen->receiver->node, &list, &count);
    gzt_add(pen->text, "{\n");
    for (int i = 0; i < count; i++)
        gzt_add(pen->text, "%s %s;\n", list[i]->type_name, list[i]->name);
}

/* Begins a loop over the loops, in which what counts has the user's names. */
static void begin_loops(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl *time = program->time.iterator;
    gzt_add_each(program, text);
    if (!program->counts)
        gzt_add(text, "const %s %s = (%s)gz_time;\n(void)%s;\n", time->type_name, time->name,
                time->type_name, time->name);
}

static bool is_number(const struct pen *pen, const struct gzt_node *node)
{
    return cell_of(pen, node) < 0 && gzt_lies_in_memory(pen->program, node);
}

/* The arrays and variables in memory below a node, each once, with those that are set. */
static void find_memory(struct pen *pen, const struct gzt_node *node, bool written)
{
    bool passes = node->kind == GZT_PAREN || node->kind == GZT_IMPLICIT;
    if (is_number(pen, node)) {
        struct memory *memory = memory_of(pen, node);
        if (!memory) {
            memory = gzt_alloc(sizeof *memory);
            memory->base = gzt_node_text(pen->program->source, gzt_base_of(node));
            gzt_push(&pen->memory, &pen->memory_count, memory);
        }
        memory->written |= written;
    }
    for (int i = 0; i < node->count; i++)
        find_memory(pen, node->child[i],
                    (written && passes) || (i == 0 && gzt_is_assignment(node)));
}

/* Whether what an expression says can be known before the loops run. */
static bool is_known(const struct pen *pen, const struct gzt_node *node)
{
    const struct memory *memory = is_number(pen, node) ? memory_of(pen, node) : NULL;
    bool known = cell_of(pen, node) < 0 && (!memory || !memory->written);
    for (int i = 0; i < node->count && known; i++)
        known = is_known(pen, node->child[i]);
    return known;
}

static void add_bounds(struct pen *pen, const struct gzt_node *node);

/* What is read if a condition holds, or if it does not. */
static void add_bounds_if(struct pen *pen, const struct gzt_node *condition, const char *holds,
                          const struct gzt_node *node)
{
    bool known = is_known(pen, condition);
    if (known)
        gzt_add(pen->text, "if (%s(%s)) {\n", holds,
                gzt_verbatim(pen->program->source, condition->begin, condition->end));
    add_bounds(pen, node);
    gzt_add(pen->text, known ? "}\n" : "");
}

/* Widens the memory that each array, or variable, takes. */
static void add_bounds(struct pen *pen, const struct gzt_node *node)
{
    bool both = gzt_is_binary(node, "&&"), either = gzt_is_binary(node, "||");
    bool chooses = node->kind == GZT_TERNARY || both || either;
    if (is_number(pen, node)) {
        int k = 0;
        while (pen->memory[k] != memory_of(pen, node))
            k++;
        const char *text = gzt_verbatim(pen->program->source, node->begin, node->end);
        gzt_add(pen->text,
                "{\nconst char *const gz_here = (const char *)&(%s);\n"
                "gz_one[%d] = !gz_one[%d] || gz_here < gz_one[%d] ? gz_here : gz_one[%d];\n"
                "gz_two[%d] = !gz_two[%d] || gz_here > gz_two[%d] ? gz_here : gz_two[%d];\n"
                "gz_bytes[%d] = sizeof(%s);\n}\n",
                text, k, k, k, k, k, k, k, k, k, text);
    }
    for (int i = 0; i < node->count; i++)
        if (chooses && i > 0)
            add_bounds_if(pen, node->child[0], either || i == 2 ? "!" : "", node->child[i]);
        else
            add_bounds(pen, node->child[i]);
}

/* Those in the head of a loop, or of an if. */
static void add_head_bounds(struct pen *pen, const struct gzt_node *node)
{
    struct gzt_loop loop = {0};
    if (node->kind == GZT_IF) {
        add_bounds(pen, node->child[0]);
        return;
    }
    gzt_read_loop(pen->program->source, node, &loop);
    add_bounds(pen, loop.low);
    add_bounds(pen, loop.high);
}

/* Those of a statement; and whether what is set behind it lies
 * elsewhere. */
static void add_statement_bounds(struct pen *pen, const struct gzt_node *statement)
{
    int first = 0, count = cells_in(pen, statement, &first);
    add_bounds(pen, statement);
    for (int i = first; i < first + count; i++) {
        const struct gzt_seen *seen = pen->receiver->cells[i];
        for (int k = 0; k < seen->apart_count; k++)
            gzt_add(
                pen->text,
                "if ((const void *)&%s == (const void *)&%s)\ngz_usable = GZ_STENCIL_SET_BEHIND;\n",
                element(pen->program, seen, seen->element),
                element(pen->program, seen, seen->apart[k]));
    }
}

void gzt_add_receivers(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->receiver_count > 0)
        gzt_add(text, "long gz_heard[%d] = {0};\n", program->receiver_count);
}

void gzt_add_receiver_spans(const struct gzt_program *program, struct gzt_text *text)
{
    struct pen pen = {.program = program, .text = text, .each = true};
    for (int i = 0; i < program->receiver_count; i++) {
        pen.receiver = program->receivers[i];
        find_memory(&pen, pen.receiver->node, false);
    }
    int count = pen.memory_count;
    if (program->receiver_count == 0)
        return;
    gzt_add(text,
            "{\nconst char *gz_one[%d] = {0}, *gz_two[%d] = {0};\n"
            "unsigned long gz_bytes[%d] = {0};\n",
            count + 1, count + 1, count + 1);
    begin_loops(program, text);
    for (int i = 0; i < program->receiver_count; i++) {
        pen.receiver = program->receivers[i];
        begin(&pen);
        add_statement(&pen, pen.receiver->node, add_statement_bounds);
        gzt_add(text, "}\n");
    }
    gzt_end_each(program, text);
    for (int k = 0; k < count; k++)
        gzt_add(text,
                "if (gz_one[%d])\ngz_stencil_span(gz_run, gz_one[%d], gz_two[%d], gz_bytes[%d], "
                "%d);\n",
                k, k, k, k, pen.memory[k]->written);
    gzt_add(text, "(void)gz_one, (void)gz_two, (void)gz_bytes;\n}\n");
}

/* Begins a block for where a receiver does something in any loop. */
static void begin_if_any(const struct gzt_program *program, const struct gzt_receiver *receiver,
                         struct gzt_text *text)
{
    const struct gzt_node *node = receiver->node, *condition = node->child[0];
    gzt_add(text, "{\nint gz_any = %s;\n", node->kind == GZT_IF ? "0" : "gz_count > 0");
    if (node->kind == GZT_IF) {
        begin_loops(program, text);
        gzt_add(text, "gz_any = gz_any || (%s);\n",
                gzt_verbatim(program->source, condition->begin, condition->end));
        gzt_end_each(program, text);
    }
    gzt_add(text, "if (gz_any) {\n");
}

static void add_watches(struct pen *pen, const struct gzt_node *statement)
{
    int first = 0, count = cells_in(pen, statement, &first);
    for (int i = first; i < first + count; i++)
        gzt_add(pen->text, "gz_stencil_watch(gz_run, (const void *)&%s);\ngz_watched++;\n",
                element(pen->program, pen->receiver->cells[i], pen->receiver->cells[i]->element));
}

void gzt_add_watching(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->receiver_count == 0)
        return;
    gzt_add(text, "long gz_watched = 0;\n");
    for (int i = 0; i < program->receiver_count; i++) {
        struct pen pen = {.program = program, .receiver = program->receivers[i], .text = text};
        gzt_add(text, "gz_heard[%d] = gz_watched;\n", i);
        begin_if_any(program, pen.receiver, text);
        begin(&pen);
        add_statement(&pen, pen.receiver->node, add_watches);
        gzt_add(text, "}\n}\n}\n");
    }
}

/* With what was seen; or, in other passes than 1, what GZ_CHECK keeps and compares of what is set.
 */
static void add_seen(struct pen *pen, const struct gzt_node *statement)
{
    int first = 0, count = cells_in(pen, statement, &first);
    bool prints = statement->kind == GZT_CALL;
    gzt_add(pen->text, prints ? "if (gz_told) {\n" : "if (gz_pass == 1) {\n");
    write(pen, statement, first);
    gzt_add(pen->text, ";\n}\n");
    if (!prints) {
        const struct gzt_node *target = statement->child[0];
        const char *text = gzt_verbatim(pen->program->source, target->begin, target->end);
        gzt_add(pen->text,
                "else\ngz_stencil_hear(gz_run, gz_pass, (void *)&(%s), sizeof(%s), %s);\n", text,
                text,
                gzt_quoted(gzt_node_text(pen->program->source, gzt_base_of(gzt_bare(target)))));
    }
    gzt_add(pen->text, "gz_k += %d;\n", count);
}

static void add_all_seen(const struct gzt_program *program, struct gzt_text *text)
{
    begin_loops(program, text);
    for (int i = 0; i < program->receiver_count; i++) {
        struct pen pen = {
            .program = program, .receiver = program->receivers[i], .text = text, .each = true};
        gzt_add(text, "{\nlong gz_k = gz_heard[%d];\n(void)gz_k;\n", i);
        begin(&pen);
        add_statement(&pen, pen.receiver->node, add_seen);
        gzt_add(text, "}\n}\n");
    }
    gzt_end_each(program, text);
}

void gzt_add_receiving(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->receiver_count == 0) {
        gzt_add(text, "if (gz_stencil_execute(gz_run)) {\n");
        return;
    }
    gzt_add(text, "const int gz_told = gz_stencil_execute(gz_run);\n"
                  "if (gz_told || gz_stencil_checking(gz_run))\n"
                  "for (int gz_pass = gz_told; gz_pass < (gz_told ? 2 : 4); gz_pass++) {\n");
    add_all_seen(program, text);
    gzt_add(text, "}\nif (gz_told) {\n");
}

void gzt_compare_received(const struct gzt_program *program, struct gzt_text *text)
{
    if (program->receiver_count == 0)
        return;
    const struct gzt_decl **list = NULL;
    int count = 0;
    gzt_counted_finals(program, &list, &count);
    gzt_add(text, "const int gz_pass = 4, gz_told = 0;\n(void)gz_told;\n");
    for (int i = 0; i < count; i++)
        gzt_add(text, "const %s gz_left_%d = %s;\n", list[i]->type_name, i, list[i]->name);
    add_all_seen(program, text);
    for (int i = 0; i < count; i++)
        gzt_add(text, "%s = gz_left_%d;\n", list[i]->name, i);
}

/* ---------------------------------------------------------------------- what their loops leave */

enum { DEEPEST_NEST = 8 };

static void add_nothing(struct pen *pen, const struct gzt_node *statement)
{
    (void)pen;
    (void)statement;
}

/* Whether OpenMP leaves a variable of the loops of a node as it was before; `nest` has those around
 * it. */
static bool is_left(const struct gzt_program *program, const struct gzt_node *node,
                    const struct gzt_decl *decl, struct gzt_loop *nest, int depth)
{
    if (node->kind == GZT_FOR && depth < DEEPEST_NEST &&
        gzt_read_beginning(node->child[0], &nest[depth])) {
        nest[depth].node = node;
        if (nest[depth].iterator == decl && gzt_openmp_leaves(program, nest, depth))
            return true;
        depth++;
    }
    for (int i = 0; i < node->count; i++)
        if (is_left(program, node->child[i], decl, nest, depth))
            return true;
    return false;
}

/* What OpenMP leaves, kept while the loops are run without it, and put back. */
static void add_left(const struct pen *pen, const struct gzt_decl *const *list, int count,
                     bool back)
{
    struct gzt_loop nest[DEEPEST_NEST];
    for (int i = 0; i < count; i++) {
        if (!is_left(pen->program, pen->receiver->node, list[i], nest, 0))
            continue;
        gzt_add(pen->text, "#ifdef _OPENMP\n");
        if (back)
            gzt_add(pen->text, "%s = gz_left_%d;\n", list[i]->name, i);
        else
            gzt_add(pen->text, "const %s gz_left_%d = %s;\n", list[i]->type_name, i, list[i]->name);
        gzt_add(pen->text, "#endif\n");
    }
}

void gzt_add_receiver_finals(const struct gzt_program *program, enum gzt_position position,
                             struct gzt_text *text)
{
    for (int i = 0; i < program->receiver_count; i++) {
        const struct gzt_decl **list = NULL;
        int count = 0;
        struct pen pen = {.program = program, .receiver = program->receivers[i], .text = text};
        find_variables(pen.receiver->node, pen.receiver->node, &list, &count);
        if (count == 0 || pen.receiver->position != position)
            continue;
        begin_if_any(program, pen.receiver, text);
        add_left(&pen, list, count, false);
        add_statement(&pen, pen.receiver->node, add_nothing);
        add_left(&pen, list, count, true);
        gzt_add(text, "}\n}\n");
    }
}

int gzt_receiver_finals(const struct gzt_program *program, const struct gzt_decl ***list, int count)
{
    for (int i = 0; i < program->receiver_count; i++)
        find_variables(program->receivers[i]->node, program->receivers[i]->node, list, &count);
    return count;
}
