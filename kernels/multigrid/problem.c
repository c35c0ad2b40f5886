/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problem.h"

#include "operators.h"

#include <math.h>
#include <string.h>

const char *const gzm_operator_names[] = {"star7", "star7vc", "star13", "box27", "box125", NULL};
const char *const gzm_edge_names[] = {"periodic", "dirichlet", "neumann", NULL};
const char *const gzm_smoother_names[] = {"gsrb", "jacobi", NULL};

/* The 27-point operator's symbol, X + Y + Z - sum X Y / 6 + X Y Z / 30 in the negative second
 * differences X to Z along the axes, is 1 - sum X / 12 - sum X^2 / 240 + sum X Y / 90 times the
 * squared wave number k^2 = x + y + z, to order 6; so that is what filters the right-hand side. */
static const struct gzm_filter box27_filter = {
    2,
    4,
    {{{0, 0, 0}, 67. / 120}, {{0, 0, 1}, 1. / 18}, {{0, 0, 2}, -1. / 240}, {{0, 1, 1}, 1. / 90}}};

/* Of order 10 with a filter are the symmetric operators on 125 points whose symbol is k^2 times a
 * polynomial in x, y and z, the squares of its components, up to degree 5: the symbol's terms of
 * each degree must vanish where x + y + z = 0. In terms of the elementary symmetric polynomials e2
 * and e3, all that is left there, these are four conditions (e2, e3, e2^2 and e2 e3), and with sum
 * 0 and scale 1 six for ten weights. Of the four parameters left, these weights take those with the
 * least sum of the 124 neighbours' squares, so that they solve a linear system in rational numbers;
 * all neighbours' weights are positive. The quotient of degree 4, with x = X + X^2 / 12 + X^3 / 90
 * + X^4 / 560 + ..., is the filter. */
#define BOX125(numerator) (numerator / 1136614627621200.)
#define BOX125_FILTER(numerator) (numerator / 6874245267853017600.)
static const struct gzm_filter box125_filter = {4,
                                                11,
                                                {{{0, 0, 0}, BOX125_FILTER(1470927947807953362.)},
                                                 {{0, 0, 1}, BOX125_FILTER(284215564466663788.)},
                                                 {{0, 0, 2}, BOX125_FILTER(28274637201445404.)},
                                                 {{0, 0, 3}, BOX125_FILTER(659203834207300.)},
                                                 {{0, 0, 4}, BOX125_FILTER(126442942865277.)},
                                                 {{0, 1, 1}, BOX125_FILTER(223793735271823472.)},
                                                 {{0, 1, 2}, BOX125_FILTER(1294688096960692.)},
                                                 {{0, 1, 3}, BOX125_FILTER(-906374258704264.)},
                                                 {{0, 2, 2}, BOX125_FILTER(2535749023510850.)},
                                                 {{1, 1, 1}, BOX125_FILTER(60352416129051648.)},
                                                 {{1, 1, 2}, BOX125_FILTER(13148731528308096.)}}};

/* The weights are for h = 1: of the element, then of neighbours by their distance as GZM_CENTRE to
 * GZM_CORNER have it, and those from GZM_MORE on. */
static const struct facts {
    enum gzm_form form, walled; /* the second GZM_FORMS if there is none */
    double weights[10], omega;
    int radius, points, beta_reads;
    bool own_column;
    const struct gzm_filter *filter;
} facts[] = {
    [GZM_7_POINT] = {GZM_STAR7, GZM_STAR7_WALLS, {6, 1}, 6. / 7, 1, 7, 0, true, NULL},
    [GZM_VARIABLE] = {GZM_STAR7VC, GZM_STAR7VC_WALLS, {0, 0.5}, 6. / 7, 1, 7, 7, true, NULL},
    [GZM_13_POINT] =
        {GZM_STAR13, GZM_FORMS, {7.5, 16. / 12, -1. / 12}, 0.818, 2, 13, 0, true, NULL},
    [GZM_27_POINT] = {GZM_BOX27,
                      GZM_FORMS,
                      {128. / 30, 14. / 30, 3. / 30, 1. / 30},
                      1.049,
                      1,
                      27,
                      0,
                      false,
                      &box27_filter},
    [GZM_125_POINT] = {GZM_BOX125,
                       GZM_FORMS,
                       {BOX125(1361467716396500.), BOX125(5150076740792.), BOX125(6466753660404.),
                        BOX125(5837577592871.), BOX125(36982255913738.), BOX125(23180324408375.),
                        BOX125(13886868561097.), BOX125(3186487496916.), BOX125(2216673376208.),
                        BOX125(415176692774.)},
                       1.008,
                       2,
                       125,
                       0,
                       false,
                       &box125_filter},
};

bool gzm_is_singular(const struct gzm_problem *problem)
{
    return problem->edges != GZM_DIRICHLET && problem->lambda == 0;
}

int gzm_loops(const struct gzm_problem *problem)
{
    return problem->smoother == GZM_RED_BLACK ? 2 : 1;
}

const struct gzm_filter *gzm_filter_of(const struct gzm_problem *problem)
{
    return facts[problem->op].filter;
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
    if (p->filter && (!facts[p->op].filter || p->lambda != 0))
        return gzk_fail(error, GZK_INVALID,
                        "a filtered right-hand side belongs to the operators box27 and box125 "
                        "with lambda 0: leave the filter out");
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
    [GZM_##op] = {[GZM_DO_APPLY] = TEXT(GZ_UPDATE { GZM_APPLY(op); }) "\n",                        \
                  [GZM_DO_RESIDUAL] = TEXT(GZ_UPDATE { GZM_RESIDUAL(op); }) "\n",                  \
                  [GZM_DO_JACOBI] = TEXT(GZ_UPDATE { GZM_JACOBI(op); }) "\n",                      \
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
        .coefficients = walls || problem->op == GZM_125_POINT ? GZM_COEFS : GZM_PLAIN_COEFS,
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

    for (int k = 0; k < 10; k++)
        c[k < GZM_OMEGA ? k : GZM_MORE + k - GZM_OMEGA] = f->weights[k] * per_h2;
    c[GZM_CENTRE] += problem->lambda;
    /* The face of a wall already has half its own beta, in units of the coefficient. */
    c[GZM_WALL] = per_h2 * (varies ? (image > 0 ? 1.5 : -0.5) : image);
    for (int walls = 0; walls < 4 && problem->edges != GZM_PERIODIC; walls++) {
        c[GZM_CENTRES + walls] = c[GZM_CENTRE] + walls * c[GZM_WALL];
        c[GZM_INVERSES + walls] = 1 / c[GZM_CENTRES + walls];
    }
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
