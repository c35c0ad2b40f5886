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
#include "box_tile.h"
#include "smoothers.h"
#include "study.h"

#include <math.h>

const char *const study_own = gzs_deep_ghost_zones_txt;

/* The best height with instructions off by so many standard deviations of their logarithms. */
static int height_with(const gz_device *dev, const gz_app *app, const box_rules *rules, int box,
                       int deviations)
{
    gz_app other = *app;
    gz_quantity *q[] = {&other.insts_per_sm_misc, &other.insts_per_sm_iter};
    box_tile one, best;
    for (int k = 0; k < 2; k++)
        if (q[k]->value > 0)
            q[k]->value *= exp(deviations * q[k]->sd / q[k]->value);
    return box_tile_height(dev, &other, rules, box, &one, &best);
}

static void level_row(study *s, const gz_app *app, int whole, int box)
{
    box_rules rules = {SMOOTHER_BOXES, whole, box_tile_room(&s->device, app)};
    box_tile one, best;
    int h = box_tile_height(&s->device, app, &rules, box, &one, &best);
    if (h == 0) {
        study_note(s,
                   "left out: %s in thread blocks: none of %.15g cells commits a tile of a box "
                   "of %d",
                   app->name, floor(rules.max_cells), box);
        return;
    }
    study_row(s, STUDY_TEXT(app->name, whole ? "box" : "block"),
              STUDY_NUMBERS(box, h, h * app->halo_width[0] / 2,
                            one.prediction.cpl / best.prediction.cpl, best.prediction.cpl,
                            1 / best.prediction.cost_effect, best.cells,
                            height_with(&s->device, app, &rules, box, 1),
                            height_with(&s->device, app, &rules, box, -1)));
}

void study_rows(study *s)
{
    study_note(s, "the domain has %d boxes a side at every level, and periodic edges",
               SMOOTHER_BOXES);
    study_note(s, "a loop of gsrb is a sweep of one colour: two make a smooth");
    study_note(s, "a box as one tile is supposed to stay on chip between two exchanges, as a "
                  "wavefront would keep it");
    for (int k = 0; k < SMOOTHERS; k++) {
        gz_app app;
        study_open_app(s, smoothers[k].app, &app);
        for (int whole = 1; whole >= 0; whole--)
            for (int level = 0; level < SMOOTHER_LEVELS; level++)
                level_row(s, &app, whole, smoother_levels[level]);
    }
}
