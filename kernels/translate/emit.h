/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * emit.h - from what was understood to text: the body of a stencil, a whole stencil, and the user's
 * file with calls instead of loops.
 */
#ifndef GZT_EMIT_H
#define GZT_EMIT_H

#include "facts.h"
#include "pieces.h"
#include "program.h"
#include "rewrite.h"
#include "stencil.h"

/* What a coefficient of the stencil holds. */
enum gzt_content {
    GZT_IS_SCALAR, /* scalar `number` */
    GZT_IS_ORIGIN, /* the loop variable of axis `number` in the grid's first cell */
    GZT_IS_TIME,   /* the time variable in the first loop */
    GZT_IS_PLACE,  /* of point `number` / GZT_AXES, the coordinate along axis `number` % GZT_AXES */
    GZT_IS_BOUND   /* of a system: where a part's cells begin and end along an axis, by the grid's
                      cells; number: the part times 2 GZT_AXES, the axis twice, and 1 for the end */
};

/* One value, in one or two coefficients: a value that the state's type does not hold exactly is
 * passed as its bits. */
struct gzt_slot {
    enum gzt_content content;
    int number;
    enum gzt_type type;
    int first, words;
};

enum { GZT_MAX_SLOTS = 136 };

struct gzt_layout {
    struct gzt_slot slot[GZT_MAX_SLOTS];
    int slots, words;
};

/* Which value is in which coefficient. -1 with the error set if there are too many. */
int gzt_lay_out(struct gzt_program *program, struct gzt_layout *layout);

/* The body: what NAME.knl of a built-in stencil is, and the elements that it reads. Cells of the
 * domain that a guard leaves out keep their values; if GZ_TWO_BORDERS is defined as 1 before it,
 * those of two more coefficient arrays by turns, which do not count as read. */
const char *gzt_body(const struct gzt_program *program, const struct gzt_layout *layout,
                     struct gzk_reads *reads);

/* The stencil that the program becomes, its body included, but for what only a row has. */
struct gzk_stencil gzt_stencil(const struct gzt_program *program, const struct gzt_layout *layout);

/* Whether cells of the domain may be left out, so that each of two buffers keeps its own there. */
bool gzt_is_guarded(const struct gzt_program *program);

/* Whether the state before the last is a result. */
bool gzt_needs_both(const struct gzt_program *program);

/* Whether what every loop has anew is a number, the same for all cells; and which number or array
 * of these it is. */
bool gzt_is_value(const struct gzt_program *program, const struct gzt_input *input);
int gzt_step_number(const struct gzt_program *program, int k);

/* Of numbers that each loop has anew: the type in which one is handed over; all their elements. */
enum gzt_type gzt_step_type(const struct gzt_program *program, const struct gzt_input *input);
int gzt_step_words(const struct gzt_program *program);

/* How many elements of one type another takes. */
int gzt_words_of(enum gzt_type state, enum gzt_type type);

/* A whole stencil in C, with its reference and data, to be compiled with `header`, the text of
 * stencil.h, before it. NULL with the error set if its cells do not follow from a grid's extents.
 */
const char *gzt_row_of(const struct gzt_program *program, const struct gzt_layout *layout,
                       const char *header);

/* A node's text with the loop variables and the time replaced: `values` by axis, NULL to leave
 * them; `time` likewise. */
const char *gzt_evaluated(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          const struct gzt_node *node, const char *const values[GZT_AXES],
                          const char *time);

/* The same with the toggle replaced, too. */
const char *gzt_toggled(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_node *node, const char *const values[GZT_AXES],
                        const char *time, const char *toggle);

/* The same of an element, with the array `base` replaced by another. */
const char *gzt_elsewhere(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          const struct gzt_node *node, const char *const values[GZT_AXES],
                          const char *base, const char *other);

/* What a point's statement does at gz_time, to another element than its own. */
const char *gzt_set_elsewhere(const struct gzt_program *program, const struct gzt_point *point,
                              const char *element);

/* Whether both buffers of the state are the program's own, each with a border. */
bool gzt_has_two_buffers(const struct gzt_program *program);

/* The name of a number's type in C. */
const char *gzt_type_text(enum gzt_type type);

/* The user's file, with a call instead of the loop of each program. NULL with the source's error
 * set if it cannot be made. */
const char *gzt_rewrite(struct gzt_source *source, struct gzt_program *programs, int count);

#endif
