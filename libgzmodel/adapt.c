/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * adapt.c - adaptive selection of the height while the application runs (Section 5.4.2).
 */
#include "fail.h"
#include "gzmodel/searches.h"

#include <math.h>

gz_status gz_adapt_start(gz_adapt *state, int start, int height_max, int stages_per_probe,
                         gz_error *error)
{
    if (!state)
        return gzi_fail_null(error, "state");
    if (start < 1 || start > height_max)
        return gzi_fail(error, GZ_EARGUMENT, "start height %d: must be from 1 to height_max, %d",
                        start, height_max);
    if (stages_per_probe < 0)
        return gzi_fail(error, GZ_EARGUMENT, "%d stages per probe: must be at least 0",
                        stages_per_probe);
    *state = (gz_adapt){.height = start,
                        .height_max = height_max,
                        .stages_per_probe = stages_per_probe ? stages_per_probe : 2,
                        .direction = start < height_max ? 1 : -1};
    return GZ_OK;
}

int gz_adapt_next(const gz_adapt *state, int loops_left)
{
    if (!state || loops_left < 1)
        return 0;
    int height = state->height < 1 ? 1 : state->height;
    return height < loops_left ? height : loops_left;
}

/* The neighbour of the best height in the search's direction; 0 if there is none. */
static int neighbour(const gz_adapt *state)
{
    if (state->direction > 0)
        return state->best < state->height_max ? state->best + 1 : 0;
    return state->best > 1 ? state->best - 1 : 0;
}

/* Moves on to the neighbour of the best height; if there is none, turns round once, then settles.
 */
static void move_on(gz_adapt *state)
{
    int next = neighbour(state);
    if (!next && !state->turned) {
        state->turned = 1;
        state->direction = -state->direction;
        next = neighbour(state);
    }
    state->settled = !next;
    state->height = next ? next : state->best;
}

/* Decides from the mean time per loop of the probe that has ended. */
static void decide(gz_adapt *state, double mean_s)
{
    if (state->best == 0 || mean_s < state->best_s) {
        /* The heights behind are worse, so the search does not turn again. */
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

/* Whether a state is one that gz_adapt_start and gz_adapt_report make. */
static int is_sound(const gz_adapt *state)
{
    return state->height >= 1 && state->height <= state->height_max && state->best >= 0 &&
           state->best <= state->height_max && state->stages >= 0 &&
           state->stages < state->stages_per_probe &&
           (state->direction == 1 || state->direction == -1);
}

gz_status gz_adapt_report(gz_adapt *state, int loops, double seconds, gz_error *error)
{
    if (!state)
        return gzi_fail_null(error, "state");
    if (!is_sound(state))
        return gzi_fail(error, GZ_EARGUMENT, "the state was not made by gz_adapt_start");
    if (loops < 1 || !(seconds >= 0 && isfinite(seconds)))
        return gzi_fail(error, GZ_EARGUMENT,
                        "a stage of %d loops that took %g s: must be at least 1 loop and a time of "
                        "at least 0",
                        loops, seconds);
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
