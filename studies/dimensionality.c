/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dimensionality.c - what ghost zones gain in one, two and three dimensions, all else equal.
 */
#include "study.h"

#include <math.h>

static const study_spec spec = {
    .name = "dimensionality",
    .what = "replicated work and speedup of each benchmark's stencil made 1-D, 2-D and 3-D",
    .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
    .columns = {{"app", "text", "benchmark whose counts per element the stencil keeps"},
                {"sync", "text", "synchronisation between stages"},
                {"kind", "text", "curve: over h; best: the best whole height"},
                {"D", "1", "dimensions"},
                {"blk_len", "elements", "block length, the same in every dimension"},
                {"h", "loops", "trapezoid height"},
                {"replication", "1", "operations computed per operation needed, 1 / CostEffect"},
                {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"},
                {"speedup", "1", "CPL at h = 1 over CPL"}}};

static void curve(study *s, const gz_app *app, const gz_config *cfg)
{
    enum { POINTS = 60 };
    const char *sync = gz_sync_name(cfg->sync);
    gz_prediction one, p;
    gz_optimum best;
    if (!study_predict(s, &s->device, app, cfg, 1, &one) ||
        !study_best(s, &s->device, app, cfg, &best))
        return;
    double last = study_last_height(app, cfg);
    for (int k = 0; k < POINTS; k++) {
        double h = study_geometric(1, last, k, POINTS);
        if (study_predict(s, &s->device, app, cfg, h, &p))
            study_row(s, STUDY_TEXT(app->name, sync, "curve"),
                      STUDY_NUMBERS(app->dim, cfg->block_len[0], h, 1 / p.cost_effect, p.cpl,
                                    one.cpl / p.cpl));
    }
    study_row(s, STUDY_TEXT(app->name, sync, "best"),
              STUDY_NUMBERS(app->dim, cfg->block_len[0], best.integer,
                            1 / best.prediction.cost_effect, best.prediction.cpl, best.speedup));
}

static void rows(study *s)
{
    study_note(s, "the same elements, and the largest block that the device allows, in every "
                  "dimensionality");
    for (int k = 0; k < s->n_benchmarks; k++)
        for (int y = 0; y < 2; y++)
            for (int dim = 1; dim <= GZ_MAX_DIM; dim++) {
                const study_benchmark *b = s->benchmark + k;
                gz_app app = b->app;
                gz_config cfg = {.sync = y ? GZ_SYNC_FENCE : GZ_SYNC_RESTART};
                app.dim = dim;
                for (int i = 0; i < dim; i++)
                    app.halo_width[i] = b->app.halo_width[0];
                /* The nudge keeps 512^(1/3) at 8. */
                double threads = s->device.max_threads_per_block.value;
                study_set_block(&app, &cfg, floor(pow(threads, 1.0 / dim) + 1e-9));
                double elements = study_elements(&b->app, &b->cfg);
                study_set_grid(&app, &cfg, round(pow(elements, 1.0 / dim)));
                curve(s, &app, &cfg);
            }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
