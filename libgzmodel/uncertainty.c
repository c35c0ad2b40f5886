/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uncertainty.c - what the standard deviations that device and application state do to a prediction
 * and to the best height: first order, through the exact gradients; and the model's own error.
 */
#include "uncertainty.h"
#include "fail.h"
#include "quantities.h"

#include <math.h>

/* Root of the sum of squares of derivative times standard deviation. */
static double propagate(const gz_device *dev, const gz_app *app,
                        const double derivative[GZ_PARAM_CAPACITY])
{
    double variance = 0;
    for (int p = 0; p < gz_param_count(); p++) {
        double part = derivative[p] * gzi_param_sd(dev, app, p);
        variance += part * part;
    }
    return sqrt(variance);
}

/* The same of seconds per loop, CPL over the clock rate, which enters CPL too. */
static double propagate_seconds(const gz_device *dev, const gz_app *app, const gz_gradient *at)
{
    double clock = dev->clock_rate.value, dseconds_dp[GZ_PARAM_CAPACITY];
    for (int p = 0; p < gz_param_count(); p++)
        dseconds_dp[p] = at->dcpl_dp[p] / clock;
    dseconds_dp[GZ_P_CLOCK_RATE] -= at->cpl / (clock * clock);
    return propagate(dev, app, dseconds_dp);
}

int gzi_states_sd(const gz_device *dev, const gz_app *app)
{
    for (int p = 0; p < gz_param_count(); p++)
        if (gzi_param_sd(dev, app, p) > 0)
            return 1;
    return 0;
}

gz_status gzi_relative_sd(const gzi_model *model, const gz_device *dev, const gz_app *app,
                          const gz_config *cfg, double h, double seconds, double *relative,
                          gz_error *error)
{
    gz_gradient at;
    gz_status status = GZ_OK;
    double stated = 0;
    if (gzi_states_sd(dev, app)) {
        status = model->gradient(dev, app, cfg, h, &at, error);
        if (!status)
            stated = propagate_seconds(dev, app, &at) / seconds;
    }
    *relative = hypot(stated, model->form_sd(dev, app, cfg));
    return status;
}

void gzi_interval(double value, double relative, double z, double interval[2])
{
    double factor = exp(fmin(z * relative, 500)); /* a finite end */
    interval[0] = value / factor;
    interval[1] = value * factor;
}

gz_status gz_propagate(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       double z, gz_uncertainty *out, gz_error *error)
{
    if (!out)
        return gzi_fail_null(error, "room for the result");
    if (!(z > 0 && isfinite(z)))
        return gzi_fail(error, GZ_EARGUMENT, "z is %g: must be a number greater than 0", z);
    gz_optimum optimum;
    gz_gradient at_optimum, at_h;
    double dheight_dp[GZ_PARAM_CAPACITY];
    gz_status status =
        gzi_optimum_gradient(dev, app, cfg, &optimum, &at_optimum, dheight_dp, error);
    if (!status)
        status = gz_predict_gradient(dev, app, cfg, h, &at_h, error);
    if (status)
        return status;

    gz_config room;
    const gz_config *settled = gzi_settle(dev, app, cfg, &room);
    double seconds = at_h.cpl / dev->clock_rate.value, pole = gz_pole(app, cfg);
    *out = (gz_uncertainty){.z = z,
                            .form_sd = gzi_model_of(settled->model)->form_sd(dev, app, settled),
                            .cpl_sd = propagate(dev, app, at_h.dcpl_dp),
                            .seconds_sd = propagate_seconds(dev, app, &at_h),
                            .height_sd = propagate(dev, app, dheight_dp)};
    gzi_interval(at_h.cpl, hypot(out->cpl_sd / at_h.cpl, out->form_sd), z, out->cpl);
    gzi_interval(seconds, hypot(out->seconds_sd / seconds, out->form_sd), z, out->seconds);
    for (int end = 0; end < 2; end++) {
        double away = end ? z : -z;
        out->height[end] = fmin(fmax(0, optimum.continuous + away * out->height_sd), pole);
    }
    /* The best whole height is a neighbour of the continuous one; if that is known exactly, the
     * whole one is too. */
    out->integer[0] = out->integer[1] = optimum.integer;
    if (out->height_sd > 0) {
        out->integer[0] = (int)fmin(fmax(1, floor(out->height[0])), optimum.height_max);
        out->integer[1] = (int)fmin(fmax(1, ceil(out->height[1])), optimum.height_max);
    }
    int finite = isfinite(out->cpl_sd) && isfinite(out->seconds_sd) && isfinite(out->height_sd);
    return finite ? GZ_OK : gzi_fail_overflow(error);
}
