/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models.c - the table of models, and their names.
 */
#include "model.h"

#include <string.h>

const gzi_model *const gzi_models[GZI_MODELS] = {
    [GZ_MODEL_MENG2011] = &gzi_meng2011,
    [GZ_MODEL_GZ2] = &gzi_gz2_model,
};

const char *gz_model_name(gz_model model)
{
    const gzi_model *found = gzi_model_of(model);
    return found ? found->name : NULL;
}

const char *gz_model_summary(gz_model model)
{
    const gzi_model *found = gzi_model_of(model);
    return found ? found->summary : NULL;
}

int gz_model_by_name(const char *name)
{
    for (int k = 0; name && k < GZI_MODELS; k++)
        if (gzi_models[k] && strcmp(gzi_models[k]->name, name) == 0)
            return k;
    return -1;
}

static const gzi_term *term_of(gz_model model, int term)
{
    const gzi_model *found = gzi_model_of(model);
    return found && term >= 0 && term < found->term_count ? found->terms + term : NULL;
}

const char *gz_term_name(gz_model model, int term)
{
    const gzi_term *found = term_of(model, term);
    return found ? found->name : NULL;
}

const char *gz_term_meaning(gz_model model, int term)
{
    const gzi_term *found = term_of(model, term);
    return found ? found->meaning : NULL;
}
