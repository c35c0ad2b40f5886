/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * adaptive.c - Section 5.4.2: adaptive selection from the model's height and from 1.
 */
#include "paper.h"
#include "simulate.h"
#include "study.h"

const char *const study_own = gzs_adaptive_txt;

static void start_rows(study *s, const study_benchmark *b, const char *start, int height,
                       double measured)
{
    simulation sim;
    gz_prediction one, p;
    gz_status status = simulate(&s->device, &b->app, &b->cfg, height, PAPER_ADAPTIVE_LOOPS, &sim);
    if (!status)
        status = gz_predict(&s->device, &b->app, &b->cfg, 1, &one, NULL);
    for (int k = 0, done = 0; !status && k < sim.n_stages; done += sim.loops[k++]) {
        status = gz_predict(&s->device, &b->app, &b->cfg, sim.loops[k], &p, NULL);
        if (!status)
            study_row(s, STUDY_TEXT(b->app.name, start, "stage"),
                      STUDY_NUMBERS(done, sim.loops[k], one.cpl / p.cpl));
    }
    if (status)
        exit(cli_fail(CLI_FAILED, "%s: %s", b->app.name, gz_strerror(status)));
    study_row(s, STUDY_TEXT(b->app.name, start, "total"),
              STUDY_NUMBERS(PAPER_ADAPTIVE_LOOPS, sim.loops[sim.n_stages - 1], sim.speedup));
    if (measured > 0)
        study_row(s, STUDY_TEXT(b->app.name, start, "measured"),
                  STUDY_NUMBERS(PAPER_ADAPTIVE_LOOPS, sim.loops[sim.n_stages - 1], measured));
}

void study_rows(study *s)
{
    for (int k = 0; k < s->n_benchmarks; k++) {
        const study_benchmark *b = s->benchmark + k;
        const paper_measured *m = s->is_paper_device ? paper_find(b->app.name) : NULL;
        gz_optimum best;
        if (!study_best(s, &s->device, &b->app, &b->cfg, &best))
            continue;
        start_rows(s, b, "model", best.truncated, m ? m->from_model : 0);
        start_rows(s, b, "one", 1, m ? m->from_one : 0);
    }
}
