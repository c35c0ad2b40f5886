/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jacobi_variants - Jacobi sweeps by trapezoids of several heights, measured beside the model's
 * prediction, over the grid's size.
 */
#include "device_study.h"

enum { EDGES = 5, HEIGHTS = 4 };

static const int edges[EDGES] = {32, 64, 128, 256, 512};
static const int heights[HEIGHTS] = {1, 2, 4, 8};
static const int gpu_block[3] = {32, 32, 1}, cpu_block[3] = {130, 34, 1};
static const long loops = 48;

static void size_rows(device_study *s, int edge)
{
    device_grid grid;
    device_grid_open(s, "jacobi", edge, loops, &grid);
    for (int k = 0; k < HEIGHTS; k++) {
        struct gzk_config config = device_grid_config(
            &grid, s->device->info.is_cpu ? cpu_block : gpu_block, heights[k], loops);
        gz_config cfg = device_study_model(&config);
        gz_prediction p;
        device_time t;
        if (!device_grid_time(&grid, &config, &t) ||
            !study_predict(&s->table, &s->table.device, &grid.app, &cfg, heights[k], &p))
            continue;
        study_row(&s->table, STUDY_TEXT("trapezoid", "measured"),
                  STUDY_NUMBERS(edge, heights[k], t.seconds, t.low, t.high));
        study_row(&s->table, STUDY_TEXT("trapezoid", "model"),
                  STUDY_NUMBERS(edge, heights[k], p.seconds_per_loop, p.seconds_per_loop,
                                p.seconds_per_loop));
    }
    device_grid_close(&grid);
}

static void rows(device_study *s)
{
    for (int k = 0; k < (s->small ? 2 : EDGES); k++)
        size_rows(s, edges[k]);
}

int main(int argc, char **argv)
{
    static const study_spec spec = {
        .name = "jacobi_variants",
        .what = "Jacobi sweeps over the grid's size",
        .source = "Eq. 1; GPUSquad's course project, assignments 1 to 3",
        .columns = {{"version", "text", "how a loop is computed"},
                    {"kind", "text", "measured: median and quartiles of the runs; model: Eq. 1"},
                    {"edge", "cells", "of the square grid"},
                    {"h", "loops", "trapezoid height"},
                    {"seconds", "s", "time per loop"},
                    {"low", "s", "lower quartile"},
                    {"high", "s", "upper quartile"}},
    };
    return device_study_run(argc, argv, &spec, rows);
}
