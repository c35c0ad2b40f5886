/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * facts.h - a stencil's facts as initialisers.
 */
#ifndef GZT_FACTS_H
#define GZT_FACTS_H

#include "stencil.h"
#include "text.h"

/* By name for a struct gzk_stencil, or those of a struct gz_stencil, in order. */
void gzt_add_facts(const struct gzk_stencil *stencil, bool named, struct gzt_text *text);

#endif
