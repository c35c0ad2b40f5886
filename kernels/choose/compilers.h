/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compilers.h - kernels compiled before anything is timed, in several processes: a driver compiles
 * one after the other within a process, and what it keeps on disk serves all.
 */
#ifndef GZK_COMPILERS_H
#define GZK_COMPILERS_H

#include "kernel_text.h"
#include "plan.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a device's driver, or the cache that is kept for it, finds what another process compiled.
 */
bool gzk_compiles_apart(const struct gzk_device *device);

/* Processes that compile what they are sent. */
enum { GZK_MOST_COMPILERS = 8 };

struct gzk_compilers {
    int count;
    int to[GZK_MOST_COMPILERS];   /* sockets; -1 of one that has ended */
    int busy[GZK_MOST_COMPILERS]; /* whether it was sent a configuration */
    long pid[GZK_MOST_COMPILERS];
};

/* Starts as many processes as there are cores but for `left`, at most `most`; none on a single
 * core, or if they cannot be started. To be called while the process has a single thread, has not
 * used a driver and does not catch interrupts, and after the stencils are loaded. */
void gzk_compilers_start(struct gzk_compilers *compilers, int most, int left);

/* Has one that is idle compile a configuration's kernel for the device of that address. False if
 * none is idle. */
bool gzk_compilers_send(struct gzk_compilers *compilers, const char *address,
                        const struct gzk_config *config);

/* Waits until all are idle. */
void gzk_compilers_wait(struct gzk_compilers *compilers);

/* Has them compile the kernels of so many configurations, each kernel once, until *stop or the time
 * `end_s`. What the device refuses is passed over. */
void gzk_compilers_all(struct gzk_compilers *compilers, const char *address,
                       const struct gzk_config *configs, size_t count, double end_s,
                       const volatile sig_atomic_t *stop);

/* Ends them, also while they compile. */
void gzk_compilers_stop(struct gzk_compilers *compilers);

#endif
