/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 110-derivatives - derivatives in h and in every parameter compared with complex steps, near the
 * pole too; and the library against itself by Taylor remainders, which needs no reference.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 400
#define NEAR_POLE 200

static double worst_v, worst_d1, worst_d2;

/* Keeps the larger of *worst and |got - want| / scale; NaN stays. */
static void keep(double *worst, double got, long double want, long double scale)
{
    double off = got == want ? 0 : (double)(fabsl(got - want) / scale);
    if (!(off <= *worst))
        *worst = off;
}

static void compare_jet(const ref_point *at, int quantity, gz_jet got)
{
    long double value = ref_value(at, quantity), rate = ref_rate(at);
    keep(&worst_v, got.v, value, value);
    keep(&worst_d1, got.d1, ref_dh(at, quantity), value * rate);
    keep(&worst_d2, got.d2, ref_d2h(at, quantity), value * rate * rate);
}

static int compare_curve(const test_case *c, double h)
{
    gz_curve curve;
    if (gz_derivatives(&c->dev, &c->app, &c->cfg, h, &curve, NULL) != GZ_OK)
        return 0;
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, h);
    compare_jet(&at, REF_CPL, curve.cpl);
    compare_jet(&at, REF_STAR_GLB_SYNC, curve.term[GZ_TERM_GLB_SYNC]);
    compare_jet(&at, REF_STAR_LOAD_STEN, curve.term[GZ_TERM_LOAD_STEN]);
    compare_jet(&at, REF_STAR_COMMIT, curve.term[GZ_TERM_COMMIT]);
    compare_jet(&at, REF_STAR_MISC_COMP, curve.term[GZ_TERM_MISC_COMP]);
    compare_jet(&at, REF_STAR_ITER_COMP, curve.term[GZ_TERM_ITER_COMP]);
    compare_jet(&at, REF_STAR_ITER_MEM, curve.term[GZ_TERM_ITER_MEM]);

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
    keep(&worst_gradient_h, g.cpl, cpl, cpl);
    keep(&worst_gradient_h, g.dcpl_dh, ref_dh(&at, REF_CPL), cpl * rate);
    keep(&worst_gradient_h, g.d2cpl_dh2, ref_d2h(&at, REF_CPL), cpl * rate * rate);
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
        keep(&worst_dp[p], g.dcpl_dp[p], first, scale);
        keep(&worst_dhdp[p], g.d2cpl_dh_dp[p], ref_dh_dp(&at, REF_CPL, p), scale * rate);
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

/* The parameter's place in a case, by its name's meaning in gzmodel.h. */
static double *place(test_case *c, int p)
{
    gz_quantity *scalar = gz_param_quantity(&c->dev, &c->app, p);
    if (scalar)
        return &scalar->value;
    double *vector[] = {c->app.halo_width, c->cfg.data_length, c->cfg.block_len};
    int index = p - GZ_P_HALO_WIDTH;
    return vector[index / GZ_MAX_DIM] + index % GZ_MAX_DIM;
}

/* Remainders of a Taylor expansion at a step s: of first order, f(s) - f(0) - s f', and of second,
 * with s^2 f'' / 2 taken off too. From s to s/2 they shrink by 4 and by 8 if the derivatives are
 * right. */
struct remainders {
    double first, second;
};

static struct remainders remainders(double f, gz_jet at, double s)
{
    double first = f - at.v - s * at.d1;
    return (struct remainders){first, first - s * s * at.d2 / 2};
}

/* How many second-order ratios were judged, and how many were too small to judge. */
static int judged, blind;

/* In h: values of gz_predict expanded with gz_derivatives. The step is a small part of the distance
 * to both poles, yet large enough for the third order to stand out from rounding; it is taken as
 * what the rounded sum h + step moved by. */
static int taylor_in_h(const test_case *c, double h)
{
    double pole = gz_pole(&c->app, &c->cfg), step = 4e-4 * fmin(h, pole - h);
    gz_curve curve;
    gz_derivatives(&c->dev, &c->app, &c->cfg, h, &curve, NULL);
    struct remainders r[2];
    for (int k = 0; k < 2; k++) {
        double moved = h + (k ? step / 2 : step);
        gz_prediction p;
        gz_predict(&c->dev, &c->app, &c->cfg, moved, &p, NULL);
        r[k] = remainders(p.cpl, curve.cpl, moved - h);
    }
    /* The third derivative has a zero near the minimum: there the fourth order takes over. */
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, h);
    double reach = step * (double)ref_rate(&at);
    int seen = fabs(r[0].second) > 0.1 * reach * reach * reach * curve.cpl.v;
    judged += seen;
    blind += !seen;
    int good = fabs(r[0].first / r[1].first / 4 - 1) <= TOL_TAYLOR &&
               (!seen || fabs(r[0].second / r[1].second / 8 - 1) <= TOL_TAYLOR);
    if (!good) {
        tap_note("h %g of %g: ratios %g, %g", h, pole, r[0].first / r[1].first,
                 r[0].second / r[1].second);
        show_case(c);
    }
    return good;
}

/* Along the direction that moves h and every parameter at once, each by a random part of itself,
 * away from the end of its range that it may sit at: only the first order is known without all of
 * the Hessian. */
static int taylor_in_all(gsl_rng *rng, const test_case *c, double h)
{
    gz_gradient g;
    gz_predict_gradient(&c->dev, &c->app, &c->cfg, h, &g, NULL);
    double pole = gz_pole(&c->app, &c->cfg), distance = (pole - h) / pole;
    double step = 1e-4 * fmin(1, distance), move[GZ_PARAM_CAPACITY] = {0};
    double move_h = h * uniform(rng, -1, 1), slope = g.dcpl_dh * move_h, f[2];
    test_case start = *c;
    for (int p = 0; p < gz_param_count(); p++)
        if (!isnan(gz_param_value(&c->dev, &c->app, &c->cfg, p))) {
            double towards = p == GZ_P_FENCE_EXPOSURE || p == GZ_P_LATENCY_HIDING ? -1 : 1;
            move[p] = *place(&start, p) * towards * uniform(rng, 0, 1);
            slope += g.dcpl_dp[p] * move[p];
        }
    for (int k = 0; k < 2; k++) {
        double s = k ? step / 2 : step;
        test_case moved = *c;
        for (int p = 0; p < gz_param_count(); p++)
            if (move[p] != 0)
                *place(&moved, p) += s * move[p];
        gz_prediction at;
        if (gz_predict(&moved.dev, &moved.app, &moved.cfg, h + s * move_h, &at, NULL) != GZ_OK)
            return 0;
        f[k] = at.cpl;
    }
    double first = f[0] - g.cpl - step * slope, second = f[1] - g.cpl - step / 2 * slope;
    /* If the second order nearly vanishes along the line, only rounding is left. */
    int good = fabs(first) < 1e-11 * g.cpl || fabs(first / second / 4 - 1) <= TOL_TAYLOR;
    if (!good)
        tap_note("h %g of %g: ratio %g", h, pole, first / second);
    return good;
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

    good = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        good &= taylor_in_h(&c, gz_pole(&c.app, &c.cfg) * uniform(rng, 0.01, 0.99));
    }
    tap_ok(good && judged > blind, "Taylor remainders in h shrink by 4 and by 8");
    tap_note("second order judged in %d cases, too small to be in %d", judged, blind);
    judged = blind = 0;
    good = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double pole = gz_pole(&c.app, &c.cfg);
        good &= taylor_in_h(&c, pole * (1 - log_uniform(rng, 1e-5, 1e-2)));
    }
    tap_ok(good && judged > blind, "near the pole too");
    tap_note("second order judged in %d cases, too small to be in %d", judged, blind);
    good = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double h = gz_pole(&c.app, &c.cfg) * uniform(rng, 0.01, 0.95);
        good &= taylor_in_all(rng, &c, h);
    }
    tap_ok(good, "Taylor remainders along random directions in all parameters shrink by 4");
    gsl_rng_free(rng);
    return tap_done();
}
