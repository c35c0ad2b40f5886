/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The last cache's edge, on times per byte that are made from known ones: found again exactly
 * without noise, wherever the edge lies and however sharp it is; with noise nearly always close by;
 * and refused if there is no edge in sight.
 */
#include "edge.h"
#include "tap.h"

#include <gsl/gsl_randist.h>

enum { SIZES = 16, TRIALS = 200 };

static double bytes[SIZES], seconds[SIZES];

static void make(const struct gzc_edge *truth, gsl_rng *rng, double noise)
{
    for (int k = 0; k < SIZES; k++) {
        bytes[k] = 2e6 * pow(200, (double)k / (SIZES - 1));
        seconds[k] =
            (truth->inside + truth->beyond / (1 + pow(truth->cache / bytes[k], truth->sharpness))) *
            exp(noise > 0 ? gsl_ran_gaussian(rng, noise) : 0);
    }
}

int main(void)
{
    static const double caches[] = {8e6, 30e6, 85e6}, sharp[] = {2, 4, 8};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct gzc_edge found;
    tap_note("seed %lu", gsl_rng_default_seed);
    for (int c = 0; c < 3; c++)
        for (int s = 0; s < 3; s++) {
            struct gzc_edge truth = {2e-11, 5e-11, caches[c], sharp[s]};
            make(&truth, rng, 0);
            tap_ok(gzc_edge_fit(bytes, seconds, SIZES, &found), "an edge at %g B, sharpness %g",
                   truth.cache, truth.sharpness);
            tap_close(found.cache, truth.cache, 1e-3, "the cache without noise");
            tap_close(found.beyond, truth.beyond, 5e-3, "the time beyond it");
        }
    struct gzc_edge truth = {2e-11, 5e-11, 30e6, 4};
    int close = 0;
    for (int t = 0; t < TRIALS; t++) {
        make(&truth, rng, 0.03);
        if (gzc_edge_fit(bytes, seconds, SIZES, &found) &&
            fabs(found.cache / truth.cache - 1) < 0.15 &&
            fabs(found.beyond / truth.beyond - 1) < 0.15)
            close++;
    }
    tap_ok(close >= TRIALS * 95 / 100, "with 3 %% noise %d of %d within 15 %%", close, (int)TRIALS);

    make(&truth, rng, 0);
    double cache = found.cache;
    gzc_edge_fit(bytes, seconds, SIZES, &found);
    cache = found.cache;
    for (int k = 0; k < SIZES; k++)
        seconds[k] *= 7;
    gzc_edge_fit(bytes, seconds, SIZES, &found);
    tap_close(found.cache, cache, 1e-5, "a slower device has its edge at the same place");
    for (int k = 0; k < SIZES; k++)
        bytes[k] *= 3;
    gzc_edge_fit(bytes, seconds, SIZES, &found);
    tap_close(found.cache, 3 * cache, 1e-5, "three times the sizes, three times the cache");

    for (int k = 0; k < SIZES; k++)
        seconds[k] = 3e-11 * (k % 2 ? 1.02 : 1);
    tap_ok(!gzc_edge_fit(bytes, seconds, SIZES, &found), "no edge in what is flat");
    for (int k = 0; k < SIZES; k++)
        seconds[k] = 3e-11 * (SIZES - k);
    tap_ok(!gzc_edge_fit(bytes, seconds, SIZES, &found), "nor in what falls");
    struct gzc_edge far = {2e-11, 5e-11, 390e6, 4};
    make(&far, rng, 0);
    tap_ok(!gzc_edge_fit(bytes, seconds, SIZES, &found), "nor where only its beginning is seen");
    make(&truth, rng, 0);
    tap_ok(!gzc_edge_fit(bytes, seconds, 5, &found), "nor in five sizes");
    gsl_rng_free(rng);
    return tap_done();
}
