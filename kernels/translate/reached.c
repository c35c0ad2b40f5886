/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "library.h"

#include <string.h>

/* Whether a statement uses no more than the values of the expressions in it. */
static bool is_plain_statement(const struct gzt_node *node)
{
    return gzt_is_statement(node) && node->kind != GZT_VARIABLE && node->kind != GZT_RETURN &&
           !strstr(node->op, "Asm") && !gzt_is_kind(node, "CXXForRangeStmt");
}

/* An expression that is an object if what it is made of is one. */
static bool passes(const struct gzt_node *node, int child)
{
    bool first = node->kind == GZT_MEMBER || gzt_is_assignment(node) || node->kind == GZT_SUBSCRIPT;
    return node->kind == GZT_PAREN || (first && child == 0) ||
           (node->kind == GZT_TERNARY && child > 0) || (gzt_is_binary(node, ",") && child == 1);
}

/* Whether nothing but the value of a node's child is used, if that holds of the node. */
static bool takes_value(const struct gzt_node *node, int child, bool value)
{
    if (passes(node, child))
        return value;
    int sizes = node->kind == GZT_CAST       ? node->count - 1
                : node->kind == GZT_VARIABLE ? node->decl->sizes
                                             : 0;
    if (child < sizes)
        return true;
    bool decays = !node->is_array && gzt_bare(node)->is_array; /* an array to a pointer */
    if (node->kind == GZT_IMPLICIT)
        return !decays && (value || !(node->is_const || node->is_volatile));
    if (node->kind == GZT_UNARY)
        return strcmp(node->op, "&") != 0;
    if (node->kind == GZT_CALL && strcmp(node->op, "construct") == 0) /* a container copies */
        return true;
    if (node->kind == GZT_CALL)
        return value && (ir_is_integer(node->type) || ir_is_real(node->type)) &&
               gzt_is_harmless(node);
    return is_plain_statement(node) || node->kind == GZT_BINARY || node->kind == GZT_TERNARY ||
           node->kind == GZT_SUBSCRIPT || strcmp(node->type_name, "void") == 0;
}

/* What captures all that it mentions. */
static bool captures(const struct gzt_node *node, const struct gzt_decl *decl)
{
    bool within = gzt_is_kind(node, "LambdaExpr") || gzt_is_kind(node, "BlockExpr");
    bool mentions = false;
    GZT_EACH (part, node)
        mentions = mentions || (within && part->kind == GZT_REF && part->decl == decl);
    return mentions && !gzt_holds(node, decl);
}

/* The operand of an access: a subscript or * of an array takes its element, not the pointer that
 * the array becomes. */
static const struct gzt_node *object_of(const struct gzt_node *node, int child)
{
    const struct gzt_node *part = node->child[child];
    bool element = (node->kind == GZT_SUBSCRIPT && child == 0) ||
                   (node->kind == GZT_UNARY && strcmp(node->op, "*") == 0);
    return element && gzt_bare(part)->is_array ? gzt_bare(part) : part;
}

/* The expression that leads to the variable, below a node of which only the value is used, or
 * which may be used as the object that it is. */
static const struct gzt_node *find_way(const struct gzt_node *node, const struct gzt_decl *decl,
                                       bool value)
{
    if (node->kind == GZT_REF)
        return node->decl == decl && !value ? node : NULL;
    if (captures(node, decl))
        return node;
    bool evaluated = !gzt_is_kind(node, "UnaryExpr"); /* sizeof */
    for (int i = 0; i < node->count && evaluated; i++) {
        const struct gzt_node *found =
            find_way(object_of(node, i), decl, takes_value(node, i, value));
        bool names = found && found->kind == GZT_REF;
        if (found)
            return names && !passes(node, i) && node->kind != GZT_IMPLICIT ? node : found;
    }
    return NULL;
}

const struct gzt_node *gzt_handed_on(const struct gzt_node *node, const struct gzt_decl *decl)
{
    return find_way(node, decl, true);
}

int gzt_label_of(const struct gzt_node *node)
{
    bool leads = gzt_is_kind(node, "GotoStmt") || gzt_is_kind(node, "AddrLabelExpr");
    return leads && node->count ? (int)node->child[0]->value : -1;
}
