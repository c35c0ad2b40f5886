/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * models.c - the models that there are, and their names.
 */
#include "model.h"

#include <string.h>

static const gzi_model *const models[] = {
    [GZ_MODEL_MENG2011] = &gzi_meng2011,
};
#define MODELS (sizeof models / sizeof *models)

const gzi_model *gzi_model_of(gz_model model)
{
    return (unsigned)model < MODELS ? models[model] : NULL;
}

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
    for (size_t k = 0; name && k < MODELS; k++)
        if (models[k] && strcmp(models[k]->name, name) == 0)
            return (int)k;
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
