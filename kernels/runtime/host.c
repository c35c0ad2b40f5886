/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for madvise, MAP_ANONYMOUS and sched_getaffinity */
#include "host.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t huge_page = (size_t)2 << 20, line = 64;

/* Parts are whole pages, so that no two threads write to the same one. */
static const size_t page = 4096;

/* Bytes from which a second thread earns more than it costs to start. */
static const size_t worth_a_thread = (size_t)1 << 20;

enum { MAX_THREADS = 64 };

/* Whole huge pages, on a boundary of one. */
static void *map_huge(size_t bytes)
{
    char *all =
        mmap(NULL, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    size_t before = (huge_page - (uintptr_t)all % huge_page) % huge_page;
    if (before > 0)
        munmap(all, before);
    munmap(all + before + bytes, huge_page - before);
    return all + before;
}

static bool is_large(size_t bytes)
{
    return bytes >= huge_page;
}

static size_t rounded(size_t bytes)
{
    size_t unit = is_large(bytes) ? huge_page : line;
    return bytes > 0 ? (bytes + unit - 1) / unit * unit : unit;
}

void *gzk_host_new(size_t bytes)
{
    void *memory;
    if (bytes > SIZE_MAX - 2 * huge_page)
        return NULL;
    if (is_large(bytes))
        return map_huge(rounded(bytes));
    memory = aligned_alloc(line, rounded(bytes));
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

void gzk_host_free(void *memory, size_t bytes)
{
    if (memory && is_large(bytes))
        munmap(memory, rounded(bytes));
    else
        free(memory);
}

int gzk_host_leave(void *memory, size_t bytes)
{
    return memory && is_large(bytes) && madvise(memory, rounded(bytes), MADV_FREE) == 0;
}

void gzk_host_huge(void *memory, size_t bytes)
{
    if (memory && bytes >= huge_page)
        madvise(memory, rounded(bytes), MADV_HUGEPAGE); /* else they stay small */
}

int gzk_host_threads(void)
{
    enum { ENOUGH = 8 };
    cpu_set_t allowed;
    int threads = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    return threads < ENOUGH ? threads : ENOUGH;
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

/* Writes to the first byte of each page of [first, last). */
static void touch_pages(void *of, size_t first, size_t last)
{
    volatile char *memory = of;
    for (size_t i = first; i < last; i++)
        memory[i * page] = 0;
}

void gzk_host_touch(void *memory, size_t bytes, int threads)
{
    if (memory && is_large(bytes))
        gzk_host_parallel(touch_pages, memory, bytes / page, threads);
}

struct bytes {
    char *to;
    const char *from; /* NULL: `byte` instead */
    size_t bytes;
    int byte;
};

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

void *gzk_host_grow(void *list, size_t count, size_t bytes, size_t *room)
{
    if (list && count <= *room)
        return list;
    size_t more = 2 * count + 16;
    void *larger = realloc(list, more * bytes);
    *room = larger ? more : *room;
    return larger;
}
