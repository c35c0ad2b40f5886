/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig08_breakdown.c - Fig. 8: PathFinder's cost of a loop, broken down into the six components.
 */
#include "study.h"

const study_spec study_own = {
    .name = "fig08_breakdown",
    .what = "PathFinder's cost of one loop in its six components over the trapezoid height",
    .only = "PathFinder",
    .source = "Meng and Skadron 2011, Fig. 8 (a), (b), Section 6.1; Eqs. 24-30",
    .columns = {{"sync", "text", "synchronisation between stages"},
                {"h", "loops", "trapezoid height"},
                {"GlbSync", "cycles/loop", "global synchronisation [Eq. 25]"},
                {"LoadSten", "cycles/loop", "loading the first tile [Eq. 26]"},
                {"Commit", "cycles/loop", "storing the last tile [Eq. 27]"},
                {"MiscComp", "cycles/loop", "computation once per thread [Eq. 28]"},
                {"IterComp", "cycles/loop", "computation in every loop [Eq. 29]"},
                {"IterMem", "cycles/loop", "device memory read in every loop [Eq. 30]"},
                {"CPL", "cycles/loop", "their sum [Eq. 24]"}}};

void study_rows(study *s)
{
    enum { LAST = 48 };
    const study_benchmark *b = study_find(s, study_own.only);
    if (!b)
        return;
    gz_config cfg = b->cfg;
    for (int y = 0; y < 2; y++) {
        cfg.sync = y ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
        for (int h = 1; h <= LAST && h <= gz_height_max(&b->app, &cfg); h++) {
            gz_prediction p;
            if (!study_predict(s, &s->device, &b->app, &cfg, h, &p))
                continue;
            study_row(s, STUDY_TEXT(gz_name(GZ_SYNCS, cfg.sync)),
                      STUDY_NUMBERS(h, p.term[GZ_TERM_GLB_SYNC], p.term[GZ_TERM_LOAD_STEN],
                                    p.term[GZ_TERM_COMMIT], p.term[GZ_TERM_MISC_COMP],
                                    p.term[GZ_TERM_ITER_COMP], p.term[GZ_TERM_ITER_MEM], p.cpl));
        }
    }
}
