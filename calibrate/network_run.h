/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * network_run.h - gz-calibrate --network: what each of the ranks that were started together does.
 */
#ifndef GZC_NETWORK_RUN_H
#define GZC_NETWORK_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct gzc_network_job {
    uint64_t request;             /* see cli_options */
    const char *device;           /* an address; NULL: each rank of a machine takes the next */
    const char *output, *command; /* a path or NULL; the command as typed */
    bool quick, quiet, json, force;
};

/* Measures, and writes on rank 0; says what is wrong. Returns the exit status, on which all ranks
 * agree. */
int gzc_network_run(const struct gzc_network_job *job);

#endif
