/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_quantities.h - gz2's quantities from its runs.
 */
#ifndef GZC_GZ2_QUANTITIES_H
#define GZC_GZ2_QUANTITIES_H

#include "runs.h"

/* How good the fit is. */
struct gzc_quality {
    int used;      /* runs */
    double error;  /* left out by configuration, |predicted / measured - 1|, median */
    double width;  /* half of the 95 % interval of ln(predicted / measured) */
    double factor; /* that the deviations were scaled by, so that predictions have that interval */
};

/* Fits gz2's quantities, with what the benchmarks measured in result->device as starts and priors,
 * and puts them into the files' contents; on a CPU also streamed tiles' and those of blocks
 * without local memory, if there are enough of their runs. `quality` is the trapezoids'. False, and
 * why, if there are too few runs, or the device's file lacks what the model cannot do without; then
 * nothing is changed. If true, `why` is empty or says which variants are not fitted. */
bool gzc_quantities_fit(const struct gzc_runs *runs, bool is_cpu, struct gzc_calibration *result,
                        struct gzc_quality *quality, char *why, size_t size);

/* The device's times of 4 bytes read, from what its applications state: sets read_time,
 * stream_read_time and naive_read_time. */
void gzc_read_times(const gz_app *apps, int n, struct gzc_entry entries[GZ_PARAM_CAPACITY]);

#endif
