/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "choice.h"

#include "diskcache.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const volatile sig_atomic_t never;

/* What was found for a body and a grid. */
struct memory {
    struct memory *next;
    const char *body;
    int size[3];
    struct gzk_choice choice;
};
static struct memory *memories;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Tiles by dimensions and device: long rows, since their cells are neighbours in memory; on a CPU
 * as large as its local memory allows, on a GPU as many cells as threads can be spread over. */
static void set_block(struct gzk_config *config, const struct gzk_device *device, int height)
{
    static const int gpu[3][3] = {{512, 1, 1}, {32, 24, 1}, {32, 8, 8}};
    static const int cpu[3][3] = {{4096, 1, 1}, {512, 64, 1}, {128, 24, 24}};
    const struct gzk_stencil *stencil = config->stencil;
    const int(*const tiles)[3] = device->info.is_cpu ? cpu : gpu;
    const int *want = tiles[stencil->dimensions - 1];

    for (int i = 0; i < 3; i++) {
        int ghosts = 2 * stencil->radius[i] * height;
        int least = 3 * stencil->radius[i] * height;
        config->block[i] = 1;
        if (i >= stencil->dimensions)
            continue;
        config->block[i] = want[i] > least + ghosts ? want[i] : least + ghosts + 1;
        config->block[i] = smaller(config->block[i], config->size[i] + ghosts);
        if (config->block[i] <= ghosts)
            config->block[i] = ghosts + 1;
    }
}

static void set_config(struct gzk_config *config, const struct gzk_device *device,
                       enum gzk_variant variant, int height)
{
    config->variant = variant;
    config->height = height;
    config->sync = GZ_SYNC_RESTART;
    set_block(config, device, variant == GZK_TRAPEZOID ? height : 0);
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
}

/* "16x8": what the environment says about the block. */
static void read_block(struct gzk_config *config, const struct gzk_device *device)
{
    const char *text = getenv("GZ_BLOCK");
    int block[3] = {1, 1, 1};
    if (!text || sscanf(text, "%dx%dx%d", &block[0], &block[1], &block[2]) < 1)
        return;
    for (int i = 0; i < config->stencil->dimensions; i++)
        if (block[i] > 0)
            config->block[i] = block[i];
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
}

static bool fits(const struct gzk_config *config, const struct gzk_device *device)
{
    struct gzk_geometry geometry;
    struct gzk_error error;
    return gzk_geometry_make(config, &geometry, &error) == 0 &&
           geometry.local_bytes <= device->info.local_bytes;
}

/* Shrinks the rows of a tile until it fits. */
static bool make_fit(struct gzk_config *config, const struct gzk_device *device)
{
    for (int i = 0; i < 64 && !fits(config, device); i++) {
        int axis = i % 3;
        int ghosts = 2 * config->stencil->radius[axis] * config->height;
        config->block[axis] = ghosts + (config->block[axis] - ghosts + 1) / 2;
        gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    }
    return fits(config, device);
}

/* The fastest of a few, each run for a few loops. */
static int measure(struct gzk_session *session, struct gzk_device *device,
                   const struct gzk_config *base, struct gzk_config *best, double *tried_s)
{
    static const int flat[] = {0, 4, 8}, deep[] = {0, 1, 2};
    const int *heights = base->stencil->dimensions < 3 ? flat : deep;
    double fastest = 0;
    struct gzk_error error;

    for (int i = 0; i < 3; i++) {
        struct gzk_config config = *base;
        double seconds;
        set_config(&config, device, heights[i] ? GZK_TRAPEZOID : GZK_NAIVE,
                   heights[i] ? heights[i] : 1);
        config.loops = 8;
        if (!make_fit(&config, device))
            continue;
        if (gzk_session_run(session, &config, &never, &seconds, &error) != 0)
            continue;
        if (fastest > 0 && seconds >= fastest)
            continue;
        fastest = seconds;
        *tried_s = seconds / (double)config.loops;
        *best = config;
    }
    return fastest > 0 ? 0 : -1;
}

/* What is kept on disk of a choice. Whoever changes it can make a run slower, but no result wrong:
 * the values are checked as any configuration is. */
struct kept {
    int variant, height, block[3];
    double seconds; /* per loop */
};
static const struct gzk_cache plans = {"gzstencil", ".plan"};

/* Everything that the choice depends on: device, sizes up to the next power of two, stencil. To be
 * freed; NULL if memory is short. */
static char *key_of(const struct gzk_device *device, const struct gzk_config *config)
{
    const struct gzk_stencil *s = config->stencil;
    size_t length = strlen(s->body) + 2000;
    char *key = malloc(length);
    int class[3];

    for (int i = 0; i < 3; i++)
        for (class[i] = 0; 1L << class[i] < config -> size[i];)
            class[i]++;
    if (key)
        snprintf(key, length,
                 "gzstencil plan 1\n%.100s\n%.300s\n%.300s\n%d %zu %d\nsize %d %d %d\n"
                 "%d %d %d %d %d %d %d %d %d %d\n%s",
                 device->info.address, device->info.name, device->info.driver,
                 device->info.max_threads, (size_t)device->info.local_bytes, device->info.is_cpu,
                 class[0], class[1], class[2], s -> dimensions, (int)s -> type, (int)s -> edge[0],
                 s -> radius[0], s -> radius[1], s -> radius[2], s -> coefficient_arrays,
                 s -> step_arrays, s -> coefficients, config -> contract, s -> body);
    return key;
}

/* Whether a configuration that was kept may be used for this grid. */
static bool use_kept(const struct kept *kept, const struct gzk_device *device,
                     struct gzk_config *config)
{
    const int most_height = 1024, most_cells = 1 << 26;
    double cells = 1;
    bool tiled = kept->variant == GZK_TRAPEZOID;

    if ((!tiled && kept->variant != GZK_NAIVE) || kept->height < 1 || kept->height > most_height ||
        (!tiled && kept->height != 1) || !(kept->seconds > 0))
        return false;
    for (int i = 0; i < 3; i++) {
        if (kept->block[i] < 1 || kept->block[i] > most_cells)
            return false;
        cells *= kept->block[i];
    }
    if (cells > most_cells)
        return false;
    config->variant = tiled ? GZK_TRAPEZOID : GZK_NAIVE;
    config->height = kept->height;
    config->sync = GZ_SYNC_RESTART;
    for (int i = 0; i < 3; i++) {
        int ghosts = tiled ? 2 * config->stencil->radius[i] * kept->height : 0;
        config->block[i] = smaller(kept->block[i], config->size[i] + ghosts);
    }
    gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    return fits(config, device);
}

static bool read_kept(const struct gzk_device *device, struct gzk_choice *choice)
{
    struct gzk_config config = choice->config;
    struct kept kept;
    size_t size = 0;
    char *key = key_of(device, &config);
    void *bytes = key ? gzk_cache_get_from(&plans, key, &size) : NULL;
    bool used = bytes && size == sizeof kept;

    if (used) {
        memcpy(&kept, bytes, sizeof kept);
        used = use_kept(&kept, device, &config);
    }
    free(bytes);
    free(key);
    if (!used)
        return false;
    choice->config = config;
    choice->tried_s = kept.seconds;
    choice->from_cache = true;
    return true;
}

static void write_kept(const struct gzk_device *device, const struct gzk_choice *choice)
{
    const struct gzk_config *config = &choice->config;
    struct kept kept;
    char *key = key_of(device, config);

    memset(&kept, 0, sizeof kept);
    kept.variant = (int)config->variant;
    kept.height = config->height;
    memcpy(kept.block, config->block, sizeof kept.block);
    kept.seconds = choice->tried_s;
    if (key)
        gzk_cache_put_into(&plans, key, &kept, sizeof kept);
    free(key);
}

/* Whether trying a few is worth it: GZ_TRY, or else that the run is long. */
static bool is_worth_trying(bool is_long)
{
    const char *text = getenv("GZ_TRY");
    return text && *text ? strcmp(text, "0") != 0 : is_long;
}

static struct memory *recall(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    for (struct memory *m = memories; m; m = m->next)
        if (m->body == stencil->body && memcmp(m->size, data->size, sizeof m->size) == 0)
            return m;
    return NULL;
}

static void remember(const struct gzk_stencil *stencil, const struct gzk_data *data,
                     const struct gzk_choice *choice)
{
    struct memory *memory = malloc(sizeof *memory);
    if (!memory)
        return;
    memory->body = stencil->body;
    memcpy(memory->size, data->size, sizeof memory->size);
    memory->choice = *choice;
    memory->next = memories;
    memories = memory;
}

/* Whether the model chose, for the device file that the environment names. A file that it cannot
 * use is told, and does not stop the run. */
static bool model_chose(const struct gzk_device *device, struct gzk_choice *choice)
{
    const char *file = getenv("GZ_DEVICE_FILE");
    struct gzk_config config = choice->config;
    gz_error reason;

    if (!file || !*file)
        return false;
    set_config(&config, device, GZK_TRAPEZOID, 1);
    make_fit(&config, device);
    if (gzk_choose_by_model(file, device, &config, &choice->predicted_s, &reason) != 0) {
        fprintf(stderr, "gzstencil: GZ_DEVICE_FILE: %s\n", reason.text);
        return false;
    }
    choice->config = config;
    return make_fit(&choice->config, device);
}

/* The height that the environment or the annotation asks for, 0 if none. */
static int asked_height(int annotated)
{
    const char *text = getenv("GZ_HEIGHT");
    int height = text ? atoi(text) : 0;
    return height > 0 ? height : annotated;
}

int gzk_choose(struct gzk_session *session, struct gzk_device *device,
               const struct gzk_stencil *stencil, const struct gzk_data *data, int height,
               bool contract, struct gzk_choice *choice, struct gzk_error *error)
{
    height = asked_height(height);
    struct gzk_config *config = &choice->config;
    const struct memory *memory = recall(stencil, data);
    /* Cells times loops, and loops, from which trying three configurations of eight loops each
     * costs little in comparison; cells times loops from which a tile is worth compiling. */
    const double worth_trying = 1e9, worth_a_tile = 1e8,
                 updates = (double)data->cells * (double)data->loops;
    const long many_loops = 400;
    bool tile = height > 0 || (updates >= worth_a_tile && stencil->dimensions < 3);

    if (memory && height == 0)
        *choice = memory->choice;
    memset(choice, 0, memory && height == 0 ? 0 : sizeof *choice);
    config->stencil = stencil;
    config->contract = contract;
    config->loops = data->loops;
    memcpy(config->size, data->size, sizeof config->size);
    if (memory && height == 0)
        return 0;
    if (!height && model_chose(device, choice))
        return 0;
    set_config(config, device, tile ? GZK_TRAPEZOID : GZK_NAIVE, height ? height : tile ? 4 : 1);
    if (height)
        read_block(config, device);
    if (!make_fit(config, device))
        set_config(config, device, GZK_NAIVE, 1);
    if (!height && is_worth_trying(updates >= worth_trying && data->loops >= many_loops)) {
        struct gzk_config best;
        if (!read_kept(device, choice) &&
            measure(session, device, config, &best, &choice->tried_s) == 0) {
            *config = best;
            write_kept(device, choice);
        }
        config->loops = data->loops;
        remember(stencil, data, choice);
    }
    if (!fits(config, device))
        return gzk_fail(error, GZK_INVALID, "no tile of it fits the device");
    return 0;
}
