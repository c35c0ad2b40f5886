/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vcycle.c - a V-cycle's time by level, with depth 1 everywhere, the one depth for all levels that
 * is best, and the best depth of each level; for the dissertation's smoothers.
 */
#include "gzmodel/searches.h"
#include "smoothers.h"
#include "study.h"

#include <math.h>

enum { EXTENT = 256, LOOPS = 4, TAIL = 4096 };

const char *const study_own = gzs_vcycle_txt;

/* Where the tail begins. */
static int first_tail(const gz_vcycle_time *t)
{
    int first = 0;
    while (!t->level[first].tail)
        first++;
    return first;
}

static void rows_of(study *s, const gz_app *app, const char *way, const gz_vcycle_time *t)
{
    double from = 0;
    for (int k = 0; k <= first_tail(t); k++) {
        const gz_vcycle_level *l = &t->level[k];
        double between = l->seconds[GZ_PART_RESTRICT] + l->seconds[GZ_PART_PROLONG];
        double rest = l->seconds[GZ_PART_NORM];
        for (int j = k; l->tail && j < t->levels; j++)
            rest += t->level[j].seconds[GZ_PART_TAIL];
        double to = from + l->seconds[GZ_PART_SMOOTH] + between + rest;
        study_row(s, STUDY_TEXT(app->name, way),
                  STUDY_NUMBERS(l->data_length[0], l->depth, l->seconds[GZ_PART_SMOOTH], between,
                                rest, from, to));
        from = to;
    }
}

void study_rows(study *s)
{
    study_note(s, "%d cells a side; %d loops before and after the correction", EXTENT, LOOPS);
    study_note(s, "a loop of gsrb is a sweep of one colour: two make a smooth");
    for (int k = 0; k < SMOOTHERS; k++) {
        gz_vcycle_request request = {.smoother = {.data_length = {EXTENT, EXTENT, EXTENT}},
                                     .loops = {LOOPS, LOOPS},
                                     .tail = TAIL};
        gz_vcycle_time best, time;
        gz_error error;
        gz_app app;
        study_open_app(s, smoothers[k].app, &app);
        if (gz_vcycle(&s->device, &app, &request, &best, &error)) {
            study_note(s, "left out: %s: %s", app.name, error.text);
            continue;
        }
        for (int fixed = 0; fixed < 2; fixed++) {
            for (int l = 0; l < GZ_MAX_LEVELS; l++)
                request.depth[l] = fixed ? best.fixed : 1;
            if (gz_vcycle(&s->device, &app, &request, &time, &error))
                study_note(s, "left out: %s with depth %d: %s", app.name, request.depth[0],
                           error.text);
            else
                rows_of(s, &app, fixed ? "one depth" : "depth 1", &time);
        }
        rows_of(s, &app, "model", &best);
    }
}
