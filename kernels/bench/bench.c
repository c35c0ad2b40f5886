/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench [DEVICE [STENCIL...]] - how fast the trapezoids are on one device, all in one run: for
 * every stencil the curve over heights for the modes that the device has, and the best trapezoid
 * against its own height 1, the naive kernel and the plain serial C loop. Prints TSV; lines with #
 * say what.
 *
 * The starting tile is chosen first, by a scan with few heights; the curve is that of the best
 * tile.
 */
#include "numbers.h"
#include "output.h"
#include "timing.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 4, HEIGHTS = 9, MOST_STENCILS = 32 };

/* The tiles to choose from. A CPU's rows are long, because they are what it vectorises; a GPU's
 * tiles hold a few cells per thread at most. Two more than a power of two leaves one to commit at
 * height 1. */
static const int cpu_tiles[4][TILES][3] = {
    {{0}},
    {{2050, 1, 1}, {4098, 1, 1}, {8194, 1, 1}, {32770, 1, 1}},
    {{130, 66, 1}, {258, 34, 1}, {258, 66, 1}, {514, 34, 1}},
    {{52, 18, 18}, {102, 10, 10}, {102, 18, 18}, {102, 34, 10}},
};
static const int gpu_tiles[4][TILES][3] = {
    {{0}},
    {{256, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {2048, 1, 1}},
    {{20, 20, 1}, {32, 32, 1}, {64, 32, 1}, {64, 64, 1}},
    {{8, 8, 8}, {32, 8, 8}, {32, 16, 8}, {32, 16, 16}},
};
static const int grids[4][3] = {{0}, {1000000, 1, 1}, {1024, 1024, 1}, {100, 100, 100}};
/* Of the smoothers, whose loops take up to a hundred times as long: a box as multigrid has them. */
static const int smoother_grid[3] = {64, 64, 64};
static const int heights[HEIGHTS] = {1, 2, 3, 4, 6, 8, 12, 16, 32};

/* Of one run: a multiple of every height if the serial loop is fast, else of most. */
static const long many_loops = 96, few_loops = 24;
static const double slow_loop_s = 4e-3;
static const double budget_s = 0.5;
static const volatile sig_atomic_t never = 0;

struct best {
    struct gzk_config config;
    double seconds_per_loop; /* 0: nothing was measured yet */
};

/* One stencil's grid, on the host and on the device. */
struct field {
    struct gzk_device *device;
    const struct gzk_stencil *stencil;
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_error *error; /* of a run that failed, after which nothing is timed */
};

/* The serial reference's median time per loop, in seconds. */
static double time_reference(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    enum { RUNS = 7 };
    size_t bytes = gzk_state_bytes(stencil, data);
    void *states[2] = {malloc(bytes), malloc(bytes)};
    double seconds[RUNS] = {0};

    if (states[0] && states[1]) {
        memcpy(states[0], data->state, bytes);
        for (int run = 0; run < RUNS; run++) {
            double begin = cli_now();
            stencil->reference(data, run, states[run % 2], states[1 - run % 2]);
            seconds[run] = cli_now() - begin;
        }
        cli_sort(seconds, RUNS);
    }
    free(states[0]);
    free(states[1]);
    return seconds[RUNS / 2];
}

/* Times a configuration, in seconds per loop; 0 if the device cannot run it, or a run failed. */
static double time_config(const struct field *field, const struct gzk_config *config, double budget,
                          double *spread)
{
    static struct gzk_timing timing;
    struct gzk_error error = {0};

    struct gzk_effort effort = {.budget_s = budget, .stop = &never};

    if (field->error->status == GZK_FAILED)
        return 0;
    if (gzk_time_config(field->session, config, &effort, &timing, &error) != 0) {
        if (error.status == GZK_FAILED)
            *field->error = error;
        return 0;
    }
    *spread = timing.spread;
    return timing.seconds_per_loop;
}

/* Measures one configuration, prints its row, and keeps it if it is the best. Silent if the
 * device cannot run it. */
static void measure(const struct field *field, struct gzk_config config, struct best *best)
{
    double spread, seconds;

    gzk_default_threads(&config, field->device->info.max_threads, field->device->info.is_cpu);
    seconds = time_config(field, &config, budget_s, &spread);
    if (seconds == 0)
        return;
    printf("%s\t%dx%dx%d\t%s\t%d\t%.4g\t%.2g\n", config.stencil->name, config.block[0],
           config.block[1], config.block[2],
           config.variant == GZK_NAIVE ? gzk_variants[config.variant].name
                                       : gz_name(GZ_SYNCS, config.sync),
           config.height, seconds, spread);
    if (best->seconds_per_loop == 0 || seconds < best->seconds_per_loop)
        *best = (struct best){config, seconds};
}

/* Whether a quarter of the tile at least is committed; what lies beyond takes long and is never
 * best. */
static bool worth_it(const struct gzk_config *config)
{
    struct gzk_geometry g;
    struct gzk_error error = {0};
    return gzk_geometry_make(config, &g, &error) == 0 &&
           4.0 * g.committed[0] * g.committed[1] * g.committed[2] >= g.tile_cells;
}

/* The best tile by a scan with few heights, and the naive kernel's best block. */
static void scan(const struct field *field, struct gzk_config config, struct best *best,
                 struct best *naive)
{
    const int(*tiles)[3] =
        (field->device->info.is_cpu ? cpu_tiles : gpu_tiles)[config.stencil->dimensions];

    for (int t = 0; t < TILES; t++) {
        memcpy(config.block, tiles[t], sizeof config.block);
        memcpy(config.threads, (int[]){1, 1, 1}, sizeof config.threads);
        config.variant = GZK_TRAPEZOID;
        for (config.height = 1; config.height <= 4; config.height *= 2)
            if (worth_it(&config))
                measure(field, config, best);
        config.variant = GZK_NAIVE;
        config.height = 1;
        measure(field, config, naive);
    }
}

/* All heights of the best tile, in all modes that the device has. */
static void curve(const struct field *field, struct best *best)
{
    struct gzk_config config = best->config;

    for (int sync = 0; sync < gzk_sync_count; sync++)
        for (int h = 0; h < HEIGHTS; h++) {
            config.sync = (gz_sync)sync;
            config.height = heights[h];
            if (config.loops % config.height == 0 && worth_it(&config))
                measure(field, config, best);
        }
}

/* The share of the time that moving the least possible bytes once per loop would take, in percent,
 * as text. */
static void share(char text[20], const struct field *field, double seconds_per_loop)
{
    double bytes = (double)field->data.cells * (double)gzk_stencil_bytes_per_cell(field->stencil);
    double bandwidth = field->device->info.bandwidth_bytes_s;

    if (bandwidth > 0 && seconds_per_loop > 0)
        snprintf(text, 20, "%.0f", 100 * bytes / bandwidth / seconds_per_loop);
    else
        strcpy(text, "nan");
}

static double median(double *values, int count)
{
    cli_sort(values, (size_t)count);
    return values[count / 2];
}

/* The best trapezoid against its own height 1, the naive kernel, and the serial loop. They take
 * turns, and a ratio is the median of those of the turns, so that whatever else the machine does
 * in between meets all of them alike. */
static void compare(const struct field *field, const struct best *best, const struct best *naive,
                    char *summary, size_t room)
{
    enum { TURNS = 7 };
    struct gzk_config one = best->config;
    double seconds[TURNS], first[TURNS], ratios[3][TURNS], spread, cells, at_best;
    char share_one[20], share_best[20];

    one.height = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        double s = seconds[turn] = time_config(field, &best->config, 0.1, &spread);
        first[turn] = time_config(field, &one, 0.1, &spread);
        ratios[0][turn] = first[turn] / s;
        ratios[1][turn] = time_config(field, &naive->config, 0.1, &spread) / s;
        ratios[2][turn] = time_reference(field->stencil, &field->data) / s;
    }
    at_best = median(seconds, TURNS);
    share(share_one, field, median(first, TURNS));
    share(share_best, field, at_best);
    cells = (double)field->data.cells;
    snprintf(summary, room, "%s\t%dx%dx%d\t%s\t%d\t%.4g\t%.4g\t%.3g\t%.3g\t%.3g\t%s\t%s\n",
             field->stencil->name, best->config.block[0], best->config.block[1],
             best->config.block[2], gz_name(GZ_SYNCS, best->config.sync), best->config.height,
             at_best, cells / at_best, median(ratios[0], TURNS), median(ratios[1], TURNS),
             median(ratios[2], TURNS), share_one, share_best);
}

/* GZK_FAILED with `error` set if anything failed. */
static int bench(struct gzk_device *device, const struct gzk_stencil *stencil, char *summary,
                 size_t room, struct gzk_error *error)
{
    struct gzk_config config = {.stencil = stencil, .loops = many_loops, .contract = true};
    struct field field = {.device = device, .stencil = stencil, .error = error};
    struct best best = {0}, naive = {0};

    memcpy(config.size, stencil->type == GZK_DOUBLE ? smoother_grid : grids[stencil->dimensions],
           sizeof config.size);
    *error = (struct gzk_error){0};
    if (gzk_data_new(&field.data, stencil, config.size, many_loops, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (time_reference(stencil, &field.data) > slow_loop_s)
        config.loops = few_loops;
    if (gzk_session_new(device, stencil, &field.data, &field.session, error) == 0) {
        scan(&field, config, &best, &naive);
        if (best.seconds_per_loop > 0 && naive.seconds_per_loop > 0) {
            curve(&field, &best);
            compare(&field, &best, &naive, summary, room);
        } else if (error->status == 0) {
            gzk_fail(error, GZK_FAILED, "%s runs none of its tiles", device->info.address);
        }
        gzk_session_free(field.session);
    }
    gzk_data_free(&field.data);
    return error->status;
}

int main(int argc, char **argv)
{
    struct gzk_device *device;
    struct gzk_error error = {0};
    char summaries[MOST_STENCILS][300] = {""};
    char **words = argv + (argc < 2 ? argc : 2);

    cli_set_program("bench");
    int status = check_stencils(words);
    if (status != 0)
        return status;
    if (gzk_device_open(argc > 1 ? argv[1] : NULL, &device, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("# time per loop of every stencil by height; block is the starting tile, ghost zone "
           "included\n");
    cli_write_call(stdout, argc, argv);
    printf("# device %s: %s, %s, %d multiprocessors, %.0f MHz\n"
           "# seconds per loop: median of runs of %ld loops each, of %ld where one takes the host "
           "longer than %g s; spread: interquartile range over median\n"
           "stencil\tblock\tmode\theight\tseconds_per_loop\tspread\n",
           device->info.address, device->info.name, device->info.driver, device->info.units,
           1e-6 * device->info.clock_hz, many_loops, few_loops, slow_loop_s);
    for (size_t i = 0; i < gzk_stencil_count && i < MOST_STENCILS; i++)
        if (is_asked_for(gzk_stencils[i]->name, words) &&
            bench(device, gzk_stencils[i], summaries[i], sizeof summaries[i], &error) != 0)
            status = cli_fail(error.status, "%s: %s", gzk_stencils[i]->name, error.text);
    printf(
        "# the best trapezoid; speedups over its own height 1, over the best naive kernel, over "
        "the "
        "plain serial C loop;\n"
        "# percent of the roofline of the memory's nominal bandwidth at height 1 and at the best\n"
        "# stencil\tblock\tmode\theight\tseconds_per_loop\tcells_per_second\tover_height_1\t"
        "over_naive\tover_serial\troofline_1\troofline_best\n");
    for (size_t i = 0; i < gzk_stencil_count && i < MOST_STENCILS; i++)
        if (summaries[i][0])
            printf("# %s", summaries[i]);
    gzk_device_close(device);
    return status;
}
