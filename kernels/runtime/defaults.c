/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "defaults.h"

#include "data.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

bool gzk_has_device_tiles(enum gzk_variant variant)
{
    return gzk_variants[variant].streamed || variant == GZK_NAIVE;
}

void gzk_set_piece(struct gzk_config *config, int piece)
{
    int axis = gzk_stream_axis(config->stencil);
    long long block = piece + 2LL * config->stencil->radius[axis] * config->height;
    config->block[axis] = block < INT_MAX ? (int)block : INT_MAX;
}

/* ----------------------------------------------------------------------------------- streamed */

/* What a cell costs: moving an element between device memory and chip, and computing a cell, which
 * is a share for its row's loads and stores and one for each operation. In units of a cell of
 * star7; only ratios matter. A row's start costs as much as seven lines, in memory and in vectors.
 * Fitted to times on a CPU.
 */
static const double cost_moved = 1.0, cost_cell = 0.6, cost_operation = 0.05, row_lines = 7;

/* How much longer the stage takes than its work, since some units have one tile more than others.
 */
static double imbalance(double tiles, int units)
{
    double rounds = ceil(tiles / units);
    return rounds * units / tiles;
}

/* The estimated cost of a loop on a CPU, of which a stage has these counts and tiles. */
static double cpu_cost(const struct gzk_config *config, const struct gzk_device_info *device,
                       struct gzk_counts counts, double tiles)
{
    const struct gzk_stencil *stencil = config->stencil;
    const gzi_tile tile = gzk_tile_of(config);
    const gzi_layout layout = gzi_stream_layout(&tile);
    double columns = (double)(layout.last_computed - layout.first_computed), work;

    work = cost_moved * (counts.loaded + counts.committed) +
           counts.operations * (cost_cell + cost_operation * stencil->operations);
    work *= 1 + row_lines * layout.align / columns;
    return work * imbalance(tiles, device->units > 0 ? device->units : 1) / config->height;
}

/* What a multiprocessor of a GPU does in a clock: operations of its threads in single precision
 * (the device states how many of these one in double takes the time of), bytes of local memory, and
 * bytes of device memory unless the device states that; what it has room for; and clocks that pass
 * until device memory has answered, until all threads have met at a barrier and read local memory,
 * from one level to the next, and from one launch to the next. Vendors' manuals and published
 * microbenchmarks [Jia et al., arXiv:1804.06826, for V100] say so to one digit; nothing here has
 * been measured by us on a GPU. */
static const double gpu_lanes = 128, gpu_local_bytes = 128, gpu_memory_bytes = 10;
static const double gpu_registers = 65536, gpu_threads = 2048, gpu_groups = 32;
static const double clocks_memory = 700, clocks_barrier = 80, clocks_level = 40,
                    clocks_launch = 5000;

/* Instructions for a cell beside its operations. */
enum { CELL_INSTRUCTIONS = 8 };

/* Groups that a multiprocessor has room for. */
static double resident(const struct gzk_config *config, const struct gzk_device_info *device)
{
    const gzi_tile tile = gzk_tile_of(config);
    double threads = (double)config->threads[0] * config->threads[1] * config->threads[2];
    double registers = config->columns ? gzi_column_registers(&tile) : gzi_ring_registers(&tile);
    double groups = fmin(gpu_groups, gpu_threads / threads);
    groups = fmin(groups, (double)device->local_bytes / gzk_stream_local_bytes(config));
    /* They are given to a thread eight at a time. */
    registers = 8 * ceil(registers / 8);
    return fmax(1, floor(fmin(groups, gpu_registers / (threads * registers))));
}

/* Device memory's bytes in a clock of one multiprocessor. */
static double memory_rate(const struct gzk_device_info *device)
{
    if (!(device->bandwidth_bytes_s > 0 && device->clock_hz > 0 && device->units > 0))
        return gpu_memory_bytes;
    return device->bandwidth_bytes_s / (device->clock_hz * device->units);
}

/* Operations of one cell, in those of single precision that take as long. */
static double cell_operations(const struct gzk_stencil *stencil,
                              const struct gzk_device_info *device)
{
    double ratio = stencil->type == GZK_DOUBLE ? device->double_ratio : 1;
    return stencil->operations * fmax(1, ratio);
}

/* The same on a GPU: in each step a group moves, reads from local memory and computes a plane of
 * each level, whichever takes longest, and waits for what depends on each other, unless other
 * groups have work. In clocks. */
static double gpu_cost(const struct gzk_config *config, const struct gzk_device_info *device,
                       struct gzk_counts counts, double tiles)
{
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil), h = config->height;
    double bytes = (double)gzk_type_bytes(stencil->type), units = fmax(1, device->units);
    double steps = tiles * config->block[axis], cells = counts.operations / steps;
    double moved = (counts.loaded + counts.step + counts.committed) / steps;
    /* Of its own plane in a star, of all planes in a box; and a store. */
    double accesses = 2 + stencil->coefficient_arrays;
    if (!config->columns)
        accesses += stencil->operations;
    for (int i = 0; i < axis && config->columns; i++)
        accesses += 2 * stencil->radius[i];
    double work =
        cells * (cell_operations(stencil, device) + accesses + CELL_INSTRUCTIONS) / gpu_lanes;
    work = fmax(work, cells * accesses * bytes / gpu_local_bytes);
    work = fmax(work, moved * bytes / memory_rate(device));
    double wait = config->columns ? fmax(clocks_memory, clocks_barrier + h * clocks_level)
                                  : clocks_memory + (1 + h) * clocks_barrier + h * clocks_level;
    double groups = fmin(resident(config, device), ceil(tiles / units));
    double rounds = ceil(tiles / (units * groups));
    return (clocks_launch + rounds * config->block[axis] * fmax(groups * work, wait)) / h;
}

/* Whether tiles are made for a CPU's rows. */
static bool for_cpu(const struct gzk_config *config, const struct gzk_device_info *device)
{
    return device->is_cpu && config->layout != GZK_LAYOUT_COLUMNS;
}

/* The search for the tile with the least cost. */
struct search {
    const struct gzk_device_info *device;
    struct gzk_config *config; /* with the best block so far, of this cost */
    double least;
};

/* The estimated cost of a loop. */
static double cost(const struct gzk_config *config, const struct gzk_device_info *device)
{
    struct gzk_config stage = *config;
    double tiles = 1;

    for (int i = 0; i < config->stencil->dimensions; i++)
        tiles *= (config->size[i] - 1) /
                     (config->block[i] - 2 * config->stencil->radius[i] * config->height) +
                 1;
    stage.loops = stage.height;
    struct gzk_counts counts = gzk_count(&stage);
    return for_cpu(config, device) ? cpu_cost(config, device, counts, tiles)
                                   : gpu_cost(config, device, counts, tiles);
}

static gz_status try_tile(void *with, const gzi_tile *tile)
{
    struct search *s = with;
    struct gzk_config tried = *s->config;
    for (int i = 0; i < tile->dim; i++) {
        tried.block[i] = (int)tile->block[i];
        tried.threads[i] = tile->threads[i];
    }
    tried.cpu = tile->whole_rows;
    tried.columns = tile->columns;
    double c = cost(&tried, s->device);
    if (c < s->least) {
        s->least = c;
        memcpy(s->config->block, tried.block, sizeof tried.block);
    }
    return GZ_OK;
}

/* The least estimated cost per loop at config->height; sets the block to its tile. */
static double best_stream(struct gzk_config *config, const struct gzk_device_info *device,
                          int piece)
{
    const struct gzk_stencil *stencil = config->stencil;
    struct search search = {.device = device, .config = config, .least = HUGE_VAL};
    gzi_pieces pieces = {.units = device->units,
                         .threads = device->max_threads,
                         .local_bytes = (double)device->local_bytes,
                         .length = piece};

    /* At least something, should nothing fit. */
    for (int i = 0; i < 3; i++)
        config->block[i] =
            i < stencil->dimensions ? 1 + 2 * stencil->radius[i] * config->height : 1;
    pieces.tile = gzk_tile_of(config);
    pieces.tile.threads[0] = 0;
    pieces.tile.whole_rows = for_cpu(config, device);
    pieces.tile.own_column =
        !device->is_cpu && config->layout == GZK_LAYOUT_DEVICE && stencil->reads.own_column;
    gzi_visit_pieces(&pieces, config->height, try_tile, &search);
    return search.least;
}

int gzk_default_height(const struct gzk_config *config, const struct gzk_device_info *device)
{
    double least = HUGE_VAL;
    int best = 1;

    if (!gzk_variants[config->variant].streamed || config->stencil->dimensions < 2)
        return 1;
    for (int h = 1; h <= GZK_MAX_STREAM_HEIGHT; h++) {
        struct gzk_config tried = *config;
        tried.height = h;
        double c = best_stream(&tried, device, 0);
        if (c < least) {
            least = c;
            best = h;
        }
        /* Higher ones need more local memory. */
        if (c == HUGE_VAL)
            break;
    }
    return best;
}

/* A virtual machine states the last cache of the whole processor, of which it has a few cores. No
 * processor known to us has more of it for each core than this. [AMD EPYC 9684X: 12 MiB] */
static const double most_cache_per_unit = 16 << 20;

void gzk_default_layout(struct gzk_config *config, const struct gzk_device_info *device)
{
    double cache = fmin((double)device->cache_bytes, most_cache_per_unit * device->units);
    double bytes = (double)gzk_type_bytes(config->stencil->type);
    bool streamed = gzk_variants[config->variant].streamed;

    for (int i = 0; i < 3; i++)
        bytes *= config->size[i];
    config->columns = gzk_stream_takes_columns(config, device->is_cpu);
    config->cpu = streamed && device->is_cpu && config->threads[0] == 1 && !config->columns;
    config->bypass = config->cpu && cache > 0 && 2 * bytes > cache;
}

bool gzk_stream_by_rows(struct gzk_config *config, const struct gzk_device_info *device,
                        int columns)
{
    enum { TILES_PER_UNIT = 2 };
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil), parts = 1, pieces = 1;

    config->block[0] = columns + 2 * stencil->radius[0] * config->height;
    gzk_set_piece(config, 1);
    for (; axis == 2 && parts <= config->size[1]; parts++) {
        config->block[1] =
            (config->size[1] - 1) / parts + 1 + 2 * stencil->radius[1] * config->height;
        gzk_default_threads(config, device->max_threads, device->is_cpu);
        if (gzk_stream_local_bytes(config) <= (double)device->local_bytes)
            break;
    }
    int across = ((config->size[0] - 1) / columns + 1) * parts;
    while (across * pieces < TILES_PER_UNIT * device->units && pieces < config->size[axis])
        pieces *= 2;
    gzk_set_piece(config, (config->size[axis] - 1) / pieces + 1);
    gzk_default_threads(config, device->max_threads, device->is_cpu);
    gzk_default_layout(config, device);
    return gzk_stream_local_bytes(config) <= (double)device->local_bytes;
}

/* -------------------------------------------------------------------------------------- naive */

static void naive_tile(struct gzk_config *config, bool is_cpu)
{
    static const int cpu[4][3] = {{0}, {16384, 1, 1}, {4096, 16, 1}, {1024, 8, 8}};
    static const int gpu[4][3] = {{0}, {256, 1, 1}, {64, 4, 1}, {64, 4, 2}};
    const int *block = (is_cpu ? cpu : gpu)[config->stencil->dimensions];

    for (int i = 0; i < 3; i++)
        config->block[i] = smaller(block[i], config->size[i]);
}

void gzk_default_tile(struct gzk_config *config, const struct gzk_device_info *device, int piece)
{
    if (gzk_variants[config->variant].streamed && config->stencil->dimensions > 1)
        best_stream(config, device, piece);
    else if (config->variant == GZK_NAIVE)
        naive_tile(config, device->is_cpu);
}
