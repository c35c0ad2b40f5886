/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "effects.h"

#include "reads.h"

#include <string.h>

bool gzt_is_defined(const struct gzt_decl *function)
{
    return function && function->body && function->body->kind == GZT_BLOCK &&
           strncmp(function->usr, "c:@N@std@", 9) != 0;
}

/* An expression that does nothing but compute. */
static int is_harmful(const struct gzt_node *node, void *data)
{
    int *depth = data;
    if (gzt_is_assignment(node) || node->kind == GZT_UNKNOWN)
        return 1;
    if (node->kind != GZT_CALL)
        return 0;
    if (node->decl && !gzt_is_defined(node->decl) && gzt_find_math(node->decl))
        return 0;
    if (!gzt_is_defined(node->decl) || *depth == GZT_DEEPEST_CALL)
        return 1;
    ++*depth;
    int harmful = 0;
    for (int i = 0; i < node->decl->body->count && !harmful; i++) {
        const struct gzt_node *statement = node->decl->body->child[i];
        bool plain = statement->kind == GZT_RETURN || statement->kind == GZT_DECL;
        harmful = !plain || gzt_walk(statement, is_harmful, depth);
    }
    --*depth;
    return harmful;
}

bool gzt_is_harmless(const struct gzt_node *node)
{
    int depth = 0;
    return gzt_walk(node, is_harmful, &depth) == 0;
}

static int is_effect(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return gzt_is_assignment(node) || (node->kind == GZT_CALL && !gzt_is_harmless(node));
}

bool gzt_has_effect(const struct gzt_node *node)
{
    return gzt_walk(node, is_effect, NULL) != 0;
}

int gzt_refuse_effect(struct gzt_source *source, const struct gzt_node *node)
{
    if (!gzt_has_effect(node))
        return 0;
    return gzt_refuse(source, node->begin,
                      "%s may change something: within an expression, nothing must be assigned and "
                      "only functions be called that do nothing but compute",
                      gzt_node_text(source, node));
}

static int may_fail(const struct gzt_node *node, void *source)
{
    bool divides = gzt_is_binary(node, "/") || gzt_is_binary(node, "%");
    return node->kind == GZT_CALL || node->kind == GZT_SUBSCRIPT ||
           (node->kind == GZT_MEMBER && gzt_is_arrow(source, node)) ||
           (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0) ||
           (divides && !(node->child[1]->constant && node->child[1]->value != 0));
}

bool gzt_may_fail(const struct gzt_source *source, const struct gzt_node *node)
{
    return gzt_walk(node, may_fail, (void *)source) != 0;
}

bool gzt_is_output(const struct gzt_node *node)
{
    static const char *const names[] = {"printf",  "fprintf", "puts",  "fputs",
                                        "putchar", "fflush",  "fputc", "putc"};
    for (size_t i = 0; node->kind == GZT_CALL && node->decl && i < sizeof names / sizeof *names;
         i++)
        if (strcmp(node->decl->name, names[i]) == 0)
            return !node->decl->body;
    return false;
}
