/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rodinia.h - the file formats of the Rodinia suite: text, one value per line.
 *
 * The first file holds the state and, if the stencil reads per-step arrays, after it those of
 * every loop (PathFinder: the grid of weights, row by row); each further file holds one of the
 * arrays that do not change (HotSpot: the temperatures, then the power). A state is written one
 * value per line, HotSpot's with its index and a tab before each.
 */
#ifndef GZK_RODINIA_H
#define GZK_RODINIA_H

#include "data.h"
#include "error.h"

#include <stdio.h>

/* Reads `count` files into the arrays of `data`, in place of what is there; of a state alone, such
 * as gzk_rodinia_write writes, the other arrays stay. GZK_INVALID with file, line and column where
 * a file cannot be read, a line is not a number of the stencil's type, or the number of lines does
 * not suit the grid. */
int gzk_rodinia_read(const struct gzk_stencil *stencil, struct gzk_data *data,
                     const char *const *files, int count, struct gzk_error *error);

/* Writes a state as a file of the suite would hold it. */
void gzk_rodinia_write(const struct gzk_stencil *stencil, const void *state, size_t cells,
                       FILE *stream);

#endif
