/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit.h"

#include "numbers.h"
#include "output.h"

#include <gsl/gsl_cdf.h>
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
    double *a, *b, *step, *pull; /* n x n; n each */
    double *row, *factor;        /* one row of J; see set_factors */
    double *trial, *work[3];
    int *in; /* whether an unknown is off its bound */
    gsl_matrix *part;
    gsl_vector *solution;
} system_t;

static void free_system(system_t *s)
{
    free(s->a);
    free(s->in);
    gsl_matrix_free(s->part);
    gsl_vector_free(s->solution);
}

/* Ended by free_system. */
static void make_system(system_t *s, int n)
{
    size_t k = (size_t)n;
    *s = (system_t){.n = n,
                    .a = cli_room(k * k + 9 * k, sizeof *s->a),
                    .in = cli_room(k, sizeof *s->in),
                    .part = gsl_matrix_alloc(k, k),
                    .solution = gsl_vector_alloc(k)};
    if (!s->part || !s->solution)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    double **const rows[] = {&s->b,     &s->step,    &s->pull,    &s->row,    &s->factor,
                             &s->trial, &s->work[0], &s->work[1], &s->work[2]};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = s->a + k * k + i * k;
}

/* The x of a value, and the value of an x. */
static double flip(const struct gzc_unknown *u, double value)
{
    return u->inverse ? 1 / value : value;
}

static void set_values(struct gzc_fit *fit, const double *b)
{
    for (int j = 0; j < fit->unknown_count; j++) {
        const struct gzc_unknown *u = &fit->unknown[j];
        gz_quantity *q =
            gz_param_quantity(&fit->dev, u->app < 0 ? NULL : &fit->apps[u->app], u->param);
        *q = (gz_quantity){flip(u, b[j] * flip(u, u->start)), 0, GZ_ORIGIN_FITTED};
    }
}

double gzc_fit_predict(const struct gzc_fit *fit, const struct gzc_fit_run *run,
                       gz_gradient *gradient)
{
    const gz_app *app = &fit->apps[run->app];
    gz_prediction p;
    gz_status status =
        gradient ? gz_predict_gradient(&fit->dev, app, &run->cfg, run->height, gradient, NULL)
                 : gz_predict(&fit->dev, app, &run->cfg, run->height, &p, NULL);
    if (status)
        return (double)NAN;
    return gradient ? gradient->cpl / fit->dev.clock_rate.value : p.seconds_per_loop;
}

/* d seconds / d b of each unknown over the model's d cycles / d quantity, at b. */
static void set_factors(const struct gzc_fit *fit, const double *b, double *factor)
{
    for (int j = 0; j < fit->unknown_count; j++) {
        const struct gzc_unknown *u = &fit->unknown[j];
        double value = flip(u, b[j] * flip(u, u->start));
        factor[j] =
            (u->inverse ? -value * value : 1) * flip(u, u->start) / fit->dev.clock_rate.value;
    }
}

/* A run's residual and what it costs; its weight, and that of a slope in seconds. */
static double cost_of(const struct gzc_fit *fit, double seconds, const struct gzc_fit_run *run,
                      double *r, double *weight, double *scale)
{
    *r = fit->by_logarithms ? log(seconds / run->seconds) : seconds / run->seconds - 1;
    *scale = 1 / (fit->by_logarithms ? seconds : run->seconds);
    double z = *r * *r / (softness * softness);
    *weight = fit->by_logarithms ? 1 : 1 / sqrt(1 + z);
    return fit->by_logarithms ? *r * *r : 2 * softness * softness * (sqrt(1 + z) - 1);
}

/* Adds a run to the normal equations. */
static void add_run(const struct gzc_fit *fit, const struct gzc_fit_run *run,
                    const gz_gradient *gradient, double r, double weight, double scale, system_t *s)
{
    int k = s->n;
    for (int j = 0; j < k; j++) {
        const struct gzc_unknown *u = &fit->unknown[j];
        bool mine = u->app < 0 || u->app == run->app;
        s->row[j] = mine ? gradient->dcpl_dp[u->param] * s->factor[j] * scale : 0;
        s->pull[j] -= weight * r * s->row[j];
        for (int l = 0; l <= j; l++)
            s->a[j * k + l] += weight * s->row[j] * s->row[l];
    }
}

/* The cost at b; if `s` is given, its normal equations too. */
static double evaluate(struct gzc_fit *fit, const bool *use, const double *b, system_t *s)
{
    const struct gzc_unknown *u = fit->unknown;
    int k = fit->unknown_count;
    double cost = 0;
    gz_gradient gradient;
    set_values(fit, b);
    if (s) {
        set_factors(fit, b, s->factor);
        memset(s->a, 0, (size_t)(k * k) * sizeof *s->a);
        memset(s->pull, 0, (size_t)k * sizeof *s->pull);
    }
    for (int i = 0; i < fit->run_count; i++) {
        const struct gzc_fit_run *run = &fit->runs[i];
        double r, weight, scale;
        double seconds =
            use && !use[i] ? (double)NAN : gzc_fit_predict(fit, run, s ? &gradient : NULL);
        if (isnan(seconds))
            continue;
        cost += cost_of(fit, seconds, run, &r, &weight, &scale);
        if (s)
            add_run(fit, run, &gradient, r, weight, scale, s);
    }
    for (int j = 0; j < k && s; j++)
        for (int l = 0; l < j; l++)
            s->a[l * k + j] = s->a[j * k + l];
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

/* Solves (A + damping) x = right for the unknowns off their bounds; the others are 0. */
static void solve_part(system_t *s, double damping, const double *right, double *x)
{
    size_t n = 0;
    for (int j = 0; j < s->n; j++) {
        size_t m = 0;
        x[j] = 0;
        if (!s->in[j])
            continue;
        for (int l = 0; l < s->n; l++)
            if (s->in[l]) {
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
        if (s->in[j])
            x[j] = gsl_vector_get(&solution.vector, n++);
}

/* The step that minimises the quadratic model with b + step >= lower (Lawson and Hanson's active
 * set, in the variable z = b + step - lower >= 0). */
static void bounded_step(system_t *s, double damping, const struct gzc_unknown *u)
{
    int n = s->n, *in = s->in;
    double *z = s->work[0], *want = s->work[1], *right = s->work[2];
    const double *b = s->b;

    /* The gradient of the damped model is pull - A' step, step = z - (b - lower). */
    for (int j = 0; j < n; j++) {
        z[j] = 0;
        in[j] = 0;
        right[j] = s->pull[j];
        for (int l = 0; l < n; l++)
            right[j] += (j == l ? 1 + damping : 1) * s->a[j * n + l] * (b[l] - u[l].least);
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
            solve_part(s, damping, right, want);
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
        s->step[j] = z[j] - (b[j] - u[j].least);
}

/* The column of an unknown in the covariances of those off their bounds and itself. */
static void covariances(system_t *s, int j, double *column)
{
    int was = s->in[j];
    double *unit = s->work[0];
    memset(unit, 0, (size_t)s->n * sizeof *unit);
    unit[j] = 1;
    s->in[j] = 1;
    solve_part(s, 0, unit, column);
    s->in[j] = was;
}

/* Standard deviations, what the runs determine, and which unknowns are equal, from the matrices at
 * the optimum. */
static void describe(system_t *s, double scale, struct gzc_unknown *u)
{
    int n = s->n;
    double *column = s->work[1], *other = s->work[2];

    for (int j = 0; j < n; j++) {
        u[j].sd = 0;
        u[j].determined = 0;
        u[j].alike = -1;
    }
    for (int j = 0; j < n; j++) {
        double closest = 0.95, tight = softness / u[j].prior;
        covariances(s, j, column);
        double variance = column[j];
        u[j].spread = scale * sqrt(variance);
        if (!s->in[j])
            continue;
        u[j].sd = u[j].spread * flip(&u[j], u[j].start);
        u[j].determined = fmax(0, 1 - variance * tight * tight);
        for (int l = 0; l < n; l++) {
            if (l == j || !s->in[l])
                continue;
            /* The correlation of two needs the other's variance too. */
            covariances(s, l, other);
            double r = fabs(column[l]) / sqrt(variance * other[l]);
            if (r > closest) {
                closest = r;
                u[j].alike = l;
            }
        }
    }
}

/* The median; NaN for none. Sorts. */
static double median(double *values, size_t n)
{
    cli_sort(values, n);
    return cli_quantile(values, n, 0.5);
}

/* Iterates to the optimum: Gauss-Newton steps under the bounds, damped while they do not improve.
 */
static void iterate(struct gzc_fit *fit, const bool *use, system_t *s)
{
    int k = fit->unknown_count;
    /* Fits of many unknowns that converge do so within 140 steps; of few to a dozen runs, 1,900. */
    const int most = k > 8 ? 700 : 3000;
    const struct gzc_unknown *u = fit->unknown;
    double damping = 1e-4, *b = s->b, *trial = s->trial;
    double cost = evaluate(fit, use, b, s);

    fit->converged = false;
    for (fit->iterations = 0; fit->iterations < most && !fit->converged; fit->iterations++) {
        double longest = 0;
        bounded_step(s, damping, u);
        for (int j = 0; j < k; j++) {
            trial[j] = fmax(b[j] + s->step[j], u[j].least);
            longest = fmax(longest, fabs(trial[j] - b[j]) / fmax(fabs(b[j]), 1e-3));
        }
        double next = evaluate(fit, use, trial, NULL);
        if (next <= cost) {
            /* Two convergences: no step left, or none that lowers the cost. */
            fit->converged = longest < 1e-9 || cost - next < 1e-14 * cost;
            memcpy(b, trial, (size_t)k * sizeof *b);
            cost = evaluate(fit, use, b, s);
            damping = fmax(damping / 5, 1e-12);
        } else {
            fit->converged = longest < 1e-9;
            damping *= 8;
        }
    }
    bounded_step(s, 1e-12, u);
    fit->cost = cost;
    set_values(fit, b);
}

/* Gives the unknowns that are like another parameter of their stencil its value as their start.
 * Whether there are such. */
static int start_again(struct gzc_unknown *u, int n, double *b)
{
    int any = 0;
    for (int j = 0; j < n; j++)
        for (int l = 0; u[j].like >= 0 && l < n; l++)
            if (u[l].param == u[j].like && u[l].app == u[j].app && b[l] > 0) {
                u[j].start = b[l] * u[l].start;
                any = 1;
            }
    for (int j = 0; any && j < n; j++)
        b[j] = fmax(1, u[j].least);
    return any;
}

/* The residuals' standard deviation, whose part the unknowns took away. */
static double scale_of(const struct gzc_fit *fit, const bool *use)
{
    double *work = cli_room((size_t)fit->run_count, sizeof *work);
    static const double z95 = 1.959963984540054;
    size_t n = 0, k = (size_t)fit->unknown_count;
    double square = 0;
    for (int i = 0; i < fit->run_count; i++) {
        double r, weight, scale;
        double seconds = use && !use[i] ? (double)NAN : gzc_fit_predict(fit, &fit->runs[i], NULL);
        if (isnan(seconds))
            continue;
        cost_of(fit, seconds, &fit->runs[i], &r, &weight, &scale);
        work[n++] = fabs(r);
        square += r * r;
    }
    double freedom = n > k ? (double)(n - k) : (double)n, middle = median(work, n);
    free(work);
    if (fit->by_logarithms)
        return n > k ? gsl_cdf_tdist_Pinv(0.975, freedom) / z95 * sqrt(square / freedom)
                     : (double)NAN;
    return 1.48 * middle * sqrt((double)n / freedom);
}

bool gzc_fit_solve(struct gzc_fit *fit, const bool *use)
{
    system_t s;
    fit->scale = (double)NAN;
    if (fit->run_count == 0 || fit->unknown_count == 0)
        return false;
    make_system(&s, fit->unknown_count);
    for (int j = 0; j < s.n; j++)
        s.b[j] = fmax(1, fit->unknown[j].least);
    iterate(fit, use, &s);
    if (start_again(fit->unknown, s.n, s.b))
        iterate(fit, use, &s);
    fit->scale = scale_of(fit, use);
    describe(&s, fit->scale, fit->unknown);
    for (int j = 0; j < s.n; j++) {
        struct gzc_unknown *u = &fit->unknown[j];
        u->at_bound = s.b[j] <= u->least;
        u->value = flip(u, s.b[j] * flip(u, u->start));
        u->sd *= u->inverse ? u->value * u->value : 1;
    }
    free_system(&s);
    return !isnan(fit->scale);
}

bool gzc_fit_left_out(const struct gzc_fit *fit, int folds, double *residual)
{
    struct gzc_fit *own = cli_room(1, sizeof *own);
    bool *use = cli_room((size_t)fit->run_count, sizeof *use), able = true;
    gz_app *own_apps = cli_room((size_t)fit->app_count, sizeof *own_apps);
    for (int fold = 0; able && fold < folds; fold++) {
        *own = *fit;
        own->apps = memcpy(own_apps, fit->apps, (size_t)fit->app_count * sizeof *own_apps);
        for (int i = 0; i < fit->run_count; i++)
            use[i] = fit->runs[i].group % folds != fold;
        able = gzc_fit_solve(own, use);
        for (int i = 0; able && i < fit->run_count; i++)
            if (!use[i])
                residual[i] = log(gzc_fit_predict(own, &fit->runs[i], NULL) / fit->runs[i].seconds);
    }
    free(own);
    free(use);
    free(own_apps);
    return able;
}

bool gzc_fit_determines(const struct gzc_unknown *u, double factor)
{
    double b = flip(u, u->value) / flip(u, u->start);
    return 2 * pow(u->spread * factor, 2) < pow(fmax(b, 1), 2);
}

double gzc_fit_half_width(const double *residual, int n, double scatter)
{
    /* 97.5 % quantiles of Student's t with 5 degrees of freedom, and of a normal distribution. */
    static const double t5 = 2.5705818356, z = 1.9599639845, level = 0.95;
    double *values = cli_room((size_t)n, sizeof *values);
    size_t count = 0;

    for (int i = 0; i < n; i++)
        if (!isnan(residual[i]))
            values[count++] = fabs(residual[i]);
    double middle = median(values, count); /* sorts */
    size_t rank = (size_t)ceil(level * ((double)count + 1));
    double half = rank <= count ? values[rank - 1] : t5 * 1.48 * middle;
    free(values);
    return sqrt(half * half + z * z * scatter * scatter);
}
