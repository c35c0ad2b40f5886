/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cell - the Game of Life in three dimensions: 26 neighbours; a live cell stays alive with four or
 * five live neighbours, a dead one comes to life with five. [Paper, Section 5.1, which names no
 * rule; this is Bays' Life 4555, whose patterns neither die out at once nor fill the grid]
 */
#include "stencil.h"

/* A quarter of the cells is alive. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state;
    GZK_EACH_CELL (data, cell)
        state[cell.own] = gzk_random(seed, cell.grid) % 4 == 0;
}

static int clamp(int i, int extent)
{
    return i < 0 ? 0 : i < extent ? i : extent - 1;
}

/* The next state of cell x of the middle one of nine rows, whose neighbours in each row are cells
 * `west` and `east`. */
static inline int next(const int *const rows[9], int x, int west, int east)
{
    int alive = rows[4][x], neighbours = -alive;
    for (int k = 0; k < 9; k++)
        neighbours += rows[k][west] + rows[k][x] + rows[k][east];
    return (neighbours == 5) | ((neighbours == 4) & alive);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const int *state = from;
    int nx = data->size[0], ny = data->size[1], nz = data->size[2], last = nx - 1;
    (void)loop;

    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++) {
            const int *rows[9];
            int *restrict out = (int *)to + ((size_t)z * (size_t)ny + (size_t)y) * (size_t)nx;

            for (int k = 0; k < 9; k++) {
                int cz = clamp(z + k / 3 - 1, nz), cy = clamp(y + k % 3 - 1, ny);
                rows[k] = state + ((size_t)cz * (size_t)ny + (size_t)cy) * (size_t)nx;
            }
            /* The ends apart, so that the loop between them has no branch. */
            out[0] = next(rows, 0, 0, last > 0 ? 1 : 0);
            for (int x = 1; x < last; x++)
                out[x] = next(rows, x, x - 1, x + 1);
            if (last > 0)
                out[last] = next(rows, last, last - 1, last);
        }
}

GZK_STENCIL(cell,
            .summary = "the Game of Life in three dimensions, 26 neighbours (cellular automaton)",
            .dim = 3, .radius = {1, 1, 1}, GZK_TYPE(GZK_INT), .edge = GZK_EDGES(CLAMP),
            .operations = 32, .reads = {27, 3, 0, false}, .default_size = {100, 100, 100},
            .default_block = {8, 8, 8}, .fill = fill, .fills_parts = true, .reference = reference);
