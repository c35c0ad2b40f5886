/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 020-values - every quantity of a prediction against the reference, on the paper's benchmarks and
 * on random cases; identities between the quantities; overflow reported if there is one, and
 * only there.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#include <float.h>

#define ORDINARY 5000
#define EXTREME 5000
#define HUGE_CASES 5000

struct tally {
    int totals_only; /* judge CPS, CPL and seconds, not their parts */
    int cases, predicted, refused, dishonest;
    double worst[REF_COUNT]; /* relative difference to the reference */
    double worst_sum;        /* of the six components to CPL, of CPS / h to CPL */
};

static void compare(struct tally *tally, const gz_prediction *got, const ref_number want[REF_COUNT])
{
    double sum = 0;
    for (int k = 0; k < REF_COUNT; k++) {
        long double exact = creall(want[k]);
        ref_keep(&tally->worst[k], ref_member(got, k), exact, exact);
        sum += k >= REF_STAR_GLB_SYNC ? ref_member(got, k) : 0;
    }
    ref_keep(&tally->worst_sum, sum, got->cpl, got->cpl);
    ref_keep(&tally->worst_sum, got->cps / got->height, got->cpl, got->cpl);
}

/* Predicts one case. It may be refused for overflow only if a quantity really is beyond what a
 * double can hold, give or take the few factors that meet on the way. */
static void try_case(struct tally *tally, const test_case *c, double h)
{
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, h);
    ref_number want[REF_COUNT];
    ref_evaluate(&at, want);
    long double largest = fabsl(ref_dh(&at, REF_CPL));
    for (int k = 0; k < REF_COUNT; k++)
        largest = fmaxl(largest, creall(want[k]));

    gz_prediction got;
    gz_status status = gz_predict(&c->dev, &c->app, &c->cfg, h, &got, NULL);
    tally->cases++;
    if (status == GZ_OK) {
        tally->predicted++;
        compare(tally, &got, want);
    } else if (status == GZ_EOVERFLOW && largest > 1e-60L * DBL_MAX) {
        tally->refused++;
    } else {
        if (!tally->dishonest++) {
            tap_note("h %.17g: %s; largest quantity %Lg", h, gz_strerror(status), largest);
            show_case(c);
        }
    }
}

static int is_total(int quantity)
{
    return quantity == REF_CPS || quantity == REF_CPL || quantity == REF_SECONDS_PER_LOOP;
}

static void report(const struct tally *tally, const char *kind)
{
    int good = 1;
    for (int k = 0; k < REF_COUNT; k++)
        if (!(tally->worst[k] <= TOL_VALUE) && (is_total(k) || !tally->totals_only)) {
            tap_note("%s: worst relative difference %g", ref_names[k], tally->worst[k]);
            good = 0;
        }
    tap_note("%s: %d cases, %d predicted, %d overflow; worst CPL %.2g", kind, tally->cases,
             tally->predicted, tally->refused, tally->worst[REF_CPL]);
    tap_ok(good && tally->predicted > tally->cases / 4, "%s: all quantities equal the reference",
           kind);
    tap_ok(tally->worst_sum <= TOL_VALUE, "%s: components sum to CPL, and CPL is CPS / h", kind);
    tap_ok(tally->dishonest == 0, "%s: refused only if a result overflows", kind);
}

int main(void)
{
    gsl_rng *rng = seeded_rng();

    struct tally paper = {0};
    for (int benchmark = 0; benchmark < BENCHMARKS; benchmark++)
        for (int mode = 0; mode < 4; mode++) {
            test_case c = benchmark_case(benchmark, mode % 2 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART);
            c.cfg.tau = mode / 2 ? GZ_TAU_SCALED : GZ_TAU_PRINTED;
            for (int part = 1; part < 64; part++)
                try_case(&paper, &c, gz_pole(&c.app, &c.cfg) * part / 64);
        }
    report(&paper, "the paper's benchmarks");

    struct tally ordinary = {0};
    for (int k = 0; k < ORDINARY; k++) {
        test_case c = random_case(rng);
        try_case(&ordinary, &c, random_height(rng, &c));
    }
    report(&ordinary, "random cases");
    tap_ok(ordinary.refused == 0, "random cases of ordinary size do not overflow");

    struct tally extreme = {0};
    for (int k = 0; k < EXTREME; k++) {
        test_case c = extreme_case(rng, 15);
        try_case(&extreme, &c, random_height(rng, &c));
    }
    report(&extreme, "extreme cases");
    tap_ok(extreme.refused == 0, "30 decades in each quantity do not overflow");

    /* Here a part may underflow on the way without a trace in the totals. In one dimension, since
     * alpha alone would underflow by its square. */
    struct tally vast = {.totals_only = 1};
    for (int k = 0; k < HUGE_CASES; k++) {
        test_case c = extreme_case(rng, 100);
        c.app.dim = 1;
        c.app.halo_width[0] = fmax(1, c.app.halo_width[0]);
        c.cfg.block_len[0] = c.app.halo_width[0] * log_uniform(rng, 1.001, 100);
        try_case(&vast, &c, random_height(rng, &c));
    }
    report(&vast, "cases over two hundred decades");
    tap_ok(vast.refused > 0, "some of two hundred decades in each do overflow");
    gsl_rng_free(rng);
    return tap_done();
}
