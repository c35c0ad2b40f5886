/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fake-cuda.c - a libcuda.so.1 without a GPU, for 350-cuda-driver.t: device memory is the host's, a
 * launch computes nothing, and every call that matters is written to stderr. It checks what a real
 * driver would: that memory is live and large enough, that a capture is ended, that a cooperative
 * launch fits, that all is given back. FAKE_CUDA in the environment asks for a fault:
 *
 *   noinit  cuInit fails            none  there is no device
 *   oom     no memory is left       lost  the first launch fails, as after a lost device
 */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 2, BLOCKS_PER_UNIT = 3 };

static int live, capturing, captured, opened;

static int asked(const char *fault)
{
    const char *given = getenv("FAKE_CUDA");
    return given && strcmp(given, fault) == 0;
}

/* NVRTC looks for a driver too, to use it if there is one, and would ask for more than this one
 * has; so only the first caller, the program, finds a device. */
CUresult CUDAAPI cuInit(unsigned int flags)
{
    static int calls;
    (void)flags;
    return asked("noinit") || calls++ > 0 ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult CUDAAPI cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGetErrorString(CUresult error, const char **text)
{
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "a fault that was asked for";
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDeviceGetCount(int *count)
{
    *count = asked("none") ? 0 : 1;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDeviceGetName(char *name, int length, CUdevice device)
{
    (void)device;
    snprintf(name, (size_t)length, "Fake GPU");
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    (void)device;
    switch ((int)which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = 9;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = 0;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = UNITS;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = 1024;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = 232448;
        break;
    default:
        *value = 1;
    }
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    (void)device;
    opened++;
    *context = (CUcontext)&opened;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    fprintf(stderr, "fake: closed, %d live, %d open\n", live, --opened);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuCtxSetCurrent(CUcontext context)
{
    return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned int flags)
{
    (void)flags;
    live++;
    *stream = (CUstream)&live;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamDestroy(CUstream stream)
{
    (void)stream;
    live--;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamSynchronize(CUstream stream)
{
    (void)stream;
    return capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    (void)stream, (void)mode;
    capturing = 1;
    captured = 0;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    (void)stream;
    capturing = 0;
    live++;
    *graph = (CUgraph)&captured;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                             unsigned long long flags)
{
    (void)graph, (void)flags;
    live++;
    *exec = (CUgraphExec)&captured;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    (void)exec, (void)stream;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    (void)exec, (void)stream;
    fprintf(stderr, "fake: graph of %d launches\n", captured);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphDestroy(CUgraph graph)
{
    (void)graph;
    live--;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuGraphExecDestroy(CUgraphExec exec)
{
    (void)exec;
    live--;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned int flags)
{
    (void)flags;
    live++;
    *event = (CUevent)&live;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream)
{
    (void)event, (void)stream;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventSynchronize(CUevent event)
{
    (void)event;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    (void)begin, (void)end;
    *milliseconds = 1;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuEventDestroy(CUevent event)
{
    (void)event;
    live--;
    return CUDA_SUCCESS;
}

/* An allocation begins with its size, so that copies can be checked. */
static int fits(CUdeviceptr address, size_t bytes)
{
    size_t room;
    memcpy(&room, (const char *)(uintptr_t)address - 64, sizeof room);
    return bytes <= room;
}
CUresult CUDAAPI cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    char *memory = asked("oom") ? NULL : malloc(bytes + 64);
    if (!memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    live++;
    memcpy(memory, &bytes, sizeof bytes);
    *address = (CUdeviceptr)(uintptr_t)(memory + 64);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemFree(CUdeviceptr address)
{
    live--;
    free((char *)(uintptr_t)address - 64);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    if (!fits(to, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    if (!fits(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuMemsetD8(CUdeviceptr to, unsigned char byte, size_t bytes)
{
    if (!fits(to, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memset((void *)(uintptr_t)to, byte, bytes);
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image)
{
    if (memcmp(image, "\177ELF", 4) != 0)
        return CUDA_ERROR_INVALID_IMAGE;
    live++;
    *module = (CUmodule)&live;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuModuleUnload(CUmodule module)
{
    (void)module;
    live--;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    (void)module;
    fprintf(stderr, "fake: kernel %s\n", name);
    *function = (CUfunction)&live;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
    (void)function, (void)which;
    return value <= 232448 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
    (void)which, (void)function;
    *value = 32;
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                             int threads, size_t bytes)
{
    (void)function, (void)threads, (void)bytes;
    *blocks = BLOCKS_PER_UNIT;
    return CUDA_SUCCESS;
}

static CUresult launched(const char *how, unsigned int groups, unsigned int threads, void **args)
{
    CUdeviceptr first;
    memcpy(&first, args[0], sizeof first);
    if (asked("lost"))
        return CUDA_ERROR_LAUNCH_FAILED;
    if (!fits(first, 1))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    captured += capturing;
    fprintf(stderr, "fake: %s %ux%u\n", how, groups, threads);
    return CUDA_SUCCESS;
}
CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy,
                                unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
                                unsigned int bytes, CUstream stream, void **args, void **extra)
{
    (void)function, (void)bytes, (void)stream, (void)extra;
    return launched(capturing ? "captured" : "launch", gx * gy * gz, bx * by * bz, args);
}
CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned int gx, unsigned int gy,
                                           unsigned int gz, unsigned int bx, unsigned int by,
                                           unsigned int bz, unsigned int bytes, CUstream stream,
                                           void **args)
{
    (void)function, (void)bytes, (void)stream;
    if (gx * gy * gz > UNITS * BLOCKS_PER_UNIT)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return launched("cooperative", gx * gy * gz, bx * by * bz, args);
}
