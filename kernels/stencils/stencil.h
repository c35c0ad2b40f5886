/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil.h - the contract of a stencil: NAME.c defines one value, GZK_STENCIL(NAME, ...), with its
 * serial reference and its data; NAME.knl is its body, which all backends compile. Nothing else
 * lists it. kernels/README.md shows how to write one.
 *
 * A body is the definition of one function, `GZ_UPDATE { ... return value; }`, of element type
 * GZ_T, that computes a cell's next value. It may read
 *
 *   AT(dx, dy, dz)          the neighbour at that distance (at most the radius; 0 in the dimensions
 *                           that the stencil lacks) after the previous loop
 *   FIELD(f, dx, dy, dz)    of a stencil with several fields, in place of AT: field f of it
 *   OLDER                   the cell itself after the loop before that, if the stencil has three
 *                           time levels
 *   COEF(k)                 coefficient k
 *   COEF_AT(k, dx, dy, dz)  the element at that distance of coefficient array k, which never
 *                           changes; loaded with the tile
 *   STEP_AT(k)              this cell's element of per-step array k, of which every loop has a new
 *                           one; read from device memory
 *   STEP(k)                 number k of those that every loop has anew
 *   CELL_X CELL_Y CELL_Z    the cell's coordinates in the grid
 *   LOOP                    the number of the loop, from 0
 *   THIS                    of several fields, the one whose next value is asked for, from 0: known
 *                           to the compiler
 *
 * and must do its arithmetic in the order of the reference, without literals of another type than
 * GZ_T's or int, so that both round alike. gz_min and gz_max take ints.
 *
 * This header and shape.h (libgzmodel/tilings) need the C library only, so that a stencil can be
 * built anywhere.
 */
#ifndef GZK_STENCIL_H
#define GZK_STENCIL_H

#include "shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GZK_STENCIL_ABI = 5, GZK_MAX_COEFFICIENTS = 128, GZK_MAX_FIELDS = 8 };

enum gzk_type { GZK_INT, GZK_FLOAT, GZK_DOUBLE };

/* The bytes of an element; and both as a stencil states them: GZK_TYPE(GZK_DOUBLE). */
#define GZK_BYTES(type) ((type) == GZK_DOUBLE ? 8 : 4)
#define GZK_TYPE(type_) .type = (type_), .bytes = GZK_BYTES(type_)

/* The same rule in all dimensions: GZK_EDGES(CLAMP). */
#define GZK_EDGES(rule)                                                                            \
    {                                                                                              \
        GZ_EDGE_##rule, GZ_EDGE_##rule, GZ_EDGE_##rule                                             \
    }

/* A grid with its arrays, on the host. Element (x, y, z) of an array lies at
 * (z * size[1] + y) * size[0] + x. */
struct gzk_data {
    int size[3];   /* cells in x, y, z; 1 in the dimensions that the stencil lacks */
    size_t cells;  /* their product */
    size_t stride; /* elements from one array of `aux` to the next, at least `cells` */
    long loops;    /* loops for which there are per-step arrays */
    void *state;   /* `cells` elements; of several fields, those of the first, of the second, ... */
    void *aux; /* the coefficient arrays; if edges of a dimension are kept, two borders, that of the
                  state at first and that of the buffer that the first loop writes, of several
                  fields each an array a field; then the per-step values and arrays of loop 0, those
                  of loop 1, ... */
    void *coefficients; /* GZK_MAX_COEFFICIENTS elements */
    void *older;        /* of three time levels, the state before `state`; else NULL. If edges are
                           kept, it is the buffer that the first loop writes */

    /* If these are the data of a part of a grid, a rank's: that grid's extents, cells and stride,
       and where in it the part begins, round its ends. Else this grid's own, and 0. */
    struct {
        int size[3], begin[3];
        size_t cells, stride;
    } grid;
};

/* Members may be added at the end; `size` then says which a stencil built earlier has. */
struct gzk_stencil {
    uint32_t abi, size;  /* GZK_STENCIL_ABI, and the bytes of this struct: first in every version */
    const char *name;    /* of letters, digits and '_' */
    const char *summary; /* one line, for --list */
    const char *body;    /* the text of NAME.knl */
    /* At most GZK_MAX_COEFFICIENTS coefficients and GZK_MAX_FIELDS fields; with several there are
     * two time levels, and no measure. The state is read by AT or FIELD, and coefficient arrays by
     * COEF_AT; OLDER is not counted. */
    GZI_HAS(gz_shape, shape, GZ_SHAPE_MEMBERS)
    enum gzk_type type;  /* of all arrays and coefficients */
    int step_values;     /* numbers of which every loop has new ones, each the same for all cells */
    int operations;      /* additions, multiplications, comparisons and the like per computed cell,
                            as the reference spells them; what the compiler saves is not deducted */
    double ulp_per_loop; /* how far one loop may take the result from the reference where
                            multiplications and additions are contracted, in units in the last
                            place of the largest magnitude in the grid; 0 for integers */
    bool indexed_output; /* whether a file of the state numbers its lines, as HotSpot's does */
    bool red_black;      /* whether a loop computes the cells of one colour, half of them, and
                            keeps the others */
    int default_size[3]; /* 1 in the dimensions that the stencil lacks */
    int default_block[3]; /* likewise; a trapezoid's, ghost zone included */

    /* Fills data->coefficients for data->size; NULL for a stencil without any. */
    void (*set_coefficients)(struct gzk_data *data);
    /* Fills state and aux from the seed; the same seed gives the same data everywhere. */
    void (*fill)(struct gzk_data *data, uint64_t seed);
    /* Computes loop number `loop`: one serial sweep from `from` to `to`, both `cells` elements, in
     * plain C. Of three time levels, `to` holds the state before `from`, and is overwritten. */
    void (*reference)(const struct gzk_data *data, long loop, const void *from, void *to);
    int measure;      /* whether the body has a measure, too, of how far a loop takes a cell: from
                         1 to 4 by what is found and its type; see ../device/measure.knl */
    bool fills_parts; /* whether `fill` numbers cells as GZK_EACH_CELL does, so that it fills a part
                         of a grid as the grid; else a rank makes the whole grid's data first */
};

/* Defines the stencil `name_`, whose body was embedded as gzk_NAME_knl; what follows initialises
 * the other members. In a shared object it is exported as `gzk_stencil`, which is what gzrun
 * --stencil looks for. */
#define GZK_STENCIL(name_, ...)                                                                    \
    extern const char gzk_##name_##_knl[];                                                         \
    extern const struct gzk_stencil gzk_stencil_##name_;                                           \
    const struct gzk_stencil gzk_stencil_##name_ = {.abi = GZK_STENCIL_ABI,                        \
                                                    .size = sizeof(struct gzk_stencil),            \
                                                    .name = #name_,                                \
                                                    .body = gzk_##name_##_knl,                     \
                                                    __VA_ARGS__};                                  \
    extern const struct gzk_stencil gzk_stencil                                                    \
        __attribute__((weak, alias("gzk_stencil_" #name_), visibility("default")))

/* A pseudo-random number in [0, 2^64) for element `index` of the stream `seed` (SplitMix64). */
static inline uint64_t gzk_random(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number in [0, 1) for element `index` of the stream `seed`: of 24 bits, and of 53. */
static inline float gzk_random_float(uint64_t seed, uint64_t index)
{
    return (float)(gzk_random(seed, index) >> 40) / 16777216.0F;
}
static inline double gzk_random_double(uint64_t seed, uint64_t index)
{
    return (double)(gzk_random(seed, index) >> 11) * 0x1p-53;
}

/* A cell of a part of a grid: its number among the part's cells, and among the grid's. */
struct gzk_cell {
    size_t own, grid, end; /* at the end of the grid's row its first cell is next */
    int x, y, z;           /* in the part */
};

/* Sets the numbers in the grid of the first cell of a row, and behind the grid's row. */
static inline void gzk_begin_row(const struct gzk_data *data, struct gzk_cell *cell)
{
    const int *size = data->grid.size, *begin = data->grid.begin;
    size_t y = (size_t)((begin[1] + cell->y) % size[1]),
           z = (size_t)((begin[2] + cell->z) % size[2]);
    cell->grid = (z * (size_t)size[1] + y) * (size_t)size[0] + (size_t)begin[0];
    cell->end = cell->grid + (size_t)(size[0] - begin[0]);
}

static inline struct gzk_cell gzk_first_cell(const struct gzk_data *data)
{
    struct gzk_cell cell = {0};
    gzk_begin_row(data, &cell);
    return cell;
}

static inline void gzk_next_cell(const struct gzk_data *data, struct gzk_cell *cell)
{
    cell->own++;
    if (++cell->x < data->size[0]) {
        if (++cell->grid == cell->end)
            cell->grid -= (size_t)data->grid.size[0];
        return;
    }
    cell->x = 0;
    if (++cell->y == data->size[1]) {
        cell->y = 0;
        cell->z++;
    }
    gzk_begin_row(data, cell);
}

/* Begins a loop over the cells of data: `cell` is a struct gzk_cell. */
#define GZK_EACH_CELL(data, cell)                                                                  \
    for (struct gzk_cell cell = gzk_first_cell(data); cell.own < (data)->cells;                    \
         gzk_next_cell(data, &cell))

#endif
