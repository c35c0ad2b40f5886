/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problem.h"

#include "operators.h"

#include <math.h>
#include <string.h>

const char *const gzm_operator_names[] = {"star7", "star7vc", "star13", "box27", NULL};
const char *const gzm_edge_names[] = {"periodic", "dirichlet", "neumann", NULL};
const char *const gzm_smoother_names[] = {"gsrb", "jacobi", NULL};

/* The weights are for h = 1: of the element, then of neighbours by their distance as GZM_CENTRE to
 * GZM_CORNER have it. */
static const struct facts {
    enum gzm_form form, walled; /* the second GZM_FORMS if there is none */
    double weights[4], omega;
    int radius, points, beta_reads;
    bool own_column;
} facts[] = {
    [GZM_7_POINT] = {GZM_STAR7, GZM_STAR7_WALLS, {6, 1}, 6. / 7, 1, 7, 0, true},
    [GZM_VARIABLE] = {GZM_STAR7VC, GZM_STAR7VC_WALLS, {0, 0.5}, 6. / 7, 1, 7, 7, true},
    [GZM_13_POINT] = {GZM_STAR13, GZM_FORMS, {7.5, 16. / 12, -1. / 12}, 0.818, 2, 13, 0, true},
    [GZM_27_POINT] =
        {GZM_BOX27, GZM_FORMS, {128. / 30, 14. / 30, 3. / 30, 1. / 30}, 1.049, 1, 27, 0, false},
};

bool gzm_is_singular(const struct gzm_problem *problem)
{
    return problem->edges != GZM_DIRICHLET && problem->lambda == 0;
}

int gzm_loops(const struct gzm_problem *problem)
{
    return problem->smoother == GZM_RED_BLACK ? 2 : 1;
}

int gzm_problem_check(const struct gzm_problem *p, struct gzk_error *error)
{
    const char *name = gzm_operator_names[p->op];
    if (p->edges != GZM_PERIODIC && facts[p->op].walled == GZM_FORMS)
        return gzk_fail(error, GZK_INVALID,
                        "the %s operator has no %s edges: must be periodic, or the operator "
                        "star7 or star7vc",
                        name, gzm_edge_names[p->edges]);
    if (p->smoother == GZM_RED_BLACK && facts[p->op].points != 7)
        return gzk_fail(error, GZK_INVALID,
                        "two colours do not separate the neighbours of the %s operator: must be "
                        "smoother jacobi",
                        name);
    if (p->filter && (p->op != GZM_27_POINT || p->lambda != 0))
        return gzk_fail(
            error, GZK_INVALID,
            "a filtered right-hand side belongs to the box27 operator and lambda 0: leave "
            "the filter out");
    if (!(p->lambda >= 0) || !isfinite(p->lambda) || !(p->omega >= 0) || !isfinite(p->omega))
        return gzk_fail(error, GZK_INVALID, "lambda %g and omega %g: must be 0 or more", p->lambda,
                        p->omega);
    for (int i = 0; i < 3; i++)
        if (p->size[i] < 2)
            return gzk_fail(error, GZK_INVALID, "size %d in dimension %d: must be at least 2",
                            p->size[i], i + 1);
    return 0;
}

struct gzm_grid gzm_grid_of(const struct gzm_problem *problem)
{
    const struct facts *f = &facts[problem->op];
    bool periodic = problem->edges == GZM_PERIODIC;
    return (struct gzm_grid){
        .form = periodic ? f->form : f->walled, .radius = f->radius, .periodic = periodic};
}

/* An expansion of operators.h as the text of a body: what it may read stays as it is. */
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define BODIES(op)                                                                                 \
    [GZM_##op] = {[GZM_DO_APPLY] = TEXT(GZ_UPDATE { return GZM_APPLY(op); }) "\n",                 \
                  [GZM_DO_RESIDUAL] = TEXT(GZ_UPDATE { return GZM_RESIDUAL(op); }) "\n",           \
                  [GZM_DO_JACOBI] = TEXT(GZ_UPDATE { return GZM_JACOBI(op); }) "\n",               \
                  [GZM_DO_RED_BLACK] = TEXT(GZ_UPDATE { GZM_RED_BLACK(op); }) "\n"},
static const char *const bodies[GZM_FORMS][GZM_VERBS] = {GZM_EACH_OPERATOR(BODIES)};

void gzm_stencil_of(const struct gzm_problem *problem, enum gzm_verb verb,
                    struct gzk_stencil *stencil)
{
    static const char *const names[] = {"apply", "residual", "jacobi", "red_black"};
    const struct facts *f = &facts[problem->op];
    const struct gzm_grid grid = gzm_grid_of(problem);
    bool walls = !grid.periodic;
    enum gzk_edge edge = walls ? GZK_EDGE_ZERO : GZK_EDGE_PERIODIC;

    *stencil = (struct gzk_stencil){
        .abi = GZK_STENCIL_ABI,
        .size = sizeof *stencil,
        .name = names[verb],
        .summary = gzm_operator_names[problem->op],
        .body = bodies[grid.form][verb],
        .dimensions = 3,
        .radius = {f->radius, f->radius, f->radius},
        .type = problem->type,
        .edge = {edge, edge, edge},
        .coefficients = walls ? GZM_WALL_COEFS : GZM_PLAIN_COEFS,
        .coefficient_arrays = f->beta_reads > 0 ? 2 : 1,
        /* A multiplication and an addition or two for each kind of neighbour, and the walls. */
        .operations = f->points + 4 + 3 * f->beta_reads + 8 * walls,
        .reads = {f->points, 2 * f->radius + 1, 1 + f->beta_reads, f->own_column},
        .red_black = verb == GZM_DO_RED_BLACK,
    };
}

void gzm_smoother_of(const struct gzm_problem *problem, struct gzk_stencil *stencil)
{
    bool jacobi = problem->smoother == GZM_JACOBI;
    gzm_stencil_of(problem, jacobi ? GZM_DO_JACOBI : GZM_DO_RED_BLACK, stencil);
}

void gzm_set_coefficients(const struct gzm_problem *problem, const int size[3], void *coefficients)
{
    const struct facts *f = &facts[problem->op];
    const double per_h2 = (double)size[0] * size[0];
    bool varies = problem->op == GZM_VARIABLE;
    double image = problem->edges == GZM_DIRICHLET ? 1 : -1, c[GZM_COEFS] = {0};

    for (int k = 0; k < 4; k++)
        c[k] = f->weights[k] * per_h2;
    c[GZM_CENTRE] += problem->lambda;
    /* The face of a wall already has half its own beta, in units of the coefficient. */
    c[GZM_WALL] = per_h2 * (varies ? (image > 0 ? 1.5 : -0.5) : image);
    c[GZM_INVERSE] = 1 / c[GZM_CENTRE];
    c[GZM_OMEGA] = problem->omega > 0 ? problem->omega : f->omega;
    for (int i = 0; i < 3; i++)
        c[GZM_LAST_X + i] = size[i] - 1;
    c[GZM_OWN] = problem->constant ? 1 : 0.75;
    c[GZM_NEXT] = 1 - c[GZM_OWN];
    c[GZM_OUTSIDE] = problem->edges == GZM_PERIODIC ? 0 : -image;
    for (int k = 0; k < GZM_COEFS; k++)
        if (problem->type == GZK_FLOAT)
            ((float *)coefficients)[k] = (float)c[k];
        else
            ((double *)coefficients)[k] = c[k];
}
