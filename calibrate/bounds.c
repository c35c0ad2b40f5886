/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bounds.h"

#include <math.h>
#include <stdio.h>

static double value_of(const struct gzc_device_file *file, const char *key)
{
    double value = file->entries[gz_param_by_name(key)].value;
    return value > 0 ? value : (double)NAN;
}

/* Two transfers in a clock, and the bus is counted in bits. */
static double nominal_bandwidth(const struct gzc_device_file *file)
{
    return 2 * value_of(file, "memory_clock") * value_of(file, "memory_bus_width") / 8;
}

static double copy_bandwidth(const struct gzc_device_file *file)
{
    return value_of(file, "mem_bandwidth");
}

/* A multiprocessor takes a line of 128 bytes in a clock. */
static double line_of_one(const struct gzc_device_file *file)
{
    return 128 * value_of(file, "clock_rate");
}

static double line_bandwidth(const struct gzc_device_file *file)
{
    return value_of(file, "sm_count") * line_of_one(file);
}

static double one(const struct gzc_device_file *file)
{
    (void)file;
    return 1;
}

static double nominal_clock(const struct gzc_device_file *file)
{
    return value_of(file, "clock_rate_nominal");
}

static double microsecond(const struct gzc_device_file *file)
{
    return 1e-6 * value_of(file, "clock_rate");
}

static double launch(const struct gzc_device_file *file)
{
    return value_of(file, "launch_overhead");
}

/* Quantity over `of`, least and most: published microbenchmarks of NVIDIA's GPUs from Volta to
 * Hopper, widened. One pipe for single precision makes cycles per instruction 0.5, two 0.25. */
static const struct {
    const char *key;
    double (*of)(const struct gzc_device_file *file);
    const char *what;
    double least, most;
} bounds[] = {
    {"mem_bandwidth", nominal_bandwidth, "of what bus and memory clock allow", 0.6, 1},
    {"cache_bandwidth", copy_bandwidth, "times the copy's", 1, HUGE_VAL},
    {"cache_bandwidth", line_bandwidth, "of a line a clock and multiprocessor", 0, 1},
    {"shared_bandwidth", line_of_one, "of 128 bytes a clock", 0.4, 1.05},
    {"uncontended_latency", one, "cycles", 300, 1500},
    {"cpi", one, "cycles", 0.24, 0.6},
    {"clock_rate", nominal_clock, "of the nominal one", 0.5, 1.02},
    {"launch_overhead", microsecond, "microseconds", 0.8, 6},
    {"graph_overhead", launch, "times a launch's", 0, 1},
};

void gzc_bounds_check(const struct gzc_device_file *file, const struct gzc_request *request)
{
    for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
        const struct gzc_entry *entry = &file->entries[gz_param_by_name(bounds[k].key)];
        double ratio = value_of(file, bounds[k].key) / bounds[k].of(file);
        char text[300], range[60];
        if (entry->origin != GZ_ORIGIN_MEASURED || isnan(ratio) ||
            (ratio >= bounds[k].least && ratio <= bounds[k].most))
            continue;
        if (isinf(bounds[k].most))
            snprintf(range, sizeof range, "at least %g", bounds[k].least);
        else
            snprintf(range, sizeof range, "%g to %g", bounds[k].least, bounds[k].most);
        snprintf(text, sizeof text,
                 "%s is doubtful: %.3g %s, where a GPU has %s; calibrate again while nothing else "
                 "uses it",
                 bounds[k].key, ratio, bounds[k].what, range);
        request->warn(text);
    }
}
