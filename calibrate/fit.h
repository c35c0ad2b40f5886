/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit.h - the factors that the paper assumed, fitted to short runs of the stencils themselves: mu
 * (fence_exposure), sigma (dimension_penalty) and beta (latency_hiding).
 */
#ifndef GZC_FIT_H
#define GZC_FIT_H

#include "estimate.h"
#include "request.h"
#include "second.h"

/* One run to fit to: how long a loop took, at a configuration. */
struct gzc_observation {
    const gz_app *app;
    gz_config cfg; /* cfg.tau is not read */
    double height;
    double seconds_per_loop;
};

enum gzc_factor { GZC_SIGMA, GZC_MU, GZC_BETA, GZC_FACTORS };

struct gzc_fitted {
    struct gzc_estimate factor[GZC_FACTORS]; /* value NaN if the observations do not determine it */
    double free_sigma;                       /* sigma without its bound */
    double
        misfit; /* root mean square of ln(predicted / observed), with Eqs. 15 and 16 as printed */
};

/* Fits sigma and mu, with Eqs. 15 and 16 as printed, by least squares of ln(predicted / observed);
 * then, at these, beta with Eq. 11's reading, which alone has it. Each is left as it is if the
 * observations do not depend on it: sigma needs a stencil of two or three dimensions, mu a fence.
 *
 * Sigma is a penalty: a value below 1 would say that a tile comes faster than a copy, and does so
 * only because a cache held it. Least squares may end there, since nothing else in the model can
 * make memory faster; then sigma is 1, and mu and beta are fitted beside that.
 *
 * Deviations are the larger of two: from the fit's covariance, scaled by what remains unexplained,
 * which is right if the model is and only noise remains; and from fits that leave out one stencil
 * at a time (the jackknife, from three stencils on), which also shows how much a factor would be
 * another with other stencils. At its bound sigma's is that of the value without it; a share at an
 * end of its range has none. False if nothing can be fitted. */
bool gzc_fit_observations(const gz_device *dev, const struct gzc_observation *observations, int n,
                          struct gzc_fitted *fitted);

/* The runs to fit to. */
struct gzc_fit_runs;

/* Runs the stencils of `result` at their default blocks, at heights up to 3: on a short grid by
 * restart and, if the device can, by fence; unless request->quick, on one beyond the cache by
 * restart, for which memory time is what the model means. `runs` is ended by gzc_fit_free, also
 * after a failure. */
int gzc_fit_observe(struct gzk_device *device, const struct gzc_request *request,
                    const struct gzc_calibration *result, struct gzc_fit_runs **runs,
                    struct gzk_error *error);
/* Observations from the second model's runs: its trapezoids, unless their grid is small or the
 * device refused them. `apps` are by run.app; `observations` has room for second->n. How many. */
int gzc_fit_of_second(const struct gzc_second_runs *second, const gz_app *apps,
                      struct gzc_observation *observations);

/* The same as gzc_fit_observe from these, which were made already: at height 1 and the highest of
 * at most 6, in both modes, on grids within the cache and beyond it. For a CPU, since on a GPU
 * none are beyond it. */
int gzc_fit_share(const struct gzc_second_runs *second, const struct gzc_request *request,
                  const struct gzc_calibration *result, struct gzc_fit_runs **runs,
                  struct gzk_error *error);
void gzc_fit_free(struct gzc_fit_runs *runs);

/* Puts the factors that these runs determine, with the device's and the applications' quantities in
 * `result`, into result->device. */
int gzc_fit_factors(struct gzc_fit_runs *runs, const struct gzc_request *request,
                    struct gzc_calibration *result, struct gzk_error *error);

#endif
