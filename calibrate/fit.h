/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit.h - the factors that the paper assumed, fitted to short runs of the stencils themselves: mu
 * (fence_exposure), sigma (dimension_penalty) and beta (latency_hiding).
 */
#ifndef GZC_FIT_H
#define GZC_FIT_H

#include "calibration.h"
#include "estimate.h"

/* One run to fit to: how long a loop took, at a configuration. */
struct gzc_observation {
    const gz_app *app;
    gz_config cfg; /* cfg.tau is not read */
    double height;
    double seconds_per_loop;
};

/* Fits sigma and mu, with Eqs. 15 and 16 as printed, by least squares of ln(predicted / observed);
 * then, at these, beta with Eq. 11's reading, which alone has it. Each is left as it is where the
 * observations do not depend on it: sigma needs a stencil of two or three dimensions, mu a fence.
 * `fitted` (sigma, mu, beta; NaN where left) has deviations from the fit's covariance, scaled by
 * what remains unexplained, so a model that does not fit shows as a wide interval. `misfit` is that
 * remainder: the root mean square of the logarithm, as printed. False where nothing can be fitted.
 */
enum gzc_factor { GZC_SIGMA, GZC_MU, GZC_BETA, GZC_FACTORS };
bool gzc_fit_observations(const gz_device *dev, const struct gzc_observation *observations, int n,
                          struct gzc_estimate fitted[GZC_FACTORS], double *misfit);

/* Runs the stencils of `result` at their default blocks, at a few heights, by restart and where the
 * device can by fence, and puts the fitted factors into result->device. */
int gzc_fit_factors(struct gzk_device *device, const struct gzc_request *request,
                    struct gzc_calibration *result, struct gzk_error *error);

#endif
