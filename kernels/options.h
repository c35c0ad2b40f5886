/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * options.h - gzrun's command line. The only file that knows how options are spelt.
 */
#ifndef GZK_OPTIONS_H
#define GZK_OPTIONS_H

#include "config.h"

enum { GZK_MAX_INPUTS = 8 };

struct gzk_options {
    const char *device; /* an address, or NULL for the default */
    struct gzk_config config;
    bool threads_given; /* else config.threads are the device's default */
    int runs;           /* 0: as many as it takes */
    double budget_s;    /* time on the device after which no further run starts */
    uint64_t seed;
    bool verify;
    const char *inputs[GZK_MAX_INPUTS];
    int input_count;
    const char *output; /* the final state, or NULL */
    const char *t4;     /* the result for other tuners, or NULL */
    const char *result; /* the result, or NULL for stdout */
    bool json, list, quiet, help, version;
};

/* Reads the command line. GZK_INVALID with a line for the reader where it is wrong; --help,
 * --version and --list end the reading, so that the rest need not be right. */
int gzk_options_read(int argc, char **argv, struct gzk_options *options, struct gzk_error *error);

/* The text of --help. */
extern const char gzk_options_help[];

#endif
