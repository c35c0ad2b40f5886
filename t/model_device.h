/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model_device.h - what the tests of gz2 fill into devices and applications by hand.
 */
#ifndef GZ_MODEL_DEVICE_H
#define GZ_MODEL_DEVICE_H

#include "gzmodel/parameters.h"

#include <stdio.h>

static inline gz_quantity quantity(double value)
{
    return (gz_quantity){.value = value, .origin = GZ_ORIGIN_MEASURED};
}

/* A quantity of the device, or of the application, by its name. */
static inline gz_quantity *quantity_of(gz_device *dev, gz_app *app, const char *name)
{
    return gz_param_quantity(dev, app, gz_param_by_name(name));
}

/* Sets those that a text names, each with its value: "cpi 1 warp_size 32". */
static inline void put_quantities(gz_device *dev, gz_app *app, const char *text)
{
    char name[64];
    double value;
    for (int read; sscanf(text, "%63s %lg%n", name, &value, &read) == 2; text += read)
        *quantity_of(dev, app, name) = quantity(value);
}

/* A CPU of `cores` with so much local memory, by what either model needs of any device; tests
 * change it, and add what they are about. */
static inline gz_device a_bare_cpu(int cores, double local_bytes)
{
    gz_device d = {.name = "of this test", .key = "test"};
    put_quantities(&d, NULL, "clock_rate 3e9 mem_bandwidth 2e10 uncontended_latency 500");
    d.sm_count = quantity(cores);
    put_quantities(
        &d, NULL,
        "blocks_per_sm 1 cpi 1 launch_overhead 5000 fence_overhead 100 dimension_penalty 1 "
        "fence_exposure 0.5 latency_hiding 0.5 max_threads_per_block 4096");
    d.shared_mem_per_block = quantity(local_bytes);
    put_quantities(&d, NULL, "warp_size 1 effective_cache 2e7 stage_launch 4e-6 stage_fence 1e-6");
    return d;
}

/* Roughly a GPU of 80 multiprocessors with so much shared memory each, by what gz2
 * needs and knows of any GPU. */
static inline gz_device a_gpu(double shared_bytes)
{
    gz_device d = a_bare_cpu(80, shared_bytes);
    put_quantities(&d, NULL,
                   "clock_rate 1.6e9 mem_bandwidth 9e11 blocks_per_sm 8 max_threads_per_block 1024 "
                   "warp_size 32 effective_cache 6e6 stage_launch 2e-6 load_latency 5e-7 "
                   "barrier_latency 2e-8 cache_bandwidth 2.5e12 shared_bandwidth 1.8e11");
    d.shared_mem_per_sm = quantity(shared_bytes);
    put_quantities(&d, NULL,
                   "shared_mem_step 1024 max_threads_per_sm 2048 max_blocks_per_sm 32 "
                   "registers_per_sm 65536 issue_rate 6e9 instruction_latency 3e-9");
    return d;
}

#endif
