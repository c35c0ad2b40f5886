/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result.h"

#include "si.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <time.h>

static const char *sync_name(const struct gzk_config *config)
{
    return gzk_variants[config->variant].on_host ? "none" : gz_name(GZ_SYNCS, config->sync);
}

bool gzk_result_wrong(const struct gzk_result *result)
{
    return result->compared && result->comparison.wrong > 0;
}

struct gzk_rates gzk_rates_of(const struct gzk_config *config, double seconds_per_loop)
{
    const struct gzk_stencil *stencil = config->stencil;
    double cells = (double)config->size[0] * config->size[1] * config->size[2] / seconds_per_loop;
    return (struct gzk_rates){cells, cells * (double)gzk_stencil_bytes_per_cell(stencil),
                              cells * (stencil->red_black ? 0.5 : 1) * stencil->operations};
}

static struct gzk_rates rates_of(const struct gzk_result *result)
{
    return gzk_rates_of(&result->options->config, result->timing.seconds_per_loop);
}

static void print_extents(FILE *stream, const char *key, const int extents[3], int dimensions)
{
    fprintf(stream, "%-18s %d", key, extents[0]);
    for (int i = 1; i < dimensions; i++)
        fprintf(stream, "x%d", extents[i]);
    putc('\n', stream);
}

static void print_clock(FILE *stream, double hz, const char *of)
{
    if (hz > 0)
        fprintf(stream, "%.0f MHz %s", 1e-6 * hz, of);
    else
        fprintf(stream, "unknown %s", of);
}

/* The stages' heights in order, and what they led to. */
static void print_path(const struct gzk_adaptive *run, FILE *stream)
{
    fprintf(stream, "%-18s", "stages");
    for (int k = 0; k < run->stages; k++)
        fprintf(stream, " %d", run->stage[k].height);
    fprintf(stream, "\n%-18s %d%s\n", "best", run->height,
            run->settled ? ", both neighbours are slower" : ", not settled");
}

/* How a streamed tile is laid out, as --layout calls it; NULL for other tiles. */
static const char *layout_of(const struct gzk_config *config)
{
    if (!gzk_variants[config->variant].streamed)
        return NULL;
    return config->columns ? "columns" : "ring";
}

static void print_ranks(const struct gzk_ranks_result *ranks, int dimensions, FILE *stream)
{
    fprintf(stream, "%-18s %d, %s\n", "ranks", ranks->ranks,
            gzk_extents_text(ranks->layout, dimensions).text);
    fprintf(stream, "%-18s %ld\n", "rank_depth", ranks->depth);
    fprintf(stream, "%-18s %.4g\n", "interior_seconds", ranks->interior_s);
    fprintf(stream, "%-18s %.4g\n", "exchange_seconds", ranks->exchange_s);
    fprintf(stream, "%-18s %.4g\n", "pack_seconds", ranks->pack_s);
    fprintf(stream, "%-18s %.4g, %.6g bytes\n", "messages", ranks->messages, ranks->bytes);
}

/* As text, since readers of JSON may take numbers for doubles. */
struct checksum_text {
    char text[20];
};
static struct checksum_text checksum_text(uint64_t checksum)
{
    struct checksum_text text;
    snprintf(text.text, sizeof text.text, "%016" PRIx64, checksum);
    return text;
}

void gzk_report_text(const struct gzk_result *result, FILE *stream)
{
    const struct gzk_options *options = result->options;
    const struct gzk_config *config = &options->config;
    const struct gzk_device_info *device = result->device;
    int dimensions = config->stencil->dimensions;

    fprintf(stream, "%-18s %s\n", "app", config->stencil->name);
    fprintf(stream, "%-18s %s, %s (%s)\n", "device", device->address, device->name, device->driver);
    fprintf(stream, "%-18s ", "clocks");
    print_clock(stream, device->clock_hz, "core, ");
    print_clock(stream, device->memory_clock_hz, "memory (nominal)\n");
    fprintf(stream, "%-18s %s, %s\n", "sync", sync_name(config),
            gzk_variants[config->variant].name);
    print_extents(stream, "size", config->size, dimensions);
    print_extents(stream, "block", config->block, dimensions);
    print_extents(stream, "threads", config->threads, dimensions);
    if (layout_of(config))
        fprintf(stream, "%-18s %s\n", "layout", layout_of(config));
    print_extents(stream, "committed", result->geometry.committed, dimensions);
    fprintf(stream, "%-18s %d\n", "tiles", result->geometry.tile_count);
    fprintf(stream, "%-18s %d\n", "height", config->height);
    fprintf(stream, "%-18s %ld\n", "loops", config->loops);
    fprintf(stream, "%-18s %d\n", "runs", result->timing.runs);
    if (options->input_count == 0)
        fprintf(stream, "%-18s %llu\n", "seed", (unsigned long long)options->seed);
    if (result->build.registers >= 0)
        fprintf(stream, "%-18s %d per thread, %d bytes spilled\n", "registers",
                result->build.registers, result->build.spill_bytes);
    fprintf(stream, "%-18s %.6g\n", "seconds_per_loop", result->timing.seconds_per_loop);
    fprintf(stream, "%-18s %.3g%s\n", "spread", result->timing.spread,
            result->timing.spread > 0.02 ? ", more than 2 %: something else may use the device"
                                         : "");
    if (isfinite(result->timing.clock_hz))
        fprintf(stream, "%-18s %s right before the last run\n", "clock",
                gzk_si(result->timing.clock_hz, "Hz").text);
    fprintf(stream, "%-18s %.4g\n", "cells_per_second", rates_of(result).cells);
    fprintf(stream, "%-18s %s", "bandwidth", gzk_si(rates_of(result).bytes, "B/s").text);
    if (result->bandwidth > 0)
        fprintf(stream, ", %.0f %% of the %s measured",
                100 * rates_of(result).bytes / result->bandwidth,
                gzk_si(result->bandwidth, "B/s").text);
    fprintf(
        stream, "\n%-18s %s\n", "operations",
        gzk_si(rates_of(result).operations, config->stencil->type == GZK_INT ? "OP/s" : "FLOP/s")
            .text);
    if (options->adaptive)
        print_path(&result->adaptive, stream);
    if (result->ranks)
        print_ranks(result->ranks, config->stencil->dimensions, stream);
    if (options->checksum)
        fprintf(stream, "%-18s %s\n", "checksum", checksum_text(result->checksum).text);
    if (result->compared)
        fprintf(stream, "%-18s %s, max_error %.3g (tolerance %.3g)\n", "verified",
                gzk_result_wrong(result) ? "false" : "true", result->comparison.max_error,
                result->comparison.tolerance);
    else
        fprintf(stream, "%-18s not requested\n", "verified");
}

/* A number, or null if it is not finite: JSON has neither NaN nor infinity. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *known(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *device_object(const struct gzk_device_info *device)
{
    json_t *object = json_object();
    json_object_set_new(object, "address", json_string(device->address));
    json_object_set_new(object, "name", json_string(device->name));
    json_object_set_new(object, "driver", json_string(device->driver));
    json_object_set_new(object, "clock_hz", known(device->clock_hz));
    json_object_set_new(object, "memory_clock_hz", known(device->memory_clock_hz));
    return object;
}

static int dump(json_t *object, FILE *stream)
{
    int bad = !object || json_dumpf(object, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    putc('\n', stream);
    return bad ? GZK_FAILED : 0;
}

static json_t *path_object(const struct gzk_adaptive *run)
{
    json_t *object = json_object(), *stages = json_array();
    for (int k = 0; k < run->stages; k++) {
        json_t *stage = json_object();
        json_object_set_new(stage, "height", json_integer(run->stage[k].height));
        json_object_set_new(stage, "seconds", number(run->stage[k].seconds));
        json_array_append_new(stages, stage);
    }
    json_object_set_new(object, "best", json_integer(run->height));
    json_object_set_new(object, "settled", json_boolean(run->settled));
    json_object_set_new(object, "stages", stages);
    return object;
}

static void add_ranks(const struct gzk_ranks_result *ranks, int dimensions, json_t *object)
{
    json_object_set_new(object, "ranks", json_integer(ranks->ranks));
    json_object_set_new(object, "layout",
                        json_string(gzk_extents_text(ranks->layout, dimensions).text));
    json_object_set_new(object, "rank_depth", json_integer(ranks->depth));
    json_object_set_new(object, "interior_seconds", number(ranks->interior_s));
    json_object_set_new(object, "exchange_seconds", number(ranks->exchange_s));
    json_object_set_new(object, "pack_seconds", number(ranks->pack_s));
    json_object_set_new(object, "messages", number(ranks->messages));
    json_object_set_new(object, "bytes", number(ranks->bytes));
}

int gzk_report_json(const struct gzk_result *result, FILE *stream)
{
    const struct gzk_options *options = result->options;
    const struct gzk_config *config = &options->config;
    int dimensions = config->stencil->dimensions;
    json_t *object = json_object();

    json_object_set_new(object, "app", json_string(config->stencil->name));
    json_object_set_new(object, "device", json_string(result->device->address));
    json_object_set_new(object, "device_info", device_object(result->device));
    json_object_set_new(object, "sync", json_string(sync_name(config)));
    json_object_set_new(object, "variant", json_string(gzk_variants[config->variant].name));
    json_object_set_new(object, "size", gzk_extents_json(config->size, dimensions));
    json_object_set_new(object, "block", gzk_extents_json(config->block, dimensions));
    json_object_set_new(object, "threads", gzk_extents_json(config->threads, dimensions));
    if (layout_of(config))
        json_object_set_new(object, result->ranks ? "tile_layout" : "layout",
                            json_string(layout_of(config)));
    json_object_set_new(object, "tiles", json_integer(result->geometry.tile_count));
    json_object_set_new(object, "height", json_integer(config->height));
    json_object_set_new(object, "loops", json_integer(config->loops));
    json_object_set_new(object, "runs", json_integer(result->timing.runs));
    json_object_set_new(object, "contract", json_boolean(config->contract));
    json_object_set_new(object, "seed",
                        options->input_count ? json_null()
                                             : json_integer((json_int_t)options->seed));
    json_object_set_new(object, "registers",
                        result->build.registers >= 0 ? json_integer(result->build.registers)
                                                     : json_null());
    json_object_set_new(object, "seconds_per_loop", number(result->timing.seconds_per_loop));
    json_object_set_new(object, "spread", number(result->timing.spread));
    json_object_set_new(object, "clock_hz", number(result->timing.clock_hz));
    json_object_set_new(object, "cells_per_second", number(rates_of(result).cells));
    json_object_set_new(object, "bytes_per_second", number(rates_of(result).bytes));
    json_object_set_new(object, "operations_per_second", number(rates_of(result).operations));
    json_object_set_new(object, "measured_bandwidth", known(result->bandwidth));
    json_object_set_new(object, "verified",
                        result->compared ? json_boolean(!gzk_result_wrong(result)) : json_null());
    json_object_set_new(object, "max_error",
                        result->compared ? number(result->comparison.max_error) : json_null());
    if (result->ranks)
        add_ranks(result->ranks, dimensions, object);
    if (options->checksum)
        json_object_set_new(object, "checksum", json_string(checksum_text(result->checksum).text));
    if (options->adaptive)
        json_object_set_new(object, "adaptive", path_object(&result->adaptive));
    return dump(object, stream);
}

static json_t *measurement(const char *name, double value, const char *unit)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(name));
    json_object_set_new(object, "value", number(value));
    json_object_set_new(object, "unit", json_string(unit));
    return object;
}

static json_t *t4_configuration(const struct gzk_config *config)
{
    static const char *const block_keys[] = {"block_x", "block_y", "block_z"};
    static const char *const thread_keys[] = {"threads_x", "threads_y", "threads_z"};
    json_t *object = json_object();

    for (int i = 0; i < config->stencil->dimensions; i++) {
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
    json_t *object = json_object(), *times = json_object(), *runtimes = json_array();
    json_t *measurements = json_array(), *objectives = json_array();
    char timestamp[40] = "";
    time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc))
        strftime(timestamp, sizeof timestamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    /* The format counts its run times in milliseconds. */
    for (int i = 0; i < result->timing.runs; i++)
        json_array_append_new(runtimes, json_real(1e3 * result->timing.seconds[i]));
    json_object_set_new(times, "runtimes", runtimes);
    json_array_append_new(objectives, json_string("seconds_per_loop"));
    json_array_append_new(measurements,
                          measurement("seconds_per_loop", result->timing.seconds_per_loop, "s"));
    json_array_append_new(measurements, measurement("spread", result->timing.spread, "1"));
    json_array_append_new(measurements,
                          measurement("cells_per_second", rates_of(result).cells, "1/s"));
    if (result->compared)
        json_array_append_new(measurements,
                              measurement("max_error", result->comparison.max_error, "1"));
    json_object_set_new(object, "timestamp", json_string(timestamp));
    json_object_set_new(object, "configuration", t4_configuration(&result->options->config));
    json_object_set_new(object, "objectives", objectives);
    json_object_set_new(object, "times", times);
    json_object_set_new(object, "invalidity",
                        json_string(gzk_result_wrong(result) ? "correctness" : "correct"));
    json_object_set_new(object, "correctness", json_integer(gzk_result_wrong(result) ? 0 : 1));
    json_object_set_new(object, "measurements", measurements);
    return object;
}

int gzk_report_t4(const struct gzk_result *result, FILE *stream)
{
    const struct gzk_config *config = &result->options->config;
    json_t *object = json_object(), *metadata = json_object(), *results = json_array();

    json_object_set_new(metadata, "program", json_string("gzrun"));
    json_object_set_new(metadata, "app", json_string(config->stencil->name));
    json_object_set_new(metadata, "size",
                        gzk_extents_json(config->size, config->stencil->dimensions));
    json_object_set_new(metadata, "loops", json_integer(config->loops));
    json_object_set_new(metadata, "device", device_object(result->device));
    json_array_append_new(results, t4_result(result));
    json_object_set_new(object, "schema_version", json_string("1.0.0"));
    json_object_set_new(object, "metadata", metadata);
    json_object_set_new(object, "results", results);
    return dump(object, stream);
}
