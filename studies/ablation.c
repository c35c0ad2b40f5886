/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ablation.c - which term of gz2 matters where: over the grid's size, what a loop's
 * time changes by without each, and what is lost by choosing block and height without it.
 */
#include "study.h"

const study_spec study_own = {
    .name = "ablation",
    .what = "gz2 less one term at a time, over the grid's size, judged by the whole model",
    .source = "gz2: libgzmodel/models/gz2/README.md",
    .models = STUDY_GZ2,
    .own_grids = 1,
    .columns = {{"app", "text", "stencil"},
                {"without", "text",
                 "what is left out: launch, latency, issue, memory (the time of its bandwidth), "
                 "cache (all traffic goes to device memory), l2 (the time of the last cache's "
                 "bandwidth), occupancy (any number of blocks fits)"},
                {"elements", "1", "of the grid"},
                {"h", "loops", "best whole height without it"},
                {"whole_h", "loops", "best whole height by the whole model"},
                {"change", "1",
                 "time without it over the whole model's, in the latter's best block and "
                 "height, less 1"},
                {"regret", "1",
                 "whole model's time in the block and at the height that are best "
                 "without it over its best, less 1"}}};

typedef enum term { LAUNCH, LATENCY, ISSUE, MEMORY, CACHE, L2, OCCUPANCY, TERMS } term;
static const char *const names[TERMS] = {"launch", "latency", "issue",    "memory",
                                         "cache",  "l2",      "occupancy"};

/* The study's device and a stencil without a term. */
static void leave_out(term what, gz_device *dev, gz_app *app)
{
    static const double free_of_charge = 1e9, nothing_fits = 1;
    static const char *const latencies[] = {"load_latency", "barrier_latency",
                                            "instruction_latency"};
    switch (what) {
    case LAUNCH:
        study_scale(dev, app, "stage_launch", 0);
        break;
    case LATENCY:
        for (size_t k = 0; k < sizeof latencies / sizeof *latencies; k++)
            gz_set(dev, latencies[k], 0);
        break;
    case ISSUE:
        study_scale(dev, app, "issue_rate", free_of_charge);
        break;
    case MEMORY:
        dev->mem_bandwidth.value *= free_of_charge;
        study_scale(dev, app, "effective_bandwidth", free_of_charge);
        break;
    case CACHE:
        gz_set(dev, "effective_cache", nothing_fits);
        break;
    case L2:
        study_scale(dev, app, "cache_bandwidth", free_of_charge);
        break;
    case OCCUPANCY:
        dev->shared_mem_per_sm.value *= 1000;
        dev->max_threads_per_sm.value *= 1000;
        dev->registers_per_sm.value *= 1000;
        dev->max_blocks_per_sm.value *= 1000;
        break;
    case TERMS:
        break;
    }
}

static void add(study *s, const study_benchmark *t, term what, const gz_config *best,
                const gz_optimum *whole)
{
    gz_device dev = s->device;
    study_benchmark less = *t;
    gz_config cfg;
    gz_optimum optimum;
    gz_prediction same, judged;
    leave_out(what, &dev, &less.app);
    if (!study_best_tile(&dev, &less.app, &less.cfg, &cfg, &optimum) ||
        gz_predict(&dev, &less.app, best, whole->integer, &same, NULL) ||
        gz_predict(&s->device, &t->app, &cfg, optimum.integer, &judged, NULL)) {
        study_note(s, "left out: %s without %s: no block fits", t->app.name, names[what]);
        return;
    }
    study_row(s, STUDY_TEXT(t->app.name, names[what]),
              STUDY_NUMBERS(study_elements(&t->app, &t->cfg), optimum.integer, whole->integer,
                            same.seconds_per_loop / whole->prediction.seconds_per_loop - 1,
                            judged.seconds_per_loop / whole->prediction.seconds_per_loop - 1));
}

void study_rows(study *s)
{
    enum { POINTS = 25 };
    for (int k = 0; k < s->n_benchmarks; k++) {
        study_benchmark t = s->benchmark[k];
        for (int what = 0; what < TERMS; what++)
            for (int n = 0; n < POINTS; n++) {
                gz_config best;
                gz_optimum whole;
                study_set_elements(&t.app, &t.cfg, study_geometric(1 << 14, 1 << 26, n, POINTS));
                if (study_best_tile(&s->device, &t.app, &t.cfg, &best, &whole))
                    add(s, &t, (term)what, &best, &whole);
            }
    }
}
