/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* for setitimer */
#include "relations.h"

#include "../source.h"
#include "../tree.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/val.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static isl_ctx *bounded;

static void stop(int signal)
{
    (void)signal;
    isl_ctx_abort(bounded);
}

bool ir_bound(isl_ctx *isl, unsigned long most)
{
    const struct itimerval time = {.it_value.tv_sec = most ? IR_MOST_SECONDS : 0};
    enum isl_error error = isl_ctx_last_error(isl);
    bool did = error != isl_error_quota && error != isl_error_abort;
    bounded = isl;
    signal(SIGVTALRM, stop);
    setitimer(ITIMER_VIRTUAL, &time, NULL);
    isl_ctx_resume(isl);
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    isl_ctx_set_max_operations(isl, most);
    return did;
}

bool ir_is_nothing(isl_set *set)
{
    return isl_set_is_empty(set) == isl_bool_true;
}

isl_set *ir_union(isl_set *all, isl_set *more)
{
    return all ? isl_set_union(all, more) : more;
}

void ir_grow(isl_set **all, isl_set *more)
{
    *all = isl_set_coalesce(ir_union(*all, more));
}

/* --------------------------------------------------------------------------------- functions */

static isl_set *everywhere(struct ir_affine *a)
{
    return isl_set_universe(isl_space_set_alloc(a->isl, 0, 0));
}

static isl_pw_aff *of_val(struct ir_affine *a, isl_val *value)
{
    return isl_pw_aff_val_on_domain(everywhere(a), value);
}

isl_pw_aff *ir_affine_number(struct ir_affine *a, long value)
{
    return of_val(a, isl_val_int_from_si(a->isl, value));
}

static isl_pw_aff *of_id(struct ir_affine *a, isl_id *id)
{
    isl_space *space =
        isl_space_set_dim_id(isl_space_set_alloc(a->isl, 1, 0), isl_dim_param, 0, id);
    return isl_pw_aff_var_on_domain(isl_local_space_from_space(space), isl_dim_param, 0);
}

static isl_val *power(struct ir_affine *a, int bits)
{
    return isl_val_2exp(isl_val_int_from_si(a->isl, bits));
}

/* The least that a type holds, and the least above all that it holds. */
static isl_val *low_of(struct ir_affine *a, enum ir_type type)
{
    return ir_is_signed(type) ? isl_val_neg(power(a, ir_bits_of(type) - 1)) : isl_val_zero(a->isl);
}

static isl_val *end_of(struct ir_affine *a, enum ir_type type)
{
    return isl_val_add(low_of(a, type), power(a, ir_bits_of(type)));
}

/* Where a function is below, or not below, a bound. */
static isl_set *beyond(struct ir_affine *a, isl_pw_aff *f, bool below, isl_val *bound)
{
    isl_pw_aff *at = of_val(a, bound);
    return below ? isl_pw_aff_lt_set(f, at) : isl_pw_aff_ge_set(f, at);
}

/* What is left of a set without where a function is below `low`, or not below `end`. */
static isl_set *between(struct ir_affine *a, isl_set *set, isl_pw_aff *f, isl_val *low,
                        isl_val *end)
{
    set = isl_set_subtract(set, beyond(a, isl_pw_aff_copy(f), true, low));
    return isl_set_subtract(set, beyond(a, f, false, end));
}

bool ir_assume(struct ir_affine *a, isl_set *set)
{
    bool some = isl_set_is_empty(set) == isl_bool_false;
    a->context = some ? isl_set_coalesce(set) : a->context;
    return some;
}

isl_set *ir_over_turns(const struct ir_turns *turns, isl_set *set)
{
    int at = turns->id ? isl_set_find_dim_by_id(set, isl_dim_param, turns->id) : -1;
    return at < 0 ? set : isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
}

isl_set *ir_over_all_turns(struct ir_affine *a, isl_set *set)
{
    for (int i = 0; i < a->ir->loops; i++)
        set = ir_over_turns(&a->turns[i], set);
    return set;
}

/* ------------------------------------------------------------------------------- parameters */

static const char *name_of(struct ir_affine *a, const struct ir_value *value)
{
    const char *text = value->decl ? value->decl->name
                       : value->end > value->begin
                           ? gzt_clean(a->ir->source, value->begin, value->end)
                           : "";
    return text[0] && strlen(text) < 40 ? text : gzt_format("v%d", value->number);
}

static isl_pw_aff *parameter(struct ir_affine *a, struct ir_value *value)
{
    const struct ir_value *named = value->code == IR_LIVE_IN ? value->a[0] : value;
    isl_pw_aff *f = of_id(a, isl_id_alloc(a->isl, name_of(a, named), value));
    bool narrow = ir_bits_of(value->type) < 31;
    isl_val *most = isl_val_int_from_si(a->isl, IR_MOST_INDEX);
    isl_val *low = !ir_is_signed(value->type) || narrow ? low_of(a, value->type)
                                                        : isl_val_neg(isl_val_copy(most));
    isl_val *end = narrow ? end_of(a, value->type) : most;
    isl_set *known = between(a, everywhere(a), isl_pw_aff_copy(f), low, end);
    a->context = isl_set_intersect(a->context, known);
    return f;
}

bool ir_goes_by(isl_pw_aff *f, const struct ir_turns *turns)
{
    isl_space *space = isl_pw_aff_get_domain_space(f);
    int at = turns->id ? isl_space_find_dim_by_id(space, isl_dim_param, turns->id) : -1;
    return at >= 0 && isl_pw_aff_involves_dims(f, isl_dim_param, (unsigned)at, 1) == isl_bool_true;
}

bool ir_differs(const struct ir_affine *a, isl_pw_aff *f)
{
    for (int i = 0; i < a->ir->loops; i++)
        if (ir_goes_by(f, &a->turns[i]))
            return true;
    return false;
}

/* What is known where a value is computed: of parameters, and of the loops in which it differs. */
static isl_set *known_at(struct ir_affine *a, const struct ir_value *value)
{
    isl_set *known = isl_set_copy(a->context);
    for (const struct ir_loop *loop = value->home; loop; loop = loop->around) {
        struct ir_turns *turns = &a->turns[loop->number];
        if (turns->begun)
            known =
                isl_set_intersect(known, isl_set_copy(turns->head ? turns->head : turns->begun));
    }
    return known;
}

static bool may_lie(struct ir_affine *a, const struct ir_value *value, isl_pw_aff *f, bool below,
                    isl_val *bound)
{
    isl_set *there = beyond(a, isl_pw_aff_copy(f), below, bound);
    return isl_set_is_disjoint(known_at(a, value), there) != isl_bool_true;
}

/* Whether a function stays within the type of a value. */
static bool fits(struct ir_affine *a, const struct ir_value *value, isl_pw_aff *f)
{
    return !may_lie(a, value, f, true, low_of(a, value->type)) &&
           !may_lie(a, value, f, false, end_of(a, value->type));
}

/* One function where a set holds, another elsewhere; NULL if one is. Takes all. */
static isl_pw_aff *chosen(isl_set *holds, isl_pw_aff *a, isl_pw_aff *b)
{
    if (!holds || !a || !b)
        return NULL;
    a = isl_pw_aff_intersect_domain(a, isl_set_copy(holds));
    b = isl_pw_aff_intersect_domain(b, isl_set_complement(holds));
    return isl_pw_aff_union_add(a, b);
}

static isl_pw_aff *wrapped_at(struct ir_affine *a, isl_pw_aff *f, bool below, isl_val *bound,
                              isl_val *by)
{
    isl_set *set = beyond(a, isl_pw_aff_copy(f), below, bound);
    isl_pw_aff *other = isl_pw_aff_add_constant_val(isl_pw_aff_copy(f), by);
    return chosen(set, other, f);
}

/* A function as `value`, which it would be without bounds, holds it in its type; NULL if it goes
 * around there more than once. */
static isl_pw_aff *reduced(struct ir_affine *a, struct ir_value *value, isl_pw_aff *f)
{
    enum ir_type type = value->type;
    bool below = may_lie(a, value, f, true, low_of(a, type)),
         above = may_lie(a, value, f, false, end_of(a, type));
    if (!below && !above)
        return f;
    if (!value->home && isl_pw_aff_is_cst(f) != isl_bool_true) {
        isl_set *fit =
            between(a, everywhere(a), isl_pw_aff_copy(f), low_of(a, type), end_of(a, type));
        a->context = isl_set_intersect(a->context, fit);
        return f;
    }
    isl_pw_aff *once = isl_pw_aff_copy(f);
    if (below)
        once = wrapped_at(a, once, true, low_of(a, type), power(a, ir_bits_of(type)));
    if (above)
        once = wrapped_at(a, once, false, end_of(a, type), isl_val_neg(power(a, ir_bits_of(type))));
    return fits(a, value, once) ? once : NULL;
}

/* -------------------------------------------------------------------------------- conditions */

static isl_set *compare(const char *op, isl_pw_aff *x, isl_pw_aff *y)
{
    return strcmp(op, "<") == 0    ? isl_pw_aff_lt_set(x, y)
           : strcmp(op, "<=") == 0 ? isl_pw_aff_le_set(x, y)
           : strcmp(op, ">") == 0  ? isl_pw_aff_gt_set(x, y)
           : strcmp(op, ">=") == 0 ? isl_pw_aff_ge_set(x, y)
           : strcmp(op, "==") == 0 ? isl_pw_aff_eq_set(x, y)
                                   : isl_pw_aff_ne_set(x, y);
}

/* Whether a function is defined everywhere: a condition on one that is not is no condition. */
static bool is_whole(isl_pw_aff *f)
{
    return ir_is_nothing(isl_set_complement(isl_pw_aff_domain(isl_pw_aff_copy(f))));
}

static isl_set *where_compared(struct ir_affine *a, struct ir_value *value, bool holds)
{
    bool compares = ir_is_comparison(value);
    isl_pw_aff *x = ir_affine_of(a, compares ? value->a[0] : value),
               *y = compares ? ir_affine_of(a, value->a[1]) : ir_affine_number(a, 0);
    if (!x || !y || !is_whole(x) || !is_whole(y))
        return NULL;
    isl_set *set = compare(compares ? value->text : "!=", x, y);
    return holds ? set : isl_set_complement(set);
}

static isl_set *where_chosen(struct ir_affine *a, struct ir_value *value, bool holds, bool *exact)
{
    isl_set *yes = ir_where(a, value->a[0], true, exact),
            *no = ir_where(a, value->a[0], false, exact);
    yes = isl_set_intersect(yes, ir_where(a, value->a[1], holds, exact));
    no = isl_set_intersect(no, ir_where(a, value->a[2], holds, exact));
    return isl_set_coalesce(isl_set_union(yes, no));
}

static bool joins(const struct ir_value *value);

/* Whether a value is 0 or 1. */
static bool is_truth(const struct ir_value *value)
{
    if (value->code == IR_CONVERT && value->type != IR_BOOL && ir_is_integer(value->type))
        return is_truth(value->a[0]);
    return value->type == IR_BOOL || ir_is_comparison(value) ||
           (value->code == IR_SELECT && is_truth(value->a[1]) && is_truth(value->a[2])) ||
           joins(value) || ir_is_number(value, 0) || ir_is_number(value, 1);
}

/* Both of two truths, or one of them. */
static bool joins(const struct ir_value *value)
{
    return value->code == IR_ARITH && value->arguments == 2 &&
           (value->text[0] == '*' || strcmp(value->text, "&") == 0 ||
            strcmp(value->text, "|") == 0) &&
           is_truth(value->a[0]) && is_truth(value->a[1]);
}

static isl_set *where_joined(struct ir_affine *a, struct ir_value *value, bool holds, bool *exact)
{
    isl_set *one = ir_where(a, value->a[0], holds, exact),
            *other = ir_where(a, value->a[1], holds, exact);
    bool both = holds == (value->text[0] != '|');
    return isl_set_coalesce(both ? isl_set_intersect(one, other) : isl_set_union(one, other));
}

isl_set *ir_where(struct ir_affine *a, struct ir_value *value, bool holds, bool *exact)
{
    long number;
    if (ir_is_whole(value, &number))
        return (number != 0) == holds ? everywhere(a)
                                      : isl_set_empty(isl_space_set_alloc(a->isl, 0, 0));
    if (value->code == IR_SELECT)
        return where_chosen(a, value, holds, exact);
    if (joins(value))
        return where_joined(a, value, holds, exact);
    if (value->code == IR_CONVERT && ir_is_integer(value->a[0]->type) &&
        (value->type == IR_BOOL || ir_bits_of(value->type) >= ir_bits_of(value->a[0]->type)))
        return ir_where(a, value->a[0], holds, exact);
    if (value->code == IR_ARITH && value->arguments == 2 &&
        (strcmp(value->text, "!=") == 0 || strcmp(value->text, "==") == 0) &&
        ir_is_whole(value->a[1], &number) && number == 0 && ir_is_integer(value->a[0]->type))
        return ir_where(a, value->a[0], holds == (value->text[0] == '!'), exact);
    isl_set *set = where_compared(a, value, holds);
    if (set)
        return set;
    if (exact)
        *exact = false;
    return everywhere(a);
}

bool ir_is_exact(struct ir_affine *a, const struct ir_value *where)
{
    bool exact = true;
    ir_where(a, (struct ir_value *)where, true, &exact);
    return exact;
}

/* ------------------------------------------------------------------------------------ values */

/* a % b for a b that is no number: a, less b as often as it takes, for a in [0, 4 b), as far as it
 * may be where the value is computed. */
static isl_pw_aff *remainder_by_size(struct ir_affine *a, const struct ir_value *value,
                                     isl_pw_aff *x, isl_pw_aff *y)
{
    isl_pw_aff *result = NULL;
    isl_set *known = known_at(a, value);
    for (int times = 3; times >= 0; times--) {
        isl_pw_aff *low =
            isl_pw_aff_scale_val(isl_pw_aff_copy(y), isl_val_int_from_si(a->isl, times));
        isl_pw_aff *high = isl_pw_aff_add(isl_pw_aff_copy(low), isl_pw_aff_copy(y));
        isl_set *part =
            isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(x), isl_pw_aff_copy(low)),
                              isl_pw_aff_lt_set(isl_pw_aff_copy(x), high));
        bool may = isl_set_is_disjoint(part, known) != isl_bool_true || (times == 0 && !result);
        isl_pw_aff *piece =
            isl_pw_aff_intersect_domain(isl_pw_aff_sub(isl_pw_aff_copy(x), low), part);
        if (may)
            result = result ? isl_pw_aff_union_add(result, piece) : piece;
    }
    return result;
}

static isl_pw_aff *combine(struct ir_affine *a, const struct ir_value *value, isl_pw_aff *x,
                           isl_pw_aff *y)
{
    char op = value->text[0];
    bool constant = isl_pw_aff_is_cst(y) == isl_bool_true;
    if (op == '+' || op == '-')
        return op == '+' ? isl_pw_aff_add(x, y) : isl_pw_aff_sub(x, y);
    if (op == '*' && (constant || isl_pw_aff_is_cst(x) == isl_bool_true))
        return isl_pw_aff_mul(x, y);
    if ((op == '/' || op == '%') && constant)
        return op == '/' ? isl_pw_aff_tdiv_q(x, y) : isl_pw_aff_tdiv_r(x, y);
    if (op == '%')
        return remainder_by_size(a, value, x, y);
    return NULL;
}

/* How many numbers there are from 0 to those that an operator with a constant makes, if it keeps
 * the last bits, flips the last one or leaves a remainder; else 0. */
static long numbers_of(const struct ir_value *value)
{
    long number;
    char op = value->code == IR_ARITH && value->text[1] == '\0' ? value->text[0] : ' ';
    if (!strchr("&^%", op) || !ir_is_whole(value->a[1], &number) || number < 1)
        return 0;
    bool bits = number < 1L << 30 && (number & (number + 1)) == 0;
    return op == '%' ? number : bits && (op == '&' || number == 1) ? number + 1 : 0;
}

/* The last bits of a number, or it with the last one flipped. */
static isl_pw_aff *with_bits(struct ir_affine *a, const struct ir_value *value, isl_pw_aff *x)
{
    isl_val *numbers = isl_val_int_from_si(a->isl, numbers_of(value));
    isl_pw_aff *last = isl_pw_aff_mod_val(isl_pw_aff_copy(x), isl_val_copy(numbers));
    if (value->text[0] == '&')
        return last;
    last = isl_pw_aff_scale_val(last, numbers);
    return isl_pw_aff_sub(isl_pw_aff_add(x, ir_affine_number(a, 1)), last);
}

/* Time steps are counted from 0 or more where remainders of them choose planes. */
static void assume_counted(struct ir_affine *a, const struct ir_value *value, isl_pw_aff *x)
{
    isl_val *zero = isl_val_zero(a->isl);
    if (!value->home || value->home->around || !may_lie(a, value, x, true, isl_val_copy(zero)))
        return;
    isl_set *below =
        isl_set_intersect(known_at(a, value), beyond(a, isl_pw_aff_copy(x), true, zero));
    ir_assume(a, isl_set_subtract(isl_set_copy(a->context), ir_over_all_turns(a, below)));
}

static isl_pw_aff *of_arith(struct ir_affine *a, struct ir_value *value)
{
    char op = value->text[0];
    if (value->arguments == 1) {
        isl_pw_aff *f = ir_affine_of(a, value->a[0]);
        f = f ? isl_pw_aff_neg(f) : NULL;
        return f && op == '~' ? isl_pw_aff_add_constant_val(f, isl_val_int_from_si(a->isl, -1)) : f;
    }
    if (value->text[1] != '\0' || !strchr("+-*/%&^", op))
        return NULL;
    isl_pw_aff *x = ir_affine_of(a, value->a[0]);
    if (x && strchr("&^", op) && numbers_of(value) > 0)
        return with_bits(a, value, x);
    isl_pw_aff *y = x && !strchr("&^", op) ? ir_affine_of(a, value->a[1]) : NULL;
    if (y && op == '%')
        assume_counted(a, value, x);
    return y ? combine(a, value, x, y) : NULL;
}

/* Whether it does not matter to a conversion to a type that a number goes around in its own. */
static bool goes_around(const struct ir_value *value, enum ir_type to)
{
    return value->code == IR_ARITH && value->home && !ir_is_signed(value->type) &&
           strchr("+-*", value->text[0]) && ir_bits_of(to) <= ir_bits_of(value->type);
}

/* What a condition chooses; NULL: 1 or 0. */
static isl_pw_aff *of_choice(struct ir_affine *a, struct ir_value *condition, struct ir_value *yes,
                             struct ir_value *no)
{
    bool exact = true;
    isl_set *holds = ir_where(a, condition, true, &exact);
    return exact ? chosen(holds, yes ? ir_affine_of(a, yes) : ir_affine_number(a, 1),
                          no ? ir_affine_of(a, no) : ir_affine_number(a, 0))
                 : NULL;
}

/* How far a counter is behind its first value, in its direction; NULL if that is not known. */
static isl_pw_aff *past_of(struct ir_affine *a, const struct ir_turns *turns)
{
    isl_pw_aff *at = of_id(a, isl_id_copy(turns->id));
    isl_pw_aff *first =
        turns->counter ? ir_affine_of(a, turns->counter->a[0]) : ir_affine_number(a, 0);
    return !first ? NULL : turns->step < 0 ? isl_pw_aff_sub(first, at) : isl_pw_aff_sub(at, first);
}

/* How many iterations of the loop came before. */
static isl_pw_aff *iteration(struct ir_affine *a, const struct ir_loop *loop)
{
    const struct ir_turns *turns = &a->turns[loop->number];
    isl_pw_aff *past = past_of(a, turns);
    isl_val *step = isl_val_int_from_si(a->isl, labs(turns->step));
    return past ? isl_pw_aff_floor(isl_pw_aff_scale_down_val(past, step)) : NULL;
}

static bool counts_by(const struct ir_value *phi, long *step)
{
    bool minus = false;
    struct ir_value *by = ir_is_integer(phi->type) ? ir_step_of(phi, &minus) : NULL;
    if (!by || !ir_is_whole(by, step) || *step == 0)
        return false;
    *step = minus ? -*step : *step;
    return true;
}

/* A map over parameters, with the counter of a loop moved to where a relation leads from there. */
static isl_map *moved_map(struct ir_affine *a, const struct ir_turns *turns, isl_map *map,
                          const char *relation)
{
    int at = isl_map_find_dim_by_id(map, isl_dim_param, turns->id);
    if (at < 0)
        return map;
    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, (unsigned)at, 1);
    map = isl_map_apply_domain(isl_map_reset_tuple_id(map, isl_dim_in),
                               isl_map_read_from_str(a->isl, relation));
    map = isl_map_move_dims(map, isl_dim_param, 0, isl_dim_in, 0, 1);
    return isl_map_set_dim_id(map, isl_dim_param, 0, isl_id_copy(turns->id));
}

static isl_set *moved_set(struct ir_affine *a, const struct ir_turns *turns, isl_set *set,
                          const char *relation)
{
    return isl_map_range(moved_map(a, turns, isl_map_from_range(set), relation));
}

/* The relation of iterations to those so many steps behind. */
static const char *later_by(const struct ir_turns *turns, long steps)
{
    return gzt_format("{ [x] -> [x + %ld] }", steps * turns->step);
}

/* The value of a phi in the next iteration, without choices that the last iteration alone makes. */
static struct ir_value *followed(struct ir_affine *a, const struct ir_value *phi)
{
    const struct ir_turns *turns = &a->turns[phi->loop->number];
    struct ir_value *next = phi->a[1];
    bool inner = turns->body && !ir_holds(a->ir, phi->loop->holds, phi);
    if (!inner || next->code != IR_SELECT)
        return next;
    isl_set *goes_on = moved_set(a, turns, isl_set_copy(turns->body), later_by(turns, -1));
    goes_on = isl_set_intersect(goes_on, isl_set_copy(a->context));
    while (next->code == IR_SELECT) {
        isl_set *yes = ir_where(a, next->a[0], true, NULL),
                *no = ir_where(a, next->a[0], false, NULL);
        bool first = isl_set_is_disjoint(no, goes_on) == isl_bool_true;
        if (!first && isl_set_is_disjoint(yes, goes_on) != isl_bool_true)
            break;
        next = next->a[first ? 1 : 2];
    }
    return next;
}

/* Phis of a loop whose next values depend on one another. */
enum { MOST_ORBIT = 6 };
struct orbit {
    struct ir_affine *a;
    struct ir_value *phi[MOST_ORBIT];
    struct ir_value *next[MOST_ORBIT]; /* as followed */
    isl_pw_aff *at[MOST_ORBIT];
    int phis;
    bool fits;
};

static void find_orbit(struct ir_value *value, void *data)
{
    struct orbit *orbit = data;
    if (value->code == IR_EXIT)
        orbit->fits = false;
    if (value->code != IR_PHI || value->loop != orbit->phi[0]->loop)
        return;
    for (int i = 0; i < orbit->phis; i++)
        if (orbit->phi[i] == value)
            return;
    long step;
    orbit->fits = orbit->fits && orbit->phis < MOST_ORBIT && ir_is_integer(value->type) &&
                  value != orbit->a->turns[value->loop->number].counter && !counts_by(value, &step);
    if (orbit->fits)
        orbit->phi[orbit->phis++] = value;
}

/* Whether all phis become known functions of parameters alone. */
static bool step_orbit(struct orbit *orbit)
{
    struct ir_affine *a = orbit->a;
    size_t values = (size_t)a->ir->values;
    isl_pw_aff **value = a->value, *next[MOST_ORBIT] = {NULL};
    char *asked = a->asked;
    bool known = true;
    a->value = gzt_alloc(values * sizeof *a->value);
    a->asked = gzt_alloc(values);
    for (int i = 0; i < orbit->phis; i++) {
        a->asked[orbit->phi[i]->number] = 1;
        a->value[orbit->phi[i]->number] = orbit->at[i];
    }
    for (int i = 0; i < orbit->phis && known; i++) {
        next[i] = ir_affine_of(a, orbit->next[i]);
        known = next[i] && !ir_differs(a, next[i]);
    }
    memcpy(orbit->at, next, sizeof next);
    a->value = value;
    a->asked = asked;
    return known;
}

static bool begin_orbit(struct orbit *orbit)
{
    bool known = true;
    for (int i = 0; i < orbit->phis && orbit->fits; i++) {
        orbit->next[i] = followed(orbit->a, orbit->phi[i]);
        ir_walk_value(orbit->next[i], gzt_alloc((size_t)orbit->a->ir->values), find_orbit, orbit);
    }
    for (int i = 0; i < orbit->phis && orbit->fits; i++) {
        orbit->at[i] = ir_affine_of(orbit->a, orbit->phi[i]->a[0]);
        known = known && orbit->at[i];
    }
    return known && orbit->fits;
}

/* Assumes that numbers which are exchanged, or one that goes through some again and again, choose
 * planes: that they begin with different ones of 0, 1, ... */
static void assume_planes(struct orbit *orbit)
{
    struct ir_affine *a = orbit->a;
    const struct ir_value *next = orbit->next[0];
    long planes = is_truth(next) ? 2 : numbers_of(next);
    isl_set *set = isl_set_copy(a->context);
    for (int i = 0; i < orbit->phis && (planes || orbit->phis > 1); i++) {
        isl_pw_aff *f = orbit->at[i];
        if (isl_pw_aff_is_cst(f) != isl_bool_true)
            set = between(a, set, isl_pw_aff_copy(f), isl_val_zero(a->isl),
                          isl_val_int_from_si(a->isl, planes ? planes : orbit->phis));
        for (int k = 0; k < i; k++)
            set = isl_set_intersect(
                set, isl_pw_aff_ne_set(isl_pw_aff_copy(f), isl_pw_aff_copy(orbit->at[k])));
    }
    ir_assume(a, set);
}

/* Whether two functions are the same for all parameters there are. */
static bool is_same_function(struct ir_affine *a, isl_pw_aff *f, isl_pw_aff *g)
{
    isl_set *other = isl_pw_aff_ne_set(isl_pw_aff_copy(f), isl_pw_aff_copy(g));
    return isl_set_is_disjoint(other, a->context) == isl_bool_true;
}

/* A phi that goes through the same functions of parameters again and again: one that is 1 - itself,
 * wherever it begins. */
static isl_pw_aff *of_orbit(struct ir_affine *a, struct ir_value *phi)
{
    enum { LONGEST = 8 };
    struct orbit orbit = {.a = a, .phi = {phi}, .phis = 1, .fits = true};
    isl_pw_aff *first[MOST_ORBIT], *seen[LONGEST], *f = NULL;
    int period = 0;
    bool known = begin_orbit(&orbit), again = false;
    isl_set *context = isl_set_copy(a->context);
    if (known)
        assume_planes(&orbit);
    for (int i = 0; i < orbit.phis; i++)
        first[i] = isl_pw_aff_copy(orbit.at[i]);
    while (known && !again && period < LONGEST) {
        seen[period++] = isl_pw_aff_copy(orbit.at[0]);
        known = step_orbit(&orbit);
        again = known;
        for (int i = 0; i < orbit.phis && again; i++)
            again = is_same_function(a, orbit.at[i], first[i]);
    }
    a->context = again ? a->context : context; /* else nothing of them is assumed */
    isl_pw_aff *turn = again ? iteration(a, phi->loop) : NULL;
    turn = turn ? isl_pw_aff_mod_val(turn, isl_val_int_from_si(a->isl, period)) : NULL;
    for (int i = 0; i < period && turn; i++) {
        isl_set *here = isl_pw_aff_eq_set(isl_pw_aff_copy(turn), ir_affine_number(a, i));
        isl_pw_aff *piece = isl_pw_aff_intersect_domain(seen[i], here);
        f = f ? isl_pw_aff_union_add(f, piece) : piece;
    }
    return f;
}

/* A phi whose next value depends on the iteration's counter alone. */
static isl_pw_aff *of_last(struct ir_affine *a, struct ir_value *phi)
{
    struct ir_turns *turns = &a->turns[phi->loop->number];
    isl_pw_aff *next = ir_affine_of(a, phi->a[1]),
               *first = next ? ir_affine_of(a, phi->a[0]) : NULL;
    isl_pw_aff *turn = first && turns->counter ? iteration(a, phi->loop) : NULL;
    if (!turn)
        return NULL;
    isl_set *begins = isl_pw_aff_le_set(turn, ir_affine_number(a, 0));
    isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(
        moved_map(a, turns, isl_map_from_pw_aff(next), later_by(turns, 1)));
    next = isl_pw_multi_aff_get_at(all, 0);
    return chosen(begins, first, next);
}

static isl_pw_aff *of_phi(struct ir_affine *a, struct ir_value *phi)
{
    struct ir_turns *turns = &a->turns[phi->loop->number];
    long step;
    if (phi == turns->counter)
        return of_id(a, isl_id_copy(turns->id));
    if (phi->loop->divided)
        return NULL;
    if (!counts_by(phi, &step)) {
        isl_pw_aff *f = of_orbit(a, phi);
        return f ? f : of_last(a, phi);
    }
    isl_pw_aff *first = ir_affine_of(a, phi->a[0]), *turn = first ? iteration(a, phi->loop) : NULL;
    if (!turn)
        return NULL;
    isl_pw_aff *f =
        isl_pw_aff_add(first, isl_pw_aff_scale_val(turn, isl_val_int_from_si(a->isl, step)));
    return reduced(a, phi, f);
}

static isl_pw_aff *compute(struct ir_affine *a, struct ir_value *value)
{
    isl_pw_aff *f;
    long number;
    if (ir_is_whole(value, &number)) {
        isl_val *at = isl_val_int_from_si(a->isl, number);
        return of_val(a, value->type == IR_U64 && number < 0 ? isl_val_add(at, power(a, 64)) : at);
    }
    switch (value->code) {
    case IR_PHI:
        return of_phi(a, value);
    case IR_SELECT:
        return of_choice(a, value->a[0], value->a[1], value->a[2]);
    case IR_CONVERT:
        if (value->type == IR_BOOL)
            return of_choice(a, value->a[0], NULL, NULL);
        f = goes_around(value->a[0], value->type) ? of_arith(a, value->a[0])
                                                  : ir_affine_of(a, value->a[0]);
        return f ? reduced(a, value, f) : NULL;
    case IR_ARITH:
        if (ir_is_comparison(value))
            return of_choice(a, value, NULL, NULL);
        f = of_arith(a, value);
        return f && !ir_is_signed(value->type) ? reduced(a, value, f) : f;
    default:
        return NULL;
    }
}

isl_pw_aff *ir_affine_of(struct ir_affine *a, struct ir_value *value)
{
    if (!ir_is_integer(value->type))
        return NULL;
    if (!a->asked[value->number]) {
        a->asked[value->number] = 1; /* a recurrence arrives here again, and has none */
        isl_pw_aff *f = compute(a, value);
        if (!f && !value->home && value->code != IR_UNDEF && value->code != IR_EXIT)
            f = parameter(a, value);
        a->value[value->number] = f ? isl_pw_aff_coalesce(f) : NULL;
    }
    return isl_pw_aff_copy(a->value[value->number]);
}

/* ------------------------------------------------------------------------------------- loops */

/* The phi that counts a loop: one on which its condition hangs, if there is one. */
static struct ir_value *counter_of(struct ir_affine *a, const struct ir_loop *loop, long *step)
{
    for (int any = 0; any < 2; any++)
        for (int i = 0; i < loop->phis; i++)
            if ((any || ir_holds(a->ir, loop->holds, loop->phi[i])) &&
                counts_by(loop->phi[i], step))
                return loop->phi[i];
    return NULL;
}

/* The parameters whose counter is, or is behind, one of `bad`. */
static isl_set *from_there(struct ir_affine *a, isl_set *bad, struct ir_turns *turns, bool strict)
{
    const char *relation =
        gzt_format("{ [x] -> [y] : y %s%s x }", turns->step < 0 ? "<" : ">", strict ? "" : "=");
    return moved_set(a, turns, bad, relation);
}

/* Where the counter may lie: at its first value, or by whole steps behind. */
static isl_set *begun(struct ir_affine *a, const struct ir_turns *turns)
{
    isl_pw_aff *past = past_of(a, turns);
    isl_val *step = isl_val_int_from_si(a->isl, labs(turns->step));
    isl_pw_aff *rest = isl_pw_aff_mod_val(isl_pw_aff_copy(past), step);
    return isl_set_intersect(isl_pw_aff_nonneg_set(past), isl_pw_aff_zero_set(rest));
}

/* Where the counter is what its type holds; takes the set. */
static isl_set *within_type(struct ir_affine *a, const struct ir_turns *turns, isl_set *set)
{
    enum ir_type type = turns->counter ? turns->counter->type : IR_VOID;
    return turns->counter
               ? between(a, set, of_id(a, isl_id_copy(turns->id)), low_of(a, type), end_of(a, type))
               : set;
}

/* Whether the counter stays within its type, up to its last value, which ends the loop. */
static bool stays(struct ir_affine *a, const struct ir_loop *loop)
{
    struct ir_turns *turns = &a->turns[loop->number];
    return ir_is_signed(turns->counter->type) ||
           fits(a, turns->counter, of_id(a, isl_id_copy(turns->id)));
}

/* Bounds a loop whose end isl cannot express; for an outermost loop that is exact. */
static void end_somewhere(struct ir_affine *a, const struct ir_loop *loop)
{
    struct ir_turns *turns = &a->turns[loop->number];
    isl_pw_aff *turn = iteration(a, loop), *most = ir_affine_number(a, IR_MOST_INDEX);
    long entered;
    isl_set *past = isl_pw_aff_lt_set(isl_pw_aff_copy(turn), isl_pw_aff_copy(most));
    turns->body = isl_set_intersect(turns->body, past);
    turns->head = isl_set_intersect(turns->head, isl_pw_aff_le_set(turn, most));
    turns->exact = !loop->around && ir_is_whole(loop->where, &entered) && entered;
}

static void begin_loop(struct ir_affine *a, const struct ir_loop *loop)
{
    struct ir_turns *turns = &a->turns[loop->number];
    const struct ir_value *named = turns->counter;
    named = named && named->a[2] ? named->a[2] : named;
    const char *name = named ? name_of(a, named) : gzt_format("k%d", loop->number);
    bool exact = true;
    turns->id = isl_id_alloc(a->isl, name, (void *)loop);
    isl_set *begins = begun(a, turns);
    turns->begun = within_type(a, turns, isl_set_copy(begins)); /* `stays` checks that */
    isl_set *bad = ir_where(a, loop->holds, false, &exact);
    if (!exact)
        bad = isl_set_complement(ir_where(a, loop->holds, true, &exact));
    turns->begun = begins;
    bad = isl_set_intersect(bad, isl_set_copy(turns->begun));
    turns->exact = exact;
    isl_set *all = ir_where(a, loop->where, true, &turns->exact);
    all = isl_set_intersect(all, isl_set_copy(turns->begun));
    turns->head =
        isl_set_subtract(isl_set_copy(all), from_there(a, isl_set_copy(bad), turns, true));
    turns->body = isl_set_subtract(all, from_there(a, isl_set_copy(bad), turns, false));
    if (exact) /* the loop ends, also one that counts up to n by i != n */
        ir_assume(a, isl_set_intersect(ir_over_all_turns(a, bad), isl_set_copy(a->context)));
    else
        end_somewhere(a, loop);
    turns->body = isl_set_coalesce(turns->body);
    turns->head = isl_set_coalesce(turns->head);
}

/* Takes the loop to run IR_LEAST_TURNS times or more, unless it never does. */
static void expect_turns(struct ir_affine *a, const struct ir_loop *loop)
{
    struct ir_turns *turns = &a->turns[loop->number];
    isl_set *set =
        moved_set(a, turns, isl_set_copy(turns->body), later_by(turns, IR_LEAST_TURNS - 1));
    set = ir_over_all_turns(a, isl_set_intersect(set, isl_set_copy(turns->body)));
    ir_assume(a, isl_set_intersect(set, isl_set_copy(a->context)));
}

/* What was found of a loop by its counter, and of values that differ from turn to turn. */
static void forget(struct ir_affine *a, struct ir_turns *turns)
{
    *turns = (struct ir_turns){.step = 1};
    for (int i = 0; i < a->ir->values; i++)
        if (a->asked[i] && a->ir->value[i]->home) {
            a->value[i] = NULL;
            a->asked[i] = 0;
        }
}

struct ir_affine *ir_affine_begin(const struct ir_region *ir, isl_ctx *isl)
{
    struct ir_affine *a = gzt_alloc(sizeof *a);
    *a = (struct ir_affine){.isl = isl, .ir = ir};
    a->value = gzt_alloc((size_t)ir->values * sizeof *a->value);
    a->asked = gzt_alloc((size_t)ir->values);
    a->turns = gzt_alloc((size_t)ir->loops * sizeof *a->turns);
    a->layout = gzt_alloc((size_t)ir->objects * sizeof *a->layout);
    a->touched = gzt_alloc((size_t)ir->ops * sizeof *a->touched);
    a->touched_in = gzt_alloc((size_t)ir->ops * sizeof(isl_set *));
    a->context = everywhere(a);
    for (int i = 0; i < ir->values; i++)
        if (ir->value[i]->likely)
            a->context = isl_set_intersect(a->context, ir_where(a, ir->value[i], true, NULL));
    for (int i = 0; i < ir->loops; i++) {
        struct ir_turns *turns = &a->turns[i];
        turns->step = 1;
        turns->counter = counter_of(a, ir->loop[i], &turns->step);
        isl_pw_aff *first = turns->counter ? ir_affine_of(a, turns->counter->a[0]) : NULL;
        if (!first)
            *turns = (struct ir_turns){.step = 1};
        begin_loop(a, ir->loop[i]);
        if (turns->counter && !stays(a, ir->loop[i])) {
            forget(a, turns);
            begin_loop(a, ir->loop[i]);
        }
    }
    for (int i = 0; i < ir->loops; i++)
        expect_turns(a, ir->loop[i]);
    return a;
}

/* -------------------------------------------------------------------------------- operations */

isl_map *ir_over_instances(struct ir_affine *a, const struct ir_op *op, isl_map *map)
{
    for (const struct ir_loop *loop = op->loop; loop; loop = loop->around) {
        int at = isl_map_find_dim_by_id(map, isl_dim_param, a->turns[loop->number].id);
        if (at >= 0)
            map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, (unsigned)at, 1);
        else
            map = isl_map_insert_dims(map, isl_dim_in, 0, 1);
        map = isl_map_set_dim_id(map, isl_dim_in, 0, isl_id_copy(a->turns[loop->number].id));
    }
    return isl_map_set_tuple_name(map, isl_dim_in, gzt_format("S%d", op->number));
}

isl_set *ir_iterations(struct ir_affine *a, const struct ir_loop *loop)
{
    struct ir_turns *turns = &a->turns[loop->number];
    isl_set *set = isl_set_intersect(isl_set_copy(turns->body), isl_set_copy(a->context));
    int at = isl_set_find_dim_by_id(set, isl_dim_param, turns->id);
    set = at >= 0 ? isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, (unsigned)at, 1)
                  : isl_set_add_dims(set, isl_dim_set, 1);
    return isl_set_reset_tuple_id(set);
}

isl_set *ir_when(struct ir_affine *a, const struct ir_op *op, bool *exact)
{
    isl_set *set = isl_set_intersect(isl_set_copy(a->context), ir_where(a, op->where, true, exact));
    for (const struct ir_loop *loop = op->loop; loop; loop = loop->around) {
        struct ir_turns *turns = &a->turns[loop->number];
        set = isl_set_intersect(
            set, isl_set_copy(op->head && loop == op->loop ? turns->head : turns->body));
        if (exact)
            *exact = *exact && turns->exact;
    }
    return set;
}

isl_set *ir_instances(struct ir_affine *a, const struct ir_op *op, bool *exact)
{
    isl_map *map = isl_map_from_domain(ir_when(a, op, exact));
    return isl_map_domain(ir_over_instances(a, op, map));
}

int ir_rank(struct ir_affine *a, const struct ir_object *object)
{
    int strides = a->layout[object->number].strides;
    return !object->regular || object->kind == IR_ANYWHERE
               ? 0
               : object->subscripts + (strides ? strides - 1 : 0);
}

isl_map *ir_anything(struct ir_affine *a, const struct ir_op *op, const struct ir_object *object)
{
    isl_set *to = isl_set_universe(isl_space_set_alloc(a->isl, 0, (unsigned)ir_rank(a, object)));
    to = isl_set_set_tuple_name(to, gzt_format("M%d", object->number));
    return isl_map_from_domain_and_range(ir_instances(a, op, NULL), to);
}

static struct ir_element find_touched(struct ir_affine *a, const struct ir_op *op)
{
    isl_set *domain = ir_when(a, op, NULL);
    isl_map *map = ir_coordinates(a, &op->access);
    if (!map || isl_set_is_subset(domain, isl_map_domain(isl_map_copy(map))) != isl_bool_true)
        return (struct ir_element){ir_anything(a, op, op->access.object), false};
    map = ir_over_instances(a, op, isl_map_intersect_domain(map, domain));
    map = isl_map_set_tuple_name(map, isl_dim_out, gzt_format("M%d", op->access.object->number));
    return (struct ir_element){map, true};
}

struct ir_element ir_touched(struct ir_affine *a, const struct ir_op *op)
{
    int i = op->number;
    if (i >= a->ir->ops || a->ir->op[i] != op)
        return find_touched(a, op);
    if (!a->touched_in[i] ||
        isl_set_plain_is_equal(a->touched_in[i], a->context) != isl_bool_true) {
        a->touched[i] = find_touched(a, op);
        a->touched_in[i] = isl_set_copy(a->context);
    }
    return (struct ir_element){isl_map_copy(a->touched[i].map), a->touched[i].known};
}
