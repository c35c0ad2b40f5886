/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * device_study.c - what the studies share that time kernels on a device (see device_study.h).
 */
#include "device_study.h"

#include "files.h"
#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t data_seed = 1;

/* --------------------------------------------------------------------------------- command line */

enum own_bit { OWN_SMALL = CLI_FIRST_OWN, OWN_FORCE = CLI_FIRST_OWN << 1 };

/* What the options store. */
typedef struct given {
    const char *on;
    double budget_s;
} given;

static const struct cli_option own_options[] = {
    {CLI_UNASKED, 0, "on", "ADDRESS", "the device itself (default: the one of the file's name)",
     .as = CLI_TEXT, .at = offsetof(given, on)},
    {OWN_SMALL, 0, "small", NULL, "small grids, few points", .as = CLI_FLAG},
    {CLI_UNASKED, 0, "budget", "SECONDS", "on the device for one point (default 0.25)",
     .as = CLI_REAL, .at = offsetof(given, budget_s), .least = 0.001, .most = 3600},
    {OWN_FORCE, 0, "force", NULL, "replace a table that is there", .as = CLI_FLAG},
    {0},
};

/* Reads the command line into `s`; ends the program if it is wrong or needs nothing more. */
static const char *read_command_line(device_study *s, int argc, char **argv)
{
    given own = {.budget_s = 0.25};
    char usage[600];
    const struct cli_program program = {
        .name = s->table.spec.name,
        .usage = usage,
        .more = "Exit status: 0 done, 1 failed or interrupted, 2 the command line or an input was\n"
                "wrong, 77 no such device here.\n",
        .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP | CLI_VERSION,
        .own = own_options,
        .own_into = &own,
    };
    struct cli_options options;
    snprintf(
        usage, sizeof usage,
        "Usage: %s -d FILE -o TABLE\n\nTimes kernels on the device that the file describes, as "
        "gz-calibrate wrote it, and\nwrites a TSV: %s.\n",
        s->table.spec.name, s->table.spec.what);
    int status;
    if (!cli_begin(&program, argc, argv, &options, &status))
        exit(status);
    if (options.word_count > 0)
        exit(cli_fail(CLI_BAD_INPUT, "what is \"%.60s\"? see --help", options.words[0]));
    if (!options.device)
        exit(cli_fail(CLI_BAD_INPUT, "no device: give its file by -d, as gz-calibrate writes it"));
    const struct cli_file files[] = {{"-d", options.device, false}, {"-o", options.output, true}};
    status = cli_check_files(files, sizeof files / sizeof *files);
    if (!status)
        status = cli_check_replaces("-o", options.output, (options.given & OWN_FORCE) != 0);
    if (status)
        exit(status);
    s->file = options.device;
    s->small = (options.given & OWN_SMALL) != 0;
    s->budget_s = own.budget_s;
    s->table.out_path = options.output;
    return own.on;
}

/* ----------------------------------------------------------------------------------- the device */

static void open_device(device_study *s, const char *address)
{
    gz_error why;
    struct gzk_error error = {0};
    if (gz_device_open(s->file, &s->table.device, &why))
        exit(cli_fail(CLI_BAD_INPUT, "%s", why.text));
    if (address ? gzk_device_open(address, &s->device, &error) != 0
                : gzk_device_open_described(&s->table.device, &s->device, &error) != 0)
        exit(cli_fail(error.status, "%s%s", error.text,
                      address ? "" : ": give its address by --on, or calibrate"));
}

/* What is needed to run it again. */
static void describe(device_study *s, int argc, char **argv)
{
    const struct gzk_device_info *info = &s->device->info;
    fprintf(s->table.notes.to, "# address: %s\n# driver: %s\n# units: %d\n", info->address,
            info->driver, info->units);
    cli_write_call(s->table.notes.to, argc, argv);
}

const struct gzk_stencil *device_study_app(device_study *s, const char *name, gz_app *app)
{
    const struct gzk_stencil *stencil = gzk_stencil_find(name);
    gz_error error;
    if (!stencil)
        exit(cli_fail(CLI_BAD_INPUT, "%s: no stencil of that name; see gzrun --list", name));
    if (gz_app_open(name, s->file, app, &error))
        exit(cli_fail(CLI_BAD_INPUT, "%s", error.text));
    if (app->dim != stencil->dim)
        exit(cli_fail(CLI_BAD_INPUT, "%s: %d dimensions: the stencil has %d", name, app->dim,
                      stencil->dim));
    if (!gz_profile_matches(&s->table.device, app))
        study_note(&s->table, "%s: instructions converted from %s", name, app->profile_device);
    return stencil;
}

/* -------------------------------------------------------------------------------------- points */

void device_grid_open(device_study *s, const char *stencil, int edge, long loops, device_grid *grid)
{
    struct gzk_error error = {0};
    int size[3] = {1, 1, 1};
    *grid = (device_grid){.s = s};
    grid->stencil = device_study_app(s, stencil, &grid->app);
    for (int i = 0; i < grid->stencil->dim; i++)
        size[i] = edge;
    if (gzk_grid_open(&grid->of, s->device, grid->stencil, size, loops, data_seed, &error) != 0)
        exit(cli_fail(error.status, "%s", error.text));
}

void device_grid_close(device_grid *grid)
{
    gzk_grid_close(&grid->of);
}

struct gzk_config device_grid_config(const device_grid *grid, const int block[3], int height,
                                     long loops)
{
    struct gzk_config config = {.stencil = grid->stencil,
                                .block = {1, 1, 1},
                                .threads = {1, 1, 1},
                                .height = height,
                                .loops = loops,
                                .contract = true};
    memcpy(config.size, grid->of.data.size, sizeof config.size);
    for (int i = 0; i < grid->stencil->dim; i++)
        config.block[i] = block[i];
    return config;
}

static int measure_serial(device_grid *grid, long loops, struct gzk_timing *timing,
                          struct gzk_error *error)
{
    void *state = cli_room(grid->of.data.cells, (size_t)grid->stencil->bytes);
    int status = gzk_time_serial(
        &(struct gzk_serial){grid->stencil, &grid->of.data, loops}, state,
        &(struct gzk_effort){.budget_s = grid->s->budget_s, .stop = &cli_interrupted}, timing,
        error);
    free(state);
    return status;
}

bool device_grid_time(device_grid *grid, const struct gzk_config *config, device_time *time)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_config whole = *config;
    struct gzk_error error = {0};
    device_study *s = grid->s;
    gzk_default_block(&whole);
    gzk_default_threads(&whole, s->device->info.max_threads, s->device->info.is_cpu);
    int status = gzk_variants[whole.variant].on_host
                     ? measure_serial(grid, whole.loops, &timing, &error)
                     : gzk_time_config(
                           grid->of.session, &whole,
                           &(struct gzk_effort){.budget_s = s->budget_s, .stop = &cli_interrupted},
                           &timing, &error);
    if (status == GZK_INVALID) {
        study_note(&s->table, "left out: %s", error.text);
        return false;
    }
    if (status)
        exit(cli_fail(status, "%s", error.text));
    *time = (device_time){.seconds = timing.seconds_per_loop,
                          .low = timing.quartile[0],
                          .high = timing.quartile[1],
                          .runs = timing.runs};
    return true;
}

int main(int argc, char **argv)
{
    device_study s = {0};
    study_begin(&s.table, study_own);
    const char *address = read_command_line(&s, argc, argv);
    cli_catch_interrupts();
    open_device(&s, address);
    describe(&s, argc, argv);
    device_study_rows(&s);
    study_write(&s.table);
    study_close(&s.table);
    gzk_device_close(s.device);
    return 0;
}
