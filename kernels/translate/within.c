/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "within.h"

#include "loops.h"

/* Whether a part has cells at all. */
static isl_set *runs(const struct gzt_program *program, const struct gzt_sweep *part)
{
    isl_set *set = isl_set_universe(isl_space_set_alloc(program->isl, 0, 0));
    for (int axis = 0; axis < program->dimensions; axis++)
        set = isl_set_intersect(set, isl_pw_aff_le_set(isl_pw_aff_copy(part->first[axis]),
                                                       isl_pw_aff_copy(part->last[axis])));
    return set;
}

/* Where cells of a part, so far away, lie beyond a bound of another, the lower one of axis k / 2
 * or, if k is odd, the upper one: any of them, or all. */
static isl_set *beyond(const struct gzt_program *program, const struct gzt_sweep *bounds,
                       const struct gzt_sweep *part, int shift, int k, bool all)
{
    struct gzt_space space = gzt_space_of(program, part);
    bool upper = k % 2;
    space.variables = 0;
    isl_pw_aff *cell = isl_pw_aff_copy(upper == all ? part->first[k / 2] : part->last[k / 2]);
    isl_pw_aff *bound = isl_pw_aff_copy(upper ? bounds->last[k / 2] : bounds->first[k / 2]);
    cell = isl_pw_aff_add(cell, gzt_whole(&space, shift));
    return upper ? isl_pw_aff_gt_set(cell, bound) : isl_pw_aff_lt_set(cell, bound);
}

static bool is_none(isl_set *set)
{
    bool none = isl_set_is_empty(set) == isl_bool_true;
    isl_set_free(set);
    return none;
}

bool gzt_has_bounds(const struct gzt_program *program, int part, int axis)
{
    const struct gzt_sweep *first = &program->sweep[0], *sweep = &program->sweep[part];
    return sweep->axis_loop[axis] >= 0 && gzt_is_within(program, first, sweep, 0, 2 * axis) &&
           gzt_is_within(program, first, sweep, 0, 2 * axis + 1) &&
           gzt_is_within(program, sweep, first, 0, 2 * axis) &&
           gzt_is_within(program, sweep, first, 0, 2 * axis + 1);
}

bool gzt_is_within(const struct gzt_program *program, const struct gzt_sweep *bounds,
                   const struct gzt_sweep *part, int shift, int k)
{
    if (program->edge[k / 2] != GZT_EDGE_KEEP && shift)
        return true;
    return is_none(
        isl_set_intersect(runs(program, part), beyond(program, bounds, part, shift, k, false)));
}

bool gzt_encloses(const struct gzt_program *program, const struct gzt_sweep *bounds,
                  const struct gzt_sweep *part, int k)
{
    isl_set *cells = isl_set_intersect(runs(program, part), runs(program, bounds));
    return is_none(isl_set_intersect(cells, beyond(program, bounds, part, 0, k, false)));
}

bool gzt_is_beyond(const struct gzt_program *program, const struct gzt_sweep *bounds,
                   const struct gzt_sweep *part, int shift, int k)
{
    if (program->edge[k / 2] != GZT_EDGE_KEEP)
        return false;
    return is_none(
        isl_set_subtract(runs(program, part), beyond(program, bounds, part, shift, k, true)));
}

isl_set *gzt_elements(const struct gzt_program *program, const struct gzt_sweep *sweep,
                      isl_set *cells, const int offset[GZT_AXES])
{
    struct gzt_space space = gzt_space_of(program, sweep);
    unsigned dimensions = (unsigned)program->dimensions;
    isl_space *pair = isl_space_alloc(program->isl, 0, (unsigned)sweep->loops, dimensions);
    isl_multi_pw_aff *to = isl_multi_pw_aff_zero(pair);
    for (int c = 0; c < program->dimensions; c++) {
        int axis = program->dimensions - 1 - c;
        int distance = program->edge[axis] == GZT_EDGE_KEEP ? offset[axis] : 0;
        isl_pw_aff *index = isl_pw_aff_copy(sweep->write.coordinate[c].index);
        to = isl_multi_pw_aff_set_pw_aff(to, c, isl_pw_aff_add(index, gzt_whole(&space, distance)));
    }
    return isl_set_apply(isl_set_copy(cells), isl_map_from_multi_pw_aff(to));
}
