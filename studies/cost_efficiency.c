/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cost_efficiency.c - Eq. 19: how much of what a trapezoid computes is committed.
 */
#include "study.h"

const study_spec study_own = {
    .name = "cost_efficiency",
    .what = "cost-efficiency of a trapezoid over its height at several block sizes, halo width 2",
    .source = "Meng and Skadron 2011, Section 5.4.1; Eq. 19",
    .columns = {{"app", "text", "benchmark: PathFinder 1-D, HotSpot 2-D, Cell 3-D"},
                {"blk_len", "elements", "block length, the same in every dimension"},
                {"h", "loops", "trapezoid height"},
                {"CostEffect", "1", "committed elements over elements computed [Eq. 19]"},
                {"CPL", "cycles/loop", "cost of one loop, kernels restarted [Eq. 1]"}}};

static const struct {
    const char *app;
    double blocks[4];
} cases[] = {
    {"PathFinder", {64, 128, 256, 512}}, {"HotSpot", {10, 14, 18, 22}}, {"Cell", {5, 6, 7, 8}}};

void study_rows(study *s)
{
    enum { POINTS = 60 };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const study_benchmark *b = study_find(s, cases[c].app);
        for (int n = 0; b && n < 4; n++) {
            gz_config cfg = b->cfg;
            study_set_block(&b->app, &cfg, cases[c].blocks[n]);
            double last = 1 + 0.999 * (gz_pole(&b->app, &cfg) - 1);
            for (int k = 0; k < POINTS; k++) {
                double h = study_linear(1, last, k, POINTS);
                gz_prediction p;
                if (study_predict(s, &s->device, &b->app, &cfg, h, &p))
                    study_row(s, STUDY_TEXT(b->app.name),
                              STUDY_NUMBERS(cases[c].blocks[n], h, p.cost_effect, p.cpl));
            }
        }
    }
}
