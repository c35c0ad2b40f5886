/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"
#include "memory.h"
#include "si.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Adds an element of so many. */
static int add(struct gzs_watch *watch, size_t place, size_t elements)
{
    size_t *list = gzk_host_grow(watch->list, watch->count + 1, sizeof *list, &watch->room);
    if (!watch->is_listed)
        watch->is_listed = calloc(elements / CHAR_BIT + 1, 1);
    watch->list = list ? list : watch->list;
    if (!list || !watch->is_listed)
        return -1;
    unsigned char *byte = &watch->is_listed[place / CHAR_BIT];
    const unsigned bit = 1u << place % CHAR_BIT;
    if (!(*byte & bit))
        list[watch->count++] = place;
    *byte = (unsigned char)(*byte | bit);
    return 0;
}

void gz_stencil_watch(gz_stencil_run *run, long element)
{
    if (!enter_ready(run))
        return;
    size_t elements = run->state_bytes / run->element_bytes;
    if (run->facts->measure || run->divided)
        gzs_give_up(run, "cells are watched of a run that its data end, or among ranks");
    else if (element < 0 || (size_t)element >= elements)
        gzs_give_up(run, "a cell that is watched lies beyond the grid");
    else if (add(&run->watch, (size_t)element, elements) != 0)
        gzs_give_up(run, "out of memory");
    leave(run);
}

static int by_place(const void *a, const void *b)
{
    const size_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static int make_room(struct gzs_watch *watch, size_t rows, size_t bytes_each,
                     struct gzk_error *error)
{
    struct gzk_watch *told = &watch->told;
    told->count = watch->count;
    told->bytes = (rows + 1 + watch->count) * sizeof(int);
    if (__builtin_mul_overflow((watch->loops + 1) * bytes_each, watch->count, &told->seen_bytes))
        told->seen_bytes = SIZE_MAX;
    double bytes = (double)told->seen_bytes, available = gzk_memory_available();
    if (watch->count > INT_MAX || bytes > available)
        return gzk_fail(error, GZK_FAILED,
                        "the cells that are watched need %s of memory: %s are available",
                        cli_si(bytes, "B").text, cli_si(available, "B").text);
    told->where = gzk_host_new(told->bytes);
    told->seen = gzk_host_new(told->seen_bytes);
    return told->where && told->seen ? 0 : gzk_fail(error, GZK_FAILED, "out of memory");
}

static void forget(struct gzs_watch *watch)
{
    gzk_host_free(watch->told.where, watch->told.bytes);
    gzk_host_free(watch->told.seen, watch->told.seen_bytes);
    watch->told = (struct gzk_watch){0};
}

int gzs_watch_make(gz_stencil_run *run, struct gzk_error *error)
{
    struct gzs_watch *watch = &run->watch;
    size_t bytes = run->element_bytes, wide = (size_t)run->data.size[0];
    size_t rows = run->state_bytes / bytes / wide;

    forget(watch);
    watch->loops = (size_t)run->loops;
    qsort(watch->list, watch->count, sizeof *watch->list, by_place);
    if (make_room(watch, rows, bytes, error) != 0)
        return GZK_FAILED;
    int *first = watch->told.where, *x = first + rows + 1;
    for (size_t i = 0, row = 0; i < watch->count; i++) {
        size_t place = watch->list[i];
        for (; row < place / wide; row++)
            first[row + 1] = (int)i;
        x[i] = (int)(place % wide);
        memcpy((char *)watch->told.seen + i * bytes, (const char *)run->data.state + place * bytes,
               bytes);
    }
    for (size_t row = watch->list[watch->count - 1] / wide; row < rows; row++)
        first[row + 1] = (int)watch->count;
    return 0;
}

const void *gz_stencil_seen(gz_stencil_run *run, long loop, long element)
{
    struct gzs_watch *watch = run ? &run->watch : NULL;
    const size_t place = (size_t)element;
    if (!run || !run->done || loop < -1 || loop >= run->at || !watch->told.seen || element < 0 ||
        (size_t)(loop + 1) > watch->loops)
        return NULL;
    const size_t *list = watch->list, *found = &list[watch->next];
    if (watch->next >= watch->told.count || *found != place)
        found = bsearch(&place, list, watch->told.count, sizeof *list, by_place);
    if (!found)
        return NULL;
    watch->next = (size_t)(found - list) + 1;
    size_t at = (size_t)(loop + 1) * watch->told.count + watch->next - 1;
    return (const char *)watch->told.seen + at * run->element_bytes;
}

void gzs_watch_free(struct gzs_watch *watch)
{
    forget(watch);
    free(watch->list);
    free(watch->is_listed);
    *watch = (struct gzs_watch){0};
}
