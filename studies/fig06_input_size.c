/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig06_input_size.c - Fig. 6: cost of a loop over the grid's size at the paper's heights.
 */
#include "study.h"

const study_spec study_own = {
    .name = "fig06_input_size",
    .what = "cost of one loop over the grid's size, memory fences",
    .source = "Meng and Skadron 2011, Fig. 6 (a)-(d), Section 5.2; Eqs. 1-18",
    .columns = {{"app", "text", "benchmark"},
                {"DataLength", "elements", "grid length, the same in every dimension"},
                {"elements", "1", "elements of the grid"},
                {"blk_len", "elements", "block length, the same in every dimension"},
                {"h", "loops", "trapezoid height"},
                {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"}}};

/* The caption's grid lengths, blocks and heights; Poisson's block differs from Fig. 7's. */
static const struct {
    const char *app;
    double first, last, block, h;
} captions[] = {{"PathFinder", 100000, 1000000, 256, 16},
                {"HotSpot", 500, 2000, 20, 2},
                {"Poisson", 500, 2000, 16, 2},
                {"Cell", 40, 100, 8, 1}};

void study_rows(study *s)
{
    enum { POINTS = 31 };
    for (size_t k = 0; k < sizeof captions / sizeof *captions; k++) {
        const study_benchmark *b = study_find(s, captions[k].app);
        if (!b)
            continue;
        gz_config cfg = b->cfg;
        cfg.sync = GZ_SYNC_FENCE;
        /* On a device of fewer threads the benchmark's own block is already the smaller one. */
        if (captions[k].block < cfg.block_len[0])
            study_set_block(&b->app, &cfg, captions[k].block);
        for (int n = 0; n < POINTS; n++) {
            double len = study_linear(captions[k].first, captions[k].last, n, POINTS);
            gz_prediction p;
            study_set_grid(&b->app, &cfg, len);
            if (study_predict(s, &s->device, &b->app, &cfg, captions[k].h, &p))
                study_row(s, STUDY_TEXT(b->app.name),
                          STUDY_NUMBERS(len, study_elements(&b->app, &cfg), cfg.block_len[0],
                                        captions[k].h, p.cpl));
        }
    }
}
