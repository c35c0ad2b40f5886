/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for process_vm_readv and process_vm_writev */
#include "stencil_run.h"

#include "host.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

struct gzs_span {
    const char *low, *end;
    bool written;
};

/* Whether one is the other's neighbour or, if nothing is written there, overlaps it. */
static bool joins(const struct gzs_span *span, const char *low, const char *end)
{
    return span->written ? low == span->end || end == span->low
                         : low <= span->end && end >= span->low;
}

/* Adds what lies between two elements of `bytes` bytes; neighbours of the last one are joined to
 * it. */
static void add(gz_stencil_run *run, const char *one, const char *other, size_t bytes, bool written)
{
    struct gzs_spans *spans = &run->spans;
    const char *low = one < other ? one : other, *end = (one < other ? other : one) + bytes;
    struct gzs_span *last = spans->count > 0 ? &spans->list[spans->count - 1] : NULL;

    if (last && last->written == written && joins(last, low, end)) {
        last->low = low < last->low ? low : last->low;
        last->end = end > last->end ? end : last->end;
        return;
    }
    struct gzs_span *list =
        gzk_host_grow(spans->list, spans->count + 1, sizeof *list, &spans->room);
    if (!list) {
        gzs_give_up(run, "out of memory");
        return;
    }
    spans->list = list;
    list[spans->count++] = (struct gzs_span){low, end, written};
}

void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other, unsigned long bytes,
                     int written)
{
    if (!enter_begun(run))
        return;
    add(run, one, other, bytes, written != 0);
    leave(run);
}

static int by_low(const void *a, const void *b)
{
    const struct gzs_span *one = a, *other = b;
    return (one->low > other->low) - (one->low < other->low);
}

bool gzs_spans_overlap(struct gzs_spans *spans)
{
    const char *any = NULL, *written = NULL; /* where those so far end that lie farthest */

    if (spans->count > 0)
        qsort(spans->list, spans->count, sizeof *spans->list, by_low);
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

bool gzs_spans_accessible(const struct gzs_spans *spans, bool write)
{
    enum { AT_ONCE = 64 };
    bool fine = true;
    for (size_t s = 0; s < spans->count && fine;) {
        struct iovec ends[2 * AT_ONCE];
        char bytes[2 * AT_ONCE];
        size_t n = 0;
        for (; s < spans->count && n < 2 * AT_ONCE; s++)
            if (spans->list[s].written || !write) {
                ends[n++] = (struct iovec){(char *)spans->list[s].low, 1};
                ends[n++] = (struct iovec){(char *)spans->list[s].end - 1, 1};
            }
        const struct iovec own = {bytes, n};
        fine = went(process_vm_readv(getpid(), &own, 1, ends, n, 0), n) &&
               (!write || went(process_vm_writev(getpid(), &own, 1, ends, n, 0), n));
    }
    return fine;
}
