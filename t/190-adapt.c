/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 190-adapt - adaptive selection: finds the bottom of a convex curve from any start, stays within
 * its bounds, copes with noise, short last stages and bad reports.
 */
#include "cases.h"
#include "tap.h"
#include "tolerance.h"

#define MAX_HEIGHT 24

/* Seconds per loop by height; entry 0 is unused. */
struct curve {
    double s[MAX_HEIGHT + 1];
    int best;
};

/* A strictly convex curve with its bottom at `best`, steeper or flatter on either side. */
static struct curve convex(gsl_rng *rng, int best)
{
    struct curve c = {.best = best};
    double left = uniform(rng, 0.01, 1), right = uniform(rng, 0.01, 1);
    for (int h = 1; h <= MAX_HEIGHT; h++) {
        double off = h - best;
        c.s[h] = 1 + (h < best ? left : right) * off * off + 0.001 * off;
    }
    return c;
}

/* Runs stages until the state settles, or `stages` have run; returns how many did. */
static int run(gz_adapt *state, const struct curve *curve, int stages)
{
    int n = 0;
    while (!state->settled && n++ < stages) {
        int loops = gz_adapt_next(state, 1000000);
        gz_adapt_report(state, loops, loops * curve->s[loops], NULL);
    }
    return n;
}

static void convergence(gsl_rng *rng)
{
    int found = 1, quick = 1, within = 1, stable = 1;
    for (int best = 1; best <= MAX_HEIGHT; best++)
        for (int start = 1; start <= MAX_HEIGHT; start++)
            for (int stages = 1; stages <= 3; stages++) {
                struct curve curve = convex(rng, best);
                gz_adapt state;
                gz_adapt_start(&state, start, MAX_HEIGHT, stages, NULL);
                int n = run(&state, &curve, 1000);
                found &= state.settled && state.height == best && state.best == best;
                found &= fabs(state.best_s / curve.s[best] - 1) <= TOL_VALUE;
                /* the start, the way to the bottom, one beyond; it looks upwards first, so one more
                 * where the bottom is not there */
                quick &= n <= stages * (abs(start - best) + (best > start ? 2 : 3));
                gz_adapt before = state;
                for (int k = 0; k < 10; k++) {
                    int loops = gz_adapt_next(&state, 1000000);
                    gz_adapt_report(&state, loops, 1000.0 * loops, NULL);
                }
                stable &= memcmp(&before, &state, sizeof state) == 0;
            }
    /* With fewer heights than the bottom's, it settles at the last one. */
    for (int highest = 1; highest < MAX_HEIGHT; highest++)
        for (int start = 1; start <= highest; start++) {
            struct curve curve = convex(rng, MAX_HEIGHT);
            gz_adapt state;
            gz_adapt_start(&state, start, highest, 2, NULL);
            for (int k = 0; k < 200 && !state.settled; k++) {
                int loops = gz_adapt_next(&state, 1000000);
                within &= loops >= 1 && loops <= highest;
                gz_adapt_report(&state, loops, loops * curve.s[loops], NULL);
            }
            within &= state.settled && state.height == highest;
        }
    tap_ok(found, "settles at the bottom of a convex curve from any start");
    tap_ok(quick, "takes the shortest way, with one false turn if the bottom is below");
    tap_ok(stable, "once settled, stays");
    tap_ok(within, "never leaves 1..height_max, and settles at the end if the curve still falls");
}

/* With noise of at most e either way it may settle early, but only if the neighbours are not
 * clearly better: (1 + e) t(h +- 1) >= (1 - e) t(h). */
static void noise(gsl_rng *rng)
{
    int good = 1;
    const double e = 0.05;
    for (int k = 0; k < 2000; k++) {
        struct curve curve = convex(rng, (int)whole(rng, 1, MAX_HEIGHT));
        gz_adapt state;
        gz_adapt_start(&state, (int)whole(rng, 1, MAX_HEIGHT), MAX_HEIGHT, 0, NULL);
        for (int n = 0; n < 500 && !state.settled; n++) {
            int loops = gz_adapt_next(&state, 1000000);
            good &= loops >= 1 && loops <= MAX_HEIGHT;
            gz_adapt_report(&state, loops, loops * curve.s[loops] * uniform(rng, 1 - e, 1 + e),
                            NULL);
        }
        int h = state.height;
        good &= state.settled && h == state.best;
        if (h > 1)
            good &= curve.s[h - 1] * (1 + e) >= curve.s[h] * (1 - e);
        if (h < MAX_HEIGHT)
            good &= curve.s[h + 1] * (1 + e) >= curve.s[h] * (1 - e);
    }
    tap_ok(good, "with noise it settles only if no neighbour is clearly better");

    /* Averaging: one slow and one fast stage count as their mean. */
    struct curve curve = convex(rng, 7);
    gz_adapt state;
    gz_adapt_start(&state, 3, MAX_HEIGHT, 0, NULL);
    for (int n = 0; n < 200 && !state.settled; n++) {
        int loops = gz_adapt_next(&state, 1000000);
        gz_adapt_report(&state, loops, loops * curve.s[loops] * (n % 2 ? 0.5 : 1.5), NULL);
    }
    tap_ok(state.settled && state.height == 7, "two stages make a probe, by their mean");
}

static void remainders(void)
{
    gz_adapt state;
    gz_adapt_start(&state, 8, 10, 1, NULL);
    gz_adapt before = state;
    int loops = gz_adapt_next(&state, 1);
    tap_ok(loops == 1 && gz_adapt_next(&state, 7) == 7 && gz_adapt_next(&state, 8) == 8 &&
               gz_adapt_next(&state, 9) == 8,
           "the next stage is no longer than what is left");
    tap_ok(gz_adapt_report(&state, 1, 1e-9, NULL) == GZ_OK &&
               gz_adapt_report(&state, 7, 1e9, NULL) == GZ_OK &&
               memcmp(&before, &state, sizeof state) == 0,
           "short last stages teach nothing");

    /* A run of 30 loops is done in stages that add up to 30, whatever the start. */
    int good = 1;
    for (int start = 1; start <= 10; start++) {
        gz_adapt_start(&state, start, 10, 0, NULL);
        int left = 30;
        while (left > 0) {
            int next = gz_adapt_next(&state, left);
            good &= next >= 1 && next <= left;
            gz_adapt_report(&state, next, next * 1e-6 * (10 + abs(next - 4)), NULL);
            left -= next;
        }
        good &= left == 0;
    }
    tap_ok(good, "stages add up to the loops given");
}

static void bad_reports(void)
{
    gz_adapt state;
    gz_adapt_start(&state, 4, 10, 2, NULL);
    gz_adapt_report(&state, 4, 1, NULL);
    gz_adapt before = state;
    tap_ok(gz_adapt_report(NULL, 4, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_report(&state, 0, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_report(&state, -4, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_report(&state, 4, -1, NULL) == GZ_EARGUMENT &&
               gz_adapt_report(&state, 4, (double)NAN, NULL) == GZ_EARGUMENT &&
               gz_adapt_report(&state, 4, HUGE_VAL, NULL) == GZ_EARGUMENT &&
               memcmp(&before, &state, sizeof state) == 0,
           "bad reports are refused and change nothing");
    tap_ok(gz_adapt_start(NULL, 1, 1, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_start(&state, 0, 1, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_start(&state, 2, 1, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_start(&state, 1, 0, 1, NULL) == GZ_EARGUMENT &&
               gz_adapt_start(&state, 1, 1, -1, NULL) == GZ_EARGUMENT,
           "bad starts are refused");
    gz_adapt_start(&state, 1, 1, 0, NULL);
    gz_adapt_report(&state, 1, 1, NULL);
    gz_adapt_report(&state, 1, 1, NULL);
    tap_ok(state.settled && state.height == 1, "with one height to choose from, it settles there");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    convergence(rng);
    noise(rng);
    remainders();
    bad_reports();
    gsl_rng_free(rng);
    return tap_done();
}
