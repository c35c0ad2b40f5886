/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shape.h - a stencil as far as tiles and their cost depend on it, and a way to run it. Each is
 * stated once, as a list of members: what holds one has them as its own, and as a whole.
 */
#ifndef GZI_SHAPE_H
/* A member of a type with these members, which the holder has as its own. */
#define GZI_HAS(type, name, members)                                                               \
    union {                                                                                        \
        type name;                                                                                 \
        struct {                                                                                   \
            members                                                                                \
        };                                                                                         \
    };

#define GZI_SHAPE_H

#include "gzmodel.h"

/* What a stencil reads beyond the grid's end, which decides what a tile there loads and computes;
 * the first three by the numbers of edge_rule in application files. */
typedef enum gzi_edge {
    GZI_EDGE_CLAMP,    /* the nearest cell: a tile loads its whole extent, computes cells inside */
    GZI_EDGE_ZERO,     /* a fixed value: cells inside are loaded and computed */
    GZI_EDGE_PERIODIC, /* the other end: images are loaded, and computed, if they are needed */
    GZI_EDGE_KEEP /* as ZERO, and the outermost cells, as many as the radius, stay as they are */
} gzi_edge;

/* Elements that computing a cell reads from its tile. */
typedef struct gzi_reads {
    int state;      /* of the state; 0: its box */
    int column;     /* of these, in the cell's own column along the last dimension */
    int arrays;     /* of all others */
    int own_column; /* whether other planes along the last dimension are read in that column only,
                       as by a star */
} gzi_reads;

#define GZI_SHAPE                                                                                  \
    int dim;                /* 1..3; what follows is read for the first `dim` dimensions only */   \
    int radius[GZ_MAX_DIM]; /* cells */                                                            \
    gzi_edge edge[GZ_MAX_DIM];                                                                     \
    int bytes;        /* of an element */                                                          \
    int arrays;       /* coefficient arrays, loaded with the state */                              \
    int fields;       /* values of a cell, each in an array of its own; 0: 1 */                    \
    int older;        /* 1 if there are three time levels: the older state is also loaded, and */  \
                      /* both are committed; else 0 */                                             \
    int step_arrays;  /* of each loop's own, read in it */                                         \
    int coefficients; /* the same for all cells */                                                 \
    gzi_reads reads;

typedef struct gz_shape {
    GZI_SHAPE
} gz_shape;

/* Where the planes of a streamed tile lie that a cell depends on: what suits device and stencil;
 * rings in local memory; or registers, each thread its columns, with local memory for one plane a
 * loop. */
typedef enum gzi_planes { GZI_PLANES_ANY, GZI_PLANES_RING, GZI_PLANES_COLUMNS } gzi_planes;

/* Elements that computing a cell reads from its tile; if the application does not say, a star's. */
double gzi_tile_reads(const gz_app *app);

/* The shape of an application; what it does not state is a star's. */
gz_shape gzi_shape_of(const gz_app *app);

/* A configuration at a whole height, with the threads that go with it. Lengths that are no whole
 * numbers, which no exact model accepts, are cut off. */
gz_way gzi_way_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h);

/* Sets all that a way states. */
void gzi_take_way(gz_config *cfg, const gz_way *way);

/* Values of a cell; states that a tile commits; arrays loaded with it; and elements of these that
 * computing a cell reads. */
static inline int gzi_fields(const gz_shape *shape)
{
    return shape->fields > 1 ? shape->fields : 1;
}
static inline int gzi_states(const gz_shape *shape)
{
    return gzi_fields(shape) + shape->older;
}
static inline int gzi_loaded(const gz_shape *shape)
{
    return gzi_states(shape) + shape->arrays;
}
static inline int gzi_all_reads(const gz_shape *shape)
{
    return shape->reads.state + shape->reads.arrays;
}

#endif
