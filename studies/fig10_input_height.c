/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig10_input_height.c - Fig. 10: the best height at several grid sizes.
 */
#include "study.h"

static const study_spec spec = {
    .name = "fig10_input_height",
    .what = "cost of one loop over the height at several grid sizes, memory fences",
    .source = "Meng and Skadron 2011, Fig. 10 (a)-(d), Section 6.2; Eqs. 1-18",
    .columns = {
        STUDY_CURVE_COLUMNS("DataLength", "elements", "grid length, the same in every dimension")}};

/* The range of Fig. 6. */
static const struct {
    const char *app;
    double length[4];
} grids[] = {{"PathFinder", {100000, 200000, 500000, 1000000}},
             {"HotSpot", {500, 1000, 1500, 2000}},
             {"Poisson", {500, 1000, 1500, 2000}},
             {"Cell", {40, 60, 80, 100}}};

static void rows(study *s)
{
    for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
        const study_benchmark *b = study_find(s, grids[k].app);
        if (!b)
            continue;
        gz_config cfg = b->cfg;
        cfg.sync = GZ_SYNC_FENCE;
        for (int n = 0; n < 4; n++) {
            study_set_grid(&b->app, &cfg, grids[k].length[n]);
            study_curve(s, &b->app, &cfg, grids[k].length[n]);
        }
    }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
