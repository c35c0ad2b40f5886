/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg_options.h - gzmg's command line.
 */
#ifndef GZM_OPTIONS_H
#define GZM_OPTIONS_H

#include "options.h"
#include "solve.h"

struct gzm_options {
    const char *device; /* an address, or NULL for the first there is; not read if `on_host` */
    bool on_host;
    struct gzm_setup setup;
    const char *type; /* double, float or mixed */
    struct gzm_effort effort;
    bool choose_sweeps;
    bool verify, json, quiet;
    bool ended;                     /* it requests help, the version or a completion script alone */
    const char *result;             /* or NULL for stdout */
    uint64_t request;               /* see cli_options */
    bool ranks_given;               /* divide the levels among the ranks that were started */
    int ranks[3];                   /* along each dimension; 0: choose */
    int rank_depth[GZM_MAX_LEVELS]; /* loops between exchanges by level; 0: choose */
    const char *network;            /* that is chosen for; NULL: the default */
};

extern const struct cli_program gzm_program;

/* Reads the command line. CLI_BAD_INPUT, after cli_fail printed why, if it is wrong. */
int gzm_options_read(int argc, char **argv, struct gzm_options *options);

#endif
