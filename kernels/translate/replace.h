/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replace.h - the call of libgzstencil that stands in place of a loop.
 */
#ifndef GZT_REPLACE_H
#define GZT_REPLACE_H

#include "program.h"

/* What stands before the original loop: a block that fills arrays, runs, takes the results, and
 * begins `if (the original must run) {`. -1 with the source's error set if it cannot be made. */
int gzt_add_call(struct gzt_program *program, struct gzt_text *text);

/* What stands behind it: checks, values of loop variables, the end of the block. */
void gzt_add_end(const struct gzt_program *program, struct gzt_text *text);

#endif
