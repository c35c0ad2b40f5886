/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg_result.h - what gzmg reports.
 */
#ifndef GZM_RESULT_H
#define GZM_RESULT_H

#include "gzmg_options.h"

#include <stdio.h>

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
