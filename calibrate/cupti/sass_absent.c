/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sass_absent - replaces sass if CUPTI's headers were not there at build time.
 */
#include "sass.h"

const char gzc_sass_metric[] = "";

static int absent(struct gzk_error *error)
{
    return gzk_fail(error, GZK_NO_DEVICE, "this program was built without CUPTI's headers");
}

int gzc_sass_open(int index, void *context, struct gzc_sass **sass, struct gzk_error *error)
{
    (void)index;
    (void)context;
    (void)sass;
    return absent(error);
}

void gzc_sass_close(struct gzc_sass *sass)
{
    (void)sass;
}

int gzc_sass_count(struct gzc_sass *sass, const char *kernel,
                   int (*work)(void *, struct gzk_error *), void *argument,
                   struct gzc_sass_count **counts, size_t *count, struct gzk_error *error)
{
    (void)sass;
    (void)kernel;
    (void)work;
    (void)argument;
    (void)counts;
    (void)count;
    return absent(error);
}
