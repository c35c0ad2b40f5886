/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tile_reference.h"

#include <string.h>

static int is_streamed(const gzi_tiling *tiling)
{
    return tiling == &gzi_stream;
}

/* What a whole tile commits along dimension i. */
static long step_of(const gzi_tiling *tiling, const gzi_tile *tile, int i)
{
    if (tiling == &gzi_naive)
        return tile->block[i];
    if (is_streamed(tiling) && i == tile->dim - 1)
        return tile->piece > 0 && tile->piece < tile->size[i] ? tile->piece : tile->size[i];
    return tile->block[i] - 2L * tile->radius[i] * tile->height;
}

long count_tiles(const gzi_tiling *tiling, const gzi_tile *tile, int i)
{
    long count = 1;
    while (count * step_of(tiling, tile, i) < tile->size[i])
        count++;
    return count;
}

/* The multiple of a line that is not below `cells`. */
static long up_to_line(long cells, const gzi_tile *tile)
{
    long line = tile->cpu && tile->threads[0] <= 1 ? 64 / tile->bytes : 1, all = 0;
    while (all < cells)
        all += line;
    return all;
}

/* ----------------------------------------------------------------------------------- trapezoids */

static void count_trapezoid(const gzi_tile *tile, int i, long k, counted_tile *t)
{
    long r = tile->radius[i], ghost = r * tile->height, b = tile->block[i];
    long n = tile->size[i], first = k * (b - 2 * ghost) - ghost, end = 0, computed = 0;

    for (long c = 0; c < b; c++)
        if (c >= ghost && c < b - ghost && first + c < n) {
            t->committed[i]++;
            end = c + ghost + 1; /* after the last cell that some committed cell needs */
        }
    for (long c = 0; c < b; c++) {
        long g = first + c;
        int inside = g >= 0 && g < n, inner = c >= r && c < b - r, loaded = inside;
        int does = inner && inside;
        if (tile->edge[i] == GZ_EDGE_CLAMP)
            loaded = 1;
        if (tile->edge[i] == GZ_EDGE_KEEP)
            does = does && g >= r && g < n - r;
        if (tile->edge[i] == GZ_EDGE_PERIODIC) {
            loaded = c < end;
            does = c >= r && c < end - r;
        }
        t->loaded[i] += loaded;
        t->outside[i] += loaded && !inside;
        computed += does;
    }
    t->level[i][0] = (double)computed;
}

/* --------------------------------------------------------------------------------------- others */

static long own_rows(const gzi_tile *tile)
{
    long n = 1;
    while (n * tile->threads[1] < tile->block[1])
        n++;
    return n;
}

/* What column c of a block means in local memory: cell `g` of the grid. */
static void count_held(const gzi_tile *tile, int i, long g, long c, counted_tile *t)
{
    int copied = tile->edge[i] == GZ_EDGE_CLAMP, end = 0;
    long n = tile->size[i], r = tile->radius[i];
    int outside = g < 0 || g >= n;
    for (long d = -r; copied && !outside && d <= r; d++) {
        int beyond = (g == 0 && d < 0) || (g == n - 1 && d > 0);
        t->copies[i] += beyond && c + d >= 0 && c + d < tile->block[i];
        end |= beyond && c + d >= 0 && c + d < tile->block[i];
    }
    t->ends[i] += end;
    t->held[i] += !(copied && outside);
}

/* Of dimension i across the stream, beginning at cell `first`. */
static void count_columns(const gzi_tile *tile, int i, long first, counted_tile *t)
{
    long n = tile->size[i], r = tile->radius[i], h = tile->height, block = tile->block[i];
    long end = first + block - 2 * r * h, own = i == 1 ? own_rows(tile) : 1;
    int images = tile->edge[i] == GZ_EDGE_PERIODIC;

    end = end < n ? end : n;
    for (long c = 0; c < block; c++)
        count_held(tile, i, first - r * h + c, c, t);
    for (long j = 1; i == 1 && j <= h; j++)
        for (long c = 0; c < block && tile->edge[1] != GZ_EDGE_CLAMP; c++) {
            long g = first - r * h + c, wide = r * (h - j);
            if (g < first - wide || g >= end + wide || !(images || (g >= 0 && g < n)))
                continue;
            for (long d = -r; d <= r; d++)
                t->beside[j - 1] += d != 0 && c + d >= 0 && (c + d) / own == c / own;
        }
}

/* Whether cell `g` of a row is computed by a streamed tile whose committed cells begin at `first`:
 * the lines that the first level's cells and those before and after them lie in. */
static int is_in_row(const gzi_tile *tile, long g, long first)
{
    long r = tile->radius[0], h = tile->height, inner = r * (h - 1);
    long step = tile->block[0] - 2 * r * h, least = step + r * h, left = tile->size[0] - first;
    long before = up_to_line(inner, tile), after = up_to_line(step + inner, tile);
    if (tile->edge[0] == GZ_EDGE_PERIODIC) {
        long cut = up_to_line((least < left ? least : left) + inner, tile);
        after = after < cut ? after : cut;
    } else if (after > least) {
        after = least;
    }
    return g >= first - before && g < first + after;
}

/* A streamed tile or a block without local memory. */
static void count_other(const gzi_tiling *tiling, const gzi_tile *tile, int i, long k,
                        counted_tile *t)
{
    int images = tile->edge[i] == GZ_EDGE_PERIODIC, streamed = is_streamed(tiling);
    long n = tile->size[i], r = tile->radius[i], step = step_of(tiling, tile, i);
    long h = tile->loops ? tile->loops : tile->height;
    long first = k * step, end = first + step < n ? first + step : n, far = r * tile->height + 64;

    for (long g = first - far; g < end + far; g++) {
        if (!images && (g < 0 || g >= n))
            continue;
        t->loaded[i] += g >= first - r * h && g < end + r * h;
        t->committed[i] += g >= first && g < end;
        for (long j = 1; j <= h; j++)
            if (streamed && i == 0 && !(tile->columns && j == h))
                t->level[i][j - 1] += is_in_row(tile, g, first);
            else if (streamed && i > 0)
                t->level[i][j - 1] += g >= first - r * (h - j) && g < end + r * (h - j);
            else
                t->level[i][j - 1] += g >= first && g < end;
    }
    if (streamed && tile->columns && i < tile->dim - 1)
        count_columns(tile, i, first, t);
    if (streamed && i == tile->dim - 1)
        for (long g = first - r * h; g < end + r * h; g++)
            t->walked += images || g >= 0;
}

void count_tile(const gzi_tiling *tiling, const gzi_tile *tile, int i, long k, counted_tile *out)
{
    out->loaded[i] = out->outside[i] = out->committed[i] = 0;
    out->held[i] = out->copies[i] = out->ends[i] = 0;
    memset(out->level[i], 0, sizeof out->level[i]);
    if (i == 1)
        memset(out->beside, 0, sizeof out->beside);
    if (i == tile->dim - 1)
        out->walked = 0;
    if (tiling == &gzi_trapezoid)
        count_trapezoid(tile, i, k, out);
    else
        count_other(tiling, tile, i, k, out);
}

/* --------------------------------------------------------------------------------- local memory */

/* Rows of a streamed tile: the planes of each level's input, those of the coefficient arrays, rows
 * of zeros and rows for results. */
static double count_rows(const gzi_tile *tile)
{
    int last = tile->dim - 1, one_ring;
    long r = tile->radius[last], h = tile->height, plane = tile->dim == 3 ? tile->block[1] : 1;
    long threads = tile->dim == 3 ? tile->threads[1] : 1, rows = 0, zeros = 0;
    long fields = tile->fields > 1 ? tile->fields : 1;

    one_ring = fields == 1 && !tile->older && tile->cpu && tile->threads[0] <= 1 &&
               tile->dim == 3 && threads == 1;
    if (tile->edge[last] == GZ_EDGE_ZERO)
        zeros = tile->dim == 3 ? 2 * tile->radius[1] + 1 : 1;
    /* One ring has as many planes as the highest level lags behind, and one more, each with a row
     * for every level. */
    for (long p = 0; one_ring && p <= 2 * r * h; p++)
        rows += plane + h;
    for (long level = 1; !one_ring && level <= h; level++)
        for (long slot = 0; slot < (tile->columns ? 2 : 2 * r + 1); slot++)
            rows += fields * plane;
    if (!one_ring && !tile->columns)
        rows += fields * threads;
    /* Even levels share a ring, and odd ones: from the newest plane to the oldest that any reads.
     */
    if (tile->older && !tile->columns)
        rows = 2 * ((h + 1) * r + 1) * plane;
    for (int array = 0; array < tile->coefficient_arrays; array++) {
        /* From the plane that the lowest level reads first to the one that the highest reads last;
         * with columns in registers, one more is written meanwhile. */
        for (long p = -r; p <= r * h; p++)
            rows += plane;
        rows += tile->columns ? plane + zeros : 0;
    }
    return (double)(rows + (tile->columns ? 0 : zeros));
}

double count_elements(const gzi_tiling *tiling, const gzi_tile *tile)
{
    double elements =
        tile->states * (tile->fields > 1 ? tile->fields : 1) + tile->coefficient_arrays;
    if (tiling == &gzi_naive)
        return 0;
    if (is_streamed(tiling)) {
        long ghost = (long)tile->radius[0] * tile->height;
        long pitch = up_to_line(ghost, tile) + up_to_line(tile->block[0] - ghost, tile);
        long guard = tile->columns ? 0 : 2 * up_to_line(tile->radius[0], tile);
        long places = tile->edge[0] == GZ_EDGE_PERIODIC && !tile->columns ? pitch : 0;
        return (double)(guard + places) + count_rows(tile) * (double)pitch;
    }
    for (int i = 0; i < tile->dim; i++)
        elements *= (double)tile->block[i];
    return elements;
}
