/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 120-shape - how CPL and its components depend on the height: log-convex, with poles at both ends,
 * rising or falling as Section 6 of the paper says (its Fig. 9).
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#include <string.h>

#define CASES 1000
#define HEIGHTS 40

/* The terms, and their sum. */
enum { CPL = GZ_TERM_ITER_MEM + 1, CURVES };

static const char *name_of(int k)
{
    return k < CPL ? gz_term_name(GZ_MODEL_MENG2011, k) : "CPL";
}

static void spread(const gz_curve *from, gz_jet to[CURVES])
{
    memcpy(to, from->term, CPL * sizeof *to);
    to[CPL] = from->cpl;
}

static int bad[CURVES]; /* failures by curve */

static void verdict(const char *what)
{
    for (int k = 0; k < CURVES; k++)
        tap_ok(bad[k] == 0, "%s: %s", name_of(k), what);
    memset(bad, 0, sizeof bad);
}

static gz_curve curve_at(const test_case *c, double h, gz_jet to[CURVES])
{
    gz_curve curve;
    if (gz_derivatives(&c->dev, &c->app, &c->cfg, h, &curve, NULL) != GZ_OK)
        for (int k = 0; k < CURVES; k++)
            bad[k]++;
    spread(&curve, to);
    return curve;
}

/* (ln f)'' >= 0, that is f f'' >= f'^2, and f >= 0, from one end to the other. */
static void log_convexity(gsl_rng *rng)
{
    for (int n = 0; n < CASES * 4; n++) {
        test_case c = n % 4 ? random_case(rng) : extreme_case(rng, 12);
        double h = random_height(rng, &c);
        ref_point at = ref_point_of(&c.dev, &c.app, &c.cfg, h);
        double rate = (double)ref_rate(&at);
        gz_jet f[CURVES];
        curve_at(&c, h, f);
        for (int k = 0; k < CURVES; k++) {
            double scale = f[k].v * rate;
            bad[k] += !(f[k].v >= 0 && f[k].d2 >= 0 &&
                        f[k].v * f[k].d2 - f[k].d1 * f[k].d1 >= -TOL_DERIVATIVE * scale * scale);
        }
    }
    verdict("log-convex on (0, pole)");
}

/* P(h), in long double. */
static double committed(const test_case *c, double h)
{
    long double p = 1;
    for (int i = 0; i < c->app.dim; i++)
        p *= fmal(-c->app.halo_width[i], h, c->cfg.block_len[i]);
    return (double)p;
}

static int equal(double a, double b)
{
    return a == b || fabs(a - b) <= TOL_VALUE * fmax(fabs(a), fabs(b));
}

/* Each component is a constant over h, over P(h) or over both; Commit* is a sum of two such. */
static void forms(gsl_rng *rng)
{
    for (int n = 0; n < CASES; n++) {
        test_case c = random_case(rng);
        double h[2] = {random_height(rng, &c), random_height(rng, &c)};
        double p[2] = {committed(&c, h[0]), committed(&c, h[1])};
        gz_jet f[2][CURVES];
        for (int k = 0; k < 2; k++)
            curve_at(&c, h[k], f[k]);
        bad[GZ_TERM_ITER_COMP] +=
            !equal(f[0][GZ_TERM_ITER_COMP].v * p[0], f[1][GZ_TERM_ITER_COMP].v * p[1]);
        bad[GZ_TERM_ITER_MEM] +=
            !equal(f[0][GZ_TERM_ITER_MEM].v * p[0], f[1][GZ_TERM_ITER_MEM].v * p[1]);
        bad[GZ_TERM_LOAD_STEN] += !equal(f[0][GZ_TERM_LOAD_STEN].v * h[0] * p[0],
                                         f[1][GZ_TERM_LOAD_STEN].v * h[1] * p[1]);
        bad[GZ_TERM_MISC_COMP] += !equal(f[0][GZ_TERM_MISC_COMP].v * h[0] * p[0],
                                         f[1][GZ_TERM_MISC_COMP].v * h[1] * p[1]);
        int fence = c.cfg.sync == GZ_SYNC_FENCE;
        bad[GZ_TERM_GLB_SYNC] += !equal(f[0][GZ_TERM_GLB_SYNC].v * h[0] * (fence ? p[0] : 1),
                                        f[1][GZ_TERM_GLB_SYNC].v * h[1] * (fence ? p[1] : 1));
    }
    tap_ok(!bad[GZ_TERM_ITER_COMP] && !bad[GZ_TERM_ITER_MEM],
           "IterComp* and IterMem* go as 1 / P(h)");
    tap_ok(!bad[GZ_TERM_LOAD_STEN] && !bad[GZ_TERM_MISC_COMP],
           "LoadSten* and MiscComp* go as 1 / (h P(h))");
    tap_ok(!bad[GZ_TERM_GLB_SYNC], "GlbSync* goes as 1 / h, with fences as 1 / (h P(h))");
    memset(bad, 0, sizeof bad);
}

/* How often the sign of a slope changes along rising heights, and the first and last signs. */
struct signs {
    int first, last, changes;
};

static struct signs slope_signs(const test_case *c, int curve)
{
    struct signs s = {0, 0, 0};
    double pole = gz_pole(&c->app, &c->cfg);
    for (int n = 0; n < HEIGHTS; n++) {
        double u = -16 + 40.0 * n / (HEIGHTS - 1); /* h/pole from 1e-7 to 1 - 4e-11 */
        double h = pole / (1 + exp(-u));
        gz_jet f[CURVES];
        curve_at(c, h, f);
        int sign = (f[curve].d1 > 0) - (f[curve].d1 < 0);
        if (n == 0)
            s.first = sign;
        s.changes += n > 0 && sign != s.last;
        s.last = sign;
    }
    return s;
}

static int falls_then_rises(struct signs s)
{
    return s.first < 0 && s.last > 0 && s.changes == 1;
}

static int keeps(struct signs s, int sign)
{
    return s.first == sign && s.changes == 0;
}

/* Section 6.1: what rises, what falls, and what falls first and rises then. A component that is
 * switched off (no such instructions, say) is flat. */
static void directions(gsl_rng *rng)
{
    int other = 0;
    for (int n = 0; n < CASES; n++) {
        test_case c = random_case(rng);
        const gz_app *app = &c.app;
        const gz_device *dev = &c.dev;
        int fence = c.cfg.sync == GZ_SYNC_FENCE;
        int tau = c.cfg.tau == GZ_TAU_PRINTED || dev->latency_hiding.value < 1;

        bad[GZ_TERM_ITER_COMP] +=
            !keeps(slope_signs(&c, GZ_TERM_ITER_COMP), app->insts_per_sm_iter.value > 0 && tau);
        bad[GZ_TERM_ITER_MEM] +=
            !keeps(slope_signs(&c, GZ_TERM_ITER_MEM), app->elements_per_op.value > 0);
        bad[GZ_TERM_LOAD_STEN] += !falls_then_rises(slope_signs(&c, GZ_TERM_LOAD_STEN));
        bad[CPL] += !falls_then_rises(slope_signs(&c, CPL));

        struct signs commit = slope_signs(&c, GZ_TERM_COMMIT);
        bad[GZ_TERM_COMMIT] +=
            dev->uncontended_latency.value > 0 ? !falls_then_rises(commit) : !keeps(commit, -1);
        struct signs misc = slope_signs(&c, GZ_TERM_MISC_COMP);
        if (fence || app->insts_per_sm_misc.value == 0 || !tau)
            bad[GZ_TERM_MISC_COMP] += !keeps(misc, 0);
        else
            bad[GZ_TERM_MISC_COMP] += !falls_then_rises(misc);

        struct signs sync = slope_signs(&c, GZ_TERM_GLB_SYNC);
        double launch =
            c.cfg.sync == GZ_SYNC_GRAPH ? dev->graph_overhead.value : dev->launch_overhead.value;
        if (!fence)
            bad[GZ_TERM_GLB_SYNC] += !keeps(sync, launch > 0 ? -1 : 0);
        else if (dev->fence_overhead.value * dev->fence_exposure.value > 0)
            bad[GZ_TERM_GLB_SYNC] += !falls_then_rises(sync);
        else
            bad[GZ_TERM_GLB_SYNC] += !keeps(sync, 0);
        other += dev->uncontended_latency.value == 0 || launch == 0;
    }
    tap_ok(other > 0, "some components were switched off");
    tap_ok(!bad[GZ_TERM_ITER_COMP] && !bad[GZ_TERM_ITER_MEM],
           "IterComp* and IterMem* rise with the height");
    tap_ok(!bad[GZ_TERM_LOAD_STEN] && !bad[GZ_TERM_COMMIT] && !bad[GZ_TERM_MISC_COMP],
           "LoadSten*, Commit* and MiscComp* fall first and rise then");
    tap_ok(!bad[GZ_TERM_GLB_SYNC],
           "GlbSync* falls always with restarts, falls and rises with fences");
    tap_ok(!bad[CPL], "CPL falls first and rises then, turning once");
    memset(bad, 0, sizeof bad);
}

/* Towards 0, h CPL tends to the cost of a stage that computes nothing; towards the pole,
 * (pole - h)^m CPL tends to a constant, where m dimensions vanish together. */
static void limits(gsl_rng *rng)
{
    int at_0 = 1, at_pole = 1;
    for (int n = 0; n < CASES; n++) {
        test_case c = random_case(rng);
        double pole = gz_pole(&c.app, &c.cfg);
        gz_prediction low, lower, high, higher;
        gz_predict(&c.dev, &c.app, &c.cfg, pole * 0x1p-60, &low, NULL);
        gz_predict(&c.dev, &c.app, &c.cfg, pole * 0x1p-70, &lower, NULL);
        double start = low.glb_sync + low.load_sten + low.commit +
                       (low.cpt - low.iter_comp) * low.t / c.dev.sm_count.value;
        at_0 &= fabs(low.cps / start - 1) < 1e-5 && fabs(lower.cps / start - 1) < 1e-5;
        at_0 &= fabs(lower.cpl / low.cpl / 0x1p10 - 1) < 1e-5;

        int m = 0;
        for (int i = 0; i < c.app.dim; i++)
            m += c.app.halo_width[i] > 0 && c.cfg.block_len[i] / c.app.halo_width[i] == pole;
        double near = pole * (1 - 0x1p-26), nearer = pole * (1 - 0x1p-30);
        gz_predict(&c.dev, &c.app, &c.cfg, near, &high, NULL);
        gz_predict(&c.dev, &c.app, &c.cfg, nearer, &higher, NULL);
        double closing = (double)(((long double)pole - near) / ((long double)pole - nearer));
        at_pole &= fabs(higher.cpl / high.cpl / pow(closing, m) - 1) < 1e-3;
    }
    tap_ok(at_0, "h CPL tends to a constant at 0");
    tap_ok(at_pole, "(pole - h)^m CPL tends to a constant at the pole");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    log_convexity(rng);
    forms(rng);
    directions(rng);
    limits(rng);
    gsl_rng_free(rng);
    return tap_done();
}
