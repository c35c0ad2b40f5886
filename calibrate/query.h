/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query.h - what a driver reports of a device besides struct gzk_device_info. Nominal values, as
 * the vendor states them, not measured ones.
 */
#ifndef GZC_QUERY_H
#define GZC_QUERY_H

#include "device.h"
#include "gzmodel.h"

/* 0 if unknown, -1 for `cooperative_launch`. */
struct gzc_query {
    char identity[120];           /* distinguishes devices of one name */
    double memory_clock_hz;       /* Hz */
    double memory_bus_width_bits; /* bits */
    double shared_per_sm_bytes;   /* bytes */
    double registers_per_sm;      /* 32-bit registers */
    double threads_per_sm;        /* threads */
    double blocks_per_sm;         /* thread blocks, at most, whatever their size */
    int cooperative_launch;       /* may blocks wait for each other at a fence: 0 or 1 */
};

/* Fills `query` as far as the backend reports; cannot fail. */
void gzc_query(const struct gzk_device *device, struct gzc_query *query);

/* The name under which a device's files go: the driver's, cut to what a file may hold. */
void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE]);

/* Fills in what the CUDA driver reports of device `index`; for gzc_query. */
void gzc_cuda_query(int index, struct gzc_query *query);

/* The CUDA context that is current in this thread, or NULL. */
void *gzc_cuda_context(void);

#endif
