/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replace.h - the call of libgzstencil that stands in place of a loop.
 */
#ifndef GZT_REPLACE_H
#define GZT_REPLACE_H

#include "emit.h"

/* What stands before the original loop: a block that fills arrays, runs, takes the results, and
 * begins `if (the original must run) {`. -1 with the source's error set if it cannot be made. */
int gzt_add_call(struct gzt_program *program, struct gzt_text *text);

/* What stands behind it: checks, values of loop variables, the end of the block. */
void gzt_add_end(const struct gzt_program *program, struct gzt_text *text);

/* Parts of these: the stencil's facts; that a loop over cells, or without `sweep` the time loop,
 * runs as its condition says from `first` to before `last`, where its variable is `end`; how many
 * loops there are, in gz_count, before anything is evaluated that C evaluates in them; how many of
 * these the call makes, in gz_loops; what the variables hold then that count them, also as a
 * comparison; the head of the loops that the program makes itself; what else must hold, where
 * gz_any says that cells are computed; one value among the coefficients; what each loop has anew.
 */
void gzt_add_call_facts(const struct gzt_program *program, const struct gzt_layout *layout,
                        struct gzt_text *text);
void gzt_add_loop_test(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const struct gzt_loop *loop, const char *first, const char *last,
                       const char *end, struct gzt_text *text);
void gzt_add_time(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_loops_of_call(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_final_time(const struct gzt_program *program, struct gzt_text *text);
void gzt_compare_time(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_own_loops(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_conditions(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_slot(const struct gzt_program *program, const struct gzt_slot *slot,
                  struct gzt_text *text);
void gzt_add_per_step(const struct gzt_program *program, int k, struct gzt_text *text);

#endif
