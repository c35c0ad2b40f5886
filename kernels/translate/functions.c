/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * functions.c - functions that a right-hand side may call.
 */
#include "locals.h"
#include "reads.h"

#include <stdlib.h>
#include <string.h>

/* A function's body while it is checked. */
struct purity {
    struct gzt_program *program;
    const struct gzt_decl *function;
    const struct gzt_node *bad;
    const struct purity *caller;
};

static int check_call(struct gzt_program *program, const struct gzt_node *call,
                      const struct purity *caller);

/* Whether a declaration is the function's own parameter or variable. */
static bool is_own(const struct purity *purity, const struct gzt_decl *decl)
{
    for (int i = 0; i < purity->function->parameter_count; i++)
        if (purity->function->parameters[i] == decl)
            return true;
    const struct gzt_node *body = purity->function->body;
    return decl->offset > body->begin && decl->offset < body->end;
}

static bool is_number(enum gzt_type type)
{
    return type != GZT_POINTER && type != GZT_OTHER;
}

static int is_impure(const struct gzt_node *node, void *data)
{
    struct purity *purity = data;
    bool bad = false;
    switch (node->kind) {
    case GZT_REF:
        bad = node->decl->variable
                  ? !is_own(purity, node->decl) || !is_number(node->type)
                  : !node->decl->constant && !node->decl->body && !gzt_find_math(node->decl);
        break;
    case GZT_CALL:
        return check_call(purity->program, node, purity);
    case GZT_SUBSCRIPT:
    case GZT_MEMBER:
    case GZT_FOR:
    case GZT_UNKNOWN:
        bad = true;
        break;
    case GZT_UNARY:
        bad = node->op[0] == '*' || node->op[0] == '&';
        break;
    case GZT_VARIABLE:
        bad = !is_number(node->decl->type) || !node->decl->automatic;
        break;
    default:
        break;
    }
    purity->bad = bad ? node : NULL;
    return bad;
}

static bool is_known(const struct gzt_program *program, const struct gzt_decl *function)
{
    for (int i = 0; i < program->function_count; i++)
        if (program->functions[i] == function)
            return true;
    return false;
}

int gzt_refuse_arguments(struct gzt_source *source, const struct gzt_node *call)
{
    int defined = call->decl->parameter_count;
    return call->count == defined
               ? 0
               : gzt_refuse(source, call->begin,
                            "%s is called with %d argument%s, but is defined with %d: must be as "
                            "many",
                            call->decl->name, call->count, call->count == 1 ? "" : "s", defined);
}

static const char itself[] = "%s calls itself: a function in a sweep must not";

static int is_call_of(const struct gzt_node *node, void *function)
{
    return node->kind == GZT_CALL && node->decl == function;
}

static int is_set_array(const struct gzt_node *node, void *program)
{
    return node->kind == GZT_REF && node->decl->type == GZT_POINTER &&
           gzt_mentions(((const struct gzt_program *)program)->sweep[0].write.node, node->decl);
}

/* A function that is not written out, and reads what the sweep sets as it goes. */
static int refuse_order(struct gzt_program *program, const struct gzt_node *call)
{
    bool reads = gzt_walk(call->decl->body, is_set_array, program) != 0;
    for (int i = 0; i < call->count; i++)
        reads = reads || (gzt_bare(call->child[i])->type == GZT_POINTER &&
                          gzt_walk(call->child[i], is_set_array, program) != 0);
    return reads && program->form == GZT_IN_PLACE
               ? gzt_refuse(program->source, call->begin,
                            "%s reads %s, where this sweep may have written it already "
                            "(Gauss-Seidel order): write to a second array, or colour the cells",
                            call->decl->name, program->sweep[0].write.array->base)
               : 0;
}

static int check_defined(struct gzt_program *program, const struct gzt_node *call,
                         const struct purity *caller)
{
    enum { DEEPEST = 64 };
    struct purity purity = {program, call->decl, NULL, caller};
    int depth = 0;
    if (is_known(program, call->decl))
        return 0;
    for (const struct purity *p = caller; p; p = p->caller)
        if (p->function == call->decl || ++depth == DEEPEST)
            return gzt_refuse(program->source, call->begin,
                              p->function == call->decl
                                  ? itself
                                  : "%s is called too deep within others: at most 64 calls",
                              call->decl->name);
    if (gzt_refuse_arguments(program->source, call) != 0 || refuse_order(program, call) != 0)
        return -1;
    for (int i = 0; i < call->decl->parameter_count; i++)
        if (!is_number(call->decl->parameters[i]->type))
            return gzt_refuse(
                program->source, call->begin,
                gzt_walk(call->decl->body, is_call_of, call->decl)
                    ? itself
                    : "%s takes a pointer: a function in a sweep must take numbers only, "
                      "or do no more than to declare variables and return a value",
                call->decl->name);
    if (gzt_walk(call->decl->body, is_impure, &purity) != 0) {
        if (purity.bad)
            gzt_refuse(program->source, call->begin,
                       "%s is not pure, because of %s: a function in a sweep must compute its "
                       "result from its arguments only",
                       call->decl->name,
                       purity.bad->kind == GZT_FOR ? "its loop"
                                                   : gzt_node_text(program->source, purity.bad));
        return -1;
    }
    gzt_push(&program->functions, &program->function_count, call->decl);
    return 0;
}

/* Whether an expression is no zero with a sign. */
static bool is_without_sign(const struct gzt_node *node)
{
    const struct gzt_math *known = NULL;
    if (node->kind == GZT_CALL)
        known = gzt_math_of(node);
    if (node->kind == GZT_IMPLICIT || node->kind == GZT_PAREN || node->kind == GZT_CAST)
        return gzt_is_integer(node->child[0]->type) || is_without_sign(node->child[0]);
    return node->kind == GZT_LITERAL_FLOAT || (known && strcmp(known->device, "fabs") == 0);
}

/* A number that is no zero, in a float either. */
static bool is_no_zero(const struct gzt_source *source, const struct gzt_node *node)
{
    node = gzt_bare(node);
    if (node->kind == GZT_UNARY && node->op[0] == '-')
        node = gzt_bare(node->child[0]);
    return node->kind == GZT_LITERAL_FLOAT ? atof(gzt_node_text(source, node)) > 1e-30
                                           : node->kind == GZT_LITERAL_INT && node->value != 0;
}

/* Whether fmin or fmax may meet zeros of both signs: compilers exchange the arguments, unless the
 * second is a number, which then is what is returned. */
static bool leaves_sign_open(const struct gzt_source *source, const struct gzt_math *known,
                             const struct gzt_node *call)
{
    if (strcmp(known->device, "fmin") != 0 && strcmp(known->device, "fmax") != 0)
        return false;
    const struct gzt_node *second = gzt_bare(call->child[1]);
    if (is_no_zero(source, call->child[0]))
        return false;
    if (second->kind == GZT_UNARY && second->op[0] == '-')
        second = gzt_bare(second->child[0]);
    return second->kind != GZT_LITERAL_FLOAT && second->kind != GZT_LITERAL_INT &&
           !(is_without_sign(call->child[0]) && is_without_sign(call->child[1]));
}

/* What to write for a function that each device rounds in its own way. */
static const char *instead_of(const struct gzt_source *source, const struct gzt_node *call)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.[]";
    bool power = call->count == 2 && strncmp(call->decl->name, "pow", 3) == 0;
    const struct gzt_node *by = power ? gzt_bare(call->child[1]) : NULL;
    double exponent = !by                             ? 0
                      : by->kind == GZT_LITERAL_FLOAT ? atof(gzt_node_text(source, by))
                                                      : (double)(by->constant ? by->value : 0);
    const char *x = power ? gzt_node_text(source, gzt_bare(call->child[0])) : "";
    x = x[strspn(x, plain)] ? gzt_format("(%s)", x) : x;
    return exponent == 2   ? gzt_format("write %s * %s", x, x)
           : exponent == 3 ? gzt_format("write %s * %s * %s", x, x, x)
                           : "use a function that all devices round alike";
}

int gzt_check_call(struct gzt_program *program, const struct gzt_node *call)
{
    return check_call(program, call, NULL);
}

static int check_call(struct gzt_program *program, const struct gzt_node *call,
                      const struct purity *caller)
{
    const struct gzt_math *known = gzt_math_of(call);
    if (!call->decl)
        return gzt_refuse(program->source, call->begin,
                          call->op[0] ? "%s: an element must be read by its index"
                                      : "%s: gzc cannot tell which function this is: call one by "
                                        "its name",
                          gzt_node_text(program->source, call));
    if (!known && call->decl->body && call->decl->body->kind == GZT_BLOCK)
        return check_defined(program, call, caller);
    if (!known)
        return gzt_refuse(
            program->source, call->begin,
            "%s is called in the loop%s%s: must be one of the functions of <math.h> that gzc(1) "
            "names, or one that this file defines",
            call->decl->name, gzt_find_math(call->decl) ? " for a " : "",
            gzt_find_math(call->decl) ? call->type_name : "");
    if (!known->exact && !program->source->contract)
        return gzt_refuse(program->source, call->begin,
                          "%s rounds differently from device to device: %s, or allow it by "
                          "--contract",
                          call->decl->name, instead_of(program->source, call));
    if (!program->source->contract && leaves_sign_open(program->source, known, call))
        return gzt_refuse(program->source, call->begin,
                          "%s: of +0 and -0, C leaves open which one %s returns: pass a number as "
                          "its second argument, or values of fabs, or allow it by --contract",
                          gzt_node_text(program->source, call), known->name);
    program->inexact = program->inexact || !known->exact;
    return 0;
}

/* Whether a call is understood if devices must round alike, or need not; leaves no trace. */
static bool may_be_called(const struct gzt_program *program, const struct gzt_node *call,
                          bool alike)
{
    struct gzt_program probe = *program;
    struct gzt_source source = *program->source;
    source.contract = !alike;
    source.reasons = NULL;
    source.reason_count = 0;
    probe.source = &source;
    probe.functions = NULL;
    probe.function_count = 0;
    return gzt_check_call(&probe, call) == 0;
}

/* What keeps the program from computing an expression ahead. */
static int find_foreign(const struct gzt_node *node, void *data)
{
    const struct gzt_visitor *visitor = data;
    return node->kind == GZT_UNKNOWN || node->is_volatile || gzt_is_assignment(node) ||
           (node->kind == GZT_UNARY && strchr("*&", node->op[0])) || gzt_is_state(node, data) ||
           (node->kind == GZT_CALL && !may_be_called(visitor->program, node, false));
}

bool gzt_is_of_host(struct gzt_visitor *visitor, const struct gzt_node *call)
{
    const struct gzt_decl *toggle = visitor->program->toggle;
    bool number = call->type == GZT_INT || call->type == GZT_FLOAT || call->type == GZT_DOUBLE;
    return number && !may_be_called(visitor->program, call, true) &&
           !gzt_depends_on_cell(&visitor->space, call) &&
           !gzt_mentions_local(visitor->sweep, call) &&
           !(toggle && gzt_depends(&visitor->space, call, toggle)) &&
           gzt_walk(call, find_foreign, visitor) == 0;
}

/* A choice by the cell's place: only one of its branches is work. */
static int count_by_place(const struct gzt_space *space, const struct gzt_node *node)
{
    int most = 0;
    for (int i = 1; i < node->count; i++) {
        int count = gzt_count_operations(space, node->child[i]);
        most = count > most ? count : most;
    }
    return most;
}

static bool is_about_place(const struct gzt_space *space, const struct gzt_node *node)
{
    isl_set *set = gzt_condition(space, node);
    isl_set_free(set);
    return set != NULL;
}

/* Of a function that is defined in the file, at least one; counted once, for functions may call
 * others in many ways. */
static int count_body(struct gzt_decl *function)
{
    if (function->operations == 0) {
        int count = gzt_count_operations(NULL, function->body);
        function->operations = count > 0 ? count : 1;
    }
    return function->operations;
}

int gzt_count_operations(const struct gzt_space *space, const struct gzt_node *node)
{
    int count = 0;
    if (node->kind == GZT_SUBSCRIPT)
        return 0;
    if (space && (node->kind == GZT_IF || node->kind == GZT_TERNARY) &&
        is_about_place(space, node->child[0]))
        return count_by_place(space, node);
    if (node->kind == GZT_BINARY)
        count = strcmp(node->op, "&&") != 0 && strcmp(node->op, "||") != 0 &&
                strcmp(node->op, "=") != 0 && strcmp(node->op, ",") != 0;
    if (node->kind == GZT_CALL)
        count = node->decl && node->decl->body ? count_body(node->decl) : 1;
    for (int i = 0; i < node->count && count <= GZT_MOST_OPERATIONS; i++)
        count += gzt_count_operations(space, node->child[i]);
    return count <= GZT_MOST_OPERATIONS ? count : GZT_MOST_OPERATIONS + 1;
}
