/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adaptive.h"

#include "gzmodel.h"

int gzk_adaptive_run(struct gzk_session *session, const struct gzk_config *config, int most,
                     const volatile sig_atomic_t *stop, struct gzk_adaptive *run,
                     struct gzk_error *error)
{
    gz_adapt state;
    struct gzk_config stage = *config;
    *run = (struct gzk_adaptive){.height = config->height};
    if (config->variant != GZK_TRAPEZOID || config->sync != GZK_RESTART)
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
    int status = gzk_session_reset(session, error);
    for (long loop = 0; loop < config->loops && status == 0;) {
        struct gzk_stage *now = &run->stage[run->stages];
        now->height = gz_adapt_next(&state, (int)(config->loops - loop));
        stage.height = now->height;
        status = gzk_session_stage(session, &stage, loop, stop, &now->seconds, error);
        if (status != 0)
            return status;
        gz_adapt_report(&state, now->height, now->seconds, NULL);
        run->seconds += now->seconds;
        run->stages++;
        loop += now->height;
    }
    run->settled = state.settled != 0;
    run->height = state.best ? state.best : config->height;
    return status;
}
