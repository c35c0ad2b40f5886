/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lower.c - a region, pass after pass, until nothing was assumed that is not so.
 */
#include "lower.h"
#include "../region.h"

#include <string.h>

/* ----------------------------------------------------------------------- pointers that lead on */

/* A variable whose address is in a value that memory or a text gets is no value any more; a pointer
 * that is chosen, or a subscript that is none, leads to memory. */
static void keep_leaves(struct ir_lower *l, struct ir_value *value, bool all)
{
    if (value->stamp == l->stamp)
        return;
    value->stamp = l->stamp;
    bool place = value->type == IR_POINTER && ir_is_place(value);
    if (place && (all || ir_is_register(l, value)))
        ir_keep_in_memory(l, value);
    bool ends = place || value->code == IR_LIVE_IN || value->code == IR_RESULT;
    for (int i = 0; i < value->arguments && !ends; i++)
        keep_leaves(l, value->a[i], all);
}

static void keep_below(struct ir_lower *l, struct ir_value *value, bool all)
{
    l->stamp++;
    if (value)
        keep_leaves(l, value, all);
}

static void keep_pointers(struct ir_lower *l)
{
    for (int i = 0; i < l->ir->ops; i++) {
        const struct ir_op *op = l->ir->op[i];
        struct ir_value *at = op->access.address;
        keep_below(l, at && op->kind != IR_COPY && ir_is_value(l, at) ? NULL : at, true);
        keep_below(l, op->from.address, true);
        keep_below(l, op->value, false);
        for (int k = 0; k < op->arguments; k++)
            keep_below(l, op->argument[k], false);
    }
}

/* Whether a store of one type may set what has another: by bytes, or with another sign. */
static bool may_set(enum ir_type set, enum ir_type type)
{
    return set == type || set == IR_I8 || set == IR_U8 ||
           (ir_is_integer(set) && ir_is_integer(type) && ir_size_of(set) == ir_size_of(type));
}

/* Whether a store may change what a place holds whose value is kept, so that it lies in memory: a
 * pointer may lead to a variable whose address was taken, and to where the region sets something by
 * another one. That it does not lead to a member, or to memory of another type, is assumed, and of
 * its other elements that they are no variable that is older than the region. */
static bool may_change(const struct ir_lower *l, const struct ir_op *op,
                       const struct ir_value *kept, bool written)
{
    const struct ir_value *set = ir_root(op->access.address), *place = ir_root(kept);
    bool variables = set->code == IR_ADDRESS && place->code == IR_ADDRESS;
    if (set == place || variables || set->code == IR_FIELD || place->code == IR_FIELD)
        return false;
    if (set->code == IR_ADDRESS || place->code == IR_ADDRESS) {
        const struct ir_value *variable = set->code == IR_ADDRESS ? set : place;
        const struct gzt_decl *decl = variable->decl;
        bool old = variable->frame == 0 && decl && decl->offset < l->begin,
             element = op->access.address->code == IR_STEP || !ir_is_place(op->access.address);
        written = decl && decl->automatic && !(old && element);
    }
    return written && (op->kind == IR_COPY || may_set(op->access.type, ir_type_of(kept->c)));
}

static void keep_alias(struct ir_lower *l, struct ir_value *place, bool written)
{
    if (!ir_is_value(l, place) || ir_is_register(l, place))
        return;
    for (int i = 0; i < l->ir->ops; i++) {
        const struct ir_op *op = l->ir->op[i];
        if ((op->kind == IR_STORE || op->kind == IR_COPY) && may_change(l, op, place, written))
            ir_keep_in_memory(l, place);
    }
}

static void keep_aliases(struct ir_lower *l)
{
    for (int i = 0; i < l->ir->ops; i++)
        if (l->ir->op[i]->kind == IR_STORE)
            keep_alias(l, l->ir->op[i]->access.address, true);
    for (int i = 0; i < IR_BUCKETS; i++)
        for (struct ir_value *value = l->table.bucket[i]; value; value = value->next)
            if (value->code == IR_LIVE_IN)
                keep_alias(l, value->a[0], false);
}

/* ----------------------------------------------------------------------------------- results */

/* Whether C may read what a variable has behind the region: it is named there or, where C comes
 * again, anywhere outside, or it is older than the region, which may itself read what it left. */
bool ir_is_read_behind(const struct ir_lower *l, const struct gzt_decl *decl)
{
    bool again = l->ir->again, read = !l->function || (again && decl->offset < l->begin);
    GZT_EACH (node, l->function) {
        if (node->begin >= l->begin && node->end <= l->end)
            node = node->last;
        else
            read = read || ((again || node->begin >= l->end) && node->kind == GZT_REF &&
                            node->decl == decl);
    }
    return read;
}

/* Whether C may come to the region again by a node: a loop around it, a jump, or what returns
 * twice. */
static bool leads_back(const struct ir_lower *l, const struct gzt_node *node)
{
    static const char *const twice[] = {"setjmp",     "_setjmp", "sigsetjmp", "__sigsetjmp",
                                        "getcontext", "vfork",   NULL};
    bool around = node->begin < l->begin && node->end >= l->end;
    return (around && gzt_is_loop(node)) || gzt_is_kind(node, "AddrLabelExpr") ||
           gzt_is_kind(node, "GCCAsmStmt") ||
           (node->kind == GZT_CALL && node->decl && gzt_is_one_of(node->decl->name, twice)) ||
           (gzt_is_kind(node, "GotoStmt") && node->begin >= l->begin && node->count &&
            node->child[0]->value < l->begin);
}

static void add_results(struct ir_lower *l)
{
    struct ir_region *ir = l->ir;
    ir->result = gzt_alloc((size_t)(l->s.count + 1) * sizeof *ir->result);
    for (int i = 0; i < l->s.count; i++) {
        struct ir_value *place = l->s.list[i].place, *value = l->s.list[i].value;
        const struct ir_value *variable = ir_origin(place);
        bool same = value && value->code == IR_LIVE_IN && value->a[0] == place;
        if (!value || same || variable->code != IR_ADDRESS || !variable->decl ||
            variable->frame > 0 || !ir_is_register(l, place) || !ir_is_value(l, place))
            continue;
        ir->result[ir->results++] =
            (struct ir_result){place, value, ir_is_read_behind(l, variable->decl)};
    }
}

/* -------------------------------------------------------------------------------------- passes */

static void begin_pass(struct ir_lower *l)
{
    struct ir_region *ir = gzt_alloc(sizeof *ir);
    ir->source = l->source;
    ir->size = l->ir ? l->ir->size : NULL; /* names stay the same ones */
    ir->sizes = l->ir ? l->ir->sizes : 0;
    ir->region = l->region;
    GZT_EACH (node, l->function)
        ir->again = ir->again || leads_back(l, node);
    l->ir = ir;
    l->at = (struct ir_spot){.block = &ir->body, .frame = l->frame_list[0]};
    l->s = (struct ir_state){.where = ir_whole(&l->table, IR_I32, 1)};
    l->recents = l->covers = l->jumps = 0;
    l->again = false;
}

/* Whether a jump from outside leads behind the region's begin. */
static bool is_entered(const struct ir_lower *l)
{
    GZT_EACH (node, l->function) {
        int label = gzt_label_of(node);
        bool outside = node->begin < l->begin || node->begin >= l->end;
        if (outside && label >= l->begin && label < l->end)
            return true;
    }
    return false;
}

/* What stays a text as a whole. */
static void keep_region(struct ir_lower *l)
{
    const char *why = l->why;
    begin_pass(l);
    struct gzt_node whole = {.kind = GZT_BLOCK, .begin = l->begin, .end = l->end};
    ir_add_op(l, IR_OPAQUE, &whole)->why = why;
    for (int i = 0; i < l->region->statement_count; i++)
        ir_cover(l, l->region->statements[i], true);
}

/* Evaluates the sizes of types that there are before the region. */
static void declare_all(struct ir_lower *l)
{
    for (int i = 0; i < l->region->statement_count; i++)
        GZT_EACH (node, l->region->statements[i])
            if (node->kind == GZT_REF && node->decl->sizes && node->decl->offset < l->begin)
                ir_declare(l, node->decl);
}

static bool lower_pass(struct ir_lower *l)
{
    begin_pass(l);
    declare_all(l);
    begin_pass(l);
    ir_push_far(l, IR_TO_END, l->end);
    if (!ir_lower_list(l, l->region->statements, l->region->statement_count, l->begin))
        return false;
    ir_arrive(l);
    keep_pointers(l);
    keep_aliases(l);
    if (!l->again)
        ir_find_copies(l);
    return true;
}

/* C++ has no _Bool. */
static void name_truths(const struct ir_region *ir)
{
    const char *name = ir_type_name(IR_BOOL);
    for (int i = 0; i < ir->values; i++)
        if (strcmp(ir->value[i]->c, name) == 0)
            ir->value[i]->c = "bool";
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->access.c && strcmp(ir->op[i]->access.c, name) == 0)
            ir->op[i]->access.c = "bool";
}

struct ir_region *ir_lower(struct gzt_source *source, const struct gzt_region *region)
{
    enum { MOST_PASSES = 200 };
    struct ir_lower *l = gzt_alloc(sizeof *l);
    struct ir_frame *frame = gzt_alloc(sizeof *frame);
    l->source = source;
    l->region = region;
    l->begin = region->begin;
    l->end = region->end;
    l->function = gzt_function_around(region->tree, l->begin);
    gzt_push(&l->frame_list, &l->frames, frame);
    bool done = !is_entered(l);
    if (!done)
        l->why = "a jump leads into the loop";
    for (int pass = 0; done && (pass == 0 || l->again); pass++)
        done = pass < MOST_PASSES && lower_pass(l);
    if (done)
        add_results(l);
    else
        keep_region(l);
    for (bool expanded = false, again = true; again; expanded = true) {
        ir_number(l);
        ir_resolve_objects(l);
        ir_number(l);
        again = !expanded && ir_expand_copies(l);
    }
    ir_check_cover(l);
    if (source->cxx)
        name_truths(l->ir);
    return l->ir;
}
