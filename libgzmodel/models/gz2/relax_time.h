/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relax_time.h - the relaxed time of a loop, with its derivatives by height and tile (relax.c).
 *
 * Why it is a lower bound of the exact model, term by term (~ marks what is relaxed):
 *
 * - T~ = prod N_i / t_i <= T. A sum over an axis' tiles of what they load or compute is T_i~ times
 *   the tile, less at most what the grid's edges cut off (cut() below); committed cells are N
 *   exactly.
 * - waves: u(R) falls with R, and R' <= R, so f R u(R) + R' u(R') >= T / M u(R_e) for every R_e >=
 *   max(R, R'): 1 / R_e is a smooth lower bound of max(bytes / S, 1 / R_most, M / T~).
 * - the mean over tiles of a norm is at least the norm of the mean (convexity), and the busiest
 *   worker has at least the mean.
 * - a maximum is bounded by a + s(b - a), s(y) = y^2 / (y + c) for y > 0: once continuously
 *   differentiable, convex, below max(0, y).
 * - the shares of memory's traffic that are fetched ahead and that are in short rows are the exact
 * model's, smooth functions; and a run's share of stages.
 * - trips: ceil(e / threads) >= 1 and e / threads; a sum over a padded tile's loops at least the
 *   value in their middle (Jensen).
 */
#ifndef GZI_RELAX_TIME_H
#define GZI_RELAX_TIME_H

#include "gz2_terms.h"

#include <math.h>

/* A value and its derivatives by WAYS variables: height and tile, or what these are functions of.
 */
enum { WAYS = 4 };
typedef struct dual {
    double v, d[WAYS];
} dual;

static dual constant(double v)
{
    return (dual){.v = v};
}

/* f(a) with f' = slope. */
static dual chain(dual a, double v, double slope)
{
    a.v = v;
    for (int i = 0; i < WAYS; i++)
        a.d[i] *= slope;
    return a;
}

static dual scale(dual a, double factor)
{
    return chain(a, a.v * factor, factor);
}

static dual add(dual a, dual b)
{
    a.v += b.v;
    for (int i = 0; i < WAYS; i++)
        a.d[i] += b.d[i];
    return a;
}

static dual sub(dual a, dual b)
{
    return add(a, scale(b, -1));
}

static dual shift(dual a, double by)
{
    a.v += by;
    return a;
}

static dual mul(dual a, dual b)
{
    for (int i = 0; i < WAYS; i++)
        a.d[i] = a.d[i] * b.v + a.v * b.d[i];
    a.v *= b.v;
    return a;
}

static dual inverse(dual a)
{
    return chain(a, 1 / a.v, -1 / (a.v * a.v));
}

static dual quotient(dual a, dual b)
{
    return mul(a, inverse(b));
}

/* At most max(floor, a): c is SOFTNESS floor. */
#define SOFTNESS 0.05
static dual at_least(double floor_value, dual a)
{
    double y = a.v - floor_value, c = SOFTNESS * floor_value;
    if (!(y > 0))
        return constant(floor_value);
    return chain(a, floor_value + y * y / (y + c), y * (y + 2 * c) / ((y + c) * (y + c)));
}

/* The relaxed geometry of an axis. */
typedef struct axis {
    dual tiles, block, loaded, computed;
    double committed;
} axis;

/* The cells of all tiles, each `reach` wider on both sides than what it commits, if they lie
 * inside the grid: at least N + (2 (T - 1) - 1) reach - reach^2 / t, and N. */
static dual cut(double grid, dual tile, dual tiles, dual reach)
{
    dual inner = mul(reach, shift(scale(tiles, 2), -3));
    dual all = shift(sub(inner, quotient(mul(reach, reach), tile)), grid);
    return at_least(grid, all);
}

static axis make_axis(double grid, double radius, gzi_gz2_edge edge, dual height, dual tile)
{
    axis a;
    dual ghost = scale(height, radius), reach = scale(shift(height, -1), radius);

    a.committed = grid;
    a.tiles = tile.v < grid ? scale(inverse(tile), grid) : constant(1);
    a.block = add(tile, scale(ghost, 2));
    switch (edge) {
    case GZI_GZ2_EDGE_CLAMP:
        a.loaded = mul(a.tiles, a.block);
        a.computed = cut(grid, tile, a.tiles, reach);
        break;
    case GZI_GZ2_EDGE_ZERO:
        a.loaded = cut(grid, tile, a.tiles, ghost);
        a.computed = cut(grid, tile, a.tiles, reach);
        break;
    case GZI_GZ2_EDGE_PERIODIC:
        a.loaded = shift(scale(mul(a.tiles, ghost), 2), grid);
        a.computed = shift(scale(mul(a.tiles, reach), 2), grid);
        break;
    default:
        a.loaded = mul(a.tiles, a.block);
        a.computed = mul(a.tiles, add(tile, scale(reach, 2)));
        break;
    }
    return a;
}

/* Sum over j = 0 .. h - 1 of the product over dimensions from `from` of t_i + 2 r_i j: the cells of
 * a padded tile's loops, exact for whole h. */
static dual padded_sum(const gzi_gz2_stencil *s, const dual tile[3], dual h, int from)
{
    dual coefficient[4] = {constant(1)}, power[4], sum = constant(0);
    for (int i = from; i < s->dim; i++)
        for (int n = 3; n >= 0; n--) {
            coefficient[n] = mul(coefficient[n], tile[i]);
            if (n > 0)
                coefficient[n] = add(coefficient[n], scale(coefficient[n - 1], 2.0 * s->radius[i]));
        }
    dual below = mul(h, shift(h, -1));
    power[0] = h;
    power[1] = scale(below, 0.5);
    power[2] = scale(mul(below, shift(scale(h, 2), -1)), 1.0 / 6);
    power[3] = mul(power[1], power[1]);
    for (int n = 0; n < 4; n++)
        sum = add(sum, mul(coefficient[n], power[n]));
    return sum;
}

/* Trips over cells of these extents: at least 1 in each dimension. */
static dual trips(const gzi_gz2_config *config, int dim, const dual extent[3])
{
    dual n = constant(1);
    for (int i = 0; i < dim; i++)
        n = mul(n, at_least(1, scale(extent[i], 1.0 / config->threads[i])));
    return n;
}

/* Lines of all rows with `cells` cells in `rows` rows. */
static dual lines(const gzi_gz2 *model, const gzi_gz2_config *config, dual cells, dual rows)
{
    double share = fmin(1, model->stencil.bytes / model->device.line);
    dual each = at_least(1, quotient(scale(cells, 1.0 / config->threads[0]), rows));
    return add(scale(mul(rows, each), 1 - share), scale(cells, share));
}

static dual level(const gzi_gz2 *model, dual bytes, double *by_cache)
{
    gzi_gz2_level a =
        gzi_gz2_level_make(bytes.v, model->value[GZI_GZ2_CACHE], model->device.sharpness);
    *by_cache = a.by_cache;
    return chain(bytes, a.value, a.by_bytes);
}

/* What the loops compute, of all tiles. */
typedef struct computed {
    dual cells, rows, trips; /* trips: of one group */
} computed;

static computed count_computed(const gzi_gz2 *model, const gzi_gz2_config *config, dual height,
                               const dual tile[3], const axis a[3], dual tiles)
{
    const gzi_gz2_stencil *s = &model->stencil;
    dual extent[3];
    computed c;

    if (s->edge[0] == GZI_GZ2_EDGE_PADDED) {
        c.cells = mul(tiles, padded_sum(s, tile, height, 0));
        c.rows = mul(tiles, padded_sum(s, tile, height, 1));
    } else {
        c.rows = mul(mul(a[0].tiles, height), mul(a[1].computed, a[2].computed));
        c.cells = mul(mul(a[0].computed, height), mul(a[1].computed, a[2].computed));
    }
    for (int i = 0; i < s->dim; i++) {
        double wider = s->edge[0] == GZI_GZ2_EDGE_PADDED ? 1 : 2;
        extent[i] = add(tile[i], scale(shift(height, -1), wider * s->radius[i]));
    }
    c.trips = mul(height, trips(config, s->dim, extent));
    return c;
}

/* 1 - e: the share of the traffic with device memory that a prefetcher has fetched ahead; at whole
 * heights and tiles, the exact model's. */
static dual fetched_ahead(const gzi_gz2 *model, const gzi_gz2_config *config, dual height,
                          const dual tile[3], const axis a[3])
{
    const gzi_gz2_stencil *s = &model->stencil;
    dual streams = shift(scale(height, s->per_step), 1.0 + s->loaded + s->constant);
    if (!gzi_gz2_is_core(model, config))
        return constant(0);
    for (int i = 1; i < s->dim; i++)
        streams = mul(streams, a[i].block);
    gzi_gz2_level row = gzi_gz2_row_ahead(s->bytes * tile[0].v);
    gzi_gz2_level many = gzi_gz2_streams_ahead(streams.v);
    return mul(chain(tile[0], row.value, row.by_cache * s->bytes),
               chain(streams, many.value, many.by_cache));
}

/* s: how far the tile's rows are short ones; the exact model's likewise. */
static dual short_rows(const gzi_gz2 *model, const gzi_gz2_config *config, const dual tile[3])
{
    double x = model->stencil.bytes;
    if (!gzi_gz2_is_core(model, config))
        return constant(0);
    gzi_gz2_level row = gzi_gz2_row_short(x * tile[0].v, gzi_gz2_rows_apart(model, config));
    return chain(tile[0], row.value, row.by_cache * x);
}

/* Counts of all tiles together, by parameter, and d time / d C; latency per group, not over R. */
static void count_all(const gzi_gz2 *model, const gzi_gz2_config *config, dual height,
                      const dual tile[3], const axis a[3], dual count[GZI_GZ2_PARAMETERS],
                      double *by_cache)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double x = s->bytes, arrays = s->loaded, read = s->per_step + s->constant, threads = 1;
    double cells = a[0].committed * a[1].committed * a[2].committed;
    double cells_rows = a[1].committed * a[2].committed, stage_slope, run_slope = 0;
    dual tiles = mul(mul(a[0].tiles, a[1].tiles), a[2].tiles);
    dual loaded_rows = mul(a[0].tiles, mul(a[1].loaded, a[2].loaded));
    dual loaded = mul(a[0].loaded, mul(a[1].loaded, a[2].loaded));
    dual committed_rows = scale(a[0].tiles, cells_rows);
    computed c = count_computed(model, config, height, tile, a, tiles);
    dual block[3], first[3], moved = add(scale(loaded, arrays), constant(cells));
    dual stage =
        level(model, scale(shift(scale(height, s->per_step), 1 + arrays + s->constant), x * cells),
              &stage_slope);
    dual run = constant(0);

    if (s->per_step > 0)
        run = level(model, constant(x * cells * (2 + config->loops)), &run_slope);
    for (int i = 0; i < s->dim; i++) {
        threads *= config->threads[i];
        block[i] = a[i].block;
        first[i] = shift(a[i].block, -2.0 * s->radius[i]);
    }
    double warps = ceil(threads / model->device.warp);
    dual load = add(trips(config, s->dim, block), scale(trips(config, s->dim, first), read));

    count[GZI_GZ2_COPY_CELL] = scale(moved, gzi_gz2_words(s));
    count[GZI_GZ2_COPY_ROW] = add(scale(loaded_rows, arrays), committed_rows);
    if (s->clears && config->mode != GZI_GZ2_FENCES) {
        dual whole = tiles, inner = tiles, rows = tiles;
        for (int i = 0; i < s->dim; i++) {
            whole = mul(whole, block[i]);
            inner = mul(inner, first[i]);
            rows = i > 0 ? mul(rows, block[i]) : rows;
        }
        count[GZI_GZ2_COPY_CELL] =
            add(count[GZI_GZ2_COPY_CELL],
                scale(sub(whole, inner), GZI_GZ2_CLEARING * gzi_gz2_words(s)));
        count[GZI_GZ2_COPY_ROW] = add(count[GZI_GZ2_COPY_ROW], scale(rows, GZI_GZ2_CLEARING));
    }
    /* What strays from core to core is left out: it is not less than 0. */
    if (model->device.warp == 1 && config->mode != GZI_GZ2_FENCES)
        count[GZI_GZ2_DEAL] = tiles;
    count[GZI_GZ2_GROUP] = tiles;
    count[GZI_GZ2_LOAD] = mul(tiles, load);
    count[GZI_GZ2_BARRIER] = mul(tiles, height);
    count[GZI_GZ2_BARRIER_WARP] = scale(mul(tiles, height), warps - 1);
    count[GZI_GZ2_LINE] = lines(model, config, constant(cells), committed_rows);
    count[GZI_GZ2_SHARED] = scale(add(moved, scale(c.cells, s->reads + 1)), x);
    count[GZI_GZ2_L2] = scale(add(moved, scale(c.cells, read)), x);
    dual bytes = scale(add(scale(stage, (arrays + 1 + s->constant) * cells),
                           scale(mul(run, c.cells), s->per_step)),
                       x);
    dual ahead = fetched_ahead(model, config, height, tile, a);
    count[GZI_GZ2_AHEAD_DRAM] = mul(bytes, ahead);
    dual rest = mul(bytes, shift(scale(ahead, -1), 1));
    dual in_short_rows = short_rows(model, config, tile), in_short = mul(rest, in_short_rows);
    count[GZI_GZ2_SHORT_DRAM] = in_short;
    count[GZI_GZ2_DRAM] = sub(rest, in_short);
    double tau = (1 - ahead.v) * (model->value[GZI_GZ2_DRAM] * (1 - in_short_rows.v) +
                                  model->value[GZI_GZ2_SHORT_DRAM] * in_short_rows.v) +
                 model->value[GZI_GZ2_AHEAD_DRAM] * ahead.v;
    *by_cache =
        tau * x *
        ((arrays + 1 + s->constant) * cells * stage_slope + s->per_step * c.cells.v * run_slope);
    count[GZI_GZ2_CELL] = c.cells;
    count[GZI_GZ2_ROW] = c.rows;
    count[GZI_GZ2_ROW_FENCE] = config->mode == GZI_GZ2_FENCES ? c.rows : constant(0);
    count[GZI_GZ2_CHAIN] = mul(tiles, c.trips);
    count[GZI_GZ2_ISSUE] = scale(mul(tiles, c.trips), warps);
}

/* 1 / R_e, a lower bound of the reciprocal of the groups that share a unit. */
static dual reciprocal_resident(const gzi_gz2 *model, const gzi_gz2_config *config, const axis a[3],
                                dual tiles)
{
    const gzi_gz2_device *device = &model->device;
    double most = device->blocks, threads = 1;
    dual bytes = constant((model->stencil.loaded + 1.0) * model->stencil.bytes), per_group;

    for (int i = 0; i < model->stencil.dim; i++) {
        threads *= config->threads[i];
        bytes = mul(bytes, a[i].block);
    }
    threads = ceil(threads / device->warp) * device->warp;
    if (device->threads > 0)
        most = fmin(most, floor(device->threads / threads));
    if (device->registers > 0 && model->stencil.registers > 0)
        most = fmin(most, floor(device->registers / (threads * model->stencil.registers)));
    per_group = constant(1 / fmax(most, 1));
    if (device->local_unit > 0)
        per_group = at_least(per_group.v, scale(bytes, 1 / device->local_unit));
    /* max(a, b) = a max(1, b / a) */
    return mul(per_group, at_least(1, quotient(scale(inverse(tiles), device->units), per_group)));
}

/* The synchronisation of a stage: of fences at most min(T, W), and nothing for a single tile. */
static dual sync_time(const gzi_gz2 *model, const gzi_gz2_config *config, dual height, dual tiles,
                      dual count[GZI_GZ2_PARAMETERS])
{
    enum { SHARPNESS = 8 };
    double units = model->device.units;
    dual groups, several, sum = constant(0);
    dual between = chain(height, gzi_gz2_between(config, height.v),
                         height.v * config->run_share < 1 ? -config->run_share : 0);
    dual run = shift(scale(between, -1), 1);

    count[GZI_GZ2_RUN] = run;
    switch (config->mode) {
    case GZI_GZ2_RESTARTS:
        count[GZI_GZ2_LAUNCH] = between;
        break;
    case GZI_GZ2_GRAPHS:
        count[GZI_GZ2_GRAPH] = between;
        break;
    case GZI_GZ2_FENCES:
        count[GZI_GZ2_RUN_FENCE] = run;
        /* A single group does not wait; a single unit may hold only one. */
        if (model->device.units == 1)
            break;
        several = shift(scale(inverse(tiles), -1), 1);
        groups = chain(tiles,
                       pow(pow(tiles.v, -SHARPNESS) + pow(units, -SHARPNESS), -1.0 / SHARPNESS), 0);
        groups = chain(tiles, groups.v, pow(groups.v / tiles.v, SHARPNESS + 1));
        count[GZI_GZ2_FENCE] = mul(between, several);
        count[GZI_GZ2_FENCE_GROUP] = mul(count[GZI_GZ2_FENCE], groups);
        break;
    }
    for (int j = GZI_GZ2_LAUNCH; j <= GZI_GZ2_RUN_FENCE; j++)
        sum = add(sum, scale(count[j], model->value[j]));
    return sum;
}

/* The relaxed time of a loop; `slope` by parameter, if not NULL. */
static dual relaxed(const gzi_gz2 *model, const gzi_gz2_config *config, dual height,
                    const dual tile[3], double *slope)
{
    dual count[GZI_GZ2_PARAMETERS] = {{0}}, term[GZI_GZ2_TERMS + 1] = {{0}};
    double value[GZI_GZ2_TERMS], by_cache, units = model->device.units;
    axis a[3];
    gzi_gz2_norm norm;

    for (int i = 0; i < 3; i++)
        a[i] = i < model->stencil.dim
                   ? make_axis((double)config->grid[i], model->stencil.radius[i],
                               model->stencil.edge[i], height, tile[i])
                   : (axis){constant(1), constant(1), constant(1), constant(1), 1};
    dual tiles = mul(mul(a[0].tiles, a[1].tiles), a[2].tiles);
    count_all(model, config, height, tile, a, count, &by_cache);
    dual sync = sync_time(model, config, height, tiles, count);
    dual per_group = reciprocal_resident(model, config, a, tiles);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_term t = gzi_gz2_term_of((gzi_gz2_parameter)j);
        if (t == GZI_GZ2_LATENCY)
            count[j] = mul(count[j], per_group);
        if (t != GZI_GZ2_SYNC && t != GZI_GZ2_TERMS)
            term[t] = add(term[t], scale(count[j], model->value[j] / units));
    }
    for (int t = 0; t < GZI_GZ2_TERMS; t++)
        value[t] = t == GZI_GZ2_SYNC ? 0 : term[t].v;
    dual body = sync;
    gzi_gz2_norm_make(value, model->value[GZI_GZ2_NORM], &norm);
    body.v += norm.value;
    for (int t = GZI_GZ2_LATENCY; t < GZI_GZ2_TERMS; t++)
        for (int i = 0; i < WAYS; i++)
            body.d[i] += norm.by[t] * term[t].d[i];
    for (int j = 0; slope && j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_term t = gzi_gz2_term_of((gzi_gz2_parameter)j);
        if (j == GZI_GZ2_CACHE)
            slope[j] = by_cache / units;
        else if (j == GZI_GZ2_NORM)
            slope[j] = norm.by_p;
        else
            slope[j] = t == GZI_GZ2_SYNC ? count[j].v : norm.by[t] * count[j].v / units;
        slope[j] /= height.v;
    }
    return quotient(body, height);
}

#endif
