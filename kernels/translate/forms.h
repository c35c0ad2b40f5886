/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forms.h - the statements of the time loop, and which form they make.
 */
#ifndef GZT_FORMS_H
#define GZT_FORMS_H

#include "loops.h"

/* The statements of the time loop, by kind. */
struct gzt_loop_body {
    const struct gzt_node **nests;
    int nest_count;
    const struct gzt_node **others; /* in order */
    int other_count;
    const struct gzt_node **borders; /* statements that may set these, and where they stand */
    enum gzt_position *positions;
    int border_count;
    struct gzt_sweep third;       /* of the third nest, which has no place in the program */
    const struct gzt_node *split; /* the second statement of a nest that was made two */
};

/* Refuses calls and ifs that are part of no form, and leaves them out. */
void gzt_set_others_aside(struct gzt_source *source, struct gzt_loop_body *body);
/* Checks that sweeps read no variable that the loop sets elsewhere, such as the one of other loops
 * over cells. */
int gzt_check_changing(struct gzt_program *program);

/* Whether a statement assigns every cell of the domain. */
bool gzt_writes_all(const struct gzt_space *space, const struct gzt_node *statement,
                    isl_set *domain);

/* An array that a sweep reads, though nothing has been read yet; NULL if it does not. */
struct gzt_array *gzt_read_array(struct gzt_program *program, const struct gzt_sweep *sweep,
                                 const char *base);

/* What names hold after the statements of a loop beside its nests, by their names before. Returns
 * the first statement that does not move or exchange pointers, or NULL. */
enum { GZT_EXCHANGED = 24 };
const struct gzt_node *gzt_find_moves(const struct gzt_source *source,
                                      const struct gzt_loop_body *body,
                                      const char *names[GZT_EXCHANGED],
                                      const char *values[GZT_EXCHANGED]);

/* The coordinate of a written element that depends on the time, or -1; whether it is a plane's
 * number, at most `most` in all loops in which it is not negative, as it is in none; the error if
 * it is none. */
int gzt_time_coordinate(const struct gzt_program *program, const struct gzt_sweep *sweep);
bool gzt_alternates(struct gzt_program *program, const struct gzt_sweep *sweep, int coordinate,
                    long most);
/* Refuses an element whose plane is not known, and the element that a sweep sets. */
int gzt_refuse_plane(struct gzt_program *program, const struct gzt_node *node);
int gzt_refuse_steps(struct gzt_program *program, const struct gzt_sweep *sweep);

/* Whether it is a call of memcpy or memmove. */
bool gzt_is_memory_copy(const struct gzt_node *node);

/* Names the arrays of such a call; false if it is not the same in all loops. */
bool gzt_read_memory_copy(const struct gzt_program *program, const struct gzt_node *call,
                          const char **to_name, const char **from_name);

/* A call among the statements of loops and ifs, or itself, that hands an array, or elements of one,
 * to what may print it; NULL if there is none. */
const struct gzt_node *gzt_output_in(const struct gzt_node *node);

/* Whether a statement is output by a stream of C++. */
bool gzt_is_stream(const struct gzt_source *source, const struct gzt_node *node);

/* Sets the error for a statement that is not among what a time loop may do. */
int gzt_refuse_other(struct gzt_source *source, const struct gzt_node *node);

/* Sets the form and the arrays that hold the state, once the sweeps and what they write are read.
 * -1 with the error set if the statements make none. */
int gzt_set_form(struct gzt_program *program, struct gzt_loop_body *body);

#endif
