/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sass_split - what needs no CUPTI: instructions divided by their addresses.
 */
#include "sass.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const struct gzc_sass_count *x = a, *y = b;
    if (x->cubin != y->cubin)
        return x->cubin < y->cubin ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

void gzc_sass_split(struct gzc_sass_count *one, size_t one_count, struct gzc_sass_count *many,
                    size_t many_count, int steps, double *once, double *each)
{
    double loops = 0;
    size_t o = 0;
    *once = 0;
    qsort(one, one_count, sizeof *one, by_place);
    qsort(many, many_count, sizeof *many, by_place);
    for (size_t m = 0; m < many_count; m++) {
        while (o < one_count && by_place(&one[o], &many[m]) < 0)
            o++;
        bool there = o < one_count && by_place(&one[o], &many[m]) == 0;
        /* Counts are whole numbers, so equal is equal. */
        if (there && one[o].executed == many[m].executed)
            *once += many[m].executed;
        else
            loops += many[m].executed;
    }
    *each = loops / steps;
}
