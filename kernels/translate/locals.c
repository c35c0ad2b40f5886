/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "locals.h"

#include <string.h>

const struct gzt_node *gzt_effect(const struct gzt_node *statement)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(statement, &list, &count);
    return count ? list[count - 1] : NULL;
}

/* The variable that an assignment sets, or NULL. */
static const struct gzt_decl *target_of(const struct gzt_node *statement)
{
    if (!gzt_is_assignment(statement))
        return NULL;
    const struct gzt_node *target = gzt_bare(statement->child[0]);
    return target->kind == GZT_REF && target->decl->variable ? target->decl : NULL;
}

bool gzt_is_preparation(const struct gzt_node *statement)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    if (statement->kind == GZT_DECL || target_of(statement))
        return true;
    if (statement->kind != GZT_IF)
        return false;
    for (int i = 1; i < statement->count; i++)
        gzt_statements(statement->child[i], &list, &count);
    for (int i = 0; i < count; i++)
        if (!gzt_is_preparation(list[i]))
            return false;
    return true;
}

int gzt_local_of(const struct gzt_sweep *sweep, const struct gzt_decl *decl)
{
    for (int i = 0; decl && i < sweep->local_count; i++)
        if (sweep->locals[i] == decl)
            return i;
    return -1;
}

static int is_local(const struct gzt_node *node, void *data)
{
    return node->kind == GZT_REF && gzt_local_of(data, node->decl) >= 0;
}

bool gzt_mentions_local(const struct gzt_sweep *sweep, const struct gzt_node *node)
{
    return sweep && sweep->local_count && gzt_walk(node, is_local, (void *)sweep) != 0;
}

/* ------------------------------------------------------------------------------------- values */

static const struct gzt_value nothing = {.kind = GZT_VALUE_UNKNOWN};

static const struct gzt_value *make_value(enum gzt_value_kind kind, const struct gzt_node *node,
                                          const struct gzt_value *a, const struct gzt_value *b)
{
    struct gzt_value *value = gzt_alloc(sizeof *value);
    *value = (struct gzt_value){.kind = kind, .node = node, .a = a, .b = b};
    return value;
}

/* What a variable holds after an assignment to it. */
static const struct gzt_value *assigned(const struct gzt_node *node, const struct gzt_value *old)
{
    if (gzt_is_binary(node, "="))
        return make_value(GZT_VALUE_IS, node->child[1], NULL, NULL);
    struct gzt_value *value = gzt_alloc(sizeof *value);
    bool unary = node->kind == GZT_UNARY;
    *value = (struct gzt_value){GZT_VALUE_UPDATED, unary ? NULL : node->child[1], old, NULL, ""};
    size_t length = unary ? 1 : strlen(node->op) - 1;
    memcpy(value->op, unary ? strpbrk(node->op, "+-") : node->op, length);
    return value;
}

/* Follows the statements up to `offset`; `*done` is set once it is reached. */
static const struct gzt_value *follow(const struct gzt_node *block, const struct gzt_decl *decl,
                                      int offset, const struct gzt_value *value, bool *done)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(block, &list, &count);
    for (int i = 0; i < count && !*done; i++) {
        const struct gzt_node *node = list[i];
        bool within = offset >= node->begin && offset < node->end;
        if (offset < node->begin) {
            *done = true;
        } else if (node->kind == GZT_DECL) {
            for (int k = 0; k < node->count && node->child[k]->begin <= offset; k++)
                if (node->child[k]->decl == decl && offset >= node->child[k]->end)
                    value = node->child[k]->count
                                ? make_value(GZT_VALUE_IS, node->child[k]->child[0], NULL, NULL)
                                : &nothing;
        } else if (node->kind == GZT_IF) {
            const struct gzt_value *branch[2] = {value, value};
            for (int k = 1; k < node->count && !*done; k++)
                if (!within || (offset >= node->child[k]->begin && offset < node->child[k]->end)) {
                    branch[k - 1] = follow(node->child[k], decl, offset, value, done);
                    if (within)
                        return branch[k - 1];
                }
            if (!within && (branch[0] != value || branch[1] != value))
                value = make_value(GZT_VALUE_CHOICE, node->child[0], branch[0], branch[1]);
        } else if (!within && target_of(node) == decl) {
            value = assigned(node, value);
        }
        *done = *done || within;
    }
    return value;
}

const struct gzt_value *gzt_value_at(const struct gzt_sweep *sweep,
                                     const struct gzt_node *reference)
{
    bool done = false;
    return follow(sweep->statement, reference->decl, reference->begin, &nothing, &done);
}

struct gzt_memo *gzt_memo_of(const struct gzt_sweep *sweep, const struct gzt_node *reference,
                             const void *asked)
{
    size_t bucket = ((size_t)reference / sizeof(void *) * 31 + (size_t)asked / sizeof(void *));
    struct gzt_memo **slot = &sweep->memos[bucket % GZT_MEMOS];
    for (struct gzt_memo *memo = *slot; memo; memo = memo->next)
        if (memo->reference == reference && memo->asked == asked)
            return memo;
    struct gzt_memo *memo = gzt_alloc(sizeof *memo);
    *memo = (struct gzt_memo){reference, asked, -1, *slot};
    return *slot = memo;
}

int gzt_value_walk(const struct gzt_value *value, int (*visit)(const struct gzt_node *, void *),
                   void *data)
{
    int status = value->node ? gzt_walk(value->node, visit, data) : 0;
    status = status == 0 && value->a ? gzt_value_walk(value->a, visit, data) : status;
    return status == 0 && value->b ? gzt_value_walk(value->b, visit, data) : status;
}

static bool is_complete(const struct gzt_value *value)
{
    if (value->kind == GZT_VALUE_UNKNOWN)
        return false;
    return (!value->a || is_complete(value->a)) && (!value->b || is_complete(value->b));
}

/* --------------------------------------------------------------------------------- collection */

struct collection {
    struct gzt_program *program;
    struct gzt_sweep *sweep;
    int settings; /* statements that set temporaries */
};

static int add_local(struct collection *collection, struct gzt_decl *decl, int offset)
{
    enum { MOST_SETTINGS = 2000 }; /* each may depend on all before it */
    struct gzt_sweep *sweep = collection->sweep;
    if (++collection->settings > MOST_SETTINGS)
        return gzt_refuse(collection->program->source, offset,
                          "a cell sets temporaries more than %d times", (int)MOST_SETTINGS);
    if (gzt_local_of(sweep, decl) >= 0)
        return 0;
    if (decl->type == GZT_POINTER || decl->type == GZT_OTHER)
        return gzt_refuse(collection->program->source, offset,
                          "%s is a %s: a temporary per cell must be a number", decl->name,
                          decl->type_name);
    for (int i = 0; i < sweep->loops; i++)
        if (sweep->loop[i].iterator == decl)
            return gzt_refuse(collection->program->source, offset,
                              "%s is set within its own loop: the loops must run to their ends",
                              decl->name);
    gzt_push(&sweep->locals, &sweep->local_count, decl);
    return 0;
}

/* Where a temporary is set that the cell's own statements would not show. */
static int refuse_hidden(struct gzt_source *source, const struct gzt_node *node)
{
    if (node->kind == GZT_UNKNOWN && strcmp(node->op, "StmtExpr") == 0)
        return gzt_refuse(source, node->begin, "a block within an expression is not understood");
    if (node->kind == GZT_IF && node->child[0]->kind == GZT_DECL)
        return gzt_refuse(source, node->begin,
                          "an if that declares a variable is not understood: declare it before");
    return 0;
}

static int collect_local(const struct gzt_node *node, void *data)
{
    struct collection *collection = data;
    if (refuse_hidden(collection->program->source, node) != 0)
        return -1;
    if (node->kind == GZT_VARIABLE)
        return add_local(data, node->decl, node->begin);
    if (target_of(node))
        return add_local(data, gzt_bare(node->child[0])->decl, node->begin);
    return 0;
}

static int check_reads(const struct gzt_node *node, void *data)
{
    struct collection *collection = data;
    /* What stands left of = is not read. */
    if (gzt_is_binary(node, "=") && target_of(node))
        return gzt_walk(node->child[1], check_reads, data) == 0 ? 0 : -1;
    if (!is_local(node, collection->sweep) || is_complete(gzt_value_at(collection->sweep, node)))
        return 0;
    return gzt_refuse(collection->program->source, node->begin,
                      "%s depends on all cells of the previous loop: no tile can compute it on "
                      "its own",
                      node->decl->name);
}

/* As gzt_walk, but an assignment's own visit covers what is below it. */
static int check_all_reads(const struct gzt_node *node, struct collection *collection)
{
    if (check_reads(node, collection) != 0)
        return -1;
    if (gzt_is_binary(node, "=") && target_of(node))
        return 0;
    for (int i = 0; i < node->count; i++)
        if (check_all_reads(node->child[i], collection) != 0)
            return -1;
    return 0;
}

int gzt_read_locals(struct gzt_program *program, struct gzt_sweep *sweep)
{
    struct collection collection = {program, sweep, 0};
    const struct gzt_node **list = NULL;
    int count = 0;
    sweep->memos = gzt_alloc(GZT_MEMOS * sizeof *sweep->memos);
    gzt_statements(sweep->statement, &list, &count);
    if (gzt_walk(sweep->statement, collect_local, &collection) != 0 || sweep->local_count == 0)
        return program->source->failed ? -1 : 0;
    return check_all_reads(sweep->statement, &collection);
}
