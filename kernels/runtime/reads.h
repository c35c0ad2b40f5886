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

#endif
