/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models.c - the table of models.
 */
#include "model.h"

#include "check.h"

const gzi_model *const gzi_models[GZI_MODELS] = {
    [GZ_MODEL_MENG2011] = &gzi_meng2011,
    [GZ_MODEL_GZ2] = &gzi_gz2_model,
};

/* Whether the files state what gz2 needs for a configuration, whose block need not be given. */
static int gz2_can(const gz_device *dev, const gz_app *app, gz_config cfg)
{
    cfg.model = GZ_MODEL_GZ2;
    return gzi_check_model(dev, app, &gzi_gz2_model, NULL) == GZ_OK &&
           gzi_check_grid(dev, app, &cfg, NULL) == GZ_OK &&
           gzi_gz2_model.check(dev, app, &cfg, NULL) == GZ_OK;
}

gz_model gz_model_for(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    if (!dev || !app || !cfg || cfg->model != GZ_MODEL_AUTO)
        return cfg ? cfg->model : GZ_MODEL_AUTO;
    if (cfg->variant != GZ_VARIANT_TRAPEZOID)
        return GZ_MODEL_GZ2;
    return cfg->tau == GZ_TAU_PRINTED && gz2_can(dev, app, *cfg) ? GZ_MODEL_GZ2 : GZ_MODEL_MENG2011;
}

const gz_config *gzi_settle(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                            gz_config *room)
{
    if (!dev || !app || !cfg || cfg->model != GZ_MODEL_AUTO)
        return cfg;
    *room = *cfg;
    room->model = gz_model_for(dev, app, cfg);
    return room;
}
