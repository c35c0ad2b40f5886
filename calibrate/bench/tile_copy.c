/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of loading and committing tiles on a CPU, by the stencils' own kernel, which runs no
 * loop of them: the time of a cell and of a row, from tiles with short rows and with long ones. How
 * often each happens is what gz2 counts.
 */
#include "bench.h"
#include "gzmodel/parameters.h"

#include "modelled.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    POINTS = 8, /* at most */
    COUNTED = 3,
    REPEATS = 5,        /* rows of launches of each point, of which the least disturbed count */
    MOST_LAUNCHES = 256 /* in a row */
};

/* Columns of what is counted. The first is the launch. */
enum { LAUNCH, FIRST, SECOND };
/* Properties. */
enum { CELL, ROW };

/* One size of tile, on one grid of whole tiles. */
struct point {
    struct gzk_grid grid;
    struct gzk_plan *plan;
    double count[COUNTED]; /* of a stage */
    int launches;          /* in a row, besides a few; 0: not chosen yet */
};

struct own {
    int n;
    struct point point[POINTS];
};

/* How often a cell and a row are copied: the slopes of the time by what each takes, of a device of
 * which nothing else takes any. */
static void count_copies(const struct gzk_config *config, int units, struct point *p)
{
    const struct gzk_stencil *stencil = config->stencil;
    static const char *const times[] = {"stage_launch", "run_launch", "copy_cell", "copy_row"};
    const gz_quantity one = {1, 0, GZ_ORIGIN_MEASURED};
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_gradient counted;
    if (gz_device_open("gtx280", &dev, NULL) || gz_app_open("hotspot", NULL, &app, NULL))
        return;
    dev.sm_count.value = units;
    dev.warp_size = one;
    gz_set(&dev, "effective_cache", 1);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        gz_set(&dev, times[k], 0);
    gzk_stencil_describe(stencil, &app);
    gz_app_set(&app, "cell_time", 0);
    if (!gzk_to_model(config, GZ_MODEL_GZ2, &cfg))
        return;
    cfg.beyond = 1;
    if (gz_predict_gradient(&dev, &app, &cfg, 1, &counted, NULL))
        return;
    p->count[FIRST] = counted.dcpl_dp[gz_param_by_name("copy_cell")] / dev.clock_rate.value;
    p->count[SECOND] = counted.dcpl_dp[gz_param_by_name("copy_row")] / dev.clock_rate.value;
}

/* Adds a point: `across` times `down` tiles of `block`, of one height. */
static int add_point(struct gzc_bench_state *state, const int block[2], int across, int down,
                     struct gzk_error *error)
{
    struct gzk_device *device = state->context->device;
    struct own *own = state->own;
    struct point *p = &own->point[own->n++];
    struct gzk_config config;
    gzc_reference_config(device, GZ_SYNC_RESTART, &config);
    for (int i = 0; i < 2; i++) {
        config.block[i] = block[i];
        config.size[i] = (i == 0 ? across : down) * (block[i] - 2 * config.stencil->radius[i]);
    }
    gzk_default_threads(&config, device->info.max_threads, true);
    int status =
        gzk_grid_open(&p->grid, device, config.stencil, config.size, config.loops, 1, error);
    if (status == 0)
        status = gzk_plan_new(p->grid.session, &config, &p->plan, error);
    if (status == 0)
        status = gzk_session_reset(p->grid.session, error);
    p->count[LAUNCH] = 1;
    count_copies(&config, device->info.units, p);
    return status;
}

/* Rows of 14 cells committed and of 510, in grids that caches of cores hold, or nearly. */
static int add_points(struct gzc_bench_state *state, struct gzk_error *error)
{
    static const int blocks[][2] = {{16, 66}, {512, 66}};
    static const int cells[] = {1 << 14, 1 << 16, 1 << 17}; /* of a core */
    int units = state->context->device->info.units, status = 0;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3 && status == 0; k++) {
            int across = (int)lround((double)cells[k] / (blocks[b][0] - 2) / (blocks[b][1] - 2));
            status = add_point(state, blocks[b], across > 1 ? across : 1, units, error);
        }
    return status;
}

/* A device that cannot hold these tiles has no samples, but can be calibrated. */
static int prepare(struct gzc_bench_state *state, struct gzk_error *error)
{
    int status = add_points(state, error);
    if (status == 0 || *state->context->stop)
        return status;
    snprintf(state->why, sizeof state->why, "%.199s", error->text);
    return 0;
}

static void end(struct gzc_bench_state *state)
{
    struct own *own = state->own;
    for (int k = 0; k < own->n; k++) {
        gzk_plan_free(own->point[k].plan);
        gzk_grid_close(&own->point[k].grid);
    }
}

/* Rows of stages, each the least disturbed so far: as many as take as long as a sample should, and
 * a few more; and these few alone, whose difference holds nothing of what begins and ends a row. */
struct rows {
    double most_s, few_s;
};

static int time_point(const struct gzc_bench_state *state, struct point *p, struct rows *rows,
                      struct gzk_error *error)
{
    enum { FEW = 4 };
    const struct gzc_context *context = state->context;
    double most_s = 0, few_s = 0;
    int status = 0;
    /* The first row pays for what is done once, and a row of another kernel than the last for what
     * makes the backend cautious. */
    for (int r = p->launches == 0 ? 0 : 1; r < 2 && status == 0; r++)
        status = gzk_plan_copy(p->plan, FEW, context->stop, &few_s, error);
    if (p->launches == 0 && status == 0)
        p->launches =
            (int)fmax(fmin(FEW * context->sample_s / fmax(few_s, 1e-9), MOST_LAUNCHES), FEW);
    if (status == 0)
        status = gzk_plan_copy(p->plan, p->launches + FEW, context->stop, &most_s, error);
    if (status == 0)
        status = gzk_plan_copy(p->plan, FEW, context->stop, &few_s, error);
    rows->most_s = fmin(rows->most_s, most_s);
    rows->few_s = fmin(rows->few_s, few_s);
    return status;
}

/* Relative least squares of the stages' times over what is counted in them. */
static void fit(const struct gzc_bench_state *state, const struct rows *rows, double *samples)
{
    const struct own *own = state->own;
    double table[COUNTED * POINTS], ones[POINTS];
    struct gzc_estimate c[COUNTED];
    for (int k = 0; k < own->n; k++) {
        double stage_s = (rows[k].most_s - rows[k].few_s) / own->point[k].launches;
        if (!(stage_s > 0))
            return;
        for (int j = 0; j < COUNTED; j++)
            table[COUNTED * k + j] = own->point[k].count[j] / stage_s;
        ones[k] = 1;
    }
    if (!gzc_fit(table, ones, own->n, COUNTED, c))
        return;
    samples[CELL] = c[FIRST].value;
    samples[ROW] = c[SECOND].value;
}

static int run(struct gzc_bench_state *state, double *samples, struct gzk_error *error)
{
    struct own *own = state->own;
    struct rows rows[POINTS];
    int status = 0;
    for (int k = 0; k < POINTS; k++)
        rows[k] = (struct rows){HUGE_VAL, HUGE_VAL};
    /* Up and down by turns, so that drift does not look like a slope. */
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0; i < own->n && status == 0; i++) {
            int k = r % 2 ? own->n - 1 - i : i;
            status = time_point(state, &own->point[k], &rows[k], error);
        }
    if (status == 0)
        fit(state, rows, samples);
    return status;
}

const struct gzc_bench gzc_bench_tile_copy = {
    .name = "copy of tiles",
    .properties = {[CELL] = {.key = "copy_cell", .name = "copy of a cell", .positive = true},
                   [ROW] = {.key = "copy_row", .name = "copy of a row", .positive = true}},
    .gz2 = true,
    .own_bytes = sizeof(struct own),
    .lacks_gpu = "a GPU's copies are instructions",
    .prepare = prepare,
    .end = end,
    .run = run,
    .how = "tiles of hotspot loaded and committed without a loop, rows of 16 and 512 cells",
};
