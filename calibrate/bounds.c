/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bounds.h"

#include <math.h>
#include <stdio.h>

/* 1 without a key. */
static double value_of(const struct gzc_file *file, const char *key)
{
    double value = key ? file->entries[gz_param_by_name(key)].value : 1;
    return value > 0 ? value : (double)NAN;
}

/* A quantity over `times` one and the other, and the least and most of that: published
 * microbenchmarks of NVIDIA's GPUs from Volta to Hopper, widened. The bus is counted in bits, and
 * has two transfers in a clock; a multiprocessor takes a line of 128 bytes in one. One pipe for
 * single precision makes cycles per instruction 0.5, two 0.25. */
static const struct {
    const char *key;
    double times;
    const char *one, *other, *what;
    double least, most;
} bounds[] = {
    {"mem_bandwidth", 2. / 8, "memory_clock", "memory_bus_width",
     "of what bus and memory clock allow", 0.6, 1},
    {"cache_bandwidth", 1, "mem_bandwidth", NULL, "times the copy's", 1, HUGE_VAL},
    {"cache_bandwidth", 128, "clock_rate", "sm_count", "of a line a clock and multiprocessor", 0,
     1},
    {"shared_bandwidth", 128, "clock_rate", NULL, "of 128 bytes a clock", 0.4, 1.05},
    {"uncontended_latency", 1, NULL, NULL, "cycles", 300, 1500},
    {"cpi", 1, NULL, NULL, "cycles", 0.24, 0.6},
    {"clock_rate", 1, "clock_rate_nominal", NULL, "of the nominal one", 0.5, 1.02},
    {"launch_overhead", 1e-6, "clock_rate", NULL, "microseconds", 0.8, 6},
    {"graph_overhead", 1, "launch_overhead", NULL, "times a launch's", 0, 1},
};

void gzc_bounds_check(const struct gzc_file *file, const struct gzc_request *request)
{
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        const struct gzc_entry *entry = &file->entries[gz_param_by_name(bounds[k].key)];
        double of =
            bounds[k].times * value_of(file, bounds[k].one) * value_of(file, bounds[k].other);
        double ratio = value_of(file, bounds[k].key) / of;
        char range[60];
        if (entry->origin != GZ_ORIGIN_MEASURED || isnan(ratio) ||
            (ratio >= bounds[k].least && ratio <= bounds[k].most))
            continue;
        if (isinf(bounds[k].most))
            snprintf(range, sizeof range, "at least %g", bounds[k].least);
        else
            snprintf(range, sizeof range, "%g to %g", bounds[k].least, bounds[k].most);
        request->warn("%s is doubtful: %.3g %s, where a GPU has %s; calibrate again while nothing "
                      "else uses it",
                      bounds[k].key, ratio, bounds[k].what, range);
    }
}
