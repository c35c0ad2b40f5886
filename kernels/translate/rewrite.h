/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.h - the user's file with calls of libgzstencil in its loops.
 */
#ifndef GZT_REWRITE_H
#define GZT_REWRITE_H

#include "source.h"

struct gzt_extent {
    size_t begin, end;            /* bytes of the file, a semicolon included */
    struct gzt_place first, last; /* of both, as #line tells them */
};

/* A time loop and what it becomes: what is put before it, at the head of what it repeats, and
 * behind it. */
struct gzt_call {
    int offset; /* of the preprocessor's text, where the loop begins */
    const char *before, *within, *behind;
    struct gzt_extent loop, body; /* gzt_locate's, and why it cannot stand there, or NULL */
    const char *refusal;
};

/* The user's file with calls in the loops, which stay, and `functions` before all. Calls that
 * cannot stand there are left out, and said, with `keep_going`. NULL with the source's error set if
 * there is such a call otherwise. */
const char *gzt_insert(struct gzt_source *source, struct gzt_call *const *calls, int count,
                       const char *functions, bool keep_going);

/* locate.c: finds loops in the user's file, as clang's lexer sees it, whatever macros, digraphs,
 * comments and #line make of its text, and what they repeat. -1 with the source's error set if it
 * cannot be parsed. */
int gzt_locate(struct gzt_source *source, const struct gzt_text *file,
               struct gzt_call *const *calls, int count);

/* macros.c: a compiler that is given other macros than gzc sees another program.
 *
 * The first identifier of a C text, outside of strings, that is also a macro where the last
 * `behind` bytes of the user's file are still to come, so that the text would mean something else
 * there; NULL if there is none. An #undef does not count. */
const char *gzt_own_macro(const struct gzt_source *source, size_t behind, const char *text);

/* Directives for the beginning of a file that define gz_other_macros: whether a compiler is given
 * other macros than gzc was, among those of the flags and those that the user's files ask for. ""
 * if there are none. */
const char *gzt_macro_check(const struct gzt_source *source);

#endif
