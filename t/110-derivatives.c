/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 110-derivatives - derivatives in h and in every parameter compared with complex steps, near the
 * pole too.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 400
#define NEAR_POLE 200

static double worst_v, worst_d1, worst_d2;

static void compare_jet(const ref_point *at, int quantity, gz_jet got)
{
    long double value = ref_value(at, quantity), rate = ref_rate(at);
    ref_keep(&worst_v, got.v, value, value);
    ref_keep(&worst_d1, got.d1, ref_dh(at, quantity), value * rate);
    ref_keep(&worst_d2, got.d2, ref_d2h(at, quantity), value * rate * rate);
}

static int compare_curve(const test_case *c, double h)
{
    gz_curve curve;
    if (gz_derivatives(&c->dev, &c->app, &c->cfg, h, &curve, NULL) != GZ_OK)
        return 0;
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, h);
    compare_jet(&at, REF_CPL, curve.cpl);
    for (int k = GZ_TERM_GLB_SYNC; k <= GZ_TERM_ITER_MEM; k++)
        compare_jet(&at, REF_STAR_GLB_SYNC + k, curve.term[k]);

    gz_prediction prediction;
    gz_predict(&c->dev, &c->app, &c->cfg, h, &prediction, NULL);
    return prediction.dcpl_dh == curve.cpl.d1;
}

static double worst_dp[GZ_PARAM_CAPACITY], worst_dhdp[GZ_PARAM_CAPACITY];
static double worst_gradient_h;

/* Whether the status was GZ_OK and parameters that do not exist here have derivative 0. */
static int compare_gradient(const test_case *c, double h)
{
    gz_gradient g;
    if (gz_predict_gradient(&c->dev, &c->app, &c->cfg, h, &g, NULL) != GZ_OK)
        return 0;
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, h);
    long double cpl = ref_value(&at, REF_CPL), rate = ref_rate(&at);
    ref_keep(&worst_gradient_h, g.cpl, cpl, cpl);
    ref_keep(&worst_gradient_h, g.dcpl_dh, ref_dh(&at, REF_CPL), cpl * rate);
    ref_keep(&worst_gradient_h, g.d2cpl_dh2, ref_d2h(&at, REF_CPL), cpl * rate * rate);
    int zero = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        if (p >= GZ_P_HALO_WIDTH && (p - GZ_P_HALO_WIDTH) % GZ_MAX_DIM >= c->app.dim) {
            zero &= g.dcpl_dp[p] == 0 && g.d2cpl_dh_dp[p] == 0;
            continue;
        }
        long double first = ref_dp(&at, REF_CPL, p);
        /* M cancels between Eqs. 16 and 29, and lengths sit in V, in Q and in P(h). */
        int cancels = p >= GZ_P_HALO_WIDTH || p == GZ_P_SM_COUNT;
        long double scale = cancels ? cpl * ref_param_rate(&at, p) : fabsl(first);
        zero &= first != 0 || p == GZ_P_SM_COUNT || (g.dcpl_dp[p] == 0 && g.d2cpl_dh_dp[p] == 0);
        ref_keep(&worst_dp[p], g.dcpl_dp[p], first, scale);
        ref_keep(&worst_dhdp[p], g.d2cpl_dh_dp[p], ref_dh_dp(&at, REF_CPL, p), scale * rate);
    }
    return zero;
}

static void report(const char *where, int good)
{
    tap_ok(good, "%s: derivatives exist", where);
    tap_note("%s: worst value %.2g, first %.2g, second %.2g, of the gradient's %.2g", where,
             worst_v, worst_d1, worst_d2, worst_gradient_h);
    tap_ok(worst_v <= TOL_VALUE, "%s: values of the jets", where);
    tap_ok(worst_d1 <= TOL_DERIVATIVE, "%s: d/dh of CPL and of every component", where);
    tap_ok(worst_d2 <= TOL_DERIVATIVE, "%s: d2/dh2 of CPL and of every component", where);
    tap_ok(worst_gradient_h <= TOL_DERIVATIVE, "%s: the gradient's own derivatives in h", where);
    int first = 1, mixed = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        if (!(worst_dp[p] <= TOL_DERIVATIVE && worst_dhdp[p] <= TOL_DERIVATIVE))
            tap_note("%s: %.2g, mixed %.2g", gz_param_about(p)->name, worst_dp[p], worst_dhdp[p]);
        first &= worst_dp[p] <= TOL_DERIVATIVE;
        mixed &= worst_dhdp[p] <= TOL_DERIVATIVE;
    }
    tap_ok(first, "%s: dCPL/dp for every parameter", where);
    tap_ok(mixed, "%s: d2CPL/(dh dp) for every parameter", where);
    worst_v = worst_d1 = worst_d2 = worst_gradient_h = 0;
    memset(worst_dp, 0, sizeof worst_dp);
    memset(worst_dhdp, 0, sizeof worst_dhdp);
}

int main(void)
{
    gsl_rng *rng = seeded_rng();

    int good = 1;
    for (int benchmark = 0; benchmark < BENCHMARKS; benchmark++)
        for (int part = 1; part < 8; part++)
            for (int sync = GZ_SYNC_RESTART; sync <= GZ_SYNC_FENCE; sync++) {
                test_case c = benchmark_case(benchmark, (gz_sync)sync);
                double h = gz_pole(&c.app, &c.cfg) * part / 8;
                good &= compare_curve(&c, h) && compare_gradient(&c, h);
            }
    report("the paper's benchmarks", good);

    good = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double h = random_height(rng, &c);
        good &= compare_curve(&c, h) && compare_gradient(&c, h);
    }
    report("random cases", good);

    good = 1;
    for (int k = 0; k < NEAR_POLE; k++) {
        test_case c = random_case(rng);
        double pole = gz_pole(&c.app, &c.cfg), h = pole * (1 - log_uniform(rng, 1e-13, 1e-3));
        good &= compare_curve(&c, h) && compare_gradient(&c, h);
    }
    report("near the pole", good);

    gsl_rng_free(rng);
    return tap_done();
}
