/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check.h - whether inputs are in their ranges. `error` may be NULL throughout.
 */
#ifndef GZI_CHECK_H
#define GZI_CHECK_H

#include "gzmodel.h"

struct gzi_model;

/* The parts of gz_check: the quantities of device and application that `model` reads (NULL: all);
 * model, variant, grid and kind of synchronisation; all of the configuration. */
gz_status gzi_check_model(const gz_device *dev, const gz_app *app, const struct gzi_model *model,
                          gz_error *error);
gz_status gzi_check_grid(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                         gz_error *error);
gz_status gzi_check_config(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           gz_error *error);

/* Whether the model predicts at height h, for a configuration that gz_check accepts: GZ_OK,
 * GZ_EHEIGHT or GZ_EMODEL. */
gz_status gzi_check_height(const gz_app *app, const gz_config *cfg, double h, gz_error *error);

/* Whether the device states what a kind of synchronisation needs. */
int gzi_has_sync(const gz_device *dev, gz_sync sync);

#endif
