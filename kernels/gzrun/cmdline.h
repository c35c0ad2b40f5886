/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cmdline.h - gzrun's command line: the options that all programs share, and its own.
 */
#ifndef GZK_CMDLINE_H
#define GZK_CMDLINE_H

#include "options.h"
#include "remember.h"
#include "tiles.h"

enum { GZK_MAX_INPUTS = 8 };

/* The configurations that lists and ranges give: every combination. A count of 0 means that
 * nothing was given, and the default holds. */
struct gzk_space {
    int blocks[CLI_MAX_LIST][3], block_count;
    struct cli_numbers heights;
    unsigned syncs, variants; /* bits by gz_sync and gz_variant, the default's included */
};

/* How many combinations there are. */
long gzk_space_points(const struct gzk_space *space);

/* gzrun's options. */
struct gzk_options {
    const char *device;       /* an address, a device file or its name, or NULL for the default */
    struct gzk_config config; /* the one, or the first of the space */
    struct gzk_space space;
    bool tune;
    double time_s;            /* of tuning, at most; 0: as long as it takes */
    gz_model model;           /* GZ_MODEL_AUTO unless given */
    const char *plan;         /* the file of the next, or NULL */
    struct gzk_wisdom wisdom; /* what to run */
    bool resume;              /* of a list: keep the rows that are in `result` */
    bool block_given, height_given, sync_given, variant_given;
    int piece;          /* planes that a streamed tile commits; 0: as many as suit the device */
    bool threads_given; /* else config.threads are the device's default */
    int runs;           /* 0: as many as it takes */
    uint64_t seed;
    bool verify;
    bool adaptive;       /* the height is found while running; config.height is the first stage's */
    bool checksum;       /* of the final state */
    uint64_t request;    /* see cli_options */
    bool ranks_given;    /* divide the grid among the ranks that were started */
    int ranks[3];        /* along each dimension; 0: choose */
    long rank_depth;     /* loops between exchanges; 0: choose */
    const char *network; /* that layout and depth are chosen for; NULL: the default */
    const char *inputs[GZK_MAX_INPUTS];
    int input_count;
    const char *output; /* the final state, or NULL */
    const char *t4;     /* the result for other tuners, or NULL */
    const char *result; /* the result, or NULL for stdout */
    char *partial; /* of a list: what there is of the result so far; or NULL. Lasts to the end */
    bool json, list, quiet;
    bool ended; /* the command line requests help, the version or a completion script alone */
};

extern const struct cli_program gzk_program_gzrun;

/* Reads the command line. CLI_BAD_INPUT, after cli_fail printed why, if it is wrong; after
 * --list nothing else in `options` counts, so that the rest need not be right. */
int gzk_options_read(int argc, char **argv, struct gzk_options *options);

#endif
