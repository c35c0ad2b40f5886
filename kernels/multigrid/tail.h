/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tail.h - the coarse levels' share of a cycle in one launch of one block, in global memory with a
 * barrier between steps, where a launch for each would cost more than its work.
 */
#ifndef GZM_TAIL_H
#define GZM_TAIL_H

#include "plan.h"
#include "problem.h"

enum { GZM_TAIL_CYCLES = 3, GZM_TAIL_MOST_LEVELS = 20, GZM_TAIL_MOST_BOTTOM = 64 };

/* What of a hierarchy goes into the launch: levels of `data`, each half as long as the one before,
 * the last of GZM_TAIL_MOST_BOTTOM elements at most, since one thread solves it. */
struct gzm_tail_setup {
    const struct gzm_problem *problem;
    const struct gzk_data *const *data;
    int levels;
    long loops[2]; /* of a visit, before the coarse level's correction and after it */
    int threads;   /* 0: what suits the device */
};

struct gzm_tail {
    struct gzk_program *program; /* NULL: there is none */
    struct gzk_buffer *rest, *plan;
    int end[GZM_TAIL_CYCLES + 1]; /* of the cycles' steps, after where they begin */
    int turned[GZM_TAIL_CYCLES];  /* whether the first level's states are exchanged */
    int visits[GZM_TAIL_CYCLES][GZM_TAIL_MOST_LEVELS]; /* by level */
};

/* Ended by gzm_tail_free, also after a failure. */
int gzm_tail_new(struct gzk_device *device, const struct gzm_tail_setup *setup,
                 struct gzm_tail *tail, struct gzk_error *error);
void gzm_tail_free(struct gzk_device *device, struct gzm_tail *tail);

/* What a backend compiles for it. The text is to be freed; NULL if memory is short. */
struct gzk_program_spec gzm_tail_spec(const struct gzm_problem *problem,
                                      const struct gzk_device_info *device, int threads,
                                      const char *prelude);

/* One visit of cycle number `cycle`, of V, W and F, to the first level, which is the session's. */
int gzm_tail_run(struct gzk_device *device, const struct gzm_tail *tail, int cycle,
                 struct gzk_session *session, const volatile sig_atomic_t *stop,
                 struct gzk_error *error);

#endif
