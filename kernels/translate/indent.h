/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * indent.h - what gzc writes between the user's own lines, indented by its braces.
 */
#ifndef GZT_INDENT_H
#define GZT_INDENT_H

#include "text.h"

enum { GZT_DEEPEST_INDENT = 60 };

/* How far in a line belongs that follows what was added. */
struct gzt_indent {
    const char *margin;            /* blanks before every line, before four for each step */
    int steps[GZT_DEEPEST_INDENT]; /* of the lines within each open brace, the outermost first */
    int braces, parentheses;       /* open ones */
    int more;                      /* steps for what belongs to the statement before */
};

/* Appends lines of C, each indented but those for the preprocessor; the last may lack its end. A
 * brace alone in a line joins the statement before, if it belongs to that. */
void gzt_add_indented(struct gzt_text *text, struct gzt_indent *indent, const char *lines);

#endif
