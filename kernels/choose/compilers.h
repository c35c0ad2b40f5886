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

/* A process's share of the kernels: every `parts`-th from number `part` on, counted from 0. */
struct gzk_share {
    int part, parts;
};

/* The kernels so far, each once; `keys` has room for all. */
struct gzk_kernels {
    uint64_t *keys;
    size_t n;
};

/* Whether a device's driver, or the cache that is kept for it, finds what another process compiled.
 */
bool gzk_compiles_apart(const struct gzk_device *device);

/* Adds a configuration's kernel, and if it is a new one and of this share, has the driver compile
 * it by a run of one stage on the small grid, which the session must have. What the device refuses
 * is passed over. Whether it ran. */
bool gzk_compile_ahead(struct gzk_session *session, const struct gzk_config *config,
                       struct gzk_share share, struct gzk_kernels *kernels,
                       const volatile sig_atomic_t *stop);

/* Processes that compile what they are sent. */
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
