/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg_parts.h - gzmg's command line, what it does among ranks, and its report.
 */
#ifndef GZM_PARTS_H
#define GZM_PARTS_H

#include "division.h"
#include "options.h"
#include "solve.h"

#include <stdio.h>

struct gzm_options {
    const char *device; /* an address, or NULL for the first there is; not read if `on_host` */
    bool on_host;
    struct gzm_setup setup;
    struct gzm_effort effort;
    bool choose_sweeps;
    bool verify, json, quiet;
    bool ended;                   /* it requests help, the version or a completion script alone */
    const char *result;           /* or NULL for stdout */
    uint64_t request;             /* see cli_options */
    bool ranks_given;             /* divide the levels among the ranks that were started */
    struct gzm_division division; /* of which depths are chosen where they are 0 */
};

extern const struct cli_program gzm_program;

/* Reads the command line. CLI_BAD_INPUT, after cli_fail printed why, if it is wrong. */
int gzm_options_read(int argc, char **argv, struct gzm_options *options);

/* Joins the ranks that were started, or is alone, without --ranks. Sets the device that this rank
 * takes if none is given. Returns an exit status, after it said what was wrong, as gzm_ranks_divide
 * does. `exchange` must outlive the options, and is to be closed. */
int gzm_ranks_join(struct gzk_exchange *exchange, struct gzm_options *options);

/* Divides the levels, with the model's depths where none are given; the same on all ranks, of
 * which the first says what is wrong. */
int gzm_ranks_divide(const struct gzk_device *device, struct gzm_options *options);

/* Sums the messages of all ranks into the levels' reports, with the time of the slowest. */
void gzm_ranks_sum(struct gzk_exchange *exchange, struct gzm_level_report *levels, int count);

/* Says what failed and ends all ranks, of which others may wait for this one's messages; of one
 * rank nothing. */
void gzm_ranks_abandon(struct gzk_exchange *exchange, const struct gzk_error *error);

struct gzm_result {
    const struct gzm_options *options;
    const struct gzk_device_info *device; /* NULL: all levels on the host */
    struct gzm_history history;
    int levels;
    struct gzm_level_report level[GZM_MAX_LEVELS];
    gz_vcycle_time expected; /* of a cycle, by the model; without levels if it says nothing */
    struct gzm_rate rates[GZM_MOST_SWEEPS]; /* of --sweeps auto */
    double error;                           /* of the solution: the largest, its own being 1 */
    bool verified, equal; /* of --verify: whether it was compared, and is the reference's */
};

/* Writes it as JSON or for people; non-zero if memory is short. */
int gzm_result_write(const struct gzm_result *result, bool json, FILE *to);

#endif
