/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "matrix.h"

static void put(double value, FILE *stream)
{
    float single = (float)value;
    fwrite(&single, sizeof single, 1, stream);
}

static double coordinate(const struct gzk_stencil *stencil, int extent, int i)
{
    return stencil->coordinate ? stencil->coordinate(extent, i) : i;
}

void gzk_matrix_write(const struct gzk_stencil *stencil, const int size[3], const void *state,
                      FILE *stream)
{
    put(size[0], stream);
    for (int x = 0; x < size[0]; x++)
        put(coordinate(stencil, size[0], x), stream);
    for (int y = 0; y < size[1]; y++) {
        put(coordinate(stencil, size[1], y), stream);
        for (int x = 0; x < size[0]; x++)
            put(gzk_element(state, stencil->type, (size_t)y * (size_t)size[0] + (size_t)x), stream);
    }
}
