/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * predict.h - what the model says of a stencil that has never run.
 */
#ifndef GZT_PREDICT_H
#define GZT_PREDICT_H

#include "options.h"
#include "program.h"

/* Writes block, height, synchronisation and time for the device and the size in `options`. Returns
 * an exit status, after saying why if it is not 0. */
int gzt_predict(const struct gzt_program *program, const struct cli_options *options);

#endif
