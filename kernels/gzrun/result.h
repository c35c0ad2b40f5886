/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * result.h - what a run ends with: the result as text, as JSON and as T4, and the final state.
 */
#ifndef GZK_REPORT_H
#define GZK_REPORT_H

#include "adaptive.h"
#include "cmdline.h"
#include "timing.h"

/* What only a run on several ranks has; seconds, messages and bytes are a loop's, the longest
 * rank's and those of all ranks together. */
struct gzk_ranks_result {
    int ranks, layout[3];
    long depth;
    double interior_s, exchange_s, pack_s;
    double messages, bytes;
};

struct gzk_result {
    const struct gzk_options *options;
    const struct gzk_device_info *device;
    struct gzk_geometry geometry;
    struct gzk_build_report build;
    double bandwidth; /* of device memory as measured, bytes/s; 0 where unknown */
    struct gzk_timing timing;
    struct gzk_adaptive adaptive; /* where options->adaptive; `timing` is then of that run */
    const struct gzk_ranks_result *ranks; /* NULL without ranks */
    uint64_t checksum;                    /* if options->checksum */
    bool compared;                        /* whether `comparison` means anything */
    struct gzk_comparison comparison;     /* with the serial reference */
};

/* What a run does in a second: cells, the bytes that a loop moves at least were it done alone
 * (taller trapezoids move fewer), and the operations of the result, without what ghost zones
 * compute twice. */
struct gzk_rates {
    double cells, bytes, operations;
};
struct gzk_rates gzk_rates_of(const struct gzk_config *config, double seconds_per_loop);

/* Writes all requested files: the result, as one JSON object or for readers, and in the format of
 * auto-tuners (T4 1.0.0); and the final state, of the whole grid as the data are. A state that was
 * found wrong is not written, and is a failure. Returns an exit status. */
int gzk_result_write(const struct gzk_result *result, const struct gzk_data *data,
                     const void *state);

#endif
