/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"

#include "toggles.h"

#include <string.h>

int gzt_is_declared_within(const struct gzt_node *node, void *data)
{
    const struct gzt_node *around = data;
    return node->kind == GZT_REF && node->decl->variable && node->decl->offset >= around->begin &&
           node->decl->offset < around->end;
}

struct moves {
    const struct gzt_program *program;
    const struct gzt_node **list;
    int count;
};

static bool holds_any(const struct gzt_node *node, const struct moves *moves)
{
    bool any = false;
    for (int i = 0; i < moves->count; i++)
        any = any || (node->begin <= moves->list[i]->begin && moves->list[i]->end <= node->end);
    return any;
}

static bool is_one(const struct gzt_node *node, const struct moves *moves)
{
    bool one = false;
    for (int i = 0; i < moves->count; i++)
        one = one || moves->list[i] == node;
    return one;
}

/* Declares what is declared without a value and then moved, by the type of what it is set to. */
static void add_declared(const struct gzt_node *node, const struct moves *moves,
                         struct gzt_text *text)
{
    for (int i = 0; i < node->count; i++)
        for (int k = 0; k < moves->count; k++)
            if (gzt_assigned(moves->list[k]) == node->child[i]->decl) {
                gzt_add(text, "__typeof__(%s) %s;\n",
                        gzt_node_text(moves->program->source, moves->list[k]->child[1]),
                        node->child[i]->decl->name);
                break;
            }
}

/* The moves within a statement, each in its own block: names mean there what they mean in it. */
static void add_moves(const struct gzt_node *node, const struct moves *moves, struct gzt_text *text)
{
    node = gzt_bare(node);
    if (gzt_is_once(node))
        node = node->child[0];
    if (is_one(node, moves)) /* a declaration has its semicolon */
        gzt_add(text, "%s%s\n", gzt_clean(moves->program->source, node->begin, node->end),
                node->kind == GZT_DECL ? "" : ";");
    else if (gzt_is_bare(node))
        add_declared(node, moves, text);
    if (node->kind != GZT_BLOCK || !holds_any(node, moves))
        return;
    gzt_add(text, "{\n");
    for (int i = 0; i < node->count; i++)
        add_moves(node->child[i], moves, text);
    gzt_add(text, "}\n");
}

static void note_place(struct gzt_exchange *exchange, const char *name)
{
    for (int i = 0; i < exchange->place_count; i++)
        if (strcmp(exchange->places[i], name) == 0)
            return;
    gzt_push(&exchange->places, &exchange->place_count, name);
}

/* What chooses planes of several arrays changes by itself, since what the text says of it may hang
 * on numbers that each loop sets before. */
static void add_turns(struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl *const planes[] = {program->toggle, program->opposite};
    for (int i = 0; i < 2 && program->system; i++) {
        if (!planes[i])
            continue;
        note_place(&program->exchange, planes[i]->name);
        gzt_add(text, "%s = (%s)(1 - %s);\n", planes[i]->name, planes[i]->type_name,
                planes[i]->name);
    }
}

static const char *name_of(const struct gzt_program *program, const struct gzt_node *node)
{
    node = gzt_bare(node);
    if (node->kind == GZT_UNARY && strcmp(node->op, "&") == 0)
        node = gzt_bare(node->child[0]);
    return node->type == GZT_POINTER &&
                   !gzt_walk(node, gzt_is_declared_within, (void *)program->time.node)
               ? gzt_node_text(program->source, node)
               : NULL;
}

struct wanted {
    const struct gzt_source *source;
    const char *name;
};
static int is_wanted(const struct gzt_node *node, void *data)
{
    const struct wanted *wanted = data;
    return strcmp(gzt_node_text(wanted->source, node), wanted->name) == 0;
}

/* Whether one of the first moves takes what a pointer holds. */
static bool is_taken(const struct moves *moves, int count, const char *name)
{
    struct wanted wanted = {moves->program->source, name};
    bool taken = false;
    for (int i = 0; i < count && !taken; i++) {
        const struct gzt_node *move = moves->list[i];
        const struct gzt_node *sets = move->kind == GZT_DECL ? move->child[0] : move;
        bool call = move->kind == GZT_CALL;
        taken = gzt_walk(call ? move : sets->child[sets->count - 1], is_wanted, &wanted) != 0;
    }
    return taken;
}

/* Notes the pointers that a move sets, if they are there behind the loops; none by way of which
 * others move only, which may hold nothing before. */
static void note_pointers(struct gzt_program *program, const struct moves *moves, int number)
{
    const struct gzt_node *move = moves->list[number];
    int places = move->kind == GZT_CALL ? move->count : gzt_is_assignment(move);
    for (int i = 0; i < places; i++) {
        const char *name = name_of(program, move->child[i]);
        if (name && is_taken(moves, number + 1, name))
            note_place(&program->exchange, name);
    }
}

void gzt_set_exchange(struct gzt_program *program, const struct gzt_node **moves, int count)
{
    const struct moves all = {program, moves, count};
    struct gzt_exchange *exchange = &program->exchange;
    struct gzt_text text = {0};
    exchange->begin = count ? moves[0]->begin : 0;
    exchange->end = count ? moves[count - 1]->end : 0;
    for (int i = 0; i < count; i++)
        note_pointers(program, &all, i);
    add_moves(program->time.node->child[3], &all, &text);
    add_turns(program, &text);
    exchange->text = gzt_string(&text);
}

void gzt_add_exchange(const struct gzt_program *program, const char *among, struct gzt_text *text)
{
    gzt_add(text, "%s%s%s}\n",
            program->form == GZT_ROTATE
                ? "for (long gz_i = (gz_loops - 1) % 3; gz_i >= 0; gz_i--) {\n"
                : "for (long gz_i = gz_loops % 2; gz_i < 3; gz_i += 2) {\n",
            among, program->exchange.text);
}

void gzt_add_leads(const struct gzt_program *program, struct gzt_text *text)
{
    for (int i = 0; i < program->exchange.place_count; i++) {
        const char *name = program->exchange.places[i];
        gzt_add(text, "__typeof__(%s) gz_led_%d = gz_count > 0 ? %s : 0;\n", name, i, name);
    }
}

void gzt_compare_leads(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_exchange *exchange = &program->exchange;
    for (int i = 0; i < exchange->place_count; i++) {
        const char *name = exchange->places[i];
        gzt_add(text, "__typeof__(%s) gz_leads_%d = %s;\n%s = gz_led_%d;\n", name, i, name, name,
                i);
    }
    if (exchange->place_count)
        gzt_add_exchange(program, "", text);
    /* Copies, since warnings about a pointer may hang on whether its address is taken. */
    for (int i = 0; i < exchange->place_count; i++) {
        const char *name = exchange->places[i];
        gzt_add(text,
                "gz_led_%d = %s;\n"
                "gz_stencil_compare_variable(gz_run, %s, (const void *)&gz_leads_%d, (const void "
                "*)&gz_led_%d, sizeof gz_leads_%d);\n%s = gz_leads_%d;\n",
                i, name, gzt_quoted(name), i, i, i, name, i);
    }
}
