/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg_ranks.h - what gzmg does among ranks: layout and depths, which the model chooses unless they
 * are given, and what all ranks sent and waited for.
 */
#ifndef GZM_RANKS_H
#define GZM_RANKS_H

#include "division.h"
#include "gzmg_options.h"

struct gzm_ranks {
    struct gzk_exchange exchange;
    struct gzm_division division;
};

/* Joins the ranks that were started, or is alone, without --ranks. Sets the device that this rank
 * takes if none is given. Returns an exit status, after it said what was
 * wrong, as gzm_ranks_divide does. Ended by gzm_ranks_end. */
int gzm_ranks_begin(struct gzm_ranks *ranks, struct gzm_options *options);
void gzm_ranks_end(struct gzm_ranks *ranks);

/* Divides the levels; the same on all ranks, of which the first says what is wrong. */
int gzm_ranks_divide(struct gzm_ranks *ranks, const struct gzk_device *device,
                     struct gzm_options *options);

/* Of the levels' reports the messages of all ranks, and the time of the slowest. */
void gzm_ranks_sum(struct gzm_ranks *ranks, struct gzm_level_report *levels, int count);

/* Says what failed and ends all ranks, of which others may wait for this one's messages; of one
 * rank nothing. */
void gzm_ranks_abandon(struct gzm_ranks *ranks, const struct gzk_error *error);

#endif
