/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear subscripts as coordinates: a sum of terms, each an affine function times a product of
 * invariant values. The products whose function differs from cell to cell are the strides.
 */
#include "relations.h"

#include <isl/val.h>
#include <string.h>

struct term {
    struct ir_product product;
    isl_pw_aff *f;
};
struct sum {
    int count;
    struct term term[IR_MOST_TERMS];
};

/* Sums of sums that occur twice are many. */
enum { DEEPEST = 12, MOST_SUMMED = 100000 };

static bool add_terms(struct ir_affine *a, struct sum *sum, struct ir_value *value);

static isl_pw_aff *number(struct ir_affine *a, long value)
{
    isl_space *space = isl_space_set_alloc(a->isl, 0, 0);
    return isl_pw_aff_val_on_domain(isl_set_universe(space), isl_val_int_from_si(a->isl, value));
}

static bool is_product(const struct ir_product *a, const struct ir_product *b)
{
    return a->count == b->count &&
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
    if (sum->count == IR_MOST_TERMS) {
        isl_pw_aff_free(f);
        return false;
    }
    sum->term[sum->count++] = (struct term){*product, f};
    return true;
}

static void free_sum(struct sum *sum)
{
    for (int i = 0; i < sum->count; i++)
        isl_pw_aff_free(sum->term[i].f);
    sum->count = 0;
}

/* Whether sums and products of this type are those of whole numbers, or differ from them by what
 * does not matter to an address: C leaves overflow undefined, or addresses go around likewise. */
static bool is_wide(const struct ir_value *value)
{
    return value->type == IR_I32 || value->type == IR_I64 || value->type == IR_U64;
}

static bool is_op(const struct ir_value *value, const char *op)
{
    return value->code == IR_ARITH && value->arguments == 2 && is_wide(value) &&
           strcmp(value->text, op) == 0;
}

static bool widens(const struct ir_value *value)
{
    return value->code == IR_CONVERT && (value->type == IR_I64 || value->type == IR_U64) &&
           ir_is_integer(value->a[0]->type);
}

/* The one factor that is this function. */
static struct ir_value *factor_of(struct ir_affine *a, struct ir_value *value)
{
    while (widens(value))
        value = value->a[0];
    isl_pw_aff *f = ir_affine_of(a, value);
    struct ir_value *found = NULL;
    for (int i = 0; i < a->factors && f && !found; i++) {
        isl_pw_aff *g = ir_affine_of(a, a->factor[i]);
        if (isl_pw_aff_plain_is_equal(f, g) == isl_bool_true)
            found = a->factor[i];
        isl_pw_aff_free(g);
    }
    isl_pw_aff_free(f);
    if (!found && f)
        gzt_push(&a->factor, &a->factors, found = value);
    return found;
}

/* Puts a value's factors into a product, in their order. */
static bool add_factors(struct ir_affine *a, struct ir_product *product, struct ir_value *value)
{
    while (widens(value))
        value = value->a[0];
    if (is_op(value, "*"))
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
    struct sum terms = {0};
    long by;
    bool done = add_terms(a, &terms, x);
    for (int i = 0; i < terms.count; i++) {
        struct ir_product product = terms.term[i].product;
        isl_pw_aff *f = isl_pw_aff_copy(terms.term[i].f);
        if (ir_is_whole(y, &by))
            f = isl_pw_aff_scale_val(f, isl_val_int_from_si(a->isl, by));
        else
            done = done && add_factors(a, &product, y);
        done = add_term(sum, &product, f) && done;
    }
    free_sum(&terms);
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
    free_sum(from);
    isl_set_free(where);
    return done;
}

static bool add_chosen(struct ir_affine *a, struct sum *sum, struct ir_value *value)
{
    struct sum yes = {0}, no = {0};
    bool exact = true, done = add_terms(a, &yes, value->a[1]) && add_terms(a, &no, value->a[2]);
    isl_set *holds = ir_where(a, value->a[0], true, &exact);
    done = add_scaled(sum, &yes, 1, isl_set_copy(holds)) && done;
    done = add_scaled(sum, &no, 1, isl_set_complement(holds)) && done;
    return done && exact;
}

static bool is_whole_product(const struct ir_value *value, int deep)
{
    long unused;
    while (widens(value))
        value = value->a[0];
    if (is_op(value, "+") || is_op(value, "-") || value->code == IR_SELECT)
        return deep > 0 && (is_whole_product(value->a[value->arguments - 1], deep - 1) ||
                            is_whole_product(value->a[value->arguments - 2], deep - 1));
    return is_op(value, "*") && !ir_is_whole(value->a[0], &unused) &&
           !ir_is_whole(value->a[1], &unused);
}

/* A sum's parts one by one, so that an invariant one can be a number of rows. */
static bool add_terms(struct ir_affine *a, struct sum *sum, struct ir_value *value)
{
    struct sum right = {0};
    struct ir_product product = {0};
    long unused;
    if (++a->summed > MOST_SUMMED)
        return false;
    if (is_op(value, "+") || is_op(value, "-")) {
        bool done = add_terms(a, sum, value->a[0]) && add_terms(a, &right, value->a[1]);
        return add_scaled(sum, &right, value->text[0] == '-' ? -1 : 1, NULL) && done;
    }
    if (widens(value))
        return add_terms(a, sum, value->a[0]);
    if (!is_whole_product(value, DEEPEST)) {
        bool whole = ir_is_whole(value, &unused);
        isl_pw_aff *f = value->home || whole ? ir_affine_of(a, value) : number(a, 1);
        return f && (value->home || whole || add_factors(a, &product, value)) &&
               add_term(sum, &product, f);
    }
    if (value->code == IR_SELECT)
        return add_chosen(a, sum, value);
    if (!value->a[1]->home || ir_is_whole(value->a[1], &unused))
        return add_product(a, sum, value->a[0], value->a[1]);
    return !value->a[0]->home && add_product(a, sum, value->a[1], value->a[0]);
}

/* ---------------------------------------------------------------------------------- strides */

/* Whether a function differs from iteration to iteration. */
static bool differs(struct ir_affine *a, isl_pw_aff *f)
{
    for (int i = 0; i < a->ir->loops; i++)
        if (ir_goes_by(f, &a->turns[i]))
            return true;
    return false;
}

/* What is left of a product without a stride's factors; false if it lacks one. */
static bool divides(const struct ir_product *stride, const struct ir_product *product,
                    struct ir_product *left)
{
    int at = 0;
    left->count = 0;
    for (int i = 0; i < product->count; i++)
        if (at < stride->count && product->factor[i] == stride->factor[at])
            at++;
        else
            left->factor[left->count++] = product->factor[i];
    return at == stride->count;
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
    for (; at > 0 && layout->stride[at - 1].count < product->count; at--)
        layout->stride[at] = layout->stride[at - 1];
    layout->stride[at] = *product;
}

/* One function for each stride, into which all terms go. */
static bool split(struct ir_affine *a, const struct ir_layout *layout, const struct sum *sum,
                  isl_pw_aff **coordinate)
{
    for (int k = 0; k < layout->strides; k++)
        coordinate[k] = number(a, 0);
    for (int i = 0; i < sum->count; i++) {
        struct ir_product left;
        int k = 0;
        while (!divides(&layout->stride[k], &sum->term[i].product, &left))
            k++;
        isl_pw_aff *f = isl_pw_aff_copy(sum->term[i].f);
        if (left.count > 1 || (left.count == 1 && isl_pw_aff_is_cst(f) != isl_bool_true)) {
            isl_pw_aff_free(f);
            return false;
        }
        if (left.count == 1)
            f = isl_pw_aff_mul(f, ir_affine_of(a, left.factor[0]));
        coordinate[k] = isl_pw_aff_add(coordinate[k], f);
    }
    return true;
}

/* Assumes parameters other than these, over whatever loops. False if none are left. */
static bool assume_not(struct ir_affine *a, isl_set *bad)
{
    for (int i = 0; i < a->ir->loops; i++) {
        int at = a->turns[i].id ? isl_set_find_dim_by_id(bad, isl_dim_param, a->turns[i].id) : -1;
        if (at >= 0)
            bad = isl_set_project_out(bad, isl_dim_param, (unsigned)at, 1);
    }
    isl_set *good = isl_set_coalesce(isl_set_subtract(isl_set_copy(a->context), bad));
    bool some = isl_set_is_empty(good) == isl_bool_false;
    if (some) {
        isl_set_free(a->context);
        a->context = good;
    } else {
        isl_set_free(good);
    }
    return some;
}

/* Whether no coordinate runs into the next row: all but the first lie from 0 to below the ratio of
 * the strides. Of parameters that do not say so this is assumed. */
static bool stays_in_rows(struct ir_affine *a, const struct ir_op *op,
                          const struct ir_layout *layout, isl_pw_aff **coordinate)
{
    bool exact = true, stays = true;
    for (int k = 1; k < layout->strides && stays; k++) {
        struct ir_product left;
        if (!divides(&layout->stride[k], &layout->stride[k - 1], &left) || left.count != 1)
            return false;
        isl_set *within = isl_pw_aff_nonneg_set(isl_pw_aff_copy(coordinate[k]));
        within = isl_set_intersect(within, isl_pw_aff_lt_set(isl_pw_aff_copy(coordinate[k]),
                                                             ir_affine_of(a, left.factor[0])));
        isl_set *beyond = isl_set_subtract(ir_when(a, op, &exact), within);
        stays = isl_set_is_empty(beyond) == isl_bool_true || assume_not(a, isl_set_copy(beyond));
        isl_set_free(beyond);
    }
    return stays;
}

/* The element's own row instead of one that the coordinates run out of: up to one row's length
 * below it or above, by all strides. */
static bool fold(struct ir_affine *a, const struct ir_layout *layout, isl_pw_aff **coordinate)
{
    for (int k = layout->strides - 1; k > 0; k--) {
        struct ir_product left;
        if (!divides(&layout->stride[k], &layout->stride[k - 1], &left) || left.count != 1)
            return false;
        isl_pw_aff *size = ir_affine_of(a, left.factor[0]), *at = coordinate[k];
        isl_set *below = isl_pw_aff_lt_set(isl_pw_aff_copy(at), number(a, 0)),
                *above = isl_pw_aff_ge_set(isl_pw_aff_copy(at), isl_pw_aff_copy(size));
        isl_pw_aff *rows =
            isl_pw_aff_sub(isl_set_indicator_function(above), isl_set_indicator_function(below));
        isl_pw_aff *less = ir_chosen(isl_pw_aff_gt_set(isl_pw_aff_copy(rows), number(a, 0)),
                                     isl_pw_aff_copy(size), number(a, 0));
        less = ir_chosen(isl_pw_aff_lt_set(isl_pw_aff_copy(rows), number(a, 0)),
                         isl_pw_aff_neg(size), less);
        coordinate[k] = isl_pw_aff_coalesce(isl_pw_aff_sub(at, less));
        coordinate[k - 1] = isl_pw_aff_coalesce(isl_pw_aff_add(coordinate[k - 1], rows));
    }
    return true;
}

static bool is_of(const struct ir_op *op, const struct ir_object *object)
{
    return (op->kind == IR_READ || op->kind == IR_STORE) && op->access.object == object &&
           !op->access.whole;
}

static void free_all(isl_pw_aff **coordinate, int count)
{
    for (int k = 0; k < count; k++)
        isl_pw_aff_free(coordinate[k]);
}

/* Finds an object's strides, if its last subscript is linear in all accesses, but for loads from
 * where data say, and in one at least not affine. */
static void lay_out(struct ir_affine *a, const struct ir_object *object)
{
    struct ir_layout found = {0};
    struct ir_product one = {0};
    bool linear = false, all = true;
    isl_set *context = isl_set_copy(a->context);
    for (int pass = 0; pass < 2 && all; pass++)
        for (int i = 0; i < a->ir->ops && all; i++) {
            const struct ir_op *op = a->ir->op[i];
            struct sum sum = {0};
            isl_pw_aff *coordinate[IR_MOST_SUBSCRIPTS];
            if (!is_of(op, object))
                continue;
            struct ir_value *last = op->access.subscript[object->subscripts - 1];
            bool known = add_terms(a, &sum, last);
            if (!known && op->kind == IR_READ) {
                free_sum(&sum);
                continue;
            }
            all = known;
            linear = linear || is_whole_product(last, DEEPEST);
            for (int k = 0; k < sum.count && pass == 0; k++)
                if (differs(a, sum.term[k].f))
                    add_stride(&found, &sum.term[k].product);
            if (pass == 1 && all) {
                all = split(a, &found, &sum, coordinate) &&
                      (stays_in_rows(a, op, &found, coordinate) ||
                       (fold(a, &found, coordinate) && stays_in_rows(a, op, &found, coordinate) &&
                        (gzt_push(&found.folded, &found.folds, last), true)));
                free_all(coordinate, found.strides);
            }
            free_sum(&sum);
            if (pass == 0)
                add_stride(&found, &one);
        }
    all = all && linear && object->subscripts - 1 + found.strides <= IR_MOST_SUBSCRIPTS;
    if (all)
        a->layout[object->number] = found;
    isl_set_free(all ? context : a->context);
    a->context = all ? a->context : context;
}

static isl_map *with(isl_map *map, isl_pw_aff *f)
{
    if (!f) {
        isl_map_free(map);
        return NULL;
    }
    isl_map *next = isl_map_from_pw_aff(f);
    return map ? isl_map_flat_range_product(map, next) : next;
}

isl_map *ir_coordinates(struct ir_affine *a, const struct ir_access *access)
{
    const struct ir_object *object = access->object;
    struct ir_layout *layout = &a->layout[object->number];
    struct sum sum = {0};
    isl_pw_aff *coordinate[IR_MOST_SUBSCRIPTS];
    isl_map *map = isl_map_universe(isl_space_alloc(a->isl, 0, 0, 0));

    if (!object->regular || object->kind == IR_ANYWHERE) {
        isl_map_free(map);
        return NULL;
    }
    if (object->subscripts > 0 && !layout->made) {
        layout->made = true;
        lay_out(a, object);
        layout->made = true;
    }
    if (access->whole) {
        isl_map_free(map);
        return NULL;
    }
    int plain = object->subscripts - (layout->strides ? 1 : 0);
    for (int i = 0; i < plain && map; i++)
        map = with(map, ir_affine_of(a, access->subscript[i]));
    if (!map || !layout->strides)
        return map;
    bool folds = false;
    for (int i = 0; i < layout->folds; i++)
        folds = folds || layout->folded[i] == access->subscript[plain];
    if (add_terms(a, &sum, access->subscript[plain]) && split(a, layout, &sum, coordinate) &&
        (!folds || fold(a, layout, coordinate)))
        for (int k = 0; k < layout->strides && map; k++)
            map = with(map, coordinate[k]);
    else
        map = isl_map_free(map);
    free_sum(&sum);
    return map;
}
