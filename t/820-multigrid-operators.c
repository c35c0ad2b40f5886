/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The verbs of multigrid on the host as linear maps, on small grids: against matrices that are put
 * together here face by face, and by what a multigrid's parts must be: symmetric operators,
 * constants in the null space, sweeps that keep a solution, restriction and interpolation by their
 * weights. And a whole solution against a dense solver's.
 */
#include "data.h"
#include "operators.h"
#include "solve.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>

enum { MOST = 512 };
static const double rounding = 1e-12; /* of some hundred roundings, relative to the largest */

static const double zeros[MOST];

struct level {
    struct gzm_problem problem;
    struct gzk_data data;
    struct gzm_grid grid;
    double aux[2 * MOST], coefficients[GZM_COEFS];
};

static void make(struct level *level, struct gzm_problem problem)
{
    level->problem = problem;
    level->data =
        (struct gzk_data){.stride = MOST, .aux = level->aux, .coefficients = level->coefficients};
    memcpy(level->data.size, problem.size, sizeof problem.size);
    level->data.cells = (size_t)(problem.size[0] * problem.size[1] * problem.size[2]);
    gzm_set_coefficients(&level->problem, problem.size, level->coefficients);
    level->grid = gzm_grid_of(&level->problem);
    level->grid.data = &level->data;
    level->grid.zeros = zeros;
    memset(level->aux, 0, sizeof level->aux);
    for (size_t i = 0; i < level->data.cells; i++)
        level->aux[MOST + i] = 0.5 + gzk_random_double(7, i);
}

static void sweep(const struct level *level, enum gzm_verb verb, long loop, const double *from,
                  double *to)
{
    gzm_verbs_double.sweep(&level->grid, verb, loop, from, to);
}

static double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* How far two arrays are apart, over the largest of the second. */
static double apart(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = isnan(a[i]) ? HUGE_VAL : fmax(most, fabs(a[i] - b[i]));
    return most / largest(b, n);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fill(double *v, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        v[i] = gzk_random_double(seed, i) - 0.5;
}

/* The flux form of the 7-point operators, put together face by face: through a face of width h^2
 * between two cells flows beta (u - u') h, and to a Dirichlet wall, half as far, twice as much. */
static void assemble(const struct level *level, double (*matrix)[MOST])
{
    const struct gzm_problem *p = &level->problem;
    const int *size = p->size;
    double per_h2 = (double)size[0] * size[0];
    memset(matrix, 0, sizeof(double[MOST][MOST]));
    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++)
            for (int x = 0; x < size[0]; x++) {
                int cell = (z * size[1] + y) * size[0] + x;
                double beta = p->op == GZM_VARIABLE ? level->aux[MOST + cell] : 1;
                matrix[cell][cell] += p->lambda;
                for (int face = 0; face < 6; face++) {
                    int d = face / 2, to[3] = {x, y, z};
                    to[d] += face % 2 ? 1 : -1;
                    bool wall = p->edges != GZM_PERIODIC && (to[d] < 0 || to[d] >= size[d]);
                    if (wall) {
                        matrix[cell][cell] += p->edges == GZM_DIRICHLET ? 2 * beta * per_h2 : 0;
                        continue;
                    }
                    to[d] = (to[d] + size[d]) % size[d];
                    int other = (to[2] * size[1] + to[1]) * size[0] + to[0];
                    double theirs = p->op == GZM_VARIABLE ? level->aux[MOST + other] : 1;
                    matrix[cell][cell] += (beta + theirs) / 2 * per_h2;
                    matrix[cell][other] -= (beta + theirs) / 2 * per_h2;
                }
            }
}

static double (*matrix)[MOST];

static void check_operator(struct gzm_problem problem)
{
    static struct level level;
    static double u[MOST], v[MOST], au[MOST], av[MOST], ones[MOST], next[MOST];
    make(&level, problem);
    size_t n = level.data.cells;
    bool seven = problem.op == GZM_7_POINT || problem.op == GZM_VARIABLE;
    char name[100];
    snprintf(name, sizeof name, "%s, %s, lambda %g", gzm_operator_names[problem.op],
             gzm_edge_names[problem.edges], problem.lambda);
    fill(u, n, 1);
    fill(v, n, 2);
    sweep(&level, GZM_DO_APPLY, 0, u, au);
    sweep(&level, GZM_DO_APPLY, 0, v, av);
    double scale = largest(au, n) * (double)n;
    tap_ok(fabs(dot(v, au, n) - dot(u, av, n)) < rounding * scale, "%s: symmetric", name);
    tap_ok(dot(u, au, n) > 0, "%s: positive", name);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    sweep(&level, GZM_DO_APPLY, 0, ones, next);
    if (gzm_is_singular(&problem))
        tap_ok(largest(next, n) < rounding * largest(au, n), "%s: constants give 0", name);
    else
        tap_ok(fabs(dot(ones, next, n)) > 1e-3 * largest(au, n), "%s: constants do not give 0",
               name);
    if (seven) {
        assemble(&level, matrix);
        for (size_t i = 0; i < n; i++)
            next[i] = dot(matrix[i], u, n);
        tap_ok(apart(au, next, n) < rounding, "%s: the matrix by faces", name);
    }
    /* Of f = A u, u is a fixed point of every smoother, and the residual is 0; elsewhere it is f -
     * A u. */
    memcpy(level.aux, au, n * sizeof *au);
    sweep(&level, GZM_DO_RESIDUAL, 0, u, next);
    bool zero = largest(next, n) < rounding * largest(au, n);
    sweep(&level, GZM_DO_RESIDUAL, 0, v, next);
    for (size_t i = 0; i < n; i++)
        av[i] = au[i] - av[i];
    tap_ok(zero && apart(next, av, n) < rounding, "%s: residuals", name);
    sweep(&level, GZM_DO_JACOBI, 0, u, next);
    bool kept = apart(next, u, n) < rounding;
    for (long loop = 0; loop < 2 && seven; loop++) {
        sweep(&level, GZM_DO_RED_BLACK, loop, u, next);
        kept = kept && apart(next, u, n) < rounding;
    }
    tap_ok(kept, "%s: sweeps keep a solution", name);
    if (!seven)
        return;
    /* A colour's sweep leaves no residual there: neighbours have the other colour if extents are
     * even. */
    sweep(&level, GZM_DO_RED_BLACK, 0, v, u);
    sweep(&level, GZM_DO_RESIDUAL, 0, u, next);
    double left = 0, others = 0;
    for (size_t i = 0; i < n; i++) {
        int x = (int)i % problem.size[0], y = (int)i / problem.size[0] % problem.size[1];
        int z = (int)i / problem.size[0] / problem.size[1];
        double *which = (x + y + z) % 2 == 0 ? &left : &others;
        *which = fmax(*which, fabs(next[i]));
    }
    tap_ok(left < rounding * others, "%s: a red sweep solves for the red elements", name);
}

/* The weight of coarse element `from` in fine element `to` along an axis of so many coarse ones:
 * 3/4 of the one around it, and 1/4 of the next one, or of that one's image. */
static double weight(enum gzm_edges edges, int to, int from, int extent)
{
    int next = to / 2 + (to % 2 ? 1 : -1);
    double own = from == to / 2, image = edges == GZM_NEUMANN ? 1 : -1;
    if (next >= 0 && next < extent)
        return 0.75 * own + 0.25 * (from == next);
    return edges == GZM_PERIODIC ? 0.75 * own + 0.25 * (from == (next + extent) % extent)
                                 : (0.75 + 0.25 * image) * own;
}

/* P and R by their columns, on a level of 8x4x6. */
static void check_transfer(enum gzm_edges edges)
{
    static struct level level;
    static double unit[MOST], column[MOST];
    const struct gzm_problem problem = {.edges = edges, .type = GZK_DOUBLE, .size = {8, 4, 6}};
    const int cx = 4, cy = 2, cz = 3;
    make(&level, problem);
    size_t n = level.data.cells, coarse = n / 8, wrong[2] = {0, 0};

    for (size_t k = 0; k < coarse; k++) {
        int x = (int)k % cx, y = (int)k / cx % cy, z = (int)k / cx / cy;
        memset(unit, 0, sizeof unit);
        memset(column, 0, sizeof column);
        unit[k] = 1;
        gzm_verbs_double.prolong(&level.grid, unit, column);
        for (int i = 0; i < (int)n; i++)
            wrong[0] += column[i] != weight(edges, i % 8, x, cx) * weight(edges, i / 8 % 4, y, cy) *
                                         weight(edges, i / 32, z, cz);
    }
    for (int i = 0; i < (int)n; i++) {
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        gzm_verbs_double.restrict_to(&level.grid, unit, column);
        size_t around = (size_t)((i / 64 * cy + i / 8 % 4 / 2) * cx + i % 8 / 2);
        for (size_t k = 0; k < coarse; k++)
            wrong[1] += column[k] != (k == around ? 0.125 : 0);
    }
    tap_ok(wrong[0] == 0, "%s: interpolation weighs by 3/4 and 1/4 along each axis",
           gzm_edge_names[edges]);
    tap_ok(wrong[1] == 0, "%s: restriction is the mean of eight", gzm_edge_names[edges]);
}

static void check_dense(struct gzm_problem problem)
{
    static struct level level;
    static struct gzm_history history;
    static double f[MOST], u[MOST], want[MOST];
    const struct gzm_effort effort = {.cycle = GZ_CYCLE_V, .tolerance = 1e-14, .most = 60};
    struct gzm_setup setup = {.problem = problem, .sweeps = {2, 2}};
    struct gzk_error error = {0};
    struct gzm *mg = NULL;
    int sign;

    make(&level, problem);
    size_t n = level.data.cells;
    fill(f, n, 3);
    assemble(&level, matrix);
    gsl_matrix *a = gsl_matrix_alloc(n, n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            gsl_matrix_set(a, i, k, matrix[i][k]);
    gsl_vector_view right = gsl_vector_view_array(f, n), solution = gsl_vector_view_array(want, n);
    gsl_linalg_LU_decomp(a, order, &sign);
    gsl_linalg_LU_solve(a, order, &right.vector, &solution.vector);
    gsl_matrix_free(a);
    gsl_permutation_free(order);
    bool solved = gzm_open(NULL, &setup, level.aux + MOST, &mg, &error) == 0 &&
                  gzm_put(mg, f, NULL) == 0 && gzm_solve(mg, &effort, &history) == 0 &&
                  gzm_get(mg, u) == 0;
    double difference = apart(u, want, n);
    tap_ok(solved && difference < 1e-12, "%s, %s: %d levels, the solution of a dense solver",
           gzm_operator_names[problem.op], gzm_edge_names[problem.edges], mg ? gzm_levels(mg) : 0);
    tap_note("apart by %.2g after %d cycles", difference, history.cycles);
    gzm_close(mg);
}

int main(void)
{
    matrix = calloc(MOST, sizeof *matrix);
    if (!matrix)
        return 1;
    for (int op = GZM_7_POINT; op <= GZM_VARIABLE; op++)
        for (int edges = GZM_PERIODIC; edges <= GZM_NEUMANN; edges++)
            check_operator((struct gzm_problem){.op = (enum gzm_operator)op,
                                                .edges = (enum gzm_edges)edges,
                                                .type = GZK_DOUBLE,
                                                .size = {8, 4, 6}});
    for (int edges = GZM_PERIODIC; edges <= GZM_NEUMANN; edges += 2)
        for (int op = GZM_7_POINT; op <= GZM_VARIABLE; op++)
            check_operator((struct gzm_problem){.op = (enum gzm_operator)op,
                                                .edges = (enum gzm_edges)edges,
                                                .type = GZK_DOUBLE,
                                                .size = {2, 8, 4},
                                                .lambda = 30});
    check_operator((struct gzm_problem){.op = GZM_13_POINT, .type = GZK_DOUBLE, .size = {8, 4, 6}});
    check_operator((struct gzm_problem){.op = GZM_27_POINT, .type = GZK_DOUBLE, .size = {8, 4, 6}});
    check_operator(
        (struct gzm_problem){.op = GZM_125_POINT, .type = GZK_DOUBLE, .size = {8, 4, 6}});
    for (int edges = GZM_PERIODIC; edges <= GZM_NEUMANN; edges++)
        check_transfer((enum gzm_edges)edges);
    check_dense((struct gzm_problem){
        .op = GZM_VARIABLE, .edges = GZM_DIRICHLET, .type = GZK_DOUBLE, .size = {8, 8, 8}});
    check_dense((struct gzm_problem){.op = GZM_7_POINT,
                                     .edges = GZM_NEUMANN,
                                     .type = GZK_DOUBLE,
                                     .size = {6, 10, 4},
                                     .lambda = 2});
    free(matrix);
    return tap_done();
}
