/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "affine.h"

#include "locals.h"

#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

int gzt_variable_of(const struct gzt_space *space, const struct gzt_decl *decl)
{
    for (int i = 0; i < space->variables; i++)
        if (space->variable[i] == decl)
            return i;
    return -1;
}

const struct gzt_node *gzt_enter(const struct gzt_space *space, const struct gzt_node *call,
                                 struct gzt_space *within)
{
    enum { DEEPEST = 8 };
    const struct gzt_node **list = NULL;
    int count = 0;
    if (!call->decl || !call->decl->body || call->decl->body->kind != GZT_BLOCK ||
        call->count != call->decl->parameter_count || space->depth == DEEPEST)
        return NULL;
    gzt_statements(call->decl->body, &list, &count);
    if (count != 1 || list[0]->kind != GZT_RETURN || list[0]->count != 1)
        return NULL;
    *within = *space;
    within->sweep = NULL;
    within->call = call;
    within->caller = space;
    within->depth++;
    return list[0]->child[0];
}

const struct gzt_node *gzt_alias_of(const struct gzt_program *program, const struct gzt_node *node)
{
    for (int i = 0; program && node->kind == GZT_REF && i < program->alias_count; i++)
        if (program->aliases[i]->decl == node->decl)
            return program->aliases[i]->node;
    return NULL;
}

const struct gzt_node *gzt_meaning(const struct gzt_space *space, const struct gzt_node *node,
                                   const struct gzt_space **where)
{
    *where = space->caller;
    for (int i = 0; space->call && node->kind == GZT_REF && i < space->call->count; i++)
        if (space->call->decl->parameters[i] == node->decl)
            return space->call->child[i];
    *where = space;
    return gzt_alias_of(space->program, node);
}

/* What an expression is looked through for: a variable, or any that changes. */
struct dependence {
    const struct gzt_space *space;
    const struct gzt_decl *decl;
};

static bool value_depends(const struct gzt_space *space, const struct gzt_value *value,
                          const struct gzt_decl *decl)
{
    return (value->node && gzt_depends(space, value->node, decl)) ||
           (value->a && value_depends(space, value->a, decl)) ||
           (value->b && value_depends(space, value->b, decl));
}

static int depends(const struct gzt_node *node, void *data)
{
    const struct dependence *dependence = data;
    const struct gzt_space *space = dependence->space, *where;
    const struct gzt_node *meant = gzt_meaning(space, node, &where);
    if (meant)
        return gzt_depends(where, meant, dependence->decl);
    if (node->kind != GZT_REF)
        return 0;
    if (node->decl == dependence->decl ||
        (dependence->decl == space->toggle && space->program &&
         node->decl == space->program->opposite) ||
        (dependence->decl == space->time && gzt_goes_by(space->program, node)))
        return 1;
    if (!space->sweep || gzt_local_of(space->sweep, node->decl) < 0)
        return 0;
    struct gzt_memo *memo = gzt_memo_of(space->sweep, node, dependence->decl);
    if (memo->answer < 0)
        memo->answer = value_depends(space, gzt_value_at(space->sweep, node), dependence->decl);
    return memo->answer;
}

bool gzt_depends(const struct gzt_space *space, const struct gzt_node *node,
                 const struct gzt_decl *decl)
{
    struct dependence dependence = {space, decl};
    return gzt_walk(node, depends, &dependence) != 0;
}

static int is_alias(const struct gzt_node *node, void *program)
{
    return gzt_alias_of(program, node) != NULL;
}

bool gzt_depends_on_cell(const struct gzt_space *space, const struct gzt_node *node)
{
    for (int i = 0; i < space->variables; i++)
        if (gzt_depends(space, node, space->variable[i]))
            return true;
    return false;
}

bool gzt_varies(const struct gzt_space *space, const struct gzt_node *node)
{
    for (const struct gzt_space *s = space; s; s = s->caller)
        if (gzt_mentions_local(s->sweep, node))
            return true;
    if (gzt_walk(node, is_alias, (void *)space->program) != 0 ||
        (space->toggle && gzt_depends(space, node, space->toggle)))
        return true;
    return gzt_depends_on_cell(space, node) ||
           (space->time && gzt_depends(space, node, space->time));
}

static int is_data(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_SUBSCRIPT || node->kind == GZT_CALL;
}

bool gzt_reads_data(const struct gzt_node *node)
{
    return gzt_walk(node, is_data, NULL) != 0;
}

static isl_local_space *local(const struct gzt_space *space)
{
    return isl_local_space_from_space(
        isl_space_set_alloc(space->isl, 0, (unsigned)space->variables));
}

isl_pw_aff *gzt_variable(const struct gzt_space *space, int variable)
{
    return isl_pw_aff_var_on_domain(local(space), isl_dim_set, (unsigned)variable);
}

isl_pw_aff *gzt_whole(const struct gzt_space *space, long value)
{
    return isl_pw_aff_from_aff(
        isl_aff_val_on_domain(local(space), isl_val_int_from_si(space->isl, value)));
}

isl_pw_aff *gzt_parameter(const struct gzt_space *space, const char *name)
{
    isl_space *s = isl_space_set_alloc(space->isl, 1, (unsigned)space->variables);
    s = isl_space_set_dim_id(s, isl_dim_param, 0, isl_id_alloc(space->isl, name, NULL));
    return isl_pw_aff_var_on_domain(isl_local_space_from_space(s), isl_dim_param, 0);
}

isl_pw_aff *gzt_choice(isl_set *holds, isl_pw_aff *a, isl_pw_aff *b)
{
    if (!holds || !a || !b) {
        isl_set_free(holds);
        isl_pw_aff_free(a);
        isl_pw_aff_free(b);
        return NULL;
    }
    a = isl_pw_aff_intersect_domain(a, isl_set_copy(holds));
    b = isl_pw_aff_intersect_domain(b, isl_set_complement(holds));
    return isl_pw_aff_union_add(a, b);
}

bool gzt_is_fixed(isl_pw_aff *function)
{
    isl_size dimensions = isl_pw_aff_dim(function, isl_dim_in);
    return dimensions >= 0 && isl_pw_aff_involves_dims(function, isl_dim_in, 0,
                                                       (unsigned)dimensions) == isl_bool_false;
}

/* --------------------------------------------------------------------------------- conversions */

/* A function, moved by 2^bits or its opposite where it is below, or not below, a bound. */
static isl_pw_aff *wrapped_at(isl_pw_aff *f, bool below, isl_val *bound, isl_val *by)
{
    isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(f), isl_pw_aff_copy(f));
    isl_pw_aff *at = isl_pw_aff_add_constant_val(zero, bound);
    isl_set *beyond = below ? isl_pw_aff_lt_set(isl_pw_aff_copy(f), at)
                            : isl_pw_aff_ge_set(isl_pw_aff_copy(f), at);
    isl_pw_aff *other = isl_pw_aff_add_constant_val(isl_pw_aff_copy(f), by);
    return gzt_choice(beyond, other, f);
}

/* Whether a function may be below, or not below, a bound where all that it is made of lies within
 * GZT_MOST_INDEX of zero. */
static bool may_lie(isl_pw_aff *f, bool below, isl_val *bound)
{
    static const enum isl_dim_type kinds[] = {isl_dim_set, isl_dim_param};
    isl_pw_aff *zero = isl_pw_aff_sub(isl_pw_aff_copy(f), isl_pw_aff_copy(f));
    isl_pw_aff *at = isl_pw_aff_add_constant_val(zero, bound);
    isl_set *set = below ? isl_pw_aff_lt_set(isl_pw_aff_copy(f), at)
                         : isl_pw_aff_ge_set(isl_pw_aff_copy(f), at);
    for (int k = 0; k < 2; k++)
        for (isl_size i = 0; i < isl_set_dim(set, kinds[k]); i++) {
            set = isl_set_lower_bound_si(set, kinds[k], (unsigned)i, -GZT_MOST_INDEX);
            set = isl_set_upper_bound_si(set, kinds[k], (unsigned)i, GZT_MOST_INDEX);
        }
    bool any = isl_set_is_empty(set) != isl_bool_true;
    isl_set_free(set);
    return any;
}

static int bits_of(enum gzt_type type, const char *name)
{
    if (type != GZT_SMALL)
        return type == GZT_INT || type == GZT_UINT ? 32 : 64;
    return strstr(name, "char") ? 8 : 16;
}

static isl_val *power(const struct gzt_space *space, int bits)
{
    return isl_val_2exp(isl_val_int_from_si(space->isl, bits));
}

/* A condition under which a run keeps its own loops, of an expression. */
static void add_unfit(const struct gzt_space *space, const char *of, const char *condition)
{
    struct gzt_fit *fit = space->program->fits;
    for (; fit->next; fit = fit->next)
        if (strcmp(fit->next->condition, condition) == 0)
            return;
    fit->next = gzt_alloc(sizeof *fit);
    *fit->next = (struct gzt_fit){of, condition, NULL};
}

/* What a function is made of, but for loop variables and the time, which are tested anyway, lies
 * within GZT_MOST_INDEX of zero, or the run keeps its own loops. */
static void take_to_be_usual(const struct gzt_space *space, isl_pw_aff *f)
{
    for (isl_size i = 0; i < isl_pw_aff_dim(f, isl_dim_param); i++) {
        const char *name = isl_pw_aff_get_dim_name(f, isl_dim_param, (unsigned)i);
        if (strcmp(name, space->time->name) != 0)
            add_unfit(space, gzt_copy(name, strlen(name)),
                      gzt_format("(long)(%s) > %d || (long)(%s) < -%d", name, GZT_MOST_INDEX, name,
                                 GZT_MOST_INDEX));
    }
}

/* A function as a type of so many bits holds it. */
static isl_pw_aff *reduced(const struct gzt_space *space, isl_pw_aff *f, int bits, bool is_unsigned)
{
    isl_val *low = is_unsigned ? isl_val_zero(space->isl) : isl_val_neg(power(space, bits - 1));
    isl_val *end = isl_val_add(isl_val_copy(low), power(space, bits));
    isl_pw_aff *whole = isl_pw_aff_copy(f);

    if (may_lie(f, true, isl_val_copy(low)))
        f = wrapped_at(f, true, isl_val_copy(low), power(space, bits));
    if (may_lie(f, false, isl_val_copy(end)))
        f = wrapped_at(f, false, isl_val_copy(end), isl_val_neg(power(space, bits)));
    bool below = may_lie(f, true, isl_val_copy(low)), above = may_lie(f, false, end);
    if (below || above) {
        isl_pw_aff_free(f);
        f = isl_pw_aff_add_constant_val(isl_pw_aff_copy(whole), isl_val_neg(isl_val_copy(low)));
        f = isl_pw_aff_mod_val(f, power(space, bits));
        f = isl_pw_aff_add_constant_val(f, isl_val_copy(low));
    } else {
        take_to_be_usual(space, whole);
    }
    isl_pw_aff_free(whole);
    isl_val_free(low);
    return f;
}

/* Whether an expression can be written where the loops stand, and has one value there. */
static bool is_the_same_there(const struct gzt_space *space, const struct gzt_node *node)
{
    return !space->call && !gzt_varies(space, node) && !gzt_reads_data(node);
}

/* What is the same for all cells and loops stays what it is when converted, or the run, which
 * finds out, keeps its own loops. */
static void take_to_fit(const struct gzt_space *space, const struct gzt_node *node,
                        enum gzt_type to, const char *type)
{
    const char *text = gzt_node_text(space->source, node);
    bool bare = to == GZT_ULONG || (to == GZT_LONG && node->type == GZT_ULONG);
    add_unfit(space, text,
              bare ? gzt_format("(long)(%s) < 0", text)
                   : gzt_format("(long)(%s)(%s) != (long)(%s)", type, text, text));
}

static bool is_bool(const char *name)
{
    return strcmp(name, "_Bool") == 0 || strcmp(name, "bool") == 0;
}

/* A function as a value of another type; NULL if it is none then. What it was of `node`'s. */
static isl_pw_aff *converted(const struct gzt_space *space, isl_pw_aff *f,
                             const struct gzt_node *node, enum gzt_type to, const char *name)
{
    enum gzt_type from = node->type;
    bool is_unsigned = to == GZT_UINT || to == GZT_ULONG || strncmp(name, "unsigned", 8) == 0;

    if (f && is_bool(name))
        return gzt_choice(isl_pw_aff_ne_set(f, gzt_whole(space, 0)), gzt_whole(space, 1),
                          gzt_whole(space, 0));
    if (!f || strcmp(node->type_name, name) == 0 || (to == from && to != GZT_SMALL) ||
        (to == GZT_LONG && from != GZT_ULONG) || (to == GZT_ULONG && from == GZT_UINT) ||
        (to == GZT_INT && from == GZT_SMALL))
        return f;
    if (isl_pw_aff_is_cst(f) != isl_bool_true && gzt_is_fixed(f) &&
        is_the_same_there(space, node)) {
        take_to_fit(space, node, to, name);
        return f;
    }
    return reduced(space, f, bits_of(to, name), is_unsigned);
}

/* Arithmetic without a sign goes around. That of sizes alone does not, or the run keeps its own
 * loops. */
static isl_pw_aff *kept_unsigned(const struct gzt_space *space, isl_pw_aff *f,
                                 const struct gzt_node *node)
{
    if (!f || (node->type != GZT_UINT && node->type != GZT_ULONG))
        return f;
    if (node->kind != GZT_BINARY || !gzt_is_fixed(f) || !is_the_same_there(space, node))
        return reduced(space, f, bits_of(node->type, ""), true);
    const char *text = gzt_node_text(space->source, node);
    const char *a = gzt_node_text(space->source, node->child[0]);
    const char *b = gzt_node_text(space->source, node->child[1]);
    add_unfit(space, text,
              gzt_format("(%s) > %d || (long)(%s) > %d || (long)(%s) > %d ||\n"
                         "(long)(%s) < 0 || (long)(%s) < 0 ||\n"
                         "(long)(%s) != (long)(%s) %s (long)(%s)",
                         text, GZT_MOST_INDEX, a, GZT_MOST_INDEX, b, GZT_MOST_INDEX, a, b, text, a,
                         node->op, b));
    return f;
}

static isl_pw_aff *affine_value(const struct gzt_space *space, const struct gzt_value *value)
{
    isl_pw_aff *a, *b;
    isl_set *holds;
    switch (value->kind) {
    case GZT_VALUE_IS:
        return gzt_affine(space, value->node);
    case GZT_VALUE_CHOICE:
        holds = gzt_condition(space, value->node);
        a = affine_value(space, value->a);
        b = affine_value(space, value->b);
        return gzt_choice(holds, a, b);
    case GZT_VALUE_UPDATED:
        a = affine_value(space, value->a);
        b = value->node ? gzt_affine(space, value->node) : gzt_whole(space, 1);
        if (a && b && strchr("+-", value->op[0]))
            return value->op[0] == '+' ? isl_pw_aff_add(a, b) : isl_pw_aff_sub(a, b);
        isl_pw_aff_free(a);
        isl_pw_aff_free(b);
        return NULL;
    default:
        return NULL;
    }
}

bool gzt_is_hidden(const struct gzt_space *space, const struct gzt_node *node)
{
    const struct gzt_tree *tree = space->program->region->tree;
    int at = space->program->time.node->begin, begin = 0;
    if (!space->call || !node->decl || !node->decl->variable)
        return false;
    for (int i = 0; i < tree->function_count; i++)
        if (tree->functions[i]->end <= at && tree->functions[i]->end > begin)
            begin = tree->functions[i]->end;
    for (int i = 0; i < tree->decl_count; i++) {
        const struct gzt_decl *other = tree->decls[i];
        if (other != node->decl && other->variable && other->offset > begin &&
            other->offset < space->program->time.node->end &&
            strcmp(other->name, node->decl->name) == 0)
            return true;
    }
    return false;
}

bool gzt_is_counted(const struct gzt_program *program, const struct gzt_decl *decl)
{
    const struct gzt_counts *counts = program->counts;
    bool counted = false;
    for (int i = 0; counts && i < counts->set_count; i++)
        counted = counted || counts->set[i] == decl;
    return counted;
}

bool gzt_goes_by(const struct gzt_program *program, const struct gzt_node *node)
{
    return node->kind == GZT_REF && node->decl != program->time.iterator &&
           gzt_is_counted(program, node->decl);
}

bool gzt_may_follow(const struct gzt_space *space, const struct gzt_node *node)
{
    enum { MOST_WORK = 5000 };
    if (++*space->program->work <= MOST_WORK)
        return true;
    gzt_refuse(space->source, node->begin, "%s depends on too many other temporaries",
               node->decl->name);
    return false;
}

static isl_pw_aff *affine_ref(const struct gzt_space *space, const struct gzt_node *node)
{
    const struct gzt_space *where;
    const struct gzt_node *meant = gzt_meaning(space, node, &where);
    if (meant)
        return converted(where, gzt_affine(where, meant), meant, node->decl->type,
                         node->decl->type_name);
    if (space->sweep && gzt_local_of(space->sweep, node->decl) >= 0) {
        if (!gzt_may_follow(space, node))
            return NULL;
        /* What is assigned has been converted, but not what += and the like make of it. */
        const struct gzt_value *value = gzt_value_at(space->sweep, node);
        const struct gzt_node sum = {
            .kind = GZT_REF, .decl = node->decl, .type = GZT_LONG, .type_name = "long"};
        isl_pw_aff *f = affine_value(space, value);
        return value->kind == GZT_VALUE_IS
                   ? f
                   : converted(space, f, &sum, node->decl->type, node->decl->type_name);
    }
    int variable = node->decl ? gzt_variable_of(space, node->decl) : -1;
    if (variable >= 0)
        return gzt_variable(space, variable);
    if (gzt_is_hidden(space, node) || gzt_goes_by(space->program, node))
        return NULL;
    if (node->decl && space->toggle && node->decl == space->program->opposite)
        return isl_pw_aff_sub(gzt_whole(space, 1), gzt_parameter(space, space->toggle->name));
    isl_pw_aff *f = gzt_parameter(space, gzt_node_text(space->source, node));
    int ahead = node->decl && node->decl == space->time ? space->later : 0;
    return ahead ? isl_pw_aff_add(f, gzt_whole(space, (long)ahead * space->program->time.step)) : f;
}

/* a % b where b is not a number: a, less b as often as it takes, as far as a lies in [0, 4 b);
 * elsewhere the function is not defined. */
static isl_pw_aff *remainder_by_size(isl_pw_aff *a, isl_pw_aff *b)
{
    isl_pw_aff *result = NULL;
    isl_pw_aff *low = isl_pw_aff_sub(isl_pw_aff_copy(a), isl_pw_aff_copy(a));

    for (int times = 0; times < 4; times++) {
        isl_pw_aff *high = isl_pw_aff_add(isl_pw_aff_copy(low), isl_pw_aff_copy(b));
        isl_set *part =
            isl_set_intersect(isl_pw_aff_ge_set(isl_pw_aff_copy(a), isl_pw_aff_copy(low)),
                              isl_pw_aff_lt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(high)));
        isl_pw_aff *piece = isl_pw_aff_sub(isl_pw_aff_copy(a), low);
        piece = isl_pw_aff_intersect_domain(piece, part);
        result = result ? isl_pw_aff_union_add(result, piece) : piece;
        low = high;
    }
    isl_pw_aff_free(low);
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return result;
}

static isl_pw_aff *affine_division(isl_pw_aff *a, isl_pw_aff *b, bool remainder)
{
    if (isl_pw_aff_is_cst(b) == isl_bool_true)
        return remainder ? isl_pw_aff_tdiv_r(a, b) : isl_pw_aff_tdiv_q(a, b);
    if (remainder)
        return remainder_by_size(a, b);
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

static isl_pw_aff *affine_product(isl_pw_aff *a, isl_pw_aff *b)
{
    if (isl_pw_aff_is_cst(a) == isl_bool_true || isl_pw_aff_is_cst(b) == isl_bool_true)
        return isl_pw_aff_mul(a, b);
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

/* x ^ 1: 1 more if x is even, 1 less if it is odd. */
static isl_pw_aff *last_bit_flipped(const struct gzt_space *space, isl_pw_aff *x)
{
    isl_pw_aff *odd = isl_pw_aff_mod_val(isl_pw_aff_copy(x), isl_val_int_from_si(space->isl, 2));
    odd = isl_pw_aff_scale_val(odd, isl_val_int_from_si(space->isl, 2));
    return isl_pw_aff_sub(isl_pw_aff_add(x, gzt_whole(space, 1)), odd);
}

static isl_pw_aff *affine_binary(const struct gzt_space *space, const struct gzt_node *node)
{
    const struct gzt_node *right = node->child[1];
    isl_pw_aff *a, *b;

    if (strlen(node->op) != 1 || !strchr("+-*/%&^", node->op[0]))
        return NULL;
    a = gzt_affine(space, node->child[0]);
    if (!a)
        return NULL;
    if (node->op[0] == '^' && right->constant && right->value == 1)
        return last_bit_flipped(space, a);
    /* x & 1 is the remainder that is not negative. */
    if (node->op[0] == '&' && right->constant && right->value == 1)
        return isl_pw_aff_mod_val(a, isl_val_int_from_si(space->isl, 2));
    b = gzt_affine(space, right);
    if (!b || strchr("&^", node->op[0])) {
        isl_pw_aff_free(a);
        isl_pw_aff_free(b);
        return NULL;
    }
    switch (node->op[0]) {
    case '+':
        return isl_pw_aff_add(a, b);
    case '-':
        return isl_pw_aff_sub(a, b);
    case '*':
        return affine_product(a, b);
    default:
        return affine_division(a, b, node->op[0] == '%');
    }
}

static isl_pw_aff *affine_ternary(const struct gzt_space *space, const struct gzt_node *node)
{
    isl_set *holds = gzt_condition(space, node->child[0]);
    isl_pw_aff *a = gzt_affine(space, node->child[1]), *b = gzt_affine(space, node->child[2]);
    return gzt_choice(holds, a, b);
}

/* What a function returns that does nothing else. */
static isl_pw_aff *affine_call(const struct gzt_space *space, const struct gzt_node *node)
{
    struct gzt_space within;
    const struct gzt_node *result = gzt_enter(space, node, &within);
    return result ? gzt_affine(&within, result) : NULL;
}

static isl_pw_aff *affine_unary(const struct gzt_space *space, const struct gzt_node *node)
{
    bool minus = strcmp(node->op, "-") == 0;
    if (strcmp(node->op, "!") == 0)
        return gzt_choice(gzt_condition(space, node), gzt_whole(space, 1), gzt_whole(space, 0));
    isl_pw_aff *f = minus || strcmp(node->op, "+") == 0 ? gzt_affine(space, node->child[0]) : NULL;
    return f && minus ? isl_pw_aff_neg(f) : f;
}

isl_pw_aff *gzt_affine(const struct gzt_space *space, const struct gzt_node *node)
{
    isl_pw_aff *f = NULL;
    bool fixed = !space->call && !gzt_reads_data(node) && !gzt_is_assignment(node);
    if (!gzt_is_integer(node->type))
        return NULL;
    if (node->constant) {
        isl_val *value = isl_val_int_from_si(space->isl, node->value);
        if (node->type == GZT_ULONG && node->value < 0) /* its bits */
            value = isl_val_add(value, power(space, 64));
        return isl_pw_aff_from_aff(isl_aff_val_on_domain(local(space), value));
    }
    switch (node->kind) {
    case GZT_PAREN:
        return gzt_affine(space, node->child[0]);
    case GZT_CAST:
    case GZT_IMPLICIT:
        return node->count == 1 ? converted(space, gzt_affine(space, node->child[0]),
                                            node->child[0], node->type, node->type_name)
                                : NULL;
    case GZT_MEMBER:
        return fixed && !gzt_varies(space, node)
                   ? gzt_parameter(space, gzt_node_text(space->source, node))
                   : NULL;
    case GZT_REF:
        return affine_ref(space, node);
    case GZT_UNARY:
        return kept_unsigned(space, affine_unary(space, node), node);
    case GZT_BINARY:
        f = gzt_is_assignment(node) ? NULL : affine_binary(space, node);
        /* A product of sizes, say, is one parameter. */
        if (!f && fixed && !gzt_varies(space, node))
            return gzt_parameter(space, gzt_node_text(space->source, node));
        return kept_unsigned(space, f, node);
    case GZT_TERNARY:
        return affine_ternary(space, node);
    case GZT_CALL:
        return affine_call(space, node);
    default:
        return NULL;
    }
}

static isl_set *compare(const char *op, isl_pw_aff *a, isl_pw_aff *b)
{
    if (strcmp(op, "<") == 0)
        return isl_pw_aff_lt_set(a, b);
    if (strcmp(op, "<=") == 0)
        return isl_pw_aff_le_set(a, b);
    if (strcmp(op, ">") == 0)
        return isl_pw_aff_gt_set(a, b);
    if (strcmp(op, ">=") == 0)
        return isl_pw_aff_ge_set(a, b);
    if (strcmp(op, "==") == 0)
        return isl_pw_aff_eq_set(a, b);
    return isl_pw_aff_ne_set(a, b);
}

static bool is_comparison(const struct gzt_node *node)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; node->kind == GZT_BINARY && i < sizeof ops / sizeof *ops; i++)
        if (strcmp(node->op, ops[i]) == 0)
            return true;
    return false;
}

/* Whether a function is defined everywhere; a condition on one that is not would not be true where
 * it does not hold. */
static bool is_whole_function(isl_pw_aff *f)
{
    isl_set *rest = isl_set_complement(isl_pw_aff_domain(isl_pw_aff_copy(f)));
    bool whole = isl_set_is_empty(rest) == isl_bool_true;
    isl_set_free(rest);
    return whole;
}

static isl_set *condition_compare(const struct gzt_space *space, const struct gzt_node *node)
{
    isl_pw_aff *a = gzt_affine(space, node->child[0]), *b = gzt_affine(space, node->child[1]);
    if (a && b && is_whole_function(a) && is_whole_function(b))
        return compare(node->op, a, b);
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

static isl_set *condition_joined(const struct gzt_space *space, const struct gzt_node *node)
{
    isl_set *a = gzt_condition(space, node->child[0]), *b = gzt_condition(space, node->child[1]);
    if (a && b)
        return strcmp(node->op, "&&") == 0 ? isl_set_intersect(a, b) : isl_set_union(a, b);
    isl_set_free(a);
    isl_set_free(b);
    return NULL;
}

isl_set *gzt_condition(const struct gzt_space *space, const struct gzt_node *node)
{
    node = gzt_bare(node);
    if (is_comparison(node))
        return condition_compare(space, node);
    if (gzt_is_binary(node, "&&") || gzt_is_binary(node, "||"))
        return condition_joined(space, node);
    if (node->kind == GZT_UNARY && strcmp(node->op, "!") == 0) {
        isl_set *set = gzt_condition(space, node->child[0]);
        return set ? isl_set_complement(set) : NULL;
    }
    isl_pw_aff *f = gzt_affine(space, node);
    if (f && is_whole_function(f))
        return isl_pw_aff_ne_set(f, gzt_whole(space, 0));
    isl_pw_aff_free(f);
    return NULL;
}

isl_set *gzt_in_time(const struct gzt_space *space, isl_set *set)
{
    const struct gzt_node *beginning = space->program->time.low;
    isl_pw_aff *low = beginning ? gzt_affine(space, beginning) : NULL;
    if (!low)
        return set;
    isl_pw_aff *time = gzt_parameter(space, space->time->name);
    return isl_set_intersect(set, isl_pw_aff_ge_set(time, low));
}
