/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sensitivity.c - how the optimum answers to the parameters: elasticities, and what the stated
 * uncertainties make of it.
 */
#include "meng2011.h"

#include <math.h>

/* The gradient at the continuous minimiser, whose derivative by p is -(d2CPL/dh dp) / (d2CPL/dh2)
 * because dCPL/dh stays 0 along it. */
static gz_status gradient_at_optimum(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                     gz_optimum *optimum, gz_gradient *gradient,
                                     double dheight_dp[GZ_PARAM_CAPACITY])
{
    gz_status status = gz_optimize(dev, app, cfg, NULL, optimum);
    if (!status)
        status = gzi_gradient(dev, app, cfg, optimum->continuous, gradient);
    for (int p = 0; p < gz_param_count() && !status; p++)
        dheight_dp[p] = -gradient->d2cpl_dh_dp[p] / gradient->d2cpl_dh2;
    return status;
}

gz_status gz_sensitivity_at_optimum(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                    gz_sensitivity *out)
{
    if (!out)
        return GZ_EARGUMENT;
    gz_optimum optimum;
    gz_gradient gradient;
    gz_status status = gradient_at_optimum(dev, app, cfg, &optimum, &gradient, out->dheight_dp);
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

/* Root of the sum of squares of derivative times standard deviation. */
static double propagate(const gz_device *dev, const gz_app *app,
                        const double derivative[GZ_PARAM_CAPACITY])
{
    double variance = 0;
    for (int p = 0; p < gz_param_count(); p++) {
        double part = derivative[p] * gz_param_sd(dev, app, p);
        variance += part * part;
    }
    return sqrt(variance);
}

gz_status gz_propagate(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       double z, gz_uncertainty *out)
{
    if (!out || !(z > 0 && isfinite(z)))
        return GZ_EARGUMENT;
    gz_optimum optimum;
    gz_gradient at_optimum, at_h;
    double dheight_dp[GZ_PARAM_CAPACITY];
    gz_status status = gradient_at_optimum(dev, app, cfg, &optimum, &at_optimum, dheight_dp);
    if (!status)
        status = gz_predict_gradient(dev, app, cfg, h, &at_h);
    if (status)
        return status;

    double clock = dev->clock_rate.value, dseconds_dp[GZ_PARAM_CAPACITY];
    for (int p = 0; p < gz_param_count(); p++)
        dseconds_dp[p] = at_h.dcpl_dp[p] / clock;
    dseconds_dp[GZ_P_CLOCK_RATE] -= at_h.cpl / (clock * clock);

    double seconds = at_h.cpl / clock, pole = gz_pole(app, cfg);
    out->z = z;
    out->cpl_sd = propagate(dev, app, at_h.dcpl_dp);
    out->seconds_sd = propagate(dev, app, dseconds_dp);
    out->height_sd = propagate(dev, app, dheight_dp);
    for (int end = 0; end < 2; end++) {
        double away = end ? z : -z;
        out->cpl[end] = fmax(0, at_h.cpl + away * out->cpl_sd);
        out->seconds[end] = fmax(0, seconds + away * out->seconds_sd);
        out->height[end] = fmin(fmax(0, optimum.continuous + away * out->height_sd), pole);
    }
    /* The best whole height is a neighbour of the continuous one; where that is known exactly, the
     * whole one is too. */
    out->integer[0] = out->integer[1] = optimum.integer;
    if (out->height_sd > 0) {
        out->integer[0] = (int)fmin(fmax(1, floor(out->height[0])), optimum.height_max);
        out->integer[1] = (int)fmin(fmax(1, ceil(out->height[1])), optimum.height_max);
    }
    return isfinite(out->cpl_sd) && isfinite(out->seconds_sd) && isfinite(out->height_sd)
               ? GZ_OK
               : GZ_EOVERFLOW;
}
