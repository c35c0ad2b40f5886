/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cache_edge.c - over the grid's size: time of an element as the arrays outgrow the last cache, at
 * several heights, and the best height on either side.
 */
#include "study.h"

#include <math.h>

const study_spec study_own = {
    .name = "cache_edge",
    .what = "time of an element and best height over the grid's size, across the last cache's edge",
    .source = "gz2: libgzmodel/models/gz2/README.md",
    .models = STUDY_GZ2,
    .own_grids = 1,
    .columns = {
        {"app", "text", "stencil"},
        {"kind", "text",
         "h1, h2, h4, h8: at that height in one block; best: the best height in that block"},
        {"bytes", "B", "of the arrays that a stage touches, at height 1"},
        {"elements", "1", "of the grid"},
        {"h", "loops", "trapezoid height"},
        {"element_time", "s", "time of a loop over the grid's elements"},
        {"memory", "1", "share of device memory in the time"}}};

static void add(study *s, const study_benchmark *t, const char *kind, double h,
                const gz_prediction *p)
{
    double elements = study_elements(&t->app, &t->cfg);
    double arrays = 1 + t->app.stencil_arrays.value + t->app.elements_per_op.value;
    study_row(s, STUDY_TEXT(t->app.name, kind),
              STUDY_NUMBERS(elements * arrays * t->app.element_size.value, elements, h,
                            p->seconds_per_loop / elements, p->term[7] / p->cpl));
}

void study_rows(study *s)
{
    static const int heights[] = {1, 2, 4, 8, 0}; /* 0: the best */
    static const char *const kinds[] = {"h1", "h2", "h4", "h8", "best"};
    enum { POINTS = 60, HEIGHTS = sizeof heights / sizeof *heights };
    for (int k = 0; k < s->n_benchmarks; k++) {
        study_benchmark t = s->benchmark[k];
        for (int i = 0; i < HEIGHTS; i++)
            for (int n = 0; n < POINTS; n++) {
                gz_prediction p;
                gz_optimum best;
                study_set_elements(&t.app, &t.cfg, study_geometric(1 << 16, 1 << 28, n, POINTS));
                if (heights[i] > 0 &&
                    gz_predict(&s->device, &t.app, &t.cfg, heights[i], &p, NULL) == GZ_OK)
                    add(s, &t, kinds[i], heights[i], &p);
                if (heights[i] == 0 &&
                    gz_optimize(&s->device, &t.app, &t.cfg, NULL, &best, NULL) == GZ_OK)
                    add(s, &t, kinds[i], best.integer, &best.prediction);
            }
    }
}
