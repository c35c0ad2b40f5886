/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * grid.c - the cells that a device holds, and what lies beyond them along each axis: cells that are
 * read and never written, those of the other end, or the last one again.
 *
 * The domain is the box around all cells that turns write. Coordinate k of a cell is axis
 * dimensions - 1 - k.
 */
#include "decide.h"
#include "scan.h"

#include "stencil.h"

#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

isl_set *plan_between(isl_set *set, int k)
{
    unsigned n = (unsigned)isl_set_dim(set, isl_dim_set);
    isl_set *line = plan_line(set, k);
    isl_map *up = isl_map_read_from_str(isl_set_get_ctx(set), "{ [a] -> [b] : b >= a }");
    isl_set *below = isl_set_apply(isl_set_copy(line), isl_map_reverse(isl_map_copy(up)));
    line = isl_set_intersect(isl_set_apply(line, up), below);
    line = isl_set_insert_dims(line, isl_dim_set, 0, (unsigned)k);
    return isl_set_coalesce(isl_set_add_dims(line, isl_dim_set, n - (unsigned)k - 1));
}

/* How many cells the domain has along an axis. */
static isl_set *extent_of(struct plan_maker *m, int axis)
{
    return isl_map_range(isl_map_from_pw_aff(
        isl_pw_aff_sub(isl_pw_aff_copy(m->plan.high[axis]), isl_pw_aff_copy(m->plan.low[axis]))));
}

/* What numbers of the program decide a distance, " by n and m" for example; "" if none does. */
static const char *decided_by(const struct plan_maker *m, isl_set *line)
{
    isl_basic_set *equal = isl_set_affine_hull(line);
    struct gzt_text text = {0};
    for (unsigned i = 0; i < (unsigned)isl_basic_set_dim(equal, isl_dim_param); i++) {
        const struct ir_loop *loop;
        isl_id *id = isl_basic_set_get_dim_id(equal, isl_dim_param, i);
        const struct ir_value *value = ir_scan_parameter(m->affine, id, &loop);
        if (value && isl_basic_set_involves_dims(equal, isl_dim_param, i, 1) == isl_bool_true)
            gzt_add(&text, "%s%s", text.length ? " and " : ", by ", ir_shown(m->plan.ir, value));
    }
    return gzt_string(&text);
}

/* Whether a distance along a coordinate is around the grid, or none is. */
static bool find_around(struct plan_maker *m, struct plan_part *part, int k)
{
    int axis = m->plan.dimensions - 1 - k;
    if (!part->far || plan_is_distance(plan_line(part->far, k), &part->distance[k]))
        return true;
    for (int sign = -1; sign < 2; sign += 2) {
        isl_set *by = sign < 0 ? isl_set_neg(extent_of(m, axis)) : extent_of(m, axis);
        isl_set *far = isl_set_align_params(plan_line(part->far, k), isl_set_get_space(by));
        by = isl_set_align_params(by, isl_set_get_space(far));
        if (plan_is_distance(isl_set_sum(far, by), &part->distance[k])) {
            m->plan.edge[axis] = GZ_EDGE_PERIODIC;
            return part->around[k] = true;
        }
    }
    return plan_refuse(&m->plan, part->at, part->other,
                       "this is read at a distance from the cell that differs from cell to cell%s",
                       decided_by(m, plan_line(part->far, k)));
}

/* C[t, cells] of the domain's of a set, so far away along a coordinate. */
static isl_set *read_by(struct plan_maker *m, isl_set *cells, int k, int far)
{
    int move[PLAN_AXES + 1] = {0};
    move[k + 1] = far;
    cells = isl_set_intersect(isl_set_copy(cells), isl_set_copy(m->box));
    return isl_set_set_tuple_name(plan_moved(cells, move), "C");
}

/* Whether memory that is read lies, along a coordinate, within the domain. */
static bool is_within(struct plan_maker *m, struct plan_part *part, int k)
{
    return isl_set_is_subset(read_by(m, part->cells, k, part->distance[k]), m->line[k]) ==
           isl_bool_true;
}

/* Whether, along an axis that has no end, cells read beyond it exactly where C goes around. */
static bool check_around(struct plan_maker *m, struct plan_part *part, int k)
{
    if (m->plan.edge[m->plan.dimensions - 1 - k] != GZ_EDGE_PERIODIC)
        return true;
    bool good = !part->around[k]
                    ? is_within(m, part, k)
                    : isl_set_is_disjoint(read_by(m, part->cells, k, part->distance[k]),
                                          m->line[k]) == isl_bool_true;
    int at = part->at > 0 ? part->at : m->plan.field[0]->place.op->begin;
    return good || plan_refuse(&m->plan, at, part->other,
                               "some reads beyond the grid go around it, and others do not");
}

/* Takes a distance along a coordinate from the other end, if that is nearer and the domain's extent
 * is a number. */
static bool turn(struct plan_maker *m, struct plan_part *part, int k)
{
    int axis = m->plan.dimensions - 1 - k, far = part->distance[k], extent = 0;
    if (abs(far) >= 2 && plan_is_distance(extent_of(m, axis), &extent) && 2 * abs(far) > extent) {
        part->distance[k] = far > 0 ? far - extent : far + extent;
        part->around[k] = true;
        m->plan.edge[axis] = GZ_EDGE_PERIODIC;
    }
    return true;
}

static bool same_part(const struct plan_part *a, const struct plan_part *b)
{
    return a->sight == b->sight && a->node == b->node && a->number == b->number &&
           memcmp(a->distance, b->distance, sizeof a->distance) == 0;
}

/* Whether no part between two has any of some cells, which may so be one's or the other's. */
static bool is_free(const struct plan_parts *parts, int from, int to, isl_set *cells)
{
    for (int i = from + 1; i < to; i++)
        if (isl_set_is_disjoint(parts->part[i]->cells, cells) != isl_bool_true)
            return false;
    return true;
}

static void drop_part(struct plan_parts *parts, int part)
{
    memmove(&parts->part[part], &parts->part[part + 1],
            (size_t)(--parts->count - part) * sizeof *parts->part);
}

/* Makes one of parts that see the same. */
static void join_parts(struct plan_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        struct plan_part *part = parts->part[i];
        for (int k = parts->count - 1; k > i; k--)
            if (same_part(part, parts->part[k]) && is_free(parts, i, k, parts->part[k]->cells)) {
                part->cells = isl_set_union(part->cells, parts->part[k]->cells);
                drop_part(parts, k);
            }
        part->cells = isl_set_coalesce(part->cells);
    }
}

/* Lists the parts of each field's next value and of each load. */
static void list_parts(struct plan_maker *m)
{
    for (int i = 0; i < m->plan.fields; i++)
        gzt_push(&m->parts, &m->lists, &m->next[i]);
    for (int i = 0; i < m->nodes; i++)
        for (int k = 0; k < m->node[i]->seens; k++)
            gzt_push(&m->parts, &m->lists, &m->node[i]->seen[k]->parts);
}

/* Whether something is true of each part that is read at a distance, along a coordinate. */
static bool all_read(struct plan_maker *m, int k,
                     bool (*is)(struct plan_maker *m, struct plan_part *part, int k))
{
    for (int i = 0; i < m->lists; i++)
        for (int n = 0; n < m->parts[i]->count; n++) {
            struct plan_part *part = m->parts[i]->part[n];
            if ((part->sight == PLAN_FIELD || part->sight == PLAN_ARRAY) && !is(m, part, k))
                return false;
        }
    return true;
}

/* Whether a part, all of which is within the domain, sees in its cells what the part `of` would if
 * an index beyond the domain, along a coordinate, meant the nearest cell in it. */
static bool is_clamped(struct plan_maker *m, const struct plan_parts *parts, int part, int of,
                       int k)
{
    const struct plan_part *near = parts->part[part];
    struct plan_part far = *parts->part[of];
    int by = far.distance[k], last = near->distance[k] + (by < 0 ? -1 : 1);
    far.distance[k] = near->distance[k];
    if (!same_part(near, &far) || by * near->distance[k] < 0 || abs(by) <= abs(near->distance[k]))
        return false;
    isl_set *own = plan_own_cells(parts, part);
    return isl_set_is_disjoint(read_by(m, own, k, last), m->line[k]) == isl_bool_true &&
           is_free(parts, part, of, own);
}

/* Makes one of parts where one sees what another would beyond the domain; whether it has. */
static bool clamp_parts(struct plan_maker *m, struct plan_parts *parts, int k)
{
    bool any = false;
    for (int part = 0, of = 0; part < parts->count; of = 0, part++) {
        while (of < parts->count && !is_clamped(m, parts, part, of, k))
            of++;
        if (of == parts->count)
            continue;
        ir_grow(&parts->part[of]->cells, plan_own_cells(parts, part));
        drop_part(parts, part);
        part = -1;
        any = true;
    }
    return any;
}

/* Finds the axes along which nothing beyond the domain is read, but the last cell instead. */
static void find_clamps(struct plan_maker *m)
{
    for (int k = 0; k < m->plan.dimensions; k++) {
        int *edge = &m->plan.edge[m->plan.dimensions - 1 - k];
        bool may = *edge == GZ_EDGE_KEEP && all_read(m, k, is_within);
        for (int i = 0; i < m->lists && may; i++)
            if (clamp_parts(m, m->parts[i], k))
                *edge = GZ_EDGE_CLAMP;
    }
}

static bool find_cells(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    for (int i = 0; i < plan->fields; i++) {
        struct plan_field *field = plan->field[i];
        field->take = plan_written_cells(m, field->object, m->role[i]);
        isl_set *own = isl_set_intersect(isl_set_copy(field->fill), isl_set_copy(field->take));
        field->fill = isl_set_coalesce(isl_set_subtract(field->fill, isl_set_copy(field->take)));
        ir_grow(&field->fill, isl_set_coalesce(own));
    }
    /* Those that no store ever sets are where the next value has them from, turn by turn. */
    for (int i = 0; i < plan->fields * plan->fields; i++) {
        const struct plan_field *field = plan->field[i % plan->fields];
        const struct plan_parts *next = &m->next[i % plan->fields];
        isl_set *never = isl_set_subtract(isl_set_copy(field->fill), isl_set_copy(field->take));
        plan_fill(m, next->part[next->count - 1]->number, never);
    }
    for (int i = 0; i < plan->fields; i++) {
        struct plan_field *field = plan->field[i];
        isl_set *fill = field->fill, *whole = isl_set_copy(field->take);
        field->border =
            isl_set_coalesce(isl_set_subtract(isl_set_copy(fill), isl_set_copy(field->take)));
        ir_grow(&whole, isl_set_copy(field->border));
        /* Cells that turns write besides make fewer parts, but for a few points. */
        field->fill = isl_set_n_basic_set(whole) < isl_set_n_basic_set(fill) ? whole : fill;
        if (field->only && (field->seen || isl_set_is_subset(whole, field->only) != isl_bool_true))
            return plan_refuse_op(m, field->place.op, "is read where no access leads to each cell");
    }
    return true;
}

/* The cells of the domain and the halo that the device holds. */
static isl_set *held_cells(struct plan_maker *m)
{
    isl_set *held = NULL;
    for (int k = 0; k < m->plan.dimensions; k++) {
        int rim = m->plan.rim[m->plan.dimensions - 1 - k], move[PLAN_AXES + 1] = {0};
        isl_set *line = isl_set_copy(m->line[k]);
        for (move[k + 1] = -rim; move[k + 1] <= rim; move[k + 1]++)
            line = isl_set_union(
                line, isl_set_set_tuple_name(plan_moved(isl_set_copy(m->line[k]), move), "C"));
        line = isl_set_coalesce(line);
        held = held ? isl_set_intersect(held, line) : line;
    }
    return isl_set_coalesce(plan_without_time(held));
}

/* The box around all cells that turns write. */
static void find_domain(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    isl_set *all = NULL;
    for (int i = 0; i < plan->fields; i++)
        all = ir_union(all, isl_set_copy(plan->field[i]->take));
    all = isl_set_coalesce(all);
    m->box = plan_device_turns(m);
    plan->some = isl_set_subtract(isl_set_params(isl_set_copy(all)), isl_set_copy(m->beyond));
    for (int axis = 0; axis < plan->dimensions; axis++) {
        int k = plan->dimensions - 1 - axis;
        isl_pw_aff *low = isl_set_dim_min(isl_set_copy(all), k),
                   *last = isl_set_dim_max(isl_set_copy(all), k);
        low = isl_pw_aff_gist(low, isl_set_copy(plan->some));
        last = isl_pw_aff_gist(last, isl_set_copy(plan->some));
        plan->low[axis] = isl_pw_aff_coalesce(isl_pw_aff_from_range(low));
        last = isl_pw_aff_add_constant_val(last, isl_val_one(m->affine->isl));
        plan->high[axis] = isl_pw_aff_coalesce(isl_pw_aff_from_range(last));
        plan->edge[axis] = GZ_EDGE_KEEP;
        m->line[k] = isl_set_insert_dims(plan_between(all, k), isl_dim_set, 0, 1);
        m->line[k] = isl_set_set_tuple_name(m->line[k], "C");
        m->box = isl_set_intersect(m->box, isl_set_copy(m->line[k]));
    }
}

/* Lets the radius along a coordinate be no less than a part's distance. */
static bool reach(struct plan_maker *m, struct plan_part *part, int k)
{
    int *radius = &m->plan.radius[m->plan.dimensions - 1 - k], far = abs(part->distance[k]);
    *radius = far > *radius ? far : *radius;
    return true;
}

/* Which axes go around, and how far along each of them cells are read. */
static bool find_radius(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    for (int k = 0; k < plan->dimensions; k++)
        if (!all_read(m, k, find_around))
            return false;
    for (int k = 0; k < plan->dimensions; k++) {
        int axis = plan->dimensions - 1 - k;
        if (plan->edge[axis] == GZ_EDGE_KEEP && all_read(m, k, is_within))
            all_read(m, k, turn);
        all_read(m, k, reach);
    }
    for (int k = 0; k < plan->dimensions; k++)
        if (!all_read(m, k, check_around))
            return false;
    return true;
}

bool plan_find_grid(struct plan_maker *m)
{
    struct plan *plan = &m->plan;
    if (!find_cells(m))
        return false;
    find_domain(m);
    plan->buffers = plan->fields == 1 && plan->field[0]->planes == 2 ? 2 : 1;
    list_parts(m);
    if (!find_radius(m))
        return false;
    for (int i = 0; i < m->lists; i++)
        join_parts(m->parts[i]);
    find_clamps(m);
    if (plan->radius[0] + plan->radius[1] + plan->radius[2] == 0)
        plan->radius[0] = 1;
    for (int axis = 0; axis < plan->dimensions; axis++)
        plan->rim[axis] = plan->edge[axis] == GZ_EDGE_KEEP ? plan->radius[axis] : 0;
    plan->grid = held_cells(m);
    return true;
}
