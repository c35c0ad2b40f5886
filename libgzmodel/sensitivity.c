/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sensitivity.c - how the optimum answers to the parameters.
 */
#include "fail.h"
#include "uncertainty.h"

#include <math.h>

/* The derivative of the minimiser by p is -(d2CPL/dh dp) / (d2CPL/dh2), because dCPL/dh stays 0
 * along it; a best whole height does not move. */
gz_status gzi_optimum_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                               gz_optimum *optimum, gz_gradient *gradient,
                               double dheight_dp[GZ_PARAM_CAPACITY], gz_error *error)
{
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = gz_optimize(dev, app, cfg, NULL, optimum, error);
    if (status)
        return status;
    const gzi_model *model = gzi_model_of(cfg->model);
    status = model->gradient(dev, app, cfg, optimum->continuous, gradient, error);
    for (int p = 0; p < gz_param_count() && !status; p++)
        dheight_dp[p] = model->curve ? -gradient->d2cpl_dh_dp[p] / gradient->d2cpl_dh2 : 0;
    return status;
}

gz_status gz_sensitivity_at_optimum(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                    gz_sensitivity *out, gz_error *error)
{
    if (!out)
        return gzi_fail_null(error, "room for the result");
    gz_optimum optimum;
    gz_gradient gradient;
    gz_status status =
        gzi_optimum_gradient(dev, app, cfg, &optimum, &gradient, out->dheight_dp, error);
    if (status)
        return status;
    out->height = optimum.continuous;
    out->cpl_at_height = gradient.cpl;
    for (int p = 0; p < gz_param_count(); p++) {
        double value = gz_param_value(dev, app, cfg, p);
        if (isnan(value))
            value = 0; /* not a parameter here, and its derivatives are 0 */
        out->cpl[p] = gradient.dcpl_dp[p] * value / gradient.cpl;
        out->height_elasticity[p] = out->dheight_dp[p] * value / optimum.continuous;
    }
    return GZ_OK;
}
