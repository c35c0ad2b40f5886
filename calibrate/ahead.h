/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ahead.h - kernels of gz2's runs, compiled before anything is timed, in as many processes as there
 * are cores (compilers.h). Each try is a process of its own.
 */
#ifndef GZC_AHEAD_H
#define GZC_AHEAD_H

#include "compilers.h"
#include "rounds.h"

/* Compiles a share of the kernels of a stencil's runs in this process. What the device refuses is
 * passed over. `compiled` is how many they were. */
int gzc_ahead_compile(struct gzk_device *device, const struct gzk_stencil *stencil,
                      struct gzk_share share, const volatile sig_atomic_t *stop, int *compiled,
                      struct gzk_error *error);

/* Compiles the kernels of all stencils' runs in processes of their own, if the device's driver
 * finds them then. What fails here is compiled by the first try, which then says what failed. */
void gzc_ahead_of_tries(const struct gzc_rounds *rounds);

#endif
