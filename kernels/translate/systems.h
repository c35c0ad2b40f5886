/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * systems.h - time loops that set several arrays: a list of parts, each an assignment to one array
 * in loops of its own. A cell is named by the coordinates of the written element. Those arrays are
 * fields whose values from before a loop are read in it; their next values follow from these alone,
 * where what a part reads of an array that another has set in the same loop is computed anew. The
 * time loop stays, and its last loop is the program's own, which leaves all else as C does.
 */
#ifndef GZT_SYSTEMS_H
#define GZT_SYSTEMS_H

#include "reads.h"

enum { GZT_FIELDS = 8, GZT_VERSIONS = 128 };

/* The value of an array's element behind a part that sets it, some cells away from the cell that is
 * computed. */
struct gzt_version {
    int part, offset[GZT_AXES];
    bool tested[2 * GZT_AXES]; /* against the bounds of its part, lower and upper of each axis */
    bool never;                /* is needed where the part has no cells only */
};

struct gzt_field {
    struct gzt_array *array;   /* what is read */
    struct gzt_array *partner; /* what is written, if both then change places; else the array */
    struct gzt_version version[GZT_VERSIONS]; /* what its next value is made of, the latter of
                                                 the former */
    int versions;
};

/* A call by which one array is set from another: what is read of the former behind it is what the
 * latter held there. */
struct gzt_duplicate {
    const struct gzt_node *call;
    struct gzt_array *to;   /* NULL if no part reads it */
    struct gzt_array *from; /* NULL if no part sets it */
    bool back; /* whether a part before it reads `to`, as the loop before has left it */
};

struct gzt_system {
    struct gzt_field field[GZT_FIELDS];
    int fields;
    int radius[GZT_AXES];
    struct gzt_duplicate copy[GZT_FIELDS];
    int copies;
};

/* Understands a time loop, whose head is read, as a system. -1 with the error set. */
int gzt_understand_system(struct gzt_program *program);

/* Of an element of two planes, makes `access` that of one of them, without the coordinate that
 * chooses it; nothing for other arrays. */
int gzt_take_plane(struct gzt_program *program, const struct gzt_space *space,
                   struct gzt_access *access);

/* Notes an element of an array that some part sets, or that changes places with one. */
int gzt_take_field(struct gzt_visitor *visitor, const struct gzt_access *access, isl_set *set,
                   struct gzt_read *read);

/* The last part below `before` that sets an array, or -1; the number of a field, or -1. */
int gzt_last_part(const struct gzt_program *program, const struct gzt_array *array, int before);
int gzt_field_of(const struct gzt_program *program, const struct gzt_array *array);

/* The number of a version in the list, or -1. */
int gzt_version_of(const struct gzt_field *field, int part, const int offset[GZT_AXES]);

/* Whether what a part sets is a field's next value; whether any field's needs the part. */
bool gzt_sets_field(const struct gzt_program *program, const struct gzt_sweep *sweep);
bool gzt_is_needed(const struct gzt_program *program, int part);

/* The array with which another changes places, or itself. */
const struct gzt_array *gzt_partner_of(const struct gzt_program *program,
                                       const struct gzt_array *array);

/* A part that sets an array, or its partner, in all its dimensions, whose element stands for all;
 * NULL if there is none. */
const struct gzt_sweep *gzt_writer_of(const struct gzt_program *program,
                                      const struct gzt_array *array);

/* Whether a call sets an array; one that sets another from it, which a part reads if any does, or
 * NULL. */
bool gzt_is_copied_to(const struct gzt_program *program, const struct gzt_array *array);
const struct gzt_duplicate *gzt_copied_from(const struct gzt_program *program,
                                            const struct gzt_array *array);

/* The number of an array among the program's. */
int gzt_number_of(const struct gzt_program *program, const struct gzt_array *array);

/* The condition under which C asks where a part lies that has no loops, if asking otherwise may end
 * the program; NULL if it asks in any case, or it does no harm. */
const struct gzt_guard *gzt_guard_of_place(const struct gzt_program *program,
                                           const struct gzt_sweep *sweep);

#endif
