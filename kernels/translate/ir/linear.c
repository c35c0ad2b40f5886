/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear subscripts as coordinates: a sum of terms, each an affine function times a product of
 * invariant values. The products whose function differs from cell to cell are the strides. If none
 * has a factor but constants, rows of constant length are: if no subscript runs out of one.
 */
#include "relations.h"

#include <isl/ilp.h>
#include <isl/val.h>
#include <string.h>

struct term {
    struct ir_product product;
    isl_pw_aff *f;
};
struct sum {
    bool fixed; /* as of a layout */
    int count;
    struct term term[IR_MOST_TERMS];
};

/* Sums of sums that occur twice are many. */
enum { DEEPEST = 12, MOST_SUMMED = 100000, LONGEST_ROW = 1 << 30 };

static const struct ir_product one = {.by = 1};

static bool add_terms(struct ir_affine *a, struct sum *sum, struct ir_value *value);

static bool is_product(const struct ir_product *a, const struct ir_product *b)
{
    return a->by == b->by && a->count == b->count &&
           memcmp(a->factor, b->factor, (size_t)a->count * sizeof *a->factor) == 0;
}

/* Adds f times a product; takes f. */
static bool add_term(struct sum *sum, const struct ir_product *product, isl_pw_aff *f)
{
    for (int i = 0; i < sum->count; i++)
        if (is_product(&sum->term[i].product, product)) {
            sum->term[i].f = isl_pw_aff_add(sum->term[i].f, f);
            return true;
        }
    if (sum->count == IR_MOST_TERMS)
        return false;
    sum->term[sum->count++] = (struct term){*product, f};
    return true;
}

/* Whether sums and products of this type are those of whole numbers, or differ from them by what
 * does not matter to an address: C leaves overflow undefined, or addresses go around likewise. */
static bool is_wide(const struct ir_value *value)
{
    return value->type == IR_I32 || value->type == IR_I64 || value->type == IR_U64;
}

/* Of constant rows sums are compared with the subscript's own function, whatever their types. */
static bool is_op(const struct ir_value *value, const char *op, bool fixed)
{
    return value->code == IR_ARITH && value->arguments == 2 && (fixed || is_wide(value)) &&
           strcmp(value->text, op) == 0;
}

static bool widens(const struct ir_value *value, bool fixed)
{
    return value->code == IR_CONVERT && ir_is_integer(value->a[0]->type) &&
           (value->type == IR_I64 || value->type == IR_U64 ||
            (fixed && ir_is_integer(value->type)));
}

/* The one factor that is this function. */
static struct ir_value *factor_of(struct ir_affine *a, struct ir_value *value)
{
    isl_pw_aff *f = ir_affine_of(a, value);
    struct ir_value *found = NULL;
    for (int i = 0; i < a->factors && f && !found; i++) {
        isl_pw_aff *g = ir_affine_of(a, a->factor[i]);
        if (isl_pw_aff_plain_is_equal(f, g) == isl_bool_true)
            found = a->factor[i];
    }
    if (!found && f)
        gzt_push(&a->factor, &a->factors, found = value);
    return found;
}

/* Puts a value's factors into a product, in their order. */
static bool add_factors(struct ir_affine *a, struct ir_product *product, struct ir_value *value)
{
    while (widens(value, false))
        value = value->a[0];
    if (is_op(value, "*", false))
        return add_factors(a, product, value->a[0]) && add_factors(a, product, value->a[1]);
    struct ir_value *factor = factor_of(a, value);
    if (!factor || product->count == IR_MOST_FACTORS)
        return false;
    int at = product->count++;
    for (; at > 0 && product->factor[at - 1]->number > factor->number; at--)
        product->factor[at] = product->factor[at - 1];
    product->factor[at] = factor;
    return true;
}

/* Adds a times b, of which b is the same for all iterations. */
static bool add_product(struct ir_affine *a, struct sum *sum, struct ir_value *x,
                        struct ir_value *y)
{
    struct sum terms = {.fixed = sum->fixed};
    long by;
    bool done = add_terms(a, &terms, x);
    for (int i = 0; i < terms.count; i++) {
        struct ir_product product = terms.term[i].product;
        isl_pw_aff *f = isl_pw_aff_copy(terms.term[i].f);
        if (ir_is_whole(y, &by) && sum->fixed && by > 0 && by < LONGEST_ROW / product.by)
            product.by *= by;
        else if (ir_is_whole(y, &by))
            f = isl_pw_aff_scale_val(f, isl_val_int_from_si(a->isl, by));
        else
            done = done && !sum->fixed && add_factors(a, &product, y);
        done = add_term(sum, &product, f) && done;
    }
    return done;
}

static bool add_scaled(struct sum *sum, struct sum *from, int sign, isl_set *where)
{
    bool done = true;
    for (int i = 0; i < from->count; i++) {
        isl_pw_aff *f = isl_pw_aff_copy(from->term[i].f);
        f = sign < 0 ? isl_pw_aff_neg(f) : f;
        if (where) /* and 0 elsewhere */
            f = isl_pw_aff_mul(f, isl_set_indicator_function(isl_set_copy(where)));
        done = add_term(sum, &from->term[i].product, f) && done;
    }
    return done;
}

static bool add_chosen(struct ir_affine *a, struct sum *sum, struct ir_value *value)
{
    struct sum yes = {.fixed = sum->fixed}, no = yes;
    bool exact = true, done = add_terms(a, &yes, value->a[1]) && add_terms(a, &no, value->a[2]);
    isl_set *holds = ir_where(a, value->a[0], true, &exact);
    done = add_scaled(sum, &yes, 1, isl_set_copy(holds)) && done;
    done = add_scaled(sum, &no, 1, isl_set_complement(holds)) && done;
    return done && exact;
}

static bool is_whole_product(const struct ir_value *value, bool fixed, int deep)
{
    long unused;
    while (widens(value, fixed))
        value = value->a[0];
    if (is_op(value, "+", fixed) || is_op(value, "-", fixed) || value->code == IR_SELECT)
        return deep > 0 && (is_whole_product(value->a[value->arguments - 1], fixed, deep - 1) ||
                            is_whole_product(value->a[value->arguments - 2], fixed, deep - 1));
    return is_op(value, "*", fixed) &&
           (fixed || (!ir_is_whole(value->a[0], &unused) && !ir_is_whole(value->a[1], &unused)));
}

/* A sum's parts one by one, so that an invariant one can be a number of rows. */
static bool add_terms(struct ir_affine *a, struct sum *sum, struct ir_value *value)
{
    struct sum right = {.fixed = sum->fixed};
    struct ir_product product = one;
    long unused;
    if (++a->summed > MOST_SUMMED)
        return false;
    if (is_op(value, "+", sum->fixed) || is_op(value, "-", sum->fixed)) {
        bool done = add_terms(a, sum, value->a[0]) && add_terms(a, &right, value->a[1]);
        return add_scaled(sum, &right, value->text[0] == '-' ? -1 : 1, NULL) && done;
    }
    if (widens(value, sum->fixed))
        return add_terms(a, sum, value->a[0]);
    if (!is_whole_product(value, sum->fixed, DEEPEST)) {
        bool as_it_is = sum->fixed || value->home || ir_is_whole(value, &unused);
        isl_pw_aff *f = as_it_is ? ir_affine_of(a, value) : ir_affine_number(a, 1);
        return f && (as_it_is || add_factors(a, &product, value)) && add_term(sum, &product, f);
    }
    if (value->code == IR_SELECT)
        return add_chosen(a, sum, value);
    if (!value->a[1]->home || ir_is_whole(value->a[1], &unused))
        return add_product(a, sum, value->a[0], value->a[1]);
    return !value->a[0]->home && add_product(a, sum, value->a[1], value->a[0]);
}

/* ---------------------------------------------------------------------------------- strides */

bool ir_divides(const struct ir_product *stride, const struct ir_product *product,
                struct ir_product *left)
{
    int at = 0;
    left->count = 0;
    left->by = product->by / stride->by;
    for (int i = 0; i < product->count; i++)
        if (at < stride->count && product->factor[i] == stride->factor[at])
            at++;
        else
            left->factor[left->count++] = product->factor[i];
    return at == stride->count && product->by % stride->by == 0;
}

/* A product of one factor at most as a function. */
static isl_pw_aff *length_of(struct ir_affine *a, const struct ir_product *product)
{
    isl_pw_aff *f =
        product->count > 0 ? ir_affine_of(a, product->factor[0]) : ir_affine_number(a, 1);
    return isl_pw_aff_scale_val(f, isl_val_int_from_si(a->isl, product->by));
}

static bool is_less(const struct ir_product *a, const struct ir_product *b)
{
    return a->count < b->count || (a->count == b->count && a->by < b->by);
}

static void add_stride(struct ir_layout *layout, const struct ir_product *product)
{
    int at = layout->strides;
    for (int i = 0; i < layout->strides; i++)
        if (is_product(&layout->stride[i], product))
            return;
    if (layout->strides == IR_MOST_SUBSCRIPTS)
        return;
    layout->strides++;
    for (; at > 0 && is_less(&layout->stride[at - 1], product); at--)
        layout->stride[at] = layout->stride[at - 1];
    layout->stride[at] = *product;
}

/* One function for each stride, into which all terms go. */
static bool split(struct ir_affine *a, const struct ir_layout *layout, const struct sum *sum,
                  isl_pw_aff **coordinate)
{
    for (int k = 0; k < layout->strides; k++)
        coordinate[k] = ir_affine_number(a, 0);
    for (int i = 0; i < sum->count; i++) {
        struct ir_product left;
        int k = 0;
        while (!ir_divides(&layout->stride[k], &sum->term[i].product, &left))
            k++;
        isl_pw_aff *f = isl_pw_aff_copy(sum->term[i].f);
        if (left.count > 1 || (left.count == 1 && isl_pw_aff_is_cst(f) != isl_bool_true))
            return false;
        coordinate[k] = isl_pw_aff_add(coordinate[k], isl_pw_aff_mul(f, length_of(a, &left)));
    }
    return true;
}

/* Whether no coordinate runs into the next row: all but the first lie from 0 to below the ratio of
 * the strides. Of parameters that do not say so this is assumed. */
static bool stays_in_rows(struct ir_affine *a, const struct ir_op *op,
                          const struct ir_layout *layout, isl_pw_aff **coordinate)
{
    for (int k = 1; k < layout->strides; k++) {
        struct ir_product left;
        if (!ir_divides(&layout->stride[k], &layout->stride[k - 1], &left) || left.count > 1)
            return false;
        isl_set *within = isl_pw_aff_nonneg_set(isl_pw_aff_copy(coordinate[k]));
        within = isl_set_intersect(
            within, isl_pw_aff_lt_set(isl_pw_aff_copy(coordinate[k]), length_of(a, &left)));
        isl_set *beyond = isl_set_subtract(ir_when(a, op, NULL), within);
        if (!ir_is_nothing(beyond) &&
            !ir_assume(a, isl_set_subtract(isl_set_copy(a->context), ir_over_all_turns(a, beyond))))
            return false;
    }
    return true;
}

/* How many rows a coordinate runs out of its own: as a fold says or, by strides that are no
 * numbers, one at most. */
static isl_pw_aff *rows_of(struct ir_affine *a, bool fixed, const struct ir_fold *by, int k,
                           isl_pw_aff *at, isl_pw_aff *size)
{
    if (fixed)
        return by->through
                   ? isl_pw_aff_floor(isl_pw_aff_div(isl_pw_aff_copy(at), isl_pw_aff_copy(size)))
                   : ir_affine_number(a, by->rows[k]);
    isl_set *below = isl_pw_aff_lt_set(isl_pw_aff_copy(at), ir_affine_number(a, 0)),
            *above = isl_pw_aff_ge_set(isl_pw_aff_copy(at), isl_pw_aff_copy(size));
    return isl_pw_aff_sub(isl_set_indicator_function(above), isl_set_indicator_function(below));
}

/* The element's own row instead of one that the coordinates run out of, by all strides. */
static bool fold(struct ir_affine *a, const struct ir_layout *layout, const struct ir_fold *by,
                 isl_pw_aff **coordinate)
{
    for (int k = layout->strides - 1; k > 0; k--) {
        struct ir_product left;
        if (!ir_divides(&layout->stride[k], &layout->stride[k - 1], &left) ||
            left.count != (layout->fixed ? 0 : 1))
            return false;
        isl_pw_aff *size = length_of(a, &left),
                   *rows = rows_of(a, layout->fixed, by, k, coordinate[k], size);
        isl_pw_aff *less = isl_pw_aff_mul(isl_pw_aff_copy(rows), size);
        coordinate[k] = isl_pw_aff_coalesce(isl_pw_aff_sub(coordinate[k], less));
        coordinate[k - 1] = isl_pw_aff_coalesce(isl_pw_aff_add(coordinate[k - 1], rows));
    }
    return true;
}

/* How to move coordinates: by so many rows that the least in any iteration is in its row; or, if
 * one counter goes through whole rows, row by row. */
static void find_rows(struct ir_affine *a, const struct ir_op *op, const struct ir_layout *layout,
                      isl_pw_aff **coordinate, struct ir_fold *fold)
{
    isl_val *carry = isl_val_zero(a->isl);
    fold->through = true;
    for (int k = layout->strides - 1; k > 0; k--) {
        isl_val *size =
            isl_val_int_from_si(a->isl, layout->stride[k - 1].by / layout->stride[k].by);
        isl_map *map = isl_map_from_pw_aff(isl_pw_aff_copy(coordinate[k]));
        map = isl_map_intersect_params(map, isl_set_params(ir_when(a, op, NULL)));
        isl_set *range = isl_set_project_out_all_params(isl_map_range(map));
        isl_val *low = isl_set_dim_min_val(isl_set_copy(range), 0),
                *high = isl_val_add_ui(isl_set_dim_max_val(range, 0), 1);
        fold->through = fold->through && !ir_differs(a, coordinate[k - 1]) &&
                        isl_val_is_divisible_by(low, size) == isl_bool_true &&
                        isl_val_is_divisible_by(high, size) == isl_bool_true;
        carry = isl_val_floor(isl_val_div(isl_val_add(low, carry), size));
        fold->rows[k] = isl_val_is_int(carry) == isl_bool_true ? isl_val_get_num_si(carry) : 0;
    }
}

/* The fold of a subscript; NULL if there is none. */
static struct ir_fold *fold_of(const struct ir_layout *layout, const struct ir_value *subscript)
{
    for (int i = 0; i < layout->folds; i++)
        if (layout->folded[i]->of == subscript)
            return layout->folded[i];
    return NULL;
}

static bool is_access(const struct ir_op *op)
{
    return (op->kind == IR_READ || op->kind == IR_STORE) && !op->access.whole &&
           op->access.object->subscripts > 0;
}

/* Whether an operation touches elements of any of these objects. */
static bool is_of(const struct ir_op *op, const bool *object)
{
    return is_access(op) && object[op->access.object->number];
}

static struct ir_value *last_of(const struct ir_op *op)
{
    return op->access.subscript[op->access.object->subscripts - 1];
}

/* Whether coordinates lead to where the subscript itself does, of constant rows. */
static bool leads_to(struct ir_affine *a, const struct ir_op *op, const struct ir_layout *layout,
                     isl_pw_aff **coordinate)
{
    isl_pw_aff *f = ir_affine_of(a, last_of(op));
    for (int k = 0; k < layout->strides && f; k++)
        f = isl_pw_aff_sub(
            f, isl_pw_aff_mul(isl_pw_aff_copy(coordinate[k]), length_of(a, &layout->stride[k])));
    return f && isl_set_is_subset(ir_when(a, op, NULL), isl_pw_aff_zero_set(f)) == isl_bool_true;
}

/* The coordinates of a sum, folded if those of its subscript are; takes it. False if it has none.
 */
static bool take_apart(struct ir_affine *a, const struct ir_layout *layout, struct sum *sum,
                       const struct ir_value *subscript, isl_pw_aff **coordinate)
{
    const struct ir_fold *folded = fold_of(layout, subscript);
    return split(a, layout, sum, coordinate) && (!folded || fold(a, layout, folded, coordinate));
}

/* Whether a sum's coordinates stay in their rows, or do once they are folded. */
static bool fits(struct ir_affine *a, const struct ir_op *op, struct ir_layout *layout,
                 struct sum *sum)
{
    isl_pw_aff *coordinate[IR_MOST_SUBSCRIPTS];
    struct ir_value *last = last_of(op);
    bool good = take_apart(a, layout, sum, last, coordinate);
    if (good && !stays_in_rows(a, op, layout, coordinate)) {
        struct ir_fold *folded = gzt_alloc(sizeof *folded);
        good = !fold_of(layout, last);
        folded->of = last;
        gzt_push(&layout->folded, &layout->folds, folded);
        if (good && layout->fixed)
            find_rows(a, op, layout, coordinate, folded);
        good =
            good && fold(a, layout, folded, coordinate) && stays_in_rows(a, op, layout, coordinate);
    }
    return good && (!layout->fixed || leads_to(a, op, layout, coordinate));
}

/* Adds the strides of a sum; how many there are. */
static int add_strides(struct ir_affine *a, struct ir_layout *layout, const struct sum *sum)
{
    int count = 0;
    for (int k = 0; k < sum->count; k++)
        if (ir_differs(a, sum->term[k].f)) {
            add_stride(layout, &sum->term[k].product);
            count++;
        }
    add_stride(layout, &one);
    return count;
}

/* Adds the objects that the operation's subscript leads to as well. */
static bool add_touched(struct ir_affine *a, const struct ir_op *by, bool *object)
{
    bool added = false;
    IR_EACH_OP (op, a->ir)
        if (is_access(op) && !object[op->access.object->number] && last_of(op) == last_of(by))
            added = object[op->access.object->number] = true;
    return added;
}

/* Finds the strides of objects, if the last subscript is linear in all accesses, but for loads from
 * where data say, and in one at least not affine; or has rows of constant length in one, which are
 * then those of all objects that it leads to. */
static bool lay_out(struct ir_affine *a, bool *object, bool fixed)
{
    struct ir_layout found = {.fixed = fixed, .made = true};
    bool linear = false, all = true;
    isl_set *context = isl_set_copy(a->context);
    for (int pass = 0; pass < 2 && all; pass++)
        for (int i = 0; i < a->ir->ops && all; i++) {
            const struct ir_op *op = a->ir->op[i];
            struct sum sum = {.fixed = fixed};
            bool known = is_of(op, object) && add_terms(a, &sum, last_of(op));
            if (!is_of(op, object) || (!known && op->kind == IR_READ))
                continue;
            int strides = pass == 0 ? add_strides(a, &found, &sum) : 0;
            linear =
                linear || (fixed ? strides > 1 : is_whole_product(last_of(op), false, DEEPEST));
            all = known &&
                  op->access.object->subscripts - 1 + found.strides <= IR_MOST_SUBSCRIPTS &&
                  (pass == 0 || (linear && fits(a, op, &found, &sum)));
            if (fixed && strides > 1 && add_touched(a, op, object))
                i = -1;
        }
    all = all && linear;
    for (int i = 0; i < a->ir->objects && all; i++)
        if (object[i])
            a->layout[i] = found;
    a->context = all ? a->context : context;
    return all;
}

static void make_layout(struct ir_affine *a, const struct ir_object *object)
{
    bool *alike = gzt_alloc((size_t)a->ir->objects * sizeof *alike);
    alike[object->number] = true;
    a->layout[object->number].made = true;
    if (!lay_out(a, alike, false))
        lay_out(a, alike, true);
}

static isl_map *with(isl_map *map, isl_pw_aff *f)
{
    return f ? isl_map_flat_range_product(map, isl_map_from_pw_aff(f)) : NULL;
}

isl_map *ir_coordinates(struct ir_affine *a, const struct ir_access *access)
{
    const struct ir_object *object = access->object;
    struct ir_layout *layout = &a->layout[object->number];
    struct sum sum = {0};
    isl_pw_aff *coordinate[IR_MOST_SUBSCRIPTS];
    isl_map *map = isl_map_universe(isl_space_alloc(a->isl, 0, 0, 0));

    if (!object->regular || object->kind == IR_ANYWHERE)
        return NULL;
    if (object->subscripts > 0 && !layout->made)
        make_layout(a, object);
    if (access->whole)
        return NULL;
    int plain = object->subscripts - (layout->strides ? 1 : 0);
    for (int i = 0; i < plain && map; i++)
        map = with(map, ir_affine_of(a, access->subscript[i]));
    if (!map || !layout->strides)
        return map;
    sum.fixed = layout->fixed;
    if (!add_terms(a, &sum, access->subscript[plain]) ||
        !take_apart(a, layout, &sum, access->subscript[plain], coordinate))
        return NULL;
    for (int k = 0; k < layout->strides && map; k++)
        map = with(map, coordinate[k]);
    return map;
}
