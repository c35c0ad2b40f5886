/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pathfinder - dynamic programming over a grid of weights: each loop takes the next row, and a
 * cell's cost becomes its own weight plus the least cost among the three cells below it. [Paper,
 * Section 5.1; weights from 0 to 9 as in the Rodinia suite]
 */
#include "stencil_functions.h"

static int weight(uint64_t seed, uint64_t index)
{
    return (int)(gzk_random(seed, index) % 10);
}

void gzk_pathfinder_fill(struct gzk_data *data, uint64_t seed)
{
    int *state = data->state, *walls = data->aux;
    for (size_t x = 0; x < data->cells; x++)
        state[x] = weight(seed, x);
    for (size_t loop = 0; loop < (size_t)data->loops; loop++)
        for (size_t x = 0; x < data->cells; x++)
            walls[loop * data->stride + x] = weight(seed, (loop + 1) * data->cells + x);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void gzk_pathfinder_reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const int *below = from;
    const int *wall = (const int *)data->aux + (size_t)loop * data->stride;
    int *cost = to, last = data->size[0] - 1;

    for (int x = 0; x <= last; x++) {
        int left = below[x > 0 ? x - 1 : 0], right = below[x < last ? x + 1 : last];
        cost[x] = least(least(left, below[x]), right) + wall[x];
    }
}
