/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * launches.c - kernel restarts, graphs and fences over the grid's size: how much each takes of a
 * loop at its best height, and how tall that is.
 */
#include "study.h"

const char *const study_own = gzs_launches_txt;

void study_rows(study *s)
{
    enum { POINTS = 40, MODES = 3 };
    static const gz_sync modes[MODES] = {GZ_SYNC_RESTART, GZ_SYNC_GRAPH, GZ_SYNC_FENCE};
    for (int k = 0; k < s->n_benchmarks; k++) {
        study_benchmark t = s->benchmark[k];
        double restarts[POINTS] = {0};
        for (int m = 0; m < MODES; m++)
            for (int n = 0; n < POINTS; n++) {
                gz_optimum best;
                gz_config cfg;
                study_set_elements(&t.app, &t.cfg, study_geometric(1 << 12, 1 << 26, n, POINTS));
                t.cfg.sync = modes[m];
                if (!study_best_tile(&s->device, &t.app, &t.cfg, &cfg, &best)) {
                    study_note(s, "left out: %s of %s: the device states no cost of it",
                               gz_name(GZ_SYNCS, modes[m]), t.app.name);
                    continue;
                }
                const gz_prediction *p = &best.prediction;
                if (m == 0)
                    restarts[n] = p->seconds_per_loop;
                if (restarts[n] > 0)
                    study_row(s, STUDY_TEXT(t.app.name, gz_name(GZ_SYNCS, modes[m])),
                              STUDY_NUMBERS(study_elements(&t.app, &t.cfg), best.integer,
                                            p->seconds_per_loop, p->term[0] / p->cpl,
                                            p->seconds_per_loop / restarts[n]));
            }
    }
}
