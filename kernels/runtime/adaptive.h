/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * adaptive.h - a run whose height is found while it runs [Section 5.4.2]: the library's gz_adapt
 * gives a stage's height, the device runs the stage, and its time decides the next height.
 */
#ifndef GZK_ADAPTIVE_H
#define GZK_ADAPTIVE_H

#include "plan.h"

enum { GZK_MAX_STAGES = 4096 };

struct gzk_stage {
    int height;     /* loops */
    double seconds; /* on the device */
};

struct gzk_adaptive {
    int stages; /* of the whole run */
    struct gzk_stage stage[GZK_MAX_STAGES];
    bool settled;   /* whether both neighbours of `height` were found worse */
    int height;     /* the best height found; the first stage's if no probe was finished */
    double seconds; /* on the device, all stages */
};

/* Runs config->loops loops from the data's initial state, a launch for each stage; the result is
 * that of any other run and may be read from the session. config->height is that of the first
 * stage, `most` the highest tried (at least as high); each decision is based on two stages.
 * GZK_INVALID if the configuration is not of trapezoids with kernel restarts, the heights are
 * out of order, or more than GZK_MAX_STAGES could be needed. */
int gzk_adaptive_run(struct gzk_session *session, const struct gzk_config *config, int most,
                     const volatile sig_atomic_t *stop, struct gzk_adaptive *run,
                     struct gzk_error *error);

#endif
