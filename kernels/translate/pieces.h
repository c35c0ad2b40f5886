/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces.h - pieces of text that all bodies have, and a body as C has it.
 */
#ifndef GZT_PIECES_H
#define GZT_PIECES_H

#include "text.h"

/* Macros of bodies that take a value from its bits: GZ_TO_INT and others. */
extern const char gzt_bits[];

/* Defines GZ_KEPT, the value of a cell that keeps its own: of arrays behind so many constant ones
 * if GZ_TWO_BORDERS is 1. Ends the helpers. */
void gzt_add_kept(struct gzt_text *text, int constants);

/* A stencil's body as gz_body, in pieces. */
void gzt_add_body(const char *body, struct gzt_text *text);

/* A text as a C string literal, its lines one below the other. */
void gzt_add_literal(struct gzt_text *text, const char *from);

#endif
