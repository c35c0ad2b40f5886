/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fastest.h - how each level is smoothed fastest, by measurement: the library's tuner says which of
 * the model's ideas to try on a level, and when no further one is worth it.
 */
#ifndef GZM_FASTEST_H
#define GZM_FASTEST_H

#include "multigrid.h"

enum { GZM_MOST_TRIED = 20, GZM_USUAL_TRIED = 8 };

/* A way to smooth a level, seconds by loops of the smoother. */
struct gzm_tried {
    struct gzk_config config;
    double predicted_s;     /* of the smoother alone; NaN: not predicted */
    double seconds, spread; /* of a visit, with what runs between the level and the next; and the
                               largest interquartile range over the median */
    int tries;              /* of which `seconds` is the lower quartile */
};

/* What was tried on a level, in that order; the first is the model's own choice unless it failed.
 */
struct gzm_level_tuning {
    int count, failed, best, candidates; /* `candidates`: that could have been tried */
    struct gzm_tried tried[GZM_MOST_TRIED];
};

struct gzm_tuning {
    int most; /* ways to measure on a level at most, 1 to GZM_MOST_TRIED */
    /* Called with `of` before each run, with the share of the work that is done; or NULL. */
    void (*show)(void *of, double share, const struct gzk_config *next);
    void *of;
    int levels;     /* those on the device */
    double seconds; /* that all took */
    struct gzm_level_tuning level[GZM_MAX_LEVELS];
};

/* Sets setup->way, in which no block may be given, to the fastest of each level on the device, and
 * fills the tuning's results. A level's runs end when one more is expected to gain less than half a
 * percent of a cycle. `f` and `beta` are as for gzm_put and gzm_open. GZK_INVALID if all levels are
 * on the host, or as gzm_open. */
int gzm_tune(struct gzk_device *device, enum gzm_cycle cycle, struct gzm_setup *setup,
             const void *f, const void *beta, struct gzm_tuning *tuning, struct gzk_error *error);

#endif
