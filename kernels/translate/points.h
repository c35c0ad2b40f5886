/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * points.h - single cells that each loop sets or changes beside its sweep, such as sources. The
 * cell that lies there assigns its new value once more; parts of this that do not hang on it are
 * computed by the program, a number a loop. Those before the sweep are set behind that of the loop
 * before, for the first loop in what the kernel begins with, and for none behind the last.
 */
#ifndef GZT_POINTS_H
#define GZT_POINTS_H

#include "emit.h"

/* Reads a statement, once the form is set and the sweep's domain is known. -1 with the error set if
 * it is not understood. */
int gzt_add_point(struct gzt_program *program, const struct gzt_node *node,
                  const struct gzt_node *condition, enum gzt_position position);

/* Whether a copy or an exchange stands before the sweep; the array that holds the state where a
 * statement stands: the new one behind the sweep, and the one that it reads before. */
bool gzt_moves_first(const struct gzt_program *program);
const struct gzt_array *gzt_array_at(const struct gzt_program *program, enum gzt_position position);

/* Whether a subscript of what the sweep writes chooses a plane; whether another subscript, so many
 * turns of the time loop later, chooses the same. */
bool gzt_chooses_plane(const struct gzt_program *program, const struct gzt_node *written);
bool gzt_is_written_plane(struct gzt_program *program, const struct gzt_node *written,
                          const struct gzt_node *own, int later);

/* Notes what the program reads in memory to compute an expression, each with the conditions under
 * which it does, besides those given. */
void gzt_add_sources(struct gzt_program *program, int sweep, const struct gzt_node *node,
                     const struct gzt_guard *guards);

/* Numbers that each loop has anew because of points, in elements of the state; the number of the
 * first of a part among all that a loop has. */
int gzt_point_values(const struct gzt_program *program);
int gzt_part_number(const struct gzt_program *program, const struct gzt_part *part);

/* What a node is at that point: 0 the element, 1 a part, whose number is set, 2 neither. */
enum gzt_point_role { GZT_POINT_ELEMENT, GZT_POINT_PART, GZT_POINT_OTHER };
enum gzt_point_role gzt_point_role(const struct gzt_program *program, const struct gzt_point *point,
                                   const struct gzt_node *node, const struct gzt_part **part);

/* Sets gz_place_N, the grid's coordinates of each point; gz_usable tells if one lies elsewhere. */
void gzt_add_places(const struct gzt_program *program, struct gzt_text *text);

/* Hands a number of a loop over, as elements of the state from `number` on. */
void gzt_add_step_value(const struct gzt_program *program, int number, enum gzt_type type,
                        const char *loop, const char *value, struct gzt_text *text);

/* Fills in the parts of all loops; sets the points before the first sweep. */
void gzt_add_parts(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_first_points(const struct gzt_program *program, struct gzt_text *text);

#endif
