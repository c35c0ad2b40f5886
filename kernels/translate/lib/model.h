/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model.h - a configuration by the model, from a calibrated device file.
 */
#ifndef GZK_MODEL_CHOICE_H
#define GZK_MODEL_CHOICE_H

#include "plan.h"

/* Sets block, height and threads of a trapezoid for the grid in `config`, and the predicted time
 * per loop, s. The stencil's instructions are estimated from its operations. `file` is what
 * gz_device_open takes. -1 with `reason` set if the model has no answer. */
int gzk_choose_by_model(const char *file, const struct gzk_device *device,
                        struct gzk_config *config, double *predicted_s, gz_error *reason);

#endif
