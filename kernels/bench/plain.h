/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain.h - stencils as plain loops in C with OpenMP, written for speed: what a streamed tile has
 * to be faster than.
 */
#ifndef GZK_PLAIN_H
#define GZK_PLAIN_H

#include "data.h"

/* How a plain loop goes over the grid. */
struct plain_shape {
    int rows;    /* of a block across the planes, which a thread walks along; 3-D only */
    bool bypass; /* whether results bypass the caches, through a buffer of one row */
    bool narrow; /* whether it is the loop of plain_narrow_loops */
};

struct plain_loop {
    const char *stencil; /* whose data it takes; see kernels/stencils */
    /* Computes loop number `loop` from `from` to `to`, data->cells elements each. */
    void (*run)(const struct gzk_data *data, long loop, const void *from, void *to,
                struct plain_shape shape);
};

/* The same loops, compiled for the vectors that the compiler takes to be best and for such of 256
 * bits, or twice the same where it has no choice. Each ends with a NULL. */
extern const struct plain_loop plain_loops[], plain_narrow_loops[];

/* Gives each thread of OpenMP a core of its own, as the OpenCL driver's have, unless OMP_PROC_BIND
 * says otherwise or there are fewer cores. Returns how many threads there are. */
int plain_pin(void);

/* Copies `bytes`, a multiple of 65536, as all threads together do it: past the caches, or as memcpy
 * does it, which reads what it overwrites first. Both arrays begin on a boundary of 64 bytes. */
void plain_copy(const void *from, void *to, size_t bytes, bool bypass);

#endif
