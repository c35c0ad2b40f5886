/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions attributed to their addresses in the code, on made-up counts.
 */
#include "sass.h"
#include "tap.h"

enum { STEPS = 8 };

/* A kernel of 10 places that each run executes 50 times and of 6 that each loop executes 30 times,
 * in an order that `stride` shuffles. */
static void make(struct gzc_sass_count counts[16], int steps, unsigned stride)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned k = i * stride % 16;
        counts[i] = (struct gzc_sass_count){1, 1, 16 * k, k < 10 ? 50 : 30 * steps};
    }
}

int main(void)
{
    struct gzc_sass_count one[16], many[16], extra[17];
    double once, each;
    tap_plan(6);
    make(one, 1, 1);
    make(many, STEPS, 1);
    gzc_sass_split(one, 16, many, 16, STEPS, &once, &each);
    tap_ok(once == 500 && each == 180, "once %g, each loop %g", once, each);
    make(one, 1, 5);
    make(many, STEPS, 11);
    gzc_sass_split(one, 16, many, 16, STEPS, &once, &each);
    tap_ok(once == 500 && each == 180, "in any order");

    /* A place that a single loop does not reach: an unrolled body, say. */
    make(many, STEPS, 3);
    for (int i = 0; i < 16; i++)
        extra[i] = many[i];
    extra[16] = (struct gzc_sass_count){1, 1, 1000, 80};
    gzc_sass_split(one, 16, extra, 17, STEPS, &once, &each);
    tap_ok(once == 500 && each == 190, "a place that only many loops reach is of the loops");

    /* The same address in another function is another place. */
    make(one, 1, 1);
    make(many, STEPS, 1);
    for (int i = 0; i < 16; i++)
        one[i].function = 2;
    gzc_sass_split(one, 16, many, 16, STEPS, &once, &each);
    tap_ok(once == 0 && each == (500 + 180 * STEPS) / (double)STEPS, "functions are told apart");
    make(one, 1, 1);
    for (int i = 0; i < 16; i++)
        one[i].cubin = 0;
    gzc_sass_split(one, 16, many, 16, STEPS, &once, &each);
    tap_ok(once == 0, "and modules");
    gzc_sass_split(one, 0, many, 0, STEPS, &once, &each);
    tap_ok(once == 0 && each == 0, "nothing is nothing");
    return tap_done();
}
