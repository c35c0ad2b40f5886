/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 135-profile - the two readings of M: the profiled device's in Eq. 14, the target's in Eq. 29. The
 * same instructions per warp on twice the multiprocessors take half the computing time, and
 * instructions counted on one of twice the multiprocessors are twice as many for each warp.
 * Factors are powers of two, so equality is exact.
 */
#include "cases.h"
#include "reference.h"
#include "tap.h"
#include "tolerance.h"

#include <string.h>

static gz_prediction predict(const test_case *c)
{
    gz_prediction p = {.cpl = (double)NAN};
    if (gz_predict(&c->dev, &c->app, &c->cfg, 1.5, &p, NULL))
        tap_note("no prediction");
    return p;
}

/* Whether computation, per loop, is `times` as long as in `before`. */
static int computing(const gz_prediction *before, const gz_prediction *now, double times)
{
    const double *b = before->term, *n = now->term;
    return b[GZ_TERM_ITER_COMP] > 0 && n[GZ_TERM_ITER_COMP] == times * b[GZ_TERM_ITER_COMP] &&
           n[GZ_TERM_MISC_COMP] == times * b[GZ_TERM_MISC_COMP];
}

/* Everything that has nothing to do with multiprocessors stays. */
static int rest_stays(const gz_prediction *before, const gz_prediction *now)
{
    const double *b = before->term, *n = now->term;
    return n[GZ_TERM_GLB_SYNC] == b[GZ_TERM_GLB_SYNC] &&
           n[GZ_TERM_LOAD_STEN] == b[GZ_TERM_LOAD_STEN] && n[GZ_TERM_COMMIT] == b[GZ_TERM_COMMIT] &&
           n[GZ_TERM_ITER_MEM] == b[GZ_TERM_ITER_MEM];
}

/* The reference, whose readings are stated where it computes Eq. 14. */
static int as_reference(const test_case *c, const gz_prediction *p)
{
    ref_point at = ref_point_of(&c->dev, &c->app, &c->cfg, 1.5L);
    long double cpl = ref_value(&at, REF_CPL);
    return fabsl(p->cpl - cpl) <= TOL_VALUE * cpl;
}

int main(void)
{
    int target = 1, profile = 1, unstated = 1, reference = 1, together = 1;
    for (int k = 0; k < BENCHMARKS * 4; k++) {
        test_case c = benchmark_case(k / 4, k % 2 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART);
        c.cfg.tau = k % 4 / 2 ? GZ_TAU_SCALED : GZ_TAU_PRINTED;
        gz_prediction before = predict(&c), now;

        test_case other = c;
        other.dev.sm_count.value *= 2;
        now = predict(&other);
        target &= computing(&before, &now, 0.5);
        reference &= as_reference(&other, &now);

        other.app.profile_sm_count.value *= 2;
        now = predict(&other);
        together &= computing(&before, &now, 1);

        other = c;
        other.app.profile_sm_count.value *= 2;
        now = predict(&other);
        profile &= computing(&before, &now, 2) && rest_stays(&before, &now);
        reference &= as_reference(&other, &now);

        other = c;
        other.app.profile_sm_count = (gz_quantity){.value = 0};
        now = predict(&other);
        unstated &= now.cpl == before.cpl;
        reference &= as_reference(&other, &now);
        other.dev.sm_count.value *= 2;
        now = predict(&other);
        unstated &= computing(&before, &now, 1);
    }
    tap_ok(target, "twice the target's multiprocessors: half the computing time");
    tap_ok(profile, "a profile from twice the multiprocessors: twice the instructions per warp");
    tap_ok(together, "both: the same computing time");
    tap_ok(unstated, "a profile that does not say ran on the target");
    tap_ok(reference, "the reference reads M in both ways as the library does");

    test_case c = benchmark_case(1, GZ_SYNC_RESTART);
    tap_ok(strcmp(c.app.profile_device, c.dev.name) == 0 && gz_profile_matches(&c.dev, &c.app),
           "the paper's counts are the GTX 280's");
    c.app.profile_device[0] = 'g';
    tap_ok(!gz_profile_matches(&c.dev, &c.app), "counts of another device are detected");
    c.app.profile_device[0] = '\0';
    tap_ok(gz_profile_matches(&c.dev, &c.app), "counts of no stated device are not");
    return tap_done();
}
