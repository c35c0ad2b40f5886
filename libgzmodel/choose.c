/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choose.c - which kind of synchronisation (Section 5.5).
 */
#include "fail.h"
#include "model.h"

#include <math.h>

/* The rule from predictions at the best height of restarts, for a model without its own rule. */
static gz_status rule_by_prediction(const gz_device *dev, const gz_app *app, const gz_config *fence,
                                    gz_choice *out, gz_error *error)
{
    const gz_prediction *restart = &out->restart.prediction;
    gz_prediction same_height;
    gz_status status = gz_predict(dev, app, fence, out->restart.integer, &same_height, error);
    if (status)
        return status;
    out->overhead = same_height.cps - restart->cps;
    out->delta = out->overhead / restart->t;
    return GZ_OK;
}

gz_status gz_choose(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_choice *out,
                    gz_error *error)
{
    if (!cfg || !out)
        return gzi_fail_null(error, cfg ? "room for the result" : "configuration");
    gz_config restart = *cfg, fence = *cfg;
    restart.sync = GZ_SYNC_RESTART;
    fence.sync = GZ_SYNC_FENCE;
    /* One model for both: what gz2 needs for fences includes what it needs for restarts, or the
     * file lacks one of the two. */
    restart.model = gz_model_for(dev, app, &restart, NULL);
    fence.model = gz_model_for(dev, app, &fence, NULL);
    if (restart.model != fence.model)
        restart.model = fence.model = GZ_MODEL_MENG2011;
    *out = (gz_choice){.gain = 1};
    gz_status status = gz_optimize(dev, app, &restart, NULL, &out->restart, error);
    if (!status)
        status = gz_optimize(dev, app, &fence, NULL, &out->fence, error);
    if (status)
        return status;
    const gzi_model *model = gzi_model_of(fence.model);
    if (model->fence_rule)
        model->fence_rule(dev, app, cfg, out->restart.prediction.t, &out->delta, &out->overhead);
    else
        status = rule_by_prediction(dev, app, &fence, out, error);
    out->by_delta = out->delta < 0 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
    double with_restart = out->restart.prediction.cpl, with_fence = out->fence.prediction.cpl;
    out->choice = with_fence < with_restart ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
    out->gain = fmax(with_restart, with_fence) / fmin(with_restart, with_fence);
    return status;
}
