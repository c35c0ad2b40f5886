/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * matrix.h - a state as gnuplot's binary matrix: 32-bit floats in the machine's byte order, first
 * the number of columns and the x of each, then for every row its y and its values. gnuplot draws
 * it by `plot FILE binary matrix with image`.
 */
#ifndef GZK_MATRIX_H
#define GZK_MATRIX_H

#include "data.h"

#include <stdio.h>

/* Writes the state of a two-dimensional stencil. Coordinates are the stencil's own, or the cells'
 * indices if it has none. */
void gzk_matrix_write(const struct gzk_stencil *stencil, const int size[3], const void *state,
                      FILE *stream);

#endif
