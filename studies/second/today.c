/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "today.h"

#include <math.h>

static const char *const keys[TODAY_APPS] = {"pathfinder", "hotspot", "poisson", "cell"};

/* Blocks, and their threads. */
static const double blocks_1[][2][3] = {{{128}, {128}},  {{256}, {256}},  {{512}, {256}},
                                        {{1024}, {256}}, {{2048}, {256}}, {{4096}, {256}}};
static const double blocks_2[][2][3] = {
    {{32, 8}, {32, 8}},   {{32, 16}, {32, 8}},  {{32, 32}, {32, 8}},  {{64, 16}, {32, 8}},
    {{64, 32}, {32, 8}},  {{64, 64}, {32, 8}},  {{128, 16}, {32, 8}}, {{128, 32}, {32, 8}},
    {{128, 64}, {32, 8}}, {{128, 128}, {32, 8}}};
static const double blocks_3[][2][3] = {{{8, 8, 8}, {8, 8, 4}},     {{16, 8, 8}, {16, 8, 2}},
                                        {{32, 8, 8}, {32, 8, 1}},   {{32, 16, 8}, {32, 8, 1}},
                                        {{32, 16, 16}, {32, 8, 1}}, {{32, 32, 16}, {32, 8, 1}},
                                        {{32, 32, 32}, {32, 8, 1}}, {{64, 16, 16}, {32, 8, 1}}};

void today_grid(const gz_app *app, double elements, gz_config *cfg)
{
    for (int i = 0; i < app->dim; i++)
        cfg->data_length[i] = round(pow(elements, 1.0 / app->dim));
}

int today_block(const today *t, int k, gz_config *cfg)
{
    static const struct {
        const double (*block)[2][3];
        int count;
    } sets[] = {{blocks_1, sizeof blocks_1 / sizeof *blocks_1},
                {blocks_2, sizeof blocks_2 / sizeof *blocks_2},
                {blocks_3, sizeof blocks_3 / sizeof *blocks_3}};
    int set = t->app.dim - 1;
    if (k >= sets[set].count)
        return 0;
    for (int i = 0; i < t->app.dim; i++) {
        cfg->block_len[i] = sets[set].block[k][0][i];
        cfg->threads[i] = sets[set].block[k][1][i];
    }
    return 1;
}

void today_open(study *s, int k, today *out)
{
    static const int middle[] = {2, 4, 4};
    *out = (today){.cfg = {.model = GZ_MODEL_GZ2}};
    study_open_app(s, keys[k], &out->app);
    today_grid(&out->app, 1 << 24, &out->cfg);
    today_block(out, middle[out->app.dim - 1], &out->cfg);
}

int today_best(const gz_device *dev, const today *t, gz_config *best, gz_optimum *out)
{
    gz_config cfg = t->cfg;
    int found = 0;
    for (int k = 0; today_block(t, k, &cfg); k++) {
        gz_optimum optimum;
        /* In the 2011 model a tile has a thread for each element. */
        if (cfg.model == GZ_MODEL_MENG2011)
            for (int i = 0; i < t->app.dim; i++)
                cfg.threads[i] = 0;
        if (gz_optimize(dev, &t->app, &cfg, &(gz_bounds){.lower = 1}, &optimum, NULL))
            continue;
        if (!found || optimum.prediction.cpl < out->prediction.cpl) {
            *out = optimum;
            *best = cfg;
            found = 1;
        }
    }
    return found;
}

void today_check(study *s, const today *t)
{
    gz_error error;
    if (gz_check(&s->device, &t->app, &t->cfg, &error))
        study_fail(2, "%s: %s", s->spec->name, error.text);
}
