/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * schedule.h - what of a plan is still to be measured, and until when: arithmetic on the plan and
 * on times that the caller reads from its clock.
 *
 * The time for everything is given. Each group gets a slice of what is left of it, by what its
 * points need at least and evenly beyond that. Within a slice, every point is measured once; then,
 * while there is time, those that are not quiet are tried again, and at last the quiet ones once
 * more, since a whole try may have been disturbed evenly. Points for which there is no time at all
 * are left out, and counted.
 */
#ifndef GZ_SCHEDULE_H
#define GZ_SCHEDULE_H

#include "sweep_plan.h"

/* Times over all groups. */
enum { SCHEDULE_ROUNDS = 3 };

/* Whether a point is still to be measured; after the first round (0) those that are not quiet are
 * too. */
bool schedule_wants(const measured_row *row, int round);

/* Whether there is something to measure in a group. */
bool schedule_lacks(const plan_group *g, int round);

/* When the slice of group number `which` ends, on the clock of `now` and `end`, the end of
 * everything: by what its wanted points need, and an even share a point of what is left over. The
 * groups before it had their slices already. */
double schedule_slice_end(const plan *p, int which, int round, double now, double end);

/* What the points that are missing need at least, s, and how many they are. */
double schedule_needs_s(const plan *p, long *missing);

/* What there is. */
typedef struct schedule_count {
    long rows;         /* measured */
    long done;         /* of the sweep among them */
    long quiet, noisy; /* of all */
} schedule_count;
schedule_count schedule_tally(const plan *p);

/* The plan's rows one after the other, `*at` from 0 on, with the adaptive ones; NULL at the end. */
const measured_row *schedule_next(const plan *p, size_t *at, const plan_group **group);

#endif
