/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cell - the Game of Life in three dimensions: 26 neighbours; a live cell stays alive with four or
 * five live neighbours, a dead one comes to life with five. [Paper, Section 5.1, which names no
 * rule; this is Bays' Life 4555, whose patterns neither die out at once nor fill the grid]
 */
#include "stencil_functions.h"

/* A quarter of the cells is alive. */
void gzk_cell_fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state;
    for (size_t i = 0; i < data->cells; i++)
        state[i] = gzk_random(seed, i) % 4 == 0;
}

static int clamp(int i, int extent)
{
    return i < 0 ? 0 : i < extent ? i : extent - 1;
}

void gzk_cell_reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const int *state = from;
    int *next = to, nx = data->size[0], ny = data->size[1], nz = data->size[2];
    (void)loop;

    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            const int *rows[9];
            size_t row = ((size_t)z * (size_t)ny + (size_t)y) * (size_t)nx;

            for (int k = 0; k < 9; k++) {
                int cz = clamp(z + k / 3 - 1, nz), cy = clamp(y + k % 3 - 1, ny);
                rows[k] = state + ((size_t)cz * (size_t)ny + (size_t)cy) * (size_t)nx;
            }
            for (int x = 0; x < nx; x++) {
                int west = x > 0 ? x - 1 : 0, east = x < nx - 1 ? x + 1 : x;
                int alive = rows[4][x], neighbours = -alive;
                for (int k = 0; k < 9; k++)
                    neighbours += rows[k][west] + rows[k][x] + rows[k][east];
                next[row + (size_t)x] = neighbours == 5 || (neighbours == 4 && alive);
            }
        }
}
