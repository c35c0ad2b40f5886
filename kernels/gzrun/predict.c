/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "predict.h"

#include "data.h"
#include "modelled.h"

#include <math.h>

void gzk_predictor_of(const struct gzk_where *where, const struct gzk_stencil *stencil,
                      struct gzk_predictor *predictor)
{
    gz_config cfg = {.beyond = 1};

    *predictor = (struct gzk_predictor){.able = false};
    if (!where->described || gz_app_open(stencil->name, where->described, &predictor->app, NULL) ||
        !gz_profile_matches(&where->model, &predictor->app))
        return;
    predictor->device = where->model;
    if (!gz_quantity_stated(&predictor->app.tile_reads))
        gzk_describe_reads(stencil, &predictor->app);
    for (int i = 0; i < stencil->dimensions; i++) {
        cfg.data_length[i] = stencil->default_size[i];
        cfg.block_len[i] = stencil->default_block[i];
        cfg.threads[i] = 1;
    }
    cfg.model = predictor->model =
        gz_model_for(&predictor->device, &predictor->app, &cfg, &predictor->why);
    predictor->able = gz_check(&predictor->device, &predictor->app, &cfg, NULL) == GZ_OK;
}

double gzk_predict(const struct gzk_predictor *predictor, const struct gzk_config *config)
{
    gz_config cfg;
    gz_prediction prediction;
    if (!predictor->able || !gzk_to_model(config, predictor->model, &cfg) ||
        gz_predict(&predictor->device, &predictor->app, &cfg, config->height, &prediction, NULL))
        return (double)NAN;
    return prediction.seconds_per_loop;
}
