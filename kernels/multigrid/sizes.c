/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include <math.h>
#include <string.h>

long gzm_usual_tail(const struct gzk_device_info *device)
{
    /* 16^3 elements take one thread a third of a millisecond, longer than a GPU's launches of many
     * levels. */
    return !device || device->is_cpu ? 4096 : 64;
}

double gzm_cells(const int size[3])
{
    return (double)size[0] * size[1] * size[2];
}

static bool halves(const int size[3])
{
    for (int i = 0; i < 3; i++)
        if (size[i] % 2 != 0 || size[i] < 4)
            return false;
    return true;
}

int gzm_sizes(const struct gzm_setup *setup, bool has_device, int sizes[GZM_MAX_LEVELS][3],
              bool on_host[GZM_MAX_LEVELS])
{
    int count = 1;
    memcpy(sizes[0], setup->problem.size, sizeof sizes[0]);
    for (; count < GZM_MAX_LEVELS && halves(sizes[count - 1]); count++)
        for (int i = 0; i < 3; i++)
            sizes[count][i] = sizes[count - 1][i] / 2;
    /* The coarsest is solved on the host whatever its size. */
    for (int k = 0; k < count; k++)
        on_host[k] = !has_device || k == count - 1 || gzm_cells(sizes[k]) <= (double)setup->tail;
    return count;
}

struct gzm_problem gzm_cycled(const struct gzm_setup *setup)
{
    struct gzm_problem problem = setup->problem;
    if (setup->mixed)
        problem.type = GZK_FLOAT;
    return problem;
}

/* Levels in float, and the finest one in double. */
static struct gzk_memory memory_of_both(const struct gzm_setup *setup,
                                        const struct gzk_device_info *device)
{
    struct gzm_setup inner = *setup;
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    inner.mixed = false;
    inner.problem = gzm_cycled(setup);
    struct gzk_memory all = gzm_memory(&inner, device);
    double cells = (double)gzk_type_bytes(setup->problem.type) * gzm_cells(setup->problem.size);
    double aux = setup->problem.op == GZM_VARIABLE ? 2 : 1;

    gzm_sizes(setup, device != NULL, sizes, on_host);
    *(on_host[0] ? &all.host : &all.device) += (2 + aux) * cells;
    all.host += (3 + 1 + aux) * cells;
    all.buffer = fmax(all.buffer, on_host[0] ? 0 : aux * cells);
    return all;
}

bool gzm_is_divided(const struct gzm_setup *setup, int k)
{
    return setup->division && k < setup->division->levels;
}

/* Elements of level k that lie on this rank, and of the window between it and the next one. */
static double own_cells(const struct gzm_setup *setup, int k, const int size[3])
{
    struct gzk_domain part;
    if (!gzm_is_divided(setup, k))
        return gzm_cells(size);
    gzk_domain_of(&setup->division->split[k], setup->division->exchange->rank, &part);
    return gzm_cells(part.size) * (1 + 1. / 8);
}

struct gzk_memory gzm_memory(const struct gzm_setup *setup, const struct gzk_device_info *device)
{
    struct gzk_memory all = {.remedy = "give a smaller --size"};
    if (setup->mixed)
        return memory_of_both(setup, device);
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    int count = gzm_sizes(setup, device != NULL, sizes, on_host);
    double bytes = (double)gzk_type_bytes(setup->problem.type);
    double aux = setup->problem.op == GZM_VARIABLE ? 2 : 1;
    for (int k = 0; k < count; k++) {
        double cells = bytes * own_cells(setup, k, sizes[k]);
        bool on_device = !on_host[k];
        if (on_device)
            all.device += (2 + aux) * cells;
        else
            all.host += (2 + aux + (k == count - 1 ? 3 : 0)) * cells;
        if (on_device)
            all.buffer = fmax(all.buffer, aux * cells);
    }
    /* While a level is made, its data; and right-hand side, guess and result of the caller. */
    all.host += (3 + 1 + aux) * bytes * gzm_cells(sizes[0]);
    return all;
}
