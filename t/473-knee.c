/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exponent by which latency and bandwidth join, from times at three occupancies that are made
 * with a known one: found again, whatever the number of groups; a sharp bend and a soft one end at
 * the bounds; refused if bandwidth is not in sight, or if the numbers are none.
 */
#include "knee.h"
#include "tap.h"

static const double most_groups[] = {3, 8, 32};

/* Times of the norm of lambda / R and 1. */
static void make(double lambda, double p, double most, double resident[3], double seconds[3])
{
    resident[0] = 1;
    resident[1] = floor((most + 1) / 2);
    resident[2] = most;
    for (int k = 0; k < 3; k++)
        seconds[k] = 3e-9 * pow(pow(lambda / resident[k], p) + 1, 1 / p);
}

int main(void)
{
    static const double exponents[] = {1, 1.2, 1.8, 2.3, 5.2, 9};
    enum { EXPONENTS = sizeof exponents / sizeof *exponents };
    double resident[3], seconds[3], found = 0;
    tap_plan(3 * EXPONENTS + 6);
    for (int m = 0; m < 3; m++)
        for (int e = 0; e < EXPONENTS; e++) {
            make(0.6 * most_groups[m], exponents[e], most_groups[m], resident, seconds);
            int able = gzc_knee_fit(resident, seconds, &found);
            tap_ok(able && fabs(found / exponents[e] - 1) < 1e-3, "exponent %g with %g groups: %g",
                   exponents[e], most_groups[m], found);
        }
    /* All bandwidth from the second point on; and between the points softer than a sum. */
    make(4, 200, 16, resident, seconds);
    int fitted = gzc_knee_fit(resident, seconds, &found);
    tap_ok(fitted && found >= gzc_knee_most, "a sharp bend: %g", found);
    make(4, 0.5, 16, resident, seconds);
    fitted = gzc_knee_fit(resident, seconds, &found);
    tap_ok(fitted && found <= 1, "softer than a sum: %g", found);
    make(1000, 3, 16, resident, seconds);
    tap_ok(!gzc_knee_fit(resident, seconds, &found), "no bandwidth in sight: refused");
    make(4, 3, 16, resident, seconds);
    seconds[1] = (double)NAN;
    tap_ok(!gzc_knee_fit(resident, seconds, &found), "not a number: refused");
    make(4, 3, 16, resident, seconds);
    seconds[2] = 2 * seconds[0];
    tap_ok(!gzc_knee_fit(resident, seconds, &found), "slower with more groups: refused");
    make(4, 3, 16, resident, seconds);
    resident[1] = 16;
    tap_ok(!gzc_knee_fit(resident, seconds, &found), "two equal occupancies: refused");
    return tap_done();
}
