/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain.c - a plan in words.
 */
#include "../source.h"
#include "../tree.h"
#include "decide.h"
#include "turn.h"

#include <isl/ast.h>
#include <isl/ast_build.h>

/* A function of parameters, by the program's names. */
static const char *function_text(isl_pw_aff *f)
{
    isl_ast_build *build = isl_ast_build_alloc(isl_pw_aff_get_ctx(f));
    const char *text =
        isl_ast_expr_to_C_str(isl_ast_build_expr_from_pw_aff(build, isl_pw_aff_copy(f)));
    return text ? text : "?";
}

static const char *text_of(const struct plan *plan, int begin, int end)
{
    return end > begin ? gzt_clean(plan->ir->source, begin, end) : "";
}

/* A list behind a word, once for each text that differs. */
struct list {
    const char *word;
    const char **item;
    int count;
};

static void add_item(struct list *list, const char *item)
{
    if (!gzt_is_one_of(item, list->item))
        gzt_push(&list->item, &list->count, item);
}

static void print_list(const struct list *list, struct gzt_text *text)
{
    gzt_add(text, "%-12s%d%s", list->word, list->count, list->count ? ": " : "");
    for (int i = 0; i < list->count; i++)
        gzt_add(text, "%s%s", i ? ", " : "", list->item[i]);
    gzt_add(text, "\n");
}

static void add_arrays(const struct plan *plan, const char *word, struct plan_array *const *array,
                       int count, struct gzt_text *text)
{
    struct list list = {.word = word};
    for (int i = 0; i < count; i++)
        add_item(&list, text_of(plan, array[i]->place.op->begin, array[i]->place.op->end));
    print_list(&list, text);
}

static void add_numbers(const struct plan *plan, const char *word,
                        struct plan_number *const *number, int count, struct gzt_text *text)
{
    struct list list = {.word = word};
    for (int i = 0; i < count; i++)
        if (number[i]->value)
            add_item(&list, gzt_format("%s %s", ir_type_name(number[i]->type),
                                       ir_shown(plan->ir, number[i]->value)));
    print_list(&list, text);
}

static void add_state(const struct plan *plan, struct gzt_text *text)
{
    gzt_add(text, "state       ");
    for (int i = 0; i < plan->fields; i++) {
        gzt_add(text, "%s%s", i ? ", " : "", plan->field[i]->object->shown);
        if (plan->field[i]->planes > 1)
            gzt_add(text, " (one of %d places by turns)", plan->field[i]->planes);
    }
    gzt_add(text, "\ntype        %s\ndimensions  %d\n", ir_type_name(plan->type), plan->dimensions);
}

/* The head of the time loop. */
static void add_time(const struct plan *plan, struct gzt_text *text)
{
    const struct gzt_node *body = ir_turn_body(plan->time);
    int begin = plan->time->begin, end = plan->time->end;
    bool behind = body->begin - begin < 4; /* do ... while () */
    gzt_add(text, "time        %s%s\n", behind ? "do " : "",
            behind ? text_of(plan, body->end, end) : text_of(plan, begin, body->begin));
}

static void add_axes(const struct plan *plan, struct gzt_text *text)
{
    struct gzt_text domain = {0}, gather = {0}, radius = {0};
    for (int axis = plan->dimensions - 1; axis >= 0; axis--) {
        const char *then = axis ? ", " : "\n";
        int low, high;
        plan_reach(plan, axis, &low, &high);
        gzt_add(&domain, "%s from %s to below %s%s", plan_axis(plan, axis),
                function_text(plan->low[axis]), function_text(plan->high[axis]), then);
        gzt_add(&gather, "%d:%d%s", low, high, then);
        gzt_add(&radius, "%d%s", plan->radius[axis], then);
    }
    gzt_add(text, "domain      %sgather      %sradius      %s", gzt_string(&domain),
            gzt_string(&gather), gzt_string(&radius));
}

/* One line if all axes have the same edges, else one for each. */
static void add_edges(const struct plan *plan, struct gzt_text *text)
{
    static const char *const edges[] = {
        [GZ_EDGE_KEEP] = "keep: cells beyond the domain are read and never written",
        [GZ_EDGE_CLAMP] = "clamp: an index beyond the domain means the nearest cell in it",
        [GZ_EDGE_PERIODIC] = "periodic: the domain repeats without end",
        [GZ_EDGE_ZERO] = "zero: beyond the domain is zero"};
    bool same = true;
    for (int axis = 1; axis < plan->dimensions; axis++)
        same = same && plan->edge[axis] == plan->edge[0];
    if (same)
        gzt_add(text, "edges       %s\n", edges[plan->edge[0]]);
    for (int axis = plan->dimensions - 1; axis >= 0 && !same; axis--)
        gzt_add(text, "%-12s%s: %s\n", axis == plan->dimensions - 1 ? "edges" : "",
                plan_axis(plan, axis), edges[plan->edge[axis]]);
}

/* What a time step in memory moves for a cell, each array once. */
static void add_bytes(const struct plan *plan, struct gzt_text *text)
{
    int read = plan->fields + plan->constants + plan->steps;
    gzt_add(text, "operations  %d per cell\n", plan->operations);
    gzt_add(text, "bytes       %d per cell and time step: %d read, %d written\n",
            (plan->type == IR_F64 ? 8 : 4) * (read + plan->fields), read, plan->fields);
}

/* Lists the operations that the host repeats for each time step that the device runs. */
static void add_hosts(const struct plan *plan, struct gzt_text *text)
{
    int count = 0;
    IR_EACH_OP (op, plan->ir)
        if (plan->host && plan->host[op->number] && op->kind != IR_READ)
            gzt_add(text, "%-12s%s\n", count++ ? "" : "handed on",
                    text_of(plan, op->begin, op->end));
}

/* What the device does not do. */
static void add_own(const struct plan *plan, struct gzt_text *text)
{
    struct list list = {0};
    for (int i = 0; i < plan->owns; i++)
        add_item(&list, text_of(plan, plan->own[i]->begin, plan->own[i]->end));
    for (int i = 0; i < list.count; i++)
        gzt_add(text, "%-12s%s\n", i ? "" : "stays", list.item[i]);
    if (plan->stale)
        gzt_add(text, "            the time step before each of these\n");
    gzt_add(text, "falls back  if there is no device, or it fails\n"
                  "            if what is written shares memory with anything else\n"
                  "            if a loop over cells has 1 to 3 turns\n");
    if (plan->buffers == 1)
        for (int i = 0; i < plan->fields; i++)
            if (plan->field[i]->planes > 1 && !ir_is_nothing(plan->field[i]->border))
                gzt_add(text, "            if the borders of places of %s differ\n",
                        plan->field[i]->object->shown);
    if (!ir_is_nothing(((const struct plan_maker *)plan)->beyond))
        gzt_add(text, "            if a single element that is set lies beyond the domain\n");
    if (plan->watches > 0)
        gzt_add(text, "            if a cell that is handed on lies beyond the grid\n");
    gzt_add(text, "            in the last time step, which sets all else as C does\n");
}

void plan_explain(const struct plan *plan, struct gzt_text *text)
{
    struct gzt_place place = gzt_place_of(plan->ir->source, plan->time->begin);
    gzt_add(text, "%s:%d: a stencil\n", gzt_shown(place.file), place.line);
    add_state(plan, text);
    add_time(plan, text);
    add_axes(plan, text);
    add_edges(plan, text);
    add_arrays(plan, "constant", plan->constant, plan->constants, text);
    add_arrays(plan, "step arrays", plan->step, plan->steps, text);
    add_numbers(plan, "scalars", plan->coefficient, plan->coefficients, text);
    add_numbers(plan, "step values", plan->value, plan->values, text);
    add_bytes(plan, text);
    add_hosts(plan, text);
    add_own(plan, text);
}
