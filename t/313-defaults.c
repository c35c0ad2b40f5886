/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tiles, heights and layouts are unless given: for random devices and grids the default tile
 * of variant stream is valid and fits the device's local memory whenever any tile does, on a GPU
 * with rows of whole warps; less local memory does not raise the height; by the model it is no
 * slower than the naive loop; and naive blocks stay within the grid.
 */
#include "data.h"
#include "defaults.h"
#include "modelled.h"
#include "registry.h"
#include "tap.h"
#include "tiles.h"
#include "timing.h"

#include <math.h>

static uint64_t seed = 1, drawn;

/* A whole number from `least` to `most`, its logarithm uniform. */
static int draw(int least, int most)
{
    double u = gzk_random_double(seed, drawn++);
    return (int)(least * pow((most + 1.0) / least, u));
}

static struct gzk_config random_config(gz_variant variant)
{
    struct gzk_config config = {.variant = variant, .height = draw(1, 8), .loops = 10};
    do
        config.stencil = gzk_stencils[(size_t)draw(1, (int)gzk_stencil_count) - 1];
    while (config.stencil->dim < 2);
    for (int i = 0; i < 3; i++)
        config.size[i] = i < config.stencil->dim ? draw(1, 600) : 1;
    return config;
}

static struct gzk_device_info random_device(void)
{
    struct gzk_device_info device = {.is_cpu = draw(1, 2) == 1,
                                     .units = draw(1, 150),
                                     .local_bytes = (size_t)draw(1 << 14, 1 << 21),
                                     .cache_bytes = (size_t)draw(1 << 20, 1 << 26),
                                     .max_threads = 1024};
    if (device.is_cpu)
        device.max_threads = 4096;
    return device;
}

static void settle(struct gzk_config *config, const struct gzk_device_info *device)
{
    gzk_default_tile(config, device, 0);
    gzk_default_threads(config, device->max_threads, device->is_cpu);
    gzk_default_layout(config, device);
}

/* Whether the smallest tile that commits anything fits. */
static int anything_fits(struct gzk_config config, const struct gzk_device_info *device)
{
    for (int i = 0; i < config.stencil->dim; i++)
        config.block[i] = 1 + 2 * config.stencil->radius[i] * config.height;
    gzk_default_threads(&config, device->max_threads, device->is_cpu);
    return gzk_local_bytes(&config) <= device->local_bytes;
}

static void streams(void)
{
    enum { CASES = 150 };
    int invalid = 0, too_large = 0, fitting = 0, highest = 0, limits = 0, layouts = 0, ragged = 0;
    for (int k = 0; k < CASES; k++) {
        struct gzk_config config = random_config(GZK_STREAM);
        struct gzk_device_info device = random_device();
        struct gzk_geometry geometry;
        struct gzk_error error = {0};
        settle(&config, &device);
        invalid += gzk_geometry_make(&config, &geometry, &error) != 0;
        layouts += config.cpu != device.is_cpu || (config.bypass && !config.cpu);
        /* On a GPU rows are whole warps, for which there may be no room though a cell has some. */
        ragged += !device.is_cpu && config.block[0] % 32 != 0 &&
                  config.block[0] > 1 + 2 * config.stencil->radius[0] * config.height;
        if (device.is_cpu && anything_fits(config, &device)) {
            fitting++;
            too_large += geometry.local_bytes > device.local_bytes;
            while (config.height < 60 && gzk_local_bytes(&config) <= device.local_bytes)
                config.height++;
            highest +=
                gzk_local_bytes(&config) > device.local_bytes &&
                gzk_stream_max_height(&config, device.local_bytes, true) != config.height - 1;
            limits += config.height < 60;
        }
    }
    tap_ok(invalid == 0, "default tiles are valid");
    tap_ok(fitting > CASES / 5 && too_large == 0, "and fit if any does (%d of %d)", fitting, CASES);
    tap_ok(limits > 20 && highest == 0, "the largest height below one that does not fit is found");
    tap_ok(layouts == 0, "rows are laid out for the device");
    tap_ok(ragged == 0, "on a GPU they are whole warps");
}

static void heights(void)
{
    int missing = 0, taller = 0;
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        struct gzk_device_info device = {
            .is_cpu = true, .units = 2, .local_bytes = 1 << 20, .max_threads = 4096};
        struct gzk_config config = {
            .stencil = gzk_stencils[i], .variant = GZK_STREAM, .height = 1, .loops = 1};
        memcpy(config.size, gzk_stencils[i]->default_size, sizeof config.size);
        int large = gzk_default_height(&config, &device);
        device.local_bytes = 1 << 16;
        int small = gzk_default_height(&config, &device);
        missing += large < 1 || (config.stencil->dim == 1 && large != 1);
        taller += small > large;
    }
    tap_ok(missing == 0, "every stencil has a default height");
    tap_ok(taller == 0, "which less local memory does not raise");
}

/* By gz2 with the generic device, s per loop. */
static double predicted(const struct gzk_config *config, const struct gzk_device_info *info)
{
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_prediction p;
    gzk_describe_uncounted(config->stencil, config->stencil->operations, &app);
    return gzk_generic_device(info, info->is_cpu, &dev) &&
                   gzk_to_model(config, GZ_MODEL_GZ2, &cfg) &&
                   gz_predict(&dev, &app, &cfg, config->height, &p, NULL) == GZ_OK
               ? p.seconds_per_loop
               : (double)NAN;
}

/* On grids beyond the cache tiles are worth their while, and few loops deep. */
static void against_naive(void)
{
    static const char *const names[] = {"star7", "star13",  "star7vc",
                                        "box27", "hotspot", "poisson"};
    static const struct gzk_device_info infos[] = {{.is_cpu = true,
                                                    .units = 2,
                                                    .local_bytes = 1 << 20,
                                                    .cache_bytes = 32 << 20,
                                                    .max_threads = 4096},
                                                   {.units = 80,
                                                    .local_bytes = 98304,
                                                    .cache_bytes = 6 << 20,
                                                    .max_threads = 1024,
                                                    .clock_hz = 1.4e9,
                                                    .bandwidth_bytes_s = 9e11,
                                                    .warp = 32}};
    int slower = 0, deep = 0;
    for (size_t k = 0; k < 2 * sizeof names / sizeof *names; k++) {
        const struct gzk_device_info *info = &infos[k % 2];
        struct gzk_config tile = {
            .stencil = gzk_stencil_find(names[k / 2]), .variant = GZK_STREAM, .loops = 100};
        int flat = tile.stencil->dim == 2;
        for (int i = 0; i < 3; i++)
            tile.size[i] = flat ? (i < 2 ? 4096 : 1) : 256;
        struct gzk_config naive = tile;
        naive.variant = GZK_NAIVE;
        settle(&tile, info);
        settle(&naive, info);
        /* A box gains nothing on a GPU, where its rings take more instructions. */
        if (info->is_cpu || tile.stencil->reads.own_column)
            slower += !(predicted(&tile, info) <= predicted(&naive, info));
        deep += tile.height < (flat ? 2 : 1) || tile.height > (flat ? 24 : 8);
    }
    tap_ok(slower == 0, "no default tile is slower than the default naive block by the model");
    tap_ok(deep == 0, "heights of 2 to 24 in two dimensions, of 1 to 8 in three");
}

static void naive(void)
{
    enum { CASES = 100 };
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        struct gzk_config config = random_config(GZK_NAIVE);
        struct gzk_device_info device = random_device();
        struct gzk_geometry geometry;
        struct gzk_error error = {0};
        config.height = 1;
        settle(&config, &device);
        wrong += gzk_geometry_make(&config, &geometry, &error) != 0 ||
                 geometry.thread_count > device.max_threads;
        for (int i = 0; i < 3; i++)
            wrong += config.block[i] > config.size[i];
        wrong += !device.is_cpu && config.block[0] % 32 != 0 && config.block[0] != config.size[0];
    }
    tap_ok(wrong == 0, "naive blocks lie in the grid, on a GPU as whole warps or rows, their "
                       "threads within the limit");
}

/* Eight cells a thread, unless multiprocessors were idle then. */
static void naive_on_gpus(void)
{
    static const struct {
        const char *name;
        int size[3], block[3], threads[3];
    } cases[] = {{"hotspot", {4096, 4096, 1}, {256, 8, 1}, {256, 1, 1}},
                 {"star7", {256, 256, 256}, {64, 4, 8}, {64, 4, 1}},
                 {"hotspot", {512, 300, 1}, {256, 4, 1}, {256, 1, 1}},
                 {"star7", {20, 20, 20}, {20, 4, 1}, {20, 4, 1}},
                 {"pathfinder", {100000, 1, 1}, {256, 1, 1}, {256, 1, 1}}};
    const struct gzk_device_info gpu = {.units = 132, .local_bytes = 232448, .max_threads = 1024};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gzk_config config = {.stencil = gzk_stencil_find(cases[k].name),
                                    .variant = GZK_NAIVE};
        memcpy(config.size, cases[k].size, sizeof config.size);
        settle(&config, &gpu);
        tap_ok(config.height == 1 && !memcmp(config.block, cases[k].block, sizeof config.block) &&
                   !memcmp(config.threads, cases[k].threads, sizeof config.threads),
               "%s on %d: %dx%dx%d by %dx%dx%d", cases[k].name, config.size[0], config.block[0],
               config.block[1], config.block[2], config.threads[0], config.threads[1],
               config.threads[2]);
    }
}

int main(void)
{
    const char *given = getenv("GZ_SEED");
    seed = given ? strtoull(given, NULL, 10) : 1;
    tap_note("GZ_SEED=%llu", (unsigned long long)seed);
    streams();
    heights();
    against_naive();
    naive();
    naive_on_gpus();
    return tap_done();
}
