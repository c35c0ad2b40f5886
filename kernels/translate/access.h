/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * access.h - elements of arrays: which array, and which function of which loop variable each
 * coordinate is, also where the coordinates are summed up into a linear index.
 */
#ifndef GZT_ACCESS_H
#define GZT_ACCESS_H

#include "affine.h"

/* Takes an element of an array apart. -1 with the error set if a subscript is not understood. */
int gzt_read_access(struct gzt_program *program, const struct gzt_space *space,
                    const struct gzt_node *node, struct gzt_access *access);

/* The same for an element of a linear array by an index that only guards place in the grid, such as
 * a[n] where i == 0 and j == 0: for the cells of the set, it is the element a fixed distance from
 * the one that the sweep writes. False if it is not, or needs no guard. */
bool gzt_read_guarded(struct gzt_program *program, const struct gzt_space *space, isl_set *set,
                      const struct gzt_node *node, struct gzt_access *access);

/* The loops in which a plane of that number may lie in a valid program: it is not below 0. */
isl_set *gzt_valid_planes(const struct gzt_space *space, isl_pw_aff *number);

/* Whether a plane's number is, in valid programs, that of another or, of two, the other one. */
bool gzt_is_plane(const struct gzt_space *space, isl_pw_aff *number, isl_pw_aff *chosen,
                  bool other);

/* Whether the plane in which an element lies so many turns of the time loop later is the one that
 * the sweep writes now, of planes that the time chooses by this coordinate; false if it cannot be
 * told. */
bool gzt_is_plane_of(struct gzt_program *program, const struct gzt_sweep *sweep,
                     const struct gzt_node *node, int coordinate, int later);

/* An element's coordinates by a linear index with the rows of the one that the sweep writes, over
 * the variables of `space`; false if it is none. The size of the rows of coordinate `g`, counted
 * from the slowest; NULL if it is unknown. */
bool gzt_read_linear(const struct gzt_space *space, const struct gzt_sweep *sweep,
                     const struct gzt_program *program, const struct gzt_node *node,
                     isl_pw_aff *place[GZT_AXES]);
isl_pw_aff *gzt_row_size(const struct gzt_space *space, const struct gzt_sweep *sweep,
                         const struct gzt_program *program, int g);

/* Frees the functions of an access. */
void gzt_free_access(struct gzt_access *access);

/* Whether the functions are the same on the set, wherever it is not empty. */
bool gzt_equal_on(isl_set *set, isl_pw_aff *a, isl_pw_aff *b);

/* The value of a function somewhere in the set, more than GZT_MAX_RADIUS if it is not within that
 * of zero; false if it is defined nowhere there. */
bool gzt_sample_of(isl_set *set, isl_pw_aff *function, int *value);

/* Whether `a` minus `b` is a whole number on the set, and which. */
bool gzt_difference_on(isl_set *set, isl_pw_aff *a, isl_pw_aff *b, int *difference);

/* Lets coordinate `c` of what a sweep writes be its loop variable plus a constant if it is that
 * within its loops, as (i + n) % n is. False if it is not; the error may then be set. */
bool gzt_straighten(const struct gzt_program *program, struct gzt_sweep *sweep, int c);

#endif
