/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spans.h"

#include <stdlib.h>

/* Whether one is the other's neighbour or, if nothing is written there, overlaps it. */
static bool joins(const struct gzs_span *span, const char *low, const char *end)
{
    return span->written ? low == span->end || end == span->low
                         : low <= span->end && end >= span->low;
}

int gzs_span_add(struct gzs_spans *spans, const char *low, size_t bytes, bool written)
{
    const char *end = low + bytes;
    struct gzs_span *last = spans->count > 0 ? &spans->list[spans->count - 1] : NULL;

    if (last && last->written == written && joins(last, low, end)) {
        last->low = low < last->low ? low : last->low;
        last->end = end > last->end ? end : last->end;
        return 0;
    }
    if (spans->count == spans->room) {
        size_t room = spans->room ? 2 * spans->room : 16;
        struct gzs_span *list = realloc(spans->list, room * sizeof *list);
        if (!list)
            return -1;
        spans->list = list;
        spans->room = room;
    }
    spans->list[spans->count++] = (struct gzs_span){low, end, written};
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct gzs_span *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

bool gzs_spans_overlap(struct gzs_spans *spans)
{
    const char *any = NULL, *written = NULL; /* where those so far end that lie farthest */

    qsort(spans->list, spans->count, sizeof *spans->list, by_place);
    for (size_t i = 0; i < spans->count; i++) {
        const struct gzs_span *span = &spans->list[i];
        if (span->low < (span->written ? any : written))
            return true;
        any = span->end > any ? span->end : any;
        if (span->written)
            written = span->end > written ? span->end : written;
    }
    return false;
}

void gzs_spans_free(struct gzs_spans *spans)
{
    free(spans->list);
}
