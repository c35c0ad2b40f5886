/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"
#include "memory.h"
#include "si.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct gzs_element {
    size_t place;  /* in the state, all fields of it */
    size_t number; /* in the order of the calls of gz_stencil_watch */
};

/* Adds an element. */
static int add(struct gzs_watch *watch, size_t place)
{
    struct gzs_element *list =
        gzk_host_grow(watch->list, watch->count + 1, sizeof *list, &watch->room);
    if (!list)
        return -1;
    watch->list = list;
    list[watch->count] = (struct gzs_element){place, watch->count};
    watch->count++;
    return 0;
}

void gz_stencil_watch(gz_stencil_run *run, const void *element)
{
    if (!enter_ready(run))
        return;
    size_t at = (size_t)((const char *)element - (const char *)run->data.state);
    if (run->facts->measure || run->divided)
        gzs_give_up(run, "cells are watched of a run that its data end, or among ranks");
    else if (at >= run->state_bytes)
        gzs_give_up(run, "a cell that is watched lies beyond the grid");
    else if (add(&run->watch, at / run->element_bytes) != 0)
        gzs_give_up(run, "out of memory");
    leave(run);
}

static int by_place(const void *a, const void *b)
{
    const struct gzs_element *one = a, *other = b;
    return (one->place > other->place) - (one->place < other->place);
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
    watch->at = calloc(watch->count, sizeof *watch->at);
    return told->where && told->seen && watch->at ? 0
                                                  : gzk_fail(error, GZK_FAILED, "out of memory");
}

static void forget(struct gzs_watch *watch)
{
    gzk_host_free(watch->told.where, watch->told.bytes);
    gzk_host_free(watch->told.seen, watch->told.seen_bytes);
    free(watch->at);
    watch->at = NULL;
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
        const struct gzs_element *element = &watch->list[i];
        for (; row < element->place / wide; row++)
            first[row + 1] = (int)i;
        x[i] = (int)(element->place % wide);
        watch->at[element->number] = i;
        memcpy((char *)watch->told.seen + i * bytes,
               (const char *)run->data.state + element->place * bytes, bytes);
    }
    for (size_t row = watch->list[watch->count - 1].place / wide; row < rows; row++)
        first[row + 1] = (int)watch->count;
    return 0;
}

const void *gz_stencil_seen(const gz_stencil_run *run, long loop, long number)
{
    const struct gzs_watch *watch = run ? &run->watch : NULL;
    if (!run || !run->done || loop < -1 || loop >= run->at || !watch->told.seen || number < 0 ||
        (size_t)number >= watch->count || (size_t)(loop + 1) > watch->loops)
        return NULL;
    size_t place = (size_t)(loop + 1) * watch->count + watch->at[number];
    return (const char *)watch->told.seen + place * run->element_bytes;
}

void gzs_watch_free(struct gzs_watch *watch)
{
    forget(watch);
    free(watch->list);
    *watch = (struct gzs_watch){0};
}
