/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * uncertainty.h - what the stated standard deviations do to a prediction.
 */
#ifndef GZI_UNCERTAINTY_H
#define GZI_UNCERTAINTY_H

#include "model.h"

/* Whether device or application state any standard deviation. */
int gzi_states_sd(const gz_device *dev, const gz_app *app);

/* Standard deviation of the seconds per loop at height h, for what gz_check accepts. */
gz_status gzi_seconds_sd(const gzi_model *model, const gz_device *dev, const gz_app *app,
                         const gz_config *cfg, double h, double *sd, gz_error *error);

/* The continuous minimiser (or the best whole height) and its derivatives by every parameter. */
gz_status gzi_optimum_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                               gz_optimum *optimum, gz_gradient *gradient,
                               double dheight_dp[GZ_PARAM_CAPACITY], gz_error *error);

#endif
