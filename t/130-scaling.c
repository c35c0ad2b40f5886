/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 130-scaling - what must not change the model's results (units, the order of dimensions, the size
 * of the profiling run), how it scales with the grid, and how the best height moves with any
 * parameter. The trends of Section 6 are 510's.
 */
#include "cases.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 1000

static gz_prediction predict(const test_case *c, double h)
{
    gz_prediction p = {.cpl = (double)NAN};
    gz_predict(&c->dev, &c->app, &c->cfg, h, &p, NULL);
    return p;
}

static gz_optimum optimum(const test_case *c)
{
    gz_optimum best = {.continuous = (double)NAN, .speedup = (double)NAN};
    if (gz_optimize(&c->dev, &c->app, &c->cfg, NULL, &best, NULL) != GZ_OK)
        best.continuous = best.speedup = (double)NAN;
    return best;
}

static int equal(double a, double b)
{
    return fabs(a - b) <= TOL_VALUE * fmax(fabs(a), fabs(b));
}

static int same_height(const test_case *a, const test_case *b)
{
    double x = optimum(a).continuous, y = optimum(b).continuous;
    return fabs(x - y) <= TOL_MINIMISER * fmax(x, y);
}

/* The changes: each is applied to a copy of a random case, by a random factor. */

static void faster_clock(test_case *c, double k)
{
    c->dev.clock_rate.value *= k;
    c->dev.uncontended_latency.value *= k;
    c->dev.cpi.value *= k;
    c->dev.launch_overhead.value *= k;
    c->dev.graph_overhead.value *= k;
    c->dev.fence_overhead.value *= k;
}

static void faster_clock_and_memory(test_case *c, double k)
{
    c->dev.clock_rate.value *= k;
    c->dev.mem_bandwidth.value *= k;
}

static void other_bytes(test_case *c, double k)
{
    c->app.element_size.value *= k;
    c->dev.mem_bandwidth.value *= k;
}

static void longer_profile(test_case *c, double k)
{
    c->app.profile_elements.value *= k;
    c->app.insts_per_sm_misc.value *= k;
    c->app.insts_per_sm_iter.value *= k;
}

/* M of Eq. 14 over M of Eq. 29 being kept, M enters only through ConcurBlks. */
static void other_blocks(test_case *c, double k)
{
    c->dev.sm_count.value *= k;
    c->app.profile_sm_count.value *= k;
    c->dev.blocks_per_sm.value *= k;
    c->dev.uncontended_latency.value *= k * k;
}

static void invariances(gsl_rng *rng)
{
    static void (*const change[])(test_case *, double) = {faster_clock_and_memory, other_bytes,
                                                          longer_profile, other_blocks};
    static const char *const name[] = {"clock and bandwidth", "bytes and bandwidth",
                                       "length of the profiling run", "M, BlksPerSM and latency"};
    for (int n = 0; n < 4; n++) {
        int good = 1;
        for (int k = 0; k < CASES; k++) {
            test_case c = random_case(rng), changed = c;
            double h = random_height(rng, &c);
            change[n](&changed, uniform(rng, 1, 10));
            good &= equal(predict(&c, h).cpl, predict(&changed, h).cpl);
            good &= same_height(&c, &changed);
        }
        tap_ok(good, "CPL and the best height do not change with %s together", name[n]);
    }

    int good = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng), changed = c;
        double h = random_height(rng, &c), factor = uniform(rng, 0.1, 10);
        faster_clock(&changed, factor);
        gz_prediction a = predict(&c, h), b = predict(&changed, h);
        good &= equal(a.cpl * factor, b.cpl) && equal(a.seconds_per_loop, b.seconds_per_loop);
        good &= same_height(&c, &changed);
    }
    tap_ok(good, "seconds do not depend on how long a cycle is");
}

static void grid(gsl_rng *rng)
{
    int fence = 1, restart = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double h = random_height(rng, &c), factor = whole(rng, 2, 100);
        c.cfg.sync = GZ_SYNC_FENCE;
        test_case larger = c;
        larger.cfg.data_length[c.app.dim - 1] *= factor;
        fence &= equal(predict(&c, h).cpl * factor, predict(&larger, h).cpl);
        fence &= same_height(&c, &larger);

        c.cfg.sync = larger.cfg.sync = GZ_SYNC_RESTART;
        gz_prediction a = predict(&c, h), b = predict(&larger, h);
        restart &= equal((a.mem_acc + a.cpt * a.t / c.dev.sm_count.value) * factor,
                         b.mem_acc + b.cpt * b.t / c.dev.sm_count.value);
        /* a launch matters less on a larger grid, so the best height falls */
        restart &= optimum(&larger).continuous <= optimum(&c).continuous * (1 + TOL_MINIMISER);
    }
    tap_ok(fence, "with fences CPL is linear in the grid, and the best height independent of it");
    tap_ok(restart, "with restarts CPL is linear but for the launch, and the best height falls");
}

static void dimensions(gsl_rng *rng)
{
    int permuted = 1, flat = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng), swapped = c;
        double h = random_height(rng, &c);
        for (int i = 0, last = c.app.dim - 1; i <= last; i++) {
            swapped.app.halo_width[i] = c.app.halo_width[last - i];
            swapped.cfg.data_length[i] = c.cfg.data_length[last - i];
            swapped.cfg.block_len[i] = c.cfg.block_len[last - i];
        }
        permuted &= equal(predict(&c, h).cpl, predict(&swapped, h).cpl);

        c.app.dim = 1;
        if (c.app.halo_width[0] == 0)
            continue;
        h = random_height(rng, &c);
        c.dev.dimension_penalty.value = 1;
        test_case thin = c;
        thin.app.dim = 3;
        for (int i = 1; i < 3; i++) {
            thin.app.halo_width[i] = 0;
            thin.cfg.data_length[i] = thin.cfg.block_len[i] = 1;
        }
        flat &= equal(predict(&c, h).cpl, predict(&thin, h).cpl);
    }
    tap_ok(permuted, "the order of the dimensions does not matter");
    tap_ok(flat, "dimensions of one element without halo do not count if sigma is 1");
}

static void readings(gsl_rng *rng)
{
    int tau = 1, graph = 1, geometry = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double h = random_height(rng, &c);
        test_case scaled = c, printed = c;
        double factor = (1 - c.dev.latency_hiding.value) * (1 + c.app.bank_conflict_rate.value);
        scaled.cfg.tau = GZ_TAU_SCALED;
        printed.cfg.tau = GZ_TAU_PRINTED;
        printed.app.insts_per_sm_misc.value *= factor;
        printed.app.insts_per_sm_iter.value *= factor;
        tau &= equal(predict(&scaled, h).cpl, predict(&printed, h).cpl);

        test_case by_graph = c, by_launch = c;
        by_graph.cfg.sync = GZ_SYNC_GRAPH;
        by_launch.cfg.sync = GZ_SYNC_RESTART;
        by_launch.dev.launch_overhead = c.dev.graph_overhead;
        graph &= equal(predict(&by_graph, h).cpl, predict(&by_launch, h).cpl);

        test_case wider = c;
        for (int i = 0; i < c.app.dim; i++) {
            wider.app.halo_width[i] *= 2;
            wider.cfg.block_len[i] += c.app.halo_width[i]; /* feasible at height 1 still */
            c.cfg.block_len[i] = wider.cfg.block_len[i];
        }
        h = random_height(rng, &wider);
        geometry &= equal(predict(&wider, h).t, predict(&c, 2 * h).t);
    }
    tap_ok(tau, "tau is a factor of the instructions");
    tap_ok(graph, "a graph's restart is a restart with another overhead");
    tap_ok(geometry, "T depends on HaloWidth h only");
}

/* What follows for the best height from the terms of CPL that a parameter is in, on any input. */
static void theorems(gsl_rng *rng)
{
    int up = 1, down = 1, towards = 1, block = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        gz_sensitivity s;
        if (gz_sensitivity_at_optimum(&c.dev, &c.app, &c.cfg, &s, NULL) != GZ_OK)
            up = 0;
        up &= s.dheight_dp[GZ_P_LAUNCH_OVERHEAD] >= 0 && s.dheight_dp[GZ_P_GRAPH_OVERHEAD] >= 0;
        /* What goes as 1 / (h P) is least if h sum_i w_i / (b_i - w_i h) is 1; the more it
         * costs, the nearer the optimum moves to that height. */
        double below = 1;
        for (int i = 0; i < c.app.dim; i++)
            below -= s.height * c.app.halo_width[i] /
                     fma(-c.app.halo_width[i], s.height, c.cfg.block_len[i]);
        towards &= s.dheight_dp[GZ_P_FENCE_OVERHEAD] * below >= 0 &&
                   s.dheight_dp[GZ_P_FENCE_EXPOSURE] * below >= 0 &&
                   s.dheight_dp[GZ_P_INSTS_PER_SM_MISC] * below >= 0 &&
                   s.dheight_dp[GZ_P_STENCIL_ARRAYS] * below >= 0;
        down &=
            s.dheight_dp[GZ_P_INSTS_PER_SM_ITER] <= 0 && s.dheight_dp[GZ_P_ELEMENTS_PER_OP] <= 0;
        double highest = gz_height_max(&c.app, &c.cfg);
        gz_gradient g;
        gz_predict_gradient(&c.dev, &c.app, &c.cfg, whole(rng, 1, highest), &g, NULL);
        for (int i = 0; i < c.app.dim; i++)
            block &= g.dcpl_dp[GZ_P_BLOCK_LEN + i] <= 0 && g.dcpl_dp[GZ_P_HALO_WIDTH + i] >= 0;
    }
    tap_ok(up, "costlier launches: never shorter trapezoids");
    tap_ok(towards,
           "more expensive fences, loads and set-up: towards the height at which they cost least");
    tap_ok(down, "costlier loops: never taller trapezoids");
    tap_ok(block, "from height 1 on, CPL falls with block lengths and rises with halo widths");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    invariances(rng);
    grid(rng);
    dimensions(rng);
    readings(rng);
    theorems(rng);
    gsl_rng_free(rng);
    return tap_done();
}
