/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libcuda - a CUDA driver without a GPU, for the tests: built as libcuda.so.1 and put first in
 * LD_LIBRARY_PATH. Device memory is host memory; a launch computes nothing but takes a time that is
 * known, by the kernel's name and arguments, so that a test can compare what calibrate finds with
 * the truth (fake.h). cuInit returns the status in GZ_FAKE_CUINIT, if that is set.
 */
#include "fake.h"

#include <cuda.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { KERNEL_NAMES = 64 };

static double now_s;                 /* the device's time */
static int capturing;                /* launches go into the graph */
static double graph_s;               /* how long the graph will take */
static double instructions;          /* warp instructions of the last launch */
static double once, each, steps;     /* and of which: outside the loops, in one, loops */
static char names[KERNEL_NAMES][40]; /* a CUfunction is one of these */
static int name_count;

/* For the fake CUPTI. */
EXPORT double gz_fake_instructions(void);
EXPORT double gz_fake_instructions(void)
{
    return instructions;
}

EXPORT void gz_fake_split(double split[3]);
EXPORT void gz_fake_split(double split[3])
{
    split[0] = once;
    split[1] = each;
    split[2] = steps;
}

static int int_arg(void **args, int k)
{
    return *(const int *)args[k];
}

static long long long_arg(void **args, int k)
{
    return *(const long long *)args[k];
}

/* What the clock's kernel would have read off its counters. */
static void write_ticks(void **args, unsigned groups, double seconds)
{
    CUdeviceptr address = *(const CUdeviceptr *)args[0];
    long long *data = (long long *)(uintptr_t)address;
    for (unsigned g = 0; g < groups; g++) {
        data[4 * g] = 1000;
        data[4 * g + 1] = 5000;
        data[4 * g + 2] = 1000 + (long long)(seconds * FAKE_CLOCK_HZ);
        data[4 * g + 3] = 5000 + (long long)(seconds * 1e9);
    }
}

/* Seconds on the device, without the launch itself. */
static double duration(const char *name, void **args, unsigned groups, unsigned threads)
{
    double waves = (double)groups / FAKE_SMS;
    instructions = 0;
    if (strcmp(name, "gz_copy") == 0)
        return 2.0 * (8 << 20) * (double)(long_arg(args, 4) - long_arg(args, 3)) / FAKE_BANDWIDTH;
    if (strcmp(name, "gz_sweep") == 0)
        return 4.0 * (double)long_arg(args, 2) * int_arg(args, 3) / FAKE_CACHE_BANDWIDTH;
    if (strcmp(name, "gz_chase") == 0)
        return (double)long_arg(args, 2) * FAKE_LATENCY_CYCLES / FAKE_CLOCK_HZ;
    if (strcmp(name, "gz_add") == 0)
        return int_arg(args, 1) * 16.0 * 8 * threads / 32 * waves * FAKE_CPI / FAKE_CLOCK_HZ;
    if (strcmp(name, "gz_meetings") == 0)
        return int_arg(args, 1) * (FAKE_FENCE_CYCLES + FAKE_FENCE_CYCLES_PER_BLOCK * groups) /
               FAKE_CLOCK_HZ;
    if (strcmp(name, "gz_ticks") == 0) {
        double seconds = (double)long_arg(args, 2) * 4 / FAKE_CLOCK_HZ;
        write_ticks(args, groups, seconds);
        return seconds;
    }
    if (strcmp(name, "gz_stage") == 0) {
        steps = int_arg(args, 9);
        once = groups * FAKE_MISC_INSTS;
        each = groups * FAKE_ITER_INSTS;
        instructions = once + each * steps;
        return instructions / FAKE_SMS * FAKE_CPI / FAKE_CLOCK_HZ;
    }
    return 0;
}

static CUresult launch(CUfunction function, unsigned groups, unsigned threads, void **args)
{
    double seconds = duration((const char *)function, args, groups, threads);
    if (capturing)
        graph_s += seconds + FAKE_GRAPH_CYCLES / FAKE_CLOCK_HZ;
    else
        now_s += seconds + FAKE_LAUNCH_CYCLES / FAKE_CLOCK_HZ;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuInit(unsigned flags)
{
    const char *status = getenv("GZ_FAKE_CUINIT");
    (void)flags;
    return status ? (CUresult)atoi(status) : CUDA_SUCCESS;
}

/* NVRTC looks for a driver by itself and asks it for this; a refusal is all it needs. */
EXPORT CUresult cuGetExportTable(const void **table, const CUuuid *which)
{
    (void)table;
    (void)which;
    return CUDA_ERROR_NOT_SUPPORTED;
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult status, const char **text)
{
    (void)status;
    *text = "an error of the fake driver";
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int index)
{
    *device = index;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    (void)device;
    strncpy(name, FAKE_NAME, (size_t)size);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 0xab, sizeof *uuid);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    static const struct {
        CUdevice_attribute which;
        int value;
    } attributes[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, FAKE_SMS},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2619000},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 16 << 20},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    };
    (void)device;
    *value = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].which == which)
            *value = attributes[i].value;
    return CUDA_SUCCESS;
}

/* Handles need only be told from NULL. */
static char something;

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    (void)device;
    *context = (CUcontext)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(CUcontext context)
{
    (void)context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = (CUcontext)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    *stream = (CUstream)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy(CUstream stream)
{
    (void)stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    (void)stream;
    (void)mode;
    capturing = 1;
    graph_s = 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    (void)stream;
    capturing = 0;
    *graph = (CUgraph)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                            unsigned long long flags)
{
    (void)graph;
    (void)flags;
    *exec = (CUgraphExec)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    (void)exec;
    (void)stream;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    (void)exec;
    (void)stream;
    now_s += graph_s;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphDestroy(CUgraph graph)
{
    (void)graph;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    (void)exec;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    *event = (CUevent)(void *)calloc(1, sizeof(double));
    return *event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuEventDestroy(CUevent event)
{
    free(event);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)stream;
    *(double *)(void *)event = now_s;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    (void)event;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    *milliseconds = (float)(1e3 * (*(double *)(void *)end - *(double *)(void *)begin));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    *address = (CUdeviceptr)(uintptr_t)calloc(1, bytes);
    return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult cuMemFree(CUdeviceptr address)
{
    free((void *)(uintptr_t)address);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemsetD8(CUdeviceptr address, unsigned char byte, size_t bytes)
{
    memset((void *)(uintptr_t)address, byte, bytes);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    (void)image;
    *module = (CUmodule)(void *)&something;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module)
{
    (void)module;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    (void)module;
    if (name_count == KERNEL_NAMES)
        return CUDA_ERROR_OUT_OF_MEMORY;
    strncpy(names[name_count], name, sizeof names[0] - 1);
    *function = (CUfunction)(void *)names[name_count++];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
    (void)function;
    (void)which;
    (void)value;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
    (void)function;
    (void)which;
    *value = 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                            int threads, size_t bytes)
{
    (void)function;
    (void)bytes;
    *blocks = 2048 / threads < 32 ? 2048 / threads : 32;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                               unsigned threads, unsigned threads_y, unsigned threads_z,
                               unsigned bytes, CUstream stream, void **args, void **extra)
{
    (void)y;
    (void)z;
    (void)threads_y;
    (void)threads_z;
    (void)bytes;
    (void)stream;
    (void)extra;
    return launch(function, x, threads, args);
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                                          unsigned threads, unsigned threads_y, unsigned threads_z,
                                          unsigned bytes, CUstream stream, void **args)
{
    (void)y;
    (void)z;
    (void)threads_y;
    (void)threads_z;
    (void)bytes;
    (void)stream;
    /* The real driver refuses a grid that is not resident as a whole. */
    if (x > FAKE_SMS * (2048 / threads))
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return launch(function, x, threads, args);
}
