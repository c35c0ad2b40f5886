/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * deep_ghost_zones.c - how deep a ghost zone should be at each level of a multigrid V-cycle.
 *
 * Two readings of a box and its ghost zone as the model's tile, both with an exchange through
 * device memory and a launch between stages. Where the tile is the box, as it is for a process that
 * owns it, the starting tile is the box with its ghost zone, h radii wider on every side, however
 * large that is. Where the tile is a thread block, the box is cut evenly into tiles that with their
 * own ghost zones fit the device.
 */
#include "smoothers.h"
#include "study.h"

#include <float.h>
#include <math.h>

static const study_spec spec = {
    .name = "deep_ghost_zones",
    .what = "best ghost-zone depth of the dissertation's smoothers at each level of a V-cycle",
    .source = "P. Basu 2016, Section 4.2.2; Meng and Skadron 2011, Eqs. 1-20",
    .columns = {
        {"app", "text", "smoother"},
        {"tile", "text",
         "box: a box is one tile, beyond what a thread block holds; block: boxes are cut "
         "into thread blocks"},
        {"box", "elements", "cells a side of a box: the level"},
        {"h", "loops", "best whole height: loops between two exchanges"},
        {"depth", "elements", "of the ghost zone, h times the radius"},
        {"speedup", "1", "CPL at h = 1 over CPL at h, each in its best tile"},
        {"CPL", "cycles/loop", "cost of one loop [Eq. 1]"},
        {"redundancy", "1", "operations computed per operation needed, 1 / CostEffect at h"},
        {"cells", "elements", "starting tile, ghost zone included"},
        {"h_least", "loops", "h, were the instructions more by their standard deviation"},
        {"h_most", "loops", "h, were the instructions fewer by it"}}};

typedef struct tile {
    double cpl, redundancy, cells;
} tile;

/* The best tile of height h: committed lengths that halve the box any number of times. Zero where
 * none fits. */
static int best_tile(const study *s, const gz_app *app, int box, int as_block, int h, tile *best)
{
    gz_config cfg = {.sync = GZ_SYNC_RESTART, .beyond = !as_block};
    gz_prediction p;
    gz_tile_limits limits = gz_tile_limits_of(&s->device);
    double bytes = app->element_size.value * (app->stencil_arrays.value + 1);
    int least = as_block ? 1 : box;
    study_set_grid(app, &cfg, (double)SMOOTHER_BOXES * box);
    best->cpl = DBL_MAX;
    /* Longest first: of equally good ones the first is kept. */
    for (int x = box; x >= least; x /= 2)
        for (int y = box; y >= least; y /= 2)
            for (int z = box; z >= least; z /= 2) {
                double length[] = {x, y, z};
                for (int i = 0; i < GZ_MAX_DIM; i++)
                    cfg.block_len[i] = length[i] + app->halo_width[i] * h;
                double cells = study_threads(app, &cfg);
                if (as_block && (cells > limits.threads ||
                                 (limits.shared_bytes > 0 && cells * bytes > limits.shared_bytes)))
                    continue;
                gz_status status = gz_predict(&s->device, app, &cfg, h, &p);
                if (status)
                    study_fail(1, "%s: %s: %s", spec.name, app->name, gz_strerror(status));
                if (p.cpl < best->cpl)
                    *best = (tile){p.cpl, 1 / p.cost_effect, cells};
            }
    return best->cpl < DBL_MAX;
}

/* A neighbouring box supplies no more than all of itself. */
static int deepest(const gz_app *app, int box)
{
    return (int)(box / (app->halo_width[0] / 2));
}

/* The best height, 0 where not even 1 fits; `one` gets the tile of height 1. */
static int best_height(const study *s, const gz_app *app, int box, int as_block, tile *one,
                       tile *best)
{
    int height = 0;
    for (int h = 1; h <= deepest(app, box); h++) {
        tile at;
        if (!best_tile(s, app, box, as_block, h, &at))
            break;
        if (h == 1)
            *one = at;
        if (h == 1 || at.cpl < best->cpl) {
            *best = at;
            height = h;
        }
    }
    return height;
}

/* The same with instructions off by so many standard deviations of their logarithms. */
static int height_with(const study *s, const gz_app *app, int box, int as_block, int deviations)
{
    gz_app other = *app;
    gz_quantity *q[] = {&other.insts_per_sm_misc, &other.insts_per_sm_iter};
    tile one, best;
    for (int k = 0; k < 2; k++)
        if (q[k]->value > 0)
            q[k]->value *= exp(deviations * q[k]->sd / q[k]->value);
    return best_height(s, &other, box, as_block, &one, &best);
}

static void rows(study *s)
{
    study_note(s, "the domain has %d boxes a side at every level, and periodic edges",
               SMOOTHER_BOXES);
    study_note(s, "a loop of gsrb is a sweep of one colour: two make a smooth");
    for (int k = 0; k < SMOOTHERS; k++)
        for (int as_block = 0; as_block < 2; as_block++)
            for (int level = 0; level < SMOOTHER_LEVELS; level++) {
                int box = smoother_levels[level];
                gz_app app;
                gz_error error;
                tile one, best;
                if (gz_app_open(smoothers[k].app, &app, &error))
                    study_fail(1, "%s: %s", spec.name, error.text);
                int h = best_height(s, &app, box, as_block, &one, &best);
                if (h == 0) {
                    study_note(s, "left out: %s in thread blocks: no tile of a box of %d fits",
                               app.name, box);
                    continue;
                }
                study_row(s, STUDY_TEXT(app.name, as_block ? "block" : "box"),
                          STUDY_NUMBERS(box, h, h * app.halo_width[0] / 2, one.cpl / best.cpl,
                                        best.cpl, best.redundancy, best.cells,
                                        height_with(s, &app, box, as_block, 1),
                                        height_with(s, &app, box, as_block, -1)));
            }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
