/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cache_edge.c - over the grid's size: time of an element as the arrays outgrow the last cache, at
 * several heights, and the best height on either side.
 */
#include "study.h"

#include <math.h>

const char *const study_own = gzs_cache_edge_txt;

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
