/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stream_geometry.c - the exact geometry of streamed tiles and of blocks without local memory, as
 * the kernels compute it (kernels: stream.knl, naive.knl).
 */
#include "gz2_geometry.h"

#include <limits.h>
#include <string.h>

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

static long aligned(long cells, int align)
{
    return (cells + align - 1) / align * align;
}

/* One axis of such a tiling. */
typedef struct line {
    long grid, step; /* cells, and those that a whole tile commits */
    long radius, height;
    int align, images, is_row, is_stream;
    int columns, follows; /* rows of a thread that keeps columns in registers, or 0; whether cells
                             outside the grid are copies */
} line;

/* A tile of an axis. */
typedef struct tile {
    gzi_tile_class class;
    double walked, steps, held, copies, ends;
    double level[GZI_STREAM_HEIGHT], beside[GZI_STREAM_HEIGHT];
} tile;

/* Where the tiles of an axis go; the second line with columns in registers. */
typedef struct places {
    double (*level)[GZI_STREAM_HEIGHT], *walked;
    double *steps, *held, *copies, *ends, (*beside)[GZI_STREAM_HEIGHT];
} places;

/* Cells that tile number k has with `wide` more on either side, those that exist or are images. */
static long window(const line *l, long first, long wide)
{
    long end = smaller(first + l->step, l->grid) + wide, from = first - wide;
    return l->images ? end - from : smaller(end, l->grid) - larger(from, 0);
}

/* The columns that every level computes. */
static long columns(const line *l, long first)
{
    long ghost = l->radius * l->height, inner = ghost - l->radius;
    long from = first - aligned(inner, l->align);
    long to = first + aligned(l->step + inner, l->align);
    if (l->images)
        return smaller(to, first + aligned(smaller(l->step + ghost, l->grid - first) + inner,
                                           l->align)) -
               from;
    return smaller(smaller(to, l->grid), first + l->step + ghost) - larger(from, 0);
}

/* Pairs of a row u < n and of a neighbour in another row of the same thread's, within the radius:
 * the thread has `own` rows that follow each other. */
static long pairs_before(long n, long radius, long own)
{
    long whole = 0, part = 0;
    for (long u = 0; u < own; u++) {
        long pairs = smaller(u, radius) + smaller(own - 1 - u, radius);
        whole += pairs;
        part += u < n % own ? pairs : 0;
    }
    return n / own * whole + part;
}

/* What a tile has besides with columns in registers. */
static void add_columns(const line *l, long first, tile *t)
{
    long ghost = l->radius * l->height, slots = 2 * l->radius + 1;
    long lo = larger(0, ghost - first), block = l->step + 2 * ghost;
    long hi = smaller(block, l->grid - first + ghost);

    if (l->is_stream)
        t->steps = (double)aligned((long)t->walked, (int)slots);
    if (l->is_row)
        t->level[l->height - 1] = t->class.committed;
    long held = l->follows ? hi - lo : block;
    long before = l->follows ? smaller(l->radius, lo) : 0;
    long after = l->follows ? smaller(l->radius, block - hi) : 0;
    t->held = (double)held;
    t->copies = (double)(before + after);
    t->ends = (double)smaller(held, (before > 0) + (after > 0));
    for (long h = 1; !l->follows && h <= l->height; h++) {
        long wide = l->radius * (l->height - h);
        long from = l->images ? first - wide : larger(first - wide, 0);
        long row = from - (first - ghost), end = row + (long)t->level[h - 1];
        t->beside[h - 1] = (double)(pairs_before(end, l->radius, l->columns) -
                                    pairs_before(row, l->radius, l->columns));
    }
}

static void make_tile(const line *l, long k, tile *t)
{
    long first = k * l->step, ghost = l->radius * l->height;
    memset(t, 0, sizeof *t);
    t->class.first = k;
    t->class.tiles = 1;
    t->class.loaded = (double)window(l, first, ghost);
    t->class.committed = (double)smaller(l->step, l->grid - first);
    for (long h = 1; h <= l->height; h++)
        t->level[h - 1] =
            (double)(l->is_row ? columns(l, first) : window(l, first, l->radius * (l->height - h)));
    if (l->is_stream)
        t->walked = (double)(smaller(first + l->step, l->grid) + ghost -
                             (l->images ? first - ghost : larger(first - ghost, 0)));
    if (l->columns)
        add_columns(l, first, t);
    t->class.computed = t->level[0];
}

/* Whether a tile is one of class `at`. With columns in registers, all that it has besides follows
 * from this and from where it is cut. */
static int alike(const gzi_tile_class *a, const places *p, int at, const tile *t, const line *l)
{
    size_t levels = (size_t)l->height * sizeof *t->level;
    return a->loaded == t->class.loaded && a->committed == t->class.committed &&
           p->walked[at] == t->walked && memcmp(p->level[at], t->level, levels) == 0 &&
           (!l->columns ||
            (p->held[at] == t->held && p->copies[at] == t->copies && p->ends[at] == t->ends &&
             memcmp(p->beside[at], t->beside, levels) == 0));
}

/* The columns' part of class `at` moves by `share` of the way to the tile's. */
static void blend_columns(const line *l, const tile *t, double share, const places *p, int at)
{
    p->steps[at] += share * (t->steps - p->steps[at]);
    p->held[at] += share * (t->held - p->held[at]);
    p->copies[at] += share * (t->copies - p->copies[at]);
    p->ends[at] += share * (t->ends - p->ends[at]);
    for (long h = 0; h < l->height; h++)
        p->beside[at][h] += share * (t->beside[h] - p->beside[at][h]);
}

/* Appends tiles to the axis: to its last class if they are alike, or if they must be merged. */
static void append(const line *l, const tile *t, int merge, gzi_axis *axis, const places *p)
{
    int at = axis->classes - 1;
    gzi_tile_class *last = at >= 0 ? &axis->of[at] : NULL;
    double n = (double)t->class.tiles;

    axis->loaded += n * t->class.loaded;
    axis->computed += n * t->class.computed;
    axis->committed += n * t->class.committed;
    if (last && alike(last, p, at, t, l)) {
        last->tiles += t->class.tiles;
    } else if (last && merge) {
        double share = n / ((double)last->tiles + n);
        last->loaded += share * (t->class.loaded - last->loaded);
        last->computed += share * (t->class.computed - last->computed);
        last->committed += share * (t->class.committed - last->committed);
        p->walked[at] += share * (t->walked - p->walked[at]);
        for (long h = 0; h < l->height; h++)
            p->level[at][h] += share * (t->level[h] - p->level[at][h]);
        if (l->columns)
            blend_columns(l, t, share, p, at);
        last->tiles += t->class.tiles;
        axis->merged = 1;
    } else {
        at = axis->classes++;
        axis->of[at] = t->class;
        p->walked[at] = t->walked;
        memcpy(p->level[at], t->level, (size_t)l->height * sizeof *t->level);
        if (l->columns) {
            p->steps[at] = p->held[at] = p->copies[at] = p->ends[at] = 0;
            memset(p->beside[at], 0, (size_t)l->height * sizeof *t->beside);
            blend_columns(l, t, 1, p, at);
        }
    }
}

static void make_axis(const line *l, gzi_axis *axis, const places *p)
{
    /* Classes for either end; one is left for the tiles between, one for rounding. */
    enum { END = (GZI_AXIS_CLASSES - 1) / 2 };
    long ghost = l->radius * l->height, reach = l->is_row ? aligned(ghost, l->align) : ghost;
    long tiles = (l->grid - 1) / l->step + 1, uncut = l->grid - l->step - reach;
    long head = smaller((reach + l->step - 1) / l->step, tiles);
    /* Tiles from `tail` on reach beyond the grid's end. */
    long tail = larger(head, uncut < 0 ? 0 : uncut / l->step + 1);
    tile t;

    axis->step = (int)smaller(l->step, INT_MAX);
    axis->tiles = tiles;
    for (long k = 0; k < head; k++) {
        make_tile(l, k, &t);
        append(l, &t, axis->classes >= END, axis, p);
    }
    if (head < tail) {
        make_tile(l, head, &t);
        t.class.tiles = tail - head;
        append(l, &t, 0, axis, p);
    }
    int end = axis->classes + END;
    for (long k = tail; k < tiles; k++) {
        make_tile(l, k, &t);
        append(l, &t, axis->classes >= end, axis, p);
    }
}

static void make_sums(gzi_geometry *out)
{
    const gzi_axis *a = out->axis;
    out->tiles = (double)a[0].tiles * (double)a[1].tiles * (double)a[2].tiles;
    out->loaded = a[0].loaded * a[1].loaded * a[2].loaded;
    out->committed = a[0].committed * a[1].committed * a[2].committed;
    out->loaded_rows = (double)a[0].tiles * a[1].loaded * a[2].loaded;
    out->committed_rows = (double)a[0].tiles * a[1].committed * a[2].committed;
}

/* Rows of every pair of classes, and the sums over all tiles. */
static void make_rows(int dim, int columns, gzi_geometry *out, gzi_levels *stream)
{
    const gzi_axis *y = &out->axis[1], *z = &out->axis[2];
    int last = dim - 1;
    double last_rows = 0; /* of the last level */

    for (int c = 0; c < out->axis[last].classes; c++) {
        stream->planes[c] = 0;
        for (int h = 0; h < stream->height; h++)
            stream->planes[c] += stream->level[last][c][h];
    }
    out->computed_rows = 0;
    for (int b = 0; b < z->classes; b++)
        for (int a = 0; a < y->classes; a++) {
            double rows = 0;
            for (int h = 0; h < stream->height; h++)
                rows += stream->level[1][a][h] * (dim == 3 ? stream->level[2][b][h] : 1);
            stream->rows[a][b] = rows;
            out->computed_rows += rows * (double)y->of[a].tiles * (double)z->of[b].tiles;
            last_rows += stream->level[1][a][stream->height - 1] *
                         (dim == 3 ? stream->level[2][b][stream->height - 1] : 1) *
                         (double)y->of[a].tiles * (double)z->of[b].tiles;
        }
    out->computed = out->axis[0].computed * out->computed_rows;
    if (columns)
        out->computed -= (out->axis[0].computed - out->axis[0].committed) * last_rows;
    out->computed_rows *= (double)out->axis[0].tiles;
}

int gzi_stream_make(const gzi_gz2_tiling *tiling, long piece, int align, gzi_geometry *out,
                    gzi_levels *stream)
{
    int last = tiling->dim - 1;
    if (tiling->dim < 2 || tiling->dim > 3 || tiling->height < 1 ||
        tiling->height > GZI_STREAM_HEIGHT || piece < 0 || align < 1)
        return -1;
    memset(out, 0, sizeof *out);
    stream->height = tiling->height;
    for (int i = 0; i < 3; i++) {
        if (i > last) {
            gzi_axis_none(&out->axis[i]);
            continue;
        }
        long radius = tiling->radius[i];
        if (tiling->grid[i] < 1 || radius < 0 || radius > 1 << 20)
            return -1;
        line l = {.grid = tiling->grid[i],
                  .step = i < last ? tiling->block[i] - 2 * radius * tiling->height
                          : piece  ? smaller(piece, tiling->grid[i])
                                   : tiling->grid[i],
                  .radius = radius,
                  .height = tiling->height,
                  .align = align,
                  .images = tiling->edge[i] == GZI_GZ2_EDGE_PERIODIC,
                  .is_row = i == 0,
                  .is_stream = i == last,
                  .columns = tiling->columns,
                  .follows = tiling->edge[i] == GZI_GZ2_EDGE_CLAMP};
        if (l.step < 1)
            return -1;
        const places p = {.level = stream->level[i],
                          .walked = stream->walked,
                          .steps = stream->steps,
                          .held = stream->held[i],
                          .copies = stream->copies[i],
                          .ends = stream->ends[i],
                          .beside = stream->beside[i]};
        make_axis(&l, &out->axis[i], &p);
    }
    make_sums(out);
    make_rows(tiling->dim, tiling->columns, out, stream);
    return 0;
}

double gzi_stream_elements(const gzi_gz2_tiling *tiling, int align, int arrays, int thread_rows)
{
    long radius = tiling->radius[0], ghost = radius * tiling->height;
    long committed = tiling->block[0] - 2 * ghost, along = tiling->radius[tiling->dim - 1];
    int three = tiling->dim == 3;
    double pitch = (double)(aligned(ghost, align) + aligned(committed + ghost, align));
    double plane = pitch * (three ? tiling->block[1] : 1);
    /* Rows of the states: a ring for each level and rows for results; or one ring for all levels of
     * a tile of three dimensions that one thread of a CPU computes, where results lie too. */
    int compact = three && align > 1 && thread_rows == 1;
    double height = tiling->height;
    double states =
        compact ? (2.0 * (double)along * height + 1) * ((double)tiling->block[1] + height)
                : height * (2.0 * (double)along + 1) * (plane / pitch) + (three ? thread_rows : 1);
    double coefs = arrays * ((height + 1) * (double)along + 1);
    int fixed = tiling->edge[tiling->dim - 1] == GZI_GZ2_EDGE_ZERO;
    int zeros = !fixed ? 0 : three ? 2 * tiling->radius[1] + 1 : 1;
    if (tiling->columns)
        return 2.0 * tiling->height * plane +
               arrays * (((tiling->height + 1.0) * (double)along + 2) * plane + zeros * pitch);
    double all = 2.0 * (double)aligned(radius, align) + plane * coefs + pitch * (states + zeros);
    all = (double)((long long)(all + align - 1) / align * align);
    return all + (tiling->edge[0] == GZI_GZ2_EDGE_PERIODIC ? pitch : 0);
}

int gzi_naive_make(const gzi_gz2_tiling *tiling, gzi_geometry *out)
{
    double level[GZI_AXIS_CLASSES][GZI_STREAM_HEIGHT], walked[GZI_AXIS_CLASSES];
    if (tiling->dim < 1 || tiling->dim > 3 || tiling->height != 1)
        return -1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        gzi_axis *axis = &out->axis[i];
        if (i >= tiling->dim) {
            gzi_axis_none(axis);
            continue;
        }
        long radius = tiling->radius[i];
        if (tiling->grid[i] < 1 || tiling->block[i] < 1 || radius < 0 || radius > 1 << 20)
            return -1;
        line l = {.grid = tiling->grid[i],
                  .step = tiling->block[i],
                  .radius = radius,
                  .height = 1,
                  .align = 1,
                  .images = tiling->edge[i] == GZI_GZ2_EDGE_PERIODIC};
        const places p = {.level = level, .walked = walked};
        make_axis(&l, axis, &p);
    }
    make_sums(out);
    out->computed = out->committed;
    out->computed_rows = out->committed_rows;
    return 0;
}
