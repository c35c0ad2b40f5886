/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * both_models.c - the paper's sensitivity studies under both models: dimensionality, halo width,
 * block size, and the cost of an instruction (CPI; its counterpart, the rate of issue).
 */
#include "today.h"

#include <math.h>
#include <string.h>

static const study_spec spec = {
    .name = "both_models",
    .what = "best height and speedup under both models over what the paper varies",
    .source = "Meng and Skadron 2011, Sections 6.1-6.4; second model: libgzmodel/models/gz2",
    .own_grids = 1,
    .columns = {{"study", "text", "what is varied: dimension, halo, block, cpi"},
                {"model", "text", "model that predicts"},
                {"app", "text", "stencil"},
                {"value", "1 or elements",
                 "of what is varied: dimensions; halo width on both sides; elements of "
                 "the block; cost of an instruction over the device's own"},
                {"h", "loops", "best whole height"},
                {"speedup", "1", "time at h = 1 in the same block over time there"},
                {"seconds", "s/loop", "time of a loop there"}}};

static const gz_model models[] = {GZ_MODEL_MENG2011, GZ_MODEL_GZ2};

/* The model at its best height in the configuration's block. */
static void add(study *s, const char *study_name, const gz_device *dev, const today *t,
                double value)
{
    gz_config cfg = t->cfg;
    gz_optimum best;
    gz_prediction one;
    cfg.beyond = 1;
    if (gz_optimize(dev, &t->app, &cfg, &(gz_bounds){.lower = 1}, &best, NULL) ||
        gz_predict(dev, &t->app, &cfg, 1, &one, NULL)) {
        study_note(s, "left out: %s of %s at %g, by %s: no height, or no room for the tile",
                   study_name, t->app.name, value, gz_model_name(cfg.model));
        return;
    }
    study_row(s, STUDY_TEXT(study_name, gz_model_name(cfg.model), t->app.name),
              STUDY_NUMBERS(value, best.integer,
                            one.seconds_per_loop / best.prediction.seconds_per_loop,
                            best.prediction.seconds_per_loop));
}

/* The same stencil in 1, 2 and 3 dimensions, on as many elements, in a block of as many. */
static void dimensions(study *s, const today *t)
{
    static const double blocks[][3] = {{4096}, {64, 64}, {16, 16, 16}};
    static const double threads[][3] = {{256}, {32, 8}, {16, 8, 2}};
    for (int dim = 1; dim <= 3; dim++) {
        today of = *t;
        of.app.dim = dim;
        for (int i = 0; i < dim; i++) {
            of.app.halo_width[i] = 2;
            of.cfg.block_len[i] = blocks[dim - 1][i];
            of.cfg.threads[i] = threads[dim - 1][i];
        }
        today_grid(&of.app, 1 << 24, &of.cfg);
        add(s, "dimension", &s->device, &of, dim);
    }
}

static void halos(study *s, const today *t)
{
    for (int halo = 2; halo <= 8; halo += 2) {
        today of = *t;
        for (int i = 0; i < of.app.dim; i++)
            of.app.halo_width[i] = halo;
        add(s, "halo", &s->device, &of, halo);
    }
}

static void blocks(study *s, const today *t)
{
    today of = *t;
    double largest = 0;
    for (int k = 0; today_block(&of, k, &of.cfg); k++) {
        double elements = 1;
        for (int i = 0; i < of.app.dim; i++)
            elements *= of.cfg.block_len[i];
        /* Of blocks with as many elements, the first, the squarest. */
        if (elements > largest)
            add(s, "block", &s->device, &of, elements);
        largest = fmax(largest, elements);
    }
}

static void costs(study *s, const today *t)
{
    enum { POINTS = 17 };
    for (int k = 0; k < POINTS; k++) {
        double factor = study_geometric(1.0 / 16, 16, k, POINTS);
        gz_device dev = s->device;
        dev.cpi.value *= factor;
        dev.issue_rate.value /= factor;
        dev.instruction_latency.value *= factor;
        today of = *t;
        of.app.issue_time.value *= factor;
        of.app.chain_time.value *= factor;
        of.app.cell_time.value *= factor;
        add(s, "cpi", &dev, &of, factor);
    }
}

static void rows(study *s)
{
    for (int k = 0; k < TODAY_APPS; k++) {
        today t;
        today_open(s, k, &t);
        today_check(s, &t);
        for (int m = 0; m < 2; m++) {
            t.cfg.model = models[m];
            dimensions(s, &t);
            halos(s, &t);
            blocks(s, &t);
            costs(s, &t);
        }
    }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
