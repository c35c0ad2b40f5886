/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cmdline.h - gzrun's command line: the options that all programs share, and its own.
 */
#ifndef GZK_CMDLINE_H
#define GZK_CMDLINE_H

#include "options.h"
#include "tiles.h"

enum { GZK_MAX_INPUTS = 8 };

/* What gzrun is asked to do. */
struct gzk_options {
    const char *device; /* an address, or NULL for the default */
    struct gzk_config config;
    bool block_given, height_given;
    int piece;          /* planes that a streamed tile commits; 0: as many as suit the device */
    bool threads_given; /* else config.threads are the device's default */
    int runs;           /* 0: as many as it takes */
    double budget_s;    /* time on the device after which no further run starts */
    uint64_t seed;
    bool verify;
    bool adaptive; /* the height is found while running; config.height is the first stage's */
    const char *inputs[GZK_MAX_INPUTS];
    int input_count;
    const char *output; /* the final state, or NULL */
    const char *matrix; /* the final state as gnuplot's binary matrix, or NULL */
    const char *t4;     /* the result for other tuners, or NULL */
    const char *result; /* the result, or NULL for stdout */
    bool json, list, quiet, help, version, completion;
};

extern const struct cli_program gzk_program_gzrun;

/* Reads the command line. CLI_BAD_INPUT, after cli_fail has said why, where it is wrong; after
 * --help, --version and --list nothing else in `options` counts, so that the rest need not be
 * right. */
int gzk_options_read(int argc, char **argv, struct gzk_options *options);

#endif
