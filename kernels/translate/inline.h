/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * inline.h - functions of the file written out where they are called: those that hold the loops
 * over the cells, those that tell where an element lies or what it holds, those that exchange
 * pointers.
 */
#ifndef GZT_INLINE_H
#define GZT_INLINE_H

#include "program.h"

/* Writes out what the time loops call, as far as its meaning stays: parameters become the
 * arguments, or variables that hold them; pointers and whole numbers that are declared and stay
 * become what they were set to; *(p + i) becomes p[i]; with `choosing`, u[c ? i : k] becomes
 * (c ? u[i] : u[k]). Returns whether anything changed: `written`
 * is then the whole text anew, whose bytes know their places in `source`, and which need not
 * compile. */
bool gzt_inline(const struct gzt_source *source, const struct gzt_tree *tree,
                struct gzt_region *const *regions, int count, bool choosing,
                struct gzt_source *written);

#endif
