/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "counting.h"

#include "affine.h"
#include "effects.h"

#include <string.h>

/* What the time loop asks for in each loop. */
static const char *condition(const struct gzt_program *program)
{
    const struct gzt_node *loop = program->counts->loop;
    return gzt_node_text(program->source, loop->child[loop->kind == GZT_FOR]);
}

/* All but what prints. */
static void add_statements(const struct gzt_program *program, int first, int end,
                           struct gzt_text *text)
{
    for (int i = first; i < end; i++)
        if (!gzt_is_output(program->counts->statement[i]))
            gzt_add(text, "%s;\n", gzt_node_text(program->source, program->counts->statement[i]));
}

static void add_step(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_node *loop = program->counts->loop;
    if (loop->kind == GZT_FOR && loop->child[2]->kind != GZT_EMPTY)
        gzt_add(text, "%s;\n", gzt_node_text(program->source, loop->child[2]));
}

void gzt_add_advance(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    add_statements(program, counts->ahead, counts->count, text);
    add_step(program, text);
    gzt_add(text, "(void)(%s);\n", condition(program));
    add_statements(program, 0, counts->ahead, text);
}

void gzt_counted_finals(const struct gzt_program *program, const struct gzt_decl ***list,
                        int *count)
{
    const struct gzt_counts *counts = program->counts;
    const struct gzt_node *loop = counts ? counts->loop : NULL;
    for (int i = 0; counts && i < counts->set_count; i++) {
        int offset = counts->set[i]->offset;
        if (gzt_keeps_time(program) || offset < loop->begin || offset >= loop->end)
            gzt_push(list, count, counts->set[i]);
    }
}

/* Whether the head sets a variable whatever it was, and then uses nothing of it. */
static bool begins(const struct gzt_node *head, const struct gzt_decl *decl)
{
    if (!gzt_is_binary(head, ","))
        return gzt_is_binary(head, "=") && gzt_assigned(head) == decl &&
               !gzt_mentions(head->child[1], decl);
    return begins(head->child[0], decl)   ? !gzt_mentions(head->child[1], decl)
           : begins(head->child[1], decl) ? !gzt_mentions(head->child[0], decl)
                                          : false;
}

static bool is_begun(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const struct gzt_node *loop = program->counts->loop;
    return loop->kind == GZT_FOR && loop->count == 4 && !gzt_keeps_time(program) &&
           begins(loop->child[0], decl);
}

static int add_use(const struct gzt_node *node, void *text)
{
    if (node->kind == GZT_VARIABLE)
        gzt_add(text, "(void)%s;\n", node->decl->name);
    return 0;
}

/* The head of the time loop, where its body is not the user's: what it declares may be unused. */
static void add_head(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_node *loop = program->counts->loop;
    gzt_add(text, "%s {\n",
            gzt_clean(program->source, loop->begin, loop->child[loop->count - 1]->begin));
    gzt_walk(loop->child[0], add_use, text);
}

/* For each that is set, or those that must be what they were, a line of C: # is its number, @ its
 * name. */
static void add_each(const struct gzt_program *program, bool before, const char *format,
                     struct gzt_text *text)
{
    const struct gzt_decl **list = NULL;
    int count = 0;
    gzt_counted_finals(program, &list, &count);
    for (int i = 0; i < count; i++)
        for (const char *c = before && is_begun(program, list[i]) ? "" : format; *c; c++)
            if (*c == '#')
                gzt_add(text, "%d", i);
            else if (*c == '@')
                gzt_add(text, "%s", list[i]->name);
            else
                gzt_add_bytes(text, c, 1);
}

/* Whether the time, if the sweeps use it, is not what it is taken to be in loop `number`. */
static const char *is_another(const struct gzt_program *program, const char *number)
{
    const char *time = program->time.iterator->name;
    return !gzt_is_counted(program, program->time.iterator)
               ? "0"
               : gzt_format("(long)%s != gz_first + %s * %d || !GZ_STENCIL_IS_INDEX((long)%s, "
                            "(long)%s)",
                            time, number, program->time.step, time, time);
}

static void add_restart(const struct gzt_program *program, struct gzt_text *text)
{
    add_each(program, true, "__builtin_memcpy(&@, gz_start_#, sizeof(@));\n", text);
}

void gzt_add_starts(const struct gzt_program *program, struct gzt_text *text)
{
    add_each(program, true, "unsigned char gz_start_#[sizeof(@)];\n", text);
    add_each(program, true, "__builtin_memcpy(gz_start_#, &@, sizeof(@));\n", text);
    if (!gzt_keeps_time(program))
        add_each(program, false, "unsigned char gz_then_#[sizeof(@)];\n", text);
}

void gzt_add_thens(const struct gzt_program *program, struct gzt_text *text)
{
    add_each(program, false, "__builtin_memcpy(gz_then_#, &@, sizeof(@));\n", text);
    add_restart(program, text);
}

void gzt_add_each(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    bool kept = !counts || gzt_keeps_time(program);
    if (kept) {
        gzt_add(text, "for (long gz_i = 0; gz_i < gz_count; gz_i++) {\n");
    } else {
        gzt_add(text, "{\nlong gz_n = 0;\n");
        add_head(program, text);
    }
    if (counts && kept) {
        gzt_add(text, "if (gz_i > 0) {\n");
        gzt_add_advance(program, text);
        gzt_add(text, "}\n");
    } else if (counts) {
        add_statements(program, 0, counts->ahead, text);
        gzt_add(text, "const long gz_i = gz_n++;\n");
    }
    gzt_add(text, "const long gz_time = gz_first + gz_i * %d;\n(void)gz_time;\n",
            program->time.step);
}

void gzt_end_each(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    if (counts && !gzt_keeps_time(program)) {
        add_statements(program, counts->ahead, counts->count, text);
        gzt_add(text, "}\n");
    }
    gzt_add(text, "}\n");
    if (counts)
        add_restart(program, text);
}

/* Counts all loops, and finds out what they leave. */
static void add_all(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    gzt_add(text, "long gz_first = 0, gz_all = 0;\n");
    add_head(program, text);
    add_statements(program, 0, counts->ahead, text);
    if (gzt_is_counted(program, program->time.iterator))
        gzt_add(text, "if (gz_all == 0)\ngz_first = (long)%s;\n", program->time.iterator->name);
    gzt_add(text,
            "if (gz_all == %d || (%s)) {\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\nbreak;\n}\n"
            "gz_all++;\n",
            GZT_MOST_INDEX, is_another(program, "gz_all"));
    add_statements(program, counts->ahead, counts->count, text);
    gzt_add(text, "}\n");
    gzt_add_thens(program, text);
    gzt_add(text, "(void)gz_first;\nconst long gz_count = gz_all;\n");
}

/* Statements, and between them, where the numbers are those of its place, whether an if beside the
 * sweeps acts. */
static void add_looks(const struct gzt_program *program, int first, int end,
                      enum gzt_position position, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    for (int i = 0; i <= program->look_count; i++) {
        const struct gzt_node *look = i < program->look_count ? program->looks[i]->node : NULL;
        if (look && program->looks[i]->position != position)
            continue;
        for (; first < end && (!look || counts->statement[first]->begin < look->begin); first++)
            add_statements(program, first, first + 1, text);
        if (look)
            gzt_add(text, "if (%s)\nbreak;\n", gzt_node_text(program->source, look->child[0]));
    }
}

/* Counts on from the present loop, which is one, to the next in which an if acts, and not for ever:
 * what is left is counted then. */
static void add_piece(const struct gzt_program *program, struct gzt_text *text)
{
    enum { MOST = 1024 };
    const struct gzt_counts *counts = program->counts;
    const char *time = program->time.iterator->name;
    bool counted = gzt_is_counted(program, program->time.iterator);
    gzt_add(text, "const long gz_first = %s%s;\nlong gz_count = 1, gz_own = 1;\n(void)gz_first;\n",
            counted ? "(long)" : "", counted ? time : "0");
    gzt_add(text,
            "if (%s)\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\ngz_count = 0;\n"
            "while (gz_usable == 1 && gz_count < %d) {\n",
            is_another(program, "0"), MOST);
    add_looks(program, 0, 0, GZT_AMONG, text);
    gzt_add(text, "if (%s)\nbreak;\ngz_count++;\n", is_another(program, "gz_count"));
    add_looks(program, counts->ahead, counts->count, GZT_BEHIND, text);
    add_step(program, text);
    gzt_add(text, "if (!(%s))\nbreak;\n", condition(program));
    add_looks(program, 0, counts->ahead, GZT_BEFORE, text);
    gzt_add(text, "}\n");
    add_restart(program, text);
}

void gzt_add_counts(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "int gz_usable = 1;\n");
    gzt_add_starts(program, text);
    if (gzt_keeps_time(program))
        add_piece(program, text);
    else
        add_all(program, text);
}

void gzt_add_prints(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_counts *counts = program->counts;
    bool any = false;
    for (int i = 0; counts && !program->measure && i < counts->count; i++)
        any = any || gzt_is_output(counts->statement[i]);
    if (!any)
        return;
    add_restart(program, text);
    add_head(program, text);
    for (int i = 0; i < counts->count; i++)
        gzt_add(
            text, "%s;\n",
            gzt_verbatim(program->source, counts->statement[i]->begin, counts->statement[i]->end));
    gzt_add(text, "}\n");
}

void gzt_add_counted_finals(const struct gzt_program *program, struct gzt_text *text)
{
    if (!gzt_keeps_time(program)) {
        add_each(program, false, "__builtin_memcpy(&@, gz_then_#, sizeof(@));\n", text);
        return;
    }
    add_restart(program, text);
    gzt_add(text, "for (long gz_i = 1; gz_i < gz_count; gz_i++) {\n");
    gzt_add_advance(program, text);
    gzt_add(text, "}\n");
}
