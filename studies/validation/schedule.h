/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * schedule.h - what of a plan is still to be measured, and until when: arithmetic on the plan and
 * on times that the caller reads from its clock.
 *
 * The time for everything is given, and divided into passes, each in a process of its own. In each
 * pass every point gets one try, whatever its earlier ones were like; a group gets a slice of what
 * is left of the pass, by what its points need at least and evenly beyond that. Points for which
 * there is no time at all are left out, and counted.
 */
#ifndef GZ_SCHEDULE_H
#define GZ_SCHEDULE_H

#include "sweep_plan.h"

/* Tries of each point unless another number is given. */
enum { SCHEDULE_TRIES = 5 };

/* Times over all groups in a pass, for those whose slice was too short. */
enum { SCHEDULE_ROUNDS = 3 };

/* Whether pass number `pass` (from 0) still has to measure a row: once in each pass. */
bool schedule_wants(const measured_row *row, int pass);

/* Whether there is something to measure in a group. */
bool schedule_lacks(const plan_group *g, int pass);

/* When the slice of group number `which` ends, on the clock of `now` and `end`, the end of
 * everything: by what its wanted points need, and an even share a point of what is left over. The
 * groups before it had their slices already. */
double schedule_slice_end(const plan *p, int which, int pass, double now, double end);

/* What the points that are missing need at least, s, and how many they are. */
double schedule_needs_s(const plan *p, long *missing);

/* What there is. */
typedef struct schedule_count {
    long rows;         /* measured */
    long done;         /* of the sweep among them */
    long quiet, noisy; /* of all */
    long tries;        /* of all */
    long short_of;     /* points of the sweep that have fewer tries than requested */
} schedule_count;
schedule_count schedule_tally(const plan *p, int tries);

#endif
