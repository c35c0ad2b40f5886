/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scan.h"

#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/printer.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <limits.h>
#include <string.h>

const char *const ir_scan_functions =
    "static __inline__ __attribute__((unused)) long gz_min(long a, long b) { return a < b ? a : b; "
    "}\n"
    "static __inline__ __attribute__((unused)) long gz_max(long a, long b) { return a > b ? a : b; "
    "}\n"
    "static __inline__ __attribute__((unused)) long gz_floor(long a, long b)\n"
    "{ return a / b - (a % b != 0 && (a < 0) != (b < 0)); }\n";

/* -------------------------------------------------------------------------------- parameters */

struct ir_value *ir_scan_parameter(const struct ir_affine *a, isl_id *id,
                                   const struct ir_loop **loop)
{
    void *user = isl_id_get_user(id);
    *loop = NULL;
    for (int i = 0; i < a->ir->loops; i++)
        if (user == a->ir->loop[i])
            *loop = a->ir->loop[i];
    return *loop ? NULL : user;
}

static isl_id *named(const struct ir_affine *a, isl_id *id)
{
    const struct ir_loop *loop;
    const struct ir_value *value = ir_scan_parameter(a, id, &loop);
    const struct ir_value *counter = loop ? a->turns[loop->number].counter : NULL;
    if (value && a->named)
        a->named[value->number] = 1;
    /* Counters have C's type, in which differences may not be below zero, nor products large. */
    const char *name = counter ? gzt_format("(long)gz_t%d", counter->number)
                       : loop  ? gzt_format("gz_c%d", loop->number)
                               : gzt_format("gz_p%d", value->number);
    return isl_id_alloc(a->isl, name, NULL);
}

static isl_set *named_set(const struct ir_affine *a, isl_set *set)
{
    for (int i = 0; i < isl_set_dim(set, isl_dim_param); i++)
        set = isl_set_set_dim_id(set, isl_dim_param, (unsigned)i,
                                 named(a, isl_set_get_dim_id(set, isl_dim_param, (unsigned)i)));
    return set;
}

static isl_ast_build *build(const struct ir_affine *a)
{
    return isl_ast_build_from_context(isl_set_params(named_set(a, isl_set_copy(a->context))));
}

/* --------------------------------------------------------------------------------- printing */

static isl_printer *printer(isl_ctx *isl)
{
    isl_printer *p = isl_printer_set_output_format(isl_printer_to_str(isl), ISL_FORMAT_C);
    p = isl_ast_op_type_set_print_name(p, isl_ast_op_min, "gz_min");
    p = isl_ast_op_type_set_print_name(p, isl_ast_op_max, "gz_max");
    return isl_ast_op_type_set_print_name(p, isl_ast_op_fdiv_q, "gz_floor");
}

/* What isl makes; `made` may be NULL. */
static bool is_made(struct ir_affine *a, const void *made)
{
    a->unwritten = a->unwritten || !made;
    isl_ctx_reset_error(a->isl);
    return made;
}

static const char *text_of(isl_ast_expr *expr)
{
    isl_printer *p = printer(isl_ast_expr_get_ctx(expr));
    p = isl_printer_print_ast_expr(p, expr);
    return gzt_format("(%s)", isl_printer_get_str(p));
}

const char *ir_scan_value(struct ir_affine *a, isl_pw_aff *f)
{
    f = isl_pw_aff_drop_unused_params(f);
    unsigned count = (unsigned)isl_pw_aff_dim(f, isl_dim_param);
    unsigned cells = (unsigned)isl_pw_aff_dim(f, isl_dim_in);
    for (unsigned i = 0; i < count; i++)
        f = isl_pw_aff_set_dim_id(f, isl_dim_param, i,
                                  named(a, isl_pw_aff_get_dim_id(f, isl_dim_param, i)));
    for (unsigned i = 0; i < cells; i++) {
        const char *name = i + 1 < cells ? gzt_format("gz_z%u", i) : "gz_x";
        f = isl_pw_aff_set_dim_id(f, isl_dim_in, i, isl_id_alloc(a->isl, name, NULL));
    }
    f = isl_pw_aff_reset_tuple_id(f, isl_dim_in);
    f = isl_pw_aff_move_dims(f, isl_dim_param, count, isl_dim_in, 0, cells);
    f = isl_pw_aff_project_domain_on_params(f);
    isl_ast_build *all = build(a);
    isl_ast_expr *expr = isl_ast_build_expr_from_pw_aff(all, isl_pw_aff_coalesce(f));
    return is_made(a, expr) ? text_of(expr) : "0";
}

/* A set without what a long cannot be; takes it. */
static isl_set *within_long(isl_set *set)
{
    isl_set *all = isl_set_universe(isl_set_get_space(set));
    for (unsigned i = 0; i < (unsigned)isl_set_dim(set, isl_dim_param); i++) {
        isl_ctx *isl = isl_set_get_ctx(set);
        all = isl_set_lower_bound_val(all, isl_dim_param, i, isl_val_int_from_si(isl, LONG_MIN));
        all = isl_set_upper_bound_val(all, isl_dim_param, i, isl_val_int_from_si(isl, LONG_MAX));
    }
    return isl_set_gist(set, all);
}

struct ir_scanned {
    isl_set *set;
    const char *test;    /* of parameters */
    isl_ast_node *loops; /* over the elements */
};

/* The entry of a set, which is taken. A condition guards many numbers and rows, and loops are
 * needed again, so each is made once. */
static struct ir_scanned *scanned(struct ir_affine *a, isl_set *set)
{
    for (int i = 0; i < a->scans; i++)
        if (isl_set_plain_is_equal(a->scanned[i]->set, set) == isl_bool_true)
            return a->scanned[i];
    struct ir_scanned *scanned = gzt_alloc(sizeof *scanned);
    scanned->set = set;
    gzt_push(&a->scanned, &a->scans, scanned);
    return scanned;
}

const char *ir_scan_test(struct ir_affine *a, isl_set *set)
{
    struct ir_scanned *own = scanned(a, named_set(a, isl_set_params(set)));
    if (!own->test) {
        isl_ast_expr *expr = isl_ast_build_expr_from_set(
            isl_ast_build_alloc(a->isl), isl_set_coalesce(within_long(isl_set_copy(own->set))));
        own->test = is_made(a, expr) ? text_of(expr) : "0";
    }
    return own->test;
}

/* ------------------------------------------------------------------------------------- loops */

struct scan {
    ir_scan_row *row;
    void *data;
};

enum { MOST = 8 };

/* The coordinates of a statement, the last of them included. */
static int coordinates(isl_ast_node *user, const char *at[MOST])
{
    isl_ast_expr *call = isl_ast_node_user_get_expr(user);
    int count = (int)isl_ast_expr_get_op_n_arg(call) - 1;
    for (int i = 0; i < count; i++)
        at[i] = text_of(isl_ast_expr_get_op_arg(call, i + 1));
    return count;
}

static isl_printer *print_user(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node,
                               void *data)
{
    struct scan *scan = data;
    const char *at[MOST];
    int count = coordinates(node, at);
    (void)options;
    p = isl_printer_start_line(p);
    p = isl_printer_print_str(p, scan->row(scan->data, at, at[count - 1], NULL));
    return isl_printer_end_line(p);
}

/* Where a loop ends, if it counts by one and its body is one statement with its counter last, and
 * there alone; else NULL. */
static const char *end_of_row(isl_ast_node *loop, const char *at[MOST])
{
    const char *end = NULL;
    isl_ast_node *body = isl_ast_node_for_get_body(loop);
    if (!isl_ast_node_for_is_degenerate(loop) && isl_ast_node_get_type(body) == isl_ast_node_user) {
        int count = coordinates(body, at);
        const char *by = text_of(isl_ast_node_for_get_inc(loop));
        const char *name = text_of(isl_ast_node_for_get_iterator(loop));
        isl_ast_expr *holds = isl_ast_node_for_get_cond(loop);
        bool below = isl_ast_expr_get_op_type(holds) == isl_ast_op_lt;
        end = text_of(isl_ast_expr_get_op_arg(holds, 1));
        end = below ? end : gzt_format("(%s + 1)", end);
        if (strcmp(by, "(1)") != 0 || strcmp(name, at[count - 1]) != 0)
            end = NULL;
        for (int i = 0; i + 1 < count; i++) /* a diagonal is no row */
            end = strstr(at[i], gzt_copy(name + 1, strlen(name) - 2)) ? NULL : end;
    }
    return end;
}

/* A loop that declares its variable before it, as C of 1989 does. */
static isl_printer *print_plain(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node)
{
    const char *name = isl_ast_expr_to_C_str(isl_ast_node_for_get_iterator(node));
    const char *low = text_of(isl_ast_node_for_get_init(node)),
               *holds = text_of(isl_ast_node_for_get_cond(node)),
               *by = text_of(isl_ast_node_for_get_inc(node));
    p = isl_printer_print_str(p, gzt_format("{\nlong %s;\nfor (%s = %s; %s; %s += %s)\n", name,
                                            name, low, holds, name, by));
    p = isl_ast_node_print(isl_ast_node_for_get_body(node), p, options);
    return isl_printer_print_str(p, "}\n");
}

static isl_printer *print_for(isl_printer *p, isl_ast_print_options *options, isl_ast_node *node,
                              void *data)
{
    struct scan *scan = data;
    const char *at[MOST], *end = end_of_row(node, at);
    if (!end && isl_ast_node_for_is_degenerate(node))
        return isl_ast_node_for_print(node, p, options);
    if (!end)
        return print_plain(p, options, node);
    p = isl_printer_start_line(p);
    const char *low = text_of(isl_ast_node_for_get_init(node));
    p = isl_printer_print_str(p, scan->row(scan->data, at, low, end));
    return isl_printer_end_line(p);
}

/* Loops over a set, which is taken; NULL if isl could make none. */
static isl_ast_node *loops_over(struct ir_affine *a, isl_set *set)
{
    struct ir_scanned *own = scanned(a, set);
    if (own->loops)
        return own->loops;
    isl_options_set_ast_iterator_type(a->isl, "long");
    isl_id_list *names = isl_id_list_alloc(a->isl, MOST);
    for (int i = 0; i < MOST; i++)
        names = isl_id_list_add(names, isl_id_alloc(a->isl, gzt_format("gz_i%d", i), NULL));
    isl_ast_build *all = isl_ast_build_set_iterators(build(a), names);
    set = isl_set_set_tuple_name(isl_set_coalesce(isl_set_copy(own->set)), "S");
    isl_map *order = isl_map_reset_tuple_id(isl_set_identity(set), isl_dim_out);
    own->loops = isl_ast_build_node_from_schedule_map(all, isl_union_map_from_map(order));
    is_made(a, own->loops);
    return own->loops;
}

const char *ir_scan_loops(struct ir_affine *a, isl_set *set, ir_scan_row *row, void *data)
{
    struct scan scan = {row, data};
    /* In one order of the parameters, equal sets are found to be so. */
    set = isl_set_align_params(set, isl_set_get_space(a->context));
    isl_ast_node *node = loops_over(a, named_set(a, set));
    if (!node)
        return "";
    isl_ast_print_options *options = isl_ast_print_options_alloc(a->isl);
    options = isl_ast_print_options_set_print_user(options, print_user, &scan);
    options = isl_ast_print_options_set_print_for(options, print_for, &scan);
    return isl_printer_get_str(isl_ast_node_print(node, printer(a->isl), options));
}
