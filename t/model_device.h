/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model_device.h - what the tests of gz2 fill into devices and applications by hand.
 */
#ifndef GZ_MODEL_DEVICE_H
#define GZ_MODEL_DEVICE_H

#include "gzmodel/parameters.h"

static inline gz_quantity quantity(double value)
{
    return (gz_quantity){.value = value, .origin = GZ_ORIGIN_MEASURED};
}

/* A quantity of the device, or of the application, by its name. */
static inline gz_quantity *quantity_of(gz_device *dev, gz_app *app, const char *name)
{
    return gz_param_quantity(dev, app, gz_param_by_name(name));
}

/* A CPU of `cores` with so much local memory, by what either model needs of any device; tests
 * change it, and add what they are about. */
static inline gz_device a_bare_cpu(int cores, double local_bytes)
{
    gz_device d = {.name = "of this test", .key = "test"};
    d.clock_rate = quantity(3e9);
    d.mem_bandwidth = quantity(2e10);
    d.uncontended_latency = quantity(500);
    d.sm_count = quantity(cores);
    d.blocks_per_sm = quantity(1);
    d.cpi = quantity(1);
    d.launch_overhead = quantity(5000);
    d.fence_overhead = quantity(100);
    d.dimension_penalty = quantity(1);
    d.fence_exposure = quantity(0.5);
    d.latency_hiding = quantity(0.5);
    d.max_threads_per_block = quantity(4096);
    d.shared_mem_per_block = quantity(local_bytes);
    d.warp_size = quantity(1);
    gz_set(&d, "effective_cache", 2e7);
    gz_set(&d, "stage_launch", 4e-6);
    gz_set(&d, "stage_fence", 1e-6);
    return d;
}

/* Roughly a GPU of 80 multiprocessors with so much shared memory each, by what gz2
 * needs and knows of any GPU. */
static inline gz_device a_gpu(double shared_bytes)
{
    gz_device d = a_bare_cpu(80, shared_bytes);
    d.clock_rate = quantity(1.6e9);
    d.mem_bandwidth = quantity(9e11);
    d.blocks_per_sm = quantity(8);
    d.max_threads_per_block = quantity(1024);
    d.warp_size = quantity(32);
    gz_set(&d, "effective_cache", 6e6);
    gz_set(&d, "stage_launch", 2e-6);
    gz_set(&d, "load_latency", 5e-7);
    gz_set(&d, "barrier_latency", 2e-8);
    gz_set(&d, "cache_bandwidth", 2.5e12);
    gz_set(&d, "shared_bandwidth", 1.8e11);
    d.shared_mem_per_sm = quantity(shared_bytes);
    d.shared_mem_step = quantity(1024);
    d.max_threads_per_sm = quantity(2048);
    d.max_blocks_per_sm = quantity(32);
    d.registers_per_sm = quantity(65536);
    gz_set(&d, "issue_rate", 6e9);
    gz_set(&d, "instruction_latency", 3e-9);
    return d;
}

#endif
