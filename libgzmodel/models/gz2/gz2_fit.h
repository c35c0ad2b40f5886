/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_fit.h - parameters of the second model from runs: relative least squares, robust against
 * outliers, under bounds, with weak priors.
 *
 * Minimises sum_i d^2 rho(r_i^2 / d^2) + sum_j ((b_j - 1) / s_j)^2 d^2 over b_j = value_j / start_j
 * >= 0 with r_i = predicted / measured - 1 and rho(z) = 2 (sqrt(1 + z) - 1), soft L1. Where the
 * model is linear in the unknowns (CPUs), this is convex and has one optimum.
 */
#ifndef GZI_GZ2_FIT_H
#define GZI_GZ2_FIT_H

#include "gz2.h"

/* A run. */
typedef struct gzi_gz2_run {
    int stencil; /* index of its model */
    gzi_gz2_config config;
    double seconds; /* per loop, measured, > 0 */
    int group;      /* runs of one group (for example of a grid and block) are left out together */
} gzi_gz2_run;

/* A parameter to be found. */
typedef struct gzi_gz2_unknown {
    gzi_gz2_parameter parameter;
    int stencil;  /* whose it is; -1: the device's, the same in all models */
    double start; /* > 0: the initial value of the fit, and the centre of the prior */
    double prior; /* standard deviation of the prior over `start`, > 0; 3 or more is weak */
    double least; /* lower bound; 0, or 1 for the norm's exponent */
    gzi_gz2_parameter like; /* 0, or the parameter of the same stencil whose value, found by a first
                               fit, becomes `start` for a second: of the same order of magnitude,
                               which is not known before */

    double value;      /* found */
    double sd;         /* its standard deviation; 0 at the bound */
    double determined; /* share of the prior's variance that the runs removed, 0..1 */
    int alike;         /* the unknown that the runs distinguish it from least, if the correlation of
                          the two is above 0.95 in magnitude; -1: none */
} gzi_gz2_unknown;

typedef struct gzi_gz2_fitted {
    double scale; /* robust standard deviation of the residuals, 1.48 times the median of |r| */
    double cost;  /* what was minimised */
    int iterations;
    int converged;
} gzi_gz2_fitted;

/* Fits the unknowns to `n` runs that have `use[i]` non-zero (`use` NULL: all), beginning with the
 * models' other values as they are, and sets the found values in the models. Runs that the model is
 * not defined for are passed over. Zero; -1 without memory, or if there are no runs or no unknowns.
 */
int gzi_gz2_fit(gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n, const int *use,
                gzi_gz2_unknown *unknowns, int n_unknowns, gzi_gz2_fitted *out);

/* The residuals ln(predicted / measured) of runs left out of the fit by groups: `folds` times, the
 * groups whose number is k modulo `folds` are predicted from a fit to the others. NaN if the
 * model is not defined. The models and unknowns are not changed. */
int gzi_gz2_left_out(const gzi_gz2 *models, int n_models, const gzi_gz2_run *runs, size_t n,
                     const gzi_gz2_unknown *unknowns, int n_unknowns, int folds, double *residual);

/* Half the width of a 95 % interval of ln(predicted / measured) from left-out residuals (NaN:
 * none): of n values the ceil(0.95 (n + 1))-th smallest magnitude, which holds a new value of the
 * same kind with that probability at least, whatever the distribution [split conformal prediction,
 * Vovk et al. 2005]. Fewer than 19 have no such value: then the t quantile of 5 degrees of freedom
 * times 1.48 median |residual|. `scatter`, the relative standard deviation between tries, is added
 * in squares; 0 if the residuals contain it. NaN without memory or residuals. */
double gzi_gz2_half_width(const double *residual, size_t n, double scatter);

#endif
