/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * body.c - the body of a plan's stencil: for each field the stores that make its next value, each a
 * variable, from those that they need on. Each operator of C is one of the device, in C's type.
 * What is the same for all cells is computed on the host.
 */
#include "decide.h"

#include "../library.h"
#include "../source.h"
#include "stencil.h"

#include <isl/constraint.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 128, MOST_TEXT = 1 << 20 };

struct writer {
    struct plan_maker *m;
    struct plan *plan;
    struct gzt_text text;
    const struct plan_node *node;
    int *uses;         /* by value, in the node */
    const char **name; /* of temporaries of the node */
    int names;
    int choices;       /* around what is being written, in the node, that the host cannot make */
    isl_set *when;     /* cells for which a load is made, or NULL */
    isl_set *known;    /* cells for which what is being written counts */
    const char **math; /* functions that are called, each once */
    int maths;
    const char **seen; /* elements that are read, each once */
    int seens;
    bool measures; /* whether GZ_MEASURE is being written */
    int field;     /* that is being written */
    int nodes;     /* that have a name in it */
};

static const char *type_text(enum ir_type type)
{
    bool has = ir_is_integer(type) || type == IR_F32 || type == IR_F64;
    return type == IR_BOOL ? "int" : type == IR_I8 ? "char" : has ? ir_type_name(type) : NULL;
}

/* Refuses the node's store about a value of it, NULL for none; a text in its place. */
static const char *refused(struct writer *w, const struct ir_value *v, const char *why)
{
    plan_refuse(w->plan, w->node->op->begin, v ? v->begin : -1, "%s", why);
    return "0";
}

/* ----------------------------------------------------------------------------------- numbers */

/* What the grid's type holds, in a type. */
static const char *in_type(const struct plan *plan, enum ir_type type, const char *text)
{
    return type == plan->type ? text : gzt_format("((%s)%s)", type_text(type), text);
}

static const char *held(const struct plan *plan, const struct plan_number *number,
                        const char *array)
{
    bool real = ir_is_real(number->type), wide = number->words == 2;
    const char *type = type_text(number->type), *word = gzt_format("%s(%d)", array, number->first);
    if (number->type == plan->type || plan->type == IR_F64 ||
        (plan->type == IR_I32 && !real && !wide))
        return in_type(plan, number->type, word);
    if (!wide)
        return gzt_format("((%s)GZ_TO_%s(%s))", type, real ? "FLOAT" : "INT", word);
    return gzt_format("((%s)GZ_TO_%s(%s, %s(%d)))", type, real ? "DOUBLE" : "LONG", word, array,
                      number->first + 1);
}

static bool is_same_number(const struct plan_number *a, const struct plan_number *b)
{
    return a->value == b->value && a->type == b->type && a->axis == b->axis &&
           (a->value || isl_pw_aff_plain_is_equal(a->affine, b->affine) == isl_bool_true);
}

/* A number in COEF, or in STEP if it differs from turn to turn; or as text, if it is constant. */
static const char *number_text(struct writer *w, struct plan_number like, bool step)
{
    struct plan *plan = w->plan;
    struct plan_number ***list = step ? &plan->value : &plan->coefficient;
    int *count = step ? &plan->values : &plan->coefficients;
    int *words = step ? &plan->value_words : &plan->coefficient_words, i = 0;
    long whole;
    if (like.affine &&
        plan_only(isl_map_range(isl_map_from_pw_aff(isl_pw_aff_copy(like.affine))), &whole))
        return gzt_format(labs(whole) < 1L << 30 ? "(%ld)" : "(%ldL)", whole);
    while (i < *count && !is_same_number((*list)[i], &like))
        i++;
    if (i == *count) {
        struct plan_number *number = gzt_alloc(sizeof *number);
        bool wide = like.type == IR_I64 || like.type == IR_U64 || like.type == IR_F64;
        *number = like;
        number->first = *words;
        number->words = plan->type == IR_F64 || !wide ? 1 : 2;
        *words += number->words;
        gzt_push(list, count, number);
        number->when = isl_set_empty(isl_space_params_alloc(w->m->affine->isl, 0));
    }
    struct plan_number *number = (*list)[i];
    isl_set *cells = isl_set_copy(w->when ? w->when : w->node ? w->node->cells : w->known);
    number->when =
        isl_set_coalesce(isl_set_union(number->when, isl_set_coalesce(isl_set_params(cells))));
    if (*words > MOST_WORDS && !step)
        plan_refuse(plan, plan->time->begin, -1, "more than %d scalars and bounds are read",
                    MOST_WORDS);
    return held(plan, number, step ? "STEP" : "COEF");
}

/* ---------------------------------------------------------------------------------- functions */

static const char *coordinate(int k)
{
    return gzt_format("gz_c%d", k);
}

/* The part of a function of cells that is the same for all of them, as a number; takes it. Its
 * type is int if that surely holds it. It is a coordinate along that axis, or -1. */
static const char *same_for_all(struct writer *w, isl_aff *f, int axis)
{
    int n = w->plan->dimensions, used = 0;
    bool step = isl_aff_involves_dims(f, isl_dim_in, 0, 1) == isl_bool_true;
    for (int k = 1; k <= n; k++)
        f = isl_aff_set_coefficient_si(f, isl_dim_in, k, 0);
    for (int k = 0; k < isl_aff_dim(f, isl_dim_param); k++) {
        isl_val *by = isl_aff_get_coefficient_val(f, isl_dim_param, k);
        used += isl_val_is_zero(by) == isl_bool_true ? 0 : isl_val_cmp_si(by, 1) <= 0 ? 1 : 2;
    }
    if (step) {
        f = isl_aff_move_dims(f, isl_dim_param, 0, isl_dim_in, 0, 1);
        f = isl_aff_set_dim_id(f, isl_dim_param, 0,
                               isl_id_copy(w->m->affine->turns[w->plan->time->number].id));
        used++;
        if (!w->m->affine->turns[w->plan->time->number].counter)
            plan_refuse(w->plan, w->plan->time->begin, -1,
                        "cells go by the time, which no variable counts");
    }
    bool wide = isl_aff_dim(f, isl_dim_div) > 0 || used > 1;
    isl_pw_aff *all = isl_pw_aff_project_domain_on_params(isl_pw_aff_from_aff(f));
    all = isl_pw_aff_from_range(all);
    struct plan_number like = {.affine = all, .type = wide ? IR_I64 : IR_I32, .axis = axis};
    return number_text(w, like, step);
}

/* The factor of a coordinate, from 0, or of a quotient, in a function of whole coefficients. */
static long factor_of(isl_aff *f, enum isl_dim_type type, int k)
{
    return isl_val_get_num_si(isl_aff_get_coefficient_val(f, type, type == isl_dim_in ? k + 1 : k));
}

/* Whether a quotient within a function goes by the cell. */
static bool goes_by_cell(const struct writer *w, isl_aff *f, int k)
{
    return isl_aff_involves_dims(isl_aff_get_div(f, k), isl_dim_in, 1,
                                 (unsigned)w->plan->dimensions) == isl_bool_true;
}

/* A function of cells with whole coefficients, quotients in which are rounded down; takes it. */
static const char *function_text(struct writer *w, isl_aff *f)
{
    struct gzt_text text = {0};
    long by;
    for (int k = 0; k < w->plan->dimensions; k++)
        if ((by = factor_of(f, isl_dim_in, k)))
            gzt_add(&text, "%ldL * %s + ", by, coordinate(k));
    for (int k = 0; k < isl_aff_dim(f, isl_dim_div); k++)
        if ((by = factor_of(f, isl_dim_div, k)) && goes_by_cell(w, f, k)) {
            isl_aff *quotient = isl_aff_get_div(f, k);
            isl_val *divisor = isl_aff_get_denominator_val(quotient);
            long below = isl_val_get_num_si(divisor);
            gzt_add(&text, "%ldL * GZ_FLOOR(%s, %ldL) + ", by,
                    function_text(w, isl_aff_scale_val(quotient, divisor)), below);
            f = isl_aff_set_coefficient_si(f, isl_dim_div, k, 0);
        }
    return gzt_format("(%s%s)", gzt_string(&text), same_for_all(w, f, -1));
}

/* The coordinate that a function is, or that negated, but for what is the same for all cells; less
 * than 0 if it is none. */
static int single(const struct writer *w, isl_aff *f, bool *negative)
{
    int of = -1;
    for (int k = 0; k < w->plan->dimensions; k++) {
        long by = factor_of(f, isl_dim_in, k);
        if (by)
            of = of == -1 && labs(by) == 1 ? k : -2;
        *negative = *negative || by == -1;
    }
    for (int k = 0; k < isl_aff_dim(f, isl_dim_div); k++)
        of = goes_by_cell(w, f, k) ? -2 : of;
    return of;
}

/* Whether a constraint holds for the cell. */
static const char *constraint_text(struct writer *w, isl_constraint *constraint)
{
    bool equal = isl_constraint_is_equality(constraint) == isl_bool_true, negative = false;
    isl_aff *f = isl_constraint_get_aff(constraint);
    int of = single(w, f, &negative);
    if (of < 0)
        return gzt_format("(%s %s 0)", function_text(w, f), equal ? "==" : ">=");
    const char *bound =
        same_for_all(w, negative ? f : isl_aff_neg(f), w->plan->dimensions - 1 - of);
    return gzt_format("(%s %s %s)", coordinate(of), equal ? "==" : negative ? "<=" : ">=", bound);
}

/* Whether a cell is in a set, as far as that is not known; NULL: it is. */
static const char *cells_text(struct writer *w, isl_set *cells)
{
    struct gzt_text text = {0};
    isl_set *open = isl_set_gist(isl_set_copy(cells), isl_set_copy(w->known));
    open = isl_set_make_disjoint(isl_set_compute_divs(isl_set_coalesce(open)));
    if (isl_set_plain_is_universe(open) == isl_bool_true)
        return NULL;
    isl_basic_set_list *parts = isl_set_get_basic_set_list(open);
    for (int i = 0; i < isl_basic_set_list_size(parts); i++) {
        isl_constraint_list *all =
            isl_basic_set_get_constraint_list(isl_basic_set_list_get_at(parts, i));
        int count = isl_constraint_list_size(all);
        gzt_add(&text, i ? " | (" : "(");
        for (int k = 0; k < count; k++)
            gzt_add(&text, "%s%s", k ? " & " : "",
                    constraint_text(w, isl_constraint_list_get_at(all, k)));
        gzt_add(&text, count ? ")" : "1)");
    }
    return text.length ? gzt_format("(%s)", gzt_string(&text)) : "(0)";
}

/* ------------------------------------------------------------------------------------- parts */

static void count_read(struct writer *w, const struct plan_part *part, const char *text)
{
    struct plan *plan = w->plan;
    bool across = false;
    if (w->measures || gzt_is_one_of(text, w->seen))
        return;
    gzt_push(&w->seen, &w->seens, text);
    for (int k = 1; k < plan->dimensions; k++)
        across = across || part->distance[k] != 0;
    plan->reads_arrays += part->sight == PLAN_ARRAY;
    plan->reads_state += part->sight == PLAN_FIELD;
    plan->reads_column += part->sight == PLAN_FIELD && !across;
    if (part->sight == PLAN_FIELD && across && part->distance[0])
        plan->reads_own_column = false;
}

static const char *element_text(struct writer *w, const struct plan_part *part, enum ir_type type)
{
    const struct plan *plan = w->plan;
    int d[PLAN_AXES] = {0};
    for (int k = 0; k < plan->dimensions; k++)
        d[plan->dimensions - 1 - k] = part->distance[k];
    const char *text =
        part->sight == PLAN_STEP ? gzt_format("STEP_AT(%d)", part->number)
        : part->sight == PLAN_FIELD && plan->fields == 1
            ? gzt_format("AT(%d, %d, %d)", d[0], d[1], d[2])
            : gzt_format("%s(%d, %d, %d, %d)", part->sight == PLAN_FIELD ? "FIELD" : "COEF_AT",
                         part->number, d[0], d[1], d[2]);
    if (part->sight != PLAN_STEP)
        count_read(w, part, text);
    return in_type(plan, type, text);
}

/* The node that a node copies, if it does. */
static const struct plan_node *origin_of(const struct plan_node *node)
{
    while (node && !node->guarded && node->op->value->code == IR_LOAD) {
        const struct plan_parts *parts = plan_seen_by(node, node->op->value->op);
        if (parts->count != 1 || parts->part[0]->sight != PLAN_NODE)
            break;
        node = parts->part[0]->node;
    }
    return node;
}

/* Whether a store's instances are those that make the next value of the cells of a map, to such
 * instances by another name. */
static bool makes_next(const struct writer *w, const struct plan_node *node, isl_map *at)
{
    bool makes = false;
    at = isl_map_set_tuple_name(isl_map_copy(at), isl_dim_out, gzt_format("S%d", node->op->number));
    for (int i = 0; i < w->m->next[0].count && !makes; i++) {
        const struct plan_node *next = origin_of(w->m->next[0].part[i]->node);
        if (!next || next->op != node->op)
            continue;
        isl_map *own =
            isl_map_intersect_domain(isl_map_copy(next->at), plan_own_cells(&w->m->next[0], i));
        makes = isl_map_is_subset(at, own) == isl_bool_true;
    }
    return makes;
}

static bool is_new(const struct writer *w, const struct plan_node *node)
{
    return w->measures && node && !node->fold && makes_next(w, node, node->at);
}

static const char *part_text(struct writer *w, const struct plan_part *part,
                             const struct ir_op *read, enum ir_type type)
{
    if (is_new(w, part->node))
        return in_type(w->plan, type, "NEW");
    if (part->sight == PLAN_NODE)
        return gzt_format("gz_v%d", part->node->name);
    if (!read && part->number == w->field && w->plan->buffers == 2) {
        w->plan->guarded = true; /* its own cells of each buffer are two more arrays */
        return gzt_format("COEF_AT(%d + (int)((LOOP + 1) %% 2), 0, 0, 0)", w->plan->constants);
    }
    if (part->sight != PLAN_NUMBER)
        return element_text(w, part, type);
    w->when = part->cells;
    const char *text =
        number_text(w, (struct plan_number){.value = read->result, .type = type, .axis = -1},
                    read->access.address->home);
    w->when = NULL;
    return text;
}

/* What a load sees, by cells, as far as these are not known; or a field's next value, if `read` is
 * NULL. Of the parts that have a cell, the first counts. */
static const char *parts_text(struct writer *w, const struct plan_parts *parts,
                              const struct ir_op *read, enum ir_type type)
{
    struct gzt_text text = {0};
    isl_set *all = NULL;
    const char *in = "";
    for (int i = 0; in && i < parts->count; i++) {
        const struct plan_part *part = parts->part[i];
        all = ir_union(all, isl_set_copy(part->cells));
        bool last = i + 1 == parts->count || isl_set_is_subset(w->known, all) == isl_bool_true;
        in = last ? NULL : cells_text(w, part->cells);
        if (in)
            gzt_add(&text, "%s ? ", in);
        gzt_add(&text, "%s%s", part_text(w, part, read, type),
                !in    ? ""
                : read ? " : "
                       : "\n            : ");
    }
    return parts->count == 0
               ? "0"
               : gzt_format(read && parts->count > 1 ? "(%s)" : "%s", gzt_string(&text));
}

/* ------------------------------------------------------------------------------------ values */

/* Whether a value consists of constants, without calls. */
static bool is_constant(const struct ir_value *v)
{
    bool is =
        v->code == IR_CONST || v->code == IR_ARITH || v->code == IR_CONVERT || v->code == IR_SELECT;
    for (int i = 0; i < v->arguments && is; i++)
        is = is_constant(v->a[i]);
    return is;
}

static bool is_of_device(const struct ir_value *v, const void *writer)
{
    const struct writer *w = writer;
    const struct plan_parts *parts =
        v->code == IR_LOAD && w->node ? plan_seen_by(w->node, v->op) : NULL;
    bool is = false;
    for (int i = 0; parts && i < parts->count && !is; i++)
        is = parts->part[i]->sight != PLAN_NUMBER;
    return is;
}

/* Whether a value is the same for all cells, and all loads that it depends on are the host's, which
 * then evaluates under it what C does. */
static bool is_of_host(const struct writer *w, const struct ir_value *v)
{
    return (!v->home || v->home == w->plan->time) && !ir_any(w->plan->ir, v, is_of_device, w);
}

static const char *value_text(struct writer *w, const struct ir_value *v);

static const char *constant_text(const struct ir_value *v)
{
    struct gzt_text text = {0};
    if (!v->text) {
        bool small = v->type == IR_I32 && labs(v->whole) < 1L << 31;
        return small ? gzt_format(v->whole < 0 ? "(%ld)" : "%ld", v->whole)
                     : gzt_format("((%s)%s%ldL)", type_text(v->type),
                                  v->whole == (long)(1UL << 63) ? "(-1L)*" : "", v->whole);
    }
    for (const char *c = v->text; *c; c++)
        if (*c != '\'')
            gzt_add_bytes(&text, c, 1);
    return gzt_string(&text);
}

/* A loop's variable in the instance that the cell needs. */
static const char *phi_text(struct writer *w, const struct ir_value *v)
{
    struct ir_affine *a = w->m->affine;
    isl_pw_aff *f = ir_affine_of(a, (struct ir_value *)v);
    isl_map *map = f ? ir_over_instances(a, w->node->op, isl_map_from_pw_aff(f)) : NULL;
    map = map ? isl_map_apply_range(isl_map_copy(w->node->at), map) : NULL;
    isl_multi_aff *one = map ? plan_single(map) : NULL;
    if (!one)
        return refused(w, v, "a loop variable is no sum of the cell's place and numbers");
    const char *text = function_text(w, isl_multi_aff_get_at(one, 0));
    return gzt_format("((%s)%s)", type_text(v->type), text);
}

/* The name of a function in a body. */
static const char *math_name(const struct gzt_math *math)
{
    return gzt_format("GZ_%c_%s", math->type == IR_F32 ? 'F' : 'D', math->device);
}

/* Whether a value is no zero with a sign. */
static bool is_without_sign(const struct ir_value *v)
{
    const struct gzt_math *math = v->code == IR_CALL ? gzt_math_named(v->text) : NULL;
    if (v->code == IR_CONVERT)
        return ir_is_integer(v->a[0]->type) || is_without_sign(v->a[0]);
    return v->code == IR_CONST || (math && strcmp(math->device, "fabs") == 0);
}

/* Whether a value is a number that is no zero, in a float either. */
static bool is_no_zero(const struct ir_value *v)
{
    if (v->code == IR_CONVERT || (v->code == IR_ARITH && v->arguments == 1))
        return is_no_zero(v->a[0]);
    return v->code == IR_CONST && (v->text ? strtod(v->text, NULL) > 1e-30 : v->whole != 0);
}

/* Whether fmin or fmax may meet zeros of both signs: compilers exchange the arguments, unless the
 * second is a number, which then is what is returned. */
static bool leaves_sign_open(const struct gzt_math *math, const struct ir_value *v)
{
    return (strcmp(math->device, "fmin") == 0 || strcmp(math->device, "fmax") == 0) &&
           !is_no_zero(v->a[0]) && !is_constant(v->a[1]) &&
           !(is_without_sign(v->a[0]) && is_without_sign(v->a[1]));
}

static const char *math_text(struct writer *w, const struct ir_value *v)
{
    const struct gzt_math *math = gzt_math_named(v->text);
    struct gzt_text text = {0};
    bool power = strcmp(v->text, "pow") == 0 && is_constant(v->a[1]);
    w->plan->inexact = w->plan->inexact || !math->exact;
    if (!math->exact && !w->plan->ir->source->contract)
        return refused(
            w, v,
            gzt_format("%s: devices do not compute it to the same bits: %suse --contract", v->text,
                       power ? "write a product, or " : ""));
    if (leaves_sign_open(math, v))
        return refused(w, v,
                       gzt_format("of zeros of both signs, C leaves open which one %s "
                                  "returns: compare instead",
                                  v->text));
    if (!gzt_is_one_of(v->text, w->math))
        gzt_push(&w->math, &w->maths, v->text);
    for (int k = 0; k < v->arguments; k++)
        gzt_add(&text, "%s%s", k ? ", " : "", value_text(w, v->a[k]));
    return gzt_format("%s(%s)", math_name(math), gzt_string(&text));
}

static const char *arith_text(struct writer *w, const struct ir_value *v)
{
    const char *a = value_text(w, v->a[0]);
    if (v->arguments == 2)
        return gzt_format("(%s %s %s)", a, v->text, value_text(w, v->a[1]));
    return gzt_format("(%s%s)", v->text, a);
}

static const char *choice_text(struct writer *w, const struct ir_value *v)
{
    const char *when = value_text(w, v->a[0]);
    int choices = w->choices;
    w->choices += !is_of_host(w, v->a[0]);
    const char *one = value_text(w, v->a[1]), *other = value_text(w, v->a[2]);
    w->choices = choices;
    return gzt_format("(%s ? %s : %s)", when, one, other);
}

static const char *computed(struct writer *w, const struct ir_value *v)
{
    switch (v->code) {
    case IR_CONST:
        return constant_text(v);
    case IR_LOAD:
        return parts_text(w, plan_seen_by(w->node, v->op), v->op, v->type);
    case IR_PHI:
        return phi_text(w, v);
    case IR_ARITH:
        return arith_text(w, v);
    case IR_CONVERT:
        return v->type == IR_BOOL
                   ? gzt_format("(%s != 0)", value_text(w, v->a[0]))
                   : gzt_format("((%s)%s)", type_text(v->type), value_text(w, v->a[0]));
    case IR_SELECT:
        return choice_text(w, v);
    case IR_CALL:
        return math_text(w, v);
    default:
        return refused(w, v, "no device can compute a value here");
    }
}

/* Whether a value is read from memory that need not be there, where C may not read it. */
static bool may_fault(const struct ir_value *v, const void *unused)
{
    const struct ir_value *place = v->code == IR_LIVE_IN ? v->a[0] : NULL;
    (void)unused;
    while (place && (place->code == IR_FIELD || place->code == IR_FIRST))
        place = place->a[0];
    return place && place->code != IR_ADDRESS;
}

/* The same for all cells, in all turns or in each. */
static const char *host_text(struct writer *w, const struct ir_value *v)
{
    bool step = v->home == w->plan->time;
    if (is_constant(v) || !is_of_host(w, v) || (ir_traps(w->plan->ir, v) && v->code != IR_PHI))
        return NULL;
    if (w->choices && ir_any(w->plan->ir, v, may_fault, NULL))
        refused(w, v, "a number is read in one of two ways only, and may lie where nothing is");
    return number_text(
        w, (struct plan_number){.value = (struct ir_value *)v, .type = v->type, .axis = -1}, step);
}

static const char *value_text(struct writer *w, const struct ir_value *v)
{
    if (w->name[v->number])
        return w->name[v->number];
    if (!type_text(v->type))
        return refused(w, v,
                       gzt_format("no device has a value of type %s%s", v->c,
                                  v->type == IR_POINTER ? " *" : ""));
    const char *text = host_text(w, v);
    text = text ? text : computed(w, v);
    if (strlen(text) > MOST_TEXT)
        refused(w, NULL, "this statement is too large");
    if (w->plan->refusal)
        return "0";
    if (w->uses[v->number] < 2 || v->code == IR_CONST || ir_traps(w->plan->ir, v))
        return text;
    const char *name = gzt_format("gz_t%d", ++w->names);
    gzt_add(&w->text, "            const %s %s = %s;\n", type_text(v->type), name, text);
    return w->name[v->number] = name;
}

/* ------------------------------------------------------------------------------------- nodes */

static void count_uses(struct writer *w, const struct ir_value *v)
{
    if (w->uses[v->number]++ || v->code == IR_PHI)
        return;
    w->plan->operations +=
        (v->code == IR_ARITH || v->code == IR_CALL) && plan_goes_by_cells(w->m, v) && !w->measures;
    for (int i = 0; i < v->arguments; i++)
        count_uses(w, v->a[i]);
}

static void write_value(struct writer *w, struct plan_node *node)
{
    const struct ir_op *op = node->op;
    const char *where = node->guarded ? value_text(w, op->where) : NULL;
    w->choices = node->guarded && !is_of_host(w, op->where);
    const char *value = value_text(w, op->value);
    w->choices = 0;
    const char *kept =
        node->guarded ? parts_text(w, plan_seen_by(node, NULL), op, op->access.type) : NULL;
    gzt_add(&w->text, "            gz_v%d = ", node->name);
    gzt_add(&w->text, where ? "%s ? %s : %s;\n" : "%.0s%s;\n", where, value, kept);
}

/* The values of iterations, where they are among cells, as they are compared or added up. */
static void write_fold(struct writer *w, struct plan_node *node)
{
    const struct plan_measure *measure = w->plan->measure;
    const struct plan_fold *fold = node->fold;
    struct gzt_text when = {0};
    bool minus = fold->minus || measure->finds == PLAN_LEAST;
    for (int i = 0; i < w->m->next[0].count && !fold->guards; i++) {
        const struct plan_node *store = origin_of(w->m->next[0].part[i]->node);
        if (store && store->op->loop == fold->loop && !store->guarded &&
            makes_next(w, store, node->at))
            w->name[store->op->value->number] = in_type(w->plan, store->op->value->type, "NEW");
    }
    for (int i = 0; i < fold->guards; i++) {
        const char *guard = value_text(w, fold->guard[i]);
        gzt_add(&when, fold->unless[i] ? "%s!(%s)" : "%s(%s)", i ? " && " : "", guard);
        w->choices = 1;
    }
    const char *value = value_text(w, fold->value);
    w->choices = 0;
    gzt_add(&w->text, fold->guards ? "            if (%s)\n    " : "%.0s", gzt_string(&when));
    gzt_add(&w->text, "            gz_v%d = %s(%s)%s;\n", node->name, minus ? "-" : "",
            type_text(measure->type), value);
}

static void write_node(struct writer *w, struct plan_node *node)
{
    size_t values = (size_t)w->plan->ir->values;
    if (node->name)
        return;
    for (int i = 0; i < node->seens; i++)
        for (int k = 0; k < node->seen[i]->parts.count; k++)
            if (node->seen[i]->parts.part[k]->sight == PLAN_NODE &&
                !is_new(w, node->seen[i]->parts.part[k]->node))
                write_node(w, node->seen[i]->parts.part[k]->node);
    isl_set *outer = w->known;
    node->name = ++w->nodes;
    w->node = node;
    w->uses = gzt_alloc(values * sizeof *w->uses);
    w->name = gzt_alloc(values * sizeof *w->name);
    count_uses(w, node->op->value);
    if (node->guarded)
        count_uses(w, node->op->where);
    for (int i = 0; node->fold && i < node->fold->guards; i++)
        count_uses(w, node->fold->guard[i]);
    const char *none = !node->fold || w->plan->measure->finds == PLAN_SUM ? "0" : "-1e308 * 1e308";
    gzt_add(&w->text, "        %s gz_v%d = %s;\n",
            type_text(node->fold ? w->plan->measure->type : node->op->access.type), node->name,
            none);
    const char *in =
        node->fold || ir_traps(w->plan->ir, node->op->value) ? cells_text(w, node->cells) : NULL;
    gzt_add(&w->text, in ? "        if (%s) {\n" : "        {%.0s\n", in);
    w->known = isl_set_intersect(isl_set_copy(outer), isl_set_copy(node->cells));
    (node->fold ? write_fold : write_value)(w, node);
    gzt_add(&w->text, "        }\n");
    w->known = outer;
    w->node = NULL;
}

/* Begins a function, or a field's part of one. */
static void begin_nodes(struct writer *w)
{
    for (int i = 0; i < w->m->nodes; i++)
        w->m->node[i]->name = 0;
    w->nodes = 0;
}

static void write_field(struct writer *w)
{
    const struct plan_parts *parts = &w->m->next[w->field];
    gzt_add(&w->text, w->plan->fields > 1 ? "    if (THIS == %d) {\n" : "    {%.0d\n", w->field);
    begin_nodes(w);
    for (int i = 0; i < parts->count; i++)
        if (parts->part[i]->sight == PLAN_NODE)
            write_node(w, parts->part[i]->node);
    gzt_add(&w->text, "        return %s;\n    }\n", parts_text(w, parts, NULL, w->plan->type));
}

/* The coordinates of the cell's element. The device counts those before the domain, too. */
static void write_coordinates(struct writer *w)
{
    static const char *const cell[] = {"CELL_X", "CELL_Y", "CELL_Z"};
    for (int axis = 0; axis < w->plan->dimensions; axis++) {
        isl_val *rim = isl_val_int_from_si(w->m->affine->isl, -w->plan->rim[axis]);
        isl_pw_aff *first = isl_pw_aff_copy(w->plan->low[axis]);
        first = isl_pw_aff_add_constant_val(first, rim);
        struct plan_number low = {.affine = first, .type = IR_I32, .axis = axis};
        gzt_add(&w->text, "    const int %s = %s + %s;\n",
                coordinate(w->plan->dimensions - 1 - axis), cell[axis], number_text(w, low, false));
    }
}

/* What the cell adds to what turns find. */
static void write_measure(struct writer *w)
{
    const struct plan_measure *measure = w->plan->measure;
    const char *all = NULL;
    gzt_add(&w->text, "#ifdef GZ_MEASURE\nGZ_MEASURE\n{\n");
    write_coordinates(w);
    w->measures = true;
    begin_nodes(w);
    for (int i = 0; i < measure->folds; i++) {
        write_node(w, (struct plan_node *)measure->fold[i]->node);
        const char *one = gzt_format("gz_v%d", measure->fold[i]->node->name);
        all = !all ? one
              : measure->finds == PLAN_SUM
                  ? gzt_format("%s + %s", all, one)
                  : gzt_format("(%s != %s || %s > %s ? %s : %s)", all, all, all, one, all, one);
    }
    gzt_add(&w->text, "    return %s;\n}\n#endif\n", all);
}

/* ----------------------------------------------------------------------------------- helpers */

/* Macros of all bodies: quotients, and a value from its bits. */
static const char helpers[] =
    "#define GZ_FLOOR(a, b) ((a) >= 0 ? (a) / (b) : -((-(a) + (b) - 1) / (b)))\n"
    "#if defined __OPENCL_VERSION__\n"
    "#define GZ_TO_INT(a) as_int(a)\n"
    "#define GZ_TO_FLOAT(a) as_float(a)\n"
    "#define GZ_TO_LONG(a, b) ((long)(((ulong)as_uint(b) << 32) | as_uint(a)))\n"
    "#define GZ_TO_DOUBLE(a, b) as_double(GZ_TO_LONG(a, b))\n"
    "#elif defined __CUDACC__\n"
    "GZ_INLINE int gz_bits(float a)\n{\n    return __float_as_int(a);\n}\n"
    "GZ_INLINE int gz_bits(int a)\n{\n    return a;\n}\n"
    "#define GZ_TO_INT(a) gz_bits(a)\n"
    "#define GZ_TO_FLOAT(a) __int_as_float(gz_bits(a))\n"
    "#define GZ_TO_LONG(a, b) \\\n"
    "    ((long)(((unsigned long)(unsigned int)gz_bits(b) << 32) | (unsigned int)gz_bits(a)))\n"
    "#define GZ_TO_DOUBLE(a, b) __longlong_as_double(GZ_TO_LONG(a, b))\n"
    "#endif\n";

/* What devices make of a function: OpenCL's abs has no sign, and of two zeros fmin and fmax may
 * return either, where the C libraries of x86 return the second. */
static void write_math(struct gzt_text *text, const char *name)
{
    const struct gzt_math *math = gzt_math_named(name);
    const char *type = math->type == IR_F32 ? "float" : "double";
    gzt_add(text, "#if defined __OPENCL_VERSION__ || defined __CUDACC__\n");
    if (strcmp(math->device, "fmin") == 0 || strcmp(math->device, "fmax") == 0)
        gzt_add(text,
                "GZ_INLINE %s %s(%s a, %s b)\n{\n"
                "    return a != a ? b : b != b ? a : a %c b ? a : b;\n}\n",
                type, math_name(math), type, type, math->device[2] == 'i' ? '<' : '>');
    else
        gzt_add(text, "#define %s %s%s\n", math_name(math),
                strcmp(math->device, "abs") == 0 ? "(int)" : "", math->device);
    gzt_add(text, "#else\n#define %s %s\n#endif\n", math_name(math), name);
}

static const char *head(struct writer *w)
{
    struct gzt_place place = gzt_place_of(w->plan->ir->source, w->plan->time->begin);
    const char *slash = strrchr(place.file, '/');
    struct gzt_text text = {0};
    gzt_add(&text, "/* Made by gzc of %s, line %d. */\n", gzt_shown(slash ? slash + 1 : place.file),
            place.line);
    gzt_add(&text, "#ifndef GZ_HELPERS\n#define GZ_HELPERS\n%s", helpers);
    for (int i = 0; i < w->maths; i++)
        write_math(&text, w->math[i]);
    gzt_add(&text, "#endif\n");
    return gzt_string(&text);
}

void plan_write_body(struct plan *plan)
{
    struct plan_maker *m = (struct plan_maker *)plan;
    struct writer w = {.m = m, .plan = plan, .known = m->box};
    plan->reads_own_column = true;
    gzt_add(&w.text, "GZ_UPDATE\n{\n");
    write_coordinates(&w);
    for (; w.field < plan->fields && !plan->refusal; w.field++)
        write_field(&w);
    gzt_add(&w.text, plan->fields > 1 ? "    return 0;\n}\n" : "}\n");
    if (plan->measure && !plan->refusal)
        write_measure(&w);
    plan->reads_own_column = plan->reads_own_column && plan->fields < 2 && plan->dimensions > 1 &&
                             plan->radius[plan->dimensions - 1] > 0;
    plan->operations = plan->operations ? plan->operations : 1;
    plan->body = gzt_format("%s%s", head(&w), gzt_string(&w.text));
}
