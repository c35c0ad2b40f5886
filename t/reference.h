/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reference.h - Eqs. 1 to 30 once more, slow and obvious, for the tests to compare the library
 * with.
 *
 * Written from the paper and not from the library, in long double, and complex, so that a step
 * along the imaginary axis gives derivatives without differencing: f(x + i s) = f(x) + i s f'(x)
 * + O(s^2), where s = 1e-1000 makes the last term vanish.
 */
#ifndef GZ_REFERENCE_H
#define GZ_REFERENCE_H

#include "gzmodel/parameters.h"

#include <complex.h>

typedef long double complex ref_number;

/* What the model yields, under the paper's symbols. */
enum ref_quantity {
    REF_T,
    REF_PASSES,
    REF_CONCUR_BLKS,
    REF_LOAD_STEN,
    REF_ITER_MEM,
    REF_COMMIT,
    REF_MEM_ACC,
    REF_MISC_COMP,
    REF_ITER_COMP,
    REF_CPT,
    REF_GLB_SYNC,
    REF_CPS,
    REF_CPL,
    REF_COST_EFFECT,
    REF_SECONDS_PER_LOOP,
    REF_STAR_GLB_SYNC, /* the six terms of Eq. 24, in the order of GZ_TERM_... */
    REF_STAR_LOAD_STEN,
    REF_STAR_COMMIT,
    REF_STAR_MISC_COMP,
    REF_STAR_ITER_COMP,
    REF_STAR_ITER_MEM,
    REF_COUNT
};

extern const char *const ref_names[REF_COUNT];

/* The same quantity of a prediction. */
double ref_member(const gz_prediction *prediction, int quantity);

/* Keeps the larger of *worst and |got - want| / |scale|; a NaN stays, and fails. */
void ref_keep(double *worst, double got, long double want, long double scale);

/* Where the model is evaluated. The height is h + dh: h is exact, and dh moves it by amounts that h
 * could not hold beside the pole. */
typedef struct ref_point {
    int dim;
    gz_sync sync;
    gz_tau tau;
    long double h;
    ref_number dh;
    ref_number p[GZ_PARAM_CAPACITY]; /* real, but for the step of a derivative */
} ref_point;

ref_point ref_point_of(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                       long double h);

/* All quantities at a point. */
void ref_evaluate(const ref_point *at, ref_number q[REF_COUNT]);

/* The value of one quantity. */
long double ref_value(const ref_point *at, int quantity);

/* Derivative with respect to h, or to parameter p, exact to rounding. */
long double ref_dh(const ref_point *at, int quantity);
long double ref_dp(const ref_point *at, int quantity, int p);

/* Second derivatives, in h twice or in h and p: a central difference of eighth order in h of the
 * exact first derivative, with a step of a 256th of the distance to the nearest pole, so that both
 * truncation and rounding are below 1e-15 of the derivative's scale. */
long double ref_d2h(const ref_point *at, int quantity);
long double ref_dh_dp(const ref_point *at, int quantity, int p);

/* The root of dCPL/dh, by halving (0, pole) until no long double is left between the ends. */
long double ref_minimiser(const ref_point *at);

/* min_i blk_len_i / HaloWidth_i, and the distance of h to it. */
long double ref_pole(const ref_point *at);
long double ref_distance(const ref_point *at);

/* 1/h + sum_i HaloWidth_i / (blk_len_i - HaloWidth_i h): how fast the fastest of a component's
 * factors changes with h, relative to its value; the scale of its derivative. */
long double ref_rate(const ref_point *at);

/* How fast the fastest of CPL's factors changes with parameter p, relative to its value: 1/p for a
 * plain factor (0 if p is 0); beta enters as 1 - beta, lengths in V, in Q and in P(h). */
long double ref_param_rate(const ref_point *at, int p);

#endif
