/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prediction.h - what the model says of a stencil that has never run.
 */
#ifndef GZT_PREDICT_H
#define GZT_PREDICT_H

#include "gzmodel.h"
#include "options.h"
#include "stencil.h"

/* What --predict is asked besides the device: the model, which may be GZ_MODEL_AUTO, and the loops
 * of the run, 0 if they are not known. */
struct gzt_question {
    gz_model model;
    long loops;
};

/* Writes what the model says of a stencil for the device and the size in `options`: model, variant,
 * block, height, synchronisation and time. Returns an exit status, having said why if not 0. */
int gzt_predict(const struct gzk_stencil *stencil, const struct cli_options *options,
                const struct gzt_question *asked);

#endif
