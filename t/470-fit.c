/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fitted factors, on observations that the model itself makes with known factors: found again
 * without noise, within their intervals with it, and left alone where nothing depends on them.
 */
#include "fit.h"
#include "tap.h"

#include <gsl/gsl_randist.h>

enum { MAX = 64 };

static gz_app pathfinder, hotspot, poisson, cell;

/* Observations at heights 1 to 3 of the given stencils on `dev`, with log-normal noise. */
static int observe(const gz_device *dev, const gz_app *const *apps, int count, gz_sync sync,
                   gz_tau tau, gsl_rng *rng, double noise, struct gzc_observation *out)
{
    int n = 0;
    for (int a = 0; a < count; a++)
        for (int h = 1; h <= 3; h++) {
            gz_config cfg = {.data_length = {1000, 1000, 100}, .sync = sync, .tau = tau};
            gz_prediction prediction;
            for (int i = 0; i < apps[a]->dim; i++)
                cfg.block_len[i] = apps[a]->dim == 1 ? 256 : apps[a]->dim == 2 ? 20 : 8;
            if (gz_predict(dev, apps[a], &cfg, h, &prediction) != GZ_OK)
                exit(1);
            out[n++] = (struct gzc_observation){
                apps[a], cfg, h,
                prediction.seconds_per_loop * exp(noise > 0 ? gsl_ran_gaussian(rng, noise) : 0)};
        }
    return n;
}

int main(void)
{
    const gz_app *all[] = {&pathfinder, &hotspot, &poisson, &cell};
    struct gzc_observation seen[MAX];
    struct gzc_estimate fitted[GZC_FACTORS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gz_device start, truth;
    double misfit = -1;
    int n, held = 0;
    enum { TRIALS = 200 };
    if (gz_device_open("gtx280", &start, NULL) || gz_app_open("pathfinder", &pathfinder, NULL) ||
        gz_app_open("hotspot", &hotspot, NULL) || gz_app_open("poisson", &poisson, NULL) ||
        gz_app_open("cell", &cell, NULL))
        return 1;
    tap_plan(12);
    truth = start;
    truth.dimension_penalty.value = 2.5;
    truth.fence_exposure.value = 0.3;
    truth.latency_hiding.value = 0.7;

    n = observe(&truth, all, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0, seen);
    n += observe(&truth, all, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0, seen + n);
    int fits = gzc_fit_observations(&start, seen, n, fitted, &misfit);
    tap_ok(fits, "observations without noise are fitted");
    tap_close(fitted[GZC_SIGMA].value, 2.5, 1e-6, "sigma");
    tap_close(fitted[GZC_MU].value, 0.3, 1e-3, "mu");
    tap_ok(misfit < 1e-6, "nothing remains: %g", misfit);

    n = observe(&truth, all, 4, GZ_SYNC_RESTART, GZ_TAU_SCALED, rng, 0, seen);
    start.dimension_penalty.value = 2.5;
    fits = gzc_fit_observations(&start, seen, n, fitted, &misfit);
    tap_ok(fits && fitted[GZC_BETA].value >= 0 && fitted[GZC_BETA].value <= 1,
           "beta %.3f stays a share", fitted[GZC_BETA].value);
    tap_ok(isnan(fitted[GZC_MU].value), "without a fence mu is left alone");

    n = observe(&truth, all, 1, GZ_SYNC_RESTART, GZ_TAU_SCALED, rng, 0, seen);
    fits = gzc_fit_observations(&start, seen, n, fitted, &misfit);
    tap_ok(fits && isnan(fitted[GZC_SIGMA].value), "in one dimension sigma is left alone");
    tap_close(fitted[GZC_BETA].value, 0.7, 1e-3, "then beta is found");

    double mean = 0;
    for (int t = 0; t < TRIALS; t++) {
        n = observe(&truth, all, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0.05, seen);
        n += observe(&truth, all, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0.05, seen + n);
        if (gzc_fit_observations(&start, seen, n, fitted, &misfit)) {
            held += fabs(fitted[GZC_SIGMA].value - 2.5) <= GZC_Z95 * fitted[GZC_SIGMA].sd;
            mean += fitted[GZC_SIGMA].value / TRIALS;
        }
    }
    tap_ok(held > TRIALS * 88 / 100 && held < TRIALS,
           "with noise sigma's interval holds it in %d of %d", held, TRIALS);
    tap_ok(fabs(mean - 2.5) < 0.05, "without bias: %.4f", mean);
    tap_ok(misfit > 0.02 && misfit < 0.1, "what remains is the noise: %.3f", misfit);
    tap_ok(!gzc_fit_observations(&start, seen, 1, fitted, &misfit), "one observation fits nothing");
    gsl_rng_free(rng);
    return tap_done();
}
