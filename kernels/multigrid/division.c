/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "division.h"

#include "tiles.h"

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

/* Halos have an even number of elements, so that a coarse level's elements cover them. */
static int set_depth(const struct gzk_stencil *smoother, int useful, int k,
                     struct gzm_division *division, struct gzk_error *error)
{
    struct gzk_split *split = &division->split[k];
    long most = gzk_split_most_loops(split, smoother->radius);
    int asked = division->depth[k], depth = asked > 0 && asked < useful ? asked : useful;

    if (asked == 0 && depth > most)
        depth = (int)most;
    depth += smoother->radius[0] * depth % 2;
    division->depth[k] = depth;
    return gzk_split_deepen(smoother, depth, split, error);
}

/* Boxes of all levels begin at multiples of an element of the first that is not divided. */
int gzm_divide(const struct gzm_setup *setup, struct gzm_division *division,
               struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, true);
    struct gzk_stencil smoother;

    gzm_smoother_of(&setup->problem, &smoother);
    division->levels = 0;
    int status = count_levels(&sizes, division, error);
    for (int k = 0; k <= division->levels && status == 0; k++) {
        struct gzk_split *split = &division->split[k];
        status = gzk_split_make(&smoother, sizes.of[k], division->layout, 0, split, error);
        split->unit = 1 << (division->levels - k);
        if (status == 0 && k < division->levels)
            status = set_depth(&smoother, gzm_most_depth(setup), k, division, error);
    }
    return status;
}
