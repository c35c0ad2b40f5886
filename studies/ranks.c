/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.c - a cubic grid divided among cubes of ranks, as predicted: a loop's time and its parts
 * over the loops between exchanges, the best of these over ranks and grid, and strong and weak
 * scaling.
 */
#include "study.h"

#include <math.h>
#include <stdbool.h>

enum { WEAK_BOX = 128, CURVE_RANKS = 16, CURVE_BOX = 128, CURVE_DEPTH = 24 };

const char *const study_own = gzs_ranks_txt;

/* What all rows have in common. */
struct setting {
    gz_app app;
    gz_network net;
};

/* The time with a depth, or with the best if that is 0. */
static bool time_of(study *s, const struct setting *in, double extent, int side, int depth,
                    gz_ranks_time *time)
{
    gz_ranks_request request = {.run = {.data_length = {extent, extent, extent}},
                                .ranks = side * side * side,
                                .layout = {side, side, side},
                                .depth = depth};
    gz_error error;
    if (!gz_ranks_optimize(&s->device, &in->app, &in->net, &request, time, &error))
        return true;
    study_note(s, "left out: %d ranks, %g cells a side: %s", request.ranks, extent, error.text);
    return false;
}

static void add(study *s, const struct setting *in, const char *kind, double extent, int side,
                int depth)
{
    gz_ranks_time time, every;
    if (!time_of(s, in, extent, side, depth, &time) || !time_of(s, in, extent, side, 1, &every))
        return;
    const double *own = time.config.data_length;
    double box = ceil(extent / side), useful = box * box * box / (own[0] * own[1] * own[2]);
    study_row(s, STUDY_TEXT(kind),
              STUDY_NUMBERS(extent, side * side * side, box, time.depth, time.height,
                            time.interior_s * useful, time.interior_s * (1 - useful),
                            time.exchange_s, time.seconds_per_loop, every.seconds_per_loop));
}

void study_rows(study *s)
{
    static const int sides[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
    enum { SIDES = sizeof sides / sizeof *sides, LEAST = 256, MOST = 4096, SMALLEST_BOX = 8 };
    struct setting in;
    study_open_app(s, "star7", &in.app);
    study_open_network(s, &in.net);
    for (int depth = 1; depth <= CURVE_DEPTH; depth++)
        add(s, &in, "depth", CURVE_RANKS * CURVE_BOX, CURVE_RANKS, depth);
    for (int extent = LEAST; extent <= MOST; extent *= 2)
        for (int k = 0; k < SIDES && extent / sides[k] >= SMALLEST_BOX; k++)
            add(s, &in, "strong", extent, sides[k], 0);
    for (int k = 0; k < SIDES; k++)
        add(s, &in, "weak", WEAK_BOX * sides[k], sides[k], 0);
}
