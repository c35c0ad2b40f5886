/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile.h"

#include "bench.h"
#include "kernel_text.h"
#include "output.h"
#include "tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TALLEST = 8, /* loops of the trapezoid; no more are needed for a line */
    STEPS = 4,   /* numbers of loops on the line, at most */
    REPEATS = 5, /* runs of each, of which the least disturbed counts */
    WAVES = 8,   /* how often the larger grid fills the device, if the cache allows */
    CACHE_UNKNOWN = 4 << 20
};

struct gzc_profile {
    struct gzk_device *device;
    struct gzk_config config[2]; /* of the grid with few tiles, and with many */
    struct gzk_geometry geometry[2];
    struct gzk_grid grid[2];
    struct gzk_plan *plan[2][TALLEST + 1]; /* by loops; made when first run */
    double operated;                       /* Q, cells computed in a loop of a trapezoid */
    int resident;
    bool resident_known;
};

/* The largest divisor of `n` up to its `root`-th root. */
static int divisor_near(int n, int root)
{
    int d = (int)floor(pow(n, 1.0 / root) + 1e-9);
    while (d > 1 && n % d != 0)
        d--;
    return d > 1 ? d : 1;
}

/* The grid of exactly `tiles` tiles, about as many in each dimension as its divisors allow, most of
 * them in x. */
static void choose_size(struct gzk_config *config, int tiles)
{
    const struct gzk_stencil *stencil = config->stencil;
    for (int i = 2; i >= 0; i--) {
        int committed = config->block[i] - 2 * stencil->radius[i] * config->height;
        int each = i >= stencil->dim ? 1 : i > 0 ? divisor_near(tiles, i + 1) : tiles;
        config->size[i] = i < stencil->dim ? each * committed : 1;
        tiles /= each;
    }
}

/* Tiles in the dimension that has fewest of them. */
static int narrowest(int tiles, int dimensions)
{
    int least = tiles;
    for (int i = dimensions - 1; i > 0; i--) {
        int each = divisor_near(tiles, i + 1);
        tiles /= each;
        least = each < least ? each : least;
    }
    return least;
}

/* How many waves, at most `most` and not many fewer, make the grid that is least like a strip,
 * whose tiles would all lie at its edge. */
static int choose_waves(int most, int resident, int dimensions)
{
    int best = most;
    for (int waves = most; 4 * waves >= 3 * most && waves > 0; waves--)
        if (narrowest(waves * resident, dimensions) > narrowest(best * resident, dimensions))
            best = waves;
    return best;
}

/* Tiles of the smaller grid and of the larger one: whole waves of as many as run at once, since a
 * wave that is not full takes as long as one that is, and no line goes through that. */
static void choose_tiles(const struct gzc_profile *p, double most_waves, double most_tiles,
                         int dimensions, int tiles[2])
{
    int waves = (int)fmax(fmin(most_waves, floor(most_tiles / p->resident)), 4);
    tiles[1] = choose_waves(waves, p->resident, dimensions) * p->resident;
    tiles[0] = choose_waves(waves / 4, p->resident, dimensions) * p->resident;
}

static int prepare_grid(struct gzc_profile *p, int g, int tiles, struct gzk_error *error)
{
    struct gzk_config *config = &p->config[g];
    choose_size(config, tiles);
    int status = gzk_geometry_make(config, &p->geometry[g], error);
    return status == 0 ? gzk_grid_open(&p->grid[g], p->device, config->stencil, config->size,
                                       config->loops, 1, error)
                       : status;
}

int gzc_profile_open(struct gzk_device *device, const struct gzk_stencil *stencil,
                     struct gzc_profile **made, struct gzk_error *error)
{
    struct gzc_profile *p = cli_room(1, sizeof *p);
    const struct gzk_program *program;
    p->device = device;
    int highest = gzk_max_height(stencil, stencil->default_block);
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_TRAPEZOID,
                                .sync = GZ_SYNC_RESTART,
                                .height = highest < TALLEST ? highest : TALLEST,
                                .contract = true};
    config.loops = config.height;
    memcpy(config.block, stencil->default_block, sizeof config.block);
    gzk_default_threads(&config, device->info.max_threads, device->info.is_cpu);
    choose_size(&config, 1);
    int status = gzk_device_program(device, &config, &program, error);
    if (status == 0) {
        p->resident = gzc_resident(device, program, &p->resident_known);
        p->operated = 1;
        double tile = 1, cells = (double)(device->info.cache_bytes ? device->info.cache_bytes
                                                                   : CACHE_UNKNOWN) /
                                 2 / gzk_bytes_per_cell(stencil, config.height);
        for (int i = 0; i < stencil->dim; i++) {
            p->operated *= config.block[i] - 2 * stencil->radius[i];
            tile *= config.block[i] - 2 * stencil->radius[i] * config.height;
        }
        /* On a CPU a block is short, so more waves cost nothing and hide the driver's scheduling.
         */
        double waves = device->info.is_cpu ? 64 * WAVES : WAVES;
        int tiles[2];
        choose_tiles(p, waves, cells / tile, stencil->dim, tiles);
        p->config[0] = p->config[1] = config;
        for (int g = 0; g < 2 && status == 0; g++)
            status = prepare_grid(p, g, tiles[g], error);
    }
    if (status != 0) {
        gzc_profile_close(p);
        return status;
    }
    *made = p;
    return 0;
}

void gzc_profile_close(struct gzc_profile *p)
{
    if (!p)
        return;
    for (int g = 0; g < 2; g++) {
        for (int steps = 0; steps <= TALLEST; steps++)
            gzk_plan_free(p->plan[g][steps]);
        gzk_grid_close(&p->grid[g]);
    }
    free(p);
}

const struct gzk_stencil *gzc_profile_stencil(const struct gzc_profile *p)
{
    return p->config[0].stencil;
}

double gzc_profile_elements(const struct gzc_profile *p)
{
    return (double)p->grid[1].data.cells;
}

int gzc_profile_blocks_per_sm(const struct gzc_profile *p, bool *known)
{
    int each = p->resident / p->device->info.units;
    *known = p->resident_known;
    return each > 0 ? each : 1;
}

void gzc_profile_describe(const struct gzc_profile *p, char *text, size_t size)
{
    const struct gzk_config *config = &p->config[1];
    int dimensions = config->stencil->dim;
    snprintf(text, size, "grid %s, block %s, 1 to %d loops of a trapezoid of height %d",
             gzk_extents_text(config->size, dimensions).text,
             gzk_extents_text(config->block, dimensions).text, config->height, config->height);
}

/* The k-th number of loops on the line, spread evenly from 1 to the height; `*count` in all. */
static int steps_at(const struct gzc_profile *p, int k, int *count)
{
    int height = p->config[0].height;
    *count = height < STEPS ? height : STEPS;
    return *count > 1 ? 1 + (height - 1) * k / (*count - 1) : 1;
}

/* Seconds of one launch that runs `steps` loops on grid `g`. */
static int run(struct gzc_profile *p, int g, int steps, const volatile sig_atomic_t *stop,
               double *seconds, struct gzk_error *error)
{
    struct gzk_plan **plan = &p->plan[g][steps];
    struct gzk_config config = p->config[g];
    config.loops = steps;
    int status = *plan ? 0 : gzk_plan_new(p->grid[g].session, &config, plan, error);
    return status == 0 ? gzk_plan_run(*plan, steps, stop, seconds, error) : status;
}

/* Costs per trapezoid become costs of one cell for one multiprocessor. */
static struct gzc_costs per_cell(const struct gzc_profile *p, struct gzc_estimate misc,
                                 struct gzc_estimate iter)
{
    struct gzc_estimate cells = {.value = p->geometry[1].tile_cells};
    struct gzc_estimate operated = {.value = p->operated};
    return (struct gzc_costs){.misc = gzc_divide(misc, cells), .iter = gzc_divide(iter, operated)};
}

int gzc_profile_time(struct gzc_profile *p, const volatile sig_atomic_t *stop,
                     struct gzc_costs *costs, struct gzk_error *error)
{
    /* t = launch + T misc / M + s T iter / M */
    double rows[3 * 2 * STEPS], least[2 * STEPS];
    int count, units = p->device->info.units, n = 0, status = 0;
    steps_at(p, 0, &count);
    if (count < 2)
        return gzk_fail(error, GZK_INVALID,
                        "%s: the default block allows only height 1, so loops cannot be told "
                        "from the rest",
                        p->config[0].stencil->name);
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < count; k++, n++) {
            int steps = steps_at(p, k, &count);
            double each = (double)p->geometry[g].tile_count / units;
            rows[3 * n] = 1;
            rows[3 * n + 1] = each;
            rows[3 * n + 2] = each * steps;
            least[n] = HUGE_VAL;
        }
    /* One point after the other, up and down, so that drift does not look like a slope; the first
     * time round warms cache and clock. */
    for (int r = -1; r < REPEATS && status == 0; r++)
        for (int i = 0; i < n && status == 0; i++) {
            int at = r % 2 ? n - 1 - i : i;
            double seconds = 0;
            status = run(p, at / count, steps_at(p, at % count, &count), stop, &seconds, error);
            if (r >= 0)
                least[at] = fmin(least[at], seconds);
        }
    struct gzc_estimate c[3];
    if (status == 0 && !gzc_fit(rows, least, n, 3, c))
        status = gzk_fail(error, GZK_FAILED, "%s: the timings do not fit a line",
                          p->config[0].stencil->name);
    if (status == 0)
        *costs = per_cell(p, c[1], c[2]);
    return status;
}

/* A launch for the counters. */
struct job {
    struct gzc_profile *profile;
    int steps;
    const volatile sig_atomic_t *stop;
};

static int do_job(void *argument, struct gzk_error *error)
{
    const struct job *job = argument;
    double seconds;
    return run(job->profile, 1, job->steps, job->stop, &seconds, error);
}

int gzc_profile_count(struct gzc_profile *p, struct gzc_counters *counters,
                      const volatile sig_atomic_t *stop, struct gzc_costs *costs,
                      double *conflict_rate, struct gzk_error *error)
{
    double steps[STEPS + 1], insts[STEPS + 1], counts[GZC_COUNTERS];
    int count, status = 0, height = p->config[0].height;
    steps_at(p, 0, &count);
    /* Three points at least make a line with a deviation; the counts are exact, so one may repeat.
     */
    int n = count < 3 ? 3 : count;
    for (int k = 0; k < n && status == 0; k++) {
        struct job job = {p, k < count ? steps_at(p, k, &count) : height, stop};
        steps[k] = job.steps;
        status = gzc_counters_count(counters, do_job, &job, counts, error);
        insts[k] = counts[GZC_WARP_INSTRUCTIONS] / p->geometry[1].tile_count;
        *conflict_rate = counts[GZC_BANK_CONFLICTS] / counts[GZC_WARP_INSTRUCTIONS];
    }
    struct gzc_line line;
    if (status == 0 && (!gzc_fit_line(steps, insts, n, &line) || !isfinite(*conflict_rate)))
        status = gzk_fail(error, GZK_FAILED, "%s: the instruction counts do not fit a line",
                          p->config[0].stencil->name);
    if (status == 0)
        *costs = per_cell(p, line.intercept, line.slope);
    return status;
}
