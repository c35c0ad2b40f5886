/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "turns.h"

#include "loops.h"
#include "outlives.h"

#include <string.h>

/* What keeps a body from being written out once for each value of the iterator. */
static int keeps(const struct gzt_node *node, void *iterator)
{
    if (node->kind == GZT_RETURN || (node->kind == GZT_UNKNOWN && strstr(node->op, "Stmt")))
        return 1;
    return gzt_is_assignment(node) && gzt_mentions(node->child[0], iterator);
}

bool gzt_is_skip(const struct gzt_node *statement)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    if (statement->kind != GZT_IF || statement->count != 2)
        return false;
    gzt_statements(statement->child[1], &list, &count);
    return count == 1 && gzt_is_kind(list[0], "ContinueStmt");
}

static bool can_be_written(const struct gzt_node *body, const struct gzt_decl *iterator)
{
    bool block = body->kind == GZT_BLOCK, can = true;
    for (int i = 0; i < (block ? body->count : 1) && can; i++) {
        const struct gzt_node *statement = block ? body->child[i] : body;
        bool loop = statement->kind == GZT_FOR && statement->count == 4;
        for (int k = 0; k < 3 && loop && can; k++)
            can = gzt_walk(statement->child[k], keeps, (void *)iterator) == 0;
        if (loop)
            can = can && can_be_written(statement->child[3], iterator);
        else if (block && gzt_is_skip(statement))
            can = gzt_walk(statement->child[0], keeps, (void *)iterator) == 0;
        else
            can = gzt_walk(statement, keeps, (void *)iterator) == 0;
    }
    return can;
}

bool gzt_find_turns(const struct gzt_source *source, const struct gzt_node *node,
                    struct gzt_turns *turns)
{
    enum { MOST = 129 };
    struct gzt_source probe = *source;
    struct gzt_loop *loop = &turns->loop;

    if (node->kind != GZT_FOR || gzt_read_loop(&probe, node, loop) != 0 || !loop->low->constant ||
        !loop->high->constant)
        return false;
    long last = loop->high->value - !loop->inclusive;
    turns->first = loop->low->value;
    if (last < turns->first || last - turns->first > (long)(MOST - 1) * loop->step)
        return false;
    turns->end = turns->first + ((last - turns->first) / loop->step + 1) * loop->step;
    return !gzt_handed_on(node->child[3], loop->iterator) &&
           can_be_written(node->child[3], loop->iterator);
}
