/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problem.h"

#include "data.h"
#include "operators.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const gzm_operator_names[] = {"star7", "star7vc", "star13", "box27", "box125", NULL};
const char *const gzm_edge_names[] = {"periodic", "dirichlet", "neumann", NULL};
const char *const gzm_smoother_names[] = {"gsrb", "jacobi", NULL};

/* A weight is a polynomial in lambda h^2; that of the unfiltered operator has the first term only.
 */
enum { WEIGHTS = 10, POWERS = 6 };

/* The 27-point operator's symbol, X + Y + Z - sum X Y / 6 + X Y Z / 30 in the negative second
 * differences X to Z along the axes, is 1 - sum X / 12 - sum X^2 / 240 + sum X Y / 90 times the
 * squared wave number k^2 = x + y + z, to order 6; so that is what filters the right-hand side.
 * With u = lambda h^2, 6 u / 5 + 7 u^2 / 60 + u^3 / 180 more on the element and u / 30 less on
 * those across faces make the symbol that of k^2 + u times a filter, to the same order. */
static const struct gzm_filter box27_filter = {2,
                                               4,
                                               {{{0, 0, 0}, {67. / 120, 1. / 12, 1. / 180}},
                                                {{0, 0, 1}, {1. / 18, 1. / 180}},
                                                {{0, 0, 2}, {-1. / 240}},
                                                {{0, 1, 1}, {1. / 90}}}};

/* Of order 10 with a filter are the symmetric operators on 125 points whose symbol is k^2 times a
 * polynomial in x, y and z, the squares of its components, up to degree 5: the symbol's terms of
 * each degree must vanish where x + y + z = 0. In terms of the elementary symmetric polynomials e2
 * and e3, all that is left there, these are four conditions (e2, e3, e2^2 and e2 e3), and with sum
 * 0 and scale 1 six for ten weights. Of the four parameters left, these weights take those with the
 * least sum of the 124 neighbours' squares, so that they solve a linear system in rational numbers;
 * all neighbours' weights are positive. The quotient of degree 4, with x = X + X^2 / 12 + X^3 / 90
 * + X^4 / 560 + ..., is the filter. With lambda the terms must vanish where x + y + z = -u, of u's
 * own degree 1: eleven conditions more for powers of u, met by the element, those at 001 and 002,
 * and one at 011; all fractions are exact solutions. */
static const struct gzm_filter box125_filter = {
    4,
    11,
    {
        {{0, 0, 0},
         {2694007230417497. / 12590192798265600., 40696269946782517. / 143213443080271200.,
          366870416594291. / 4896186088214400., 541099398415237. / 63650419146787200.,
          530412935239757. / 1145707544642169600.}},
        {{0, 0, 1},
         {1450079410544203. / 35072679938025600., 4297741177763879. / 163672506377452800.,
          1000458387778663. / 286426886160542400., 530412935239757. / 1145707544642169600.}},
        {{0, 0, 2},
         {16028705896511. / 3896964437558400., -5132396627770891. / 1432134430802712000.,
          -546442630002977. / 1145707544642169600.}},
        {{0, 0, 3},
         {6592038342073. / 68742452678530176., 4114141317927397. / 17185613169632544000.}},
        {{0, 0, 4}, {42147647621759. / 2291415089284339200.}},
        {{0, 1, 1},
         {1998158350641281. / 61377189891544800., 283914477734971. / 57285377232108480.,
          530412935239757. / 572853772321084800.}},
        {{0, 1, 2}, {46238860605739. / 245508759566179200., 9436031058137. / 1145707544642169600.}},
        {{0, 1, 3}, {-16185254619719. / 122754379783089600.}},
        {{0, 2, 2}, {1034999601433. / 2805814395042048.}},
        {{1, 1, 1}, {1871044646858. / 213115242678975., 530412935239757. / 190951257440361600.}},
        {{1, 1, 2}, {4891641193567. / 2557382912147700.}},
    }};

/* The weights are for h = 1: of the element, then of neighbours by their distance as GZM_CENTRE to
 * GZM_CORNER have it, and those from GZM_MORE on. */
static const struct facts {
    enum gzm_form form, walled; /* the second GZM_FORMS if there is none */
    double weights[WEIGHTS][POWERS], omega;
    int radius, points, beta_reads;
    bool own_column;
    const struct gzm_filter *filter;
} facts[] = {
    [GZM_7_POINT] = {GZM_STAR7, GZM_STAR7_WALLS, {{6}, {1}}, 6. / 7, 1, 7, 0, true, NULL},
    [GZM_VARIABLE] = {GZM_STAR7VC, GZM_STAR7VC_WALLS, {{0}, {0.5}}, 6. / 7, 1, 7, 7, true, NULL},
    [GZM_13_POINT] =
        {GZM_STAR13, GZM_FORMS, {{7.5}, {16. / 12}, {-1. / 12}}, 0.818, 2, 13, 0, true, NULL},
    [GZM_27_POINT] =
        {GZM_BOX27,
         GZM_FORMS,
         {{128. / 30, 6. / 5, 7. / 60, 1. / 180}, {14. / 30, 1. / 30}, {3. / 30}, {1. / 30}},
         1.049,
         1,
         27,
         0,
         false,
         &box27_filter},
    [GZM_125_POINT] =
        {GZM_BOX125,
         GZM_FORMS,
         {
             {13614677163965. / 11366146276212., 136304869879073. / 54124506077200.,
              95285057383121. / 108249012154400., 1337394458957003. / 9547562872018080.,
              538427782621367. / 47737814360090400., 530412935239757. / 1145707544642169600.},
             {643759592599. / 142076828452650., 258641367931537. / 994537799168550.,
              3057982729445711. / 47737814360090400., 285954177912167. / 47737814360090400.},
             {538896138367. / 94717885635100., 6179432649029. / 7956302393348400.},
             {5837577592871. / 1136614627621200.},
             {18491127956869. / 568307313810600., -136141791208931. / 15912604786696800.,
              -24343521513167. / 19095125744036160.},
             {927212976335. / 45464585104848.},
             {1983838365871. / 162373518231600.},
             {265540624743. / 94717885635100.},
             {138542086013. / 71038414226325.},
             {207588346387. / 568307313810600.},
         },
         1.008,
         2,
         125,
         0,
         false,
         &box125_filter},
};

/* c[0] + c[1] u + ... */
static double polynomial(const double *c, int count, double u)
{
    double sum = 0;
    for (int k = count - 1; k >= 0; k--)
        sum = sum * u + c[k];
    return sum;
}

/* How many elements lie at such distances. */
static int multiplicity(const int d[3])
{
    int orders = d[0] == d[1] && d[1] == d[2] ? 1 : d[0] == d[1] || d[1] == d[2] ? 3 : 6;
    return orders * (1 << ((d[0] > 0) + (d[1] > 0) + (d[2] > 0)));
}

/* The filter for lambda h^2 = u; operator and filter are divided by the sum of its weights, so that
 * constants are not changed, and levels of different h agree. */
static double fill_filter(const struct gzm_filter *f, double u, struct gzm_filter *filter)
{
    double sum = 0;
    *filter = *f;
    for (int k = 0; k < f->count; k++) {
        filter->points[k].weight[0] = polynomial(f->points[k].weight, POWERS - 1, u);
        sum += multiplicity(f->points[k].distance) * filter->points[k].weight[0];
    }
    for (int k = 0; k < f->count; k++)
        filter->points[k].weight[0] /= sum;
    return sum;
}

void gzm_filter_of(const struct gzm_problem *problem, struct gzm_filter *filter)
{
    double h = 1. / problem->size[0];
    fill_filter(facts[problem->op].filter, problem->lambda * h * h, filter);
}

bool gzm_is_singular(const struct gzm_problem *problem)
{
    double epsilon = problem->type == GZK_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    return problem->edges != GZM_DIRICHLET && problem->lambda < epsilon;
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
    if (p->filter && !facts[p->op].filter)
        return gzk_fail(error, GZK_INVALID,
                        "a filtered right-hand side belongs to the operators box27 and box125: "
                        "leave the filter out");
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
#define BODY(op, verb) [GZM_DO_##verb] = TEXT(GZ_UPDATE { GZM_##verb(op); }) "\n",
#define BODIES(op) [GZM_##op] = {GZM_EACH_VERB(BODY, op)},
static const char *const bodies[GZM_FORMS][GZM_VERBS] = {GZM_EACH_OPERATOR(BODIES)};

void gzm_stencil_of(const struct gzm_problem *problem, enum gzm_verb verb,
                    struct gzk_stencil *stencil)
{
    static const char *const names[] = {"apply", "residual", "jacobi", "red_black"};
    const struct facts *f = &facts[problem->op];
    const struct gzm_grid grid = gzm_grid_of(problem);
    bool walls = !grid.periodic;
    gz_edge edge = walls ? GZ_EDGE_ZERO : GZ_EDGE_PERIODIC;

    *stencil = (struct gzk_stencil){
        .abi = GZK_STENCIL_ABI,
        .size = sizeof *stencil,
        .name = names[verb],
        .summary = gzm_operator_names[problem->op],
        .body = bodies[grid.form][verb],
        .dim = 3,
        .radius = {f->radius, f->radius, f->radius},
        GZK_TYPE(problem->type),
        .edge = {edge, edge, edge},
        .coefficients = walls || problem->op == GZM_125_POINT ? GZM_PLACE : GZM_PLAIN_COEFS,
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

    double u = problem->filter ? problem->lambda / per_h2 : 0, scale = per_h2;
    struct gzm_filter filter;
    if (problem->filter)
        scale /= fill_filter(f->filter, u, &filter);
    for (int k = 0; k < WEIGHTS; k++)
        c[k < GZM_OMEGA ? k : GZM_MORE + k - GZM_OMEGA] =
            polynomial(f->weights[k], POWERS, u) * scale;
    c[GZM_CENTRE] += problem->filter ? 0 : problem->lambda;
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
    c[GZM_OUTSIDE] = problem->edges == GZM_PERIODIC ? 0 : -image;
    for (size_t k = 0; k < GZM_COEFS; k++)
        gzk_set_element(coefficients, problem->type, k, c[k]);
}

double gzm_operator_norm(const struct gzm_problem *problem, const void *coefficients, double beta)
{
    double centre = gzk_element(coefficients, problem->type, GZM_CENTRE);
    double near = gzk_element(coefficients, problem->type, GZM_NEAR);
    bool varies = problem->op == GZM_VARIABLE;
    /* The neighbours' weights add up to the element's own without lambda; those of 13 points, of
     * both signs, to a seventh more. A wall adds what it takes from the neighbours. */
    return varies ? centre + 2 * 12 * near * beta : 2.2 * centre;
}
