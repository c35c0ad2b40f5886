/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * overlap.h - where the memory lies that a loop touches, for the library to find what overlaps.
 */
#ifndef GZT_OVERLAP_H
#define GZT_OVERLAP_H

#include "program.h"

/* Calls of gz_stencil_span for all rows of all arrays and for each scalar in memory that the loop
 * reads or writes; gz_usable becomes 0 if rows of one array overlap, by its strides. */
void gzt_add_spans(const struct gzt_program *program, struct gzt_text *text);

/* The same of an array between gz_low and gz_high, whose element is an expression of the cell, or
 * of its cells there that results set; of
 * constant array `k` there, whose element may be a fixed distance from the cell; of what each loop
 * has anew; and of scalars. */
void gzt_add_array_spans(const struct gzt_program *program, const struct gzt_sweep *sweep,
                         const struct gzt_node *node, const char *expression,
                         struct gzt_text *text);
void gzt_add_written_spans(const struct gzt_program *program, const struct gzt_sweep *sweep,
                           const struct gzt_node *node, const char *expression,
                           struct gzt_text *text);
void gzt_add_constant_spans(const struct gzt_program *program, int k, bool fixed, const char *from,
                            struct gzt_text *text);
void gzt_add_source_spans(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_step_spans(const struct gzt_program *program, struct gzt_text *text);
void gzt_add_scalar_spans(const struct gzt_program *program, struct gzt_text *text);

#endif
