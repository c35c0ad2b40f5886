/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * energy.c - Section 6.5: energy goes with time, since ghost zones do not change the power.
 */
#include "paper.h"
#include "study.h"

const study_spec study_own = {
    .name = "energy",
    .what = "energy above idle per element and loop over the height, at constant power",
    .source = "Meng and Skadron 2011, Section 6.5; Eq. 1",
    .columns = {{"app", "text", "benchmark"},
                {"sync", "text", "synchronisation between stages"},
                {"kind", "text",
                 "curve: the model; best: at the best whole height; measured: "
                 "from the paper's measured speedup, energy not measured"},
                {"h", "loops", "trapezoid height"},
                {"energy", "J", "per element and loop, 84 W times the time"},
                {"saving", "1", "share of the energy at h = 1 that is saved"}}};

static void curve(study *s, const study_benchmark *b, const gz_config *cfg)
{
    enum { POINTS = 120 };
    const char *app = b->app.name, *sync = gz_name(GZ_SYNCS, cfg->sync);
    double watts_per_element = PAPER_DYNAMIC_POWER_W / study_elements(&b->app, cfg);
    gz_prediction one, p;
    gz_optimum best;
    if (!study_predict(s, &s->device, &b->app, cfg, 1, &one) ||
        !study_best(s, &s->device, &b->app, cfg, &best))
        return;
    double last = study_last_height(&b->app, cfg);
    for (int k = 0; k < POINTS; k++) {
        double h = study_geometric(1, last, k, POINTS);
        if (study_predict(s, &s->device, &b->app, cfg, h, &p))
            study_row(
                s, STUDY_TEXT(app, sync, "curve"),
                STUDY_NUMBERS(h, watts_per_element * p.seconds_per_loop, 1 - p.cpl / one.cpl));
    }
    double best_s = best.prediction.seconds_per_loop;
    study_row(s, STUDY_TEXT(app, sync, "best"),
              STUDY_NUMBERS(best.integer, watts_per_element * best_s, 1 - 1 / best.speedup));
    const paper_measured *m = paper_find(app, cfg->sync);
    if (s->is_paper_device && m)
        study_row(s, STUDY_TEXT(app, sync, "measured"),
                  STUDY_NUMBERS(m->height, watts_per_element * one.seconds_per_loop / m->speedup,
                                1 - 1 / m->speedup));
}

void study_rows(study *s)
{
    study_note(s, "84 W is what the paper's whole machine drew above idle; savings do not depend "
                  "on it");
    for (int k = 0; k < s->n_benchmarks; k++) {
        gz_config cfg = s->benchmark[k].cfg;
        curve(s, s->benchmark + k, &cfg);
        cfg.sync = GZ_SYNC_FENCE;
        curve(s, s->benchmark + k, &cfg);
    }
}
