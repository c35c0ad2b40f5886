/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * watch.h - elements of the state that a run records after each loop, and what was seen there.
 */
#ifndef GZS_WATCH_H
#define GZS_WATCH_H

#include "plan.h"

struct gzs_element {
    size_t place;  /* in the state, all fields of it */
    size_t number; /* in the order in which they were asked for */
};

struct gzs_watch {
    struct gzs_element *list; /* by place once the run begins */
    size_t count, room;
    size_t *at; /* where element number n lies among those seen in a loop */
    size_t loops;
    struct gzk_watch told;
};

/* Asks for one more element. -1 if memory is short. */
int gzs_watch_add(struct gzs_watch *watch, size_t place);

/* What the kernels need for at most `loops` loops from the state in `data`. GZK_FAILED if memory is
 * short. */
int gzs_watch_make(struct gzs_watch *watch, const struct gzk_stencil *stencil,
                   const struct gzk_data *data, long loops, struct gzk_error *error);

/* Element `number` after loop `loop`, or, of loop -1, before the first; NULL if there is none. */
const void *gzs_watch_seen(const struct gzs_watch *watch, long loop, long number,
                           size_t bytes_each);

/* What is kept while results are checked: bytes in a row, gone through again in each pass. */
struct gzs_heard {
    char *bytes;
    size_t count, room, at;
    int pass; /* in which `at` is */
};

/* In passes 0 and 2 keeps some bytes in the first or the second; in passes 3 and 4 returns those
 * that the first, or the second, has in their place. NULL if there are none, or memory is short. */
const char *gzs_heard(struct gzs_heard heard[2], int pass, const void *at, size_t bytes);

/* Harmless on one of zeros. */
void gzs_watch_free(struct gzs_watch *watch);

#endif
