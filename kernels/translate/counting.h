/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counting.h - the user's time loop without its sweeps, which the program runs to count its loops
 * (counts.h).
 */
#ifndef GZT_COUNTING_H
#define GZT_COUNTING_H

#include "program.h"

/* Begins and ends what is done for each loop gz_i, whose time is gz_time and in which the numbers
 * are what the sweeps find. */
void gzt_add_each(const struct gzt_program *program, struct gzt_text *text);
void gzt_end_each(const struct gzt_program *program, struct gzt_text *text);

/* The variables that the loop sets and that are there where the call stands. */
void gzt_counted_finals(const struct gzt_program *program, const struct gzt_decl ***list,
                        int *count);

/* Keeps what the variables are before the loop that the program runs without its sweeps; and then
 * what that leaves in them, and sets them back. */
void gzt_add_starts(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_thens(const struct gzt_program *program, struct gzt_text *text);

/* In the program: gz_first, gz_count, gz_own and gz_usable. */
void gzt_add_counts(const struct gzt_program *program, struct gzt_text *text);

/* Runs the loop without its sweeps once more, if it prints. */
void gzt_add_prints(const struct gzt_program *program, struct gzt_text *text);

/* From one loop to the next one. */
void gzt_add_advance(const struct gzt_program *program, struct gzt_text *text);

/* Leaves the numbers as behind the loops or, where the time loop stays, as in the last of them. */
void gzt_add_counted_finals(const struct gzt_program *program, struct gzt_text *text);

#endif
