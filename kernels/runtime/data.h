/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * data.h - the arrays of a stencil's grid, and what follows from a stencil's facts.
 */
#ifndef GZK_DATA_H
#define GZK_DATA_H

#include "error.h"
#include "gzmodel/parameters.h"
#include "stencil.h"

/* Element `i` of an array, and sets it. */
double gzk_element(const void *array, enum gzk_type type, size_t i);
void gzk_set_element(void *array, enum gzk_type type, size_t i, double value);

/* The cells of a grid. */
size_t gzk_cells(const int size[3]);

/* The type's name in C, OpenCL C and CUDA C++. */
const char *gzk_type_name(enum gzk_type type);

/* The elements of a state, and its bytes. */
size_t gzk_state_elements(const struct gzk_stencil *stencil, const struct gzk_data *data);
size_t gzk_state_bytes(const struct gzk_stencil *stencil, const struct gzk_data *data);

/* Bytes per cell of all that a run of so many loops touches. Of one loop, what it must move at
 * least between device memory and chip without a ghost zone: state read and written once, every
 * other array read once. */
double gzk_bytes_per_cell(const struct gzk_stencil *stencil, long loops);

/* Sets what the model's application has in common with the stencil: dim, halo_width (twice the
 * radius), element_size, stencil_arrays (NumStencilArrays), elements_per_op (NumElemPerOp), the
 * gz2's edge rules and coefficients, and what gzk_describe_reads sets. */
void gzk_stencil_describe(const struct gzk_stencil *stencil, gz_app *app);

/* The application of a stencil of which no instructions were counted. A cell is taken to need its
 * operations, four for each element that it reads and five more; so NVRTC compiles streamed tiles
 * for sm_90, HotSpot to 45, star7 to 38, Poisson to 32 to 50 and star7vc to 67 to 83. And a thread
 * needs eight for each array. */
void gzk_describe_uncounted(const struct gzk_stencil *stencil, double operations, gz_app *app);

/* Sets what follows from what the body reads: own_column, tile_reads (of the state and all
 * coefficient arrays) and, of stencils that read their own column only, column_reads. What cannot
 * be told stays as it is. */
void gzk_describe_reads(const struct gzk_stencil *stencil, gz_app *app);

/* The edge rules' names: one if all dimensions have the same, else "periodic, keep", that of x
 * first. */
void gzk_edges_text(const struct gzk_stencil *stencil, char *text, size_t room);

/* Arrays behind the coefficient arrays that hold borders: two a field if edges of a dimension are
 * kept. */
int gzk_border_arrays(const struct gzk_stencil *stencil);

/* Elements from the beginning of one of `aux`' arrays of so many cells to that of the next: a
 * multiple of 32, as states begin; and, if that were whole pages, so many more that a cell of one
 * array is not in the same sets of a CPU's caches as that cell of the others. */
size_t gzk_stride(size_t cells);

/* Where in `aux`, of arrays `stride` elements apart, the values of loop number `loop` lie, which
 * are followed by its arrays; with as many loops as there are, the elements of `aux`. SIZE_MAX if
 * these are too many. */
size_t gzk_step_place(const struct gzk_stencil *stencil, size_t stride, long loop);

/* Makes the arrays for `size` and `loops`, of zeros. Returns 0, or -1 when memory is short, with
 * nothing allocated. Ended by gzk_data_free. */
int gzk_data_room(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                  long loops);

/* The same, filled with `set_coefficients` and `fill`. */
int gzk_data_new(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                 long loops, uint64_t seed);

/* The same of a part of a grid, `size` cells from `begin` on, round the grid's ends, of a stencil
 * that fills parts; coefficients are the grid's. */
int gzk_data_part(struct gzk_data *data, const struct gzk_stencil *stencil, const int grid[3],
                  const int begin[3], const int size[3], long loops, uint64_t seed);

/* Frees the arrays; harmless on a zeroed struct. */
void gzk_data_free(struct gzk_data *data);

/* A grid so small that a run takes some hundred microseconds, for compiling. */
void gzk_small_grid(const struct gzk_stencil *stencil, int size[3]);

#endif
