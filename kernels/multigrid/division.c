/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "division.h"

#include "tiles.h"

#include <stdlib.h>

int gzm_most_depth(const struct gzm_setup *setup)
{
    return (int)gzm_most_loops(setup) + 1;
}

/* Whether so many levels can be divided: boxes are cut between elements of the next one, and the
 * longest may be a quarter longer than the mean, or as long as has to be. */
static bool fits(const struct gzm_sizes *sizes, const int layout[3], int levels)
{
    bool fit = true;
    for (int d = 0; d < 3; d++) {
        int ranks = layout[d], extent = sizes->of[levels][d];
        int longest = (extent - 1) / ranks + 1;
        fit &= ranks <= extent && (levels == 1 || 4LL * longest * ranks <= 5LL * extent);
    }
    return fit;
}

static int count_levels(const struct gzm_sizes *sizes, struct gzm_division *division,
                        struct gzk_error *error)
{
    enum { MOST = 1 << 27 }; /* so that its bytes are an int */
    const int *layout = division->layout, *coarse = sizes->of[1];
    int levels = 0;

    if (sizes->on_device == 0)
        return gzk_fail(error, GZK_INVALID,
                        "ranks: no level of %s is computed by launches of its own on the device, "
                        "so that none is divided: must be larger and even, or a smaller --tail",
                        gzk_extents_text(sizes->of[0], 3).text);
    while (levels < sizes->on_device && fits(sizes, layout, levels + 1))
        levels++;
    if (levels == 0)
        return gzk_fail(error, GZK_INVALID,
                        "ranks %s: the boxes of %s elements must have even extents: must be at "
                        "most %s",
                        gzk_extents_text(layout, 3).text, gzk_extents_text(sizes->of[0], 3).text,
                        gzk_extents_text(coarse, 3).text);
    const int *whole = sizes->of[levels];
    if ((double)whole[0] * whole[1] * whole[2] > MOST)
        return gzk_fail(error, GZK_INVALID,
                        "ranks %s: every rank would have all of level %s, which cannot be divided: "
                        "must be at most %d elements",
                        gzk_extents_text(layout, 3).text, gzk_extents_text(whole, 3).text,
                        (int)MOST);
    division->levels = levels;
    return 0;
}

/* Boxes of all levels begin at multiples of an element of the first that is not divided. */
static int cut(const struct gzm_sizes *sizes, bool periodic, struct gzm_division *division,
               struct gzk_error *error)
{
    const int *ranks = division->layout, last = division->levels;
    size_t numbers = (size_t)(ranks[0] + ranks[1] + ranks[2] + 3);
    int *at = calloc((size_t)(last + 1) * numbers, sizeof *at);

    division->cuts = at;
    if (!at)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (int k = 0; k <= last; k++)
        for (int d = 0; d < 3; d++) {
            struct gzk_split *split = &division->split[k];
            split->size[d] = sizes->of[k][d];
            split->ranks[d] = ranks[d];
            split->depth[d] = 0;
            split->periodic[d] = periodic;
            split->cuts[d] = at;
            for (int i = 0; i <= ranks[d]; i++)
                *at++ = (int)((long long)sizes->of[last][d] * i / ranks[d]) << (last - k);
        }
    return 0;
}

/* Halos have an even number of elements, so that a coarse level's elements cover them. */
static int set_depth(int radius, int useful, int k, struct gzm_division *division,
                     struct gzk_error *error)
{
    struct gzk_split *split = &division->split[k];
    long most = gzk_split_most_loops(split, (const int[3]){radius, radius, radius});
    int asked = division->depth[k], depth = asked > 0 && asked < useful ? asked : useful;

    if (asked > 0 && depth > most)
        return gzk_fail(error, GZK_INVALID,
                        "rank depth %d: the halo of level %s would be wider than a neighbour's "
                        "box: must be at most %ld there on %s ranks",
                        depth, gzk_extents_text(split->size, 3).text, most,
                        gzk_extents_text(split->ranks, 3).text);
    depth = depth < most ? depth : (int)most;
    int width = (radius * depth + 1) / 2 * 2;
    division->depth[k] = width / radius;
    for (int d = 0; d < 3; d++)
        split->depth[d] = split->ranks[d] > 1 ? width : 0;
    return 0;
}

int gzm_divide(const struct gzm_setup *setup, struct gzm_division *division,
               struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, true);
    const struct gzm_grid grid = gzm_grid_of(&setup->problem);

    division->cuts = NULL;
    division->levels = 0;
    int status = count_levels(&sizes, division, error);
    if (status == 0)
        status = cut(&sizes, grid.periodic, division, error);
    for (int k = 0; k < division->levels && status == 0; k++)
        status = set_depth(grid.radius, gzm_most_depth(setup), k, division, error);
    return status;
}

void gzm_division_free(struct gzm_division *division)
{
    free(division->cuts);
    division->cuts = NULL;
}
