/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * deep_ghost_zones_measured - the depth of a ghost zone at each level of a V-cycle, timed on a
 * device, beside the model's choice.
 *
 * Boxes are cut into the tiles that the model finds best at each depth among those that the
 * device's local memory holds (a tile may have more cells than a block has threads). Which
 * depth is best is then decided by the clock and by the model, over the same depths and tiles.
 */
#include "box_tile.h"
#include "device_study.h"
#include "smoothers.h"

/* Depths that are timed: every one up to MOST at which an eighth of what is computed is needed, and
 * the first ALWAYS. */
enum { MOST = 16, ALWAYS = 2 };
static const double least_needed = 0.125;

/* Boxes a side of the domain on a CPU, whose sweeps of the finest level take long. */
enum { CPU_BOXES = 2 };

/* Whole stages, so that no shorter last one blurs the depth: two at least, and eight loops. */
static long loops_of(int h)
{
    return h * (h < 4 ? 7L / h + 1 : 2);
}

/* A depth: its tile, and how long a loop takes. */
typedef struct point {
    int h;
    box_tile tile;
    device_time time;
} point;

static int points_of(const device_study *s, const gz_app *app, const struct gzk_stencil *stencil,
                     int box, point points[MOST])
{
    double bytes = stencil->bytes * (gzi_loaded(&stencil->shape) + 1);
    box_rules rules = {.boxes = s->device->info.is_cpu ? CPU_BOXES : SMOOTHER_BOXES,
                       .max_cells = (double)s->device->info.local_bytes / bytes};
    int n = 0;
    for (int h = 1; h <= box_tile_deepest(app, box) && h <= MOST; h++) {
        point *p = &points[n];
        p->h = h;
        if (!box_tile_best(&s->table.device, app, &rules, box, h, &p->tile) ||
            (h > ALWAYS && p->tile.prediction.cost_effect < least_needed))
            break;
        n++;
    }
    return n;
}

/* Times depth `p`; if it was timed before, the faster of the two counts. */
static bool time_point(device_grid *grid, point *p)
{
    int block[3];
    device_time time;
    for (int i = 0; i < 3; i++)
        block[i] = (int)p->tile.cfg.block_len[i];
    struct gzk_config config = device_grid_config(grid, block, p->h, loops_of(p->h));
    if (!device_grid_time(grid, &config, &time))
        return false;
    if (p->time.runs == 0 || time.seconds < p->time.seconds)
        p->time = time;
    return true;
}

static void put(device_study *s, const gz_app *app, const char *kind, int box, const point *p,
                device_time t, double best_s)
{
    study_row(&s->table, STUDY_TEXT(app->name, kind),
              STUDY_NUMBERS(box, p->h, p->h * app->halo_width[0] / 2, t.seconds, t.low, t.high,
                            t.seconds / best_s - 1, p->tile.cells));
}

/* What one level's rows conclude. */
typedef struct verdict {
    int box;
    point best, chosen; /* by the clock, by the model; not timed if no tile fits */
} verdict;

/* Rows of one level, from `n` timed depths. */
static verdict level_rows(device_study *s, const gz_app *app, int box, const point *points, int n)
{
    const point *best = points, *chosen = points;
    for (const point *p = points; p < points + n; p++) {
        if (p->time.seconds < best->time.seconds)
            best = p;
        if (p->tile.prediction.cpl < chosen->tile.prediction.cpl)
            chosen = p;
    }
    for (const point *p = points; p < points + n; p++) {
        double s_per_loop = p->tile.prediction.seconds_per_loop;
        device_time predicted = {.seconds = s_per_loop, .low = s_per_loop, .high = s_per_loop};
        put(s, app, "measured", box, p, p->time, best->time.seconds);
        put(s, app, "model", box, p, predicted, chosen->tile.prediction.seconds_per_loop);
    }
    return (verdict){box, *best, *chosen};
}

static verdict level(device_study *s, const char *name, int box)
{
    point points[MOST] = {0};
    device_grid grid;
    gz_app app;
    const struct gzk_stencil *stencil = device_study_app(s, name, &app);
    int boxes = s->device->info.is_cpu ? CPU_BOXES : SMOOTHER_BOXES, timed = 0;
    int n = points_of(s, &app, stencil, box, points);
    if (n == 0) {
        study_note(&s->table, "left out: %s on boxes of %d: local memory holds no tile", app.name,
                   box);
        return (verdict){0};
    }
    device_grid_open(s, name, boxes * box, loops_of(MOST), &grid);
    /* Up and down again, so that what drifts favours no depth. */
    while (timed < n && time_point(&grid, &points[timed]))
        timed++;
    for (int k = timed - 1; k >= 0; k--)
        time_point(&grid, &points[k]);
    device_grid_close(&grid);
    return timed > 0 ? level_rows(s, &app, box, points, timed) : (verdict){0};
}

static void smoother_rows(device_study *s, const char *name)
{
    int first = s->small ? SMOOTHER_LEVELS - 1 : 0;
    verdict verdicts[SMOOTHER_LEVELS];
    gz_app app;
    device_study_app(s, name, &app);
    for (int l = first; l < SMOOTHER_LEVELS; l++)
        verdicts[l] = level(s, name, smoother_levels[l]);
    for (int chosen = 0; chosen < 2; chosen++)
        for (int l = first; l < SMOOTHER_LEVELS; l++) {
            const verdict *v = &verdicts[l];
            const point *p = chosen ? &v->chosen : &v->best;
            if (p->time.runs > 0)
                put(s, &app, chosen ? "chosen" : "best", v->box, p, p->time, v->best.time.seconds);
        }
}

void device_study_rows(device_study *s)
{
    study_note(&s->table, "the domain has %d boxes a side at every level, and periodic edges",
               s->device->info.is_cpu ? CPU_BOXES : SMOOTHER_BOXES);
    study_note(&s->table, "a loop of gsrb is a sweep of one colour: two make a smooth");
    study_note(&s->table,
               "depths: every one up to %d at which %g of the operations are needed, and up to %d "
               "in any case; each timed going up and going down, the faster counts",
               MOST, least_needed, ALWAYS);
    for (int k = 0; k < SMOOTHERS; k++)
        smoother_rows(s, smoothers[k].app);
}

const char *const study_own = gzs_deep_ghost_zones_measured_txt;
