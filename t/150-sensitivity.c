/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 150-sensitivity - how the optimum moves with every parameter, compared with the reference's
 * implicit derivative at its own minimiser.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 150

static double worst_implicit, worst_cpl;

static int try_case(const test_case *c)
{
    gz_sensitivity s;
    if (gz_sensitivity_at_optimum(&c->dev, &c->app, &c->cfg, &s, NULL) != GZ_OK)
        return 0;
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, 0);
    at.h = ref_minimiser(&at);
    long double cpl = ref_value(&at, REF_CPL), curvature = ref_d2h(&at, REF_CPL);
    int good = fabsl(s.height - at.h) <= TOL_MINIMISER * at.h &&
               fabsl(s.cpl_at_height - cpl) <= TOL_VALUE * cpl;
    for (int p = 0; p < gz_param_count(); p++) {
        double value = gz_param_value(&c->dev, &c->app, &c->cfg, p);
        if (isnan(value)) {
            good &= s.cpl[p] == 0 && s.height_elasticity[p] == 0;
            continue;
        }
        long double slope = -ref_dh_dp(&at, REF_CPL, p) / curvature;
        /* A parameter of value 0 has elasticities of 0, but may have derivatives. */
        long double first = ref_dp(&at, REF_CPL, p);
        long double scale = value > 0 ? cpl * ref_param_rate(&at, p) : fabsl(first);
        scale *= ref_rate(&at) / curvature;
        scale *= at.h * ref_rate(&at); /* the height is rounded, which counts beside the pole */
        ref_keep(&worst_implicit, s.dheight_dp[p], slope, scale);
        ref_keep(&worst_implicit, s.height_elasticity[p], slope * value / at.h,
                 scale * value / at.h);
        ref_keep(&worst_cpl, s.cpl[p], first * value / cpl, 1);
    }
    return good;
}

/* Elasticities that must hold together, whatever the case: CPL in cycles does not change with clock
 * and bandwidth together, and so on; Euler's theorem for homogeneous functions. */
static int euler(const test_case *c)
{
    gz_sensitivity s;
    gz_sensitivity_at_optimum(&c->dev, &c->app, &c->cfg, &s, NULL);
    const double *e[] = {s.cpl, s.height_elasticity};
    int good = 1;
    for (int k = 0; k < 2; k++) {
        double clock = e[k][GZ_P_CLOCK_RATE] + e[k][GZ_P_MEM_BANDWIDTH];
        double bytes = e[k][GZ_P_ELEMENT_SIZE] + e[k][GZ_P_MEM_BANDWIDTH];
        double profile = e[k][GZ_P_PROFILE_ELEMENTS] + e[k][GZ_P_INSTS_PER_SM_MISC] +
                         e[k][GZ_P_INSTS_PER_SM_ITER];
        double cycles = e[k][GZ_P_CLOCK_RATE] + e[k][GZ_P_UNCONTENDED_LATENCY] + e[k][GZ_P_CPI] +
                        e[k][GZ_P_LAUNCH_OVERHEAD] + e[k][GZ_P_GRAPH_OVERHEAD] +
                        e[k][GZ_P_FENCE_OVERHEAD];
        good &= fabs(clock) <= TOL_IMPLICIT && fabs(bytes) <= TOL_IMPLICIT &&
                fabs(profile) <= TOL_IMPLICIT && fabs(cycles - (k == 0)) <= TOL_IMPLICIT;
    }
    return good;
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    int good = 1, sums = 1;
    for (int benchmark = 0; benchmark < BENCHMARKS; benchmark++)
        for (int sync = GZ_SYNC_RESTART; sync <= GZ_SYNC_FENCE; sync++) {
            test_case c = benchmark_case(benchmark, (gz_sync)sync);
            good &= try_case(&c);
            sums &= euler(&c);
        }
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        good &= try_case(&c);
        sums &= euler(&c);
    }
    tap_note("worst: implicit %.2g, CPL %.2g", worst_implicit, worst_cpl);
    tap_ok(good,
           "height and CPL are the optimum's; numbers beyond the parameters have no elasticity");
    tap_ok(worst_implicit <= TOL_IMPLICIT, "dh*/dp and elasticities by the optimality condition");
    tap_ok(worst_cpl <= TOL_DERIVATIVE * 10, "elasticities of CPL");
    tap_ok(sums, "elasticities of quantities that only count together add up");
    gsl_rng_free(rng);
    return tap_done();
}
