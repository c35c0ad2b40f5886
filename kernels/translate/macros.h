/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * macros.h - the macros of the user's files and of the command line: what gzc writes stands among
 * them, and a compiler that is given others sees another program.
 */
#ifndef GZT_MACROS_H
#define GZT_MACROS_H

#include "source.h"

/* The first identifier of a C text, outside of strings, that is also a macro where the last
 * `behind` bytes of the user's file are still to come, so that the text would mean something else
 * there; NULL if there is none. An #undef that stands under a condition does not count. */
const char *gzt_own_macro(const struct gzt_source *source, size_t behind, const char *text);

/* Directives for the beginning of a file that define gz_other_macros: whether a compiler is given
 * other macros than gzc was, among those of the flags and those that the user's files ask for. ""
 * if there are none. */
const char *gzt_macro_check(const struct gzt_source *source);

#endif
