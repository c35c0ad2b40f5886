/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "aliases.h"

#include "affine.h"
#include "loops.h"

int gzt_is_changing(const struct gzt_node *node, void *time)
{
    return node->kind == GZT_REF &&
           gzt_assignments(((const struct gzt_node *)time)->child[3], node->decl) > 0;
}

/* The same, but for what each loop has set before and the toggle, which it sets behind. */
struct settings {
    const struct gzt_program *program;
    const struct gzt_node *time;
};
static int is_unsettled(const struct gzt_node *node, void *data)
{
    const struct settings *settings = data;
    return gzt_is_changing(node, (void *)settings->time) &&
           node->decl != settings->program->toggle && node->decl != settings->program->opposite &&
           !gzt_alias_of(settings->program, node);
}

bool gzt_add_value(struct gzt_program *program, const struct gzt_node *time,
                   const struct gzt_decl *decl, const struct gzt_node *value, int assigned)
{
    struct settings settings = {program, time};
    if (decl->type == GZT_POINTER || decl->type == GZT_OTHER || decl->type == GZT_SMALL ||
        gzt_mentions(value, decl) || gzt_assignments(time->child[3], decl) != assigned ||
        gzt_walk(value, is_unsettled, &settings) != 0)
        return false;
    struct gzt_alias *alias = gzt_alloc(sizeof *alias);
    *alias =
        (struct gzt_alias){decl, value, decl->offset < time->begin || decl->offset >= time->end};
    gzt_push(&program->aliases, &program->alias_count, alias);
    return true;
}

static int is_element(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_SUBSCRIPT;
}

bool gzt_take_aliases(struct gzt_program *program, const struct gzt_node *time,
                      const struct gzt_node *node, bool calls)
{
    bool single = gzt_is_binary(node, "=") && gzt_assigned(node);
    bool all = single || (node->kind == GZT_DECL && node->count > 0);
    for (int i = 0; i < (single ? 1 : node->count) && all; i++) {
        const struct gzt_node *variable = node->child[i];
        bool sets = single || (variable->kind == GZT_VARIABLE && variable->count == 1);
        const struct gzt_node *value = !sets ? NULL : single ? node->child[1] : variable->child[0];
        all = sets && (calls ? gzt_walk(value, is_element, NULL) == 0 : !gzt_reads_data(value)) &&
              gzt_add_value(program, time, single ? gzt_assigned(node) : variable->decl, value,
                            single);
    }
    return all;
}
