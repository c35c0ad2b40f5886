/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * state.c - which value is in which variable, and reads and writes of memory.
 */
#include "../region.h"
#include "lower.h"

#include <stdlib.h>
#include <string.h>

bool ir_is_dead(const struct ir_lower *l)
{
    return ir_is_number(l->s.where, 0);
}

static struct ir_state with_room(const struct ir_state *state, int room)
{
    struct ir_state copy = *state;
    copy.room = room;
    copy.list = gzt_alloc((size_t)(room + 1) * sizeof *copy.list);
    if (copy.count > 0)
        memcpy(copy.list, state->list, (size_t)copy.count * sizeof *copy.list);
    return copy;
}

struct ir_state ir_copy_state(const struct ir_state *state)
{
    return with_room(state, state->count);
}

static struct ir_binding *find(const struct ir_state *state, const struct ir_value *place)
{
    for (int i = 0; i < state->count; i++)
        if (state->list[i].place == place)
            return &state->list[i];
    return NULL;
}

static void bind(struct ir_state *state, struct ir_value *place, struct ir_value *value)
{
    struct ir_binding *old = find(state, place);
    if (old) {
        old->value = value;
        return;
    }
    if (state->count == state->room)
        *state = with_room(state, 2 * state->room + 16);
    state->list[state->count++] = (struct ir_binding){place, value};
}

void ir_set(struct ir_lower *l, struct ir_value *place, struct ir_value *value)
{
    bind(&l->s, place, value);
}

/* -------------------------------------------------------------------------------- places */

bool ir_is_place(const struct ir_value *address)
{
    long whole;
    switch (address->code) {
    case IR_ADDRESS:
        return true;
    case IR_STEP:
        return ir_is_whole(address->a[1], &whole) && ir_is_place(address->a[0]);
    case IR_FIELD:
    case IR_FIRST:
    case IR_LIVE_IN:
        return ir_is_place(address->a[0]);
    case IR_CONVERT: /* not of a variable itself, which is then memory of several types */
        return address->type == IR_POINTER && !ir_variable_of(address) &&
               ir_is_place(address->a[0]);
    default:
        return false;
    }
}

static const struct ir_value *without_steps(const struct ir_value *address)
{
    while (address->code == IR_STEP || address->code == IR_CONVERT)
        address = address->a[0];
    return address;
}

static bool is_in_memory(const struct ir_lower *l, const struct ir_value *place)
{
    for (; place && place->code != IR_LIVE_IN; place = place->a[0])
        if (gzt_is_listed(l->memory, l->memories, without_steps(place)))
            return true;
    return place && gzt_is_listed(l->memory, l->memories, place);
}

bool ir_is_value(struct ir_lower *l, const struct ir_value *place)
{
    return ir_is_place(place) && !is_in_memory(l, place);
}

void ir_keep_in_memory(struct ir_lower *l, struct ir_value *address)
{
    const struct ir_value *place = without_steps(address);
    if (is_in_memory(l, place))
        return;
    gzt_push(&l->memory, &l->memories, place);
    l->again = true;
}

/* Whether something outside the region leads to a variable otherwise than by its name, if it may
 * run before the region's end. */
static bool is_handed_on(const struct ir_lower *l, const struct gzt_decl *decl)
{
    GZT_EACH (node, l->function) {
        bool within = node->begin >= l->begin && node->end <= l->end;
        if (!within && node->begin <= l->begin && node->end >= l->end)
            continue;
        bool before = !within && (node->begin < l->end || l->ir->again);
        if (before && gzt_handed_on(node, decl))
            return true;
        node = node->last;
    }
    return false;
}

bool ir_is_register(struct ir_lower *l, const struct ir_value *place)
{
    const struct ir_value *variable = ir_variable_of(place);
    if (!variable || !variable->decl)
        return variable != NULL;
    return variable->decl->automatic && (variable->frame > 0 || !is_handed_on(l, variable->decl));
}

struct ir_value *ir_address_of(struct ir_lower *l, const struct gzt_decl *decl)
{
    bool pointer = ir_type_of(decl->type_name) == IR_POINTER;
    struct ir_frame *frame = l->at.frame;
    bool own = false;
    for (; frame->function && !own; frame = own ? frame : frame->caller) {
        own = decl->offset > frame->body->begin && decl->offset < frame->body->end;
        for (int i = 0; i < frame->function->parameter_count; i++)
            own = own || frame->function->parameters[i] == decl;
    }
    return IR_MAKE(&l->table, .code = IR_ADDRESS, .type = IR_POINTER,
                   .c = pointer ? decl->sized : ir_bare_type(decl->type_name), .decl = decl,
                   .frame = frame->number);
}

/* -------------------------------------------------------------------------------- operations */

void ir_add_item(struct ir_block *block, struct ir_op *op, struct ir_loop *loop)
{
    struct ir_item *item = gzt_alloc(sizeof *item);
    *item = (struct ir_item){op, loop};
    gzt_push(&block->item, &block->items, item);
}

struct ir_op *ir_add_op(struct ir_lower *l, enum ir_kind kind, const struct gzt_node *at)
{
    struct ir_op *op = gzt_alloc(sizeof *op);
    *op = (struct ir_op){.kind = kind,
                         .number = l->ir->ops,
                         .loop = l->at.loop,
                         .head = l->at.head,
                         .where = l->s.where,
                         .begin = at->begin,
                         .end = at->end};
    gzt_push(&l->ir->op, &l->ir->ops, op);
    ir_add_item(l->at.block, op, NULL);
    return op;
}

void ir_clobber(struct ir_lower *l)
{
    for (int i = 0; i < l->s.count; i++)
        if (!ir_is_register(l, l->s.list[i].place) || is_in_memory(l, l->s.list[i].place))
            l->s.list[i].value = NULL;
    l->s.clobbered = true;
    l->recents = 0;
}

/* What a place has before anything sets it. */
static struct ir_value *initial(struct ir_lower *l, const struct ir_state *state,
                                struct ir_value *place, enum ir_type type, const char *c)
{
    if (state->clobbered && !ir_is_register(l, place))
        return NULL;
    const struct ir_value *variable = ir_variable_of(place);
    bool inside = variable && (!variable->decl || variable->frame > 0 ||
                               (variable->decl->automatic && variable->decl->offset >= l->begin &&
                                variable->decl->offset < l->end));
    return IR_MAKE(&l->table, .code = inside ? IR_UNDEF : IR_LIVE_IN, .type = type, .c = c,
                   .a = {inside ? NULL : place});
}

/* Whether a condition, of those that ir_and makes, holds only where another does. */
static bool needs(const struct ir_value *where, const struct ir_value *c)
{
    if (where == c || ir_is_number(c, 1))
        return true;
    if (where->code != IR_SELECT)
        return false;
    int zero = ir_is_number(where->a[1], 0) ? 1 : 2;
    bool alike = c->code == IR_SELECT && c->a[0] == where->a[0] && c->a[zero] == where->a[zero];
    return ir_is_number(where->a[zero], 0) &&
           (alike ? needs(where->a[3 - zero], c->a[3 - zero]) : zero == 2 && where->a[0] == c);
}

static struct ir_access access_of(struct ir_value *address)
{
    return (struct ir_access){
        .address = address, .type = ir_type_of(address->c), .c = ir_c_of(address->c)};
}

struct ir_value *ir_read(struct ir_lower *l, struct ir_value *address, const struct gzt_node *at)
{
    const struct ir_access access = access_of(address);
    for (int i = 0; i < l->recents; i++)
        if (l->recent[i]->access.address == address && l->recent[i]->access.type == access.type &&
            needs(l->s.where, l->recent[i]->where))
            return l->recent[i]->result;
    struct ir_op *op = ir_add_op(l, IR_READ, at);
    op->access = access;
    op->result = IR_MAKE(&l->table, .code = IR_LOAD, .type = access.type, .c = access.c, .op = op,
                         .begin = at->begin, .end = at->end);
    gzt_push(&l->recent, &l->recents, op);
    return op->result;
}

/* What an address leads to, of the list of a const array: a number or the list of a row; NULL if it
 * is not known. */
static const struct gzt_node *constant_at(const struct ir_value *address)
{
    static const struct gzt_node zero = {.kind = GZT_LITERAL_INT, .constant = true};
    const struct ir_value *first = address->code == IR_STEP ? address->a[0] : address;
    long index = 0;
    if (address->code == IR_ADDRESS)
        return address->decl ? address->decl->list : NULL;
    if (first->code != IR_FIRST || (first != address && !ir_is_whole(address->a[1], &index)))
        return NULL;
    const struct gzt_node *list = constant_at(first->a[0]);
    const char *size = strchr(first->a[0]->c, '[');
    if (!list || (list != &zero && !gzt_is_kind(list, "InitListExpr")) || index < 0 || !size ||
        index >= strtol(size + 1, NULL, 10))
        return NULL;
    return index < list->count ? list->child[index] : &zero;
}

struct ir_value *ir_load(struct ir_lower *l, struct ir_value *address, const struct gzt_node *at)
{
    enum ir_type type = ir_type_of(address->c);
    const struct gzt_node *constant = ir_is_integer(type) ? constant_at(address) : NULL;
    if (constant && constant->constant)
        return ir_whole(&l->table, type, constant->value);
    if (type == IR_VOID || type == IR_OTHER)
        return ir_fail(l, at, gzt_format("a value of type %s", address->c));
    if (!ir_is_value(l, address))
        return ir_read(l, address, at);
    struct ir_binding *old = find(&l->s, address);
    struct ir_value *value =
        old ? old->value : initial(l, &l->s, address, type, ir_c_of(address->c));
    if (!value)
        value = ir_read(l, address, at);
    bind(&l->s, address, value);
    return value;
}

struct ir_value *ir_find(const struct ir_state *state, const struct ir_value *place)
{
    struct ir_binding *old = find(state, place);
    return old ? old->value : NULL;
}

/* Whether a pointer may lead anywhere, as one does that was read from memory. */
static bool is_wild(const struct ir_value *address)
{
    address = ir_origin(address);
    return address->code == IR_RESULT || address->code == IR_CONST;
}

void ir_store(struct ir_lower *l, struct ir_value *address, struct ir_value *value,
              const struct gzt_node *at)
{
    bool place = ir_is_value(l, address);
    if (ir_is_dead(l))
        return;
    if (!place || !ir_is_register(l, address)) {
        struct ir_op *op = ir_add_op(l, IR_STORE, at);
        op->access = access_of(address);
        op->value = value;
        if (is_wild(address))
            ir_clobber(l);
        l->recents = 0;
    }
    if (place)
        bind(&l->s, address, value);
}

struct ir_op *ir_copy(struct ir_lower *l, struct ir_value *to, struct ir_value *from,
                      struct ir_value *bytes, const struct gzt_node *at)
{
    struct ir_op *op = ir_add_op(l, IR_COPY, at);
    op->access = (struct ir_access){.address = to, .c = ""};
    op->from = (struct ir_access){.address = from, .c = ""};
    op->value = bytes;
    if (is_wild(to))
        ir_clobber(l);
    l->recents = 0;
    return op;
}

/* ------------------------------------------------------------------------------------- joins */

static void forget(const struct ir_lower *l, struct ir_state *state, int begin, int end)
{
    int kept = 0;
    for (int i = 0; i < state->count; i++) {
        const struct ir_value *variable = ir_variable_of(state->list[i].place);
        bool gone = variable && variable->frame == l->at.frame->number;
        if (gone && variable->decl)
            gone = variable->decl->automatic && variable->decl->offset >= begin &&
                   variable->decl->offset < end;
        else if (gone)
            gone = begin == 0; /* what C does not have ends with the call */
        if (!gone)
            state->list[kept++] = state->list[i];
    }
    state->count = kept;
}

void ir_forget(struct ir_lower *l, int begin, int end)
{
    forget(l, &l->s, begin, end);
    for (int i = 0; i < l->jumps; i++)
        forget(l, &l->jump[i]->s, begin, end);
}

/* The value of a place in one state, when it joins another in which it is `other`. */
static struct ir_value *value_in(struct ir_lower *l, const struct ir_state *state,
                                 struct ir_value *place, const struct ir_value *other)
{
    struct ir_binding *old = find(state, place);
    if (old || !other)
        return old ? old->value : NULL;
    return initial(l, state, place, other->type, other->c);
}

static void join_place(struct ir_lower *l, struct ir_state *joined, struct ir_value *c,
                       struct ir_value *place, struct ir_value *a, struct ir_value *b)
{
    bind(joined, place,
         !a || !b                       ? NULL
         : a->type == b->type || a == b ? ir_select(&l->table, c, a, b)
                                        : NULL);
}

struct ir_state ir_join(struct ir_lower *l, struct ir_value *c, const struct ir_state *a,
                        const struct ir_state *b)
{
    struct ir_state joined = {.where = ir_or(&l->table, a->where, b->where),
                              .clobbered = a->clobbered || b->clobbered,
                              .ended = a->ended && b->ended};
    if (ir_is_number(a->where, 0))
        return ir_copy_state(b);
    if (ir_is_number(b->where, 0))
        return ir_copy_state(a);
    if (a->ended != b->ended) {
        struct ir_state left = ir_copy_state(a->ended ? b : a);
        left.where = joined.where;
        return left;
    }
    for (int i = 0; i < a->count; i++) {
        struct ir_value *place = a->list[i].place, *value = a->list[i].value;
        join_place(l, &joined, c, place, value, value_in(l, b, place, value));
    }
    for (int i = 0; i < b->count; i++) {
        struct ir_value *place = b->list[i].place, *value = b->list[i].value;
        if (!find(a, place))
            join_place(l, &joined, c, place, value_in(l, a, place, value), value);
    }
    return joined;
}
