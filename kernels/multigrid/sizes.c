/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include <math.h>
#include <string.h>

long gzm_usual_tail(const struct gzk_device_info *device)
{
    /* 16^3 elements take one thread a fifth of a millisecond, longer than a GPU's launches of many
     * levels. */
    return !device || device->is_cpu ? 4096 : 64;
}

double gzm_cells(const int size[3])
{
    return (double)size[0] * size[1] * size[2];
}

long gzm_visit_loops(const struct gzm_setup *setup, int after)
{
    return (long)setup->sweeps[after] * gzm_loops(&setup->problem);
}

long gzm_most_loops(const struct gzm_setup *setup)
{
    long before = gzm_visit_loops(setup, 0), after = gzm_visit_loops(setup, 1);
    return before > after ? before : after;
}

static bool halves(const int size[3])
{
    for (int i = 0; i < 3; i++)
        if (size[i] % 2 != 0 || size[i] < 4)
            return false;
    return true;
}

struct gzm_sizes gzm_sizes(const struct gzm_setup *setup, bool has_device)
{
    struct gzm_sizes s = {.count = 1};
    memcpy(s.of[0], setup->problem.size, sizeof s.of[0]);
    for (; s.count < GZM_MAX_LEVELS && halves(s.of[s.count - 1]); s.count++)
        for (int i = 0; i < 3; i++)
            s.of[s.count][i] = s.of[s.count - 1][i] / 2;
    /* The coarsest is solved on the host whatever its size. */
    while (has_device && s.on_device + 1 < s.count &&
           gzm_cells(s.of[s.on_device]) > (double)setup->tail)
        s.on_device++;
    return s;
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

/* Adds a level's arrays, of so many bytes each, and `more` of them on the host. */
static void add_level(bool on_device, double arrays, double bytes, double more,
                      struct gzk_memory *all)
{
    *(on_device ? &all->device : &all->host) += (arrays + (on_device ? 0 : more)) * bytes;
    if (on_device)
        all->buffer = fmax(all->buffer, (arrays - 2) * bytes);
}

struct gzk_memory gzm_memory(const struct gzm_setup *setup, const struct gzk_device_info *device)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, device != NULL);
    double bytes = (double)GZK_BYTES(setup->problem.type);
    double arrays = setup->problem.op == GZM_VARIABLE ? 4 : 3;
    struct gzk_memory all = {.remedy = "give a smaller --size"};

    for (int k = 0; k < sizes.count; k++)
        add_level(k < sizes.on_device, arrays, bytes * own_cells(setup, k, sizes.of[k]),
                  k == sizes.count - 1 ? 3 : 0, &all);
    /* While a level is made, its data; and right-hand side, guess and result of the caller. */
    all.host += (2 + arrays) * bytes * gzm_cells(sizes.of[0]);
    return all;
}
