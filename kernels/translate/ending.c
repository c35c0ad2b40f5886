/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ending.c - the user's time loop without its sweeps, which asks the library what these have found.
 */
#include "counting.h"
#include "emit.h"
#include "measure.h"

#include <string.h>

int gzt_measure_type(const struct gzt_program *program)
{
    const struct gzt_measure *measure = program->measure;
    if (!measure || !measure->fold)
        return 0;
    if (measure->finds == GZT_SUM)
        return gzt_is_integer(gzt_found_in(measure)->type) ? 4 : 3;
    return gzt_bare(measure->value[0])->type == GZT_FLOAT && measure->finds == GZT_LARGEST ? 2 : 1;
}

void gzt_compare_measured(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl **list = NULL;
    int count = 0;
    if (program->measure)
        gzt_counted_finals(program, &list, &count);
    for (int i = 0; i < count; i++)
        if (gzt_is_integer(list[i]->type) || !program->source->contract)
            gzt_add(text,
                    "gz_stencil_compare_variable(gz_run, \"%s\", (const void *)&%s, gz_then_%d, "
                    "sizeof(%s));\n",
                    list[i]->name, list[i]->name, i, list[i]->name);
}

/* The sum joins what the variable held: whole numbers modulo what its type holds. */
static void add_sum(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_decl *decl = gzt_found_in(program->measure);
    const char *type = gzt_is_integer(decl->type) ? "(unsigned long)" : "";
    gzt_add(text, "%s = (%s)(%s%s %c %sgz_found);\n}\n", decl->name, decl->type_name, type,
            decl->name, program->measure->subtracts ? '-' : '+', type);
}

/* The user's own comparison, once, with what the library has found. */
static void add_comparison(const struct gzt_program *program, struct gzt_text *text)
{
    const struct gzt_measure *measure = program->measure;
    const char *type = gzt_type_text(gzt_bare(measure->value[0])->type);
    int at = measure->fold->begin;

    gzt_add(text, "%s", measure->finds == GZT_LEAST ? "gz_found = -gz_found;\n" : "");
    for (int i = 0; i < measure->values; i++) {
        gzt_add(text, "%s ((%s)gz_found) ",
                gzt_verbatim(program->source, at, measure->value[i]->begin), type);
        at = measure->value[i]->end;
    }
    gzt_add(text, "%s;\n}\n", gzt_verbatim(program->source, at, measure->fold->end));
}

static const char *fold(const struct gzt_program *program)
{
    struct gzt_text text = {0};
    bool whole = gzt_measure_type(program) == 4;
    gzt_add(&text,
            "{\n%s gz_found;\nif (!gz_stencil_measure%s(gz_run, gz_n, &gz_found)%s) {\n"
            "gz_fine = 0;\nbreak;\n}\ngz_n++;\n",
            whole ? "long" : "double", whole ? "_whole" : "",
            gzt_lacks_negative_zero(program)
                ? ""
                : "\n    || (gz_found == 0 && !gz_stencil_usable(gz_run, "
                  "GZ_STENCIL_EITHER_ZERO))");
    if (program->measure->finds == GZT_SUM)
        add_sum(program, &text);
    else
        add_comparison(program, &text);
    return gzt_string(&text);
}

/* A statement that stays; output waits until the results are there. */
static void add_statement(const struct gzt_program *program, const struct gzt_node *node,
                          struct gzt_text *text)
{
    if (node->kind == GZT_BLOCK) {
        for (int i = 0; i < node->count; i++)
            add_statement(program, node->child[i], text);
        return;
    }
    if (node->kind == GZT_DECL) {
        for (int i = 0; i < node->count; i++) {
            const struct gzt_node *variable = node->child[i], *value;
            value = variable->count ? variable->child[0] : NULL;
            gzt_add(text, "%s %s%s%s;\n", variable->decl->type_name, variable->decl->name,
                    value ? " = " : "",
                    value ? gzt_verbatim(program->source, value->begin, value->end) : "");
        }
        return;
    }
    if (node->kind != GZT_IF) {
        gzt_add(text, "%s%s;\n", node->kind == GZT_CALL ? "if (gz_wet)\n" : "",
                gzt_verbatim(program->source, node->begin, node->end));
        return;
    }
    gzt_add(text, "if (%s) {\n",
            gzt_verbatim(program->source, node->child[0]->begin, node->child[0]->end));
    add_statement(program, node->child[1], text);
    gzt_add(text, "}\n%s", node->count == 3 ? "else {\n" : "");
    if (node->count == 3) {
        add_statement(program, node->child[2], text);
        gzt_add(text, "}\n");
    }
}

/* The time loop without its sweeps, with statements in place of the measure. */
static void add_loop(const struct gzt_program *program, const char *fold, struct gzt_text *text)
{
    const struct gzt_measure *measure = program->measure;
    const struct gzt_counts *counts = program->counts;
    const struct gzt_node *loop = counts->loop, *body = measure->body, **list = NULL;
    bool last = loop->child[0] == body; /* do ... while */
    int count = 0, kept = 0;

    gzt_statements(body, &list, &count);
    gzt_add(text, "%s {\n", gzt_verbatim(program->source, loop->begin, body->begin));
    for (int i = 0; i < count; i++)
        if (kept < counts->count && list[i]->begin == counts->statement[kept]->begin)
            add_statement(program, counts->statement[kept++], text);
        else if (list[i] == measure->nest)
            gzt_add(text, "%s", fold);
    gzt_add(text, "}%s%s\n", last ? gzt_verbatim(program->source, body->end, loop->end) : "",
            last ? ";" : "");
}

/* In a loop that finds nothing, counts. */
static const char *count_loop(void)
{
    return gzt_format("if (gz_n == %d) {\ngz_fine = 0;\nbreak;\n}\ngz_n++;\n", GZT_MOST_INDEX);
}

/* How many loops there are, and what they leave in the variables, which are put back. */
static void add_dry_end(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "gz_count = gz_n;\ngz_loops = gz_n * %d;\n", gzt_levels(program));
    gzt_add_thens(program, text);
}

/* Whether there is a loop at all, told without what it finds. */
static void add_probe(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "if (gz_usable == 1) {\n");
    add_loop(program, "gz_n = 1;\nbreak;\n", text);
    gzt_add(text, "gz_count = gz_loops = gz_n * %d;\n", GZT_MOST_INDEX);
    gzt_add_thens(program, text);
    gzt_add(text, "}\n");
}

void gzt_add_measured_finals(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "long gz_n = 0;\nint gz_fine = 0, gz_wet = 0;\n"
                  "(void)gz_wet;\n");
    gzt_add_starts(program, text);
    if (program->measure->fold) {
        add_probe(program, text);
        return;
    }
    gzt_add(text, "if (gz_usable == 1) {\ngz_fine = 1;\n");
    add_loop(program, count_loop(), text);
    add_dry_end(program, text);
    gzt_add(text, "if (!gz_fine)\ngz_usable = GZ_STENCIL_OTHER_LOOPS;\n}\n");
}

void gzt_add_uncounted_loop(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "gz_n = 0;\ngz_wet = 1;\n");
    add_loop(program, count_loop(), text);
}

void gzt_add_measured_loop(const struct gzt_program *program, struct gzt_text *text)
{
    gzt_add(text, "do {\ngz_n = 0;\ngz_fine = 1;\n");
    add_loop(program, fold(program), text);
    gzt_add(text, "if (!gz_wet) {\n");
    add_dry_end(program, text);
    gzt_add(text, "gz_fine = gz_fine &&");
    if (program->least_loops > 1)
        gzt_add(text,
                " (gz_n == 0 || gz_n >= %d || gz_stencil_usable(gz_run, "
                "GZ_STENCIL_FEW_LOOPS)) &&",
                program->least_loops);
    gzt_add(text, " gz_stencil_settle(gz_run, gz_n);\n}\n} while (gz_fine && !gz_wet++);\n");
}
