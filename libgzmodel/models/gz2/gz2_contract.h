/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_contract.h - gz2 of a device and an application as their files state it, for
 * fits whose result goes into the files: what is fitted is then what predicts.
 */
#ifndef GZI_GZ2_CONTRACT_H
#define GZI_GZ2_CONTRACT_H

#include "gz2.h"
#include "gzmodel.h"

/* The model with the values that are stated or follow from others, else 0; `dev` must state
 * sm_count and warp_size, both from 1, and clock_rate. */
void gzi_gz2_of_files(const gz_device *dev, const gz_app *app, gzi_gz2 *model);

/* Non-zero if a parameter is one of the device's kind, CPU or GPU. */
int gzi_gz2_is_for(gzi_gz2_parameter parameter, const gz_device *dev);

#endif
