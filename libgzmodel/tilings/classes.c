/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * classes.c - the exact geometry of a grid of tiles, by the classes of each axis, see tiling.h.
 */
#include "ghost.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Levels that are described. */
static int levels_of(const gzi_tiling *tiling, const gzi_tile *tile)
{
    return !tiling->streamed ? 0 : tile->loops ? tile->loops : tile->height;
}

/* ---------------------------------------------------------------------------------------- axes */

/* Whether two classes have the same extents. */
static int is_alike(const gzi_class *a, const gzi_class *b, int levels)
{
    enum { FIRST = offsetof(gzi_class, loaded), SIZE = offsetof(gzi_class, level) - FIRST };
    size_t size = (size_t)levels * sizeof *a->level;
    return memcmp((const char *)a + FIRST, (const char *)b + FIRST, SIZE) == 0 &&
           memcmp(a->level, b->level, size) == 0 && memcmp(a->beside, b->beside, size) == 0;
}

static void move(double *to, double value, double share)
{
    *to += share * (value - *to);
}

/* Makes a class the mean of itself and of another. */
static void merge(gzi_class *to, const gzi_class *from, int levels)
{
    double n = (double)from->tiles, share = n / ((double)to->tiles + n);
    move(&to->loaded, from->loaded, share);
    move(&to->outside, from->outside, share);
    move(&to->computed, from->computed, share);
    move(&to->committed, from->committed, share);
    move(&to->walked, from->walked, share);
    move(&to->held, from->held, share);
    move(&to->copies, from->copies, share);
    move(&to->ends, from->ends, share);
    for (int k = 0; k < levels; k++) {
        move(&to->level[k], from->level[k], share);
        move(&to->beside[k], from->beside[k], share);
    }
    to->tiles += from->tiles;
}

static void copy(gzi_class *to, const gzi_class *from, int levels)
{
    memcpy(to, from, offsetof(gzi_class, level));
    memcpy(to->level, from->level, (size_t)levels * sizeof *to->level);
    memcpy(to->beside, from->beside, (size_t)levels * sizeof *to->beside);
}

/* Appends tiles to the axis: to its last class if they are equal, or if they must be merged. */
static void append(gzi_axis *axis, const gzi_class *tiles, int levels, int must_merge)
{
    gzi_class *last = axis->classes ? &axis->of[axis->classes - 1] : NULL;
    double n = (double)tiles->tiles;

    axis->loaded += n * tiles->loaded;
    axis->computed += n * tiles->computed;
    axis->committed += n * tiles->committed;
    for (int k = 0; k < levels; k++)
        axis->level[k] += n * tiles->level[k];
    if (last && is_alike(last, tiles, levels)) {
        last->tiles += tiles->tiles;
    } else if (last && must_merge) {
        merge(last, tiles, levels);
        axis->merged = 1;
    } else {
        copy(&axis->of[axis->classes++], tiles, levels);
    }
}

/* An axis being made. */
struct making {
    const gzi_tiling *tiling;
    const gzi_tile *tile;
    int i, levels;
    gzi_axis *axis;
    gzi_class *next; /* room for what is appended */
};

/* `n` tiles like number k. */
static void append_tiles(struct making *m, long k, long n, int must_merge)
{
    memset(m->next, 0, offsetof(gzi_class, level));
    memset(m->next->beside, 0, (size_t)m->levels * sizeof *m->next->beside);
    m->tiling->extents(m->tile, m->i, k, m->next);
    m->next->first = k;
    m->next->tiles = n;
    append(m->axis, m->next, m->levels, must_merge);
}

static void make_axis(struct making *m)
{
    /* Classes for either end; one is left for the tiles between, one for rounding. */
    enum { END = (GZI_CLASSES - 1) / 2 };
    gzi_axis *axis = m->axis;
    long size = m->tile->size[m->i], reach = m->tiling->reach(m->tile, m->i);
    long step = m->tiling->step(m->tile, m->i);
    long tiles = (size - 1) / step + 1, uncut = size - step - reach;
    long head = gzi_smaller((reach + step - 1) / step, tiles);
    /* Tiles from `tail` on reach beyond the grid's end. */
    long tail = gzi_larger(head, uncut < 0 ? 0 : uncut / step + 1);

    memset(axis, 0, offsetof(gzi_axis, level));
    memset(axis->level, 0, (size_t)m->levels * sizeof *axis->level);
    axis->step = step;
    axis->tiles = tiles;
    for (long k = 0; k < head; k++)
        append_tiles(m, k, 1, axis->classes >= END);
    if (head < tail)
        append_tiles(m, head, tail - head, 0);
    int end = axis->classes + END;
    for (long k = tail; k < tiles; k++)
        append_tiles(m, k, 1, axis->classes >= end);
}

/* What of a streamed tile follows from its levels. */
static void finish_stream(const gzi_tile *tile, int levels, gzi_axis *axis)
{
    for (int c = 0; c < axis->classes; c++) {
        gzi_class *of = &axis->of[c];
        for (int k = 0; k < levels; k++)
            of->planes += of->level[k];
        of->barriers = of->walked + (tile->columns ? 0 : of->planes);
    }
}

void gzi_axis_none(gzi_axis *axis)
{
    memset(axis, 0, offsetof(gzi_axis, level));
    axis->tiles = axis->step = 1;
    axis->classes = 1;
    axis->loaded = axis->computed = axis->committed = 1;
    memset(&axis->of[0], 0, offsetof(gzi_class, level));
    axis->of[0].tiles = 1;
    axis->of[0].loaded = axis->of[0].computed = axis->of[0].committed = 1;
}

/* ---------------------------------------------------------------------------------- all of them */

static int in_range(const gzi_tiling *tiling, const gzi_tile *tile)
{
    enum { RADIUS_MAX = 1 << 20 };
    int valid = tile->dim >= tiling->least_dim && tile->dim <= GZ_MAX_DIM && tile->height >= 1 &&
                tile->height <= tiling->most_loops && tile->loops >= 0 &&
                tile->loops <= tile->height && tile->piece >= 0;
    for (int i = 0; valid && i < tile->dim; i++)
        valid = tile->size[i] >= 1 && tile->radius[i] >= 0 && tile->radius[i] <= RADIUS_MAX &&
                tiling->step(tile, i) >= 1;
    return valid;
}

int gzi_geometry_make(const gzi_tiling *tiling, const gzi_tile *tile, gzi_geometry *out)
{
    gzi_class next;
    struct making m = {
        .tiling = tiling, .tile = tile, .levels = levels_of(tiling, tile), .next = &next};

    if (!in_range(tiling, tile))
        return -1;
    out->tiles = 1;
    for (int i = 0; i < GZ_MAX_DIM; i++) {
        m.i = i;
        m.axis = &out->axis[i];
        if (i < tile->dim)
            make_axis(&m);
        else
            gzi_axis_none(m.axis);
        out->tiles *= (double)out->axis[i].tiles;
    }
    if (tiling->streamed)
        finish_stream(tile, m.levels, &out->axis[tile->dim - 1]);
    return 0;
}

gzi_counts gzi_stage_counts(const gzi_tiling *tiling, const gzi_tile *tile, const gzi_geometry *g)
{
    const gzi_axis *a = g->axis, *last = &a[tile->dim - 1];
    int levels = levels_of(tiling, tile);
    gzi_counts counts = {.loaded = a[0].loaded * a[1].loaded * a[2].loaded,
                         .committed = a[0].committed * a[1].committed * a[2].committed};
    if (!tiling->streamed)
        counts.computed = (tile->loops ? tile->loops : tile->height) * a[0].computed *
                          a[1].computed * a[2].computed;
    for (int k = 0; k < levels; k++)
        counts.computed += a[0].level[k] * a[1].level[k] * (tile->dim == 3 ? a[2].level[k] : 1);
    for (int c = 0; tiling->streamed && c < last->classes; c++)
        counts.barriers +=
            g->tiles / (double)last->tiles * (double)last->of[c].tiles * last->of[c].barriers;
    return counts;
}

/* Tiles of a class of an axis with numbers below `end`. */
static double before(const gzi_class *c, double end)
{
    return fmin(fmax(end - (double)c->first, 0), (double)c->tiles);
}

static int holds(const gzi_class *c, double number)
{
    return number >= (double)c->first && number < (double)(c->first + c->tiles);
}

double gzi_geometry_before(const gzi_geometry *g, const int class[GZ_MAX_DIM], double end)
{
    const gzi_axis *a = g->axis;
    const gzi_class *x = &a[0].of[class[0]], *y = &a[1].of[class[1]], *z = &a[2].of[class[2]];
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
