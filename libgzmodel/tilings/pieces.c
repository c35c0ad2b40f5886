/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces.c - the streamed tiles that are worth trying, see tiling.h.
 */
#include "tiling.h"

enum {
    CPU_PARTS = 12, /* of a row */
    GPU_WIDTHS = 6,
    MORE_CPU = 3, /* numbers of rows */
    MORE_GPU = 12,
    TILES_PER_UNIT = 4
};

/* The tile being put together. */
struct streamed {
    const gzi_pieces *pieces;
    gzi_tile tile;
    double across; /* tiles across the stream */
    gzi_piece_visitor *visit;
    void *with;
};

static long ghosts(const gzi_tile *tile, int i)
{
    return 2L * tile->radius[i] * tile->height;
}

/* A length in so many equal parts. */
static long part_of(long length, long parts)
{
    return (length - 1) / parts + 1;
}

/* The least number of parts, above `parts`, whose length is smaller; of a length that no local
 * memory holds, twice as many. */
static long more_parts(long length, long parts)
{
    static const long never_held = 1L << 16;
    long part = part_of(length, parts);
    if (part > never_held)
        return 2 * parts;
    return part > 1 ? (length - 1) / (part - 1) + 1 : length + 1;
}

/* Sets threads and layout; whether there is room for them. */
static int fits(struct streamed *s)
{
    const gzi_pieces *pieces = s->pieces;
    gzi_tile *tile = &s->tile;
    for (int i = 0; i < tile->dim - 1; i++)
        if (pieces->block_max[i] > 0 && tile->block[i] > pieces->block_max[i])
            return 0;
    if (pieces->tile.threads[0] > 0)
        tile->columns = gzi_takes_columns(tile);
    else
        gzi_set_stream_threads(tile, pieces->threads);
    return !(pieces->local_bytes > 0) ||
           gzi_stream.local_elements(tile) * tile->bytes <= pieces->local_bytes;
}

/* All pieces of one plane; `*room` says whether the device has room for it. */
static gz_status visit_lengths(struct streamed *s, int *room)
{
    const gzi_pieces *pieces = s->pieces;
    int last = s->tile.dim - 1;
    long planes = s->tile.size[last], shorter = planes + 1;
    gz_status status = GZ_OK;

    *room = fits(s);
    for (long parts = 1; *room && !status && parts <= planes; parts *= 2) {
        long length = part_of(planes, parts);
        double most = pieces->block_max[last];
        if (pieces->length > 0)
            length = pieces->length < planes ? pieces->length : planes;
        s->tile.piece = length;
        if (length >= shorter || (most > 0 && (double)(length + ghosts(&s->tile, last)) > most))
            continue;
        shorter = length;
        status = s->visit(s->with, &s->tile);
        if (status == GZ_EHEIGHT) {
            *room = 0;
            return GZ_OK;
        }
        if (s->across * (double)parts >= TILES_PER_UNIT * pieces->units)
            break;
    }
    return status;
}

/* Planes with rows of `columns` committed cells. */
static gz_status visit_planes(struct streamed *s, long columns)
{
    const long *size = s->tile.size;
    double beside = (double)part_of(size[0], columns);
    int tried = 0, room, more = s->tile.cpu ? MORE_CPU : MORE_GPU;
    gz_status status = GZ_OK;

    s->tile.block[0] = (int)(columns + ghosts(&s->tile, 0));
    s->across = beside;
    if (s->tile.dim == 2)
        return visit_lengths(s, &room);
    for (long parts = 1; parts <= size[1] && tried < more && !status;
         parts = more_parts(size[1], parts)) {
        long rows = part_of(size[1], parts);
        s->tile.block[1] = (int)(rows + ghosts(&s->tile, 1));
        s->across = beside * (double)parts;
        status = visit_lengths(s, &room);
        tried += room;
    }
    return status;
}

void gzi_set_piece(const gzi_tile *tile, gz_config *cfg)
{
    int last = tile->dim - 1;
    gzi_take_way(cfg, &tile->way);
    cfg->block_len[last] = (double)(tile->piece + ghosts(tile, last));
}

gz_status gzi_visit_pieces(const gzi_pieces *pieces, int height, gzi_piece_visitor *visit,
                           void *with)
{
    static const long widths[GPU_WIDTHS] = {32, 64, 128, 256, 512, 1024};
    struct streamed s = {.pieces = pieces, .tile = pieces->tile, .visit = visit, .with = with};
    long line = gzi_row_align(&s.tile), ghost;
    long narrower = s.tile.size[0] + 1;
    gz_status status = GZ_OK;

    s.tile.height = height;
    s.tile.loops = 0;
    for (long parts = 1; s.tile.cpu && parts <= CPU_PARTS && !status; parts++) {
        long columns = part_of(s.tile.size[0], parts);
        if (parts > 1)
            columns = part_of(columns, line) * line;
        if (columns < narrower)
            status = visit_planes(&s, columns);
        narrower = columns < narrower ? columns : narrower;
    }
    ghost = ghosts(&s.tile, 0);
    for (int k = 0; !s.tile.cpu && k < GPU_WIDTHS && !status; k++)
        if (widths[k] % (pieces->warp > 0 ? pieces->warp : widths[0]) == 0 && widths[k] > ghost &&
            (double)widths[k] <= pieces->threads)
            status = visit_planes(&s, widths[k] - ghost);
    return status;
}
