/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.h - time loops that find how far each loop takes the state, the largest, the least or the
 * sum of a value of every cell, and mostly end by it. The value is computed where the cells are,
 * from a cell's own state before and after the loop; of the time loop, all but the sweeps stays in
 * the program. Comparing is exact in any order, and so is adding whole numbers; other sums are
 * --contract's.
 */
#ifndef GZT_MEASURE_H
#define GZT_MEASURE_H

#include "program.h"

/* Finds such a loop in the region and takes the measure out of it. Returns what is left, its sweeps
 * and what moves the state between them, as a time loop of which `program->time` is set; NULL if
 * there is none, or with the error set if one cannot be translated. */
const struct gzt_node *gzt_take_measure(struct gzt_program *program);

/* The same of a loop that finds nothing, and ends by what else it sets: by a count in a condition
 * of any kind, or, if that is asked for, in no head that counts but by a break. What it does is
 * found out by running it without its sweeps. */
const struct gzt_node *gzt_take_uncounted(struct gzt_program *program, bool breaks);

/* Checks what of it depends on the form, which is set. */
int gzt_check_measure(struct gzt_program *program);

/* Whether a sweep, whose `write` is set, names cells as the first sweep does. */
bool gzt_names_alike(const struct gzt_program *program, const struct gzt_sweep *other);

/* Sets axes, bounds and domain of a sweep whose `write` is set. */
int gzt_finish_sweep(struct gzt_program *program, struct gzt_sweep *sweep);

/* Whether the value is never a zero with a sign, or is none that is compared. */
bool gzt_lacks_negative_zero(const struct gzt_program *program);

/* The variable in which it is found. */
const struct gzt_decl *gzt_found_in(const struct gzt_measure *measure);

/* Of which type the value is: as struct gz_stencil says. */
int gzt_measure_type(const struct gzt_program *program);

/* In the program: the variables that the loop sets and that outlive it, as they are before it; and
 * how many loops there are, if it finds nothing. */
void gzt_add_measured_finals(const struct gzt_program *program, struct gzt_text *text);

/* The user's time loop with the measure, asked of the library, in place of its sweeps: first to
 * find out how many loops there are, then, when their results are there (gz_fine), as it stands. */
void gzt_add_measured_loop(const struct gzt_program *program, struct gzt_text *text);

/* The same of a loop that finds nothing, which the library has run. */
void gzt_add_uncounted_loop(const struct gzt_program *program, struct gzt_text *text);

/* Compares the variables after the original loop with what was found. */
void gzt_compare_measured(const struct gzt_program *program, struct gzt_text *text);

#endif
