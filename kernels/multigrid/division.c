/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "division.h"

#include "tiles.h"

#include <stdlib.h>
#include <string.h>

int gzm_most_depth(const struct gzm_divided *what)
{
    return what->loops + 1;
}

/* Whether so many levels can be divided: boxes are cut between elements of the next one, and the
 * longest may be a quarter longer than the mean, or as long as has to be. */
static bool fits(const struct gzm_divided *what, int levels)
{
    bool fit = true;
    for (int d = 0; d < 3; d++) {
        int ranks = what->layout[d], extent = what->sizes.of[levels][d];
        int longest = (extent - 1) / ranks + 1;
        fit &= ranks <= extent && (levels == 1 || 4LL * longest * ranks <= 5LL * extent);
    }
    return fit;
}

static int count_levels(const struct gzm_divided *what, struct gzm_division *division,
                        struct gzk_error *error)
{
    enum { MOST = 1 << 27 }; /* so that its bytes are an int */
    const int *coarse = what->sizes.of[1];
    int levels = 0;

    if (what->sizes.on_device == 0)
        return gzk_fail(error, GZK_INVALID,
                        "ranks: no level of %s is computed by launches of its own on the device, "
                        "so that none is divided: must be larger and even, or a smaller --tail",
                        gzk_extents_text(what->sizes.of[0], 3).text);
    while (levels < what->sizes.on_device && fits(what, levels + 1))
        levels++;
    if (levels == 0)
        return gzk_fail(error, GZK_INVALID,
                        "ranks %s: the boxes of %s elements must have even extents: must be at "
                        "most %s",
                        gzk_extents_text(what->layout, 3).text,
                        gzk_extents_text(what->sizes.of[0], 3).text,
                        gzk_extents_text(coarse, 3).text);
    const int *whole = what->sizes.of[levels];
    if ((double)whole[0] * whole[1] * whole[2] > MOST)
        return gzk_fail(error, GZK_INVALID,
                        "ranks %s: every rank would have all of level %s, which cannot be divided: "
                        "must be at most %d elements",
                        gzk_extents_text(what->layout, 3).text, gzk_extents_text(whole, 3).text,
                        (int)MOST);
    division->levels = levels;
    return 0;
}

/* Boxes of all levels begin at multiples of an element of the first that is not divided. */
static int cut(const struct gzm_divided *what, struct gzm_division *division,
               struct gzk_error *error)
{
    const int *ranks = what->layout, last = division->levels;
    size_t numbers = (size_t)(ranks[0] + ranks[1] + ranks[2] + 3);
    int *at = calloc((size_t)(last + 1) * numbers, sizeof *at);

    division->cuts = at;
    if (!at)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (int k = 0; k <= last; k++)
        for (int d = 0; d < 3; d++) {
            struct gzk_split *split = &division->split[k];
            split->size[d] = what->sizes.of[k][d];
            split->ranks[d] = ranks[d];
            split->periodic[d] = what->problem->edges == GZM_PERIODIC;
            split->cuts[d] = at;
            for (int i = 0; i <= ranks[d]; i++)
                *at++ = (int)((long long)what->sizes.of[last][d] * i / ranks[d]) << (last - k);
        }
    return 0;
}

/* Halos have an even number of elements, so that a coarse level's elements cover them. */
static int set_depth(const struct gzm_divided *what, int k, struct gzm_division *division,
                     struct gzk_error *error)
{
    struct gzk_split *split = &division->split[k];
    int radius = gzm_grid_of(what->problem).radius;
    long most = gzk_split_most_loops(split, (const int[3]){radius, radius, radius});
    int useful = gzm_most_depth(what), asked = what->depth[k];
    int depth = asked > 0 && asked < useful ? asked : useful;

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

int gzm_divide(const struct gzm_divided *what, struct gzm_division *division,
               struct gzk_error *error)
{
    *division = (struct gzm_division){.exchange = division->exchange};
    int status = count_levels(what, division, error);
    if (status == 0)
        status = cut(what, division, error);
    for (int k = 0; k < division->levels && status == 0; k++)
        status = set_depth(what, k, division, error);
    return status;
}

void gzm_division_free(struct gzm_division *division)
{
    free(division->cuts);
    *division = (struct gzm_division){.exchange = division->exchange};
}
