/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * microbench.h - small measurements on a device, each of one property. All times are seconds; what
 * is a slope over an amount of work holds no fixed overhead. One round of a measurement gives one
 * sample of each of its properties; rounds of all measurements alternate, so that a disturbance
 * that lasts spoils a round of each and not all rounds of one.
 *
 * What spoils them all: another process on the device, or on the CPU that is the device. Each point
 * is therefore the least disturbed of several.
 */
#ifndef GZC_MICROBENCH_H
#define GZC_MICROBENCH_H

#include "device.h"

#include <stdbool.h>

/* What is measured. */
enum gzc_property {
    GZC_CLOCK,           /* Hz; while every multiprocessor is busy */
    GZC_BANDWIDTH,       /* bytes/s; device memory, read plus written, of a copy */
    GZC_CACHE_BANDWIDTH, /* bytes/s; the largest cache, read */
    GZC_LATENCY,         /* s; one access to device memory that waits for the one before */
    GZC_RESTART,         /* s; an empty kernel after another, blocks as run concurrently [Eq. 17] */
    GZC_GRAPH,           /* s; the same in a CUDA graph */
    GZC_FENCE_SLOPE, /* s per block; a meeting at the fence over the number of blocks [Eq. 18] */
    GZC_FENCE_INTERCEPT, /* s; what that line would cost without blocks */
    GZC_INSTRUCTION,     /* s; one warp instruction (32 additions) of a busy multiprocessor */
    GZC_PROPERTIES
};

/* One round's samples; NaN where there is none. */
struct gzc_samples {
    double value[GZC_PROPERTIES];
};

struct gzc_lab;

/* Compiles the kernels and takes the memory: four times the cache (on a CPU twice), 64 MiB at
 * least, as far as an eighth of the device's memory allows, for each of two arrays. `sample_s` is
 * how long one point of a measurement should take, seconds. */
int gzc_lab_open(struct gzk_device *device, double sample_s, const volatile sig_atomic_t *stop,
                 struct gzc_lab **lab, struct gzk_error *error);
void gzc_lab_close(struct gzc_lab *lab);

/* The measurements: their number, and what number `bench` measures, in a few words. */
extern const int gzc_bench_count;
const char *gzc_bench_name(int bench);

/* One round of measurement number `bench`. A property that this device cannot show is left NaN, and
 * gzc_lab_why says why; that is no failure. */
int gzc_bench_run(struct gzc_lab *lab, int bench, struct gzc_samples *samples,
                  struct gzk_error *error);

/* Why a property has no samples; "" where it has. */
const char *gzc_lab_why(const struct gzc_lab *lab, enum gzc_property property);

/* How a property was measured here, for its note: sizes, blocks, assumptions. */
void gzc_lab_note(const struct gzc_lab *lab, enum gzc_property property, char *note, size_t size);

/* The text of kernel `name` (a file calibrate/NAME.knl, or "meetings") for a work-group of
 * `threads`, each with `lanes` sums where it adds. To be freed; NULL where there is no such kernel
 * or memory is short. */
char *gzc_kernel_text(const char *prelude, const char *name, int threads, int lanes);

/* The kernel by whose tile occupancy and fence are judged: the paper's HotSpot at its default
 * block, with height 1. */
void gzc_reference_config(const struct gzk_device *device, enum gzk_sync sync,
                          struct gzk_config *config);

/* How many work-groups of `config`'s kernel run at once, surely (`*known`) or by guess. */
int gzc_resident(struct gzk_device *device, const struct gzk_program *program, bool *known);

#endif
