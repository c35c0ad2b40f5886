/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counters_absent - replaces counters if CUPTI's headers were not there at build time.
 */
#include "counters.h"

int gzc_counters_load(struct gzk_error *error)
{
    return gzk_fail(error, GZK_NO_DEVICE,
                    "this program was built without CUPTI's headers; build it again with CUDA_HOME "
                    "set to count instructions");
}

const char *gzc_counter_metric(enum gzc_counter counter)
{
    (void)counter;
    return NULL;
}

int gzc_counters_passes(const char *chip, size_t *passes, struct gzk_error *error)
{
    (void)chip;
    (void)passes;
    return gzc_counters_load(error);
}

int gzc_counters_open(int index, void *context, struct gzc_counters **counters,
                      struct gzk_error *error)
{
    (void)index;
    (void)context;
    (void)counters;
    return gzc_counters_load(error);
}

void gzc_counters_close(struct gzc_counters *counters)
{
    (void)counters;
}

int gzc_counters_count(struct gzc_counters *counters, int (*work)(void *, struct gzk_error *),
                       void *argument, double counts[GZC_COUNTERS], struct gzk_error *error)
{
    (void)counters;
    (void)work;
    (void)argument;
    (void)counts;
    return gzc_counters_load(error);
}
