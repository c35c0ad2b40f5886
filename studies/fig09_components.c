/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig09_components.c - Fig. 9: how each component reacts to the height.
 */
#include "study.h"

const study_spec study_own = {
    .name = "fig09_components",
    .what = "each component of the cost of one loop, relative to height 1, over the height",
    .only = "HotSpot",
    .source = "Meng and Skadron 2011, Fig. 9 (a), (b), Section 6.1; Eqs. 25-30",
    .columns = {{"sync", "text", "synchronisation between stages"},
                {"component", "text", "term of Eq. 24"},
                {"h", "loops", "trapezoid height"},
                {"cycles", "cycles/loop", "the component"},
                {"ratio", "1", "the component over its value at h = 1"}}};

static void curve(study *s, const gz_app *app, const gz_config *cfg, int k)
{
    enum { POINTS = 120 };
    gz_prediction one, p;
    /* A component that is absent has no curve: MiscComp with fences. */
    if (!study_predict(s, &s->device, app, cfg, 1, &one) || one.term[k] <= 0)
        return;
    double last = study_last_height(app, cfg);
    for (int n = 0; n < POINTS; n++) {
        double h = study_linear(1, last, n, POINTS);
        if (!study_predict(s, &s->device, app, cfg, h, &p))
            continue;
        double cycles = p.term[k];
        study_row(s, STUDY_TEXT(gz_name(GZ_SYNCS, cfg->sync), gz_term_name(GZ_MODEL_MENG2011, k)),
                  STUDY_NUMBERS(h, cycles, cycles / one.term[k]));
    }
}

void study_rows(study *s)
{
    const study_benchmark *b = study_find(s, study_own.only);
    if (!b)
        return;
    /* The paper's synthetic benchmark: HotSpot with one more element read per operation, so that
     * IterMem is there. */
    gz_app app = b->app;
    app.elements_per_op.value = 1;
    study_note(s, "synthetic benchmark: HotSpot with NumElemPerOp = 1");
    gz_config cfg = b->cfg;
    for (int y = 0; y < 2; y++) {
        cfg.sync = y ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
        for (int k = 0; gz_term_name(GZ_MODEL_MENG2011, k); k++)
            curve(s, &app, &cfg, k);
    }
}
