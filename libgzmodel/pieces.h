/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces.h - the streamed tiles that are worth trying, visited one after the other.
 */
#ifndef GZI_PIECES_H
#define GZI_PIECES_H

#include "gzmodel.h"

/* Which tiles are visited. */
typedef struct gzi_pieces {
    const gz_device *dev;
    double units;        /* of the device that take whole tiles, at least 1 */
    int whole_rows;      /* non-zero: rows are computed as vectors by one thread (a CPU), else by
                            threads beside each other */
    double threads;      /* of a block, at most */
    double shared_bytes; /* local memory of a block; 0: no limit */
    double arrays;       /* coefficient arrays, loaded with the state */
    double height_max;   /* 0: no limit */
    double block_max[GZ_MAX_DIM];     /* of a tile, ghost zone included; 0: no limit */
    double length;                    /* of all pieces; 0: what is worth trying */
    double given_threads[GZ_MAX_DIM]; /* of a block; 0: those that go with the tile */
} gzi_pieces;

/* The search's limits from a device's own and the request's. */
gzi_pieces gzi_pieces_of(const gz_device *dev, const gz_app *app, const gz_tile_limits *limits);

/* Calls `visit` with the lengths of each tile, its piece and its height until one call fails;
 * returns its status. Rows are parts of the grid's on a CPU, rounded up to lines of the cache, and
 * multiples of warps on a GPU; in three dimensions the planes have as many rows as fit, and larger
 * numbers of parts, two on a CPU, eleven on a GPU, where columns in registers need fewer rows than
 * may fit; pieces are the whole stream and its halves, quarters, ... while there
 * are fewer than four tiles for a unit. block_len of the last dimension is the piece with its ghost
 * zone. `visit` returns GZ_EHEIGHT for a tile that the device has no room for. For an application
 * of two or three dimensions. */
gz_status gzi_visit_pieces(const gzi_pieces *pieces, const gz_app *app, const gz_config *cfg,
                           gz_status (*visit)(void *with, const double block_len[GZ_MAX_DIM],
                                              double stream_len, int height),
                           void *with);

#endif
