/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "oclgrind.h"

#include "child.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    POINTS = 3, /* on the line */
    TILES = 3,  /* in each dimension, so that one at least is off the grid's edge */
};

/* Committed cells of a tile in each dimension, for stencils of 1, 2 and 3 dimensions. */
static const int committed[3] = {64, 8, 4};

/* Heights of their trapezoids: as many as there are points, but in three dimensions what leaves a
 * tile of radius 2, in double precision, within the local memory that Oclgrind has. The counts are
 * exact, so the last point may be the one before once more. */
static const int heights[3] = {POINTS, POINTS, 2};

/* A run that takes longer hangs, or the machine has no time for it. */
static const double limit_s = 30;

/* -------------------------------------------------------------------------------- the programs */

static bool executable(const char *folder, int length, const char *name, char path[PATH_MAX])
{
    int size = snprintf(path, PATH_MAX, "%.*s/%s", length, folder, name);
    return length > 0 && size < PATH_MAX && access(path, X_OK) == 0;
}

static bool in_path(const char *name, char path[PATH_MAX])
{
    const char *at = getenv("PATH");
    bool found = false;
    while (at && !found) {
        size_t length = strcspn(at, ":");
        found = executable(at, (int)length, name, path);
        at = at[length] ? at + length + 1 : NULL;
    }
    return found;
}

static bool beside_this(const char *name, char path[PATH_MAX])
{
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(own, '/');
    return slash && executable(own, (int)(slash - own), name, path);
}

int gzc_simulator_find(struct gzc_simulator *simulator, struct gzk_error *error)
{
    if (!in_path("oclgrind", simulator->oclgrind))
        return gzk_fail(error, GZK_FAILED, "oclgrind is not in PATH");
    if (!beside_this("gzrun", simulator->gzrun) && !in_path("gzrun", simulator->gzrun))
        return gzk_fail(error, GZK_FAILED,
                        "gzrun is neither beside this program nor in PATH, so Oclgrind has nothing "
                        "to run");
    return 0;
}

/* ----------------------------------------------------------------------------------- the counts */

/* Counts of one launch. */
struct histogram {
    double instructions, loads, stores, tile_loads, tile_stores;
};

/* Whether a text begins with this name. */
static bool is_named(const char *text, const char *name)
{
    return strncmp(text, name, strlen(name)) == 0;
}

/* Adds up Oclgrind's lines "COUNT - INSTRUCTION", of as many equal launches as there are headings.
 */
static bool read_histogram(const char *text, struct histogram *h)
{
    int launches = 0;
    *h = (struct histogram){0};
    for (const char *line = text; *line; line += *line == '\n') {
        static const char heading[] = "Instructions executed for kernel";
        char *end;
        double count = strtod(line, &end);
        if (strncmp(line, heading, sizeof heading - 1) == 0) {
            launches++;
        } else if (end > line && strncmp(end, " - ", 3) == 0) {
            h->instructions += count;
            h->loads += is_named(end, " - load global") ? count : 0;
            h->stores += is_named(end, " - store global") ? count : 0;
            h->tile_loads += is_named(end, " - load local") ? count : 0;
            h->tile_stores += is_named(end, " - store local") ? count : 0;
        }
        line += strcspn(line, "\n");
    }
    if (launches == 0 || !(h->instructions > 0))
        return false;
    h->instructions /= launches;
    h->loads /= launches;
    h->stores /= launches;
    h->tile_loads /= launches;
    h->tile_stores /= launches;
    return true;
}

/* "LxLxL" of the stencil's dimensions. */
static void extents(const struct gzk_config *config, const int length[3], char text[40])
{
    int at = snprintf(text, 40, "%d", length[0]);
    for (int i = 1; i < config->stencil->dimensions; i++)
        at += snprintf(text + at, 40 - (size_t)at, "x%d", length[i]);
}

/* One stage of `config` in Oclgrind, of config->loops loops. */
static int count(const struct gzc_simulator *simulator, const struct gzk_config *config,
                 const volatile sig_atomic_t *stop, struct histogram *histogram,
                 struct gzk_error *error)
{
    char size[40], block[40], threads[40], height[20], loops[20];
    extents(config, config->size, size);
    extents(config, config->block, block);
    extents(config, config->threads, threads);
    snprintf(height, sizeof height, "%d", config->height);
    snprintf(loops, sizeof loops, "%ld", config->loops);
    /* Oclgrind groups digits by the locale. Its 21.10 does not support all that -O2 and
     * restrict leave in the code. */
    const char *const words[] = {"env",
                                 "LC_ALL=C",
                                 simulator->oclgrind,
                                 "--inst-counts",
                                 "--build-options",
                                 "-O1 -DGZ_RESTRICT=",
                                 simulator->gzrun,
                                 "-q",
                                 "-d",
                                 "opencl:0",
                                 "-a",
                                 config->stencil->name,
                                 "-s",
                                 size,
                                 "-b",
                                 block,
                                 "--threads",
                                 threads,
                                 "-H",
                                 height,
                                 "--loops",
                                 loops,
                                 "--runs",
                                 "1",
                                 "--contract",
                                 "off",
                                 NULL};
    char *text = gzc_child_output("gzrun in Oclgrind", (char *const *)words, limit_s, stop, error);
    if (!text)
        return error->status;
    bool read = read_histogram(text, histogram);
    free(text);
    return read ? 0 : gzk_fail(error, GZK_FAILED, "Oclgrind printed no instruction counts");
}

int gzc_simulate(const struct gzc_simulator *simulator, const struct gzk_stencil *stencil,
                 int max_threads, bool is_cpu, const volatile sig_atomic_t *stop,
                 struct gzc_simulated *simulated, struct gzk_error *error)
{
    double steps[POINTS], instructions[POINTS], loads[POINTS], stores[POINTS];
    double tile_loads[POINTS], tile_stores[POINTS];
    struct gzk_config *config = &simulated->config;
    struct gzk_geometry geometry;
    *config = (struct gzk_config){.stencil = stencil, .height = heights[stencil->dimensions - 1]};
    for (int i = 0; i < 3; i++) {
        bool used = i < stencil->dimensions;
        int cells = used ? committed[stencil->dimensions - 1] : 1;
        config->size[i] = used ? TILES * cells : 1;
        config->block[i] = cells + 2 * stencil->radius[i] * config->height;
    }
    gzk_default_threads(config, max_threads, is_cpu);
    struct histogram histogram = {0};
    int status = 0;
    for (int k = 0; k < POINTS && status == 0; k++) {
        if (k < config->height) {
            config->loops = k + 1;
            status = count(simulator, config, stop, &histogram, error);
        }
        steps[k] = (double)config->loops;
        instructions[k] = histogram.instructions;
        loads[k] = histogram.loads;
        stores[k] = histogram.stores;
        tile_loads[k] = histogram.tile_loads;
        tile_stores[k] = histogram.tile_stores;
    }
    if (status == 0)
        status = gzk_geometry_make(config, &geometry, error);
    if (status == 0 && (!gzc_fit_line(steps, instructions, POINTS, &simulated->instructions) ||
                        !gzc_fit_line(steps, loads, POINTS, &simulated->loads) ||
                        !gzc_fit_line(steps, stores, POINTS, &simulated->stores) ||
                        !gzc_fit_line(steps, tile_loads, POINTS, &simulated->tile_loads) ||
                        !gzc_fit_line(steps, tile_stores, POINTS, &simulated->tile_stores)))
        status = gzk_fail(error, GZK_FAILED, "%s: Oclgrind's counts make no line", stencil->name);
    if (status == 0) {
        /* At the grid's edge fewer cells are computed than the block has, so by the exact number.
         */
        double loaded = (double)geometry.tile_count * geometry.tile_cells;
        double operated = gzk_count(config).operations / (double)config->loops;
        simulated->misc = simulated->instructions.intercept.value / loaded;
        simulated->iter = simulated->instructions.slope.value / operated;
        /* Whole, but for what solving leaves, which would show up in places that have none. */
        simulated->loads_iter = fabs(rint(simulated->loads.slope.value)) / operated;
    }
    return status;
}
