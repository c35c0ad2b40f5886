/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.h - the user's file with calls of libgzstencil in its loops.
 */
#ifndef GZT_REWRITE_H
#define GZT_REWRITE_H

#include "locate.h"

/* The user's file with calls in the loops, which stay, and `functions` before all. NULL
 * with the source's error set; then *refused is the call that cannot stand there, or -1.
 */
const char *gzt_insert(struct gzt_source *source, struct gzt_call *const *calls, int count,
                       const char *functions, int *refused);

#endif
