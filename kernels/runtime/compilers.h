/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compilers.h - processes that compile kernels into the driver's cache on disk, at once: within a
 * process an OpenCL driver for CPUs compiles one after the other.
 */
#ifndef GZK_COMPILERS_H
#define GZK_COMPILERS_H

#include "config.h"

#include <stdbool.h>

enum { GZK_MOST_COMPILERS = 8 };

struct gzk_compilers {
    int count;
    int to[GZK_MOST_COMPILERS];   /* sockets; -1 of one that has ended */
    int busy[GZK_MOST_COMPILERS]; /* whether it was sent a configuration */
    long pid[GZK_MOST_COMPILERS];
};

/* Starts as many processes as there are cores besides this one, at most `most`; none if they cannot
 * be started. To be called while the process has a single thread and has not used a driver, and
 * after the stencils are loaded. */
void gzk_compilers_start(struct gzk_compilers *compilers, int most);

/* Has one that is idle compile a configuration's kernel for the device of that address. False if
 * none is idle. */
bool gzk_compilers_send(struct gzk_compilers *compilers, const char *address,
                        const struct gzk_config *config);

/* Waits until all are idle. */
void gzk_compilers_wait(struct gzk_compilers *compilers);

void gzk_compilers_stop(struct gzk_compilers *compilers);

#endif
