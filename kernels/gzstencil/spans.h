/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spans.h - the parts of the caller's memory that a run reads and writes, to find any that overlap.
 */
#ifndef GZS_SPANS_H
#define GZS_SPANS_H

#include <stdbool.h>
#include <stddef.h>

struct gzs_span {
    const char *low, *end;
    bool written;
};

struct gzs_spans {
    struct gzs_span *list;
    size_t count, room;
};

/* Adds `bytes` bytes from `low` on; neighbours of the last ones are joined to them. -1 if memory
 * is short. */
int gzs_span_add(struct gzs_spans *spans, const char *low, size_t bytes, bool written);

/* Sorts the spans; whether a byte that is written lies in two of them, or memory is short. */
bool gzs_spans_overlap(struct gzs_spans *spans);

/* Whether the first and the last byte of each can be read, as far as the system tells: borders that
 * C reads under a condition only, or never, may lie beyond the arrays. */
bool gzs_spans_readable(const struct gzs_spans *spans);

/* Whether they can be written; what they hold stays. */
bool gzs_spans_writable(const struct gzs_spans *spans);

void gzs_spans_free(struct gzs_spans *spans);

#endif
