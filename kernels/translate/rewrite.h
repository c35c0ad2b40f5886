/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.h - the user's file with calls of libgzstencil in its loops.
 */
#ifndef GZT_REWRITE_H
#define GZT_REWRITE_H

#include "source.h"

/* What is put into the user's text: before the loop at `offset` of the preprocessed text, at the
 * head of its body, and behind it. */
struct gzt_call {
    int offset;
    const char *before, *within, *behind;
};

/* The user's file with calls in the loops, which stay, and `functions` before all. NULL
 * with the source's error set; then *refused is the call that cannot stand there, or -1.
 */
const char *gzt_insert(struct gzt_source *source, const struct gzt_call *calls, int count,
                       const char *functions, int *refused);

#endif
