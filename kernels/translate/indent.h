/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * indent.h - what gzc writes between the user's own lines, indented by its braces.
 */
#ifndef GZT_INDENT_H
#define GZT_INDENT_H

#include "text.h"

/* Appends lines of C behind `margin`, each indented by the braces before it but those for the
 * preprocessor; the last may lack its end. A brace alone in a line joins the statement before, if
 * it belongs to that. */
void gzt_add_indented(struct gzt_text *text, const char *margin, const char *lines);

#endif
