/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models.c - the table of models.
 */
#include "model.h"

const gzi_model *const gzi_models[GZI_MODELS] = {
    [GZ_MODEL_MENG2011] = &gzi_meng2011,
    [GZ_MODEL_GZ2] = &gzi_gz2_model,
};
