/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ways.h"

#include "plan.h"
#include "serial.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

const struct way ways[] = {
    {"trapezoids", GZK_TRAPEZOID, GZ_SYNC_RESTART, .threads = {5, 3, 2}},
    {"trapezoids, a thread a cell", GZK_TRAPEZOID, GZ_SYNC_FENCE, .threads = {0, 0, 0}},
    {"rings", GZK_STREAM, GZ_SYNC_FENCE, .threads = {5, 3, 1}},
    {"rings, a thread a column", GZK_STREAM, GZ_SYNC_RESTART, .threads = {0, 0, 1}},
    {"rings for a CPU", GZK_STREAM, GZ_SYNC_FENCE, .threads = {1, 1, 1}, .cpu = true},
    {"rings past a CPU's cache", GZK_STREAM, GZ_SYNC_RESTART, .threads = {1, 1, 1}, .cpu = true,
     .bypass = true},
    {"rings for a CPU, threads of rows", GZK_STREAM, GZ_SYNC_RESTART, .threads = {1, 4, 1},
     .cpu = true},
    {"columns in registers", GZK_STREAM, GZ_SYNC_RESTART, .threads = {0, 0, 1}, .columns = true},
    {"two columns a thread", GZK_STREAM, GZ_SYNC_FENCE, .threads = {-2, 0, 1}, .columns = true},
    {"naive", GZK_NAIVE, GZ_SYNC_RESTART, .threads = {5, 3, 2}},
    {"column", GZK_COLUMN, GZ_SYNC_RESTART, .threads = {1, 3, 2}},
    {"cell", GZK_CELL, GZ_SYNC_RESTART, .threads = {0, 0, 0}},
    {"shared", GZK_SHARED, GZ_SYNC_RESTART, .threads = {0, 0, 0}},
};
const int way_count = sizeof ways / sizeof *ways;

bool way_applies(const struct way *way, const struct gzk_stencil *stencil,
                 const struct gzk_device_info *info)
{
    if (!gzk_variants[way->variant].streamed)
        return true;
    return stencil->dim > (way->threads[1] > 1 && way->cpu ? 2 : 1) &&
           (!way->cpu || info->is_cpu) && (!way->columns || stencil->reads.own_column);
}

/* Of a block, at most: PoCL keeps the variables of all its threads on one stack, of 8 MB. */
enum { MOST_THREADS = 2048 };

static int some(int threads, int cells)
{
    return threads > 0 ? threads : threads == 0 ? cells : (cells + 1) / 2;
}

static void set_threads(struct gzk_config *config, const struct way *way)
{
    int extent = config->stencil->dim - gzk_variants[way->variant].streamed;
    for (int i = 0; i < 3; i++)
        config->threads[i] = i < extent ? some(way->threads[i], config->block[i]) : 1;
}

struct gzk_config way_config(const struct way *way, const struct gzk_stencil *stencil, int height,
                             const int inside[3], const struct gzk_device_info *info)
{
    struct gzk_config config = {.stencil = stencil,
                                .variant = way->variant,
                                .sync = way->sync,
                                .height = height,
                                .layout = way->columns ? GZI_PLANES_COLUMNS : GZI_PLANES_RING,
                                .cpu = way->cpu,
                                .bypass = way->bypass,
                                .columns = way->columns};
    for (int i = 0; i < 3; i++) {
        bool ghost = gzk_variants[way->variant].ghost_in_block;
        bool has = i < stencil->dim;
        config.block[i] = has ? inside[i] + (ghost ? 2 * stencil->radius[i] * height : 0) : 1;
    }
    set_threads(&config, way);
    int most = info->max_threads < MOST_THREADS ? info->max_threads : MOST_THREADS;
    while (config.threads[0] * config.threads[1] * config.threads[2] > most) {
        config.block[0]--;
        set_threads(&config, way);
    }
    return config;
}

bool config_fits(struct gzk_config config, const struct gzk_device_info *info)
{
    struct gzk_geometry geometry;
    struct gzk_error ignored;
    config.loops = config.size[0] = config.size[1] = config.size[2] = 1;
    gzk_default_block(&config);
    return gzk_geometry_make(&config, &geometry, &ignored) == 0 &&
           geometry.local_bytes <= info->local_bytes;
}

static void note(const struct gzk_config *c, const char *what, const struct gzk_comparison *found)
{
    const struct gzk_stencil *s = c->stencil;
    char edges[40];
    gzk_edges_text(s, edges, sizeof edges);
    tap_note("%s, radius %d %d %d, edges %s, variant %s, sync %d, grid %dx%dx%d, block %dx%dx%d, "
             "threads %dx%dx%d, height %d, loops %ld, cpu %d, bypass %d, columns %d: %s, %zu "
             "wrong, first %zu, error %g",
             s->name, s->radius[0], s->radius[1], s->radius[2], edges,
             gzk_variants[c->variant].name, (int)c->sync, c->size[0], c->size[1], c->size[2],
             c->block[0], c->block[1], c->block[2], c->threads[0], c->threads[1], c->threads[2],
             c->height, c->loops, c->cpu, c->bypass, c->columns, what, found->wrong,
             found->first_wrong, found->max_error);
}

/* Compares the result with the reference, of three time levels the state before it, too. */
static int compare(struct gzk_session *session, const struct gzk_config *config,
                   const struct gzk_data *data, void *const arrays[3], struct gzk_comparison *found,
                   struct gzk_error *error)
{
    struct gzk_serial serial = {config->stencil, data, config->loops};
    int status = gzk_reference_sweep(&serial, arrays[1], arrays[2], NULL, error);
    int states = config->stencil->older ? 2 : 1;

    for (int age = 0; age < states && status == 0 && found->wrong == 0; age++) {
        status = gzk_session_read_age(session, age, arrays[0], error);
        if (status == 0)
            gzk_compare(&serial, arrays[0], arrays[1 + age], config->contract, found);
    }
    return status;
}

void tally_grid(struct gzk_device *device, struct gzk_config config, const long loops[3],
                uint64_t seed, struct tally *tally)
{
    struct gzk_session *session = NULL;
    struct gzk_data data = {.cells = 0};
    struct gzk_error error = {.text = ""};

    if (gzk_data_new(&data, config.stencil, config.size, loops[2], seed) != 0)
        exit(1);
    size_t bytes = gzk_state_bytes(config.stencil, &data);
    void *const arrays[3] = {malloc(bytes), malloc(bytes), malloc(bytes)};
    int status = gzk_session_new(device, config.stencil, &data, &session, &error);
    gzk_default_block(&config);
    for (int k = 0; k < 3; k++) {
        struct gzk_comparison found = {.wrong = 0};
        double seconds;
        config.loops = loops[k];
        if (status == 0)
            status = gzk_session_run(session, &config, &gzk_never, &seconds, &error);
        if (status == 0)
            status = compare(session, &config, &data, arrays, &found, &error);
        tally->runs++;
        if ((status != 0 || found.wrong > 0) && tally->wrong++ < 3)
            note(&config, status ? error.text : "ran", &found);
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    for (int i = 0; i < 3; i++)
        free(arrays[i]);
}
