/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_ahead.h - kernels compiled before anything is timed, by several processes: a driver
 * compiles one after the other within a process, and what it keeps on disk serves all.
 */
#ifndef GZK_COMPILE_AHEAD_H
#define GZK_COMPILE_AHEAD_H

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
    struct gzk_kernel_key *keys;
    size_t n;
};

/* Whether a device's driver, or the cache that is kept for it, finds what another process compiled.
 */
bool gzk_compiles_apart(const struct gzk_device *device);

/* The grid on which they run, so small that a run takes some hundred microseconds. */
void gzk_small_grid(const struct gzk_stencil *stencil, int size[3]);

/* Adds a configuration's kernel, and if it is a new one and of this share, has the driver compile
 * it by a run of one stage on the small grid, which the session must have. What the device refuses
 * is passed over. Whether it ran. */
bool gzk_compile_ahead(struct gzk_session *session, const struct gzk_config *config,
                       struct gzk_share share, struct gzk_kernels *kernels,
                       const volatile sig_atomic_t *stop);

#endif
