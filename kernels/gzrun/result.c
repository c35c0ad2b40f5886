/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result.h"

#include "record.h"
#include "rodinia.h"
#include "si.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *sync_name(const struct gzk_config *config)
{
    return gzk_variants[config->variant].on_host ? "none" : gz_name(GZ_SYNCS, config->sync);
}

/* Whether the result was compared and found wrong. */
static bool is_wrong(const struct gzk_result *result)
{
    return result->compared && result->comparison.wrong > 0;
}

struct gzk_rates gzk_rates_of(const struct gzk_config *config, double seconds_per_loop)
{
    const struct gzk_stencil *stencil = config->stencil;
    double cells = (double)config->size[0] * config->size[1] * config->size[2] / seconds_per_loop;
    return (struct gzk_rates){cells, cells * gzk_bytes_per_cell(stencil, 1),
                              cells * (stencil->red_black ? 0.5 : 1) * stencil->operations};
}

static struct gzk_rates rates_of(const struct gzk_result *result)
{
    return gzk_rates_of(&result->options->config, result->timing.seconds_per_loop);
}

static json_t *device_object(const struct gzk_device_info *device)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "address", device->address, "name", device->name,
                     "driver", device->driver, "clock_hz", cli_json_known(device->clock_hz),
                     "memory_clock_hz", cli_json_known(device->memory_clock_hz));
}

/* What was run, and where. */
static void add_run(const struct gzk_result *result, struct cli_record *r)
{
    const struct gzk_options *options = result->options;
    const struct gzk_config *config = &options->config;
    const struct gzk_device_info *device = result->device;
    const char *variant = gzk_variants[config->variant].name;
    int dimensions = config->stencil->dim, registers = result->build.registers;

    cli_record_add(r, "app", NULL, json_string(config->stencil->name), NULL);
    cli_record_add(r, "device", NULL, json_string(device->address), "%s, %s (%s)", device->address,
                   device->name, device->driver);
    cli_record_add(r, "device_info", NULL, device_object(device), "%s", "");
    cli_record_add(r, "clocks", NULL, NULL, "%s core, %s memory (nominal)",
                   device->clock_hz > 0 ? cli_si(device->clock_hz, "Hz").text : "unknown",
                   device->memory_clock_hz > 0 ? cli_si(device->memory_clock_hz, "Hz").text
                                               : "unknown");
    cli_record_add(r, "sync", NULL, json_string(sync_name(config)), NULL);
    cli_record_add(r, "variant", NULL, json_string(variant), NULL);
    cli_record_add(r, "size", NULL, cli_json_extents(config->size, dimensions), NULL);
    cli_record_add(r, "block", NULL, cli_json_extents(config->block, dimensions), NULL);
    cli_record_add(r, "threads", NULL, cli_json_extents(config->threads, dimensions), NULL);
    if (gzk_variants[config->variant].streamed)
        cli_record_add(r, result->ranks ? "tile_layout" : "layout", NULL,
                       json_string(config->columns ? "columns" : "ring"), NULL);
    cli_record_add(r, "committed", NULL, cli_json_extents(result->geometry.committed, dimensions),
                   NULL);
    cli_record_add(r, "tiles", NULL, json_integer(result->geometry.tile_count), NULL);
    cli_record_add(r, "height", NULL, json_integer(config->height), NULL);
    cli_record_add(r, "loops", NULL, json_integer(config->loops), NULL);
    cli_record_add(r, "runs", NULL, json_integer(result->timing.runs), NULL);
    cli_record_add(r, "contract", NULL, json_boolean(config->contract), NULL);
    cli_record_add(r, "seed", NULL,
                   options->input_count ? json_null() : json_integer((json_int_t)options->seed),
                   NULL);
    if (registers >= 0)
        cli_record_add(r, "registers", NULL, json_integer(registers),
                       "%d per thread, %d bytes spilled", registers, result->build.spill_bytes);
    else
        cli_record_add(r, "registers", NULL, json_null(), NULL);
}

static void add_times(const struct gzk_result *result, struct cli_record *r)
{
    const struct gzk_timing *timing = &result->timing;
    const struct gzk_rates rates = rates_of(result);
    const char *operations = result->options->config.stencil->type == GZK_INT ? "OP/s" : "FLOP/s";

    cli_record_add(r, "seconds_per_loop", "s", cli_json_number(timing->seconds_per_loop), NULL);
    if (timing->runs > 1)
        cli_record_add(
            r, "spread", NULL, cli_json_number(timing->spread), "%.3g %%%s", 100 * timing->spread,
            timing->spread > 0.02 ? ", more than 2 %: something else may use the device" : "");
    else
        cli_record_add(r, "spread", NULL, cli_json_number(timing->spread), "-");
    cli_record_add(r, "clock_hz", "Hz", cli_json_known(timing->clock_hz), NULL);
    cli_record_add(r, "cells_per_second", "cells/s", cli_json_number(rates.cells), NULL);
    cli_record_add(r, "bytes_per_second", "B/s", cli_json_number(rates.bytes), NULL);
    cli_record_add(r, "operations_per_second", operations, cli_json_number(rates.operations), NULL);
    if (result->bandwidth > 0)
        cli_record_add(r, "measured_bandwidth", NULL, json_real(result->bandwidth),
                       "%s: the run has %.0f %% of it", cli_si(result->bandwidth, "B/s").text,
                       100 * rates.bytes / result->bandwidth);
    else
        cli_record_add(r, "measured_bandwidth", NULL, json_null(), NULL);
}

/* The stages' heights in order, and what they led to. */
static void add_path(const struct gzk_adaptive *run, struct cli_record *r)
{
    json_t *stages = json_array();
    for (int k = 0; k < run->stages; k++)
        json_array_append_new(stages, json_pack("{s:i, s:o}", "height", run->stage[k].height,
                                                "seconds", cli_json_number(run->stage[k].seconds)));
    cli_record_add(r, "adaptive", NULL,
                   json_pack("{s:i, s:b, s:o}", "best", run->height, "settled", run->settled,
                             "stages", stages),
                   "best %d, %s, after %d stages", run->height,
                   run->settled ? "both neighbours are slower" : "not settled", run->stages);
}

static void add_ranks(const struct gzk_ranks_result *ranks, int dimensions, struct cli_record *r)
{
    const char *layout = gzk_extents_text(ranks->layout, dimensions).text;
    cli_record_add(r, "ranks", NULL, json_integer(ranks->ranks), NULL);
    cli_record_add(r, "layout", NULL, json_string(layout), NULL);
    cli_record_add(r, "rank_depth", NULL, json_integer(ranks->depth), NULL);
    cli_record_add(r, "interior_seconds", "s", cli_json_number(ranks->interior_s), NULL);
    cli_record_add(r, "exchange_seconds", "s", cli_json_number(ranks->exchange_s), NULL);
    cli_record_add(r, "pack_seconds", "s", cli_json_number(ranks->pack_s), NULL);
    cli_record_add(r, "messages", NULL, cli_json_number(ranks->messages), NULL);
    cli_record_add(r, "bytes", "B", cli_json_number(ranks->bytes), NULL);
}

static int report(const struct gzk_result *result, FILE *to)
{
    const struct gzk_options *options = result->options;
    const struct gzk_comparison *comparison = &result->comparison;
    struct cli_record r;
    char checksum[20];

    cli_record_new(&r);
    add_run(result, &r);
    add_times(result, &r);
    if (result->compared)
        cli_record_add(&r, "verified", NULL, json_boolean(!is_wrong(result)),
                       "%s, max_error %.3g (tolerance %.3g)", is_wrong(result) ? "false" : "true",
                       comparison->max_error, comparison->tolerance);
    else
        cli_record_add(&r, "verified", NULL, json_null(), "not requested");
    cli_record_add(&r, "max_error", NULL,
                   result->compared ? cli_json_number(comparison->max_error) : json_null(), "%s",
                   "");
    if (result->ranks)
        add_ranks(result->ranks, options->config.stencil->dim, &r);
    /* As text, since readers of JSON may take numbers for doubles. */
    snprintf(checksum, sizeof checksum, "%016" PRIx64, result->checksum);
    if (options->checksum)
        cli_record_add(&r, "checksum", NULL, json_string(checksum), NULL);
    if (options->adaptive)
        add_path(&result->adaptive, &r);
    int bad = cli_record_write(&r, options->json, to);
    cli_record_free(&r);
    return bad;
}

/* ------------------------------------------------------------------------------------------ T4 */

static json_t *measurement(const char *name, double value, const char *unit)
{
    return json_pack("{s:s, s:o, s:s}", "name", name, "value", cli_json_number(value), "unit",
                     unit);
}

static json_t *t4_configuration(const struct gzk_config *config)
{
    static const char *const block_keys[] = {"block_x", "block_y", "block_z"};
    static const char *const thread_keys[] = {"threads_x", "threads_y", "threads_z"};
    json_t *object = json_object();

    for (int i = 0; i < config->stencil->dim; i++) {
        json_object_set_new(object, block_keys[i], json_integer(config->block[i]));
        json_object_set_new(object, thread_keys[i], json_integer(config->threads[i]));
    }
    json_object_set_new(object, "height", json_integer(config->height));
    json_object_set_new(object, "sync", json_string(sync_name(config)));
    json_object_set_new(object, "variant", json_string(gzk_variants[config->variant].name));
    json_object_set_new(object, "contract", json_boolean(config->contract));
    return object;
}

static json_t *t4_result(const struct gzk_result *result)
{
    json_t *runtimes = json_array(), *measurements = json_array();
    bool wrong = is_wrong(result);

    /* The format counts its run times in milliseconds. */
    for (int i = 0; i < result->timing.runs; i++)
        json_array_append_new(runtimes, json_real(1e3 * result->timing.seconds[i]));
    json_array_append_new(measurements,
                          measurement("seconds_per_loop", result->timing.seconds_per_loop, "s"));
    json_array_append_new(measurements, measurement("spread", result->timing.spread, "1"));
    json_array_append_new(measurements,
                          measurement("cells_per_second", rates_of(result).cells, "1/s"));
    if (result->compared)
        json_array_append_new(measurements,
                              measurement("max_error", result->comparison.max_error, "1"));
    return json_pack("{s:s, s:o, s:[s], s:{s:o}, s:s, s:i, s:o}", "timestamp",
                     cli_date("%Y-%m-%dT%H:%M:%SZ").text, "configuration",
                     t4_configuration(&result->options->config), "objectives", "seconds_per_loop",
                     "times", "runtimes", runtimes, "invalidity", wrong ? "correctness" : "correct",
                     "correctness", !wrong, "measurements", measurements);
}

static int report_t4(const struct gzk_result *result, FILE *stream)
{
    const struct gzk_config *config = &result->options->config;
    json_t *metadata =
        json_pack("{s:s, s:s, s:o, s:I, s:o}", "program", "gzrun", "app", config->stencil->name,
                  "size", cli_json_extents(config->size, config->stencil->dim), "loops",
                  (json_int_t)config->loops, "device", device_object(result->device));
    return cli_json_write(json_pack("{s:s, s:o, s:[o]}", "schema_version", "1.0.0", "metadata",
                                    metadata, "results", t4_result(result)),
                          stream);
}

/* --------------------------------------------------------------------------------------- files */

/* What is wrong with a result, for one that is. */
static int say_wrong(const struct gzk_comparison *comparison, size_t cells)
{
    char by[60] = "";
    if (comparison->undefined > 0)
        return cli_fail(
            CLI_FAILED,
            "--verify: %zu of %zu elements are NaN or infinite in the reference itself, so "
            "that nothing can be compared: give fewer --loops or another --input",
            comparison->undefined, cells);
    if (comparison->tolerance > 0)
        snprintf(by, sizeof by, " by more than %.3g", comparison->tolerance);
    return cli_fail(
        CLI_FAILED,
        "--verify: %zu of %zu elements differ from the reference%s%s, the first at index %zu",
        comparison->wrong, cells, by, isnan(comparison->max_error) ? " or are NaN" : "",
        comparison->first_wrong);
}

static int write_state(const struct gzk_stencil *stencil, const void *state, size_t elements,
                       const char *path)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    gzk_rodinia_write(stencil, state, elements, sheet.to);
    return cli_sheet_write(&sheet, path);
}

static int write_result(const struct gzk_result *result, const char *path,
                        int (*write)(const struct gzk_result *result, FILE *to))
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    sheet.failed = write(result, sheet.to);
    return cli_sheet_write(&sheet, path);
}

int gzk_result_write(const struct gzk_result *result, const struct gzk_data *data,
                     const void *state)
{
    const struct gzk_options *options = result->options;
    const struct gzk_stencil *stencil = options->config.stencil;
    size_t elements = gzk_state_elements(stencil, data);
    bool wrong = is_wrong(result);
    int status = CLI_DONE;

    if (options->output && !wrong)
        status = write_state(stencil, state, elements, options->output);
    if (status == CLI_DONE && options->t4)
        status = write_result(result, options->t4, report_t4);
    if (status == CLI_DONE)
        status = write_result(result, options->result, report);
    return status == CLI_DONE && wrong ? say_wrong(&result->comparison, elements) : status;
}
