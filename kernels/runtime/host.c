/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* for madvise */
#include "host.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t huge_page = (size_t)2 << 20, line = 64;

/* Bytes from which a second thread earns more than it costs to start. */
static const size_t worth_a_thread = (size_t)1 << 20;

enum { MAX_THREADS = 64 };

void *gzk_host_new(size_t bytes)
{
    bool large = bytes >= huge_page;
    size_t unit = large ? huge_page : line;
    size_t rounded = (bytes + unit - 1) / unit * unit;
    void *memory = aligned_alloc(unit, rounded > 0 ? rounded : unit);
#ifdef MADV_HUGEPAGE
    if (memory && large)
        madvise(memory, rounded, MADV_HUGEPAGE); /* without it, the pages are small */
#endif
    return memory;
}

struct part {
    void (*part)(void *of, size_t first, size_t last);
    void *of;
    size_t first, last;
    pthread_t thread;
    bool started;
};

static void *run_part(void *arg)
{
    const struct part *part = arg;
    part->part(part->of, part->first, part->last);
    return NULL;
}

void gzk_host_parallel(void (*part)(void *of, size_t first, size_t last), void *of, size_t count,
                       int threads)
{
    struct part parts[MAX_THREADS];
    size_t n = threads < 1 ? 1 : threads < MAX_THREADS ? (size_t)threads : MAX_THREADS;
    if (n > count)
        n = count > 0 ? count : 1;

    for (size_t i = 0; i < n; i++)
        parts[i] = (struct part){.part = part,
                                 .of = of,
                                 .first = count / n * i + count % n * i / n,
                                 .last = count / n * (i + 1) + count % n * (i + 1) / n};
    for (size_t i = 1; i < n; i++)
        parts[i].started = pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
    run_part(&parts[0]);
    for (size_t i = 1; i < n; i++)
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
        else
            run_part(&parts[i]);
}

struct bytes {
    char *to;
    const char *from; /* NULL: `byte` instead */
    size_t bytes;
    int byte;
};

/* Counts pages, so that no two threads write to the same one. */
static const size_t page = 4096;

static void put_pages(void *of, size_t first, size_t last)
{
    const struct bytes *b = of;
    size_t begin = first * page, end = last * page < b->bytes ? last * page : b->bytes;
    if (b->from)
        memcpy(b->to + begin, b->from + begin, end - begin);
    else
        memset(b->to + begin, b->byte, end - begin);
}

static void put(struct bytes *bytes, int threads)
{
    size_t most = bytes->bytes / worth_a_thread;
    if ((size_t)threads > most)
        threads = (int)most;
    gzk_host_parallel(put_pages, bytes, (bytes->bytes + page - 1) / page, threads);
}

void gzk_host_copy(void *to, const void *from, size_t bytes, int threads)
{
    put(&(struct bytes){.to = to, .from = from, .bytes = bytes}, threads);
}

void gzk_host_set(void *to, int byte, size_t bytes, int threads)
{
    put(&(struct bytes){.to = to, .byte = byte, .bytes = bytes}, threads);
}
