/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common.h"

#include "defaults.h"
#include "interrupt.h"
#include "memory.h"
#include "rodinia.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool shown;

void gzk_show(const struct gzk_options *options, const char *text)
{
    if (options->quiet || !isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r%-40s\r%s", "", text);
    shown = *text != '\0';
}

int gzk_complain(const struct gzk_error *error)
{
    if (shown)
        fprintf(stderr, "\r%-40s\r", "");
    shown = false;
    return cli_fail(error->status, "%s", error->text);
}

void gzk_settle_on_device(const struct gzk_options *options, const struct gzk_device_info *device,
                          struct gzk_config *config)
{
    bool own_tiles = gzk_has_device_tiles(config->variant);

    if (own_tiles && !options->height_given)
        config->height = options->block_given ? gzk_default_height(config, device) : 0;
    if (own_tiles && !options->block_given)
        gzk_default_tile(config, device, options->piece);
    else if (options->piece > 0)
        gzk_set_piece(config, options->piece);
    if (!options->block_given)
        gzk_limit_block(config, device->max_threads);
    if (!options->threads_given)
        gzk_default_threads(config, device->max_threads, device->is_cpu);
    gzk_default_layout(config, device);
}

struct gzk_phrase gzk_tile_phrase(const struct gzk_config *config)
{
    struct gzk_phrase p;
    snprintf(p.text, sizeof p.text, "block %s, height %d, %s, %s",
             gzk_extents_text(config->block, config->stencil->dim).text, config->height,
             gz_name(GZ_SYNCS, config->sync), gzk_variants[config->variant].name);
    return p;
}

struct gzk_effort gzk_effort_of(const struct gzk_options *options)
{
    static const double budget_s = 2;
    return (struct gzk_effort){
        .runs = options->runs, .budget_s = budget_s, .stop = &cli_interrupted};
}

int gzk_check_memory(const struct gzk_options *options, const struct gzk_device_info *device,
                     int states)
{
    struct gzk_memory needed = gzk_memory_needed(&options->config, states);
    struct gzk_error error = {0};
    return gzk_memory_check(&needed, device, &error) == 0 ? CLI_DONE : gzk_complain(&error);
}

int gzk_make_data(const struct gzk_options *options, const struct gzk_device_info *device,
                  int states, struct gzk_data *data)
{
    const struct gzk_config *config = &options->config;
    struct gzk_error error = {0};
    int status = gzk_check_memory(options, device, states);

    if (status != CLI_DONE)
        return status;
    gzk_show(options, "preparing the arrays");
    if (gzk_data_new(data, config->stencil, config->size, config->loops, options->seed) != 0)
        gzk_fail(&error, GZK_FAILED,
                 "out of host memory for the arrays; give fewer --loops or a smaller --size");
    else if (options->input_count > 0 && gzk_rodinia_read(config->stencil, data, options->inputs,
                                                          options->input_count, &error) != 0)
        gzk_data_free(data);
    return error.status == 0 ? CLI_DONE : gzk_complain(&error);
}

int gzk_bench_open(struct gzk_device *device, const struct gzk_options *options,
                   struct gzk_bench *bench)
{
    const struct gzk_config *config = &options->config;
    struct gzk_serial serial = {config->stencil, &bench->data, config->loops};
    struct gzk_error error = {0};

    *bench = (struct gzk_bench){.options = options};
    int states = !device ? 2 : options->verify ? 3 : 1;
    int status = gzk_make_data(options, device ? &device->info : NULL, states, &bench->data);
    if (status != CLI_DONE)
        return status;
    size_t bytes = gzk_state_bytes(config->stencil, &bench->data);
    bench->state = malloc(bytes);
    bench->reference = options->verify ? malloc(bytes) : NULL;
    if (!bench->state || (options->verify && !bench->reference))
        status = gzk_fail(&error, GZK_FAILED, "out of host memory for the results");
    if (status == 0 && device)
        status = gzk_session_new(device, config->stencil, &bench->data, &bench->session, &error);
    if (status == 0 && options->verify) {
        gzk_show(options, "computing the serial reference");
        status = gzk_reference_run(&serial, bench->reference, &cli_interrupted, &error);
    }
    gzk_show(options, "");
    return status == 0 ? CLI_DONE : gzk_complain(&error);
}

int gzk_bench_compare(const struct gzk_bench *bench, struct gzk_comparison *comparison,
                      struct gzk_error *error)
{
    const struct gzk_config *config = &bench->options->config;
    struct gzk_serial serial = {config->stencil, &bench->data, config->loops};
    int status = gzk_session_read(bench->session, bench->state, error);
    if (status == 0)
        gzk_compare(&serial, bench->state, bench->reference, config->contract, comparison);
    return status;
}

void gzk_bench_close(struct gzk_bench *bench)
{
    gzk_session_free(bench->session);
    gzk_data_free(&bench->data);
    free(bench->state);
    free(bench->reference);
}
