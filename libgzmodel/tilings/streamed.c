/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streamed.c - tiles that cover all dimensions but the last and walk along that one (2.5-D and
 * N.5-D blocking): when plane p is loaded, loop k computes plane p - k radius from a ring of 2
 * radius + 1 planes of loop k - 1. A tile has a ghost zone across the stream as a trapezoid has,
 * and one at the two ends of each piece of stream_len planes. [Nguyen et al., 3.5-D blocking, SC
 * 2010]
 *
 * Unlike a trapezoid's, a loop computes only what later loops need; but along the first dimension
 * all loops compute as much as the first, since rows of a constant length suit vectors and warps.
 * Cells outside the grid are not loaded, unless they are images.
 */
#include "ghost.h"

/* ------------------------------------------------------------------------------------ geometry */

static int is_stream(const gzi_tile *tile, int i)
{
    return i == tile->dim - 1;
}

static long step(const gzi_tile *tile, int i)
{
    if (!is_stream(tile, i))
        return tile->block[i] - 2L * tile->radius[i] * tile->height;
    return tile->piece > 0 ? gzi_smaller(tile->piece, tile->size[i]) : tile->size[i];
}

/* How far loops of the stage, not of the height, reach beyond what is committed. */
static long ghost(const gzi_tile *tile, int i)
{
    return (long)tile->radius[i] * (tile->loops ? tile->loops : tile->height);
}

static long aligned(long cells, long align)
{
    return (cells + align - 1) / align * align;
}

int gzi_row_align(const gzi_tile *tile)
{
    enum { LINE_BYTES = 64 };
    return tile->cpu && tile->threads[0] <= 1 && tile->bytes <= LINE_BYTES
               ? LINE_BYTES / tile->bytes
               : 1;
}

static long reach(const gzi_tile *tile, int i)
{
    long zone = (long)tile->radius[i] * tile->height;
    return i == 0 ? aligned(zone, gzi_row_align(tile)) : zone;
}

/* The cells of a row that every level computes. */
static long row(const gzi_tile *tile, long first)
{
    int align = gzi_row_align(tile);
    long zone = (long)tile->radius[0] * tile->height, inner = zone - tile->radius[0];
    long whole = step(tile, 0), size = tile->size[0];
    long from = first - aligned(inner, align), to = first + aligned(whole + inner, align);
    if (tile->edge[0] == GZ_EDGE_PERIODIC) {
        long last = gzi_smaller(whole + zone, size - first) + inner;
        return gzi_smaller(to, first + aligned(last, align)) - from;
    }
    return gzi_smaller(gzi_smaller(to, size), first + whole + zone) - gzi_larger(from, 0);
}

/* Pairs of a row u < n and of a neighbour in another row of the same thread's, within the radius:
 * the thread has `own` rows that follow each other. */
static long pairs_before(long n, long radius, long own)
{
    long whole = 0, part = 0;
    for (long u = 0; u < own; u++) {
        long pairs = gzi_smaller(u, radius) + gzi_smaller(own - 1 - u, radius);
        whole += pairs;
        part += u < n % own ? pairs : 0;
    }
    return n / own * whole + part;
}

/* Neighbouring rows of a thread. */
static long own_rows(const gzi_tile *tile)
{
    return (tile->block[1] - 1) / gzi_larger(tile->threads[1], 1) + 1;
}

/* What a tile with columns in registers has besides, across its stream. Cells outside the grid are
 * copied if they follow from others, and then all neighbours are read from local memory. */
static void add_columns(const gzi_tile *tile, int i, long first, gzi_class *out)
{
    long radius = tile->radius[i], zone = radius * tile->height;
    long block = step(tile, i) + 2 * zone, loops = tile->loops ? tile->loops : tile->height;
    long begin = gzi_larger(0, zone - first),
         end = gzi_smaller(block, tile->size[i] - first + zone);
    int follows = tile->edge[i] == GZ_EDGE_CLAMP;
    long held = follows ? end - begin : block;
    long before = follows ? gzi_smaller(radius, begin) : 0;
    long after = follows ? gzi_smaller(radius, block - end) : 0;

    if (i == 0)
        out->level[loops - 1] = out->committed;
    out->held = (double)held;
    out->copies = (double)(before + after);
    out->ends = (double)gzi_smaller(held, (before > 0) + (after > 0));
    for (long k = 1; i == 1 && !follows && k <= loops; k++) {
        long wide = radius * (tile->height - k);
        long from = tile->edge[i] == GZ_EDGE_PERIODIC ? first - wide : gzi_larger(first - wide, 0);
        long low = from - (first - zone), high = low + (long)out->level[k - 1];
        out->beside[k - 1] = (double)(pairs_before(high, radius, own_rows(tile)) -
                                      pairs_before(low, radius, own_rows(tile)));
    }
}

static void extents(const gzi_tile *tile, int i, long k, gzi_class *out)
{
    long whole = step(tile, i), first = k * whole, zone = ghost(tile, i), radius = tile->radius[i];
    int loops = tile->loops ? tile->loops : tile->height;

    out->loaded = (double)gzi_window(tile, i, first, whole, zone);
    out->committed = (double)gzi_smaller(whole, tile->size[i] - first);
    for (int n = 1; n <= loops; n++)
        out->level[n - 1] = (double)(i == 0 ? row(tile, first)
                                            : gzi_window(tile, i, first, whole, zone - radius * n));
    out->computed = out->level[0];
    if (is_stream(tile, i)) {
        long from = first - zone;
        if (tile->edge[i] != GZ_EDGE_PERIODIC)
            from = gzi_larger(from, 0);
        out->walked = (double)(gzi_smaller(first + whole, tile->size[i]) + zone - from);
    } else if (tile->columns) {
        add_columns(tile, i, first, out);
    }
}

/* --------------------------------------------------------------------------------- local memory */

gzi_layout gzi_stream_layout(const gzi_tile *tile)
{
    int along = tile->dim - 1, has_rows = tile->dim == 3, h = tile->height;
    int radius = tile->radius[along], align = gzi_row_align(tile);
    long zone = (long)tile->radius[0] * h, committed = tile->block[0] - 2 * zone;
    long guard = aligned(tile->radius[0], align);
    gzi_layout l = {.align = align,
                    .first_column = aligned(zone, align),
                    .plane_rows = has_rows ? tile->block[1] : 1,
                    .planes = 2 * radius + 1,
                    .coefficient_planes = (h + 1) * radius + 1,
                    .thread_rows = has_rows && tile->threads[1] > 1 ? tile->threads[1] : 1};

    l.pitch = l.first_column + aligned(committed + zone, align);
    if (tile->edge[along] == GZ_EDGE_ZERO)
        l.zero_rows = has_rows ? 2 * tile->radius[1] + 1 : 1;
    l.column_cells = tile->edge[0] == GZ_EDGE_PERIODIC ? l.pitch : 0;
    /* One thread needs no row for its results: they are computed in the ring that all levels share,
     * where loop k's plane lies a few rows before the one that loop k - 1 reads no more. */
    l.compact = align > 1 && has_rows && l.thread_rows == 1 && !tile->older &&
                gzi_fields(&tile->shape) == 1;
    double states = (double)h * l.planes * (double)l.plane_rows * gzi_fields(&tile->shape);
    double rows = l.thread_rows * gzi_fields(&tile->shape) + l.zero_rows;
    if (l.compact) {
        states = (2.0 * radius * h + 1) * (double)(l.plane_rows + h);
        rows = l.zero_rows;
    }
    if (tile->older) {
        /* Each cell is written over its older state, in a ring for even loops and one for odd. */
        states = 2.0 * l.coefficient_planes * (double)l.plane_rows;
        rows = l.zero_rows;
    }
    if (tile->columns) {
        /* A plane of each field and level for even and one for odd steps; an array's newest plane
         * is written while others are read. Results and places also lie in registers, and zeros
         * replace coefficient arrays only. */
        l.planes = 2;
        l.coefficient_planes++;
        states = 2.0 * h * (double)l.plane_rows * gzi_fields(&tile->shape);
        rows = l.zero_rows * tile->coefficient_arrays;
        l.column_cells = guard = 0;
    }
    rows += states + (double)tile->coefficient_arrays * l.coefficient_planes * (double)l.plane_rows;
    l.elements = 2.0 * (double)guard + rows * (double)l.pitch + (double)l.column_cells;
    return l;
}

static double local_elements(const gzi_tile *tile)
{
    return gzi_stream_layout(tile).elements;
}

const gzi_tiling gzi_stream = {
    .name = "stream",
    .least_dim = 2,
    .most_loops = GZI_LEVELS,
    .streamed = 1,
    .step = step,
    .reach = reach,
    .extents = extents,
    .local_elements = local_elements,
};
