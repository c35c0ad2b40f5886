/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * locate.h - where loops stand in the user's file, as clang's lexer sees it: whatever macros,
 * digraphs, comments and #line make of its text.
 */
#ifndef GZT_LOCATE_H
#define GZT_LOCATE_H

#include "source.h"

/* A loop, or the statement that it repeats. */
struct gzt_extent {
    int offset;                   /* of the preprocessor's text, where the loop begins */
    bool inner;                   /* whether the statement is wanted */
    size_t begin, end;            /* bytes of the file, a semicolon included */
    struct gzt_place first, last; /* of both, as #line tells them */
    bool refused;                 /* whether it is what the error is about */
};

/* Finds loops in the file, which holds `text`. -1 with the source's error set if a macro makes one
 * or another file holds it. */
int gzt_locate(struct gzt_source *source, const char *text, size_t length,
               struct gzt_extent **extents, int count);

#endif
