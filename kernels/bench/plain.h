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
};

struct plain_loop {
    const char *stencil; /* whose data it takes; see kernels/stencils */
    /* Computes loop number `loop` from `from` to `to`, data->cells elements each. */
    void (*run)(const struct gzk_data *data, long loop, const void *from, void *to,
                struct plain_shape shape);
};

extern const struct plain_loop plain_loops[];
extern const int plain_loop_count;

/* Copies `bytes`, a multiple of 64, as all threads together do it, past the caches or not. Both
 * arrays begin on a boundary of 64 bytes. */
void plain_copy(const void *from, void *to, size_t bytes, bool bypass);

#endif
