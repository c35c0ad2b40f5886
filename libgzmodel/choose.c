/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choose.c - decisions: which kind of synchronisation (Section 5.5), and adaptive selection of the
 * height while the application runs (Section 5.4.2).
 */
#include "meng2011.h"

#include <math.h>

gz_status gz_choose(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_choice *out)
{
    if (!cfg || !out)
        return GZ_EARGUMENT;
    gz_config restart = *cfg, fence = *cfg;
    restart.sync = GZ_SYNC_RESTART;
    fence.sync = GZ_SYNC_FENCE;
    gz_status status = gz_optimize(dev, app, &restart, NULL, &out->restart);
    if (!status)
        status = gz_optimize(dev, app, &fence, NULL, &out->fence);
    if (status)
        return status;
    out->delta = gzi_delta(dev, app, cfg);
    out->overhead = gzi_fence_overhead(dev, app, cfg, out->restart.prediction.t);
    out->by_delta = out->delta < 0 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
    double with_restart = out->restart.prediction.cpl, with_fence = out->fence.prediction.cpl;
    out->choice = with_fence < with_restart ? GZ_SYNC_FENCE : GZ_SYNC_RESTART;
    out->gain = fmax(with_restart, with_fence) / fmin(with_restart, with_fence);
    return GZ_OK;
}

gz_status gz_adapt_start(gz_adapt *state, int start, int height_max, int stages_per_probe)
{
    if (!state || start < 1 || start > height_max || stages_per_probe < 0)
        return GZ_EARGUMENT;
    *state = (gz_adapt){.height = start,
                        .height_max = height_max,
                        .stages_per_probe = stages_per_probe ? stages_per_probe : 2,
                        .direction = start < height_max ? 1 : -1};
    return GZ_OK;
}

int gz_adapt_next(const gz_adapt *state, int loops_left)
{
    return state->height < loops_left ? state->height : loops_left;
}

/* Moves on to the neighbour of the best height in the search's direction; where there is none,
 * turns round once, then settles. */
static void move_on(gz_adapt *state)
{
    int next = state->best + state->direction;
    if (next < 1 || next > state->height_max) {
        if (state->turned) {
            next = state->best;
        } else {
            state->turned = 1;
            state->direction = -state->direction;
            next = state->best + state->direction;
        }
    }
    if (next < 1 || next > state->height_max)
        next = state->best;
    state->settled = next == state->best;
    state->height = next;
}

/* Decides from the mean time per loop of the probe that has ended. */
static void decide(gz_adapt *state, double mean_s)
{
    if (state->best == 0 || mean_s < state->best_s) {
        /* What was left behind in this direction is worse, so the search turns no more. */
        state->turned |= state->best != 0;
        state->best = state->height;
        state->best_s = mean_s;
        move_on(state);
    } else if (state->turned) {
        state->height = state->best;
        state->settled = 1;
    } else {
        state->turned = 1;
        state->direction = -state->direction;
        move_on(state);
    }
}

gz_status gz_adapt_report(gz_adapt *state, int loops, double seconds)
{
    if (!state || loops < 1 || !(seconds >= 0 && isfinite(seconds)))
        return GZ_EARGUMENT;
    if (state->settled || loops != state->height)
        return GZ_OK;
    state->loops += loops;
    state->seconds += seconds;
    if (++state->stages < state->stages_per_probe)
        return GZ_OK;
    double mean_s = state->seconds / state->loops;
    state->stages = 0;
    state->loops = state->seconds = 0;
    decide(state, mean_s);
    return GZ_OK;
}
