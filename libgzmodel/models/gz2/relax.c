/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relax.c - the relaxation with its derivatives, and its minimum. Why it bounds the exact model
 * from below: relax_time.h.
 */
#include "relax_time.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <string.h>

static dual variable(double v, int way)
{
    dual a = {.v = v};
    a.d[way] = 1;
    return a;
}

void gzi_gz2_relax(const gzi_gz2 *model, const gzi_gz2_config *config, double height,
                   const double tile[3], gzi_gz2_relaxed *out)
{
    dual t[3] = {{0}};
    for (int i = 0; i < model->stencil.dim; i++)
        t[i] = variable(tile[i], 1 + i);
    memset(out, 0, sizeof *out);
    dual time = relaxed(model, config, variable(height, 0), t, out->slope);
    out->seconds = time.v;
    out->by_height = time.d[0];
    for (int i = 0; i < model->stencil.dim; i++)
        out->by_tile[i] = time.d[1 + i];
}

/* ---------------------------------------------------------------------------------- minimising */

typedef struct problem {
    const gzi_gz2 *model;
    const gzi_gz2_config *config;
    double height_max, block_max[3], cells_max;
    int evaluations;
} problem;

/* A value in [lo, hi] from a free variable: both ends are reached only at infinity. */
static dual between(double lo, dual hi, dual free_variable)
{
    double s = 1 / (1 + exp(-free_variable.v));
    dual share = chain(free_variable, s, s * (1 - s));
    return shift(mul(share, shift(hi, -lo)), lo);
}

/* The smaller of two upper bounds, of which b is a constant. */
static dual smaller(dual a, double b)
{
    return a.v <= b ? a : constant(b);
}

/* Height and committed tile of free variables. The largest extent of an axis is what the local
 * memory leaves when the axes after it commit one cell. */
static void transform(const problem *p, const double *free_variable, dual *height, dual tile[3])
{
    const gzi_gz2_stencil *s = &p->model->stencil;
    dual used = constant(1);

    *height = between(1, constant(p->height_max), variable(free_variable[0], 0));
    for (int i = 0; i < s->dim; i++) {
        dual ghost = scale(*height, 2.0 * s->radius[i]), rest = used, most;
        for (int k = i + 1; k < s->dim; k++)
            rest = mul(rest, shift(scale(*height, 2.0 * s->radius[k]), 1));
        most = smaller(scale(inverse(rest), p->cells_max), p->block_max[i]);
        most = smaller(sub(most, ghost), (double)p->config->grid[i]);
        if (most.v < 1)
            most = constant(1);
        tile[i] = between(1, most, variable(free_variable[1 + i], 1 + i));
        used = mul(used, add(tile[i], ghost));
    }
}

static void value_and_slope(const gsl_vector *x, void *of, double *f, gsl_vector *g)
{
    problem *p = of;
    double at[4] = {0};
    dual height, tile[3] = {{0}};

    for (size_t i = 0; i < x->size; i++)
        at[i] = gsl_vector_get(x, i);
    transform(p, at, &height, tile);
    dual time = relaxed(p->model, p->config, height, tile, NULL);
    p->evaluations++;
    if (f)
        *f = log(time.v);
    for (size_t i = 0; g && i < x->size; i++)
        gsl_vector_set(g, i, time.d[i] / time.v);
}

static double value_of(const gsl_vector *x, void *of)
{
    double f;
    value_and_slope(x, of, &f, NULL);
    return f;
}

static void slope_of(const gsl_vector *x, void *of, gsl_vector *g)
{
    value_and_slope(x, of, NULL, g);
}

/* A start: free variables of the height, of the tile's rows and of its other extents. */
typedef struct start {
    double height, row, others;
} start;

/* Descends from one start; keeps the result if it is better. */
static void descend(problem *p, gsl_multimin_fdfminimizer *minimizer, gsl_vector *x, start from,
                    gzi_gz2_minimum *best)
{
    enum { STEPS = 200 };
    gsl_multimin_function_fdf f = {value_of, slope_of, value_and_slope, x->size, p};
    double at[4] = {0};
    dual height, tile[3] = {{0}};

    gsl_vector_set_all(x, from.others);
    gsl_vector_set(x, 0, from.height);
    gsl_vector_set(x, 1, from.row);
    if (gsl_multimin_fdfminimizer_set(minimizer, &f, x, 0.5, 0.1))
        return;
    for (int step = 0; step < STEPS; step++)
        if (gsl_multimin_fdfminimizer_iterate(minimizer) ||
            gsl_blas_dnrm2(minimizer->gradient) < 1e-9)
            break;
    double seconds = exp(minimizer->f);
    if (!(best->seconds <= seconds)) {
        for (size_t i = 0; i < x->size; i++)
            at[i] = gsl_vector_get(minimizer->x, i);
        transform(p, at, &height, tile);
        best->height = height.v;
        for (int i = 0; i < 3; i++)
            best->tile[i] = tile[i].v;
        best->seconds = seconds;
        best->slope = gsl_blas_dnrm2(minimizer->gradient);
    }
}

int gzi_gz2_minimise(const gzi_gz2 *model, const gzi_gz2_config *config,
                     const gzi_gz2_bounds *bounds, gzi_gz2_minimum *out)
{
    /* From the middle; and, where prefetchers may fetch ahead, from few rows and from short ones.
     */
    static const start starts[] = {{-3, 0, 0},  {0, 0, 0},  {2, 0, 0},  {-3, 0, -4}, {0, 0, -4},
                                   {-3, -4, 0}, {0, -4, 0}, {2, 0, -6}, {0, 4, -6}};
    size_t tried = gzi_gz2_is_core(model, config) ? sizeof starts / sizeof *starts : 3;
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_gz2_device *d = &model->device;
    size_t n = 1 + (size_t)s->dim;
    problem p = {.model = model, .config = config, .cells_max = (double)INFINITY};

    memset(out, 0, sizeof *out);
    out->seconds = (double)NAN;
    if (d->local_group > 0 || d->local_unit > 0)
        p.cells_max =
            (d->local_group > 0 ? d->local_group : d->local_unit) / ((s->loaded + 1.0) * s->bytes);
    /* The largest height at which every axis still commits a cell. */
    for (int h = 1; h <= bounds->height_max; h++) {
        double least = 1;
        int room = 1;
        for (int i = 0; i < s->dim; i++) {
            least *= 1 + 2.0 * s->radius[i] * h;
            room &= 1 + 2.0 * s->radius[i] * h <= bounds->block_max[i];
            p.block_max[i] = bounds->block_max[i];
        }
        if (!room || least > p.cells_max)
            break;
        p.height_max = h;
    }
    if (p.height_max < 1)
        return -1;
    gsl_vector *x = gsl_vector_alloc(n);
    gsl_multimin_fdfminimizer *minimizer =
        gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, n);
    for (size_t k = 0; x && minimizer && k < tried; k++)
        descend(&p, minimizer, x, starts[k], out);
    int made = x && minimizer;
    if (minimizer)
        gsl_multimin_fdfminimizer_free(minimizer);
    if (x)
        gsl_vector_free(x);
    out->evaluations = p.evaluations;
    return made && isfinite(out->seconds) ? 0 : -1;
}
