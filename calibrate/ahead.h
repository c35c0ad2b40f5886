/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ahead.h - kernels of the second model's runs, compiled before anything is timed, in as many
 * processes as a CPU has cores: a driver compiles one after the other within a process, and what
 * it keeps on disk serves the tries, each of which is a process of its own.
 */
#ifndef GZC_AHEAD_H
#define GZC_AHEAD_H

#include "rounds.h"

/* The kernels of a stencil's runs, of which every `parts`-th is compiled from number `part` on. */
struct gzc_ahead {
    int part, parts;
};

/* Compiles them in this process, and runs each on a grid as small as tells a driver to translate
 * it. What the device refuses is passed over. `compiled` is how many they were. */
int gzc_ahead_compile(struct gzk_device *device, const struct gzk_stencil *stencil,
                      struct gzc_ahead ahead, const volatile sig_atomic_t *stop, int *compiled,
                      struct gzk_error *error);

/* On a CPU, compiles the kernels of all stencils' runs in processes of their own. What fails here
 * is compiled by the first try, which then says what failed. */
void gzc_ahead_of_tries(const struct gzc_rounds *rounds);

#endif
