/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stencils at every height that fits a block, against the serial reference, through OpenCL:
 * odd sizes, grids smaller than a block and one cell wide, fewer loops than the height, one thread
 * per cell and few threads per tile, restart and fence, and all variants. Without contraction every
 * bit must agree, with it the stencil's own tolerance holds. The array that a run writes first is
 * filled with NaN (-1) beforehand, so that a cell which is never written shows.
 * `make check-all` takes all heights, modes and variants; `make check` takes of each stencil the
 * largest height in one mode and one variant.
 *
 * It takes stencils from the table, so that a new one is tested without a change here. GZ_SEED in
 * the environment repeats a run; the seed is printed.
 */
#include "registry.h"
#include "test_device.h"
#include "timing.h"

#include <time.h>

static const volatile sig_atomic_t never = 0;

/* Blocks and grids by the number of dimensions: one block whose extents are unlike, larger for a
 * larger radius (see set_block); grids that are not multiples, smaller than a block, and one cell
 * wide. */
static const int blocks[4][3] = {{0}, {21, 1, 1}, {12, 11, 1}, {9, 8, 7}};
enum { GRIDS = 4 };
static const int grids[4][GRIDS][3] = {
    {{0}},
    {{101, 1, 1}, {7, 1, 1}, {1, 1, 1}, {21, 1, 1}},
    {{29, 37, 1}, {5, 3, 1}, {1, 23, 1}, {31, 1, 1}},
    {{13, 17, 11}, {2, 3, 4}, {1, 1, 9}, {15, 1, 6}},
};

struct tally {
    int runs, wrong;
};

/* Compares one run with the reference; reports the first that is wrong. */
static void check(struct gzk_session *session, const struct gzk_data *data,
                  const struct gzk_config *config, struct tally *tally)
{
    size_t bytes = data->cells * gzk_type_bytes(config->stencil->type);
    void *result = malloc(bytes), *reference = malloc(bytes);
    struct gzk_comparison c = {0};
    struct gzk_error error = {0};
    double seconds;

    tally->runs++;
    int status = gzk_session_run(session, config, &never, &seconds, &error);
    if (status == 0)
        status = gzk_session_read(session, result, &error);
    if (status == 0) {
        struct gzk_serial serial = {config->stencil, data, config->loops};
        gzk_reference_run(&serial, reference, NULL, &error);
        gzk_compare(&serial, result, reference, config->contract, &c);
    }
    if ((status != 0 || c.wrong > 0) && tally->wrong++ == 0)
        tap_note(
            "%s grid %dx%dx%d threads %dx%dx%d sync %d height %d loops %ld: %s, %zu wrong, first "
            "%zu, error %g",
            config->stencil->name, config->size[0], config->size[1], config->size[2],
            config->threads[0], config->threads[1], config->threads[2], (int)config->sync,
            config->height, config->loops, status ? error.text : "ran", c.wrong, c.first_wrong,
            c.max_error);
    free(result);
    free(reference);
}

/* One configuration on all grids, with loops below, at, and above the height. */
static void check_grids(struct gzk_device *device, struct gzk_config config, uint64_t seed,
                        struct tally *tally)
{
    long loops[] = {1, config.height, 2L * config.height + 1};

    for (int g = 0; g < GRIDS; g++) {
        struct gzk_data data;
        struct gzk_session *session;
        struct gzk_error error = {0};

        memcpy(config.size, grids[config.stencil->dimensions][g], sizeof config.size);
        gzk_default_block(&config);
        if (gzk_data_new(&data, config.stencil, config.size, loops[2], seed) != 0 ||
            gzk_session_new(device, config.stencil, &data, &session, &error) != 0) {
            tally->wrong++;
            return;
        }
        for (size_t l = 0; l < sizeof loops / sizeof *loops; l++) {
            config.loops = loops[l];
            check(session, &data, &config, tally);
        }
        gzk_session_free(session);
        gzk_data_free(&data);
    }
}

/* Few threads, in odd numbers, for tiles that hold more cells than threads. */
static void few_threads(struct gzk_config *config)
{
    static const int few[] = {5, 3, 2};
    for (int i = 0; i < 3; i++)
        config->threads[i] = i < config->stencil->dimensions ? few[i] : 1;
}

/* A thread per cell, or fewer if the device allows no more. */
static void many_threads(const struct gzk_device *device, struct gzk_config *config)
{
    memcpy(config->threads, config->block, sizeof config->threads);
    if (config->threads[0] * config->threads[1] * config->threads[2] > device->info.max_threads)
        few_threads(config);
}

/* The block for the stencil: each cell of radius beyond the first leaves room for two more loops.
 */
static void set_block(struct gzk_config *config)
{
    for (int i = 0; i < 3; i++) {
        int radius = config->stencil->radius[i];
        config->block[i] =
            blocks[config->stencil->dimensions][i] + (radius > 1 ? 4 * (radius - 1) : 0);
    }
}

static struct tally heights(struct gzk_device *device, struct gzk_config config, int least,
                            int most, uint64_t seed)
{
    struct tally tally = {0};

    for (config.height = least; config.height <= most; config.height++) {
        /* Each height has one kernel to compile per shape of the work-group, so shapes alternate.
         */
        if (config.height % 2 == 0)
            many_threads(device, &config);
        else
            few_threads(&config);
        check_grids(device, config, seed, &tally);
    }
    return tally;
}

/* A variant that computes one loop per launch. */
static void check_variant(struct gzk_device *device, const struct gzk_stencil *stencil,
                          enum gzk_variant variant, uint64_t seed)
{
    struct gzk_config config = {.stencil = stencil, .variant = variant, .height = 1};
    struct tally tally = {0};

    set_block(&config);
    few_threads(&config);
    if (gzk_variants[variant].whole_rows)
        config.threads[0] = 1;
    if (gzk_variants[variant].thread_per_cell) {
        /* GPUs take fewer threads than the largest block has cells. */
        while (config.block[0] * config.block[1] * config.block[2] > device->info.max_threads)
            config.block[0]--;
        memcpy(config.threads, config.block, sizeof config.threads);
    }
    check_grids(device, config, seed, &tally);
    tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: variant %s, bit for bit (%d runs)",
           stencil->name, gzk_variants[variant].name, tally.runs);
}

static void check_tiles(struct gzk_device *device, const struct gzk_stencil *stencil, gz_sync sync,
                        uint64_t seed)
{
    struct gzk_config config = {.stencil = stencil, .sync = sync};
    set_block(&config);
    int most = gzk_max_height(stencil, config.block), least = 1;
    if (tap_bulk(1, 0)) {
        most -= most > 1 && (sync == GZ_SYNC_FENCE);
        least = most;
    }
    struct tally tally = heights(device, config, least, most, seed + (uint64_t)sync);
    tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: %s, heights %d to %d, bit for bit (%d runs)",
           stencil->name, sync == GZ_SYNC_FENCE ? "fence" : "restart", least, most, tally.runs);
}

/* Of the variants that compute one loop per launch, every how many are taken of a stencil. */
enum { FLAT = 4, SYNCS = 2 };
static int flat_part(void)
{
    return tap_bulk(FLAT, 1);
}

/* Of one stencil, the `index`-th. */
static void check_stencil(struct gzk_device *device, size_t index, uint64_t seed)
{
    const struct gzk_stencil *stencil = gzk_stencils[index];
    struct gzk_config config = {.stencil = stencil};
    struct tally tally = {0};

    set_block(&config);
    for (int sync = 0; sync < SYNCS; sync++)
        if (tap_bulk((int)index % SYNCS == sync, 1))
            check_tiles(device, stencil, sync ? GZ_SYNC_FENCE : GZ_SYNC_RESTART, seed);
    for (int k = 0, n = 0, part = flat_part(); k < gzk_variant_count; k++)
        if (!gzk_variants[k].any_height && !gzk_variants[k].on_host &&
            n++ % part == (int)index % part)
            check_variant(device, stencil, (enum gzk_variant)k, seed + 2);

    config.contract = true;
    config.height = 2;
    config.threads[0] = config.threads[1] = config.threads[2] = 1;
    check_grids(device, config, seed + 3, &tally);
    tap_ok(tally.runs > 0 && tally.wrong == 0,
           "%s: one thread per tile, contracted, within %g ULP a loop (%d runs)", stencil->name,
           stencil->ulp_per_loop, tally.runs);
}

int main(void)
{
    const char *given = getenv("GZ_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    struct gzk_device *device = test_device_open_for_bits();
    tap_plan((tap_bulk(1, SYNCS) + 1 + FLAT / flat_part()) * (int)gzk_stencil_count);
    tap_note("GZ_SEED=%llu on %s", (unsigned long long)seed, device->info.name);
    for (size_t i = 0; i < gzk_stencil_count; i++)
        check_stencil(device, i, seed);
    gzk_device_close(device);
    return tap_done();
}
