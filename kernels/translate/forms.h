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

/* Sets the form and the arrays that hold the state, once the sweeps and what they write are read.
 * -1 with the error set if the statements make none. */
int gzt_set_form(struct gzt_program *program, struct gzt_loop_body *body);

#endif
