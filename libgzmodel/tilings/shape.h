/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shape.h - a stencil as far as tiles and their cost depend on it: what models, tilings and kernels
 * read of one. It needs the C library only, since the source of a stencil includes it
 * (kernels/stencils/stencil.h).
 */
#ifndef GZI_SHAPE_H
#define GZI_SHAPE_H

#include <stdbool.h>

/* A member of a type with these members, which the holder has as its own. */
#define GZI_HAS(type, name, members)                                                               \
    union {                                                                                        \
        type name;                                                                                 \
        struct {                                                                                   \
            members                                                                                \
        };                                                                                         \
    };

/* What an index outside the grid means, in one dimension, which decides what a tile there loads and
 * computes; the first three by the numbers of edge_rule in application files. Dimensions may
 * differ: an index outside means what the rule of x makes of x, that of y of y, that of z of z, and
 * zero if one of them says so. */
typedef enum gz_edge {
    GZ_EDGE_CLAMP,    /* the nearest cell inside (the paper's Listing 1): a tile loads its whole
                         extent, computes cells inside */
    GZ_EDGE_ZERO,     /* zero, in every array: cells inside are loaded and computed */
    GZ_EDGE_PERIODIC, /* the grid repeats without end: images are loaded, and computed, if they are
                         needed */
    GZ_EDGE_KEEP      /* as ZERO, and the outermost cells, as many as the radius, are read and never
                         computed */
} gz_edge;

/* Elements that computing a cell reads from its tile, each counted once however often the body
 * spells it, since compilers keep what they have read; what only some cells or loops read counts,
 * too. All 0 where nobody counted: models then assume the usual, and tiles keep no columns in
 * registers. */
typedef struct gz_reads {
    int state;       /* of the state, of all fields together */
    int column;      /* of these, in the cell's own column along the last dimension, itself included
                      */
    int arrays;      /* of all coefficient arrays together */
    bool own_column; /* whether other planes along the last dimension, of two or three, are read in
                        the cell's own column only, as by a star */
} gz_reads;

#define GZ_SHAPE_MEMBERS                                                                           \
    int dim;         /* 1 to 3 */                                                                  \
    int radius[3];   /* cells in x, y, z; 0 in the dimensions that the stencil lacks */            \
    gz_edge edge[3]; /* in x, y, z; without effect in the dimensions that the stencil lacks */     \
    int bytes;       /* of an element */                                                           \
    int coefficient_arrays; /* arrays loaded with the tile besides the state */                    \
    int fields; /* values of a cell, each in an array of its own; a loop computes the next of */   \
                /* each from what all were after the loop before; 0 means 1 */                     \
    bool older; /* whether there are three time levels: the older state is loaded, too, and */     \
                /* both are committed */                                                           \
    int step_arrays;  /* arrays of which every loop has new ones, read in it */                    \
    int coefficients; /* values that are the same for all cells */                                 \
    gz_reads reads;

typedef struct gz_shape {
    GZ_SHAPE_MEMBERS
} gz_shape;

/* Values of a cell; states that a tile commits; arrays loaded with it, the paper's
 * NumStencilArrays; and elements of these that computing a cell reads. */
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
    return gzi_states(shape) + shape->coefficient_arrays;
}
static inline int gzi_all_reads(const gz_shape *shape)
{
    return shape->reads.state + shape->reads.arrays;
}

#endif
