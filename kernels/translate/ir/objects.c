/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * objects.c - which memory the accesses go to, and by which coordinates.
 */
#include "../region.h"
#include "lower.h"

#include <string.h>

/* An address taken apart: what it starts from, and the way from there. */
struct way {
    struct ir_value *base; /* pointer to the first element, or the address of a variable */
    struct ir_value *subscript[IR_MOST_SUBSCRIPTS];
    int subscripts;
    struct gzt_text shape; /* "[]" for each array within elements, ".x" for each member */
    const char *rows;      /* C's name of the outermost of these arrays, "" if there is none */
    bool mixed;            /* whether types change on the way */
};

/* Bases that are exchanged with each other. */
struct ir_class {
    struct ir_value *base[IR_MOST_SLOTS];
    int count;
    bool wild; /* whether a pointer may also be something else */
};

struct resolution {
    struct ir_lower *l;
    struct ir_class **class;
    int classes;
};

static void add_subscript(struct way *way, struct ir_value *subscript)
{
    if (way->subscripts == IR_MOST_SUBSCRIPTS - 1)
        way->mixed = true;
    else
        way->subscript[way->subscripts++] = subscript;
}

/* The variable or the pointer that leads to an array, and from there to the array's element. */
static const struct ir_value *array_of(const struct ir_value *pointer)
{
    if (pointer->code == IR_FIRST)
        pointer = pointer->a[0];
    while (pointer->code == IR_FIELD)
        pointer = pointer->a[0];
    return pointer;
}

static struct way way_of(struct resolution *r, struct ir_value *address)
{
    struct way way = {.rows = ""};
    struct ir_value *by = ir_offset(&r->l->table, address);
    address = ir_base(address);
    struct ir_value *from = address->arguments ? address->a[0] : NULL;
    if (address->code == IR_FIELD) {
        way = way_of(r, from);
        gzt_add(&way.shape, ".%s", address->text);
    } else if (address->code == IR_FIRST && array_of(address)->code != IR_ADDRESS) {
        way = way_of(r, from);
        way.rows = *way.rows ? way.rows : from->c;
        gzt_add(&way.shape, "[]");
        add_subscript(&way, by);
    } else if (address->code == IR_CONVERT && from->type == IR_POINTER) {
        int dimensions;
        enum ir_type old = ir_type_of(ir_leaf_of(from->c, &dimensions)),
                     new = ir_type_of(ir_leaf_of(address->c, &dimensions));
        bool whole =
            (from->code != IR_LIVE_IN && from->code != IR_FIRST) || (old != IR_VOID && old != new);
        way = way_of(r, from);
        way.mixed = way.mixed || whole || way.subscripts != 1;
        if (way.subscripts == 1)
            way.subscript[0] = by;
    } else {
        way.base = address;
        if (address->code != IR_ADDRESS)
            add_subscript(&way, by);
    }
    return way;
}

/* ----------------------------------------------------------------------------------- classes */

static struct ir_class *class_of(struct resolution *r, struct ir_value *base)
{
    for (int i = 0; i < r->classes; i++)
        for (int k = 0; k < r->class[i] -> count; k++)
            if (r->class[i] -> base[k] == base)
                return r->class[i];
    struct ir_class *class = gzt_alloc(sizeof *class);
    class->base[class->count++] = base;
    gzt_push(&r->class, &r->classes, class);
    return class;
}

static void unite(struct resolution *r, struct ir_class *a, struct ir_class *b)
{
    if (a == b)
        return;
    a->wild = a->wild || b->wild || a->count + b->count > IR_MOST_SLOTS;
    for (int i = 0; i < b->count && a->count < IR_MOST_SLOTS; i++)
        a->base[a->count++] = b->base[i];
    for (int i = 0; i < r->classes; i++)
        if (r->class[i] == b)
            r->class[i] = a;
}

/* Whether a pointer leads to the beginning of memory of its own. */
static bool is_plain(const struct ir_value *pointer)
{
    return pointer->code == IR_LIVE_IN || array_of(pointer)->code == IR_ADDRESS;
}

static void gather(struct resolution *r, struct ir_value *pointer, struct ir_class **all)
{
    bool select = pointer->code == IR_SELECT;
    if (pointer->stamp == r->l->stamp)
        return;
    pointer->stamp = r->l->stamp;
    if (select || pointer->code == IR_PHI || pointer->code == IR_EXIT) {
        for (int i = select; i < pointer->arguments; i++)
            gather(r, pointer->a[i], all);
        return;
    }
    if ((pointer->code == IR_UNDEF || pointer->code == IR_CONST) && !pointer->text)
        return;
    struct ir_class *class = class_of(r, pointer);
    class->wild = class->wild || !is_plain(pointer);
    if (*all)
        unite(r, *all, class);
    *all = *all ? *all : class;
}

/* The bases that a pointer may be; NULL if it has none. */
static struct ir_class *choice_of(struct resolution *r, struct ir_value *pointer)
{
    struct ir_class *all = NULL;
    r->l->stamp++;
    gather(r, pointer, &all);
    return all;
}

/* Which of the bases a chosen pointer is, as a number. */
static struct ir_value *slot_of(struct resolution *r, const struct ir_class *class,
                                struct ir_value *pointer)
{
    struct ir_table *table = &r->l->table;
    struct ir_value *slot;
    switch (pointer->code) {
    case IR_SELECT:
        return ir_select(table, pointer->a[0], slot_of(r, class, pointer->a[1]),
                         slot_of(r, class, pointer->a[2]));
    case IR_EXIT:
        slot = slot_of(r, class, pointer->a[0]);
        return slot->code == IR_CONST ? slot : ir_exit(table, pointer->loop, slot);
    case IR_PHI:
        slot = IR_MAKE(table, .code = IR_PHI, .type = IR_I32, .text = "slot", .loop = pointer->loop,
                       .a = {NULL, NULL, pointer->a[2]});
        if (!slot->a[0]) {
            slot->a[0] = slot->a[1] = ir_whole(table, IR_I32, 0);
            gzt_push(&pointer->loop->phi, &pointer->loop->phis, slot);
            slot->a[0] = slot_of(r, class, pointer->a[0]);
            slot->a[1] = slot_of(r, class, pointer->a[1]);
        }
        return slot;
    default:
        for (int i = 0; i < class->count; i++)
            if (class->base[i] == pointer)
                return ir_whole(table, IR_I32, i);
        return ir_whole(table, IR_I32, 0);
    }
}

/* ----------------------------------------------------------------------------------- objects */

static struct ir_object *add_object(struct resolution *r, enum ir_memory kind)
{
    struct ir_region *ir = r->l->ir;
    struct ir_object *object = gzt_alloc(sizeof *object);
    *object = (struct ir_object){.number = ir->objects,
                                 .kind = kind,
                                 .arrays = "",
                                 .path = "",
                                 .type = IR_OTHER,
                                 .c = "",
                                 .regular = true,
                                 .shared = true,
                                 .escapes = true};
    gzt_push(&ir->object, &ir->objects, object);
    return object;
}

static void describe_variable(struct ir_lower *l, struct ir_object *object,
                              const struct ir_value *variable)
{
    object->decl = variable->decl;
    object->automatic = !variable->decl || variable->decl->automatic;
    if (!variable->decl)
        return;
    object->shared =
        !object->automatic || (l->function && gzt_handed_on(l->function, variable->decl));
    object->escapes =
        object->shared || (variable->frame == 0 && ir_is_read_behind(l, variable->decl));
}

/* Whether two ways from one base lead to different members, so that they never meet. */
static bool is_apart(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return gzt_word(a) > 0 || gzt_word(b) > 0;
}

/* The object of those bases, at which an access with that shape arrives. NULL if it leads to
 * several, or to a larger part than an object is. */
static struct ir_object *find_object(struct resolution *r, const struct ir_class *class,
                                     struct ir_object *rows, const struct way *way)
{
    struct ir_region *ir = r->l->ir;
    const char *shape = gzt_string(&way->shape);
    struct ir_object *found = NULL;
    for (int i = 0; i < ir->objects; i++) {
        struct ir_object *object = ir->object[i];
        bool same =
            // cppcheck-suppress nullPointer ; rows or a class is given
            rows ? object->rows == rows : object->base[0] == class->base[0] && !object->rows;
        if (!same || object->kind == IR_ANYWHERE || is_apart(object->path, shape))
            continue;
        if (found || (!way->mixed && strlen(shape) < strlen(object->path)))
            return NULL;
        found = object;
    }
    if (found)
        return found;
    const struct ir_value *variable = rows ? NULL : ir_variable_of(class->base[0]);
    found = add_object(r, rows ? IR_ROWS : variable ? IR_VARIABLE : IR_BEHIND);
    found->path = gzt_copy(shape, strlen(shape));
    found->rows = rows;
    struct gzt_text name = {0};
    for (int i = 0; class && i < class->count; i++) {
        found->base[i] = class->base[i];
        gzt_add(&name, "%s%s", i ? "|" : "", ir_shown(ir, class->base[i]));
    }
    found->slots = class ? class->count : 1;
    found->shown =
        gzt_format("%s%s", rows ? gzt_format("*%s", rows->shown) : gzt_string(&name), shape);
    if (variable && found->slots == 1)
        describe_variable(r->l, found, variable);
    return found;
}

/* Whether the region, or a text of the user's in it, may change an object. */
static bool is_written(const struct ir_region *ir, const struct ir_object *object)
{
    bool written = false;
    for (int i = 0; i < ir->ops && !written; i++) {
        const struct ir_op *op = ir->op[i];
        written = (op->kind == IR_OPAQUE && object->shared && !op->aside) ||
                  ((op->kind == IR_STORE || op->kind == IR_COPY) && op->access.object == object);
        for (int k = 0; k < op->uses; k++)
            written = written || op->use[k]->decl == object->decl;
    }
    return written;
}

static void resolve(struct resolution *r, struct ir_access *access);

static struct ir_object *resolve_base(struct resolution *r, struct way *way,
                                      struct ir_access *access)
{
    if (way->base->code == IR_LOAD) {
        struct ir_access *row = &way->base->op->access;
        if (!row->object)
            resolve(r, row);
        if (row->whole || row->subscripts + way->subscripts > IR_MOST_SUBSCRIPTS)
            return NULL;
        memcpy(access->subscript, row->subscript, sizeof access->subscript);
        access->subscripts = row->subscripts;
        return find_object(r, NULL, row->object, way);
    }
    struct ir_class *class = choice_of(r, way->base);
    if (!class || class->wild)
        return NULL;
    if (class->count > 1)
        access->subscript[access->subscripts++] = slot_of(r, class, way->base);
    return find_object(r, class, NULL, way);
}

/* Sets an access's coordinates, if they are of the kind that its object has. */
static void set_coordinates(struct ir_access *access, const struct way *way)
{
    struct ir_object *object = access->object;
    bool first = object->type == IR_OTHER && !way->mixed;
    access->whole = object->kind == IR_ANYWHERE || way->mixed ||
                    access->subscripts + way->subscripts > IR_MOST_SUBSCRIPTS ||
                    strcmp(object->path, gzt_string(&way->shape)) != 0;
    for (int i = 0; i < way->subscripts && !access->whole; i++)
        access->subscript[access->subscripts++] = way->subscript[i];
    if (first && !access->whole) {
        object->type = access->type;
        object->c = access->c;
        object->arrays = way->rows;
        object->subscripts = access->subscripts;
    }
    access->whole = access->whole || object->type != access->type ||
                    object->subscripts != access->subscripts ||
                    strcmp(object->arrays, way->rows) != 0;
    if (access->whole)
        access->subscripts = 0;
    object->regular = object->regular && !access->whole;
}

static void resolve(struct resolution *r, struct ir_access *access)
{
    struct way way = way_of(r, access->address);
    access->subscripts = 0;
    access->whole = true;
    access->object = r->l->ir->object[0]; /* while it is looked for */
    struct ir_object *object = resolve_base(r, &way, access);
    access->object = object ? object : access->object;
    set_coordinates(access, &way);
}

/* All choices first, so that classes are complete when the first object is made of one. */
static void find_classes(struct resolution *r)
{
    struct ir_region *ir = r->l->ir;
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->access.address)
            choice_of(r, way_of(r, ir->op[i]->access.address).base);
}

/* Whether an object is within what a base of a class begins, or around it. */
static bool is_within(const struct ir_object *object, const struct ir_class *class)
{
    for (int i = 0; i < object->slots && !object->rows; i++)
        for (int k = 0; k < class->count; k++)
            if (object->base[i] && ir_owner(object->base[i]) == ir_owner(class->base[k]))
                return true;
    return false;
}

/* A pointer to memory that other accesses describe: the only object that is there, or anywhere. */
static void resolve_whole(struct resolution *r, struct ir_access *access)
{
    struct ir_region *ir = r->l->ir;
    struct way way = way_of(r, access->address);
    struct ir_class *class = choice_of(r, way.base);
    bool known = class && !class->wild;
    access->whole = true;
    access->object = NULL;
    for (int i = 1; known && i < ir->objects; i++)
        if (is_within(ir->object[i], class))
            access->object = ir->object[access->object ? 0 : i];
    if (!access->object && known && class->count == 1)
        access->object = find_object(r, class, NULL, &way);
    if (!access->object)
        access->object = ir->object[0];
}

/* First what has its memory's types, so that objects have those, then the rest. */
static void resolve_op(struct resolution *r, struct ir_op *op, int round)
{
    int own = op->kind == IR_COPY ? 2 : op->access.address && way_of(r, op->access.address).mixed;
    if (!op->access.address || own != round)
        return;
    if (op->kind == IR_COPY) {
        resolve_whole(r, &op->access);
        resolve_whole(r, &op->from);
    } else if (!op->access.object) {
        resolve(r, &op->access);
    }
}

/* Rows whose pointers are set may be any; then so may what was found behind them. */
static void loosen(struct resolution *r)
{
    struct ir_region *ir = r->l->ir;
    for (int i = 0; i < ir->ops; i++) {
        struct ir_op *op = ir->op[i];
        const struct ir_object *object = op->access.object;
        for (const struct ir_object *rows = object ? object->rows : NULL; rows; rows = rows->rows)
            if (is_written(ir, rows)) {
                op->access.object = ir->object[0];
                op->access.whole = true;
                op->access.subscripts = 0;
            }
    }
    for (int i = 0; i < ir->ops; i++) {
        const struct ir_op *op = ir->op[i];
        if (op->access.object) {
            op->access.object->read |= op->kind == IR_READ;
            op->access.object->written |= op->kind != IR_READ;
        }
        if (op->from.object)
            op->from.object->read = true;
    }
}

/* Whether a coordinate is the same number in all accesses of an object. */
static bool is_idle(const struct ir_region *ir, const struct ir_object *object, int k)
{
    const struct ir_value *same = NULL;
    IR_EACH_OP (op, ir) {
        const struct ir_access *access = &op->access;
        long number;
        if (op->from.object == object || (access->object == object && access->whole))
            return false;
        if (access->object != object)
            continue;
        if (!ir_is_whole(access->subscript[k], &number) || (same && access->subscript[k] != same))
            return false;
        same = access->subscript[k];
    }
    return same;
}

/* Leaves out coordinates that say nothing between others, such as the row of &u[k][0][0], from
 * which an index goes through all rows. */
static void leave_out(struct ir_region *ir, struct ir_object *object)
{
    bool leads = object->rows || object->type == IR_POINTER;
    for (int k = object->subscripts - 2; k > 0 && !leads; k--) {
        if (!is_idle(ir, object, k))
            continue;
        object->subscripts--;
        IR_EACH_OP (op, ir)
            if (op->access.object == object) {
                op->access.subscripts--;
                for (int i = k; i < object->subscripts; i++)
                    op->access.subscript[i] = op->access.subscript[i + 1];
            }
    }
}

/* Memory that the region reads without an operation. */
static void resolve_live_in(struct resolution *r, struct ir_value *place)
{
    struct ir_access access = {.address = place, .type = ir_type_of(place->c), .c = place->c};
    const struct ir_value *variable = ir_variable_of(place);
    if (variable && ir_is_register(r->l, place) && ir_is_value(r->l, place))
        return;
    resolve(r, &access);
    access.object->read = true;
}

void ir_resolve_objects(struct ir_lower *l)
{
    struct resolution r = {.l = l};
    l->ir->objects = 0;
    for (int i = 0; i < l->ir->ops; i++)
        l->ir->op[i]->access.object = l->ir->op[i]->from.object = NULL;
    add_object(&r, IR_ANYWHERE)->shown = "anywhere";
    l->ir->object[0]->regular = false;
    find_classes(&r);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < l->ir->ops; i++)
            resolve_op(&r, l->ir->op[i], round);
    for (int i = 0; i < l->ir->values; i++)
        if (l->ir->value[i]->code == IR_LIVE_IN)
            resolve_live_in(&r, l->ir->value[i]->a[0]);
    loosen(&r);
    for (int i = 0; i < l->ir->objects; i++)
        leave_out(l->ir, l->ir->object[i]);
}
