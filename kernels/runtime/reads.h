/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reads.h - what a stencil's body reads, found in its text.
 */
#ifndef GZK_READS_H
#define GZK_READS_H

#include "stencil.h"

/* Whether the body reads other planes along the slowest dimension only in the cell's own column:
 * in every AT(dx, dy, dz) whose distance along that dimension is not 0, the others are. Macros that
 * the body defines are expanded, in whatever branch of #if; what is not a constant expression of
 * whole numbers counts as any distance. False if the radius along that dimension is 0, or if the
 * body takes longer to expand than a person would write. */
bool gzk_reads_own_column(const struct gzk_stencil *stencil);

/* Elements that computing a cell reads from its tile, each counted once however often the body
 * spells it, since compilers keep what they have read. */
struct gzk_reads {
    int state;  /* by AT */
    int column; /* of these, in the cell's own column along the slowest dimension, itself included
                 */
    int arrays; /* by COEF_AT, of all coefficient arrays together */
};

/* Counts them in the body's text, as above; what only one branch of an if or #if reads counts, too.
 * A distance that is not a constant counts as every one within the radius, an array's number as
 * every array's. False, and all 0, if the body cannot be followed: it names AT or COEF_AT without
 * arguments, reads beyond the radius, or takes too long to expand. */
bool gzk_count_reads(const struct gzk_stencil *stencil, struct gzk_reads *reads);

#endif
