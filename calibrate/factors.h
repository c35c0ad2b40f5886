/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * factors.h - the factors that the paper assumed, fitted to short runs of the stencils themselves:
 * sigma (dimension_penalty), mu (fence_exposure) and beta (latency_hiding).
 */
#ifndef GZC_FACTORS_H
#define GZC_FACTORS_H

#include "estimate.h"
#include "fit.h"
#include "runs.h"

enum gzc_factor { GZC_SIGMA, GZC_MU, GZC_BETA, GZC_FACTORS };

struct gzc_fitted {
    struct gzc_estimate factor[GZC_FACTORS]; /* value NaN if the runs do not determine it */
    double free_sigma;                       /* sigma without its bound */
    double
        misfit; /* root mean square of ln(predicted / measured), with Eqs. 15 and 16 as printed */
};

/* Fits sigma and mu, with Eqs. 15 and 16 as printed, by least squares of ln(predicted / measured);
 * then, at these, beta with Eq. 11's reading, which alone has it. Each is left as it is if the runs
 * do not depend on it: sigma needs a stencil of two or three dimensions, mu a fence. The runs' tau
 * is not read.
 *
 * Sigma is a penalty: a value below 1 would say that a tile comes faster than a copy, and does so
 * only because a cache held it. Least squares may end there, since nothing else in the model can
 * make memory faster; then sigma is 1, and mu and beta are fitted with that. Shares stay within 0
 * and 1 likewise.
 *
 * Deviations are the larger of two: from the fit's covariance, scaled by what remains unexplained,
 * which is right if the model is and only noise remains; and from fits that leave out one stencil
 * at a time (the jackknife, from three stencils on), which also shows how much a factor would be
 * another with other stencils. At its bound sigma's is that of the value without it; a share at an
 * end of its range has none. False if nothing can be fitted. */
bool gzc_factors_solve(const gz_device *dev, gz_app *apps, int app_count,
                       const struct gzc_fit_run *runs, int n, struct gzc_fitted *fitted);

/* Runs to fit to: those of trapezoids, unless their grid is small or the device refused them;
 * `out` has room for runs->n. How many. */
int gzc_factors_runs(const struct gzc_runs *runs, struct gzc_fit_run *out);

/* Puts the factors that these runs determine, with the device's and the applications' quantities in
 * `result`, into result->device. */
void gzc_factors_fit(const struct gzc_runs *runs, const struct gzc_request *request,
                     struct gzc_calibration *result);

#endif
