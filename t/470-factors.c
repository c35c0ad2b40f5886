/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fitted factors, on observations that the model itself makes with known factors: found again
 * without noise, within their intervals with it, left alone if nothing depends on them, and kept
 * at a bound if a cache makes memory faster than the model's. If the model is wrong, in one
 * stencil, the intervals grow with how wrong it is.
 */
#include "factors.h"
#include "registry.h"
#include "tap.h"

#include <gsl/gsl_randist.h>

enum { MAX = 64 };

static gz_app apps[4];

/* Observations at heights 1 to 3 of the given stencils on `dev`, with log-normal noise. */
static int observe(const gz_device *dev, int count, gz_sync sync, gz_tau tau, gsl_rng *rng,
                   double noise, struct gzc_fit_run *out)
{
    int n = 0;
    for (int a = 0; a < count; a++)
        for (int h = 1; h <= 3; h++) {
            gz_config cfg = {.data_length = {1000, 1000, 100}, .sync = sync, .tau = tau};
            gz_prediction prediction;
            for (int i = 0; i < apps[a].dim; i++)
                cfg.block_len[i] = apps[a].dim == 1 ? 256 : apps[a].dim == 2 ? 20 : 8;
            if (gz_predict(dev, &apps[a], &cfg, h, &prediction, NULL) != GZ_OK)
                exit(1);
            out[n++] =
                (struct gzc_fit_run){.app = a,
                                     .cfg = cfg,
                                     .height = h,
                                     .seconds = prediction.seconds_per_loop *
                                                exp(noise > 0 ? gsl_ran_gaussian(rng, noise) : 0)};
        }
    return n;
}

/* gz2's runs serve this fit, too: trapezoids on long grids, with their middle try. */
static void check_shared(void)
{
    static struct gzc_runs runs;
    static struct gzc_fit_run out[GZC_RUNS_MAX];
    struct gzk_config base = {.stencil = gzk_stencil_find("hotspot"),
                              .variant = GZK_TRAPEZOID,
                              .sync = GZ_SYNC_FENCE,
                              .size = {724, 700, 1},
                              .block = {258, 32, 1},
                              .height = 6,
                              .loops = 12};
    runs.tries = 3;
    for (; runs.n < 4; runs.n++) {
        runs.config[runs.n] = base;
        runs.app[runs.n] = 1;
        for (int k = 0; k < runs.tries; k++)
            runs.seconds[k][runs.n] = runs.n < 3 ? 2e-3 : (double)NAN;
    }
    runs.config[1].size[0] = 16;
    runs.config[2].variant = GZK_NAIVE;
    int n = gzc_factors_runs(&runs, out);
    tap_ok(n == 1, "a small grid, another variant and a refused run are no observations: %d of 4",
           n);
    tap_ok(out[0].app == 1 && out[0].height == 6 && out[0].cfg.sync == GZ_SYNC_FENCE &&
               out[0].cfg.data_length[0] == 724 && out[0].cfg.data_length[1] == 700 &&
               out[0].cfg.block_len[0] == 258 && out[0].cfg.block_len[1] == 32,
           "the other one has its configuration");
    tap_close(out[0].seconds, 2e-3, 1e-9, "and its time");
}

int main(void)
{
    struct gzc_fit_run seen[MAX];
    struct gzc_fitted fitted;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gz_device start, truth;
    int n, held = 0, bounded = 0;
    enum { TRIALS = 200 };
    if (gz_device_open("gtx280", &start, NULL) || gz_app_open("pathfinder", NULL, &apps[0], NULL) ||
        gz_app_open("hotspot", NULL, &apps[1], NULL) ||
        gz_app_open("poisson", NULL, &apps[2], NULL) || gz_app_open("cell", NULL, &apps[3], NULL))
        return 1;
    check_shared();
    truth = start;
    truth.dimension_penalty.value = 2.5;
    truth.fence_exposure.value = 0.3;
    truth.latency_hiding.value = 0.7;

    n = observe(&truth, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0, seen);
    n += observe(&truth, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0, seen + n);
    int fits = gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    tap_ok(fits, "observations without noise are fitted");
    tap_close(fitted.factor[GZC_SIGMA].value, 2.5, 1e-6, "sigma");
    tap_close(fitted.factor[GZC_MU].value, 0.3, 1e-3, "mu");
    tap_ok(fitted.misfit < 1e-6, "nothing remains: %g", fitted.misfit);

    n = observe(&truth, 4, GZ_SYNC_RESTART, GZ_TAU_SCALED, rng, 0, seen);
    start.dimension_penalty.value = 2.5;
    fits = gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    tap_ok(fits && fitted.factor[GZC_BETA].value >= 0 && fitted.factor[GZC_BETA].value <= 1,
           "beta %.3f stays a share", fitted.factor[GZC_BETA].value);
    tap_ok(isnan(fitted.factor[GZC_MU].value), "without a fence mu is left alone");

    n = observe(&truth, 1, GZ_SYNC_RESTART, GZ_TAU_SCALED, rng, 0, seen);
    fits = gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    tap_ok(fits && isnan(fitted.factor[GZC_SIGMA].value), "in one dimension sigma is left alone");
    tap_close(fitted.factor[GZC_BETA].value, 0.7, 1e-3, "then beta is found");

    double mean = 0;
    for (int t = 0; t < TRIALS; t++) {
        n = observe(&truth, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0.05, seen);
        n += observe(&truth, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0.05, seen + n);
        if (gzc_factors_solve(&start, apps, 4, seen, n, &fitted)) {
            held +=
                fabs(fitted.factor[GZC_SIGMA].value - 2.5) <= GZC_Z95 * fitted.factor[GZC_SIGMA].sd;
            mean += fitted.factor[GZC_SIGMA].value / TRIALS;
        }
    }
    tap_ok(held > TRIALS * 88 / 100 && held < TRIALS,
           "with noise sigma's interval holds it in %d of %d", held, TRIALS);
    tap_ok(fabs(mean - 2.5) < 0.05, "without bias: %.4f", mean);
    tap_ok(fitted.misfit > 0.02 && fitted.misfit < 0.1, "what remains is the noise: %.3f",
           fitted.misfit);
    /* Device memory three times as fast as the model's, as from a cache. */
    truth = start;
    truth.dimension_penalty.value = 1;
    truth.fence_exposure.value = 0.3;
    truth.mem_bandwidth.value *= 3;
    for (int t = 0; t < 20; t++) {
        n = observe(&truth, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0.02, seen);
        n += observe(&truth, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0.02, seen + n);
        bounded += gzc_factors_solve(&start, apps, 4, seen, n, &fitted) &&
                   fitted.factor[GZC_SIGMA].value == 1 && fitted.free_sigma < 1 &&
                   fitted.factor[GZC_SIGMA].sd > 0;
    }
    tap_ok(bounded == 20, "memory faster than the model's: sigma is 1 in %d of 20", bounded);
    tap_ok(fitted.free_sigma > 0.2 && fitted.free_sigma < 0.8,
           "and what it would be is stated: %.2f", fitted.free_sigma);
    tap_ok(fitted.factor[GZC_MU].value > 0.1 && fitted.factor[GZC_MU].value < 0.9,
           "mu is fitted beside the bound: %.2f", fitted.factor[GZC_MU].value);

    /* One stencil takes twice what the model says: its noise cannot show that, the jackknife does.
     */
    truth = start;
    truth.dimension_penalty.value = 2.5;
    n = observe(&truth, 4, GZ_SYNC_RESTART, GZ_TAU_PRINTED, rng, 0, seen);
    gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    double sure = fitted.factor[GZC_SIGMA].sd;
    for (int i = 0; i < n; i++)
        seen[i].seconds *= seen[i].app == 1 ? 2 : 1;
    gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    tap_ok(fitted.factor[GZC_SIGMA].sd > 0.1 && sure < 1e-3,
           "a stencil off by 2 widens sigma's deviation from %.2g to %.2g", sure,
           fitted.factor[GZC_SIGMA].sd);
    tap_ok(fabs(fitted.factor[GZC_SIGMA].value - 2.5) <= GZC_Z95 * fitted.factor[GZC_SIGMA].sd,
           "enough to hold the others' 2.5: %.2f", fitted.factor[GZC_SIGMA].value);
    /* Fences that cost nothing. */
    truth.fence_exposure.value = 0;
    n = observe(&truth, 4, GZ_SYNC_FENCE, GZ_TAU_PRINTED, rng, 0, seen);
    gzc_factors_solve(&start, apps, 4, seen, n, &fitted);
    tap_ok(fitted.factor[GZC_MU].value == 0 && fitted.factor[GZC_MU].sd == 0,
           "free fences: mu is at the end of its range, without a deviation");
    tap_ok(!gzc_factors_solve(&start, apps, 4, seen, 1, &fitted), "one observation fits nothing");
    gsl_rng_free(rng);
    return tap_done();
}
