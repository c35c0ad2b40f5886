/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query_cuda - the CUDA driver's attributes. The library is opened at
 * run time, as in backend_cuda; both then share the one that the system has loaded.
 */
#include "query.h"

#include "toolkit.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

/* Names go through cuda.h's macros, which give a versioned function its real name. */
#define STRING(name) #name
#define NAME_OF(function) STRING(function)

static struct {
    void *library;
    __typeof__(&cuDeviceGet) get;
    __typeof__(&cuDeviceGetAttribute) attribute;
    __typeof__(&cuDeviceGetUuid) uuid;
    __typeof__(&cuCtxGetCurrent) current;
} driver;

/* Opens the library; whether it has what is needed. */
static bool load(void)
{
    if (driver.library)
        return true;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    const struct {
        void *function; /* where its address goes */
        const char *name;
    } functions[] = {
        {&driver.get, NAME_OF(cuDeviceGet)},
        {&driver.attribute, NAME_OF(cuDeviceGetAttribute)},
        /* These may be missing. */
        {&driver.uuid, NAME_OF(cuDeviceGetUuid)},
        {&driver.current, NAME_OF(cuCtxGetCurrent)},
    };
    enum { NEEDED = 2 };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!gzk_take_function(library, functions[i].name, functions[i].function) && i < NEEDED) {
            dlclose(library);
            return false;
        }
    driver.library = library;
    return true;
}

static double attribute(CUdevice device, CUdevice_attribute which)
{
    int value = 0;
    return driver.attribute(&value, which, device) == CUDA_SUCCESS && value > 0 ? value : 0;
}

void gzc_cuda_query(int index, struct gzc_query *query)
{
    CUdevice device;
    CUuuid uuid;
    if (!load() || driver.get(&device, index) != CUDA_SUCCESS)
        return;
    query->memory_clock_hz = 1e3 * attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    query->memory_bus_width_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    query->shared_per_sm_bytes =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    query->registers_per_sm =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    query->threads_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    query->blocks_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    query->cooperative_launch = attribute(device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) > 0;
    if (driver.uuid && driver.uuid(&uuid, device) == CUDA_SUCCESS) {
        int at =
            snprintf(query->identity, sizeof query->identity, "compute capability %d.%d, UUID ",
                     (int)attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                     (int)attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
        for (size_t i = 0; i < sizeof uuid.bytes && at < (int)sizeof query->identity; i++)
            at += snprintf(query->identity + at, sizeof query->identity - (size_t)at, "%02x",
                           (unsigned)(unsigned char)uuid.bytes[i]);
    }
}

void *gzc_cuda_context(void)
{
    CUcontext context = NULL;
    if (!load() || !driver.current || driver.current(&context) != CUDA_SUCCESS)
        return NULL;
    return context;
}
