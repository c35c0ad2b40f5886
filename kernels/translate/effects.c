/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "effects.h"

#include <string.h>

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
