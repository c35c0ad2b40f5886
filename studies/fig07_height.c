/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig07_height.c - Fig. 7: cost of a loop over the trapezoid's height, both synchronisations.
 */
#include "paper.h"
#include "study.h"

const study_spec study_own = {
    .name = "fig07_height",
    .what = "cost of one loop over the trapezoid height, kernel restarts and memory fences",
    .source = "Meng and Skadron 2011, Fig. 7 (a)-(d), Section 5.4.2; Eqs. 1-20",
    .columns = {{"app", "text", "benchmark"},
                {"sync", "text", "synchronisation between stages"},
                {"kind", "text",
                 "curve: the model; whole: the model at whole heights; best: the best of them; "
                 "measured: the paper's measured best height and speedup, as CPL(1) / speedup"},
                {"h", "loops", "trapezoid height"},
                {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"},
                {"speedup", "1", "CPL at h = 1 over CPL"}}};

static void heights(study *s, const study_benchmark *b, const gz_config *cfg)
{
    enum { POINTS = 200 };
    const char *app = b->app.name, *sync = gz_name(GZ_SYNCS, cfg->sync);
    gz_prediction one, p;
    gz_optimum best;
    if (!study_predict(s, &s->device, &b->app, cfg, 1, &one) ||
        !study_best(s, &s->device, &b->app, cfg, &best))
        return;
    double last = study_last_height(&b->app, cfg);
    for (int k = 0; k < POINTS; k++) {
        double h = study_geometric(1, last, k, POINTS);
        if (study_predict(s, &s->device, &b->app, cfg, h, &p))
            study_row(s, STUDY_TEXT(app, sync, "curve"), STUDY_NUMBERS(h, p.cpl, one.cpl / p.cpl));
    }
    for (int h = 1; h <= best.height_max; h++)
        if (study_predict(s, &s->device, &b->app, cfg, h, &p))
            study_row(s, STUDY_TEXT(app, sync, "whole"), STUDY_NUMBERS(h, p.cpl, one.cpl / p.cpl));
    study_row(s, STUDY_TEXT(app, sync, "best"),
              STUDY_NUMBERS(best.integer, best.prediction.cpl, best.speedup));
    const paper_measured *m = paper_find(app, cfg->sync);
    if (s->is_paper_device && m)
        study_row(s, STUDY_TEXT(app, sync, "measured"),
                  STUDY_NUMBERS(m->height, one.cpl / m->speedup, m->speedup));
}

void study_rows(study *s)
{
    for (int k = 0; k < s->n_benchmarks; k++) {
        const study_benchmark *b = s->benchmark + k;
        gz_config cfg = b->cfg;
        heights(s, b, &cfg);
        cfg.sync = GZ_SYNC_FENCE;
        heights(s, b, &cfg);
    }
}
