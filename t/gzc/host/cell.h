/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cell.h - a cell while its next value is computed: what a program on the host hands to a body.
 */
#ifndef GZC_CELL_H
#define GZC_CELL_H

#include <stddef.h>

struct cell {
    int size[3], edge[3];
    int x, y, z;
    size_t cells;
    long loop;
    int field; /* of several, whose value is computed */
    int step_arrays, step_values;
    const void *values, *from, *older, *constant, *step, *coefficients;
};

#endif
