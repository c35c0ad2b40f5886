/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models.c - the table of models.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "quantities.h"

const gzi_model *const gzi_models[GZI_MODELS] = {
    [GZ_MODEL_MENG2011] = &gzi_meng2011,
    [GZ_MODEL_GZ2] = &gzi_gz2_model,
};

gz_status gzi_gz2_can(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                      gz_error *error)
{
    gz_config by_gz2 = *cfg;
    by_gz2.model = GZ_MODEL_GZ2;
    /* The usual lack of files for the 2011 model, found quickly where no reason is needed. */
    if (!error && !gzi_stated(&dev->warp_size))
        return GZ_EDEVICE;
    gz_status status = gzi_check_model(dev, app, &gzi_gz2_model, error);
    if (!status)
        status = gzi_check_grid(dev, app, &by_gz2, error);
    return status ? status : gzi_gz2_model.check(dev, app, &by_gz2, error);
}

/* Says why it is this model. */
static gz_model because(gz_model model, gz_error *why, const char *reason, int by_reads)
{
    gzi_fail(why, GZ_OK, "%s%s", reason,
             by_reads ? ", the time of an element by what it reads, since the application is not "
                        "calibrated on this device"
                      : "");
    return model;
}

gz_model gz_model_for(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_error *why)
{
    if (!dev || !app || !cfg)
        return because(cfg ? cfg->model : GZ_MODEL_AUTO, why, "as requested", 0);
    int by_reads = gzi_gz2_by_reads(dev, app, cfg->variant);
    if (cfg->model != GZ_MODEL_AUTO)
        return because(cfg->model, why, "as requested", by_reads && cfg->model == GZ_MODEL_GZ2);
    int only_gz2 = cfg->variant != GZ_VARIANT_TRAPEZOID;
    if (!only_gz2 && cfg->tau != GZ_TAU_PRINTED)
        return because(GZ_MODEL_MENG2011, why, "tau is a reading of its equations", 0);
    if (only_gz2 && !why)
        return GZ_MODEL_GZ2;
    if (gzi_gz2_can(dev, app, cfg, why) == GZ_OK)
        return because(GZ_MODEL_GZ2, why, "device and application state what it needs", by_reads);
    return only_gz2 ? because(GZ_MODEL_GZ2, why, "no other describes tiles of this variant", 0)
                    : GZ_MODEL_MENG2011;
}

const gz_config *gzi_settle(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                            gz_config *room)
{
    if (!dev || !app || !cfg || cfg->model != GZ_MODEL_AUTO)
        return cfg;
    *room = *cfg;
    room->model = gz_model_for(dev, app, cfg, NULL);
    return room;
}
