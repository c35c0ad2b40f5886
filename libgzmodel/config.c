/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * config.c - whether a configuration makes sense.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "quantities.h"
#include "tiling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- checks */

int gzi_has_sync(const gz_device *dev, gz_sync sync)
{
    switch (sync) {
    case GZ_SYNC_FENCE:
        return gzi_stated(&dev->fence_overhead);
    case GZ_SYNC_GRAPH:
        return gzi_stated(&dev->graph_overhead);
    case GZ_SYNC_RESTART:
        break;
    }
    return 1;
}

/* Fails because an enumeration has no such value. */
static gz_status no_such(gz_error *error, const char *what, int value)
{
    return gzi_fail(error, GZ_EARGUMENT, "there is no %s of number %d", what, value);
}

/* Names the variants that the model describes, and the models that describe the variant. */
static gz_status variant_refused(gz_error *error, const gzi_model *model, gz_variant variant)
{
    char described[64] = "", others[64] = "";
    for (int k = 0; gz_name(GZ_VARIANTS, (gz_variant)k); k++)
        if (model->variants & 1u << k) {
            size_t used = strlen(described);
            snprintf(described + used, sizeof described - used, "%s%s", used ? " or " : "",
                     gz_name(GZ_VARIANTS, (gz_variant)k));
        }
    for (int k = 0; k < GZI_MODELS; k++)
        if (gzi_models[k] && gzi_models[k]->variants & 1u << variant) {
            size_t used = strlen(others);
            snprintf(others + used, sizeof others - used, "%s%s", used ? " or " : ", or model ",
                     gzi_models[k]->name);
        }
    return gzi_fail(error, GZ_EMODEL, "model %s does not describe variant %s: must be %s%s",
                    model->name, gz_name(GZ_VARIANTS, variant), described, others);
}

gz_status gz_model_describes(gz_model model, gz_variant variant, gz_error *error)
{
    const gzi_model *found = gzi_model_of(model);
    if (!found && model != GZ_MODEL_AUTO)
        return no_such(error, "model", (int)model);
    if (!gzi_tiling_of(variant))
        return no_such(error, "variant", (int)variant);
    if (model == GZ_MODEL_AUTO) /* gz2 describes all */
        found = gzi_model_of(GZ_MODEL_GZ2);
    return found->variants & 1u << variant ? GZ_OK : variant_refused(error, found, variant);
}

static gz_status check_kinds(const gz_device *dev, const gz_config *cfg, gz_error *error)
{
    if (!gz_name(GZ_SYNCS, cfg->sync))
        return no_such(error, "kind of synchronisation", (int)cfg->sync);
    if (!gz_name(GZ_TAUS, cfg->tau))
        return no_such(error, "reading of tau", (int)cfg->tau);
    gz_status status = gz_model_describes(cfg->model, cfg->variant, error);
    if (status)
        return status;
    if (cfg->sync == GZ_SYNC_GRAPH && !gzi_has_sync(dev, GZ_SYNC_GRAPH))
        return gzi_fail(error, GZ_EDEVICE,
                        "device: graph_overhead is missing: synchronisation by graph needs it");
    return GZ_OK;
}

gz_status gzi_check_grid(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                         gz_error *error)
{
    gz_status status = check_kinds(dev, cfg, error);
    if (status)
        return status;
    for (int i = 0; i < app->dim; i++)
        if (!(cfg->data_length[i] >= 1 && cfg->data_length[i] <= GZI_DATA_LENGTH_MAX))
            return gzi_fail(error, GZ_ECONFIG,
                            "size: extent %d is %g elements: must be at least 1 and at most %g", i,
                            cfg->data_length[i], GZI_DATA_LENGTH_MAX);
    if (!(cfg->stream_len == 0 || (cfg->stream_len >= 1 && cfg->stream_len <= GZI_DATA_LENGTH_MAX)))
        return gzi_fail(error, GZ_ECONFIG,
                        "stream_len is %g elements: must be 0, or at least 1 and at most %g",
                        cfg->stream_len, GZI_DATA_LENGTH_MAX);
    if (!(cfg->loops == 0 || (cfg->loops >= 1 && cfg->loops <= GZI_LOOPS_MAX)))
        return gzi_fail(error, GZ_ECONFIG, "loops is %g: must be 0, or at least 1 and at most %g",
                        cfg->loops, GZI_LOOPS_MAX);
    return GZ_OK;
}

static gz_status check_threads(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                               gz_error *error)
{
    double threads = 1;
    for (int i = 0; i < app->dim; i++) {
        double own = cfg->threads[i];
        if (!(own == 0 || (own >= 1 && own <= GZI_BLOCK_LEN_MAX)))
            return gzi_fail(error, GZ_ECONFIG,
                            "threads: extent %d is %g: must be 0, or at least 1 and at most %g", i,
                            own, GZI_BLOCK_LEN_MAX);
        threads *= gzi_threads_in(dev, app, cfg, i);
    }
    if (!cfg->beyond && threads > dev->max_threads_per_block.value)
        return gzi_fail(error, GZ_ETHREADS,
                        "block: %.17g threads: the device allows at most %.17g in a block (a tile "
                        "may have more elements than threads)",
                        threads, dev->max_threads_per_block.value);
    return GZ_OK;
}

gz_status gzi_check_config(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           gz_error *error)
{
    gz_status status = gzi_check_grid(dev, app, cfg, error);
    if (status)
        return status;
    for (int i = 0; i < app->dim; i++) {
        double length = cfg->block_len[i];
        if (!(length >= 1 && length <= GZI_BLOCK_LEN_MAX))
            return gzi_fail(error, GZ_ECONFIG,
                            "block: extent %d is %g elements: must be at least 1 and at most %g", i,
                            length, GZI_BLOCK_LEN_MAX);
    }
    const gzi_model *model = gzi_model_of(cfg->model);
    status = gzi_check_tile(app, cfg, error);
    if (!status)
        status = check_threads(dev, app, cfg, error);
    if (!status && model->check)
        status = model->check(dev, app, cfg, error);
    return status;
}

gz_status gz_check(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_error *error)
{
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = gzi_check_model(dev, app, cfg ? gzi_model_of(cfg->model) : NULL, error);
    if (status)
        return status;
    if (!cfg)
        return gzi_fail_null(error, "configuration");
    return gzi_check_config(dev, app, cfg, error);
}

gz_status gzi_check_height(const gz_app *app, const gz_config *cfg, double h, gz_error *error)
{
    if (!(h > 0 && isfinite(h) && gzi_feasible(app, cfg, h)))
        return gzi_fail(error, GZ_EHEIGHT,
                        "the height leaves no tile: must be greater than 0 and less than %.9g%s",
                        gzi_pole(app, cfg),
                        cfg->variant == GZ_VARIANT_NAIVE ? "" : ", block over halo width (Eq. 20)");
    const gzi_model *model = gzi_model_of(cfg->model);
    if (!model->curve && h != floor(h))
        return gzi_fail(error, GZ_EMODEL, "height %.9g: model %s is defined at whole heights only",
                        h, model->name);
    return GZ_OK;
}
