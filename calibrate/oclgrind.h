/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * oclgrind.h - a stencil's instructions counted by Oclgrind, which executes OpenCL kernels
 * instruction by instruction: the second source if there are no counters.
 *
 * What is counted are instructions of LLVM's intermediate code at -O1, without vectors, so a count
 * is none of the device's own instructions. It is exact, and the same wherever the versions are;
 * but only the proportion of the once-per-thread part to that of each loop compares with the
 * device's, and roughly, since neither a vector's width nor what an access costs is in it.
 */
#ifndef GZC_SIMULATE_H
#define GZC_SIMULATE_H

#include "estimate.h"
#include "timing.h"

#include <limits.h>
#include <signal.h>

/* The programs that it takes: Oclgrind, and gzrun, which runs the stencil in it. */
struct gzc_simulator {
    char oclgrind[PATH_MAX], gzrun[PATH_MAX];
};

/* Looks for oclgrind in PATH, and for gzrun in this program's own folder, then in PATH.
 * GZK_FAILED if one is missing. */
int gzc_simulator_find(struct gzc_simulator *simulator, struct gzk_error *error);

/* Lines over the number of loops, 1 to config.height, of one stage of `config`: counts of one
 * launch, all tiles together. */
struct gzc_simulated {
    struct gzk_config config;
    struct gzc_line instructions, loads, stores; /* the latter two of device memory */
    struct gzc_line tile_loads, tile_stores;     /* of local memory */
    double misc; /* instructions once per loaded cell and stage [as insts_per_sm_misc] */
    double iter, loads_iter; /* per computed cell and loop: instructions, loads of device memory */
};

/* Counts `stencil` with the threads that it would have on a device of `max_threads` a block
 * (a single one if it `is_cpu`), on a grid of a few small tiles. Takes seconds; each of its runs is
 * ended after a while. GZK_FAILED if a run fails, its output cannot be read, or *stop became
 * nonzero. */
int gzc_simulate(const struct gzc_simulator *simulator, const struct gzk_stencil *stencil,
                 int max_threads, bool is_cpu, const volatile sig_atomic_t *stop,
                 struct gzc_simulated *simulated, struct gzk_error *error);

#endif
