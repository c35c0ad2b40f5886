/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * insensitive.c - Section 6.2: four factors that hardly move the best height.
 */
#include "study.h"

#include <math.h>

const char *const study_own = gzs_insensitive_txt;

/* The symbols, and which quantities of the device they are; the grid's elements are none. */
static const struct {
    const char *symbol, *quantity;
} factors[] = {{"UncontendedLat", "uncontended_latency"},
               {"BlksPerSM", "blocks_per_sm"},
               {"sigma", "dimension_penalty"},
               {"DataLength", NULL}};
enum { FACTORS = sizeof factors / sizeof *factors };

/* The device and a benchmark on it. */
typedef struct point {
    gz_device dev;
    gz_app app;
    gz_config cfg;
} point;

static void scale(point *p, int which, double factor)
{
    if (factors[which].quantity)
        study_scale(&p->dev, NULL, factors[which].quantity, factor);
    else
        study_set_grid(&p->app, &p->cfg, p->cfg.data_length[0] * pow(factor, 1.0 / p->app.dim));
    p->dev.blocks_per_sm.value = fmax(1, p->dev.blocks_per_sm.value);
}

static void factor_rows(study *s, const point *base, int which)
{
    enum { POINTS = 25 };
    gz_optimum own, best;
    gz_status status = gz_optimize(&base->dev, &base->app, &base->cfg, NULL, &own, NULL);
    for (int k = 0; k < POINTS && !status; k++) {
        double factor = study_geometric(0.125, 8, k, POINTS);
        point p = *base;
        scale(&p, which, factor);
        status = gz_optimize(&p.dev, &p.app, &p.cfg, NULL, &best, NULL);
        if (status)
            break;
        double elements = study_elements(&p.app, &p.cfg) / study_elements(&base->app, &base->cfg);
        study_row(s, STUDY_TEXT(p.app.name, gz_name(GZ_SYNCS, p.cfg.sync), factors[which].symbol),
                  STUDY_NUMBERS(factor, best.continuous, best.continuous / own.continuous,
                                best.cpl / own.cpl / elements));
    }
    if (status)
        exit(cli_fail(CLI_FAILED, "%s: %s", base->app.name, gz_strerror(status)));
}

void study_rows(study *s)
{
    for (int which = 0; which < FACTORS; which++)
        for (int k = 0; k < s->n_benchmarks; k++) {
            point base = {.dev = s->device, .app = s->benchmark[k].app, .cfg = s->benchmark[k].cfg};
            factor_rows(s, &base, which);
            base.cfg.sync = GZ_SYNC_FENCE;
            factor_rows(s, &base, which);
        }
}
