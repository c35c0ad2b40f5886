/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tile_share.h - how much of what a tile holds and computes is of use, for a cube (in two
 * dimensions a square) that is a trapezoid, and for a streamed tile with square planes, by the
 * tilings' geometry in whole numbers.
 */
#ifndef GZ_TILE_SHARE_H
#define GZ_TILE_SHARE_H

#include "gzmodel.h"

/* What is compared. */
typedef struct tile_case {
    gz_variant variant; /* trapezoid or stream */
    int dim;
    double radius;         /* elements, the same in every dimension */
    double height;         /* loops */
    double piece;          /* planes that a piece of the stream commits; a trapezoid has none */
    double local_bytes;    /* local memory of a block */
    double register_bytes; /* that may hold the columns of a streamed tile; 0: they lie in local
                              memory, as a ring of planes */
    double element_bytes;
} tile_case;

typedef struct tile_share {
    double side;   /* of the largest tile that fits, elements; ghost zone included */
    double useful; /* elements committed over elements loaded */
    double work;   /* elements computed, all loops, over those that a grid without tiles computes */
} tile_share;

/* A tile inside the grid, one state and no other array. Zero if nothing that commits an element
 * fits. */
int tile_share_of(const tile_case *of, tile_share *share);

#endif
