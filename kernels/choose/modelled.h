/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * modelled.h - configurations of the kernels as libgzmodel has them, and back.
 */
#ifndef GZK_MODELLED_H
#define GZK_MODELLED_H

#include "backend.h"

/* Sets `cfg` to what `config` is to `model`, its loops included; false if libgzmodel has no such
 * variant. */
bool gzk_to_model(const struct gzk_config *config, gz_model model, gz_config *cfg);

/* The device of a file for choosing what runs on `device`: a CPU runs a block by one thread,
 * whether the file says so or not. */
gz_device gzk_model_of(const gz_device *file, const struct gzk_device *device);

/* Whether a device takes the threads and the local memory of a configuration. */
bool gzk_fits(const struct gzk_config *config, const struct gzk_device_info *device);

/* Sets variant, synchronisation, height, block, piece and threads of `config` to those of a
 * candidate, and the layout to what goes with them; false if the device cannot run it. */
bool gzk_from_model(const gz_candidate *candidate, const struct gzk_device *device,
                    struct gzk_config *config);

#endif
