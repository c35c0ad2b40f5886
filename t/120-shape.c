/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 120-shape - how CPL and its components depend on the height: log-convex, with poles at both ends.
 * The order of each term is tested by 115, the paper's Fig. 9 by 510.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#include <string.h>

#define CASES 1000

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
    limits(rng);
    gsl_rng_free(rng);
    return tap_done();
}
