/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cells.h - the cells of the grid in what stands in place of a loop: what an element is called for
 * the cell (gz_x, gz_y, gz_z), which are values of the loop variables, and loops over the cells.
 */
#ifndef GZT_CELLS_H
#define GZT_CELLS_H

#include "program.h"

extern const char *const gzt_axis_names[GZT_AXES];

/* The value of an expression with the loop variables set to the cell's, moved by `shift` if that is
 * not NULL, and the time to `time`, likewise. */
const char *gzt_of_cell(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_node *node, const int shift[GZT_AXES], const char *time);

/* A number's own expression, whose temporaries are what they hold there. */
const char *gzt_scalar_text(const struct gzt_program *program, const struct gzt_scalar *scalar);

/* Where C reads what these guard, in C; "1" without guards. */
const char *gzt_guarded(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_guard *guards, const char *time);

/* With guards, sets the new variable gz_read to whether they hold for the cell and gz_time, or, of
 * what is not `given`, for any; what is `value` then, or 0. */
enum { GZT_CELL = 1, GZT_TIME = 2 };
const char *gzt_add_read(const struct gzt_program *program, int sweep,
                         const struct gzt_guard *guards, int given, const char *value,
                         struct gzt_text *text);

/* The element of state buffer 0 or 1 that belongs to the cell. */
const char *gzt_state_element(const struct gzt_program *program, int buffer);

/* The source of constant array `k`, and how far beyond the domain it is read; whether it is an
 * array's element at a fixed distance from the cell, and not any other function of it. */
const char *gzt_constant_element(const struct gzt_program *program, int k, int widen[GZT_AXES][2],
                                 bool *fixed);

/* In a block, makes gz_low and gz_high those of a part of a system; nothing for other programs. */
void gzt_add_part(const struct gzt_program *program, int part, struct gzt_text *text);

/* Begins such a block, of a system for a part that has cells, or where any does that reads a
 * number: C evaluates nothing of others. */
void gzt_begin_part(const struct gzt_program *program, int part, struct gzt_text *text);
void gzt_begin_scalar(const struct gzt_program *program, const struct gzt_scalar *scalar,
                      struct gzt_text *text);

/* The axis that a loop of a sweep follows. */
int gzt_axis_of(const struct gzt_sweep *sweep, int loop);

/* A bound along an axis, `by` cells further. */
const char *gzt_moved(const char *bound, int axis, int by);

/* The first cell of the domain along an axis, widened; NULL: not at all. */
const char *gzt_first_cell(int axis, int widen[GZT_AXES][2]);

/* One of the loops over the domain, each axis widened; NULL: not at all. */
void gzt_add_loop(int axis, int widen[GZT_AXES][2], struct gzt_text *text);

/* The loops over the domain, around a statement. */
void gzt_add_loops(const struct gzt_program *program, int widen[GZT_AXES][2], const char *statement,
                   struct gzt_text *text);

/* Copies the domain, each axis widened, from one expression of a cell to another, both of which are
 * evaluated for the ends of rows; cell by cell where the library finds that a row has gaps. */
void gzt_add_rows(const struct gzt_program *program, int widen[GZT_AXES][2], const char *to,
                  const char *from, struct gzt_text *text);

/* Whether all of the rim counts as read: where cells of it are set, and for several arrays. */
bool gzt_reads_box(const struct gzt_program *program);

/* The cells that a part reads or sets of an array, seen from its domain: for each distance along
 * the axes of rows, how far the row reaches beyond the domain. */
struct gzt_row {
    int part, left, right, y, z;
};
struct gzt_rows {
    struct gzt_row *row;
    int count;
};

/* Adds what lies so far from the domain's cells; adds all that a part, of a system, or else any
 * reads in a role. */
void gzt_touch(struct gzt_rows *rows, int part, const int offset[GZT_AXES]);
void gzt_touch_reads(const struct gzt_program *program, int part, enum gzt_role role, int number,
                     struct gzt_rows *rows);

/* How far these reach beyond the domain; false if there are none. */
bool gzt_box(const struct gzt_rows *rows, int reach[GZT_AXES][2]);

/* The statement for the cells gz_left to gz_right of each such row, those of the grid with `clip`,
 * and none that another row has; copies these from one expression of a cell to another; and the
 * statement that makes one for each cell. */
void gzt_add_touched(const struct gzt_program *program, struct gzt_rows *rows, bool clip,
                     const char *statement, struct gzt_text *text);
void gzt_add_touched_rows(const struct gzt_program *program, struct gzt_rows *rows, const char *to,
                          const char *from, struct gzt_text *text);
const char *gzt_each_touched(const char *statement);

/* As gzt_add_rows and gzt_add_loops, of the state as far as it is read, corners left out. */
void gzt_add_reached_rows(const struct gzt_program *program, const char *to, const char *from,
                          struct gzt_text *text);
void gzt_add_reached_cells(const struct gzt_program *program, const char *statement,
                           struct gzt_text *text);

/* The place of a cell in an array of the grid, rim included. */
const char *gzt_cell_place(const struct gzt_program *program);

#endif
