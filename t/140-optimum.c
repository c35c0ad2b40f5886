/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 140-optimum - the optimiser over the height, compared with brute force over all whole heights and
 * with the root of the reference's derivative for the continuous minimiser (values alone would give
 * it to the square root of rounding only), on inputs that pull it to either pole, and within
 * bounds.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#include <float.h>

#define CASES 3000
#define EXTREME 2000
#define BRUTE_MAX 5000

struct tally {
    int absurd; /* products on the way may leave the range of doubles: GZ_EOVERFLOW is fine */
    int cases, solved, refused, unsolved;
    int wrong, outside, unequal, most_evaluations;
    double worst, optimality;
    long evaluations;
};

static int show(int *count, const test_case *c, const char *what, double got, double want)
{
    if (!(*count)++) {
        tap_note("%s: %.17g, want %.17g", what, got, want);
        show_case(c);
    }
    return 0;
}

/* Whether all that the search needs is a double: the parts of CPL at the ends and at 1. */
static int representable(const test_case *c)
{
    const double heights[] = {0.5, 1, gz_height_max(&c->app, &c->cfg)};
    for (int k = 0; k < 3; k++) {
        ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, heights[k]);
        ref_number q[REF_COUNT];
        ref_evaluate(&at, q);
        for (int n = 0; n < REF_COUNT; n++)
            if (creall(q[n]) > 1e-60L * DBL_MAX || (creall(q[n]) > 0 && creall(q[n]) < 1e-220L))
                return 0;
    }
    return 1;
}

/* Whether the minimiser is nearer to a pole than the optimiser looks: 1e-147 of the interval.
 * Beside the upper one a long double cannot resolve its place. */
static int beyond_reach(const test_case *c)
{
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, 0);
    long double part = ref_minimiser(&at) / ref_pole(&at);
    return part < 1e-140L || 1 - part < 1e-18L;
}

static void brute_force(struct tally *tally, const test_case *c, const gz_optimum *got)
{
    int best = 0;
    double least = HUGE_VAL, cpl = (double)NAN;
    for (int h = 1; h <= got->height_max; h++) {
        gz_prediction p;
        if (gz_predict(&c->dev, &c->app, &c->cfg, h, &p, NULL) != GZ_OK)
            continue; /* beside the pole it may overflow */
        if (p.cpl < least) {
            least = p.cpl;
            best = h;
        }
        if (h == got->integer)
            cpl = p.cpl;
    }
    if (got->integer != best && !(fabs(cpl - least) <= TOL_TIE * least))
        show(&tally->wrong, c, "best whole height", got->integer, best);
}

static void try_case(struct tally *tally, const test_case *c)
{
    gz_optimum got;
    gz_status status = gz_optimize(&c->dev, &c->app, &c->cfg, NULL, &got, NULL);
    tally->cases++;
    if (status) {
        int expected = (status == GZ_EOVERFLOW && (tally->absurd || !representable(c))) ||
                       (status == GZ_ECONVERGE && tally->absurd && beyond_reach(c));
        tally->refused += expected;
        if (!expected)
            show(&tally->unsolved, c, gz_strerror(status), status, GZ_OK);
        return;
    }
    tally->solved++;
    tally->evaluations += got.evaluations;
    if (got.evaluations > tally->most_evaluations)
        tally->most_evaluations = got.evaluations;

    double pole = gz_pole(&c->app, &c->cfg);
    if (!(got.continuous > 0 && got.continuous < pole && got.integer >= 1 &&
          got.integer <= got.height_max && got.height_max == gz_height_max(&c->app, &c->cfg)))
        show(&tally->outside, c, "height outside (0, pole)", got.continuous, pole);

    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, 0);
    long double want = ref_minimiser(&at);
    double off = (double)(fabsl(got.continuous - want) / want);
    if (!(off <= TOL_MINIMISER))
        show(&tally->wrong, c, "continuous minimiser", got.continuous, (double)want);
    tally->worst = fmax(tally->worst, off);
    if (got.stop == GZ_STOP_INTERIOR)
        tally->optimality = fmax(tally->optimality, got.optimality);

    /* The rest of what is reported follows from the heights. */
    int truncated = (int)fmax(1, floor(got.continuous));
    gz_prediction one, here;
    int equal = got.truncated == truncated && got.prediction.height == got.integer &&
                gz_predict(&c->dev, &c->app, &c->cfg, 1, &one, NULL) == GZ_OK &&
                fabs(one.cpl / got.prediction.cpl / got.speedup - 1) <= TOL_VALUE &&
                got.speedup >= 1 - TOL_TIE;
    if (gz_predict(&c->dev, &c->app, &c->cfg, got.continuous, &here, NULL) == GZ_OK)
        equal &= fabs(here.cpl / got.cpl - 1) <= TOL_VALUE;
    if (!equal)
        show(&tally->unequal, c, "what follows from the heights", got.truncated, truncated);
    if (got.height_max <= BRUTE_MAX)
        brute_force(tally, c, &got);
}

static void report(const struct tally *t, const char *kind, int solved_at_least)
{
    tap_note("%s: %d solved of %d, %d refused; worst %.2g, optimality %.2g; evaluations: mean "
             "%.1f, most %d",
             kind, t->solved, t->cases, t->refused, t->worst, t->optimality,
             (double)t->evaluations / t->solved, t->most_evaluations);
    tap_ok(t->unsolved == 0 && t->solved >= solved_at_least, "%s: solved, or refused for a reason",
           kind);
    tap_ok(t->outside == 0, "%s: never at or beyond a pole", kind);
    tap_ok(t->wrong == 0, "%s: the reference's minimiser, and brute force's height", kind);
    tap_ok(t->optimality <= TOL_OPTIMALITY, "%s: the optimality condition holds", kind);
    tap_ok(t->unequal == 0, "%s: truncation, speedup and CPL follow from the heights", kind);
}

/* Bounds: the minimiser over [lower, upper] of a convex function is the unbounded one, clamped. */
static void bounds(gsl_rng *rng)
{
    int good = 1, stops[3] = {0, 0, 0}, refused = 0, refused_right = 1;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        double pole = gz_pole(&c.app, &c.cfg);
        gz_optimum free, got;
        gz_optimize(&c.dev, &c.app, &c.cfg, NULL, &free, NULL);
        gz_bounds b = {gsl_rng_uniform_int(rng, 4) ? pole * uniform(rng, 0, 0.8) : 0,
                       gsl_rng_uniform_int(rng, 4) ? pole * uniform(rng, 0, 1.2) : 0};
        double upper = b.upper > 0 && b.upper < pole ? b.upper : pole;
        int first = (int)fmax(1, ceil(b.lower)), last = free.height_max;
        if (upper < pole)
            last = (int)fmin(last, floor(upper));
        gz_status status = gz_optimize(&c.dev, &c.app, &c.cfg, &b, &got, NULL);
        if (first > last || b.lower > upper) {
            refused++;
            refused_right &= status == GZ_EHEIGHT;
            continue;
        }
        gz_stop stop = free.continuous < b.lower ? GZ_STOP_LOWER
                       : free.continuous > upper ? GZ_STOP_UPPER
                                                 : GZ_STOP_INTERIOR;
        double want = stop == GZ_STOP_LOWER   ? b.lower
                      : stop == GZ_STOP_UPPER ? upper
                                              : free.continuous;
        double least = HUGE_VAL;
        int best = 0;
        for (int h = first; h <= last; h++) {
            gz_prediction p;
            gz_predict(&c.dev, &c.app, &c.cfg, h, &p, NULL);
            if (p.cpl < least) {
                least = p.cpl;
                best = h;
            }
        }
        int fine = status == GZ_OK && got.stop == stop && got.continuous == want &&
                   got.height_max == last &&
                   (got.integer == best || fabs(got.prediction.cpl / least - 1) <= TOL_TIE) &&
                   (stop == GZ_STOP_INTERIOR || got.optimality > 0);
        if (!fine && good) {
            tap_note("bounds %g to %g of %g: %s, stop %s at %.17g, best %d; want %s, %.17g, %d",
                     b.lower, b.upper, pole, gz_strerror(status), gz_name(GZ_STOPS, got.stop),
                     got.continuous, got.integer, gz_name(GZ_STOPS, stop), want, best);
            show_case(&c);
        }
        good &= fine;
        stops[got.stop]++;
    }
    tap_ok(good, "bounds: the minimiser clamped, the best whole height within, and why it stopped");
    tap_ok(stops[0] > 50 && stops[1] > 50 && stops[2] > 50, "bounds: all three reasons were met");
    tap_ok(refused > 50 && refused_right, "bounds without a whole height between them are refused");

    test_case c = benchmark_case(PATHFINDER, GZ_SYNC_RESTART);
    static const gz_bounds bad[] = {{(double)NAN, 0}, {0, (double)NAN}, {HUGE_VAL, 0},
                                    {200, 0},         {0, 0.5},         {5, 4}};
    int refuses = 1;
    gz_optimum got;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        refuses &= gz_optimize(&c.dev, &c.app, &c.cfg, bad + k, &got, NULL) == GZ_EHEIGHT;
    tap_ok(refuses, "bounds that are NaN, infinite below, past the pole, below 1 or crossed");
    static const gz_bounds none[] = {{0, 0}, {-3, -3}, {-HUGE_VAL, HUGE_VAL}, {0, 128}, {1, 1e300}};
    gz_optimum free;
    gz_optimize(&c.dev, &c.app, &c.cfg, NULL, &free, NULL);
    int same = 1;
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        same &= gz_optimize(&c.dev, &c.app, &c.cfg, none + k, &got, NULL) == GZ_OK &&
                got.continuous == free.continuous && got.stop == GZ_STOP_INTERIOR;
    tap_ok(same, "bounds that bind nothing change nothing");
}

/* A cost that only shrinks with the height drives the optimum to the pole; one that is all in the
 * loops drives it to 0. Both stay inside and keep their accuracy. */
static void pulled_to_the_poles(void)
{
    struct tally high = {0}, low = {0};
    for (int dim = 1; dim <= 3; dim++)
        for (double pull = 1; pull < 1e14; pull *= 10) {
            test_case c = benchmark_case(CELL, GZ_SYNC_RESTART);
            c.app.dim = dim;
            c.cfg.data_length[0] = 8;
            c.dev.launch_overhead.value = pull * 1e6;
            try_case(&high, &c);
            c = benchmark_case(CELL, GZ_SYNC_FENCE);
            c.app.dim = dim;
            c.app.insts_per_sm_iter.value *= pull;
            try_case(&low, &c);
        }
    report(&high, "pulled to the pole", high.cases);
    report(&low, "pulled to 0", low.cases);
}

int main(void)
{
    gsl_rng *rng = seeded_rng();

    struct tally paper = {0};
    for (int benchmark = 0; benchmark < BENCHMARKS; benchmark++)
        for (int mode = 0; mode < 4; mode++) {
            test_case c = benchmark_case(benchmark, mode % 2 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART);
            c.cfg.tau = mode / 2 ? GZ_TAU_SCALED : GZ_TAU_PRINTED;
            try_case(&paper, &c);
        }
    report(&paper, "the paper's benchmarks", paper.cases);

    struct tally ordinary = {0};
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        try_case(&ordinary, &c);
    }
    report(&ordinary, "random cases", ordinary.cases);

    struct tally extreme = {0};
    for (int k = 0; k < EXTREME; k++) {
        test_case c = extreme_case(rng, 15);
        try_case(&extreme, &c);
    }
    report(&extreme, "extreme cases", extreme.cases);

    struct tally wide = {0};
    for (int k = 0; k < EXTREME; k++) {
        test_case c = extreme_case(rng, 50);
        try_case(&wide, &c);
    }
    report(&wide, "cases over a hundred decades", wide.cases * 9 / 10);

    struct tally vast = {.absurd = 1};
    for (int k = 0; k < EXTREME; k++) {
        test_case c = extreme_case(rng, 100);
        try_case(&vast, &c);
    }
    report(&vast, "cases over two hundred decades", vast.cases * 9 / 10);

    pulled_to_the_poles();
    bounds(rng);
    gsl_rng_free(rng);
    return tap_done();
}
