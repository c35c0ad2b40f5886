/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adaptive.h"

#include "gzmodel/searches.h"

#include <stdlib.h>

/* Runs the current stage; a height's plan is made when the height is first used. */
static int run_stage(struct gzk_session *session, const struct gzk_config *config, long loop,
                     struct gzk_plan **plan, const volatile sig_atomic_t *stop,
                     struct gzk_stage *stage, struct gzk_error *error)
{
    struct gzk_config at_height = *config;
    int status = 0;

    at_height.height = stage->height;
    if (!*plan)
        status = gzk_plan_new(session, &at_height, plan, error);
    return status == 0 ? gzk_plan_advance(*plan, loop, stage->height, stop, &stage->seconds, error)
                       : status;
}

int gzk_adaptive_run(struct gzk_session *session, const struct gzk_config *config, int most,
                     const volatile sig_atomic_t *stop, struct gzk_adaptive *run,
                     struct gzk_error *error)
{
    gz_adapt state;
    *run = (struct gzk_adaptive){.height = config->height};
    if (config->variant != GZK_TRAPEZOID || gzk_syncs[config->sync].launching != GZK_LAUNCH_EACH)
        return gzk_fail(error, GZK_INVALID,
                        "adaptive selection: must be trapezoids with sync restart, since the "
                        "height changes from one launch to the next");
    if (config->loops > GZK_MAX_STAGES)
        return gzk_fail(error, GZK_INVALID, "adaptive selection: %ld loops: must be at most %d",
                        config->loops, (int)GZK_MAX_STAGES);
    if (gz_adapt_start(&state, config->height, most, 0, NULL) != GZ_OK)
        return gzk_fail(error, GZK_INVALID,
                        "adaptive selection: height %d: must be a whole number from 1 to %d",
                        config->height, most);
    /* A height's plan, once it was needed. */
    struct gzk_plan **plans = calloc((size_t)most + 1, sizeof *plans);
    int status = plans ? gzk_session_reset(session, error)
                       : gzk_fail(error, GZK_FAILED, "out of host memory");
    for (long loop = 0; loop < config->loops && status == 0;) {
        struct gzk_stage *now = &run->stage[run->stages];
        now->height = gz_adapt_next(&state, (int)(config->loops - loop));
        status = run_stage(session, config, loop, &plans[now->height], stop, now, error);
        if (status != 0)
            break;
        gz_adapt_report(&state, now->height, now->seconds, NULL);
        run->seconds += now->seconds;
        run->stages++;
        loop += now->height;
    }
    for (int height = 0; plans && height <= most; height++)
        gzk_plan_free(plans[height]);
    free(plans);
    if (status != 0)
        return status;
    run->settled = state.settled != 0;
    run->height = state.best ? state.best : config->height;
    return 0;
}
