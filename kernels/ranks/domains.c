/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "domains.h"

#include "tiles.h"

#include <limits.h>
#include <string.h>

int gzk_layout_check(const int layout[3], int dimensions, int started, struct gzk_error *error)
{
    double product = (double)layout[0] * layout[1] * layout[2];
    return product == started
               ? 0
               : gzk_fail(error, GZK_INVALID,
                          "--ranks: %s are %.0f ranks, and %d %s started: start as many, by mpirun "
                          "-n %.0f, or give --ranks auto",
                          gzk_extents_text(layout, dimensions).text, product, started,
                          started == 1 ? "was" : "were", product);
}

/* The last of even boxes along a dimension are one unit longer if it does not divide evenly. */
static int box_begin(const struct gzk_split *split, int d, int place)
{
    int unit = split->unit > 0 ? split->unit : 1;
    return split->cuts[d]
               ? split->cuts[d][place]
               : (int)((long long)(split->size[d] / unit) * place / split->ranks[d]) * unit;
}

long gzk_split_most_loops(const struct gzk_split *split, const int radius[3])
{
    long most = LONG_MAX;
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < split->ranks[d] && split->ranks[d] > 1 && radius[d] > 0; k++) {
            long loops = (box_begin(split, d, k + 1) - box_begin(split, d, k)) / radius[d];
            most = loops < most ? loops : most;
        }
    return most;
}

int gzk_split_make(const struct gzk_stencil *stencil, const int size[3], const int ranks[3],
                   long loops, struct gzk_split *split, struct gzk_error *error)
{
    *split = (struct gzk_split){.size = {size[0], size[1], size[2]}};
    for (int d = 0; d < 3; d++) {
        if (ranks[d] > size[d])
            return gzk_fail(error, GZK_INVALID,
                            "%d ranks along dimension %d of %d elements: must be at most as many",
                            ranks[d], d + 1, size[d]);
        split->ranks[d] = ranks[d];
    }
    return gzk_split_deepen(stencil, loops, split, error);
}

int gzk_split_deepen(const struct gzk_stencil *stencil, long loops, struct gzk_split *split,
                     struct gzk_error *error)
{
    long most = gzk_split_most_loops(split, stencil->radius);
    if (loops > most)
        return gzk_fail(error, GZK_INVALID,
                        "rank depth %ld: the halo would be wider than a neighbour's box: must be "
                        "at most %ld for %s elements on %s ranks",
                        loops, most, gzk_extents_text(split->size, stencil->dim).text,
                        gzk_extents_text(split->ranks, stencil->dim).text);
    for (int d = 0; d < 3; d++) {
        split->depth[d] = split->ranks[d] > 1 ? stencil->radius[d] * (int)loops : 0;
        split->periodic[d] = gzk_edges[stencil->edge[d]].images;
    }
    return 0;
}

/* Whether there is a neighbour on a side of the box, -1 or 1. */
static bool has_neighbour(const struct gzk_split *split, int d, int place, int side)
{
    int beside = place + side;
    return split->ranks[d] > 1 && split->depth[d] > 0 &&
           (split->periodic[d] || (beside >= 0 && beside < split->ranks[d]));
}

void gzk_domain_of(const struct gzk_split *split, int rank, struct gzk_domain *part)
{
    for (int d = 0; d < 3; d++) {
        int place = rank % split->ranks[d];
        rank /= split->ranks[d];
        part->place[d] = place;
        part->box.begin[d] = box_begin(split, d, place);
        part->box.extent[d] = box_begin(split, d, place + 1) - part->box.begin[d];
        part->lead[d] = has_neighbour(split, d, place, -1) ? split->depth[d] : 0;
        part->size[d] = part->lead[d] + part->box.extent[d] +
                        (has_neighbour(split, d, place, 1) ? split->depth[d] : 0);
    }
}

int gzk_domain_home(const struct gzk_split *split, const struct gzk_domain *part, int d, int i)
{
    int size = split->size[d];
    return (part->box.begin[d] - part->lead[d] + i + size) % size;
}

static int rank_at(const struct gzk_split *split, const int place[3])
{
    int at[3];
    for (int d = 0; d < 3; d++)
        at[d] = (place[d] + split->ranks[d]) % split->ranks[d];
    return (at[2] * split->ranks[1] + at[1]) * split->ranks[0] + at[0];
}

/* What goes through one side of the box in dimension d, as wide as the halo, with the halos of the
 * dimensions before; false if nobody is there. */
static bool set_transfer(const struct gzk_split *split, const struct gzk_domain *part, int d,
                         int side, struct gzk_transfer *transfer)
{
    int depth = split->depth[d], begin = part->lead[d], end = begin + part->box.extent[d];
    int place[3] = {part->place[0], part->place[1], part->place[2]};

    if (!has_neighbour(split, d, part->place[d], side))
        return false;
    place[d] += side;
    *transfer = (struct gzk_transfer){.phase = d, .peer = rank_at(split, place)};
    transfer->tag = 2 * d + (side > 0);
    transfer->answer_tag = 2 * d + (side < 0);
    for (int i = 0; i < 3; i++) {
        transfer->send.begin[i] = transfer->receive.begin[i] = i < d ? 0 : part->lead[i];
        transfer->send.extent[i] = transfer->receive.extent[i] =
            i < d ? part->size[i] : part->box.extent[i];
    }
    transfer->send.begin[d] = side < 0 ? begin : end - depth;
    transfer->receive.begin[d] = side < 0 ? 0 : end;
    transfer->send.extent[d] = transfer->receive.extent[d] = depth;
    return true;
}

int gzk_transfers(const struct gzk_split *split, int rank,
                  struct gzk_transfer transfers[GZK_MOST_TRANSFERS])
{
    struct gzk_domain part;
    int count = 0;

    gzk_domain_of(split, rank, &part);
    for (int d = 0; d < 3; d++)
        for (int side = -1; side <= 1; side += 2)
            count += set_transfer(split, &part, d, side, &transfers[count]);
    return count;
}

/* Element (x, y, z) of an array. */
static size_t at(const int size[3], int x, int y, int z)
{
    return ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x;
}

void gzk_domain_take(const struct gzk_split *split, const struct gzk_domain *part, size_t bytes,
                     const void *grid, void *own)
{
    const char *from = grid;
    char *to = own;
    for (int z = 0; z < part->size[2]; z++)
        for (int y = 0; y < part->size[1]; y++) {
            int gy = gzk_domain_home(split, part, 1, y), gz = gzk_domain_home(split, part, 2, z);
            for (int x = 0; x < part->size[0]; x++, to += bytes)
                memcpy(to,
                       from + bytes * at(split->size, gzk_domain_home(split, part, 0, x), gy, gz),
                       bytes);
        }
}

/* Copies a box of so many elements from a place in one array to a place in another. */
static void copy_box(const int extent[3], size_t bytes, const void *from, const int from_size[3],
                     const int from_begin[3], void *to, const int to_size[3], const int to_begin[3])
{
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++) {
            size_t source = at(from_size, from_begin[0], from_begin[1] + y, from_begin[2] + z);
            size_t target = at(to_size, to_begin[0], to_begin[1] + y, to_begin[2] + z);
            memcpy((char *)to + bytes * target, (const char *)from + bytes * source,
                   bytes * (size_t)extent[0]);
        }
}

static const int origin[3];

void gzk_box_put(const struct gzk_box *box, const int size[3], size_t bytes, const void *from,
                 void *array)
{
    copy_box(box->extent, bytes, from, box->extent, origin, array, size, box->begin);
}

void gzk_box_get(const struct gzk_box *box, const int size[3], size_t bytes, const void *array,
                 void *to)
{
    copy_box(box->extent, bytes, array, size, box->begin, to, box->extent, origin);
}

void gzk_domain_give(const struct gzk_split *split, const struct gzk_domain *part, size_t bytes,
                     const void *own, void *grid)
{
    copy_box(part->box.extent, bytes, own, part->size, part->lead, grid, split->size,
             part->box.begin);
}

uint64_t gzk_domain_checksum(const struct gzk_split *split, const struct gzk_domain *part,
                             size_t bytes, const void *own)
{
    const int *extent = part->box.extent, *lead = part->lead, *begin = part->box.begin;
    uint64_t sum = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++) {
            size_t here = at(part->size, lead[0], lead[1] + y, lead[2] + z);
            size_t there = at(split->size, begin[0], begin[1] + y, begin[2] + z);
            for (size_t x = 0; x < (size_t)extent[0]; x++) {
                uint64_t bits = 0;
                memcpy(&bits, (const char *)own + bytes * (here + x), bytes);
                sum += gzk_random(bits, there + x);
            }
        }
    return sum;
}

uint64_t gzk_grid_checksum(const int size[3], size_t bytes, const void *grid)
{
    const struct gzk_split whole = {.size = {size[0], size[1], size[2]}, .ranks = {1, 1, 1}};
    struct gzk_domain part;
    gzk_domain_of(&whole, 0, &part);
    return gzk_domain_checksum(&whole, &part, bytes, grid);
}
