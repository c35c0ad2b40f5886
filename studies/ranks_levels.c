/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks_levels.c - a V-cycle's levels divided among ranks, as predicted: what a visit computes and
 * what it exchanges, with an exchange in every loop and with the best number of loops between two.
 */
#include "study.h"

#include <math.h>

/* Loops before the correction and as many after it; the coarse levels that one worker computes. */
enum { EXTENT = 1024, LOOPS = 4, TAIL = 4096 };

const char *const study_own = gzs_ranks_levels_txt;

/* What all rows of a division have in common. */
struct setting {
    gz_app app;
    gz_network net;
    int side; /* ranks along each dimension */
    double end;
};

static void add(study *s, struct setting *in, const char *way, double extent, double box, int depth,
                int height, double compute, double exchange)
{
    double from = in->end;
    in->end += compute + exchange;
    study_row(s, STUDY_TEXT(way),
              STUDY_NUMBERS(pow(in->side, 3), extent, box, depth, height, compute, exchange, from,
                            in->end));
}

/* Of a visit's two halves: loops, and exchanges, each before so many loops as its halo lasts for.
 */
static double compute_s(const gz_ranks_time *t)
{
    return 2 * (LOOPS + 1) * t->interior_s;
}

static double exchange_s(const gz_ranks_time *t)
{
    return 2 * ceil((LOOPS + 1.) / t->depth) * t->depth * t->exchange_s;
}

/* With the depth from 1 to `most` that takes least time; none if nothing fits. */
static gz_ranks_time best_of(study *s, const struct setting *in, double extent, int most)
{
    gz_ranks_time best = {.depth = 0}, time;
    gz_error error = {""};
    gz_ranks_request request = {.run = {.data_length = {extent, extent, extent}},
                                .ranks = in->side * in->side * in->side,
                                .layout = {in->side, in->side, in->side}};
    for (request.depth = 1; request.depth <= most; request.depth++)
        if (!gz_ranks_optimize(&s->device, &in->app, &in->net, &request, &time, &error) &&
            (best.depth == 0 ||
             compute_s(&time) + exchange_s(&time) < compute_s(&best) + exchange_s(&best)))
            best = time;
    if (best.depth == 0)
        study_note(s, "left out: %d ranks, %g cells a side: %s", request.ranks, extent, error.text);
    return best;
}

/* All ranks get the whole level, in as many steps as twos make the ranks, and compute a cycle of
 * it. [Thakur, Rabenseifner and Gropp, Int. J. High Perf. Comp. Appl. 2005, Sect. 4.1] */
static void gathered(study *s, struct setting *in, const char *way, double extent)
{
    gz_vcycle_request request = {.smoother = {.data_length = {extent, extent, extent}},
                                 .loops = {LOOPS, LOOPS},
                                 .tail = TAIL};
    gz_vcycle_time cycle;
    gz_error error;
    double bytes = pow(extent, 3) * in->app.element_size.value;
    if (gz_vcycle(&s->device, &in->app, &request, &cycle, &error)) {
        study_note(s, "left out: %g cells a side, gathered: %s", extent, error.text);
        return;
    }
    add(s, in, way, extent, extent, 0, 0, cycle.seconds - cycle.level[0].seconds[GZ_PART_NORM],
        ceil(log2(pow(in->side, 3))) * in->net.latency.value + bytes / in->net.bandwidth.value);
}

/* From the finest level on those of which each box is two cells wide at least, and which one worker
 * alone would not compute. */
static void levels(study *s, struct setting *in, const char *way, int most)
{
    double extent = EXTENT;
    in->end = 0;
    for (; extent >= 2 * in->side && pow(extent, 3) > TAIL; extent /= 2) {
        gz_ranks_time t = best_of(s, in, extent, most);
        if (t.depth == 0)
            return;
        add(s, in, way, extent, extent / in->side, t.depth, t.height, compute_s(&t),
            exchange_s(&t));
    }
    gathered(s, in, way, extent);
}

void study_rows(study *s)
{
    static const int sides[] = {4, 8, 16, 32};
    struct setting in;
    study_open_app(s, "gsrb", &in.app);
    study_open_network(s, &in.net);
    study_note(s, "gsrb, %d loops before and after the correction: a loop is a sweep of one colour",
               LOOPS);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        in.side = sides[k];
        levels(s, &in, "every loop", 1);
        levels(s, &in, "best", LOOPS + 1);
    }
}
