/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * locate.h - where loops stand in the user's file, as clang's lexer sees it: whatever macros,
 * digraphs, comments and #line make of its text.
 */
#ifndef GZT_LOCATE_H
#define GZT_LOCATE_H

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
    struct gzt_extent loop, body; /* gzt_locate's */
};

/* Finds loops in the user's file, and what they repeat. -1 with the source's error set
 * if a macro makes one or another file holds it; *refused is then that one, or -1. */
int gzt_locate(struct gzt_source *source, const struct gzt_text *file,
               struct gzt_call *const *calls, int count, int *refused);

#endif
