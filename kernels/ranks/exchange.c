/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for dladdr */
#include "exchange.h"

#include "device.h"
#include "options.h"

#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------------------- open */

/* What launchers say, of how many processes they started. */
static const char *const several[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};

static bool several_started(void)
{
    for (size_t k = 0; k < sizeof several / sizeof *several; k++) {
        const char *text = getenv(several[k]);
        if (text && atol(text) > 1)
            return true;
    }
    return false;
}

int gzk_check_alone(struct gzk_error *error)
{
    return several_started()
               ? gzk_fail(error, GZK_INVALID,
                          "--ranks: must be given, without --help, --version and the like, as "
                          "several ranks were started")
               : 0;
}

/* The shared object lies in lib/gzmodel, as it was built and installed: beside the program's bin,
 * and behind the library that a program with a communicator uses. */
static void find_library(bool of_library, char *path, size_t room)
{
    char program[4000] = "";
    Dl_info here;

    if (of_library && dladdr((const void *)&several, &here))
        snprintf(program, sizeof program, "%s", here.dli_fname);
    else if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        program[0] = '\0';
    snprintf(path, room, "%s/%sgzmodel/exchange_mpi.so", dirname(program),
             of_library ? "" : "../lib/");
}

static void *open_library(bool of_library, const char **why)
{
    char path[4100];
    find_library(of_library, path, sizeof path);
    if (access(path, R_OK) != 0) {
        *why = "this was built without MPI: run make deps, then make";
        return NULL;
    }
    /* Global, since MPI's own plugins look for its symbols. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        *why = dlerror();
    return library;
}

bool gzk_exchange_same(struct gzk_exchange *exchange, const long *numbers, int count)
{
    double most[2 * GZK_MOST_SAME]; /* the largest, and the least, as its negative */
    bool same = true;
    for (int k = 0; k < count; k++) {
        most[k] = (double)numbers[k];
        most[count + k] = -(double)numbers[k];
    }
    gzk_exchange_largest(exchange, most, 2 * count);
    for (int k = 0; k < count; k++)
        same &= most[k] == -most[count + k];
    return same;
}

int gzk_exchange_open(struct gzk_exchange *exchange, struct gzk_error *error)
{
    const char *why = NULL;
    const void *communicator = exchange->communicator;

    *exchange = (struct gzk_exchange){
        .ranks = 1, .request = exchange->request, .communicator = communicator};
    exchange->library = open_library(communicator != NULL, &why);
    if (!exchange->library)
        return communicator || several_started()
                   ? gzk_fail(error, GZK_INVALID, "several ranks were started, but %s", why)
                   : 0;
    const struct gzk_exchange_kind *kind = dlsym(exchange->library, "gzk_exchange_mpi");
    if (!kind || kind->abi != GZK_EXCHANGE_ABI)
        return gzk_fail(error, GZK_INVALID, "exchange_mpi.so: built for another version");
    exchange->kind = kind;
    int status = kind->begin(exchange, error);
    const long halves[] = {(long)(exchange->request >> 32), (long)(uint32_t)exchange->request};
    if (status != 0 || gzk_exchange_same(exchange, halves, 2))
        return status;
    return gzk_fail(
        error, GZK_INVALID,
        "the ranks were started with different arguments: must be the same, in the same "
        "order, but for -d, -o, -q and --json");
}

int gzk_exchange_join(struct gzk_exchange *exchange, const char *program, uint64_t request,
                      const char **device)
{
    struct gzk_error error;

    *exchange = (struct gzk_exchange){.request = request};
    int status = gzk_exchange_open(exchange, &error);
    if (status != 0) {
        if (exchange->rank == 0)
            cli_fail(status, "%s", error.text);
        gzk_exchange_close(exchange);
        return status;
    }
    snprintf(exchange->name, sizeof exchange->name, "%s: rank %d", program, exchange->rank);
    if (exchange->ranks > 1)
        cli_set_program(exchange->name);
    if (!*device)
        *device = gzk_device_in_turn(exchange->node_rank, exchange->address);
    return CLI_DONE;
}

void gzk_exchange_close(struct gzk_exchange *exchange)
{
    if (exchange->kind)
        exchange->kind->end(exchange);
    exchange->kind = NULL;
}

void gzk_exchange_abandon(struct gzk_exchange *exchange, int status)
{
    if (exchange->kind)
        exchange->kind->abandon(exchange, status);
}

void gzk_exchange_arrange(struct gzk_exchange *exchange, const int ranks[3], const bool periodic[3])
{
    if (exchange->kind)
        exchange->kind->arrange(exchange, ranks, periodic);
}

void gzk_exchange_largest(struct gzk_exchange *exchange, double *values, int count)
{
    if (exchange->kind)
        exchange->kind->largest(exchange, values, count);
}

void gzk_exchange_total(struct gzk_exchange *exchange, uint64_t *values, int count)
{
    if (exchange->kind)
        exchange->kind->total(exchange, values, count);
}

int gzk_exchange_agree(struct gzk_exchange *exchange, int status)
{
    double largest = status;
    gzk_exchange_largest(exchange, &largest, 1);
    return (int)largest;
}

int gzk_exchange_all(struct gzk_exchange *exchange, int status, struct gzk_error *error)
{
    int worst = gzk_exchange_agree(exchange, status);
    return status == 0 && worst != 0
               ? gzk_fail(error, GZK_FAILED, "another rank could not: it has the reason")
               : status;
}

void gzk_exchange_tell(struct gzk_exchange *exchange, void *what, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        size_t part = bytes - at < sizeof(uint64_t) ? bytes - at : sizeof(uint64_t);
        uint64_t word = 0;
        if (exchange->rank == 0)
            memcpy(&word, (char *)what + at, part);
        gzk_exchange_total(exchange, &word, 1);
        memcpy((char *)what + at, &word, part);
    }
}

void gzk_exchange_turn(struct gzk_exchange *exchange, bool begins)
{
    if ((exchange->node_rank == 0) != begins)
        gzk_exchange_agree(exchange, 0);
}
