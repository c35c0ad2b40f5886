/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dimensionality.c - what ghost zones gain in one, two and three dimensions, all else equal.
 */
#include "study.h"

#include <math.h>
#include <string.h>

const study_spec study_own = {
    .name = "dimensionality",
    .what = "replicated work and speedup of each benchmark's stencil made 1-D, 2-D and 3-D",
    .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
    .models = STUDY_BOTH,
    .columns = {{"app", "text", "benchmark whose counts per element the stencil keeps"},
                {"sync", "text", "synchronisation between stages"},
                {"kind", "text", "curve: over h; best: the best whole height"},
                {"D", "1", "dimensions"},
                {"blk_len", "elements", "block length, the same in every dimension"},
                {"h", "loops", "trapezoid height"},
                {"replication", "1", "operations computed per operation needed, 1 / CostEffect"},
                {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"},
                {"speedup", "1", "CPL at h = 1 over CPL"}}};

/* Of the tile alone, whatever the model. */
static double replication(const study *s, const gz_app *app, const gz_config *cfg, double h)
{
    gz_config paper = {.beyond = 1, .model = GZ_MODEL_MENG2011, .sync = cfg->sync};
    gz_prediction p;
    memcpy(paper.data_length, cfg->data_length, sizeof paper.data_length);
    memcpy(paper.block_len, cfg->block_len, sizeof paper.block_len);
    return gz_predict(&s->device, app, &paper, h, &p, NULL) ? (double)NAN : 1 / p.cost_effect;
}

static void curve(study *s, const gz_app *app, const gz_config *cfg)
{
    enum { POINTS = 60 };
    const char *sync = gz_name(GZ_SYNCS, cfg->sync);
    gz_prediction one, p;
    gz_optimum best;
    if (!study_predict(s, &s->device, app, cfg, 1, &one) ||
        !study_best(s, &s->device, app, cfg, &best))
        return;
    for (int k = 0; k < POINTS; k++) {
        double h = study_height(app, cfg, k, POINTS);
        if (h > 0 && study_predict(s, &s->device, app, cfg, h, &p))
            study_row(s, STUDY_TEXT(app->name, sync, "curve"),
                      STUDY_NUMBERS(app->dim, cfg->block_len[0], h, replication(s, app, cfg, h),
                                    p.cpl, one.cpl / p.cpl));
    }
    study_row(s, STUDY_TEXT(app->name, sync, "best"),
              STUDY_NUMBERS(app->dim, cfg->block_len[0], best.integer,
                            replication(s, app, cfg, best.integer), best.prediction.cpl,
                            best.speedup));
}

/* The largest block that the device allows, or 4096 elements by gz2. */
static void set_block(const study *s, const gz_app *app, gz_config *cfg)
{
    static const double threads[][3] = {{256}, {32, 8}, {16, 8, 2}};
    int many = s->model == GZ_MODEL_GZ2;
    double elements = many ? 4096 : s->device.max_threads_per_block.value;
    /* The nudge keeps 512^(1/3) at 8. */
    study_set_block(app, cfg, floor(pow(elements, 1.0 / app->dim) + 1e-9));
    for (int i = 0; many && i < app->dim; i++)
        cfg->threads[i] = threads[app->dim - 1][i];
}

void study_rows(study *s)
{
    study_note(s, "the same elements, and %s, in every dimensionality",
               s->model == GZ_MODEL_GZ2 ? "blocks of 4096 of them"
                                        : "the largest block that the device allows");
    for (int k = 0; k < s->n_benchmarks; k++)
        for (int y = 0; y < 2; y++)
            for (int dim = 1; dim <= GZ_MAX_DIM; dim++) {
                const study_benchmark *b = s->benchmark + k;
                gz_app app = b->app;
                gz_config cfg = {.sync = y ? GZ_SYNC_FENCE : GZ_SYNC_RESTART, .model = s->model};
                app.dim = dim;
                for (int i = 0; i < dim; i++)
                    app.halo_width[i] = b->app.halo_width[0];
                set_block(s, &app, &cfg);
                study_set_elements(&app, &cfg, study_elements(&b->app, &b->cfg));
                curve(s, &app, &cfg);
            }
}
