/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig05_block_size.c - Fig. 5: cost of a loop over the thread block's size at the paper's heights.
 */
#include "study.h"

const study_spec study_own = {
    .name = "fig05_block_size",
    .what = "cost of one loop over the thread block's size, kernels restarted",
    .source = "Meng and Skadron 2011, Fig. 5 (a)-(d), Section 5.2; Eqs. 1-17",
    .columns = {{"app", "text", "benchmark"},
                {"blk_len", "elements", "block length, the same in every dimension"},
                {"threads", "1", "threads of the block"},
                {"h", "loops", "trapezoid height"},
                {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"}}};

/* The caption's block lengths and heights. */
static const struct {
    const char *app;
    double first, last, step, h;
} captions[] = {{"PathFinder", 64, 512, 16, 16},
                {"HotSpot", 10, 22, 1, 2},
                {"Poisson", 10, 22, 1, 2},
                {"Cell", 6, 8, 1, 1}};

void study_rows(study *s)
{
    for (size_t k = 0; k < sizeof captions / sizeof *captions; k++) {
        const study_benchmark *b = study_find(s, captions[k].app);
        if (!b)
            continue;
        gz_config cfg = b->cfg;
        double h = captions[k].h;
        for (double len = captions[k].first; len <= captions[k].last; len += captions[k].step) {
            gz_prediction p;
            study_set_block(&b->app, &cfg, len);
            if (study_predict(s, &s->device, &b->app, &cfg, h, &p))
                study_row(s, STUDY_TEXT(b->app.name),
                          STUDY_NUMBERS(len, study_threads(&b->app, &cfg), h, p.cpl));
        }
    }
}
