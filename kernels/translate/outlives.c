/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outlives.h"

#include "effects.h"
#include "locals.h"

#include <string.h>

static const struct gzt_node *function_of(const struct gzt_program *program)
{
    return gzt_function_around(program->region->tree, program->time.node->begin);
}

bool gzt_may_be_shared(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const struct gzt_node *function = function_of(program);
    return !decl->automatic || !function || gzt_handed_on(function, decl);
}

/* ------------------------------------------------------------------------------- the way back */

/* A function to which another may return once more. */
static bool returns_twice(const struct gzt_node *node)
{
    static const char *const names[] = {
        "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "getcontext", "vfork"};
    for (size_t i = 0; node->kind == GZT_CALL && node->decl && i < sizeof names / sizeof *names;
         i++)
        if (strcmp(node->decl->name, names[i]) == 0)
            return true;
    return false;
}

/* What lets the time loop run again in one call of its function: a loop around it, or a jump from
 * behind it, or from who knows where, to before it. */
struct repetition {
    const struct gzt_source *source;
    const struct gzt_node *time, *found;
    bool loop; /* whether that is a loop */
};

static bool is_loop_around(const struct gzt_node *node, const struct gzt_node *time)
{
    static const char *const kinds[] = {"WhileStmt", "DoStmt", "CXXForRangeStmt"};
    bool loop = node->kind == GZT_FOR;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        loop = loop || gzt_is_kind(node, kinds[i]);
    return loop && node->begin < time->begin && node->end >= time->end;
}

static bool may_jump_back(const struct repetition *repetition, const struct gzt_node *node)
{
    const struct gzt_node *time = repetition->time;
    int label = gzt_label_of(node);
    if (gzt_is_kind(node, "GCCAsmStmt"))
        return strstr(gzt_node_text(repetition->source, node), "goto") != NULL;
    return label >= 0 && label < time->begin &&
           (node->begin >= time->end || !gzt_is_kind(node, "GotoStmt"));
}

static int find_repetition(const struct gzt_node *node, void *data)
{
    struct repetition *repetition = data;
    repetition->loop = is_loop_around(node, repetition->time);
    if (!repetition->loop && !may_jump_back(repetition, node) &&
        !(returns_twice(node) && node->begin < repetition->time->begin))
        return 0;
    repetition->found = node;
    return 1;
}

/* A sweep by its number, the measure's nest behind them; NULL if there are fewer. */
static const struct gzt_sweep *sweep_of(const struct gzt_program *program, int i)
{
    if (i < program->sweeps)
        return &program->sweep[i];
    return i == program->sweeps && program->measure ? &program->measure->sweep : NULL;
}

/* Whether a use stands in a sweep that sets the variable itself. */
static bool is_in_own_sweep(const struct gzt_program *program, const struct gzt_node *node)
{
    const struct gzt_sweep *sweep;
    for (int i = 0; (sweep = sweep_of(program, i)); i++) {
        if (gzt_local_of(sweep, node->decl) >= 0 && node->begin >= sweep->statement->begin &&
            node->begin < sweep->statement->end)
            return true;
    }
    return false;
}

struct uses {
    const struct gzt_program *program;
    const struct gzt_decl *decl;
    int behind; /* where those begin that are looked for */
};
static int is_use(const struct gzt_node *node, void *data)
{
    const struct uses *uses = data;
    return node->kind == GZT_REF && node->decl == uses->decl && node->begin > uses->behind &&
           !is_in_own_sweep(uses->program, node);
}

/* How what the time loop leaves in a variable may be read but in sweeps that have set it before, as
 * words behind "is"; NULL if it is not. */
static const char *outlives(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const struct gzt_node *function = function_of(program), *time = program->time.node;
    struct repetition back = {program->source, time, NULL, false};
    struct uses uses = {program, decl, time->begin};
    if (!function || !decl->automatic)
        return "static or extern";
    const struct gzt_node *way = gzt_handed_on(function, decl);
    if (way)
        return gzt_format("reached by %s, too", gzt_node_text(program->source, way));
    if (gzt_walk(function, is_use, &uses) != 0)
        return "used elsewhere";
    uses.behind = -1;
    if (gzt_walk(function, find_repetition, &back) == 0 || gzt_walk(function, is_use, &uses) == 0)
        return NULL;
    return back.loop ? "used elsewhere"
                     : gzt_format("used before the loops, to which %s may lead back",
                                  gzt_node_text(program->source, back.found));
}

static int check_uses(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const char *how = outlives(program, decl);
    if (!how)
        return 0;
    return gzt_refuse(program->source, program->time.node->begin,
                      "%s is set for each cell and %s: declare it within the loops", decl->name,
                      how);
}

int gzt_check_locals(const struct gzt_program *program)
{
    const struct gzt_sweep *sweep;
    for (int i = 0; (sweep = sweep_of(program, i)); i++)
        for (int k = 0; k < sweep->local_count; k++) {
            const struct gzt_decl *decl = sweep->locals[k];
            if (!gzt_holds(sweep->statement, decl) && check_uses(program, decl) != 0)
                return -1;
        }
    return 0;
}
