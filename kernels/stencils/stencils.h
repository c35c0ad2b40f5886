/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencils.h - the stencils: what each loads, stores and computes, stated once.
 *
 * A stencil is a row of the table in stencils.c, a body (NAME.knl) that all backends compile, and a
 * serial reference (NAME.c). To add one, write these three; nothing else changes.
 *
 * A body is the definition of one function, `GZ_UPDATE { ... return value; }`, of element type
 * GZ_T, that computes a cell's next value. It may read
 *
 *   AT(dx, dy, dz)        the state of the neighbour at that distance (at most the radius; 0 in the
 *                         dimensions that the stencil lacks) after the previous loop
 *   STILL(k, dx, dy, dz)  the same of array k of those that never change; loaded with the tile
 *   FRESH(k)              this cell's element of array k of those that are new in each loop; read
 *                         from device memory
 *   COEF(k)               coefficient k
 *   CELL_X CELL_Y CELL_Z  the cell's coordinates in the grid
 *   LOOP                  the number of the loop, from 0
 *
 * It must write its arithmetic in the same order as the reference, without literals of another type
 * than GZ_T's or int, so that both round alike.
 */
#ifndef GZK_STENCILS_H
#define GZK_STENCILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GZK_MAX_COEFFICIENTS = 16 };

enum gzk_type { GZK_INT, GZK_FLOAT, GZK_DOUBLE };

/* What an index outside the grid means. */
enum gzk_edge {
    GZK_EDGE_CLAMP,   /* the nearest cell inside (the paper's Listing 1) */
    GZK_EDGE_ZERO,    /* zero, in every array */
    GZK_EDGE_PERIODIC /* the grid repeats without end */
};

/* A grid with its arrays, on the host. Element (x, y, z) of an array lies at
 * (z * size[1] + y) * size[0] + x. */
struct gzk_data {
    int size[3];        /* cells in x, y, z; 1 in the dimensions that the stencil lacks */
    size_t cells;       /* their product */
    size_t stride;      /* elements from one array of `aux` to the next, at least `cells` */
    long loops;         /* loops for which there are fresh arrays */
    void *state;        /* `cells` elements */
    void *aux;          /* the still arrays, then the fresh arrays of loop 0, of loop 1, ... */
    void *coefficients; /* GZK_MAX_COEFFICIENTS elements */
};

struct gzk_stencil {
    const char *name;
    const char *summary; /* one line, for --list */
    int dimensions;      /* 1 to 3 */
    int radius[3];       /* cells in x, y, z; the paper's HaloWidth is twice this */
    enum gzk_type type;
    enum gzk_edge edge;
    int still_arrays;    /* arrays loaded with the tile besides the state: the paper's
                            NumStencilArrays less one */
    int fresh_arrays;    /* elements read from device memory per operation: NumElemPerOp */
    int coefficients;    /* at most GZK_MAX_COEFFICIENTS */
    bool indexed_output; /* whether a file of the state numbers its lines, as HotSpot does */
    bool red_black;      /* whether a loop computes the cells of one colour, half of them, and keeps
                            the others */
    int operations; /* additions, multiplications, comparisons and the like per computed cell, as
                       the reference spells them; what the compiler saves is not deducted */
    double ulp_per_loop; /* how far one loop may take the result from the reference where
                            multiplications and additions are contracted, in units in the last
                            place of the largest magnitude in the grid; 0 for integers */
    int default_size[3];
    int default_block[3];
    const char *body; /* the text of NAME.knl */

    /* Fills data->coefficients for data->size. */
    void (*set_coefficients)(struct gzk_data *data);
    /* Fills state and aux from the seed; the same seed gives the same data everywhere. */
    void (*fill)(struct gzk_data *data, uint64_t seed);
    /* Computes loop number `loop`: one serial sweep from `from` to `to`, both `cells` elements, in
     * plain C. */
    void (*reference)(const struct gzk_data *data, long loop, const void *from, void *to);
    /* Where cell i of `extent` lies along an edge of the domain, in the unit that the stencil's
     * file states; NULL where cells have no place but their index. */
    double (*coordinate)(int extent, int i);
};

extern const struct gzk_stencil gzk_stencils[];
extern const size_t gzk_stencil_count;

/* The stencil of that name, or NULL. */
const struct gzk_stencil *gzk_stencil_find(const char *name);

/* An element's size in bytes. */
size_t gzk_type_bytes(enum gzk_type type);

/* Element `i` of an array. */
double gzk_element(const void *array, enum gzk_type type, size_t i);

/* The type's name in C, OpenCL C and CUDA C++. */
const char *gzk_type_name(enum gzk_type type);

/* Arrays loaded with each tile: the paper's NumStencilArrays. */
int gzk_stencil_arrays(const struct gzk_stencil *stencil);

/* Bytes that one loop must move at least between device memory and chip without a ghost zone, per
 * cell: state read and written once, every other array read once. */
size_t gzk_stencil_bytes_per_cell(const struct gzk_stencil *stencil);

/* Makes the arrays for `size` and `loops` and fills them with `set_coefficients` and `fill`.
 * Returns 0, or -1 where memory is short, with nothing allocated. Ended by gzk_data_free. */
int gzk_data_new(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                 long loops, uint64_t seed);

/* Frees the arrays; harmless on a zeroed struct. */
void gzk_data_free(struct gzk_data *data);

/* A pseudo-random number in [0, 2^64) for element `index` of the stream `seed` (SplitMix64). */
uint64_t gzk_random(uint64_t seed, uint64_t index);

#endif
