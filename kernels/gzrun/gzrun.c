/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzrun - runs a stencil's kernels on one device: checks and times one configuration, a list of
 * them, or those that the model expects to be best.
 */
#include "common.h"
#include "defaults.h"
#include "domains.h"
#include "exchange.h"
#include "interrupt.h"
#include "modes.h"
#include "registry.h"
#include "result.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The table of stencils, which the README repeats. */
static void list_stencils(FILE *stream)
{
    fprintf(stream, "  %-11s %-6s %-6s %-6s %-5s %-4s %-6s %-9s %s\n", "stencil", "radius", "type",
            "arrays", "step", "ops", "bytes", "edge", "what");
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        const struct gzk_stencil *s = gzk_stencils[i];
        char radius[40], edges[40];
        int length = snprintf(radius, sizeof radius, "%d", s->radius[0]);
        for (int d = 1; d < s->dim; d++)
            length +=
                snprintf(radius + length, sizeof radius - (size_t)length, "x%d", s->radius[d]);
        gzk_edges_text(s, edges, sizeof edges);
        fprintf(stream, "  %-11s %-6s %-6s %-6d %-5d %-4d %-6.0f %-9s %s\n", s->name, radius,
                gzk_type_name(s->type), gzi_loaded(&s->shape), s->step_arrays, s->operations,
                gzk_bytes_per_cell(s, 1), edges, s->summary);
    }
}

/* The rest of what --list prints. */
static int list(void)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    fputs("stencils:\n", sheet.to);
    list_stencils(sheet.to);
    fputs("variants:\n", sheet.to);
    for (int k = 0; k < gzk_variant_count; k++)
        fprintf(sheet.to, "  %-11s %s\n", gzk_variants[k].name, gzk_variants[k].summary);
    fputs("devices:\n", sheet.to);
    gzk_devices_list("  ", sheet.to);
    return cli_sheet_write(&sheet, NULL);
}

/* One run under adaptive selection, after one that only compiles what such a run needs. */
static int adapt(struct gzk_session *session, const struct gzk_config *config,
                 struct gzk_result *result, struct gzk_error *error)
{
    int most = gzk_max_height(config->stencil, config->block), status = 0;
    for (int run = 0; run < 2 && status == 0; run++)
        status =
            gzk_adaptive_run(session, config, most, &cli_interrupted, &result->adaptive, error);
    result->timing.runs = 1;
    result->timing.seconds[0] = result->adaptive.seconds;
    result->timing.seconds_per_loop = result->adaptive.seconds / (double)config->loops;
    return status;
}

/* Fields count as further planes. */
static uint64_t checksum_of(const struct gzk_stencil *stencil, const struct gzk_data *data,
                            const void *state)
{
    const int *size = data->size;
    return gzk_grid_checksum(
        (const int[3]){size[0], size[1], size[2] * gzi_fields(&stencil->shape)},
        (size_t)stencil->bytes, state);
}

/* Times what was requested, or on the host the serial reference, into the bench's state. */
static int measure(const struct gzk_bench *bench, struct gzk_result *result,
                   struct gzk_error *error)
{
    const struct gzk_options *options = bench->options;
    const struct gzk_config *config = &options->config;
    const struct gzk_serial serial = {config->stencil, &bench->data, config->loops};
    struct gzk_effort effort = gzk_effort_of(options);

    if (!bench->session)
        return gzk_time_serial(&serial, bench->state, &effort, &result->timing, error);
    int status = options->adaptive
                     ? adapt(bench->session, config, result, error)
                     : gzk_time_config(bench->session, config, &effort, &result->timing, error);
    if (status != 0)
        return status;
    return options->verify ? gzk_bench_compare(bench, &result->comparison, error)
                           : gzk_session_read(bench->session, bench->state, error);
}

static int conclude(const struct gzk_bench *bench, struct gzk_result *result)
{
    const struct gzk_options *options = bench->options;
    struct gzk_error error = {0};

    result->options = options;
    result->compared = options->verify;
    gzk_show(options, "timing");
    if (gzk_geometry_make(&options->config, &result->geometry, &error) != 0 ||
        measure(bench, result, &error) != 0)
        return gzk_complain(&error);
    gzk_show(options, "");
    if (options->checksum)
        result->checksum = checksum_of(options->config.stencil, &bench->data, bench->state);
    return gzk_result_write(result, &bench->data, bench->state);
}

/* Runs the serial reference. */
static int run_on_host(struct gzk_options *options)
{
    static const struct gzk_device_info host = {
        .address = "host", .name = "one thread of the host", .driver = "plain C", .is_cpu = true};
    /* static for its thousand times */
    static struct gzk_result result = {.device = &host, .build = {.registers = -1}};
    struct gzk_bench bench;

    int status = gzk_bench_open(NULL, options, &bench);
    if (status == CLI_DONE)
        status = conclude(&bench, &result);
    gzk_bench_close(&bench);
    return status;
}

/* Says which default was chosen, if one was. */
static void say_default(const struct gzk_options *options, const struct gzk_device_info *device)
{
    const struct gzk_config *config = &options->config;
    if (options->quiet || options->block_given || !gzk_has_device_tiles(config->variant))
        return;
    fprintf(stderr,
            "gzrun: chose %s\n"
            "gzrun: model gz2: by the built-in file %s\n",
            gzk_tile_phrase(config).text, gzk_builtin_name(device, device->is_cpu));
}

/* Runs on an open device. */
static int run(const struct gzk_where *where, struct gzk_options *options)
{
    struct gzk_device *device = where->device;
    static struct gzk_result result; /* static for its thousand times */
    const struct gzk_program *program;
    struct gzk_config *config = &options->config;
    struct gzk_bench bench;
    struct gzk_error error = {0};
    int status = gzk_check_memory(options, &device->info, options->verify ? 3 : 1);

    if (status == CLI_DONE && options->plan)
        status = gzk_tune_again(where, options);
    if (status != CLI_DONE)
        return status;
    if (!gzk_choose_open(where, options)) {
        gzk_settle_on_device(options, &device->info, config);
        say_default(options, &device->info);
    }
    gzk_show(options, "compiling");
    if (gzk_device_program(device, config, &program, &error) != 0)
        return gzk_complain(&error);
    status = gzk_bench_open(device, options, &bench);
    if (status == CLI_DONE) {
        result.device = &device->info;
        result.bandwidth = gzk_measured_bandwidth(where);
        device->backend->report(program, &result.build);
        status = conclude(&bench, &result);
    }
    gzk_bench_close(&bench);
    return status;
}

/* Refuses what no device could do, before one is looked for. */
static int check(const struct gzk_options *options)
{
    struct gzk_config config = options->config;
    struct gzk_geometry geometry;
    struct gzk_error error = {0};

    /* Tiles that follow from the device are checked when it is open. */
    if (gzk_has_device_tiles(config.variant) && !options->block_given && config.stencil->dim > 1)
        return CLI_DONE;
    if (options->piece > 0)
        gzk_set_piece(&config, options->piece);
    if (!options->threads_given)
        gzk_default_threads(&config, 1024, true);
    return gzk_geometry_make(&config, &geometry, &error) == 0 ? CLI_DONE : gzk_complain(&error);
}

int main(int argc, char **argv)
{
    static struct gzk_options options; /* static for its lists */
    struct gzk_compilers compilers = {.count = 0};
    struct gzk_where where = {.compilers = &compilers};
    struct gzk_error error;

    int status = gzk_options_read(argc, argv, &options);
    if (status == CLI_DONE && options.list)
        status = list();
    bool ends = options.ended || options.list;
    if (status == CLI_DONE && (ends || !options.ranks_given) && gzk_check_alone(&error) != 0)
        return gzk_complain(&error);
    if (status != CLI_DONE || ends)
        return status;
    if (options.tune)
        gzk_compilers_start(&compilers, GZ_TUNER_AHEAD, 1);
    cli_catch_interrupts();
    bool listed = gzk_space_points(&options.space) > 1;
    status = listed ? CLI_DONE : check(&options);
    if (status != CLI_DONE)
        return status;
    if (options.ranks_given)
        return gzk_run_ranks(&options);
    if (gzk_variants[options.config.variant].on_host)
        return run_on_host(&options);
    if (options.tune)
        status = gzk_tune_check(&options);
    if (status == CLI_DONE)
        status = gzk_where_open(&options, &where);
    if (status != CLI_DONE)
        return status;
    if (options.tune)
        status = gzk_tune(&where, &options);
    else if (listed)
        status = gzk_sweep(&where, &options);
    else
        status = run(&where, &options);
    gzk_where_close(&where);
    gzk_compilers_stop(&compilers);
    return status;
}
