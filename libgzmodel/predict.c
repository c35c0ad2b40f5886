/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * predict.c - predictions and derivatives by the configuration's model, after the checks.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "quantities.h"
#include "tiling.h"

#include <math.h>

gz_status gzi_predict(const gzi_model *model, const gz_device *dev, const gz_app *app,
                      const gz_config *cfg, double h, gz_prediction *out, gz_error *error)
{
    gz_status status = model->predict(dev, app, cfg, h, out, error);
    out->model = cfg->model;
    return status;
}

/* The checks common to all functions that take a height and write a result to `out`. */
static gz_status check_at(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          const void *out, gz_error *error)
{
    gz_status status = gz_check(dev, app, cfg, error);
    if (!status && !out)
        status = gzi_fail_null(error, "room for the result");
    return status ? status : gzi_check_height(app, cfg, h, error);
}

gz_status gz_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                     gz_prediction *out, gz_error *error)
{
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = check_at(dev, app, cfg, h, out, error);
    return status ? status : gzi_predict(gzi_model_of(cfg->model), dev, app, cfg, h, out, error);
}

gz_status gz_derivatives(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                         gz_curve *out, gz_error *error)
{
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = check_at(dev, app, cfg, h, out, error);
    if (status)
        return status;
    const gzi_model *model = gzi_model_of(cfg->model);
    if (!model->curve)
        return gzi_fail(error, GZ_EMODEL,
                        "model %s is defined at whole heights, so it has no derivatives in h",
                        model->name);
    *out = (gz_curve){0};
    return model->curve(dev, app, cfg, h, out, error);
}

gz_status gz_predict_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                              double h, gz_gradient *out, gz_error *error)
{
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = check_at(dev, app, cfg, h, out, error);
    return status ? status : gzi_model_of(cfg->model)->gradient(dev, app, cfg, h, out, error);
}

/* Whether the configuration is one whose heights can be computed. */
static int has_heights(const gz_app *app, const gz_config *cfg)
{
    if (!app || !cfg || app->dim < 1 || app->dim > GZ_MAX_DIM || !gzi_tiling_of(cfg->variant))
        return 0;
    for (int i = 0; i < app->dim; i++) {
        double halo = app->halo_width[i], length = cfg->block_len[i];
        if (!(halo == 0 || (halo >= 1 && halo <= GZI_HALO_MAX)) ||
            !(length > halo && length <= GZI_BLOCK_LEN_MAX))
            return 0;
    }
    return isfinite(gzi_pole(app, cfg));
}

double gz_pole(const gz_app *app, const gz_config *cfg)
{
    return has_heights(app, cfg) ? gzi_pole(app, cfg) : (double)NAN;
}

double gz_height_max(const gz_app *app, const gz_config *cfg)
{
    return has_heights(app, cfg) ? gzi_height_max(app, cfg) : (double)NAN;
}
