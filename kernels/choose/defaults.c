/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "defaults.h"

#include "data.h"
#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "tiles.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool gzk_has_device_tiles(gz_variant variant)
{
    return gzk_variants[variant].streamed || variant == GZK_NAIVE;
}

void gzk_set_piece(struct gzk_config *config, int piece)
{
    int axis = gzk_stream_axis(config->stencil);
    long long block = piece + 2LL * config->stencil->radius[axis] * config->height;
    config->block[axis] = block < INT_MAX ? (int)block : INT_MAX;
}

/* ------------------------------------------------------------------------------ generic device */

/* Whether tiles are made for a CPU's rows. */
static bool for_cpu(const struct gzk_config *config, const struct gzk_device_info *device)
{
    return device->is_cpu &&
           !(gzk_variants[config->variant].streamed && config->layout == GZI_PLANES_COLUMNS);
}

/* The cache before device memory, as far as it can be a CPU's own: a virtual machine states the
 * last cache of the whole processor, of which it has a few cores. No processor known to us has more
 * of it for each core than this. [AMD EPYC 9684X: 12 MiB] */
static double own_cache(const struct gzk_device_info *device)
{
    static const double most_per_unit = 16 << 20;
    double cache = (double)device->cache_bytes;
    return device->is_cpu ? fmin(cache, most_per_unit * device->units) : cache;
}

static void scale(gz_device *dev, const char *name, double factor)
{
    if (!isnan(gz_get(dev, name)))
        gz_set(dev, name, factor * gz_get(dev, name));
}

static void set_stated(gz_device *dev, const char *name, double value)
{
    if (value > 0)
        gz_set(dev, name, value);
}

/* What all units share grows with them, and with their clock what a GPU does in a number of clocks.
 */
static void scale_rates(gz_device *dev, const struct gzk_device_info *device)
{
    static const char *const shared[] = {"mem_bandwidth", "effective_bandwidth", "stream_bandwidth",
                                         "naive_bandwidth", "cache_bandwidth"};
    static const char *const clocked[] = {"fp64_rate", "cache_bandwidth"};
    double units = device->units > 0 ? device->units / dev->sm_count.value : 1;
    double clock = device->clock_hz > 0 ? device->clock_hz / dev->clock_rate.value : 1;

    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        scale(dev, shared[i], units);
    if (device->is_cpu)
        return;
    for (size_t i = 0; i < sizeof clocked / sizeof *clocked; i++)
        scale(dev, clocked[i], clock);
    gz_set(dev, "clock_rate", clock * dev->clock_rate.value);
    set_stated(dev, "mem_bandwidth", device->bandwidth_bytes_s);
}

static bool open_generic(const struct gzk_device_info *device, bool is_cpu, gz_device *dev)
{
    double local = (double)device->local_bytes, cache = own_cache(device);

    if (gz_device_open(is_cpu ? "generic-cpu" : "generic-gpu", dev, NULL) != GZ_OK)
        return false;
    scale_rates(dev, device);
    set_stated(dev, "sm_count", device->units);
    set_stated(dev, "max_threads_per_block", device->max_threads);
    set_stated(dev, "shared_mem_per_block", local);
    set_stated(dev, "cache_size", cache);
    set_stated(dev, "effective_cache", is_cpu ? cache : 0.75 * cache);
    if (!is_cpu) {
        set_stated(dev, "warp_size", device->warp);
        gz_set(dev, "shared_mem_per_sm", fmax(local, gz_get(dev, "shared_mem_per_sm")));
    }
    return true;
}

/* The built-in file that lists a GPU; NULL if none does. */
static const char *own_file(const struct gzk_device_info *device, bool is_cpu)
{
    return is_cpu ? NULL : gz_builtin_of_driver(device->name);
}

const char *gzk_builtin_name(const struct gzk_device_info *device, bool is_cpu)
{
    const char *own = own_file(device, is_cpu);
    return own ? own : is_cpu ? "generic-cpu" : "generic-gpu";
}

bool gzk_generic_device(const struct gzk_device_info *device, bool is_cpu, gz_device *dev)
{
    const char *own = own_file(device, is_cpu);
    if (!own)
        return open_generic(device, is_cpu, dev);
    return gz_device_open(own, dev, NULL) == GZ_OK && gzk_complete_device(device, dev);
}

bool gzk_complete_device(const struct gzk_device_info *device, gz_device *dev)
{
    gz_device generic;

    if (!open_generic(device, device->is_cpu, &generic))
        return false;
    for (int p = 0; gz_param_about(p); p++) {
        gz_quantity *own = gz_param_quantity(dev, NULL, p);
        if (own && !gz_quantity_stated(own))
            *own = *gz_param_quantity(&generic, NULL, p);
    }
    return true;
}

/* ----------------------------------------------------------------------------------- searching */

/* Blocks of usual extents, which a search of all would take too long for: multiples of `step` up to
 * `most` (0: the grid), by dimensions. On a CPU rows are long, and without a tile whole; on a GPU
 * they are whole warps. Streamed tiles need no limits, and a GPU's naive blocks no search. */
struct usual {
    double step[3], most[3];
};
static const struct usual usual[3][3] = {
    /* On a CPU trapezoids, naive blocks; a GPU's trapezoids */
    {{{1024}, {65536}}, {{64, 16}, {1024, 256}}, {{32, 8, 8}, {256, 48, 48}}},
    {{{4096}, {65536}}, {{16384, 4}, {0, 64}}, {{16384, 4, 4}, {0, 64, 16}}},
    {{{32}, {1024}}, {{32, 4}, {128, 64}}, {{32, 2, 2}, {64, 16, 16}}}};

static int ghosts(const struct gzk_config *config, int axis)
{
    return config->variant == GZK_NAIVE ? 0 : 2 * config->stencil->radius[axis] * config->height;
}

static void set_usual(const struct gzk_config *config, bool is_cpu, gz_tile_limits *limits)
{
    int dimensions = config->stencil->dim;
    const struct usual *u = &usual[!is_cpu ? 2 : config->variant == GZK_NAIVE][dimensions - 1];
    for (int i = 0; i < dimensions; i++) {
        limits->block_step[i] = fmin(u->step[i], config->size[i]);
        if (u->most[i] > 0)
            limits->block_max[i] = fmax(u->most[i], 2 * ghosts(config, i));
    }
}

gz_tune_request gzk_request(const struct gzk_config *run, const struct gzk_given *given)
{
    gz_tune_request request = {
        .model = given->model,
        .variants = given->variants,
        .syncs = given->syncs,
        .limits = {.height_min = given->height[0], .height_max = given->height[1]}};
    for (int i = 0; i < run->stencil->dim; i++)
        request.data_length[i] = run->size[i];
    return request;
}

gz_status gzk_search_tiles(const gz_device *model, const gz_app *app,
                           const gz_tune_request *request, const struct gzk_config *config,
                           gz_candidate *best, size_t room, size_t *found, gz_error *error)
{
    gz_tune_request expected = *request;
    gz_app in_rings = *app;
    if (!config->ending)
        return gz_tune(model, app, request, best, room, found, error);
    expected.loops = (double)config->loops;
    in_rings.own_column = (gz_quantity){0};
    return gz_tune_ending(model, &in_rings, &expected, config->ending, best, room, found, error);
}

/* The best by gz2 and the generic device, at config->height unless that is 0; false if none fits.
 */
static bool find(const struct gzk_config *config, const struct gzk_device_info *device, int piece,
                 gz_candidate *best)
{
    const struct gzk_stencil *stencil = config->stencil;
    bool is_cpu = for_cpu(config, device), streamed = gzk_variants[config->variant].streamed;
    bool doubles = stencil->type == GZK_DOUBLE && device->double_ratio > 1;
    /* On a GPU they take registers, which decide what a tile may be. */
    bool fences = streamed && !is_cpu && config->sync == GZ_SYNC_FENCE;
    const struct gzk_given given = {.model = GZ_MODEL_GZ2,
                                    .variants = 1U << gzk_variants[config->variant].tiling,
                                    .syncs = 1U << (fences ? GZ_SYNC_FENCE : GZ_SYNC_RESTART),
                                    .height = {config->height, config->height}};
    gz_tune_request request = gzk_request(config, &given);
    static const double most_height = 64; /* of trapezoids: 128 ghost cells a row */
    gz_device dev;
    gz_app app;
    size_t found;

    if (!gzk_generic_device(device, is_cpu, &dev))
        return false;
    gzk_describe_uncounted(stencil, stencil->operations * (doubles ? device->double_ratio : 1),
                           &app);
    if (device->is_cpu || config->layout != GZI_PLANES_ANY)
        app.own_column = (gz_quantity){0};
    request.stream_len = streamed ? piece : 0;
    if (config->height == 0)
        request.limits.height_max = streamed ? GZK_MAX_STREAM_HEIGHT : most_height;
    if (!streamed)
        set_usual(config, is_cpu, &request.limits);
    return gzk_search_tiles(&dev, &app, &request, config, best, 1, &found, NULL) == GZ_OK;
}

/* Should nothing fit: of a trapezoid at least as much as one ghost zone, or all of the grid. */
static int least_block(const struct gzk_config *config, int axis)
{
    int around = ghosts(config, axis), most = config->size[axis];
    int commits = gzk_variants[config->variant].streamed || around < 2 ? 1 : around / 2;
    return around + (commits < most ? commits : most);
}

/* A GPU's naive block: with 256 threads eight cells a thread, fewer if the grid has less than one
 * such block for each multiprocessor. */
static void set_naive_block(struct gzk_config *config, const struct gzk_device_info *device)
{
    static const int blocks[3][3] = {{256, 1, 1}, {256, 8, 1}, {64, 4, 8}};
    int dimensions = config->stencil->dim, *last = &config->block[dimensions - 1];
    double beside = 1; /* blocks across the last dimension */

    for (int i = 0; i < 3; i++) {
        int most = config->size[i], block = blocks[dimensions - 1][i];
        config->block[i] = block < most ? block : most;
        if (i < dimensions - 1)
            beside *= (most - 1) / config->block[i] + 1;
    }
    while (dimensions > 1 && *last > 1 &&
           beside * config->size[dimensions - 1] < (double)*last * device->units)
        *last /= 2;
}

void gzk_default_tile(struct gzk_config *config, const struct gzk_device_info *device, int piece)
{
    gz_candidate best;
    bool streamed = gzk_variants[config->variant].streamed;
    if (config->variant == GZK_NAIVE && !device->is_cpu) {
        config->height = config->height ? config->height : 1;
        set_naive_block(config, device);
        return;
    }
    bool found = !(streamed && config->stencil->dim == 1) && find(config, device, piece, &best);

    if (config->height == 0)
        config->height = found ? best.way.height : 1;
    for (int i = 0; i < 3; i++)
        if (i >= config->stencil->dim)
            config->block[i] = 1;
        else
            config->block[i] = found ? best.way.block[i] : least_block(config, i);
}

int gzk_default_height(const struct gzk_config *config, const struct gzk_device_info *device)
{
    struct gzk_config tried = *config;
    tried.height = 0;
    gzk_default_tile(&tried, device, 0);
    return tried.height;
}

void gzk_default_layout(struct gzk_config *config, const struct gzk_device_info *device)
{
    double cache = own_cache(device);
    double bytes = config->stencil->bytes;
    bool streamed = gzk_variants[config->variant].streamed;

    for (int i = 0; i < 3; i++)
        bytes *= config->size[i];
    config->columns = gzk_stream_takes_columns(config, device->is_cpu);
    config->cpu = streamed && device->is_cpu && config->threads[0] == 1 && !config->columns;
    config->bypass = config->cpu && cache > 0 && 2 * bytes > cache;
}

bool gzk_stream_by_rows(struct gzk_config *config, const struct gzk_device_info *device, bool whole)
{
    enum { TILES_PER_UNIT = 2, GPU_WIDTH = 64 };
    const struct gzk_stencil *stencil = config->stencil;
    int axis = gzk_stream_axis(stencil), parts = 1, pieces = 1;
    int line = 64 / stencil->bytes, around = ghosts(config, 0);
    int columns = whole ? config->size[0] : (config->size[0] / 4 + line - 1) / line * line;

    if (!device->is_cpu)
        columns = (whole ? 2 * GPU_WIDTH : GPU_WIDTH) - around;
    if (columns < 1 || (!whole && device->is_cpu && columns >= config->size[0]))
        return false;
    config->block[0] = columns + around;
    gzk_set_piece(config, 1);
    for (; axis == 2 && parts <= config->size[1]; parts++) {
        config->block[1] = (config->size[1] - 1) / parts + 1 + ghosts(config, 1);
        gzk_default_threads(config, device->max_threads, device->is_cpu);
        if (gzk_local_bytes(config) <= device->local_bytes)
            break;
    }
    int across = ((config->size[0] - 1) / columns + 1) * parts;
    while (across * pieces < TILES_PER_UNIT * device->units && pieces < config->size[axis])
        pieces *= 2;
    gzk_set_piece(config, (config->size[axis] - 1) / pieces + 1);
    gzk_default_threads(config, device->max_threads, device->is_cpu);
    gzk_default_layout(config, device);
    return gzk_local_bytes(config) <= device->local_bytes;
}

void gzk_empty_stage(struct gzk_config *config, int number)
{
    for (int i = 0; i < 3; i++) {
        config->size[i] = i == 0 ? 1 << 3 * number : 1;
        config->block[i] = i < config->stencil->dim ? 1 + 2 * config->stencil->radius[i] : 1;
    }
}
