/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prediction.h - what the model says of a stencil that has never run.
 */
#ifndef GZT_PREDICT_H
#define GZT_PREDICT_H

#include "emit.h"
#include "gzmodel.h"
#include "options.h"
#include "program.h"

#include <stdbool.h>

/* Reads a model's name into the gz_model at `into`; returns an exit status. */
int gzt_read_model(void *into, const char *text);

/* Of a program whose coefficients are laid out as `layout` says, writes the model, variant, block,
 * height, synchronisation and time for the device and the size in `options`, by `model`, which may
 * be GZ_MODEL_AUTO. Returns an exit status, after saying why if it is not 0. */
int gzt_predict(const struct gzt_program *program, const struct gzt_layout *layout,
                const struct cli_options *options, gz_model model);

#endif
