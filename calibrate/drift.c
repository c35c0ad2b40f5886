/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drift.h"

#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int gzc_drift_bench(struct gzc_rounds *r, double budget_s, int times, struct gzk_error *error)
{
    double begun_s = cli_now();
    int status = 0;
    for (int k = 0; k < times && status == 0 && gzc_has_time(begun_s, budget_s, k);
         k++, r->gz2_count++)
        status = gzc_rounds_sample(r, true, r->gz2_count, error);
    for (int b = 0; b < r->bench_count && status == 0; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES && r->benches[b].bench->gz2; p++)
            r->estimates[b][p] = gzc_valid_median(r->samples[b][p], r->gz2_count, 1. / 3);
    return status;
}

/* Whether property p of benchmark b is the cache's size or the bandwidth beyond it, and moved by
 * half between the first `before` samples and the others, whose medians are `was` and `is`. */
static bool moved(const struct gzc_rounds *r, int before, int b, int p, double *was, double *is)
{
    static const double half = 1.5;
    const char *key = r->benches[b].bench->properties[p].key;
    if (!r->benches[b].bench->gz2 || !key ||
        (strcmp(key, "effective_cache") != 0 && strcmp(key, "effective_bandwidth") != 0))
        return false;
    *was = gzc_valid_median(r->samples[b][p], before, 0).value;
    *is = gzc_valid_median(r->samples[b][p] + before, r->gz2_count - before, 0).value;
    return *is > half * *was || *was > half * *is;
}

void gzc_drift_settle(struct gzc_rounds *r, int before, char *text, size_t size)
{
    text[0] = '\0';
    for (int b = 0; b < r->bench_count; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            double was, is;
            struct gzc_estimate *e = &r->estimates[b][p];
            if (!moved(r, before, b, p, &was, &is))
                continue;
            e->value = sqrt(was * is);
            e->sd = fmax(e->sd, fmax(fabs(was - e->value), fabs(is - e->value)) / GZC_Z95);
            if (!text[0])
                snprintf(text, size,
                         "the device was busy: the %s moved from %.3g to %.3g while it was "
                         "calibrated, since something else used it, or a neighbour of this virtual "
                         "machine; their geometric mean counts; calibrate again when it is quiet",
                         r->benches[b].bench->properties[p].name, was, is);
        }
}
