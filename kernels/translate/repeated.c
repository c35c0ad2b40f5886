/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "repeated.h"

#include <string.h>

/* The element that an assignment sets, or NULL. */
static const struct gzt_node *element_of(const struct gzt_node *node)
{
    const struct gzt_node *target = gzt_is_assignment(node) ? gzt_bare(node->child[0]) : NULL;
    return target && target->kind == GZT_SUBSCRIPT && !target->is_volatile ? target : NULL;
}

static int find_element(const struct gzt_node *node, void *data)
{
    const struct gzt_node **found = data;
    *found = element_of(node);
    return *found != NULL;
}

struct count {
    const struct gzt_source *source;
    const char *text;
    int count;
};
static int count_assignment(const struct gzt_node *node, void *data)
{
    struct count *count = data;
    const struct gzt_node *element = element_of(node);
    count->count += element && strcmp(gzt_node_text(count->source, element), count->text) == 0;
    return 0;
}

bool gzt_is_repeated(const struct gzt_source *source, const struct gzt_repeated *repeated,
                     const struct gzt_node *node)
{
    const struct gzt_node *first = repeated->first;
    if (!first || node->kind != GZT_SUBSCRIPT || node->begin < first->begin)
        return false;
    bool right = gzt_is_assignment(first) && first->count == 2 &&
                 node->begin >= first->child[1]->begin && node->begin < first->end;
    return !right &&
           strcmp(gzt_node_text(source, node), gzt_node_text(source, repeated->element)) == 0;
}

/* Whether the array is mentioned but as the element, or to the right in the first statement. */
static bool is_mentioned_otherwise(const struct gzt_source *source,
                                   const struct gzt_repeated *repeated, const struct gzt_node *node)
{
    const struct gzt_node *array = gzt_base_of(repeated->element), *first = repeated->first;
    if (gzt_is_repeated(source, repeated, node) || node->end <= first->begin)
        return false;
    if (gzt_is_assignment(first) && first->count == 2 && node == first->child[1])
        return false;
    if (node->kind == array->kind &&
        strcmp(gzt_node_text(source, node), gzt_node_text(source, array)) == 0)
        return true;
    for (int i = 0; i < node->count; i++)
        if (is_mentioned_otherwise(source, repeated, node->child[i]))
            return true;
    return false;
}

static int is_set(const struct gzt_node *node, void *block)
{
    return (node->kind == GZT_REF && gzt_assignments(block, node->decl) > 0) ||
           node->kind == GZT_CALL || gzt_is_assignment(node);
}

/* Whether a statement sets the element in any case, and does not change what it was. */
static bool sets(const struct gzt_source *source, const struct gzt_node *statement,
                 const char *text)
{
    const struct gzt_node **list = NULL;
    const struct gzt_node *element = element_of(statement);
    int count = 0;

    if (statement->kind == GZT_IF)
        return statement->count == 3 && sets(source, statement->child[1], text) &&
               sets(source, statement->child[2], text);
    if (statement->kind == GZT_BLOCK)
        gzt_statements(statement, &list, &count);
    for (int i = 0; i < count; i++)
        if (sets(source, list[i], text))
            return true;
    return element && gzt_is_binary(statement, "=") &&
           strcmp(gzt_node_text(source, element), text) == 0;
}

struct gzt_repeated gzt_find_repeated(const struct gzt_source *source, const struct gzt_node *block)
{
    struct gzt_repeated repeated = {NULL, NULL, false};
    struct count count = {source, "", 0};

    for (int i = 0; i < block->count && !repeated.element; i++)
        if (block->child[i]->kind != GZT_FOR &&
            gzt_walk(block->child[i], find_element, &repeated.element) != 0)
            repeated.first = block->child[i];
    if (repeated.element) {
        count.text = gzt_node_text(source, repeated.element);
        gzt_walk(block, count_assignment, &count);
    }
    if (count.count < 2 || gzt_walk(repeated.element, is_set, (void *)block) != 0 ||
        is_mentioned_otherwise(source, &repeated, block))
        return (struct gzt_repeated){NULL, NULL, false};
    repeated.begins = sets(source, repeated.first, count.text);
    return repeated;
}
