/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a calibration may spend its time on: the budgets add up to less than a minute for the device
 * and a quarter of one for a stencil; what is spent adds up to what has passed; a budget of
 * stencils is that of one times their number.
 */
#include "parts.h"
#include "tap.h"

int main(void)
{
    struct gzc_parts parts;
    double device_s = 0, stencil_s = 0, spent_s = 0;
    int named = 0;
    tap_plan(7);
    for (int p = 0; p < GZC_PARTS; p++) {
        double budget_s = gzc_part_budget_s((enum gzc_part)p);
        *(p < GZC_PART_OF_STENCIL ? &device_s : &stencil_s) += budget_s;
        named += budget_s > 0 && gzc_part_name((enum gzc_part)p)[0] != '\0';
    }
    tap_ok(named == GZC_PARTS, "every part has a name and a budget");
    tap_ok(device_s < 60, "the device: %g s", device_s);
    tap_ok(stencil_s < 15, "a stencil: %g s", stencil_s);
    gzc_parts_begin(&parts);
    for (int k = 0; k < 1000; k++)
        gzc_parts_spend(&parts, (enum gzc_part)(k % GZC_PARTS));
    for (int p = 0; p < GZC_PARTS; p++)
        spent_s += parts.spent_s[p];
    tap_ok(fabs(spent_s - (parts.since_s - parts.begun_s)) < 1e-9,
           "what was spent is what has passed");
    double runs_s = gzc_part_budget_s(GZC_PART_RUNS);
    parts.spent_s[GZC_PART_RUNS] = 1.5 * runs_s;
    tap_ok(gzc_parts_fits(&parts, GZC_PART_RUNS, 2, 0.4 * runs_s), "two stencils have time left");
    tap_ok(!gzc_parts_fits(&parts, GZC_PART_RUNS, 2, 0.6 * runs_s), "but not for that");
    parts.spent_s[GZC_PART_ROUNDS] = 1e6;
    tap_ok(!gzc_parts_fits(&parts, GZC_PART_ROUNDS, 1 << 30, 0), "the device's is no stencil's");
    return tap_done();
}
