/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_geometry.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

int gzi_geometry_height_max(int dim, const int block[3], const int radius[3])
{
    long height = INT_MAX;
    for (int i = 0; i < dim; i++)
        if (radius[i] > 0)
            height = smaller(height, (block[i] - 1) / (2 * radius[i]));
    return (int)larger(height, 0);
}

void gzi_axis_tile(const gzi_gz2_tiling *tiling, int i, long k, gzi_tile_class *tile)
{
    long block = tiling->block[i], radius = tiling->radius[i], ghost = radius * tiling->height;
    long step = block - 2 * ghost, grid = tiling->grid[i], start = k * step;
    /* The part of the tile inside the grid, in the tile's coordinates. */
    long lo = larger(0, ghost - start), hi = smaller(block, grid - start + ghost);
    long loaded = block, first = radius, last = block - radius;

    switch (tiling->edge[i]) {
    case GZI_GZ2_EDGE_ZERO:
        loaded = hi - lo;
        first = larger(radius, lo);
        last = smaller(last, hi);
        break;
    case GZI_GZ2_EDGE_CLAMP:
        first = larger(radius, lo);
        last = smaller(last, hi);
        break;
    case GZI_GZ2_EDGE_PERIODIC:
        loaded = smaller(block, hi + ghost);
        last = loaded - radius;
        break;
    }
    tile->first = k;
    tile->tiles = 1;
    tile->loaded = (double)loaded;
    tile->outside = (double)(loaded - (hi - lo));
    tile->computed = (double)larger(last - first, 0);
    tile->committed = (double)smaller(step, grid - start);
}

/* Appends tiles to the axis: to its last class if they are alike, or if they must be merged.
 */
static void append(gzi_axis *axis, const gzi_tile_class *tile, int merge)
{
    gzi_tile_class *last = axis->classes ? &axis->of[axis->classes - 1] : NULL;
    double n = (double)tile->tiles;

    axis->loaded += n * tile->loaded;
    axis->computed += n * tile->computed;
    axis->committed += n * tile->committed;
    if (last && last->loaded == tile->loaded && last->outside == tile->outside &&
        last->computed == tile->computed && last->committed == tile->committed) {
        last->tiles += tile->tiles;
    } else if (last && merge) {
        double both = (double)last->tiles + n, share = n / both;
        last->loaded += share * (tile->loaded - last->loaded);
        last->outside += share * (tile->outside - last->outside);
        last->computed += share * (tile->computed - last->computed);
        last->committed += share * (tile->committed - last->committed);
        last->tiles += tile->tiles;
        axis->merged = 1;
    } else {
        axis->of[axis->classes++] = *tile;
    }
}

/* The tiles [from, to), each on its own, into at most `room` classes. */
static void append_each(const gzi_gz2_tiling *tiling, int i, long from, long to, int room,
                        gzi_axis *axis)
{
    int end = axis->classes + room;
    for (long k = from; k < to; k++) {
        gzi_tile_class tile;
        gzi_axis_tile(tiling, i, k, &tile);
        append(axis, &tile, axis->classes >= end);
    }
}

static void make_axis(const gzi_gz2_tiling *tiling, int i, gzi_axis *axis)
{
    /* Classes for either end; one is left for the tiles between, one for rounding. */
    enum { END = (GZI_AXIS_CLASSES - 1) / 2 };
    long ghost = (long)tiling->radius[i] * tiling->height, step = tiling->block[i] - 2 * ghost;
    long grid = tiling->grid[i], uncut = grid - step - ghost;
    long head = (ghost + step - 1) / step, tail;

    axis->step = (int)step;
    axis->tiles = (grid - 1) / step + 1;
    /* Tiles from `tail` on reach beyond the grid's end. */
    tail = uncut < 0 ? 0 : uncut / step + 1;
    if (head >= tail) {
        long middle = smaller(larger(head, 0), axis->tiles);
        append_each(tiling, i, 0, middle, END, axis);
        append_each(tiling, i, middle, axis->tiles, END, axis);
        return;
    }
    append_each(tiling, i, 0, head, END, axis);
    gzi_tile_class inner;
    gzi_axis_tile(tiling, i, head, &inner);
    inner.tiles = tail - head;
    append(axis, &inner, 0);
    append_each(tiling, i, tail, axis->tiles, END, axis);
}

void gzi_axis_none(gzi_axis *axis)
{
    axis->tiles = 1;
    axis->step = 1;
    axis->classes = 1;
    axis->merged = 0;
    axis->loaded = axis->computed = axis->committed = 1;
    axis->of[0] = (gzi_tile_class){.tiles = 1, .loaded = 1, .computed = 1, .committed = 1};
}

int gzi_geometry_make(const gzi_gz2_tiling *tiling, gzi_geometry *out)
{
    if (tiling->dim < 1 || tiling->dim > 3 || tiling->height < 1)
        return -1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        gzi_axis *axis = &out->axis[i];
        if (i >= tiling->dim) {
            gzi_axis_none(axis);
            continue;
        }
        if (tiling->grid[i] < 1 || tiling->radius[i] < 0 || tiling->radius[i] > 1 << 20 ||
            (long)tiling->block[i] <= 2L * tiling->radius[i] * tiling->height)
            return -1;
        make_axis(tiling, i, axis);
    }
    const gzi_axis *a = out->axis;
    out->tiles = (double)a[0].tiles * (double)a[1].tiles * (double)a[2].tiles;
    out->loaded_rows = (double)a[0].tiles * a[1].loaded * a[2].loaded;
    out->computed_rows = (double)a[0].tiles * a[1].computed * a[2].computed;
    out->committed_rows = (double)a[0].tiles * a[1].committed * a[2].committed;
    out->loaded = a[0].loaded * a[1].loaded * a[2].loaded;
    out->computed = a[0].computed * a[1].computed * a[2].computed;
    out->committed = a[0].committed * a[1].committed * a[2].committed;
    return 0;
}

/* The sum over k = 0 .. n-1 of what `most` - k `step` is above 0. */
static double falling(long most, long step, long n)
{
    long m = most > 0 ? smaller(n, (most - 1) / step + 1) : 0;
    return (double)m * ((double)most - 0.5 * (double)step * (double)(m - 1));
}

/* One class of all tiles, the mean of them. */
static void set_mean(gzi_axis *axis, double outside)
{
    double n = (double)axis->tiles;
    axis->classes = 1;
    axis->merged = 1;
    axis->of[0] = (gzi_tile_class){.tiles = axis->tiles,
                                   .loaded = axis->loaded / n,
                                   .outside = outside / n,
                                   .computed = axis->computed / n,
                                   .committed = axis->committed / n};
}

void gzi_axis_mean(const gzi_gz2_tiling *tiling, int i, gzi_axis *axis)
{
    long block = tiling->block[i], radius = tiling->radius[i], ghost = radius * tiling->height;
    long step = block - 2 * ghost, grid = tiling->grid[i], tiles = (grid - 1) / step + 1;
    long beyond = tiles * step - grid; /* of the last tile */
    double n = (double)tiles, outside = 0;
    /* What the ends cut off: of the tiles, and of what they compute, which ends before that. */
    double cut = falling(ghost, step, tiles) + falling(beyond + ghost, step, tiles);
    double less =
        falling(ghost - radius, step, tiles) + falling(beyond + ghost - radius, step, tiles);

    axis->tiles = tiles;
    axis->step = (int)step;
    axis->loaded = n * (double)block;
    axis->computed = n * (double)(block - 2 * radius);
    axis->committed = (double)grid;
    switch (tiling->edge[i]) {
    case GZI_GZ2_EDGE_ZERO:
        axis->loaded -= cut;
        axis->computed -= less;
        break;
    case GZI_GZ2_EDGE_CLAMP:
        axis->computed -= less;
        outside = cut;
        break;
    case GZI_GZ2_EDGE_PERIODIC:
        axis->loaded -= (double)beyond;
        axis->computed -= (double)beyond;
        outside = cut - (double)beyond;
        break;
    }
    set_mean(axis, outside);
}

void gzi_axis_least(const gzi_gz2_tiling *tiling, int i, int highest, gzi_axis *axis)
{
    long block = tiling->block[i], radius = tiling->radius[i], ghost = radius * tiling->height;
    long grid = tiling->grid[i], tiles = (grid - 1) / (block - 2 * ghost) + 1;
    /* Of a tile beside another it loads and computes this at least; only the last may have less. */
    long step = block - 2 * radius * highest;
    double n = (double)tiles, sides = (double)larger(2 * tiles - 3, 0), outside = 0;

    axis->tiles = tiles;
    axis->step = (int)step;
    axis->loaded = (double)grid + sides * (double)smaller(ghost, step);
    axis->computed = (double)grid + sides * (double)smaller(ghost - radius, step);
    axis->committed = (double)grid;
    switch (tiling->edge[i]) {
    case GZI_GZ2_EDGE_ZERO:
        break;
    case GZI_GZ2_EDGE_CLAMP:
        axis->loaded = n * (double)block;
        outside = 2 * (double)ghost;
        break;
    case GZI_GZ2_EDGE_PERIODIC:
        axis->loaded = (double)grid + 2 * n * (double)ghost;
        axis->computed = (double)grid + 2 * n * (double)(ghost - radius);
        outside = 2 * (double)ghost;
        break;
    }
    set_mean(axis, outside);
}

/* Tiles of a class of an axis with numbers below `end`. */
static double before(const gzi_tile_class *c, double end)
{
    return fmin(fmax(end - (double)c->first, 0), (double)c->tiles);
}

static int holds(const gzi_tile_class *c, double number)
{
    return number >= (double)c->first && number < (double)(c->first + c->tiles);
}

double gzi_geometry_before(const gzi_geometry *g, const int class[3], double end)
{
    const gzi_axis *a = g->axis;
    const gzi_tile_class *x = &a[0].of[class[0]], *y = &a[1].of[class[1]], *z = &a[2].of[class[2]];
    double row = (double)a[0].tiles, plane = row * (double)a[1].tiles;
    double planes = floor(end / plane), rest = end - planes * plane, rows = floor(rest / row);
    double n = before(z, planes) * (double)y->tiles * (double)x->tiles;
    if (holds(z, planes))
        n += before(y, rows) * (double)x->tiles +
             (holds(y, rows) ? before(x, rest - rows * row) : 0);
    return n;
}

void gzi_remainders(long first, long n, long stride, int workers, double *remainder)
{
    long step = stride % workers, at = first % workers * step % workers;
    /* After `workers` tiles the remainders repeat. */
    for (long i = 0; i < workers && i < n; i++) {
        remainder[at] += (double)(n / workers + (i < n % workers));
        at = (at + step) % workers;
    }
}
