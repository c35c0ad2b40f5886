/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gzc_query(const struct gzk_device *device, struct gzc_query *query)
{
    *query = (struct gzc_query){.memory_clock_hz = device->info.memory_clock_hz,
                                .cooperative_launch = -1};
    const char *colon = strchr(device->info.address, ':');
    if (device->backend == &gzk_cuda && colon)
        gzc_cuda_query(atoi(colon + 1), query);
}

void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE])
{
    snprintf(name, GZ_NAME_SIZE, "%.*s", GZ_NAME_SIZE - 1, device->info.name);
    if (!name[0])
        snprintf(name, GZ_NAME_SIZE, "%s", device->info.address);
}
