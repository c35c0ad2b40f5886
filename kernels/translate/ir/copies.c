/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copies.c - copies of memory as loops over its elements, with the rows that other accesses to it
 * have. A copy whose bytes may be no whole number of rows is kept, together with its loops.
 */
#include "flow.h"
#include "lower.h"

#include <isl/options.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copier {
    struct ir_lower *l;
    struct ir_table *table;
    struct ir_affine *a; /* of the region as it was */
};

/* The elements that a copy is of: so many rows of rows, the innermost last. */
struct box {
    struct ir_value *extent[IR_MOST_SUBSCRIPTS];
    int levels;
    long size;             /* of an element, in bytes */
    struct ir_value *test; /* int: whether these are all */
};

static struct ir_value *number(struct copier *c, long whole)
{
    return ir_whole(c->table, IR_I64, whole);
}

/* How many elements an array has. */
static struct ir_value *count_of(struct copier *c, const char *array)
{
    const char *size = strchr(array, '[') + 1;
    int name;
    return sscanf(size, IR_SIZE_NAME, &name) == 1 ? c->l->ir->size[name]
                                                  : number(c, strtol(size, NULL, 10));
}

/* A value that no analysis looks into: a number of its own. */
static struct ir_value *opaque(struct copier *c, struct ir_value *value)
{
    value = ir_arith(c->table, ">>", IR_U64, value, ir_whole(c->table, IR_I32, 0));
    return ir_convert(c->table, value, IR_I64, NULL);
}

/* bytes / (size * inner extents) for any bytes, and the test that no remainder is left. */
static struct ir_value *quotient(struct copier *c, struct ir_value *bytes, struct box *box)
{
    struct ir_value *by = ir_whole(c->table, IR_U64, box->size),
                    *some = ir_whole(c->table, IR_I32, 1);
    bytes = ir_convert(c->table, bytes, IR_U64, NULL);
    for (int k = 1; k < box->levels; k++) {
        some =
            ir_and(c->table, some, ir_arith(c->table, "<", IR_I32, number(c, 0), box->extent[k]));
        by =
            ir_arith(c->table, "*", IR_U64, by, ir_convert(c->table, box->extent[k], IR_U64, NULL));
    }
    struct ir_value *rest = opaque(c, ir_arith(c->table, "%", IR_U64, bytes, by));
    box->test = ir_and(c->table, some, ir_arith(c->table, "==", IR_I32, rest, number(c, 0)));
    return ir_select(c->table, some, opaque(c, ir_arith(c->table, "/", IR_U64, bytes, by)),
                     number(c, 0));
}

/* -------------------------------------------------------------------------------------- rows */

/* The extents of rows within the longest, of memory whose accesses are sums of products. */
static void find_rows(struct copier *c, const struct ir_object *object, struct box *box)
{
    for (int i = 0; i < c->l->ir->ops; i++) {
        const struct ir_access *access = &c->l->ir->op[i]->access;
        if (access->object == object && !access->whole && object->regular)
            ir_coordinates(c->a, access);
    }
    const struct ir_layout *layout = &c->a->layout[object->number];
    for (int k = 1; k < layout->strides && layout->strides > box->levels; k++) {
        struct ir_product left;
        if (!ir_divides(&layout->stride[k], &layout->stride[k - 1], &left) ||
            left.count != !layout->fixed)
            return;
        box->extent[k] =
            layout->fixed ? number(c, left.by) : ir_convert(c->table, left.factor[0], IR_I64, NULL);
        if (k == layout->strides - 1)
            box->levels = layout->strides;
    }
}

/* A function of values as one; NULL if it depends on anything else. */
static struct ir_value *value_of(struct copier *c, isl_aff *f)
{
    isl_space *space = isl_aff_get_domain_space(f);
    isl_val *by = isl_aff_get_constant_val(f);
    if (isl_val_is_int(by) != isl_bool_true || isl_aff_dim(f, isl_dim_div) > 0)
        return NULL;
    struct ir_value *sum = number(c, isl_val_get_num_si(by));
    for (int k = 0; k < isl_aff_dim(f, isl_dim_param); k++) {
        isl_id *id = isl_space_get_dim_id(space, isl_dim_param, (unsigned)k);
        struct ir_value *value = isl_id_get_user(id); /* or a loop */
        by = isl_aff_get_coefficient_val(f, isl_dim_param, k);
        if (isl_val_is_zero(by) == isl_bool_true)
            continue;
        if (isl_val_is_int(by) != isl_bool_true ||
            !gzt_is_listed(c->l->ir->value, c->l->ir->values, value))
            return NULL;
        value = ir_convert(c->table, value, IR_I64, NULL);
        if (isl_val_is_one(by) != isl_bool_true)
            value = ir_arith(c->table, "*", IR_I64, value, number(c, isl_val_get_num_si(by)));
        sum = ir_arith(c->table, "+", IR_I64, sum, value);
    }
    return sum;
}

struct bound {
    struct copier *c;
    struct ir_value *most;
};

static isl_stat take_bound(isl_set *set, isl_aff *f, void *data)
{
    (void)set;
    struct bound *bound = data;
    bound->most = bound->most ? bound->most : value_of(bound->c, f);
    return isl_stat_ok;
}

/* bytes / (size * inner extents), if that is an affine function. */
static struct ir_value *divided(struct copier *c, struct ir_value *bytes, const struct box *box)
{
    isl_pw_aff *f = ir_affine_of(c->a, bytes);
    long size = box->size, whole = 1;
    struct bound bound = {c, NULL};
    for (int k = 1; k < box->levels && whole; k++) {
        whole = ir_is_whole(box->extent[k], &whole) ? whole : 0;
        size *= whole;
    }
    if (f && size > 0 && isl_pw_aff_n_piece(f) == 1)
        isl_pw_aff_foreach_piece(
            isl_pw_aff_scale_down_val(isl_pw_aff_copy(f), isl_val_int_from_si(c->a->isl, size)),
            take_bound, &bound);
    return bound.most;
}

/* Adds to the test that the copy reaches all elements that the region touches, by its rows. */
static void cover(struct copier *c, const struct ir_object *object, struct box *box)
{
    for (int i = 0; i < c->l->ir->ops; i++) {
        const struct ir_op *op = c->l->ir->op[i];
        if (op->access.object != object || op->access.whole || !object->regular)
            continue;
        struct ir_element element = ir_touched(c->a, op);
        int at = isl_map_dim(element.map, isl_dim_out) - box->levels;
        isl_set *set = isl_map_range(element.map);
        if (!element.known || at < 0)
            continue;
        isl_set *when = isl_set_params(isl_set_copy(set));
        isl_pw_aff *last = isl_pw_aff_coalesce(isl_pw_aff_gist(isl_set_dim_max(set, at), when));
        struct bound bound = {c, NULL};
        isl_pw_aff_foreach_piece(last, take_bound, &bound);
        if (bound.most)
            box->test = ir_and(c->table, box->test,
                               ir_arith(c->table, "<", IR_I32, bound.most, box->extent[0]));
    }
}

static bool find_box(struct copier *c, const struct ir_op *op, struct box *box)
{
    int to, from;
    const char *leaf = ir_leaf_of(op->access.address->c, &to);
    const char *other = ir_leaf_of(op->from.address->c, &from);
    *box = (struct box){
        .levels = 1, .size = ir_size_of(ir_type_of(leaf)), .test = ir_whole(c->table, IR_I32, 1)};
    if (!box->size || strcmp(leaf, other) != 0 || (to && from && to != from) ||
        to >= IR_MOST_SUBSCRIPTS || from >= IR_MOST_SUBSCRIPTS)
        return false;
    const char *array = to ? op->access.address->c : op->from.address->c;
    for (; ir_is_array_type(array); array = ir_element_of(array))
        box->extent[box->levels++] = count_of(c, array);
    if (!to && !from) {
        find_rows(c, op->access.object, box);
        find_rows(c, op->from.object, box);
    }
    box->extent[0] = divided(c, op->value, box);
    if (box->extent[0])
        return true;
    box->extent[0] = quotient(c, op->value, box);
    cover(c, op->access.object, box);
    cover(c, op->from.object, box);
    box->test->likely = true;
    return true;
}

/* ------------------------------------------------------------------------------------- loops */

/* The element behind a pointer, in loops. */
static struct ir_value *element_of(struct copier *c, struct ir_value *pointer,
                                   const struct box *box, struct ir_value *const *at)
{
    struct ir_value *index = at[0];
    bool linear = !ir_is_array_type(pointer->c);
    for (int k = 1; k < box->levels && linear; k++)
        index = ir_arith(c->table, "+", IR_I64,
                         ir_arith(c->table, "*", IR_I64, index, box->extent[k]), at[k]);
    pointer = ir_step(c->table, pointer, index);
    for (int k = 1; k < box->levels && !linear; k++)
        pointer = ir_step(c->table, ir_first(c->table, pointer), at[k]);
    return pointer;
}

static void add_loops(struct copier *c, const struct ir_op *op, const struct box *box,
                      struct ir_block *block)
{
    struct ir_lower *l = c->l;
    const struct gzt_node text = {.begin = op->begin, .end = op->end};
    struct ir_value *at[IR_MOST_SUBSCRIPTS] = {NULL};
    int ops = l->ir->ops, loops = l->ir->loops;
    l->at.loop = op->loop;
    l->at.block = block;
    l->s.where = ir_and(c->table, op->where, box->test);
    for (int k = 0; k < box->levels; k++)
        at[k] = ir_begin_count(l, &text, box->extent[k]);
    struct ir_value *from = element_of(c, op->from.address, box, at);
    struct ir_value *to = element_of(c, op->access.address, box, at);
    ir_store(l, to, ir_read(l, from, &text), &text);
    l->ir->ops = ops; /* analyses know those that were there; ir_number lists all */
    l->ir->loops = loops;
}

static void expand(struct copier *c, struct ir_block *block)
{
    struct ir_block all = {0};
    for (int i = 0; i < block->items; i++) {
        struct ir_op *op = block->item[i]->op;
        struct ir_loop *loop = block->item[i]->loop;
        struct box box;
        bool is = op && op->kind == IR_COPY && !op->head;
        /* Two pointers may lead to parts of one block that overlap. */
        is = is && (op->text || ir_root(op->access.address) != ir_root(op->from.address)) &&
             find_box(c, op, &box);
        if (is) {
            add_loops(c, op, &box, &all);
            op->where = ir_and(c->table, op->where, ir_not(c->table, box.test));
        }
        if (!is || !ir_is_number(op->where, 0))
            ir_add_item(&all, op, loop);
        if (loop)
            expand(c, &loop->body);
    }
    *block = all;
}

bool ir_expand_copies(struct ir_lower *l)
{
    bool some = false;
    for (int i = 0; i < l->ir->ops; i++)
        some = some || l->ir->op[i]->kind == IR_COPY;
    if (!some)
        return false;
    isl_ctx *isl = isl_ctx_alloc();
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(isl, IR_MOST_WORK);
    struct copier c = {l, &l->table, ir_affine_begin(l->ir, isl)};
    expand(&c, &l->ir->body);
    return true;
}
