/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sass.h - warp instructions counted at each address of a kernel, by CUPTI's SASS metrics, which
 * patch the kernel's code: a second source beside the hardware counters, and the only one that says
 * which instructions belong to the loops and which do not.
 *
 * Patched code runs slower, so nothing is timed meanwhile. The counters of counters.h must be
 * closed.
 */
#ifndef GZC_SASS_H
#define GZC_SASS_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

/* The metric's name in CUPTI. */
extern const char gzc_sass_metric[];

struct gzc_sass;

/* Starts on CUDA device `index`, whose context `context` is current. GZK_NO_DEVICE if there is
 * nothing to count with, GZK_FAILED if it is not permitted, not supported or fails. */
int gzc_sass_open(int index, void *context, struct gzc_sass **sass, struct gzk_error *error);
void gzc_sass_close(struct gzc_sass *sass);

/* How often warps executed the instruction at one place. */
struct gzc_sass_count {
    uint32_t cubin, function, pc; /* the place */
    double executed;
};

/* Counts in all kernels of the name `kernel` that `work` launches; `counts`, to be freed, has
 * `count` places, in no order. A failure of `work` is passed on. */
int gzc_sass_count(struct gzc_sass *sass, const char *kernel,
                   int (*work)(void *, struct gzk_error *), void *argument,
                   struct gzc_sass_count **counts, size_t *count, struct gzk_error *error);

/* Divides what a run of `steps` loops executed by the places: those that a run of one loop executed
 * as often are of no loop. `once` is their sum, `each` that of the others, per loop.
 * Sorts both runs' places; steps > 1. Spoiled by loops of which the compiler peeled one off, which
 * then looks like none. */
void gzc_sass_split(struct gzc_sass_count *one, size_t one_count, struct gzc_sass_count *many,
                    size_t many_count, int steps, double *once, double *each);

#endif
