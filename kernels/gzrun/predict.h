/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * predict.h - what a model says of a configuration that gzrun measures.
 */
#ifndef GZK_PREDICT_H
#define GZK_PREDICT_H

#include "where.h"

/* A model that can predict: the device and application files have what it needs. */
struct gzk_predictor {
    bool able;
    gz_model model;
    gz_error why; /* it is that one */
    gz_device device;
    gz_app app;
};

/* The model for a stencil on a device, as GZ_MODEL_AUTO has it; none if the device was not
 * calibrated. */
void gzk_predictor_of(const struct gzk_where *where, const struct gzk_stencil *stencil,
                      struct gzk_predictor *predictor);

/* Predicted seconds per loop; NaN if the model does not describe that configuration. */
double gzk_predict(const struct gzk_predictor *predictor, const struct gzk_config *config);

#endif
