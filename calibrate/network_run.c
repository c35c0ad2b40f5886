/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network_run.h"

#include "files.h"
#include "interrupt.h"
#include "network.h"
#include "options.h"
#include "output.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cli_progress bar;

static int fail(const struct gzk_error *error)
{
    cli_progress_end(&bar);
    return cli_fail(error->status, "%s", error->text);
}

/* A file that is there must be a network's. */
static int check_output(const struct gzc_network_job *job)
{
    gz_network net;
    gz_error why;
    if (!job->output || strcmp(job->output, "-") == 0)
        return CLI_DONE;
    if (!job->force && access(job->output, F_OK) == 0 &&
        gz_network_open(job->output, &net, &why) != GZ_OK)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: is there and no network file: give another -o, or --force",
                        job->output);
    return cli_check_writable(job->output);
}

static void print_quantity(FILE *to, const char *key, const char *unit, struct gzc_estimate e)
{
    fprintf(to, "  %-16s %11.4g %9.2g  %s\n", key, e.value, e.sd, unit);
}

static int print_table(const char *name, const struct gzc_network *network, int count)
{
    struct cli_sheet sheet;
    if (cli_sheet_open(&sheet) != CLI_DONE)
        return CLI_FAILED;
    fprintf(sheet.to, "%s\n  %-16s %11s %9s  %s\n", name, "quantity", "value", "sd", "unit");
    print_quantity(sheet.to, "latency", "s", network->latency);
    print_quantity(sheet.to, "message_cost", "s", network->message_cost);
    print_quantity(sheet.to, "bandwidth", "B/s", network->bandwidth);
    print_quantity(sheet.to, "pack_bandwidth", "B/s", network->pack_bandwidth);
    print_quantity(sheet.to, "overlap", "1", network->overlap);
    fprintf(sheet.to, "%d exchanges, of which half are within %.0f %% of these\n", count,
            100 * network->misfit);
    return cli_sheet_write(&sheet, NULL);
}

/* What rank 0 makes of the times. */
static int conclude(const struct gzc_network_job *job, const char *device, int ranks,
                    const struct gzc_exchanged *exchanged, int count)
{
    struct gzc_network network;
    struct gzk_error error;
    char name[GZ_NAME_SIZE], note[1000];
    bool to_stdout = job->output && strcmp(job->output, "-") == 0;

    cli_progress_end(&bar);
    if (gzc_network_fit(exchanged, count, &network, &error) != 0)
        return fail(&error);
    snprintf(name, sizeof name, "%d ranks, %.40s", ranks, device);
    snprintf(note, sizeof note,
             "%s: %d exchanges of halos, of which half are within %.0f %% of this", job->command,
             count, 100 * network.misfit);
    char *text = gzc_network_text(&network, name, note);
    if (!text)
        return cli_fail(CLI_FAILED, "out of memory");
    int status = job->output ? cli_write(job->output, text, strlen(text)) : CLI_DONE;
    if (status == CLI_DONE && job->json)
        status = cli_write(NULL, text, strlen(text));
    else if (status == CLI_DONE && !to_stdout)
        status = print_table(name, &network, count);
    free(text);
    return status;
}

static int measure(const struct gzc_network_job *job, struct gzk_exchange *exchange,
                   struct gzk_device *device)
{
    static struct gzc_exchanged exchanged[GZC_MOST_EXCHANGES];
    struct gzk_error error;
    bool first = exchange->rank == 0;
    int count;
    const struct gzc_network_request request = {job->quick, &bar, &cli_interrupted};

    cli_progress_start(&bar, gzc_network_cases(exchange->ranks), job->quiet || !first);
    int status = gzc_network_time(device, exchange, &request, exchanged, &count, &error);
    if (status != 0) {
        status = fail(&error);
        exchange->kind->abandon(exchange, status);
    }
    return first ? conclude(job, device->info.name, exchange->ranks, exchanged, count) : CLI_DONE;
}

/* Each rank opens its device and looks at what it will need. */
static int prepare(const struct gzc_network_job *job, const struct gzk_exchange *exchange,
                   struct gzk_device **device)
{
    char address[40];
    struct gzk_error error;
    if (exchange->rank == 0 && check_output(job) != CLI_DONE)
        return CLI_BAD_INPUT;
    const char *next = gzk_device_in_turn(exchange->node_rank, address);
    return gzk_device_open(job->device ? job->device : next, device, &error) == 0 ? CLI_DONE
                                                                                  : fail(&error);
}

int gzc_network_run(const struct gzc_network_job *job)
{
    struct gzk_exchange exchange = {.request = job->request};
    struct gzk_device *device = NULL;
    struct gzk_error error;
    char name[40];

    if (gzk_exchange_open(&exchange, &error) != 0) {
        if (exchange.rank == 0)
            fail(&error);
        gzk_exchange_close(&exchange);
        return error.status;
    }
    int status = exchange.ranks > 1
                     ? CLI_DONE
                     : cli_fail(CLI_BAD_INPUT, "--network measures between ranks: start two at "
                                               "least, mpirun -n 2 gz-calibrate --network");
    snprintf(name, sizeof name, "gz-calibrate: rank %d", exchange.rank);
    if (status == CLI_DONE)
        cli_set_program(name);
    cli_catch_interrupts();
    if (status == CLI_DONE)
        status = gzk_exchange_agree(&exchange, prepare(job, &exchange, &device));
    if (status == CLI_DONE)
        status = gzk_exchange_agree(&exchange, measure(job, &exchange, device));
    gzk_device_close(device);
    gzk_exchange_close(&exchange);
    return status;
}
