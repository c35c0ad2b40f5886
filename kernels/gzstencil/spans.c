/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for process_vm_readv and process_vm_writev */
#include "spans.h"

#include "host.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

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
    struct gzs_span *list =
        gzk_host_grow(spans->list, spans->count + 1, sizeof *list, &spans->room);
    if (!list)
        return -1;
    spans->list = list;
    list[spans->count++] = (struct gzs_span){low, end, written};
    return 0;
}

/* Where the sorted part that begins at `first` ends. */
static size_t end_of_part(const struct gzs_spans *spans, size_t first)
{
    size_t i = first + 1;
    while (i < spans->count && spans->list[i - 1].low <= spans->list[i].low)
        i++;
    return i < spans->count ? i : spans->count;
}

/* Sorts by merging what is sorted already, as the rows of an array mostly are. -1 if memory is
 * short. */
static int sort(struct gzs_spans *spans)
{
    struct gzs_span *merged = NULL, *list = spans->list;

    for (; end_of_part(spans, 0) < spans->count; list = spans->list) {
        if (!merged && !(merged = malloc(spans->room * sizeof *merged)))
            return -1;
        for (size_t first = 0, middle, last; first < spans->count; first = last) {
            size_t a = first, b = middle = end_of_part(spans, first);
            last = middle < spans->count ? end_of_part(spans, middle) : middle;
            for (size_t at = first; at < last; at++)
                merged[at] =
                    b == last || (a < middle && list[a].low <= list[b].low) ? list[a++] : list[b++];
        }
        spans->list = merged;
        merged = list;
    }
    free(merged);
    return 0;
}

bool gzs_spans_overlap(struct gzs_spans *spans)
{
    const char *any = NULL, *written = NULL; /* where those so far end that lie farthest */

    if (sort(spans) != 0)
        return true;
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

/* Whether the system could access all of that memory, as far as it tells. */
static bool went(ssize_t got, size_t bytes)
{
    return got >= 0 ? (size_t)got == bytes : errno != EFAULT;
}

/* Reads the first and the last byte of each span and, with `write`, writes them as they are; false
 * if the system forbids that. */
static bool touch(const struct gzs_spans *spans, bool write)
{
    enum { AT_ONCE = 64 };
    bool fine = true;
    for (size_t k = 0; k < spans->count && fine; k += AT_ONCE) {
        struct iovec ends[2 * AT_ONCE];
        char bytes[2 * AT_ONCE];
        size_t n = 0;
        for (size_t s = k; s < spans->count && s < k + AT_ONCE; s++) {
            ends[n++] = (struct iovec){(char *)spans->list[s].low, 1};
            ends[n++] = (struct iovec){(char *)spans->list[s].end - 1, 1};
        }
        const struct iovec own = {bytes, n};
        fine = went(process_vm_readv(getpid(), &own, 1, ends, n, 0), n) &&
               (!write || went(process_vm_writev(getpid(), &own, 1, ends, n, 0), n));
    }
    return fine;
}

bool gzs_spans_readable(const struct gzs_spans *spans)
{
    return touch(spans, false);
}

bool gzs_spans_writable(const struct gzs_spans *spans)
{
    return touch(spans, true);
}

void gzs_spans_free(struct gzs_spans *spans)
{
    free(spans->list);
}
