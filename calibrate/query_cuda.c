/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query_cuda - the CUDA driver's attributes and its reasons not to start. The library is opened at
 * run time, as in backend_cuda; both then share the one that the system has loaded.
 */
#include "query.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Names go through cuda.h's macros, which give a versioned function its real name. */
#define STRING(name) #name
#define NAME_OF(function) STRING(function)

static struct {
    void *library;
    __typeof__(&cuInit) init;
    __typeof__(&cuDeviceGetCount) count;
    __typeof__(&cuDeviceGet) get;
    __typeof__(&cuDeviceGetAttribute) attribute;
    __typeof__(&cuDeviceGetUuid) uuid;
    __typeof__(&cuCtxGetCurrent) current;
} driver;

/* Opens the library; NULL, or the name of what it lacks. */
static const char *load(void)
{
    if (driver.library)
        return NULL;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "libcuda.so.1";
    const struct {
        void *function; /* where its address goes */
        const char *name;
    } functions[] = {
        {&driver.init, NAME_OF(cuInit)},
        {&driver.count, NAME_OF(cuDeviceGetCount)},
        {&driver.get, NAME_OF(cuDeviceGet)},
        {&driver.attribute, NAME_OF(cuDeviceGetAttribute)},
        {&driver.uuid, NAME_OF(cuDeviceGetUuid)},
        {&driver.current, NAME_OF(cuCtxGetCurrent)},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address) {
            dlclose(library);
            return functions[i].name;
        }
        /* Copied as bytes, since C has no conversion from an object pointer to a function's. */
        memcpy(functions[i].function, &address, sizeof address);
    }
    driver.library = library;
    return NULL;
}

/* What the driver's refusal means, and what to do. */
static const char *advice(CUresult status)
{
    static const struct {
        CUresult status;
        const char *text;
    } known[] = {
        {CUDA_ERROR_NO_DEVICE,
         "no NVIDIA GPU is visible; check nvidia-smi and CUDA_VISIBLE_DEVICES"},
        {CUDA_ERROR_STUB_LIBRARY,
         "libcuda.so.1 is the toolkit's stub; take its folder out of LD_LIBRARY_PATH"},
        {CUDA_ERROR_DEVICE_UNAVAILABLE, "the GPU is in exclusive use by another process"},
        {CUDA_ERROR_OPERATING_SYSTEM,
         "the operating system refused; check the access rights of /dev/nvidia*"},
        {CUDA_ERROR_NOT_PERMITTED, "not permitted; check the access rights of /dev/nvidia*"},
        {CUDA_ERROR_SYSTEM_NOT_READY,
         "the system is not ready; start the services that the GPU needs (nvidia-fabricmanager)"},
        {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
         "kernel module and library differ in version; restart the machine after an update"},
        {CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
         "the compatibility library does not know this GPU; update the driver"},
        {CUDA_ERROR_UNKNOWN, "unknown to the driver itself; is the module nvidia-uvm loaded?"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].text;
    return "see CUresult in cuda.h; or use an opencl device";
}

int gzc_cuda_check(int index, struct gzk_error *error)
{
    const char *missing = load();
    if (missing && strcmp(missing, "libcuda.so.1") == 0)
        return gzk_fail(
            error, GZK_NO_DEVICE,
            "cuda:%d: no CUDA driver: libcuda.so.1 is not found; install NVIDIA's driver, "
            "or use an opencl device",
            index);
    if (missing)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "cuda:%d: the CUDA driver is too old: libcuda.so.1 lacks %s; update it",
                        index, missing);
    CUresult status = driver.init(0);
    int count = 0;
    if (status == CUDA_SUCCESS)
        status = driver.count(&count);
    if (status != CUDA_SUCCESS)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "cuda:%d: the CUDA driver does not start: error %d: %s", index, (int)status,
                        advice(status));
    if (index >= count)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "cuda:%d: no such device, there %s %d here; --list names them", index,
                        count == 1 ? "is" : "are", count);
    return 0;
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
    if (load() || driver.get(&device, index) != CUDA_SUCCESS)
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
    if (driver.uuid(&uuid, device) == CUDA_SUCCESS) {
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
    if (load() || driver.current(&context) != CUDA_SUCCESS)
        return NULL;
    return context;
}
