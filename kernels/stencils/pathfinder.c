/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pathfinder - dynamic programming over a grid of weights: each loop takes the next row, and a
 * cell's cost becomes its own weight plus the least cost among the three cells below it. [Paper,
 * Section 5.1; weights from 0 to 9 as in the Rodinia suite]
 */
#include "stencil.h"

static int weight(uint64_t seed, uint64_t index)
{
    return (int)(gzk_random(seed, index) % 10);
}

static void fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state, *walls = data->aux;
    GZK_EACH_CELL (data, cell)
        state[cell.own] = weight(seed, cell.grid);
    for (size_t loop = 0; loop < (size_t)data->loops; loop++)
        GZK_EACH_CELL (data, cell)
            walls[loop * data->stride + cell.own] =
                weight(seed, (loop + 1) * data->grid.cells + cell.grid);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const int *below = from;
    const int *wall = (const int *)data->aux + (size_t)loop * data->stride;
    int *restrict cost = to, last = data->size[0] - 1;

    /* The ends apart, so that the loop between them has no branch. */
    cost[0] = least(below[0], below[last > 0 ? 1 : 0]) + wall[0];
    for (int x = 1; x < last; x++)
        cost[x] = least(least(below[x - 1], below[x]), below[x + 1]) + wall[x];
    if (last > 0)
        cost[last] = least(below[last - 1], below[last]) + wall[last];
}

GZK_STENCIL(pathfinder,
            .summary = "cheapest path through a grid of weights, row by row (dynamic programming)",
            .dim = 1, .radius = {1, 0, 0}, GZK_TYPE(GZK_INT), .edge = GZK_EDGES(CLAMP),
            .step_arrays = 1, .operations = 3, .reads = {3, 3, 0, false},
            .default_size = {1000000, 1, 1}, .default_block = {256, 1, 1}, .fill = fill,
            .fills_parts = true, .reference = reference);
