/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit.h - quantities of any model from runs, by gz_predict_gradient: least squares, under lower
 * bounds, with weak priors. Depends on gzmodel.h alone.
 *
 * An unknown is fitted as b = x / start, where x is the quantity or, of a bandwidth, its
 * reciprocal, in which times are linear. Robust, the fit minimises sum_i d^2 rho(r_i^2 / d^2) +
 * sum_j
 * ((b_j - 1) / s_j)^2 d^2 with r_i = predicted / measured - 1 and rho(z) = 2 (sqrt(1 + z) - 1),
 * soft L1; else sum_i r_i^2 with r_i = ln(predicted / measured), and the same priors. Where a model
 * is linear in the unknowns (gz2 on CPUs), the robust cost is convex and has one optimum.
 */
#ifndef GZC_FIT_H
#define GZC_FIT_H

#include "gzmodel/parameters.h"

#include <stdbool.h>

/* A run. */
struct gzc_fit_run {
    int app; /* index of its application */
    gz_config cfg;
    double height, seconds; /* seconds per loop, measured, > 0 */
    int group; /* runs of one group (for example of a grid and block) are left out together */
};

/* A quantity to be found. */
struct gzc_unknown {
    int param;    /* a gz_param */
    int app;      /* of this application; -1: of the device */
    bool inverse; /* times are linear in its reciprocal; then `least` is above 0 */
    double start; /* > 0: the initial value of the fit, and the centre of the prior */
    double prior; /* standard deviation of the prior, over `start`; 3 or more is weak */
    double least; /* the least of x, over its start */
    int like;     /* -1, or another quantity of the same application whose value, found by a first
                     fit, becomes `start` for another: of the same order of magnitude, which is not
                     known before */

    double value, sd;  /* found, and its standard deviation; that is 0 at the bound */
    double spread;     /* standard deviation of b, at the bound as if there were none */
    bool at_bound;     /* x is the least */
    double determined; /* share of the prior's variance that the runs removed, 0..1 */
    int alike;         /* the unknown that the runs distinguish it from least, if the correlation of
                          the two is above 0.95 in magnitude; -1: none */
};

enum { GZC_UNKNOWNS = 25 + 5 * 32 }; /* of a device with 32 applications, at most */

/* What is fitted: a device and its applications, whose other quantities stay as they are. */
struct gzc_fit {
    gz_device dev, before; /* `before`: without the unknowns, if gzc_unknowns_make made them */
    gz_app *apps;
    int app_count;
    bool by_logarithms; /* plain least squares of logarithms, instead of robust */
    struct gzc_fit_run *runs;
    int run_count;
    struct gzc_unknown unknown[GZC_UNKNOWNS];
    int unknown_count;

    double scale; /* robust standard deviation of the residuals, 1.48 times the median of |r|; by
                     logarithms their root mean square, with Student's factor */
    double cost;  /* what was minimised */
    int iterations;
    bool converged;
};

/* Fits the unknowns to those runs that have `use[i]` (NULL: all), and sets the found values in the
 * device and the applications. Runs that the model is not defined for are passed over. False
 * if there are no runs or no unknowns. */
bool gzc_fit_solve(struct gzc_fit *fit, const bool *use);

/* The residuals ln(predicted / measured) of runs left out of the fit by groups: `folds` times, the
 * groups whose number is k modulo `folds` are predicted from a fit to the others. NaN if the
 * model is not defined. `fit` is not changed. False if it cannot be solved. */
bool gzc_fit_left_out(const struct gzc_fit *fit, int folds, double *residual);

/* Seconds per loop of a run, NaN if the model is not defined; and if `gradient` is given, its
 * derivatives by all quantities, in cycles. */
double gzc_fit_predict(const struct gzc_fit *fit, const struct gzc_fit_run *run,
                       gz_gradient *gradient);

/* Whether the runs determine a quantity better than its start does, that being what a benchmark
 * measured, to an order of magnitude: whether they remove half of the variance about the larger of
 * the two. If not, the interval holds the start. `factor` is that by which deviations grow for what
 * the residuals do not show. */
bool gzc_fit_determines(const struct gzc_unknown *unknown, double factor);

/* Half the width of a 95 % interval of ln(predicted / measured) from left-out residuals (NaN:
 * none): of n values the ceil(0.95 (n + 1))-th smallest magnitude, which holds a new value of the
 * same kind with that probability at least, whatever the distribution [split conformal prediction,
 * Vovk et al. 2005]. Fewer than 19 have no such value: then the t quantile of 5 degrees of freedom
 * times 1.48 median |residual|. `scatter`, the relative standard deviation between tries, is added
 * in squares; 0 if the residuals contain it. NaN without residuals. */
double gzc_fit_half_width(const double *residual, int n, double scatter);

#endif
