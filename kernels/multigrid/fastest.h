/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fastest.h - how each level is smoothed fastest, by measurement.
 */
#ifndef GZM_FASTEST_H
#define GZM_FASTEST_H

#include "multigrid.h"

enum { GZM_USUAL_TRIED = 8 };

struct gzm_tuning {
    int most; /* ways to measure on a level at most */
    /* Called with `of` before each run, with the share of the work that is done; or NULL. */
    void (*show)(void *of, double share, const struct gzk_config *next);
    void *of;
    int levels;                            /* those on the device */
    double seconds;                        /* that all took */
    struct gzk_ways level[GZM_MAX_LEVELS]; /* seconds by loops of the smoother: predicted of it
                                             alone, measured of a visit with what runs between the
                                             level and the next */
};

/* Sets setup->way, in which no block may be given, to the fastest of each level on the device, and
 * fills the tuning's results. A level's runs end when one more is expected to gain less than half a
 * percent of a cycle. `f` and `beta` are as for gzm_put and gzm_open. GZK_INVALID if all levels are
 * on the host, or as gzm_open. Ended by gzm_tuning_free, also if it failed. */
int gzm_tune(struct gzk_device *device, gz_cycle cycle, struct gzm_setup *setup, const void *f,
             const void *beta, struct gzm_tuning *tuning, struct gzk_error *error);
void gzm_tuning_free(struct gzm_tuning *tuning);

#endif
