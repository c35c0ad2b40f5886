/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ablation.c - which term of gz2 matters where: over the grid's size, what a loop's
 * time changes by without each, and what is lost by choosing block and height without it.
 */
#include "study.h"

const char *const study_own = gzs_ablation_txt;

/* What makes the study's device and a stencil do without a term: it is free of charge, nothing fits
 * the cache, any number of blocks fits. */
#define FREE 1e9
static const struct term {
    const char *name;
    study_change changes[5];
} terms[] = {
    {"launch", {{"stage_launch", 0, 0}}},
    {"latency", {{"load_latency", 0, 1}, {"barrier_latency", 0, 1}, {"instruction_latency", 0, 1}}},
    {"issue", {{"issue_rate", FREE, 0}}},
    {"memory", {{"mem_bandwidth", FREE, 0}, {"effective_bandwidth", FREE, 0}}},
    {"cache", {{"effective_cache", 1, 1}}},
    {"l2", {{"cache_bandwidth", FREE, 0}}},
    {"occupancy",
     {{"shared_mem_per_sm", 1000, 0},
      {"max_threads_per_sm", 1000, 0},
      {"registers_per_sm", 1000, 0},
      {"max_blocks_per_sm", 1000, 0}}}};

static void add(study *s, const study_benchmark *t, const struct term *less_by,
                const gz_config *best, const gz_optimum *whole)
{
    gz_device dev = s->device;
    study_benchmark less = *t;
    gz_config cfg;
    gz_optimum optimum;
    gz_prediction same, judged;
    study_change_all(&dev, &less.app, less_by->changes);
    if (!study_best_tile(&dev, &less.app, &less.cfg, &cfg, &optimum) ||
        gz_predict(&dev, &less.app, best, whole->integer, &same, NULL) ||
        gz_predict(&s->device, &t->app, &cfg, optimum.integer, &judged, NULL)) {
        study_note(s, "left out: %s without %s: no block fits", t->app.name, less_by->name);
        return;
    }
    study_row(s, STUDY_TEXT(t->app.name, less_by->name),
              STUDY_NUMBERS(study_elements(&t->app, &t->cfg), optimum.integer, whole->integer,
                            same.seconds_per_loop / whole->prediction.seconds_per_loop - 1,
                            judged.seconds_per_loop / whole->prediction.seconds_per_loop - 1));
}

void study_rows(study *s)
{
    enum { POINTS = 25 };
    for (int k = 0; k < s->n_benchmarks; k++) {
        study_benchmark t = s->benchmark[k];
        for (size_t what = 0; what < sizeof terms / sizeof *terms; what++)
            for (int n = 0; n < POINTS; n++) {
                gz_config best;
                gz_optimum whole;
                study_set_elements(&t.app, &t.cfg, study_geometric(1 << 14, 1 << 26, n, POINTS));
                if (study_best_tile(&s->device, &t.app, &t.cfg, &best, &whole))
                    add(s, &t, &terms[what], &best, &whole);
            }
    }
}
