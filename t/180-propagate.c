/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 180-propagate - first-order intervals compared with Monte Carlo: the quantities are drawn from
 * normal distributions, and CPL, seconds and the best height computed anew for each draw.
 */
#include "cases.h"
#include "tap.h"
#include "tolerance.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics.h>

#define SAMPLES 100000
#define Z 1.96

/* Standard deviations of two per cent: second-order terms change a result's standard deviation by
 * some 0.0004 of itself, a fifth of Monte Carlo's own error. */
#define RELATIVE_SD 0.02

/* What Monte Carlo's intervals may miss by, beside their statistical error: second order moves the
 * mean by about RELATIVE_SD^2, and with it a normal distribution's coverage by less than this. */
#define COVERAGE_BIAS 0.003

#define UNCERTAIN 8

static void uncertain_of(test_case *c, gz_quantity *q[UNCERTAIN])
{
    q[0] = &c->dev.clock_rate;
    q[1] = &c->dev.mem_bandwidth;
    q[2] = &c->dev.uncontended_latency;
    q[3] = &c->dev.cpi;
    q[4] = &c->dev.launch_overhead;
    q[5] = &c->dev.fence_overhead;
    q[6] = &c->app.insts_per_sm_iter;
    q[7] = &c->app.insts_per_sm_misc;
}

struct samples {
    double cpl[SAMPLES], seconds[SAMPLES], height[SAMPLES];
};

static int sample(gsl_rng *rng, const test_case *c, double h, struct samples *to)
{
    int good = 1;
    for (int k = 0; k < SAMPLES; k++) {
        test_case drawn = *c;
        gz_quantity *q[UNCERTAIN];
        uncertain_of(&drawn, q);
        for (int n = 0; n < UNCERTAIN; n++)
            q[n]->value += gsl_ran_gaussian(rng, q[n]->sd);
        gz_prediction p;
        gz_optimum best;
        good &= gz_predict(&drawn.dev, &drawn.app, &drawn.cfg, h, &p, NULL) == GZ_OK;
        good &= gz_optimize(&drawn.dev, &drawn.app, &drawn.cfg, NULL, &best, NULL) == GZ_OK;
        to->cpl[k] = p.cpl;
        to->seconds[k] = p.seconds_per_loop;
        to->height[k] = best.continuous;
    }
    return good;
}

/* Standard deviation of one result, and coverage where the model's own error, drawn by `rng`, comes
 * on top of it. */
static void compare(gsl_rng *rng, const double *samples, double sd, double form,
                    const double interval[2], const char *name, const char *what)
{
    double measured = gsl_stats_sd(samples, 1, SAMPLES);
    double error = 1 / sqrt(2.0 * SAMPLES); /* relative, of a standard deviation */
    double allowed = TOL_MONTE_CARLO_ERRORS * error + 2 * RELATIVE_SD * RELATIVE_SD;
    if (!tap_ok(fabs(sd / measured - 1) <= allowed, "%s: standard deviation of %s", name, what))
        tap_note("first order %g, Monte Carlo %g", sd, measured);

    int inside = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double drawn_k = samples[k] * exp(gsl_ran_gaussian(rng, form));
        inside += drawn_k >= interval[0] && drawn_k <= interval[1];
    }
    double covered = (double)inside / SAMPLES, want = erf(Z / sqrt(2));
    double spread = sqrt(want * (1 - want) / SAMPLES);
    if (!tap_ok(fabs(covered - want) <= TOL_MONTE_CARLO_ERRORS * spread + COVERAGE_BIAS,
                "%s: the interval of %s covers 95 %%", name, what))
        tap_note("covered %g, want %g", covered, want);
}

static struct samples drawn;

static void monte_carlo(gsl_rng *rng, int benchmark, gz_sync sync)
{
    test_case c = benchmark_case(benchmark, sync);
    gz_quantity *q[UNCERTAIN];
    uncertain_of(&c, q);
    for (int n = 0; n < UNCERTAIN; n++)
        q[n]->sd = RELATIVE_SD * q[n]->value;
    double h = benchmark == CELL ? 1 : 2;
    gz_uncertainty u;
    char name[80];
    snprintf(name, sizeof name, "%s, %s", benchmark_names[benchmark], gz_name(GZ_SYNCS, sync));
    tap_ok(gz_propagate(&c.dev, &c.app, &c.cfg, h, Z, &u, NULL) == GZ_OK &&
               sample(rng, &c, h, &drawn) && u.z == Z,
           "%s: propagates", name);
    compare(rng, drawn.cpl, u.cpl_sd, u.form_sd, u.cpl, name, "CPL");
    compare(rng, drawn.seconds, u.seconds_sd, u.form_sd, u.seconds, name, "seconds per loop");
    compare(rng, drawn.height, u.height_sd, 0, u.height, name, "the best height");

    int inside = 0;
    for (int k = 0; k < SAMPLES; k++)
        inside +=
            floor(drawn.height[k]) >= u.integer[0] - 1 && ceil(drawn.height[k]) <= u.integer[1] + 1;
    tap_ok(inside > 0.99 * SAMPLES, "%s: whole heights within one of the interval", name);
}

/* What holds without chance. */
static void certain(void)
{
    test_case c = benchmark_case(PATHFINDER, GZ_SYNC_FENCE);
    gz_uncertainty u;
    gz_optimum best;
    gz_optimize(&c.dev, &c.app, &c.cfg, NULL, &best, NULL);
    tap_ok(gz_propagate(&c.dev, &c.app, &c.cfg, 5, 3, &u, NULL) == GZ_OK && u.cpl_sd == 0 &&
               u.seconds_sd == 0 && u.height_sd == 0 && u.form_sd > 0 &&
               fabs(log(u.cpl[1] / u.cpl[0]) - 2 * 3 * u.form_sd) < TOL_VALUE &&
               u.height[0] == u.height[1] && u.integer[0] == best.integer &&
               u.integer[1] == best.integer,
           "without standard deviations the model's own error is left");

    c.dev.clock_rate.sd = 0.01 * c.dev.clock_rate.value;
    c.dev.mem_bandwidth.sd = 0;
    gz_propagate(&c.dev, &c.app, &c.cfg, 5, 1, &u, NULL);
    gz_gradient g;
    gz_predict_gradient(&c.dev, &c.app, &c.cfg, 5, &g, NULL);
    double clock = c.dev.clock_rate.value;
    tap_close(u.cpl_sd, fabs(g.dcpl_dp[GZ_P_CLOCK_RATE]) * c.dev.clock_rate.sd, TOL_VALUE,
              "one uncertain quantity: its derivative times its standard deviation");
    tap_close(u.seconds_sd,
              fabs(g.dcpl_dp[GZ_P_CLOCK_RATE] / clock - g.cpl / (clock * clock)) *
                  c.dev.clock_rate.sd,
              TOL_VALUE, "the clock enters seconds twice");

    c.dev.cpi.sd = 10 * c.dev.cpi.value;
    gz_propagate(&c.dev, &c.app, &c.cfg, 5, 3, &u, NULL);
    tap_ok(u.cpl[0] >= 0 && u.seconds[0] >= 0 && isfinite(u.seconds[1]) && u.height[0] >= 0 &&
               u.height[1] <= gz_pole(&c.app, &c.cfg) && u.integer[0] >= 1 &&
               u.integer[1] <= best.height_max && u.integer[0] <= u.integer[1],
           "absurd standard deviations leave the intervals within what is possible");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    monte_carlo(rng, PATHFINDER, GZ_SYNC_RESTART);
    monte_carlo(rng, PATHFINDER, GZ_SYNC_FENCE);
    monte_carlo(rng, HOTSPOT, GZ_SYNC_RESTART);
    monte_carlo(rng, CELL, GZ_SYNC_FENCE);
    certain();
    gsl_rng_free(rng);
    return tap_done();
}
