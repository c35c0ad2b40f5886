/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_fit.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The size from which residuals count less than by their square. */
static const double softness = 0.1;

/* The normal equations about a point: A = J' W J + priors, c = -J' W r - priors' pull, for steps in
 * b. */
typedef struct system {
    int n;
    double *a, *step, *pull; /* n x n; n; n */
    double *runs;            /* A without priors */
    double *row;             /* one row of J */
    gsl_matrix *part;
    gsl_vector *solution;
} system_t;

static void free_system(system_t *s)
{
    free(s->a);
    free(s->step);
    free(s->pull);
    free(s->runs);
    free(s->row);
    if (s->part)
        gsl_matrix_free(s->part);
    if (s->solution)
        gsl_vector_free(s->solution);
}

static int make_system(system_t *s, int n)
{
    size_t k = (size_t)n;
    *s = (system_t){.n = n};
    s->a = calloc(k * k, sizeof *s->a);
    s->runs = calloc(k * k, sizeof *s->runs);
    s->step = calloc(k, sizeof *s->step);
    s->pull = calloc(k, sizeof *s->pull);
    s->row = calloc(k, sizeof *s->row);
    s->part = gsl_matrix_alloc(k, k);
    s->solution = gsl_vector_alloc(k);
    if (s->a && s->runs && s->step && s->pull && s->row && s->part && s->solution)
        return 0;
    free_system(s);
    return -1;
}

static void set_values(gzi_gz2 *models, int n_models, const gzi_gz2_unknown *u, int n,
                       const double *b)
{
    for (int j = 0; j < n; j++)
        for (int m = 0; m < n_models; m++)
            if (u[j].stencil < 0 || u[j].stencil == m)
                models[m].value[u[j].parameter] = b[j] * u[j].start;
}

static double lower(const gzi_gz2_unknown *u)
{
    return u->least / u->start;
}

/* The cost at b; if `s` is given, its normal equations too. */
static double evaluate(gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n,
                       const int *use, const gzi_gz2_unknown *u, int k, const double *b,
                       system_t *s)
{
    double cost = 0;
    set_values(models, n_models, u, k, b);
    if (s) {
        memset(s->a, 0, (size_t)(k * k) * sizeof *s->a);
        memset(s->pull, 0, (size_t)k * sizeof *s->pull);
    }
    for (size_t i = 0; i < n; i++) {
        gzi_gz2_prediction p;
        if ((use && !use[i]) ||
            gzi_gz2_predict(&models[runs[i].stencil], &runs[i].config, &p) != GZI_GZ2_OK)
            continue;
        double r = p.seconds / runs[i].seconds - 1, z = r * r / (softness * softness);
        double weight = 1 / sqrt(1 + z);
        cost += 2 * softness * softness * (sqrt(1 + z) - 1);
        for (int j = 0; s && j < k; j++) {
            int mine = u[j].stencil < 0 || u[j].stencil == runs[i].stencil;
            s->row[j] = mine ? p.slope[u[j].parameter] * u[j].start / runs[i].seconds : 0;
            s->pull[j] -= weight * r * s->row[j];
            for (int l = 0; l <= j; l++)
                s->a[j * k + l] += weight * s->row[j] * s->row[l];
        }
    }
    if (s) {
        for (int j = 0; j < k; j++)
            for (int l = 0; l < j; l++)
                s->a[l * k + j] = s->a[j * k + l];
        memcpy(s->runs, s->a, (size_t)(k * k) * sizeof *s->a);
    }
    for (int j = 0; j < k; j++) {
        double tight = softness / u[j].prior;
        cost += (b[j] - 1) * (b[j] - 1) * tight * tight;
        if (s) {
            s->a[j * k + j] += tight * tight;
            s->pull[j] -= (b[j] - 1) * tight * tight;
        }
    }
    return cost;
}

/* Solves (A + damping) x = right for the unknowns in `in`; the others are 0. */
static void solve_part(system_t *s, double damping, const int *in, const double *right, double *x)
{
    size_t n = 0;
    for (int j = 0; j < s->n; j++) {
        size_t m = 0;
        x[j] = 0;
        if (!in[j])
            continue;
        for (int l = 0; l < s->n; l++)
            if (in[l]) {
                double grow = j == l ? 1 + damping : 1;
                gsl_matrix_set(s->part, n, m++, grow * s->a[j * s->n + l]);
            }
        gsl_vector_set(s->solution, n++, right[j]);
    }
    if (n == 0)
        return;
    gsl_matrix_view part = gsl_matrix_submatrix(s->part, 0, 0, n, n);
    gsl_vector_view solution = gsl_vector_subvector(s->solution, 0, n);
    gsl_linalg_cholesky_decomp1(&part.matrix);
    gsl_linalg_cholesky_svx(&part.matrix, &solution.vector);
    n = 0;
    for (int j = 0; j < s->n; j++)
        if (in[j])
            x[j] = gsl_vector_get(&solution.vector, n++);
}

/* The step that minimises the quadratic model with b + step >= lower (Lawson and Hanson's active
 * set, in the variable z = b + step - lower >= 0). `in` becomes the unknowns that are off their
 * bounds. `work`: 3 n doubles. */
static void bounded_step(system_t *s, double damping, const gzi_gz2_unknown *u, const double *b,
                         int *in, double *work)
{
    int n = s->n;
    double *z = work, *want = work + n, *right = work + 2 * n;

    /* The gradient of the damped model is pull - A' step, step = z - (b - lower). */
    for (int j = 0; j < n; j++) {
        z[j] = 0;
        in[j] = 0;
        right[j] = s->pull[j];
        for (int l = 0; l < n; l++)
            right[j] += (j == l ? 1 + damping : 1) * s->a[j * n + l] * (b[l] - lower(&u[l]));
    }
    for (int round = 0; round < 10 * n; round++) {
        int enter = -1;
        double most = 1e-13;
        for (int j = 0; j < n; j++) {
            double g = right[j];
            for (int l = 0; l < n; l++)
                g -= (j == l ? 1 + damping : 1) * s->a[j * n + l] * z[l];
            g /= sqrt(s->a[j * n + j]);
            if (!in[j] && g > most) {
                most = g;
                enter = j;
            }
        }
        if (enter < 0)
            break;
        in[enter] = 1;
        for (;;) {
            double far = 1;
            solve_part(s, damping, in, right, want);
            for (int j = 0; j < n; j++)
                if (in[j] && want[j] <= 0)
                    far = fmin(far, z[j] / (z[j] - want[j]));
            for (int j = 0; j < n; j++)
                if (in[j])
                    z[j] += far * (want[j] - z[j]);
            if (far >= 1)
                break;
            for (int j = 0; j < n; j++)
                if (in[j] && z[j] <= 1e-15) {
                    in[j] = 0;
                    z[j] = 0;
                }
        }
    }
    for (int j = 0; j < n; j++)
        s->step[j] = z[j] - (b[j] - lower(&u[j]));
}

/* Standard deviations, what the runs determine, and which unknowns are alike, from the matrices at
 * the optimum.
 */
static void describe(system_t *s, const int *in, double scale, gzi_gz2_unknown *u, double *work)
{
    int n = s->n;
    double *unit = work, *column = work + n;

    for (int j = 0; j < n; j++) {
        u[j].sd = 0;
        u[j].determined = 0;
        u[j].alike = -1;
    }
    for (int j = 0; j < n; j++) {
        double closest = 0.95, tight = softness / u[j].prior;
        if (!in[j])
            continue;
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[j] = 1;
        solve_part(s, 0, in, unit, column);
        double variance = column[j];
        u[j].sd = scale * sqrt(variance) * u[j].start;
        u[j].determined = fmax(0, 1 - variance * tight * tight);
        for (int l = 0; l < n; l++) {
            if (l == j || !in[l])
                continue;
            /* The correlation of two needs the other's variance too. */
            double *other = work + 2 * n, covariance = column[l];
            memset(unit, 0, (size_t)n * sizeof *unit);
            unit[l] = 1;
            solve_part(s, 0, in, unit, other);
            double r = fabs(covariance) / sqrt(variance * other[l]);
            if (r > closest) {
                closest = r;
                u[j].alike = l;
            }
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median; NaN for none. Sorts. */
static double median(double *values, size_t n)
{
    if (n == 0)
        return (double)NAN;
    qsort(values, n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* Iterates to the optimum: Gauss-Newton steps under the bounds, damped while they do not improve.
 */
static void iterate(gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n,
                    const int *use, gzi_gz2_unknown *u, int k, system_t *s, double *b, double *work,
                    int *in, gzi_gz2_fitted *out)
{
    enum { STEPS = 3000 };
    double damping = 1e-4, *trial = work + 3 * k;
    double cost = evaluate(models, n_models, runs, n, use, u, k, b, s);

    for (out->iterations = 0; out->iterations < STEPS && !out->converged; out->iterations++) {
        double longest = 0;
        bounded_step(s, damping, u, b, in, work);
        for (int j = 0; j < k; j++) {
            trial[j] = fmax(b[j] + s->step[j], lower(&u[j]));
            longest = fmax(longest, fabs(trial[j] - b[j]) / fmax(fabs(b[j]), 1e-3));
        }
        double next = evaluate(models, n_models, runs, n, use, u, k, trial, NULL);
        if (next <= cost) {
            /* Two convergences: no step left, or none that lowers the cost. */
            out->converged = longest < 1e-9 || cost - next < 1e-14 * cost;
            memcpy(b, trial, (size_t)k * sizeof *b);
            cost = evaluate(models, n_models, runs, n, use, u, k, b, s);
            damping = fmax(damping / 5, 1e-12);
        } else {
            out->converged = longest < 1e-9;
            damping *= 8;
        }
    }
    bounded_step(s, 1e-12, u, b, in, work);
    out->cost = cost;
    set_values(models, n_models, u, k, b);
}

/* Gives the unknowns that are like another parameter of their stencil its value as their start.
 * Whether there are such. */
static int start_again(gzi_gz2_unknown *u, int n, double *b)
{
    int any = 0;
    for (int j = 0; j < n; j++)
        for (int l = 0; u[j].like && l < n; l++)
            if (u[l].parameter == u[j].like && u[l].stencil == u[j].stencil && b[l] > 0) {
                u[j].start = b[l] * u[l].start;
                any = 1;
            }
    for (int j = 0; any && j < n; j++)
        b[j] = fmax(1, lower(&u[j]));
    return any;
}

int gzi_gz2_fit(gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n, const int *use,
                gzi_gz2_unknown *unknowns, int n_unknowns, gzi_gz2_fitted *out)
{
    system_t s;
    size_t k = (size_t)(n_unknowns > 0 ? n_unknowns : 1), used = 0;
    double *work = calloc(6 * k, sizeof *work), *b = calloc(k, sizeof *b);
    double *residual = calloc(n ? n : 1, sizeof *residual);
    int *in = calloc(k, sizeof *in), failed = 0;

    *out = (gzi_gz2_fitted){.scale = (double)NAN};
    if (!work || !b || !residual || !in || n == 0 || n_unknowns < 1 ||
        make_system(&s, n_unknowns)) {
        failed = -1;
    } else {
        for (int j = 0; j < n_unknowns; j++)
            b[j] = fmax(1, lower(&unknowns[j]));
        iterate(models, n_models, runs, n, use, unknowns, n_unknowns, &s, b, work, in, out);
        if (start_again(unknowns, n_unknowns, b)) {
            *out = (gzi_gz2_fitted){.scale = (double)NAN};
            iterate(models, n_models, runs, n, use, unknowns, n_unknowns, &s, b, work, in, out);
        }
        for (size_t i = 0; i < n; i++) {
            gzi_gz2_prediction p;
            if ((!use || use[i]) &&
                gzi_gz2_predict(&models[runs[i].stencil], &runs[i].config, &p) == GZI_GZ2_OK)
                residual[used++] = fabs(p.seconds / runs[i].seconds - 1);
        }
        /* The unknowns take part of the residuals away. */
        double freedom = used > k ? (double)used / (double)(used - k) : 1;
        out->scale = 1.48 * median(residual, used) * sqrt(freedom);
        describe(&s, in, out->scale, unknowns, work);
        for (int j = 0; j < n_unknowns; j++)
            unknowns[j].value = b[j] * unknowns[j].start;
        free_system(&s);
        failed = used == 0 ? -1 : 0;
    }
    free(work);
    free(b);
    free(residual);
    free(in);
    return failed;
}

int gzi_gz2_left_out(const gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n,
                     const gzi_gz2_unknown *unknowns, int n_unknowns, int folds, double *residual)
{
    gzi_gz2 *own = malloc((size_t)n_models * sizeof *own);
    gzi_gz2_unknown *u = malloc((size_t)n_unknowns * sizeof *u);
    int *use = malloc(n * sizeof *use), failed = own && u && use ? 0 : -1;

    for (int fold = 0; !failed && fold < folds; fold++) {
        gzi_gz2_fitted fitted;
        memcpy(own, models, (size_t)n_models * sizeof *own);
        memcpy(u, unknowns, (size_t)n_unknowns * sizeof *u);
        for (size_t i = 0; i < n; i++)
            use[i] = runs[i].group % folds != fold;
        failed = gzi_gz2_fit(own, n_models, runs, n, use, u, n_unknowns, &fitted);
        for (size_t i = 0; !failed && i < n; i++) {
            gzi_gz2_prediction p;
            if (use[i])
                continue;
            residual[i] = gzi_gz2_predict(&own[runs[i].stencil], &runs[i].config, &p) == GZI_GZ2_OK
                              ? log(p.seconds / runs[i].seconds)
                              : (double)NAN;
        }
    }
    free(own);
    free(u);
    free(use);
    return failed;
}

double gzi_gz2_half_width(const double *residual, size_t n, double scatter)
{
    /* 97.5 % quantiles of Student's t with 5 degrees of freedom, and of a normal distribution. */
    static const double t5 = 2.5705818356, z = 1.9599639845, level = 0.95;
    double *values = malloc((n ? n : 1) * sizeof *values), half = (double)NAN;
    size_t count = 0;

    if (!values)
        return half;
    for (size_t i = 0; i < n; i++)
        if (!isnan(residual[i]))
            values[count++] = fabs(residual[i]);
    double middle = median(values, count); /* sorts */
    size_t rank = (size_t)ceil(level * ((double)count + 1));
    half = rank <= count ? values[rank - 1] : t5 * 1.48 * middle;
    free(values);
    return sqrt(half * half + z * z * scatter * scatter);
}
