/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modes.h"

#include "common.h"
#include "files.h"
#include "interrupt.h"
#include "modelled.h"
#include "progress.h"
#include "result.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One configuration. */
struct point {
    struct gzk_config config;
    char key[160];  /* the columns that name it */
    char *text;     /* its row; NULL until it was measured */
    char *left_out; /* why it cannot run; NULL if it can */
};

struct sweep {
    const struct gzk_options *options;
    struct gzk_device *device;
    struct gzk_chooser chooser;
    bool predicts; /* the device is calibrated */
    gz_model model;
    gz_error why; /* it is that one */
    struct gzk_bench bench;
    struct point *points;
    long count, measured, left_out, wrong;
};

/* The columns, and what they hold, as plots/check.awk reads it. */
static const char *const columns[][2] = {
    {"variant", "text, a name of gzrun --list"},
    {"sync", "text, restart, fence or graph"},
    {"block", "text, elements of a tile, ghost zone included"},
    {"threads", "text, threads of a block"},
    {"height", "loops of a stage"},
    {"tiles", "tiles of a stage"},
    {"seconds_per_loop", "s, median of the runs"},
    {"spread", "1, interquartile range over median"},
    {"runs", "timed runs"},
    {"predicted_seconds_per_loop", "s, nan if no model describes it"},
    {"cells_per_second", "1/s"},
    {"bytes_per_second", "B/s, what a loop must move at least"},
    {"operations_per_second", "1/s"},
    {"verified", "1 right, 0 wrong, nan if not compared"},
    {"max_error", "largest difference from the reference, nan if not compared"},
    {"clock_hz", "Hz, of the multiprocessors before the last run, nan if the device does not tell"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* -------------------------------------------------------------------------------------- points */

/* Fills what a point's variant leaves open, and its name. */
static void name_point(const struct sweep *s, struct point *point)
{
    struct gzk_config *config = &point->config;
    const struct gzk_device_info *info = &s->device->info;
    int dimensions = config->stencil->dim;

    gzk_default_block(config);
    gzk_settle_on_device(s->options, info, config);
    snprintf(point->key, sizeof point->key, "%s\t%s\t%s\t%s\t%d\t",
             gzk_variants[config->variant].name, gz_name(GZ_SYNCS, config->sync),
             gzk_extents_text(config->block, dimensions).text,
             gzk_extents_text(config->threads, dimensions).text, config->height);
}

/* All combinations. A variant of one loop at a time has no heights: it gets height 1. */
static int make_points(struct sweep *s)
{
    const struct gzk_options *options = s->options;
    const struct gzk_space *space = &options->space;
    int blocks = space->block_count ? space->block_count : 1;
    int heights = space->heights.count ? (int)space->heights.count : 1;

    s->points = calloc((size_t)gzk_space_points(space), sizeof *s->points);
    if (!s->points)
        return cli_fail(CLI_FAILED, "out of host memory for %ld configurations",
                        gzk_space_points(space));
    for (int v = 0; v < gzk_variant_count; v++)
        for (int y = 0; y < gzk_sync_count; y++)
            for (int b = 0; b < blocks; b++)
                for (int h = 0; h < heights && space->variants >> v & space->syncs >> y & 1; h++) {
                    struct point *point = &s->points[s->count];
                    point->config = options->config;
                    point->config.variant = (gz_variant)v;
                    point->config.sync = (gz_sync)y;
                    if (space->block_count)
                        memcpy(point->config.block, space->blocks[b], sizeof space->blocks[b]);
                    if (space->heights.count)
                        point->config.height = (int)space->heights.values[h];
                    if (!gzk_variants[point->config.variant].any_height) {
                        if (h > 0)
                            break;
                        point->config.height = 1;
                    }
                    name_point(s, point);
                    s->count++;
                }
    return CLI_DONE;
}

/* The model that predicts for a calibrated device: the one that does so for the first point that
 * any model describes. */
static void find_model(struct sweep *s, const struct gzk_where *where)
{
    struct gzk_error error;
    gz_config cfg;
    if (gzk_where_chooser(where, s->options->config.stencil, GZ_MODEL_AUTO, &s->chooser, &error) !=
        0)
        return;
    for (long k = 0; k < s->count && !s->predicts; k++) {
        s->predicts = !isnan(gzk_predict(&s->chooser, &s->points[k].config)) &&
                      gzk_to_model(&s->points[k].config, GZ_MODEL_AUTO, &cfg);
        if (s->predicts)
            s->model = gz_model_for(&s->chooser.model, &s->chooser.app, &cfg, &s->why);
    }
}

/* --------------------------------------------------------------------------------------- table */

/* What all rows have in common; a table with other lines than these is of another sweep. */
static void write_conditions(const struct sweep *s, FILE *to)
{
    const struct gzk_options *options = s->options;
    const struct gzk_config *config = &options->config;
    const struct gzk_device_info *info = &s->device->info;

    fprintf(to, "# app: %s\n# device: %s, %s (%s)\n# size: %s\n", config->stencil->name,
            info->address, info->name, info->driver,
            gzk_extents_text(config->size, config->stencil->dim).text);
    fprintf(to, "# loops: %ld\n# contract: %s\n", config->loops, config->contract ? "on" : "off");
    for (int k = 0; k < options->input_count; k++)
        fprintf(to, "# input: %s\n", options->inputs[k]);
    if (options->input_count == 0)
        fprintf(to, "# seed: %llu\n", (unsigned long long)options->seed);
    if (s->predicts)
        fprintf(to, "# predicted: for %s by model %s: %s\n", s->chooser.model.name,
                gz_name(GZ_MODELS, s->model), s->why.text);
    fprintf(to, "# verified: %s\n",
            options->verify ? "against the serial reference" : "not requested");
}

/* Every reason once, with how many it holds for. */
static void write_left_out(const struct sweep *s, FILE *to)
{
    for (long k = 0; k < s->count; k++) {
        const char *why = s->points[k].left_out;
        long alike = 0, before = 0;
        for (long j = 0; j < s->count && why; j++)
            if (s->points[j].left_out && strcmp(s->points[j].left_out, why) == 0) {
                alike++;
                before += j < k;
            }
        if (why && before == 0)
            fprintf(to, "# left out, %ld: %s\n", alike, why);
    }
}

/* To the result, or to the partial table. */
static int write_table(const struct sweep *s, bool partial)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    FILE *to = sheet.to;

    write_conditions(s, to);
    fprintf(to, "# rows: %ld of %ld configurations; %ld cannot run there\n", s->measured, s->count,
            s->left_out);
    write_left_out(s, to);
    for (int k = 0; k < COLUMNS; k++)
        fprintf(to, "# column %s: %s\n", columns[k][0], columns[k][1]);
    for (int k = 0; k < COLUMNS; k++)
        fprintf(to, "%s%s", columns[k][0], k + 1 < COLUMNS ? "\t" : "\n");
    for (long k = 0; k < s->count; k++)
        if (s->points[k].text)
            fputs(s->points[k].text, to);
    return partial ? cli_sheet_write_own(&sheet, s->options->partial)
                   : cli_sheet_write(&sheet, s->options->result);
}

/* ------------------------------------------------------------------------------------- resuming */

/* Of the numbers of a row, behind its key: */
enum { SECONDS = 1, VERIFIED = 8, NUMBERS = 11 };

static bool read_numbers(const char *text, double numbers[NUMBERS])
{
    for (int k = 0; k < NUMBERS; k++) {
        char *end;
        numbers[k] = strtod(text, &end);
        if (end == text || *end != (k + 1 < NUMBERS ? '\t' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

/* Takes over a row if it is of a point that has none yet. Returns what is wrong with it, or NULL.
 */
static const char *take_row(struct sweep *s, const char *row)
{
    for (long k = 0; k < s->count; k++) {
        struct point *point = &s->points[k];
        double numbers[NUMBERS];
        size_t key = strlen(point->key);
        if (point->text || strncmp(row, point->key, key) != 0)
            continue;
        if (!read_numbers(row + key, numbers))
            return "must have 16 columns, the last eleven of them numbers";
        if (!(numbers[SECONDS] > 0) || isinf(numbers[SECONDS]))
            return "seconds_per_loop: must be a time";
        point->text = cli_text("%s\n", row);
        s->measured += point->text != NULL;
        s->wrong += point->text != NULL && numbers[VERIFIED] == 0;
        return NULL;
    }
    return NULL;
}

/* Whether a table begins with the lines that this sweep's would begin with. */
static int check_conditions(const struct sweep *s, const char *path, const char *text)
{
    struct cli_sheet conditions;
    cli_sheet_open(&conditions);
    write_conditions(s, conditions.to);
    bool same = fclose(conditions.to) == 0 && strncmp(text, conditions.text, conditions.size) == 0;
    free(conditions.text);
    return same
               ? CLI_DONE
               : cli_fail(CLI_BAD_INPUT,
                          "--resume: %s: must begin with the app, device, size, loops and input of "
                          "this command",
                          path);
}

/* Takes over the rows of an earlier table, whose conditions must be the same. A last line without
 * an end was cut, and is not one of its rows. */
static int resume(struct sweep *s)
{
    const struct gzk_options *options = s->options;
    const char *path = options->partial && access(options->partial, F_OK) == 0 ? options->partial
                                                                               : options->result;
    char why[300];
    size_t size = 0;

    if (access(path, F_OK) != 0)
        return CLI_DONE;
    char *text = cli_read_text(path, &size, why, sizeof why);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "--resume: %s: %s", path, why);
    int status = check_conditions(s, path, text), number = 1;
    char *line = text;
    for (char *end; status == CLI_DONE && (end = strchr(line, '\n')); line = end + 1, number++) {
        *end = '\0';
        const char *wrong = take_row(s, line);
        if (wrong)
            status = cli_fail(CLI_BAD_INPUT, "--resume: %s:%d: %s", path, number, wrong);
    }
    free(text);
    return status;
}

/* ------------------------------------------------------------------------------------ measuring */

static char *row_text(const struct sweep *s, const struct point *point,
                      const struct gzk_geometry *geometry, const struct gzk_timing *timing,
                      const struct gzk_comparison *comparison)
{
    const struct gzk_config *config = &point->config;
    struct gzk_rates rates = gzk_rates_of(config, timing->seconds_per_loop);
    char error[40] = "nan";

    if (comparison)
        snprintf(error, sizeof error, "%.17g", comparison->max_error);
    return cli_text("%s%d\t%.9g\t%.3g\t%d\t%.6g\t%.9g\t%.9g\t%.9g\t%s\t%s\t%.6g\n", point->key,
                    geometry->tile_count, timing->seconds_per_loop, timing->spread, timing->runs,
                    s->predicts ? gzk_predict(&s->chooser, config) : (double)NAN, rates.cells,
                    rates.bytes, rates.operations,
                    !comparison              ? "nan"
                    : comparison->wrong == 0 ? "1"
                                             : "0",
                    error, timing->clock_hz);
}

/* Measures a point; what cannot run on this device is left out. */
static int measure(struct sweep *s, struct point *point, struct gzk_error *error)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_effort effort = gzk_effort_of(s->options);
    struct gzk_comparison comparison = {0};
    struct gzk_plan *plan;
    int status = gzk_plan_new(s->bench.session, &point->config, &plan, error);

    if (status == 0) {
        status = gzk_time_plan(plan, &effort, &timing, error);
        if (status == 0 && s->options->verify)
            status = gzk_bench_compare(&s->bench, &comparison, error);
        if (status == 0) {
            point->text = row_text(s, point, gzk_plan_geometry(plan), &timing,
                                   s->options->verify ? &comparison : NULL);
            s->measured++;
            s->wrong += comparison.wrong > 0;
        }
        gzk_plan_free(plan);
    }
    if (status == GZK_INVALID) {
        point->left_out = cli_text("%s", error->text);
        s->left_out++;
        return 0;
    }
    return status;
}

static int measure_all(struct sweep *s)
{
    struct cli_progress bar;
    struct gzk_error error = {0};
    int status = 0, written = CLI_DONE;

    cli_progress_start(&bar, (double)(s->count - s->measured), s->options->quiet);
    for (long k = 0; k < s->count && status == 0 && written == CLI_DONE; k++) {
        struct point *point = &s->points[k];
        if (point->text)
            continue;
        char what[sizeof point->key];
        strcpy(what, point->key);
        for (char *tab = what; (tab = strchr(tab, '\t'));)
            *tab = ' ';
        cli_progress_step(&bar, 1, what);
        status = measure(s, point, &error);
        if (point->text && s->options->partial)
            written = write_table(s, true);
    }
    cli_progress_end(&bar);
    if (status != 0 && s->options->partial && s->measured > 0)
        return cli_fail(error.status, "%s: %ld of %ld configurations are in %s; --resume continues",
                        cli_interrupted ? "interrupted" : error.text, s->measured, s->count,
                        s->options->partial);
    return status != 0 ? gzk_complain(&error) : written;
}

static void end(struct sweep *s)
{
    for (long k = 0; k < s->count; k++) {
        free(s->points[k].text);
        free(s->points[k].left_out);
    }
    free(s->points);
    gzk_bench_close(&s->bench);
}

int gzk_sweep(const struct gzk_where *where, const struct gzk_options *options)
{
    struct gzk_device *device = where->device;
    struct sweep s = {.options = options, .device = device};
    int status = make_points(&s);

    if (status == CLI_DONE && where->described)
        find_model(&s, where);
    if (status == CLI_DONE && options->resume)
        status = resume(&s);
    if (status == CLI_DONE)
        status = gzk_bench_open(device, options, &s.bench);
    if (status == CLI_DONE)
        status = measure_all(&s);
    if (status == CLI_DONE && s.measured == 0)
        status =
            cli_fail(CLI_BAD_INPUT, "none of the %ld configurations can run on this device: %s",
                     s.count, s.points[0].left_out);
    if (status == CLI_DONE)
        status = write_table(&s, false);
    if (status == CLI_DONE && options->partial)
        unlink(options->partial);
    if (status == CLI_DONE && s.wrong > 0)
        status = cli_fail(CLI_FAILED, "--verify: %ld of %ld results differ from the reference",
                          s.wrong, s.measured);
    end(&s);
    return status;
}
