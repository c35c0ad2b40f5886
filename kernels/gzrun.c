/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzrun - runs one stencil kernel on one device at one configuration: checks and times it.
 */
#include "options.h"
#include "outfile.h"
#include "report.h"
#include "rodinia.h"
#include "runner.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

/* The first interrupt ends the program after the launches in flight, the second at once. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* Shows what is going on, where somebody is looking; an empty text wipes it away. */
static void progress(const struct gzk_options *options, const char *text)
{
    if (!options->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%-40s\r%s", "", text);
}

/* The table of stencils, which the README shows as it stands here. */
static void list_stencils(FILE *stream)
{
    static const char *const edges[] = {
        [GZK_EDGE_CLAMP] = "clamp", [GZK_EDGE_ZERO] = "zero", [GZK_EDGE_PERIODIC] = "periodic"};

    fprintf(stream, "  %-11s %-6s %-6s %-6s %-5s %-4s %-6s %-9s %s\n", "stencil", "radius", "type",
            "arrays", "fresh", "ops", "bytes", "edge", "what");
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        const struct gzk_stencil *s = &gzk_stencils[i];
        char radius[40];
        int length = snprintf(radius, sizeof radius, "%d", s->radius[0]);
        for (int d = 1; d < s->dimensions; d++)
            length +=
                snprintf(radius + length, sizeof radius - (size_t)length, "x%d", s->radius[d]);
        fprintf(stream, "  %-11s %-6s %-6s %-6d %-5d %-4d %-6zu %-9s %s\n", s->name, radius,
                gzk_type_name(s->type), gzk_stencil_arrays(s), s->fresh_arrays, s->operations,
                gzk_stencil_bytes_per_cell(s), edges[s->edge], s->summary);
    }
}

static void list_devices(FILE *stream)
{
    for (size_t b = 0; gzk_backends[b]; b++)
        for (int index = 0; index < gzk_backends[b]->count(); index++) {
            struct gzk_device *device;
            struct gzk_error error = {0};
            if (gzk_backends[b]->open(index, &device, &error) != 0) {
                fprintf(stream, "  %s:%d: %s\n", gzk_backends[b]->name, index, error.text);
                continue;
            }
            fprintf(stream, "  %-11s %s (%s)\n", device->info.address, device->info.name,
                    device->info.driver);
            gzk_device_close(device);
        }
}

static int compare(const struct gzk_options *options, const struct gzk_data *data,
                   const void *state, struct gzk_result *result, struct gzk_error *error)
{
    const struct gzk_config *config = &options->config;
    void *reference = malloc(data->cells * gzk_type_bytes(config->stencil->type));

    if (!reference || gzk_reference_run(config->stencil, data, config->loops, reference) != 0) {
        free(reference);
        return gzk_fail(error, GZK_FAILED, "out of host memory for the serial reference");
    }
    gzk_compare(config->stencil, state, reference, data->cells, config->loops, config->contract,
                &result->comparison);
    result->compared = true;
    free(reference);
    return 0;
}

/* Writes a report to a file, or to stdout where `name` is NULL. */
static int write_report(const struct gzk_result *result, const char *name,
                        int (*report)(const struct gzk_result *, FILE *, struct gzk_error *),
                        struct gzk_error *error)
{
    struct gzk_outfile out;
    int status;

    if (!name) {
        status = report(result, stdout, error);
        if (status == 0 && (fflush(stdout) != 0 || ferror(stdout)))
            status = gzk_fail(error, GZK_FAILED, "stdout: the result cannot be written");
        return status;
    }
    status = gzk_outfile_open(&out, name, error);
    if (status != 0)
        return status;
    status = report(result, out.stream, error);
    if (status == 0)
        return gzk_outfile_close(&out, error);
    gzk_outfile_discard(&out);
    return status;
}

static int text_report(const struct gzk_result *result, FILE *stream, struct gzk_error *error)
{
    (void)error;
    gzk_report_text(result, stream);
    return 0;
}

/* Writes all that was asked for. A state that was found wrong is not written. */
static int write_results(const struct gzk_result *result, const struct gzk_data *data,
                         const void *state, struct gzk_error *error)
{
    const struct gzk_options *options = result->options;
    int status = 0;

    if (options->output && !gzk_result_wrong(result))
        status =
            gzk_rodinia_write(options->config.stencil, state, data->cells, options->output, error);
    if (status == 0 && options->t4)
        status = write_report(result, options->t4, gzk_report_t4, error);
    if (status == 0)
        status = write_report(result, options->result,
                              options->json ? gzk_report_json : text_report, error);
    if (status == 0 && gzk_result_wrong(result)) {
        const struct gzk_comparison *comparison = &result->comparison;
        status = gzk_fail(error, GZK_FAILED,
                          "--verify: %zu of %zu cells differ from the reference by more than %.3g, "
                          "the first at index %zu",
                          comparison->wrong, data->cells, comparison->tolerance,
                          comparison->first_wrong);
    }
    return status;
}

static int measure(struct gzk_session *session, const struct gzk_options *options,
                   const struct gzk_data *data, struct gzk_result *result, struct gzk_error *error)
{
    void *state;
    int status;

    progress(options, "timing");
    status = gzk_measure(session, &options->config, options->runs, options->budget_s, &stop,
                         &result->timing, error);
    if (status != 0)
        return status;
    state = malloc(data->cells * gzk_type_bytes(options->config.stencil->type));
    if (!state)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    status = gzk_session_read(session, state, error);
    if (status == 0 && options->verify) {
        progress(options, "computing the serial reference");
        status = compare(options, data, state, result, error);
    }
    progress(options, "");
    if (status == 0)
        status = write_results(result, data, state, error);
    free(state);
    return status;
}

/* Runs on an open device. */
static int run(struct gzk_device *device, struct gzk_options *options, struct gzk_error *error)
{
    static struct gzk_result result; /* static for its thousand times */
    const struct gzk_program *program;
    struct gzk_config *config = &options->config;
    struct gzk_session *session = NULL;
    struct gzk_data data = {0};
    int status;

    if (!options->threads_given)
        gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    progress(options, "compiling");
    status = gzk_device_program(device, config, &program, error);
    if (status != 0)
        return status;
    progress(options, "preparing the arrays");
    if (gzk_data_new(&data, config->stencil, config->size, config->loops, options->seed) != 0)
        return gzk_fail(error, GZK_FAILED,
                        "out of host memory for the arrays; fewer --loops or a smaller --size");
    if (options->input_count > 0)
        status =
            gzk_rodinia_read(config->stencil, &data, options->inputs, options->input_count, error);
    if (status == 0)
        status = gzk_session_new(device, config->stencil, &data, &session, error);
    if (status == 0) {
        result.options = options;
        result.device = &device->info;
        gzk_geometry_make(config, &result.geometry, error);
        device->backend->report(program, &result.build);
        status = measure(session, options, &data, &result, error);
    }
    gzk_session_free(session);
    gzk_data_free(&data);
    return status;
}

int main(int argc, char **argv)
{
    struct gzk_options options;
    struct gzk_device *device = NULL;
    struct gzk_geometry geometry;
    struct gzk_error error = {0};
    int status = gzk_options_read(argc, argv, &options, &error);

    if (status == 0 && options.help) {
        fputs(gzk_options_help, stdout);
        return 0;
    }
    if (status == 0 && options.version) {
        puts("gzrun (gzmodel) 0.1.0");
        return 0;
    }
    if (status == 0 && options.list) {
        puts("stencils:");
        list_stencils(stdout);
        puts("devices:");
        list_devices(stdout);
        return 0;
    }
    catch_signals();
    /* What no device could do is said before one is looked for. */
    if (status == 0) {
        struct gzk_config config = options.config;
        if (!options.threads_given)
            gzk_default_threads(&config, 1, true);
        status = gzk_geometry_make(&config, &geometry, &error);
    }
    if (status == 0)
        status = gzk_device_open(options.device, &device, &error);
    if (status == 0)
        status = run(device, &options, &error);
    gzk_device_close(device);
    if (status != 0) {
        progress(&options, "");
        fprintf(stderr, "gzrun: %s\n", error.text);
    }
    return status;
}
