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

/* Sorts the spans; whether a byte that is written lies in two of them. */
bool gzs_spans_overlap(struct gzs_spans *spans);

/* Whether the first and the last byte of each can be read and, with `write`, written, as far as the
 * system tells; what they hold stays. Borders that C reads under a condition only, or never, may
 * lie beyond the arrays. */
bool gzs_spans_accessible(const struct gzs_spans *spans, bool write);

#endif
