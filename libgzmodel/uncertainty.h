/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uncertainty.h - what the stated standard deviations do to a prediction.
 */
#ifndef GZI_UNCERTAINTY_H
#define GZI_UNCERTAINTY_H

#include "model.h"

/* Whether device or application state any standard deviation. */
int gzi_states_sd(const gz_device *dev, const gz_app *app);

/* Relative standard deviation of the seconds per loop at height h, for what gz_check accepts: of
 * the stated deviations and of the model's form. `seconds` is the prediction. */
gz_status gzi_relative_sd(const gzi_model *model, const gz_device *dev, const gz_app *app,
                          const gz_config *cfg, double h, double seconds, double *relative,
                          gz_error *error);

/* The interval of a time or of cycles: from value / f to value f, f = exp(z relative). */
void gzi_interval(double value, double relative, double z, double interval[2]);

/* The continuous minimiser (or the best whole height) and its derivatives by every parameter. */
gz_status gzi_optimum_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                               gz_optimum *optimum, gz_gradient *gradient,
                               double dheight_dp[GZ_PARAM_CAPACITY], gz_error *error);

#endif
