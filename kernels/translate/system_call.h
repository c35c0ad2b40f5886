/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * system_call.h - the call of libgzstencil for loops that set several arrays. Its grid holds the
 * cells that parts set of which fields are made, and a rim; each part, and each array, has bounds
 * of its own in it, which blocks of what is written name gz_low and gz_high.
 */
#ifndef GZT_SYSTEM_CALL_H
#define GZT_SYSTEM_CALL_H

#include "program.h"

/* As gzt_add_call and gzt_add_end do for other loops (replace.h). */
int gzt_add_system_call(struct gzt_program *program, struct gzt_text *text);
void gzt_add_system_end(const struct gzt_program *program, struct gzt_text *text);

#endif
